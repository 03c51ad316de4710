//! Conditions on what lies behind a run, for all `q` at once: `P(step(q, d, 1 + count (walk d from q while x: C(x))))`,
//! and `some { t in walk d from q while x: C(x) where P(t) }`, as which other wordings are written.

use std::collections::HashMap;

use super::facts::Facts;
use super::inline::{mentions, substitute};
use super::mask::{Plan, conjuncts, is_local};
use super::structure::same;
use super::through::{is_nowhere, put};
use super::unroll::joined;
use super::walks::{length_in, to_variable};
use super::{Gen, Shared};
use crate::engine::layout::words_for;
use crate::engine::op::{Op, Reg};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, DomainId, Expr, ExprKind, LocalId, Node, Over, Type,
    each_in_expr,
};

/// A condition on the first place behind a run.
#[derive(Clone, Debug)]
pub(super) struct Behind {
    pub way: Expr,
    /// Where the steps of each way start in the data, and the number of ways.
    steps: (u32, u64),
    /// The variable of the walk, what it asks, and the places where that holds.
    pub run: (LocalId, Expr, Plan),
    /// Stands for the place behind, what is asked of it, and the places where that holds.
    pub end: (LocalId, Expr, Plan),
    /// Whether the place is behind the run, and not one of it.
    is_behind: bool,
}

impl Gen<'_, '_> {
    /// How to get the places of which a condition speaks only by way of the first one behind a run from there,
    /// and which is not met where the run leads off the board.
    pub(super) fn behind_plan(
        &mut self,
        cond: &Expr,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        let counted = length_in(cond)?;
        let ExprKind::Aggregate(aggregate) = &counted.kind else {
            return None;
        };
        let Over::Set(walk) = &aggregate.binders.first()?.over else {
            return None;
        };
        let (way, var, goes_on) = run_from(walk, x, domain)?;
        let Base::Elem(ways) = way.ty.base else {
            return None;
        };
        self.shared.longest_line(domain)?;
        let mut step = None;
        each_in_expr(cond, &mut |node| {
            if let Node::Expr(it) = node
                && let ExprKind::Step {
                    cell,
                    way: to,
                    count,
                } = &it.kind
                && is_local(cell, x)
                && same(to, way)
                && is_one_more(count, &counted)
            {
                step = Some(it.clone());
            }
        });
        let step = step?;
        let ty = Type::of(Base::Elem(domain));
        let y = self.shared.new_local(ty);
        let mut end = cond.clone();
        put(&mut end, &step, y, ty);
        if mentions(&end, &[x]) || !is_nowhere(&end, y) {
            return None;
        }
        let base = self.shared.steps(domain, ways)?;
        let run = self.plan(goes_on, var, domain)?;
        let plan = self.plan(&end, y, domain)?;
        Some(Plan::Behind(Box::new(Behind {
            way: way.clone(),
            steps: (base, self.domain_size(ways)),
            run: (var, goes_on.clone(), run),
            end: (y, end, plan),
            is_behind: true,
        })))
    }

    /// The same for `some { t in walk d from q while x: C(x) where P(t) }`.
    pub(super) fn on_the_way_plan(
        &mut self,
        aggregate: &Aggregate,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        let ([binder], AggregateOp::Some) = (aggregate.binders.as_slice(), aggregate.op) else {
            return None;
        };
        let (Over::Set(walk), Some(asked)) = (&binder.over, &binder.guard) else {
            return None;
        };
        let (way, var, goes_on) = run_from(walk, x, domain)?;
        let mut end = asked.clone();
        let place = Expr {
            kind: ExprKind::Local(var),
            ty: Type::of(Base::Elem(domain)),
            span: walk.span,
        };
        substitute(&mut end, &HashMap::from([(binder.local, place)]));
        if mentions(&end, &[x]) {
            return None;
        }
        let Base::Elem(ways) = way.ty.base else {
            return None;
        };
        self.shared.longest_line(domain)?;
        let base = self.shared.steps(domain, ways)?;
        let run = self.plan(goes_on, var, domain)?;
        let plan = self.plan(&end, var, domain)?;
        Some(Plan::Behind(Box::new(Behind {
            way: way.clone(),
            steps: (base, self.domain_size(ways)),
            run: (var, goes_on.clone(), run),
            end: (var, end, plan),
            is_behind: false,
        })))
    }

    /// Whether the set has the right answer for each element that may be asked.
    pub(super) fn behind_exact(
        &mut self,
        behind: &Behind,
        domain: DomainId,
        facts: &mut Facts,
    ) -> bool {
        let ((x, goes_on, run), (y, asked, end)) = (&behind.run, &behind.end);
        if !self.exact(run, goes_on, *x, domain, facts) {
            return false;
        }
        let mark = facts.mark();
        if !behind.is_behind {
            self.learn(goes_on, true, facts);
        }
        let exact = self.exact(end, asked, *y, domain, facts);
        facts.release(mark);
        exact
    }

