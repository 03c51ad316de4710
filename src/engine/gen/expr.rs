//! Scalars: numbers, truth values, elements.

use super::Gen;
use super::func::Label;
use super::graph::Callee;
use super::tables::{Tabled, is_scalar};
use crate::engine::layout::words_for;
use crate::engine::op::{FaultKind, Op, Reg, word, zone16};
use crate::model::{
    AggregateOp, Base, BinaryOp, DomainId, DomainKind, Expr, ExprKind, NONE, Type, UnaryOp,
};

impl Gen<'_, '_> {
    /// The value of an expression, wherever it lies: do not write to the register.
    pub fn value(&mut self, expr: &Expr) -> Reg {
        match &expr.kind {
            ExprKind::Value(value) if is_scalar(expr.ty) => return self.constant(*value),
            ExprKind::Setting(folded) => return self.constant(folded.value),
            ExprKind::Local(local) => return self.local(*local),
            ExprKind::Track(track, index) => {
                if let Some(reg) = self.track_register(*track, index) {
                    return reg;
                }
            }
            ExprKind::Kinds(place) => {
                if let Some(reg) = self.kinds_register(place) {
                    return reg;
                }
            }
            ExprKind::Laid(zone) => {
                if let Some(reg) = self.filled_set(*zone) {
                    return reg;
                }
            }
            ExprKind::All(domain) => return self.all_of(*domain),
            ExprKind::SetOf(items) => {
                if let Some(reg) = self.constant_set(items, expr.ty) {
                    return reg;
                }
            }
            _ => {}
        }
        let n = self.words(expr.ty);
        let d = self.temps(n);
        self.value_to(expr, d);
        d
    }

    /// Works the value of an expression out into a register (several for a set).
    pub fn value_to(&mut self, expr: &Expr, d: Reg) {
        if let Base::Set(domain) = expr.ty.base {
            self.set_to(expr, domain, d);
            return;
        }
        if self.from_table(expr, d) {
            return;
        }
        match &expr.kind {
            ExprKind::Value(value) => {
                let reg = self.constant(*value);
                self.mov(d, reg);
            }
            ExprKind::Setting(folded) => {
                let reg = self.constant(folded.value);
                self.mov(d, reg);
            }
            ExprKind::Local(local) => {
                let reg = self.local(*local);
                self.mov(d, reg);
            }
            ExprKind::Track(track, index) => self.track_to(*track, index, d),
            ExprKind::Table(table, index) => self.table_to(*table, index, d),
            ExprKind::Component(place) => self.component_to(place, d),
            ExprKind::PlaceField(place, field) => {
                let at = self.place_reg(place);
                let field = u16::try_from(*field).unwrap_or(u16::MAX);
                self.op(Op::GetField {
                    d,
                    zone: zone16(place.zone),
                    place: at,
                    field,
                });
            }
            ExprKind::Top(place) => {
                let at = self.place_reg(place);
                self.op(Op::Top {
                    d,
                    zone: zone16(place.zone),
                    place: at,
                });
            }
            ExprKind::Count(place) => self.size_to(place, d),
            ExprKind::CountOf(place, kind) => {
                let at = self.place_reg(place);
                let kind = self.value(kind);
                self.op(Op::Copies {
                    d,
                    zone: zone16(place.zone),
                    place: at,
                    kind,
                });
            }
            ExprKind::Filled(place) => self.filled_to(place, d),
            ExprKind::Field(base, field) => self.field_to(base, *field, expr.ty, d),
            ExprKind::Make(domain, args) => self.make_to(*domain, args, expr.ty, d),
            ExprKind::Unary(op, operand) => self.unary_to(*op, operand, d),
            ExprKind::Binary(op, left, right) => self.binary_to(*op, left, right, expr, d),
            ExprKind::If(cond, then, other) => self.if_to(cond, then, other, d),
            ExprKind::Match(subject, arms, other) => {
                self.match_to(subject, arms, other.as_deref(), d)
            }
            ExprKind::OrElse(value, fallback) => {
                let done = self.label();
                let (first, none) = (self.temp(), self.constant(NONE));
                self.value_to(value, first);
                self.mov(d, first);
                let to = self.to(done);
                self.op(Op::JumpNe {
                    a: first,
                    b: none,
                    to,
                });
                self.value_to(fallback, d);
                self.bind(done);
            }
            ExprKind::Aggregate(aggregate) => self.aggregate_to(aggregate, expr.ty, d),
            ExprKind::Let(local, value, body) => {
                self.bind_let(*local, value);
                self.value_to(body, d);
            }
            ExprKind::Call(define, args) => self.call_define(*define, args, expr, d),
            ExprKind::After(body, value) => self.after_to(body, value, d),
            ExprKind::Can(who, alts) => self.can_to(who, alts, d),
            ExprKind::Step { cell, way, count } => self.step_to(cell, way, count, d),
            ExprKind::Repeated => self.op(Op::Repeated { d }),
            ExprKind::SetOf(_)
            | ExprKind::All(_)
            | ExprKind::Kinds(_)
            | ExprKind::Reach { .. }
            | ExprKind::Groups { .. }
            | ExprKind::Walk { .. }
            | ExprKind::Near(..)
            | ExprKind::Frontier(_)
            | ExprKind::Laid(_)
            | ExprKind::PartsAt(..) => self.fail(FaultKind::Bounds),
        }
    }

