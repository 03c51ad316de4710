//! What conditions are made of, and which of them follow from others.

use crate::syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

/// Returns whether an operator compares two values.
pub(super) fn compares(op: BinaryOp) -> bool {
    let asks_of_a_set = matches!(op, BinaryOp::In | BinaryOp::NotIn);
    op.tightness() == BinaryOp::Equal.tightness() && !asks_of_a_set
}

/// Returns the comparison with its sides exchanged.
pub(super) fn turned(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessOrEqual => BinaryOp::GreaterOrEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterOrEqual => BinaryOp::LessOrEqual,
        other => other,
    }
}

/// Returns whether an expression is a number or a truth as it is written.
pub(super) fn is_literal(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Bool(_)) || number(expr).is_some()
}

fn number(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Number(number) => Some(i64::from(*number)),
        ExprKind::Unary {
            op: UnaryOp::Minus,
            operand,
            ..
        } => number(operand).map(|it| -it),
        _ => None,
    }
}

/// Returns the terms of `a and b and c`, or of `a or b or c`, in their order.
pub(super) fn terms(expr: &Expr, joint: BinaryOp) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Binary {
            op, left, right, ..
        } if *op == joint => {
            let mut all = terms(left, joint);
            all.extend(terms(right, joint));
            all
        }
        _ => vec![expr],
    }
}

/// Returns whether one condition holds wherever the other does: both are the same, or both compare the same with a number.
pub(super) fn follows(weak: &Expr, strong: &Expr) -> bool {
    if weak == strong {
        return true;
    }
    match (bounds(weak), bounds(strong)) {
        (Some((one, (low, high))), Some((other, (from, to)))) => {
            one == other && low <= from && to <= high
        }
        _ => false,
    }
}

/// Returns what is compared with a number, and from where to where it may lie.
fn bounds(expr: &Expr) -> Option<(&Expr, (i64, i64))> {
    let ExprKind::Binary {
        op, left, right, ..
    } = &expr.kind
    else {
        return None;
    };
    let (value, op, number) = match (number(left), number(right)) {
        (None, Some(number)) => (left, *op, number),
        (Some(number), None) => (right, turned(*op), number),
        _ => return None,
    };
    let range = match op {
        BinaryOp::Equal => (number, number),
        BinaryOp::Less => (i64::MIN, number - 1),
        BinaryOp::LessOrEqual => (i64::MIN, number),
        BinaryOp::Greater => (number + 1, i64::MAX),
        BinaryOp::GreaterOrEqual => (number, i64::MAX),
        _ => return None,
    };
    Some((value, range))
}
