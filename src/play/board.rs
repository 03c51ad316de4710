//! A position as text, drawn from what a viewer sees: no game has a picture of its own.

use crate::model::text::{Form, spelt};
use std::collections::{BTreeMap, BTreeSet};

use super::aspect::Aspect;
use super::entries::{counted, has_words, split_words, wrapped};
use super::part::{Part, named};
use super::picture;
use super::squares::squared;
use super::tableau::{BETWEEN, Drawn, index_of};
use crate::engine::text::{members, print_index, print_lying, print_set, print_sign, print_value};
use crate::engine::{PlaceView, Seen, TrackValue, View};
use crate::model::{
    Base, DomainId, DomainKind, Field, Game, NONE, Shape, Track, Type, Zone, ZoneId, ZoneKind,
};

/// Places and values that are listed one by one, up to here; of more, only what is not empty.
pub(super) const FEW: usize = 8;
/// What stands for a value that the viewer does not see.
pub(crate) const UNSEEN: &str = "?";
/// Where lines are broken that are read on no terminal.
pub const WIDTH: usize = 96;

/// Lists what a viewer sees, as address and plain value: `field[a1]`, `Ks`. Of a plane and of the parts
/// on it, only places that hold something.
pub fn facts(game: &Game, view: &View) -> Vec<(String, String)> {
    let artist = Artist {
        game,
        form: Form::Plain,
        width: WIDTH,
    };
    let mut facts = Vec::new();
    for (number, zone) in game.zones.iter().enumerate() {
        if let Some(places) = artist.sparse(view, number, zone) {
            let told = places.map(|place| {
                let what = artist.what(zone, place);
                (format!("{}[{}]", zone.name, place.at), what)
            });
            facts.extend(told);
            continue;
        }
        for place in 0..artist.n_places(&zone.index) {
            let what = artist.place(view, number, zone, place);
            facts.push((artist.address(&zone.name, &zone.index, place), what));
        }
    }
    for (number, track) in game.tracks.iter().enumerate() {
        for (at, value) in artist.track(view, number, track).into_iter().enumerate() {
            facts.push((artist.address(&track.name, &track.index, at), value));
        }
    }
    facts
}

/// Draws zones and tracks: boards as boards, everything else as lists; in plain form a fact on each
/// line, without what is empty. What is drawn already is left out, but not of the facts.
pub fn draw(game: &Game, view: &View, drawn: &Drawn, plain: bool, width: usize) -> String {
    if plain {
        let facts = facts(game, view)
            .into_iter()
            .filter(|(_, what)| !what.is_empty());
        return facts
            .map(|(address, what)| format!("{address}: {what}\n"))
            .collect();
    }
    let parts = parts(game, view, drawn, width);
    parts.iter().map(Part::written).collect()
}

/// Zones and tracks for people, part by part; what is drawn already is left out.
#[must_use]
pub fn parts(game: &Game, view: &View, drawn: &Drawn, width: usize) -> Vec<Part> {
    let artist = Artist {
        game,
        form: Form::Signs,
        width,
    };
    let mut parts = Vec::new();
    let mut mapped = mapped_by_name(game);
    for (number, zone) in game.zones.iter().enumerate() {
        if drawn.zones.contains(&number) {
            continue;
        }
        if let Some(places) = artist.sparse(view, number, zone) {
            let land = artist.land(zone, &places.collect::<Vec<_>>());
            parts.extend(land);
            continue;
        }
        let name = &spelt(&zone.name);
        let places: Vec<String> = (0..artist.n_places(&zone.index))
            .map(|place| artist.place(view, number, zone, place))
            .collect();
        let aspect = Aspect::of_zone(number);
        if let Some(list) = artist.on_map(name, &zone.index, &places, &mut mapped) {
            parts.push(named(name, list));
        } else if let Some(mut boards) = artist.pictures(name, &zone.index, &places, &aspect) {
            parts.append(&mut boards);
        } else {
            let list = artist.list(name, &zone.index, &places);
            parts.push(named(name, list));
        }
    }
    let mut scalars = Vec::new();
    for (number, track) in game.tracks.iter().enumerate() {
        if drawn.tracks.contains(&number) {
            continue;
        }
        let name = &spelt(&track.name);
        let values = artist.track(view, number, track);
        if track.index.is_empty() {
            scalars.extend(
                values
                    .first()
                    .filter(|it| !it.is_empty())
                    .map(|value| (name.clone(), format!("{name} {value}"))),
            );
        } else if let Some(list) = artist.on_map(name, &track.index, &values, &mut mapped) {
            parts.push(named(name, list));
        } else if let Some(mut boards) =
            artist.pictures(name, &track.index, &values, &Aspect::default())
        {
            if values.iter().any(|value| !value.is_empty()) {
                parts.append(&mut boards);
            }
        } else if track.ty.base == Base::Bool {
            let truths = artist.truths(name, &track.index, &values);
            parts.push(named(name, truths));
        } else {
            let list = artist.list(name, &track.index, &values);
            parts.push(named(name, list));
        }
    }
    parts.push(Part::Values {
        words: scalars,
        width,
    });
    parts
}

