//! Bounds of numbers.

use crate::model::{Base, BinaryOp, Expr, Type};

use super::types::INT;

/// The bounds of a number; those of `int` for anything else.
pub(super) fn of(expr: &Expr) -> (i64, i64) {
    match expr.ty.base {
        Base::Int(lo, hi) => (lo, hi),
        _ => INT,
    }
}

/// The type of numbers within bounds, cut to those of `int`.
pub(super) fn number(lo: i64, hi: i64) -> Type {
    Type::of(Base::Int(lo.clamp(INT.0, INT.1), hi.clamp(INT.0, INT.1)))
}

/// The bounds of a calculation.
pub(super) fn arithmetic(op: BinaryOp, left: (i64, i64), right: (i64, i64)) -> Type {
    let ((a, b), (c, d)) = (left, right);
    let hull = |values: [i64; 4]| {
        let lo = values.iter().copied().min().unwrap_or(INT.0);
        let hi = values.iter().copied().max().unwrap_or(INT.1);
        number(lo, hi)
    };
    match op {
        BinaryOp::Add => number(a.saturating_add(c), b.saturating_add(d)),
        BinaryOp::Sub => number(a.saturating_sub(d), b.saturating_sub(c)),
        BinaryOp::Mul => hull([
            a.saturating_mul(c),
            a.saturating_mul(d),
            b.saturating_mul(c),
            b.saturating_mul(d),
        ]),
        BinaryOp::Div if c > 0 => hull([
            a.div_euclid(c),
            a.div_euclid(d),
            b.div_euclid(c),
            b.div_euclid(d),
        ]),
        BinaryOp::Mod if c > 0 => {
            if a >= 0 && b < c {
                number(a, b)
            } else {
                number(0, d - 1)
            }
        }
        _ => number(INT.0, INT.1),
    }
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
