//! What is asked of known numbers, worked out.

use super::unroll::not;
use crate::model::{BinaryOp, Expr, ExprKind, NodeMut, Type, UnaryOp, arith, change};

/// Works out what is asked of known numbers.
pub(super) fn decide(expr: &mut Expr) {
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            decide(part);
        }
    });
    let whole = std::mem::replace(&mut expr.kind, ExprKind::Value(0));
    *expr = decided(expr.with_kind(whole));
}

/// The same of one whose parts are.
pub(super) fn decided(expr: Expr) -> Expr {
    let (op, left, right) = match &expr.kind {
        ExprKind::Binary(op, left, right) => (op, left, right),
        ExprKind::If(cond, then, or) => match cond.kind {
            ExprKind::Value(1) => return (**then).clone(),
            ExprKind::Value(0) => return (**or).clone(),
            _ => return expr,
        },
        ExprKind::Unary(UnaryOp::Not, part) if part.ty == Type::BOOL => match part.kind {
            ExprKind::Value(value) => {
                return Expr::truth(ExprKind::Value(1 - value), expr.span);
            }
            _ => return expr,
        },
        _ => return expr,
    };
    let is_empty = |it: &Expr| matches!(&it.kind, ExprKind::SetOf(items) if items.is_empty());
    if *op == BinaryOp::Union && (is_empty(left) || is_empty(right)) {
        let of = if is_empty(left) { right } else { left };
        return expr.with_kind(of.kind.clone());
    }
    let known = |it: &Expr| match it.kind {
        ExprKind::Value(value) if !it.ty.optional => Some(value),
        _ => None,
    };
    let truth = |it: bool| Expr::truth(ExprKind::Value(i64::from(it)), expr.span);
    let number = |it: Option<i64>| {
        let it = it.filter(|it| it.unsigned_abs() < 1 << 31)?;
        Some(Expr::number(it, expr.span))
    };
    let found = match (op, known(left), known(right)) {
        (BinaryOp::And, Some(0), _) | (BinaryOp::Or, Some(1), _) => Some((**left).clone()),
        (BinaryOp::And, Some(_), _) | (BinaryOp::Or, Some(_), _) => Some((**right).clone()),
        (BinaryOp::And, _, Some(1)) | (BinaryOp::Or, _, Some(0)) => Some((**left).clone()),
        (BinaryOp::Eq | BinaryOp::Ne, known, other) if known.is_some() != other.is_some() => {
            let (part, value) = match (known, other) {
                (None, Some(value)) => (left, value),
                (known, _) => (right, known.unwrap_or(0)),
            };
            let holds = (value == 1) == (*op == BinaryOp::Eq);
            let is_truth = left.ty == Type::BOOL && right.ty == Type::BOOL;
            is_truth.then(|| {
                if holds {
                    (**part).clone()
                } else {
                    not((**part).clone())
                }
            })
        }
        (_, Some(a), Some(b)) => match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => number(arith::calculate(*op, a, b)),
            _ => arith::compare(*op, a, b).map(truth),
        },
        _ => None,
    };
    found.unwrap_or(expr)
}
