//! What is derived from a zone over a plane: which entry lies on a spot, and the free spots beside.
//!
//! It lies beside the state, so that a state stays small, and follows it: before it is used, the list
//! in the state is compared with the one that this describes, and only what differs is changed.

mod kept;
mod meeting;
mod rows;
mod run;

use super::layout::{Array, Lane, Layout, List, PartsLayout, PlaneLayout, Store};
use super::memory::Memory;
use super::op::FaultKind;
use super::parts::Parts;
use crate::model::NONE;
use kept::{Gathered, KeptSet};
use meeting::Meeting;

/// Differences of coordinates of the four sides, in their order.
pub(super) const SIDES: [(i64, i64); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
/// Words that are compared at a time.
const CHUNK: usize = 32;

/// The caches of all planes of a game.
#[derive(Debug, Default)]
pub struct Planes {
    planes: Vec<Plane>,
    /// By space of parts in the layout: what hangs together, once asked for.
    meetings: Vec<Option<Meeting>>,
    /// Whether the state has changed since it was followed.
    stale: bool,
    /// Whether a plane is so narrow that each change must be looked at.
    bounded: bool,
    /// Entries that may have changed; a buffer.
    touched: Vec<usize>,
}

/// What follows from the list of one plane.
#[derive(Debug)]
pub(super) struct Plane {
    /// The words of the list that the rest describes.
    copy: Vec<u64>,
    /// By entry: its spot and what lies there.
    pub entries: Vec<Option<Entry>>,
    /// By entry: the spots beside it, in the order of the sides.
    sides: Vec<[u16; SIDES.len()]>,
    /// Number of filled spots.
    filled: usize,
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

/// What lies on a spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub spot: u16,
    pub kind: u32,
    /// The fields of the place, less the least value of each; further ones are not derived from.
    pub fields: [u16; 4],
}

impl Planes {
    /// Follows the state, which anybody may have changed.
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

    /// Notes that a list has changed. What is derived from it follows when it is next asked for,
    /// because a component is laid and turned by one operation each.
    ///
    /// # Errors
    /// As [`Planes::follow`].
    pub fn changed(&mut self, mem: &Memory, layout: &Layout) -> Result<(), FaultKind> {
        self.stale = true;
        if self.bounded {
            self.follow(mem, layout)?;
        }
        Ok(())
    }

    #[inline(never)]
    fn follow_all(&mut self, mem: &Memory, layout: &Layout) -> Result<(), FaultKind> {
        self.stale = false;
        if self.planes.len() < layout.planes.len() {
            self.planes = layout.planes.iter().map(Plane::new).collect();
            self.bounded = layout.planes.iter().any(|plane| plane.bounded);
            self.meetings.resize_with(layout.parts.len(), || None);
        }
        for at in 0..layout.planes.len() {
            self.follow_plane(at, mem, layout)?;
        }
        Ok(())
    }

    fn follow_plane(&mut self, at: usize, mem: &Memory, layout: &Layout) -> Result<(), FaultKind> {
        let (Some(plane), Some(shape)) = (self.planes.get_mut(at), layout.planes.get(at)) else {
            return Ok(());
        };
        let Some(list) = list_of(layout, shape.zone) else {
            return Ok(());
        };
        if !plane.compare(mem, list, &mut self.touched) {
            return Ok(());
        }
        if list.used(mem) == 0 {
            // Another game begins: to lift one after the other would part what hangs together each time.
            plane.empty();
            let empty = &mut |met: &mut Meeting, _: &PartsLayout| met.empty();
            each_meeting(&mut self.meetings, &layout.parts, shape, empty);
            return Ok(());
        }
        let touched = std::mem::take(&mut self.touched);
        // What goes makes room for what comes.
        for number in touched.iter().copied() {
            if let Some(old) = plane.entries.get(number).copied().flatten()
                && read(mem, list, number) != Some(old)
            {
                plane.lift(number, old);
                each_meeting(
                    &mut self.meetings,
                    &layout.parts,
                    shape,
                    &mut |met, parts| {
                        met.lift(&Parts::new(plane, parts), number);
                    },
                );
            }
        }
        for number in touched.iter().copied() {
            if plane.entries.get(number) == Some(&None)
                && let Some(new) = read(mem, list, number)
            {
                plane.lay(number, new, shape);
                each_meeting(
                    &mut self.meetings,
                    &layout.parts,
                    shape,
                    &mut |met, parts| {
                        met.lay(&Parts::new(plane, parts), number, new);
                    },
                );
            }
        }
        self.touched = touched;
        if shape.bounded && !plane.fits(shape) {
            return Err(FaultKind::Room);
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
        match (self.planes.get(index), layout.planes.get(index)) {
            (Some(plane), Some(shape)) => Ok((plane, list, shape)),
            _ => Err(FaultKind::Absent),
        }
    }

    fn plane(&mut self, layout: &Layout, zone: u16) -> Result<&mut Plane, FaultKind> {
        let list = list_of(layout, zone).ok_or(FaultKind::Absent)?;
        let index = usize::from(list.plane.ok_or(FaultKind::Absent)?);
        self.planes.get_mut(index).ok_or(FaultKind::Absent)
    }

    /// What hangs together in a space of parts.
    fn meeting(&mut self, layout: &Layout, parts: u16) -> Result<&mut Meeting, FaultKind> {
        let index = usize::from(parts);
        let shape = layout.parts.get(index).ok_or(FaultKind::Absent)?;
        if self.meetings.get(index).is_none_or(Option::is_none) {
            let (plane, list, _) = self.of(layout, shape.zone)?;
            let met = Meeting::new(&Parts::new(plane, shape), usize::from(list.cap));
            if let Some(slot) = self.meetings.get_mut(index) {
                *slot = Some(met);
            }
        }
        let met = self.meetings.get_mut(index).and_then(Option::as_mut);
        met.ok_or(FaultKind::Absent)
    }
}

/// Calls `f` with what hangs together among the parts of what lies on a plane, where that was asked for.
fn each_meeting(
    meetings: &mut [Option<Meeting>],
    parts: &[PartsLayout],
    shape: &PlaneLayout,
    f: &mut dyn FnMut(&mut Meeting, &PartsLayout),
) {
    for (met, parts) in meetings.iter_mut().zip(parts) {
        if let Some(met) = met
            && parts.zone == shape.zone
        {
            f(met, parts);
        }
    }
}

fn list_of(layout: &Layout, zone: u16) -> Option<&List> {
    match &layout.zones.get(usize::from(zone))?.store {
        Store::List(list) => Some(list),
        Store::One { .. } | Store::Bag(_) | Store::Pile { .. } => None,
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
            sides: Vec::new(),
            filled: 0,
            entry: vec![0; spots],
            beside: vec![0; spots],
            frontier: Vec::new(),
            kept: Vec::new(),
            gathered: Vec::new(),
        }
    }

    pub(super) fn entry_at(&self, spot: usize) -> usize {
        self.entry.get(spot).map_or(0, |entry| usize::from(*entry))
    }

    /// The entry on the other side of a side of an entry, 0 for none.
    pub(super) fn beyond(&self, number: usize, side: usize) -> usize {
        let spot = self.sides.get(number).and_then(|sides| sides.get(side));
        spot.map_or(0, |spot| self.entry_at(usize::from(*spot)))
    }

    /// Compares the list with the one that this describes: the entries that may differ, and whether
    /// there are any.
    fn compare(&mut self, mem: &Memory, list: &List, touched: &mut Vec<usize>) -> bool {
        let (base, n) = list.words();
        let words = &mem[usize::from(base)..usize::from(base) + n];
        if self.copy == words {
            return false;
        }
        let cap = usize::from(list.cap);
        if self.copy.len() != n {
            self.copy = vec![0; n];
            self.entries = vec![None; cap + 1];
            self.sides = vec![[0; SIDES.len()]; cap + 1];
        }
        touched.clear();
        let cells = Array {
            base: list.cells,
            lane: Lane::Half,
            lo: 0,
            optional: false,
        };
        let arrays = || [&cells, &list.kind].into_iter().chain(&list.fields);
        for (chunk, (old, new)) in self
            .copy
            .chunks_mut(CHUNK)
            .zip(words.chunks(CHUNK))
            .enumerate()
        {
            if old == new {
                continue;
            }
            for (w, (old, new)) in old.iter_mut().zip(new).enumerate() {
                if *old != *new {
                    let word = usize::from(base) + chunk * CHUNK + w;
                    let differ = *old ^ *new;
                    arrays().for_each(|it| touched.extend(it.in_word(word, cap + 1, differ)));
                    *old = *new;
                }
            }
        }
        true
    }

    fn lay(&mut self, number: usize, entry: Entry, shape: &PlaneLayout) {
        let spot = usize::from(entry.spot);
        self.kept
            .iter_mut()
            .flatten()
            .for_each(|kept| kept.add(number, &entry));
        let sides = SIDES.map(|side| step(spot as i64, side, i64::from(shape.span)) as u16);
        for gathered in self.gathered.iter_mut().flatten() {
            gathered.lay(&entry, &sides, u64::wrapping_add);
        }
        self.entries[number] = Some(entry);
        self.sides[number] = sides;
        self.filled += 1;
        self.entry[spot] = u16::try_from(number).unwrap_or(u16::MAX);
        if let Ok(found) = self.frontier.binary_search(&entry.spot) {
            self.frontier.remove(found);
        }
        for near in sides.map(usize::from) {
            self.beside[near] += 1;
            if self.entry[near] == 0 {
                self.add_free(near);
            }
        }
    }

    fn lift(&mut self, number: usize, entry: Entry) {
        let sides = self.sides[number];
        let spot = usize::from(entry.spot);
        self.kept
            .iter_mut()
            .flatten()
            .for_each(|kept| kept.remove(number));
        for gathered in self.gathered.iter_mut().flatten() {
            gathered.lay(&entry, &sides, u64::wrapping_sub);
        }
        self.entries[number] = None;
        self.filled -= 1;
        self.entry[spot] = 0;
        if self.beside[spot] > 0 {
            self.add_free(spot);
        }
        for near in sides.map(usize::from) {
            self.beside[near] -= 1;
            if self.beside[near] == 0
                && let Ok(found) = self.frontier.binary_search(&(near as u16))
            {
                self.frontier.remove(found);
            }
        }
    }

    /// Lifts all there is.
    fn empty(&mut self) {
        self.kept.iter_mut().flatten().for_each(KeptSet::empty);
        for (entry, sides) in self.entries.iter_mut().zip(&self.sides) {
            let Some(entry) = entry.take() else { continue };
            for gathered in self.gathered.iter_mut().flatten() {
                gathered.lay(&entry, sides, u64::wrapping_sub);
            }
            self.entry[usize::from(entry.spot)] = 0;
            for near in sides {
                self.beside[usize::from(*near)] = 0;
            }
        }
        self.filled = 0;
        self.frontier.clear();
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
