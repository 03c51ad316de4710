//! `some { p in reach { x } via v -> S(v) where P(p) }` for all x at once: one flood from where P holds, back along
//! the steps.

use std::collections::HashMap;

use super::facts::Facts;
use super::inline::{mentions, substitute};
use super::mask::{Plan, is_local};
use super::related::{some, with};
use super::tables::Tabled;
use super::unroll::{joined, not};
use super::{Gen, Shared};
use crate::engine::layout::words_for;
use crate::engine::op::{Op, Reg};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DomainId, Expr, ExprKind, LocalId, Over, Type,
};

/// From where steps lead to a member of a set.
#[derive(Clone, Debug)]
pub(super) struct Flood {
    /// What is reached, as it is written.
    set: Expr,
    /// Stands for where a step leads, and what is asked of that.
    to: LocalId,
    rows: Expr,
    asked: Vec<(Expr, Plan)>,
    /// Stands for where a step comes from, and what is asked of that.
    from: LocalId,
    of_own: Vec<(Expr, Plan)>,
    /// Stands for what is reached, and what is asked of that.
    end: LocalId,
    goal: (Expr, Plan),
    /// By element, last: from where steps lead to it.
    back: Tabled,
}

impl Gen<'_, '_> {
    /// How to get the elements from which steps lead to a member of a set.
    pub(super) fn flood_plan(
        &mut self,
        aggregate: &Aggregate,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        let binder = aggregate.only_binder()?;
        let (Over::Set(set), end) = (&binder.over, binder.local) else {
            return None;
        };
        let ExprKind::Reach { start, var, step } = &set.kind else {
            return None;
        };
        let goal = asked_of(aggregate)?;
        let is_own = set.ty.base == Base::Set(domain) && !self.is_parts(domain);
        if !is_own || !is_only(start, x) || mentions(&goal, &[x]) {
            return None;
        }
        if mentions(step, &[x]) {
            return None;
        }
        let opened = self.opened_step(step, *var, domain)?;
        let plan = self.plan(&goal, end, domain)?;
        let mut asked = Vec::new();
        for cond in opened.asked {
            let plan = self.plan(&cond, opened.to, domain)?;
            asked.push((cond, plan));
        }
        let mut of_own = Vec::new();
        for cond in opened.of_own {
            let plan = self.plan(&cond, *var, domain)?;
            of_own.push((cond, plan));
        }
        let to = opened.to;
        let one = self.shared.local(to, step.span);
        let leads = joined(BinaryOp::In, one, opened.rows.clone());
        let sources = self.collect(&leads, *var, domain, *var);
        let back = self.by_last(&sources, to, domain)?;
        u8::try_from(words_for(self.domain_size(domain))).ok()?;
        let flood = Plan::Flood(Box::new(Flood {
            set: set.clone(),
            to,
            rows: opened.rows,
            asked,
            from: *var,
            of_own,
            end,
            goal: (goal, plan),
            back,
        }));
        Some(match aggregate.op {
            AggregateOp::Some => flood,
            _ => Plan::Not(Box::new(flood)),
        })
    }

    /// A question about what is reached, or related, in other words that can be asked from the other end.
    pub(super) fn asked_from_the_end(&mut self, cond: &Expr, x: LocalId) -> Option<Expr> {
        match &cond.kind {
            ExprKind::Binary(BinaryOp::In, one, set) if !mentions(one, &[x]) => self.met(one, set),
            ExprKind::Aggregate(aggregate) => self.turned_round(aggregate, x),
            _ => None,
        }
    }

    /// `e in reach S via …` is `some { p in reach S via … where p == e }`.
    fn met(&mut self, one: &Expr, set: &Expr) -> Option<Expr> {
        if !matches!(set.kind, ExprKind::Reach { .. }) || one.ty.optional {
            return None;
        }
        let p = self.shared.new_local(one.ty);
        let is = joined(BinaryOp::Eq, one.with_kind(ExprKind::Local(p)), one.clone());
        Some(some(vec![Binder::over(p, set.clone()).guarded(is)]))
    }

