//! Conditions that only get truer as a number grows, or as it gets less: asked of one number in place of many.

use std::cmp::Ordering;

use super::Shared;
use super::bags::over_mentions;
use super::inline::mentions;
use super::mask::is_local;
use super::question::Question;
use super::related::{some, with};
use super::unroll::not;
use crate::model::{AggregateOp, Base, BinaryOp, Expr, ExprKind, LocalId, Over, UnaryOp};

impl Shared<'_> {
    /// `some { k in 1..7, q in S where k > 4 and every { P(q, j) for j in 0..k - 1 } }` is
    /// `some { q in S where every { P(q, j) for j in 0..4 } }`: of all that are meant the least does it.
    pub(super) fn first_that_does(&mut self, expr: &Expr) -> Option<Expr> {
        let aggregate = expr.as_aggregate()?;
        let is_asked = matches!(aggregate.op, AggregateOp::Some | AggregateOp::No);
        if !is_asked || aggregate.value.is_some() {
            return None;
        }
        let mut question = Question::of(aggregate.binders.clone());
        question.open_numbers(self);
        let mut binders = 0..question.binders.len();
        let mut asked = binders.find_map(|at| self.of_one_number(&question, at))?;
        if !self.surely(expr) {
            return None;
        }
        if aggregate.op == AggregateOp::No {
            asked = not(asked);
        }
        asked.span = expr.span;
        self.expand(&mut asked);
        Some(asked)
    }

    /// The same question for the one number of a variable that decides it.
    fn of_one_number(&mut self, question: &Question, at: usize) -> Option<Expr> {
        let mut binders = question.binders.clone();
        let binder = binders.remove(at);
        let k = binder.local;
        let mut numbers = self.few_of(&binder)?;
        let is_number = matches!(self.local_type(k).base, Base::Int(..));
        if !is_number || binders.iter().any(|it| over_mentions(&it.over, &[k])) {
            return None;
        }
        let (mut asked, mut truer) = (Vec::new(), Ordering::Equal);
        for cond in &question.conds {
            if !mentions(cond, &[k]) {
                asked.push(cond.clone());
                continue;
            }
            let mut holds = |number: &i64| match self.with_number(cond, k, *number).kind {
                ExprKind::Value(value) => Some(value != 0),
                _ => None,
            };
            let known: Option<Vec<bool>> = numbers.iter().map(&mut holds).collect();
            match known {
                Some(known) => {
                    let mut known = known.into_iter();
                    numbers.retain(|_| known.next().unwrap_or(false));
                }
                None => {
                    truer = both(truer, truer_with(cond, k)?)?;
                    asked.push(cond.clone());
                }
            }
        }
        let number = match truer {
            Ordering::Less => numbers.first(),
            Ordering::Greater => numbers.last(),
            Ordering::Equal => None,
        };
        let number = *number?;
        let asked = asked.iter().map(|it| self.with_number(it, k, number));
        let asked = asked.reduce(Expr::and)?;
        let Some(last) = binders.pop() else {
            return Some(asked);
        };
        binders.push(with(last, asked));
        Some(some(binders))
    }
}

/// With which k a condition gets truer: with greater or with lesser ones, or it does not hang on k at all.
pub(super) fn truer_with(cond: &Expr, k: LocalId) -> Option<Ordering> {
    if !mentions(cond, &[k]) {
        return Some(Ordering::Equal);
    }
    match &cond.kind {
        ExprKind::Unary(UnaryOp::Not, part) => Some(truer_with(part, k)?.reverse()),
        ExprKind::Binary(op, left, right) => match op {
            BinaryOp::And | BinaryOp::Or => both(truer_with(left, k)?, truer_with(right, k)?),
            BinaryOp::Gt | BinaryOp::Ge => both(rises(left, k)?, rises(right, k)?.reverse()),
            BinaryOp::Lt | BinaryOp::Le => both(rises(left, k)?.reverse(), rises(right, k)?),
            _ => None,
        },
        ExprKind::Aggregate(aggregate) => {
            // The more are asked, the sooner there is one, and the sooner one of them is not so.
            let mut more = Ordering::Equal;
            for binder in &aggregate.binders {
                more = both(
                    more,
                    match &binder.over {
                        Over::Span(from, to) => both(rises(from, k)?.reverse(), rises(to, k)?)?,
                        over if over_mentions(over, &[k]) => return None,
                        _ => Ordering::Equal,
                    },
                )?;
                if let Some(guard) = &binder.guard {
                    more = both(more, truer_with(guard, k)?)?;
                }
            }
            match (aggregate.op, &aggregate.value) {
                (AggregateOp::Some, None) => Some(more),
                (AggregateOp::No, None) => Some(more.reverse()),
                (AggregateOp::Every, Some(value)) => both(more.reverse(), truer_with(value, k)?),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether a number gets greater or less with k.
fn rises(number: &Expr, k: LocalId) -> Option<Ordering> {
    if !mentions(number, &[k]) {
        return Some(Ordering::Equal);
    }
    match &number.kind {
        ExprKind::Binary(BinaryOp::Add, left, right) => both(rises(left, k)?, rises(right, k)?),
        ExprKind::Binary(BinaryOp::Sub, left, right) => {
            both(rises(left, k)?, rises(right, k)?.reverse())
        }
        _ => is_local(number, k).then_some(Ordering::Greater),
    }
}

fn both(one: Ordering, other: Ordering) -> Option<Ordering> {
    match (one, other) {
        (Ordering::Equal, it) | (it, Ordering::Equal) => Some(it),
        (one, other) => (one == other).then_some(one),
    }
}
