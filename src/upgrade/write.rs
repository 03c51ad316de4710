//! Writes the edits of the readings, and the text without them.

use std::collections::BTreeMap;

use super::asked::{Asked, Case, Question};
use super::behind;
use super::plan::{Carrier, Form};
use crate::source::{FileId, Sources, Span};
use crate::syntax::ast::{ExprKind, File, Side, UnaryOp};

/// So many ways to answer the questions of one clause are written out.
const MOST_WAYS: usize = 64;

/// How questions are answered; the default of those that are not named.
type Answers<'t> = BTreeMap<&'t str, usize>;

/// Where edits go.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Block(String, usize),
    Resolve(FileId, Vec<String>),
}

/// A stretch of a text with what stands there now.
pub(super) struct Change {
    pub span: Span,
    pub text: String,
}

pub(super) struct Writing<'t, 'w> {
    pub sources: &'w Sources,
    pub trees: &'t [File],
    pub questions: &'w BTreeMap<&'t str, Question<'t>>,
    pub asked: &'w [Asked<'t>],
    pub carriers: &'w [Carrier<'t>],
    pub of: &'w [Option<usize>],
    /// What had to be left: the places of what is asked there in too many ways.
    pub left: Vec<Span>,
}

/// Something in a stretch that is shown otherwise than it is written.
#[derive(Clone, Copy)]
enum Node {
    Carrier(usize),
    Asked(usize),
}

