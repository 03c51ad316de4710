//! What a member of a set is known to equal: `board[q] == Man(s)` for each `q` of the men of `s`.

use std::collections::HashMap;

use super::Shared;
use super::decided::decided;
use super::inline::{mentions, substitute};
use super::mask::conjuncts;
use super::structure::same;
use crate::model::{
    Aggregate, AggregateOp, BinaryOp, Expr, ExprKind, LocalId, NodeMut, Over, Param, Type, UnaryOp,
    change,
};

/// Something that is worked out, and the plain value that it is known to have.
struct Equal {
    is: Expr,
    value: Expr,
}

impl Shared<'_> {
    /// Writes what a variable is known to equal where what follows in a comprehension asks for it.
    pub(super) fn use_equal(&self, aggregate: &mut Aggregate) {
        let mut known = Vec::new();
        for binder in &mut aggregate.binders {
            if let Over::Set(set) = &mut binder.over {
                put(&known, set);
                self.of_member(binder.local, set, &mut known);
            }
            if let Some(guard) = &mut binder.guard {
                put_in_order(&mut known, guard);
            }
        }
        aggregate.value.iter_mut().for_each(|it| put(&known, it));
    }

    /// The same for conditions of which each is asked where those before it hold.
    pub(super) fn use_equal_parts(&self, parts: &mut [Expr]) {
        let mut known = Vec::new();
        parts.iter_mut().for_each(|it| put_in_order(&mut known, it));
    }

    /// The same for the parameters of an action and what is required of them: of each condition it is said which are bound by then.
    pub(super) fn use_equal_params(
        &self,
        params: &mut [Param],
        conds: &mut [Expr],
        bound: &[Vec<usize>],
    ) {
        if self.is_plain() {
            return;
        }
        let (mut known, mut ends) = (Vec::new(), Vec::new());
        for param in params {
            let from = known.len();
            if let Over::Set(set) = &mut param.over {
                put(&known, set);
                self.of_member(param.local, set, &mut known);
            }
            ends.push(from..known.len());
        }
        for (cond, bound) in conds.iter_mut().zip(bound) {
            let ends = bound.iter().filter_map(|it| ends.get(*it)?.clone().into());
            for known in ends.filter_map(|it| known.get(it)) {
                put(known, cond);
            }
        }
    }

    /// `reach { q in S where f(q) == k } via q -> { t in T(q) where f(t) == f(q) }` leads to `{ t in T(q) where f(t) == k }`: what
    /// equals something at the start and behind each step does so wherever a step begins.
    pub(super) fn use_equal_reached(&mut self, expr: &mut Expr) {
        let ExprKind::Reach { start, var, step } = &expr.kind else {
            return;
        };
        let (mut known, var) = (Vec::new(), *var);
        self.of_member(var, start, &mut known);
        known.retain(|it| mentions(&it.is, &[var]) && !mentions(&it.value, &[var]));
        let t = self.fresh_local(var);
        let by = HashMap::from([(var, self.local(t, step.span))]);
        while !known.is_empty() {
            let mut then = (**step).clone();
            put(&known, &mut then);
            if same(&then, step) {
                return;
            }
            settle(&mut then);
            self.expand(&mut then);
            let mut kept = Vec::new();
            self.of_member(t, &then, &mut kept);
            let before = known.len();
            known.retain(|it| {
                let mut there = it.is.clone();
                substitute(&mut there, &by);
                let is_it = |kept: &Equal| same(&kept.is, &there) && same(&kept.value, &it.value);
                kept.iter().any(is_it)
            });
            if known.len() == before {
                let less = expr.with_kind(ExprKind::Reach {
                    start: start.clone(),
                    var,
                    step: Box::new(then),
                });
                if self.surely(expr) && self.surely(&less) {
                    *expr = less;
                }
                return;
            }
        }
    }

    /// What follows from being in a set.
    fn of_member(&self, local: LocalId, set: &Expr, known: &mut Vec<Equal>) {
        match &set.kind {
            ExprKind::Binary(BinaryOp::Minus, left, _) => self.of_member(local, left, known),
            ExprKind::Aggregate(aggregate) => {
                let [binder] = aggregate.binders.as_slice() else {
                    return;
                };
                if aggregate.op != AggregateOp::Collect || aggregate.value.is_some() {
                    return;
                }
                if let Over::Set(set) = &binder.over {
                    self.of_member(local, set, known);
                }
                let Some(guard) = &binder.guard else { return };
                let one = self.local(local, set.span);
                let mut guard = guard.clone();
                substitute(&mut guard, &HashMap::from([(binder.local, one)]));
                equal_by(&guard, known);
            }
            _ => {}
        }
    }
}

