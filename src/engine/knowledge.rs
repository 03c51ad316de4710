//! What seats know to lie where they do not look, because they saw it go there or were shown it.
//!
//! It is no part of a position: it follows from what happened, and goes along with whoever follows a game. Of each kind
//! it says how many lie at a place for certain; of a pile only that they lie in it, not how deep. Nothing here depends on what
//! the seat may not know.

use std::collections::BTreeMap;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_128;

use super::lived::Lived;
use super::machine::{Event, Happened, Machine};
use super::view::Viewer;
use crate::model::{Game, ZoneId};

/// How many of each kind, for certain.
type Certain = BTreeMap<i64, u64>;

/// What seats know to lie where they do not look. Two are equal where the same is certain, however it came about.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    sure: BTreeMap<(u32, ZoneId, usize), Certain>,
    /// What has happened since the beginning of the game, where that says more than what lies where.
    pub(super) lived: Option<Arc<Lived>>,
}

impl PartialEq for Knowledge {
    fn eq(&self, other: &Self) -> bool {
        self.sure == other.sure
    }
}

impl Eq for Knowledge {}

impl Knowledge {
    /// How many of each kind a viewer knows to lie at a place.
    pub(super) fn at(&self, viewer: Viewer, zone: ZoneId, place: usize) -> Option<&Certain> {
        let Viewer::Seat(seat) = viewer else {
            return None;
        };
        self.sure.get(&(seat, zone, place))
    }

    /// 128 bits of a hash; nought where nothing is known.
    pub fn mark(&self) -> u128 {
        if self.sure.is_empty() {
            return 0;
        }
        let mut bytes = Vec::new();
        for ((seat, zone, place), certain) in &self.sure {
            let at = [u64::from(*seat), zone.index() as u64, *place as u64];
            let head = at.into_iter().chain([certain.len() as u64]);
            let kinds = certain
                .iter()
                .flat_map(|(kind, n)| [kind.cast_unsigned(), *n]);
            bytes.extend(head.chain(kinds).flat_map(u64::to_le_bytes));
        }
        xxh3_128(&bytes)
    }

    /// Learns from what has happened, in order; `sizes` says how many lie at a place now.
    pub(super) fn learn(
        &mut self,
        game: &Game,
        events: &[Event],
        sizes: &dyn Fn(ZoneId, usize) -> u64,
    ) {
        if events.is_empty() {
            return;
        }
        for seat in 0..game.n_seats {
            self.learn_as(game, seat, events, sizes);
        }
        self.sure.retain(|_, certain| !certain.is_empty());
    }

    fn learn_as(
        &mut self,
        game: &Game,
        seat: u32,
        events: &[Event],
        sizes: &dyn Fn(ZoneId, usize) -> u64,
    ) {
        let mut taken: Vec<Taken<'_>> = Vec::new();
        // What changes places comes to lie when both have gone.
        let mut laid: Vec<&Event> = Vec::new();
        let mut poured = 0;
        for (nth, event) in events.iter().enumerate() {
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
                        taken.push(Taken::of(game, seat, event, nth));
                    }
                }
                Happened::Taken => taken.push(Taken::of(game, seat, event, nth)),
                Happened::Laid => {
                    // What changes places is laid down in the other order.
                    let from = taken.pop();
                    let is_seen = event.is_seen_by_rule(game, seat);
                    let is_known = from.is_some_and(|from| {
                        let lay = || lay_there(from.event, &events[from.nth..], sizes);
                        from.is_seen || self.remove(seat, from.event, is_seen, &lay)
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
                        self.sure.remove(&(seat, event.zone, event.place));
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
        let certain = self.sure.remove(&(seat, event.zone, event.place));
        let other = match back {
            true => self.sure.remove(&(seat, zone, place)),
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
        let known = self.sure.entry((seat, zone, place)).or_default();
        for (kind, n) in certain.into_iter().flatten() {
            *known.entry(kind).or_default() += n;
        }
        self.sure
            .extend(other.map(|it| ((seat, event.zone, event.place), it)));
    }

    fn add(&mut self, game: &Game, seat: u32, event: &Event) {
        if !event.is_seen_by_rule(game, seat) {
            let known = self
                .sure
                .entry((seat, event.zone, event.place))
                .or_default();
            *known.entry(event.kind).or_default() += 1;
        }
    }

    /// One goes away: that one, or any; returns whether it is known which, since of all that lay there no other could go.
    fn remove(&mut self, seat: u32, event: &Event, is_seen: bool, lay: &dyn Fn() -> u64) -> bool {
        let Some(known) = self.sure.get_mut(&(seat, event.zone, event.place)) else {
            return false;
        };
        let mut kinds = known.values();
        let is_known = match (kinds.next(), kinds.next()) {
            (Some(only), None) => *only >= lay(),
            _ => false,
        };
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
    /// So many events had happened.
    nth: usize,
    /// Whether the seat saw it lie there.
    is_seen: bool,
}

impl<'e> Taken<'e> {
    fn of(game: &Game, seat: u32, event: &'e Event, nth: usize) -> Taken<'e> {
        let is_seen = event.is_seen_by_rule(game, seat);
        Taken {
            event,
            nth,
            is_seen,
        }
    }
}

/// How many lay at the place of an event before it and all `since` had happened.
fn lay_there(of: &Event, since: &[Event], sizes: &dyn Fn(ZoneId, usize) -> u64) -> u64 {
    let here = |it: &&Event| (it.zone, it.place) == (of.zone, of.place);
    let n = |what: Happened| {
        let those = since.iter().filter(here);
        those.filter(|it| it.what == what).count() as u64
    };
    let now = sizes(of.zone, of.place);
    (now + n(Happened::Taken)).saturating_sub(n(Happened::Laid))
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
