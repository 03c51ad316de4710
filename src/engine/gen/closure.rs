//! Steps of `reach` as rows of a table and sets.

use std::collections::HashMap;

use super::inline::{mentions, substitute};
use super::mask::{conjuncts, is_local};
use super::pairs::From;
use super::pairs_apart::Lead;
use super::sources::only_where;
use super::tables::Tabled;
use super::unroll::joined;
use super::{Gen, Shared};
use crate::engine::layout::words_for;
use crate::engine::op::{Op, Reg};
use crate::model::{Aggregate, AggregateOp, BinaryOp, DomainId, Expr, ExprKind, LocalId, UnaryOp};

/// A step of `reach`: where it leads whatever lies on the table, and what is asked of the places it leads to,
/// wherever it comes from.
pub(super) struct Opened {
    pub rows: Expr,
    /// Stands for such a place.
    pub to: LocalId,
    pub asked: Vec<Expr>,
    /// What a position says of the places from which it leads on, wherever to.
    pub of_own: Vec<Expr>,
}

impl Shared<'_> {
    /// `{ t in T where A(q) and B(t) }` as `{ t in T where B(t) }` of those `q` of which A holds in a position.
    fn led_from(&self, rows: &Expr, q: LocalId) -> Option<(Expr, Vec<Expr>)> {
        let is_own = |it: &Expr, bound: &[LocalId]| {
            mentions(it, &[q]) && !mentions(it, bound) && self.reads_state(it)
        };
        if let Some((set, cond)) = only_where(rows) {
            return is_own(&cond, &[]).then(|| (set, vec![cond]));
        }
        let of = rows.as_aggregate()?;
        let bound: Vec<LocalId> = of.binders.iter().map(|it| it.local).collect();
        let mut all = of.clone();
        let last = all.binders.last_mut()?;
        let guard = last.guard.take()?;
        let mut parts = Vec::new();
        conjuncts(&guard, &mut parts);
        let parts = parts.into_iter().cloned();
        let (own, others): (Vec<_>, Vec<_>) = parts.partition(|it| is_own(it, &bound));
        last.guard = others.into_iter().reduce(Expr::and);
        let is_some = of.op == AggregateOp::Collect && !own.is_empty();
        is_some.then(|| (rows.with_kind(all), own))
    }
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
        if self.shared.is_plain() {
            return None;
        }
        // What leads nowhere is not asked where it leads.
        if !self.sure_here(step) {
            return None;
        }
        let step = self.opened_step(step, var, domain)?;
        if !step.of_own.is_empty() {
            return None;
        }
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
        let one = self.shared.local(to, step.span);
        let (mut rows, mut asked, mut of_own) = (step.clone(), Vec::new(), Vec::new());
        while self.shared.tabled(&rows, &[var]).is_none() {
            if let Some((all, own)) = self.shared.led_from(&rows, var) {
                of_own.extend(own);
                rows = all;
                continue;
            }
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
            let within = joined(BinaryOp::In, one, rows);
            let cond = always.into_iter().fold(within.and(first), Expr::and);
            rows = self.collect(&cond, to, domain, to);
        }
        Some(Opened {
            rows,
            to,
            asked,
            of_own,
        })
    }

    /// What steps lead to, edge by edge: of all that was reached last at once, where a step is one of few and from where it
    /// leads is a set, else element by element.
    pub(super) fn flood(
        &mut self,
        start: Reg,
        var: LocalId,
        step: &Expr,
        domain: DomainId,
        d: Reg,
    ) {
        let n = words_for(self.domain_size(domain));
        let (found, edge, fresh) = (self.temps(n), self.temps(n), self.temps(n));
        self.mov_n(found, start, n);
        self.mov_n(edge, start, n);
        let Some(ways) = self.ways_on(var, step, domain) else {
            self.take_each(edge, var, domain, |it| {
                let mark = it.mark();
                it.set_to(step, domain, fresh);
                it.release(mark);
                it.and_not(fresh, fresh, found, n);
                it.or(found, found, fresh, n);
                it.or(edge, edge, fresh, n);
            });
            self.mov_n(d, found, n);
            return;
        };
        let few = u8::try_from(n).unwrap_or(u8::MAX);
        let (from, led) = (self.temps(n), self.temps(n));
        let (top, done) = (self.label(), self.label());
        self.bind(top);
        let to = self.to(done);
        self.op(Op::JumpEmpty { set: edge, n, to });
        self.op(Op::Clear { d: fresh, n });
        for Way { sources, off, base } in ways {
            let set = match sources {
                Some(sources) => {
                    self.and(from, edge, sources, n);
                    from
                }
                None => edge,
            };
            self.op(Op::UnionRows {
                d: led,
                set,
                n: few,
                m: few,
                off,
                base,
            });
            self.or(fresh, fresh, led, n);
        }
        self.and_not(edge, fresh, found, n);
        self.or(found, found, edge, n);
        self.loop_to(top);
        self.bind(done);
        self.mov_n(d, found, n);
    }

    /// The ways on which steps lead.
    fn ways_on(&mut self, var: LocalId, step: &Expr, domain: DomainId) -> Option<Vec<Way>> {
        let n = words_for(self.domain_size(domain));
        if self.shared.is_plain() || self.is_parts(domain) || u8::try_from(n).is_err() {
            return None;
        }
        let said = self.shared.by_ways(step);
        let mut parts = Vec::new();
        let facts = self.facts.clone();
        let from = From {
            x: var,
            domain,
            member: None,
            early: &facts,
        };
        self.lead_to(
            said.as_ref().unwrap_or(step),
            None,
            &from,
            &facts,
            &mut parts,
        )?;
        let is_by = |(_, case): &Lead| match case.rows.as_slice() {
            [table] => table.inputs.split_last().is_some_and(|(last, others)| {
                is_local(&last.expr, var) && !others.iter().any(|it| mentions(&it.expr, &[var]))
            }),
            _ => false,
        };
        if !parts.iter().all(is_by) {
            return None;
        }
        let ways = parts.into_iter().map(|(sources, case)| {
            let table = case.rows.into_iter().next()?;
            Some(Way {
                sources: sources.map(|it| self.mask(&it, domain, None)),
                off: self.row_offset(&table, n),
                base: table.base,
            })
        });
        ways.collect()
    }
}

/// One way of steps: from which elements it leads on, if not from all, and the rows that say where.
struct Way {
    sources: Option<Reg>,
    off: Reg,
    base: u32,
}

impl Shared<'_> {
    /// `{ t in orthogonal(q) where P(t) }` as `{ step(q, d) for d in D where some step(q, d) and P(step(q, d)) }`.
    fn by_ways(&mut self, step: &Expr) -> Option<Expr> {
        let aggregate = step.as_aggregate()?;
        let binder = aggregate.only_binder_of(AggregateOp::Collect)?;
        let (mut way, next) = self.by_way(binder)?;
        let by = HashMap::from([(binder.local, next.clone())]);
        let there = Expr::truth(ExprKind::unary(UnaryOp::IsSome, next.clone()), step.span);
        way.guard = Some(match binder.guard.clone() {
            Some(mut asked) => {
                substitute(&mut asked, &by);
                there.and(asked)
            }
            None => there,
        });
        let mut value = aggregate.value.clone().unwrap_or_else(|| next.clone());
        substitute(&mut value, &by);
        let said = Aggregate {
            binders: vec![way],
            value: Some(value),
            ..aggregate.clone()
        };
        Some(step.with_kind(said))
    }
}
