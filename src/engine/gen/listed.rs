//! Tracks at several places that are written one after the other, asked of all of them at once.

use super::Shared;
use super::inline::{binds_nothing, mentions};
use super::mask::conjuncts;
use crate::model::{
    Aggregate, AggregateOp, BinaryOp, Binder, Expr, ExprKind, LocalId, Node, Type, each_in_expr,
};

/// Fewer are rather asked one by one.
const LEAST: usize = 3;

impl Shared<'_> {
    /// `drawn[a(b)] and drawn[c(b)] and drawn[d(b)]`, no position changing the places, is `every { drawn[x] for x in { a(b), c(b), d(b) } }`.
    pub(super) fn all_listed(&mut self, expr: &Expr) -> Option<Expr> {
        expr.operands_of(BinaryOp::And)?;
        let mut parts = Vec::new();
        conjuncts(expr, &mut parts);
        let ExprKind::Track(track, index) = &parts.first()?.kind else {
            return None;
        };
        let [place] = index.as_slice() else {
            return None;
        };
        let (domain, local) = (place.ty.base.element_of()?, only_local(place)?);
        let places = parts.iter().map(|it| match &it.kind {
            ExprKind::Track(of, index) if of == track => match index.as_slice() {
                [one] if only_local(one) == Some(local) => Some(one.clone()),
                _ => None,
            },
            _ => None,
        });
        let places = places.collect::<Option<Vec<_>>>()?;
        let mut is_known = |it: &Expr| {
            let is_plain = binds_nothing(it) && !self.reads_state(it) && self.surely(it);
            is_plain && (!it.ty.optional || self.always(&it.clone().is_there()))
        };
        if places.len() < LEAST || !places.iter().all(&mut is_known) {
            return None;
        }
        let ty = Type::of(place.ty.base);
        let one = self.new_local(ty);
        let holds = parts
            .first()
            .map(|it| it.with_kind(ExprKind::Track(*track, vec![Expr::local(one, ty, it.span)])));
        let set = Expr::set(ExprKind::SetOf(places), domain, expr.span);
        let every = Aggregate::over(AggregateOp::Every, vec![Binder::over(one, set)]).of(holds);
        let every = Expr::truth(every, expr.span);
        self.surely(&every).then_some(every)
    }
}

/// The variable on which a place that is made hangs, if it is one.
fn only_local(place: &Expr) -> Option<LocalId> {
    let mut found = None;
    each_in_expr(place, &mut |node| {
        if let Node::Expr(it) = node {
            found = found.or(it.as_local());
        }
    });
    let local = found?;
    let mut others = false;
    each_in_expr(place, &mut |node| {
        if let Node::Expr(it) = node {
            others |= it.as_local().is_some_and(|it| it != local);
        }
    });
    (!others && mentions(place, &[local])).then_some(local)
}
