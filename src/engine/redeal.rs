//! Dealing anew what a seat cannot see: a position that it could not tell from this one.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::chance::Chance;
use super::layout::{TrackSlot, ZoneSlot};
use super::machine::{Machine, Move, State, Status};
use super::memory::{Memory, at};
use super::text::split_index;
use super::view::{TrackValue, Viewer, may_see};
use super::waiting::Secret;
use super::worlds::Worlds;
use crate::model::{Base, DomainId, Game, LocalId, NONE, StreamId, Type, Visibility, ZoneId};

/// Deals that leave the pending choice without a move are thrown away, this many times.
const MOST_DEALS: usize = 64;

/// A position of which a seat does not see everything, made ready to be dealt anew many times.
#[derive(Clone, Debug)]
pub struct Dealer<'p> {
    seat: u32,
    /// The random numbers come from the stream behind the game's own.
    stream: StreamId,
    before: State,
    moves: Vec<Move>,
    /// The position without what is dealt.
    bare: State,
    lots: Vec<Lot>,
    /// Values of tracks: the track, and the number of the value.
    tracks: Vec<(usize, usize)>,
    /// What flows keep; where that cannot be dealt, the local that stands in the way.
    secrets: Result<Arc<[Secret<'p>]>, LocalId>,
    is_together: bool,
    /// Ways in which all may have gone, where something is hidden that may follow from that; none where none was found.
    worlds: Option<Worlds>,
}

/// Components that may lie on any of as many spots.
#[derive(Clone, Debug, Default)]
struct Lot {
    /// Sorted: which deal comes follows from what the seat sees alone.
    kinds: Vec<usize>,
    dealt: Vec<usize>,
    spots: Vec<Spot>,
}

/// Where one component lies.
#[derive(Clone, Copy, Debug)]
struct Spot {
    zone: usize,
    place: usize,
    /// How many lie below it in the ordered part of a pile; none in no order.
    height: Option<usize>,
}

impl<'p> Machine<'p> {
    /// Deals all that a seat cannot see anew among the places where it lies, each deal of the copies
    /// equally likely; what the seat sees stays equal. The random numbers come from the stream behind
    /// the game's own.
    ///
    /// Where values are hidden and it is known how the game went, it is played again from its beginning, so that the seat sees again all
    /// that it saw ([`Worlds`]). Where no way is found in which that comes out, and where only components are hidden:
    ///
    /// What another seat picked in secret just before, or what was worked out of hidden things, is picked and worked out
    /// anew for what is dealt. Not dealt anew is a position in which a flow waits with such a value from before something
    /// else happened, with one from chance, from a call or given to it: the value may be tied to all that it has done
    /// since. Nor is it asked what the seat could conclude from having been asked or told before.
    ///
    /// Returns whether another deal was tried; without one that leaves the pending choice a move,
    /// the position stays as it was.
    pub fn redeal<C: Chance>(&mut self, seat: u32, chance: &mut C) -> bool {
        let mut dealer = self.dealer(seat);
        self.deal(&mut dealer, chance)
    }

