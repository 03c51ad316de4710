//! Which parts of neighbouring components touch.

use super::layout::{Layout, PartsLayout};
use super::op::{FaultKind, Reg};
use super::planes::{Entry, Plane, Planes, SIDES, step};
use super::zones::{Memory, at, has, insert};

/// The parts of what lies on a plane now.
#[derive(Clone, Copy)]
pub(super) struct Parts<'p> {
    plane: &'p Plane,
    shape: &'p PartsLayout,
    span: i64,
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
        let (plane, _, flat) = self.of(layout, shape.zone)?;
        Ok(Parts {
            plane,
            shape,
            span: i64::from(flat.span),
        })
    }
}

impl Parts<'_> {
    /// What the component of a part is and where it lies.
    ///
    /// # Errors
    /// `Absent` where nothing is laid under the part's number.
    pub fn entry(&self, part: usize) -> Result<Entry, FaultKind> {
        self.find(part).ok_or(FaultKind::Absent)
    }

    fn find(&self, part: usize) -> Option<Entry> {
        let number = part / usize::from(self.shape.slots);
        self.plane.entries.get(number + 1).copied().flatten()
    }

    fn turn(&self, entry: &Entry) -> usize {
        let turn = self.shape.turn.and_then(|field| entry.fields.get(field));
        turn.map_or(0, |turn| usize::from(*turn))
    }

    /// Ports of a side.
    fn per_side(&self) -> usize {
        usize::from(self.shape.ports) / SIDES.len()
    }

    /// The ports of a part as it lies, each with the spot beyond.
    fn each_port(&self, part: usize, f: &mut dyn FnMut(usize, usize)) {
        let Some(entry) = self.find(part) else {
            return;
        };
        let (slots, ports) = (usize::from(self.shape.slots), usize::from(self.shape.ports));
        let index = entry.kind as usize * slots + part % slots;
        let mut rest = self.shape.of_part.get(index).copied().unwrap_or(0);
        let turned = self.turn(&entry) * self.per_side();
        while rest != 0 {
            let printed = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let mut port = printed + turned;
            if port >= ports {
                port -= ports;
            }
            let side = port / self.per_side();
            let Some(delta) = SIDES.get(side) else {
                continue;
            };
            f(port, step(i64::from(entry.spot), *delta, self.span));
        }
    }

    /// Calls `f` with each part that a part touches; some may come more than once.
    pub fn touching(&self, part: usize, f: &mut dyn FnMut(usize)) {
        let (slots, ports, per_side) = (
            usize::from(self.shape.slots),
            usize::from(self.shape.ports),
            self.per_side(),
        );
        self.each_port(part, &mut |port, beyond| {
            let number = self.plane.entry_at(beyond);
            let Some(entry) = self.plane.entries.get(number).copied().flatten() else {
                return;
            };
            let opposite = (port / per_side + SIDES.len() / 2) % SIDES.len();
            let facing = opposite * per_side + (per_side - 1 - port % per_side);
            let printed = (facing + ports - self.turn(&entry) * per_side) % ports;
            let index = entry.kind as usize * ports + printed;
            let mut rest = self.shape.at_port.get(index).copied().unwrap_or(0);
            while rest != 0 {
                f((number - 1) * slots + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        });
    }

    /// The ports of a part, as it lies, beyond which nothing is laid.
    ///
    /// # Errors
    /// `Absent` where nothing is laid under the part's number.
    pub fn loose(&self, part: usize) -> Result<u64, FaultKind> {
        self.entry(part)?;
        let mut found = 0;
        self.each_port(part, &mut |port, beyond| {
            if self.plane.entry_at(beyond) == 0 {
                found |= 1 << port;
            }
        });
        Ok(found)
    }

    /// The part at a spot that comes out at a port as it lies.
    pub fn with(&self, spot: usize, port: u64) -> Option<usize> {
        let ports = usize::from(self.shape.ports);
        let number = self.plane.entry_at(spot);
        let entry = self.plane.entries.get(number).copied().flatten()?;
        let port = usize::try_from(port).ok().filter(|port| *port < ports)?;
        let printed = (port + ports - self.turn(&entry) * self.per_side()) % ports;
        let slots = self
            .shape
            .at_port
            .get(entry.kind as usize * ports + printed)?;
        (*slots != 0)
            .then(|| (number - 1) * usize::from(self.shape.slots) + slots.trailing_zeros() as usize)
    }

    /// Adds to a set of `n` words all that its members touch, and so on.
    pub fn flood(&self, mem: &mut Memory, d: Reg, n: u16) {
        let mut edge = Edge::default();
        for w in 0..usize::from(n) {
            let mut rest = mem[at(d, w)];
            while rest != 0 {
                edge.push(w * 64 + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
        self.drain(mem, d, n, &mut edge);
        while std::mem::take(&mut edge.lost) {
            for part in 0..usize::from(n) * 64 {
                if has(mem, d, part) {
                    edge.push(part);
                    self.drain(mem, d, n, &mut edge);
                }
            }
        }
    }

    fn drain(&self, mem: &mut Memory, d: Reg, n: u16, edge: &mut Edge) {
        while let Some(part) = edge.pop() {
            self.touching(part, &mut |other| {
                if other < usize::from(n) * 64 && !has(mem, d, other) {
                    insert(mem, d, other);
                    edge.push(other);
                }
            });
        }
    }
}

/// Parts whose neighbours are still to be looked at. What does not fit is looked for again.
struct Edge {
    parts: [u16; 256],
    n: usize,
    lost: bool,
}

impl Default for Edge {
    fn default() -> Self {
        Self {
            parts: [0; 256],
            n: 0,
            lost: false,
        }
    }
}

impl Edge {
    fn push(&mut self, part: usize) {
        match self.parts.get_mut(self.n) {
            Some(slot) => {
                *slot = part as u16;
                self.n += 1;
            }
            None => self.lost = true,
        }
    }

    fn pop(&mut self) -> Option<usize> {
        self.n = self.n.checked_sub(1)?;
        self.parts.get(self.n).map(|part| usize::from(*part))
    }
}
