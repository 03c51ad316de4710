//! Conditions on what lies behind a run, for all `q` at once: `P(step(q, d, 1 + count (walk d from q while x: C(x))))`,
//! and `some { t in walk d from q while x: C(x) where P(t) }`, as which other wordings are written.

use std::collections::HashMap;

use super::facts::Facts;
use super::inline::{mentions, substitute};
use super::mask::{Plan, conjuncts, is_local};
use super::steps::{self, Walk, counted_set};
use super::structure::same;
use super::through::{is_nowhere, put};
use super::unroll::joined;
use super::walks::{is_plain, length_in, to_variable};
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
        let walk = run_from(counted_set(aggregate)?, x, domain)?;
        let mut step = None;
        each_in_expr(cond, &mut |node| {
            if let Node::Expr(it) = node
                && let ExprKind::Step {
                    cell,
                    way: to,
                    count,
                } = &it.kind
                && is_local(cell, x)
                && same(to, walk.way)
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
        self.run_plan(walk, (y, end), true)
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
        let (Over::Set(set), Some(asked)) = (&binder.over, &binder.guard) else {
            return None;
        };
        let walk = run_from(set, x, domain)?;
        let mut end = asked.clone();
        let place = Expr {
            kind: ExprKind::Local(walk.var),
            ty: Type::of(Base::Elem(domain)),
            span: set.span,
        };
        substitute(&mut end, &HashMap::from([(binder.local, place)]));
        if mentions(&end, &[x]) {
            return None;
        }
        self.run_plan(walk, (walk.var, end), false)
    }

    /// Where a run leads to a place of which something holds.
    fn run_plan(
        &mut self,
        walk: Walk<'_>,
        (y, end): (LocalId, Expr),
        is_behind: bool,
    ) -> Option<Plan> {
        let domain = walk.space;
        self.shared.longest_line(domain)?;
        let base = self.shared.steps(domain, walk.ways)?;
        let run = self.plan(walk.cond, walk.var, domain)?;
        let plan = self.plan(&end, y, domain)?;
        Some(Plan::Behind(Box::new(Behind {
            way: walk.way.clone(),
            steps: (base, self.domain_size(walk.ways)),
            run: (walk.var, walk.cond.clone(), run),
            end: (y, end, plan),
            is_behind,
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
            .walk(base, self.domain_size(domain), ways, [false; 2]);
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

/// A walk from an element that hangs on it in nothing else.
fn run_from(walk: &Expr, x: LocalId, domain: DomainId) -> Option<Walk<'_>> {
    let walk = Walk::of(walk)?;
    let own = walk.space == domain && is_local(walk.from, x);
    let is_free = !mentions(walk.cond, &[x]) && !mentions(walk.way, &[x]);
    (is_plain(walk.way) && own && is_free).then_some(walk)
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
        let further = steps::step(&here, way, 1, step.span);
        substitute(&mut end, &HashMap::from([(next, further)]));
        let walk = steps::walk(way, cell, (x, cond), space, step.span);
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