    /// Makes the position ready to be dealt anew, as [`Machine::redeal`] does it, any number of times.
    #[must_use]
    pub fn dealer(&mut self, seat: u32) -> Dealer<'p> {
        let game = &*self.program.game;
        let mut dealer = Dealer {
            seat,
            stream: StreamId(u32::try_from(game.streams.len()).unwrap_or(0)),
            before: self.save(),
            moves: self.moves().to_vec(),
            bare: self.save(),
            lots: Vec::new(),
            tracks: Vec::new(),
            secrets: Ok(Arc::from([])),
            is_together: self.is_together(),
            worlds: None,
        };
        if self.status() == Status::Ended {
            return dealer;
        }
        dealer.secrets = self.secrets_kept(seat).map(Arc::from);
        let hidden = self.tracks_hidden(seat);
        if let Some(lived) = self.knowledge.lived.clone()
            && (dealer.secrets.is_err() || !hidden.is_empty())
        {
            let n_pending = self.pending().len();
            dealer.worlds = Some(Worlds::new(lived, seat, hidden.clone(), n_pending));
        }
        if dealer.secrets.is_ok() {
            dealer.tracks = hidden;
            dealer.lots = self.lots(seat);
            dealer.lots.retain(Lot::may_differ);
            let spots = dealer
                .lots
                .iter()
                .flat_map(|it| it.spots.iter().zip(&it.kinds));
            for (spot, kind) in spots {
                if let Some(slot) = self.program.layout.zones.get(spot.zone) {
                    slot.lift(&mut self.mem, spot.place, *kind);
                }
            }
            dealer.bare = self.save();
            self.restore(&dealer.before);
            let lots = dealer.lots.iter_mut();
            lots.for_each(|lot| lot.kinds.sort_unstable());
        }
        dealer
    }

    /// Goes to the position of a dealer, with another deal; returns whether one was tried. Without one that leaves the
    /// pending choice a move, it goes to the position as it was. The dealer is one of a machine of the same program.
    pub fn deal<C: Chance>(&mut self, dealer: &mut Dealer<'p>, chance: &mut C) -> bool {
        let is_dealt = self.try_deals(dealer, chance);
        if is_dealt != Some(true) {
            self.restore(&dealer.before);
            self.moves.set(&dealer.moves);
        }
        is_dealt.is_some()
    }

    /// Returns whether one came out; none where nothing can be tried, or none does.
    fn try_deals<C: Chance>(&mut self, dealer: &mut Dealer<'p>, chance: &mut C) -> Option<bool> {
        if dealer.is_certain() {
            return Some(false);
        }
        if let Some(worlds) = &mut dealer.worlds {
            if self.deal_lived(worlds, dealer.stream, chance) {
                return Some(true);
            }
            dealer.worlds = None;
        }
        let secrets = dealer.secrets.as_deref().ok()?;
        let (game, layout) = (&*self.program.game, &self.program.layout);
        for _ in 0..MOST_DEALS {
            self.restore(&dealer.bare);
            for lot in &mut dealer.lots {
                lot.dealt.clone_from(&lot.kinds);
                shuffle(&mut lot.dealt, dealer.stream, chance);
                for (spot, kind) in lot.spots.iter().zip(&lot.dealt) {
                    if let Some(slot) = layout.zones.get(spot.zone) {
                        slot.deal(&mut self.mem, spot.place, spot.height, *kind);
                    }
                }
            }
            for (track, place) in &dealer.tracks {
                let of = game.tracks.get(*track).zip(layout.tracks.get(*track));
                if let Some((track, slot)) = of {
                    slot.deal(game, track.ty, *place, &mut self.mem, &mut |n| {
                        chance.ticket(dealer.stream, n)
                    });
                }
            }
            let is_kept = self.deal_kept(secrets, dealer.stream, chance);
            if is_kept && self.deal_pending(dealer.seat, dealer.stream, chance) {
                self.relist();
                if !self.moves.is_empty() {
                    return Some(true);
                }
            }
        }
        None
    }

    /// What a seat does not know, by component: each may lie wherever others of its kind lie unseen.
    fn lots(&self, seat: u32) -> Vec<Lot> {
        let (game, layout) = (&*self.program.game, &self.program.layout);
        let viewer = Viewer::Seat(seat);
        let mut lots: Vec<(DomainId, Lot)> = Vec::new();
        for (zone_at, (zone, slot)) in game.zones.iter().zip(&layout.zones).enumerate() {
            if zone.visibility == Visibility::Open {
                continue;
            }
            let id = ZoneId(u32::try_from(zone_at).unwrap_or(u32::MAX));
            for place in 0..slot.places as usize {
                if slot.size(&self.mem, place) == 0
                    || slot.seen_by(game, zone, &self.mem, place, viewer)
                {
                    continue;
                }
                let at = match lots.iter().position(|(it, _)| *it == zone.component) {
                    Some(at) => at,
                    None => {
                        lots.push((zone.component, Lot::default()));
                        lots.len() - 1
                    }
                };
                let certain = self.knowledge.at(viewer, id, place).into_iter().flatten();
                let certain = certain.flat_map(|(kind, n)| {
                    let n = usize::try_from(*n).unwrap_or(0);
                    std::iter::repeat_n(usize::try_from(*kind).unwrap_or(usize::MAX), n)
                });
                if let Some((_, lot)) = lots.get_mut(at) {
                    lot.add(slot, (zone_at, place), &self.mem, certain);
                }
            }
        }
        lots.into_iter().map(|(_, lot)| lot).collect()
    }

    fn tracks_hidden(&self, seat: u32) -> Vec<(usize, usize)> {
        let game = &*self.program.game;
        let mut hidden = Vec::new();
        let tracks = game.tracks.iter().zip(&self.program.layout.tracks);
        for (at, (track, slot)) in tracks.enumerate() {
            let values = match track.visibility {
                Visibility::Open => 0,
                Visibility::Hidden | Visibility::Owner(_) | Visibility::Others(_) => {
                    slot.len as usize
                }
            };
            hidden.extend((0..values).map(|place| (at, place)).filter(|(_, place)| {
                let index = split_index(game, &track.index, *place);
                !may_see(track.visibility, &index, Viewer::Seat(seat))
            }));
        }
        hidden
    }
}