    /// Cells, steps and the like that depend on little: one look into a table.
    fn from_table(&mut self, expr: &Expr, d: Reg) -> bool {
        if self.shared.plain || !matches!(expr.kind, ExprKind::Make(..) | ExprKind::Step { .. }) {
            return false;
        }
        match self.shared.tabled(expr, &[]) {
            Some(table) if table.inputs.len() <= 2 => {
                self.look_up(&table, expr.ty, d);
                true
            }
            _ => false,
        }
    }

    pub(super) fn bind_let(&mut self, local: crate::model::LocalId, value: &Expr) {
        let n = self.words(value.ty);
        let reg = self.temps(n);
        self.value_to(value, reg);
        self.set_local(local, reg);
    }

    /// A fault where a value lies outside a type that is narrower than its own.
    pub(super) fn check_bounds(&mut self, reg: Reg, from: Type, to: Type) {
        if from.optional && !to.optional && is_scalar(to) {
            self.op(Op::NeedSome { a: reg });
        }
        let (Base::Int(lo, hi), Base::Int(from_lo, from_hi)) = (to.base, from.base) else {
            return;
        };
        if from_lo >= lo && from_hi <= hi {
            return;
        }
        let skip = self.label();
        if to.optional {
            let none = self.constant(NONE);
            let label = self.to(skip);
            self.op(Op::JumpEq {
                a: reg,
                b: none,
                to: label,
            });
        }
        let (lo, hi) = (self.constant(lo), self.constant(hi));
        self.op(Op::Check {
            a: reg,
            lo,
            hi,
            fault: FaultKind::Bounds,
        });
        self.bind(skip);
    }

    fn table_to(&mut self, table: crate::model::TableId, index: &[Expr], d: Reg) {
        let Some(table) = self.shared.game.tables.get(table.index()) else {
            return;
        };
        let at = self.index(index, &table.index);
        self.need_inside(at, table.cells.len() as u64);
        let key = format!("table {}", table.name);
        let base = self.shared.named_data(&key, &table.cells);
        let i = self.index_reg(at);
        self.op(Op::Look { d, i, base });
    }

    /// Fields of a record or coordinates of a cell.
    fn field_to(&mut self, base: &Expr, field: usize, ty: Type, d: Reg) {
        let Base::Elem(domain) = base.ty.base else {
            return self.fail(FaultKind::Absent);
        };
        let Some((stride, size, field_ty)) = self.field_shape(domain, field) else {
            return self.fail(FaultKind::Absent);
        };
        let value = self.value(base);
        if base.ty.optional {
            self.op(Op::NeedSome { a: value });
        }
        let whole = self.domain_size(domain);
        let _ = ty;
        if whole <= 4096 && is_scalar(field_ty) {
            let cells: Vec<i64> = (0..whole)
                .map(|v| {
                    self.shared
                        .field_value((v / stride % size) as i64, field_ty, size)
                })
                .collect();
            let base = self
                .shared
                .named_data(&format!("field {} {field}", domain.0), &cells);
            self.op(Op::Look { d, i: value, base });
            return;
        }
        let (stride, size_reg) = (self.constant(stride as i64), self.constant(size as i64));
        self.op(Op::Digit {
            d,
            a: value,
            stride,
            size: size_reg,
        });
        self.unindex(d, field_ty, size);
    }

