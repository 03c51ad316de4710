//! What lies in order in a pile, from the bottom to the top, above what lies in none.

use crate::engine::layout::{Store, ZoneSlot};
use crate::engine::memory::{Memory, at, half, set_half};
use crate::engine::op::{FaultKind, Reg};
use crate::model::NONE;

impl ZoneSlot {
    /// The ordered part of a pile, bottom first.
    pub fn ordered<'m>(
        &self,
        mem: &'m Memory,
        place: usize,
    ) -> impl DoubleEndedIterator<Item = usize> + 'm {
        let (base, n) = match &self.store {
            Store::Pile { order, stride, .. } => {
                let base = at(*order, place * usize::from(*stride));
                (base, mem[base] as usize)
            }
            Store::One { .. } | Store::List(_) | Store::Bag(_) => (0, 0),
        };
        (0..n).map(move |i| half(mem, at(base as Reg, 1) as Reg, i) as usize)
    }

    /// The ordered top of a pile, or absent.
    #[must_use]
    pub fn top(&self, mem: &Memory, place: usize) -> i64 {
        self.nth(mem, place, 1)
    }

    /// What lies so deep in the ordered part of a pile, the top being 1, or absent.
    #[must_use]
    pub fn nth(&self, mem: &Memory, place: usize, n: i64) -> i64 {
        let above = usize::try_from(n).ok().and_then(|n| n.checked_sub(1));
        let found = above.and_then(|above| self.ordered(mem, place).rev().nth(above));
        found.map_or(NONE, |kind| kind as i64)
    }

    /// Copies of a kind in the unordered part.
    #[must_use]
    pub fn loose(&self, mem: &Memory, place: usize, kind: usize) -> u64 {
        let held = self.ordered(mem, place).filter(|k| *k == kind).count() as u64;
        self.copies(mem, place, kind).saturating_sub(held)
    }

    /// Takes a component out of what is in no place of its own; nobody has seen it. What lies in a place of its own is
    /// left for [`ZoneSlot::deal`] to replace.
    pub fn lift(&self, mem: &mut Memory, place: usize, kind: usize) {
        if let Store::Bag(contents) | Store::Pile { contents, .. } = &self.store {
            // It was read there.
            let _ = contents.take(mem, self, place, kind);
        }
    }

    /// Puts a component where another one was lifted: so high in the ordered part of a pile, or in no order. What is known
    /// of the place stays, and so do its fields.
    pub fn deal(&self, mem: &mut Memory, place: usize, height: Option<usize>, kind: usize) {
        match &self.store {
            Store::One { kind: values, .. } => {
                values.set(mem, place, self.place_words, kind as i64);
            }
            Store::List(list) => {
                let entry = list.find(mem, place);
                list.kind.set(mem, entry, kind as i64);
            }
            Store::Bag(contents) => {
                let _ = contents.put(mem, self, place, kind);
            }
            Store::Pile {
                contents,
                order,
                stride,
            } => {
                // As many as before fit again.
                let _ = contents.put(mem, self, place, kind);
                if let Some(height) = height {
                    let base = at(*order, place * usize::from(*stride)) as Reg;
                    set_half(mem, at(base, 1) as Reg, height, kind as u64);
                }
            }
        }
    }

    /// Takes what lies so deep in a pile away, the top being 1; deeper than what is ordered an unordered one, or the deepest.
    ///
    /// # Errors
    /// `Missing` where there is none.
    pub fn dig(
        &self,
        mem: &mut Memory,
        place: usize,
        kind: usize,
        n: i64,
    ) -> Result<(), FaultKind> {
        let Store::Pile {
            contents,
            order,
            stride,
        } = &self.store
        else {
            return self.take(mem, place, kind);
        };
        if !self.is_inside(place, kind) {
            return Err(FaultKind::Missing);
        }
        self.forget(mem, place);
        let is_loose = self.loose(mem, place, kind) > 0;
        contents.take(mem, self, place, kind)?;
        let base = at(*order, place * usize::from(*stride));
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        let deepest = || self.ordered(mem, place).position(|it| it == kind);
        let found = match (mem[base] as usize).checked_sub(n) {
            None if !is_loose => deepest(),
            found => found,
        };
        if let Some(found) = found {
            close_up(mem, base as Reg, found);
        }
        Ok(())
    }
}

/// Takes the topmost of a kind out of the ordered part of a pile, if it has one.
#[inline(never)]
pub(super) fn take_ordered(mem: &mut Memory, base: Reg, kind: usize) {
    let list = at(base, 1) as Reg;
    let n = mem[usize::from(base)] as usize;
    let found = (0..n).rev().find(|i| half(mem, list, *i) as usize == kind);
    if let Some(found) = found {
        close_up(mem, base, found);
    }
}

/// Takes one out of the ordered part of a pile; what lies above comes down.
fn close_up(mem: &mut Memory, base: Reg, taken: usize) {
    let list = at(base, 1) as Reg;
    let left = (mem[usize::from(base)] as usize).saturating_sub(1);
    for i in taken..left {
        let above = half(mem, list, i + 1);
        set_half(mem, list, i, above);
    }
    set_half(mem, list, left, 0);
    mem[usize::from(base)] = left as u64;
}
