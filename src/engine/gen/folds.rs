//! Counts and sums that say less than they look: what is only asked is not counted.

use std::collections::HashMap;

use super::Shared;
use super::inline::{mentions, substitute};
use super::mask::{conjuncts, is_local};
use super::related::{some, with};
use super::structure::same;
use super::tried::compare_there;
use super::unroll::{MOST_NUMBERS, joined, not};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DomainKind, Expr, ExprKind, Order, Over, Type,
    UnaryOp,
};

impl Shared<'_> {
    /// What is said in other words before its parts are.
    pub(super) fn say_first(&mut self, expr: &mut Expr) {
        compare_there(expr);
        self.say(expr, Self::compared_with_nothing);
        self.say_of_sure(expr, Self::all_add_one);
        self.say_of_sure(expr, Self::but_for_one);
        self.say(expr, Self::all_listed);
        self.say(expr, Self::one_alone);
    }

    /// `count S >= 1` is `some S`, `sum { if P then e else 0 for x in S }` is `sum { e for x in S where P }`,
    /// and `sum { 1 for x in S }` is `count S`.
    pub(super) fn fold_less(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Binary(op, left, right) if *op != BinaryOp::In => {
                let asked = match (&left.kind, &right.kind) {
                    (_, ExprKind::Value(number)) => asks_for(*op, *number),
                    (ExprKind::Value(number), _) => asks_for(mirrored(*op), *number),
                    _ => None,
                };
                let counted = match (&left.kind, &right.kind) {
                    (ExprKind::Aggregate(_) | ExprKind::Count(_), _) => left,
                    _ => right,
                };
                // Where one is found the others are not asked any more.
                if let Some(op) = asked
                    && is_count(counted)
                    && self.surely(counted)
                    && let ExprKind::Aggregate(aggregate) = &mut counted.kind
                {
                    aggregate.op = op;
                    expr.kind = counted.kind.clone();
                } else if let (Some(op), ExprKind::Count(place)) = (asked, &counted.kind) {
                    // How many lie there is no other question than whether any do.
                    let filled = Expr::new(ExprKind::Filled(place.clone()), expr.ty, expr.span);
                    *expr = match op {
                        AggregateOp::Some => filled,
                        _ => not(filled),
                    };
                }
            }
            ExprKind::Binary(BinaryOp::In, one, set) => {
                if let Some(is_best) = self.among_best(one, set)
                    && self.surely(expr)
                {
                    *expr = is_best;
                }
            }
            ExprKind::Aggregate(aggregate) if aggregate.op == AggregateOp::Sum => {
                only_what_counts(aggregate);
                in_one_go(aggregate);
            }
            _ => {}
        }
        self.some_at_all(expr);
        self.say_of_sure(expr, Self::only_what_decides);
        self.say_surely(expr, Self::of_members);
        lies_there(expr);
        self.ask_each(expr);
        self.say_of_sure(expr, Self::by_places);
        self.say_of_sure(expr, Self::counted_places);
        self.say_of_sure(expr, Self::by_values);
    }

    /// `some first(S)` is `some S`.
    fn some_at_all(&mut self, expr: &mut Expr) {
        if let ExprKind::Unary(UnaryOp::IsSome, end) = &expr.kind
            && let Some(of) = end.as_aggregate()
            && matches!(of.op, AggregateOp::First | AggregateOp::Last)
            && let ([_], None, None) = (&*of.binders, &of.default, &of.value)
            && self.surely(end)
        {
            expr.kind = Aggregate::over(AggregateOp::Some, of.binders.clone()).into();
            self.say_surely(expr, Self::of_value_set);
        }
    }

    /// `max { if P then e else n for x in S }` is `max { e for x in S where P } default n`, where no `e` is less, and so with
    /// `min`.
    fn only_what_decides(&mut self, expr: &Expr) -> Option<Expr> {
        let aggregate = expr.as_aggregate()?;
        let mut less = decided_by(aggregate)?;
        // Without a default of its own, that of nothing at all is none.
        if aggregate.default.is_none() && !self.always(&some(aggregate.binders.clone())) {
            return None;
        }
        while let Some(asked) = decided_by(&less) {
            less = asked;
        }
        Some(expr.with_kind(less))
    }

    /// `some { k in a..b where k in S }` is `some { k in S where a <= k and k <= b }`.
    fn of_members(&mut self, expr: &Expr) -> Option<Expr> {
        let aggregate = expr.as_aggregate()?;
        let binder = aggregate.binders.last()?;
        let (k, Over::Span(from, to), Order::Ascending) =
            (binder.local, &binder.over, &binder.order)
        else {
            return None;
        };
        let mut parts = Vec::new();
        binder.guard.iter().for_each(|it| conjuncts(it, &mut parts));
        let member = parts.iter().position(|it| match &it.kind {
            ExprKind::Binary(BinaryOp::In, one, set) => is_local(one, k) && !mentions(set, &[k]),
            _ => false,
        });
        let (one, set) = parts.remove(member?).operands_of(BinaryOp::In)?;
        let ty = self.element_of(set)?;
        let local = self.new_local(ty);
        let one = Expr::local(local, ty, one.span);
        let ends = [
            joined(BinaryOp::Le, from.clone(), one.clone()),
            joined(BinaryOp::Le, one.clone(), to.clone()),
        ];
        let parts = ends.into_iter().chain(parts.into_iter().cloned());
        let mut among = aggregate.clone();
        if let Some(last) = among.binders.last_mut() {
            *last = Binder::over(local, set.clone()).guarded(parts.reduce(Expr::and));
            let by = HashMap::from([(k, one)]);
            let parts = last.guard.iter_mut().chain(&mut among.value);
            parts.for_each(|it| substitute(it, &by));
        }
        Some(expr.with_kind(among))
    }

    /// The type of the members of a set.
    pub(super) fn element_of(&self, set: &Expr) -> Option<Type> {
        let domain = set.ty.base.set_over()?;
        let of = self.domain(domain)?;
        Some(Type::of(match of.kind {
            DomainKind::Range => Base::Int(of.lo, of.lo.checked_add_unsigned(of.size)? - 1),
            _ => Base::Elem(domain),
        }))
    }

    /// `every { P(k) for k in a..a + 2 }` is `every { P(a + j) for j in 0..2 }`.
    pub(super) fn counted_from_zero(&mut self, aggregate: &mut Aggregate) {
        let ([binder], AggregateOp::Some | AggregateOp::No | AggregateOp::Every) =
            (aggregate.binders.as_mut_slice(), aggregate.op)
        else {
            return;
        };
        let Over::Span(from, to) = &binder.over else {
            return;
        };
        let Some(more) = more_than(from, to).filter(|_| self.surely(to)) else {
            return;
        };
        let number = |kind, lo, hi| Expr::new(kind, Type::of(Base::Int(lo, hi)), from.span);
        let Base::Int(lo, hi) = from.ty.base else {
            return;
        };
        let j = self.new_local(Type::of(Base::Int(0, more)));
        let parts = [from.clone(), number(ExprKind::Local(j), 0, more)];
        let [left, right] = parts.map(Box::new);
        let sum = ExprKind::Binary(BinaryOp::Add, left, right);
        let by = HashMap::from([(binder.local, number(sum, lo, hi.saturating_add(more)))]);
        let [first, last] = [0, more].map(|it| number(ExprKind::Value(it), it, it));
        binder.over = Over::Span(first, last);
        binder.local = j;
        let parts = binder.guard.iter_mut().chain(&mut aggregate.value);
        parts.for_each(|it| substitute(it, &by));
    }
}

