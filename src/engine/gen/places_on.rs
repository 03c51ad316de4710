//! What a condition says of the places on a way from one place.

use std::collections::BTreeMap;

use super::inline::mentions;
use super::mask::is_local;
use super::steps;
use super::structure::same;
use super::unroll::MOST_NUMBERS;
use crate::model::{
    AggregateOp, BinaryOp, Binder, DomainId, Expr, ExprKind, LocalId, Node, Over, UnaryOp,
    each_in_expr,
};

/// Where the places of a row are counted from, and on which way.
pub(super) struct From<'e> {
    pub here: &'e Expr,
    pub way: LocalId,
    pub space: DomainId,
    /// Whether any place may be the first.
    pub is_free: bool,
}

impl From<'_> {
    /// How many steps lead to a place.
    pub fn steps_to(&self, place: &Expr) -> Option<i64> {
        if same(place, self.here) {
            return Some(0);
        }
        let (cell, way, count) = place.as_step()?;
        let (ExprKind::Value(count), false) = (&count.kind, count.ty.optional) else {
            return None;
        };
        let signed = match &way.kind {
            ExprKind::Local(it) if *it == self.way => *count,
            ExprKind::Unary(UnaryOp::Opposite, it) if is_local(it, self.way) => -*count,
            _ => return None,
        };
        same(cell, self.here).then_some(signed)
    }

    /// The place of the row that a condition speaks of.
    pub fn asked_of(&self, cond: &Expr) -> Option<Expr> {
        let mut found = None;
        each_in_expr(cond, &mut |node| {
            if let Node::Expr(expr) = node
                && found.is_none()
                && matches!(expr.kind, ExprKind::Step { .. })
                && mentions(expr, &[self.way])
            {
                found = Some(expr.clone());
            }
        });
        Some(found.unwrap_or_else(|| self.here.clone()))
    }

    /// `q in { a, step(a, d), … }`: which one, and how many steps lead to these.
    pub fn among(&self, cond: &Expr) -> Option<(Expr, Vec<i64>)> {
        let (one, set) = cond.operands_of(BinaryOp::In)?;
        let ExprKind::SetOf(places) = &set.kind else {
            return None;
        };
        Some((one.clone(), self.all_steps_to(places)?))
    }

    /// `every { P(c) for c in { a, step(a, d), … } }`.
    pub fn each_of<'c>(&self, cond: &'c Expr) -> Option<(LocalId, &'c Expr, Vec<i64>)> {
        let aggregate = cond.as_aggregate()?;
        let ([one @ Binder { guard: None, .. }], AggregateOp::Every, Some(value)) =
            (aggregate.binders.as_slice(), aggregate.op, &aggregate.value)
        else {
            return None;
        };
        Some((one.local, value, self.members(one)?))
    }

    /// `count { a, step(a, d), … } == n` of so many: all are there, and each is as asked.
    pub fn all_of<'c>(&self, cond: &'c Expr) -> Option<(Vec<i64>, &'c Binder)> {
        let ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ge, counted, number) = &cond.kind else {
            return None;
        };
        let (aggregate, n) = (counted.as_aggregate()?, number.as_value()?);
        let one = aggregate.only_binder_of(AggregateOp::Count)?;
        let mut places = self.members(one)?;
        places.sort_unstable();
        places.dedup();
        (usize::try_from(n) == Ok(places.len())).then_some((places, one))
    }

    /// `count (walk d from a while x: P(x)) >= n`; so long a run begins wherever one has just as many.
    pub fn run_of<'c>(&self, cond: &'c Expr) -> Option<(LocalId, &'c Expr, i64)> {
        let (op, counted, number) = cond.as_binary()?;
        let (aggregate, n) = (counted.as_aggregate()?, number.as_value()?);
        let n = match op {
            BinaryOp::Ge => n,
            BinaryOp::Eq if self.is_free => n,
            BinaryOp::Gt => n.checked_add(1)?,
            _ => return None,
        };
        let walk = steps::Walk::of(steps::counted_set(aggregate)?)?;
        let is_own = is_local(walk.way, self.way) && same(walk.from, self.here);
        (is_own && (1..MOST_NUMBERS as i64).contains(&n)).then_some((walk.var, walk.cond, n))
    }

    fn members(&self, binder: &Binder) -> Option<Vec<i64>> {
        match &binder.over {
            Over::Set(Expr {
                kind: ExprKind::SetOf(places),
                ..
            }) => self.all_steps_to(places),
            _ => None,
        }
    }

    fn all_steps_to(&self, places: &[Expr]) -> Option<Vec<i64>> {
        places.iter().map(|it| self.steps_to(it)).collect()
    }
}

/// Where the first step of a condition on some way begins.
pub(super) fn step_from(cond: &Expr, way: LocalId) -> Option<Expr> {
    let mut found = None;
    each_in_expr(cond, &mut |node| {
        if let Node::Expr(Expr { kind, .. }) = node
            && let ExprKind::Step { cell, way: on, .. }
            | ExprKind::Walk {
                from: cell,
                way: on,
                ..
            } = kind
            && found.is_none()
            && mentions(on, &[way])
        {
            found = Some((**cell).clone());
        }
    });
    found
}

/// Asks one thing more of a place.
pub(super) fn add(asked: &mut BTreeMap<i64, Expr>, at: i64, cond: Expr) {
    let all = match asked.remove(&at) {
        Some(before) if same(&before, &cond) => before,
        Some(before) => before.and(cond),
        None => cond,
    };
    asked.insert(at, all);
}