    fn turned_round(&mut self, aggregate: &Aggregate, x: LocalId) -> Option<Expr> {
        let asked = asked_of(aggregate)?;
        let binder = aggregate.only_binder()?;
        let set = binder.over.as_set()?;
        let turned = match &set.kind {
            // `some { t in { v for … } where P(t) }` is `some { … where P(v) }`.
            ExprKind::Aggregate(of) if of.op == AggregateOp::Collect => {
                let mut binders = of.binders.clone();
                let last = binders.pop()?;
                let is_own = |it: &Expr| of.binders.iter().any(|of| is_local(it, of.local));
                let value = match &of.value {
                    Some(value) if is_own(value) => value.clone(),
                    None if binders.is_empty() => asked.with_kind(ExprKind::Local(last.local)),
                    _ => return None,
                };
                let value = match value.kind {
                    ExprKind::Local(of) => value.with_type(self.shared.local_type(of)),
                    _ => value,
                };
                let mut asked = asked;
                substitute(&mut asked, &HashMap::from([(binder.local, value)]));
                binders.push(with(last, asked));
                some(binders)
            }
            // Over edges steps lead back as well.
            ExprKind::Reach { start, var, step }
                if is_only(start, x) && !mentions(&asked, &[x]) && !mentions(step, &[x]) =>
            {
                let domain = set.ty.base.set_over()?;
                self.steps_over_edges(*var, step, domain)?;
                let goals = self.collect(&asked, binder.local, domain, binder.local);
                let reached = set.with_kind(ExprKind::Reach {
                    start: Box::new(goals),
                    var: *var,
                    step: step.clone(),
                });
                let one = Expr::local(x, Type::of(Base::Elem(domain)), set.span);
                joined(BinaryOp::In, one, reached)
            }
            // `some { p in reach S(x) … where P(p) }` is `some { s in S(x) where some { p in reach { s } … where P(p) } }`.
            ExprKind::Reach { start, var, step } if !is_only(start, x) && mentions(start, &[x]) => {
                let s = self.shared.fresh_local(*var);
                let one = start.with_kind(ExprKind::Local(s));
                let one = one.with_type(self.shared.local_type(s));
                let start_of_one = start.with_kind(ExprKind::SetOf(vec![one]));
                let reached = set.with_kind(ExprKind::Reach {
                    start: Box::new(start_of_one),
                    var: *var,
                    step: step.clone(),
                });
                let inner = some(vec![Binder::over(binder.local, reached).guarded(asked)]);
                some(vec![Binder::over(s, (**start).clone()).guarded(inner)])
            }
            // `some { t in S where A(t) and some { p in R(x) where B } }` is
            // `some { p in R(x) where some { t in S where A(t) and B } }`.
            _ if !mentions(set, &[x]) => self.exchanged(binder, &asked, x)?,
            _ => return None,
        };
        Some(match aggregate.op {
            AggregateOp::Some => turned,
            _ => not(turned),
        })
    }

    fn exchanged(&mut self, binder: &Binder, asked: &Expr, x: LocalId) -> Option<Expr> {
        let mut parts = Vec::new();
        super::mask::conjuncts(asked, &mut parts);
        let (inner, others): (Vec<&Expr>, Vec<&Expr>) =
            parts.into_iter().partition(|it| mentions(it, &[x]));
        let [inner] = inner[..] else { return None };
        let aggregate = inner.as_aggregate()?;
        let within = aggregate.only_binder_of(AggregateOp::Some)?;
        let set = within.over.as_set()?;
        let swapped = swapped(within, set);
        let within = swapped.as_ref().unwrap_or(within);
        let set = within.over.as_set()?;
        // Exchanged once it must not be exchanged again.
        let is_own = matches!(set.kind, ExprKind::Reach { .. }) && mentions(set, &[x]);
        if !is_own || mentions(set, &[binder.local]) {
            return None;
        }
        let and = |all: Expr, one: &Expr| all.and(one.clone());
        let asked = match &swapped {
            Some(swapped) => swapped.guard.clone()?,
            None => asked_of(aggregate)?,
        };
        let asked = match others.split_first() {
            Some((first, rest)) => {
                let before = rest.iter().fold((*first).clone(), |all, one| and(all, one));
                and(before, &asked)
            }
            None => asked,
        };
        let outer = binder.unguarded().guarded(asked);
        let outer = within.unguarded().guarded(some(vec![outer]));
        Some(some(vec![outer]))
    }

    pub(super) fn flood_early(&mut self, flood: &Flood, facts: &mut Facts) -> bool {
        let mut inputs = flood.back.inputs.iter().rev().skip(1);
        let plans = flood.asked.iter().chain(&flood.of_own);
        let mut plans = plans.map(|(_, plan)| plan);
        inputs.all(|it| self.sure(&it.expr, facts))
            && plans.all(|it| self.early(it, facts))
            && self.early(&flood.goal.1, facts)
    }

