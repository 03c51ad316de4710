use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::index::Index;
use crate::lint::{Context, Lint, words};
use crate::syntax::ast::{
    Arm, ArmHead, BinaryOp, Expr, ExprKind, ItemKind, Name, Reading, Setting, SettingValues,
    StatementKind,
};

pub(super) const LINT: Lint = Lint {
    code: codes::INDISTINCT_READINGS,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let asked = asked(context);
    for (_, item, name) in context.index.declarations() {
        let ItemKind::Setting(setting) = &item.kind else {
            continue;
        };
        let SettingValues::Readings(readings) = &setting.values else {
            continue;
        };
        // A question that nobody asks is a finding of its own.
        let Some(asked) = asked.get(name.as_str()).filter(|it| it.n_uses > 0) else {
            continue;
        };
        if asked.n_understood < asked.n_uses {
            continue;
        }
        // Whether edits come to the same is not looked at.
        if setting.all_edits().next().is_some() {
            continue;
        }
        for same in alike(readings, asked) {
            found.push(report(setting, &same));
        }
    }
}

fn report(setting: &Setting, same: &[&Reading]) -> Diagnostic {
    let names = words::listed(same.iter().map(|it| it.name.as_str()));
    let message = format!(
        "the readings {names} of `{}` lead to the same everywhere",
        setting.name
    );
    let mut finding = Diagnostic::new(codes::INDISTINCT_READINGS, message);
    for reading in same {
        finding = finding.label(reading.name.span, "");
    }
    finding.help("let a rule tell them apart with `by`, or keep one of them")
}

/// How the rules ask a question.
#[derive(Default)]
struct Asked<'a> {
    /// The cases of each `by`: the readings of an arm, and a number that is equal for equal bodies.
    cases: Vec<Vec<(&'a ArmHead, usize)>>,
    /// The readings that are compared with.
    compared: Vec<&'a Name>,
    n_uses: usize,
    n_understood: usize,
}

/// Returns how the rules ask each name that is asked at all.
fn asked<'a>(context: &Context<'a>) -> HashMap<&'a str, Asked<'a>> {
    let index = &context.index;
    let in_rules = |item: usize| !index.in_ruling(item);
    let mut all: HashMap<&str, Asked> = HashMap::new();
    for it in index.uses.iter().filter(|it| in_rules(it.item)) {
        all.entry(it.name.as_str()).or_default().n_uses += 1;
    }
    for seen in index.exprs.iter().filter(|seen| in_rules(seen.item)) {
        match &seen.expr.kind {
            ExprKind::By { subject, arms } => {
                if let Some(name) = setting(subject, index) {
                    all.entry(name).or_default().by(arms);
                }
            }
            ExprKind::Binary {
                op: BinaryOp::Equal | BinaryOp::NotEqual,
                left,
                right,
                ..
            } => {
                let (name, reading) = match (setting(left, index), setting(right, index)) {
                    (Some(name), None) => (name, right),
                    (None, Some(name)) => (name, left),
                    _ => continue,
                };
                if let ExprKind::Name(word) | ExprKind::Field { field: word, .. } = &reading.kind {
                    let asked = all.entry(name).or_default();
                    asked.compared.push(word);
                    asked.n_understood += 1;
                }
            }
            _ => {}
        }
    }
    for done in index.statements.iter().filter(|done| in_rules(done.item)) {
        if let StatementKind::By { subject, arms } = &done.statement.kind
            && let Some(name) = setting(subject, index)
        {
            all.entry(name).or_default().by(arms);
        }
    }
    all
}

/// Returns the option or question that an expression is.
fn setting<'a>(expr: &'a Expr, index: &Index<'_>) -> Option<&'a str> {
    let ExprKind::Name(name) = &expr.kind else {
        return None;
    };
    let declared = index.declared(name.as_str())?;
    let is_setting = matches!(declared.kind, ItemKind::Setting(_)) && !index.is_local(expr);
    is_setting.then_some(name.as_str())
}

impl<'a> Asked<'a> {
    fn by<T: PartialEq>(&mut self, arms: &'a [Arm<T>]) {
        let first_equal = |arm: &Arm<T>| arms.iter().position(|it| it.body == arm.body);
        let cases = arms
            .iter()
            .map(|arm| (&arm.head, first_equal(arm).unwrap_or(0)));
        self.cases.push(cases.collect());
        self.n_understood += 1;
    }

    fn tells_apart(&self, one: &Name, other: &Name) -> bool {
        let compared = |name: &Name| self.compared.contains(&name);
        compared(one)
            || compared(other)
            || self.cases.iter().any(|by| case(by, one) != case(by, other))
    }
}

/// Returns the case of a `by` that a reading falls into.
fn case(by: &[(&ArmHead, usize)], reading: &Name) -> Option<usize> {
    let named = by.iter().find(|(head, _)| match head {
        ArmHead::Names(names) => names.contains(reading),
        ArmHead::Numbers(_) | ArmHead::Else => false,
    });
    let otherwise = || by.iter().find(|(head, _)| matches!(head, ArmHead::Else));
    named.or_else(otherwise).map(|(_, body)| *body)
}

/// Returns the groups of readings that nothing tells apart.
fn alike<'r>(readings: &'r [Reading], asked: &Asked<'_>) -> Vec<Vec<&'r Reading>> {
    let mut groups: Vec<Vec<&Reading>> = Vec::new();
    for reading in readings {
        let same = |group: &&mut Vec<&Reading>| {
            let first = group.first();
            first.is_some_and(|first| !asked.tells_apart(&first.name, &reading.name))
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(reading),
            None => groups.push(vec![reading]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}