    /// Turns the index of a field's value into the value.
    fn unindex(&mut self, d: Reg, ty: Type, size: u64) {
        if ty.optional {
            let (absent, none) = (self.constant(size as i64 - 1), self.constant(NONE));
            let (is, done) = (self.label(), self.label());
            let to = self.to(is);
            self.op(Op::JumpEq {
                a: d,
                b: absent,
                to,
            });
            self.unbit(d, type_lo(ty));
            self.jump(done);
            self.bind(is);
            self.mov(d, none);
            self.bind(done);
        } else {
            self.unbit(d, type_lo(ty));
        }
    }

    /// Stride, number of values and type of a field or coordinate.
    pub(super) fn field_shape(&self, domain: DomainId, field: usize) -> Option<(u64, u64, Type)> {
        let domain = self.shared.game.domains.get(domain.index())?;
        let fields = match &domain.kind {
            DomainKind::Record { fields, .. } => fields,
            DomainKind::Space { axes, .. } => axes,
            DomainKind::Range | DomainKind::Enum { .. } => return None,
        };
        let field = fields.get(field)?;
        Some((field.stride.max(1), field.size.max(1), field.ty))
    }

    fn make_to(&mut self, domain: DomainId, args: &[Expr], ty: Type, d: Reg) {
        let sum = self.temp();
        let zero = self.constant(0);
        self.mov(sum, zero);
        let (off, done) = (self.label(), self.label());
        for (at, arg) in args.iter().enumerate() {
            let Some((stride, size, field_ty)) = self.field_shape(domain, at) else {
                continue;
            };
            let bit = self.temp();
            if is_scalar(field_ty) {
                let value = self.value(arg);
                if field_ty.optional {
                    let (skip, none) = (self.label(), self.constant(NONE));
                    let last = self.constant(size as i64 - 1);
                    self.mov(bit, last);
                    let to = self.to(skip);
                    self.op(Op::JumpEq {
                        a: value,
                        b: none,
                        to,
                    });
                    let raw = self.bit_of(value, type_lo(field_ty));
                    self.mov(bit, raw);
                    self.bind(skip);
                } else {
                    let raw = self.bit_of(value, type_lo(field_ty));
                    self.mov(bit, raw);
                }
            } else {
                let set = self.value(arg);
                self.mov(bit, set);
            }
            let sure = arg.ty == field_ty || !is_scalar(field_ty);
            if !sure || arg.ty.optional {
                let most = self.constant(size as i64 - 1);
                let to = self.to(off);
                self.op(Op::JumpLt {
                    a: bit,
                    b: zero,
                    to,
                });
                self.op(Op::JumpLt {
                    a: most,
                    b: bit,
                    to,
                });
            }
            if stride > 1 {
                let stride = self.constant(stride as i64);
                self.op(Op::Mul {
                    d: bit,
                    a: bit,
                    b: stride,
                });
            }
            self.op(Op::Add {
                d: sum,
                a: sum,
                b: bit,
            });
        }
        self.mov(d, sum);
        self.jump(done);
        self.bind(off);
        if ty.optional {
            let none = self.constant(NONE);
            self.mov(d, none);
        } else {
            self.fail(FaultKind::Bounds);
        }
        self.bind(done);
    }

    fn if_to(&mut self, cond: &Expr, then: &Expr, other: &Expr, d: Reg) {
        let (no, done) = (self.label(), self.label());
        self.cond(cond, false, no);
        self.value_to(then, d);
        self.jump(done);
        self.bind(no);
        self.value_to(other, d);
        self.bind(done);
    }

