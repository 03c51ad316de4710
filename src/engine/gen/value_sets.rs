//! Sets of values, `{ hue[t] for t in around(q) }`: what is asked of them is asked of the places instead.

use std::collections::HashMap;

use super::Shared;
use super::against::{SMALL_BOUND, found};
use super::by_values::hangs_on_more;
use super::inline::{SMALL_LOOKUP, binds_nothing, mentions, size_of, substitute};
use super::mask::conjuncts;
use super::related::with;
use super::structure::{alike, same};
use super::sure::within;
use super::unroll::{MOST_NUMBERS, joined, not};
use crate::model::{
    Aggregate, AggregateOp, BinaryOp, Binder, Expr, ExprKind, Node, NodeMut, change, each_in_expr,
};

impl Shared<'_> {
    /// Asks what is asked of a set of values of what has them.
    pub(super) fn of_value_set(&mut self, expr: &Expr) -> Option<Expr> {
        match &expr.kind {
            ExprKind::Aggregate(aggregate) => self
                .asked_of_values(aggregate, expr)
                .or_else(|| self.counted_with_one(aggregate, expr)),
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right) => self
                .are_these(*op, left, right)
                .or_else(|| self.are_these(*op, right, left))
                .or_else(|| self.is_first_value(*op, left, right))
                .or_else(|| self.is_first_value(*op, right, left)),
            _ => None,
        }
    }

    /// `S == {}` is `no S`, and `S != {}` is `some S`. Said before what S is made of is looked at, so that it is asked as these are.
    pub(super) fn compared_with_nothing(&mut self, expr: &Expr) -> Option<Expr> {
        let (op @ (BinaryOp::Eq | BinaryOp::Ne), left, right) = expr.as_binary()? else {
            return None;
        };
        let set = match (is_nothing(left), is_nothing(right)) {
            (_, true) => left,
            (true, _) => right,
            _ => return None,
        };
        let op = match op {
            BinaryOp::Eq => AggregateOp::No,
            _ => AggregateOp::Some,
        };
        let ty = self.element_of(set)?;
        let member = Binder::over(self.new_local(ty), set.clone());
        Some(expr.with_kind(Aggregate::over(op, vec![member])))
    }

    /// `count S == 1 and first(S) == v`, `v in S and count S == 1`, `first(S) == v and last(S) == v` are `S == { v }`.
    pub(super) fn one_alone(&mut self, expr: &Expr) -> Option<Expr> {
        expr.operands_of(BinaryOp::And)?;
        let mut parts = Vec::new();
        conjuncts(expr, &mut parts);
        let (at, other, alone) = parts.iter().enumerate().find_map(|(at, it)| {
            let mut later = parts.iter().enumerate().skip(at + 1);
            later.find_map(|(other, then)| Some((at, other, self.only_member(it, then)?)))
        })?;
        // What stands between both is asked less often.
        let mut between = parts.iter().take(other).skip(at + 1);
        if !between.all(|it| self.surely(it)) {
            return None;
        }
        let rest = parts.iter().enumerate().filter(|it| it.0 != other);
        let all = rest.map(|(here, it)| match here == at {
            true => alone.clone(),
            false => (*it).clone(),
        });
        all.reduce(Expr::and)
    }

    /// `S == { v }`, if two conditions together say so.
    fn only_member(&self, one: &Expr, other: &Expr) -> Option<Expr> {
        let alone = |set: &Expr, member: &Expr| one.with_kind(is_alone(set, member));
        if let Some(set) = one_counted(one) {
            return Some(alone(set, self.is_member(other, set)?));
        }
        if let Some(set) = one_counted(other) {
            return Some(alone(set, self.is_member(one, set)?));
        }
        let (is_first, set, member) = end_that_is(one)?;
        let (is_other, of, also) = end_that_is(other)?;
        let are_both = is_first != is_other && alike(set, of) && same(member, also);
        (are_both && is_known(member)).then(|| alone(set, member))
    }

    /// What is said to be a member of a set: `first(S) == v`, `v in S`.
    fn is_member<'e>(&self, cond: &'e Expr, set: &Expr) -> Option<&'e Expr> {
        let (op, left, right) = cond.as_binary()?;
        let one = match op {
            BinaryOp::In if alike(right, set) => left,
            _ => {
                let (_, of, one) = end_that_is(cond)?;
                alike(of, set).then_some(one)?
            }
        };
        // What is asked of it anyway must not fault.
        is_known(one).then_some(one)
    }

    /// The combinations that give the values of a set, and the value of each, where a position says it of few places.
    fn values_in(&mut self, set: &Expr) -> Option<(Aggregate, Expr)> {
        let ty = self.element_of(set)?;
        let mut renamed = set.clone();
        self.rename(&mut renamed);
        let ExprKind::Aggregate(mut of) = renamed.kind else {
            return None;
        };
        let mut bound: Vec<_> = of.binders.iter().map(|it| it.local).collect();
        let whole = set.with_kind(ExprKind::Aggregate(of.clone()));
        let value = of.value.take()?;
        let is_told = of.op == AggregateOp::Collect
            && self.reads_state(&value)
            && within(value.ty, ty)
            && binds_nothing(&value)
            && size_of(&value) <= SMALL_LOOKUP
            && mentions(&value, &bound);
        each_in_expr(&whole, &mut |node| {
            if let Node::Binds(local) = node {
                bound.push(local);
            }
        });
        (is_told && hangs_on_more(&whole, &bound)).then_some((*of, value))
    }

    /// `some { v in { f(t) for t in S } where P(v) }` is `some { t in S where some f(t) and P(f(t)) }`, and so with `no` and `every`.
    fn asked_of_values(&mut self, aggregate: &Aggregate, whole: &Expr) -> Option<Expr> {
        let binder = aggregate.only_binder()?;
        let asked = binder.guard.iter().chain(&aggregate.value);
        let is_quick = asked.clone().all(binds_nothing);
        let is_asked = matches!(
            aggregate.op,
            AggregateOp::Some | AggregateOp::No | AggregateOp::Every
        );
        if !is_asked || !is_quick {
            return None;
        }
        let (of, value) = self.values_in(binder.over.as_set()?)?;
        let by = HashMap::from([(binder.local, value.clone())]);
        let (mut guard, mut each) = (binder.guard.clone(), aggregate.value.clone());
        for part in guard.iter_mut().chain(&mut each) {
            compare_with_one(part);
            substitute(part, &by);
        }
        let there = value.ty.optional.then(|| value.clone().is_there());
        let asked = there.into_iter().chain(guard).reduce(Expr::and);
        let mut of = Aggregate {
            op: aggregate.op,
            value: each,
            ..of
        };
        if let Some(asked) = asked {
            let last = of.binders.pop()?;
            of.binders.push(with(last, asked));
        }
        let mut asked = Expr::truth(of, whole.span);
        self.asked_of_places(&mut asked);
        Some(asked)
    }

    /// Whether some, or none, of what gives a value is so.
    fn asked_so(&mut self, of: &Aggregate, op: AggregateOp, cond: Expr) -> Option<Expr> {
        let span = cond.span;
        let mut asked = Expr::truth(found(of.clone(), op, cond)?, span);
        self.rename(&mut asked);
        self.asked_of_places(&mut asked);
        Some(asked)
    }

    /// `count (S + { v })` of a set of values is `1 + count (S - { v })`.
    fn counted_with_one(&mut self, aggregate: &Aggregate, whole: &Expr) -> Option<Expr> {
        let binder = aggregate.only_binder_of(AggregateOp::Count)?;
        let (one, other) = binder.over.as_set()?.operands_of(BinaryOp::Union)?;
        let (set, one) = match (one_of(one), one_of(other)) {
            (_, Some(it)) => (one, it),
            (Some(it), _) => (other, it),
            _ => return None,
        };
        if binder.guard.is_some() || !is_small(one) {
            return None;
        }
        self.values_in(set)?;
        let local = self.local(binder.local, whole.span);
        let rest = binder
            .with_over(set.clone())
            .guarded(joined(BinaryOp::Ne, local, one.clone()));
        let mut rest = whole.with_kind(Aggregate::over(AggregateOp::Count, vec![rest]));
        self.say_of_sure(&mut rest, Self::by_values);
        let first = Expr::number(1, whole.span);
        Some(whole.with_kind(ExprKind::binary(BinaryOp::Add, rest, first)))
    }

    /// `{ f(t) for t in S } == { v }` is `some { t in S where f(t) == v } and no { t in S where some f(t) and f(t) != v }`.
    fn are_these(&mut self, op: BinaryOp, set: &Expr, these: &Expr) -> Option<Expr> {
        let ExprKind::SetOf(items) = &these.kind else {
            return None;
        };
        let is_few = (1..=MOST_NUMBERS).contains(&items.len());
        if !is_few || !items.iter().all(is_small) {
            return None;
        }
        let (of, value) = self.values_in(set)?;
        let mut all: Option<Expr> = None;
        let mut other = value.ty.optional.then(|| value.clone().is_there());
        for item in items {
            let is = joined(BinaryOp::Eq, value.clone(), item.clone());
            let some = self.asked_so(&of, AggregateOp::Some, is)?;
            all = Some(all.map_or(some.clone(), |it| it.and(some)));
            let is_not = joined(BinaryOp::Ne, value.clone(), item.clone());
            other = Some(other.map_or(is_not.clone(), |it| it.and(is_not)));
        }
        let none = self.asked_so(&of, AggregateOp::No, other?)?;
        let all = all?.and(none);
        Some(if op == BinaryOp::Eq { all } else { not(all) })
    }

    /// `first({ f(t) for t in S }) == v` is `some { t in S where f(t) == v } and no { t in S where some f(t) and f(t) < v }`.
    fn is_first_value(&mut self, op: BinaryOp, first: &Expr, one: &Expr) -> Option<Expr> {
        let end = first.as_aggregate().filter(|it| it.default.is_none())?;
        let before = match end.op {
            AggregateOp::First => BinaryOp::Lt,
            AggregateOp::Last => BinaryOp::Gt,
            _ => return None,
        };
        if !is_small(one) || !first.ty.optional {
            return None;
        }
        let (of, value) = self.values_in(whole_of(end)?)?;
        let is = joined(BinaryOp::Eq, value.clone(), one.clone());
        let some = self.asked_so(&of, AggregateOp::Some, is)?;
        let there = value.ty.optional.then(|| value.clone().is_there());
        let is_before = joined(before, value, one.clone());
        let is_before = there.into_iter().chain([is_before]).reduce(Expr::and)?;
        let none = self.asked_so(&of, AggregateOp::No, is_before)?;
        let all = some.and(none);
        Some(if op == BinaryOp::Eq { all } else { not(all) })
    }
}

