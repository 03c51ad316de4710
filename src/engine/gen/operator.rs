//! Operators of scalars.

use super::Gen;
use crate::engine::layout::words_for;
use crate::engine::op::{FaultKind, Op, Reg};
use crate::model::arith::MOST;
use crate::model::{Base, BinaryOp, DomainId, DomainKind, Expr, NONE, Shape, Type, UnaryOp};

/// Whether calculating a number of this type cannot leave eighteen digits. What leaves them has been cut
/// to them.
pub(super) fn stays_within(ty: Type) -> bool {
    match ty.base {
        Base::Int(lo, hi) => -MOST < lo && hi < MOST,
        _ => true,
    }
}

/// Most directions whose opposites are tabulated.
const MOST_OPPOSITES: u64 = 64;

impl Gen<'_, '_> {
    pub(super) fn unary_to(&mut self, op: UnaryOp, operand: &Expr, d: Reg) {
        let a = self.value(operand);
        if let UnaryOp::Neg | UnaryOp::Abs | UnaryOp::Ord | UnaryOp::FromOrd(_) = op {
            self.need_there(operand, a);
        }
        match op {
            UnaryOp::Not => self.op(Op::Not { d, a }),
            UnaryOp::Neg => {
                let zero = self.constant(0);
                self.op(Op::Sub { d, a: zero, b: a });
            }
            UnaryOp::Abs => self.op(Op::Abs { d, a }),
            UnaryOp::IsSome => self.op(Op::IsSome { d, a }),
            UnaryOp::Ord => self.mov(d, a),
            UnaryOp::FromOrd(domain) => {
                let size = self.domain_size(domain) as i64;
                let (lo, hi) = (self.constant(0), self.constant(size - 1));
                self.op(Op::Check {
                    a,
                    lo,
                    hi,
                    fault: FaultKind::Bounds,
                });
                self.mov(d, a);
            }
            UnaryOp::Opposite => {
                let Base::Elem(domain) = operand.ty.base else {
                    return self.fail(FaultKind::Absent);
                };
                let n = self.domain_size(domain);
                if n <= MOST_OPPOSITES && !operand.ty.optional {
                    let cells: Vec<i64> = (0..n).map(|way| ((way + n / 2) % n) as i64).collect();
                    let name = format!("opposite {}", domain.0);
                    let base = self.shared.named_data(&name, &cells);
                    return self.op(Op::Look { d, i: a, base });
                }
                let (half, none) = (self.constant(n as i64 / 2), self.constant(NONE));
                let (sum, done) = (self.temp(), self.label());
                // Of no direction there is none.
                if !self.is_there(operand, &self.facts) {
                    self.mov(sum, none);
                    let to = self.to(done);
                    self.op(Op::JumpEq { a, b: none, to });
                }
                self.op(Op::Add { d: sum, a, b: half });
                self.wrap(sum, n);
                self.bind(done);
                self.mov(d, sum);
            }
        }
    }

