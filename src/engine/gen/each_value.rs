//! `action do_(a: Act, q in S)` with `by a { … }`: what a variable of few values tells apart is listed value by value.

use super::by_case::MOST_CASES;
use super::decided::decide;
use super::inline::{mentions, substitute};
use super::mask::conjuncts;
use super::nest::{Cond, Level, Sink};
use super::tables::is_scalar;
use super::{Gen, Shared};
use crate::engine::op::Op;
use crate::model::{
    Binder, Expr, ExprKind, LocalId, Node, NodeMut, Over, Type, change, each_in_expr, locals_of,
    parts_of_expr,
};
use std::collections::HashMap;

/// Most values that are written out.
const MOST_VALUES: usize = 4;

impl Gen<'_, '_> {
    /// Runs a nest for each value of its first variable, one after the other as written, if something asks which one it is and
    /// asks others by that.
    pub(super) fn nest_each_value(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
        sink: &mut Sink<'_>,
    ) -> bool {
        let is_list = matches!(sink, Sink::Emit { .. } | Sink::Exists(_));
        let is_full = self.cases >= MOST_CASES;
        if self.goes_as_written(levels) || !is_list || is_full {
            return false;
        }
        let [first, rest @ ..] = levels else {
            return false;
        };
        let binder = Binder::over(first.local, first.over.clone());
        let values = self.shared.few_of(&binder);
        let values = values.filter(|it| it.len() <= MOST_VALUES && self.lifted.is_empty());
        let (Some(values), true) = (values, self.shared.sorts(first.local, rest, conds)) else {
            return false;
        };
        // What one operation lists is left to it.
        if self.are_pairs(levels, conds, sink) || self.looser(levels, conds, sink).is_some() {
            return false;
        }
        let exit = self.label();
        let (before, behind): (Vec<Cond<'_>>, Vec<Cond<'_>>) =
            conds.iter().copied().partition(|it| it.written == 0);
        let facts = self.facts.clone();
        for cond in before {
            self.cond(cond.expr, false, exit);
            let mut facts = std::mem::take(&mut self.facts);
            self.learn(cond.expr, true, &mut facts);
            self.facts = facts;
        }
        self.cases += 1;
        for value in values {
            let mark = self.mark();
            let mut put = |it: &Expr| self.shared.with_value(it, first.local, value);
            let overs: Vec<Over> = rest
                .iter()
                .map(|level| {
                    let mut over = level.over.clone();
                    match &mut over {
                        Over::Set(set) => *set = put(set),
                        Over::Zone(place) => place.index.iter_mut().for_each(|it| *it = put(it)),
                        Over::Span(from, to) => {
                            *from = put(from);
                            *to = put(to);
                        }
                    }
                    over
                })
                .collect();
            let exprs: Vec<Expr> = behind.iter().map(|it| put(it.expr)).collect();
            let levels: Vec<Level<'_>> = rest
                .iter()
                .zip(&overs)
                .map(|(level, over)| Level { over, ..*level })
                .collect();
            let conds: Vec<Cond<'_>> = behind
                .iter()
                .zip(&exprs)
                .filter(|(_, it)| !matches!(it.kind, ExprKind::Value(1)))
                .map(|(cond, expr)| Cond {
                    expr,
                    written: cond.written.saturating_sub(1),
                })
                .collect();
            match sink {
                Sink::Emit { base, slots } => {
                    if let [slot, slots @ ..] = *slots {
                        let (a, d) = (*base, self.temp());
                        let (e, shift) = (self.constant(value - slot.lo), slot.shift);
                        self.op(Op::Pack { d, a, e, shift });
                        self.nest(&levels, &conds, &mut Sink::Emit { base: d, slots });
                    }
                }
                Sink::Exists(found) => self.nest(&levels, &conds, &mut Sink::Exists(*found)),
                Sink::Count { .. } | Sink::Gather { .. } | Sink::Each(_) => {}
            }
            self.release(mark);
        }
        self.cases -= 1;
        self.facts = facts;
        self.bind(exit);
        true
    }
}

impl Shared<'_> {
    /// Whether something asks which value a variable has and asks others by that.
    fn sorts(&self, of: LocalId, others: &[Level<'_>], conds: &[Cond<'_>]) -> bool {
        let locals: Vec<LocalId> = others.iter().map(|it| it.local).collect();
        let mut parts = Vec::new();
        conds.iter().for_each(|it| conjuncts(it.expr, &mut parts));
        parts.retain(|it| mentions(it, &locals));
        if parts
            .iter()
            .any(|it| mentions(it, &[of]) && self.reads_state(it))
        {
            return true;
        }
        let sets = others.iter().filter_map(|it| it.over.as_set());
        parts.extend(sets);
        parts.into_iter().any(|it| self.sorted_in(it, of))
    }

    fn sorted_in(&self, expr: &Expr, of: LocalId) -> bool {
        if matches!(&expr.kind, ExprKind::Match(subject, ..) if subject.as_local() == Some(of)) {
            return true;
        }
        if expr.ty == Type::BOOL && self.asks_only(expr, of) {
            return true;
        }
        let mut found = false;
        parts_of_expr(expr, &mut |node| {
            if let Node::Expr(part) = node {
                found |= self.sorted_in(part, of);
            }
        });
        found
    }

    /// Whether a question hangs on nothing but one variable.
    fn asks_only(&self, expr: &Expr, of: LocalId) -> bool {
        let (mut others, mut own) = (false, false);
        each_in_expr(expr, &mut |node| {
            if let Node::Expr(part) = node
                && let Some(local) = part.as_local()
            {
                own |= local == of;
                others |= local != of;
            }
        });
        own && !others && !self.reads_state(expr)
    }

    /// An expression for one value of a variable.
    fn with_value(&mut self, expr: &Expr, local: LocalId, value: i64) -> Expr {
        let mut expr = expr.clone();
        if !mentions(&expr, &[local]) {
            return expr;
        }
        self.rename(&mut expr);
        let value = Expr::new(ExprKind::Value(value), self.local_type(local), expr.span);
        substitute(&mut expr, &HashMap::from([(local, value)]));
        self.choose(&mut expr);
        decide(&mut expr);
        self.expand(&mut expr);
        expr
    }

    /// `by k { … }` of a known value, or of what a table says of one, is what it says of it.
    pub(super) fn choose(&mut self, expr: &mut Expr) {
        change::parts_of_expr(expr, &mut |node| {
            if let NodeMut::Expr(part) = node {
                self.choose(part);
            }
        });
        let ExprKind::Match(subject, arms, other) = &expr.kind else {
            return;
        };
        let Some(value) = self.known(subject) else {
            return;
        };
        let arm = arms.iter().find(|(values, _)| values.contains(&value));
        let arm = arm.map(|it| &it.1).or(other.as_deref());
        if let Some(arm) = arm.filter(|it| it.ty == expr.ty) {
            *expr = arm.clone();
        }
    }

    /// What an expression comes to that hangs on nothing.
    pub(super) fn known(&mut self, expr: &Expr) -> Option<i64> {
        if expr.as_value().is_some() {
            return expr.as_value();
        }
        if !is_scalar(expr.ty) || self.reads_state(expr) || !locals_of(expr).is_empty() {
            return None;
        }
        let table = self.tabled(expr, &[]).filter(|it| !it.faults)?;
        match self.cells(&table)? {
            [value] => Some(*value),
            _ => None,
        }
    }
}
