//! Who sees what under two rule sets that have come by the same choices.

use std::collections::HashMap;

use super::carried::Carrier;
use super::step::Pair;
use crate::engine::{PlaceView, Program, Seen, Viewer};
use crate::model::Visibility;

/// Choices of a game at which sights are compared.
pub(super) const MOST_LOOKS: u64 = 100;
/// Games, from the first one on, in which they are.
pub(super) const LOOKED_GAMES: u64 = 20;

/// What was compared of what seats see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sights {
    /// Choices at which it was compared; nought where neither rule set hides anything.
    pub looked: u64,
    /// Those at which somebody sees under one of them what is hidden under the other one.
    pub differ: u64,
    /// The first of those: choices that lead there, and the seed of the game.
    pub first: Option<(u64, u64)>,
}

impl Sights {
    /// Adds what was compared at a choice.
    pub(super) fn add(&mut self, choices: u64, seed: u64, differs: bool) {
        self.looked += 1;
        self.differ += u64::from(differs);
        if differs {
            self.meet((choices, seed));
        }
    }

    pub(super) fn merge(&mut self, other: &Sights) {
        self.looked += other.looked;
        self.differ += other.differ;
        if let Some(first) = other.first {
            self.meet(first);
        }
    }

    fn meet(&mut self, met: (u64, u64)) {
        self.first = Some(self.first.map_or(met, |it| it.min(met)));
    }

    pub(super) fn carry(&mut self, by: &mut Carrier<'_>) {
        by.number("looked", &mut self.looked);
        by.number("differ", &mut self.differ);
        let (mut choices, mut seed) = self.first.unwrap_or_default();
        by.value("choices", &mut choices);
        by.value("seed", &mut seed);
        if by.puts_back() && self.differ > 0 {
            self.first = Some((choices, seed));
        }
    }
}

/// What a seat sees under one rule set only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// The seat, counted from 0.
    pub seat: u32,
    /// A zone or track and its place, as it is written in plain letters.
    pub place: String,
    /// The side under which it sees more of it.
    pub by: usize,
}

/// Whether a rule set hides anything from anybody.
pub(super) fn hides(program: &Program) -> bool {
    let game = &program.game;
    let zones = game.zones.iter().map(|it| it.visibility);
    let tracks = game.tracks.iter().map(|it| it.visibility);
    zones.chain(tracks).any(|it| it != Visibility::Open)
}

impl Pair<'_> {
    /// The first thing, in the order of the first rule set, of which a seat sees more under one of them where both stand now.
    /// Zones and tracks that only one of them has are left out, and places where only one has anything.
    #[must_use]
    pub fn sighting(&self) -> Option<Sighting> {
        let seats = self.sides.each_ref();
        let seats = seats.map(|it| it.machine.program().game.n_seats);
        (0..seats[0].min(seats[1])).find_map(|seat| {
            let views = self.sides.each_ref();
            let [one, other] = views.map(|it| it.machine.view(Viewer::Seat(seat)));
            let zones = one.zones.iter().enumerate().find_map(|(nth, zone)| {
                let others = same(&other.zones, nth, |it| it.name == zone.name)?;
                let (at, by) = more_seen(&zone.places, &others.places)?;
                let place = match at.is_empty() {
                    true => zone.name.clone(),
                    false => format!("{}[{at}]", zone.name),
                };
                Some(Sighting { seat, place, by })
            });
            zones.or_else(|| {
                one.tracks.iter().enumerate().find_map(|(nth, track)| {
                    let others = same(&other.tracks, nth, |it| it.name == track.name)?;
                    let mut both = track.values.iter().zip(&others.values);
                    let (a, _) = both.find(|(a, b)| a.is_some() != b.is_some())?;
                    Some(Sighting {
                        seat,
                        place: track.name.clone(),
                        by: usize::from(a.is_none()),
                    })
                })
            })
        })
    }
}

/// The one of a list that is meant, which mostly stands at the same place of it.
fn same<T>(list: &[T], nth: usize, is_meant: impl Fn(&T) -> bool) -> Option<&T> {
    let there = list.get(nth).filter(|it| is_meant(it));
    there.or_else(|| list.iter().find(|it| is_meant(it)))
}

/// The first place of which one side knows a greater part, and that side.
fn more_seen<'v>(one: &'v [PlaceView], other: &[PlaceView]) -> Option<(&'v str, usize)> {
    let unknown = |it: &PlaceView| it.seen.iter().filter(|it| **it == Seen::Unknown).count();
    // Places of the same zone mostly come in the same order.
    let mut by_name = None;
    one.iter().enumerate().find_map(|(nth, place)| {
        let same = other.get(nth).filter(|it| it.at == place.at);
        let same = same.or_else(|| {
            let by_name = by_name.get_or_insert_with(|| {
                let places = other.iter().map(|it| (it.at.as_str(), it));
                places.collect::<HashMap<&str, &PlaceView>>()
            });
            by_name.get(place.at.as_str()).copied()
        })?;
        if place.seen.is_empty() || same.seen.is_empty() {
            return None;
        }
        let shares = [(place, same), (same, place)];
        let [a, b] = shares.map(|(own, all)| unknown(own) * all.seen.len());
        (a != b).then_some((place.at.as_str(), usize::from(a > b)))
    })
}
