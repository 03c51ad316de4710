//! Steps by a number that goes on until something stands in the way, as walks.

use std::collections::HashMap;

use super::Shared;
use super::inline::{mentions, substitute};
use super::mask::{conjuncts, is_local};
use super::related::some;
use super::steps;
use super::structure::same;
use super::through::is_nowhere;
use super::unroll::{joined, not};
use super::walks::is_plain;
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DomainKind, Expr, ExprKind, LocalId, Node,
    NodeMut, Order, Over, Type, UnaryOp, change, each_in_expr,
};

impl Shared<'_> {
    /// `some { n in 2..7 where P(step(q, d, n)) and every { C(step(q, d, k)) for k in 1..n - 1 } }` is
    /// `some { t in walk d from q while x: C(x) where P(step(t, d)) }`; from 1 on it is asked of the walk up to the first
    /// place that is none of those. Where `C` is asked of the last one too, up to n, it is asked of the walk itself.
    pub(super) fn distance_as_walk(&mut self, expr: &Expr) -> Option<Expr> {
        Some(expr.with_kind(self.on_the_way(expr.as_aggregate()?)?))
    }

    fn on_the_way(&mut self, aggregate: &Aggregate) -> Option<Aggregate> {
        let (last, AggregateOp::Some) = (aggregate.binders.last()?, aggregate.op) else {
            return None;
        };
        let (n, (first @ 1..=2, most)) = (last.local, self.numbers(last)?) else {
            return None;
        };
        let mut parts = Vec::new();
        conjuncts(last.guard.as_ref()?, &mut parts);
        let is_run = |it: &&Expr| {
            Run::of(it, n).is_some_and(|it| it.first == 1 && (first == 1 || it.less == 1))
        };
        let run = Run::of(parts.iter().copied().find(is_run)?, n)?;
        let others = parts.iter().filter(|it| !is_run(it));
        let (asked, alone): (Vec<&&Expr>, Vec<_>) = others.partition(|it| mentions(it, &[n]));
        let step = asked.iter().find_map(|it| step_by(it, n))?;
        let ExprKind::Step { cell, way, .. } = &step.kind else {
            return None;
        };
        let (Base::Elem(space), false) =
            (step.ty.base, mentions(cell, &[n]) || mentions(way, &[n]))
        else {
            return None;
        };
        if most < self.longest_line(space)? || cell.ty.optional || way.ty.optional {
            return None;
        }
        let ty = Type::of(Base::Elem(space));
        let [x, t, next] = [(); 3].map(|()| self.new_local(ty));
        let mut cond = run.asked;
        to_variable(&mut cond, cell, way, run.var, x);
        let mut asked: Vec<Expr> = asked.into_iter().map(|it| (*it).clone()).collect();
        asked
            .iter_mut()
            .for_each(|it| to_variable(it, cell, way, n, next));
        let is_free = !mentions(&cond, &[n, run.var]) && !asked.iter().any(|it| mentions(it, &[n]));
        let goes_nowhere = run.less == 0 && is_nowhere(&cond, x);
        if !is_free || !goes_nowhere && !asked.iter().any(|it| is_nowhere(it, next)) {
            return None;
        }
        let here = Expr::local(t, ty, step.span);
        let (end, cond) = match first {
            1 if run.less == 0 => (here, (x, cond)),
            1 if is_plain(cell) && is_plain(way) => {
                let y = self.new_local(ty);
                let here_on = here.with_kind(ExprKind::Local(y));
                let cond = steps::beyond(cell, way, (x, &cond), &here_on);
                (here, (y, cond))
            }
            2 => (steps::step(&here, way, 1, step.span), (x, cond)),
            _ => return None,
        };
        let by = HashMap::from([(next, end)]);
        asked.iter_mut().for_each(|it| substitute(it, &by));
        let walk = steps::walk(way, cell, cond, space, step.span);
        let all = alone.into_iter().map(|it| (*it).clone()).chain(asked);
        let end = all.reduce(Expr::and)?;
        let mut walked = aggregate.clone();
        let last = walked.binders.last_mut()?;
        (last.local, last.over, last.guard) = (t, Over::Set(walk), Some(end));
        Some(walked)
    }

    /// `{ step(q, d, n) for n in 1..7 where every { P(step(q, d, k)) for k in 1..n } }` is
    /// `walk d from q while x: P(x)`.
    pub(super) fn steps_as_walk(&mut self, expr: &Expr) -> Option<Expr> {
        let aggregate = expr.as_aggregate()?;
        let walked = self.walked(aggregate);
        let walked: ExprKind = walked.or_else(|| self.walked_before(aggregate))?.into();
        Some(expr.with_kind(walked))
    }

    /// `{ step(q, d, j) for n in 2..7, j in 1..n - 1 where P(step(q, d, n)) and every { C(step(q, d, k)) for k in 1..n - 1 } }` is
    /// `{ t for t in walk d from q while x: C(x) where some { n in 1..7 where P(step(t, d, n)) and every { C(step(t, d, k)) for k in 1..n - 1 } } }`.
    fn walked_before(&mut self, aggregate: &Aggregate) -> Option<Aggregate> {
        let ([before @ .., far, last], AggregateOp::Collect) =
            (aggregate.binders.as_slice(), aggregate.op)
        else {
            return None;
        };
        let value = aggregate.value.as_ref()?;
        let (cell, way, count) = value.as_step()?;
        let (Over::Span(from, to), None) = (&last.over, &last.guard) else {
            return None;
        };
        let (end, less) = to.operands_of(BinaryOp::Sub)?;
        let n = far.local;
        let is_before = is_local(end, n) && [from, less].iter().all(|it| it.as_value() == Some(1));
        let space = value.ty.base.element_of()?;
        let (1..=2, most) = self.numbers(far)? else {
            return None;
        };
        let is_whole = is_before && most >= self.longest_line(space)?;
        let is_step = is_local(count, last.local) && !cell.ty.optional && is_plain(way);
        let hangs = [cell, way].iter().any(|it| mentions(it, &[n, last.local]));
        if !is_whole || !is_step || hangs {
            return None;
        }
        let mut parts = Vec::new();
        conjuncts(far.guard.as_ref()?, &mut parts);
        let run_of = |it: &Expr| Run::of(it, n).filter(|it| (it.first, it.less) == (1, 1));
        let at = parts.iter().position(|it| run_of(it).is_some())?;
        let run = run_of(parts.remove(at))?;
        let place = Type::of(value.ty.base);
        let [x, t, y, beyond] = [(); 4].map(|()| self.new_local(place));
        let here = |local| Expr::local(local, place, value.span);
        let mut cond = run.asked;
        to_variable(&mut cond, cell, way, run.var, x);
        let (asked, alone): (Vec<&Expr>, Vec<_>) =
            parts.into_iter().partition(|it| mentions(it, &[n]));
        let mut asked: Vec<Expr> = asked.into_iter().cloned().collect();
        for it in &mut asked {
            to_variable(it, cell, way, n, beyond);
        }
        let is_free = !mentions(&cond, &[n, run.var]) && !asked.iter().any(|it| mentions(it, &[n]));
        if !is_free || !asked.iter().any(|it| is_nowhere(it, beyond)) {
            return None;
        }
        let goes_on = steps::beyond(&here(t), way, (x, &cond), &here(y));
        let on = steps::walk(way, &here(t), (y, goes_on), space, value.span);
        let asked = asked.into_iter().reduce(Expr::and);
        let mut closes = some(vec![Binder::over(beyond, on).guarded(asked)]);
        self.rename(&mut closes);
        let all = alone.into_iter().cloned().chain([closes]);
        let walk = steps::walk(way, cell, (x, cond), space, value.span);
        let last = Binder::over(t, walk).guarded(all.reduce(Expr::and));
        let mut walked = aggregate.clone();
        walked.binders = before.iter().cloned().chain([last]).collect();
        walked.value = Some(here(t));
        Some(walked)
    }

    fn walked(&mut self, aggregate: &Aggregate) -> Option<Aggregate> {
        let (last, value) = (aggregate.binders.last()?, aggregate.value.as_ref()?);
        let (cell, way, count) = value.as_step()?;
        let space = value.ty.base.element_of()?;
        let (first, most) = self.numbers(last)?;
        let is_whole = first == 1 && most >= self.longest_line(space)?;
        let is_step = is_local(count, last.local) && !cell.ty.optional && !way.ty.optional;
        let free = mentions(cell, &[last.local]) || mentions(way, &[last.local]);
        if aggregate.op != AggregateOp::Collect || !is_whole || !is_step || free {
            return None;
        }
        let mut parts = Vec::new();
        conjuncts(last.guard.as_ref()?, &mut parts);
        let at = parts
            .iter()
            .position(|it| Run::of(it, last.local).is_some_and(|it| it.first == 1))?;
        let run = Run::of(parts.remove(at), last.local)?;
        let place = Type::of(value.ty.base);
        let (mut x, t) = (self.new_local(place), self.new_local(place));
        let mut cond = run.asked;
        to_variable(&mut cond, cell, way, run.var, x);
        if mentions(&cond, &[run.var, last.local]) {
            return None;
        }
        let here = |local| Expr::local(local, place, value.span);
        let mut guard: Option<Expr> = None;
        for part in parts {
            let mut part = part.clone();
            to_variable(&mut part, cell, way, last.local, t);
            // Walks lead over places that are there.
            if matches!(&part.kind, ExprKind::Unary(UnaryOp::IsSome, it) if is_local(it, t)) {
                continue;
            }
            if mentions(&part, &[last.local]) {
                return None;
            }
            guard = Some(match guard {
                Some(guard) => guard.and(part),
                None => part,
            });
        }
        if run.less == 1 {
            if !is_plain(cell) || !is_plain(way) {
                return None;
            }
            let y = self.new_local(place);
            cond = steps::beyond(cell, way, (x, &cond), &here(y));
            x = y;
        }
        let walk = steps::walk(way, cell, (x, cond), space, value.span);
        let mut walked = aggregate.clone();
        let last = walked.binders.last_mut()?;
        last.local = t;
        last.over = Over::Set(walk);
        last.guard = guard;
        walked.value = Some(here(t));
        Some(walked)
    }

    /// The first and the last of the numbers that a variable takes one after the other.
    pub(super) fn numbers(&self, binder: &Binder) -> Option<(i64, i64)> {
        let (Over::Set(set), Order::Ascending) = (&binder.over, &binder.order) else {
            return None;
        };
        match &set.kind {
            ExprKind::All(id) => {
                let domain = self.game.domains.get(id.index())?;
                let size = i64::try_from(domain.size).ok()?;
                let is_range = matches!(domain.kind, DomainKind::Range);
                is_range.then_some((domain.lo, domain.lo + size - 1))
            }
            ExprKind::SetOf(items) => {
                let value = |it: &Expr| match it.kind {
                    ExprKind::Value(value) => Some(value),
                    _ => None,
                };
                let numbers = items.iter().map(value).collect::<Option<Vec<_>>>()?;
                let (first, last) = (*numbers.first()?, *numbers.last()?);
                numbers
                    .into_iter()
                    .eq(first..=last)
                    .then_some((first, last))
            }
            _ => None,
        }
    }

    /// `max { k in 1..7 where every { P(step(q, d, j)) for j in 1..k } } default 0` is `count (walk d from q while x: P(x))`,
    /// and so with `count`, from the place itself on, and up to the one before.
    pub(super) fn length_as_walk(&mut self, expr: &Expr) -> Option<Expr> {
        let (aggregate, ty) = (expr.as_aggregate()?, expr.ty);
        let binder = aggregate.only_binder()?;
        let (n, (first, most)) = (binder.local, self.numbers(binder)?);
        let is_itself = aggregate.value.as_ref().is_none_or(|it| is_local(it, n));
        let counts = match (aggregate.op, &aggregate.default) {
            (AggregateOp::Count, None) => true,
            (AggregateOp::Max, Some(_)) => false,
            _ => return None,
        };
        let mut parts = Vec::new();
        conjuncts(binder.guard.as_ref()?, &mut parts);
        let at = parts.iter().position(|it| Run::of(it, n).is_some())?;
        let run = Run::of(parts.remove(at), n)?;
        let step = step_by(&run.asked, run.var)?;
        let ExprKind::Step { cell, way, .. } = &step.kind else {
            return None;
        };
        let space = step.ty.base.element_of()?;
        let plain = is_plain(cell) && is_plain(way);
        let is_bound = mentions(cell, &[n, run.var]) || mentions(way, &[n, run.var]);
        let place = Type::of(Base::Elem(space));
        let x = self.new_local(place);
        let mut cond = run.asked.clone();
        to_variable(&mut cond, cell, way, run.var, x);
        let longest = self.longest_line(space)? + run.less;
        let is_free = !is_bound && !mentions(&cond, &[n, run.var]);
        if !is_itself || !plain || !is_free || most < longest || !(0..=longest).contains(&first) {
            return None;
        }
        // Beyond the board nothing goes on, or it is asked whether there is something.
        let further = |it: &&Expr| match &it.kind {
            ExprKind::Unary(UnaryOp::IsSome, it) => {
                matches!(&it.kind, ExprKind::Step { cell: from, way: to, count }
                    if same(from, cell) && same(to, way) && is_local(count, n))
            }
            _ => false,
        };
        let is_there = parts.iter().any(further);
        if !parts.iter().all(further) || !is_there && !is_nowhere(&cond, x) {
            return None;
        }
        // Of no place at all nothing is asked.
        if (run.first, run.less) == (0, 1) && (is_there || first == 0) {
            return None;
        }
        let span = step.span;
        let (var, goes_on) = match (is_there, run.less) {
            (true, 1) => {
                let y = Expr::local(self.new_local(place), place, span);
                let goes_on = steps::beyond(cell, way, (x, &cond), &y);
                let y = y.as_local()?;
                (y, goes_on)
            }
            _ => (x, cond.clone()),
        };
        let plus = if is_there { 0 } else { run.less };
        let walk = steps::walk(way, cell, (var, goes_on), space, span);
        let length = number(longest - plus, counted(self.fresh_local(x), walk));
        let value = |value: i64| number(value, ExprKind::Value(value));
        let more = |by: i64| match by {
            0 => length.clone(),
            _ => {
                let (left, right) = (Box::new(value(by)), Box::new(length.clone()));
                number(longest + 1, ExprKind::Binary(BinaryOp::Add, left, right))
            }
        };
        let (found, nothing) = match (counts, &aggregate.default) {
            (true, _) if first <= 1 => (more(plus + 1 - first), value(0)),
            (false, Some(default)) if first <= plus => (more(plus), default.clone()),
            (false, Some(default)) if first == 1 && matches!(default.kind, ExprKind::Value(0)) => {
                (more(plus), default.clone())
            }
            (false, Some(default)) => {
                let fits = joined(BinaryOp::Ge, more(plus), value(first));
                let arms = [fits, more(plus), default.clone()].map(Box::new);
                let [fits, then, other] = arms;
                let kind = ExprKind::If(fits, then, other);
                (Expr { kind, ty, span }, default.clone())
            }
            _ => return None,
        };
        if run.first == 1 {
            return Some(found);
        }
        substitute(&mut cond, &HashMap::from([(x, (**cell).clone())]));
        let [cond, found, nothing] = [cond, found, nothing].map(Box::new);
        let kind = ExprKind::If(cond, found, nothing);
        Some(Expr { kind, ty, span })
    }
}

