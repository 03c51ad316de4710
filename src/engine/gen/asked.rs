//! Questions in questions: with a variable more or one less, where that is asked of all elements at once.

use std::collections::HashMap;

use super::Gen;
use super::facts::Facts;
use super::inline::{mentions, rename_in, substitute};
use super::mask::{conjuncts, is_local};
use super::nest::{Cond, Level, Sink};
use super::pairs::{with_asked, with_one_more, with_set};
use super::question::Question;
use super::steps::rays_of;
use super::structure::alike;
use crate::model::{
    Aggregate, AggregateOp, BinaryOp, Binder, Expr, ExprKind, LocalId, Over, UnaryOp,
};

impl Gen<'_, '_> {
    /// `some { x in S where some { t in T(x) where P } }` as pairs, where these are one
    /// operation: the variable of the last level, and all conditions.
    pub(super) fn asked_last<'c>(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'c>],
        sink: &Sink<'_>,
    ) -> Option<(&'c Binder, Vec<Cond<'c>>)> {
        let Sink::Exists(_) = sink else {
            return None;
        };
        let (binder, conds_then) = self.last_question(conds, levels.len())?;
        let last = levels.last()?;
        if matches!(last.over, Over::Span(..)) || matches!(binder.over, Over::Span(..)) {
            return None;
        }
        // Two that are one operation with the question as it stands go before.
        if levels.len() > 1 && self.are_pairs(levels, conds, sink) {
            return None;
        }
        let all = with_one_more(levels, binder);
        let are_pairs = self.are_pairs(&all, &conds_then, sink)
            || self.looser(&all, &conds_then, sink).is_some();
        drop(all);
        are_pairs.then_some((binder, conds_then))
    }

    /// `some { x in S where P }`, P being asked of the members of `S` where these are said, `{ x in S where P }`: the set and what
    /// is asked, where the question is one with one more variable then.
    pub(super) fn asked_of_members(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
        sink: &Sink<'_>,
    ) -> Option<(Over, Vec<Expr>)> {
        let (Sink::Exists(_), [before @ .., last]) = (sink, levels) else {
            return None;
        };
        let (Over::Set(set), None) = (last.over, last.member) else {
            return None;
        };
        let is_own = |it: &Cond<'_>| it.written == levels.len();
        if !matches!(set.kind, ExprKind::Aggregate(_)) || conds.iter().any(is_own) {
            return None;
        }
        let (base, asked) = self.opened_wide(set, last.local);
        let mut facts = self.facts_in(before, conds);
        if asked.is_empty() || !self.sure(set, &mut facts) {
            return None;
        }
        let over = Over::Set(base);
        let then = with_set(levels, 0, &over);
        let all = with_asked(conds, &asked, levels.len());
        let is_one = self.asked_last(&then, &all, sink).is_some();
        drop((then, all));
        is_one.then_some((over, asked))
    }

    /// `b in S where some { d in D where e(d) == b and P }` as `b in { e(d) for d in D where e(d) in S and P }`, where the
    /// last two variables are one operation then: the set, and the other conditions.
    pub(super) fn said_by_few<'c>(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'c>],
        sink: &Sink<'_>,
    ) -> Option<(Over, Vec<Cond<'c>>)> {
        let [before @ .., last] = levels else {
            return None;
        };
        let Over::Set(set) = last.over else {
            return None;
        };
        let listed = matches!(sink, Sink::Emit { .. } | Sink::Exists(_)) && last.member.is_none();
        if !listed || !matches!(set.kind, ExprKind::All(_)) {
            return None;
        }
        let conds = &apart(conds);
        let is_asked = |cond: &&Cond<'c>| {
            matches!(&cond.expr.kind, ExprKind::Aggregate(it) if it.op == AggregateOp::Some)
                && mentions(cond.expr, &[last.local])
        };
        let cond = conds.iter().find(is_asked)?;
        let aggregate = cond.expr.as_aggregate()?;
        let mut question = Question::of(aggregate.binders.clone());
        question.open();
        question.open_sets(self.shared);
        let one = self.shared.local(last.local, cond.expr.span);
        question.only_one(self.shared, &one, last.local);
        let mut facts = self.facts_in(before, conds);
        if let Some(over) = self.said_by_rays(&question, &one, set) {
            let Over::Set(said) = &over else { return None };
            let sure = self.sure(cond.expr, &mut facts.clone()) && self.sure(said, &mut facts);
            return sure.then(|| (over, without(conds, cond.expr)));
        }
        if before.is_empty() {
            return None;
        }
        // What is asked for is one more of its variables.
        question.binders.insert(
            0,
            Binder::over(last.local, last.over.clone()).ordered(last.order.clone()),
        );
        let mut value = [one];
        question.solve(&mut value);
        let [value] = value;
        if mentions(&value, &[last.local]) {
            return None;
        }
        let collected = question.collected(self.shared, value)?;
        let over = Over::Set(set.with_kind(collected));
        let others = without(conds, cond.expr);
        let Over::Set(said) = &over else { return None };
        if !self.sure(cond.expr, &mut facts) || !self.sure(said, &mut facts) {
            return None;
        }
        let then = with_set(levels, 0, &over);
        let is_one =
            self.are_pairs(&then, &others, sink) || self.looser(&then, &others, sink).is_some();
        drop(then);
        is_one.then_some((over, others))
    }

    /// `q in { q in S where some T(q) }, t in T(q)` as `q in S, t in T(q)`, where nothing faults and the last two variables
    /// are one operation then: the set of the first of them.
    pub(super) fn led_on(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
        sink: &Sink<'_>,
    ) -> Option<Over> {
        let [before @ .., outer, inner] = levels else {
            return None;
        };
        let (Over::Set(set), Over::Set(targets), None) = (outer.over, inner.over, outer.member)
        else {
            return None;
        };
        let (base, mut asked) = self.opened_wide(set, outer.local);
        let (of, also) = self.opened_wide(targets, inner.local);
        let targets = picked(&of, inner.local, also);
        let is_said = |it: &mut Self, cond: &Expr| {
            let ExprKind::Aggregate(aggregate) = &cond.kind else {
                return false;
            };
            if aggregate.op != AggregateOp::Some || aggregate.value.is_some() {
                return false;
            }
            let mut members = (**aggregate).clone();
            members.op = AggregateOp::Collect;
            let members = match members.binders.as_slice() {
                [
                    Binder {
                        over: Over::Set(set),
                        guard: None,
                        ..
                    },
                ] => set.clone(),
                _ => targets.with_kind(members),
            };
            let (of, also) = it.opened_wide(&members, inner.local);
            alike(&picked(&of, inner.local, also), &targets)
        };
        let follows = |it: &mut Self, cond: &Expr| {
            // What is not asked any more might fault where something else stands in front of it.
            let mut facts = it.facts_in(before, conds);
            it.follows(cond, inner.over) && it.over_sure(outer.over, &mut facts)
        };
        let at = asked
            .iter()
            .position(|cond| is_said(self, cond) || follows(self, cond))?;
        asked.remove(at);
        let mut less = picked(&base, outer.local, asked);
        self.shared.rename(&mut less);
        let over = Over::Set(less);
        let then = with_set(levels, 1, &over);
        let mut facts = self.facts_in(before, conds);
        let mut sure = self.over_sure(&over, &mut facts);
        self.learn_binder(outer.local, &over, &mut facts);
        for cond in conds.iter().filter(|it| it.written == before.len() + 1) {
            sure = sure && self.sure(cond.expr, &mut facts);
            self.learn(cond.expr, true, &mut facts);
        }
        sure = sure && self.over_sure(inner.over, &mut facts);
        let is_one = sure
            && (self.are_pairs(&then, conds, sink)
                || self.looser(&then, conds, sink).is_some()
                || self.by_way(&then, conds, sink).is_some());
        drop(then);
        is_one.then_some(over)
    }

    /// Whether `some { d in D where A(d) }` holds wherever `{ e(d) for d in D where A(d) and B(d) }` has members.
    fn follows(&mut self, cond: &Expr, over: &Over) -> bool {
        let asked = cond.as_aggregate().filter(|it| it.op == AggregateOp::Some);
        let found = over.as_set().and_then(|it| self.combinations(it));
        let (Some(asked), Some((found, value))) = (asked, found) else {
            return false;
        };
        if asked.value.is_some() || asked.binders.len() != found.binders.len() {
            return false;
        }
        let (mut fresh, mut facts) = (HashMap::new(), self.facts.clone());
        let mut conds = Vec::new();
        for (one, other) in asked.binders.iter().zip(&found.binders) {
            let (Over::Set(mut set), Over::Set(other_set)) = (one.over.clone(), &other.over) else {
                return false;
            };
            rename_in(&mut set, &fresh);
            if !alike(&set, other_set) {
                return false;
            }
            fresh.insert(one.local, other.local);
            self.learn_binder(other.local, &other.over, &mut facts);
            if let Some(guard) = &one.guard {
                let mut guard = guard.clone();
                rename_in(&mut guard, &fresh);
                let mut parts = Vec::new();
                conjuncts(&guard, &mut parts);
                conds.extend(parts.into_iter().cloned());
            }
        }
        let known = found.conds.iter().chain([&value]);
        known.for_each(|it| self.learn(it, true, &mut facts));
        conds.iter().all(|cond| match &cond.kind {
            ExprKind::Unary(UnaryOp::IsSome, it) => self.is_there(it, &facts),
            _ => found.conds.iter().any(|it| alike(it, cond)),
        })
    }

    /// The combinations of which each has a member of a set, and that the member is there.
    fn combinations(&mut self, set: &Expr) -> Option<(Question, Expr)> {
        let of = set.as_aggregate()?;
        if of.op != AggregateOp::Collect {
            return None;
        }
        let mut question = Question::of(of.binders.clone());
        question.open();
        if let Some(value) = &of.value {
            return Some((question, value.clone().is_there()));
        }
        let binder = question.only_binder()?;
        let (mut inner, there) = self.combinations(binder.over.as_set()?)?;
        let ExprKind::Unary(_, value) = &there.kind else {
            return None;
        };
        let by = HashMap::from([(binder.local, (**value).clone())]);
        for mut cond in question.conds {
            substitute(&mut cond, &by);
            inner.conds.push(cond);
        }
        Some((inner, there))
    }

    /// A set as the one that it is part of, and what is asked of its members.
    fn opened_wide(&mut self, set: &Expr, local: LocalId) -> (Expr, Vec<Expr>) {
        let one = self.shared.local(local, set.span);
        let (mut set, mut asked) = (set.clone(), Vec::new());
        while let Some((base, more)) = self.opened(&set, &one) {
            set = base;
            let mut parts = Vec::new();
            more.iter().for_each(|it| conjuncts(it, &mut parts));
            asked.splice(..0, parts.into_iter().cloned());
        }
        (set, asked)
    }

    /// `q in S, d in D` and what is asked of both as `d in { d in D where P(q, d) }`, where D is small and the last two
    /// variables are one operation then: the set, and the other conditions.
    pub(super) fn by_way<'c>(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'c>],
        sink: &Sink<'_>,
    ) -> Option<(Over, Vec<Cond<'c>>)> {
        let [before @ .., last] = levels else {
            return None;
        };
        let (Over::Set(set), [_, ..], None) = (last.over, before, last.member) else {
            return None;
        };
        let (set, mut asked) = self.opened_wide(set, last.local);
        let binder = Binder::over(last.local, set.clone());
        let (_, most) = self.shared.few_elements(&binder)?;
        let ways = self.shared.few_of(&binder).unwrap_or(most).len() as u64;
        let from = self.level_domain(levels, before.len().checked_sub(1)?)?;
        // Each way is asked of all elements, so these have to be more.
        let is_worth_it = self.domain_size(from) >= 2 * ways;
        let listed = is_worth_it && matches!(sink, Sink::Emit { .. } | Sink::Exists(_));
        if !listed || self.are_pairs(levels, conds, sink) {
            return None;
        }
        let is_own = |it: &&Cond<'c>| it.written == levels.len();
        // What does not speak of the last variable is asked before it.
        let mut parts = Vec::new();
        let own = conds.iter().filter(is_own);
        own.for_each(|it| conjuncts(it.expr, &mut parts));
        let (mut facts, mut alone) = (self.facts_in(before, conds), Vec::new());
        for expr in parts {
            if mentions(expr, &[last.local]) || !self.sure(expr, &mut facts) {
                asked.push(expr.clone());
                continue;
            }
            self.learn(expr, true, &mut facts);
            let spoken = |it: &Level<'_>| mentions(expr, &[it.local]);
            let written = before.iter().rposition(spoken).map_or(1, |at| at + 1);
            alone.push(Cond { expr, written });
        }
        if asked.is_empty() {
            return None;
        }
        let mut said = picked(&set, last.local, asked);
        self.shared.rename(&mut said);
        let others = conds.iter().filter(|it| !is_own(it)).copied();
        let others: Vec<_> = others.chain(alone).collect();
        let sure = self.sure(&said, &mut facts);
        let over = Over::Set(said);
        let then = with_set(levels, 0, &over);
        let is_one = sure && self.are_pairs(&then, &others, sink);
        drop(then);
        is_one.then_some((over, others))
    }

    /// `some { d in D where b in walk d from a while x: C(x) and P }` as `b in { t for d in D where P, t in walk d from a while x: C(x) }`.
    fn said_by_rays(&mut self, question: &Question, one: &Expr, set: &Expr) -> Option<Over> {
        let (ways, b) = (question.only_binder()?, one.as_local()?);
        let own = |it: &&Expr| mentions(it, &[b]);
        let (on, before): (Vec<&Expr>, Vec<&Expr>) = question.conds.iter().partition(own);
        let [on] = on[..] else { return None };
        let (member, walk) = on.operands_of(BinaryOp::In)?;
        if !is_local(member, b) || mentions(walk, &[b]) {
            return None;
        }
        let t = self.shared.fresh_local(b);
        let last = Binder::over(t, walk.clone());
        let value = one.with_kind(ExprKind::Local(t));
        rays_of(ways, &last, Some(&value))?;
        let before = before.into_iter().cloned();
        let guard = before.reduce(Expr::and);
        let last = last.guarded(guard);
        let mut rays = set
            .with_kind(Aggregate::over(AggregateOp::Collect, vec![ways.clone(), last]).of(value));
        self.shared.rays_apart(&mut rays);
        Some(Over::Set(rays))
    }

    /// What is known once some variables are bound.
    pub(super) fn facts_in(&self, levels: &[Level<'_>], conds: &[Cond<'_>]) -> Facts {
        let mut facts = self.facts.clone();
        for (at, level) in levels.iter().enumerate() {
            self.learn_binder(level.local, level.over, &mut facts);
            for cond in conds.iter().filter(|cond| cond.written == at + 1) {
                self.learn(cond.expr, true, &mut facts);
            }
        }
        facts
    }

    /// The question that is asked last, if it is whether there is an element: one more level, and the other conditions.
    fn last_question<'c>(
        &self,
        conds: &[Cond<'c>],
        n: usize,
    ) -> Option<(&'c Binder, Vec<Cond<'c>>)> {
        let (at, last) = (conds.iter().enumerate()).rfind(|(_, cond)| cond.written == n)?;
        let mut parts = Vec::new();
        conjuncts(last.expr, &mut parts);
        let question = parts.pop()?;
        let (asked, op) = match &question.kind {
            ExprKind::Unary(UnaryOp::Not, part) => (&**part, AggregateOp::No),
            _ => (question, AggregateOp::Some),
        };
        let aggregate = asked.as_aggregate()?;
        let binder = aggregate.only_binder()?;
        if aggregate.op != op || aggregate.value.is_some() {
            return None;
        }
        let written = n + 1;
        let others = conds.iter().enumerate().filter(|(other, _)| *other != at);
        let others = others.map(|(_, cond)| *cond);
        let rest = parts.into_iter().map(|expr| Cond { expr, written: n });
        let guard = binder.guard.iter().map(|expr| Cond { expr, written });
        Some((binder, others.chain(rest).chain(guard).collect()))
    }
}

/// The members of a set of which something holds.
fn picked(set: &Expr, local: LocalId, asked: Vec<Expr>) -> Expr {
    match asked.into_iter().reduce(Expr::and) {
        Some(guard) => set.filtered(local, guard),
        None => set.clone(),
    }
}

/// What is asked one after the other.
fn apart<'c>(conds: &[Cond<'c>]) -> Vec<Cond<'c>> {
    let mut all = Vec::new();
    for cond in conds {
        let mut parts = Vec::new();
        conjuncts(cond.expr, &mut parts);
        let written = cond.written;
        all.extend(parts.into_iter().map(|expr| Cond { expr, written }));
    }
    all
}

/// The conditions but one.
fn without<'c>(conds: &[Cond<'c>], cond: &Expr) -> Vec<Cond<'c>> {
    let others = conds.iter().filter(|it| !std::ptr::eq(it.expr, cond));
    others.copied().collect()
}
