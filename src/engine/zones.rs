//! Operations on zones over the memory: the only code that changes what lies where.

mod piles;
mod values;

use self::piles::take_ordered;
use super::layout::{Contents, Store, Values, ZoneSlot};
use super::memory::{self, Memory, at, has, insert, remove, set_half};
use super::op::{FaultKind, MEMORY, Reg};
use crate::model::NONE;

impl Store {
    /// How much there is to look through for an operation on one place, of a zone with so many kinds.
    pub fn work(&self, kinds: u64, kind_words: u16) -> u64 {
        let contents = |it: &Contents| match it {
            Contents::Bits(_) => u64::from(kind_words),
            Contents::Counts { .. } => kinds,
        };
        match self {
            Self::One { .. } => 1,
            Self::List(list) => u64::from(list.cap),
            Self::Bag(it) => contents(it),
            Self::Pile {
                contents: it,
                stride,
                ..
            } => contents(it) + 4 * u64::from(*stride),
        }
    }
}

impl ZoneSlot {
    /// Number of components at a place.
    #[must_use]
    pub fn size(&self, mem: &Memory, place: usize) -> u64 {
        match &self.store {
            Store::One { filled, .. } => u64::from(has(mem, *filled, place)),
            Store::List(list) => u64::from(list.find(mem, place) > 0),
            Store::Bag(contents) | Store::Pile { contents, .. } => contents.size(mem, self, place),
        }
    }

    /// Copies of a kind at a place.
    #[must_use]
    pub fn copies(&self, mem: &Memory, place: usize, kind: usize) -> u64 {
        match &self.store {
            Store::One { .. } | Store::List(_) => u64::from(self.peek(mem, place) == kind as i64),
            Store::Bag(contents) | Store::Pile { contents, .. } => {
                contents.copies(mem, self, place, kind)
            }
        }
    }

    /// How many copies of a kind lie at a place, or things of any kind where it is the number of kinds.
    #[must_use]
    pub fn held(&self, mem: &Memory, place: usize, kind: u64) -> u64 {
        let kinds = u64::from(self.kinds);
        match kind {
            kind if kind < kinds => self.copies(mem, place, kind as usize),
            kind if kind == kinds => self.size(mem, place),
            _ => 0,
        }
    }

    /// Writes the set of the places that hold at least so many copies of a kind, or things of any kind where it
    /// is the number of kinds.
    pub fn holders(&self, mem: &mut Memory, kind: u64, least: u64, to: usize, words: u16) {
        for word in 0..usize::from(words) {
            let first = word * 64;
            let last = (first + 64).min(self.places as usize);
            let mut found = 0;
            for place in first..last {
                found |= u64::from(self.held(mem, place, kind) >= least) << (place - first);
            }
            mem[(to + word) & (MEMORY - 1)] = found;
        }
    }

    /// The component at a `One` place, or absent.
    #[inline]
    #[must_use]
    pub fn peek(&self, mem: &Memory, place: usize) -> i64 {
        match &self.store {
            Store::One { filled, kind, .. } if has(mem, *filled, place) => {
                kind.get(mem, place, self.place_words)
            }
            Store::List(list) => list.peek(mem, place),
            Store::One { .. } | Store::Bag(_) | Store::Pile { .. } => NONE,
        }
    }

    /// All components at a place, each copy by itself.
    #[must_use]
    pub fn all(&self, mem: &Memory, place: usize) -> Vec<usize> {
        if place >= self.places as usize {
            return Vec::new();
        }
        if let Store::One { .. } | Store::List(_) = self.store {
            return usize::try_from(self.peek(mem, place)).into_iter().collect();
        }
        let kinds = 0..self.kinds as usize;
        let copies = kinds.map(|kind| (kind, self.copies(mem, place, kind)));
        copies
            .flat_map(|(kind, n)| std::iter::repeat_n(kind, usize::try_from(n).unwrap_or(0)))
            .collect()
    }

