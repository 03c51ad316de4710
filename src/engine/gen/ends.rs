//! The greater and the smaller of two, what lies between two numbers, and what is the greatest or least of all.

use std::collections::HashMap;

use super::Shared;
use super::against::{SMALL_BOUND, found};
use super::by_values::hangs_on_more;
use super::decided::decided;
use super::folds::mirrored;
use super::inline::{binds_nothing, rename_in, size_of};
use super::mask::is_local;
use super::structure::same;
use super::unroll::{joined, not};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Expr, ExprKind, LocalId, Node, Over, Type, each_in_expr,
};

impl Shared<'_> {
    /// `max { a, b } > n` is `a > n or b > n`, `max { a, b } <= n` is `a <= n and b <= n`, and so with `min`.
    pub(super) fn of_two(&mut self, op: BinaryOp, extreme: &Expr, bound: &Expr) -> Option<Expr> {
        let (is_max, two) = two_of(extreme)?;
        let op = at_a_bound(op, extreme, bound);
        let both = match (op, is_max) {
            (BinaryOp::Gt | BinaryOp::Ge, true) | (BinaryOp::Lt | BinaryOp::Le, false) => {
                BinaryOp::Or
            }
            (BinaryOp::Gt | BinaryOp::Ge, false) | (BinaryOp::Lt | BinaryOp::Le, true) => {
                BinaryOp::And
            }
            _ => return None,
        };
        is_small(bound).then_some(())?;
        let [one, other] = two.map(|it| {
            let mut asked = joined(op, it.clone(), bound.clone());
            self.fold_less(&mut asked);
            decided(asked)
        });
        Some(decided(joined(both, one, other)))
    }

    /// `e < min { k(x) for x in S } - 1` is `e + 1 < min { k(x) for x in S }`.
    pub(super) fn beside_extreme(
        &mut self,
        op: BinaryOp,
        one: &Expr,
        beside: &Expr,
    ) -> Option<Expr> {
        let (sign, extreme, by) = beside.as_binary()?;
        let (ExprKind::Value(number), Base::Int(lo, hi)) = (&by.kind, one.ty.base) else {
            return None;
        };
        let (back, more) = match sign {
            BinaryOp::Add => (BinaryOp::Sub, number.checked_neg()?),
            BinaryOp::Sub => (BinaryOp::Add, *number),
            _ => return None,
        };
        if one.ty.optional || !matches!(extreme.kind, ExprKind::Aggregate(_)) {
            return None;
        }
        let kind = ExprKind::binary(back, one.clone(), by.clone());
        let moved = decided(Expr {
            kind,
            ty: Type::of(Base::Int(lo.checked_add(more)?, hi.checked_add(more)?)),
            span: one.span,
        });
        self.extreme_against(mirrored(op), extreme, &moved)
            .or_else(|| self.is_extreme(op, &moved, extreme))
    }

    /// Whether a number is `k(q)` of the greatest or least `k(x)` of all `x in S`, `q` being one of them whatever the position.
    fn is_of_member(&mut self, aggregate: &Aggregate, one: &Expr) -> bool {
        let (Some(binder), Some(value)) = (aggregate.only_binder(), &aggregate.value) else {
            return false;
        };
        let is_all = matches!(&binder.over, Over::Set(set) if matches!(set.kind, ExprKind::All(_)));
        let ty = self.local_type(binder.local);
        let mut members = Vec::new();
        each_in_expr(one, &mut |node| {
            if let Node::Expr(it) = node
                && it.ty == ty
                && let Some(local) = it.as_local()
            {
                members.push(local);
            }
        });
        let of = |it: &Expr, local: LocalId| {
            let mut of_it = it.clone();
            rename_in(&mut of_it, &HashMap::from([(binder.local, local)]));
            of_it
        };
        let is_it = |it: &&LocalId| same(&of(value, **it), one);
        let (true, Some(member)) = (is_all && is_small(one), members.iter().find(is_it)) else {
            return false;
        };
        let guard = binder.guard.as_ref().map(|it| of(it, *member));
        guard.is_none_or(|it| self.always(&it))
    }

    /// `e == max { k(x) for x in S }` is `some { x in S where k(x) == e } and no { x in S where k(x) > e }`, where no position
    /// changes `e` and `k`.
    pub(super) fn is_extreme(&mut self, op: BinaryOp, one: &Expr, extreme: &Expr) -> Option<Expr> {
        let aggregate = extreme.as_aggregate()?;
        let better = match aggregate.op {
            AggregateOp::Max => BinaryOp::Gt,
            AggregateOp::Min => BinaryOp::Lt,
            _ => return None,
        };
        let value = aggregate.value.clone()?;
        let of_member = self.is_of_member(aggregate, one);
        let is_fixed = !self.reads_state(&value) && !self.reads_state(one);
        // One number that is worked out once is compared with less than all of which it is the greatest.
        let is_known = matches!(one.kind, ExprKind::Value(_)) && !hangs_on_others(extreme);
        // What stands for nothing at all is none of these numbers.
        let is_apart = aggregate.default.as_ref().is_none_or(|it| {
            matches!((&it.kind, one.ty.base), (ExprKind::Value(it), Base::Int(lo, hi)) if *it < lo || *it > hi)
        });
        if !of_member && (!is_apart || !is_fixed || is_known || !is_small(one)) {
            return None;
        }
        let aggregate = Aggregate {
            default: None,
            ..aggregate.clone()
        };
        if of_member {
            let better = joined(better, value, one.clone());
            let none = Expr::truth(found(aggregate, AggregateOp::No, better)?, extreme.span);
            return match op {
                BinaryOp::Eq => Some(none),
                BinaryOp::Ne => Some(not(none)),
                _ => None,
            };
        }
        let equal = joined(BinaryOp::Eq, value.clone(), one.clone());
        let equal = found(aggregate.clone(), AggregateOp::Some, equal)?;
        let better = joined(better, value, one.clone());
        let better = found(aggregate, AggregateOp::No, better)?;
        let mut none = Expr::truth(better, extreme.span);
        self.rename(&mut none);
        let is = Expr::truth(equal, extreme.span).and(none);
        match op {
            BinaryOp::Eq => Some(is),
            BinaryOp::Ne => Some(not(is)),
            _ => None,
        }
    }
}

