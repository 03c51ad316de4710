//! Two innermost loops as one operation: for each element of a set, the members of a row of a table.
//! Lists of moves are mostly such loops: for each place, the ways to lay something there.

use super::Gen;
use super::mask::is_local;
use super::nest::{Nest, Ready, Sink};
use super::pairs::Pairs;
use super::tables::{Input, Tabled};
use crate::engine::op::{Op, Reg, RowsOp, RowsShape, RowsSource, zone16};
use crate::model::{DomainId, Expr, ExprKind, LocalId, Over};

/// What a row depends on besides what is known before the loop.
#[derive(Clone, Copy)]
pub(super) enum Digit {
    /// The element.
    Own,
    /// What is gathered from around it.
    Gathered(u16),
}

impl Gen<'_, '_> {
    /// How an input of such a table depends on the element; `None` where it does in another way.
    pub(super) fn digit_of(&self, input: &Input, x: LocalId) -> Option<Digit> {
        if is_local(&input.expr, x) && !input.expr.ty.optional {
            return Some(Digit::Own);
        }
        match &input.expr.kind {
            ExprKind::Call(id, args) => match args.as_slice() {
                [spot] if is_local(spot, x) => self.shared.gathered_in(*id).map(Digit::Gathered),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the rows of a table hang on what is gathered from around an element.
    pub(super) fn gathers(&self, table: &Tabled, x: LocalId) -> bool {
        let digits = table.inputs.iter().map(|input| self.digit_of(input, x));
        digits.flatten().any(|it| matches!(it, Digit::Gathered(_)))
    }

    /// The zone whose free spots a level runs over, where no condition restricts them.
    pub(super) fn free_spots(&self, k: usize, nest: &Nest<'_, '_>) -> Option<u16> {
        let Over::Set(Expr {
            kind: ExprKind::Frontier(zone),
            ..
        }) = nest.levels.get(k)?.over
        else {
            return None;
        };
        let alone = !nest.masks.iter().any(|(of, _, _)| *of == k);
        (alone && self.is_plane(*zone)).then(|| zone16(*zone))
    }

    /// Writes the loops of the last two levels as one operation; `free` is the zone whose free spots
    /// are the elements.
    pub(super) fn loop_rows(
        &mut self,
        k: usize,
        pairs: &Pairs,
        free: Option<u16>,
        nest: &Nest<'_, '_>,
        sink: &Sink<'_>,
        packed: Option<Reg>,
    ) {
        let outer: Option<Ready> = nest.ready.get(k).copied().flatten();
        let inner = nest.ready.get(k + 1).copied().flatten();
        let domains = [k, k + 1].map(|at| self.level_domain(nest.levels, at));
        let (Some(level), [Some(domain), Some(to)], Some(first)) =
            (nest.levels.get(k), domains, pairs.parts.first())
        else {
            return;
        };
        let (lo, table) = (self.domain_lo(domain), &first.table);
        let m = outer.map_or(1, |ready| ready.n);
        let mut shape = RowsShape {
            source: match free {
                Some(zone) => RowsSource::Free(zone),
                None => RowsSource::Set(m),
            },
            bases: pairs.parts.iter().map(|part| part.table.base).collect(),
            own: 0,
            bias: 0,
            gathered: None,
            shifts: None,
            part: None,
            apart: pairs.parts.iter().any(|it| !it.within.is_empty()),
        };
        let mut off = self.constant(0);
        let mut stride = u64::from(pairs.words);
        for input in table.inputs.iter().rev() {
            match self.digit_of(input, level.local) {
                Some(Digit::Own) => {
                    shape.own += stride as u32;
                    shape.bias += (lo - input.lo).wrapping_mul(stride as i64);
                }
                Some(Digit::Gathered(index)) => shape.gathered = Some((index, stride as u32)),
                None => off = self.moved_on(off, input, stride),
            }
            stride = stride.saturating_mul(input.n);
        }
        let set = match outer {
            Some(ready) => self.sources(pairs, ready),
            None => off,
        };
        let within = match (&pairs.within, inner) {
            (None, Some(inner)) => inner.set,
            (plans, _) => {
                let mut within = self.all_of(to);
                for plan in plans.iter().flatten() {
                    within = self.restricted(within, plan, to, pairs.words);
                }
                within
            }
        };
        let sets = u16::try_from(pairs.parts.len()).unwrap_or(u16::MAX);
        let (within, words) = match shape.apart {
            true => {
                let words = sets.saturating_mul(pairs.words);
                (self.members_apart(pairs, within, to), words)
            }
            false => (within, pairs.words),
        };
        let mut rows = RowsOp {
            a: off,
            set,
            within,
            off,
            shape: 0,
            to: 0,
            sets: u8::try_from(sets.saturating_mul(m)).unwrap_or(0),
            n: u8::try_from(words).unwrap_or(u8::MAX),
        };
        let next = self.label();
        match sink {
            Sink::Emit { slots, .. } => {
                let (Some(a), [x, e]) = (packed, slots.get(k..).unwrap_or_default()) else {
                    return;
                };
                shape.shifts = Some([x.shift, e.shift]);
                shape.part = e.part;
                (rows.a, rows.to) = (a, self.to(next));
            }
            Sink::Exists(found) => rows.to = self.to(*found),
            Sink::Count { .. } | Sink::Gather { .. } | Sink::Each(_) => return,
        }
        rows.shape = self.shared.rows_shape(shape);
        self.op(Op::Rows(rows));
        self.bind(next);
    }

    /// Which members are meant of each part, one set after the other.
    fn members_apart(&mut self, pairs: &Pairs, all: Reg, to: DomainId) -> Reg {
        let parts = u16::try_from(pairs.parts.len()).unwrap_or(u16::MAX);
        let first = self.temps(parts.saturating_mul(pairs.words));
        for (at, part) in (0..parts).zip(&pairs.parts) {
            let d = first.saturating_add(at.saturating_mul(pairs.words));
            let plans = part.within.iter();
            let set = plans.fold(all, |set, plan| self.restricted(set, plan, to, pairs.words));
            self.mov_n(d, set, pairs.words);
        }
        first
    }

    /// An offset moved on by an input that is known before the loops.
    fn moved_on(&mut self, off: Reg, input: &Input, stride: u64) -> Reg {
        let mut scaled = self.input_bit(input);
        if stride != 1 {
            let (d, by) = (self.temp(), self.constant(stride as i64));
            self.op(Op::Mul {
                d,
                a: scaled,
                b: by,
            });
            scaled = d;
        }
        if off == self.constant(0) {
            return scaled;
        }
        let d = self.temp();
        self.op(Op::Add {
            d,
            a: off,
            b: scaled,
        });
        d
    }

    /// The elements from which each of the tables leads on, one set after the other.
    fn sources(&mut self, pairs: &Pairs, all: Ready) -> Reg {
        let m = all.n;
        if let [part] = pairs.parts.as_slice() {
            return match &part.sources {
                Some(plan) => self.restricted(all.set, plan, all.domain, m),
                None => all.set,
            };
        }
        let sets = u16::try_from(pairs.parts.len()).unwrap_or(u16::MAX);
        let first = self.temps(sets.saturating_mul(m));
        for (at, part) in (0..sets).zip(&pairs.parts) {
            let d = first.saturating_add(at.saturating_mul(m));
            let set = match &part.sources {
                Some(plan) => self.restricted(all.set, plan, all.domain, m),
                None => all.set,
            };
            self.mov_n(d, set, m);
        }
        first
    }
}