    /// Adds a component, where that is one of the usual cases that take a few instructions; else none.
    #[inline(always)]
    pub fn put_at_once(
        &self,
        mem: &mut Memory,
        place: usize,
        kind: usize,
    ) -> Option<Result<(), FaultKind>> {
        if self.known.is_some() {
            return None;
        }
        let inside = self.is_inside(place, kind);
        match &self.store {
            Store::One {
                filled,
                kind: Values::Sets { base, .. },
                ..
            } => {
                if !inside {
                    return Some(Err(FaultKind::Absent));
                }
                if has(mem, *filled, place) {
                    return Some(Err(FaultKind::Full));
                }
                insert(mem, *filled, place);
                insert(mem, self.set_of(*base, kind), place);
                Some(Ok(()))
            }
            Store::Bag(contents) if self.capacity == u32::MAX => {
                if !inside {
                    return Some(Err(FaultKind::Absent));
                }
                Some(contents.put(mem, self, place, kind))
            }
            _ => None,
        }
    }

    #[inline]
    fn is_inside(&self, place: usize, kind: usize) -> bool {
        place < self.places as usize && kind < self.kinds as usize
    }

    /// The set of the places that hold a kind, where they lie one after the other.
    #[inline]
    fn set_of(&self, base: Reg, kind: usize) -> Reg {
        at(base, kind * usize::from(self.place_words)) as Reg
    }

    /// Adds a component.
    ///
    /// # Errors
    /// `Full` where it does not fit.
    #[inline(never)]
    pub fn put(&self, mem: &mut Memory, place: usize, kind: usize) -> Result<(), FaultKind> {
        if !self.is_inside(place, kind) {
            return Err(FaultKind::Absent);
        }
        if self.capacity != u32::MAX && self.size(mem, place) >= u64::from(self.capacity) {
            return Err(FaultKind::Full);
        }
        self.forget(mem, place);
        match &self.store {
            Store::One {
                filled,
                kind: values,
                ..
            } => {
                insert(mem, *filled, place);
                values.set(mem, place, self.place_words, kind as i64);
                Ok(())
            }
            Store::List(list) => list.put(mem, place, kind as i64),
            Store::Bag(contents) => contents.put(mem, self, place, kind),
            Store::Pile {
                contents,
                order,
                stride,
            } => {
                contents.put(mem, self, place, kind)?;
                let base = at(*order, place * usize::from(*stride));
                let n = mem[base] as usize;
                if n >= (usize::from(*stride) - 1) * 4 {
                    return Err(FaultKind::Full);
                }
                set_half(mem, at(base as Reg, 1) as Reg, n, kind as u64);
                mem[base] = n as u64 + 1;
                Ok(())
            }
        }
    }

    /// Takes a copy of a component away, where that is one of the usual cases that take a few instructions;
    /// else none.
    #[inline(always)]
    pub fn take_at_once(
        &self,
        mem: &mut Memory,
        place: usize,
        kind: usize,
    ) -> Option<Result<(), FaultKind>> {
        if self.known.is_some() {
            return None;
        }
        let inside = self.is_inside(place, kind);
        match &self.store {
            Store::One {
                filled,
                kind: Values::Sets { base, .. },
                fields,
            } if fields.is_empty() => {
                let set = self.set_of(*base, if inside { kind } else { 0 });
                if !inside || !has(mem, set, place) {
                    return Some(Err(FaultKind::Missing));
                }
                remove(mem, *filled, place);
                remove(mem, set, place);
                Some(Ok(()))
            }
            Store::Bag(_) if !inside => Some(Err(FaultKind::Missing)),
            Store::Bag(contents) => Some(contents.take(mem, self, place, kind)),
            _ => None,
        }
    }

    /// Takes a copy of a component away; of a pile the topmost ordered one, else an unordered one.
    ///
    /// # Errors
    /// `Missing` where there is none.
    #[inline(never)]
    pub fn take(&self, mem: &mut Memory, place: usize, kind: usize) -> Result<(), FaultKind> {
        if !self.is_inside(place, kind) {
            return Err(FaultKind::Missing);
        }
        self.forget(mem, place);
        match &self.store {
            Store::One {
                filled,
                kind: values,
                fields,
            } => {
                if self.peek(mem, place) != kind as i64 {
                    return Err(FaultKind::Missing);
                }
                remove(mem, *filled, place);
                values.clear(mem, place, self.place_words);
                for field in fields {
                    field.clear(mem, place, self.place_words);
                }
                Ok(())
            }
            Store::List(list) => {
                if list.peek(mem, place) != kind as i64 {
                    return Err(FaultKind::Missing);
                }
                list.take(mem, place);
                Ok(())
            }
            Store::Bag(contents) => contents.take(mem, self, place, kind),
            Store::Pile {
                contents,
                order,
                stride,
            } => {
                contents.take(mem, self, place, kind)?;
                let base = at(*order, place * usize::from(*stride));
                take_ordered(mem, base as Reg, kind);
                Ok(())
            }
        }
    }

