//! Who is best: questions about one seat, or one of anything, compare it with the others.

use std::collections::HashMap;

use super::Shared;
use super::inline::substitute;
use super::mask::conjuncts;
use super::related::{some, with};
use super::structure::same;
use super::unroll::{joined, not};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, Expr, ExprKind, Node, Order, Over, Type,
    UnaryOp, each_in_expr,
};

/// Most elements of which each is compared with each when it is looked whether a number rises.
const MOST_IN_ORDER: u64 = 128;

/// The best of some by a number that each has.
struct Best<'e> {
    is_most: bool,
    binder: &'e Binder,
    over: Expr,
    key: &'e Expr,
}

impl<'e> Best<'e> {
    fn of(set: &'e Expr) -> Option<Self> {
        let best = set.as_aggregate()?;
        let is_most = match best.op {
            AggregateOp::Most => true,
            AggregateOp::Least => false,
            _ => return None,
        };
        let (binder, key) = (best.only_binder()?, best.value.as_ref()?);
        let over = match &binder.over {
            Over::Set(over) => over.clone(),
            Over::Zone(place) => set.with_kind(ExprKind::Kinds(place.clone())),
            Over::Span(..) => return None,
        };
        let is_number = matches!(key.ty.base, Base::Int(..));
        (is_number && !key.ty.optional).then_some(Self {
            is_most,
            binder,
            over,
            key,
        })
    }

    /// What is said of the variable, said of one.
    fn said_of(&self, part: &Expr, one: &Expr) -> Expr {
        let mut part = part.clone();
        substitute(
            &mut part,
            &HashMap::from([(self.binder.local, one.clone())]),
        );
        part
    }

    /// Whether one is among those that are compared, and something more holds.
    fn is_among(&self, one: &Expr, more: Expr) -> Expr {
        let mut all = joined(BinaryOp::In, one.clone(), self.over.clone());
        if let Some(guard) = &self.binder.guard {
            all = all.and(self.said_of(guard, one));
        }
        all.and(more)
    }
}

fn is_local(one: &Expr) -> bool {
    matches!(one.kind, ExprKind::Local(_)) && !one.ty.optional
}

