//! The values of places and the components of bags.

use crate::engine::layout::{Array, Contents, Lane, Values, ZoneSlot};
use crate::engine::memory::{Memory, at, byte, half, insert, remove, set_byte, set_half};
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
    /// Where it lies how many copies of a kind are at a place: the word, by how many bits, and how many there can be.
    #[inline(always)]
    fn number(&self, slot: &ZoneSlot, place: usize, kind: usize) -> (usize, u32, u64) {
        let (base, index, log) = match self {
            Self::Bits(base) => {
                let words = place * usize::from(slot.kind_words);
                return (at(*base, words + (kind >> 6)), kind as u32 & 63, 1);
            }
            Self::Counts { base, wide } => (
                *base,
                place * slot.kinds as usize + kind,
                3 - u32::from(*wide),
            ),
        };
        let bits = 64 >> log;
        let within = index as u32 & ((1 << log) - 1);
        (at(base, index >> log), within * bits, (1 << bits) - 1)
    }

    /// Copies of a kind at a place.
    #[must_use]
    pub fn copies(&self, mem: &Memory, slot: &ZoneSlot, place: usize, kind: usize) -> u64 {
        let (word, by, most) = self.number(slot, place, kind);
        mem[word] >> by & most
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
        let (word, by, most) = self.number(slot, place, kind);
        let fits = mem[word] >> by & most < most;
        mem[word] = mem[word].wrapping_add(u64::from(fits) << by);
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
        let (word, by, most) = self.number(slot, place, kind);
        let held = mem[word] >> by & most > 0;
        mem[word] = mem[word].wrapping_sub(u64::from(held) << by);
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