/// The spaces over which something is drawn by a name that a rulebook gives.
fn mapped_by_name(game: &Game) -> BTreeSet<DomainId> {
    let shown = game.shown.iter().filter(|it| !it.label.is_empty());
    let index = shown.filter_map(|it| index_of(game, it));
    index
        .filter_map(|it| it.first().filter(|_| it.len() == 1).copied())
        .collect()
}

/// What a viewer sees at a place, in words; empty where nothing lies.
pub fn seen_at(game: &Game, view: &View, zone: ZoneId, index: &[usize], form: Form) -> String {
    let artist = Artist {
        game,
        form,
        width: WIDTH,
    };
    let zones = game
        .zones
        .get(zone.index())
        .zip(view.zones.get(zone.index()));
    let place = zones.and_then(|(zone, seen)| {
        let place = seen.places.iter().find(|place| place.index == index)?;
        Some(artist.what(zone, place))
    });
    place.unwrap_or_default()
}

/// So many that are not known are drawn one by one beside those that are.
const FEW_UNKNOWN: usize = 3;

/// How many there are, where nothing is seen of what lies or holds at many places.
pub(super) fn unseen(cells: &[String]) -> Option<String> {
    let is_unseen = cells.len() > FEW_UNKNOWN && cells.iter().all(|it| it == UNSEEN);
    is_unseen.then(|| format!("{} hidden", cells.len()))
}

pub(super) struct Artist<'a> {
    pub(super) game: &'a Game,
    pub(super) form: Form,
    /// Where lines are broken.
    pub(super) width: usize,
}

