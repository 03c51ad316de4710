//! Places of which another condition says that they are there.

use super::Shared;
use super::inline::mentions;
use super::mask::conjuncts;
use super::structure::same;
use super::unroll::{joined, not};
use crate::model::{Base, BinaryOp, Expr, ExprKind, LocalId, Node, Type, UnaryOp, parts_of_expr};

impl Shared<'_> {
    /// `q.row < 8 and P(step(q, n))` is `q.row < 8 and some step(q, n) and P(step(q, n))`: so it is known where `P` is asked.
    pub(super) fn say_there(&mut self, expr: &mut Expr) {
        if !matches!(expr.kind, ExprKind::Binary(BinaryOp::And, ..)) || self.surely(expr) {
            return;
        }
        let mut parts = Vec::new();
        conjuncts(expr, &mut parts);
        let (mut said, mut known): (Vec<Expr>, Vec<Expr>) = (Vec::new(), Vec::new());
        for part in parts {
            let mut places = Vec::new();
            if self.reads_state(part) {
                self.places_made(part, &mut Vec::new(), &mut places);
            } else {
                known.push(part.clone());
            }
            for there in places.into_iter().map(is_there) {
                let unless = known.iter().map(|it| not(it.clone()));
                let follows = unless.fold(there.clone(), |all, one| joined(BinaryOp::Or, one, all));
                if !known.iter().any(|it| same(it, &there)) && self.always(&follows) {
                    said.push(there.clone());
                    known.push(there);
                }
            }
            said.push(part.clone());
        }
        let said = said.into_iter();
        let all = said.reduce(|one, other| joined(BinaryOp::And, one, other));
        if let Some(mut all) = all.filter(|it| self.surely(it)) {
            all.span = expr.span;
            *expr = all;
        }
    }

    /// The largest parts that may be none and hang on names alone.
    fn places_made(&self, expr: &Expr, bound: &mut Vec<LocalId>, places: &mut Vec<Expr>) {
        let is_made = matches!(
            expr.kind,
            ExprKind::Step { .. }
                | ExprKind::Make(..)
                | ExprKind::Table(..)
                | ExprKind::Let(..)
                | ExprKind::If(..)
                | ExprKind::Match(..)
        );
        let is_place = is_made && expr.ty.optional && matches!(expr.ty.base, Base::Elem(_));
        if is_place && !mentions(expr, bound) && !self.reads_state(expr) {
            if !places.iter().any(|it| same(it, expr)) {
                places.push(expr.clone());
            }
            return;
        }
        parts_of_expr(expr, &mut |node| match node {
            Node::Binds(local) => bound.push(local),
            Node::Expr(part) => self.places_made(part, bound, places),
            Node::Stmt(_) => {}
        });
    }
}

fn is_there(place: Expr) -> Expr {
    Expr {
        span: place.span,
        kind: ExprKind::Unary(UnaryOp::IsSome, Box::new(place)),
        ty: Type::BOOL,
    }
}
