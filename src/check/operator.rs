//! Operators between two operands, and `not` and `-`.

use crate::diagnostic::codes;
use crate::model::{Base, BinaryOp, DomainKind, Expr, ExprKind, Over, Shape, Type, UnaryOp};
use crate::source::Span;
use crate::syntax::ast;

use super::signs::is_drawn;
use super::thing::Thing;
use super::types::CALCULATED;
use super::{Checked, Checker, bounds};

impl Checker<'_> {
    #[inline(never)]
    pub(super) fn negated(&mut self, operand: &ast::Expr, span: Span) -> Checked<Expr> {
        let operand = self.condition(operand)?;
        Ok(not(operand, span))
    }

    #[inline(never)]
    pub(super) fn negative(&mut self, operand: &ast::Expr, span: Span) -> Checked<Expr> {
        let operand = self.typed(operand, CALCULATED)?;
        if let ExprKind::Value(value) = operand.kind {
            return Ok(super::holders::number(-value, span));
        }
        let (lo, hi) = bounds::of(&operand);
        Ok(Expr {
            kind: ExprKind::unary(UnaryOp::Neg, operand),
            ty: bounds::number(-hi, -lo),
            span,
        })
    }

    #[inline(never)]
    pub(super) fn binary(
        &mut self,
        op: ast::BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        want: Option<Type>,
        span: Span,
    ) -> Checked<Expr> {
        use ast::BinaryOp as Op;
        match op {
            Op::And | Op::Or => {
                let (left, right) = (self.condition(left), self.condition(right));
                Ok(self.joined(op == Op::And, left?, right?, span))
            }
            Op::Equal | Op::NotEqual if is_drawn(left) != is_drawn(right) => {
                let (drawn, other) = match is_drawn(left) {
                    true => (left, right),
                    false => (right, left),
                };
                let same = self.as_drawn(other, drawn, span)?;
                Ok(match op {
                    Op::NotEqual => not(same, span),
                    _ => same,
                })
            }
            Op::Equal | Op::NotEqual => {
                let (left, right) = self.alike(left, right)?;
                let op = match op {
                    Op::Equal => BinaryOp::Eq,
                    _ => BinaryOp::Ne,
                };
                Ok(self.compared(op, left, right, span))
            }
            Op::Less | Op::LessOrEqual | Op::Greater | Op::GreaterOrEqual => {
                let (left, right) = self.alike(left, right)?;
                let op = match op {
                    Op::Less => BinaryOp::Lt,
                    Op::LessOrEqual => BinaryOp::Le,
                    Op::Greater => BinaryOp::Gt,
                    _ => BinaryOp::Ge,
                };
                if !matches!(left.ty.base, Base::Int(..) | Base::Elem(_)) {
                    let of = self.type_name(left.ty);
                    let message = format!("{of} has no order");
                    return Err(self.error(codes::WRONG_TYPE, span, message));
                }
                Ok(self.compared(op, present(left), present(right), span))
            }
            Op::In | Op::NotIn => {
                let found = self.is_in(op == Op::In, [left, right], span)?;
                Ok(match op {
                    Op::NotIn => not(found, span),
                    _ => found,
                })
            }
            Op::Plus | Op::Minus => self.sum(op == Op::Plus, left, right, want, span),
            Op::Times | Op::Divided | Op::Mod => {
                let (left, right) = (self.typed(left, CALCULATED), self.typed(right, CALCULATED));
                let op = match op {
                    Op::Times => BinaryOp::Mul,
                    Op::Divided => BinaryOp::Div,
                    _ => BinaryOp::Mod,
                };
                Ok(self.calculated(op, left?, right?, span))
            }
        }
    }

    /// `and` and `or`; a side that is decided before play leaves the other.
    #[inline(never)]
    fn joined(&mut self, and: bool, left: Expr, right: Expr, span: Span) -> Expr {
        match (self.decided(&left), self.decided(&right)) {
            (Some(value), _) if value == and => right,
            (Some(_), _) => left,
            (_, Some(value)) if value == and => left,
            _ => {
                let op = if and { BinaryOp::And } else { BinaryOp::Or };
                Expr::truth(ExprKind::binary(op, left, right), span)
            }
        }
    }

    /// Checks two sides that must have one type; either may explain the names of the other.
    #[inline(never)]
    fn alike(&mut self, left: &ast::Expr, right: &ast::Expr) -> Checked<(Expr, Expr)> {
        let (left, right) = if self.is_open_name(left) && !self.is_open_name(right) {
            let right = self.value(right, None)?;
            (self.value(left, Some(right.ty))?, right)
        } else {
            let left = self.value(left, None);
            let hint = left.as_ref().ok().map(|it| it.ty);
            // What only the other side could tell is not asked for behind its error.
            if hint.is_none() && self.is_open_name(right) {
                return Err(super::Reported);
            }
            let right = self.value(right, hint);
            (left?, right?)
        };
        match (left.ty.base, right.ty.base) {
            (Base::Int(..), Base::Int(..)) => Ok((left, right)),
            (Base::Set(a), Base::Set(b)) if a != b => {
                let Some(ty) = self.union_of(left.ty, right.ty, left.span) else {
                    return Err(self.unlike(&left, &right));
                };
                Ok((self.fit(left, ty)?, self.fit(right, ty)?))
            }
            (Base::Elem(_), Base::Set(_)) | (Base::Set(_), Base::Elem(_)) => {
                let (one, other) = (self.type_name(left.ty), self.type_name(right.ty));
                Err(self.complain(
                    codes::WRONG_TYPE,
                    left.span.to(right.span),
                    format!("{one} cannot be compared with {other}"),
                    "write `in` to ask whether it is a member",
                ))
            }
            (a, b) if a == b => Ok((left, right)),
            _ => Err(self.unlike(&left, &right)),
        }
    }

    #[inline(never)]
    fn unlike(&mut self, left: &Expr, right: &Expr) -> super::Reported {
        let (one, other) = (self.type_name(left.ty), self.type_name(right.ty));
        let message = format!("{one} cannot be compared with {other}");
        let span = left.span.to(right.span);
        let help = self
            .hidden_value(left, right.ty)
            .or_else(|| self.hidden_value(right, left.ty))
            .or_else(|| self.way_to(left.ty, right.ty))
            .or_else(|| self.way_to(right.ty, left.ty));
        match help {
            Some(help) => self.complain(codes::WRONG_TYPE, span, message, help),
            None => self.error(codes::WRONG_TYPE, span, message),
        }
    }

    /// Says that a local has the name of a value which was meant.
    pub(super) fn hidden_value(&self, local: &Expr, wanted: Type) -> Option<String> {
        let (id, domain) = (local.as_local()?, wanted.base.element_of()?);
        let name = &self.game.locals.get(id.index())?.name;
        self.value_of(domain, name)?;
        let kind = self.type_name(wanted);
        Some(format!(
            "`{name}` is a name given here, and hides the value of {kind}: give it another name"
        ))
    }

    #[inline(never)]
    fn compared(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        let numbers = matches!(
            (left.ty.base, right.ty.base),
            (Base::Int(..), Base::Int(..))
        );
        if numbers
            && !left.ty.optional
            && !right.ty.optional
            && let Some(always) = bounds::settled(op, bounds::of(&left), bounds::of(&right))
            && (self.constant(&left).is_none() || self.constant(&right).is_none())
        {
            self.tell_settled(always, span, [&left, &right]);
        }
        Expr::truth(ExprKind::binary(op, left, right), span)
    }

    /// Whether a value is in a set; `asked` is whether that is asked, and not the contrary.
    #[inline(never)]
    fn is_in(&mut self, asked: bool, [left, right]: [&ast::Expr; 2], span: Span) -> Checked<Expr> {
        // The members of a literal are named by the type of the left side.
        if let ast::ExprKind::Range { from, to } = &right.kind {
            let value = self.value(left, None)?;
            if let Base::Int(..) = value.ty.base {
                let (from, to) = (self.typed(from, CALCULATED)?, self.typed(to, CALCULATED)?);
                self.look_between(asked, &value, [&from, &to], span);
                return Ok(self.between(value, from, to, span));
            }
        }
        if is_drawn(right) && !self.is_open_name(left) {
            let value = self.value(left, None)?;
            let element = Type::of(value.ty.base);
            let domain = self.domain_of(element, right.span)?;
            let set = self.value(right, Some(Type::of(Base::Set(domain))))?;
            return self.member(value, set, span);
        }
        let literal = matches!(right.kind, ast::ExprKind::Set(_));
        if literal && !self.is_open_name(left) {
            let value = self.value(left, None)?;
            let set = self.value(right, Some(value.ty))?;
            return self.member(value, set, span);
        }
        let (mut over, mut element) = self.over(right)?;
        if let Over::Set(set) = over {
            let set = self.kinds_of(set);
            if let Base::Set(domain) = set.ty.base {
                element = self.element(domain);
            }
            over = Over::Set(set);
        }
        let value = self.value(left, Some(element.or_none()))?;
        match over {
            Over::Set(set) => {
                self.look_among(asked, &value, &set, span);
                self.member(value, set, span)
            }
            Over::Span(from, to) => {
                self.look_between(asked, &value, [&from, &to], span);
                Ok(self.between(value, from, to, span))
            }
            Over::Zone(place) => {
                let value = self.fit(value, element.or_none())?;
                let domain = self.domain_of(element, right.span)?;
                let kinds = Expr::set(ExprKind::Kinds(place), domain, right.span);
                Ok(self.membership(value, kinds, span))
            }
        }
    }

    #[inline(never)]
    fn member(&mut self, value: Expr, set: Expr, span: Span) -> Checked<Expr> {
        let Base::Set(domain) = set.ty.base else {
            return Err(self.complain(
                codes::WRONG_TYPE,
                set.span,
                "`in` needs a set or a zone on its right",
                "write `==` to compare with one value",
            ));
        };
        let element = self.element(domain);
        let fits = match (value.ty.base, element.base) {
            (Base::Int(..), Base::Int(..)) => true,
            (a, b) => a == b,
        };
        if !fits {
            return Err(self.mismatch(&value, element));
        }
        Ok(self.membership(value, set, span))
    }

    #[inline(never)]
    fn between(&mut self, value: Expr, from: Expr, to: Expr, span: Span) -> Expr {
        let simple = matches!(value.kind, ExprKind::Local(_) | ExprKind::Value(_));
        let (ty, value_span) = (value.ty, value.span);
        let local = (!simple).then(|| self.fresh("it", ty, value_span));
        let subject = match local {
            Some(local) => self.local(local, value_span),
            None => value.clone(),
        };
        let compare = |op, a: Expr, b: Expr| Expr::truth(ExprKind::binary(op, a, b), span);
        let low = compare(BinaryOp::Le, from, subject.clone());
        let high = compare(BinaryOp::Le, subject.clone(), to);
        let both = compare(BinaryOp::And, low, high);
        // Nothing is in no range.
        let both = if ty.optional {
            let some = Expr::truth(ExprKind::unary(UnaryOp::IsSome, subject), span);
            compare(BinaryOp::And, some, both)
        } else {
            both
        };
        match local {
            Some(local) => Expr::truth(ExprKind::Let(local, Box::new(value), Box::new(both)), span),
            None => both,
        }
    }

    /// `+` and `-`: of numbers, of sets, of a cyclic value and a number.
    #[inline(never)]
    fn sum(
        &mut self,
        plus: bool,
        left: &ast::Expr,
        right: &ast::Expr,
        want: Option<Type>,
        span: Span,
    ) -> Checked<Expr> {
        let hint = match want.map(|it| it.base) {
            Some(Base::Int(..)) => Some(CALCULATED),
            Some(base) => Some(Type::of(base)),
            None => None,
        };
        let left = if self.is_open_name(left)
            && hint.is_none()
            && matches!(left.kind, ast::ExprKind::Set(_))
        {
            let other = self.value(right, None)?;
            self.value(left, Some(other.ty))?
        } else {
            let left = self.set_or_value(left, hint)?;
            present(left)
        };
        let op = |sum, minus| if plus { sum } else { minus };
        match left.ty.base {
            Base::Int(..) => {
                let right = self.typed(right, CALCULATED)?;
                Ok(self.calculated(op(BinaryOp::Add, BinaryOp::Sub), left, present(right), span))
            }
            Base::Set(_) => {
                let right = self.set_or_value(right, Some(left.ty))?;
                let Base::Set(_) = right.ty.base else {
                    return Err(self.complain(
                        codes::WRONG_TYPE,
                        right.span,
                        "only a set can be joined with a set",
                        "put braces around a single member: `{ x }`",
                    ));
                };
                let Some(ty) = self.union_of(left.ty, right.ty, span) else {
                    return Err(self.mismatch(&right, left.ty));
                };
                let (left, right) = (self.fit(left, ty)?, self.fit(right, ty)?);
                let op = op(BinaryOp::Union, BinaryOp::Minus);
                let kind = ExprKind::binary(op, left, right);
                Ok(Expr { kind, ty, span })
            }
            Base::Elem(id) => {
                let steps = self.typed(right, CALCULATED)?;
                let op = op(BinaryOp::CycleAdd, BinaryOp::CycleSub);
                match self.domain(id).map(|it| &it.kind) {
                    Some(DomainKind::Enum { cyclic: true, .. }) => {
                        let ty = left.ty;
                        let kind = ExprKind::binary(op, left, steps);
                        Ok(Expr { kind, ty, span })
                    }
                    Some(DomainKind::Space {
                        shape: Shape::Line | Shape::Ring,
                        ..
                    }) => Ok(self.along(left, steps, plus, span)),
                    _ => {
                        let of = self.type_name(left.ty);
                        Err(self.complain(codes::WRONG_TYPE, span, format!("{of} cannot be counted on"), "write `cyclic` behind the name of the enum if its last value is followed by the first, or use `ord(…)`"))
                    }
                }
            }
            Base::Bool | Base::Unit => {
                let of = self.type_name(left.ty);
                Err(self.error(
                    codes::WRONG_TYPE,
                    left.span,
                    format!("{of} cannot be added to"),
                ))
            }
        }
    }

    /// A zone, a type or an expression where sets may be meant.
    #[inline(never)]
    fn set_or_value(&mut self, expr: &ast::Expr, hint: Option<Type>) -> Checked<Expr> {
        match self.thing(expr, hint)? {
            Thing::Value(value) => Ok(value),
            thing => self.as_value(thing, hint, expr.span),
        }
    }

    /// So many places further on a line or ring.
    #[inline(never)]
    fn along(&mut self, cell: Expr, steps: Expr, plus: bool, span: Span) -> Expr {
        let east = self.value_of(self.direction, "e").unwrap_or(0);
        let way = self.enum_value(self.direction, east, span);
        let (lo, hi) = bounds::of(&steps);
        let count = if plus {
            steps
        } else {
            Expr {
                span: steps.span,
                ty: bounds::number(-hi, -lo),
                kind: ExprKind::unary(UnaryOp::Neg, steps),
            }
        };
        stepped(cell, way, count, span)
    }

    #[inline(never)]
    fn calculated(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        let ty = bounds::arithmetic(op, bounds::of(&left), bounds::of(&right));
        let literal = matches!(
            (&left.kind, &right.kind),
            (ExprKind::Value(_), ExprKind::Value(_))
        );
        let expr = Expr::new(ExprKind::binary(op, left, right), ty, span);
        if literal && let Some(super::constant::Const::Scalar(value)) = self.constant(&expr) {
            return super::holders::number(value, span);
        }
        expr
    }
}

/// `not`, without doubling it.
pub(super) fn not(operand: Expr, span: Span) -> Expr {
    Expr::truth(ExprKind::unary(UnaryOp::Not, operand), span)
}

/// Makes a comprehension that finds nothing a fault where a value is needed.
pub(super) fn present(mut expr: Expr) -> Expr {
    if let ExprKind::Aggregate(it) = &expr.kind {
        expr.ty.optional = it.default.as_ref().is_some_and(|it| it.ty.optional);
    }
    expr
}

/// The same, unless the place takes what may be absent.
pub(super) fn present_if(expr: Expr, want: Option<Type>) -> Expr {
    match want {
        Some(ty) if !ty.optional => present(expr),
        _ => expr,
    }
}

/// The place so many steps away, or none.
pub(super) fn stepped(cell: Expr, way: Expr, count: Expr, span: Span) -> Expr {
    let ty = cell.ty.or_none();
    Expr::new(ExprKind::step(cell, way, count), ty, span)
}
