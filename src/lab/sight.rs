//! Who sees what under two rule sets that have come by the same choices.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::carried::Carrier;
use super::step::Pair;
use crate::engine::text::print_value;
use crate::engine::{Happened, Program, View, Viewer, of_value};
use crate::model::text::Form;
use crate::model::{Base, DomainId, Game, Type, Visibility};

/// Choices of a game at which sights are compared, and its end besides.
pub(super) const MOST_LOOKS: u64 = 100;
/// Games, from the first one on, in which they mostly are.
pub const LOOKED_GAMES: u64 = 20;

/// What was compared of what seats see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sights {
    /// Choices and ends at which it was compared.
    pub looked: u64,
    /// Those at which somebody sees or knows something else.
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
    /// A track or zone that only one side has.
    Track(String),
    /// A track, or a zone and its place, that is not the same on both sides.
    Value(String),
    /// What it is shown, or what comes by, on one side alone since the last choice, and is out of sight again: what it is
    /// of, and its kind in plain letters.
    Moment(String, String),
    /// What it is told on one side alone since the last choice.
    Told(String),
    /// A move that both offer, as either writes it.
    Words([String; 2]),
}

/// How many copies a seat knows, by what stands for their kind, and the kind itself.
type Copies = BTreeMap<(String, u64), (u64, (DomainId, i64))>;

/// Whether a rule set hides anything from anybody.
#[must_use]
pub fn hides(program: &Program) -> bool {
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
    /// lacks; what lies or stands there otherwise; what was seen or told on the way from the last choice; moves that are
    /// written otherwise. What the other one lacks comes last: it may be no more than what a rule counts for itself.
    #[must_use]
    pub fn sighting(&mut self) -> Option<Sighting> {
        let views: Vec<[View; 2]> = self.seats().map(|seat| self.views(seat)).collect();
        let each = || (0..).zip(&views);
        let told = |seat, (what, by)| Sighting { seat, what, by };
        let more = each().find_map(|(seat, views)| {
            let found = self.shared.places(views).or_else(|| self.copies(seat));
            Some(told(seat, found.or_else(|| self.shared.tracks(views))?))
        });
        let otherwise = || {
            each().find_map(|(seat, views)| {
                let what = self.shared.otherwise(views).map(Seeing::Value)?;
                Some(told(seat, (what, 1)))
            })
        };
        let found = more.or_else(otherwise).or_else(|| self.passing());
        if found.is_some() {
            return found;
        }
        if let Some(seat) = self.chooser()
            && let Some(words) = self.reworded()
        {
            return Some(told(seat, (Seeing::Words(words), 1)));
        }
        each().find_map(|(seat, views)| Some(told(seat, self.shared.alone(views)?)))
    }

    /// The seats that both have.
    fn seats(&self) -> Range<u32> {
        let seats = self.sides.each_ref();
        let seats = seats.map(|it| it.machine.program().game.n_seats);
        0..seats[0].min(seats[1])
    }

    /// What a seat was shown or told on one side alone since the last choice.
    pub(super) fn passing(&self) -> Option<Sighting> {
        if !self.hides {
            return None;
        }
        self.seats().find_map(|seat| {
            let shown = [0, 1].map(|side| self.shown(side, seat));
            let names = shown.each_ref().map(|it| it.keys().cloned().collect());
            let shown = only(&names).and_then(|(name, by)| {
                let (of, kind) = shown[by].get(&name)?;
                let (of, kind) = printed(&self.sides[by].machine.program().game, *of, *kind);
                Some((Seeing::Moment(of, kind), by))
            });
            let told = || {
                let told = [0, 1].map(|side| self.told(side, seat));
                only(&told).map(|(words, by)| (Seeing::Told(words), by))
            };
            let (what, by) = shown.or_else(told)?;
            Some(Sighting { seat, what, by })
        })
    }

    /// What a seat saw come or was shown since the last choice, by what it is of and its kind.
    fn shown(&self, side: usize, seat: u32) -> BTreeMap<(String, u64), (DomainId, i64)> {
        let machine = &self.sides[side].machine;
        let game = &*machine.program().game;
        let events = machine.happened().iter();
        let seen = events.filter(|it| match it.what {
            Happened::Laid => it.is_seen_by_rule(game, seat),
            Happened::Shown(who) => who.is_none_or(|it| it == seat),
            Happened::Taken | Happened::Forgotten(_) | Happened::Poured { .. } => false,
        });
        let kinds = seen.filter_map(|it| {
            let of = game.zones.get(it.zone.index())?.component;
            Some((named(game, of, it.kind), (of, it.kind)))
        });
        kinds.collect()
    }

    /// What a seat was told since the last choice, but for what explains a change that it sees.
    fn told(&self, side: usize, seat: u32) -> BTreeSet<String> {
        let told = self.sides[side].machine.heard().iter();
        let told = told.filter(|it| it.of.is_none());
        told.filter_map(|it| it.heard_by(seat, Form::Plain))
            .collect()
    }

    fn views(&self, seat: u32) -> [View; 2] {
        let sides = self.sides.each_ref();
        sides.map(|it| it.machine.view(Viewer::Seat(seat)))
    }

    /// What a seat knows more copies of.
    fn copies(&self, seat: u32) -> Option<(Seeing, usize)> {
        let [one, other] = self.sides.each_ref().map(|side| {
            let game = &*side.machine.program().game;
            let known = side.machine.known(Viewer::Seat(seat)).into_iter();
            let copies = known.map(|((of, kind), n)| (named(game, of, kind), (n, (of, kind))));
            copies.collect::<BTreeMap<_, _>>()
        });
        let lacks = |it: &Copies, all: &Copies, by: usize| {
            let mut kinds = all.iter();
            let found = kinds.find(|(name, (n, _))| it.get(*name).is_none_or(|own| own.0 < *n));
            let (_, (_, (of, kind))) = found?;
            let (of, kind) = printed(&self.sides[by].machine.program().game, *of, *kind);
            Some((Seeing::Kind(of, kind), by))
        };
        lacks(&one, &other, 1).or_else(|| lacks(&other, &one, 0))
    }
}

/// What stands for a kind of component in all rule sets.
fn named(game: &Game, of: DomainId, kind: i64) -> (String, u64) {
    let name = game.domains.get(of.index());
    let name = name.map_or_else(String::new, |it| it.name.clone());
    (name, of_value(game, Type::of(Base::Elem(of)), kind))
}

/// What a component is, and its kind in plain letters.
fn printed(game: &Game, of: DomainId, kind: i64) -> (String, String) {
    let kind = print_value(game, Type::of(Base::Elem(of)), kind, Form::Plain);
    let of = game.domains.get(of.index());
    (of.map_or_else(String::new, |it| it.name.clone()), kind)
}

/// The first that only one of two sets has, and which one.
fn only<T: Ord + Clone>([one, other]: &[BTreeSet<T>; 2]) -> Option<(T, usize)> {
    let more = other.difference(one).next().map(|it| (it, 1));
    let (it, by) = more.or_else(|| one.difference(other).next().map(|it| (it, 0)))?;
    Some((it.clone(), by))
}