    /// No step is asked for what may fault, so it does not matter how many are taken.
    pub(super) fn flood_exact(
        &mut self,
        flood: &Flood,
        domain: DomainId,
        facts: &mut Facts,
    ) -> bool {
        let mark = facts.mark();
        let mut exact = self.sure(&flood.set, facts);
        let (goal, plan) = &flood.goal;
        exact = exact && self.exact(plan, goal, flood.end, domain, facts);
        for (cond, plan) in &flood.of_own {
            exact = exact && self.exact(plan, cond, flood.from, domain, facts);
        }
        self.learn_in(flood.to, &flood.rows, facts);
        for (cond, plan) in &flood.asked {
            exact = exact && self.exact(plan, cond, flood.to, domain, facts);
            self.learn(cond, true, facts);
        }
        facts.release(mark);
        exact
    }

    pub(super) fn flood_mask(&mut self, flood: &Flood, domain: DomainId) -> Reg {
        let n = words_for(self.domain_size(domain));
        let few = u8::try_from(n).unwrap_or(u8::MAX);
        let goal = self.mask(&flood.goal.1, domain, None);
        let mut mask = self.all_of(domain);
        for (_, plan) in &flood.asked {
            mask = self.restricted(mask, plan, domain, n);
        }
        let off = self.row_offset(&flood.back, n);
        let base = flood.back.base;
        let [start, led, before, d] = [(); 4].map(|()| self.temps(n));
        self.and(start, goal, mask, n);
        // From the goals themselves nothing has to lead on.
        for (_, plan) in &flood.of_own {
            mask = self.restricted(mask, plan, domain, n);
        }
        self.op(Op::Reach {
            d: led,
            start,
            mask,
            off,
            n: few,
            base,
        });
        // Nothing is asked of where the way begins.
        self.op(Op::UnionRows {
            d: before,
            set: led,
            n: few,
            m: few,
            off,
            base,
        });
        let mut before = before;
        for (_, plan) in &flood.of_own {
            before = self.restricted(before, plan, domain, n);
        }
        self.or(d, goal, before, n);
        d
    }
}

impl Shared<'_> {
    /// `{ p for g in S, p in reach { g } via … }` is `reach S via …`.
    pub(super) fn reach_of_all(&mut self, expr: &Expr) -> Option<Expr> {
        let aggregate = expr.as_aggregate()?;
        let ([first, last], AggregateOp::Collect) = (aggregate.binders.as_slice(), aggregate.op)
        else {
            return None;
        };
        let (from, set, g) = (first.over.as_set()?, last.over.as_set()?, first.local);
        let ExprKind::Reach { start, var, step } = &set.kind else {
            return None;
        };
        let is_own = is_local(aggregate.value.as_ref()?, last.local) && is_only(start, g);
        if !is_own || from.ty != set.ty || last.guard.is_some() || mentions(step, &[g]) {
            return None;
        }
        let start = match first.guard {
            None => from.clone(),
            Some(_) => set.with_kind(Aggregate::over(AggregateOp::Collect, vec![first.clone()])),
        };
        Some(expr.with_kind(ExprKind::Reach {
            start: Box::new(start),
            var: *var,
            step: step.clone(),
        }))
    }
}

/// What `some` asks, and what `every` and `no` deny, of the last variable.
pub(super) fn asked_of(aggregate: &Aggregate) -> Option<Expr> {
    let guard = aggregate.binders.last()?.guard.clone();
    let counter = match (aggregate.op, &aggregate.value) {
        (AggregateOp::Some | AggregateOp::No, None) => None,
        (AggregateOp::Every, Some(value)) => Some(not(value.clone())),
        _ => return None,
    };
    let parts = guard.into_iter().chain(counter);
    parts.reduce(Expr::and)
}

/// `t in A where t in reach S via …` is `t in reach S via … where t in A`.
fn swapped(binder: &Binder, set: &Expr) -> Option<Binder> {
    let (one, of) = binder.guard.as_ref()?.operands_of(BinaryOp::In)?;
    let is_reached = matches!(of.kind, ExprKind::Reach { .. }) && is_local(one, binder.local);
    is_reached.then(|| {
        binder
            .with_over(of.clone())
            .guarded(joined(BinaryOp::In, one.clone(), set.clone()))
    })
}

/// Whether a set is `{ x }`.
fn is_only(set: &Expr, x: LocalId) -> bool {
    matches!(&set.kind, ExprKind::SetOf(items) if matches!(items.as_slice(), [one] if is_local(one, x)))
}
