//! Conditions that are one of several, as sets: `if`, `by`, and questions for a few values.

use super::Gen;
use super::inline::{SMALL_LOOKUP, binds_nothing, mentions, size_of};
use super::mask::{Plan, is_local};
use super::unroll::{joined, not};
use crate::model::{
    Aggregate, AggregateOp, BinaryOp, DomainId, Expr, ExprKind, LocalId, NONE, NodeMut, Type,
    change,
};

impl Gen<'_, '_> {
    /// `if P then Q else R`.
    pub(super) fn choice_plan(
        &mut self,
        [which, then, other]: [&Expr; 3],
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        let chosen = self.plan(which, x, domain)?;
        // What is not asked may fault.
        let sorts = mentions(which, &[x]) && !self.shared.reads_state(which);
        let mut arm = |part: &Expr, holds| {
            if !sorts {
                return self.plan(part, x, domain);
            }
            let part = only_where(part, which, holds, x);
            let plan = self.plan(&part, x, domain)?;
            Some(Plan::Any(vec![(part, plan)]))
        };
        let (then, other) = (arm(then, true)?, arm(other, false)?);
        Some(Plan::Choice(Box::new([chosen, then, other])))
    }

    /// `(if P then a else b) < n` is `if P then a < n else b < n`, and `P != Q` is `if P then not Q else Q`.
    pub(super) fn case_by_case(
        &mut self,
        cond: &Expr,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        let (op, left, right) = cond.as_binary()?;
        if let (BinaryOp::Eq | BinaryOp::Ne, Type::BOOL, Type::BOOL) = (op, left.ty, right.ty) {
            let [then, other] = match op {
                BinaryOp::Eq => [right.clone(), not(right.clone())],
                _ => [not(right.clone()), right.clone()],
            };
            let said = cond.with_kind(ExprKind::choice(left.clone(), then, other));
            let plan = self.plan(&said, x, domain)?;
            return Some(Plan::Any(vec![(said, plan)]));
        }
        let is_compared = op.needs_both() || matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        let is_small = |it: &Expr| binds_nothing(it) && size_of(it) <= SMALL_LOOKUP;
        let (which, then, other, is_left) = match (&left.kind, &right.kind) {
            (ExprKind::If(which, then, other), _) if mentions(which, &[x]) && is_small(right) => {
                (which, then, other, true)
            }
            (_, ExprKind::If(which, then, other)) if mentions(which, &[x]) && is_small(left) => {
                (which, then, other, false)
            }
            _ => return None,
        };
        let asked = |it: &Expr| match is_left {
            true => joined(op, it.clone(), right.clone()),
            false => joined(op, left.clone(), it.clone()),
        };
        let (then, other) = (asked(then), asked(other));
        let said = cond.with_kind(ExprKind::choice((**which).clone(), then, other));
        let plan = self.plan(&said, x, domain).filter(|_| is_compared)?;
        Some(Plan::Any(vec![(said, plan)]))
    }

    /// A question for a few values, asked for each of them.
    pub(super) fn any_plan(
        &mut self,
        aggregate: &Aggregate,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        let asked = self.shared.for_each_value(aggregate)?;
        let plan = |part: Expr| {
            let plan = self.plan(&part, x, domain)?;
            Some((part, plan))
        };
        let parts: Option<Vec<_>> = asked.into_iter().map(plan).collect();
        let any = Plan::Any(parts?);
        Some(match aggregate.op {
            AggregateOp::Some => any,
            _ => Plan::Not(Box::new(any)),
        })
    }
}

/// `by k { a => P  else => Q }` as `if k == a then P else Q`; the last of all arms needs no question.
pub(super) fn chain(
    subject: &Expr,
    arms: &[(Vec<i64>, Expr)],
    other: Option<&Expr>,
    whole: &Expr,
) -> Option<Expr> {
    let (mut rest, arms) = match (other, arms.split_last()) {
        (Some(other), _) => (other.clone(), arms),
        (None, Some(((_, last), arms))) => (last.clone(), arms),
        (None, None) => return None,
    };
    for (values, arm) in arms.iter().rev() {
        let one = |value: &i64| {
            let value = Expr {
                kind: ExprKind::Value(*value),
                ty: Type::of(subject.ty.base),
                span: subject.span,
            };
            joined(BinaryOp::Eq, subject.clone(), value)
        };
        let is = values.iter().map(one);
        let is = is.reduce(Expr::or)?;
        rest = whole.with_kind(ExprKind::choice(is, arm.clone(), rest));
    }
    Some(rest)
}

/// A part that is asked only where a condition on the element `holds`: elsewhere it asks for no place.
fn only_where(part: &Expr, cond: &Expr, holds: bool, x: LocalId) -> Expr {
    let mut part = part.clone();
    narrow(&mut part, cond, holds, x);
    part
}

fn narrow(expr: &mut Expr, cond: &Expr, holds: bool, x: LocalId) {
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            narrow(part, cond, holds, x);
        }
    });
    let index: &mut Expr = match &mut expr.kind {
        ExprKind::Filled(place)
        | ExprKind::Component(place)
        | ExprKind::Kinds(place)
        | ExprKind::Count(place)
        | ExprKind::CountOf(place, _) => match place.index.as_mut_slice() {
            [index] => index,
            _ => return,
        },
        // What is made in one case may not be there to be made in others.
        ExprKind::Binary(BinaryOp::In, made, _)
            if matches!(made.kind, ExprKind::Make(..) | ExprKind::If(..)) =>
        {
            made
        }
        _ => return,
    };
    if !mentions(index, &[x]) || is_local(index, x) {
        return;
    }
    let none = Expr::new(ExprKind::Value(NONE), index.ty.or_none(), index.span);
    let there = index.clone();
    let (then, other) = if holds { (there, none) } else { (none, there) };
    index.ty.optional = true;
    index.kind = ExprKind::choice(cond.clone(), then, other);
}