/// Whether an expression hangs on variables that are bound around it.
fn hangs_on_others(expr: &Expr) -> bool {
    let mut own = Vec::new();
    each_in_expr(expr, &mut |node| {
        if let Node::Binds(local) = node {
            own.push(local);
        }
    });
    hangs_on_more(expr, &own)
}

fn is_small(bound: &Expr) -> bool {
    !bound.ty.optional && binds_nothing(bound) && size_of(bound) <= SMALL_BOUND
}

/// The two numbers of which an expression is the greater or the smaller one, and whether the greater.
fn two_of(expr: &Expr) -> Option<(bool, [&Expr; 2])> {
    let ExprKind::Let(a, one, inner) = &expr.kind else {
        return None;
    };
    let ExprKind::Let(b, other, choice) = &inner.kind else {
        return None;
    };
    let ExprKind::If(test, then, or) = &choice.kind else {
        return None;
    };
    let ExprKind::Binary(op @ (BinaryOp::Ge | BinaryOp::Le), left, right) = &test.kind else {
        return None;
    };
    let is_it = is_local(left, *a) && is_local(right, *b) && is_local(then, *a) && is_local(or, *b);
    let are_numbers = [one, other]
        .iter()
        .all(|it| matches!(it.ty.base, Base::Int(..)) && !it.ty.optional);
    (is_it && are_numbers).then_some((*op == BinaryOp::Ge, [one, other]))
}

/// `e in a..b` is `e <= b` where `e` is never less than `a`, and `a <= e` where it is never more than `b`.
pub(super) fn within_bounds(expr: &Expr) -> Option<Expr> {
    let ExprKind::Let(local, value, both) = &expr.kind else {
        return None;
    };
    let (low, high) = both.operands_of(BinaryOp::And)?;
    let (from, one) = low.operands_of(BinaryOp::Le)?;
    let (other, to) = high.operands_of(BinaryOp::Le)?;
    let (Base::Int(least, most), true) = (
        value.ty.base,
        is_local(one, *local) && is_local(other, *local),
    ) else {
        return None;
    };
    let above = matches!(from.kind, ExprKind::Value(it) if it <= least);
    let below = matches!(to.kind, ExprKind::Value(it) if it >= most);
    let (left, right) = match (above, below) {
        _ if value.ty.optional => return None,
        (true, _) => (&**value, to),
        (_, true) => (from, &**value),
        _ => return None,
    };
    Some(joined(BinaryOp::Le, left.clone(), right.clone()))
}

/// `e == n` is `e <= n`, where `e` is never less, and so on.
fn at_a_bound(op: BinaryOp, number: &Expr, bound: &Expr) -> BinaryOp {
    let (Base::Int(least, most), Some(bound)) = (number.ty.base, bound.as_value()) else {
        return op;
    };
    match op {
        BinaryOp::Eq if bound == least => BinaryOp::Le,
        BinaryOp::Ne if bound == least => BinaryOp::Gt,
        BinaryOp::Eq if bound == most => BinaryOp::Ge,
        BinaryOp::Ne if bound == most => BinaryOp::Lt,
        op => op,
    }
}