    pub(super) fn binary_to(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        expr: &Expr,
        d: Reg,
    ) {
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::In => return self.truth_to(expr, d),
            BinaryOp::Eq | BinaryOp::Ne => {
                if let Base::Set(domain) = left.ty.base {
                    return self.set_equality(left, right, domain, op == BinaryOp::Ne, d);
                }
            }
            _ => {}
        }
        let (a, b) = self.operands(op, left, right);
        match op {
            BinaryOp::Eq => self.op(Op::Eq { d, a, b }),
            BinaryOp::Ne => self.op(Op::Ne { d, a, b }),
            BinaryOp::Lt => self.op(Op::Lt { d, a, b }),
            BinaryOp::Le => self.op(Op::Le { d, a, b }),
            BinaryOp::Gt => self.op(Op::Lt { d, a: b, b: a }),
            BinaryOp::Ge => self.op(Op::Le { d, a: b, b: a }),
            BinaryOp::Add => self.calculated(Op::Add { d, a, b }, d, expr.ty),
            BinaryOp::Sub => self.calculated(Op::Sub { d, a, b }, d, expr.ty),
            BinaryOp::Mul => self.calculated(Op::Mul { d, a, b }, d, expr.ty),
            BinaryOp::Div => self.op(Op::Div { d, a, b }),
            BinaryOp::Mod => self.op(Op::Mod { d, a, b }),
            BinaryOp::CycleAdd | BinaryOp::CycleSub => {
                let Base::Elem(domain) = left.ty.base else {
                    return self.fail(FaultKind::Absent);
                };
                if op == BinaryOp::CycleAdd {
                    self.op(Op::Add { d, a, b });
                } else {
                    self.op(Op::Sub { d, a, b });
                }
                self.wrap(d, self.domain_size(domain));
            }
            BinaryOp::Distance => self.distance_to(left.ty, a, b, d),
            BinaryOp::And | BinaryOp::Or | BinaryOp::In | BinaryOp::Union | BinaryOp::Minus => {
                self.fail(FaultKind::Bounds);
            }
        }
    }

    /// A calculation, checked where its bounds do not show that it stays within eighteen digits.
    pub(super) fn calculated(&mut self, op: Op, d: Reg, ty: Type) {
        self.op(op);
        if stays_within(ty) {
            return;
        }
        let (lo, hi) = (self.constant(-MOST), self.constant(MOST));
        self.op(Op::Check {
            a: d,
            lo,
            hi,
            fault: FaultKind::Bounds,
        });
    }

    /// Both operands; one that is needed and absent is a fault before the next is looked at.
    pub(super) fn operands(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> (Reg, Reg) {
        let [a, b] = [left, right].map(|it| {
            let reg = self.value(it);
            if op.needs_both() {
                self.need_there(it, reg);
            }
            reg
        });
        (a, b)
    }

    /// A value that has to be there: a fault where it is none.
    pub(super) fn value_there(&mut self, expr: &Expr) -> Reg {
        let a = self.value(expr);
        self.need_there(expr, a);
        a
    }

    /// The same, brought into a register.
    pub(super) fn value_there_to(&mut self, expr: &Expr, d: Reg) {
        self.value_to(expr, d);
        self.need_there(expr, d);
    }

    fn need_there(&mut self, expr: &Expr, a: Reg) {
        if !self.is_there(expr, &self.facts) {
            self.op(Op::NeedSome { a });
        }
    }

    /// Brings a register round a cycle.
    pub(super) fn wrap(&mut self, d: Reg, size: u64) {
        let n = self.constant(size as i64);
        self.op(Op::Wrap { d, a: d, n });
    }

    pub(super) fn distance_to(&mut self, ty: Type, a: Reg, b: Reg, d: Reg) {
        let Base::Elem(domain) = ty.base else {
            return self.fail(FaultKind::Absent);
        };
        if let Some(table) = self.shared.distances(domain) {
            let n = self.domain_size(domain);
            let (size, i) = (self.constant(n as i64), self.temp());
            self.op(Op::Mul { d: i, a, b: size });
            self.op(Op::Add { d: i, a: i, b });
            self.op(Op::Look { d, i, base: table });
            if self.shared.are_apart(domain) {
                self.op(Op::NeedSome { a: d });
            }
        } else {
            self.distance_by_axes(domain, a, b, d);
        }
    }

    /// Distances in one axis after the other, where no table of them is made.
    fn distance_by_axes(&mut self, domain: DomainId, a: Reg, b: Reg, d: Reg) {
        let n = self.constant(self.domain_size(domain) as i64);
        let game = self.shared.game;
        let (axes, shape) = match game.domains.get(domain.index()).map(|it| &it.kind) {
            Some(DomainKind::Space { axes, shape }) => (axes, shape),
            _ => return self.op(Op::CycleDistance { d, a, b, n }),
        };
        let is_round = match shape {
            Shape::Ring | Shape::Plane { .. } => true,
            Shape::Grid | Shape::Line => false,
            Shape::Graph(_) | Shape::Hexes | Shape::Cells(_) | Shape::Parts { .. } => {
                return self.overflow("distances between so many places");
            }
        };
        let (sum, zero) = (self.temp(), self.constant(0));
        self.mov(sum, zero);
        for axis in axes {
            let stride = self.constant(axis.stride.max(1) as i64);
            let size = self.constant(axis.size.max(1) as i64);
            let [one, other, part] = [self.temp(), self.temp(), self.temp()];
            for (d, a) in [(one, a), (other, b)] {
                self.op(Op::Digit { d, a, stride, size });
            }
            let (a, b) = (one, other);
            if is_round {
                self.op(Op::CycleDistance {
                    d: part,
                    a,
                    b,
                    n: size,
                });
            } else {
                self.op(Op::Sub { d: part, a, b });
                self.op(Op::Abs { d: part, a: part });
            }
            self.op(Op::Add {
                d: sum,
                a: sum,
                b: part,
            });
        }
        self.mov(d, sum);
    }

    pub(super) fn set_equality(
        &mut self,
        left: &Expr,
        right: &Expr,
        domain: DomainId,
        negate: bool,
        d: Reg,
    ) {
        let n = words_for(self.domain_size(domain));
        let a = self.value(left);
        let b = self.value(right);
        self.op(Op::WideEq { d, a, b, n });
        if negate {
            self.op(Op::Not { d, a: d });
        }
    }

    /// A truth value from jumps.
    pub(super) fn truth_to(&mut self, expr: &Expr, d: Reg) {
        let (no, done) = (self.label(), self.label());
        let (one, zero) = (self.constant(1), self.constant(0));
        self.cond(expr, false, no);
        self.mov(d, one);
        self.jump(done);
        self.bind(no);
        self.mov(d, zero);
        self.bind(done);
    }
}
