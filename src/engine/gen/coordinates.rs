//! Loops over coordinates as loops over places.

use std::collections::HashMap;

use super::Shared;
use super::inline::{mentions, substitute};
use super::related::with;
use super::sure::within;
use super::unroll::joined;
use crate::model::{
    Aggregate, AggregateOp, BinaryOp, DomainId, DomainKind, Expr, ExprKind, Field, LocalId, Node,
    NodeMut, Order, Over, Type, change, each_in_expr,
};

impl Shared<'_> {
    /// `count { c in 1..8, r in 1..8 where P(Cell(c, r)) }` is `count { q in Cell where P(q) }`, and so wherever
    /// the order does not matter: nothing may fault.
    pub(super) fn by_places(&mut self, expr: &mut Expr) {
        let ExprKind::Aggregate(aggregate) = &expr.kind else {
            return;
        };
        let is_unordered = matches!(
            aggregate.op,
            AggregateOp::Count
                | AggregateOp::Some
                | AggregateOp::No
                | AggregateOp::Every
                | AggregateOp::Sum
        );
        if !is_unordered || aggregate.binders.len() < 2 {
            return;
        }
        if let Some((space, locals)) = self.coordinates(aggregate)
            && let Some(by_place) = self.over_places(aggregate, space, &locals)
            && self.surely(expr)
        {
            expr.kind = ExprKind::Aggregate(Box::new(by_place));
        }
    }

    fn axes(&self, space: DomainId) -> Option<&[Field]> {
        match &self.game.domains.get(space.index())?.kind {
            DomainKind::Space { axes, .. } => Some(axes),
            _ => None,
        }
    }

    /// The space of which the first variables are the coordinates, and these in the order of its axes.
    fn coordinates(&self, aggregate: &Aggregate) -> Option<(DomainId, Vec<LocalId>)> {
        let mut found = None;
        let mut note = |node: Node<'_>| {
            let Node::Expr(expr) = node else { return };
            if let ExprKind::Make(space, args) = &expr.kind
                && found.is_none()
            {
                found = self.made_of(*space, args, aggregate);
            }
        };
        let guards = aggregate.binders.iter().filter_map(|it| it.guard.as_ref());
        for part in guards.chain(&aggregate.value) {
            note(Node::Expr(part));
            each_in_expr(part, &mut note);
        }
        found
    }

    fn made_of(
        &self,
        space: DomainId,
        args: &[Expr],
        aggregate: &Aggregate,
    ) -> Option<(DomainId, Vec<LocalId>)> {
        let first = aggregate.binders.get(..args.len())?;
        let axes = self.axes(space)?;
        let mut locals = Vec::new();
        for (arg, axis) in args.iter().zip(axes) {
            // A coordinate, or what is worked out of one: `Cell(c + 1, r)`.
            let mut of = first.iter().map(|it| it.local);
            let local = of.find(|it| mentions(arg, &[*it]))?;
            let alone = of.all(|it| !mentions(arg, &[it]));
            let ty = self.local_type(local);
            if !alone || locals.contains(&local) || ty.optional || !within(ty, axis.ty) {
                return None;
            }
            locals.push(local);
        }
        (locals.len() > 1 && locals.len() == axes.len()).then_some((space, locals))
    }

    fn over_places(
        &mut self,
        aggregate: &Aggregate,
        space: DomainId,
        locals: &[LocalId],
    ) -> Option<Aggregate> {
        let place = Type::of(crate::model::Base::Elem(space));
        let span = aggregate.binders.first()?.guard.as_ref().map(|it| it.span);
        let span = span.unwrap_or_default();
        let axes = self.axes(space)?.to_vec();
        let local = self.new_local(place);
        let here = Expr {
            kind: ExprKind::Local(local),
            ty: place,
            span,
        };
        let coordinate = |at: usize, ty: Type| Expr {
            kind: ExprKind::Field(Box::new(here.clone()), at),
            ty,
            span,
        };
        let (first, rest) = aggregate.binders.split_at_checked(locals.len())?;
        let mut binder = first.last()?.clone();
        binder.local = local;
        binder.guard = None;
        binder.over = Over::Set(Expr {
            kind: ExprKind::All(space),
            ty: Type::of(crate::model::Base::Set(space)),
            span,
        });
        let mut by = HashMap::new();
        for one in first {
            let at = locals.iter().position(|it| *it == one.local)?;
            let axis = axes.get(at)?;
            let Over::Set(set) = &one.over else {
                return None;
            };
            let is_ascending = matches!(one.order, Order::Ascending);
            if mentions(set, locals) || !is_ascending || self.reads_state(set) {
                return None;
            }
            let whole = matches!(set.kind, ExprKind::All(_))
                && self.local_type(one.local).base == axis.ty.base;
            if !whole {
                let among = joined(BinaryOp::In, coordinate(at, axis.ty), set.clone());
                binder = with(binder, among);
            }
            by.insert(one.local, coordinate(at, axis.ty));
        }
        for guard in first.iter().filter_map(|it| it.guard.clone()) {
            binder = with(binder, guard);
        }
        let mut by_place = aggregate.clone();
        by_place.binders = std::iter::once(binder)
            .chain(rest.iter().cloned())
            .collect();
        let rename = |expr: &mut Expr| {
            to_place(expr, space, locals, &here);
            substitute(expr, &by);
        };
        for binder in &mut by_place.binders {
            if let Over::Set(set) = &mut binder.over {
                rename(set);
            }
            binder.guard.iter_mut().for_each(rename);
        }
        by_place.value.iter_mut().for_each(rename);
        let spans = |it: &Over| !matches!(it, Over::Set(_));
        (!by_place.binders.iter().any(|it| spans(&it.over))).then_some(by_place)
    }
}

/// Writes a variable for the place with these coordinates.
fn to_place(expr: &mut Expr, space: DomainId, locals: &[LocalId], here: &Expr) {
    if let ExprKind::Make(of, args) = &expr.kind
        && *of == space
    {
        let named = args.iter().map(|arg| match arg.kind {
            ExprKind::Local(local) => Some(local),
            _ => None,
        });
        if named.eq(locals.iter().map(|it| Some(*it))) {
            *expr = here.clone();
            return;
        }
    }
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            to_place(part, space, locals, here);
        }
    });
}
