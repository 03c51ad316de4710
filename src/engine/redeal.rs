//! Dealing anew what a seat cannot see: a position that it could not tell from this one.

use std::collections::BTreeMap;

use super::chance::Chance;
use super::layout::{TrackSlot, ZoneSlot};
use super::machine::{Machine, Status};
use super::memory::{Memory, at};
use super::text::split_index;
use super::view::{Viewer, may_see};
use crate::model::{Base, DomainId, Game, NONE, StreamId, Type, ZoneId};

/// Deals that leave the pending choice without a move are thrown away, this many times.
const MOST_DEALS: usize = 64;

/// A place whose components a seat does not know.
struct Hidden<'p> {
    slot: &'p ZoneSlot,
    place: usize,
    /// What the seat knows to lie there for certain: it stays.
    certain: Vec<usize>,
    /// The other unordered components.
    loose: Vec<usize>,
    /// The ordered ones, bottom first.
    ordered: Vec<usize>,
    /// Which of them the seat knows to lie there for certain.
    fixed: Vec<bool>,
}

impl Machine<'_> {
    /// Deals all that a seat cannot see anew among the places where it lies, each deal of the copies
    /// equally likely; what the seat sees stays equal. The random numbers come from the stream behind
    /// the game's own.
    ///
    /// What another seat picked in secret just before, or what was worked out of hidden things, is picked and worked out
    /// anew for what is dealt. Not dealt anew is a position in which a flow waits with such a value from before something
    /// else happened, with one from chance, from a call or given to it: the value may be tied to all that it has done
    /// since. Nor is it asked what the seat could conclude from having been asked or told before.
    ///
    /// Returns whether another deal was tried; without one that leaves the pending choice a move,
    /// the position stays as it was.
    pub fn redeal<C: Chance>(&mut self, seat: u32, chance: &mut C) -> bool {
        if self.status() == Status::Ended {
            return false;
        }
        let Some(kept) = self.secrets_kept(seat) else {
            return false;
        };
        let stream = StreamId(u32::try_from(self.program.game.streams.len()).unwrap_or(0));
        let before = self.save();
        for _ in 0..MOST_DEALS {
            self.deal_hidden(seat, stream, chance);
            if self.deal_kept(&kept, stream, chance) && self.deal_pending(seat, stream, chance) {
                self.relist();
                if !self.moves.is_empty() {
                    return true;
                }
            }
            self.restore(&before);
        }
        self.relist();
        false
    }

    fn deal_hidden<C: Chance>(&mut self, seat: u32, stream: StreamId, chance: &mut C) {
        let (game, layout) = (&*self.program.game, &self.program.layout);
        let mut components: Vec<DomainId> = game.zones.iter().map(|zone| zone.component).collect();
        components.sort_unstable();
        components.dedup();
        for component in components {
            let mut hidden: Vec<Hidden<'_>> = Vec::new();
            for (at, (zone, slot)) in game.zones.iter().zip(&layout.zones).enumerate() {
                if zone.component != component {
                    continue;
                }
                let id = ZoneId(u32::try_from(at).unwrap_or(u32::MAX));
                for place in 0..slot.places as usize {
                    let viewer = Viewer::Seat(seat);
                    if slot.size(&self.mem, place) > 0
                        && !slot.seen_by(game, zone, &self.mem, place, viewer)
                    {
                        let certain = self.knowledge.at(viewer, id, place);
                        hidden.push(Hidden::of(slot, place, &self.mem, certain));
                    }
                }
            }
            let mut pool: Vec<usize> = hidden
                .iter_mut()
                .flat_map(|place| place.free().map(|it| *it).collect::<Vec<_>>())
                .collect();
            // Which deal comes follows from what the seat sees alone.
            pool.sort_unstable();
            shuffle(&mut pool, stream, chance);
            let mut pool = pool.into_iter();
            for place in &mut hidden {
                let mut loose = place.loose.clone();
                loose.extend(&place.certain);
                let old = (loose, place.ordered.clone());
                place
                    .free()
                    .zip(&mut pool)
                    .for_each(|(slot, kind)| *slot = kind);
                place.put_back(old, &mut self.mem);
            }
        }
        for (track, slot) in game.tracks.iter().zip(&layout.tracks) {
            for place in 0..slot.len as usize {
                let index = split_index(game, &track.index, place);
                if !may_see(track.visibility, &index, Viewer::Seat(seat)) {
                    slot.deal(game, track.ty, place, &mut self.mem, &mut |n| {
                        chance.ticket(stream, n)
                    });
                }
            }
        }
    }
}

