//! Operations that the loop hands on: each takes so long that to look twice which it is makes no difference.

use super::{Done, Run};
use crate::engine::memory::{self, Memory};
use crate::engine::op::{FaultKind, Op, Reg};
use crate::engine::prims;
use crate::model::NONE;

impl Run<'_> {
    /// Takes a component away, and puts it elsewhere.
    pub(super) fn carry(
        &mut self,
        mem: &mut Memory,
        kind: Reg,
        [from, to]: [u16; 2],
        at: [Reg; 2],
    ) -> Done {
        self.put_or_take::<false>(mem, from, at[0], kind)?;
        self.put_or_take::<true>(mem, to, at[1], kind)
    }

    #[inline(always)]
    pub(super) fn handed_on(&mut self, mem: &mut Memory, op: &Op) -> Done {
        match op {
            Op::CarrySome {
                d,
                from,
                place,
                zone,
                target,
            } => {
                self.peek(mem, *d, *from, *place)?;
                if mem[usize::from(*d)] as i64 == NONE {
                    return Err(FaultKind::Absent);
                }
                self.carry(mem, *d, [*from, *zone], [*place, *target])
            }
            Op::UnionRows {
                d,
                set,
                n,
                m,
                off,
                base,
            } => self.union_rows(mem, *d, *set, [*n, *m], *off, *base),
            Op::SeveralRows {
                d,
                set,
                n,
                m,
                off,
                least,
                base,
            } => self.several_rows(mem, [*d, *set, *off, *least], [*n, *m], *base),
            Op::FilterSets {
                d,
                set,
                sets,
                row,
                lo,
                hi,
            } => {
                self.burn(16)?;
                let [set, row, lo, hi] = [set, row, lo, hi].map(|it| mem[usize::from(*it)]);
                let bounds = [lo, hi].map(|it| it as i64);
                mem[usize::from(*d)] = prims::sharing(mem, set, *sets, row, bounds);
                Ok(())
            }
            Op::Total {
                d,
                set,
                m,
                off,
                base,
            } => {
                self.burn(16 * u64::from(*m))?;
                let rows = prims::rows(&self.code.data, *base, mem[usize::from(*off)]);
                let total = prims::total(mem, rows, *set, *m, |_| 1);
                mem[usize::from(*d)] = total;
                Ok(())
            }
            Op::TotalIn {
                m,
                d,
                zone,
                place,
                set,
                off,
                base,
            } => {
                self.burn(64 * u64::from(*m))?;
                let rows = prims::rows(&self.code.data, *base, mem[usize::from(*off)]);
                self.total_in(mem, *d, (*zone, *place), (*set, *m), rows)
            }
            Op::Lines {
                d,
                set,
                cells,
                shape,
                n,
            } => self.lines(mem, *d, [*set, *cells], *shape, *n),
            Op::FilterRows {
                d,
                set,
                lanes,
                i,
                n,
                base,
            } => {
                let off = mem[usize::from(*i)].wrapping_mul(u64::from(*n));
                self.filter_rows(mem, *d, *set, *lanes, off, *base)
            }
            Op::FilterSpan {
                d,
                set,
                lanes,
                bytes,
                bias,
                lo,
                hi,
            } => self.filter_span(mem, *d, *set, (*lanes, *bytes), [*bias, *lo, *hi]),
            Op::Reach {
                d,
                start,
                mask,
                off,
                n,
                base,
            } => self.reach(mem, *d, [*start, *mask], *off, *n, *base),
            Op::Rays {
                d,
                from,
                ways,
                mask,
                shape,
            } => self.rays(mem, *d, *from, *ways, *mask, *shape),
            Op::Behind {
                d,
                goal,
                way,
                mask,
                shape,
            } => self.behind(mem, *d, *goal, *way, *mask, *shape),
            Op::Holders {
                d,
                zone,
                kind,
                least,
                n,
            } => self.holders(mem, *d, *zone, *kind, *least, *n),
            Op::Those { .. }
            | Op::Tally { .. }
            | Op::TallyLanes { .. }
            | Op::TallyRows { .. }
            | Op::AtLeast { .. } => self.of_each(mem, op),
            Op::Find { d, zone, kind } => self.find(mem, *d, *zone, *kind),
            Op::MoveAll {
                from,
                place,
                to,
                target,
                stream,
                seen,
            } => {
                let pour = (None, *stream, *seen > 0);
                self.move_all(mem, [*from, *to], [*place, *target], pour)
            }
            Op::MoveThose {
                from,
                place,
                to,
                target,
                only,
                stream,
                seen,
            } => {
                let pour = (Some(*only), *stream, *seen > 0);
                self.move_all(mem, [*from, *to], [*place, *target], pour)
            }
            Op::SwapAll {
                from,
                place,
                to,
                target,
            } => self.swap_all(mem, [*from, *to], *place, *target),
            Op::Draw {
                d,
                zone,
                place,
                stream,
            } => self.draw(mem, *d, *zone, *place, *stream),
            Op::Shuffle { zone, place } => self.shuffle(mem, *zone, *place),
            Op::Show { zone, place, who } => self.show(mem, *zone, *place, *who),
            Op::PutField {
                zone,
                place,
                field,
                a,
            } => self.put_field(mem, *zone, *place, *field, *a),
            Op::Nth { d, zone, place, n } => self.nth(mem, *d, *zone, *place, *n),
            Op::Dig {
                zone,
                place,
                kind,
                n,
            } => self.dig(mem, *zone, *place, *kind, *n),
            // All others are of the loop.
            _ => Err(FaultKind::Room),
        }
    }

    /// Numbers of all elements at once. Apart, so that the loop keeps its registers.
    #[inline(never)]
    fn of_each(&mut self, mem: &mut Memory, op: &Op) -> Done {
        match op {
            Op::Those {
                m,
                by,
                bytes,
                lanes,
                set,
                hi,
                ..
            } => {
                self.burn(64 * u64::from(*m))?;
                let (all, hi) = (0..64 * usize::from(*m), mem[usize::from(*hi)] as i64);
                let fits = |x: usize| {
                    let (_, new) = changed(mem, op, x);
                    !memory::has(mem, *set, x) || (0..=hi).contains(&new)
                };
                if *by > 0 && !all.clone().all(fits) {
                    return Err(FaultKind::Bounds);
                }
                for x in all {
                    if memory::has(mem, *set, x) {
                        let (at, new) = changed(mem, op, x);
                        memory::set_lane(mem, (*lanes, *bytes), at, new as u64);
                    }
                }
                Ok(())
            }
            Op::Tally {
                d,
                a,
                zone,
                kind,
                by,
                n,
            } => {
                let (slot, kind) = (self.slot(*zone)?, mem[usize::from(*kind)]);
                self.burn(u64::from(slot.places) * slot.work)?;
                tally(mem, [*d, *a], (*by, *n), |mem, x| slot.held(mem, x, kind));
                Ok(())
            }
            Op::TallyLanes {
                d,
                a,
                lanes,
                off,
                stride,
                by,
                n,
                bytes,
            } => {
                self.burn(u64::from(*n))?;
                let off = mem[usize::from(*off)] as usize;
                tally(mem, [*d, *a], (*by, *n), |mem, x| {
                    let at = off.wrapping_add(x * usize::from(*stride));
                    memory::lane(mem, (*lanes, *bytes), at)
                });
                Ok(())
            }
            Op::TallyRows {
                m,
                n,
                by,
                d,
                a,
                set,
                off,
                base,
            } => {
                self.burn(64 * u64::from(*m))?;
                let rows = prims::rows(&self.code.data, *base, mem[usize::from(*off)]);
                tally(mem, [*d, *a], (0, u16::from(*n)), |_, _| 0);
                for word in 0..usize::from(*m) {
                    let mut rest = mem[memory::at(*set, word)];
                    while rest != 0 {
                        let member = 64 * word + rest.trailing_zeros() as usize;
                        rest &= rest - 1;
                        let mut row = *rows.get(member).ok_or(FaultKind::Absent)? as u64;
                        while row != 0 {
                            let x = memory::at(*d, row.trailing_zeros() as usize);
                            mem[x] = mem[x].wrapping_add(i64::from(*by as i8) as u64);
                            row &= row - 1;
                        }
                    }
                }
                Ok(())
            }
            Op::AtLeast { d, a, b, n } => {
                self.burn(u64::from(*n))?;
                let number = |of: Reg, x: u16| mem[memory::at(of, x.into())] as i64;
                let found = (0..*n).filter(|x| number(*a, *x) >= number(*b, *x));
                mem[usize::from(*d)] = found.fold(0, |set, x| set | 1 << x);
                Ok(())
            }
            _ => Err(FaultKind::Room),
        }
    }
}

/// Adds a number of each element, so often, to the one that it has.
fn tally(
    mem: &mut Memory,
    [d, a]: [Reg; 2],
    (by, n): (i16, u16),
    number: impl Fn(&Memory, usize) -> u64,
) {
    for x in 0..usize::from(n) {
        let more = (number(mem, x) as i64).wrapping_mul(by.into());
        mem[memory::at(d, x)] = mem[memory::at(a, x)].wrapping_add(more as u64);
    }
}

/// Where in an array the number of an element lies, and what `Op::Those` makes of it.
pub(in crate::engine) fn changed(mem: &Memory, op: &Op, x: usize) -> (usize, i64) {
    let Op::Those {
        bytes,
        by,
        lanes,
        off,
        stride,
        a,
        ..
    } = op
    else {
        return (0, 0);
    };
    let off = mem[usize::from(*off)] as usize;
    let at = off.wrapping_add(x * usize::from(*stride));
    let (a, old) = (
        mem[usize::from(*a)] as i64,
        memory::lane(mem, (*lanes, *bytes), at) as i64,
    );
    let new = match by {
        0 => a,
        1 => old.wrapping_add(a),
        2 => a.wrapping_sub(old),
        _ => old.wrapping_sub(a),
    };
    (at, new)
}
