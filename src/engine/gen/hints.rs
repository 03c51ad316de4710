//! What keeps a condition from being asked of all elements at once, to say it to the author.

use super::Gen;
use super::facts::Facts;
use crate::model::{BinaryOp, Expr, ExprKind, Node, Over, parts_of_expr};

impl Gen<'_, '_> {
    /// Notes which read keeps a condition from being a set: as written, it may stop the game.
    pub(super) fn note_unguarded(&mut self, cond: &Expr, facts: &mut Facts) {
        if let Some(read) = self.unguarded(cond, facts) {
            self.shared.code.unguarded.push((cond.span, read.span));
        }
    }

    /// The first field that is read of a place where nothing need lie.
    pub(super) fn unguarded<'e>(&mut self, expr: &'e Expr, facts: &mut Facts) -> Option<&'e Expr> {
        let mark = facts.mark();
        let found = self.unguarded_in(expr, facts);
        facts.release(mark);
        found
    }

    fn unguarded_in<'e>(&mut self, expr: &'e Expr, facts: &mut Facts) -> Option<&'e Expr> {
        match &expr.kind {
            ExprKind::PlaceField(place, _) => (!self.is_filled(place, facts)).then_some(expr),
            ExprKind::Field(base, _) if matches!(base.kind, ExprKind::Component(_)) => {
                (!self.is_there(base, facts)).then_some(expr)
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                if let Some(read) = self.unguarded(left, facts) {
                    return Some(read);
                }
                self.learn(left, *op == BinaryOp::And, facts);
                self.unguarded(right, facts)
            }
            ExprKind::If(cond, then, other) => {
                if let Some(read) = self.unguarded(cond, facts) {
                    return Some(read);
                }
                let mark = facts.mark();
                self.learn(cond, true, facts);
                let read = self.unguarded(then, facts);
                facts.release(mark);
                self.learn(cond, false, facts);
                read.or_else(|| self.unguarded(other, facts))
            }
            ExprKind::Aggregate(aggregate) => {
                for binder in &aggregate.binders {
                    if let Over::Set(set) = &binder.over
                        && let Some(read) = self.unguarded(set, facts)
                    {
                        return Some(read);
                    }
                    self.learn_binder(binder.local, &binder.over, facts);
                    if let Some(guard) = &binder.guard {
                        if let Some(read) = self.unguarded(guard, facts) {
                            return Some(read);
                        }
                        self.learn(guard, true, facts);
                    }
                }
                aggregate
                    .value
                    .as_ref()
                    .and_then(|it| self.unguarded(it, facts))
            }
            ExprKind::Reach { start, var, step } => {
                if let Some(read) = self.unguarded(start, facts) {
                    return Some(read);
                }
                self.learn_in(*var, expr, facts);
                self.unguarded(step, facts)
            }
            // There the table is another one.
            ExprKind::After(..) | ExprKind::Can(..) => None,
            _ => {
                let mut parts = Vec::new();
                parts_of_expr(expr, &mut |node| {
                    if let Node::Expr(part) = node {
                        parts.push(part);
                    }
                });
                parts.into_iter().find_map(|it| self.unguarded(it, facts))
            }
        }
    }
}
