//! Loops over a few numbers, written out.

use std::collections::HashMap;

use super::Shared;
use super::inline::{size_of, substitute};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, Expr, ExprKind, LocalId, NodeMut, Order, Over,
    Type, UnaryOp, change,
};

/// Most numbers that a loop is written out for.
pub(super) const MOST_NUMBERS: usize = 8;
/// Largest condition that is asked for each value at once, in nodes.
const MOST_ASKED: usize = 1_000;
/// What may be asked so in all: one such question in another takes as many times more.
pub(super) const MOST_ASKED_IN_ALL: usize = 40_000;
/// Largest condition that is written out, in nodes.
const MOST_NODES: usize = 200;

impl Shared<'_> {
    /// `every { P(k) for k in 1..3 }` is `P(1) and P(2) and P(3)`, `some` an `or`: asked in the same order and
    /// as far. What was written for each number can then be told apart.
    pub(super) fn write_out(&mut self, expr: &mut Expr) {
        let ExprKind::Aggregate(aggregate) = &expr.kind else {
            return;
        };
        let (Some((local, mut numbers)), Some(cond)) =
            (self.few_values(aggregate), condition(aggregate))
        else {
            return;
        };
        match aggregate.binders.first().map(|it| &it.order) {
            Some(Order::Ascending) => {}
            Some(Order::Descending) => numbers.reverse(),
            _ => return,
        }
        if !matches!(self.local_type(local).base, Base::Int(..)) {
            return;
        }
        let nodes = size_of(&cond).saturating_mul(numbers.len());
        if nodes > MOST_NODES || nodes > self.room {
            return;
        }
        self.room -= nodes;
        let op = match aggregate.op {
            AggregateOp::Some => BinaryOp::Or,
            _ => BinaryOp::And,
        };
        let parts = numbers.into_iter().map(|number| {
            let mut part = cond.clone();
            self.rename(&mut part);
            let value = Expr {
                kind: ExprKind::Value(number),
                ty: Type::of(Base::Int(number, number)),
                span: expr.span,
            };
            substitute(&mut part, &HashMap::from([(local, value)]));
            self.without_steps(&mut part);
            part
        });
        let joined = parts.reduce(|left, right| joined(op, left, right));
        if let Some(joined) = joined {
            *expr = joined;
        }
    }

    /// What `some` asks, and what `every` and `no` deny, for each value of a variable that has few of them.
    pub(super) fn for_each_value(&mut self, aggregate: &Aggregate) -> Option<Vec<Expr>> {
        let (local, values) = self.few_values(aggregate)?;
        let ty = self.is_element(local).then_some(self.local_type(local))?;
        let cond = condition(aggregate)?;
        let cond = match aggregate.op {
            AggregateOp::Some => cond,
            _ => not(cond),
        };
        let nodes = size_of(&cond).saturating_mul(values.len());
        if nodes > MOST_ASKED || nodes > self.asked {
            return None;
        }
        self.asked -= nodes;
        let asked = values.into_iter().map(|value| {
            let mut part = cond.clone();
            self.rename(&mut part);
            let value = Expr {
                kind: ExprKind::Value(value),
                ty,
                span: part.span,
            };
            substitute(&mut part, &HashMap::from([(local, value)]));
            part
        });
        Some(asked.collect())
    }

    /// Whether a question may be asked for each value of its variable.
    pub(super) fn has_few_values(&self, aggregate: &Aggregate) -> bool {
        let few = self.few_values(aggregate);
        few.is_some_and(|(local, _)| self.is_element(local))
    }

    fn is_element(&self, local: LocalId) -> bool {
        let ty = self.local_type(local);
        matches!(ty.base, Base::Elem(_)) && !ty.optional
    }

    /// The variable and its values, ascending, if it is the only one and they are few.
    fn few_values(&self, aggregate: &Aggregate) -> Option<(LocalId, Vec<i64>)> {
        match aggregate.binders.as_slice() {
            [binder] => Some((binder.local, self.few_of(binder)?)),
            _ => None,
        }
    }

    /// The values that a variable goes through, if they are few and known.
    pub(super) fn few_of(&self, binder: &Binder) -> Option<Vec<i64>> {
        let Over::Set(set) = &binder.over else {
            return None;
        };
        let mut values = match &set.kind {
            ExprKind::SetOf(items) if items.len() <= MOST_NUMBERS => {
                let values = items.iter().map(|item| match item.kind {
                    ExprKind::Value(value) if !item.ty.optional => Some(value),
                    _ => None,
                });
                values.collect::<Option<Vec<i64>>>()?
            }
            ExprKind::All(id) => {
                let domain = self.game.domains.get(id.index())?;
                let size = usize::try_from(domain.size).ok()?;
                let few = (size <= MOST_NUMBERS).then_some(size)?;
                (domain.lo..).take(few).collect()
            }
            _ => return None,
        };
        values.sort_unstable();
        values.dedup();
        (!values.is_empty()).then_some(values)
    }

    /// No step at all leads to where it begins.
    fn without_steps(&mut self, expr: &mut Expr) {
        change::parts_of_expr(expr, &mut |node| {
            if let NodeMut::Expr(part) = node {
                self.without_steps(part);
            }
        });
        if let ExprKind::Step { cell, way, count } = &expr.kind
            && matches!(count.kind, ExprKind::Value(0))
            && !way.ty.optional
            && self.surely(way)
        {
            *expr = (**cell).clone();
        }
    }
}

/// What is asked of each number.
fn condition(aggregate: &Aggregate) -> Option<Expr> {
    let guard = aggregate.binders.first()?.guard.clone();
    match (aggregate.op, guard, &aggregate.value) {
        (AggregateOp::Some, guard, None) => guard,
        (AggregateOp::No, guard, None) => guard.map(not),
        (AggregateOp::Every, None, Some(value)) => Some(value.clone()),
        (AggregateOp::Every, Some(guard), Some(value)) => {
            Some(joined(BinaryOp::Or, not(guard), value.clone()))
        }
        _ => None,
    }
}

pub(super) fn joined(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span;
    Expr {
        kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
        ty: Type::BOOL,
        span,
    }
}

/// The opposite, asked in the same order and as far.
pub(super) fn not(part: Expr) -> Expr {
    let span = part.span;
    let kind = match part.kind {
        ExprKind::Unary(UnaryOp::Not, part) => return *part,
        ExprKind::Binary(BinaryOp::Eq, left, right) => ExprKind::Binary(BinaryOp::Ne, left, right),
        ExprKind::Binary(BinaryOp::Ne, left, right) => ExprKind::Binary(BinaryOp::Eq, left, right),
        ExprKind::Binary(BinaryOp::And, left, right) => {
            return joined(BinaryOp::Or, not(*left), not(*right));
        }
        ExprKind::Binary(BinaryOp::Or, left, right) => {
            return joined(BinaryOp::And, not(*left), not(*right));
        }
        kind => ExprKind::Unary(UnaryOp::Not, Box::new(Expr { kind, ..part })),
    };
    Expr {
        kind,
        ty: Type::BOOL,
        span,
    }
}
