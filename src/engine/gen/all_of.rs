//! Counts of which a comparison says that they are of all there are.

use std::collections::HashMap;

use super::folds::asks_for;
use super::inline::{mentions, rename_in, substitute};
use super::mask::conjuncts;
use super::steps::{self, Walk, counted_set};
use super::structure::alike;
use super::sure::FRAGMENT;
use super::unroll::{joined, not};
use super::{Gen, Shared};
use crate::model::{
    Aggregate, AggregateOp, BinaryOp, Binder, Expr, ExprKind, LocalId, Node, Over, UnaryOp,
    each_in_expr,
};

impl Shared<'_> {
    /// `count (walk d from q while x: P(x)) == n`, `n` being how many cells there are up to the edge, is
    /// `no { x in walk d from q while y: true where not P(x) }`.
    pub(super) fn all_the_way(
        &mut self,
        op: BinaryOp,
        count: &Expr,
        number: &Expr,
    ) -> Option<Expr> {
        let all = asks_for_all(op)?;
        let walked = counted_set(counted(count)?)?;
        let walk = Walk::of(walked)?;
        let holds = walk.cond.with_kind(ExprKind::Value(1));
        let to_edge = steps::walk(
            walk.way,
            walk.from,
            (walk.var, holds),
            walk.space,
            count.span,
        );
        let ty = self.local_type(walk.var);
        let [own, other] = [0, 1].map(|_| self.new_local(ty));
        let cells = Binder::over(own, to_edge.clone());
        let length = count.with_kind(Aggregate::over(AggregateOp::Count, vec![cells]));
        if walk.from.ty.optional || !self.always(&joined(BinaryOp::Eq, length, number.clone())) {
            return None;
        }
        let mut fails = not(walk.cond.clone());
        let one = Expr::local(other, ty, count.span);
        substitute(&mut fails, &HashMap::from([(walk.var, one)]));
        let cells = vec![Binder::over(other, to_edge).guarded(Some(fails))];
        let op = if all {
            AggregateOp::No
        } else {
            AggregateOp::Some
        };
        let mut asked = Expr::truth(Aggregate::over(op, cells), count.span);
        self.rename(&mut asked);
        Some(asked)
    }

    /// `count { i in 0..1, j in 0..1 where P } == 4` is `P` for all four.
    pub(super) fn all_of_few(&mut self, op: BinaryOp, count: &Expr, number: &Expr) -> Option<Expr> {
        let (of, ExprKind::Value(number)) = (counted(count)?, &number.kind) else {
            return None;
        };
        let all = asks_for_all(op)?;
        let few = of.binders.iter().map(|it| Some(self.few_of(it)?.len()));
        let many: usize = few.product::<Option<usize>>()?;
        let guards = of.binders.iter().filter_map(|it| it.guard.clone());
        let cond = guards.reduce(Expr::and)?;
        if i64::try_from(many) != Ok(*number) {
            return None;
        }
        let asked = of.binders.iter().rev().fold(cond, |cond, binder| {
            let every = Aggregate::over(AggregateOp::Every, vec![binder.unguarded()]).of(cond);
            let mut every = Expr::truth(every, count.span);
            self.write_out(&mut every);
            every
        });
        Some(if all { asked } else { not(asked) })
    }

    /// That what is asked of the part beyond what is asked of the whole holds for all of the whole. `z == K` says `filled z` too.
    pub(super) fn more_asked(&mut self, part: &Expr, whole: &Expr) -> Option<Aggregate> {
        let (part, mut whole) = (counted(part)?.clone(), counted(whole)?.clone());
        if part.binders.len() != whole.binders.len() {
            return None;
        }
        let own = part.binders.iter().map(|it| it.local);
        let names = whole.binders.iter().map(|it| it.local).zip(own).collect();
        let mut more: Vec<Expr> = Vec::new();
        for (one, other) in part.binders.iter().zip(&mut whole.binders) {
            let (Over::Set(set), Over::Set(of_whole)) = (&one.over, &mut other.over) else {
                return None;
            };
            rename_in(of_whole, &names);
            other.local = one.local;
            other.guard.iter_mut().for_each(|it| rename_in(it, &names));
            let (mut asked, mut known) = (Vec::new(), Vec::new());
            one.guard.iter().for_each(|it| conjuncts(it, &mut asked));
            other.guard.iter().for_each(|it| conjuncts(it, &mut known));
            if !alike(set, of_whole) {
                return None;
            }
            let unsaid = known.iter().filter(|it| !self.is_among(it, &asked));
            let unsaid: Vec<&Expr> = unsaid.copied().collect();
            if !self.shows_there(&asked, &unsaid) {
                return None;
            }
            asked.retain(|it| !self.is_among(it, &known));
            more.extend(asked.into_iter().cloned());
        }
        Some(Aggregate {
            op: AggregateOp::Every,
            value: Some(more.into_iter().reduce(Expr::and)?),
            ..whole
        })
    }

    /// Whether conditions say of all these that they are there, which is what they ask.
    fn shows_there(&mut self, conds: &[&Expr], asked: &[&Expr]) -> bool {
        let mut facts = self.given.clone();
        let of = Gen::new(self, FRAGMENT);
        conds.iter().for_each(|it| of.learn(it, true, &mut facts));
        asked.iter().all(|it| match &it.kind {
            ExprKind::Filled(place) => of.is_filled(place, &facts),
            ExprKind::Unary(UnaryOp::IsSome, one) => of.is_there(one, &facts),
            _ => false,
        })
    }

    fn is_among(&self, one: &Expr, all: &[&Expr]) -> bool {
        all.iter().any(|it| alike(one, it))
    }

    /// `count { x in S where P } == 1` is `no { x in S where x != s and P }` where `P` surely holds of `s`, one of `S`; and so with
    /// more or less than one. Said before it is looked at what is counted.
    pub(super) fn but_for_one(&mut self, expr: &Expr) -> Option<Expr> {
        let (op, count, number) = expr.as_binary()?;
        let binder = counted(count)?.only_binder()?;
        let op = asks_for(op, number.as_value()?.checked_sub(1)?)?;
        let x = self.local(binder.local, count.span);
        let is_all = matches!(&binder.over.as_set()?.kind, ExprKind::All(_));
        let guard = binder.guard.as_ref().filter(|_| is_all)?;
        let (mut ones, mut own) = (Vec::new(), vec![binder.local]);
        each_in_expr(guard, &mut |node| match node {
            Node::Expr(it) if it.ty == x.ty && it.as_local().is_some() => ones.push(it),
            Node::Binds(local) => own.push(local),
            _ => {}
        });
        ones.retain(|it| !mentions(it, &own));
        let mut ones = ones.into_iter();
        let one = ones.find(|it| self.holds_of(guard, binder.local, it))?;
        let other = joined(BinaryOp::Ne, x, one.clone());
        let others = binder.unguarded().guarded(other.and(guard.clone()));
        Some(Expr::truth(Aggregate::over(op, vec![others]), count.span))
    }

    /// Whether a condition on a variable holds of one whatever the position: `k(x) >= k(s)` holds of `s`.
    fn holds_of(&mut self, cond: &Expr, x: LocalId, one: &Expr) -> bool {
        let mut of_one = cond.clone();
        substitute(&mut of_one, &HashMap::from([(x, one.clone())]));
        let mut parts = Vec::new();
        conjuncts(&of_one, &mut parts);
        parts.into_iter().all(|it| match &it.kind {
            ExprKind::Binary(BinaryOp::Ge | BinaryOp::Le, left, right) => {
                alike(left, right) && !left.ty.optional && !right.ty.optional
            }
            _ => self.always(it),
        })
    }

    /// `sum { e for k in 0..2 } == 3` is `every { e >= 1 for k in 0..2 }` where no `e` is more than one. Said before the sum is looked at,
    /// so that each is asked for alone.
    pub(super) fn all_add_one(&mut self, expr: &Expr) -> Option<Expr> {
        let (op, sum, number) = expr.as_binary()?;
        let (all, of, number) = (asks_for_all(op)?, sum.as_aggregate()?, number.as_value()?);
        let (binder, value) = (of.only_binder_of(AggregateOp::Sum)?, of.value.as_ref()?);
        let few = self.few_of(binder)?.len() as i64;
        if few != number || binder.guard.is_some() || value.ty.optional {
            return None;
        }
        if self.bounds_of(value)?.1 != 1 {
            return None;
        }
        let one = Expr::number(1, value.span);
        let each = joined(BinaryOp::Ge, value.clone(), one);
        let every = Aggregate::over(AggregateOp::Every, vec![binder.clone()]).of(each);
        let every = Expr::truth(every, sum.span);
        Some(if all { every } else { not(every) })
    }
}

fn counted(expr: &Expr) -> Option<&Aggregate> {
    match &expr.kind {
        ExprKind::Aggregate(it) if it.op == AggregateOp::Count => Some(it),
        _ => None,
    }
}

/// Whether a comparison of a number with the greatest that it may be holds where it is that, or where it is less.
fn asks_for_all(op: BinaryOp) -> Option<bool> {
    match op {
        BinaryOp::Eq | BinaryOp::Ge => Some(true),
        BinaryOp::Ne | BinaryOp::Lt => Some(false),
        _ => None,
    }
}
