//! What the language brings by name.

use crate::diagnostic::codes;
use crate::model::{
    AggregateOp, Base, BinaryOp, DomainKind, Expr, ExprKind, Near, Place, Shape, Type, UnaryOp,
    ZoneKind,
};
use crate::source::Span;
use crate::syntax::ast;

use super::thing::arguments;
use super::types::{CALCULATED, INT};
use super::{Checked, Checker, Reported, bounds};

/// A function that the language brings; an item of the same name hides it.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// The name that it is found by.
    pub name: &'static str,
    /// How it is asked, with names that say what for.
    pub form: &'static str,
    /// What it gives.
    pub meaning: &'static str,
}

/// Each form with its meaning, and what answers it: whatever the checker knows, the reference tells.
macro_rules! built_ins {
    ($check:ident, $span:ident, $want:ident;
     $($name:literal ($($arg:ident),*) $meaning:literal => $answer:expr;)*) => {
        /// What the language brings by name, as the reference lists it; a name with several forms has several entries.
        pub const BUILT_INS: &[BuiltIn] = &[$(BuiltIn {
            name: $name,
            form: concat!($name, "(", built_ins!(@listed $($arg),*), ")"),
            meaning: $meaning,
        }),*];

        impl Checker<'_> {
            /// Checks the call of a built-in function; none if there is none of that name.
            #[inline(never)]
            pub(super) fn builtin(
                &mut self,
                call: &ast::Call,
                $want: Option<Type>,
                $span: Span,
            ) -> Option<Checked<Expr>> {
                let $check = self;
                let args: Vec<&ast::Expr> = call.args.iter().map(|it| &it.value).collect();
                Some(match (call.name.as_str(), args.as_slice()) {
                    $(($name, [$($arg),*]) => $answer,)*
                    (name, _) if form(name).is_some() => {
                        let message = format!("`{name}` does not take {}", arguments(args.len()));
                        Err($check.error(codes::WRONG_ARGUMENTS, $span, message))
                    }
                    _ => return None,
                })
            }
        }
    };
    (@listed) => { "" };
    (@listed $first:ident $(, $more:ident)*) => { concat!(stringify!($first) $(, ", ", stringify!($more))*) };
}

built_ins! { check, span, want;
    "orthogonal" (place) "the places that share a side with it" => check.near(Near::Orthogonal, place, span);
    "diagonal" (place) "the places that touch it at a corner" => check.near(Near::Diagonal, place, span);
    "around" (place) "both: the places that share a side with it or touch it at a corner"
        => check.near(Near::Around, place, span);
    "neighbours" (place) "the places one step away, in a space of any kind"
        => check.near(Near::Neighbours, place, span);
    "step" (place, direction) "the place one step away, or `none` off the board"
        => check.step(place, direction, None, span);
    "step" (place, direction, number) "the place so many steps away, or `none`"
        => check.step(place, direction, Some(number), span);
    "distance" (one, other) "the least number of steps between two places, or two values of a `cyclic` list"
        => check.distance(one, other, span);
    "ring" (place, number) "the places that a king needs so many steps to, on a grid or on hexagons"
        => check.ring(place, number, span);
    "in_a_row" (number, set) "the members of a set that lie in straight lines of at least so many of them"
        => check.in_a_row(number, set, span);
    "opposite" (direction) "the opposite direction" => check.opposite(direction, span);
    "laid" (zone) "of a plane: the places where something lies" => check.laid(zone, false, span);
    "frontier" (zone) "of a plane: the free places beside what lies there" => check.laid(zone, true, span);
    "parts_at" (spot) "the parts of the tile that lies there" => check.parts_at(spot, span);
    "part_with" (spot, port) "the part of the tile there that comes out at that port, or `none`"
        => check.part_with(spot, port, span);
    "touching" (part) "the parts of neighbouring tiles that it meets" => check.touching(part, span);
    "loose" (part) "its ports beside which no tile lies" => check.loose(part, span);
    "top" (pile) "the thing on top, or `none` if nobody knows it" => check.top(pile, span);
    "count_of" (kind, zone) "how many of that kind lie there; 0 of a kind that is `none`"
        => check.count_of(kind, zone, span);
    "first" (set) "the first member in the order of its kind, or `none`"
        => check.end_of(AggregateOp::First, set, want, span);
    "last" (set) "the last member, or `none`" => check.end_of(AggregateOp::Last, set, want, span);
    "abs" (number) "the number without its sign" => check.absolute(number, span);
    "ord" (value) "the number of a value in its list, from 0; of a place on a line; of a seat"
        => check.ordinal(value, span);
    "next_seat" (seat) "the seat to the left; after the last comes the first"
        => check.seat_beside(seat, BinaryOp::CycleAdd, span);
    "previous_seat" (seat) "the seat to the right" => check.seat_beside(seat, BinaryOp::CycleSub, span);
    "seats_from" (seat) "behind `in`: all seats, beginning with that one and going round"
        => check.order_of_seats(seat, span);
    "repeated" () "how often this position has occurred, this time included" => check.repeated(span);
}

