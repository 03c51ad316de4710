//! What variables run over, in fewer words, and sets that are made only to ask one of them.

use super::Shared;
use super::inline::mentions;
use super::mask::{conjuncts, is_local};
use super::question::Question;
use super::unroll::{joined, not};
use crate::model::{AggregateOp, BinaryOp, Binder, Expr, ExprKind, Order, Over, UnaryOp};

impl Shared<'_> {
    /// `d in Direction where d in T and P` is `d in T where P`.
    pub(super) fn run_over_less(&mut self, expr: &mut Expr) {
        let ExprKind::Aggregate(aggregate) = &mut expr.kind else {
            return;
        };
        for binder in &mut aggregate.binders {
            if let Some(less) = self.over_less(binder) {
                *binder = less;
            }
        }
    }

    fn over_less(&mut self, binder: &Binder) -> Option<Binder> {
        let all = binder.over.as_set()?;
        let is_plain = matches!(binder.order, Order::Ascending | Order::Descending);
        if !is_plain || !matches!(all.kind, ExprKind::All(_)) {
            return None;
        }
        let mut parts = Vec::new();
        conjuncts(binder.guard.as_ref()?, &mut parts);
        let at = parts.iter().position(|it| {
            it.operands_of(BinaryOp::In).is_some_and(|(one, set)| {
                is_local(one, binder.local)
                    && set.ty.base == all.ty.base
                    && !mentions(set, &[binder.local])
            })
        })?;
        let (_, set) = parts.remove(at).operands_of(BinaryOp::In)?;
        // There is at least one element, so what is asked of it first is asked.
        let mut before = parts.iter().take(at);
        if at > 0 && !(self.surely(set) && before.all(|it| self.surely(it))) {
            return None;
        }
        let guard = parts.into_iter().cloned().reduce(Expr::and);
        let less = Binder {
            over: Over::Set(set.clone()),
            ..binder.unguarded()
        };
        Some(less.guarded(guard))
    }

    /// `t in (if A then S else {})` is `t in S where A`.
    pub(super) fn asked_where(&mut self, expr: &Expr) -> Option<Expr> {
        let mut asked = expr.as_aggregate()?.clone();
        let mut found = false;
        for binder in &mut asked.binders {
            if let Some((set, cond)) = binder.over.as_set().and_then(only_where) {
                let cond = match binder.guard.take() {
                    Some(guard) => cond.and(guard),
                    None => cond,
                };
                *binder = binder.with_over(set).guarded(cond);
                found = true;
            }
        }
        let said = expr.with_kind(asked.clone());
        if !found || !self.surely(expr) || !self.surely(&said) {
            return None;
        }
        self.ask_early(&mut asked);
        Some(expr.with_kind(asked))
    }

    /// `q in { v for p in S, … }` is `some { p in S, … where v == q }` where it is asked of one `q` only, as behind what was
    /// tried out.
    pub(super) fn ask_once(&mut self, cond: &mut Expr) {
        match &mut cond.kind {
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                self.ask_once(left);
                self.ask_once(right);
            }
            ExprKind::Unary(UnaryOp::Not, part) | ExprKind::Let(_, _, part) => self.ask_once(part),
            ExprKind::Binary(BinaryOp::In, one, set) => {
                let Some(mut asked) = self.met_by_some(one, set) else {
                    return;
                };
                if self.surely(cond) && self.surely(&asked) {
                    self.expand(&mut asked);
                    *cond = asked;
                }
            }
            _ => {}
        }
    }

    fn met_by_some(&mut self, one: &Expr, set: &Expr) -> Option<Expr> {
        let of = set.as_aggregate()?;
        let value = of.value.as_ref()?;
        let is_known = matches!(one.kind, ExprKind::Local(_) | ExprKind::Value(_));
        if of.op != AggregateOp::Collect || !is_known || one.ty.optional && value.ty.optional {
            return None;
        }
        let mut question = Question::of(of.binders.clone());
        question.open();
        let is = joined(BinaryOp::Eq, value.clone(), one.clone());
        question.conds.push(is);
        question.solve(&mut []);
        question.in_order()
    }
}

/// A set that is empty where something does not hold, and what that is.
pub(super) fn only_where(set: &Expr) -> Option<(Expr, Expr)> {
    let ExprKind::If(cond, then, other) = &set.kind else {
        return None;
    };
    let is_empty = |it: &Expr| matches!(&it.kind, ExprKind::SetOf(items) if items.is_empty());
    match (is_empty(then), is_empty(other)) {
        (false, true) => Some(((**then).clone(), (**cond).clone())),
        (true, false) => Some(((**other).clone(), not((**cond).clone()))),
        _ => None,
    }
}
