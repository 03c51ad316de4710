//! Whether there is something, and how many there are: in places, zones and sets.

use super::aggregate;
use crate::check::family::Family;
use crate::check::holders::number;
use crate::check::thing::Thing;
use crate::check::{Checked, Checker, bounds, operator};
use crate::diagnostic::codes;
use crate::model::{AggregateOp, Base, Expr, ExprKind, Type, UnaryOp, ZoneKind};
use crate::source::Span;
use crate::syntax::ast;

impl Checker<'_> {
    #[inline(never)]
    pub(super) fn occupied(
        &mut self,
        filled: bool,
        operand: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        let word = if filled { "filled" } else { "empty" };
        let place = match self.thing(operand, None)? {
            Thing::Place(place) => place,
            Thing::Family(all) => return Ok(self.lies_anywhere(&all, filled, span)),
            Thing::Value(value) if matches!(value.ty.base, Base::Set(_)) => {
                let instead = if filled { "some" } else { "no" };
                return Err(self.complain(
                    codes::NOT_A_PLACE,
                    span,
                    format!("`{word}` is for places, this is a set"),
                    format!("write `{instead}`"),
                ));
            }
            Thing::Value(value) if value.ty.optional => {
                let instead = if filled { "some" } else { "no" };
                return Err(self.complain(
                    codes::NOT_A_PLACE,
                    span,
                    format!("`{word}` is for places, this is a value"),
                    format!("write `{instead}`"),
                ));
            }
            _ => {
                return Err(self.complain(
                    codes::NOT_A_PLACE,
                    operand.span,
                    "this is no place of a zone",
                    "name a zone, with its index if it has one: `hand[me]`",
                ));
            }
        };
        let expr = Expr::truth(ExprKind::Filled(place), span);
        Ok(either(expr, filled, span))
    }

    #[inline(never)]
    pub(super) fn count(&mut self, operand: &ast::Expr, span: Span) -> Checked<Expr> {
        if let ast::ExprKind::Comprehension(it) = &operand.kind {
            if it.map.is_some() {
                let set = self.collected(it, None, operand.span)?;
                return self.count_set(set, span);
            }
            let parts = self.comprehension(it, None)?;
            let most = self.most_combinations(&parts.binders);
            let ty = bounds::number(0, most);
            return Ok(aggregate(AggregateOp::Count, parts.binders, None, ty, span));
        }
        match self.thing(operand, None)? {
            Thing::Place(place) => {
                let most = self.capacity(&place);
                Ok(Expr {
                    kind: ExprKind::Count(place),
                    ty: bounds::number(0, most),
                    span,
                })
            }
            Thing::Domain(id) => {
                let size = i64::try_from(self.size(id)).unwrap_or(i64::MAX);
                Ok(number(size, span))
            }
            Thing::Family(all) => self.count_everywhere(&all, span),
            thing => {
                let set = self.as_value(thing, None, operand.span)?;
                self.count_set(set, span)
            }
        }
    }

    #[inline(never)]
    fn count_set(&mut self, set: Expr, span: Span) -> Checked<Expr> {
        let binder = self.binder_over_set(set)?;
        let most = self.most_combinations(std::slice::from_ref(&binder));
        let ty = bounds::number(0, most);
        Ok(aggregate(AggregateOp::Count, vec![binder], None, ty, span))
    }

    #[inline(never)]
    pub(super) fn exists(&mut self, some: bool, operand: &ast::Expr, span: Span) -> Checked<Expr> {
        let op = if some {
            AggregateOp::Some
        } else {
            AggregateOp::No
        };
        if let ast::ExprKind::Comprehension(it) = &operand.kind
            && it.map.is_none()
        {
            let parts = self.comprehension(it, None)?;
            return Ok(aggregate(op, parts.binders, None, Type::BOOL, span));
        }
        let value = match self.thing(operand, None)? {
            Thing::Place(place) => {
                let instead = if some { "filled" } else { "empty" };
                let one = self
                    .game
                    .zones
                    .get(place.zone.index())
                    .is_some_and(|it| it.kind == ZoneKind::One);
                if !one {
                    let word = if some { "some" } else { "no" };
                    return Err(self.complain(
                        codes::NOT_A_SET,
                        span,
                        format!("`{word}` is for sets, this is a place"),
                        format!("write `{instead}`"),
                    ));
                }
                let expr = Expr::truth(ExprKind::Filled(place), span);
                return Ok(either(expr, some, span));
            }
            Thing::Family(all) => return Ok(self.lies_anywhere(&all, some, span)),
            thing => self.as_value(thing, None, operand.span)?,
        };
        match value.ty.base {
            Base::Set(_) => {
                let binder = self.binder_over_set(value)?;
                Ok(aggregate(op, vec![binder], None, Type::BOOL, span))
            }
            _ if value.ty.optional => {
                let expr = Expr::truth(ExprKind::unary(UnaryOp::IsSome, value), span);
                Ok(either(expr, some, span))
            }
            _ => {
                let of = self.type_name(value.ty);
                let word = if some { "some" } else { "no" };
                Err(self.complain(
                    codes::NOT_A_SET,
                    operand.span,
                    format!("this is {of}, which is always there"),
                    format!("`{word}` asks a set, or a value that may be none"),
                ))
            }
        }
    }

    /// How many lie in all places of a zone.
    fn count_everywhere(&mut self, family: &Family, span: Span) -> Checked<Expr> {
        let (places, place) = self.each_in(family, span);
        let of = self
            .most_combinations(&places)
            .saturating_mul(self.capacity(&place));
        let all = self.copies_of(self.component_of(family.zone)?)?;
        let most = of.min(i64::try_from(all).unwrap_or(of));
        let each = Expr {
            ty: bounds::number(0, self.capacity(&place)),
            kind: ExprKind::Count(place),
            span,
        };
        let ty = bounds::number(0, most);
        Ok(aggregate(AggregateOp::Sum, places, Some(each), ty, span))
    }

    /// Whether something lies in any place of a zone, or nothing in all of them.
    fn lies_anywhere(&mut self, family: &Family, some: bool, span: Span) -> Expr {
        let (mut places, place) = self.each_in(family, span);
        if let Some(last) = places.last_mut() {
            last.guard = Some(Expr::truth(ExprKind::Filled(place), span));
        }
        let op = match some {
            true => AggregateOp::Some,
            false => AggregateOp::No,
        };
        aggregate(op, places, None, Type::BOOL, span)
    }
}

/// The question as it is, or its opposite.
fn either(expr: Expr, holds: bool, span: Span) -> Expr {
    match holds {
        true => expr,
        false => operator::not(expr, span),
    }
}
