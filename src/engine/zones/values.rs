//! The values of places and the components of bags.

use crate::engine::layout::{Array, Contents, Lane, Values, ZoneSlot};
use crate::engine::memory::{
    Memory, at, byte, count, half, has, insert, remove, set_byte, set_count, set_half,
};
use crate::engine::op::{FaultKind, Reg};
use crate::model::NONE;

impl Array {
    /// Reads a value.
    #[inline]
    #[must_use]
    pub fn get(&self, mem: &Memory, index: usize) -> i64 {
        let raw = match self.lane {
            Lane::Word => return mem[at(self.base, index)] as i64,
            Lane::Byte => byte(mem, self.base, index),
            Lane::Half => half(mem, self.base, index),
        };
        self.value_of(raw as i64)
    }

    /// The value that a byte or half a word stands for.
    #[must_use]
    pub fn value_of(&self, raw: i64) -> i64 {
        match (self.optional, raw) {
            (true, 0) => NONE,
            (true, raw) => raw - 1 + self.lo,
            (false, raw) => raw + self.lo,
        }
    }

    /// Writes a value, which must be in the bounds of its type.
    pub fn set(&self, mem: &mut Memory, index: usize, value: i64) {
        let raw = match (self.optional, value) {
            (true, NONE) => 0,
            (true, value) => value.wrapping_sub(self.lo).wrapping_add(1),
            (false, value) => value.wrapping_sub(self.lo),
        } as u64;
        match self.lane {
            Lane::Word => mem[at(self.base, index)] = value as u64,
            Lane::Byte => set_byte(mem, self.base, index, raw),
            Lane::Half => set_half(mem, self.base, index, raw),
        }
    }

    /// Zeroes a value.
    pub fn wipe(&self, mem: &mut Memory, index: usize) {
        match self.lane {
            Lane::Word => mem[at(self.base, index)] = 0,
            Lane::Byte => set_byte(mem, self.base, index, 0),
            Lane::Half => set_half(mem, self.base, index, 0),
        }
    }
}

impl Values {
    /// Reads the value of a filled place.
    #[inline]
    #[must_use]
    pub fn get(&self, mem: &Memory, place: usize, place_words: u16) -> i64 {
        match self {
            Self::Single(only) => *only,
            Self::Sets { base, n, lo } => {
                let (word, bit) = (place >> 6, place & 63);
                let mut words = (0..usize::from(*n)).map(|v| v * usize::from(place_words) + word);
                let found = words.position(|at_value| mem[at(*base, at_value)] >> bit & 1 == 1);
                found.unwrap_or(0) as i64 + lo
            }
            Self::Lanes(array) => array.get(mem, place),
        }
    }

    /// Writes the value of a filled place.
    pub fn set(&self, mem: &mut Memory, place: usize, place_words: u16, value: i64) {
        match self {
            Self::Single(_) => {}
            Self::Sets { base, n, lo } => {
                for v in 0..*n {
                    let set = at(*base, usize::from(v * place_words)) as Reg;
                    if i64::from(v) + lo == value {
                        insert(mem, set, place);
                    } else {
                        remove(mem, set, place);
                    }
                }
            }
            Self::Lanes(array) => array.set(mem, place, value),
        }
    }

    /// Forgets the value of a place that is no longer filled, so that equal positions are equal bytes.
    pub fn clear(&self, mem: &mut Memory, place: usize, place_words: u16) {
        match self {
            Self::Single(_) => {}
            Self::Sets { base, n, .. } => {
                for v in 0..*n {
                    remove(mem, at(*base, usize::from(v * place_words)) as Reg, place);
                }
            }
            Self::Lanes(array) => array.wipe(mem, place),
        }
    }
}

impl Contents {
    /// Copies of a kind at a place.
    #[must_use]
    pub fn copies(&self, mem: &Memory, slot: &ZoneSlot, place: usize, kind: usize) -> u64 {
        match self {
            Self::Bits(base) => u64::from(has(
                mem,
                at(*base, place * usize::from(slot.kind_words)) as Reg,
                kind,
            )),
            Self::Counts { base, wide } => {
                count(mem, *base, *wide, place * slot.kinds as usize + kind)
            }
        }
    }

    /// Adds a copy.
    #[inline]
    pub(super) fn put(
        &self,
        mem: &mut Memory,
        slot: &ZoneSlot,
        place: usize,
        kind: usize,
    ) -> Result<(), FaultKind> {
        let fits = match self {
            Self::Bits(base) => {
                let set = at(*base, place * usize::from(slot.kind_words)) as Reg;
                let free = !has(mem, set, kind);
                insert(mem, set, kind);
                free
            }
            Self::Counts { base, wide } => {
                let index = place * slot.kinds as usize + kind;
                let n = count(mem, *base, *wide, index);
                set_count(mem, *base, *wide, index, n + 1);
                n < if *wide { 0xffff } else { 0xff }
            }
        };
        fits.then_some(()).ok_or(FaultKind::Full)
    }

    /// Takes a copy away.
    #[inline]
    pub(super) fn take(
        &self,
        mem: &mut Memory,
        slot: &ZoneSlot,
        place: usize,
        kind: usize,
    ) -> Result<(), FaultKind> {
        let held = match self {
            Self::Bits(base) => {
                let set = at(*base, place * usize::from(slot.kind_words)) as Reg;
                let held = has(mem, set, kind);
                remove(mem, set, kind);
                held
            }
            Self::Counts { base, wide } => {
                let index = place * slot.kinds as usize + kind;
                let n = count(mem, *base, *wide, index);
                set_count(mem, *base, *wide, index, n.saturating_sub(1));
                n > 0
            }
        };
        held.then_some(()).ok_or(FaultKind::Missing)
    }

    pub(super) fn size(&self, mem: &Memory, slot: &ZoneSlot, place: usize) -> u64 {
        match self {
            Self::Bits(base) => {
                let words = usize::from(slot.kind_words);
                (0..words)
                    .map(|w| u64::from(mem[at(*base, place * words + w)].count_ones()))
                    .sum()
            }
            Self::Counts { .. } => (0..slot.kinds as usize)
                .map(|kind| self.copies(mem, slot, place, kind))
                .sum(),
        }
    }
}