impl TrackSlot {
    /// Gives a value of its type, each equally likely.
    fn deal(
        &self,
        game: &Game,
        ty: Type,
        place: usize,
        mem: &mut Memory,
        ticket: &mut dyn FnMut(u64) -> u64,
    ) {
        let size = |domain: DomainId| game.domains.get(domain.index()).map_or(1, |it| it.size);
        if let Base::Set(domain) = ty.base {
            let words = usize::from(self.set_words);
            for element in 0..size(domain).min(words as u64 * 64) as usize {
                let word = &mut mem[at(self.array.base, place * words + element / 64)];
                *word = *word & !(1 << (element % 64)) | ticket(2) << (element % 64);
            }
            return;
        }
        let (lo, n) = match ty.base {
            Base::Bool => (0, 2),
            Base::Int(lo, hi) => (lo, hi.abs_diff(lo).saturating_add(1)),
            Base::Elem(domain) => (0, size(domain)),
            Base::Set(_) | Base::Unit => return,
        };
        let drawn = ticket(n.saturating_add(u64::from(ty.optional)).max(1));
        let value = match i64::try_from(drawn) {
            Ok(drawn) if drawn < i64::try_from(n).unwrap_or(i64::MAX) => lo.saturating_add(drawn),
            _ => NONE,
        };
        self.array.set(mem, place, value);
    }
}

/// Every order equally likely (up to the bias of `ticket`).
fn shuffle<C: Chance>(pool: &mut [usize], stream: StreamId, chance: &mut C) {
    for last in (1..pool.len()).rev() {
        let ticket = chance.ticket(stream, last as u64 + 1);
        pool.swap(last, usize::try_from(ticket).unwrap_or(0).min(last));
    }
}

impl<'p> Hidden<'p> {
    fn of(
        slot: &'p ZoneSlot,
        place: usize,
        mem: &Memory,
        certain: Option<&BTreeMap<i64, u64>>,
    ) -> Self {
        let copies = |kind: usize| {
            let n = usize::try_from(slot.loose(mem, place, kind)).unwrap_or(0);
            std::iter::repeat_n(kind, n)
        };
        let mut loose: Vec<usize> = (0..slot.kinds as usize).flat_map(copies).collect();
        let known = certain.into_iter().flatten();
        let known = known.flat_map(|(kind, n)| {
            let n = usize::try_from(*n).unwrap_or(0);
            std::iter::repeat_n(usize::try_from(*kind).unwrap_or(usize::MAX), n)
        });
        let ordered: Vec<usize> = slot.ordered(mem, place).collect();
        let mut fixed = vec![false; ordered.len()];
        let mut kept = Vec::new();
        for kind in known {
            if let Some(at) = loose.iter().position(|it| *it == kind) {
                kept.push(loose.remove(at));
                continue;
            }
            let mut lying = ordered.iter().zip(&mut fixed);
            if let Some((_, is_fixed)) = lying.find(|(it, is_fixed)| **it == kind && !**is_fixed) {
                *is_fixed = true;
            }
        }
        Self {
            slot,
            place,
            certain: kept,
            loose,
            ordered,
            fixed,
        }
    }

    /// What may lie elsewhere as far as the seat knows.
    fn free(&mut self) -> impl Iterator<Item = &mut usize> {
        let ordered = self.ordered.iter_mut().zip(&self.fixed);
        let ordered = ordered.filter(|(_, fixed)| !**fixed).map(|it| it.0);
        self.loose.iter_mut().chain(ordered)
    }

    /// Replaces the components that lie there; fields and what others know of the place stay.
    fn put_back(&self, (loose, ordered): (Vec<usize>, Vec<usize>), mem: &mut Memory) {
        let (slot, place) = (self.slot, self.place);
        let known = slot.known.map(|base| {
            let n = slot.seats as usize * usize::from(slot.place_words);
            let words: Vec<u64> = (0..n).map(|w| mem[at(base, w)]).collect();
            (base, words)
        });
        let fields = slot.fields_at(mem, place);
        // All of these are there, and as many as before fit again.
        for kind in ordered.iter().rev().chain(&loose) {
            let _ = slot.take(mem, place, *kind);
        }
        for kind in self.certain.iter().chain(&self.loose) {
            let _ = slot.put(mem, place, *kind);
        }
        slot.shuffle(mem, place);
        for kind in &self.ordered {
            let _ = slot.put(mem, place, *kind);
        }
        slot.set_fields_at(mem, place, &fields);
        if let Some((base, words)) = known {
            for (w, word) in words.into_iter().enumerate() {
                mem[at(base, w)] = word;
            }
        }
    }
}

impl ZoneSlot {
    /// The fields of a filled place of single components.
    pub(super) fn fields_at(&self, mem: &Memory, place: usize) -> Vec<i64> {
        (0..self.n_fields())
            .map_while(|field| self.field(mem, place, field).ok())
            .collect()
    }

    fn set_fields_at(&self, mem: &mut Memory, place: usize, values: &[i64]) {
        for (field, value) in values.iter().enumerate() {
            // What was read of a filled place can be written to it.
            let _ = self.set_field(mem, place, field, *value);
        }
    }
}
