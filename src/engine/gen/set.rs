//! Sets.

use super::Gen;
use super::planes::Start;
use super::tables::is_scalar;
use crate::engine::layout::words_for;
use crate::engine::op::{FaultKind, Op, Reg, word};
use crate::model::{AggregateOp, Base, BinaryOp, DomainId, Expr, ExprKind, LocalId, Near, Type};

/// Most sets of one table that are collected before play.
const MOST_COLLECTED: u64 = 1_024;

impl Gen<'_, '_> {
    /// Every element of a domain.
    pub(super) fn all_of(&mut self, domain: DomainId) -> Reg {
        let size = self.domain_size(domain);
        let words: Vec<u64> = (0..u64::from(words_for(size)))
            .map(|w| match size.saturating_sub(w * 64) {
                0 => 0,
                n if n >= 64 => u64::MAX,
                n => (1 << n) - 1,
            })
            .collect();
        self.constant_words(&words)
    }

    /// A set of constants.
    pub(super) fn constant_set(&mut self, items: &[Expr], ty: Type) -> Option<Reg> {
        let domain = ty.base.set_over()?;
        let (lo, n) = (self.domain_lo(domain), words_for(self.domain_size(domain)));
        let mut words = vec![0u64; usize::from(n)];
        for item in items {
            let value = item.as_value()?;
            let bit = usize::try_from(value.checked_sub(lo)?).ok()?;
            *words.get_mut(bit / 64)? |= 1 << (bit % 64);
        }
        Some(self.constant_words(&words))
    }

    /// Works a set out into `d` and the registers behind it.
    pub(super) fn set_to(&mut self, expr: &Expr, domain: DomainId, d: Reg) {
        let around = self.begin(expr.span);
        self.set_of_expr(expr, domain, d);
        self.finish(around);
    }

