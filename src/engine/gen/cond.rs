//! Conditions as jumps.

use super::Gen;
use super::func::Label;
use super::tables::is_scalar;
use super::walks::is_plain;
use crate::engine::layout::words_for;
use crate::engine::op::{FaultKind, Op};
use crate::model::{AggregateOp, Base, BinaryOp, Expr, ExprKind, UnaryOp};

impl Gen<'_, '_> {
    /// Jumps to a label where a condition is `when`.
    pub fn cond(&mut self, expr: &Expr, when: bool, label: Label) {
        let around = self.begin(expr.span);
        self.cond_of(expr, when, label);
        self.finish(around);
    }

    pub(super) fn cond_of(&mut self, expr: &Expr, when: bool, label: Label) {
        match &expr.kind {
            ExprKind::Value(value) => {
                if (*value != 0) == when {
                    self.jump(label);
                }
            }
            ExprKind::Setting(folded) => {
                if (folded.value != 0) == when {
                    self.jump(label);
                }
            }
            ExprKind::Unary(UnaryOp::Not, operand) => self.cond(operand, !when, label),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                // `a and b` is false as soon as `a` is; `a or b` true as soon as `a` is.
                let decides = *op == BinaryOp::Or;
                if when == decides {
                    self.cond(left, when, label);
                    self.knowing(left, !decides, |it| it.cond(right, when, label));
                } else {
                    let skip = self.label();
                    self.cond(left, decides, skip);
                    self.knowing(left, !decides, |it| it.cond(right, when, label));
                    self.bind(skip);
                }
            }
            ExprKind::Binary(BinaryOp::In, element, set) => self.cond_in(element, set, when, label),
            ExprKind::Binary(..) if self.cond_line(expr, when, label) => {}
            ExprKind::Binary(op, left, right) if is_scalar(left.ty) => {
                self.cond_compare(*op, left, right, when, label);
            }
            ExprKind::Aggregate(aggregate)
                if matches!(
                    aggregate.op,
                    AggregateOp::Some | AggregateOp::No | AggregateOp::Every
                ) =>
            {
                self.cond_aggregate(aggregate, when, label);
            }
            ExprKind::Let(local, value, body) => {
                self.bind_let(*local, value);
                self.cond(body, when, label);
            }
            _ => {
                let a = self.value(expr);
                let to = self.to(label);
                self.op(if when {
                    Op::JumpIf { a, to }
                } else {
                    Op::JumpNot { a, to }
                });
            }
        }
    }

    pub(super) fn cond_compare(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        when: bool,
        label: Label,
    ) {
        let (a, b) = self.operands(op, left, right);
        let to = self.to(label);
        let jump = match (op, when) {
            (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => Op::JumpEq { a, b, to },
            (BinaryOp::Ne, true) | (BinaryOp::Eq, false) => Op::JumpNe { a, b, to },
            (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => Op::JumpLt { a, b, to },
            (BinaryOp::Le, true) | (BinaryOp::Gt, false) => Op::JumpLe { a, b, to },
            (BinaryOp::Gt, true) | (BinaryOp::Le, false) => Op::JumpLt { a: b, b: a, to },
            (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => Op::JumpLe { a: b, b: a, to },
            _ => Op::Fail {
                fault: FaultKind::Bounds,
            },
        };
        self.op(jump);
    }

    pub(super) fn cond_in(&mut self, element: &Expr, set: &Expr, when: bool, label: Label) {
        let Base::Set(domain) = set.ty.base else {
            return self.fail(FaultKind::Absent);
        };
        if let ExprKind::Let(local, value, body) = &set.kind
            && is_plain(element)
        {
            self.bind_let(*local, value);
            return self.cond_in(element, body, when, label);
        }
        let n = words_for(self.domain_size(domain));
        let e = self.bit(element, self.domain_lo(domain));
        let set = self.value(set);
        if n == 1 {
            let to = self.to(label);
            self.op(if when {
                Op::JumpIn { set, e, to }
            } else {
                Op::JumpNotIn { set, e, to }
            });
            return;
        }
        let d = self.temp();
        self.op(Op::WideHas { d, set, e, n });
        let to = self.to(label);
        self.op(if when {
            Op::JumpIf { a: d, to }
        } else {
            Op::JumpNot { a: d, to }
        });
    }
}
