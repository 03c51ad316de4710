//! `some { p in S where q in T(p) }` for all q at once, T made of walks: the walks back, from where the members lie.

use std::collections::HashMap;

use super::Gen;
use super::arms::chain;
use super::flood::asked_of;
use super::inline::{mentions, size_of, substitute};
use super::mask::{Plan, is_local};
use super::question::Question;
use super::related::some;
use super::steps::{self, Walk};
use super::structure::Structure;
use super::unroll::{joined, not};
use super::walks::is_plain;
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DomainId, Expr, ExprKind, LocalId, Over, Type,
    UnaryOp, locals_of,
};

impl Gen<'_, '_> {
    /// A question whether an element is where walks from some place lead, asked the other way round: whether walks
    /// from the element lead to such a place.
    pub(super) fn covered_plan(
        &mut self,
        cond: &Expr,
        aggregate: &Aggregate,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        let read = locals_of(cond).into_iter().filter(|it| *it != x);
        let locals = std::iter::once(x).chain(read);
        let typed = locals.map(|it| (it, self.shared.local_type(it)));
        let key = Structure::nameless(cond, typed);
        if self.shared.uncovered.contains(&key) {
            return None;
        }
        let plan = self.covered_from(cond, aggregate, x, domain);
        if plan.is_none() {
            self.shared.uncovered.insert(key);
        }
        plan
    }

    fn covered_from(
        &mut self,
        cond: &Expr,
        aggregate: &Aggregate,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        let mut question = Question::of(aggregate.binders.clone());
        question.binders.last_mut()?.guard = asked_of(aggregate);
        question.open();
        if let [binder] = aggregate.binders.as_slice() {
            self.shared.without_reach(&mut question.conds, binder.local);
        }
        let one = self.shared.local(x, cond.span);
        question.only_one(self.shared, &one, x);
        let turned = self.turned(question, &one, x)?;
        if !self.shared.surely(cond) {
            return None;
        }
        let turned = match aggregate.op {
            AggregateOp::Some => turned,
            _ => not(turned),
        };
        let plan = self.plan(&turned, x, domain)?;
        Some(Plan::Any(vec![(turned, plan)]))
    }
}

impl Gen<'_, '_> {
    /// The question asked of an element by the walks back from it.
    fn turned(&mut self, mut question: Question, one: &Expr, x: LocalId) -> Option<Expr> {
        let locals = question.locals();
        let own = |it: &Expr| mentions(it, &[x]) && mentions(it, &locals);
        let is_free = |it: &Binder| matches!(&it.over, Over::Set(set) if !mentions(set, &[x]));
        let at = question.conds.iter().position(own)?;
        let target = question.conds.remove(at);
        if question.conds.iter().any(own) || !question.binders.iter().all(is_free) {
            return None;
        }
        let ExprKind::Binary(BinaryOp::In, member, set) = target.kind else {
            return None;
        };
        if !is_local(&member, x) {
            return None;
        }
        let parts = match set.kind {
            ExprKind::Walk { .. } => return self.walked_back(&question, &set, one, x),
            ExprKind::Binary(BinaryOp::Union, left, right) => vec![(None, *left), (None, *right)],
            ExprKind::If(cond, then, other) => {
                vec![(Some((*cond).clone()), *then), (Some(not(*cond)), *other)]
            }
            ExprKind::Match(subject, arms, other) if !subject.ty.optional => {
                let whole = Expr {
                    kind: ExprKind::Value(0),
                    ..*set
                };
                vec![(None, chain(&subject, &arms, other.as_deref(), &whole)?)]
            }
            _ => return None,
        };
        let mut all: Option<Expr> = None;
        for (cond, set) in parts {
            let is_in = joined(BinaryOp::In, one.clone(), set);
            let conds = question.conds.iter().cloned().chain(cond).chain([is_in]);
            let mut binders = question.binders.clone();
            binders.last_mut()?.guard = conds.reduce(Expr::and);
            let mut part = some(binders);
            self.shared.asked = self.shared.asked.checked_sub(size_of(&part))?;
            self.shared.rename(&mut part);
            all = Some(match all {
                Some(all) => all.or(part),
                None => part,
            });
        }
        all
    }

    fn walked_back(
        &mut self,
        question: &Question,
        set: &Expr,
        one: &Expr,
        x: LocalId,
    ) -> Option<Expr> {
        let walk = Walk::of(set)?;
        if let ExprKind::Local(way) = walk.way.kind
            && let Some(at) = question.binders.iter().position(|it| it.local == way)
        {
            let is_in = joined(BinaryOp::In, one.clone(), set.clone());
            let mut all: Option<Expr> = None;
            for value in self.shared.few_of(question.binders.get(at)?)? {
                let mut known = question.known(self.shared, at, value, &is_in)?;
                let ExprKind::Binary(_, _, set) = known.conds.pop()?.kind else {
                    return None;
                };
                let part = self.walked_back(&known, &set, one, x)?;
                self.shared.asked = self.shared.asked.checked_sub(size_of(&part))?;
                all = Some(match all {
                    Some(all) => all.or(part),
                    None => part,
                });
            }
            return all;
        }
        let binder = question.only_binder()?;
        let fits = is_local(walk.from, binder.local)
            && !mentions(walk.way, &[binder.local])
            && is_plain(walk.way)
            && self.shared.longest_line(walk.space).is_some()
            && self.shared.leads_back(walk.space, walk.ways)?;
        let along = self.along(walk);
        if !fits || mentions(&along.cond, &[binder.local]) {
            return None;
        }
        let back = match walk.way.kind {
            ExprKind::Value(way) => {
                let n = i64::try_from(self.domain_size(walk.ways)).ok()?;
                ExprKind::Value((way + n / 2) % n)
            }
            _ => ExprKind::unary(UnaryOp::Opposite, walk.way.clone()),
        };
        let back = walk.way.with_kind(back);
        let ty = Type::of(Base::Elem(walk.space));
        let [t, y] = [(); 2].map(|()| self.shared.new_local(ty));
        let here = |local| Expr::local(local, ty, set.span);
        // The walk back goes on to the first place that need not be one of those gone through.
        let goes_on = steps::beyond(one, &back, (along.var, &along.cond), &here(y));
        let walk_back = steps::walk(&back, one, (y, goes_on), walk.space, set.span);
        let by = HashMap::from([(binder.local, here(t))]);
        let mut asked = Vec::new();
        if let Over::Set(from) = &binder.over {
            asked.push(joined(BinaryOp::In, here(t), from.clone()));
        }
        let (outside, inside): (Vec<_>, Vec<_>) = question
            .conds
            .iter()
            .cloned()
            .partition(|it| mentions(it, &[x]));
        asked.extend(inside);
        asked.iter_mut().for_each(|it| substitute(it, &by));
        let last = Binder::over(t, walk_back)
            .ordered(binder.order.clone())
            .guarded(asked.into_iter().reduce(Expr::and));
        let mut all = outside;
        if !along.beyond {
            let mut cond = (*along.cond).clone();
            substitute(&mut cond, &HashMap::from([(along.var, one.clone())]));
            all.push(cond);
        }
        all.push(some(vec![last]));
        all.into_iter().reduce(Expr::and)
    }
}
