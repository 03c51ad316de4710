//! Components of which all fields are given.

use super::Shared;
use super::inline::mentions;
use super::structure::Structure;
use super::sure::within;
use super::tables::is_scalar;
use super::unroll::joined;
use crate::model::{
    Base, BinaryOp, DomainId, DomainKind, Expr, ExprKind, Field, LocalId, NONE, Shape, Type,
    UnaryOp, ZoneKind,
};

impl Shared<'_> {
    /// `filled z and z.f == v` is `z == K(v)`, where that gives all fields, and `empty z or z.f != v` is
    /// `z != K(v)`.
    pub(super) fn all_given(&mut self, expr: &Expr) -> Option<Expr> {
        let ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) = expr.kind else {
            return None;
        };
        let holds = op == BinaryOp::And;
        let mut parts = Vec::new();
        chained(expr, op, &mut parts);
        for (at, part) in parts.iter().enumerate() {
            let Some(one) = self.there_if(part, holds) else {
                continue;
            };
            let rest = parts.get(at + 1..).unwrap_or_default();
            let Some((whole, used)) = self.given(&one, rest, holds, false) else {
                continue;
            };
            // Else others would be asked in another order.
            let is_next = used.iter().all(|it| *it < used.len());
            if !is_next && !self.surely(expr) {
                continue;
            }
            let compare = if holds { BinaryOp::Eq } else { BinaryOp::Ne };
            let mut compared = joined(compare, one, whole);
            compared.span = part.span;
            let others = parts.iter().enumerate().filter(|(other, _)| {
                let is_used = *other > at && used.contains(&(*other - at - 1));
                !is_used
            });
            let chain = others.map(|(other, part)| match other == at {
                true => compared.clone(),
                false => (*part).clone(),
            });
            let mut chain = chain.reduce(|left, right| joined(op, left, right))?;
            chain.span = expr.span;
            return Some(chain);
        }
        None
    }

    /// What is there if a condition is `holds`, a component that can be looked for as a whole.
    fn there_if(&self, cond: &Expr, holds: bool) -> Option<Expr> {
        let none = |it: &Expr| matches!(it.kind, ExprKind::Value(NONE));
        let one = match &cond.kind {
            ExprKind::Unary(UnaryOp::Not, part) => return self.there_if(part, !holds),
            ExprKind::Filled(place) if holds => {
                let zone = self.game.zones.get(place.zone.index())?;
                Expr {
                    kind: match zone.kind {
                        ZoneKind::One => ExprKind::Component(place.clone()),
                        _ if self.layout.has_top(place.zone) => ExprKind::Top(place.clone()),
                        _ => return None,
                    },
                    ty: Type::of(Base::Elem(zone.component)).or_none(),
                    span: cond.span,
                }
            }
            ExprKind::Unary(UnaryOp::IsSome, part) if holds => (**part).clone(),
            ExprKind::Binary(BinaryOp::Ne, left, right) if holds && none(right) => (**left).clone(),
            ExprKind::Binary(BinaryOp::Eq, left, right) if !holds && none(right) => {
                (**left).clone()
            }
            _ => return None,
        };
        Some(one)
    }

    /// The component, or the cell, whose fields are all given by conditions that are `holds`, and by which of them; none where one of them is
    /// no value that the field has, if it `may_be_none`.
    fn given(
        &mut self,
        one: &Expr,
        conds: &[&Expr],
        holds: bool,
        may_be_none: bool,
    ) -> Option<(Expr, Vec<usize>)> {
        let domain = one.ty.base.element_of()?;
        let fields = match &self.domain(domain)?.kind {
            DomainKind::Space {
                axes,
                shape: Shape::Grid,
            } if may_be_none => axes,
            _ => self.fields_of(domain)?,
        };
        let types: Vec<Type> = fields.iter().map(|it| it.ty).collect();
        let known = Structure::of(one);
        let mut values = vec![None; types.len()];
        let (mut used, mut all_fit) = (Vec::new(), true);
        for (at, cond) in conds.iter().enumerate() {
            let is_it = given_by(cond, &known, holds);
            // Of two values it has the other one.
            let given = is_it.or_else(|| {
                let (field, value) = given_by(cond, &known, !holds)?;
                Some((field, self.other_of_two(value, *types.get(field)?)?))
            });
            if let Some((field, value)) = given
                && let Some(ty) = types.get(field)
                && let Some(slot @ None) = values.get_mut(field)
                && is_scalar(*ty)
            {
                let fits = within(value.ty, *ty) && (ty.optional || !value.ty.optional);
                let is_number = matches!((value.ty.base, ty.base), (Base::Int(..), Base::Int(..)));
                if !(fits || may_be_none && is_number && !value.ty.optional) {
                    continue;
                }
                all_fit &= fits;
                *slot = Some(value);
                used.push(at);
            }
        }
        let values = values.into_iter().collect::<Option<Vec<Expr>>>()?;
        let whole = Expr {
            kind: ExprKind::Make(domain, values),
            ty: Type {
                optional: !all_fit,
                ..Type::of(Base::Elem(domain))
            },
            span: one.span,
        };
        self.surely(&whole).then_some((whole, used))
    }

    /// The other one of a type that has two values.
    fn other_of_two(&self, value: Expr, ty: Type) -> Option<Expr> {
        let (Base::Elem(_), Some((0, 2)), false) = (ty.base, self.values(ty), value.ty.optional)
        else {
            return None;
        };
        let (ty, span) = (value.ty, value.span);
        let kind = match value.kind {
            ExprKind::Value(value) => ExprKind::Value(1 - value),
            _ => {
                let one = Expr::number(1, span);
                ExprKind::binary(BinaryOp::CycleAdd, value, one)
            }
        };
        Some(Expr { kind, ty, span })
    }

    /// The fields of a component, of which there are some.
    pub(super) fn fields_of(&self, component: DomainId) -> Option<&[Field]> {
        match &self.game.domains.get(component.index())?.kind {
            DomainKind::Record { fields, .. } if !fields.is_empty() => Some(fields),
            _ => None,
        }
    }

    /// The same for a variable, whose value does not hang on itself.
    pub(super) fn given_local(
        &mut self,
        local: LocalId,
        conds: &[&Expr],
    ) -> Option<(Expr, Vec<usize>)> {
        let one = self.local(local, conds.first()?.span);
        let (whole, used) = self.given(&one, conds, true, true)?;
        (!one.ty.optional && !mentions(&whole, &[local])).then_some((whole, used))
    }
}

/// The parts of a conjunction or disjunction.
fn chained<'e>(expr: &'e Expr, op: BinaryOp, out: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary(of, left, right) if *of == op => {
            chained(left, op, out);
            chained(right, op, out);
        }
        _ => out.push(expr),
    }
}

/// The field and the value that it has if a condition is `holds`, and only then.
fn given_by(cond: &Expr, known: &Structure, holds: bool) -> Option<(usize, Expr)> {
    let field_of = |expr: &Expr| match &expr.kind {
        ExprKind::Field(base, field) if Structure::of(base) == *known => Some(*field),
        _ => None,
    };
    match &cond.kind {
        ExprKind::Unary(UnaryOp::Not, part) => given_by(part, known, !holds),
        ExprKind::Binary(op, left, right)
            if *op == (if holds { BinaryOp::Eq } else { BinaryOp::Ne }) =>
        {
            let of_left = field_of(left).map(|field| (field, (**right).clone()));
            of_left.or_else(|| Some((field_of(right)?, (**left).clone())))
        }
        ExprKind::Field(..) if cond.ty == Type::BOOL => {
            let value = Expr::truth(ExprKind::Value(i64::from(holds)), cond.span);
            Some((field_of(cond)?, value))
        }
        _ => None,
    }
}
