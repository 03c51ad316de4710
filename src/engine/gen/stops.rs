//! The place at which a walk stops, `step(q, d, 1 + count (walk d from q while x: C(x)))`, as the last one of a walk that
//! goes that far.

use std::collections::HashMap;

use super::Shared;
use super::inline::{mentions, substitute};
use super::mask::{conjuncts, is_local};
use super::question::Question;
use super::runs::one_less;
use super::steps::{self, Walk, counted_set, rays_of};
use super::structure::{alike, same};
use super::through::put;
use super::unroll::not;
use super::walks::is_plain;
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, Expr, ExprKind, LocalId, Over, Type, UnaryOp,
};

/// The walk that stops at a place.
fn stopped(place: &Expr) -> Option<Walk<'_>> {
    let (cell, way, count) = place.as_step()?;
    let counted = one_less(count)?.as_aggregate()?;
    let walk = Walk::of(counted_set(counted)?)?;
    let own = same(walk.from, cell) && same(walk.way, way);
    (own && is_plain(cell) && is_plain(way)).then_some(walk)
}

impl Shared<'_> {
    /// Says where walks stop by walks that go one place further.
    pub(super) fn stops(&mut self, expr: &Expr) -> Option<Expr> {
        match &expr.kind {
            ExprKind::SetOf(items) => match items.as_slice() {
                [place] => self.stop_of(expr, &[], place),
                _ => None,
            },
            ExprKind::Aggregate(of) if of.op == AggregateOp::Collect => match &of.value {
                Some(place) => self.stop_of(expr, &of.binders, place),
                None => self.one_that_stops(expr, of),
            },
            ExprKind::Aggregate(of) if of.op == AggregateOp::First => self.only_stop(expr, of),
            ExprKind::Binary(BinaryOp::Union, one, other) => self.as_one(expr, one, other),
            _ => None,
        }
    }

    /// `{ e(d) for d in D where P(e(d)) }`, `e(d)` being where a walk stops, is the set of what lies on the longer walks,
    /// stops the others, and meets P.
    fn stop_of(&mut self, expr: &Expr, binders: &[Binder], place: &Expr) -> Option<Expr> {
        let walk = stopped(place)?;
        let ty = Type::of(Base::Elem(walk.space));
        let t = self.new_local(ty);
        let one = Expr::local(t, ty, place.span);
        let (mut binders, mut asked) = (binders.to_vec(), Vec::new());
        asked.push(not(goes_on_at(walk, &one)));
        for binder in &mut binders {
            let (mut conds, mut kept) = (Vec::new(), Vec::new());
            binder.guard.iter().for_each(|it| conjuncts(it, &mut conds));
            for cond in conds {
                let mut of_it = cond.clone();
                put(&mut of_it, place, t, ty);
                match &of_it.kind {
                    ExprKind::Unary(UnaryOp::IsSome, it) if !it.ty.optional => {}
                    _ if mentions(&of_it, &[t]) => asked.push(of_it),
                    _ => kept.push(of_it),
                }
            }
            binder.guard = kept.into_iter().reduce(Expr::and);
        }
        let asked = asked.into_iter().reduce(Expr::and)?;
        if !self.surely(&asked) || !self.surely(walk.cond) {
            return None;
        }
        let last = Binder::over(t, self.longer(walk)).guarded(asked);
        let value = (!binders.is_empty()).then_some(one);
        binders.push(last);
        let mut said = collected(expr, binders, value);
        self.rename(&mut said);
        Some(said)
    }

    /// `{ t in Cell where P(t) and some { d in D where e(d) == t } }` is `{ e(d) for d in D where P(e(d)) }`.
    fn one_that_stops(&mut self, expr: &Expr, aggregate: &Aggregate) -> Option<Expr> {
        let binder = aggregate.only_binder()?;
        let Over::Set(Expr {
            kind: ExprKind::All(_),
            ..
        }) = &binder.over
        else {
            return None;
        };
        let one = self.local(binder.local, expr.span);
        let mut question = Question::of(vec![binder.clone()]);
        question.open();
        question.only_one(self, &one, binder.local);
        let mut value = [one];
        let solved = question.solve(&mut value);
        let [value] = value;
        stopped(&value).filter(|_| solved)?;
        let all = question.conds.clone().into_iter().reduce(Expr::and)?;
        let collected = question.collected(self, value)?;
        let mut said = expr.with_kind(collected);
        let sure = self.surely(&all);
        self.say(&mut said, Self::stops);
        sure.then_some(said)
    }

    /// `first({ t in walk d from q up to x: C(x) where C(t) })` is where the walk stops: there is no other.
    fn only_stop(&mut self, expr: &Expr, aggregate: &Aggregate) -> Option<Expr> {
        if !expr.ty.optional || aggregate.default.is_some() || aggregate.value.is_some() {
            return None;
        }
        let binder = aggregate.only_binder()?;
        let members = binder.over.as_set()?.as_aggregate();
        let binder = match members {
            Some(of) if of.op == AggregateOp::Collect && binder.guard.is_none() => {
                let inner = of.only_binder()?;
                let is_itself = |it: &Expr| is_local(it, inner.local);
                let whole = of.value.as_ref().is_none_or(is_itself);
                whole.then_some(inner)?
            }
            _ => binder,
        };
        let (set, asked) = (binder.over.as_set()?, binder.guard.as_ref()?);
        let walk = Walk::of(set)?;
        self.longest_line(walk.space)?;
        let along = self.beyond(walk)?;
        let run = Walk {
            var: along.var,
            cond: &along.cond,
            ..walk
        };
        let one = self.local(binder.local, set.span);
        if !alike(asked, &not(goes_on_at(run, &one))) || !self.surely(expr) {
            return None;
        }
        let mut cond = run.cond.clone();
        self.rename(&mut cond);
        let var = self.fresh_local(run.var);
        let here = Expr::local(var, Type::of(Base::Elem(run.space)), set.span);
        substitute(&mut cond, &HashMap::from([(run.var, here)]));
        let free = steps::walk(run.way, run.from, (var, cond), run.space, set.span);
        let member = self.new_local(Type::of(Base::Elem(run.space)));
        let length = Aggregate::over(AggregateOp::Count, vec![Binder::over(member, free)]);
        let most = self.longest_line(run.space)?;
        let length = Expr::new(length, Type::of(Base::Int(0, most)), set.span);
        let far = ExprKind::binary(BinaryOp::Add, Expr::number(1, set.span), length);
        let far = Expr::new(far, Type::of(Base::Int(1, most + 1)), set.span);
        let stop = expr.with_kind(ExprKind::step(run.from.clone(), run.way.clone(), far));
        self.surely(&stop).then_some(stop)
    }

    /// Two sets as one: those of one condition, and walks with what they stop at.
    fn as_one(&mut self, expr: &Expr, one: &Expr, other: &Expr) -> Option<Expr> {
        if let (ExprKind::If(cond, a, b), ExprKind::If(again, c, d)) = (&one.kind, &other.kind) {
            let mut both = |one: &Expr, other: &Expr| {
                let is_nothing =
                    |it: &Expr| matches!(&it.kind, ExprKind::SetOf(items) if items.is_empty());
                if is_nothing(other) {
                    return Box::new(one.clone());
                }
                let parts = [one.clone(), other.clone()].map(Box::new);
                let [left, right] = parts;
                let mut union = expr.with_kind(ExprKind::Binary(BinaryOp::Union, left, right));
                self.say(&mut union, Self::stops);
                Box::new(union)
            };
            return same(cond, again)
                .then(|| expr.with_kind(ExprKind::If(cond.clone(), both(a, c), both(b, d))));
        }
        let (walk, longer) = self.with_stop(one)?;
        let of = other.as_aggregate()?;
        let ([binder], None, AggregateOp::Collect) = (of.binders.as_slice(), &of.value, of.op)
        else {
            return None;
        };
        let (over, guard) = (binder.over.as_set()?, binder.guard.as_ref()?);
        if !alike(over, &longer) {
            return None;
        }
        let t = self.local(binder.local, other.span);
        let goes_on = goes_on_at(walk, &t);
        let stops = not(goes_on.clone());
        let mut parts = Vec::new();
        conjuncts(guard, &mut parts);
        let mut denied = Vec::new();
        conjuncts(&stops, &mut denied);
        let is_denied = |it: &&Expr| denied.iter().any(|stop| alike(it, stop));
        let (stop, rest): (Vec<&Expr>, Vec<&Expr>) = parts.into_iter().partition(is_denied);
        if stop.len() != denied.len() {
            return None;
        }
        let rest = rest.into_iter().cloned().reduce(Expr::and);
        if !self.surely(&goes_on) || rest.as_ref().is_some_and(|it| !self.surely(it)) {
            return None;
        }
        let Some(rest) = rest else {
            return Some(longer);
        };
        let last = binder.with_over(longer).guarded(goes_on.or(rest));
        Some(collected(expr, vec![last], None))
    }

    /// A walk, or walks in several ways, and the same with what they stop at.
    fn with_stop<'e>(&mut self, set: &'e Expr) -> Option<(Walk<'e>, Expr)> {
        if let Some(walk) = Walk::of(set) {
            let plain = is_plain(walk.way) && is_plain(walk.from);
            return plain.then(|| (walk, self.longer(walk)));
        }
        let of = set.as_aggregate()?;
        let ([ways, last], AggregateOp::Collect) = (of.binders.as_slice(), of.op) else {
            return None;
        };
        let (_, walk) = rays_of(ways, last, of.value.as_ref())?;
        if !is_plain(walk.from) || mentions(walk.cond, &[ways.local]) {
            return None;
        }
        let last = last.with_over(self.longer(walk));
        let longer = collected(set, vec![ways.clone(), last], of.value.clone());
        Some((walk, longer))
    }

    /// A walk with the place at which it stops.
    fn longer(&mut self, walk: Walk<'_>) -> Expr {
        let ty = Type::of(Base::Elem(walk.space));
        let var = self.new_local(ty);
        let y = Expr::local(var, ty, walk.from.span);
        let mut cond = walk.cond.clone();
        self.rename(&mut cond);
        let goes_on = steps::beyond(walk.from, walk.way, (walk.var, &cond), &y);
        steps::walk(walk.way, walk.from, (var, goes_on), walk.space, y.span)
    }
}

/// What a walk asks of its places, asked of one.
fn goes_on_at(walk: Walk<'_>, one: &Expr) -> Expr {
    let mut cond = walk.cond.clone();
    substitute(
        &mut cond,
        &HashMap::<LocalId, Expr>::from([(walk.var, one.clone())]),
    );
    cond
}

fn collected(expr: &Expr, binders: Vec<Binder>, value: Option<Expr>) -> Expr {
    expr.with_kind(Aggregate::over(AggregateOp::Collect, binders).of(value))
}