/// The set whose members an aggregate goes through, if it is all of them.
fn whole_of(of: &Aggregate) -> Option<&Expr> {
    let binder = of.only_binder()?;
    let bare = binder.guard.is_none() && of.value.is_none();
    binder.over.as_set().filter(|_| bare)
}

/// Whether it is the first or the last of a set, the set, and what that is: `first(S) == v`.
fn end_that_is(cond: &Expr) -> Option<(bool, &Expr, &Expr)> {
    let (left, right) = cond.operands_of(BinaryOp::Eq)?;
    let end = |it: &Expr| {
        let of = it.as_aggregate().filter(|it| it.default.is_none())?;
        match of.op {
            AggregateOp::First => Some(true),
            AggregateOp::Last => Some(false),
            _ => None,
        }
    };
    let (is_first, end, one) = match (end(left), end(right)) {
        (Some(is_first), _) => (is_first, left, right),
        (_, Some(is_first)) => (is_first, right, left),
        _ => return None,
    };
    Some((is_first, whole_of(end.as_aggregate()?)?, one))
}

/// Whether something is there and has a name, so that to ask for it is no fault.
fn is_known(one: &Expr) -> bool {
    matches!(one.kind, ExprKind::Local(_) | ExprKind::Value(_)) && !one.ty.optional
}

