//! Expressions.

mod cases;

use crate::diagnostic::codes;
use crate::model::{Base, Expr, ExprKind, NONE, Type};
use crate::source::Span;
use crate::syntax::ast;

use super::holders::number;
use super::types::NUMBER;
use super::{Checked, Checker, Reported};

/// A case of a `by` with the values it is for; none for `else`.
pub(super) type Heads = Option<Vec<i64>>;

impl Checker<'_> {
    /// Checks an expression. `want` helps to find names; it is not enforced.
    pub(super) fn value(&mut self, expr: &ast::Expr, want: Option<Type>) -> Checked<Expr> {
        let span = expr.span;
        let value = match &expr.kind {
            ast::ExprKind::Number(n) => Ok(number(i64::from(*n), span)),
            ast::ExprKind::Bool(value) => Ok(Expr::truth(ExprKind::Value(i64::from(*value)), span)),
            ast::ExprKind::None => self.none(want, span),
            ast::ExprKind::Text(_) | ast::ExprKind::Drawn(_) => self.drawn_value(expr, want),
            ast::ExprKind::Name(_) | ast::ExprKind::Index { .. } | ast::ExprKind::Field { .. } => {
                let thing = self.thing(expr, want)?;
                self.as_value(thing, want, span)
            }
            ast::ExprKind::Call(call) => self.call(call, want, span),
            ast::ExprKind::Unary { op, operand, .. } => self.prefixed(*op, operand, want, span),
            ast::ExprKind::Binary {
                op, left, right, ..
            } => self.binary(*op, left, right, want, span),
            ast::ExprKind::Range { from, to } => self.range_set(from, to, span),
            ast::ExprKind::Default { value, fallback } => {
                self.with_default(value, fallback, want, span)
            }
            ast::ExprKind::Set(items) => self.set_literal(items, want, span),
            ast::ExprKind::Comprehension(it) => self.collected(it, want, span),
            ast::ExprKind::Tuple(_) => Err(self.complain(
                codes::WRONG_TYPE,
                span,
                "a pair is no value here",
                "leave the parentheses out, or name a record: `Plot(a, 1)`",
            )),
            ast::ExprKind::If {
                condition,
                then,
                otherwise,
            } => self.if_value(condition, then, otherwise, want, span),
            ast::ExprKind::By { subject, arms } => self.by_value(subject, arms, want, span),
            ast::ExprKind::After { body, value } => self.after(body, value, want, span),
            ast::ExprKind::Can { who, alternatives } => self.can(who, alternatives, span),
            ast::ExprKind::Reach { start, var, next } => self.reach(start, var, next, want, span),
            ast::ExprKind::Groups { domain, var, next } => {
                self.groups(domain, var, next, want, span)
            }
            ast::ExprKind::Walk {
                direction,
                from,
                until,
                var,
                condition,
            } => self.walk(direction, from, (until.as_ref(), var), condition, span),
        };
        if let (Some(noted), Ok(value)) = (&mut self.noted, &value) {
            noted.types.push((span, value.ty));
        }
        value
    }

    #[inline(never)]
    fn none(&mut self, want: Option<Type>, span: Span) -> Checked<Expr> {
        match want.map(|it| it.base) {
            Some(base @ (Base::Bool | Base::Int(..) | Base::Elem(_))) => Ok(Expr {
                kind: ExprKind::Value(NONE),
                ty: Type::of(base).or_none(),
                span,
            }),
            Some(Base::Set(_)) => Err(self.complain(
                codes::WRONG_TYPE,
                span,
                "a set is never `none`",
                "write `{}` for the empty set",
            )),
            Some(Base::Unit) | None => {
                Err(self.error(codes::NO_TYPE, span, "nothing says what `none` is here"))
            }
        }
    }

    /// `a..b` as a set.
    #[inline(never)]
    fn range_set(&mut self, from: &ast::Expr, to: &ast::Expr, span: Span) -> Checked<Expr> {
        let (low, high) = self.range_ends(from, to)?;
        match (self.constant(&low), self.constant(&high), low.ty.base) {
            (
                Some(super::constant::Const::Scalar(lo)),
                Some(super::constant::Const::Scalar(hi)),
                base,
            ) => match base {
                Base::Elem(id) => {
                    let items = (lo..=hi).map(|it| self.enum_value(id, it, span)).collect();
                    Ok(Expr::set(ExprKind::SetOf(items), id, span))
                }
                _ if lo > hi => {
                    let message = format!("the range {lo}..{hi} is empty");
                    Err(self.error(codes::EMPTY_RANGE, span, message))
                }
                _ => {
                    let domain = self.range(lo, hi, span)?;
                    Ok(Expr::all(domain, span))
                }
            },
            _ => self.span_set(low, high, span),
        }
    }

    /// `{ a, b }`.
    #[inline(never)]
    fn set_literal(
        &mut self,
        items: &[ast::Expr],
        want: Option<Type>,
        span: Span,
    ) -> Checked<Expr> {
        let wanted = match want.map(|it| it.base) {
            Some(Base::Set(domain)) => Some(self.element(domain)),
            Some(base @ (Base::Elem(_) | Base::Int(..))) => Some(Type::of(base)),
            _ => None,
        };
        let Some(first) = items.first() else {
            let Some(Base::Set(domain)) = want.map(|it| it.base) else {
                return Err(self.complain(
                    codes::NO_TYPE,
                    span,
                    "nothing says what this empty set holds",
                    "compare with `no …`, or assign it to a track with a type",
                ));
            };
            return Ok(Expr::set(ExprKind::SetOf(Vec::new()), domain, span));
        };
        let wanted = match wanted {
            None if self.is_open_name(first) => self.common_enum(items).or(wanted),
            _ => wanted,
        };
        let mut values: Vec<Expr> = Vec::new();
        let mut ty: Option<Type> = None;
        let mut failed = false;
        for item in items {
            let hint = wanted.or(ty).map(Type::or_none);
            let Ok(value) = self.value(item, hint) else {
                failed = true;
                continue;
            };
            let joined = match ty {
                None => Some(value.ty),
                Some(ty) => self.union_of(ty, value.ty, item.span),
            };
            match joined {
                Some(joined) => ty = Some(joined),
                None => {
                    let (one, other) = (
                        self.type_name(ty.unwrap_or(NUMBER)),
                        self.type_name(value.ty),
                    );
                    let message = format!("a set cannot hold {one} and {other}");
                    let hidden = ty.and_then(|ty| self.hidden_value(&value, ty));
                    let first = values.iter().find_map(|it| self.hidden_value(it, value.ty));
                    match hidden.or(first) {
                        Some(help) => self.complain(codes::WRONG_TYPE, item.span, message, help),
                        None => self.error(codes::WRONG_TYPE, item.span, message),
                    };
                    failed = true;
                }
            }
            values.push(value);
        }
        let (false, Some(mut ty)) = (failed, ty) else {
            return Err(Reported);
        };
        ty.optional = false;
        // Numbers take the bounds that are expected, if they fit.
        if let (Some(wanted), Base::Int(lo, hi)) = (wanted, ty.base)
            && let Base::Int(least, most) = wanted.base
            && least <= lo
            && hi <= most
            && most - least < 65_536
        {
            ty = wanted;
        }
        let domain = self.domain_of(ty, span)?;
        Ok(Expr::set(ExprKind::SetOf(values), domain, span))
    }

    /// The one enum that has all of these names.
    fn common_enum(&mut self, items: &[ast::Expr]) -> Option<Type> {
        let mut common: Option<Vec<crate::model::DomainId>> = None;
        for item in items {
            if let ast::ExprKind::Name(name) = &item.kind
                && self.is_open_name(item)
            {
                let enums = self.enums_named(name.as_str());
                common = Some(match common {
                    None => enums,
                    Some(common) => common.into_iter().filter(|it| enums.contains(it)).collect(),
                });
            }
        }
        match common?.as_slice() {
            [one] => Some(Type::of(Base::Elem(*one))),
            _ => None,
        }
    }

    #[inline(never)]
    fn if_value(
        &mut self,
        condition: &ast::Expr,
        then: &ast::Expr,
        otherwise: &ast::Expr,
        want: Option<Type>,
        span: Span,
    ) -> Checked<Expr> {
        let condition = self.condition(condition);
        let (then, otherwise) = if want.is_none() && self.is_open_name(then) {
            let otherwise = self.value(otherwise, want);
            let hint = otherwise.as_ref().ok().map(|it| it.ty);
            (self.value(then, hint), otherwise)
        } else {
            let then = self.value(then, want);
            let hint = want.or(then.as_ref().ok().map(|it| it.ty));
            let otherwise = self.value(otherwise, hint);
            (then, otherwise)
        };
        let (condition, then, otherwise) = (condition?, then?, otherwise?);
        let Some(ty) = self.union_of(then.ty, otherwise.ty, span) else {
            let (one, other) = (self.type_name(then.ty), self.type_name(otherwise.ty));
            let message = format!("one case is {one}, the other {other}");
            return Err(self.error(codes::WRONG_TYPE, span, message));
        };
        match self.decided(&condition) {
            Some(true) => return self.fit(then, ty),
            Some(false) => return self.fit(otherwise, ty),
            None => {}
        }
        let (then, otherwise) = (self.fit(then, ty)?, self.fit(otherwise, ty)?);
        let kind = ExprKind::choice(condition, then, otherwise);
        Ok(Expr { kind, ty, span })
    }

    #[inline(never)]
    fn with_default(
        &mut self,
        value: &ast::Expr,
        fallback: &ast::Expr,
        want: Option<Type>,
        span: Span,
    ) -> Checked<Expr> {
        // What may be missing is not asked of the value itself.
        let hint = want.map(|it| Type {
            optional: !matches!(it.base, Base::Set(_)),
            ..it
        });
        let value = self.value(value, hint);
        let hint = want.or(value.as_ref().ok().map(|it| Type::of(it.ty.base)));
        let (value, fallback) = (value?, self.value(fallback, hint)?);
        let Some(ty) = self.union_of(Type::of(value.ty.base), fallback.ty, span) else {
            let (one, other) = (self.type_name(value.ty), self.type_name(fallback.ty));
            let message = format!("the value is {one}, its default {other}");
            return Err(match self.all_equal(&value, fallback.ty) {
                Some(word) => self.not_one(word, value.span, message),
                None => self.error(codes::WRONG_TYPE, span, message),
            });
        };
        let kind = match value.kind {
            ExprKind::Aggregate(mut aggregate) if aggregate.default.is_none() => {
                aggregate.default = Some(fallback);
                ExprKind::Aggregate(aggregate)
            }
            _ => ExprKind::OrElse(Box::new(value), Box::new(fallback)),
        };
        Ok(Expr { kind, ty, span })
    }
}