    fn set_of_expr(&mut self, expr: &Expr, domain: DomainId, d: Reg) {
        let n = words_for(self.domain_size(domain));
        match &expr.kind {
            ExprKind::SetOf(items)
                if items.iter().any(is_looked_up)
                    && self.collected_before(expr, AggregateOp::Collect, d) => {}
            ExprKind::SetOf(items) => self.set_of(items, expr.ty, domain, d, n),
            ExprKind::All(parts) if self.is_parts(*parts) => self.all_parts_to(*parts, d, n),
            ExprKind::Laid(zone) if self.is_plane(*zone) => self.laid_to(*zone, d, n),
            ExprKind::PartsAt(parts, spot) => self.parts_at_to(*parts, spot, d, n),
            ExprKind::Touching(part) => self.touching_to(part, d, n),
            ExprKind::Loose(part) => self.loose_to(part, d, n),
            ExprKind::Local(_)
            | ExprKind::All(_)
            | ExprKind::Laid(_)
            | ExprKind::Setting(_)
            | ExprKind::Value(_) => {
                // A record's field that is a set is a word of bits.
                let reg = match &expr.kind {
                    ExprKind::Value(bits) => self.constant(*bits),
                    _ => self.value(expr),
                };
                self.mov_n(d, reg, n);
            }
            ExprKind::Kinds(place) => self.kinds_to(place, d),
            ExprKind::Track(track, index) => self.track_to(*track, index, d),
            ExprKind::Binary(BinaryOp::Union, left, right) => {
                self.set_op(left, right, d, n, Op::Or { d: 0, a: 0, b: 0 });
            }
            ExprKind::Binary(BinaryOp::Minus, left, right) => {
                self.set_op(left, right, d, n, Op::AndNot { d: 0, a: 0, b: 0 });
            }
            ExprKind::If(cond, then, other) => {
                let (no, done) = (self.label(), self.label());
                self.cond(cond, false, no);
                self.knowing(cond, true, |it| it.set_to(then, domain, d));
                self.jump(done);
                self.bind(no);
                self.knowing(cond, false, |it| it.set_to(other, domain, d));
                self.bind(done);
            }
            ExprKind::Match(subject, arms, other) => {
                self.match_to(subject, arms, other.as_deref(), d);
            }
            ExprKind::Aggregate(aggregate) => {
                if !self.collected_before(expr, aggregate.op, d) {
                    self.aggregate_to(aggregate, expr.ty, d);
                }
            }
            ExprKind::Reach { start, var, step } => self.reach_to(start, *var, step, domain, d),
            ExprKind::Groups { over, var, step } => self.groups_to(over, *var, step, domain, d),
            ExprKind::Walk { .. } => self.walk_to(expr, d),
            ExprKind::Near(near, cell) => self.near_to(*near, cell, d, n),
            ExprKind::Let(local, value, body) => {
                self.bind_let(*local, value);
                self.set_to(body, domain, d);
            }
            ExprKind::After(body, value) => self.after_set(body, value, d),
            ExprKind::Call(..) => self.call_set(expr, d, n),
            ExprKind::Table(..) | ExprKind::Field(..) => self.scalar_bits(expr, d, n),
            ExprKind::Frontier(zone) => self.frontier_to(*zone, d, n),
            ExprKind::OrElse(value, _) => self.set_to(value, domain, d),
            ExprKind::PartAtPort(..)
            | ExprKind::Component(_)
            | ExprKind::PlaceField(..)
            | ExprKind::Top(_)
            | ExprKind::Nth(..)
            | ExprKind::Count(_)
            | ExprKind::CountOf(..)
            | ExprKind::Filled(_)
            | ExprKind::Make(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Can(..)
            | ExprKind::Step { .. }
            | ExprKind::Repeated => self.fail(FaultKind::Bounds),
        }
    }

    /// A set that depends on little, from a table of all of them.
    fn collected_before(&mut self, expr: &Expr, op: AggregateOp, d: Reg) -> bool {
        if self.shared.is_plain() || op != AggregateOp::Collect {
            return false;
        }
        let Some(table) = self.sure_table(expr, &[]) else {
            return false;
        };
        let rows = table.inputs.iter().map(|input| input.n).product::<u64>();
        if rows > MOST_COLLECTED || table.inputs.len() > 2 {
            return false;
        }
        self.look_up(&table, expr.ty, d);
        true
    }

    fn set_of(&mut self, items: &[Expr], ty: Type, domain: DomainId, d: Reg, n: u16) {
        if let Some(reg) = self.constant_set(items, ty) {
            self.mov_n(d, reg, n);
            return;
        }
        let sum = self.own(d, n);
        self.op(Op::Clear { d: sum, n });
        for item in items {
            let e = self.bit(item, self.domain_lo(domain));
            self.add_element(sum, e, n);
        }
        self.mov_n(d, sum, n);
    }

    pub(super) fn add_element(&mut self, d: Reg, e: Reg, n: u16) {
        if n == 1 {
            self.op(Op::SetBit { d, e });
        } else {
            self.op(Op::WideSetBit { d, e, n });
        }
    }

    fn set_op(&mut self, left: &Expr, right: &Expr, d: Reg, n: u16, kind: Op) {
        let a = self.value(left);
        let b = self.value(right);
        self.combine(kind, d, a, b, n);
    }

    /// `d = a kind b` for `And`, `Or` and `AndNot`, one word or more.
    pub(super) fn combine(&mut self, kind: Op, d: Reg, a: Reg, b: Reg, n: u16) {
        let op = match (kind, n) {
            (Op::And { .. }, 1) => Op::And { d, a, b },
            (Op::Or { .. }, 1) => Op::Or { d, a, b },
            (Op::And { .. }, n) => Op::WideAnd { d, a, b, n },
            (Op::Or { .. }, n) => Op::WideOr { d, a, b, n },
            (_, 1) => Op::AndNot { d, a, b },
            (_, n) => Op::WideAndNot { d, a, b, n },
        };
        self.op(op);
    }

    pub(super) fn and(&mut self, d: Reg, a: Reg, b: Reg, n: u16) {
        self.combine(Op::And { d, a, b }, d, a, b, n);
    }

    pub(super) fn and_not(&mut self, d: Reg, a: Reg, b: Reg, n: u16) {
        self.combine(Op::AndNot { d, a, b }, d, a, b, n);
    }

    pub(super) fn or(&mut self, d: Reg, a: Reg, b: Reg, n: u16) {
        self.combine(Op::Or { d, a, b }, d, a, b, n);
    }

    fn call_set(&mut self, expr: &Expr, d: Reg, n: u16) {
        let ExprKind::Call(define, args) = &expr.kind else {
            return;
        };
        if !self.shared.is_plain()
            && self.shared.is_table(*define)
            && let Some(table) = self.sure_table(expr, &[])
        {
            self.look_up(&table, expr.ty, d);
            return;
        }
        let callee = super::graph::Callee::Define(*define);
        self.args(args, callee);
        self.call(callee);
        self.mov_n(d, word::ARGS, n);
    }

    /// A set that is kept as the bits of a number: a field of a record, a cell of a table.
    fn scalar_bits(&mut self, expr: &Expr, d: Reg, n: u16) {
        match &expr.kind {
            ExprKind::Table(id, index) => {
                let Some(table) = self.shared.game.tables.get(id.index()) else {
                    return;
                };
                let at = self.index(index, &table.index);
                let rows = (table.cells.len() / table.words.max(1)) as u64;
                self.need_inside(at, rows, FaultKind::Outside);
                let key = format!("table {}", id.0);
                let base = self.shared.named_data(&key, &table.cells);
                let i = self.index_reg(at);
                if n > 1 {
                    return self.op(Op::Row { d, i, n, base });
                }
                self.op(Op::Look { d, i, base });
            }
            ExprKind::Field(base, field) => {
                let Base::Elem(domain) = base.ty.base else {
                    return self.fail(FaultKind::Absent);
                };
                let Some((stride, size, _)) = self.field_shape(domain, *field) else {
                    return self.fail(FaultKind::Absent);
                };
                let a = self.value(base);
                if base.ty.optional {
                    self.op(Op::NeedSome { a });
                }
                let (stride, size) = (self.constant(stride as i64), self.constant(size as i64));
                self.op(Op::Digit { d, a, stride, size });
            }
            _ => return,
        }
        if n > 1 {
            self.op(Op::Clear { d: d + 1, n: n - 1 });
        }
    }

    fn near_to(&mut self, near: Near, cell: &Expr, d: Reg, n: u16) {
        let Base::Elem(space) = cell.ty.base else {
            return self.fail(FaultKind::Absent);
        };
        if let Some(span) = self.span_of_plane(space) {
            let cell = self.value(cell);
            return self.near_on_plane(near, cell, span, d, n);
        }
        let Some(base) = self.shared.neighbours(space, near) else {
            return self.near_in_large(near, space, cell, d, n);
        };
        let i = self.value(cell);
        let done = self.label();
        if cell.ty.optional {
            // A place that is off the board has no neighbours.
            let none = self.constant(crate::model::NONE);
            let at = self.temp();
            self.mov(at, i);
            self.op(Op::Clear { d, n });
            let to = self.to(done);
            self.op(Op::JumpEq { a: at, b: none, to });
            self.op(Op::Row { d, i: at, n, base });
        } else {
            self.op(Op::Row { d, i, n, base });
        }
        self.bind(done);
    }

    /// Neighbours in a space of so many cells that a set for each of them would take too much room.
    fn near_in_large(&mut self, near: Near, space: DomainId, cell: &Expr, d: Reg, n: u16) {
        let Some((base, most)) = self.shared.neighbour_list(space, near) else {
            return self.fail(FaultKind::Absent);
        };
        let done = self.label();
        let (at, first, other) = (self.temp(), self.temp(), self.temp());
        self.value_to(cell, at);
        self.op(Op::Clear { d, n });
        if cell.ty.optional {
            let none = self.constant(crate::model::NONE);
            let to = self.to(done);
            self.op(Op::JumpEq { a: at, b: none, to });
        }
        let (stride, zero) = (self.constant(i64::from(most)), self.constant(0));
        self.op(Op::Mul {
            d: first,
            a: at,
            b: stride,
        });
        for _ in 0..most {
            self.op(Op::Look {
                d: other,
                i: first,
                base,
            });
            let to = self.to(done);
            self.op(Op::JumpLt {
                a: other,
                b: zero,
                to,
            });
            self.op(Op::WideSetBit { d, e: other, n });
            self.op(Op::AddK {
                d: first,
                a: first,
                k: 1,
            });
        }
        self.bind(done);
    }

    // ---- closure

    fn reach_to(&mut self, start: &Expr, var: LocalId, step: &Expr, domain: DomainId, d: Reg) {
        if self.flood_parts(Start::Set(start), var, step, domain, d) {
            return;
        }
        let n = words_for(self.domain_size(domain));
        let from = self.value(start);
        if let Some((rows, mask)) = self.reach_rows(var, step, domain) {
            let off = self.table_row(&rows, 1);
            let off = self.scaled(off, n);
            let op = Op::Reach {
                d,
                start: from,
                mask,
                off,
                n: u8::try_from(n).unwrap_or(u8::MAX),
                base: rows.base,
            };
            if n <= u16::from(u8::MAX) {
                if d == mask {
                    let own = self.temps(n);
                    self.mov_n(own, mask, n);
                    self.op(Op::Reach {
                        d,
                        start: from,
                        mask: own,
                        off,
                        n: u8::try_from(n).unwrap_or(1),
                        base: rows.base,
                    });
                } else {
                    self.op(op);
                }
                return;
            }
        }
        match self.edge_by_edge(start, var, step, domain) {
            Some(by_edges) => self.set_to(&by_edges, domain, d),
            None => self.flood(from, var, step, domain, d),
        }
    }

    fn scaled(&mut self, row: Reg, n: u16) -> Reg {
        if n == 1 || row == self.constant(0) {
            return row;
        }
        let (d, size) = (self.temp(), self.constant(i64::from(n)));
        self.op(Op::Mul { d, a: row, b: size });
        d
    }

    /// Takes a member out of a set and does what `body` emits, until the set is empty; `body` may put
    /// members in.
    pub(super) fn take_each(
        &mut self,
        set: Reg,
        var: LocalId,
        domain: DomainId,
        body: impl FnOnce(&mut Self),
    ) {
        let n = words_for(self.domain_size(domain));
        let (top, done) = (self.label(), self.label());
        let x = self.temp();
        self.set_local(var, x);
        self.bind(top);
        let to = self.to(done);
        self.op(Op::WideNext {
            cur: set,
            n,
            d: x,
            to,
        });
        self.unbit(x, self.domain_lo(domain));
        body(self);
        self.loop_to(top);
        self.bind(done);
    }

    fn groups_to(&mut self, over: &Expr, var: LocalId, step: &Expr, domain: DomainId, d: Reg) {
        let n = words_for(self.domain_size(domain));
        let (rest, heads, class) = (self.temps(n), self.own(d, n), self.temps(n));
        self.set_to(over, domain, rest);
        self.op(Op::Clear { d: heads, n });
        let rows = self.reach_rows(var, step, domain);
        let off = rows.as_ref().map(|(rows, _)| {
            let row = self.table_row(rows, 1);
            self.scaled(row, n)
        });
        let (top, done) = (self.label(), self.label());
        let head = self.temp();
        self.bind(top);
        self.op(Op::First {
            d: head,
            a: rest,
            n,
        });
        let none = self.constant(crate::model::NONE);
        let to = self.to(done);
        self.op(Op::JumpEq {
            a: head,
            b: none,
            to,
        });
        self.add_element(heads, head, n);
        let mark = self.mark();
        if !self.flood_parts(Start::One(head), var, step, domain, class) {
            let one = self.temps(n);
            self.op(Op::Clear { d: one, n });
            self.add_element(one, head, n);
            match (&rows, off) {
                (Some((rows, mask)), Some(off)) if n <= u16::from(u8::MAX) => {
                    let (mask, base) = (*mask, rows.base);
                    let n = u8::try_from(n).unwrap_or(1);
                    self.op(Op::Reach {
                        d: class,
                        start: one,
                        mask,
                        off,
                        n,
                        base,
                    });
                }
                _ => self.flood(one, var, step, domain, class),
            }
        }
        self.release(mark);
        self.and_not(rest, rest, class, n);
        self.loop_to(top);
        self.bind(done);
        self.mov_n(d, heads, n);
    }

    fn after_set(&mut self, body: &[crate::model::Stmt], value: &Expr, d: Reg) {
        debug_assert!(!is_scalar(value.ty));
        self.after_to(body, value, d);
    }
}

/// Whether something stands in a table, or is made of others as if it did.
fn is_looked_up(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Table(..) | ExprKind::Step { .. } | ExprKind::Make(..)
    )
}
