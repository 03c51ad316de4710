//! Places of zones, tracks and tables: from index expressions to addresses.

use super::Gen;
use crate::engine::layout::{Array, Lane};
use crate::engine::op::{FaultKind, Op, Reg};
use crate::model::{Base, DomainId, Expr, ExprKind, NONE, Place, TrackId, ZoneId};

/// A flattened index.
#[derive(Clone, Copy, Debug)]
pub(super) enum Index {
    /// Known when the game is compiled.
    Fixed(u32),
    /// In a register; surely inside.
    Inside(Reg),
    /// In a register; may be absent, which is outside of everything.
    Maybe(Reg),
}

impl Gen<'_, '_> {
    /// Flattens an index.
    pub(super) fn index(&mut self, index: &[Expr], domains: &[DomainId]) -> Index {
        let mut fixed = Some(0u64);
        let mut optional = false;
        for (expr, domain) in index.iter().zip(domains) {
            let (lo, size) = (self.domain_lo(*domain), self.domain_size(*domain));
            fixed = match (&expr.kind, fixed) {
                (ExprKind::Value(value), Some(sum)) if *value != NONE => u64::try_from(value - lo)
                    .ok()
                    .filter(|bit| *bit < size)
                    .map(|bit| sum * size + bit),
                _ => None,
            };
            optional |= self.may_be_outside(expr, lo, size);
        }
        if let Some(fixed) = fixed {
            return Index::Fixed(u32::try_from(fixed).unwrap_or(u32::MAX));
        }
        let d = match (index, domains) {
            ([expr], [domain]) => self.bit(expr, self.domain_lo(*domain)),
            _ => self.mixed(index, domains, optional),
        };
        if optional {
            Index::Maybe(d)
        } else {
            Index::Inside(d)
        }
    }

    /// Whether an index may be none of the values of a domain.
    pub(super) fn may_lie_outside(&self, expr: &Expr, domain: DomainId) -> bool {
        self.may_be_outside(expr, self.domain_lo(domain), self.domain_size(domain))
    }

    fn may_be_outside(&self, expr: &Expr, lo: i64, size: u64) -> bool {
        let bounds_differ = match expr.ty.base {
            Base::Int(from, to) => from < lo || i128::from(to) >= i128::from(lo) + i128::from(size),
            Base::Bool | Base::Elem(_) | Base::Set(_) | Base::Unit => false,
        };
        expr.ty.optional || bounds_differ
    }

