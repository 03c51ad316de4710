//! What conditions are made of.

use rustc_hash::FxHashSet as HashSet;

use super::index::Index;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

/// Of so many each is compared with each; of more only the first.
pub(super) const MOST_COMPARED: usize = 1_000;

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

/// Returns the number that is written there.
pub(super) fn number(expr: &Expr) -> Option<i64> {
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
fn terms(expr: &Expr, joint: BinaryOp) -> Vec<&Expr> {
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

/// Returns what is joined by `and` and by `or`, longest chains only.
pub(super) fn chains<'a>(index: &Index<'a>) -> Vec<(BinaryOp, Vec<&'a Expr>)> {
    let mut inner = HashSet::default();
    let mut all = Vec::new();
    for (seen, op, left, right) in index.binaries() {
        if !matches!(op, BinaryOp::And | BinaryOp::Or) {
            continue;
        }
        for side in [left, right] {
            if matches!(&side.kind, ExprKind::Binary { op: below, .. } if *below == op) {
                inner.insert(std::ptr::from_ref::<Expr>(side));
            }
        }
        if !inner.contains(&std::ptr::from_ref(seen.expr)) {
            all.push((op, terms(seen.expr, op)));
        }
    }
    all
}
