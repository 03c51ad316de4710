//! A number that must be within its bounds and is the same for all rounds of a loop: it is looked at before the loop, where
//! the loop has a first round that would ask for it. Then the rest of the condition is a set.

use super::Gen;
use super::facts::Facts;
use super::inline::mentions;
use super::mask::{conjuncts, is_local};
use super::nest::{Cond, Level, Sink};
use super::related::{some, with};
use crate::model::{BinaryOp, Binder, Expr, ExprKind, LocalId, NodeMut, Over, change};

impl Gen<'_, '_> {
    /// Runs a nest so, if the first that may fault in it is such a number.
    pub(super) fn nest_held(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
        sink: &mut Sink<'_>,
    ) -> bool {
        if self.shared.is_plain() || self.literal > 0 {
            return false;
        }
        let Some((asked, held)) = self.held_first(levels, conds) else {
            return false;
        };
        let ExprKind::Let(local, value, _) = &held.kind else {
            return false;
        };
        let exit = self.label();
        self.cond(&asked, false, exit);
        let fresh = self.shared.fresh_local(*local);
        self.bind_let(fresh, value);
        let known = held.with_kind(ExprKind::Local(fresh));
        let better: Vec<Expr> = conds
            .iter()
            .map(|cond| {
                let mut expr = cond.expr.clone();
                put_held(&mut expr, *local, &known);
                expr
            })
            .collect();
        let conds: Vec<Cond<'_>> = conds
            .iter()
            .zip(&better)
            .map(|(cond, expr)| Cond { expr, ..*cond })
            .collect();
        self.nest(levels, &conds, sink);
        self.bind(exit);
        true
    }

    /// Whether a first element asks for such a number, and what it is.
    fn held_first(&mut self, levels: &[Level<'_>], conds: &[Cond<'_>]) -> Option<(Expr, Expr)> {
        let level = levels.first().filter(|it| it.member.is_none())?;
        let [before, mut parts] = [0, 1].map(|stage| {
            let mut parts = Vec::new();
            let conds = conds.iter().filter(|it| it.written == stage);
            conds.for_each(|it| conjuncts(it.expr, &mut parts));
            parts
        });
        if !parts.iter().any(|it| held_in(it).is_some()) || matches!(level.over, Over::Span(..)) {
            return None;
        }
        let within = before.len();
        parts.splice(..0, before);
        let locals: Vec<LocalId> = levels.iter().map(|it| it.local).collect();
        let mut facts: Facts = self.facts.clone();
        if !self.over_sure(level.over, &mut facts) {
            return None;
        }
        self.learn_binder(level.local, level.over, &mut facts);
        let mut binder = Binder::over(level.local, level.over.clone()).ordered(level.order.clone());
        for (at, part) in parts.into_iter().enumerate() {
            if self.sure(part, &mut facts) {
                self.learn(part, true, &mut facts);
                binder = with(binder, part.clone());
                continue;
            }
            // What is asked before the loop is asked without a round too.
            let held = held_in(part).filter(|it| at >= within && !mentions(it, &locals));
            let held = held?.clone();
            let ExprKind::Let(local, ..) = &held.kind else {
                return None;
            };
            let mut rest = part.clone();
            let known = held.with_kind(ExprKind::Local(*local));
            put_held(&mut rest, *local, &known);
            let mut asked = some(vec![binder]);
            self.shared.rename(&mut asked);
            return self.sure(&rest, &mut facts).then_some((asked, held));
        }
        None
    }
}

/// A number that is checked, where a condition asks for it whatever else it asks.
fn held_in(cond: &Expr) -> Option<&Expr> {
    match &cond.kind {
        ExprKind::Let(local, _, body) if is_local(body, *local) => Some(cond),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, first, _) => held_in(first),
        ExprKind::Binary(_, left, right) => held_in(left).or_else(|| held_in(right)),
        ExprKind::Unary(_, part) => held_in(part),
        _ => None,
    }
}

/// Writes what is known in place of what is checked.
fn put_held(expr: &mut Expr, held: LocalId, known: &Expr) {
    if matches!(&expr.kind, ExprKind::Let(local, ..) if *local == held) {
        *expr = known.clone();
        return;
    }
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            put_held(part, held, known);
        }
    });
}
