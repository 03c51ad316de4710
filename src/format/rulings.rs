//! Rulings and studies.

use super::Printer;
use super::flat::{self, joined};
use super::wrap;
use crate::source::Span;
use crate::syntax::ast::{ExpectKind, Find, Given, Item, Ruling, Scene, Statement, Study};

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
            Case::Scene(scene) => printer.scene(scene),
        });
    }

    fn scene(&mut self, scene: &Scene) {
        let (span, text) = match scene {
            Scene::When(it) => (it.span, format!("when {}", flat::play(&it.play))),
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
                self.begin(&[], *span);
                self.out.push_str(&format!("repeat {} ", times.value));
                let cases: Vec<Case<'_>> = scenes.iter().map(Case::Scene).collect();
                self.cases(*span, &cases);
                return self.end(*span);
            }
        };
        self.begin_whole(&[], span);
        self.out.push_str(&text);
        self.end(span);
    }

    fn given(&mut self, it: &Given) {
        let span = it.body.span;
        self.begin(&[], span);
        self.out.push_str("given ");
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
        let mut parts = Vec::from_iter(from.as_ref().map(|(_, text)| text.clone()));
        parts.extend(it.body.statements.iter().map(flat::written));
        let whole = if parts.is_empty() {
            String::from("{ }")
        } else {
            format!("{{ {} }}", parts.join("  "))
        };
        if self.is_one_line(span) && self.fits(&whole) {
            self.out.push_str(&whole);
        } else {
            let from = from.into_iter().map(|(span, text)| Step::From(span, text));
            let steps: Vec<Step<'_>> = from
                .chain(it.body.statements.iter().map(Step::Statement))
                .collect();
            self.braces(span, &steps, |printer, step| match step {
                Step::From(span, text) => {
                    printer.begin_whole(&[], *span);
                    printer.out.push_str(text);
                    printer.end(*span);
                }
                Step::Statement(it) => printer.statement(it),
            });
        }
        self.end(span);
    }
}

/// What stands in the braces of a ruling.
enum Case<'a> {
    Given(&'a Given),
    Scene(&'a Scene),
    Line(Span, String),
}

/// What stands in the braces of `given`.
enum Step<'a> {
    From(Span, String),
    Statement(&'a Statement),
}
