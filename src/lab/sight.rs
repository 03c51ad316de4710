//! Who sees what under two rule sets that have come by the same choices.

use std::collections::{BTreeMap, HashMap};

use super::carried::Carrier;
use super::step::Pair;
use crate::engine::text::print_value;
use crate::engine::{PlaceView, Program, Seen, View, Viewer, ZoneView};
use crate::model::text::Form;
use crate::model::{Base, Game, ShownWhat, TrackId, Type, Visibility, ZoneId};

/// Choices of a game at which sights are compared.
pub(super) const MOST_LOOKS: u64 = 100;
/// Games, from the first one on, in which they mostly are.
pub const LOOKED_GAMES: u64 = 20;

/// What was compared of what seats see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sights {
    /// Choices at which it was compared; nought where neither rule set hides anything.
    pub looked: u64,
    /// Those at which somebody sees under one of them what is hidden under the other one.
    pub differ: u64,
    /// Those of them at which that is only what one rule set alone has.
    pub alone: u64,
    /// The first of those, and of others before these: whether it is one of them, choices that lead there, and the seed of the
    /// game.
    pub first: Option<(bool, u64, u64)>,
}

impl Sights {
    /// Adds what was compared at a choice.
    pub(super) fn add(&mut self, choices: u64, seed: u64, found: Option<&Sighting>) {
        self.looked += 1;
        if let Some(found) = found {
            let alone = matches!(found.what, Seeing::Track(_));
            self.differ += 1;
            self.alone += u64::from(alone);
            self.meet((alone, choices, seed));
        }
    }

    /// Adds what was found at a choice to what was found before, and keeps the first that it met.
    pub(super) fn look(
        (sights, first): &mut (Sights, Option<Sighting>),
        choices: u64,
        seed: u64,
        found: Option<Sighting>,
    ) {
        let before = sights.first;
        sights.add(choices, seed, found.as_ref());
        if sights.first != before {
            *first = found;
        }
    }

    pub(super) fn merge(&mut self, other: &Sights) {
        self.looked += other.looked;
        self.differ += other.differ;
        self.alone += other.alone;
        if let Some(first) = other.first {
            self.meet(first);
        }
    }

    fn meet(&mut self, met: (bool, u64, u64)) {
        self.first = Some(self.first.map_or(met, |it| it.min(met)));
    }

    pub(super) fn carry(&mut self, by: &mut Carrier<'_>) {
        by.number("looked", &mut self.looked);
        by.number("differ", &mut self.differ);
        by.number("alone", &mut self.alone);
        let (_, mut choices, mut seed) = self.first.unwrap_or_default();
        by.value("choices", &mut choices);
        by.value("seed", &mut seed);
        if by.puts_back() && self.differ > 0 {
            self.first = Some((self.alone == self.differ, choices, seed));
        }
    }
}

/// What a seat sees under one rule set only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// The seat, counted from 0.
    pub seat: u32,
    /// What it sees.
    pub what: Seeing,
    /// The side under which it sees more of it.
    pub by: usize,
}

/// What a seat sees more of, or otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seeing {
    /// A zone or track and its place, as it is written in plain letters.
    Place(String),
    /// Copies of a component, wherever they lie: what it is of, and its kind in plain letters.
    Kind(String, String),
    /// A track that only one side has.
    Track(String),
    /// A track that is not the same on both sides.
    Value(String),
    /// A move that both offer, as either writes it.
    Words([String; 2]),
}

/// How many copies a seat knows, by what they are of and their kind.
type Copies = BTreeMap<(String, String), u64>;

/// Whether a rule set hides anything from anybody.
pub(super) fn hides(program: &Program) -> bool {
    let game = &program.game;
    let zones = game.zones.iter().map(|it| it.visibility);
    let tracks = game.tracks.iter().map(|it| it.visibility);
    zones.chain(tracks).any(|it| it != Visibility::Open)
}