    pub(super) fn behind_mask(&mut self, behind: &Behind, domain: DomainId) -> Reg {
        let n = words_for(self.domain_size(domain));
        let mask = self.mask(&behind.run.2, domain, None);
        let asked = self.mask(&behind.end.2, domain, None);
        let goal = self.temps(n);
        if behind.is_behind {
            self.and_not(goal, asked, mask, n);
        } else {
            self.and(goal, asked, mask, n);
        }
        let way = self.value(&behind.way);
        let (base, ways) = behind.steps;
        let shape = self
            .shared
            .walk(base, self.domain_size(domain), ways, false);
        let d = self.temps(n);
        self.op(Op::Behind {
            d,
            goal,
            way,
            mask,
            shape,
        });
        d
    }
}

/// The way, the variable and the condition of a walk from an element.
fn run_from(walk: &Expr, x: LocalId, domain: DomainId) -> Option<(&Expr, LocalId, &Expr)> {
    let ExprKind::Walk {
        way,
        from,
        var,
        cond,
    } = &walk.kind
    else {
        return None;
    };
    let is_plain = matches!(way.kind, ExprKind::Local(_) | ExprKind::Value(_)) && !way.ty.optional;
    let own = walk.ty.base == Base::Set(domain) && is_local(from, x);
    let is_free = !mentions(cond, &[x]) && !mentions(way, &[x]);
    (is_plain && own && is_free).then_some((&**way, *var, &**cond))
}

impl Shared<'_> {
    /// `some { n in 2..7 where P(step(q, d, n)) and every { C(step(q, d, k)) for k in 1..n - 1 } }` is
    /// `some { t in walk d from q while x: C(x) where P(step(t, d)) }`.
    pub(super) fn distance_as_walk(&mut self, expr: &mut Expr) {
        if let ExprKind::Aggregate(aggregate) = &expr.kind
            && let Some(walked) = self.on_the_way(aggregate)
            && self.surely(expr)
        {
            expr.kind = ExprKind::Aggregate(Box::new(walked));
        }
    }

    fn on_the_way(&mut self, aggregate: &Aggregate) -> Option<Aggregate> {
        let (last, AggregateOp::Some) = (aggregate.binders.last()?, aggregate.op) else {
            return None;
        };
        let (n, (2, most)) = (last.local, self.numbers(last)?) else {
            return None;
        };
        let mut parts = Vec::new();
        conjuncts(last.guard.as_ref()?, &mut parts);
        let is_run = |it: &&Expr| run_before(it, n).is_some();
        let (k, asked) = run_before(parts.iter().copied().find(is_run)?, n)?;
        let others = parts
            .iter()
            .filter(|it| !is_run(it))
            .map(|it| (**it).clone());
        let mut end = others.reduce(|one, other| joined(BinaryOp::And, one, other))?;
        let step = step_by(&end, n)?;
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
        let [x, t] = [(); 2].map(|()| self.new_local(ty));
        let mut cond = asked.clone();
        to_variable(&mut cond, cell, way, k, x);
        let next = self.new_local(ty);
        to_variable(&mut end, cell, way, n, next);
        let is_free = !mentions(&cond, &[n, k]) && !mentions(&end, &[n]);
        if !is_free || !is_nowhere(&end, next) {
            return None;
        }
        let here = Expr {
            kind: ExprKind::Local(t),
            ty,
            span: step.span,
        };
        let one = Expr {
            kind: ExprKind::Value(1),
            ty: Type::of(Base::Int(1, 1)),
            span: step.span,
        };
        let further = Expr {
            kind: ExprKind::Step {
                cell: Box::new(here),
                way: way.clone(),
                count: Box::new(one),
            },
            ..step.clone()
        };
        substitute(&mut end, &HashMap::from([(next, further)]));
        let walk = Expr {
            kind: ExprKind::Walk {
                way: way.clone(),
                from: cell.clone(),
                var: x,
                cond: Box::new(cond),
            },
            ty: Type::of(Base::Set(space)),
            span: step.span,
        };
        let mut walked = aggregate.clone();
        let last = walked.binders.last_mut()?;
        (last.local, last.over, last.guard) = (t, Over::Set(walk), Some(end));
        Some(walked)
    }
}

/// Of `every { C for k in 1..n - 1 }` the variable and the condition.
fn run_before(cond: &Expr, n: LocalId) -> Option<(LocalId, &Expr)> {
    let ExprKind::Aggregate(every) = &cond.kind else {
        return None;
    };
    let ([binder], Some(asked), AggregateOp::Every) =
        (every.binders.as_slice(), &every.value, every.op)
    else {
        return None;
    };
    let Over::Span(from, to) = &binder.over else {
        return None;
    };
    let is_before = match &to.kind {
        ExprKind::Binary(BinaryOp::Sub, left, right) => {
            is_local(left, n) && matches!(right.kind, ExprKind::Value(1))
        }
        _ => false,
    };
    let from_one = matches!(from.kind, ExprKind::Value(1));
    (is_before && from_one && binder.guard.is_none()).then_some((binder.local, asked))
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

/// Whether a number is one more than what is counted.
fn is_one_more(number: &Expr, counted: &Expr) -> bool {
    let ExprKind::Binary(BinaryOp::Add, left, right) = &number.kind else {
        return false;
    };
    let is_one = |it: &Expr| matches!(it.kind, ExprKind::Value(1));
    let is_counted = |it: &Expr| same(it, counted);
    is_one(left) && is_counted(right) || is_counted(left) && is_one(right)
}
