//! Types as they are written and as they are named in messages.

use crate::diagnostic::{Diagnostic, codes};
use crate::limits::MOST_ELEMENTS;
pub(super) use crate::model::INT;
use crate::model::{Base, Domain, DomainId, DomainKind, Expr, ExprKind, Type, arith};
use crate::source::Span;
use crate::syntax::ast::{self, TypeKind};

use super::constant::Const;
use super::domains::plain_value;
use super::{Checked, Checker, Entity};

/// The types that every rulebook knows.
pub const BUILT_IN_TYPES: [&str; 4] = ["bool", "int", "seat", "Direction"];

/// `int`: any number that can be kept.
pub(super) const NUMBER: Type = Type::of(Base::Int(INT.0, INT.1));
/// Any number that can be calculated with.
pub(super) const CALCULATED: Type = Type::of(Base::Int(-arith::MOST, arith::MOST));

/// A type with the number of its values where it takes less than a whole domain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sized {
    pub(super) ty: Type,
    pub(super) size: u64,
}

impl Checker<'_> {
    pub(super) fn domain(&self, id: DomainId) -> Option<&Domain> {
        self.game.domains.get(id.index())
    }

    pub(super) fn size(&self, id: DomainId) -> u64 {
        self.domain(id).map_or(0, |it| it.size)
    }

    pub(super) fn add_domain(&mut self, domain: Domain) -> DomainId {
        let id = DomainId(u32::try_from(self.game.domains.len()).unwrap_or(u32::MAX));
        if let DomainKind::Enum { values, .. } = &domain.kind {
            let named = values
                .iter()
                .zip(0..)
                .map(|(value, at)| (value.name.clone(), at));
            self.values.insert(id, named.collect());
        }
        self.game.domains.push(domain);
        id
    }

    /// Returns the domain of the numbers from `lo` to `hi`.
    pub(super) fn range(&mut self, lo: i64, hi: i64, span: Span) -> Checked<DomainId> {
        if let Some(id) = self.ranges.get(&(lo, hi)) {
            return Ok(*id);
        }
        let size = hi
            .saturating_sub(lo)
            .saturating_add(1)
            .max(0)
            .unsigned_abs();
        if size > MOST_ELEMENTS {
            return Err(self.complain(
                codes::TOO_MANY_ELEMENTS,
                span,
                format!("`{lo}..{hi}` has more than 65,536 elements"),
                "give the numbers narrower bounds",
            ));
        }
        let id = self.add_domain(Domain {
            name: format!("{lo}..{hi}"),
            lo,
            size,
            kind: DomainKind::Range,
            show: None,
            span,
        });
        self.ranges.insert((lo, hi), id);
        Ok(id)
    }

    /// Returns the type of the elements of a domain.
    pub(super) fn element(&self, id: DomainId) -> Type {
        match self.domain(id) {
            Some(Domain {
                kind: DomainKind::Range,
                lo,
                size,
                ..
            }) => Type::of(Base::Int(*lo, lo + i64::try_from(*size).unwrap_or(1) - 1)),
            _ if self.truths == Some(id) => Type::BOOL,
            _ => Type::of(Base::Elem(id)),
        }
    }

    /// Returns the domain of `false` and `true`, in this order.
    pub(super) fn truths(&mut self, span: Span) -> DomainId {
        if let Some(id) = self.truths {
            return id;
        }
        let id = self.built_in("bool", ["false", "true"].map(plain_value).to_vec(), span);
        self.truths = Some(id);
        id
    }

    /// Returns the domain whose elements are the values of a type.
    pub(super) fn domain_of(&mut self, ty: Type, span: Span) -> Checked<DomainId> {
        match ty.base {
            Base::Elem(id) => {
                let size = self.size(id);
                if size > MOST_ELEMENTS {
                    let name = self.domain(id).map_or(String::new(), |it| it.name.clone());
                    let declared = self.domain(id).map_or(span, |it| it.span);
                    return Err(self.report(
                        Diagnostic::new(
                            codes::TOO_MANY_ELEMENTS,
                            format!("`{name}` has {} elements, more than 65,536", grouped(size)),
                        )
                        .label(span, "something ranges over it here")
                        .label(declared, "declared here"),
                    ));
                }
                Ok(id)
            }
            Base::Int(lo, hi) => self.range(lo, hi, span),
            Base::Bool => Ok(self.truths(span)),
            Base::Set(_) | Base::Unit => {
                let name = self.type_name(ty);
                Err(self.complain(
                    codes::NOT_ENUMERABLE,
                    span,
                    format!("nothing can range over {name}"),
                    "let one of its members be taken at a time",
                ))
            }
        }
    }

    /// Reads a type where it stands for values.
    pub(super) fn ty(&mut self, ty: &ast::Type) -> Checked<Type> {
        self.sized(ty).map(|it| it.ty)
    }

    /// Reads a type together with the number of its values.
    pub(super) fn sized(&mut self, ty: &ast::Type) -> Checked<Sized> {
        let whole = |this: &Self, ty: Type| Sized {
            ty,
            size: this.values(ty),
        };
        match &ty.kind {
            TypeKind::Named(name) => {
                let ty = self.named_type(name)?;
                Ok(whole(self, ty))
            }
            TypeKind::Range(from, to) => self.range_type(from, to, ty.span),
            TypeKind::SetOf(inner) => {
                let inner_type = self.ty(inner)?;
                let domain = self.domain_of(inner_type, inner.span)?;
                Ok(whole(self, Type::of(Base::Set(domain))))
            }
            TypeKind::OrNone(inner) => {
                let mut inner = self.sized(inner)?;
                if matches!(inner.ty.base, Base::Set(_)) {
                    return Err(self.complain(
                        codes::WRONG_TYPE,
                        ty.span,
                        "a set is never `none`",
                        "an empty set says it: `{}`",
                    ));
                }
                inner.ty.optional = true;
                inner.size = inner.size.saturating_add(1);
                Ok(inner)
            }
            TypeKind::Tuple(_) => Err(self.complain(
                codes::WRONG_TYPE,
                ty.span,
                "a pair is no type here",
                "declare a `record` with two fields",
            )),
        }
    }

    fn named_type(&mut self, name: &ast::Name) -> Checked<Type> {
        match name.as_str() {
            "bool" => return Ok(Type::BOOL),
            "int" => return Ok(NUMBER),
            "seat" => return Ok(Type::of(Base::Elem(self.game.seat))),
            _ => {}
        }
        match self.named(name.as_str()) {
            Some(Ok(Entity::Domain(id))) => Ok(Type::of(Base::Elem(id))),
            Some(Ok(_)) => Err(self.complain(codes::WRONG_KIND, name.span, format!("`{name}` is not a type"), "types are enums, records, components, spaces, `seat`, `bool`, `int` and ranges such as `1..6`")),
            Some(Err(reported)) => Err(reported),
            None if name == "Direction" => Ok(Type::of(Base::Elem(self.direction))),
            None => {
                let mut list: Vec<String> = Vec::new();
                for composite in &self.composed.items {
                    use ast::ItemKind::{Component, Enum, Record, Space};
                    if let Enum(_) | Record(_) | Component(_) | Space(_) = composite.item.kind {
                        list.extend(composite.item.kind.name().map(|it| it.text.clone()));
                    }
                }
                list.extend(BUILT_IN_TYPES.map(str::to_owned));
                let message = format!("no type is called `{name}`");
                Err(self.not_among(codes::UNKNOWN_NAME, name, message, &list))
            }
        }
    }

    fn range_type(&mut self, from: &ast::Expr, to: &ast::Expr, span: Span) -> Checked<Sized> {
        let (low, high) = self.range_ends(from, to)?;
        let ty = low.ty.base;
        let ends = (
            self.constant_or_error(&low)?,
            self.constant_or_error(&high)?,
        );
        let (Const::Scalar(lo), Const::Scalar(hi)) = ends else {
            return Err(self.error(codes::WRONG_TYPE, span, "a range runs between numbers"));
        };
        if lo > hi {
            return Err(self.complain(
                codes::EMPTY_RANGE,
                span,
                format!("the range {lo}..{hi} is empty"),
                "write the smaller end first",
            ));
        }
        let size = (hi - lo).unsigned_abs() + 1;
        match ty {
            Base::Int(..) => Ok(Sized {
                ty: Type::of(Base::Int(lo, hi)),
                size,
            }),
            Base::Elem(id) if lo == 0 => Ok(Sized {
                ty: Type::of(Base::Elem(id)),
                size,
            }),
            Base::Elem(_) => Err(self.complain(
                codes::EMPTY_RANGE,
                span,
                "a range of names must begin with the first one",
                "use a set of the names, or a range of numbers",
            )),
            _ => Err(self.error(codes::WRONG_TYPE, span, "a range runs between numbers")),
        }
    }

    /// Checks both ends of a range; each may name a value of the enum of the other.
    #[inline(never)]
    pub(super) fn range_ends(&mut self, from: &ast::Expr, to: &ast::Expr) -> Checked<(Expr, Expr)> {
        let (low, high) = if self.is_open_name(from) {
            let high = self.value(to, None)?;
            (self.value(from, Some(high.ty))?, high)
        } else {
            let low = self.value(from, None)?;
            let wanted = low.ty;
            (low, self.value(to, Some(wanted))?)
        };
        let alike = matches!((low.ty.base, high.ty.base), (Base::Int(..), Base::Int(..)))
            || (matches!(low.ty.base, Base::Elem(_)) && low.ty.base == high.ty.base);
        if !alike {
            let (low, high) = (self.type_name(low.ty), self.type_name(high.ty));
            let message = format!("a range cannot run from {low} to {high}");
            return Err(self.error(codes::WRONG_TYPE, from.span.to(to.span), message));
        }
        Ok((low, high))
    }

    /// Reads the index of a zone, track or table.
    pub(super) fn index(&mut self, types: &[ast::Type]) -> Checked<Vec<DomainId>> {
        let mut index = Vec::new();
        let mut places = 1_u64;
        for written in types {
            let sized = self.sized(written)?;
            if sized.ty.optional {
                return Err(self.error(
                    codes::WRONG_TYPE,
                    written.span,
                    "an index is never `none`",
                ));
            }
            let domain = self.domain_of(sized.ty, written.span)?;
            places = places.saturating_mul(self.size(domain));
            if places > MOST_ELEMENTS {
                return Err(self.complain(
                    codes::TOO_MANY_ELEMENTS,
                    written.span,
                    format!(
                        "the index has {} elements, more than 65,536",
                        grouped(places)
                    ),
                    "index by fewer or smaller types",
                ));
            }
            index.push(domain);
        }
        Ok(index)
    }

    /// Counts the values of a type, `none` included.
    pub(super) fn values(&self, ty: Type) -> u64 {
        let plain = match ty.base {
            Base::Bool => 2,
            Base::Int(lo, hi) => hi.saturating_sub(lo).max(0).unsigned_abs() + 1,
            Base::Elem(id) => self.size(id),
            Base::Set(id) => 1_u64
                .checked_shl(u32::try_from(self.size(id)).unwrap_or(u32::MAX))
                .unwrap_or(u64::MAX),
            Base::Unit => 1,
        };
        plain.saturating_add(u64::from(ty.optional))
    }

    /// Names a type in the user's words.
    pub(super) fn type_name(&self, ty: Type) -> String {
        self.game.type_name(ty)
    }

    /// Returns the type that holds the values of both, if there is one.
    #[inline(never)]
    pub(super) fn union_of(&mut self, one: Type, other: Type, span: Span) -> Option<Type> {
        let base = match (one.base, other.base) {
            (Base::Int(a, b), Base::Int(c, d)) => Base::Int(a.min(c), b.max(d)),
            (Base::Set(a), Base::Set(b)) if a != b => {
                let (Base::Int(..), Base::Int(..)) = (self.element(a).base, self.element(b).base)
                else {
                    return None;
                };
                let hull = self.union_of(self.element(a), self.element(b), span)?;
                Base::Set(self.domain_of(hull, span).ok()?)
            }
            (a, b) if a == b => a,
            _ => return None,
        };
        Some(Type {
            base,
            optional: one.optional || other.optional,
        })
    }

    /// Fits an expression to the type that is needed, or says why it does not fit.
    #[inline(never)]
    pub(super) fn fit(&mut self, expr: Expr, to: Type) -> Checked<Expr> {
        let fits = match (expr.ty.base, to.base) {
            (Base::Int(a, b), Base::Int(c, d)) => {
                if a > d || b < c {
                    let message = match expr.ty.optional || to.optional {
                        true => format!(
                            "{} never fits {}",
                            self.type_name(expr.ty),
                            self.type_name(to)
                        ),
                        false => format!("{} never fits {}", number_of(a, b), number_of(c, d)),
                    };
                    return Err(self.error(codes::OUT_OF_RANGE, expr.span, message));
                }
                true
            }
            (Base::Set(a), Base::Set(b)) if a != b => {
                let expr = self.kinds_of(expr);
                if expr.ty.base == to.base {
                    return Ok(expr);
                }
                return self.fit_set(expr, b);
            }
            (a, b) => a == b,
        };
        if !fits {
            return Err(self.mismatch(&expr, to));
        }
        if expr.ty.optional
            && !to.optional
            && let Some(span) = super::constant::written_none(&expr)
        {
            let needs = self.type_name(to);
            let message = format!("`none` is given where {needs} is needed");
            return Err(self.error(codes::WRONG_TYPE, span, message));
        }
        Ok(expr)
    }

    /// Checks an expression and fits it to a type.
    #[inline(never)]
    pub(super) fn typed(&mut self, expr: &ast::Expr, ty: Type) -> Checked<Expr> {
        let value = self.value(expr, Some(ty))?;
        self.fit(value, ty)
    }

    #[inline(never)]
    pub(super) fn condition(&mut self, expr: &ast::Expr) -> Checked<Expr> {
        let value = self.value(expr, Some(Type::BOOL))?;
        if value.ty.base == Base::Bool {
            return Ok(self.truth_there(value));
        }
        let message = match value.ty.base {
            Base::Set(_) => "a set is no condition",
            _ => "this is no condition",
        };
        let help = match value.ty.base {
            Base::Set(_) => "write `some` or `no` before it".to_owned(),
            _ if value.ty.optional => "write `some` before it, or compare it".to_owned(),
            _ => "compare it with something".to_owned(),
        };
        Err(self.complain(codes::WRONG_TYPE, expr.span, message, help))
    }

    /// A truth that is none is a fault where something hangs on it.
    pub(super) fn truth_there(&mut self, value: Expr) -> Expr {
        let value = super::operator::present(value);
        if !value.ty.optional {
            return value;
        }
        let span = value.span;
        let there = self.fresh("it", Type::BOOL, span);
        let itself = Expr::local(there, Type::BOOL, span);
        Expr::truth(
            ExprKind::Let(there, Box::new(value), Box::new(itself)),
            span,
        )
    }

    pub(super) fn seat_type(&self) -> Type {
        Type::of(Base::Elem(self.game.seat))
    }

    pub(super) fn seat_of(&mut self, expr: &ast::Expr) -> Checked<Expr> {
        self.typed(expr, self.seat_type())
    }
}

/// Numbers with their bounds, wherever these are.
fn number_of(least: i64, most: i64) -> String {
    match (least, most) {
        (least, most) if least == most => format!("the number {least}"),
        INT => format!("`int`, {}..{}", INT.0, INT.1),
        (least, most) => format!("a number {least}..{most}"),
    }
}

/// Writes a number with commas.
pub(super) fn grouped(number: u64) -> String {
    if number == u64::MAX {
        return "far too many".to_owned();
    }
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