/// A number from 0 up to one.
fn number(most: i64, kind: ExprKind) -> Expr {
    let span = crate::source::Span::default();
    Expr::new(kind, Type::of(Base::Int(0, most)), span)
}

fn counted(local: LocalId, set: Expr) -> ExprKind {
    Aggregate::over(AggregateOp::Count, vec![Binder::over(local, set)]).into()
}

/// `every { C for k in 1..n }`, or up to the number before.
pub(super) struct Run {
    pub var: LocalId,
    pub asked: Expr,
    /// The first number, and how many less than n the last one is.
    pub first: i64,
    pub less: i64,
}

impl Run {
    pub fn of(cond: &Expr, n: LocalId) -> Option<Self> {
        let aggregate = cond.as_aggregate()?;
        let binder = aggregate.only_binder()?;
        let asked = match (aggregate.op, &aggregate.value, &binder.guard) {
            (AggregateOp::Every, Some(asked), None) => asked.clone(),
            (AggregateOp::No, None, Some(asked)) => not(asked.clone()),
            _ => return None,
        };
        let Over::Span(from, to) = &binder.over else {
            return None;
        };
        let less = match &to.kind {
            ExprKind::Binary(BinaryOp::Sub, left, right) if is_local(left, n) => {
                matches!(right.kind, ExprKind::Value(1)).then_some(1)?
            }
            _ => is_local(to, n).then_some(0)?,
        };
        let ExprKind::Value(first @ 0..=1) = from.kind else {
            return None;
        };
        Some(Self {
            var: binder.local,
            asked,
            first,
            less,
        })
    }
}

/// The step by a number in a condition.
fn step_by(cond: &Expr, n: LocalId) -> Option<Expr> {
    let mut step = None;
    each_in_expr(cond, &mut |node| {
        if let Node::Expr(it) = node
            && let ExprKind::Step { count, .. } = &it.kind
            && is_local(count, n)
        {
            step = Some(it.clone());
        }
    });
    step
}

/// Writes a variable for each `step(cell, way, count)`.
pub(super) fn to_variable(expr: &mut Expr, cell: &Expr, way: &Expr, count: LocalId, x: LocalId) {
    if let ExprKind::Step {
        cell: from,
        way: to,
        count: steps,
    } = &expr.kind
        && is_local(steps, count)
        && same(from, cell)
        && same(to, way)
    {
        expr.kind = ExprKind::Local(x);
        expr.ty.optional = false;
        return;
    }
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            to_variable(part, cell, way, count, x);
        }
    });
}
