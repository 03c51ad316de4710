//! Values made of parts: `Plot(c, 1)`, `Suit(2)`; and arguments put in order.

use crate::diagnostic::codes;
use crate::model::{
    Base, BinaryOp, DomainId, DomainKind, Expr, ExprKind, Field, NONE, Shape, Type, UnaryOp,
};
use crate::source::Span;
use crate::syntax::ast;

use super::constant::Const;
use super::drawn::{both, compare};
use super::holders::number;
use super::thing::arguments;
use super::types::NUMBER;
use super::{Checked, Checker, Reported, bounds};

impl Checker<'_> {
    /// `Plot(c, 1)`, `Card(clubs, four)`, `Suit(2)`, `Part(at: q, slot: s)`.
    #[inline(never)]
    pub(super) fn construct(
        &mut self,
        domain: DomainId,
        args: &[ast::Arg],
        span: Span,
    ) -> Checked<Expr> {
        let Some(found) = self.domain(domain).cloned() else {
            return Err(Reported);
        };
        let (fields, shape) = match found.kind {
            DomainKind::Record { fields, .. } => (fields, None),
            DomainKind::Space { axes, shape } => (axes, Some(shape)),
            DomainKind::Enum { .. } | DomainKind::Range => {
                return self.numbered(domain, args, span);
            }
        };
        let names: Vec<String> = fields.iter().map(|it| it.name.clone()).collect();
        let given = self.arrange(&found.name, &names, args, span)?;
        let mut parts = Vec::new();
        let mut off = false;
        let mut failed = false;
        let comes_round = match shape {
            Some(Shape::Plane { span, .. }) => Some(i64::from(span)),
            _ => None,
        };
        // Whether something lies at that spot, only the position knows.
        let laid = matches!(shape, Some(Shape::Parts { .. }));
        for (at, (field, value)) in fields.iter().zip(given).enumerate() {
            let value = match (value, &field.default) {
                (Some(value), _) => {
                    let mut wanted = field.ty;
                    if shape.is_some() {
                        // Off the board is a question of the value, not of its type.
                        if let Base::Int(..) = wanted.base {
                            wanted.base = NUMBER.base;
                        }
                    }
                    let value = self.typed(value, wanted);
                    match shape {
                        Some(_) => value.map(|it| self.or_off_the_board(it)),
                        None => value,
                    }
                }
                (None, Some(default)) => Ok(default.clone()),
                (None, None) => {
                    let message = format!("`{}` needs a value for `{}`", found.name, field.name);
                    let help =
                        "write it, or give the field a value of its own where it is declared";
                    Err(self.complain(codes::WRONG_ARGUMENTS, span, message, help))
                }
            };
            match value {
                Ok(value) => {
                    let within = shape.is_none() || self.within(&value, domain, at, field);
                    match comes_round {
                        Some(after) if !within => parts.push(wrapped(value, after)),
                        _ => {
                            off |= !within;
                            parts.push(value);
                        }
                    }
                }
                Err(Reported) => failed = true,
            }
        }
        if failed {
            return Err(Reported);
        }
        if let Some(Shape::Cells(cells)) = &shape {
            let Some(place) = cells.place else {
                let message = format!("the places of `{}` are called by their names", found.name);
                return Err(self.error(codes::WRONG_ARGUMENTS, span, message));
            };
            return self.listed_place(domain, place, &fields, parts, span);
        }
        let ty = Type {
            base: Base::Elem(domain),
            optional: off,
        };
        if off && !laid && parts.iter().all(|it| self.constant(it).is_some()) {
            return Err(self.complain(
                codes::OUT_OF_RANGE,
                span,
                format!("this lies outside `{}`", found.name),
                "the declaration of the space says how far it reaches",
            ));
        }
        Ok(self.made(domain, parts, ty, span))
    }

    /// A coordinate that is a value by its number: beyond the last it is off the board, as a number beyond the last is.
    fn or_off_the_board(&mut self, value: Expr) -> Expr {
        let (ExprKind::Unary(UnaryOp::FromOrd(id), counts), span) = (&value.kind, value.span)
        else {
            return value;
        };
        let most = i64::try_from(self.size(*id)).unwrap_or(i64::MAX) - 1;
        let (least, greatest) = bounds::of(counts);
        if least >= 0 && greatest <= most {
            return value;
        }
        let n = self.fresh("n", counts.ty, span);
        let counted = self.local(n, span);
        let test = |op, end| compare(op, counted.clone(), number(end, span), span);
        let ty = value.ty.or_none();
        let is_there = both(test(BinaryOp::Ge, 0), test(BinaryOp::Le, most), span);
        let there = value.with_kind(ExprKind::unary(UnaryOp::FromOrd(*id), counted.clone()));
        let missing = Expr::new(ExprKind::Value(NONE), ty, span);
        let kind = ExprKind::choice(is_there, there, missing);
        let choice = Expr { kind, ty, span };
        Expr::new(ExprKind::Let(n, counts.clone(), Box::new(choice)), ty, span)
    }

    /// Whether a coordinate is on the board for certain.
    pub(super) fn within(&self, value: &Expr, domain: DomainId, at: usize, field: &Field) -> bool {
        if let ExprKind::Field(base, axis) = &value.kind
            && base.ty.base == Base::Elem(domain)
            && *axis == at
        {
            return true;
        }
        let (lo, hi) = match field.ty.base {
            Base::Int(lo, hi) => (lo, hi),
            _ => (0, i64::try_from(field.size).unwrap_or(i64::MAX) - 1),
        };
        if let Some(Const::Scalar(value)) = self.constant(value) {
            return (lo..=hi).contains(&value);
        }
        match value.ty.base {
            _ if value.ty.optional => false,
            Base::Int(a, b) => lo <= a && b <= hi,
            Base::Elem(id) => self.size(id) <= field.size,
            _ => true,
        }
    }

    #[inline(never)]
    pub(super) fn numbered(
        &mut self,
        domain: DomainId,
        args: &[ast::Arg],
        span: Span,
    ) -> Checked<Expr> {
        let [arg] = args else {
            let name = self
                .domain(domain)
                .map_or(String::new(), |it| it.name.clone());
            let message = format!("`{name}(…)` takes one number");
            return Err(self.error(codes::WRONG_ARGUMENTS, span, message));
        };
        let number = self.typed(&arg.value, NUMBER)?;
        let size = i64::try_from(self.size(domain)).unwrap_or(i64::MAX);
        if let Some(Const::Scalar(value)) = self.constant(&number) {
            if !(0..size).contains(&value) {
                let message = format!(
                    "there is no number {value}: the values count from 0 to {}",
                    size - 1
                );
                return Err(self.error(codes::OUT_OF_RANGE, span, message));
            }
            return Ok(self.enum_value(domain, value, span));
        }
        Ok(Expr {
            kind: ExprKind::unary(UnaryOp::FromOrd(domain), number),
            ty: Type::of(Base::Elem(domain)),
            span,
        })
    }

    /// Puts arguments into the order of the parameters.
    #[inline(never)]
    pub(super) fn arrange<'e>(
        &mut self,
        callee: &str,
        params: &[String],
        args: &'e [ast::Arg],
        span: Span,
    ) -> Checked<Vec<Option<&'e ast::Expr>>> {
        let mut given: Vec<Option<&ast::Expr>> = vec![None; params.len()];
        for (at, arg) in args.iter().enumerate() {
            let place = match &arg.name {
                None => at,
                Some(name) => match params.iter().position(|it| *it == name.text) {
                    Some(place) => place,
                    None => {
                        let message = format!("`{callee}` has no parameter `{name}`");
                        return Err(self.not_among(
                            codes::UNKNOWN_PARAMETER,
                            name,
                            message,
                            params,
                        ));
                    }
                },
            };
            let Some(slot) = given.get_mut(place) else {
                let message = format!(
                    "`{callee}` takes {}, not {}",
                    arguments(params.len()),
                    args.len()
                );
                return Err(self.error(codes::WRONG_ARGUMENTS, span, message));
            };
            if slot.is_some() {
                let name = params.get(place).cloned().unwrap_or_default();
                let message = format!("the argument `{name}` is given twice");
                return Err(self.error(codes::WRONG_ARGUMENTS, arg.value.span, message));
            }
            *slot = Some(&arg.value);
        }
        Ok(given)
    }
}

/// A coordinate of a plane, which comes round again after so many steps.
fn wrapped(value: Expr, span: i64) -> Expr {
    let at = value.span;
    Expr {
        ty: super::bounds::number(0, span - 1),
        kind: ExprKind::binary(BinaryOp::Mod, value, super::holders::number(span, at)),
        span: at,
    }
}
