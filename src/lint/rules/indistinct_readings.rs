use crate::diagnostic::{Diagnostic, codes};
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
    for (_, item, _) in context.index.declarations() {
        let ItemKind::Setting(setting) = &item.kind else {
            continue;
        };
        let SettingValues::Readings(readings) = &setting.values else {
            continue;
        };
        let asked = Asked::of(setting, context);
        // A question that nobody asks is a finding of its own.
        if asked.n_uses == 0 || asked.n_understood < asked.n_uses {
            continue;
        }
        for same in alike(readings, &asked) {
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

impl<'a> Asked<'a> {
    fn of(setting: &Setting, context: &Context<'a>) -> Asked<'a> {
        let index = &context.index;
        let is_it =
            |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if *name == setting.name);
        let mut asked = Asked::default();
        let in_rules = |item: usize| !index.in_ruling(item);
        let uses = index.uses.iter().filter(|it| *it.name == setting.name);
        asked.n_uses = uses.filter(|it| in_rules(it.item)).count();
        for seen in index.exprs.iter().filter(|seen| in_rules(seen.item)) {
            match &seen.expr.kind {
                ExprKind::By { subject, arms } if is_it(subject) => asked.by(arms),
                ExprKind::Binary {
                    op: BinaryOp::Equal | BinaryOp::NotEqual,
                    left,
                    right,
                    ..
                } => {
                    let other = match (is_it(left), is_it(right)) {
                        (true, false) => right,
                        (false, true) => left,
                        _ => continue,
                    };
                    if let ExprKind::Name(reading) | ExprKind::Field { field: reading, .. } =
                        &other.kind
                    {
                        asked.compared.push(reading);
                        asked.n_understood += 1;
                    }
                }
                _ => {}
            }
        }
        for done in index.statements.iter().filter(|done| in_rules(done.item)) {
            if let StatementKind::By { subject, arms } = &done.statement.kind
                && is_it(subject)
            {
                asked.by(arms);
            }
        }
        asked
    }

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
        ArmHead::Else => false,
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
