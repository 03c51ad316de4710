//! Operations on zones: what lies where, what is put and taken, and who sees it.

use super::{Done, Event, Happened, MOST_EVENTS, Run};
use crate::engine::layout::ZoneSlot;
use crate::engine::memory::{self, Memory, at};
use crate::engine::op::{FaultKind, Reg};
use crate::engine::prims;
use crate::model::{NONE, StreamId, ZoneId};

/// The place that a register names, where the zone has it.
#[inline]
fn place_of(slot: &ZoneSlot, mem: &Memory, place: Reg) -> Option<usize> {
    let place = mem[usize::from(place)] as usize;
    (place < slot.places as usize).then_some(place)
}

impl<'r> Run<'r> {
    #[inline]
    pub(super) fn slot(&self, zone: u16) -> Result<&'r ZoneSlot, FaultKind> {
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
    fn follow(&mut self, mem: &Memory, slot: &ZoneSlot) -> Done {
        if slot.is_plane() {
            self.bench.planes.changed(mem, self.layout)?;
        }
        Ok(())
    }

    /// Puts a component somewhere, or takes it away.
    #[inline(never)]
    pub(super) fn put_or_take<const PUT: bool>(
        &mut self,
        mem: &mut Memory,
        zone: u16,
        place: Reg,
        kind: Reg,
    ) -> Done {
        let place = mem[usize::from(place)] as usize;
        let kind = mem[usize::from(kind)] as usize;
        let slot = self.slot(zone)?;
        self.burn(slot.work)?;
        if !self.is_watched {
            let at_once = match PUT {
                true => slot.put_at_once(mem, place, kind),
                false => slot.take_at_once(mem, place, kind),
            };
            if let Some(done) = at_once {
                return done;
            }
        }
        self.put_or_take_any::<PUT>(mem, zone, place, kind)
    }

    #[inline(never)]
    fn put_or_take_any<const PUT: bool>(
        &mut self,
        mem: &mut Memory,
        zone: u16,
        place: usize,
        kind: usize,
    ) -> Done {
        let slot = self.slot(zone)?;
        let happened = if PUT {
            slot.put(mem, place, kind)?;
            Happened::Laid
        } else {
            slot.take(mem, place, kind)?;
            Happened::Taken
        };
        self.happens(zone, place, kind, happened);
        self.follow(mem, slot)
    }

    #[inline(never)]
    pub(super) fn peek(&mut self, mem: &mut Memory, d: Reg, zone: u16, place: Reg) -> Done {
        let slot = self.slot(zone)?;
        let kind = place_of(slot, mem, place).map_or(NONE, |place| slot.peek(mem, place));
        mem[usize::from(d)] = kind as u64;
        Ok(())
    }

    #[inline(never)]
    pub(super) fn top(&mut self, mem: &mut Memory, d: Reg, zone: u16, place: Reg) -> Done {
        let slot = self.slot(zone)?;
        let kind = place_of(slot, mem, place).map_or(NONE, |place| slot.top(mem, place));
        mem[usize::from(d)] = kind as u64;
        Ok(())
    }

    #[inline(never)]
    pub(super) fn nth(&mut self, mem: &mut Memory, d: Reg, zone: u16, place: Reg, n: Reg) -> Done {
        let slot = self.slot(zone)?;
        self.burn(slot.work)?;
        let n = mem[usize::from(n)] as i64;
        let kind = place_of(slot, mem, place).map_or(NONE, |place| slot.nth(mem, place, n));
        mem[usize::from(d)] = kind as u64;
        Ok(())
    }