impl<'t> Writing<'t, '_> {
    /// Returns all changes.
    pub(super) fn changes(&mut self) -> Vec<Change> {
        let mut changes = Vec::new();
        let mut targets: BTreeMap<Target, Vec<String>> = BTreeMap::new();
        for (at, carrier) in self.carriers.iter().enumerate() {
            let mut others = self.carriers.iter().enumerate();
            let is_inner = others.any(|(other, it)| {
                let is_same = it.span.same_place(carrier.span);
                other != at && it.span.holds(carrier.span) && !(is_same && other > at)
            });
            if !is_inner {
                changes.push(Change {
                    span: carrier.span,
                    text: self.main_form(at),
                });
            }
            if let Form::New { .. } = carrier.form {
                changes.push(Change {
                    span: behind(carrier.home.item.span, self.sources),
                    text: self.new_item(at),
                });
            }
            self.edits(at, &mut targets);
        }
        let mut ends: BTreeMap<FileId, String> = BTreeMap::new();
        for (target, edits) in targets {
            let edits = edits.join("\n        ");
            match target {
                Target::Block(question, reading) => {
                    let readings = self.questions.get(question.as_str()).map(|it| &it.readings);
                    let Some(reading) = readings.and_then(|it| it.get(reading)) else {
                        continue;
                    };
                    let mut span = reading.span.end_point();
                    let text = if reading.edits.is_some() {
                        span.start = span.start.saturating_sub(1);
                        span.end = span.start;
                        format!("    {edits}\n    ")
                    } else {
                        format!(" {{\n        {edits}\n    }}")
                    };
                    changes.push(Change { span, text });
                }
                Target::Resolve(file, units) => {
                    let text = format!("\nresolve {} {{\n        {edits}\n}}\n", units.join(" + "));
                    ends.entry(file).or_default().push_str(&text);
                }
            }
        }
        for (file, text) in ends {
            let length = self.sources.get(file).map_or(0, |it| it.text.len());
            changes.push(Change {
                span: Span::new(file, length, length),
                text,
            });
        }
        changes
    }

    fn default_of(&self, question: &str) -> usize {
        self.questions.get(question).map_or(0, |it| it.default)
    }

    fn case(&self, asked: &Asked<'t>, answers: &Answers<'t>) -> Option<Case<'t>> {
        let default = self.default_of(asked.question);
        let reading = answers.get(asked.question).copied().unwrap_or(default);
        let mut cases = asked.cases.iter();
        cases.find(|it| it.0.contains(&reading)).map(|it| it.1)
    }

    /// Returns a stretch as it is under some answers, with its carriers in their main form.
    fn shown(&self, span: Span, within: usize, answers: &Answers<'t>) -> String {
        let carriers = self.carriers.iter().enumerate();
        let carriers = carriers.filter(|(at, _)| *at != within);
        let carriers = carriers.map(|(at, it)| (it.span, Node::Carrier(at)));
        let asked = self.asked.iter().enumerate();
        let asked = asked.filter(|(at, _)| self.of.get(*at) == Some(&Some(within)));
        let asked = asked.map(|(at, it)| (it.span, Node::Asked(at)));
        // Of two of one place what is around comes first.
        let inside = |it: &(Span, Node)| span.holds(it.0);
        let mut nodes: Vec<(Span, Node)> = asked.chain(carriers).filter(inside).collect();
        nodes.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
        let mut text = String::new();
        let mut from = span.start;
        for (at, node) in nodes {
            if at.start < from {
                continue;
            }
            text.push_str(self.slice(span, from, at.start));
            from = at.end;
            match node {
                Node::Carrier(carrier) => text.push_str(&self.main_form(carrier)),
                Node::Asked(number) => {
                    let alone = at.same_place(span);
                    text.push_str(&self.answered(number, within, answers, alone));
                }
            }
        }
        text.push_str(self.slice(span, from, span.end));
        text
    }

    fn slice(&self, span: Span, start: u32, end: u32) -> &str {
        self.sources.slice(Span { start, end, ..span })
    }

    fn answered(&self, number: usize, within: usize, answers: &Answers<'t>, alone: bool) -> String {
        let Some(asked) = self.asked.get(number) else {
            return String::new();
        };
        match self.case(asked, answers) {
            Some(Case::Truth(truth)) => truth.to_string(),
            Some(Case::Value(value)) => {
                let text = self.shown(value.span, within, answers);
                let is_loose = match &value.kind {
                    ExprKind::Binary { .. }
                    | ExprKind::If { .. }
                    | ExprKind::By { .. }
                    | ExprKind::Default { .. }
                    | ExprKind::Range { .. }
                    | ExprKind::After { .. }
                    | ExprKind::Reach { .. }
                    | ExprKind::Groups { .. }
                    | ExprKind::Walk { .. } => true,
                    ExprKind::Unary { op, .. } => *op == UnaryOp::Not,
                    _ => false,
                };
                if is_loose && !value.parenthesised && !alone {
                    format!("({text})")
                } else {
                    text
                }
            }
            Some(Case::Body(body)) => {
                let text = self.shown(body.span, within, answers);
                let is_step = self
                    .carriers
                    .get(within)
                    .is_some_and(|it| it.span.same_place(asked.span));
                if alone || is_step {
                    return text;
                }
                // Among other statements.
                let inside = text.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
                inside.unwrap_or(&text).trim().to_owned()
            }
            None if asked.is_done => "{ }".to_owned(),
            None => "true".to_owned(),
        }
    }

    /// Returns what a carrier says under some answers.
    fn text(&self, at: usize, answers: &Answers<'t>) -> String {
        let Some(carrier) = self.carriers.get(at) else {
            return String::new();
        };
        let span = match &carrier.form {
            Form::Clause(_, clause) => clause.condition.span,
            _ => carrier.span,
        };
        let text = self.shown(span, at, answers);
        let is_block = text.starts_with('{');
        match &carrier.form {
            Form::Body { .. } if !is_block => format!("{{ {text} }}"),
            Form::Body { .. } => self.without_braces_twice(at, answers).unwrap_or(text),
            Form::Step { .. } if !is_block => format!("{{ {text} }}"),
            _ => text,
        }
    }

    /// Of a body that is all one question the arm is the body.
    fn without_braces_twice(&self, at: usize, answers: &Answers<'t>) -> Option<String> {
        let carrier = self.carriers.get(at)?;
        let only = carrier.asked.first().and_then(|it| self.asked.get(*it))?;
        let within = self.sources.slice(carrier.span);
        let inside = within.strip_prefix('{')?.strip_suffix('}')?.trim();
        if inside.len() != only.span.len() || !only.is_done {
            return None;
        }
        let Some(Case::Body(body)) = self.case(only, answers) else {
            return Some("{ }".to_owned());
        };
        Some(self.shown(body.span, at, answers))
    }

    /// Returns what stands in the text where a carrier is.
    fn main_form(&self, at: usize) -> String {
        let Some(carrier) = self.carriers.get(at) else {
            return String::new();
        };
        match &carrier.form {
            Form::New { name, args, .. } if args.is_empty() => match self.is_done(carrier) {
                true => format!("{name}()"),
                false => name.clone(),
            },
            Form::New { name, args, .. } => format!("{name}({})", args.join(", ")),
            Form::Step { name, .. } => {
                format!("step {name} {}", self.text(at, &Answers::new()))
            }
            Form::Clause(..) | Form::Insert { .. } => String::new(),
            _ => self.text(at, &Answers::new()),
        }
    }

    fn is_done(&self, carrier: &Carrier<'t>) -> bool {
        let first = carrier.asked.first().and_then(|it| self.asked.get(*it));
        first.is_some_and(|it| it.is_done)
    }

    /// Returns a value that is said in a definition, where nobody is `me`.
    fn said(&self, at: usize, answers: &Answers<'t>) -> String {
        let text = self.text(at, answers);
        match self.carriers.get(at).map(|it| &it.form) {
            Some(Form::New {
                word: "define",
                args,
                ..
            }) if args.iter().any(|it| it == "me") => renamed(&text, "me", "who"),
            _ => text,
        }
    }

    fn new_item(&self, at: usize) -> String {
        let Some(carrier) = self.carriers.get(at) else {
            return String::new();
        };
        let Form::New {
            word,
            name,
            params,
            ty,
            ..
        } = &carrier.form
        else {
            return String::new();
        };
        let params: Vec<String> = params
            .iter()
            .map(|(name, ty)| format!("{name}: {ty}"))
            .collect();
        let head = match (params.is_empty(), ty) {
            (true, Some(_)) => String::new(),
            _ => format!("({})", params.join(", ")),
        };
        let cites = carrier
            .home
            .item
            .tail
            .cites
            .iter()
            .map(|it| self.sources.slice(it.span));
        let cites: Vec<&str> = cites.collect();
        let cite = match cites.as_slice() {
            [] => String::new(),
            _ => format!(" cite {}", cites.join(", ")),
        };
        let text = self.said(at, &Answers::new());
        match ty {
            Some(ty) => format!("\n// name this\n{word} {name}{head}: {ty}{cite} = {text}"),
            None => format!("\n// name this\n{word} {name}{head}{cite} {text}"),
        }
    }

    /// Writes the edits of all readings that differ.
    fn edits(&mut self, at: usize, targets: &mut BTreeMap<Target, Vec<String>>) {
        let Some(carrier) = self.carriers.get(at) else {
            return;
        };
        let mut questions: Vec<&'t str> = Vec::new();
        for asked in carrier.asked.iter().filter_map(|it| self.asked.get(*it)) {
            if !questions.contains(&asked.question) {
                questions.push(asked.question);
            }
        }
        let mut ways: Vec<Answers<'t>> = vec![Answers::new()];
        for question in questions {
            let n_readings = self
                .questions
                .get(question)
                .map_or(0, |it| it.readings.len());
            let default = self.default_of(question);
            let mut more = ways.clone();
            for reading in (0..n_readings).filter(|it| *it != default) {
                more.extend(ways.iter().map(|it| {
                    let mut way = it.clone();
                    way.insert(question, reading);
                    way
                }));
            }
            ways = more;
            if ways.len() > MOST_WAYS {
                self.left.push(carrier.span);
                return;
            }
        }
        ways.sort_by_key(Answers::len);
        let usual = self.said(at, &Answers::new());
        let mut written: Vec<(Answers<'t>, String)> = Vec::new();
        let mut comments = self.comments(at);
        for way in ways.into_iter().skip(1) {
            let text = self.said(at, &way);
            let below: Vec<&(Answers<'t>, String)> = written
                .iter()
                .filter(|(other, _)| other.iter().all(|(q, r)| way.get(q) == Some(r)))
                .collect();
            let is_said = match below.as_slice() {
                [] => text == usual,
                [(_, other)] => text == *other,
                _ => false,
            };
            if is_said {
                continue;
            }
            if let Some(edit) = self.edit(at, &text) {
                let edit = std::mem::take(&mut comments) + &edit;
                targets.entry(self.target(at, &way)).or_default().push(edit);
            }
            written.push((way, text));
        }
    }

    /// Returns the comments that stand between the cases.
    fn comments(&self, at: usize) -> String {
        let Some(carrier) = self.carriers.get(at) else {
            return String::new();
        };
        let asked = carrier.asked.iter().filter_map(|it| self.asked.get(*it));
        let asked: Vec<&Asked<'t>> = asked.collect();
        let all = self.trees.iter().flat_map(|it| &it.comments);
        let lost = all.filter(|comment| {
            let between = |it: &Asked<'t>| {
                let mut cases = it.cases.iter().filter_map(|it| it.1.span());
                it.span.holds(comment.span) && !cases.any(|it| it.holds(comment.span))
            };
            asked.iter().any(|it| between(it))
        });
        lost.map(|it| format!("//{}\n        ", it.text)).collect()
    }

    fn target(&self, at: usize, way: &Answers<'t>) -> Target {
        let Some(carrier) = self.carriers.get(at) else {
            return Target::Resolve(FileId(0), Vec::new());
        };
        let home = &carrier.home;
        let is_own = |question: &&str| {
            self.questions
                .get(*question)
                .is_some_and(|it| it.tree == home.tree)
        };
        if let (Some((question, reading)), 1, true) =
            (way.iter().next(), way.len(), home.units.is_empty())
            && is_own(question)
        {
            return Target::Block((*question).to_owned(), *reading);
        }
        let mut units = home.units.clone();
        if units.is_empty() && !way.keys().all(is_own) {
            let header = self.trees.get(home.tree).and_then(|it| it.header.as_ref());
            units.extend(header.map(|it| it.name.text.clone()));
        }
        for (question, reading) in way {
            let readings = self.questions.get(question).map(|it| &it.readings);
            if let Some(reading) = readings.and_then(|it| it.get(*reading)) {
                units.push(format!("{question} = {}", reading.name));
            }
        }
        units.dedup();
        Target::Resolve(carrier.span.file, units)
    }

    fn edit(&self, at: usize, text: &str) -> Option<String> {
        let carrier = self.carriers.get(at)?;
        let quoted = |it: Option<Span>| it.map(|it| self.sources.slice(it));
        let is_empty = text.trim_matches(['{', '}', ' ', '\n']).is_empty();
        Some(match &carrier.form {
            Form::Value { path, refusal } => {
                if refusal.is_some_and(|it| it.clause.is_some()) && text == "true" {
                    return Some(format!("remove {path}"));
                }
                let message = quoted(refusal.and_then(|it| it.message).map(|it| it.span));
                match message {
                    Some(message) => format!("replace {path} = {text} else {message}"),
                    None => format!("replace {path} = {text}"),
                }
            }
            Form::Clause(action, clause) => {
                let names = action.params.iter().flat_map(|it| &it.names);
                let names: Vec<&str> = names.map(|it| it.as_str()).collect();
                let formals = match names.as_slice() {
                    [] => String::new(),
                    _ => format!("({})", names.join(", ")),
                };
                let when = match text {
                    "false" => String::new(),
                    _ => format!(" when not ({text})"),
                };
                let because = quoted(clause.message.as_ref().map(|it| it.span));
                let because = because.map_or_else(String::new, |it| format!(" because {it}"));
                format!(
                    "forbid {}{formals} label {}{when}{because}",
                    action.name, clause.label
                )
            }
            Form::Step { path, .. } if is_empty => format!("remove {path}"),
            Form::Body { path } | Form::Step { path, .. } => format!("replace {path} {text}"),
            Form::Item => format!("replace {text}"),
            Form::Insert { path, side } => {
                if is_empty {
                    return None;
                }
                let side = match side {
                    Side::Before => "before",
                    Side::After => "after",
                };
                format!("insert {side} {path} {text}")
            }
            Form::New {
                name, ty: Some(_), ..
            } => format!("replace {name} = {text}"),
            Form::New { name, .. } => format!("replace {name} {text}"),
        })
    }
}

/// Returns a text in which a word is another one.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let is_word = |it: Option<char>| it.is_some_and(|it| it.is_alphanumeric() || it == '_');
        let (before, behind) = rest.split_at(at);
        let behind = behind.get(from.len()..).unwrap_or_default();
        let last = before
            .chars()
            .next_back()
            .or_else(|| out.chars().next_back());
        out.push_str(before);
        let inside = is_word(last) || is_word(behind.chars().next());
        out.push_str(if inside { from } else { to });
        rest = behind;
    }
    out.push_str(rest);
    out
}
