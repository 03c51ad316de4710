//! The operations on planes.

use super::{Planes, SIDES, list_of, step};
use crate::engine::layout::Layout;
use crate::engine::memory::{Memory, at, clear, insert, remove};
use crate::engine::op::{Around, Code, FaultKind, PlaneOp, Reg};
use crate::model::NONE;

/// Differences of coordinates of the corners.
const CORNERS: [(i64, i64); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

impl Planes {
    /// Executes an operation.
    ///
    /// # Errors
    /// `Absent` where something is asked of a part that is not there.
    #[inline(never)]
    pub fn run(
        &mut self,
        op: &PlaneOp,
        mem: &mut Memory,
        layout: &Layout,
        code: &Code,
    ) -> Result<(), FaultKind> {
        if self.stale {
            self.follow(mem, layout)?;
        }
        match *op {
            PlaneOp::Kept { d, kept, n } => {
                let index = usize::from(kept);
                let shape = code.kept.get(index).ok_or(FaultKind::Absent)?;
                let set = self.plane(layout, shape.zone)?.kept(index, shape, code);
                put(mem, d, n, set);
            }
            PlaneOp::Gathered { d, gathered, place } => {
                let index = usize::from(gathered);
                let shape = code.gathered.get(index).ok_or(FaultKind::Absent)?;
                let place = mem[usize::from(place)] as usize;
                let plane = self.plane(layout, shape.zone)?;
                let values = plane.gathered(index, shape, code);
                mem[usize::from(d)] = values.get(place).copied().ok_or(FaultKind::Absent)?;
            }
            PlaneOp::Entry { d, zone, place } => {
                let place = mem[usize::from(place)] as usize;
                let list = list_of(layout, zone).ok_or(FaultKind::Absent)?;
                mem[usize::from(d)] = match list.plane {
                    Some(plane) => {
                        self.planes
                            .get(usize::from(plane))
                            .map_or(0, |plane| plane.entry_at(place)) as u64
                    }
                    None => list.find(mem, place) as u64,
                };
            }
            PlaneOp::Cell {
                d,
                zone,
                part,
                slots,
            } => {
                let (_, list, _) = self.of(layout, zone)?;
                let entry = entry_of(mem[usize::from(part)], slots);
                if !list.is_filled(mem, entry) {
                    return Err(FaultKind::Absent);
                }
                mem[usize::from(d)] = list.cell(mem, entry) as u64;
            }
            PlaneOp::Frontier { d, zone, n } => {
                clear(mem, d, n);
                let (plane, _, _) = self.of(layout, zone)?;
                if plane.filled == 0 {
                    insert(mem, d, 0);
                }
                for spot in &plane.frontier {
                    insert(mem, d, usize::from(*spot));
                }
            }
            PlaneOp::Laid { d, zone, n } => {
                clear(mem, d, n);
                let (plane, _, _) = self.of(layout, zone)?;
                for entry in plane.entries.iter().flatten() {
                    insert(mem, d, usize::from(entry.spot));
                }
            }
            PlaneOp::Parts { d, zone, n, slots } => {
                let (plane, list, _) = self.of(layout, zone)?;
                // As if no entry was free in between, and then without those that are.
                let used = list.used(mem);
                fill(mem, d, n, used * usize::from(slots));
                if plane.filled < used {
                    for (entry, laid) in plane.entries.iter().enumerate().take(used + 1).skip(1) {
                        if laid.is_none() {
                            remove_run(mem, d, entry - 1, slots);
                        }
                    }
                }
            }
            PlaneOp::PartsAt {
                d,
                zone,
                place,
                n,
                slots,
            } => {
                let place = mem[usize::from(place)] as usize;
                clear(mem, d, n);
                let (plane, _, _) = self.of(layout, zone)?;
                if let Some(number) = plane.entry_at(place).checked_sub(1) {
                    insert_run(mem, d, number, slots);
                }
            }
            PlaneOp::Base {
                d,
                zone,
                place,
                slots,
            } => {
                let (plane, _, _) = self.of(layout, zone)?;
                let entry = plane.entry_at(mem[usize::from(place)] as usize);
                let part = entry.checked_sub(1).map(|n| n as i64 * i64::from(slots));
                mem[usize::from(d)] = part.unwrap_or(NONE) as u64;
            }
            PlaneOp::Touching { d, parts, part, n } => {
                clear(mem, d, n);
                let part = mem[usize::from(part)] as usize;
                let view = self.parts(layout, parts)?;
                view.entry(part)?;
                view.touching(part, |other| insert(mem, d, other));
            }
            PlaneOp::Loose { d, parts, part } => {
                let view = self.parts(layout, parts)?;
                mem[usize::from(d)] = view.loose(mem[usize::from(part)] as usize)?;
            }
            PlaneOp::With {
                d,
                parts,
                place,
                port,
            } => {
                let view = self.parts(layout, parts)?;
                let found = view.with(mem[usize::from(place)] as usize, mem[usize::from(port)]);
                mem[usize::from(d)] = found.map_or(NONE, |part| part as i64) as u64;
            }
            PlaneOp::Flood { d, parts, n } => {
                let view = self.parts(layout, parts)?;
                let set = mem.get(usize::from(d)..usize::from(d) + usize::from(n));
                // What is not laid touches nothing, so it is not found on the way.
                for (w, word) in set.unwrap_or_default().iter().enumerate() {
                    let mut rest = *word;
                    while rest != 0 {
                        view.entry(w * 64 + rest.trailing_zeros() as usize)?;
                        rest &= rest - 1;
                    }
                }
                self.meeting(layout, parts)?.flood(mem, d, n);
            }
            PlaneOp::Held { d, zone, kind, n } => {
                let list = list_of(layout, zone).ok_or(FaultKind::Absent)?;
                let kind = mem[usize::from(kind)] as i64;
                let places = layout
                    .zones
                    .get(usize::from(zone))
                    .map_or(0, |it| it.places);
                let used = list.used(mem);
                if kind == NONE {
                    fill(mem, d, n, places as usize);
                } else {
                    clear(mem, d, n);
                }
                for entry in 1..=used {
                    let place = list.cell(mem, entry);
                    match list.kind.get(mem, entry) {
                        NONE => {}
                        _ if kind == NONE => remove(mem, d, place),
                        held if held == kind => insert(mem, d, place),
                        _ => {}
                    }
                }
            }
            PlaneOp::Class { d, parts, part, n } => {
                let part = mem[usize::from(part)] as usize;
                self.parts(layout, parts)?.entry(part)?;
                self.meeting(layout, parts)?.class_to(part, mem, d, n);
            }
            PlaneOp::Open { d, parts, n } => {
                put(mem, d, n, self.meeting(layout, parts)?.loose());
            }
            PlaneOp::Near {
                d,
                cell,
                span,
                n,
                which,
            } => {
                let cell = mem[usize::from(cell)] as i64;
                clear(mem, d, n);
                if cell != NONE {
                    let sides = matches!(which, Around::Sides | Around::All);
                    let corners = matches!(which, Around::Corners | Around::All);
                    let deltas = SIDES.iter().filter(|_| sides);
                    for delta in deltas.chain(CORNERS.iter().filter(|_| corners)) {
                        insert(mem, d, step(cell, *delta, i64::from(span)));
                    }
                }
            }
        }
        Ok(())
    }
}

/// A set that is kept in fewer words.
fn put(mem: &mut Memory, d: Reg, n: u16, set: &[u64]) {
    let goal = mem.get_mut(usize::from(d)..usize::from(d) + usize::from(n));
    let goal = goal.unwrap_or_default();
    let kept = set.len().min(goal.len());
    goal[..kept].copy_from_slice(&set[..kept]);
    goal[kept..].iter_mut().for_each(|word| *word = 0);
}

/// The first `count` elements.
fn fill(mem: &mut Memory, d: Reg, n: u16, count: usize) {
    for w in 0..usize::from(n) {
        mem[at(d, w)] = match count.saturating_sub(w * 64) {
            0 => 0,
            left if left >= 64 => u64::MAX,
            left => (1 << left) - 1,
        };
    }
}

/// The entry that a part belongs to.
fn entry_of(part: u64, slots: u16) -> usize {
    part as usize / usize::from(slots.max(1)) + 1
}

/// Takes out the parts of the component with a number.
fn remove_run(mem: &mut Memory, d: Reg, number: usize, slots: u16) {
    let first = number * usize::from(slots);
    for part in first..first + usize::from(slots) {
        remove(mem, d, part);
    }
}

/// Adds the parts of the component with a number.
fn insert_run(mem: &mut Memory, d: Reg, number: usize, slots: u16) {
    let first = number * usize::from(slots);
    for part in first..first + usize::from(slots) {
        insert(mem, d, part);
    }
}