    /// Takes what lies deep in a pile.
    #[inline(never)]
    pub(super) fn dig(
        &mut self,
        mem: &mut Memory,
        zone: u16,
        place: Reg,
        kind: Reg,
        n: Reg,
    ) -> Done {
        let slot = self.slot(zone)?;
        self.burn(slot.work)?;
        let place = mem[usize::from(place)] as usize;
        let kind = mem[usize::from(kind)] as usize;
        slot.dig(mem, place, kind, mem[usize::from(n)] as i64)?;
        self.happens(zone, place, kind, Happened::Taken);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn size(&mut self, mem: &mut Memory, d: Reg, zone: u16, place: Reg) -> Done {
        let slot = self.slot(zone)?;
        self.burn(slot.work)?;
        let size = place_of(slot, mem, place).map_or(0, |place| slot.size(mem, place));
        mem[usize::from(d)] = size;
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
    ) -> Done {
        let slot = self.slot(zone)?;
        self.burn(u64::from(slot.places) * slot.work)?;
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
    ) -> Done {
        let slot = self.slot(zone)?;
        let kind = mem[usize::from(kind)] as usize;
        let place = place_of(slot, mem, place).filter(|_| kind < slot.kinds as usize);
        mem[usize::from(d)] = place.map_or(0, |place| slot.copies(mem, place, kind));
        Ok(())
    }

    /// What all copies of the kinds in a set come to that lie at a place.
    #[inline(never)]
    pub(super) fn total_in(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        (zone, place): (u16, Reg),
        (set, m): (Reg, u8),
        rows: &[i64],
    ) -> Done {
        let slot = self.slot(zone)?;
        let total = place_of(slot, mem, place).map_or(0, |place| {
            prims::total(mem, rows, set, m, |kind| slot.copies(mem, place, kind))
        });
        mem[usize::from(d)] = total;
        Ok(())
    }

    /// The kinds at a place as a set.
    #[inline(never)]
    pub(super) fn kinds(&mut self, mem: &mut Memory, d: Reg, zone: u16, place: Reg) -> Done {
        let slot = self.slot(zone)?;
        self.burn(slot.work)?;
        match place_of(slot, mem, place) {
            Some(place) => slot.kinds(mem, place, d),
            None => memory::clear(mem, d, slot.kind_words),
        }
        Ok(())
    }

    /// The first place that holds a kind.
    #[inline(never)]
    pub(super) fn find(&mut self, mem: &mut Memory, d: Reg, zone: u16, kind: Reg) -> Done {
        let slot = self.slot(zone)?;
        self.burn(u64::from(slot.places))?;
        let kind = mem[usize::from(kind)] as usize;
        let inside = kind < slot.kinds as usize;
        let found =
            (0..slot.places as usize).find(|place| inside && slot.copies(mem, *place, kind) > 0);
        mem[usize::from(d)] = found.map_or(NONE, |place| place as i64) as u64;
        Ok(())
    }

    /// Everything, or all of some kinds, from one place to another of any zone.
    #[inline(never)]
    pub(super) fn move_all(
        &mut self,
        mem: &mut Memory,
        [from, to]: [u16; 2],
        [place, target]: [Reg; 2],
        (only, stream, is_seen): (Option<Reg>, u16, bool),
    ) -> Done {
        let (source, goal) = (self.slot(from)?, self.slot(to)?);
        let place = mem[usize::from(place)] as usize;
        let target = mem[usize::from(target)] as usize;
        if place < source.places as usize {
            let each = source.work + goal.work;
            self.burn(u64::from(source.kinds) + (1 + source.size(mem, place)) * each)?;
        }
        if self.is_watched {
            let is_meant = |kind: &usize| only.is_none_or(|set| memory::has(mem, set, *kind));
            let mut all = source.all(mem, place);
            all.retain(is_meant);
            // What is known of some of them does not go along.
            if only.is_none() {
                let poured = Happened::Poured {
                    zone: ZoneId(u32::from(to)),
                    place: target,
                    many: all.len(),
                    back: false,
                };
                self.happens(from, place, 0, poured);
            }
            for kind in all {
                self.happens(from, place, kind, Happened::Taken);
                self.happens(to, target, kind, Happened::Laid);
            }
        }
        let moved = prims::Moved {
            source,
            place,
            goal,
            target,
            only,
            is_seen,
        };
        // What would be is not left to chance.
        let is_real = self.bench.afters.is_empty() && stream != u16::MAX;
        let stream = is_real.then(|| StreamId(u32::from(stream)));
        let list = &mut self.bench.list;
        prims::move_all(mem, &moved, stream, self.chance, list)?;
        self.follow(mem, if source.is_plane() { source } else { goal })
    }

    /// Everything in a bag changes places with everything in another of any zone.
    #[inline(never)]
    pub(super) fn swap_all(
        &mut self,
        mem: &mut Memory,
        [from, to]: [u16; 2],
        place: Reg,
        target: Reg,
    ) -> Done {
        let (source, goal) = (self.slot(from)?, self.slot(to)?);
        let place = place_of(source, mem, place).ok_or(FaultKind::Absent)?;
        let target = place_of(goal, mem, target).ok_or(FaultKind::Absent)?;
        if from == to && place == target {
            return Ok(());
        }
        let things = source.size(mem, place) + goal.size(mem, target);
        let each = source.work + goal.work;
        self.burn(2 * u64::from(source.kinds) + (1 + 2 * things) * each)?;
        if self.is_watched {
            let (one, other) = (source.all(mem, place), goal.all(mem, target));
            let poured = Happened::Poured {
                zone: ZoneId(u32::from(to)),
                place: target,
                many: one.len() + other.len(),
                back: true,
            };
            self.happens(from, place, 0, poured);
            for kind in one {
                self.happens(from, place, kind, Happened::Taken);
                self.happens(to, target, kind, Happened::Laid);
            }
            for kind in other {
                self.happens(to, target, kind, Happened::Taken);
                self.happens(from, place, kind, Happened::Laid);
            }
        }
        prims::swap_all(mem, source, place, goal, target, &mut self.bench.list)
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
    ) -> Done {
        let slot = self.slot(zone)?;
        self.burn(slot.work + u64::from(slot.kinds))?;
        let place = place_of(slot, mem, place).ok_or(FaultKind::Absent)?;
        let stream = StreamId(u32::from(stream));
        let list = &mut self.bench.list;
        let drawn = prims::draw(mem, slot, place, stream, self.chance, list)?;
        mem[usize::from(d)] = drawn as u64;
        Ok(())
    }

    #[inline(never)]
    pub(super) fn shuffle(&mut self, mem: &mut Memory, zone: u16, place: Reg) -> Done {
        let slot = self.slot(zone)?;
        self.burn(slot.work)?;
        let place = place_of(slot, mem, place).ok_or(FaultKind::Absent)?;
        slot.shuffle(mem, place);
        self.happens(zone, place, 0, Happened::Forgotten(None));
        Ok(())
    }

    /// A seat, or everybody, knows what lies at a place.
    #[inline(never)]
    pub(super) fn show(&mut self, mem: &mut Memory, zone: u16, place: Reg, who: Reg) -> Done {
        let slot = self.slot(zone)?;
        let place = place_of(slot, mem, place).ok_or(FaultKind::Absent)?;
        let who = mem[usize::from(who)] as i64;
        if self.is_watched {
            let seat = (who != NONE).then_some(who as u32);
            self.happens(zone, place, 0, Happened::Forgotten(seat));
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
    ) -> Done {
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
    ) -> Done {
        let value = mem[usize::from(a)] as i64;
        let place = mem[usize::from(place)] as usize;
        let slot = self.slot(zone)?;
        slot.set_field(mem, place, usize::from(field), value)?;
        self.follow(mem, slot)
    }
}