fn is_count(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Aggregate(it) if it.op == AggregateOp::Count)
}

/// What a comparison of a count with a number asks, if it is only whether there are any.
pub(super) fn asks_for(op: BinaryOp, number: i64) -> Option<AggregateOp> {
    match (op, number) {
        (BinaryOp::Ge, 1) | (BinaryOp::Gt | BinaryOp::Ne, 0) => Some(AggregateOp::Some),
        (BinaryOp::Lt, 1) | (BinaryOp::Le | BinaryOp::Eq, 0) => Some(AggregateOp::No),
        _ => None,
    }
}

pub(super) fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        op => op,
    }
}

/// What two numbers are where they are not so.
pub(super) fn opposite(op: BinaryOp, left: &Expr, right: &Expr) -> Option<BinaryOp> {
    let are_there = [left, right].iter().all(|it| !it.ty.optional);
    match op {
        BinaryOp::Lt if are_there => Some(BinaryOp::Ge),
        BinaryOp::Le if are_there => Some(BinaryOp::Gt),
        BinaryOp::Gt if are_there => Some(BinaryOp::Le),
        BinaryOp::Ge if are_there => Some(BinaryOp::Lt),
        _ => None,
    }
}

fn only_what_counts(aggregate: &mut Aggregate) {
    let Some(ExprKind::If(cond, then, other)) = aggregate.value.as_ref().map(|it| &it.kind) else {
        if aggregate.value.as_ref().is_some_and(|it| is(it, 1)) {
            aggregate.op = AggregateOp::Count;
            aggregate.value = None;
        }
        return;
    };
    let (cond, value) = match (is(then, 0), is(other, 0)) {
        (_, true) => ((**cond).clone(), (**then).clone()),
        (true, _) => (not((**cond).clone()), (**other).clone()),
        _ => return,
    };
    let Some(last) = aggregate.binders.pop() else {
        return;
    };
    aggregate.binders.push(with(last, cond));
    aggregate.value = Some(value);
    only_what_counts(aggregate);
}

