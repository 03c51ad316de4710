//! What is kept up as components are laid, instead of being looked for: parts by what they are parts
//! of, and what neighbours show a spot.

use super::{Entry, Plane, SIDES};
use crate::engine::op::{Code, GatheredShape, KeptShape};

/// Most kinds whose slots are copied from the data; a table may end before.
const MOST_KINDS: usize = 1024;

/// A set of parts that depends on nothing but what they are parts of.
#[derive(Debug)]
pub struct KeptSet {
    slots: usize,
    /// By kind: which slots.
    of_kind: Vec<u64>,
    set: Vec<u64>,
}

/// What the neighbours of each spot show it.
#[derive(Debug)]
pub struct Gathered {
    /// Number of values of each field of the place.
    fields: Vec<u16>,
    /// By content and side: what it shows there, more than an empty place does.
    changes: Vec<u64>,
    /// By spot.
    values: Vec<u64>,
}

impl Plane {
    #[inline]
    pub fn kept(&mut self, index: usize, shape: &KeptShape, code: &Code) -> &[u64] {
        if self.kept.len() <= index {
            self.kept.resize_with(index + 1, || None);
        }
        let entries = &self.entries;
        match self.kept.get_mut(index) {
            Some(slot) => {
                &slot
                    .get_or_insert_with(|| KeptSet::new(shape, code, entries))
                    .set
            }
            None => &[],
        }
    }

    #[inline]
    pub fn gathered(&mut self, index: usize, shape: &GatheredShape, code: &Code) -> &[u64] {
        if self.gathered.get(index).is_none_or(Option::is_none) {
            let new = Gathered::new(shape, code, self, self.entry.len());
            if self.gathered.len() <= index {
                self.gathered.resize_with(index + 1, || None);
            }
            if let Some(slot) = self.gathered.get_mut(index) {
                *slot = Some(new);
            }
        }
        self.gathered_values(index)
    }

    /// The same, once it was asked for.
    #[inline]
    pub fn gathered_values(&self, index: usize) -> &[u64] {
        let found = self.gathered.get(index).and_then(Option::as_ref);
        found.map_or(&[], |gathered| &gathered.values)
    }
}

impl KeptSet {
    fn new(shape: &KeptShape, code: &Code, entries: &[Option<Entry>]) -> Self {
        let base = shape.base as usize;
        let of_kind = code.data.get(base..).unwrap_or_default();
        let mut kept = Self {
            slots: usize::from(shape.slots),
            of_kind: of_kind
                .iter()
                .take(MOST_KINDS)
                .map(|slots| *slots as u64)
                .collect(),
            set: Vec::new(),
        };
        for (number, entry) in entries.iter().enumerate() {
            if let Some(entry) = entry {
                kept.add(number, entry);
            }
        }
        kept
    }

    pub fn add(&mut self, number: usize, entry: &Entry) {
        let mut slots = self.of_kind.get(entry.kind as usize).copied().unwrap_or(0);
        let first = (number - 1) * self.slots;
        while slots != 0 {
            let part = first + slots.trailing_zeros() as usize;
            slots &= slots - 1;
            if self.set.len() <= part / 64 {
                self.set.resize(part / 64 + 1, 0);
            }
            self.set[part / 64] |= 1 << (part % 64);
        }
    }

    pub fn empty(&mut self) {
        self.set.fill(0);
    }

    pub fn remove(&mut self, number: usize) {
        let first = (number - 1) * self.slots;
        for part in first..first + self.slots {
            if let Some(word) = self.set.get_mut(part / 64) {
                *word &= !(1 << (part % 64));
            }
        }
    }
}

impl Gathered {
    fn new(shape: &GatheredShape, code: &Code, plane: &Plane, spots: usize) -> Self {
        let base = shape.base as usize;
        let contents = shape.contents as usize;
        let digits = code
            .data
            .get(base..base + contents * SIDES.len())
            .unwrap_or_default();
        let place = |at: usize| {
            let digit = digits.get(at).map_or(0, |digit| *digit as u64);
            digit * u64::from(shape.radix).pow((at % SIDES.len()) as u32)
        };
        let empty = contents.saturating_sub(1) * SIDES.len();
        let alone = (0..SIDES.len()).map(|way| place(empty + way)).sum();
        let mut all = Self {
            fields: shape.fields.clone(),
            changes: (0..digits.len())
                .map(|at| place(at).wrapping_sub(place(empty + at % SIDES.len())))
                .collect(),
            values: vec![alone; spots],
        };
        for (entry, sides) in plane.entries.iter().zip(&plane.sides) {
            if let Some(entry) = entry {
                all.lay(entry, sides, u64::wrapping_add);
            }
        }
        all
    }

    /// Adds or takes away what an entry shows to its neighbours instead of an empty place.
    pub fn lay(&mut self, entry: &Entry, sides: &[u16; SIDES.len()], change: fn(u64, u64) -> u64) {
        let fields = self.fields.iter().zip(&entry.fields);
        let content = fields.fold(entry.kind as usize, |sum, (n, field)| {
            sum * usize::from(*n) + usize::from(*field)
        });
        for (side, spot) in sides.iter().enumerate() {
            // It lies over the opposite side of that spot.
            let way = (side + SIDES.len() / 2) % SIDES.len();
            let by = self.changes.get(content * SIDES.len() + way);
            if let (Some(by), Some(value)) = (by, self.values.get_mut(usize::from(*spot))) {
                *value = change(*value, *by);
            }
        }
    }
}
