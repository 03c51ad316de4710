//! What can be seen of statements before they are checked.

use rustc_hash::FxHashSet as HashSet;

use crate::syntax::ast::{self, StatementKind};

/// Whether nothing behind a statement can be reached.
pub(super) fn leaves(kind: &StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::Return(_)
            | StatementKind::End(_)
            | StatementKind::Next
            | StatementKind::Again
    )
}

/// Whether a statement is only left by leaving what is around it.
pub(super) fn never_ends(kind: &StatementKind) -> bool {
    match kind {
        StatementKind::Turns {
            once, condition, ..
        } => !once && condition.is_none(),
        StatementKind::Repeat { times, .. } => matches!(times, ast::Times::Forever),
        StatementKind::Step { body, .. } => {
            let last = body.statements.last();
            last.is_some_and(|it| never_ends(&it.kind))
        }
        _ => false,
    }
}

/// Whether what stands behind a block may be reached.
pub(in crate::check) fn goes_on(block: &ast::Block) -> bool {
    let Some(last) = block.statements.last() else {
        return true;
    };
    match &last.kind {
        StatementKind::If {
            branches,
            otherwise: Some(otherwise),
        } => branches.iter().any(|it| goes_on(&it.body)) || goes_on(otherwise),
        kind => !leaves(kind) && !never_ends(kind),
    }
}

/// The address of what each turn is, below what a statement that never ends stands in.
pub(super) fn endless_turn(kind: &StatementKind) -> Option<String> {
    match kind {
        StatementKind::Turns { .. } => Some("turn".to_owned()),
        StatementKind::Step { name, body, .. } => {
            let last = body.statements.last()?;
            Some(format!("{name}.{}", endless_turn(&last.kind)?))
        }
        _ => None,
    }
}

/// Finds the names that statements of a block assign to.
pub(super) fn assigned_in<'b>(block: &'b ast::Block, found: &mut HashSet<&'b str>) {
    for statement in &block.statements {
        match &statement.kind {
            StatementKind::Assign { target, .. } => {
                if let ast::ExprKind::Name(name) = &target.kind {
                    found.insert(&name.text);
                }
            }
            StatementKind::If {
                branches,
                otherwise,
            } => {
                let bodies = branches.iter().map(|it| &it.body);
                bodies
                    .chain(otherwise)
                    .for_each(|it| assigned_in(it, found));
            }
            StatementKind::By { arms, .. } => {
                arms.iter().for_each(|it| assigned_in(&it.body, found));
            }
            StatementKind::While { body, .. }
            | StatementKind::Repeat { body, .. }
            | StatementKind::ForEach { body, .. }
            | StatementKind::Step { body, .. }
            | StatementKind::Turns { body, .. } => assigned_in(body, found),
            StatementKind::Choose(choose) => {
                match &choose.among {
                    ast::Among::Alternatives(alternatives) => assigned_by(alternatives, found),
                    ast::Among::Members { body, .. } => {
                        body.iter().for_each(|it| assigned_in(it, found));
                    }
                }
                choose
                    .otherwise
                    .iter()
                    .for_each(|it| assigned_in(it, found));
            }
            StatementKind::Window { slots, .. } => {
                for slot in slots {
                    assigned_by(&slot.alternatives, found);
                }
            }
            _ => {}
        }
    }
}

fn assigned_by<'b>(alternatives: &'b [ast::Alternative], found: &mut HashSet<&'b str>) {
    let bodies = alternatives.iter().filter_map(|it| it.body.as_ref());
    bodies.for_each(|it| assigned_in(it, found));
}