/// Writes what is known into each part of a condition, by the parts before it too.
fn put_in_order(known: &mut Vec<Equal>, cond: &mut Expr) {
    if let ExprKind::Binary(BinaryOp::And, left, right) = &mut cond.kind {
        put_in_order(known, left);
        put_in_order(known, right);
    } else {
        put(known, cond);
        equal_by(cond, known);
    }
}

/// The equalities that a condition says.
fn equal_by(cond: &Expr, known: &mut Vec<Equal>) {
    let mut parts = Vec::new();
    conjuncts(cond, &mut parts);
    for part in parts {
        let ExprKind::Binary(BinaryOp::Eq, left, right) = &part.kind else {
            continue;
        };
        for (is, value) in [(left, right), (right, left)] {
            if is_plain(value) && !is_plain(is) && !value.ty.optional {
                known.push(Equal {
                    is: (**is).clone(),
                    value: (**value).clone(),
                });
            }
        }
    }
}

/// Works out what follows from parts that are known.
fn settle(expr: &mut Expr) {
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            settle(part);
        }
    });
    let known = match &expr.kind {
        ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right)
            if is_plain(left) && same(left, right) =>
        {
            Some(*op == BinaryOp::Eq)
        }
        ExprKind::Unary(UnaryOp::Not, part) => part.as_value().map(|it| it == 0),
        _ => None,
    };
    *expr = match known {
        Some(holds) => expr.with_kind(ExprKind::Value(i64::from(holds))),
        None => decided(expr.clone()),
    };
}

/// Whether nothing has to be looked up for it.
fn is_plain(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Local(_) | ExprKind::Value(_) | ExprKind::Setting(_) => !expr.ty.optional,
        ExprKind::Make(_, args) => !expr.ty.optional && args.iter().all(is_plain),
        ExprKind::Binary(BinaryOp::CycleAdd | BinaryOp::CycleSub, one, by) => {
            is_plain(one) && is_plain(by)
        }
        _ => false,
    }
}

fn is_made(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Make(..))
}

fn put(known: &[Equal], expr: &mut Expr) {
    if known.is_empty() {
        return;
    }
    // There the table is another one.
    if matches!(expr.kind, ExprKind::After(..) | ExprKind::Can(..)) {
        return;
    }
    let kind = std::mem::discriminant(&expr.kind);
    let mut equal = known
        .iter()
        .filter(|it| std::mem::discriminant(&it.is.kind) == kind);
    if let Some(equal) = equal.find(|it| same(&it.is, expr)) {
        let span = expr.span;
        *expr = equal.value.clone();
        expr.span = span;
        return;
    }
    if let ExprKind::Filled(place) = &expr.kind {
        let is_there = known.iter().any(|it| {
            matches!(&it.is.kind, ExprKind::Component(of) if of.zone == place.zone
                && of.index.len() == place.index.len()
                && of.index.iter().zip(&place.index).all(|(one, other)| same(one, other)))
        });
        if is_there {
            expr.kind = ExprKind::Value(1);
            expr.ty = Type::BOOL;
            return;
        }
    }
    let was_made = matches!(&expr.kind, ExprKind::Field(base, _) if is_made(base));
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            put(known, part);
        }
    });
    // Only what is known to be made can be made.
    if let ExprKind::Field(base, field) = &expr.kind
        && !was_made
        && is_plain(base)
        && let ExprKind::Make(_, args) = &base.kind
        && let Some(arg) = args.get(*field)
    {
        let span = expr.span;
        *expr = arg.clone();
        expr.span = span;
    }
}
