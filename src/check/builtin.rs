//! What the language brings by name.

use crate::diagnostic::codes;
use crate::model::{
    AggregateOp, Base, BinaryOp, DomainKind, Expr, ExprKind, Near, Shape, Type, UnaryOp, ZoneKind,
};
use crate::source::Span;
use crate::syntax::ast;

use super::thing::arguments;
use super::types::{CALCULATED, INT};
use super::{Checked, Checker, Reported, bounds};

/// The names that the language brings; an item of the same name hides one.
pub(super) const NAMES: &[&str] = &[
    "abs",
    "around",
    "count_of",
    "diagonal",
    "distance",
    "first",
    "frontier",
    "laid",
    "last",
    "loose",
    "neighbours",
    "next_seat",
    "opposite",
    "ord",
    "orthogonal",
    "part_with",
    "parts_at",
    "previous_seat",
    "repeated",
    "seats_from",
    "step",
    "top",
    "touching",
];

/// How a built-in function is asked, with names that say what for.
pub(super) fn form(name: &str) -> Option<String> {
    let asked = match name {
        "abs" => "number",
        "around" | "diagonal" | "neighbours" | "orthogonal" => "place",
        "count_of" => "kind, zone",
        "distance" => "one, other",
        "first" | "last" => "set",
        "frontier" | "laid" | "top" => "zone",
        "loose" | "touching" => "part",
        "next_seat" | "previous_seat" | "seats_from" => "seat",
        "opposite" => "direction",
        "ord" => "value",
        "part_with" => "spot, port",
        "parts_at" => "spot",
        "step" => "place, direction",
        name if NAMES.contains(&name) => "",
        _ => return None,
    };
    Some(format!("{name}({asked})"))
}

impl Checker<'_> {
    /// Checks the call of a built-in function; none if there is none of that name.
    #[inline(never)]
    pub(super) fn builtin(
        &mut self,
        call: &ast::Call,
        want: Option<Type>,
        span: Span,
    ) -> Option<Checked<Expr>> {
        let args: Vec<&ast::Expr> = call.args.iter().map(|it| &it.value).collect();
        Some(match (call.name.as_str(), args.as_slice()) {
            ("abs", [number]) => self.absolute(number, span),
            ("ord", [value]) => self.ordinal(value, span),
            ("distance", [a, b]) => self.distance(a, b, span),
            ("opposite", [way]) => self.opposite(way, span),
            ("next_seat", [seat]) => self.seat_beside(seat, BinaryOp::CycleAdd, span),
            ("previous_seat", [seat]) => self.seat_beside(seat, BinaryOp::CycleSub, span),
            ("first", [set]) => self.end_of(AggregateOp::First, set, want, span),
            ("last", [set]) => self.end_of(AggregateOp::Last, set, want, span),
            ("orthogonal", [cell]) => self.near(Near::Orthogonal, cell, span),
            ("diagonal", [cell]) => self.near(Near::Diagonal, cell, span),
            ("around", [cell]) => self.near(Near::Around, cell, span),
            ("neighbours", [cell]) => self.near(Near::Neighbours, cell, span),
            ("step", [cell, way]) => self.step(cell, way, None, span),
            ("step", [cell, way, count]) => self.step(cell, way, Some(count), span),
            ("top", [zone]) => self.top(zone, span),
            ("count_of", [value, zone]) => self.count_of(value, zone, span),
            ("laid", [zone]) => self.laid(zone, false, span),
            ("frontier", [zone]) => self.laid(zone, true, span),
            ("parts_at", [spot]) => self.parts_at(spot, span),
            ("touching", [part]) => self.touching(part, span),
            ("loose", [part]) => self.loose(part, span),
            ("part_with", [spot, port]) => self.part_with(spot, port, span),
            ("repeated", []) => self.repeated(span),
            ("seats_from", [_]) => Err(self.complain(
                codes::WRONG_TYPE,
                span,
                "`seats_from` is an order, not a set",
                "use it behind `in`: `for each s in seats_from(me)`",
            )),
            (name, _) if NAMES.contains(&name) => {
                let message = format!("`{name}` does not take {}", arguments(args.len()));
                Err(self.error(codes::WRONG_ARGUMENTS, span, message))
            }
            _ => return None,
        })
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
            kind: ExprKind::Unary(UnaryOp::Abs, Box::new(operand)),
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
            kind: ExprKind::Unary(UnaryOp::Ord, Box::new(operand)),
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
            kind: ExprKind::Binary(BinaryOp::Distance, Box::new(a), Box::new(b)),
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
        let kind = ExprKind::Unary(UnaryOp::Opposite, Box::new(way));
        Ok(Expr { kind, ty, span })
    }

    fn seat_beside(&mut self, seat: &ast::Expr, op: BinaryOp, span: Span) -> Checked<Expr> {
        let seat = self.seat_of(seat)?;
        let one = super::holders::number(1, span);
        Ok(Expr {
            kind: ExprKind::Binary(op, Box::new(seat), Box::new(one)),
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
        Ok(Expr {
            kind: ExprKind::Near(near, Box::new(cell)),
            ty: Type::of(Base::Set(space)),
            span,
        })
    }

    /// The type of the directions in a space.
    pub(super) fn way_type(&self, space: crate::model::DomainId) -> Type {
        let ways = match self.domain(space).map(|it| &it.kind) {
            Some(DomainKind::Space {
                shape: Shape::Plane { sides, .. },
                ..
            }) => *sides,
            _ => self.direction,
        };
        Type::of(Base::Elem(ways))
    }

    fn step(
        &mut self,
        cell: &ast::Expr,
        way: &ast::Expr,
        count: Option<&&ast::Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let (cell, space) = self.cell_of(cell)?;
        let way = self.typed(way, self.way_type(space))?;
        let count = match count {
            Some(count) => self.typed(count, CALCULATED)?,
            None => super::holders::number(1, span),
        };
        Ok(Expr {
            kind: ExprKind::Step {
                cell: Box::new(cell),
                way: Box::new(way),
                count: Box::new(count),
            },
            ty: Type {
                base: Base::Elem(space),
                optional: true,
            },
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
            ty: Type {
                base: Base::Elem(component),
                optional: true,
            },
            span,
        })
    }

    fn count_of(&mut self, value: &ast::Expr, zone: &ast::Expr, span: Span) -> Checked<Expr> {
        let place = self.place(zone)?;
        let component = self
            .game
            .zones
            .get(place.zone.index())
            .map(|it| it.component);
        let value = self.typed(value, Type::of(Base::Elem(component.ok_or(Reported)?)))?;
        let most = self.capacity(&place);
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
        Ok(Expr {
            kind: ExprKind::Repeated,
            ty: bounds::number(0, most),
            span,
        })
    }
}