    pub(super) fn match_to(
        &mut self,
        subject: &Expr,
        arms: &[(Vec<i64>, Expr)],
        other: Option<&Expr>,
        d: Reg,
    ) {
        let done = self.label();
        let value = self.temp();
        self.value_to(subject, value);
        for (values, arm) in arms {
            let (take, next) = (self.label(), self.label());
            for v in values {
                let b = self.constant(*v);
                let to = self.to(take);
                self.op(Op::JumpEq { a: value, b, to });
            }
            self.jump(next);
            self.bind(take);
            self.value_to(arm, d);
            self.jump(done);
            self.bind(next);
        }
        match other {
            Some(other) => self.value_to(other, d),
            None => self.fail(FaultKind::Absent),
        }
        self.bind(done);
    }

    fn call_define(&mut self, define: crate::model::DefineId, args: &[Expr], expr: &Expr, d: Reg) {
        if !self.shared.plain
            && self.shared.is_table(define)
            && let Some(table) = self.shared.tabled(expr, &[])
        {
            self.look_up(&table, expr.ty, d);
            return;
        }
        self.args(args);
        self.call(Callee::Define(define));
        let n = self.words(expr.ty);
        self.mov_n(d, word::ARGS, n);
    }

    /// Reads a table: a scalar, or a set as a row.
    pub(super) fn look_up(&mut self, table: &Tabled, ty: Type, d: Reg) {
        let i = self.table_row(table, 0);
        if matches!(ty.base, Base::Set(_)) {
            self.op(Op::Row {
                d,
                i,
                n: table.words,
                base: table.base,
            });
        } else {
            self.op(Op::Look {
                d,
                i,
                base: table.base,
            });
        }
    }

    /// The row of a table for the present inputs, the last `skip` inputs taken as their first value.
    pub(super) fn table_row(&mut self, table: &Tabled, skip: usize) -> Reg {
        let n = table.inputs.len().saturating_sub(skip);
        if n == 0 {
            return self.constant(0);
        }
        if let [input] = table.inputs.as_slice() {
            return self.input_bit(input);
        }
        let sum = self.temp();
        for (at, input) in table.inputs.iter().enumerate() {
            if at >= n {
                let size = self.constant(input.n as i64);
                self.op(Op::Mul {
                    d: sum,
                    a: sum,
                    b: size,
                });
                continue;
            }
            let bit = self.input_bit(input);
            if at == 0 {
                self.mov(sum, bit);
            } else {
                let size = self.constant(input.n as i64);
                self.op(Op::Mul {
                    d: sum,
                    a: sum,
                    b: size,
                });
                self.op(Op::Add {
                    d: sum,
                    a: sum,
                    b: bit,
                });
            }
        }
        sum
    }

    fn input_bit(&mut self, input: &super::tables::Input) -> Reg {
        let value = self.value(&input.expr);
        let bit = self.bit_of(value, input.lo);
        if !input.expr.ty.optional {
            return bit;
        }
        let d = self.temp();
        let (last, none, done) = (
            self.constant(input.n as i64 - 1),
            self.constant(NONE),
            self.label(),
        );
        self.mov(d, last);
        let to = self.to(done);
        self.op(Op::JumpEq {
            a: value,
            b: none,
            to,
        });
        self.mov(d, bit);
        self.bind(done);
        d
    }

    // ---- operators