    fn mixed(&mut self, index: &[Expr], domains: &[DomainId], optional: bool) -> Reg {
        let sum = self.temp();
        let (outside, done) = (self.label(), self.label());
        let mut first = true;
        for (expr, domain) in index.iter().zip(domains) {
            let (lo, size) = (self.domain_lo(*domain), self.domain_size(*domain));
            let bit = self.bit(expr, lo);
            if self.may_be_outside(expr, lo, size) {
                let (zero, most) = (self.constant(0), self.constant(size as i64 - 1));
                let to = self.to(outside);
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
            if first {
                self.mov(sum, bit);
                first = false;
            } else {
                self.append(sum, size as i64, bit);
            }
        }
        if optional {
            self.jump(done);
            self.bind(outside);
            let none = self.constant(NONE);
            self.mov(sum, none);
            self.bind(done);
        } else {
            self.bind(outside);
        }
        sum
    }

    /// The bit position of an element: its value less the least of its domain.
    pub(super) fn bit(&mut self, expr: &Expr, lo: i64) -> Reg {
        if let ExprKind::Value(value) = &expr.kind {
            let bit = if *value == NONE { NONE } else { value - lo };
            return self.constant(bit);
        }
        let value = self.value(expr);
        self.bit_of(value, lo)
    }

    pub(super) fn bit_of(&mut self, value: Reg, lo: i64) -> Reg {
        if lo == 0 {
            return value;
        }
        let d = self.temp();
        self.sub_const(d, value, lo);
        d
    }

    pub(super) fn sub_const(&mut self, d: Reg, a: Reg, k: i64) {
        match i16::try_from(-k) {
            Ok(k) => self.op(Op::AddK { d, a, k }),
            Err(_) => {
                let b = self.constant(k);
                self.op(Op::Sub { d, a, b });
            }
        }
    }

    /// Turns a bit position back into a value.
    pub(super) fn unbit(&mut self, reg: Reg, lo: i64) {
        if lo != 0 {
            self.sub_const(reg, reg, -lo);
        }
    }

    /// The index of a place in a register.
    pub(super) fn place(&mut self, place: &Place) -> Index {
        let domains = self.place_index(place);
        self.index(&place.index, &domains)
    }

    /// The index of a place, which may have been joined to one.
    pub(super) fn place_index(&self, place: &Place) -> Vec<DomainId> {
        self.joined_index(place.index.len(), self.zone_index(place.zone))
    }

    /// So many indices that are declared, or all of them as one.
    pub(super) fn joined_index(&self, given: usize, declared: Vec<DomainId>) -> Vec<DomainId> {
        match self.shared.product_of(&declared) {
            Some(product) if given == 1 => vec![product],
            _ => declared,
        }
    }

    pub(super) fn place_reg(&mut self, place: &Place) -> Reg {
        match self.place(place) {
            Index::Fixed(at) => self.constant(i64::from(at)),
            Index::Inside(reg) | Index::Maybe(reg) => reg,
        }
    }

    pub(super) fn zone_index(&self, zone: ZoneId) -> Vec<DomainId> {
        self.shared
            .game
            .zones
            .get(zone.index())
            .map(|z| z.index.clone())
            .unwrap_or_default()
    }

    // ---- arrays

    /// Reads a value of an array.
    pub(super) fn load(&mut self, array: Array, index: Index, d: Reg) {
        let i = match index {
            Index::Fixed(at) if array.lane == Lane::Word => {
                self.mov(d, array.base.saturating_add(u16::try_from(at).unwrap_or(0)));
                return;
            }
            Index::Fixed(at) => self.constant(i64::from(at)),
            Index::Inside(reg) | Index::Maybe(reg) => reg,
        };
        match array.lane {
            Lane::Word => {
                return self.op(Op::Load {
                    d,
                    base: array.base,
                    i,
                });
            }
            Lane::Byte => self.op(Op::Load8 {
                d,
                base: array.base,
                i,
            }),
            Lane::Half => self.op(Op::Load16 {
                d,
                base: array.base,
                i,
            }),
        }
        if array.optional {
            let bias = self.constant(array.lo);
            self.op(Op::FromStored { d, a: d, bias });
        } else {
            self.unbit(d, array.lo);
        }
    }

    /// Writes a value of an array.
    pub(super) fn store(&mut self, array: Array, index: Index, a: Reg) {
        let i = match index {
            Index::Fixed(at) if array.lane == Lane::Word => {
                self.mov(array.base.saturating_add(u16::try_from(at).unwrap_or(0)), a);
                return;
            }
            Index::Fixed(at) => self.constant(i64::from(at)),
            Index::Inside(reg) | Index::Maybe(reg) => reg,
        };
        if array.lane == Lane::Word {
            self.op(Op::Store {
                base: array.base,
                i,
                a,
            });
            return;
        }
        let raw = self.stored(a, array);
        if array.lane == Lane::Byte {
            self.op(Op::Store8 {
                base: array.base,
                i,
                a: raw,
            });
        } else {
            self.op(Op::Store16 {
                base: array.base,
                i,
                a: raw,
            });
        }
    }

    /// A value in the form in which an array holds it.
    pub(super) fn stored(&mut self, a: Reg, array: Array) -> Reg {
        if array.lane == Lane::Word {
            return a;
        }
        if !array.optional {
            return self.bit_of(a, array.lo);
        }
        let (raw, bias) = (self.temp(), self.constant(array.lo));
        self.op(Op::ToStored { d: raw, a, bias });
        raw
    }

    /// Faults where an index may be outside.
    pub(super) fn need_inside(&mut self, index: Index, places: u64, fault: FaultKind) {
        if let Index::Maybe(reg) = index {
            let (lo, hi) = (self.constant(0), self.constant(places as i64 - 1));
            self.op(Op::Check {
                a: reg,
                lo,
                hi,
                fault,
            });
        }
    }

    /// The register that holds a track's value, if it is one.
    pub(super) fn track_register(&mut self, track: TrackId, index: &[Expr]) -> Option<Reg> {
        let slot = *self.shared.layout.tracks.get(track.index())?;
        if slot.array.lane != Lane::Word {
            return None;
        }
        let domains = self.shared.game.tracks.get(track.index())?.index.clone();
        if domains.is_empty() {
            return Some(slot.array.base);
        }
        if !index.iter().all(|e| matches!(e.kind, ExprKind::Value(_))) {
            return None;
        }
        match self.index(index, &domains) {
            Index::Fixed(at) => {
                let words = u16::try_from(at).ok()?.checked_mul(slot.set_words.max(1))?;
                slot.array.base.checked_add(words)
            }
            Index::Inside(_) | Index::Maybe(_) => None,
        }
    }

    pub(super) fn track_to(&mut self, track: TrackId, index: &[Expr], d: Reg) {
        let Some(slot) = self.shared.layout.tracks.get(track.index()).copied() else {
            return;
        };
        if let Some(reg) = self.track_register(track, index) {
            self.mov_n(d, reg, slot.set_words.max(1));
            return;
        }
        let at = self.track_index(track, index, slot.len);
        self.load_track(slot, at, d);
    }

    pub(super) fn track_index(&mut self, track: TrackId, index: &[Expr], len: u32) -> Index {
        let domains = self
            .shared
            .game
            .tracks
            .get(track.index())
            .map(|t| t.index.clone())
            .unwrap_or_default();
        let domains = self.joined_index(index.len(), domains);
        let at = self.index(index, &domains);
        self.need_inside(at, u64::from(len), FaultKind::Outside);
        at
    }

    pub(super) fn load_track(&mut self, slot: crate::engine::layout::TrackSlot, at: Index, d: Reg) {
        if slot.set_words > 0 {
            let i = self.index_reg(at);
            self.op(Op::LoadWide {
                d,
                base: slot.array.base,
                i,
                n: slot.set_words,
            });
        } else {
            self.load(slot.array, at, d);
        }
    }

    pub(super) fn index_reg(&mut self, index: Index) -> Reg {
        match index {
            Index::Fixed(at) => self.constant(i64::from(at)),
            Index::Inside(reg) | Index::Maybe(reg) => reg,
        }
    }
}
