//! Loops over numbers up to one that a choice gives, written out: it is one of few.

use super::Shared;
use super::decided::decided;
use super::inline::{mentions, size_of};
use super::unroll::{MOST_NUMBERS, condition, joined};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, Expr, ExprKind, LocalId, Node, NodeMut, Order,
    Over, change, each_in_expr,
};

/// Largest question that is written out, in nodes.
const MOST_NODES: usize = 200;

impl Shared<'_> {
    /// `i in 1..2, j in i + 1..3` is `i in 1..2, j in 2..3 where i + 1 <= j`: few numbers, whatever those before are.
    pub(super) fn spans_apart(&mut self, aggregate: &mut Aggregate) {
        for at in 1..aggregate.binders.len() {
            let (before, rest) = aggregate.binders.split_at_mut(at);
            let former: Vec<LocalId> = before.iter().map(|it| it.local).collect();
            if let Some(binder) = rest.first_mut()
                && let Some(apart) = self.span_apart(binder, &former)
            {
                *binder = apart;
            }
        }
    }

    fn span_apart(&mut self, binder: &Binder, former: &[LocalId]) -> Option<Binder> {
        let Over::Span(from, to) = &binder.over else {
            return None;
        };
        let hangs = |it: &Expr| mentions(it, former);
        if !hangs(from) && !hangs(to) || !self.surely_over(&binder.over) {
            return None;
        }
        let (least, most) = (self.bounds_of(from)?.0, self.bounds_of(to)?.1);
        let few = usize::try_from(most.checked_sub(least)?.checked_add(1)?).ok()?;
        if !(1..=MOST_NUMBERS).contains(&few) {
            return None;
        }
        let one = self.local(binder.local, from.span);
        let low = hangs(from).then(|| joined(BinaryOp::Le, from.clone(), one.clone()));
        let high = hangs(to).then(|| joined(BinaryOp::Le, one, to.clone()));
        let asked = low.into_iter().chain(high).chain(binder.guard.clone());
        let [least, most] = [least, most].map(|it| Expr::number(it, from.span));
        let apart = binder.with_over(Over::Span(least, most));
        Some(apart.unguarded().guarded(asked.reduce(Expr::and)))
    }

    /// `every { P(k) for k in 0..n }` of a number `n` that is 1 or 2 is `P(0) and P(1) and (n < 2 or P(2))`, asked in the same
    /// order and as far. What a loop around it goes through is left to the laws on that loop.
    pub(super) fn write_out_spans(&mut self, expr: &mut Expr, bound: &mut Vec<LocalId>) {
        let before = bound.len();
        change::parts_of_expr(expr, &mut |node| match node {
            NodeMut::Expr(part) => self.write_out_spans(part, bound),
            NodeMut::Binds(local) => bound.push(*local),
            NodeMut::Stmt(_) => {}
        });
        bound.truncate(before);
        if let ExprKind::Aggregate(aggregate) = &expr.kind
            && let Some(written) = self.span_written_out(aggregate, bound)
        {
            *expr = written;
        }
    }

    fn span_written_out(&mut self, aggregate: &Aggregate, bound: &[LocalId]) -> Option<Expr> {
        let binder = aggregate.only_binder()?;
        let (Over::Span(from, to), Order::Ascending) = (&binder.over, &binder.order) else {
            return None;
        };
        let op = match aggregate.op {
            AggregateOp::Some => BinaryOp::Or,
            AggregateOp::No | AggregateOp::Every => BinaryOp::And,
            _ => return None,
        };
        let (from, Base::Int(least, most)) = (from.as_value()?, to.ty.base) else {
            return None;
        };
        let few = most.checked_sub(from)?.checked_add(1)?;
        let few = usize::try_from(few).ok().filter(|it| *it <= MOST_NUMBERS)?;
        let cond = condition(aggregate)?;
        let nodes = (size_of(&cond) + size_of(to)).saturating_mul(few);
        let is_named = match to.operands_of(BinaryOp::Sub) {
            Some((of, less)) => of.as_local().is_some() && less.as_value().is_some(),
            None => to.as_local().is_some(),
        };
        let is_known = is_named && !to.ty.optional && !mentions(to, bound);
        if !is_known || nodes > MOST_NODES || nodes > self.room || !self.surely(to) {
            return None;
        }
        self.room -= nodes;
        let parts = (from..=most).map(|number| {
            let part = self.with_number(&cond, binder.local, number);
            if number <= least {
                return part;
            }
            // `n - 1 < 2` is `n < 3`.
            let (of, number) = match to.operands_of(BinaryOp::Sub) {
                Some((of, less)) if less.as_value().is_some() => {
                    (of, number + less.as_value().unwrap_or(0))
                }
                _ => (to, number),
            };
            let number = Expr::number(number, to.span);
            match op {
                BinaryOp::Or => joined(BinaryOp::Ge, of.clone(), number).and(part),
                _ => joined(BinaryOp::Lt, of.clone(), number).or(part),
            }
        });
        let parts: Vec<Expr> = parts.collect();
        let all = parts.into_iter();
        all.reduce(|left, right| decided(joined(op, left, right)))
    }
}

/// Whether a number is the last one of others.
pub(super) fn has_span_to(cond: &Expr, local: LocalId) -> bool {
    let mut found = false;
    each_in_expr(cond, &mut |node| {
        if let Node::Expr(Expr {
            kind: ExprKind::Aggregate(of),
            ..
        }) = node
        {
            found |= of
                .binders
                .iter()
                .any(|it| matches!(&it.over, Over::Span(_, to) if mentions(to, &[local])));
        }
    });
    found
}

/// `every { P(k) for k in 1..0 }` holds, and nothing is found there.
pub(super) fn of_no_number(aggregate: &Aggregate) -> Option<Expr> {
    let Over::Span(from, to) = &aggregate.only_binder()?.over else {
        return None;
    };
    let holds = match aggregate.op {
        AggregateOp::Every | AggregateOp::No => 1,
        AggregateOp::Some => 0,
        _ => return None,
    };
    let is_empty = from.as_value()? > to.as_value()?;
    is_empty.then(|| Expr::truth(ExprKind::Value(holds), to.span))
}
