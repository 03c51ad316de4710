//! Operations on zones: what lies where, what is put and taken, and who sees it.

use super::{Event, Happened, MOST_EVENTS, Run};
use crate::engine::layout::ZoneSlot;
use crate::engine::op::{FaultKind, Reg};
use crate::engine::prims;
use crate::engine::zones::{Memory, at};
use crate::model::{NONE, StreamId, ZoneId};

impl<'r> Run<'r> {
    #[inline]
    fn slot(&self, zone: u16) -> Result<&'r ZoneSlot, FaultKind> {
        let layout = self.layout;
        let slot = layout.zones.get(usize::from(zone));
        slot.ok_or(FaultKind::Missing)
    }

    /// Notes what happens to a component, where somebody wants to know.
    #[inline]
    fn happens(&mut self, zone: u16, place: usize, kind: usize, what: Happened) {
        let is_real = self.is_watched && self.bench.afters.is_empty();
        if is_real && self.bench.events.len() < MOST_EVENTS {
            self.bench.events.push(Event {
                zone: ZoneId(u32::from(zone)),
                place,
                kind: kind as i64,
                what,
            });
        }
    }

    /// What is derived from planes follows.
    #[inline]
    fn follow(&mut self, mem: &Memory, slot: &ZoneSlot) -> Result<(), FaultKind> {
        if slot.is_plane() {
            self.bench.planes.changed(mem, self.layout)?;
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn put(
        &mut self,
        mem: &mut Memory,
        zone: u16,
        place: Reg,
        kind: Reg,
    ) -> Result<(), FaultKind> {
        let place = mem[usize::from(place)] as usize;
        let kind = mem[usize::from(kind)] as usize;
        let slot = self.slot(zone)?;
        self.burn(slot.work())?;
        if !self.is_watched
            && let Some(done) = slot.put_at_once(mem, place, kind)
        {
            return done;
        }
        self.put_any(mem, zone, place, kind)
    }

    #[inline(never)]
    fn put_any(
        &mut self,
        mem: &mut Memory,
        zone: u16,
        place: usize,
        kind: usize,
    ) -> Result<(), FaultKind> {
        let slot = self.slot(zone)?;
        slot.put(mem, place, kind)?;
        self.happens(zone, place, kind, Happened::Laid);
        self.follow(mem, slot)
    }

    #[inline(never)]
    pub(super) fn take(
        &mut self,
        mem: &mut Memory,
        zone: u16,
        place: Reg,
        kind: Reg,
    ) -> Result<(), FaultKind> {
        let place = mem[usize::from(place)] as usize;
        let kind = mem[usize::from(kind)] as usize;
        let slot = self.slot(zone)?;
        self.burn(slot.work())?;
        if !self.is_watched
            && let Some(done) = slot.take_at_once(mem, place, kind)
        {
            return done;
        }
        self.take_any(mem, zone, place, kind)
    }

    #[inline(never)]
    fn take_any(
        &mut self,
        mem: &mut Memory,
        zone: u16,
        place: usize,
        kind: usize,
    ) -> Result<(), FaultKind> {
        let slot = self.slot(zone)?;
        slot.take(mem, place, kind)?;
        self.happens(zone, place, kind, Happened::Taken);
        self.follow(mem, slot)
    }

    #[inline(never)]
    pub(super) fn peek(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        zone: u16,
        place: Reg,
    ) -> Result<(), FaultKind> {
        let slot = self.slot(zone)?;
        let place = mem[usize::from(place)] as usize;
        let value = if place < slot.places as usize {
            slot.peek(mem, place)
        } else {
            NONE
        };
        mem[usize::from(d)] = value as u64;
        Ok(())
    }

    #[inline(never)]
    pub(super) fn top(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        zone: u16,
        place: Reg,
    ) -> Result<(), FaultKind> {
        let slot = self.slot(zone)?;
        let place = mem[usize::from(place)] as usize;
        let value = if place < slot.places as usize {
            slot.top(mem, place)
        } else {
            NONE
        };
        mem[usize::from(d)] = value as u64;
        Ok(())
    }

    #[inline(never)]
    pub(super) fn size(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        zone: u16,
        place: Reg,
    ) -> Result<(), FaultKind> {
        let slot = self.slot(zone)?;
        self.burn(slot.work())?;
        let place = mem[usize::from(place)] as usize;
        mem[usize::from(d)] = if place < slot.places as usize {
            slot.size(mem, place)
        } else {
            0
        };
        Ok(())
    }

    /// The places that hold at least so many copies of a kind.
    #[inline(never)]
    pub(super) fn holders(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        zone: u16,
        kind: Reg,
        least: Reg,
        n: u16,
    ) -> Result<(), FaultKind> {
        let slot = self.slot(zone)?;
        self.burn(u64::from(slot.places) * slot.work())?;
        let (kind, least) = (mem[usize::from(kind)], mem[usize::from(least)]);
        slot.holders(mem, kind, least, at(d, 0), n);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn copies(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        zone: u16,
        place: Reg,
        kind: Reg,
    ) -> Result<(), FaultKind> {
        let slot = self.slot(zone)?;
        let place = mem[usize::from(place)] as usize;
        let kind = mem[usize::from(kind)] as usize;
        let inside = place < slot.places as usize && kind < slot.kinds as usize;
        mem[usize::from(d)] = if inside {
            slot.copies(mem, place, kind)
        } else {
            0
        };
        Ok(())
    }

    /// The kinds at a place as a set.
    #[inline(never)]
    pub(super) fn kinds(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        zone: u16,
        place: Reg,
    ) -> Result<(), FaultKind> {
        let slot = self.slot(zone)?;
        self.burn(slot.work())?;
        let place = mem[usize::from(place)] as usize;
        if place < slot.places as usize {
            slot.kinds(mem, place, d);
        } else {
            for w in 0..usize::from(slot.kind_words) {
                mem[at(d, w)] = 0;
            }
        }
        Ok(())
    }

    /// The first place that holds a kind.
    #[inline(never)]
    pub(super) fn find(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        zone: u16,
        kind: Reg,
    ) -> Result<(), FaultKind> {
        let slot = self.slot(zone)?;
        self.burn(u64::from(slot.places))?;
        let kind = mem[usize::from(kind)] as usize;
        let inside = kind < slot.kinds as usize;
        let found =
            (0..slot.places as usize).find(|place| inside && slot.copies(mem, *place, kind) > 0);
        mem[usize::from(d)] = found.map_or(NONE, |place| place as i64) as u64;
        Ok(())
    }

    /// Everything from one place to another of any zone.
    #[inline(never)]
    pub(super) fn move_all(
        &mut self,
        mem: &mut Memory,
        [from, to]: [u16; 2],
        place: Reg,
        target: Reg,
    ) -> Result<(), FaultKind> {
        let (source, goal) = (self.slot(from)?, self.slot(to)?);
        let place = mem[usize::from(place)] as usize;
        let target = mem[usize::from(target)] as usize;
        if place < source.places as usize {
            let each = source.work() + goal.work();
            self.burn(u64::from(source.kinds) + (1 + source.size(mem, place)) * each)?;
        }
        if self.is_watched {
            for kind in source.all(mem, place) {
                self.happens(from, place, kind, Happened::Taken);
                self.happens(to, target, kind, Happened::Laid);
            }
        }
        let list = &mut self.bench.list;
        prims::move_all(mem, source, place, goal, target, list)?;
        if source.is_plane() || goal.is_plane() {
            self.bench.planes.changed(mem, self.layout)?;
        }
        Ok(())
    }

    /// Draws by chance.
    #[inline(never)]
    pub(super) fn draw(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        zone: u16,
        place: Reg,
        stream: u16,
    ) -> Result<(), FaultKind> {
        let slot = self.slot(zone)?;
        self.burn(slot.work() + u64::from(slot.kinds))?;
        let place = mem[usize::from(place)] as usize;
        if place >= slot.places as usize {
            return Err(FaultKind::Absent);
        }
        let stream = StreamId(u32::from(stream));
        let list = &mut self.bench.list;
        let drawn = prims::draw(mem, slot, place, stream, self.chance, list)?;
        mem[usize::from(d)] = drawn as u64;
        Ok(())
    }

    #[inline(never)]
    pub(super) fn shuffle(
        &mut self,
        mem: &mut Memory,
        zone: u16,
        place: Reg,
    ) -> Result<(), FaultKind> {
        let slot = self.slot(zone)?;
        self.burn(slot.work())?;
        let place = mem[usize::from(place)] as usize;
        if place >= slot.places as usize {
            return Err(FaultKind::Absent);
        }
        slot.shuffle(mem, place);
        Ok(())
    }

    /// A seat, or everybody, knows what lies at a place.
    #[inline(never)]
    pub(super) fn show(
        &mut self,
        mem: &mut Memory,
        zone: u16,
        place: Reg,
        who: Reg,
    ) -> Result<(), FaultKind> {
        let slot = self.slot(zone)?;
        let place = mem[usize::from(place)] as usize;
        if place >= slot.places as usize {
            return Err(FaultKind::Absent);
        }
        let who = mem[usize::from(who)] as i64;
        if self.is_watched {
            let seat = (who != NONE).then_some(who as u32);
            for kind in slot.all(mem, place) {
                self.happens(zone, place, kind, Happened::Shown(seat));
            }
        }
        for seat in 0..slot.seats as usize {
            if who == NONE || who == seat as i64 {
                slot.show(mem, place, seat);
            }
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn field(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        zone: u16,
        place: Reg,
        field: u16,
    ) -> Result<(), FaultKind> {
        let place = mem[usize::from(place)] as usize;
        let value = self.slot(zone)?.field(mem, place, usize::from(field))?;
        mem[usize::from(d)] = value as u64;
        Ok(())
    }

    #[inline(never)]
    pub(super) fn put_field(
        &mut self,
        mem: &mut Memory,
        zone: u16,
        place: Reg,
        field: u16,
        a: Reg,
    ) -> Result<(), FaultKind> {
        let value = mem[usize::from(a)] as i64;
        let place = mem[usize::from(place)] as usize;
        let slot = self.slot(zone)?;
        slot.set_field(mem, place, usize::from(field), value)?;
        self.follow(mem, slot)
    }
}
