//! Which parts of neighbouring components touch.

use super::layout::{Layout, PartsLayout};
use super::op::FaultKind;
use super::planes::{Entry, Plane, Planes, SIDES};

/// The parts of what lies on a plane now.
#[derive(Clone, Copy)]
pub(super) struct Parts<'p> {
    plane: &'p Plane,
    shape: &'p PartsLayout,
}

impl Planes {
    /// The parts of a space.
    ///
    /// # Errors
    /// `Absent` where there is no such space.
    pub(super) fn parts<'p>(
        &'p self,
        layout: &'p Layout,
        parts: u16,
    ) -> Result<Parts<'p>, FaultKind> {
        let shape = layout
            .parts
            .get(usize::from(parts))
            .ok_or(FaultKind::Absent)?;
        let (plane, _, _) = self.of(layout, shape.zone)?;
        Ok(Parts::new(plane, shape))
    }
}

impl<'p> Parts<'p> {
    pub fn new(plane: &'p Plane, shape: &'p PartsLayout) -> Self {
        Self { plane, shape }
    }

    /// Parts of a component.
    pub fn slots(&self) -> usize {
        usize::from(self.shape.slots)
    }

    /// Ports of a component.
    pub fn ports(&self) -> usize {
        usize::from(self.shape.ports)
    }

    /// What is laid under a number.
    pub fn laid(&self, number: usize) -> Option<Entry> {
        self.plane.entries.get(number).copied().flatten()
    }

    /// The numbers under which something is laid, each with it.
    pub fn all(&self) -> impl Iterator<Item = (usize, Entry)> + '_ {
        let entries = self.plane.entries.iter().enumerate();
        entries.filter_map(|(number, entry)| Some((number, (*entry)?)))
    }

    /// What the component of a part is and where it lies.
    ///
    /// # Errors
    /// `Absent` where nothing is laid under the part's number.
    pub fn entry(&self, part: usize) -> Result<Entry, FaultKind> {
        let number = part / self.slots() + 1;
        self.laid(number).ok_or(FaultKind::Absent)
    }

    fn turn(&self, entry: &Entry) -> usize {
        let turn = self.shape.turn.and_then(|field| entry.fields.get(field));
        turn.map_or(0, |turn| usize::from(*turn))
    }

    /// Ports of a side.
    fn per_side(&self) -> usize {
        self.ports() / SIDES.len()
    }

    /// The slots of a component as it lies that come out at a port.
    pub fn slots_at(&self, entry: &Entry, port: usize) -> u64 {
        let turned = self.turn(entry) * self.per_side();
        let printed = match port.checked_sub(turned) {
            Some(printed) => printed,
            None => (port + self.ports()).wrapping_sub(turned),
        };
        let index = entry.kind as usize * self.ports() + printed;
        self.shape.at_port.get(index).copied().unwrap_or(0)
    }

    /// The number of what lies beyond a port of what is laid under a number, 0 for nothing, and the
    /// port that it turns to this one.
    #[inline]
    pub fn beyond(&self, number: usize, port: usize) -> (usize, usize) {
        let across = self.shape.across.get(port).copied();
        let (side, facing) = across.unwrap_or_default();
        let beyond = self.plane.beyond(number, usize::from(side));
        (beyond, usize::from(facing))
    }

    /// The ports of a part as it lies; none where nothing is laid under its number.
    #[inline]
    fn each_port(&self, part: usize, mut f: impl FnMut(usize, usize)) {
        let number = part / self.slots() + 1;
        let Some(entry) = self.laid(number) else {
            return;
        };
        let index = entry.kind as usize * self.slots() + part % self.slots();
        let mut rest = self.shape.of_part.get(index).copied().unwrap_or(0);
        let turned = self.turn(&entry) * self.per_side();
        while rest != 0 {
            let mut port = rest.trailing_zeros() as usize + turned;
            rest &= rest - 1;
            if port >= self.ports() {
                port -= self.ports();
            }
            f(number, port);
        }
    }

    /// Calls `f` with each part that a part touches; some may come more than once.
    pub fn touching(&self, part: usize, mut f: impl FnMut(usize)) {
        self.each_port(part, |number, port| {
            let (other, facing) = self.beyond(number, port);
            if let Some(entry) = self.laid(other) {
                self.each_slot(other, self.slots_at(&entry, facing), &mut f);
            }
        });
    }

    /// Calls `f` with the parts in some slots of what is laid under a number.
    pub fn each_slot(&self, number: usize, mut slots: u64, mut f: impl FnMut(usize)) {
        while slots != 0 {
            f((number - 1) * self.slots() + slots.trailing_zeros() as usize);
            slots &= slots - 1;
        }
    }

    /// The ports of a part, as it lies, beyond which nothing is laid.
    ///
    /// # Errors
    /// `Absent` where nothing is laid under the part's number.
    pub fn loose(&self, part: usize) -> Result<u64, FaultKind> {
        self.entry(part)?;
        let mut found = 0;
        self.each_port(part, |number, port| {
            if self.beyond(number, port).0 == 0 {
                found |= 1 << port;
            }
        });
        Ok(found)
    }

    /// The part at a spot that comes out at a port as it lies.
    pub fn with(&self, spot: usize, port: u64) -> Option<usize> {
        let number = self.plane.entry_at(spot);
        let entry = self.laid(number)?;
        let port = usize::try_from(port)
            .ok()
            .filter(|port| *port < self.ports())?;
        let slots = self.slots_at(&entry, port);
        (slots != 0).then(|| (number - 1) * self.slots() + slots.trailing_zeros() as usize)
    }
}
