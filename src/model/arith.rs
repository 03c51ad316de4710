//! One arithmetic: what `+ - * / mod` mean to the checker, to the folding of constants and to the machine.
//!
//! Calculations are exact. A result of more than eighteen digits is a fault; where the ranges of the
//! operands show that there can be none, nothing has to be checked when the rules run.

use super::BinaryOp;
use crate::limits;

/// The greatest magnitude of a number.
pub const MOST: i64 = limits::MOST_NUMBER;

/// The bounds of a number, both included.
pub type Bounds = (i64, i64);

/// The quotient, rounded down; none for a division by zero.
#[must_use]
pub fn quotient(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    let is_between = a % b != 0 && (a < 0) != (b < 0);
    Some(quotient - i64::from(is_between))
}

/// What is left of a division that rounds down: nothing, or of the sign of `b`; none for a division by
/// zero.
#[must_use]
pub fn remainder(a: i64, b: i64) -> Option<i64> {
    let left = a.checked_rem(b)?;
    let is_between = left != 0 && (left < 0) != (b < 0);
    Some(if is_between { left + b } else { left })
}

/// The result of an operation on numbers; none where it is a fault or the operation is another.
#[must_use]
pub fn calculate(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    let value = match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Div => quotient(a, b),
        BinaryOp::Mod => remainder(a, b),
        _ => None,
    };
    value.filter(|it| (-MOST..=MOST).contains(it))
}

/// Whether a comparison of two numbers holds; none where the operation is another.
#[must_use]
pub fn compare(op: BinaryOp, a: i64, b: i64) -> Option<bool> {
    Some(match op {
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        BinaryOp::Lt => a < b,
        BinaryOp::Le => a <= b,
        BinaryOp::Gt => a > b,
        BinaryOp::Ge => a >= b,
        _ => return None,
    })
}

/// The exact bounds of an operation on numbers within bounds, where it has a result.
#[must_use]
pub fn bounds(op: BinaryOp, left: Bounds, right: Bounds) -> (i128, i128) {
    let [a, b, c, d] = [left.0, left.1, right.0, right.1].map(i128::from);
    match op {
        BinaryOp::Add => (a + c, b + d),
        BinaryOp::Sub => (a - d, b - c),
        BinaryOp::Mul => hull([a, b].into_iter().flat_map(|x| [x * c, x * d])),
        // The quotient grows the most next to zero.
        BinaryOp::Div => hull(
            [c, d, -1, 1]
                .into_iter()
                .filter(|y| *y != 0 && (c..=d).contains(y))
                .flat_map(|y| [a, b].map(|x| x.div_euclid(y) - i128::from(y < 0 && x % y != 0))),
        ),
        BinaryOp::Mod if a >= 0 && c > b => (a, b),
        BinaryOp::Mod => {
            let least = if c < 0 { c + 1 } else { 0 };
            let most = if d > 0 { d - 1 } else { 0 };
            let most = if a >= 0 && c > 0 { most.min(b) } else { most };
            (least, most)
        }
        _ => (-i128::from(MOST), i128::from(MOST)),
    }
}

/// The least and the greatest; nothing but zero where there are none.
fn hull(values: impl Iterator<Item = i128> + Clone) -> (i128, i128) {
    (values.clone().min().unwrap_or(0), values.max().unwrap_or(0))
}
