//! Steps of `reach` as rows of a table and sets.

use super::Gen;
use super::inline::mentions;
use super::mask::{Plan, conjuncts, is_local};
use super::tables::Tabled;
use crate::engine::layout::words_for;
use crate::engine::op::Reg;
use crate::model::{AggregateOp, BinaryOp, DomainId, Expr, ExprKind, LocalId};

impl Gen<'_, '_> {
    /// For `reach … via x -> step`: rows of a table for what depends on `x` only, and a set for what
    /// does not depend on it.
    pub(super) fn reach_rows(
        &mut self,
        var: LocalId,
        step: &Expr,
        domain: DomainId,
    ) -> Option<(Tabled, Reg)> {
        if self.shared.plain {
            return None;
        }
        let (rows, masks) = self.split_step(step, var, domain);
        let table = self.sure_table(&rows, &[var])?;
        let last = table.inputs.last()?;
        let others = table.inputs.iter().rev().skip(1);
        if !is_local(&last.expr, var) || others.into_iter().any(|i| mentions(&i.expr, &[var])) {
            return None;
        }
        let n = words_for(self.domain_size(domain));
        let mut mask = self.all_of(domain);
        for plan in masks {
            mask = self.restricted(mask, &plan, domain, n);
        }
        Some((table, mask))
    }

    /// Takes the conditions that do not depend on `var` out of a step.
    pub(super) fn split_step(
        &mut self,
        step: &Expr,
        var: LocalId,
        domain: DomainId,
    ) -> (Expr, Vec<Plan>) {
        let ExprKind::Aggregate(aggregate) = &step.kind else {
            return (step.clone(), Vec::new());
        };
        let [binder] = aggregate.binders.as_slice() else {
            return (step.clone(), Vec::new());
        };
        let whole = aggregate.op == AggregateOp::Collect && aggregate.value.is_none();
        let Some(guard) = binder.guard.as_ref().filter(|_| whole) else {
            return (step.clone(), Vec::new());
        };
        let mut parts = Vec::new();
        conjuncts(guard, &mut parts);
        let (mut masks, mut rest) = (Vec::new(), Vec::new());
        let (mut early, mut facts) = (self.facts.clone(), self.facts.clone());
        self.learn_binder(binder.local, &binder.over, &mut facts);
        let mut sure = true;
        for part in parts {
            let free = sure && !mentions(part, &[var]) && self.shared.reads_state(part);
            match if free {
                self.sound_plan(part, binder.local, domain, &mut early, &mut facts)
            } else {
                None
            } {
                Some(plan) => masks.push(plan),
                None => {
                    // Behind what may fault nothing is taken out.
                    sure &= self.sure(part, &mut facts);
                    rest.push(part.clone());
                }
            }
            self.learn(part, true, &mut facts);
        }
        let guard = rest.into_iter().reduce(|a, b| {
            let (ty, span) = (a.ty, a.span);
            Expr {
                kind: ExprKind::Binary(BinaryOp::And, Box::new(a), Box::new(b)),
                ty,
                span,
            }
        });
        let mut rows = (**aggregate).clone();
        if let [binder] = rows.binders.as_mut_slice() {
            binder.guard = guard;
        }
        let kind = ExprKind::Aggregate(Box::new(rows));
        (
            Expr {
                kind,
                ty: step.ty,
                span: step.span,
            },
            masks,
        )
    }
}
