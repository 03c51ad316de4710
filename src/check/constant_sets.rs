//! The value of a comprehension that no position can change.

use std::collections::BTreeSet;

use crate::model::{Aggregate, AggregateOp, BinaryOp, Expr, NONE, Order, Over, arith};

use super::constant::{Const, Eval, Found, Stop};

impl Eval<'_, '_> {
    #[inline(never)]
    pub(super) fn aggregate(&mut self, it: &Aggregate, whole: &Expr) -> Found {
        let mut rows = Vec::new();
        let depth = self.env.len();
        self.combine(it, 0, &mut rows)?;
        self.env.truncate(depth);
        let truth = |it: bool| Ok(Const::Scalar(i64::from(it)));
        let scalars = rows.iter().map(|(_, value)| match value {
            Const::Scalar(value) => Ok(*value),
            Const::Set(_) => Err(Stop::Varies),
        });
        let best = match it.op {
            AggregateOp::Collect => {
                let found: Result<BTreeSet<i64>, Stop> = scalars.collect();
                let mut found = found?;
                found.remove(&NONE);
                return Ok(Const::Set(found));
            }
            AggregateOp::Count => {
                return Ok(Const::Scalar(i64::try_from(rows.len()).unwrap_or(i64::MAX)));
            }
            AggregateOp::Some => return truth(!rows.is_empty()),
            AggregateOp::No => return truth(rows.is_empty()),
            AggregateOp::Every => {
                let all: Result<Vec<i64>, Stop> = scalars.collect();
                return truth(all?.iter().all(|it| *it != 0));
            }
            AggregateOp::Sum | AggregateOp::Product => {
                let (op, nothing) = match it.op {
                    AggregateOp::Sum => (BinaryOp::Add, 0),
                    _ => (BinaryOp::Mul, 1),
                };
                let all: Result<Vec<i64>, Stop> = scalars.collect();
                let sum = all?.into_iter().try_fold(nothing, |sum, it| {
                    arith::calculate(op, sum, it).filter(|_| it != NONE)
                });
                return sum.map(Const::Scalar).ok_or(Stop::Varies);
            }
            AggregateOp::Max | AggregateOp::Min => {
                let all: Result<Vec<i64>, Stop> = scalars.collect();
                let all = all?;
                if it.op == AggregateOp::Max {
                    all.into_iter().max()
                } else {
                    all.into_iter().min()
                }
            }
            AggregateOp::First => rows.first().map(|(first, _)| *first),
            AggregateOp::Last => rows.last().map(|(last, _)| *last),
            AggregateOp::Most | AggregateOp::Least => {
                let most = it.op == AggregateOp::Most;
                let keys: Result<Vec<i64>, Stop> = scalars.collect();
                let keys = keys?;
                let best = if most {
                    keys.iter().max()
                } else {
                    keys.iter().min()
                };
                let chosen = rows.iter().zip(&keys).filter(|(_, key)| Some(*key) == best);
                return Ok(Const::Set(chosen.map(|((value, _), _)| *value).collect()));
            }
        };
        match (best, &it.default) {
            (Some(best), _) => Ok(Const::Scalar(best)),
            (None, Some(default)) => self.value(default),
            (None, None) if whole.ty.optional => Ok(Const::Scalar(NONE)),
            (None, None) => Err(Stop::Varies),
        }
    }

    /// Lists the first variable and the value of every combination.
    #[inline(never)]
    pub(super) fn combine(
        &mut self,
        it: &Aggregate,
        at: usize,
        rows: &mut Vec<(i64, Const)>,
    ) -> Result<(), Stop> {
        let Some(binder) = it.binders.get(at) else {
            let first = it.binders.first().map(|it| it.local);
            let first = self.env.iter().rev().find(|(id, _)| Some(*id) == first);
            let Some((_, Const::Scalar(first))) = first else {
                return Err(Stop::Varies);
            };
            let first = *first;
            let value = match &it.value {
                Some(value) => self.value(value)?,
                None => Const::Scalar(first),
            };
            rows.push((first, value));
            return Ok(());
        };
        let members = match &binder.over {
            Over::Set(set) => match self.value(set)? {
                Const::Set(members) => members,
                Const::Scalar(_) => return Err(Stop::Varies),
            },
            Over::Span(from, to) => {
                let (from, to) = (self.scalar(from)?, self.scalar(to)?);
                if to.saturating_sub(from) > 100_000 {
                    return Err(Stop::Varies);
                }
                (from..=to).collect()
            }
            Over::Zone(_) => return Err(Stop::Varies),
        };
        if !matches!(binder.order, Order::Ascending) {
            return Err(Stop::Varies);
        }
        for member in members {
            self.env.push((binder.local, Const::Scalar(member)));
            let passes = match &binder.guard {
                Some(guard) => self.scalar(guard)? != 0,
                None => true,
            };
            if passes {
                self.combine(it, at + 1, rows)?;
            }
            self.env.pop();
        }
        Ok(())
    }
}