impl Shared<'_> {
    /// `s in most { r in S by k(r) }` is `s in S and k(s) == max { k(r) for r in S }`, and `no { r in S where k(r) > k(s) }` where
    /// no position changes these, or they are all looked through at once.
    pub(super) fn among_best(&mut self, one: &Expr, set: &Expr) -> Option<Expr> {
        let best = Best::of(set).filter(|_| is_local(one))?;
        let are_two = self.domain(set.ty.base.set_over()?)?.size <= 2;
        let is_kept = !best.key.ty.optional
            && matches!(&best.key.kind, ExprKind::Track(_, index)
                if matches!(&**index, [it] if it.as_local() == Some(best.binder.local)));
        if are_two || is_kept || !self.reads_state(best.key) {
            let better = match best.is_most {
                true => BinaryOp::Gt,
                false => BinaryOp::Lt,
            };
            let mut is_better = joined(better, best.key.clone(), best.said_of(best.key, one));
            if are_two {
                let another = self.local(best.binder.local, set.span);
                is_better = joined(BinaryOp::Ne, another, one.clone()).and(is_better);
            }
            let none = Aggregate::over(AggregateOp::No, vec![with(best.binder.clone(), is_better)]);
            let mut none = Expr::truth(none, set.span);
            self.rename(&mut none);
            return Some(best.is_among(one, none));
        }
        let op = match best.is_most {
            true => AggregateOp::Max,
            false => AggregateOp::Min,
        };
        let greatest = Expr::new(
            Aggregate::over(op, vec![best.binder.clone()]).of(best.key.clone()),
            best.key.ty.or_none(),
            set.span,
        );
        let mut is_greatest = joined(BinaryOp::Eq, best.said_of(best.key, one), greatest);
        self.rename(&mut is_greatest);
        Some(best.is_among(one, is_greatest))
    }

    /// `(most { r in S by k(r) }) == { s }` is `s in S and every { k(r) < k(s) for r in S where r != s }`.
    pub(super) fn best_is(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Expr> {
        let (set, one) = match (&left.kind, &right.kind) {
            (_, ExprKind::SetOf(items)) => (left, items.as_slice()),
            (ExprKind::SetOf(items), _) => (right, items.as_slice()),
            _ => return None,
        };
        let [one] = one else {
            return None;
        };
        let best = Best::of(set).filter(|_| is_local(one))?;
        let less = match best.is_most {
            true => BinaryOp::Lt,
            false => BinaryOp::Gt,
        };
        let other = self.local(best.binder.local, one.span);
        let others = Aggregate::over(
            AggregateOp::Every,
            vec![with(
                best.binder.clone(),
                joined(BinaryOp::Ne, other, one.clone()),
            )],
        )
        .of(joined(less, best.key.clone(), best.said_of(best.key, one)));
        let mut others = Expr::truth(others, set.span);
        self.rename(&mut others);
        let all = best.is_among(one, others);
        match op {
            BinaryOp::Eq => Some(all),
            BinaryOp::Ne => Some(not(all)),
            _ => None,
        }
    }

    /// What is asked of the first or the last of the best.
    pub(super) fn of_best(&mut self, expr: &mut Expr) {
        self.say(expr, Self::key_of_best);
        self.say_surely(expr, Self::end_of_best);
    }

    /// `first(least { x in S where P by k(x) })` is `first({ x in S where P })`, where `k` never falls from one of S to the next, no
    /// position changing it; and so with the last of the most, and the other ends where it never rises.
    fn end_of_best(&mut self, expr: &Expr) -> Option<Expr> {
        let of = expr.as_aggregate()?;
        let members = of.only_binder().filter(|it| it.guard.is_none())?;
        let set = members.over.as_set().filter(|_| of.value.is_none())?;
        let best = Best::of(set)?;
        let over = best.binder.over.as_set()?;
        let size = self.domain(set.ty.base.set_over()?)?.size;
        let is_fixed = !self.reads_state(best.key) && !self.reads_state(over);
        let is_in_order = matches!(best.binder.order, Order::Ascending);
        if size > MOST_IN_ORDER || !is_fixed || !is_in_order {
            return None;
        }
        let better = match (of.op, best.is_most) {
            (AggregateOp::First, false) | (AggregateOp::Last, true) => BinaryOp::Le,
            (AggregateOp::First, true) | (AggregateOp::Last, false) => BinaryOp::Ge,
            _ => return None,
        };
        let ty = self.local_type(best.binder.local);
        let [a, b] = [0, 1].map(|_| Expr::local(self.new_local(ty), ty, set.span));
        let mut parts = Vec::new();
        best.binder
            .guard
            .iter()
            .for_each(|it| conjuncts(it, &mut parts));
        parts.retain(|it| !self.reads_state(it));
        let place = |one: &Expr| {
            let ty = Type::of(Base::Int(0, i64::try_from(size).unwrap_or(i64::MAX)));
            Expr::new(ExprKind::unary(UnaryOp::Ord, one.clone()), ty, set.span)
        };
        let known = [&a, &b].map(|one| {
            parts
                .iter()
                .map(|it| best.said_of(it, one))
                .collect::<Vec<_>>()
        });
        let before = joined(BinaryOp::Lt, place(&a), place(&b));
        let guard = known
            .into_iter()
            .flatten()
            .fold(before, |all, it| it.and(all));
        let binders = vec![
            Binder::over(a.as_local()?, over.clone()),
            Binder::over(b.as_local()?, over.clone()).guarded(Some(guard)),
        ];
        let keys = [&a, &b].map(|one| best.said_of(best.key, one));
        let [first, second] = keys;
        let every = Aggregate::over(AggregateOp::Every, binders).of(joined(better, first, second));
        let mut every = Expr::truth(every, set.span);
        self.rename(&mut every);
        if !self.always(&every) {
            return None;
        }
        let all = Aggregate::over(AggregateOp::Collect, vec![best.binder.clone()]);
        let members = members.with_over(set.with_kind(all));
        let of = Aggregate {
            binders: vec![members],
            ..of.clone()
        };
        Some(expr.with_kind(of))
    }

    /// `k(first(most { r in S by k(r) }))` is `max { k(r) for r in S }`, where S surely has members.
    fn key_of_best(&mut self, expr: &Expr) -> Option<Expr> {
        let is_looked_up = matches!(
            expr.kind,
            ExprKind::Track(..) | ExprKind::Table(..) | ExprKind::Count(_) | ExprKind::CountOf(..)
        );
        let mut greatest = None;
        each_in_expr(expr, &mut |node| {
            if let Node::Expr(end) = node
                && is_looked_up
                && greatest.is_none()
            {
                greatest = greatest_by(end, expr);
            }
        });
        let (op, binder, key) = greatest?;
        let is_sure = self.always(&some(vec![binder.clone()])) && self.surely(&key);
        let mut all = expr.with_kind(Aggregate::over(op, vec![binder]).of(key));
        self.rename(&mut all);
        is_sure.then_some(all)
    }
}

/// What is the greatest or least of which numbers, if a number is the one of the first or last of the best by it.
fn greatest_by(end: &Expr, number: &Expr) -> Option<(AggregateOp, Binder, Expr)> {
    let of = end.as_aggregate().filter(|it| it.default.is_none())?;
    let members = of.only_binder().filter(|it| it.guard.is_none())?;
    let is_end = matches!(of.op, AggregateOp::First | AggregateOp::Last) && of.value.is_none();
    let best = Best::of(members.over.as_set().filter(|_| is_end)?)?;
    if !same(&best.said_of(best.key, end), number) || number.ty.optional {
        return None;
    }
    let op = match best.is_most {
        true => AggregateOp::Max,
        false => AggregateOp::Min,
    };
    Some((op, best.binder.clone(), best.key.clone()))
}