/// How a built-in function is asked; none if there is none of that name.
pub(super) fn form(name: &str) -> Option<&'static str> {
    BUILT_INS
        .iter()
        .find(|it| it.name == name)
        .map(|it| it.form)
}

impl Checker<'_> {
    fn order_of_seats(&mut self, _: &ast::Expr, span: Span) -> Checked<Expr> {
        Err(self.complain(
            codes::WRONG_TYPE,
            span,
            "`seats_from` is an order, not a set",
            "use it behind `in`: `for each s in seats_from(me)`",
        ))
    }

    fn absolute(&mut self, number: &ast::Expr, span: Span) -> Checked<Expr> {
        let operand = self.typed(number, CALCULATED)?;
        let (lo, hi) = bounds::of(&operand);
        let least = if lo <= 0 && hi >= 0 {
            0
        } else {
            lo.abs().min(hi.abs())
        };
        Ok(Expr {
            kind: ExprKind::unary(UnaryOp::Abs, operand),
            ty: bounds::number(least, lo.abs().max(hi.abs())),
            span,
        })
    }

    fn ordinal(&mut self, value: &ast::Expr, span: Span) -> Checked<Expr> {
        let operand = self.value(value, None)?;
        let Base::Elem(id) = operand.ty.base else {
            let of = self.type_name(operand.ty);
            return Err(self.complain(
                codes::WRONG_TYPE,
                value.span,
                format!("{of} has no number of its own"),
                "`ord` is for values of an enum and for seats",
            ));
        };
        let most = i64::try_from(self.size(id)).unwrap_or(INT.1) - 1;
        Ok(Expr {
            kind: ExprKind::unary(UnaryOp::Ord, operand),
            ty: bounds::number(0, most),
            span,
        })
    }

    fn distance(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span) -> Checked<Expr> {
        let a = self.value(a, None)?;
        let b = self.typed(b, a.ty)?;
        let most = match a.ty.base {
            Base::Elem(id) => match self.domain(id).map(|it| (&it.kind, it.size)) {
                Some((DomainKind::Enum { cyclic: true, .. }, size)) => size / 2,
                Some((DomainKind::Space { .. }, size)) => size,
                _ => 0,
            },
            _ => 0,
        };
        if most == 0 {
            let of = self.type_name(a.ty);
            return Err(self.complain(
                codes::WRONG_TYPE,
                span,
                format!("{of} has no distances"),
                "use `abs(ord(x) - ord(y))`, or declare the enum `cyclic`",
            ));
        }
        Ok(Expr {
            kind: ExprKind::binary(BinaryOp::Distance, a, b),
            ty: bounds::number(0, i64::try_from(most).unwrap_or(INT.1)),
            span,
        })
    }

    fn opposite(&mut self, way: &ast::Expr, span: Span) -> Checked<Expr> {
        let way = self.value(way, Some(Type::of(Base::Elem(self.direction))))?;
        let ty = way.ty;
        if !matches!(ty.base, Base::Elem(_)) {
            let message = "only directions have an opposite";
            return Err(self.error(codes::WRONG_TYPE, way.span, message));
        }
        let kind = ExprKind::unary(UnaryOp::Opposite, way);
        Ok(Expr { kind, ty, span })
    }

    fn seat_beside(&mut self, seat: &ast::Expr, op: BinaryOp, span: Span) -> Checked<Expr> {
        let seat = self.seat_of(seat)?;
        let one = super::holders::number(1, span);
        Ok(Expr {
            kind: ExprKind::binary(op, seat, one),
            ty: self.seat_type(),
            span,
        })
    }

    /// Checks a cell of a space; it may lie off the board.
    pub(super) fn cell_of(&mut self, cell: &ast::Expr) -> Checked<(Expr, crate::model::DomainId)> {
        let cell = self.value(cell, None)?;
        if let Base::Elem(id) = cell.ty.base
            && let Some(DomainKind::Space { .. }) = self.domain(id).map(|it| &it.kind)
        {
            return Ok((cell, id));
        }
        let of = self.type_name(cell.ty);
        Err(self.complain(
            codes::WRONG_TYPE,
            cell.span,
            format!("{of} is no place of a space"),
            "only the elements of a `space` have neighbours",
        ))
    }

    fn near(&mut self, near: Near, cell: &ast::Expr, span: Span) -> Checked<Expr> {
        let (cell, space) = self.cell_of(cell)?;
        Ok(Expr::set(ExprKind::Near(near, Box::new(cell)), space, span))
    }

    /// The type of the directions in a space, which is asked for at a place.
    pub(super) fn way_type(&mut self, space: crate::model::DomainId, span: Span) -> Checked<Type> {
        let ways = match self.domain(space).map(|it| &it.kind) {
            Some(DomainKind::Space {
                shape: Shape::Graph(_) | Shape::Parts { .. },
                ..
            }) => {
                let of = self.type_name(Type::of(Base::Elem(space)));
                let message = format!("no direction leads on from {of}");
                let help = "`neighbours(p)` are the places that lie next to one";
                return Err(self.complain(codes::WRONG_TYPE, span, message, help));
            }
            Some(DomainKind::Space {
                shape: Shape::Plane { sides, .. },
                ..
            }) => *sides,
            _ => self.direction,
        };
        Ok(Type::of(Base::Elem(ways)))
    }

    fn step(
        &mut self,
        cell: &ast::Expr,
        way: &ast::Expr,
        count: Option<&&ast::Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let (cell, space) = self.cell_of(cell)?;
        let ways = self.way_type(space, cell.span)?;
        let way = self.typed(way, ways)?;
        let count = match count {
            Some(count) => self.typed(count, CALCULATED)?,
            None => super::holders::number(1, span),
        };
        Ok(Expr {
            kind: ExprKind::step(cell, way, count),
            ty: Type::of(Base::Elem(space)).or_none(),
            span,
        })
    }

    fn top(&mut self, zone: &ast::Expr, span: Span) -> Checked<Expr> {
        let place = self.place(zone)?;
        let Some(found) = self.game.zones.get(place.zone.index()) else {
            return Err(Reported);
        };
        let (component, pile) = (found.component, found.kind == ZoneKind::Pile);
        if !pile {
            let message = format!("`{}` has no top", found.name);
            return Err(self.complain(
                codes::WRONG_TYPE,
                zone.span,
                message,
                "only a `pile` has one",
            ));
        }
        Ok(Expr {
            kind: ExprKind::Top(place),
            ty: Type::of(Base::Elem(component)).or_none(),
            span,
        })
    }

    /// `pile[n]`: what lies so deep, the top being 1.
    pub(super) fn deep_in(
        &mut self,
        place: Place,
        indices: &[ast::Expr],
        span: Span,
    ) -> Checked<Expr> {
        let [deep] = indices else {
            let name = self.zone_name(&place);
            let message = format!(
                "in a pile things are counted from the top, with one number and not {}",
                indices.len()
            );
            let help = format!("write `{name}[2]` for the second from the top");
            return Err(self.complain(codes::WRONG_ARGUMENTS, span, message, help));
        };
        let deep = self.typed(deep, CALCULATED)?;
        let ty = self.component_type(&place).or_none();
        let kind = ExprKind::Nth(place, Box::new(deep));
        Ok(Expr { kind, ty, span })
    }

    fn count_of(&mut self, value: &ast::Expr, zone: &ast::Expr, span: Span) -> Checked<Expr> {
        let place = self.place(zone)?;
        let component = self
            .game
            .zones
            .get(place.zone.index())
            .map(|it| it.component);
        let value = self.typed(value, Type::of(Base::Elem(component.ok_or(Reported)?)))?;
        let (_, most) = self.most_at(&place);
        Ok(Expr {
            kind: ExprKind::CountOf(place, Box::new(value)),
            ty: bounds::number(0, most),
            span,
        })
    }

    fn repeated(&mut self, span: Span) -> Checked<Expr> {
        if self.game.history == 0 {
            return Err(self.complain(
                codes::NO_HISTORY,
                span,
                "no positions are remembered",
                "write `history up to 100` in the header",
            ));
        }
        let most = i64::from(self.game.history).saturating_add(1);
        Ok(Expr::new(ExprKind::Repeated, bounds::number(0, most), span))
    }
}
