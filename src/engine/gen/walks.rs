//! Walks and steps: a walk of known length as steps, and steps until something stands in the way as a walk.

use super::mask::is_local;
use std::collections::HashMap;

use super::flood::asked_of;
use super::graph::Callee;
use super::inline::{mentions, substitute};
use super::mask::{Plan, conjuncts};
use super::related::{some, with};
use super::steps::{self, Walk, counted_set};
use super::sure::within;
use super::through::is_nowhere;
use super::{Gen, Shared};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DefineId, DomainId, DomainKind, Expr, ExprKind,
    LocalId, Node, Over, Shape, Type, UnaryOp, each_in_expr,
};

impl Gen<'_, '_> {
    /// `some { d in D where P, t in T(d) where Q }` asks for each `d` whether there is such a `t`.
    pub(super) fn nested_plan(
        &mut self,
        cond: &Expr,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        let aggregate = cond.as_aggregate()?;
        if let ([_, _, ..], AggregateOp::Every) = (aggregate.binders.as_slice(), aggregate.op) {
            let mut binders = aggregate.binders.clone();
            binders.last_mut()?.guard = asked_of(aggregate);
            let nested = denied(some(binders));
            let plan = self.plan(&nested, x, domain)?;
            return Some(Plan::Any(vec![(nested, plan)]));
        }
        let quantified = matches!(aggregate.op, AggregateOp::Some | AggregateOp::No);
        if !quantified || aggregate.value.is_some() {
            return None;
        }
        // Walks that are the same in every position are rows of a table.
        if let [_, .., last] = aggregate.binders.as_slice()
            && last.over.as_set().is_some_and(|it| Walk::of(it).is_some())
            && let mut sets = aggregate.binders.iter().map(|it| it.over.as_set())
            && sets.all(|it| it.is_some_and(|it| !self.shared.reads_state(it)))
            && let Some(rows) = self.related_plan(aggregate, x, domain)
        {
            return Some(rows);
        }
        let nested = match aggregate.binders.as_slice() {
            [first, rest @ ..] if !rest.is_empty() => {
                let inner = some(rest.to_vec());
                let mut nested = aggregate.clone();
                nested.binders = vec![with(first.clone(), inner)];
                cond.with_kind(nested)
            }
            // Whether a walk leads anywhere is whether its first step does.
            [only] if only.guard.is_none() => {
                let walk = only.over.as_set()?;
                let first = match &walk.kind {
                    ExprKind::Aggregate(of) if is_made_of_members(of) => some(of.binders.clone()),
                    ExprKind::Aggregate(of) => {
                        let any = match aggregate.op {
                            AggregateOp::Some => some_value(of)?,
                            _ => denied(some_value(of)?),
                        };
                        let plan = self.plan(&any, x, domain)?;
                        return Some(Plan::Said(Box::new((any, plan))));
                    }
                    _ => self.shared.step_of(walk, 1)?,
                };
                match aggregate.op {
                    AggregateOp::Some => first,
                    _ => denied(first),
                }
            }
            _ => return None,
        };
        let plan = self.plan(&nested, x, domain)?;
        Some(Plan::Any(vec![(nested, plan)]))
    }
}

/// The opposite of a whole: what is asked first stays first.
fn denied(whole: Expr) -> Expr {
    let span = whole.span;
    Expr::truth(ExprKind::unary(UnaryOp::Not, whole), span)
}

/// `some { e for x in S where P }` is `some { x in S where P and some e }`, where nothing faults.
fn some_value(of: &Aggregate) -> Option<Expr> {
    let (AggregateOp::Collect, Some(value)) = (of.op, &of.value) else {
        return None;
    };
    let mut binders = of.binders.clone();
    if value.ty.optional {
        let last = binders.pop()?;
        binders.push(with(last, value.clone().is_there()));
    }
    Some(some(binders))
}

/// Whether a comprehension has a member for each combination of its variables.
fn is_made_of_members(aggregate: &Aggregate) -> bool {
    let is_variable = |it: &Expr| aggregate.binders.iter().any(|of| is_local(it, of.local));
    aggregate.op == AggregateOp::Collect && aggregate.value.as_ref().is_none_or(is_variable)
}

/// The first length of a walk that is asked for, and is the same wherever the condition asks for it.
pub(super) fn length_in(cond: &Expr) -> Option<Expr> {
    let mut found = None;
    let mut bound = Vec::new();
    each_in_expr(cond, &mut |node| {
        if let Node::Binds(local) = node {
            bound.push(local);
        }
    });
    each_in_expr(cond, &mut |node| {
        if let Node::Expr(expr) = node
            && let ExprKind::Aggregate(aggregate) = &expr.kind
            && let Some(walk) = counted_set(aggregate)
            && found.is_none()
            && !asks_for(walk, &bound)
        {
            found = Some(expr.clone());
        }
    });
    found
}

