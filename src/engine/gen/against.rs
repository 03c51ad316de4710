//! Counts, sums, least and greatest that are only compared: whether some or every one of them decides it.

use super::Shared;
use super::ends::within_bounds;
use super::folds::{asks_for, mirrored};
use super::inline::{binds_nothing, mentions, size_of};
use super::related::with;
use super::structure::same;
use super::unroll::{MOST_NUMBERS, joined, not};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, Expr, ExprKind, LocalId, Node, Over, Type,
    UnaryOp, arith, each_in_expr, locals_of,
};

/// Largest number with which each of many is compared, in nodes.
pub(super) const SMALL_BOUND: usize = 8;

impl Shared<'_> {
    /// Asks of each in place of all together.
    pub(super) fn ask_each(&mut self, expr: &mut Expr) {
        if let Some(asked) = within_bounds(expr)
            && self.surely(expr)
        {
            *expr = asked;
        }
        let ExprKind::Binary(op, left, right) = &expr.kind else {
            return;
        };
        let asked = self
            .by_fewer(*op, left, right)
            .or_else(|| self.at_most_one(*op, left, right))
            .or_else(|| self.at_most_one(*op, right, left))
            .or_else(|| self.at_the_end(*op, left, right))
            .or_else(|| self.at_the_end(*op, right, left))
            .or_else(|| self.hangs_together(*op, left, right))
            .or_else(|| self.all_of_few(*op, left, right))
            .or_else(|| self.all_the_way(*op, left, right))
            .or_else(|| self.all_the_way(mirrored(*op), right, left))
            .or_else(|| self.extreme_against(*op, left, right))
            .or_else(|| self.extreme_against(mirrored(*op), right, left))
            .or_else(|| self.apart_from_extreme(*op, left, right))
            .or_else(|| self.apart_from_extreme(mirrored(*op), right, left))
            .or_else(|| self.of_two(*op, left, right))
            .or_else(|| self.of_two(mirrored(*op), right, left))
            .or_else(|| self.is_extreme(*op, left, right))
            .or_else(|| self.is_extreme(*op, right, left))
            .or_else(|| self.beside_extreme(*op, left, right))
            .or_else(|| self.beside_extreme(mirrored(*op), right, left))
            .or_else(|| self.nothing_summed(*op, left, right))
            .or_else(|| self.no_step(*op, left, right))
            .or_else(|| self.no_step(*op, right, left))
            .or_else(|| self.best_is(*op, left, right))
            .or_else(|| self.any_of_two(*op, left, right))
            .or_else(|| self.any_of_two(mirrored(*op), right, left))
            .or_else(|| self.carried_over(*op, left, right))
            .or_else(|| self.carried_over(mirrored(*op), right, left));
        if let Some(asked) = asked
            && (self.surely(expr) || self.has_some(left, right) && self.surely(&asked))
        {
            *expr = asked;
        }
    }

    /// `a + b > 0` is `a > 0 or b > 0`, and `a + b == 0` is `a == 0 and b == 0`, where neither is below 0.
    fn any_of_two(&mut self, op: BinaryOp, sum: &Expr, number: &Expr) -> Option<Expr> {
        let (one, other) = sum.operands_of(BinaryOp::Add)?;
        let asked = asks_for(op, number.as_value()?)?;
        let is_positive = |it: &Expr| matches!(it.ty.base, Base::Int(0.., _)) && !it.ty.optional;
        if !is_positive(one) || !is_positive(other) {
            return None;
        }
        let (op, both) = match asked {
            AggregateOp::Some => (BinaryOp::Gt, BinaryOp::Or),
            _ => (BinaryOp::Le, BinaryOp::And),
        };
        let [left, right] = [one, other].map(|it| {
            let mut asked = joined(op, it.clone(), number_like(it, 0));
            self.fold_less(&mut asked);
            asked
        });
        Some(joined(both, left, right))
    }

    /// Whether what stands before says that there is something of which the greatest or the least is compared.
    fn has_some(&self, left: &Expr, right: &Expr) -> bool {
        [left, right].iter().any(|it| {
            let ExprKind::Aggregate(it) = &it.kind else {
                return false;
            };
            let [
                Binder {
                    over: Over::Zone(place),
                    guard: None,
                    ..
                },
            ] = it.binders.as_slice()
            else {
                return false;
            };
            let is_extreme = matches!(it.op, AggregateOp::Max | AggregateOp::Min);
            let is_it = |it: &Expr| {
                let ExprKind::Filled(it) = &it.kind else {
                    return false;
                };
                let mut index = it.index.iter().zip(&place.index);
                it.zone == place.zone && index.all(|(one, other)| same(one, other))
            };
            is_extreme && self.there.iter().any(is_it)
        })
    }

    /// `no (A - B)` is `no { x in A where x not in B }`, and so with `some` and `count`.
    pub(super) fn of_rest(&mut self, aggregate: &mut Aggregate) {
        if !matches!(
            aggregate.op,
            AggregateOp::Some | AggregateOp::No | AggregateOp::Count
        ) {
            return;
        }
        let [binder] = aggregate.binders.as_mut_slice() else {
            return;
        };
        let Over::Set(set) = &binder.over else {
            return;
        };
        if let ExprKind::Binary(BinaryOp::Minus, from, less) = &set.kind
            && self.surely(less)
        {
            let one = self.local(binder.local, set.span);
            let left = not(joined(BinaryOp::In, one, (**less).clone()));
            let guard = match binder.guard.take() {
                Some(guard) => left.and(guard),
                None => left,
            };
            binder.over = Over::Set((**from).clone());
            binder.guard = Some(guard);
        }
    }

    /// `step(q, d, n) == q` is `n == 0`, where no line comes back to where it began.
    fn no_step(&mut self, op: BinaryOp, step: &Expr, here: &Expr) -> Option<Expr> {
        let (ExprKind::Step { cell, count, .. }, Base::Elem(space)) = (&step.kind, here.ty.base)
        else {
            return None;
        };
        let forth = matches!(count.ty.base, Base::Int(0.., _)) && !count.ty.optional;
        let equal = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        self.longest_line(space)?;
        if !forth || !equal || here.ty.optional || !same(cell, here) {
            return None;
        }
        let zero = Expr::number(0, count.span);
        let mut asked = joined(op, (**count).clone(), zero);
        self.fold_less(&mut asked);
        Some(asked)
    }

    /// `max { k(x) for x in S } > n` is `some { x in S where k(x) > n }`, and so on; what stands for nothing at all
    /// (`default`) has to give the same answer.
    pub(super) fn extreme_against(
        &mut self,
        op: BinaryOp,
        extreme: &Expr,
        bound: &Expr,
    ) -> Option<Expr> {
        let aggregate = extreme.as_aggregate()?;
        let is_small = binds_nothing(bound) && size_of(bound) <= SMALL_BOUND;
        if !is_small || bound.ty.optional {
            return None;
        }
        let one_is_enough = match (aggregate.op, op) {
            (AggregateOp::Max, BinaryOp::Gt | BinaryOp::Ge)
            | (AggregateOp::Min, BinaryOp::Lt | BinaryOp::Le) => true,
            (AggregateOp::Max, BinaryOp::Lt | BinaryOp::Le)
            | (AggregateOp::Min, BinaryOp::Gt | BinaryOp::Ge) => false,
            _ => return None,
        };
        if let Some(default) = &aggregate.default {
            let (ExprKind::Value(one), Base::Int(least, most)) = (&default.kind, bound.ty.base)
            else {
                return None;
            };
            let holds = [least, most].map(|other| arith::compare(op, *one, other));
            // One number that is worked out once is compared with less than many that change.
            let is_once = least != most
                && self.reads_state(aggregate.value.as_ref()?)
                && !hang_on_one(bound, extreme)
                && !self.hangs_on_many(extreme);
            if holds.contains(&Some(one_is_enough)) || is_once {
                return None;
            }
        }
        let value = match (&aggregate.value, &*aggregate.binders) {
            (None, [only]) => self.local(only.local, extreme.span),
            (value, _) => value.clone()?,
        };
        let span = value.span;
        let mut asked = Aggregate {
            default: None,
            ..aggregate.clone()
        };
        let mut holds = joined(op, value, bound.clone());
        if one_is_enough && self.holds_of_all(&holds) {
            asked.op = AggregateOp::Some;
            asked.value = None;
            let mut any = Expr::truth(asked, span);
            self.asked_of_places(&mut any);
            return Some(any);
        }
        self.fold_less(&mut holds);
        if one_is_enough {
            asked = found(asked, AggregateOp::Some, holds)?;
        } else {
            asked.op = AggregateOp::Every;
            asked.value = Some(holds);
            of_refused(&mut asked);
        }
        Some(Expr::truth(asked, span))
    }

    /// Whether an expression hangs on a variable of more than a few values.
    fn hangs_on_many(&self, expr: &Expr) -> bool {
        let mut bound = Vec::new();
        each_in_expr(expr, &mut |node| {
            if let Node::Binds(local) = node {
                bound.push(local);
            }
        });
        let is_many = |it: &LocalId| {
            let values = self.values(self.local_type(*it));
            !bound.contains(it) && values.is_none_or(|it| it.1 > MOST_NUMBERS as u64)
        };
        locals_of(expr).iter().any(is_many)
    }

    /// Whether all numbers that the one may be compare so with the other, a known one.
    fn holds_of_all(&mut self, compared: &Expr) -> bool {
        let Some((op, value, bound)) = compared.as_binary() else {
            return false;
        };
        let (Some((least, most)), Some(number)) = (self.bounds_of(value), bound.as_value()) else {
            return false;
        };
        let holds = [least, most].map(|it| arith::compare(op, it, number));
        !value.ty.optional && holds == [Some(true); 2]
    }

    /// `max { k(x) for x in S } == 3` is `max { k(x) for x in S } >= 3`, where no `k` is more.
    fn at_the_end(&mut self, op: BinaryOp, extreme: &Expr, number: &Expr) -> Option<Expr> {
        let n = number.as_value()?;
        let is_extreme = matches!(
            extreme.as_aggregate()?.op,
            AggregateOp::Max | AggregateOp::Min
        );
        if !is_extreme || !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            return None;
        }
        let (least, most) = self.bounds_of(extreme)?;
        let aggregate = extreme.as_aggregate()?;
        let reaches = match n {
            _ if least == most => return None,
            n if n == most => BinaryOp::Ge,
            n if n == least => BinaryOp::Le,
            _ => self.is_last_of_all(aggregate, number)?,
        };
        // The greatest of nothing is none, and no number: where one is enough there is none then.
        let is_sought = matches!(
            (aggregate.op, reaches),
            (AggregateOp::Max, BinaryOp::Ge) | (AggregateOp::Min, BinaryOp::Le)
        );
        let is_number = aggregate.value.as_ref().is_some_and(|it| !it.ty.optional);
        if extreme.ty.optional && !(is_sought && is_number) && !self.surely_there(extreme) {
            return None;
        }
        let asked = self.extreme_against(reaches, extreme, number)?;
        Some(match op {
            BinaryOp::Eq => asked,
            _ => not(asked),
        })
    }

    /// How a greatest or least is compared that may never go beyond a number, whatever it is the greatest or least of.
    fn is_last_of_all(&mut self, extreme: &Aggregate, number: &Expr) -> Option<BinaryOp> {
        let value = extreme.value.clone().filter(|it| !it.ty.optional)?;
        let (reaches, within) = match extreme.op {
            AggregateOp::Max => (BinaryOp::Ge, BinaryOp::Le),
            AggregateOp::Min => (BinaryOp::Le, BinaryOp::Ge),
            _ => return None,
        };
        let default = extreme.default.iter().cloned();
        let mut all = [value].into_iter().chain(default);
        let is_within = |it| self.always(&joined(within, it, number.clone()));
        all.all(is_within).then_some(reaches)
    }

    /// `a - min { k(x) for x in S } <= n` is `min { k(x) for x in S } >= a - n`, and then the same.
    fn apart_from_extreme(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Expr> {
        let ExprKind::Binary(sign @ (BinaryOp::Add | BinaryOp::Sub), one, other) = &left.kind
        else {
            return None;
        };
        let is_extreme = |it: &Expr| {
            matches!(&it.kind, ExprKind::Aggregate(it)
                if matches!(it.op, AggregateOp::Max | AggregateOp::Min))
        };
        let (extreme, rest, is_first) = match (is_extreme(one), is_extreme(other)) {
            (true, false) => (one, other, true),
            (false, true) => (other, one, false),
            _ => return None,
        };
        let (Base::Int(a, b), Base::Int(c, d)) = (rest.ty.base, right.ty.base) else {
            return None;
        };
        if !is_comparison(op) || rest.ty.optional || right.ty.optional {
            return None;
        }
        let (op, sign, one, other, [lo, hi]) = match (sign, is_first) {
            (BinaryOp::Add, _) => {
                let bounds = [c.checked_sub(b)?, d.checked_sub(a)?];
                (op, BinaryOp::Sub, right, &**rest, bounds)
            }
            (_, true) => {
                let bounds = [c.checked_add(a)?, d.checked_add(b)?];
                (op, BinaryOp::Add, right, &**rest, bounds)
            }
            (_, false) => {
                let bounds = [a.checked_sub(d)?, b.checked_sub(c)?];
                (mirrored(op), BinaryOp::Sub, &**rest, right, bounds)
            }
        };
        // What is worked out in place of it must not leave all bounds.
        if lo < i64::from(i32::MIN) || hi > i64::from(i32::MAX) {
            return None;
        }
        let bound = Expr {
            kind: ExprKind::binary(sign, one.clone(), other.clone()),
            ty: Type::of(Base::Int(lo, hi)),
            span: right.span,
        };
        self.extreme_against(op, extreme, &bound)
    }

    /// `a - b > 0` is `a > b`, and `a - 3 > 4` is `a > 7`.
    fn carried_over(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Expr> {
        let ExprKind::Binary(sign @ (BinaryOp::Add | BinaryOp::Sub), one, other) = &left.kind
        else {
            return None;
        };
        let number = right.as_value()?;
        if !is_comparison(op) || right.ty.optional {
            return None;
        }
        let (kept, over) = match (sign, &one.kind, &other.kind) {
            (BinaryOp::Add, _, ExprKind::Value(more))
            | (BinaryOp::Add, ExprKind::Value(more), _) => {
                let is_last = matches!(other.kind, ExprKind::Value(_));
                let kept = if is_last { one } else { other };
                (kept, number_like(right, number.checked_sub(*more)?))
            }
            (BinaryOp::Sub, _, ExprKind::Value(less)) => {
                (one, number_like(right, number.checked_add(*less)?))
            }
            (BinaryOp::Sub, ..) if number == 0 => (one, (**other).clone()),
            _ => return None,
        };
        let mut asked = joined(op, (**kept).clone(), over);
        self.fold_less(&mut asked);
        Some(asked)
    }

    /// `sum { v(x) for x in S } == 0` is `no { x in S where v(x) > 0 }` where no `v` is below 0.
    fn nothing_summed(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Expr> {
        let (op, sum, number) = match (&left.kind, &right.kind) {
            (_, ExprKind::Value(number)) => (op, left, *number),
            (ExprKind::Value(number), _) => (mirrored(op), right, *number),
            _ => return None,
        };
        let aggregate = sum.as_aggregate()?;
        let value = aggregate.value.as_ref()?;
        let is_positive = matches!(value.ty.base, Base::Int(lo, _) if lo >= 0);
        if aggregate.op != AggregateOp::Sum || !is_positive || value.ty.optional {
            return None;
        }
        let asked = asks_for(op, number)?;
        let mut more = joined(BinaryOp::Gt, value.clone(), number_like(value, 0));
        self.ask_each(&mut more);
        let asked = found(aggregate.clone(), asked, more)?;
        Some(Expr::truth(asked, sum.span))
    }
}

/// Whether both hang on the same variable.
fn hang_on_one(one: &Expr, other: &Expr) -> bool {
    let mut locals: Vec<_> = one.as_local().into_iter().collect();
    each_in_expr(one, &mut |node| {
        if let Node::Expr(it) = node {
            locals.extend(it.as_local());
        }
    });
    mentions(other, &locals)
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
    )
}

fn number_like(expr: &Expr, number: i64) -> Expr {
    Expr {
        kind: ExprKind::Value(number),
        ty: Type {
            base: Base::Int(number, number),
            ..expr.ty
        },
        span: expr.span,
    }
}

/// `every { e not in A for x in S }` is `no { x in S where e in A }`, and so with `no { … }` and several of these.
pub(super) fn of_refused(aggregate: &mut Aggregate) {
    if aggregate.op != AggregateOp::Every {
        return;
    }
    let Some(refused) = aggregate.value.clone().filter(is_refused) else {
        return;
    };
    if let Some(none) = found(
        Aggregate {
            value: None,
            ..aggregate.clone()
        },
        AggregateOp::No,
        denied(refused),
    ) {
        *aggregate = none;
    }
}

/// The opposite of what is said not to be so.
fn denied(cond: Expr) -> Expr {
    let span = cond.span;
    match cond.kind {
        ExprKind::Binary(BinaryOp::Or, left, right) => denied(*left).and(denied(*right)),
        ExprKind::Aggregate(it) if it.op == AggregateOp::No => Expr::truth(
            Aggregate {
                op: AggregateOp::Some,
                ..*it
            },
            span,
        ),
        kind => not(Expr { kind, ..cond }),
    }
}

/// Whether it is said of something that it is not so: `x not in A or no { … }`.
fn is_refused(cond: &Expr) -> bool {
    match &cond.kind {
        ExprKind::Unary(UnaryOp::Not, it) => matches!(
            it.kind,
            ExprKind::Binary(BinaryOp::In, ..) | ExprKind::Track(..)
        ),
        ExprKind::Binary(BinaryOp::Or, left, right) => [left, right].iter().all(|it| {
            let is_none = matches!(&it.kind, ExprKind::Aggregate(it) if it.op == AggregateOp::No);
            is_none || is_refused(it)
        }),
        _ => false,
    }
}

/// Whether a condition holds for some or none of the combinations.
pub(super) fn found(mut aggregate: Aggregate, op: AggregateOp, cond: Expr) -> Option<Aggregate> {
    let last = aggregate.binders.pop()?;
    aggregate.binders.push(with(last, cond));
    aggregate.op = op;
    aggregate.value = None;
    Some(aggregate)
}
