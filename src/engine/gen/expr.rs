//! Scalars: numbers, truth values, elements.

use super::Gen;
use super::graph::Callee;
use super::tables::{Tabled, is_scalar};
use crate::engine::op::{FaultKind, Op, PlaneOp, Reg, TEMPS, word, zone16};
use crate::model::{
    Base, BinaryOp, Expr, ExprKind, NONE, Node, Stmt, StmtKind, Type, each_in_block,
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
                if let Some((reg, _)) = self.kinds_register(place) {
                    return reg;
                }
            }
            ExprKind::Laid(zone) => {
                if let Some(reg) = self.filled_set(*zone) {
                    return reg;
                }
            }
            ExprKind::All(domain) if !self.is_parts(*domain) => return self.all_of(*domain),
            ExprKind::SetOf(items) => {
                if let Some(reg) = self.constant_set(items, expr.ty) {
                    return reg;
                }
            }
            ExprKind::Make(..) => {
                if let Some(input) = self.same_number(expr) {
                    return self.value(&input);
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
        let around = self.begin(expr.span);
        if !self.kept_value(expr, d) {
            self.value_of(expr, d);
        }
        self.finish(around);
    }

    pub(super) fn value_of(&mut self, expr: &Expr, d: Reg) {
        if let Base::Set(domain) = expr.ty.base {
            self.set_to(expr, domain, d);
            return;
        }
        if self.looked_up(expr, d) {
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
            ExprKind::PlaceField(place, field) => self.place_field_to(place, *field, d),
            ExprKind::Top(place) => {
                let at = self.place_reg(place);
                self.op(Op::Top {
                    d,
                    zone: zone16(place.zone),
                    place: at,
                });
            }
            ExprKind::Nth(place, n) => {
                let (place, zone) = (self.place_reg(place), zone16(place.zone));
                let n = self.value_there(n);
                self.op(Op::Nth { d, zone, place, n });
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
                let first = self.temp();
                self.value_to(value, first);
                // What is at hand anyway takes no way of its own.
                if let ExprKind::Value(_) | ExprKind::Local(_) = fallback.kind {
                    let b = self.value(fallback);
                    self.op(Op::Default { d, a: first, b });
                } else {
                    self.mov(d, first);
                    self.default_to(first, fallback, d);
                }
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
            | ExprKind::PartsAt(..)
            | ExprKind::Touching(_)
            | ExprKind::Loose(_) => self.fail(FaultKind::Bounds),
            ExprKind::PartAtPort(spot, port) => self.part_with_to(expr.ty, spot, port, d),
        }
    }

    /// Cells, steps, `by p { … }` of constants, `has[p] - needs[p]` of tables and the like that depend on little: one look into a table.
    pub(super) fn looked_up(&mut self, expr: &Expr, d: Reg) -> bool {
        let is_constant = |it: &Expr| matches!(it.kind, ExprKind::Value(_));
        let may_be = match &expr.kind {
            ExprKind::Make(..) | ExprKind::Step { .. } => true,
            ExprKind::Match(_, arms, other) => {
                arms.iter().all(|it| is_constant(&it.1)) && other.as_deref().is_none_or(is_constant)
            }
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, one, other) => {
                let is_looked_up = |it: &Expr| matches!(it.kind, ExprKind::Table(..));
                is_looked_up(one) && is_looked_up(other)
            }
            _ => false,
        };
        if self.shared.is_plain() || !may_be {
            return false;
        }
        // What reads the state itself would be its own input.
        if self.shared.node_reads_state(expr) {
            return false;
        }
        match self.sure_table(expr, &[]) {
            Some(table) if table.inputs.len() <= 2 => {
                self.look_up(&table, expr.ty, d);
                true
            }
            _ => false,
        }
    }

    pub(super) fn bind_let(&mut self, local: crate::model::LocalId, value: &Expr) {
        if let ExprKind::Local(same) = value.kind
            && value.ty.base == self.shared.local_type(local).base
            && self.is_there(value, &self.facts)
            && !self.shared.graph.written.contains(&same)
        {
            let reg = self.local(same);
            self.set_local(local, reg);
            return self.since_as(local, same);
        }
        let n = self.words(value.ty);
        let reg = self.temps(n);
        self.value_to(value, reg);
        self.check_bounds(reg, value.ty, self.shared.local_type(local));
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

    pub(super) fn table_to(&mut self, id: crate::model::TableId, index: &[Expr], d: Reg) {
        let Some(table) = self.shared.game.tables.get(id.index()) else {
            return;
        };
        let at = self.index(index, &table.index);
        let fault = if self.shared.game.is_coordinate(id) {
            FaultKind::Absent
        } else {
            FaultKind::Outside
        };
        self.need_inside(at, table.cells.len() as u64, fault);
        let key = format!("table {}", id.0);
        let base = self.shared.named_data(&key, &table.cells);
        let i = self.index_reg(at);
        self.op(Op::Look { d, i, base });
    }

    pub(super) fn if_to(&mut self, cond: &Expr, then: &Expr, other: &Expr, d: Reg) {
        let (no, done) = (self.label(), self.label());
        self.cond(cond, false, no);
        self.knowing(cond, true, |it| it.value_to(then, d));
        self.jump(done);
        self.bind(no);
        self.knowing(cond, false, |it| it.value_to(other, d));
        self.bind(done);
    }

    pub(super) fn match_to(
        &mut self,
        subject: &Expr,
        arms: &[(Vec<i64>, Expr)],
        other: Option<&Expr>,
        d: Reg,
    ) {
        self.arm_of(
            subject,
            arms,
            |it, arm| it.value_to(arm, d),
            |it| match other {
                Some(other) => it.value_to(other, d),
                None => it.fail(FaultKind::Absent),
            },
        );
    }

    /// Goes on with the arm of the value of a subject.
    pub(super) fn arm_of<T>(
        &mut self,
        subject: &Expr,
        arms: &[(Vec<i64>, T)],
        take_arm: impl Fn(&mut Self, &T),
        take_other: impl FnOnce(&mut Self),
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
            take_arm(self, arm);
            self.jump(done);
            self.bind(next);
        }
        take_other(self);
        self.bind(done);
    }

    pub(super) fn call_define(
        &mut self,
        define: crate::model::DefineId,
        args: &[Expr],
        expr: &Expr,
        d: Reg,
    ) {
        if let (Some(gathered), [spot]) = (self.shared.gathered_in(define), args) {
            let place = self.value(spot);
            self.op(Op::Plane(PlaneOp::Gathered { d, gathered, place }));
            return;
        }
        if !self.shared.is_plain()
            && self.shared.is_table(define)
            && let Some(table) = self.sure_table(expr, &[])
        {
            self.look_up(&table, expr.ty, d);
            return;
        }
        self.args(args, Callee::Define(define));
        self.call(Callee::Define(define));
        let n = self.words(expr.ty);
        self.mov_n(d, word::ARGS, n);
    }

    /// Reads a table: a scalar, or a set as a row.
    pub(super) fn look_up(&mut self, table: &Tabled, ty: Type, d: Reg) {
        if table.inputs.is_empty() {
            let row = self.row_mask(table, table.words);
            return self.mov_n(d, row, table.words);
        }
        let i = self.table_row(table, 0);
        if matches!(ty.base, Base::Set(_)) {
            self.op(Op::Row {
                d,
                i,
                n: table.words,
                base: table.base,
            });
        } else if self.shared.is_its_number(table) {
            self.mov(d, i);
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
        let line = self.table_line(table, n);
        if n == 0 || skip == 0 {
            return line;
        }
        let d = self.temp();
        let rows = table.inputs.iter().skip(n).map(|it| it.n).product::<u64>();
        let b = self.constant(rows as i64);
        self.op(Op::Mul { d, a: line, b });
        d
    }

    /// The number of the present values of the first `n` inputs of a table.
    pub(super) fn table_line(&mut self, table: &Tabled, n: usize) -> Reg {
        let inputs = table.inputs.get(..n).unwrap_or_default();
        let Some((first, others)) = inputs.split_first() else {
            return self.constant(0);
        };
        let first = self.input_bit(first);
        if others.is_empty() {
            return first;
        }
        let sum = self.temp();
        self.mov(sum, first);
        for input in others {
            let bit = self.input_bit(input);
            self.append(sum, input.n as i64, bit);
        }
        sum
    }

    /// Adds one more digit, one of so many, to a number that is read digit by digit.
    pub(super) fn append(&mut self, sum: Reg, size: i64, digit: Reg) {
        let size = self.constant(size);
        self.op(Op::Mul {
            d: sum,
            a: sum,
            b: size,
        });
        self.op(Op::Add {
            d: sum,
            a: sum,
            b: digit,
        });
    }

    pub(super) fn input_bit(&mut self, input: &super::tables::Input) -> Reg {
        let value = self.value(&input.expr);
        if !input.expr.ty.optional || self.is_there(&input.expr, &self.facts) {
            return self.bit_of(value, input.lo);
        }
        let (d, last) = (self.temp(), input.lo.saturating_add_unsigned(input.n - 1));
        let b = self.constant(last);
        self.op(Op::Default { d, a: value, b });
        self.bit_of(d, input.lo)
    }

    /// Evaluates in the state after some statements.
    pub(super) fn after_to(&mut self, body: &[Stmt], value: &Expr, d: Reg) {
        let n = self.words(value.ty);
        let kept = self.temps(n);
        let tried = self.locals_tried(body);
        let stopped = self.label();
        let to = self.to(stopped);
        self.op(Op::Enter {
            stopped: to,
            first: 0,
            n: u16::MAX,
        });
        self.hypothetical += 1;
        let exit = self.exit.take();
        // What was known before is not known after.
        let facts = std::mem::take(&mut self.facts);
        let asked = self.asked_after(body, value);
        let around = std::mem::replace(&mut self.asked, asked);
        self.in_another_position(|it| {
            it.block(body);
            it.asked = None;
            it.bind(stopped);
            it.value_to(value, kept);
        });
        self.asked = around;
        self.facts = facts;
        self.exit = exit;
        self.hypothetical -= 1;
        self.op(Op::Leave);
        for (local, before, n) in tried {
            self.mov_n(local, before, n);
        }
        self.mov_n(d, kept, n);
    }

    /// Temporaries of locals that statements write to, each with what it is before: those of the frame lie in the
    /// position.
    fn locals_tried(&mut self, body: &[Stmt]) -> Vec<(Reg, Reg, u16)> {
        let mut written = Vec::new();
        each_in_block(body, &mut |node| {
            if let Node::Stmt(stmt) = node
                && let StmtKind::SetLocal(local, ..) = stmt.kind
                && !written.contains(&local)
            {
                written.push(local);
            }
        });
        let mut tried = Vec::new();
        for local in written {
            if self.is_bound(local) && self.local(local) >= TEMPS {
                let (n, reg) = (self.local_words(local), self.local(local));
                let before = self.temps(n);
                self.mov_n(before, reg, n);
                tried.push((reg, before, n));
            }
        }
        tried
    }
}

/// The value whose bit or index is 0.
pub(super) fn type_lo(ty: Type) -> i64 {
    match ty.base {
        Base::Int(lo, _) => lo,
        Base::Bool | Base::Elem(_) | Base::Set(_) | Base::Unit => 0,
    }
}
