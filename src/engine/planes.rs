//! What is derived from a zone over a plane: which entry lies on a spot, and the free spots beside.
//!
//! It lies beside the state, so that a state stays small, and follows it: before it is used, the list
//! in the state is compared with the one that this describes, and only what differs is changed.

use super::layout::{Layout, List, PlaneLayout, Store};
use super::op::{Around, Code, FaultKind, GatheredShape, KeptShape, PlaneOp, Reg};
use super::prims::clear;
use super::zones::{Memory, at, insert, remove};
use crate::model::NONE;

/// Differences of coordinates of the four sides, in their order.
pub(super) const SIDES: [(i64, i64); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
/// Most kinds whose slots are copied from the data; a table may end before.
const MOST_KINDS: usize = 1024;
/// Those of the corners.
const CORNERS: [(i64, i64); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// The caches of all planes of a game.
#[derive(Debug, Default)]
pub struct Planes(Vec<Plane>);

/// What follows from the list of one plane.
#[derive(Debug)]
pub(super) struct Plane {
    /// The words of the list that the rest describes.
    copy: Vec<u64>,
    /// By entry: its spot and what lies there.
    pub entries: Vec<Option<Entry>>,
    /// By spot: the entry, 0 for none.
    entry: Vec<u16>,
    /// By spot: how many neighbours are filled.
    beside: Vec<u8>,
    /// Free spots beside filled ones, ascending.
    frontier: Vec<u16>,
    /// By number in the code: parts by what they are parts of, once asked for.
    kept: Vec<Option<KeptSet>>,
    /// By number in the code: what is gathered from around each spot, once asked for.
    gathered: Vec<Option<Gathered>>,
}

/// A set of parts that depends on nothing but what they are parts of.
#[derive(Debug)]
struct KeptSet {
    slots: usize,
    /// By kind: which slots.
    of_kind: Vec<u64>,
    set: Vec<u64>,
}

/// What the neighbours of each spot show it.
#[derive(Debug)]
struct Gathered {
    shape: GatheredShape,
    /// By content and side.
    digits: Vec<u64>,
    /// By spot.
    values: Vec<u64>,
}

/// What lies on a spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub spot: u16,
    pub kind: u32,
    /// The fields of the place, less the least value of each; further ones are not derived from.
    pub fields: [u16; 4],
}

impl Planes {
    /// Follows the state.
    ///
    /// # Errors
    /// `Room` where something is laid so far out that the plane would close on itself.
    #[inline]
    pub fn follow(&mut self, mem: &Memory, layout: &Layout) -> Result<(), FaultKind> {
        if layout.planes.is_empty() {
            return Ok(());
        }
        self.follow_all(mem, layout)
    }

    #[inline(never)]
    fn follow_all(&mut self, mem: &Memory, layout: &Layout) -> Result<(), FaultKind> {
        while self.0.len() < layout.planes.len() {
            let Some(shape) = layout.planes.get(self.0.len()) else {
                break;
            };
            self.0.push(Plane::new(shape));
        }
        for (plane, shape) in self.0.iter_mut().zip(&layout.planes) {
            if let Some(list) = list_of(layout, shape.zone) {
                plane.follow(mem, list, shape)?;
            }
        }
        Ok(())
    }

    pub(super) fn of<'p>(
        &'p self,
        layout: &'p Layout,
        zone: u16,
    ) -> Result<(&'p Plane, &'p List, &'p PlaneLayout), FaultKind> {
        let list = list_of(layout, zone).ok_or(FaultKind::Absent)?;
        let index = usize::from(list.plane.ok_or(FaultKind::Absent)?);
        match (self.0.get(index), layout.planes.get(index)) {
            (Some(plane), Some(shape)) => Ok((plane, list, shape)),
            _ => Err(FaultKind::Absent),
        }
    }

    fn plane(&mut self, layout: &Layout, zone: u16) -> Result<&mut Plane, FaultKind> {
        let list = list_of(layout, zone).ok_or(FaultKind::Absent)?;
        let index = usize::from(list.plane.ok_or(FaultKind::Absent)?);
        self.0.get_mut(index).ok_or(FaultKind::Absent)
    }

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
        match *op {
            PlaneOp::Kept { d, kept, n } => {
                let index = usize::from(kept);
                let shape = code.kept.get(index).ok_or(FaultKind::Absent)?;
                let set = self.plane(layout, shape.zone)?.kept(index, shape, code);
                clear(mem, d, n);
                let goal = mem.get_mut(usize::from(d)..usize::from(d) + usize::from(n));
                for (word, kept) in goal.into_iter().flatten().zip(set) {
                    *word = *kept;
                }
            }
            PlaneOp::Gathered { d, gathered, place } => {
                let index = usize::from(gathered);
                let shape = code.gathered.get(index).ok_or(FaultKind::Absent)?;
                let span = self.of(layout, shape.zone)?.2.span;
                let place = mem[usize::from(place)] as usize;
                let values = self
                    .plane(layout, shape.zone)?
                    .gathered(index, shape, code, span);
                mem[usize::from(d)] = values.get(place).copied().ok_or(FaultKind::Absent)?;
            }
            PlaneOp::Entry { d, zone, place } => {
                let place = mem[usize::from(place)] as usize;
                let list = list_of(layout, zone).ok_or(FaultKind::Absent)?;
                mem[usize::from(d)] = match list.plane {
                    Some(plane) => {
                        self.0
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
                if plane.entries.iter().all(Option::is_none) {
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
                clear(mem, d, n);
                let (plane, _, _) = self.of(layout, zone)?;
                // As if no entry was free in between, and then without those that are.
                let used = plane.entries.len().saturating_sub(1);
                fill(mem, d, n, used * usize::from(slots));
                for (entry, laid) in plane.entries.iter().enumerate().skip(1) {
                    if laid.is_none() {
                        remove_run(mem, d, entry - 1, slots);
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
                view.touching(part, &mut |other| insert(mem, d, other));
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
            PlaneOp::Flood { d, parts, n } => self.parts(layout, parts)?.flood(mem, d, n),
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

fn list_of(layout: &Layout, zone: u16) -> Option<&List> {
    match &layout.zones.get(usize::from(zone))?.store {
        Store::List(list) => Some(list),
        Store::One { .. } | Store::Bag(_) | Store::Pile { .. } => None,
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

pub(super) fn step(cell: i64, (dx, dy): (i64, i64), span: i64) -> usize {
    let span = span.max(1);
    let (x, y) = (cell / span + dx, cell % span + dy);
    (x.rem_euclid(span) * span + y.rem_euclid(span)) as usize
}

impl Plane {
    fn new(shape: &PlaneLayout) -> Self {
        let spots = shape.span as usize * shape.span as usize;
        Self {
            copy: Vec::new(),
            entries: Vec::new(),
            entry: vec![0; spots],
            beside: vec![0; spots],
            frontier: Vec::new(),
            kept: Vec::new(),
            gathered: Vec::new(),
        }
    }

    #[inline]
    fn kept(&mut self, index: usize, shape: &KeptShape, code: &Code) -> &[u64] {
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
    fn gathered(&mut self, index: usize, shape: &GatheredShape, code: &Code, span: u32) -> &[u64] {
        if self.gathered.len() <= index {
            self.gathered.resize_with(index + 1, || None);
        }
        let entries = &self.entries;
        match self.gathered.get_mut(index) {
            Some(slot) => {
                &slot
                    .get_or_insert_with(|| Gathered::new(shape, code, entries, span))
                    .values
            }
            None => &[],
        }
    }

    pub(super) fn entry_at(&self, spot: usize) -> usize {
        self.entry.get(spot).map_or(0, |entry| usize::from(*entry))
    }

    #[inline]
    fn follow(&mut self, mem: &Memory, list: &List, shape: &PlaneLayout) -> Result<(), FaultKind> {
        let (base, n) = list.words();
        let words = &mem[usize::from(base)..usize::from(base) + n];
        if self.copy == words {
            return Ok(());
        }
        self.copy.clear();
        self.copy.extend_from_slice(words);
        let used = list.used(mem).min(usize::from(list.cap));
        let most = (used + 1).max(self.entries.len());
        self.entries.resize(most, None);
        for entry in 1..most {
            if let Some(old) = self.entries.get(entry).copied().flatten()
                && read(mem, list, entry) != Some(old)
            {
                self.lift(entry, old, shape);
                self.entries[entry] = None;
            }
        }
        for entry in 1..=used {
            if self.entries.get(entry) == Some(&None)
                && let Some(new) = read(mem, list, entry)
            {
                self.lay(entry, new, shape);
                self.entries[entry] = Some(new);
            }
        }
        self.entries.truncate(used + 1);
        if shape.bounded && !self.fits(shape) {
            return Err(FaultKind::Room);
        }
        Ok(())
    }

    fn lay(&mut self, number: usize, entry: Entry, shape: &PlaneLayout) {
        let spot = usize::from(entry.spot);
        self.kept
            .iter_mut()
            .flatten()
            .for_each(|kept| kept.add(number, &entry));
        for gathered in self.gathered.iter_mut().flatten() {
            gathered.lay(&entry, shape.span, u64::wrapping_add);
        }
        self.entry[spot] = u16::try_from(number).unwrap_or(u16::MAX);
        if let Ok(found) = self.frontier.binary_search(&entry.spot) {
            self.frontier.remove(found);
        }
        for delta in SIDES {
            let near = step(spot as i64, delta, i64::from(shape.span));
            self.beside[near] += 1;
            if self.entry[near] == 0 {
                self.add_free(near);
            }
        }
    }

    fn lift(&mut self, number: usize, entry: Entry, shape: &PlaneLayout) {
        let spot = usize::from(entry.spot);
        self.kept
            .iter_mut()
            .flatten()
            .for_each(|kept| kept.remove(number));
        for gathered in self.gathered.iter_mut().flatten() {
            gathered.lay(&entry, shape.span, u64::wrapping_sub);
        }
        self.entry[spot] = 0;
        if self.beside[spot] > 0 {
            self.add_free(spot);
        }
        for delta in SIDES {
            let near = step(spot as i64, delta, i64::from(shape.span));
            self.beside[near] -= 1;
            if self.beside[near] == 0
                && let Ok(found) = self.frontier.binary_search(&(near as u16))
            {
                self.frontier.remove(found);
            }
        }
    }

    fn add_free(&mut self, spot: usize) {
        let spot = spot as u16;
        if let Err(place) = self.frontier.binary_search(&spot) {
            self.frontier.insert(place, spot);
        }
    }

    /// Whether a free row and a free column are left, so that nothing lies beside its own far end.
    fn fits(&self, shape: &PlaneLayout) -> bool {
        let span = shape.span as usize;
        let (mut rows, mut columns) = (vec![false; span], vec![false; span]);
        for entry in self.entries.iter().flatten() {
            let spot = usize::from(entry.spot);
            columns[spot / span] = true;
            rows[spot % span] = true;
        }
        let free = |lines: &[bool]| lines.iter().filter(|used| !**used).count() > 1;
        free(&rows) && free(&columns)
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

    fn add(&mut self, number: usize, entry: &Entry) {
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

    fn remove(&mut self, number: usize) {
        let first = (number - 1) * self.slots;
        for part in first..first + self.slots {
            if let Some(word) = self.set.get_mut(part / 64) {
                *word &= !(1 << (part % 64));
            }
        }
    }
}

impl Gathered {
    fn new(shape: &GatheredShape, code: &Code, entries: &[Option<Entry>], span: u32) -> Self {
        let base = shape.base as usize;
        let n = shape.contents as usize * SIDES.len();
        let digits = code.data.get(base..base + n).unwrap_or_default();
        let digits: Vec<u64> = digits.iter().map(|digit| *digit as u64).collect();
        let mut all = Self {
            shape: shape.clone(),
            digits,
            values: Vec::new(),
        };
        let empty = shape.contents.saturating_sub(1) as usize;
        let alone = (0..SIDES.len()).map(|way| all.digit(empty, way)).sum();
        all.values = vec![alone; span as usize * span as usize];
        for entry in entries.iter().flatten() {
            all.lay(entry, span, u64::wrapping_add);
        }
        all
    }

    /// What a content shows to the spot from which it lies in a direction.
    fn digit(&self, content: usize, way: usize) -> u64 {
        let digit = self.digits.get(content * SIDES.len() + way);
        digit.copied().unwrap_or(0) * u64::from(self.shape.radix).pow(way as u32)
    }

    fn content(&self, entry: &Entry) -> usize {
        let fields = self.shape.fields.iter().zip(&entry.fields);
        fields.fold(entry.kind as usize, |sum, (n, field)| {
            sum * usize::from(*n) + usize::from(*field)
        })
    }

    /// Adds or takes away what an entry shows to its neighbours instead of an empty place.
    fn lay(&mut self, entry: &Entry, span: u32, change: fn(u64, u64) -> u64) {
        let (content, empty) = (self.content(entry), self.shape.contents as usize - 1);
        for way in 0..SIDES.len() {
            let back = SIDES[(way + SIDES.len() / 2) % SIDES.len()];
            let from = step(i64::from(entry.spot), back, i64::from(span));
            let by = self
                .digit(content, way)
                .wrapping_sub(self.digit(empty, way));
            if let Some(value) = self.values.get_mut(from) {
                *value = change(*value, by);
            }
        }
    }
}

fn read(mem: &Memory, list: &List, entry: usize) -> Option<Entry> {
    let kind = list.kind.get(mem, entry);
    if kind == NONE {
        return None;
    }
    let mut fields = [0; 4];
    for (value, array) in fields.iter_mut().zip(&list.fields) {
        *value = array.get(mem, entry).wrapping_sub(array.lo) as u16;
    }
    Some(Entry {
        spot: list.cell(mem, entry) as u16,
        kind: kind as u32,
        fields,
    })
}
