//! Words before sets and zones: `count`, `some`, `max`, `most` and their kin.

mod lying;

use crate::diagnostic::codes;
use crate::model::{Aggregate, AggregateOp, Base, BinaryOp, Binder, Expr, ExprKind, Over, Type};
use crate::source::Span;
use crate::syntax::ast::{self, UnaryOp as Word};

use super::drawn::{both, compare};
use super::fetch::is_some;
use super::operator::{not, present};
use super::types::CALCULATED;
use super::{Checked, Checker, Reported, bounds};

impl Checker<'_> {
    /// Checks a word and its operand.
    #[inline(never)]
    pub(super) fn prefixed(
        &mut self,
        word: Word,
        operand: &ast::Expr,
        want: Option<Type>,
        span: Span,
    ) -> Checked<Expr> {
        match word {
            Word::Not => self.negated(operand, span),
            Word::Minus => self.negative(operand, span),
            Word::Empty | Word::Filled => self.occupied(word == Word::Filled, operand, span),
            Word::Count => self.count(operand, span),
            Word::Some | Word::No => self.exists(word == Word::Some, operand, span),
            Word::Every => self.every(operand, span),
            Word::Sum | Word::Product => self.total(word == Word::Product, operand, span),
            Word::Max | Word::Min => self.extreme(word == Word::Max, operand, want, span),
            Word::Most | Word::Least => self.best(word == Word::Most, operand, span),
        }
    }

    #[inline(never)]
    fn every(&mut self, operand: &ast::Expr, span: Span) -> Checked<Expr> {
        let help = "write what holds and then for which: `every { filled board[p] for p in Plot }`";
        let ast::ExprKind::Comprehension(it) = &operand.kind else {
            return Err(self.complain(
                codes::NOT_A_SET,
                operand.span,
                "`every` needs a condition and a `for`",
                help,
            ));
        };
        if it.map.is_none() {
            return Err(self.complain(
                codes::NOT_A_SET,
                operand.span,
                "`every` needs a condition before `for`",
                help,
            ));
        }
        let parts = self.comprehension(it, Some(Type::BOOL))?;
        let value = parts.value.ok_or(Reported)?;
        let value = self.fit(value, Type::BOOL)?;
        let value = self.truth_there(value);
        Ok(aggregate(
            AggregateOp::Every,
            parts.binders,
            Some(value),
            Type::BOOL,
            span,
        ))
    }

    #[inline(never)]
    fn total(&mut self, product: bool, operand: &ast::Expr, span: Span) -> Checked<Expr> {
        if let ast::ExprKind::Set(items) = &operand.kind
            && !items.is_empty()
        {
            return self.total_of(product, items, span);
        }
        let (mut binders, value) = match &operand.kind {
            ast::ExprKind::Comprehension(it) if it.map.is_some() => {
                let parts = self.comprehension(it, Some(CALCULATED))?;
                (parts.binders, parts.value.ok_or(Reported)?)
            }
            _ => {
                let (binder, value) = self.each_of(operand, CALCULATED)?;
                (vec![binder], value)
            }
        };
        let value = self.fit(present(value), CALCULATED)?;
        leave_out(&mut binders, &value);
        let most = self.most_combinations(&binders);
        let (lo, hi) = bounds::of(&value);
        if product {
            let ty = bounds::product(lo, hi, most);
            return Ok(aggregate(
                AggregateOp::Product,
                binders,
                Some(value),
                ty,
                span,
            ));
        }
        let ty = bounds::number(
            i128::from(lo.min(0)) * i128::from(most),
            i128::from(hi.max(0)) * i128::from(most),
        );
        Ok(aggregate(AggregateOp::Sum, binders, Some(value), ty, span))
    }

    /// `sum` and `product` of the values in braces: each counts, also where two are equal.
    #[inline(never)]
    fn total_of(&mut self, product: bool, items: &[ast::Expr], span: Span) -> Checked<Expr> {
        let (op, nothing) = match product {
            true => (BinaryOp::Mul, 1),
            false => (BinaryOp::Add, 0),
        };
        let mut total: Option<Expr> = None;
        for item in items {
            // What is missing is left out, so each may be.
            let wanted = CALCULATED.or_none();
            let mut value = self.value(item, Some(wanted))?;
            let optional = value.ty.optional;
            value = self.fit(value, CALCULATED)?;
            if optional {
                let (lo, hi) = bounds::of(&value);
                value = Expr {
                    ty: bounds::number(lo.min(nothing), hi.max(nothing)),
                    span: value.span,
                    kind: ExprKind::OrElse(
                        Box::new(value),
                        Box::new(super::holders::number(nothing, item.span)),
                    ),
                };
            }
            total = Some(match total {
                None => value,
                Some(total) => {
                    let [(a, b), (c, d)] = [bounds::of(&total), bounds::of(&value)]
                        .map(|(lo, hi)| (i128::from(lo), i128::from(hi)));
                    let ends = match product {
                        true => vec![a * c, a * d, b * c, b * d],
                        false => vec![a + c, b + d],
                    };
                    let least = ends.iter().min().copied().unwrap_or(0);
                    let most = ends.iter().max().copied().unwrap_or(0);
                    Expr {
                        kind: ExprKind::binary(op, total, value),
                        ty: bounds::number(least, most),
                        span,
                    }
                }
            });
        }
        total.ok_or(Reported)
    }

    /// `max` and `min`: of a comprehension, of a set, of the two or more values in braces.
    #[inline(never)]
    fn extreme(
        &mut self,
        max: bool,
        operand: &ast::Expr,
        want: Option<Type>,
        span: Span,
    ) -> Checked<Expr> {
        let hint = want.map(|it| match it.base {
            Base::Int(..) => CALCULATED,
            base => Type::of(base),
        });
        if let ast::ExprKind::Set(items) = &operand.kind
            && !items.is_empty()
        {
            return self.extreme_of(max, items, hint, span);
        }
        let op = if max {
            AggregateOp::Max
        } else {
            AggregateOp::Min
        };
        let (mut binders, value) = match &operand.kind {
            ast::ExprKind::Comprehension(it) if it.map.is_some() => {
                let parts = self.comprehension(it, hint)?;
                (parts.binders, present(parts.value.ok_or(Reported)?))
            }
            _ => {
                let (binder, value) = self.each_of(operand, hint.unwrap_or(CALCULATED))?;
                (vec![binder], value)
            }
        };
        if !matches!(value.ty.base, Base::Int(..) | Base::Elem(_)) {
            let of = self.type_name(value.ty);
            let message = format!("{of} has no order");
            return Err(self.error(codes::WRONG_TYPE, value.span, message));
        }
        leave_out(&mut binders, &value);
        let ty = Type {
            base: value.ty.base,
            optional: self.may_be_absent(want, &binders),
        };
        Ok(aggregate(op, binders, Some(value), ty, span))
    }

    #[inline(never)]
    fn extreme_of(
        &mut self,
        max: bool,
        items: &[ast::Expr],
        hint: Option<Type>,
        span: Span,
    ) -> Checked<Expr> {
        let mut best: Option<Expr> = None;
        for item in items {
            let known = hint.or(best.as_ref().map(|it| it.ty)).map(Type::or_none);
            let value = self.value(item, known)?;
            best = Some(match best {
                None => value,
                Some(best) => {
                    let Some(ty) = self.union_of(best.ty, value.ty, span) else {
                        return Err(self.mismatch(&value, best.ty));
                    };
                    self.better(max, best, value, ty, span)
                }
            });
        }
        best.ok_or(Reported)
    }

    /// The greater or smaller of two values; each is evaluated once.
    #[inline(never)]
    fn better(&mut self, max: bool, one: Expr, other: Expr, ty: Type, span: Span) -> Expr {
        let (a, b) = (
            self.fresh("it", one.ty, one.span),
            self.fresh("it", other.ty, other.span),
        );
        let (left, right) = (self.local(a, one.span), self.local(b, other.span));
        let (lo, hi) = (bounds::of(&one), bounds::of(&other));
        // What is missing keeps the other one from nothing.
        let (least, most) = match (one.ty.optional, other.ty.optional) {
            (false, false) => (lo.0.max(hi.0), lo.1.min(hi.1)),
            (true, false) => hi,
            (false, true) => lo,
            (true, true) => (lo.0.min(hi.0), lo.1.max(hi.1)),
        };
        let ty = match ty.base {
            Base::Int(..) if max => bounds::number(least, lo.1.max(hi.1)),
            Base::Int(..) => bounds::number(lo.0.min(hi.0), most),
            _ => ty,
        };
        let ty = Type {
            optional: one.ty.optional && other.ty.optional,
            ..ty
        };
        let op = if max { BinaryOp::Ge } else { BinaryOp::Le };
        let mut test = compare(op, left.clone(), right.clone(), span);
        if other.ty.optional {
            let missing = not(is_some(right.clone(), span), span);
            test = compare(BinaryOp::Or, missing, test, span);
        }
        if one.ty.optional {
            test = both(is_some(left.clone(), span), test, span);
        }
        let choice = Expr {
            kind: ExprKind::choice(test, left, right),
            ty,
            span,
        };
        let inner = Expr::new(
            ExprKind::Let(b, Box::new(other), Box::new(choice)),
            ty,
            span,
        );
        Expr::new(ExprKind::Let(a, Box::new(one), Box::new(inner)), ty, span)
    }

    /// `most { x in S by k }`: a set, as several may be equal.
    #[inline(never)]
    fn best(&mut self, most: bool, operand: &ast::Expr, span: Span) -> Checked<Expr> {
        let word = if most { "most" } else { "least" };
        let ast::ExprKind::Comprehension(it) = &operand.kind else {
            return Err(self.complain(
                codes::NOT_A_SET,
                operand.span,
                format!("`{word}` needs members and `by`"),
                format!("write `{word} {{ s in seat by points[s] }}`"),
            ));
        };
        if it.by.is_none() || it.map.is_some() || it.binders.len() != 1 {
            return Err(self.complain(
                codes::NOT_A_SET,
                operand.span,
                format!("`{word}` needs one kind of member and `by`"),
                format!("write `{word} {{ s in seat by points[s] }}`"),
            ));
        }
        let mut parts = self.comprehension(it, None)?;
        let key = present(parts.by.ok_or(Reported)?);
        if !matches!(key.ty.base, Base::Int(..) | Base::Elem(_)) {
            let of = self.type_name(key.ty);
            return Err(self.error(codes::WRONG_TYPE, key.span, format!("{of} has no order")));
        }
        leave_out(&mut parts.binders, &key);
        let element = self.binder_type(&parts.binders);
        let domain = self.domain_of(element, span)?;
        let op = if most {
            AggregateOp::Most
        } else {
            AggregateOp::Least
        };
        Ok(aggregate(
            op,
            parts.binders,
            Some(key),
            Type::of(Base::Set(domain)),
            span,
        ))
    }

    /// `first(S)` and `last(S)`.
    #[inline(never)]
    pub(super) fn end_of(
        &mut self,
        op: AggregateOp,
        operand: &ast::Expr,
        want: Option<Type>,
        span: Span,
    ) -> Checked<Expr> {
        if let ast::ExprKind::Comprehension(it) = &operand.kind
            && it.map.is_none()
            && let [binder] = it.binders.as_slice()
            && it.by.is_none()
            && self.family_named(&binder.set).is_none()
        {
            let parts = self.comprehension(it, None)?;
            let ty = Type {
                base: self.binder_type(&parts.binders).base,
                optional: self.may_be_absent(want, &parts.binders),
            };
            let end = aggregate(op, parts.binders, None, ty, span);
            return Ok(self.kind_of(end));
        }
        let set = self.any_set(operand, want.map(|it| it.base))?;
        let end = self.pick_end(op, set, want, span)?;
        Ok(self.kind_of(end))
    }

    #[inline(never)]
    fn pick_end(
        &mut self,
        op: AggregateOp,
        set: Expr,
        want: Option<Type>,
        span: Span,
    ) -> Checked<Expr> {
        let binder = self.binder_over_set(set)?;
        let binders = vec![binder];
        let ty = Type {
            base: self.binder_type(&binders).base,
            optional: self.may_be_absent(want, &binders),
        };
        Ok(aggregate(op, binders, None, ty, span))
    }

    /// Whether something that may find nothing is `none` then, or a fault.
    fn may_be_absent(&self, want: Option<Type>, binders: &[Binder]) -> bool {
        let certain = binders.iter().all(|it| {
            let all = matches!(&it.over, Over::Set(set) if matches!(set.kind, ExprKind::All(_)));
            all && it.guard.is_none()
        });
        !certain && want.is_none_or(|it| it.optional)
    }

    pub(super) fn set_of_cells(&self, domain: crate::model::DomainId) -> Type {
        Type::of(Base::Set(domain))
    }
}

/// A set holds no `none`: where the value is missing there is no member either.
fn leave_out(binders: &mut [Binder], value: &Expr) {
    if let Some(last) = binders.last_mut().filter(|_| value.ty.optional) {
        let is_there = is_some(value.clone(), value.span);
        last.guard = Some(match last.guard.take() {
            Some(guard) => both(guard, is_there, value.span),
            None => is_there,
        });
    }
}

/// Makes an aggregate.
pub(super) fn aggregate(
    op: AggregateOp,
    binders: Vec<Binder>,
    value: Option<Expr>,
    ty: Type,
    span: Span,
) -> Expr {
    Expr::new(Aggregate::over(op, binders).of(value), ty, span)
}
