//! Conditions on several variables, shared out so that each is asked as soon as the variables are known that it speaks of.

use super::Shared;
use super::arms::chain;
use super::decided::decided;
use super::inline::mentions;
use super::mask::conjuncts;
use super::unroll::{cases_of, joined, not};
use crate::model::{BinaryOp, Expr, ExprKind, LocalId, UnaryOp};

impl Shared<'_> {
    /// `A or P(n) and Q(r)` is `(A or P(n)) and (A or Q(r))`, and so with `if`, `by` and `not`, where nothing faults.
    pub(super) fn share_out(&mut self, cond: &mut Expr, variables: &[LocalId]) {
        if let Some(shared) = shared_out(cond, variables)
            && self.surely(cond)
            && self.surely(&shared)
        {
            *cond = shared;
        }
    }
}

/// The parts, if some of them speak of fewer variables than the whole.
fn shared_out(cond: &Expr, variables: &[LocalId]) -> Option<Expr> {
    let said = |op, one: Expr, other: Expr| match (op, &other.kind) {
        (BinaryOp::Or, ExprKind::Value(1)) | (BinaryOp::And, ExprKind::Value(0)) => other,
        _ => decided(joined(op, one, other)),
    };
    match &cond.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            let parts = [left, right].map(|it| (shared_out(it, variables), it));
            if parts.iter().all(|it| it.0.is_none()) {
                return None;
            }
            let [left, right] = parts.map(|(shared, it)| shared.unwrap_or_else(|| (**it).clone()));
            Some(left.and(right))
        }
        ExprKind::If(which, then, or) => {
            let which = (**which).clone();
            let then = said(BinaryOp::Or, not(which.clone()), (**then).clone());
            let or = said(BinaryOp::Or, which, (**or).clone());
            let both = said(BinaryOp::And, then, or);
            let is_less = |it: &Expr| speaks_of(it, variables) != speaks_of(cond, variables);
            let mut parts = Vec::new();
            conjuncts(&both, &mut parts);
            let parts_are = parts.len() > 1 && parts.into_iter().any(is_less);
            shared_out(&both, variables).or_else(|| parts_are.then_some(both))
        }
        ExprKind::Match(subject, arms, other) if !subject.ty.optional => {
            let chosen = chain(subject, arms, other.as_deref(), cond)?;
            shared_out(&chosen, variables)
        }
        ExprKind::Unary(UnaryOp::Not, part) => {
            let denied = not((**part).clone());
            match denied.kind {
                ExprKind::Unary(..) => None,
                _ => shared_out(&denied, variables),
            }
        }
        ExprKind::Binary(BinaryOp::Or, ..) => {
            let mut cases = Vec::new();
            cases_of(cond, &mut cases);
            let (at, parts) = cases.iter().enumerate().find_map(|(at, it)| {
                let mut parts = Vec::new();
                conjuncts(it, &mut parts);
                (parts.len() > 1).then_some((at, parts))
            })?;
            // What is asked again costs no more only if it is the same for all.
            let mut others = cases.iter().enumerate().filter(|(it, _)| *it != at);
            if others.any(|(_, it)| !speaks_of(it, variables).is_empty()) {
                return None;
            }
            // Those that speak of the same stay together.
            let mut groups: Vec<(Vec<LocalId>, Expr)> = Vec::new();
            for part in parts {
                let of = speaks_of(part, variables);
                match groups.iter_mut().find(|it| it.0 == of) {
                    Some((_, before)) => *before = before.clone().and(part.clone()),
                    None => groups.push((of, part.clone())),
                }
            }
            let whole = speaks_of(cond, variables);
            let shared: Vec<Expr> = groups
                .into_iter()
                .filter_map(|(_, group)| {
                    let all = cases.iter().enumerate();
                    let all = all.map(|(of, it)| {
                        if of == at {
                            group.clone()
                        } else {
                            (*it).clone()
                        }
                    });
                    all.reduce(|one, other| said(BinaryOp::Or, one, other))
                })
                .collect();
            let is_less = |it: &Expr| speaks_of(it, variables).len() < whole.len();
            if shared.len() < 2 || !shared.iter().any(is_less) {
                return None;
            }
            let shared = shared
                .into_iter()
                .map(|it| shared_out(&it, variables).unwrap_or(it));
            shared.reduce(Expr::and)
        }
        _ => None,
    }
}

/// The variables that an expression speaks of.
fn speaks_of(expr: &Expr, variables: &[LocalId]) -> Vec<LocalId> {
    let of = variables.iter().filter(|it| mentions(expr, &[**it]));
    of.copied().collect()
}