/// Whether a cell or a way is known without asking for it, and there.
pub(super) fn is_plain(it: &Expr) -> bool {
    match &it.kind {
        ExprKind::Local(_) | ExprKind::Value(_) => !it.ty.optional,
        ExprKind::Unary(UnaryOp::Opposite, way) => is_plain(way),
        _ => false,
    }
}

/// Whether a walk hangs on one of these, the variable that goes along it aside.
fn asks_for(walk: &Expr, locals: &[LocalId]) -> bool {
    let ExprKind::Walk { var, .. } = &walk.kind else {
        return true;
    };
    let others: Vec<LocalId> = locals.iter().copied().filter(|it| it != var).collect();
    let mut own = Vec::new();
    each_in_expr(walk, &mut |node| {
        if let Node::Binds(local) = node {
            own.push(local);
        }
    });
    let outside: Vec<LocalId> = others.into_iter().filter(|it| !own.contains(it)).collect();
    mentions(walk, &outside)
}

impl Shared<'_> {
    /// Whether a walk goes so far, if it has gone one step less.
    fn step_of(&mut self, walk: &Expr, at: i64) -> Option<Expr> {
        let Walk {
            way,
            from,
            var,
            cond,
            space,
            ..
        } = Walk::of(walk)?;
        let plain = is_plain(way) && is_plain(from);
        // A walk is a fault without a way; of no place there is no step.
        if !plain || way.ty.optional || self.longest_line(space).is_none() {
            return None;
        }
        let step = steps::step(from, way, at, walk.span);
        let mut holds = cond.clone();
        self.rename(&mut holds);
        let nowhere = is_nowhere(&holds, var);
        substitute(&mut holds, &HashMap::from([(var, step.clone())]));
        if nowhere {
            return Some(holds);
        }
        Some(step.is_there().and(holds))
    }

    /// `{ t for d in D, t in walk d from q where A(d) and B(t) }` is `{ t in { t for d in { d in D where A(d) }, t in walk d from q }
    /// where B(t) }`: walks that are taken together.
    pub(super) fn rays_apart(&mut self, expr: &mut Expr) {
        let ExprKind::Aggregate(aggregate) = &expr.kind else {
            return;
        };
        let ([ways, last], AggregateOp::Collect) = (aggregate.binders.as_slice(), aggregate.op)
        else {
            return;
        };
        let is_asked = ways.guard.is_some() || last.guard.is_some();
        let value = aggregate.value.as_ref();
        if !is_asked || steps::rays_of(&ways.unguarded(), &last.unguarded(), value).is_none() {
            return;
        }
        let mut parts = Vec::new();
        let guards = ways.guard.iter().chain(&last.guard);
        guards.for_each(|it| conjuncts(it, &mut parts));
        let hangs = |it: &&Expr| mentions(it, &[last.local]);
        let (ends, starts): (Vec<&Expr>, Vec<&Expr>) = parts.into_iter().partition(hangs);
        if ends.iter().any(|it| mentions(it, &[ways.local])) {
            return;
        }
        let all = |parts: Vec<&Expr>| {
            let parts = parts.into_iter().cloned();
            parts.reduce(Expr::and)
        };
        let mut binders = vec![ways.unguarded(), last.unguarded()];
        let Over::Set(over) = &ways.over else { return };
        if let (Some(asked), Some(ways)) = (all(starts), binders.first_mut()) {
            let way = self.fresh_local(ways.local);
            let named = self.local(way, asked.span);
            let mut asked = asked;
            substitute(&mut asked, &HashMap::from([(ways.local, named)]));
            let own = Binder {
                local: way,
                guard: Some(asked),
                ..ways.clone()
            };
            let own = Aggregate::over(AggregateOp::Collect, vec![own]);
            ways.over = Over::Set(over.with_kind(own));
        }
        let rays = expr.with_kind(aggregate.with_binders(binders));
        let apart = match all(ends) {
            None => rays,
            Some(asked) => {
                let member = self.fresh_local(last.local);
                let named = self.local(member, asked.span);
                let mut asked = asked;
                substitute(&mut asked, &HashMap::from([(last.local, named)]));
                let member = Binder::over(member, rays).ordered(last.order.clone());
                let members = vec![member.guarded(asked)];
                expr.with_kind(Aggregate::over(AggregateOp::Collect, members))
            }
        };
        // The ways are worked out first in either case.
        let mut asked = ways.guard.iter().chain(&last.guard);
        let sure = asked.all(|it| self.surely(it))
            && matches!(&last.over, Over::Set(walk) if self.surely(walk));
        if sure || self.surely(expr) && self.surely(&apart) {
            *expr = apart;
        }
    }

    /// Whether each way leads back to where its opposite came from.
    pub(super) fn leads_back(&mut self, space: DomainId, ways: DomainId) -> Option<bool> {
        let base = self.steps(space, ways)?;
        let (cells, n) = (self.domain(space)?.size, self.domain(ways)?.size);
        let (cells, n) = (usize::try_from(cells).ok()?, usize::try_from(n).ok()?);
        let steps = self.code.data.get(base as usize..)?.get(..cells * n)?;
        let step = |way: usize, cell: usize| usize::try_from(*steps.get(way * cells + cell)?).ok();
        Some((0..n).all(|way| {
            (0..cells).all(|cell| {
                let next = step(way, cell);
                next.is_none_or(|next| step((way + n / 2) % n, next) == Some(cell))
            })
        }))
    }

    /// `f(q, d) = if P(q) then 1 + f(step(q, d), d) else 0` is `if P(q) then 1 + count (walk d from q while x: P(x)) else 0`, where `P`
    /// holds of no place that is not there, and no line is as long as `f` may be deep.
    pub(super) fn calls_as_walk(&mut self, id: DefineId, body: &Expr) -> Option<Expr> {
        let define = self.game.defines.get(id.index())?;
        let ExprKind::If(cond, then, other) = &body.kind else {
            return None;
        };
        let (one, more) = then.operands_of(BinaryOp::Add)?;
        let (one, call) = match one.as_value() {
            Some(_) => (one, more),
            None => (more, one),
        };
        let ExprKind::Call(called, args) = &call.kind else {
            return None;
        };
        if (one.as_value(), other.as_value(), *called) != (Some(1), Some(0), id) {
            return None;
        }
        let params = &define.params;
        let mut moved = params.iter().zip(args).filter(|it| !is_local(it.1, *it.0));
        let (Some((q, step)), None) = (moved.next(), moved.next()) else {
            return None;
        };
        let (cell, way, count) = step.as_step()?;
        let (space, ty) = (cell.ty.base.element_of()?, self.local_type(*q));
        let leads_on = is_local(cell, *q) && count.as_value() == Some(1) && ty.optional;
        if !leads_on || !is_plain(way) || mentions(way, &[*q]) || !is_nowhere(cond, *q) {
            return None;
        }
        let mut calls_back = false;
        each_in_expr(cond, &mut |node| {
            if let Node::Expr(it) = node
                && let ExprKind::Call(called, _) = it.kind
            {
                calls_back |= self
                    .graph
                    .in_circle(Callee::Define(id), Callee::Define(called));
            }
        });
        let longest = self.longest_line(space)?;
        let fits = within(Type::of(Base::Int(0, longest + 1)), define.ty);
        if calls_back || !fits || longest >= i64::from(define.depth) {
            return None;
        }
        let ty = Type::of(ty.base);
        let x = self.new_local(ty);
        let mut goes_on = (**cond).clone();
        let to = Expr::local(x, ty, cell.span);
        substitute(&mut goes_on, &HashMap::from([(*q, to)]));
        self.rename(&mut goes_on);
        let from = Expr::local(*q, ty, cell.span);
        let walk = steps::walk(way, &from, (x, goes_on), space, then.span);
        let cells = Binder::over(self.new_local(ty), walk);
        let length = Expr::new(
            Aggregate::over(AggregateOp::Count, vec![cells]),
            Type::of(Base::Int(0, longest)),
            then.span,
        );
        let length = then.with_kind(ExprKind::binary(BinaryOp::Add, one.clone(), length));
        let whole = ExprKind::choice((**cond).clone(), length, (**other).clone());
        Some(body.with_kind(whole))
    }

    /// Most steps in one direction, where none comes back.
    pub(super) fn longest_line(&self, space: DomainId) -> Option<i64> {
        match &self.game.domains.get(space.index())?.kind {
            DomainKind::Space {
                axes,
                shape: Shape::Grid | Shape::Hexes | Shape::Line,
            } => {
                let longest = axes.iter().map(|it| it.size).max()?;
                i64::try_from(longest).ok().map(|it| it - 1)
            }
            DomainKind::Space {
                shape: Shape::Cells(cells),
                ..
            } => i64::try_from(cells.longest_line()?).ok(),
            _ => None,
        }
    }
}
