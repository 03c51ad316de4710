//! Conditions on what lies behind a run, for all `q` at once: `P(step(q, d, 1 + count (walk d from q while x: C(x))))`,
//! and `some { t in walk d from q while x: C(x) where P(t) }`, as which other wordings are written.

use std::collections::HashMap;

use super::Gen;
use super::facts::Facts;
use super::inline::{mentions, substitute};
use super::mask::{Plan, is_local};
use super::steps::{Walk, counted_set};
use super::structure::same;
use super::through::is_nowhere;
use super::walks::{is_plain, length_in};
use crate::engine::layout::words_for;
use crate::engine::op::{Op, Reg};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, DomainId, Expr, ExprKind, LocalId, Node, Type,
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
    goal: Goal,
}

/// Where the place lies that is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Goal {
    /// Behind the run, not one of it.
    Behind,
    /// On the run.
    Within,
    /// Either.
    Any,
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
        let aggregate = counted.as_aggregate()?;
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
                && one_less(count).is_some_and(|it| same(it, &counted))
            {
                step = Some(it.clone());
            }
        });
        let step = step?;
        let ty = Type::of(Base::Elem(domain));
        let y = self.shared.new_local(ty);
        let mut end = cond.clone();
        self.shared.put_alike(&mut end, &step, y, ty);
        if mentions(&end, &[x]) || !is_nowhere(&end, y) {
            return None;
        }
        self.run_plan(walk, (y, end), Goal::Behind)
    }

    /// The same for `some { t in walk d from q while x: C(x) where P(t) }`.
    pub(super) fn on_the_way_plan(
        &mut self,
        aggregate: &Aggregate,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        let binder = aggregate.only_binder_of(AggregateOp::Some)?;
        let (set, asked) = (binder.over.as_set()?, binder.guard.as_ref()?);
        let walk = Walk::of(set)?;
        let along = self.along(walk);
        let (var, goal) = match along.beyond {
            false => (along.var, Goal::Within),
            true => (self.shared.fresh_local(along.var), Goal::Any),
        };
        let run = Walk {
            var: along.var,
            cond: &along.cond,
            ..walk
        };
        let mut end = asked.clone();
        let place = Expr::local(var, Type::of(Base::Elem(domain)), set.span);
        substitute(&mut end, &HashMap::from([(binder.local, place)]));
        if mentions(&end, &[x]) || !is_from(run, x, domain) {
            return None;
        }
        self.run_plan(run, (var, end), goal)
    }

    /// Where a run leads to a place of which something holds.
    fn run_plan(&mut self, walk: Walk<'_>, (y, end): (LocalId, Expr), goal: Goal) -> Option<Plan> {
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
            goal,
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
        if behind.goal == Goal::Within {
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
        let goal = match behind.goal {
            Goal::Any => asked,
            Goal::Behind | Goal::Within => self.temps(n),
        };
        match behind.goal {
            Goal::Any => {}
            Goal::Behind => self.and_not(goal, asked, mask, n),
            Goal::Within => self.and(goal, asked, mask, n),
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
    Walk::of(walk).filter(|walk| is_from(*walk, x, domain))
}

fn is_from(walk: Walk<'_>, x: LocalId, domain: DomainId) -> bool {
    let own = walk.space == domain && is_local(walk.from, x);
    let is_free = !mentions(walk.cond, &[x]) && !mentions(walk.way, &[x]);
    is_plain(walk.way) && own && is_free
}

/// What is counted, of a number that is one more.
pub(super) fn one_less(number: &Expr) -> Option<&Expr> {
    let (left, right) = number.operands_of(BinaryOp::Add)?;
    match (&left.kind, &right.kind) {
        (ExprKind::Value(1), _) => Some(right),
        (_, ExprKind::Value(1)) => Some(left),
        _ => None,
    }
}
