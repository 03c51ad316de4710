//! Steps of `reach` as rows of a table and sets.

use super::Gen;
use super::inline::mentions;
use super::mask::is_local;
use super::tables::Tabled;
use super::unroll::joined;
use crate::engine::layout::words_for;
use crate::engine::op::Reg;
use crate::model::{BinaryOp, DomainId, Expr, ExprKind, LocalId};

/// A step of `reach`: where it leads whatever lies on the table, and what is asked of the places it leads to,
/// wherever it comes from.
pub(super) struct Opened {
    pub rows: Expr,
    /// Stands for such a place.
    pub to: LocalId,
    pub asked: Vec<Expr>,
}

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
        let step = self.opened_step(step, var, domain)?;
        let (mut early, mut facts) = (self.facts.clone(), self.facts.clone());
        self.learn_in(step.to, &step.rows, &mut facts);
        let mut masks = Vec::new();
        for cond in &step.asked {
            masks.push(self.sound_plan(cond, step.to, domain, &mut early, &mut facts)?);
            self.learn(cond, true, &mut facts);
        }
        let table = self.sure_table(&step.rows, &[var])?;
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

    /// Takes what lies on the table out of a step.
    pub(super) fn opened_step(
        &mut self,
        step: &Expr,
        var: LocalId,
        domain: DomainId,
    ) -> Option<Opened> {
        let to = self.shared.fresh_local(var);
        let one = Expr {
            kind: ExprKind::Local(to),
            ty: self.shared.local_type(to),
            span: step.span,
        };
        let (mut rows, mut asked) = (step.clone(), Vec::new());
        while self.shared.tabled(&rows, &[var]).is_none() {
            if !mentions(&rows, &[var]) {
                asked.insert(0, joined(BinaryOp::In, one.clone(), rows.clone()));
                rows.kind = ExprKind::All(domain);
                break;
            }
            let (base, more) = self.opened(&rows, &one)?;
            asked.splice(..0, more);
            rows = base;
        }
        let hangs = |it: &Expr| mentions(it, &[var]);
        let (mut always, asked): (Vec<_>, Vec<_>) = asked.into_iter().partition(hangs);
        if let Some(first) = (!always.is_empty()).then(|| always.remove(0)) {
            let and = |all, one| joined(BinaryOp::And, all, one);
            let within = joined(BinaryOp::In, one, rows);
            let cond = always.into_iter().fold(and(within, first), and);
            rows = self.collect(&cond, to, domain, to);
        }
        Some(Opened { rows, to, asked })
    }
}
