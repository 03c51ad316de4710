//! Rules in which each question is answered, to learn what kind of value stands where.

use std::collections::{BTreeMap, HashMap};

use super::asked::{Asked, Case, Question};
use crate::check;
use crate::compose::compose;
use crate::source::Span;
use crate::syntax::ast::{
    Block, Branch, Changer, Expr, ExprKind, File, Role, Statement, StatementKind, Tree,
};

/// A place in a text.
pub(super) type Place = (u16, u32, u32);

pub(super) fn place(span: Span) -> Place {
    (span.file.0, span.start, span.end)
}

/// How questions are answered; the default of those that are not named.
type Answers<'t> = BTreeMap<&'t str, usize>;

/// Returns the kinds of the names that are bound and of the values that stand under some reading, as
/// they are written.
pub(super) fn types(
    trees: &[File],
    questions: &BTreeMap<&str, Question<'_>>,
    asked: &[Asked<'_>],
) -> HashMap<Place, String> {
    let mut wanted: Vec<(Answers<'_>, Vec<(String, String)>)> = vec![(Answers::new(), Vec::new())];
    for it in asked {
        for (readings, _) in &it.cases {
            let Some(reading) = readings.first() else {
                continue;
            };
            let mut answers = Answers::from([(it.question, *reading)]);
            let mut around = it.inside;
            while let Some((at, case)) = around {
                let Some(it) = asked.get(at) else { break };
                let reading = it.cases.get(case).and_then(|it| it.0.first());
                answers.insert(it.question, reading.copied().unwrap_or(0));
                around = it.inside;
            }
            join(&mut wanted, answers, &it.home.chosen, questions);
        }
    }
    let mut types = HashMap::new();
    for (answers, chosen) in wanted {
        let mut folded = trees.to_vec();
        let mut fold = Fold {
            asked: asked.iter().map(|it| (place(it.span), it)).collect(),
            questions,
            answers: &answers,
        };
        for item in folded.iter_mut().flat_map(|it| &mut it.items) {
            fold.item(std::sync::Arc::make_mut(item), Role::Plain);
        }
        let Some((base, amendments)) = folded.split_first() else {
            continue;
        };
        let amendments: Vec<&File> = amendments.iter().collect();
        if let Some(composed) = compose(base, &amendments, &chosen).0 {
            let known = check::types(&composed, &chosen, None);
            types.extend(known.into_iter().map(|(span, ty)| (place(span), ty)));
        }
    }
    types
}

/// Adds answers to the first list that they go with.
fn join<'t>(
    wanted: &mut Vec<(Answers<'t>, Vec<(String, String)>)>,
    answers: Answers<'t>,
    chosen: &[(String, String)],
    questions: &BTreeMap<&str, Question<'_>>,
) {
    let default = |name: &str| questions.get(name).map_or(0, |it| it.default);
    let fits = |known: &(Answers<'t>, Vec<(String, String)>)| {
        let same =
            |(name, reading): (&&str, &usize)| known.0.get(*name).is_none_or(|it| it == reading);
        let goes = |(name, value): &(String, String)| {
            known
                .1
                .iter()
                .all(|(other, it)| other != name || it == value)
        };
        answers.iter().all(same) && chosen.iter().all(goes)
    };
    let usual = answers.iter().all(|(name, it)| default(name) == *it);
    if usual && chosen.is_empty() {
        return;
    }
    // The first is the default alone.
    match wanted.iter_mut().skip(1).find(|it| fits(it)) {
        Some(known) => {
            known.0.extend(answers);
            known.1.extend(chosen.iter().cloned());
            known.1.dedup();
        }
        None => wanted.push((answers, chosen.to_vec())),
    }
}

struct Fold<'t, 'f> {
    asked: HashMap<Place, &'f Asked<'t>>,
    questions: &'f BTreeMap<&'t str, Question<'t>>,
    answers: &'f Answers<'f>,
}

impl<'t> Fold<'t, '_> {
    fn case(&self, span: Span) -> Option<Case<'t>> {
        let asked = self.asked.get(&place(span))?;
        let default = self.questions.get(asked.question)?.default;
        let reading = self.answers.get(asked.question).copied().unwrap_or(default);
        let mut cases = asked.cases.iter();
        cases.find(|it| it.0.contains(&reading)).map(|it| it.1)
    }
}

impl Changer for Fold<'_, '_> {
    fn expr(&mut self, expr: &mut Expr, _role: Role) {
        match self.case(expr.span) {
            Some(Case::Value(value)) => {
                *expr = value.clone();
                return self.expr(expr, Role::Plain);
            }
            Some(Case::Truth(truth)) => expr.kind = ExprKind::Bool(truth),
            _ => {}
        }
        expr.kind.walk_mut(self, Role::Plain);
    }

    fn statement(&mut self, statement: &mut Statement) {
        if let Some(Case::Body(body)) = self.case(statement.span) {
            let condition = Expr {
                kind: ExprKind::Bool(true),
                parenthesised: false,
                span: Span::default(),
            };
            let body: Block = body.clone();
            statement.kind = StatementKind::If {
                branches: vec![Branch { condition, body }],
                otherwise: None,
            };
        }
        statement.kind.walk_mut(self, Role::Plain);
    }
}