    /// A field of a filled place of single components.
    ///
    /// # Errors
    /// `Absent` where nothing lies there.
    pub fn field(&self, mem: &Memory, place: usize, field: usize) -> Result<i64, FaultKind> {
        if place >= self.places as usize {
            return Err(FaultKind::Absent);
        }
        match &self.store {
            Store::One { filled, fields, .. } if has(mem, *filled, place) => fields
                .get(field)
                .map(|values| values.get(mem, place, self.place_words))
                .ok_or(FaultKind::Absent),
            Store::List(list) => list.field(mem, place, field),
            Store::One { .. } | Store::Bag(_) | Store::Pile { .. } => Err(FaultKind::Absent),
        }
    }

    /// Sets a field of a filled place of single components.
    ///
    /// # Errors
    /// `Absent` where nothing lies there.
    pub fn set_field(
        &self,
        mem: &mut Memory,
        place: usize,
        field: usize,
        value: i64,
    ) -> Result<(), FaultKind> {
        if place >= self.places as usize {
            return Err(FaultKind::Absent);
        }
        match &self.store {
            Store::One { filled, fields, .. } if has(mem, *filled, place) => {
                let values = fields.get(field).ok_or(FaultKind::Absent)?;
                values.set(mem, place, self.place_words, value);
                Ok(())
            }
            Store::List(list) => list.set_field(mem, place, field, value),
            Store::One { .. } | Store::Bag(_) | Store::Pile { .. } => Err(FaultKind::Absent),
        }
    }

    /// Whether something beside the state follows what lies here.
    #[must_use]
    pub fn is_plane(&self) -> bool {
        matches!(&self.store, Store::List(list) if list.plane.is_some())
    }

    /// How many fields the places have.
    #[must_use]
    pub fn n_fields(&self) -> usize {
        match &self.store {
            Store::One { fields, .. } => fields.len(),
            Store::List(list) => list.fields.len(),
            Store::Bag(_) | Store::Pile { .. } => 0,
        }
    }

    /// Forgets the order of a pile.
    pub fn shuffle(&self, mem: &mut Memory, place: usize) {
        self.forget(mem, place);
        if let Store::Pile { order, stride, .. } = &self.store {
            let base = at(*order, place * usize::from(*stride));
            for word in 0..usize::from(*stride) {
                mem[at(base as Reg, word)] = 0;
            }
        }
    }

    /// The kinds at a place, written to `d`.
    pub fn kinds(&self, mem: &mut Memory, place: usize, d: Reg) {
        let words = usize::from(self.kind_words);
        match &self.store {
            Store::One { .. } | Store::List(_) => {
                let kind = self.peek(mem, place);
                memory::clear(mem, d, self.kind_words);
                if kind != NONE {
                    insert(mem, d, kind as usize);
                }
            }
            Store::Bag(contents) | Store::Pile { contents, .. } => match contents {
                Contents::Bits(base) => {
                    for w in 0..words {
                        mem[at(d, w)] = mem[at(*base, place * words + w)];
                    }
                }
                Contents::Counts { .. } => {
                    memory::clear(mem, d, self.kind_words);
                    for kind in 0..self.kinds as usize {
                        if contents.copies(mem, self, place, kind) > 0 {
                            insert(mem, d, kind);
                        }
                    }
                }
            },
        }
    }

    /// What was shown of a place is no longer known to be there.
    pub fn forget(&self, mem: &mut Memory, place: usize) {
        if let Some(known) = self.known {
            let words = usize::from(self.place_words);
            for seat in 0..self.seats as usize {
                remove(mem, at(known, seat * words) as Reg, place);
            }
        }
    }

    /// A seat knows what lies at a place from now on.
    pub fn show(&self, mem: &mut Memory, place: usize, seat: usize) {
        if let Some(known) = self.known {
            insert(
                mem,
                at(known, seat * usize::from(self.place_words)) as Reg,
                place,
            );
        }
    }

    /// Whether a seat was shown what lies at a place.
    #[must_use]
    pub fn knows(&self, mem: &Memory, place: usize, seat: usize) -> bool {
        self.known.is_some_and(|known| {
            has(
                mem,
                at(known, seat * usize::from(self.place_words)) as Reg,
                place,
            )
        })
    }
}