/// The set that has one member, if it is said: `count S == 1`.
fn one_counted(cond: &Expr) -> Option<&Expr> {
    let (counted, number) = cond.operands_of(BinaryOp::Eq)?;
    let (counted, number) = match number.as_value() {
        Some(_) => (counted, number),
        None => (number, counted),
    };
    let of = counted.as_aggregate()?;
    let is_one = of.op == AggregateOp::Count && number.as_value() == Some(1);
    whole_of(of).filter(|_| is_one)
}

fn is_alone(set: &Expr, one: &Expr) -> ExprKind {
    let alone = set.with_kind(ExprKind::SetOf(vec![one.clone()]));
    ExprKind::binary(BinaryOp::Eq, set.clone(), alone)
}

/// Whether a set is `{}`.
fn is_nothing(set: &Expr) -> bool {
    matches!(&set.kind, ExprKind::SetOf(items) if items.is_empty())
}

/// The member of `{ v }`.
fn one_of(set: &Expr) -> Option<&Expr> {
    match &set.kind {
        ExprKind::SetOf(items) => match items.as_slice() {
            [one] => Some(one),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a value is there and may be asked for again and again.
fn is_small(one: &Expr) -> bool {
    !one.ty.optional && binds_nothing(one) && size_of(one) <= SMALL_BOUND
}

/// `e in { v }` is `e == v`.
fn compare_with_one(expr: &mut Expr) {
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            compare_with_one(part);
        }
    });
    if let Some((element, set)) = expr.operands_of(BinaryOp::In)
        && let Some(one) = one_of(set).filter(|it| !it.ty.optional)
    {
        *expr = joined(BinaryOp::Eq, element.clone(), one.clone());
    }
}