impl Artist<'_> {
    pub(super) fn n_places(&self, index: &[DomainId]) -> usize {
        let size = |id: &DomainId| self.game.domains.get(id.index()).map_or(0, |it| it.size);
        index
            .iter()
            .map(size)
            .try_fold(1_u64, u64::checked_mul)
            .map_or(0, |it| it.min(65_536) as usize)
    }

    fn value(&self, ty: Type, value: i64) -> String {
        print_value(self.game, ty, value, self.form)
    }

    /// The places of a zone of which only the filled ones are told.
    pub(super) fn sparse<'v>(
        &self,
        view: &'v View,
        number: usize,
        zone: &Zone,
    ) -> Option<impl Iterator<Item = &'v PlaceView>> {
        let [space] = zone.index.as_slice() else {
            return None;
        };
        match &self.game.domains.get(space.index())?.kind {
            DomainKind::Space {
                shape: Shape::Plane { .. } | Shape::Parts { .. },
                ..
            } => Some(view.zones.get(number)?.places.iter()),
            _ => None,
        }
    }

    /// A zone over a plane as a board of what lies there, over its parts as a list.
    fn land(&self, zone: &Zone, places: &[&PlaceView]) -> Option<Part> {
        let name = &spelt(&zone.name);
        let span =
            zone.index
                .first()
                .and_then(|it| match &self.game.domains.get(it.index())?.kind {
                    DomainKind::Space {
                        shape: Shape::Plane { span, .. },
                        ..
                    } => Some(i64::from(*span)),
                    _ => None,
                });
        let Some(span) = span else {
            let told = |it: &&PlaceView| format!("{} {}", it.at, self.what(zone, it));
            let told: Vec<String> = places.iter().map(told).collect();
            let list = wrapped(&format!("{name}  "), &told, BETWEEN, self.width);
            return Some(named(name, list));
        };
        let cells: BTreeMap<(i64, i64), String> = places
            .iter()
            .filter_map(|it| {
                let spot = picture::spot_of(*it.index.first()?, span);
                Some((spot, self.what(zone, it)))
            })
            .collect();
        let xs = cells.keys().map(|it| it.0);
        let ys = cells.keys().map(|it| it.1);
        let ends = (xs.clone().min(), xs.max(), ys.clone().min(), ys.max());
        let (Some(left), Some(right), Some(bottom), Some(top)) = ends else {
            return None;
        };
        let columns: Vec<i64> = (left..=right).collect();
        let labels: Vec<String> = columns.iter().map(ToString::to_string).collect();
        let rows: Vec<(String, Vec<&str>)> = (bottom..=top)
            .rev()
            .map(|y| {
                let row = columns.iter();
                let row = row.map(|x| cells.get(&(*x, y)).map_or("", String::as_str));
                (y.to_string(), row.collect())
            })
            .collect();
        Some(squared(name, &labels, &rows))
    }

    /// What lies at a place; empty if nothing does. Of a pile the topmost is last.
    pub(super) fn place(&self, view: &View, number: usize, zone: &Zone, place: usize) -> String {
        let seen = view
            .zones
            .get(number)
            .and_then(|zone| zone.places.get(place));
        seen.map_or_else(String::new, |seen| self.what(zone, seen))
    }

    pub(super) fn what(&self, zone: &Zone, seen: &PlaceView) -> String {
        let component = Type::of(Base::Elem(zone.component));
        let unknown = seen
            .seen
            .iter()
            .filter(|it| matches!(it, Seen::Unknown))
            .count();
        let mut known = seen.seen.iter().filter_map(|it| match it {
            Seen::Known(value) => Some(*value),
            Seen::Unknown => None,
        });
        let kinds = self
            .game
            .domains
            .get(zone.component.index())
            .map_or(0, |it| it.size);
        if zone.kind == ZoneKind::One {
            let mut words =
                print_lying(self.game, zone, known.next_back(), &seen.fields, self.form);
            words.extend((unknown > 0).then(|| String::from("?")));
            return words.join("/");
        }
        let mut words = Vec::new();
        if kinds == 1 {
            // Where all components are alike, their number says everything.
            let count = known.count();
            words.extend((count > 0).then(|| count.to_string()));
        } else {
            let names: Vec<String> = if zone.kind == ZoneKind::Bag {
                let mut copies = BTreeMap::new();
                known.for_each(|value| *copies.entry(value).or_insert(0_usize) += 1);
                let counted = |(value, n)| counted(self.value(component, value), n, self.form);
                copies.into_iter().flat_map(counted).collect()
            } else {
                known.map(|value| self.value(component, value)).collect()
            };
            let long = has_words(&names);
            words.push(names.join(if long { ", " } else { " " }));
            words.retain(|it| !it.is_empty());
        }
        if unknown > FEW_UNKNOWN || unknown > 0 && words.is_empty() {
            words.push(format!("{unknown} hidden"));
        } else if unknown > 0 && self.form == Form::Spoken {
            return format!("{}, {unknown} hidden", words.join(" "));
        } else {
            // Beside what is known.
            words.extend(std::iter::repeat_n(String::from("?"), unknown));
        }
        words.join(" ")
    }

    /// The values of a track; empty where they are not worth a word, or where none of them is seen.
    pub(super) fn track(&self, view: &View, number: usize, track: &Track) -> Vec<String> {
        let values = self.values(view, number, track);
        let is_shown = values.iter().any(Option::is_some);
        let unseen = if is_shown { UNSEEN } else { "" };
        let values = values.into_iter();
        values
            .map(|it| it.unwrap_or_else(|| unseen.to_owned()))
            .collect()
    }

    /// The values of a track; empty where they are not worth a word, none where they are not seen.
    pub(super) fn values(&self, view: &View, number: usize, track: &Track) -> Vec<Option<String>> {
        let n_values = self.n_places(&track.index);
        let values = view
            .tracks
            .get(number)
            .map_or(&[][..], |track| track.values.as_slice());
        // Where nothing may stand, 0 is something.
        let dull = |value: i64| n_values > FEW && value == if track.ty.optional { NONE } else { 0 };
        let on_board = self.is_over_space(&track.index);
        let word = |value: &TrackValue| match value {
            TrackValue::Scalar(value) if dull(*value) => String::new(),
            TrackValue::Scalar(value) if on_board => {
                print_sign(self.game, track.ty, *value, self.form)
            }
            TrackValue::Scalar(value) => self.value(track.ty, *value),
            TrackValue::Set(words) => self.set(track.ty, words),
        };
        values
            .iter()
            .map(|value| value.as_ref().map(word))
            .collect()
    }

    fn is_over_space(&self, index: &[DomainId]) -> bool {
        let [only] = index else {
            return false;
        };
        let space = self.game.domains.get(only.index());
        space.is_some_and(|it| matches!(it.kind, DomainKind::Space { .. }))
    }

    /// A set: its members if they are few, else how many there are.
    fn set(&self, ty: Type, words: &[u64]) -> String {
        let Base::Set(domain) = ty.base else {
            return String::new();
        };
        match members(words).count() {
            0 => String::new(),
            n if n <= FEW => print_set(self.game, domain, words, self.form),
            n => {
                let name = self
                    .game
                    .domains
                    .get(domain.index())
                    .map_or("", |it| it.name.as_str());
                format!("{{{n} of {name}}}")
            }
        }
    }

    /// What stands at a coordinate.
    pub(super) fn axis_label(&self, axis: &Field, at: u64) -> String {
        let at = i64::try_from(at).unwrap_or(0);
        match axis.ty.base {
            Base::Int(least, _) => (least + at).to_string(),
            _ => self.value(axis.ty, at),
        }
    }

    /// A line for each place, or for each that is not empty where there are many.
    fn list(&self, name: &str, index: &[DomainId], places: &[String]) -> String {
        if places.iter().all(String::is_empty) {
            return String::new();
        }
        if index.is_empty() {
            return wrapped(&format!("{name}  "), &split_words(places), " ", self.width);
        }
        // Of what belongs to seats it is told how much each has.
        let is_of_seats = index.len() > 1 && index.first() == Some(&self.game.seat);
        if let Some(hidden) = unseen(places).filter(|_| !is_of_seats) {
            return format!("{name}  {hidden}\n");
        }
        if let [first, rest @ ..] = index
            && !rest.is_empty()
            && places.len() > FEW
        {
            let each = places.chunks(self.n_places(rest).max(1)).enumerate();
            let lists = each.map(|(at, places)| {
                let of = self.index_name(std::slice::from_ref(first), at);
                self.list(&format!("{name} {of}"), rest, places)
            });
            return lists.collect();
        }
        let named = places
            .iter()
            .enumerate()
            .filter(|(_, what)| places.len() <= FEW || !what.is_empty());
        let short = places.iter().all(|what| what.chars().count() <= 12);
        let entry = |(at, what): (usize, &String)| {
            let what = if what.is_empty() { "-" } else { what };
            (self.index_name(index, at), what.to_owned())
        };
        let named: Vec<(String, String)> = named.map(entry).collect();
        let words = named.iter().map(|(at, what)| format!("{at} {what}"));
        let between = if self.form.is_plain() { "; " } else { BETWEEN };
        let one = wrapped(
            &format!("{name}  "),
            &words.collect::<Vec<_>>(),
            between,
            self.width,
        );
        if short {
            return one;
        }
        let lines = named.into_iter().map(|(at, what)| {
            let title = format!("{name} {at}  ");
            wrapped(&title, &split_words(&[what]), " ", self.width)
        });
        let lines: String = lines.collect();
        // Each has a line of its own, unless that takes more of them.
        match one.lines().count() < lines.lines().count() {
            true => one,
            false => lines,
        }
    }

    /// A line with those of which something is true, or may be.
    pub(super) fn truths(&self, name: &str, index: &[DomainId], values: &[String]) -> String {
        let holds = values.iter().enumerate().filter_map(|(at, value)| {
            let place = self.index_name(index, at);
            match value.as_str() {
                "true" => Some(place),
                UNSEEN => Some(format!("{place} {UNSEEN}")),
                _ => None,
            }
        });
        let holds: Vec<String> = holds.collect();
        let between = if self.form.is_plain() { "; " } else { BETWEEN };
        wrapped(&format!("{name}  "), &holds, between, self.width)
    }

    /// A place or value as it would be written: `hand[south]`.
    fn address(&self, name: &str, index: &[DomainId], at: usize) -> String {
        match self.index_name(index, at) {
            place if place.is_empty() => name.to_owned(),
            place => format!("{name}[{place}]"),
        }
    }

    /// The index of a place, as it would be written: `south`, `a1, 3`.
    pub(super) fn index_name(&self, index: &[DomainId], place: usize) -> String {
        print_index(self.game, index, place, self.form)
    }
}
