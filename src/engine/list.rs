//! Zones of many places of which few are filled: one entry for each that is.

use std::ops::Range;

use super::layout::{Array, Lane, List};
use super::memory::{Memory, find_lane, half, has, insert, remove, set_half};
use super::op::{FaultKind, Reg};
use crate::model::NONE;

impl List {
    /// Entries in use, free ones in between included.
    #[must_use]
    pub fn used(&self, mem: &Memory) -> usize {
        mem[usize::from(self.used)] as usize
    }

    /// The place of an entry.
    #[must_use]
    pub fn cell(&self, mem: &Memory, entry: usize) -> usize {
        half(mem, self.cells, entry) as usize
    }

    /// Whether something lies at an entry.
    #[must_use]
    pub fn is_filled(&self, mem: &Memory, entry: usize) -> bool {
        entry > 0 && entry <= self.used(mem) && self.kind.get(mem, entry) != NONE
    }

    /// The entry of a place, 0 where nothing lies.
    #[must_use]
    #[inline(never)]
    pub fn find(&self, mem: &Memory, place: usize) -> usize {
        if self.filled.is_some_and(|filled| !has(mem, filled, place)) {
            return 0;
        }
        let (mut from, used) = (1, self.used(mem));
        while let Some(entry) = find_lane::<16>(mem, self.cells, from..used + 1, place) {
            if self.kind.get(mem, entry) != NONE {
                return entry;
            }
            from = entry + 1;
        }
        0
    }

    /// The filled places, ascending.
    #[must_use]
    pub fn places(&self, mem: &Memory) -> Vec<usize> {
        let entries = (1..=self.used(mem)).filter(|entry| self.is_filled(mem, *entry));
        let mut places: Vec<usize> = entries.map(|entry| self.cell(mem, entry)).collect();
        places.sort_unstable();
        places
    }

    /// What lies at a place, or absent.
    #[must_use]
    pub fn peek(&self, mem: &Memory, place: usize) -> i64 {
        self.kind.get(mem, self.find(mem, place))
    }

    /// Lays a component at an empty place.
    ///
    /// # Errors
    /// `Full` where there are more components than the supplies make.
    #[inline(never)]
    pub fn put(&self, mem: &mut Memory, place: usize, kind: i64) -> Result<(), FaultKind> {
        let used = self.used(mem);
        let entry = if self.plane.is_some() {
            self.kind.find_none(mem, 1..used + 1).unwrap_or(used + 1)
        } else {
            let behind = (1..=used).find(|entry| self.cell(mem, *entry) > place);
            behind.unwrap_or(used + 1)
        };
        if entry > usize::from(self.cap) || used >= usize::from(self.cap) && entry > used {
            return Err(FaultKind::Full);
        }
        if self.plane.is_none() {
            if used >= usize::from(self.cap) {
                return Err(FaultKind::Full);
            }
            for from in (entry..=used).rev() {
                self.copy_entry(mem, from, from + 1);
            }
            mem[usize::from(self.used)] = used as u64 + 1;
        } else if entry > used {
            mem[usize::from(self.used)] = entry as u64;
        }
        self.clear(mem, entry);
        set_half(mem, self.cells, entry, place as u64);
        self.kind.set(mem, entry, kind);
        if let Some(filled) = self.filled {
            insert(mem, filled, place);
        }
        Ok(())
    }

    /// Takes away what lies at a place.
    #[inline(never)]
    pub fn take(&self, mem: &mut Memory, place: usize) {
        let entry = self.find(mem, place);
        if entry == 0 {
            return;
        }
        let mut used = self.used(mem);
        if self.plane.is_none() {
            for from in entry + 1..=used {
                self.copy_entry(mem, from, from - 1);
            }
            self.clear(mem, used);
            used -= 1;
        } else {
            self.clear(mem, entry);
            while used > 0 && self.kind.get(mem, used) == NONE {
                used -= 1;
            }
        }
        mem[usize::from(self.used)] = used as u64;
        if let Some(filled) = self.filled {
            remove(mem, filled, place);
        }
    }

    /// A field of a filled place.
    ///
    /// # Errors
    /// `Absent` where nothing lies there.
    pub fn field(&self, mem: &Memory, place: usize, field: usize) -> Result<i64, FaultKind> {
        match (self.find(mem, place), self.fields.get(field)) {
            (0, _) | (_, None) => Err(FaultKind::Absent),
            (entry, Some(array)) => Ok(array.get(mem, entry)),
        }
    }

    /// Sets a field of a filled place.
    ///
    /// # Errors
    /// `Absent` where nothing lies there.
    #[inline(never)]
    pub fn set_field(
        &self,
        mem: &mut Memory,
        place: usize,
        field: usize,
        value: i64,
    ) -> Result<(), FaultKind> {
        match (self.find(mem, place), self.fields.get(field)) {
            (0, _) | (_, None) => Err(FaultKind::Absent),
            (entry, Some(array)) => {
                array.set(mem, entry, value);
                Ok(())
            }
        }
    }

    /// The words that hold the list but for the set of filled places: first and number.
    #[must_use]
    pub fn words(&self) -> (Reg, usize) {
        let mut end = self.kind.end(usize::from(self.cap) + 1);
        for field in &self.fields {
            end = end.max(field.end(usize::from(self.cap) + 1));
        }
        (self.used, end - usize::from(self.used))
    }

    fn copy_entry(&self, mem: &mut Memory, from: usize, to: usize) {
        let cell = half(mem, self.cells, from);
        set_half(mem, self.cells, to, cell);
        for array in std::iter::once(&self.kind).chain(&self.fields) {
            let value = array.get(mem, from);
            array.set(mem, to, value);
        }
    }

    fn clear(&self, mem: &mut Memory, entry: usize) {
        set_half(mem, self.cells, entry, 0);
        for array in std::iter::once(&self.kind).chain(&self.fields) {
            array.wipe(mem, entry);
        }
    }
}

impl Array {
    /// The address behind the last of `n` values.
    fn end(&self, n: usize) -> usize {
        usize::from(self.base) + n.div_ceil(self.per_word())
    }

    fn per_word(&self) -> usize {
        match self.lane {
            Lane::Word => 1,
            Lane::Half => 4,
            Lane::Byte => 8,
        }
    }

    /// The first of some values that is absent, where that can be stored.
    fn find_none(&self, mem: &Memory, mut among: Range<usize>) -> Option<usize> {
        match self.lane {
            Lane::Word => among.find(|at| self.get(mem, *at) == NONE),
            Lane::Half => find_lane::<16>(mem, self.base, among, 0),
            Lane::Byte => find_lane::<8>(mem, self.base, among, 0),
        }
    }

    /// Which of `n` values differ where these bits of the word at an address do.
    pub fn in_word(&self, address: usize, n: usize, bits: u64) -> impl Iterator<Item = usize> {
        let each = self.per_word();
        let first = address.checked_sub(usize::from(self.base));
        let first = first.map_or(n, |word| word * each);
        let width = 64 / each;
        let differs = move |at: &usize| bits >> ((at - first) * width) << (64 - width) != 0;
        (first..n.min(first + each)).filter(differs)
    }
}
