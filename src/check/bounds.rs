//! Bounds of numbers.

use crate::diagnostic::{Diagnostic, codes};
use crate::model::arith::{self, MOST};
use crate::model::{Base, BinaryOp, Expr, ExprKind, Type, UnaryOp};
use crate::source::Span;

use super::Checker;
use super::patterns::NOWHERE;
use super::types::INT;

/// The bounds of a number; those of `int` for anything else.
pub(super) fn of(expr: &Expr) -> (i64, i64) {
    match expr.ty.base {
        Base::Int(lo, hi) => (lo, hi),
        _ => INT,
    }
}

/// The type of numbers within bounds. Where these have more than eighteen digits, the value is checked
/// when it is calculated.
pub(super) fn number(lo: impl Into<i128>, hi: impl Into<i128>) -> Type {
    let [lo, hi] = [lo.into(), hi.into()].map(|it| {
        let inside = it.clamp(-i128::from(MOST), i128::from(MOST));
        i64::try_from(inside).unwrap_or(MOST)
    });
    Type::of(Base::Int(lo, hi))
}

/// The type of a product of at most so many values.
pub(super) fn product(lo: i64, hi: i64, most: i64) -> Type {
    let furthest = i128::from(hi.unsigned_abs().max(lo.unsigned_abs()).max(1));
    let mut bound = 1_i128;
    for _ in 0..most.clamp(0, 64) {
        bound = (bound * furthest).min(i128::from(MOST));
    }
    let least = if lo < 0 { -bound } else { 0 };
    number(least, bound)
}

/// The type of a calculation.
pub(super) fn arithmetic(op: BinaryOp, left: (i64, i64), right: (i64, i64)) -> Type {
    let (lo, hi) = arith::bounds(op, left, right);
    number(lo, hi)
}

/// Whether a comparison of numbers has the same answer whatever their values.
pub(super) fn settled(op: BinaryOp, left: (i64, i64), right: (i64, i64)) -> Option<bool> {
    let ((a, b), (c, d)) = (left, right);
    match op {
        BinaryOp::Lt if b < c => Some(true),
        BinaryOp::Lt if a >= d => Some(false),
        BinaryOp::Le if b <= c => Some(true),
        BinaryOp::Le if a > d => Some(false),
        BinaryOp::Gt => settled(BinaryOp::Lt, right, left),
        BinaryOp::Ge => settled(BinaryOp::Le, right, left),
        BinaryOp::Eq if b < c || d < a => Some(false),
        BinaryOp::Ne if b < c || d < a => Some(true),
        _ => None,
    }
}

impl Checker<'_> {
    /// Says that a comparison has the same answer in every position.
    pub(super) fn tell_settled(&mut self, always: bool, span: Span, sides: [&Expr; 2]) {
        // Nobody wrote what stands for a pattern.
        if span.file == NOWHERE {
            return;
        }
        let says = if always {
            "always holds"
        } else {
            "never holds"
        };
        let mut found = Diagnostic::at(codes::NEVER_HOLDS, span, format!("this comparison {says}"))
            .help("check the bounds of the types");
        for side in sides {
            found = found.label(side.span, format!("this is {}", self.type_name(side.ty)));
        }
        self.report(found);
    }

    /// Says so of what is among all that there is of its kind, where that is `asked`, or the contrary.
    pub(super) fn look_among(&mut self, asked: bool, value: &Expr, set: &Expr, span: Span) {
        if matches!(set.kind, ExprKind::All(_))
            && !value.ty.optional
            && !matches!(value.ty.base, Base::Int(..))
            && self.constant(value).is_none()
        {
            self.tell_settled(asked, span, [value, set]);
        }
    }

    /// Says so of a number that is in a range whatever it is, or never.
    pub(super) fn look_between(
        &mut self,
        asked: bool,
        value: &Expr,
        [from, to]: [&Expr; 2],
        span: Span,
    ) {
        let (low, among, high) = (of(from), of(value), of(to));
        let sides = [
            settled(BinaryOp::Le, low, among),
            settled(BinaryOp::Le, among, high),
        ];
        let always = sides == [Some(true); 2];
        let is_known = value.ty.optional || self.constant(value).is_some();
        if is_known || !always && !sides.contains(&Some(false)) {
            return;
        }
        let range = Expr {
            kind: ExprKind::Value(0),
            ty: number(low.0, high.1),
            span: from.span.to(to.span),
        };
        self.tell_settled(always == asked, span, [value, &range]);
    }
}

/// Whether a condition surely has an answer: comparisons of what is there.
pub(super) fn is_sure(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Value(_) | ExprKind::Local(_) | ExprKind::All(_) => true,
        ExprKind::Track(_, index) => index.is_empty(),
        ExprKind::Unary(UnaryOp::Not | UnaryOp::IsSome, inner) => is_sure(inner),
        ExprKind::Binary(op, left, right) => {
            let is_asked = expr.ty.base == Base::Bool;
            let is_there = !left.ty.optional && !right.ty.optional;
            let alike = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
            is_asked && (is_there || alike) && is_sure(left) && is_sure(right)
        }
        _ => false,
    }
}
