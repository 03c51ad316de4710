//! Records and cells: fields, coordinates, steps.

use super::Gen;
use super::tables::is_scalar;
use crate::engine::op::{FaultKind, Op, Reg};
use crate::model::{Base, DomainId, DomainKind, Expr, NONE, Type};

use super::expr::type_lo;

impl Gen<'_, '_> {
    /// What an element is made from, where that has its number: a record of one field, mostly.
    pub(super) fn same_number(&mut self, expr: &Expr) -> Option<Expr> {
        if self.shared.is_plain() || self.shared.node_reads_state(expr) {
            return None;
        }
        let table = self.sure_table(expr, &[])?;
        let [input] = table.inputs.as_slice() else {
            return None;
        };
        let (base, n) = (table.base as usize, usize::try_from(input.n).ok()?);
        let cells = self.shared.code.data.get(base..base.checked_add(n)?)?;
        let absent = |at: usize| input.expr.ty.optional && at + 1 == n;
        let same = cells.iter().enumerate().all(|(at, cell)| {
            *cell
                == if absent(at) {
                    NONE
                } else {
                    input.lo + at as i64
                }
        });
        same.then(|| input.expr.clone())
    }

    /// Fields of a record or coordinates of a cell.
    pub(super) fn field_to(&mut self, base: &Expr, field: usize, ty: Type, d: Reg) {
        let Base::Elem(domain) = base.ty.base else {
            return self.fail(FaultKind::Absent);
        };
        let Some((stride, size, field_ty)) = self.field_shape(domain, field) else {
            return self.fail(FaultKind::Absent);
        };
        if field == 0 && self.is_parts(domain) {
            return self.spot_of_part_to(domain, base, d);
        }
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
    pub(super) fn unindex(&mut self, d: Reg, ty: Type, size: u64) {
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

    pub(super) fn make_to(&mut self, domain: DomainId, args: &[Expr], ty: Type, d: Reg) {
        if self.is_parts(domain) {
            return self.part_to(domain, args, ty, d);
        }
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

    pub(super) fn step_to(&mut self, cell: &Expr, way: &Expr, count: &Expr, d: Reg) {
        let (Base::Elem(space), Base::Elem(ways)) = (cell.ty.base, way.ty.base) else {
            return self.fail(FaultKind::Absent);
        };
        let Some(base) = self.shared.steps(space, ways) else {
            return self.fail(FaultKind::Absent);
        };
        // Where there is no cell, neither the direction nor the number is asked for.
        let sure = self.shared.surely(way) && self.shared.surely(count);
        let asks = !sure || !self.is_there(count, &self.facts);
        let none = (cell.ty.optional && asks).then(|| (self.label(), self.label()));
        let from = self.value(cell);
        if let Some((off, _)) = none {
            let (absent, to) = (self.constant(NONE), self.to(off));
            self.op(Op::JumpEq {
                a: from,
                b: absent,
                to,
            });
        }
        let (way, count) = (self.value(way), self.value_there(count));
        let (cells, n_ways) = (self.domain_size(space), self.domain_size(ways));
        let shape = self.shared.walk(base, cells, n_ways, [false; 2]);
        self.op(Op::Step {
            d,
            cell: from,
            way,
            count,
            shape,
        });
        if let Some((off, done)) = none {
            let absent = self.constant(NONE);
            self.jump(done);
            self.bind(off);
            self.mov(d, absent);
            self.bind(done);
        }
    }
}
