//! Questions in questions: with a variable more or one less, where that is asked of all elements at once.

use super::Gen;
use super::facts::Facts;
use super::mask::conjuncts;
use super::nest::{Cond, Level, Sink};
use super::pairs::with_one_more;
use crate::model::{AggregateOp, Base, Binder, DomainId, Expr, ExprKind, LocalId, Over, UnaryOp};

impl Gen<'_, '_> {
    /// `some { x in S where some { t in T(x) where P } }` as pairs, where it is no set of `x` and the pairs are one
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
        let (question, binder, conds_then) = self.last_question(conds, levels.len())?;
        let last = levels.last()?;
        let (Over::Set(set), Over::Set(_)) = (last.over, &binder.over) else {
            return None;
        };
        let Base::Set(domain) = set.ty.base else {
            return None;
        };
        let facts = self.facts_in(levels, &conds_then);
        if self.is_asked_at_once(question, last.local, domain, facts) {
            return None;
        }
        let all = with_one_more(levels, binder);
        let are_pairs = self.are_pairs(&all, &conds_then, sink)
            || self.looser(&all, &conds_then, sink).is_some();
        drop(all);
        are_pairs.then_some((binder, conds_then))
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

    /// Whether what is asked of an element is a set.
    fn is_asked_at_once(
        &mut self,
        question: &Expr,
        x: LocalId,
        domain: DomainId,
        mut facts: Facts,
    ) -> bool {
        let (asked, early) = (self.shared.asked, &mut self.facts.clone());
        let plan = self.sound_plan(question, x, domain, early, &mut facts);
        self.shared.asked = asked;
        plan.is_some()
    }

    /// The question that is asked last, if it is whether there is an element: one more level, and the other conditions.
    fn last_question<'c>(
        &self,
        conds: &[Cond<'c>],
        n: usize,
    ) -> Option<(&'c Expr, &'c Binder, Vec<Cond<'c>>)> {
        let (at, last) = (conds.iter().enumerate()).rfind(|(_, cond)| cond.written == n)?;
        let mut parts = Vec::new();
        conjuncts(last.expr, &mut parts);
        let question = parts.pop()?;
        let (asked, op) = match &question.kind {
            ExprKind::Unary(UnaryOp::Not, part) => (&**part, AggregateOp::No),
            _ => (question, AggregateOp::Some),
        };
        let ExprKind::Aggregate(aggregate) = &asked.kind else {
            return None;
        };
        let [binder] = aggregate.binders.as_slice() else {
            return None;
        };
        if aggregate.op != op || aggregate.value.is_some() {
            return None;
        }
        let written = n + 1;
        let others = conds.iter().enumerate().filter(|(other, _)| *other != at);
        let others = others.map(|(_, cond)| Cond {
            expr: cond.expr,
            written: cond.written,
        });
        let rest = parts.into_iter().map(|expr| Cond { expr, written: n });
        let guard = binder.guard.iter().map(|expr| Cond { expr, written });
        Some((question, binder, others.chain(rest).chain(guard).collect()))
    }
}
