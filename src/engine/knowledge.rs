//! What seats know to lie where they do not look, because they saw it go there or were shown it.
//!
//! It is no part of a position: it follows from what happened, and goes along with whoever follows a game. Of each kind
//! it says how many lie at a place for certain; of a pile only that they lie in it, not how deep. Nothing here depends on what
//! the seat may not know.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_128;

use super::machine::{Event, Happened, Machine};
use super::view::Viewer;
use crate::model::{Game, ZoneId, ZoneKind};

/// How many of each kind, for certain.
type Certain = BTreeMap<i64, u64>;

/// What seats know to lie where they do not look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Knowledge(BTreeMap<(u32, ZoneId, usize), Certain>);

impl Knowledge {
    /// How many of each kind a viewer knows to lie at a place.
    pub(super) fn at(&self, viewer: Viewer, zone: ZoneId, place: usize) -> Option<&Certain> {
        let Viewer::Seat(seat) = viewer else {
            return None;
        };
        self.0.get(&(seat, zone, place))
    }

    /// 128 bits of a hash; nought where nothing is known.
    pub fn mark(&self) -> u128 {
        if self.0.is_empty() {
            return 0;
        }
        let mut bytes = Vec::new();
        for ((seat, zone, place), certain) in &self.0 {
            let at = [u64::from(*seat), zone.index() as u64, *place as u64];
            let head = at.into_iter().chain([certain.len() as u64]);
            let kinds = certain
                .iter()
                .flat_map(|(kind, n)| [kind.cast_unsigned(), *n]);
            bytes.extend(head.chain(kinds).flat_map(u64::to_le_bytes));
        }
        xxh3_128(&bytes)
    }

    /// Learns from what has happened, in order.
    pub(super) fn learn(&mut self, game: &Game, events: &[Event]) {
        if events.is_empty() {
            return;
        }
        for seat in 0..game.n_seats {
            self.learn_as(game, seat, events);
        }
        self.0.retain(|_, certain| !certain.is_empty());
    }

    fn learn_as(&mut self, game: &Game, seat: u32, events: &[Event]) {
        let mut taken: Vec<Taken<'_>> = Vec::new();
        // What changes places comes to lie when both have gone.
        let mut laid: Vec<&Event> = Vec::new();
        let mut poured = 0;
        for event in events {
            match event.what {
                Happened::Poured {
                    zone,
                    place,
                    many,
                    back,
                } => {
                    poured = many * 2;
                    self.pour(game, seat, event, (zone, place), back);
                }
                Happened::Taken | Happened::Laid if poured > 0 => {
                    poured -= 1;
                    // What it is was seen where it lay or where it comes to lie.
                    let lies = event.what == Happened::Laid;
                    if lies && taken.pop().is_some_and(|it| it.is_seen) {
                        self.add(game, seat, event);
                    } else if !lies {
                        let is_seen = event.is_seen_by_rule(game, seat);
                        taken.push(Taken { event, is_seen });
                    }
                }
                Happened::Taken => {
                    let is_seen = event.is_seen_by_rule(game, seat);
                    taken.push(Taken { event, is_seen });
                }
                Happened::Laid => {
                    // What changes places is laid down in the other order.
                    let from = taken.pop();
                    let is_seen = event.is_seen_by_rule(game, seat);
                    let is_known = from.is_some_and(|from| {
                        from.is_seen || self.remove(game, seat, from.event, is_seen)
                    });
                    if is_known {
                        laid.push(event);
                    }
                    if taken.is_empty() {
                        laid.drain(..).for_each(|it| self.add(game, seat, it));
                    }
                }
                Happened::Forgotten(who) => {
                    if who.is_none_or(|it| it == seat) {
                        self.0.remove(&(seat, event.zone, event.place));
                    }
                }
                Happened::Shown(who) => {
                    if who.is_none_or(|it| it == seat) {
                        self.add(game, seat, event);
                    }
                }
            }
        }
    }

    /// All goes from one place to another.
    fn pour(
        &mut self,
        game: &Game,
        seat: u32,
        event: &Event,
        (zone, place): (ZoneId, usize),
        back: bool,
    ) {
        let certain = self.0.remove(&(seat, event.zone, event.place));
        let other = match back {
            true => self.0.remove(&(seat, zone, place)),
            false => None,
        };
        let to = Event {
            zone,
            place,
            ..*event
        };
        let is_seen = |it: &Event| it.is_seen_by_rule(game, seat);
        if is_seen(event) || is_seen(&to) {
            return;
        }
        let known = self.0.entry((seat, zone, place)).or_default();
        for (kind, n) in certain.into_iter().flatten() {
            *known.entry(kind).or_default() += n;
        }
        self.0
            .extend(other.map(|it| ((seat, event.zone, event.place), it)));
    }

    fn add(&mut self, game: &Game, seat: u32, event: &Event) {
        if !event.is_seen_by_rule(game, seat) {
            let known = self.0.entry((seat, event.zone, event.place)).or_default();
            *known.entry(event.kind).or_default() += 1;
        }
    }

    /// One goes away: that one, or any; returns whether it is known which.
    fn remove(&mut self, game: &Game, seat: u32, event: &Event, is_seen: bool) -> bool {
        let Some(known) = self.0.get_mut(&(seat, event.zone, event.place)) else {
            return false;
        };
        let zone = game.zones.get(event.zone.index());
        let is_known = !known.is_empty() && zone.is_some_and(|it| it.kind == ZoneKind::One);
        known.retain(|kind, n| {
            if !is_seen || *kind == event.kind {
                *n -= 1;
            }
            *n > 0
        });
        is_known
    }
}

/// Something that was taken and not yet laid down.
struct Taken<'e> {
    event: &'e Event,
    /// Whether the seat saw it lie there.
    is_seen: bool,
}

impl Machine<'_> {
    /// What seats know of what lies where they do not look, since somebody listens.
    #[must_use]
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// Goes back to what was known in a position.
    pub fn recall(&mut self, knowledge: Knowledge) {
        self.knowledge = knowledge;
    }
}