    fn unary_to(&mut self, op: UnaryOp, operand: &Expr, d: Reg) {
        let a = self.value(operand);
        match op {
            UnaryOp::Not => self.op(Op::Not { d, a }),
            UnaryOp::Neg => {
                let zero = self.constant(0);
                self.op(Op::Sub { d, a: zero, b: a });
            }
            UnaryOp::Abs => self.op(Op::Abs { d, a }),
            UnaryOp::IsSome => self.op(Op::IsSome { d, a }),
            UnaryOp::Ord => {
                if operand.ty.optional {
                    self.op(Op::NeedSome { a });
                }
                self.mov(d, a);
            }
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
                let half = self.constant(n as i64 / 2);
                self.op(Op::Add { d, a, b: half });
                self.op(Op::Wrap {
                    d,
                    a: d,
                    n: u16::try_from(n).unwrap_or(1),
                });
            }
        }
    }

    fn binary_to(&mut self, op: BinaryOp, left: &Expr, right: &Expr, expr: &Expr, d: Reg) {
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::In => return self.truth_to(expr, d),
            BinaryOp::Eq | BinaryOp::Ne => {
                if let Base::Set(domain) = left.ty.base {
                    return self.set_equality(left, right, domain, op == BinaryOp::Ne, d);
                }
            }
            _ => {}
        }
        let a = self.value(left);
        let b = self.value(right);
        match op {
            BinaryOp::Eq => self.op(Op::Eq { d, a, b }),
            BinaryOp::Ne => self.op(Op::Ne { d, a, b }),
            BinaryOp::Lt => self.op(Op::Lt { d, a, b }),
            BinaryOp::Le => self.op(Op::Le { d, a, b }),
            BinaryOp::Gt => self.op(Op::Lt { d, a: b, b: a }),
            BinaryOp::Ge => self.op(Op::Le { d, a: b, b: a }),
            BinaryOp::Add => self.op(Op::Add { d, a, b }),
            BinaryOp::Sub => self.op(Op::Sub { d, a, b }),
            BinaryOp::Mul => self.op(Op::Mul { d, a, b }),
            BinaryOp::Div => self.op(Op::Div { d, a, b }),
            BinaryOp::Mod => self.op(Op::Mod { d, a, b }),
            BinaryOp::CycleAdd | BinaryOp::CycleSub => {
                if left.ty.optional {
                    self.op(Op::NeedSome { a });
                }
                let Base::Elem(domain) = left.ty.base else {
                    return self.fail(FaultKind::Absent);
                };
                let n = u16::try_from(self.domain_size(domain)).unwrap_or(1);
                if op == BinaryOp::CycleAdd {
                    self.op(Op::Add { d, a, b });
                } else {
                    self.op(Op::Sub { d, a, b });
                }
                self.op(Op::Wrap { d, a: d, n });
            }
            BinaryOp::Distance => self.distance_to(left.ty, a, b, d),
            BinaryOp::And | BinaryOp::Or | BinaryOp::In | BinaryOp::Union | BinaryOp::Minus => {
                self.fail(FaultKind::Bounds);
            }
        }
    }

    fn distance_to(&mut self, ty: Type, a: Reg, b: Reg, d: Reg) {
        let Base::Elem(domain) = ty.base else {
            return self.fail(FaultKind::Absent);
        };
        if let Some(table) = self.shared.distances(domain) {
            let n = self.domain_size(domain);
            let (size, i) = (self.constant(n as i64), self.temp());
            self.op(Op::NeedSome { a });
            self.op(Op::NeedSome { a: b });
            self.op(Op::Mul { d: i, a, b: size });
            self.op(Op::Add { d: i, a: i, b });
            self.op(Op::Look { d, i, base: table });
        } else {
            let n = u16::try_from(self.domain_size(domain)).unwrap_or(1);
            self.op(Op::CycleDistance { d, a, b, n });
        }
    }

    fn set_equality(&mut self, left: &Expr, right: &Expr, domain: DomainId, negate: bool, d: Reg) {
        let n = words_for(self.domain_size(domain));
        let a = self.value(left);
        let b = self.value(right);
        self.op(Op::WideEq { d, a, b, n });
        if negate {
            self.op(Op::Not { d, a: d });
        }
    }

    /// A truth value from jumps.
    fn truth_to(&mut self, expr: &Expr, d: Reg) {
        let (no, done) = (self.label(), self.label());
        let (one, zero) = (self.constant(1), self.constant(0));
        self.cond(expr, false, no);
        self.mov(d, one);
        self.jump(done);
        self.bind(no);
        self.mov(d, zero);
        self.bind(done);
    }

    /// Jumps to a label where a condition is `when`.
    pub fn cond(&mut self, expr: &Expr, when: bool, label: Label) {
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
                    self.cond(right, when, label);
                } else {
                    let skip = self.label();
                    self.cond(left, decides, skip);
                    self.cond(right, when, label);
                    self.bind(skip);
                }
            }
            ExprKind::Binary(BinaryOp::In, element, set) => self.cond_in(element, set, when, label),
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

    fn cond_compare(&mut self, op: BinaryOp, left: &Expr, right: &Expr, when: bool, label: Label) {
        let a = self.value(left);
        let b = self.value(right);
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

    fn cond_in(&mut self, element: &Expr, set: &Expr, when: bool, label: Label) {
        let Base::Set(domain) = set.ty.base else {
            return self.fail(FaultKind::Absent);
        };
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

    /// Evaluates in the state after some statements.
    pub(super) fn after_to(&mut self, body: &[crate::model::Stmt], value: &Expr, d: Reg) {
        let n = self.words(value.ty);
        let kept = self.temps(n);
        let stopped = self.label();
        let to = self.to(stopped);
        self.op(Op::Enter { stopped: to });
        self.hypothetical += 1;
        let exit = self.exit.take();
        self.block(body);
        self.bind(stopped);
        self.value_to(value, kept);
        self.exit = exit;
        self.hypothetical -= 1;
        self.op(Op::Leave);
        self.mov_n(d, kept, n);
    }

    fn step_to(&mut self, cell: &Expr, way: &Expr, count: &Expr, d: Reg) {
        let (Base::Elem(space), Base::Elem(ways)) = (cell.ty.base, way.ty.base) else {
            return self.fail(FaultKind::Absent);
        };
        let Some(base) = self.shared.steps(space, ways) else {
            return self.fail(FaultKind::Absent);
        };
        let cells = self.domain_size(space);
        let at = self.temp();
        self.value_to(cell, at);
        let (off, done) = (self.label(), self.label());
        let (none, zero, row) = (self.constant(NONE), self.constant(0), self.temp());
        let to = self.to(off);
        self.op(Op::JumpEq { a: at, b: none, to });
        let way = self.value(way);
        let size = self.constant(cells as i64);
        self.op(Op::Mul {
            d: row,
            a: way,
            b: size,
        });
        let one_step = |r#gen: &mut Self, row: Reg| {
            let i = r#gen.temp();
            r#gen.op(Op::Add {
                d: i,
                a: row,
                b: at,
            });
            r#gen.op(Op::Look { d: at, i, base });
            let to = r#gen.to(off);
            r#gen.op(Op::JumpLt { a: at, b: zero, to });
        };
        match &count.kind {
            ExprKind::Value(1) => one_step(self, row),
            _ => {
                // A negative number of steps goes the other way.
                let left = self.temp();
                self.value_to(count, left);
                let (forward, top, end) = (self.label(), self.label(), self.label());
                let to = self.to(forward);
                self.op(Op::JumpLe {
                    a: zero,
                    b: left,
                    to,
                });
                let n = self.domain_size(ways);
                let half = self.constant(n as i64 / 2);
                let back = self.temp();
                self.op(Op::Add {
                    d: back,
                    a: way,
                    b: half,
                });
                self.op(Op::Wrap {
                    d: back,
                    a: back,
                    n: u16::try_from(n).unwrap_or(1),
                });
                self.op(Op::Mul {
                    d: row,
                    a: back,
                    b: size,
                });
                self.op(Op::Abs { d: left, a: left });
                self.bind(forward);
                self.bind(top);
                let to = self.to(end);
                self.op(Op::JumpEq {
                    a: left,
                    b: zero,
                    to,
                });
                one_step(self, row);
                self.op(Op::AddK {
                    d: left,
                    a: left,
                    k: -1,
                });
                self.loop_to(top);
                self.bind(end);
            }
        }
        self.mov(d, at);
        self.jump(done);
        self.bind(off);
        self.mov(d, none);
        self.bind(done);
    }
}

/// The value whose bit or index is 0.
pub(super) fn type_lo(ty: Type) -> i64 {
    match ty.base {
        Base::Int(lo, _) => lo,
        Base::Bool | Base::Elem(_) | Base::Set(_) | Base::Unit => 0,
    }
}
