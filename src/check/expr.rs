//! Expressions.

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, codes};
use crate::model::{Base, Expr, ExprKind, NONE, Type};
use crate::source::Span;
use crate::syntax::ast::{self, Arm, ArmHead};

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
            ast::ExprKind::Bool(value) => Ok(Expr {
                kind: ExprKind::Value(i64::from(*value)),
                ty: Type::BOOL,
                span,
            }),
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
            noted.push((span, value.ty));
        }
        value
    }

    #[inline(never)]
    fn none(&mut self, want: Option<Type>, span: Span) -> Checked<Expr> {
        match want.map(|it| it.base) {
            Some(base @ (Base::Bool | Base::Int(..) | Base::Elem(_))) => Ok(Expr {
                kind: ExprKind::Value(NONE),
                ty: Type {
                    base,
                    optional: true,
                },
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
                    Ok(Expr {
                        kind: ExprKind::SetOf(items),
                        ty: Type::of(Base::Set(id)),
                        span,
                    })
                }
                _ if lo > hi => {
                    let message = format!("the range {lo}..{hi} is empty");
                    Err(self.error(codes::EMPTY_RANGE, span, message))
                }
                _ => {
                    let domain = self.range(lo, hi, span)?;
                    Ok(Expr {
                        kind: ExprKind::All(domain),
                        ty: Type::of(Base::Set(domain)),
                        span,
                    })
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
            return Ok(Expr {
                kind: ExprKind::SetOf(Vec::new()),
                ty: Type::of(Base::Set(domain)),
                span,
            });
        };
        let wanted = match wanted {
            None if self.is_open_name(first) => self.common_enum(items).or(wanted),
            _ => wanted,
        };
        let mut values: Vec<Expr> = Vec::new();
        let mut ty: Option<Type> = None;
        let mut failed = false;
        for item in items {
            let hint = wanted.or(ty);
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
                    self.error(codes::WRONG_TYPE, item.span, message);
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
        Ok(Expr {
            kind: ExprKind::SetOf(values),
            ty: Type::of(Base::Set(domain)),
            span,
        })
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
        let kind = ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise));
        Ok(Expr { kind, ty, span })
    }

    #[inline(never)]
    fn by_value(
        &mut self,
        subject: &ast::Expr,
        arms: &[Arm<ast::Expr>],
        want: Option<Type>,
        span: Span,
    ) -> Checked<Expr> {
        let subject = self.value(subject, None)?;
        let heads = self.heads(&subject, arms, span)?;
        let chosen = self.pick(&subject, &heads);
        let mut values = Vec::new();
        let mut ty: Option<Type> = None;
        let mut failed = false;
        for arm in arms {
            match self.value(&arm.body, want.or(ty)) {
                Ok(value) => {
                    let joined = match ty {
                        None => Some(value.ty),
                        Some(ty) => self.union_of(ty, value.ty, arm.body.span),
                    };
                    match joined {
                        Some(joined) => ty = Some(joined),
                        None => {
                            let one = self.type_name(ty.unwrap_or(NUMBER));
                            let other = self.type_name(value.ty);
                            let message = format!("this case is {other}, another one {one}");
                            self.error(codes::WRONG_TYPE, arm.body.span, message);
                            failed = true;
                        }
                    }
                    values.push(value);
                }
                Err(Reported) => failed = true,
            }
        }
        let (false, Some(ty)) = (failed, ty) else {
            return Err(Reported);
        };
        if let Some(chosen) = chosen {
            let value = values.into_iter().nth(chosen).ok_or(Reported)?;
            return self.fit(value, ty);
        }
        let mut cases = Vec::new();
        let mut other = None;
        for (heads, value) in heads.into_iter().zip(values) {
            let value = self.fit(value, ty)?;
            match heads {
                Some(heads) => cases.push((heads, value)),
                None => other = Some(Box::new(value)),
            }
        }
        let kind = ExprKind::Match(Box::new(subject), cases, other);
        Ok(Expr { kind, ty, span })
    }

    /// Returns which arm a subject takes that is known before play.
    pub(super) fn chosen_arm<T>(
        &mut self,
        subject: &Expr,
        arms: &[Arm<T>],
    ) -> Checked<Option<usize>> {
        let heads = self.heads(subject, arms, subject.span)?;
        match self.pick(subject, &heads) {
            Some(at) => Ok(Some(at)),
            None => Err(self.complain(
                codes::NOT_CONSTANT,
                subject.span,
                "this must be known before play",
                "choose by an option or a question",
            )),
        }
    }

    pub(super) fn pick(&self, subject: &Expr, heads: &[Heads]) -> Option<usize> {
        let super::constant::Const::Scalar(value) = self.constant(subject)? else {
            return None;
        };
        heads.iter().position(|heads| match heads {
            Some(heads) => heads.contains(&value),
            None => true,
        })
    }

    /// Resolves the cases of a `by`; reports missing and repeated ones.
    pub(super) fn heads<T>(
        &mut self,
        subject: &Expr,
        arms: &[Arm<T>],
        span: Span,
    ) -> Checked<Vec<Heads>> {
        let Base::Elem(domain) = subject.ty.base else {
            let of = self.type_name(subject.ty);
            return Err(self.complain(
                codes::WRONG_TYPE,
                subject.span,
                format!("`by` cannot choose by {of}"),
                "use `if`, or choose by a question or an enum",
            ));
        };
        let names = self.value_names(domain);
        let mut heads = Vec::new();
        let mut seen: HashMap<i64, Span> = HashMap::new();
        let mut otherwise = false;
        let mut failed = false;
        for arm in arms {
            match &arm.head {
                ArmHead::Else => {
                    otherwise = true;
                    heads.push(None);
                }
                ArmHead::Names(words) => {
                    let mut values = Vec::new();
                    for word in words {
                        let Some(value) = self.value_of(domain, word.as_str()) else {
                            let name = self.domain(domain).map_or("", |it| it.name.as_str());
                            let message = format!("`{name}` has no value `{word}`");
                            self.not_among(codes::NO_SUCH_VALUE, word, message, &names);
                            failed = true;
                            continue;
                        };
                        if let Some(earlier) = seen.get(&value) {
                            let message = format!("`{word}` has two cases");
                            let diagnostic = Diagnostic::new(codes::REPEATED_CASE, message)
                                .label(word.span, "here")
                                .label(*earlier, "and here");
                            self.report(diagnostic);
                            failed = true;
                        }
                        seen.insert(value, word.span);
                        values.push(value);
                    }
                    heads.push(Some(values));
                }
            }
        }
        if failed {
            return Err(Reported);
        }
        let is_missing = |at: usize| i64::try_from(at).is_ok_and(|at| !seen.contains_key(&at));
        let missing: Vec<String> = (0..names.len())
            .filter(|at| is_missing(*at))
            .filter_map(|at| names.get(at).cloned())
            .collect();
        if !otherwise && !missing.is_empty() {
            let list = super::scope::listed(&missing);
            return Err(self.report(
                Diagnostic::at(
                    codes::MISSING_CASE,
                    span,
                    format!("`by` has no case for {list}"),
                )
                .label(subject.span, "")
                .help("add the case, or an `else`"),
            ));
        }
        Ok(heads)
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
        let hint = want.or(value.as_ref().ok().map(|it| Type {
            optional: false,
            ..it.ty
        }));
        let (value, fallback) = (value?, self.value(fallback, hint)?);
        let Some(ty) = self.union_of(
            Type {
                optional: false,
                ..value.ty
            },
            fallback.ty,
            span,
        ) else {
            let (one, other) = (self.type_name(value.ty), self.type_name(fallback.ty));
            let message = format!("the value is {one}, its default {other}");
            return Err(self.error(codes::WRONG_TYPE, span, message));
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