impl Dealer<'_> {
    /// Whether the seat knows all that may differ: then no other deal is one.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        let knows_what_is_kept = self.secrets.as_ref().is_ok_and(|it| it.is_empty());
        knows_what_is_kept && self.lots.is_empty() && self.tracks.is_empty() && !self.is_together
    }

    /// What a flow keeps that may be tied to what has happened since, so that nothing can be dealt by itself; none where it can.
    #[must_use]
    pub fn tied(&self) -> Option<LocalId> {
        self.secrets.as_ref().err().copied()
    }

    /// Leaves the values of tracks as they are.
    pub(super) fn keep_tracks(&mut self) {
        self.tracks.clear();
    }

    /// The names of the tracks of which several values are dealt, each by itself: together they may be what the rules never
    /// bring about. None where a deal was made and all came about as the seat saw it.
    #[must_use]
    pub fn dealt_by_value<'g>(&self, game: &'g Game) -> Vec<&'g str> {
        if self.worlds.is_some() {
            return Vec::new();
        }
        let several = |track: &usize| self.tracks.iter().filter(|it| it.0 == *track).count() > 1;
        let tracks: BTreeSet<usize> = self.tracks.iter().map(|it| it.0).collect();
        let tracks = tracks.into_iter().filter(several);
        let tracks = tracks.filter_map(|it| game.tracks.get(it));
        tracks.map(|it| it.name.as_str()).collect()
    }

    /// The names of the zones and tracks of which something is dealt.
    #[must_use]
    pub fn dealt<'g>(&self, game: &'g Game) -> Vec<&'g str> {
        let spots = self.lots.iter().flat_map(|it| &it.spots);
        let zones: BTreeSet<usize> = spots.map(|it| it.zone).collect();
        let tracks: BTreeSet<usize> = self.tracks.iter().map(|it| it.0).collect();
        let zones = zones.iter().filter_map(|it| game.zones.get(*it));
        let tracks = tracks.iter().filter_map(|it| game.tracks.get(*it));
        let zones = zones.map(|it| it.name.as_str());
        zones.chain(tracks.map(|it| it.name.as_str())).collect()
    }
}

impl Lot {
    /// Adds what lies at a place, but for what is certain to lie there: that stays.
    fn add(
        &mut self,
        slot: &ZoneSlot,
        (zone, place): (usize, usize),
        mem: &Memory,
        certain: impl Iterator<Item = usize>,
    ) {
        let copies = |kind: usize| {
            let n = usize::try_from(slot.loose(mem, place, kind)).unwrap_or(0);
            std::iter::repeat_n((kind, None), n)
        };
        let mut free: Vec<(usize, Option<usize>)> =
            (0..slot.kinds as usize).flat_map(copies).collect();
        let ordered = slot.ordered(mem, place).enumerate();
        free.extend(ordered.map(|(height, kind)| (kind, Some(height))));
        for kind in certain {
            if let Some(at) = free.iter().position(|(it, _)| *it == kind) {
                free.remove(at);
            }
        }
        for (kind, height) in free {
            self.kinds.push(kind);
            self.spots.push(Spot {
                zone,
                place,
                height,
            });
        }
    }

    /// Whether it can be dealt in more than one way.
    fn may_differ(&self) -> bool {
        let is_one_heap = self.spots.windows(2).all(|it| match it {
            [a, b] => {
                (a.zone, a.place) == (b.zone, b.place) && a.height.is_none() && b.height.is_none()
            }
            _ => true,
        });
        !is_one_heap && self.kinds.windows(2).any(|it| it.first() != it.last())
    }
}

impl TrackSlot {
    /// Puts a value that was read there before.
    pub(super) fn write(&self, mem: &mut Memory, place: usize, value: &TrackValue) {
        match value {
            TrackValue::Scalar(value) => self.array.set(mem, place, *value),
            TrackValue::Set(bits) => {
                let words = (place * usize::from(self.set_words)..).zip(bits);
                words.for_each(|(word, bits)| mem[at(self.array.base, word)] = *bits);
            }
        }
    }

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

impl ZoneSlot {
    /// The fields of a filled place of single components.
    pub(super) fn fields_at(&self, mem: &Memory, place: usize) -> Vec<i64> {
        (0..self.n_fields())
            .map_while(|field| self.field(mem, place, field).ok())
            .collect()
    }
}