impl Pair<'_> {
    /// Follows what seats come to know, or no more.
    pub(super) fn listen(&mut self, listens: bool) {
        let sides = self.sides.iter_mut();
        sides.for_each(|it| it.machine.listen(listens));
    }

    /// The first thing, in the order of the first rule set, that a seat sees or knows under one of them and not under the
    /// other where both stand now: more of a place, more copies of something wherever they lie, a track that the other one
    /// lacks. With `values` a track that both show must also hold the same, and moves be written alike. What the other one lacks
    /// comes last: it may be no more than what a rule counts for itself.
    #[must_use]
    pub fn sighting(&mut self, values: bool) -> Option<Sighting> {
        let seats = self.sides.each_ref();
        let seats = seats.map(|it| it.machine.program().game.n_seats);
        let found = (0..seats[0].min(seats[1])).find_map(|seat| {
            let views = self.views(seat);
            let found = places(&views).or_else(|| self.copies(seat));
            let (what, by) = found.or_else(|| tracks(&views, values))?;
            Some(Sighting { seat, what, by })
        });
        // How many things lie somewhere all see alike.
        let counted = || {
            let (what, by) = numbers(&self.views(0)).filter(|_| values)?;
            Some(Sighting { seat: 0, what, by })
        };
        if let Some(found) = found.or_else(counted) {
            return Some(found);
        }
        if let (true, Some(seat)) = (values, self.chooser())
            && let Some(words) = self.reworded()
        {
            let what = Seeing::Words(words);
            return Some(Sighting { seat, what, by: 1 });
        }
        let games = self.sides.each_ref();
        let games = games.map(|it| &*it.machine.program().game);
        (0..seats[0].min(seats[1])).find_map(|seat| {
            let (what, by) = alone(&self.views(seat), games)?;
            Some(Sighting { seat, what, by })
        })
    }

    fn views(&self, seat: u32) -> [View; 2] {
        let sides = self.sides.each_ref();
        sides.map(|it| it.machine.view(Viewer::Seat(seat)))
    }

    /// What a seat knows more copies of.
    fn copies(&self, seat: u32) -> Option<(Seeing, usize)> {
        let [one, other] = self.sides.each_ref().map(|side| {
            let game = &*side.machine.program().game;
            let mut copies = Copies::new();
            for ((domain, kind), n) in side.machine.known(Viewer::Seat(seat)) {
                let of = game.domains.get(domain.index());
                let of = of.map_or_else(String::new, |it| it.name.clone());
                let kind = print_value(game, Type::of(Base::Elem(domain)), kind, Form::Plain);
                *copies.entry((of, kind)).or_default() += n;
            }
            copies
        });
        let lacks = |it: &Copies, all: &Copies| {
            let mut kinds = all.iter();
            let found = kinds.find(|(kind, n)| it.get(*kind).is_none_or(|own| own < *n));
            found.map(|((of, kind), _)| Seeing::Kind(of.clone(), kind.clone()))
        };
        let more = lacks(&one, &other).map(|it| (it, 1));
        more.or_else(|| lacks(&other, &one).map(|it| (it, 0)))
    }
}

/// The first zone that both have in which not as many things lie.
fn numbers([one, other]: &[View; 2]) -> Option<(Seeing, usize)> {
    let n = |it: &ZoneView| it.places.iter().map(|it| it.seen.len()).sum::<usize>();
    one.zones.iter().enumerate().find_map(|(nth, zone)| {
        let others = same(&other.zones, nth, |it| it.name == zone.name)?;
        (n(zone) != n(others)).then(|| (Seeing::Value(zone.name.clone()), 1))
    })
}

/// The first place of a zone that both have of which one side shows more.
fn places([one, other]: &[View; 2]) -> Option<(Seeing, usize)> {
    one.zones.iter().enumerate().find_map(|(nth, zone)| {
        let others = same(&other.zones, nth, |it| it.name == zone.name)?;
        let (at, by) = more_seen(&zone.places, &others.places)?;
        let place = match at.is_empty() {
            true => zone.name.clone(),
            false => format!("{}[{at}]", zone.name),
        };
        Some((Seeing::Place(place), by))
    })
}

/// The first track or zone that only one side has on the table: what its rules keep off it (`hide`) is not there.
fn alone([one, other]: &[View; 2], games: [&Game; 2]) -> Option<(Seeing, usize)> {
    let sides = [(one, other, 0), (other, one, 1)];
    sides.into_iter().find_map(|(own, all, by)| {
        let shown = &games[by].shown;
        let is_hidden = |what| {
            shown
                .iter()
                .any(|it| it.what == what && it.label.is_empty())
        };
        let mut tracks = (0..).zip(own.tracks.iter().enumerate());
        let track = tracks.find(|(id, (nth, track))| {
            same(&all.tracks, *nth, |it| it.name == track.name).is_none()
                && track.values.iter().any(Option::is_some)
                && !is_hidden(ShownWhat::Track(TrackId(*id)))
        });
        let mut zones = (0..).zip(own.zones.iter().enumerate());
        let mut zone = || {
            zones.find(|(id, (nth, zone))| {
                let mut seen = zone.places.iter().flat_map(|it| &it.seen);
                same(&all.zones, *nth, |it| it.name == zone.name).is_none()
                    && seen.any(|it| *it != Seen::Unknown)
                    && !is_hidden(ShownWhat::Zone(ZoneId(*id)))
            })
        };
        let name = track.map(|(_, (_, it))| &it.name);
        let name = name.or_else(|| zone().map(|(_, (_, it))| &it.name))?;
        Some((Seeing::Track(name.clone()), by))
    })
}

/// The first track that one side does not show, or that holds something else.
fn tracks([one, other]: &[View; 2], values: bool) -> Option<(Seeing, usize)> {
    one.tracks.iter().enumerate().find_map(|(nth, track)| {
        let others = same(&other.tracks, nth, |it| it.name == track.name)?;
        let mut both = track.values.iter().zip(&others.values);
        let seen = both.find(|(a, b)| a.is_some() != b.is_some());
        let seen = seen.map(|(a, _)| (Seeing::Place(track.name.clone()), usize::from(a.is_none())));
        let otherwise = || (Seeing::Value(track.name.clone()), 1);
        seen.or_else(|| (values && track.values != others.values).then(otherwise))
    })
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