/// Without the first case of a greatest or least one that gives what stands for nothing at all.
fn decided_by(aggregate: &Aggregate) -> Option<Aggregate> {
    let ExprKind::If(cond, then, other) = &aggregate.value.as_ref()?.kind else {
        return None;
    };
    let (asked, value, least) = match (&then.kind, &other.kind) {
        (ExprKind::Value(n), _) => (not((**cond).clone()), other, *n),
        (_, ExprKind::Value(n)) => ((**cond).clone(), then, *n),
        _ => return None,
    };
    let decides = match (aggregate.op, value.ty.base) {
        (AggregateOp::Max, Base::Int(lo, _)) => lo >= least,
        (AggregateOp::Min, Base::Int(_, hi)) => hi <= least,
        _ => false,
    };
    let default = aggregate.default.as_ref();
    if !decides || value.ty.optional || default.is_some_and(|it| !is(it, least)) {
        return None;
    }
    let mut binders = aggregate.binders.clone();
    let last = binders.pop()?;
    binders.push(with(last, asked));
    Some(Aggregate {
        op: aggregate.op,
        binders,
        value: Some((**value).clone()),
        default: Some(Expr::number(least, value.span)),
    })
}

/// `count { c in z }` is `count z`.
pub(super) fn lies_there(expr: &mut Expr) {
    if is_count(expr)
        && let ExprKind::Aggregate(aggregate) = &expr.kind
        && let [binder] = aggregate.binders.as_slice()
        && let (Over::Zone(place), None) = (&binder.over, &binder.guard)
    {
        expr.kind = ExprKind::Count(place.clone());
    }
}

/// `sum { count { c in C(r) } for r in R }` is `count { r in R, c in C(r) }`, and so with a sum of sums.
fn in_one_go(aggregate: &mut Aggregate) {
    let Some(ExprKind::Aggregate(inner)) = aggregate.value.as_ref().map(|it| &it.kind) else {
        return;
    };
    if matches!(inner.op, AggregateOp::Count | AggregateOp::Sum) {
        aggregate.op = inner.op;
        aggregate.binders.extend(inner.binders.clone());
        aggregate.value = inner.value.clone();
    }
}

fn is(expr: &Expr, number: i64) -> bool {
    matches!(expr.kind, ExprKind::Value(value) if value == number)
}

/// By how much a number is more than another, if it says so.
pub(super) fn more_than(from: &Expr, to: &Expr) -> Option<i64> {
    let (left, right) = to.operands_of(BinaryOp::Add)?;
    let (of, ExprKind::Value(more)) = (left, &right.kind) else {
        return None;
    };
    let few = usize::try_from(*more).is_ok_and(|it| it < MOST_NUMBERS);
    (few && !from.ty.optional && same(of, from)).then_some(*more)
}

/// `P == false` is `not P`.
pub(super) fn compared_with_truth(expr: &Expr) -> Option<Expr> {
    let ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right) = &expr.kind else {
        return None;
    };
    let (part, truth) = match (&left.kind, &right.kind) {
        (_, ExprKind::Value(truth)) => (left, *truth),
        (ExprKind::Value(truth), _) => (right, *truth),
        _ => return None,
    };
    if [left, right].iter().any(|it| it.ty != Type::BOOL) {
        return None;
    }
    let holds = (*op == BinaryOp::Eq) == (truth == 1);
    let part = (**part).clone();
    Some(if holds { part } else { not(part) })
}
