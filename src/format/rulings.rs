//! Rulings, studies and positions.

use super::Printer;
use super::flat::{self, joined};
use super::wrap;
use crate::source::Span;
use crate::syntax::ast::{
    Block, ExpectKind, Find, Given, Item, Position, Ruling, Scene, Statement, Study,
};

impl Printer<'_> {
    pub(super) fn ruling(&mut self, it: &Item, decl: &Ruling, tail: &str) {
        let answers = joined(&decl.answers, ", ", |name| name.text.clone());
        let answers = if answers.is_empty() {
            answers
        } else {
            format!(" answers {answers}")
        };
        self.out.push_str(&format!(
            "ruling {} {}{tail}{answers} ",
            decl.id,
            flat::text(&decl.title)
        ));
        let given = decl.given.iter().map(Case::Given);
        let scenes = decl.scenes.iter().map(Case::Scene);
        let cases: Vec<Case<'_>> = given.chain(scenes).collect();
        self.cases(it.span, &cases);
    }

    pub(super) fn study(&mut self, it: &Item, decl: &Study, tail: &str) {
        let title = flat::text(&decl.title);
        self.out
            .push_str(&format!("study {} {title}{tail} ", decl.id));
        let find = match &decl.find {
            Find::Condition(condition) => flat::written(condition),
            Find::Members(binders) => joined(binders, ", ", flat::written),
        };
        let lines = &decl.lines;
        let never = decl.never.iter().zip(lines.never);
        let never =
            never.map(|(it, line)| Case::Line(line, format!("never {}", flat::written(it))));
        let within = format!("within {} plies", decl.plies.value);
        let given = decl.given.iter().map(Case::Given);
        let cases: Vec<Case<'_>> = given
            .chain([Case::Line(lines.find, format!("find {find}"))])
            .chain(never)
            .chain([Case::Line(lines.within, within)])
            .collect();
        self.cases(it.span, &cases);
    }

    fn cases(&mut self, span: Span, cases: &[Case<'_>]) {
        self.braces(span, cases, |printer, case| match case {
            Case::Line(span, text) => {
                printer.begin_whole(&[], *span);
                printer.out.push_str(text);
                printer.end(*span);
            }
            Case::Given(given) => printer.given(given),
            Case::More(given) => printer.more(given),
            Case::Scene(scene) => printer.scene(scene),
        });
    }

    pub(super) fn position(&mut self, it: &Item, decl: &Position, tail: &str) {
        let title = flat::text(&decl.title);
        self.out
            .push_str(&format!("position {} {title}{tail} ", decl.name));
        let given = &decl.given;
        let base = given.base.as_ref().map(|name| {
            let text = format!("given {name}");
            (name.span, text)
        });
        self.steps(it.span, given, base);
    }

    /// A scene with scenes inside it.
    fn nested(&mut self, head: &str, given: Option<&Block>, scenes: &[Scene], span: Span) {
        self.begin(&[], span);
        self.out.push_str(head);
        let given = given.map(Case::More);
        let cases: Vec<Case<'_>> = given
            .into_iter()
            .chain(scenes.iter().map(Case::Scene))
            .collect();
        let texts: Option<Vec<String>> = cases.iter().map(Case::flat).collect();
        let whole = texts.map(|it| format!("{{ {} }}", it.join("  ")));
        match whole {
            Some(whole) if self.is_one_line(span) && self.fits(&whole) => {
                self.out.push_str(&whole);
                self.last = self.last.max(span.end as usize);
            }
            _ => self.cases(span, &cases),
        }
        self.end(span);
    }

    fn scene(&mut self, scene: &Scene) {
        let (span, text) = match scene {
            Scene::When(it) => (it.span, flat::when(it)),
            Scene::Expect(it) => {
                let text = flat::expect(it);
                if let ExpectKind::Holds(condition) = &it.kind
                    && wrap::looked_at(condition).is_some()
                    && !self.fits_on_a_line(&text)
                {
                    self.begin_whole(&[], it.span);
                    self.out.push_str("expect ");
                    self.expr(condition);
                    self.out.push_str(&flat::behind_expect(it));
                    return self.end(it.span);
                }
                (it.span, text)
            }
            Scene::Repeat {
                times,
                scenes,
                span,
            } => {
                let head = format!("repeat {} ", times.value);
                return self.nested(&head, None, scenes, *span);
            }
            Scene::Each {
                binder,
                scenes,
                span,
            } => {
                let head = format!("for each {} ", flat::written(binder));
                return self.nested(&head, None, scenes, *span);
            }
            Scene::Under {
                under,
                given,
                scenes,
                span,
            } => {
                let head = format!("{} ", flat::under(under));
                return self.nested(&head, given.as_ref(), scenes, *span);
            }
        };
        self.begin_whole(&[], span);
        self.out.push_str(&text);
        self.end(span);
    }

    fn given(&mut self, it: &Given) {
        let span = it.body.span;
        self.begin(&[], span);
        let base = it.base.as_ref().map(|it| format!(" {it}"));
        self.out
            .push_str(&format!("given{} ", base.unwrap_or_default()));
        if it.base.is_some() && it.from.is_none() && it.body.statements.is_empty() {
            self.out.truncate(self.out.trim_end().len());
        } else {
            self.steps(span, it, None);
        }
        self.end(span);
    }

    /// What is done for a position, between braces.
    fn steps(&mut self, span: Span, it: &Given, base: Option<(Span, String)>) {
        let from = it.from.as_ref().map(|from| {
            let at = from
                .at
                .as_ref()
                .map_or(String::new(), |at| format!(" at {at}"));
            let players = from
                .players
                .map_or(String::new(), |it| format!(" players {}", it.value));
            (
                from.span,
                format!("from seed {}{at}{players}", from.seed.value),
            )
        });
        let heads: Vec<(Span, String)> = base.into_iter().chain(from).collect();
        let mut parts: Vec<String> = heads.iter().map(|(_, text)| text.clone()).collect();
        parts.extend(it.body.statements.iter().map(flat::written));
        let whole = braced(&parts);
        if self.is_one_line(span) && self.fits(&whole) {
            self.out.push_str(&whole);
        } else {
            let heads = heads.into_iter().map(|(span, text)| Step::Head(span, text));
            let steps: Vec<Step<'_>> = heads
                .chain(it.body.statements.iter().map(Step::Statement))
                .collect();
            self.braces(span, &steps, |printer, step| match step {
                Step::Head(span, text) => {
                    printer.begin_whole(&[], *span);
                    printer.out.push_str(text);
                    printer.end(*span);
                }
                Step::Statement(it) => printer.statement(it),
            });
        }
    }

    /// What is done to a position besides.
    fn more(&mut self, it: &Block) {
        self.begin(&[], it.span);
        self.out.push_str("given ");
        let parts: Vec<String> = it.statements.iter().map(flat::written).collect();
        let whole = braced(&parts);
        if self.is_one_line(it.span) && self.fits(&whole) {
            self.out.push_str(&whole);
        } else {
            self.braces(it.span, &it.statements, Self::statement);
        }
        self.end(it.span);
    }
}

fn braced(parts: &[String]) -> String {
    if parts.is_empty() {
        String::from("{ }")
    } else {
        format!("{{ {} }}", parts.join("  "))
    }
}

/// What stands in the braces of a ruling.
enum Case<'a> {
    Given(&'a Given),
    More(&'a Block),
    Scene(&'a Scene),
    Line(Span, String),
}

impl Case<'_> {
    /// The text of what may stand beside others on one line.
    fn flat(&self) -> Option<String> {
        match self {
            Case::Scene(Scene::When(it)) => Some(flat::when(it)),
            Case::Scene(Scene::Expect(it)) => Some(flat::expect(it)),
            Case::More(it) => {
                let parts: Vec<String> = it.statements.iter().map(flat::written).collect();
                Some(format!("given {}", braced(&parts)))
            }
            Case::Scene(_) | Case::Given(_) | Case::Line(..) => None,
        }
    }
}

/// What stands in the braces of `given`.
enum Step<'a> {
    Head(Span, String),
    Statement(&'a Statement),
}
