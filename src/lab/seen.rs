//! Two views of one seat, held against each other.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::sight::Seeing;
use crate::engine::{PlaceView, Program, Seen, TrackValue, View, ZoneView, of_value};
use crate::model::{Base, Game, ShownWhat, TrackId, Type, ZoneId};

/// Where the zones and tracks of one rule set stand in the other one, and whether their values are called alike.
#[derive(Clone, Debug)]
pub(super) struct Shared<'p> {
    games: [&'p Game; 2],
    /// By zone of the first one.
    zones: Vec<Option<(usize, bool)>>,
    /// By track of the first one.
    tracks: Vec<Option<(usize, bool)>>,
}

impl<'p> Shared<'p> {
    pub(super) fn of(programs: [&'p Program; 2]) -> Shared<'p> {
        let games = programs.map(|it| &*it.game);
        let [one, other] = games;
        let zones = one.zones.iter().map(|zone| {
            let mut others = other.zones.iter().enumerate();
            let (at, same) = others.find(|(_, it)| it.name == zone.name)?;
            let kinds = [zone, same].map(|it| Type::of(Base::Elem(it.component)));
            let fields = zone.fields.len() == same.fields.len()
                && zone
                    .fields
                    .iter()
                    .zip(&same.fields)
                    .all(|(a, b)| a.name == b.name && are_alike(games, [a.ty, b.ty]));
            Some((at, fields && are_alike(games, kinds)))
        });
        let tracks = one.tracks.iter().map(|track| {
            let mut others = other.tracks.iter().enumerate();
            let (at, same) = others.find(|(_, it)| it.name == track.name)?;
            Some((at, are_alike(games, [track.ty, same.ty])))
        });
        Shared {
            games,
            zones: zones.collect(),
            tracks: tracks.collect(),
        }
    }

    /// The first place or track that both have in which something else lies or stands.
    pub(super) fn otherwise(&self, views: &[View; 2]) -> Option<String> {
        self.lies(views).or_else(|| self.stands(views))
    }

    fn lies(&self, [one, other]: &[View; 2]) -> Option<String> {
        let zones = one.zones.iter().zip(&self.zones).enumerate();
        zones.into_iter().find_map(|(nth, (zone, there))| {
            let (at, alike) = (*there)?;
            let others = other.zones.get(at)?;
            let is_same = |own: &PlaceView, other: &PlaceView| match alike {
                true => own.seen == other.seen && own.fields == other.fields,
                false => self.named(0, nth, own) == self.named(1, at, other),
            };
            let place = differing(zone, others, &is_same)?;
            Some(match place.is_empty() {
                true => zone.name.clone(),
                false => format!("{}[{place}]", zone.name),
            })
        })
    }

    /// What lies at a place by its names: what has no order, what has one, and the fields.
    fn named(&self, side: usize, zone: usize, place: &PlaceView) -> [Vec<u64>; 3] {
        let game = self.games[side];
        let Some(zone) = game.zones.get(zone) else {
            return Default::default();
        };
        let kind = Type::of(Base::Elem(zone.component));
        let lying = place.seen.iter().map(|it| match it {
            Seen::Known(it) => of_value(game, kind, *it),
            Seen::Unknown => 0,
        });
        let mut loose: Vec<u64> = lying.collect();
        let ordered = loose.split_off(loose.len().saturating_sub(place.ordered));
        loose.sort_unstable();
        let fields = zone.fields.iter().zip(&place.fields);
        let fields = fields.map(|(it, value)| of_value(game, it.ty, *value));
        [loose, ordered, fields.collect()]
    }

    fn stands(&self, [one, other]: &[View; 2]) -> Option<String> {
        let tracks = one.tracks.iter().zip(&self.tracks).enumerate();
        tracks.into_iter().find_map(|(nth, (track, there))| {
            let (at, alike) = (*there)?;
            let others = other.tracks.get(at)?;
            let is_same = match alike {
                true => track.values == others.values,
                false => {
                    let own = track.values.iter().map(|it| self.said(0, nth, it.as_ref()));
                    own.eq(others.values.iter().map(|it| self.said(1, at, it.as_ref())))
                }
            };
            (!is_same).then(|| track.name.clone())
        })
    }

    /// A value of a track by its names.
    fn said(&self, side: usize, track: usize, value: Option<&TrackValue>) -> Option<Vec<u64>> {
        let game = self.games[side];
        let track = game.tracks.get(track)?;
        Some(match (value?, track.ty.base) {
            (TrackValue::Set(words), Base::Set(of)) => {
                let element = Type::of(Base::Elem(of));
                let words = (0_i64..).step_by(64).zip(words);
                let members = words.flat_map(|(from, word)| {
                    let set = (0..64).filter(move |bit| word >> bit & 1 == 1);
                    set.map(move |bit| from + bit)
                });
                let mut members: Vec<u64> = members.map(|it| of_value(game, element, it)).collect();
                members.sort_unstable();
                members
            }
            (TrackValue::Scalar(value), _) => vec![of_value(game, track.ty, *value)],
            (TrackValue::Set(_), _) => Vec::new(),
        })
    }
}

/// Whether the values of two types are called alike.
fn are_alike(games: [&Game; 2], types: [Type; 2]) -> bool {
    let domain = |side: usize| match types[side].base {
        Base::Elem(of) | Base::Set(of) => games[side].domains.get(of.index()).map(|it| (of, it)),
        Base::Bool | Base::Int(..) | Base::Unit => None,
    };
    let (Some((a, one)), Some((b, other))) = (domain(0), domain(1)) else {
        return true;
    };
    let name = |side: usize, of, value| of_value(games[side], Type::of(Base::Elem(of)), value);
    let mut each = 0..i64::try_from(one.size).unwrap_or(i64::MAX);
    one.size == other.size && one.lo == other.lo && each.all(|it| name(0, a, it) == name(1, b, it))
}

/// The first place at which not the same lies.
fn differing<'v>(
    one: &'v ZoneView,
    other: &'v ZoneView,
    is_same: &dyn Fn(&PlaceView, &PlaceView) -> bool,
) -> Option<&'v str> {
    let nothing = PlaceView::default();
    let names = |it: &'v ZoneView| it.places.iter().map(|it| it.at.as_str());
    // Places of the same zone mostly come in the same order.
    if names(one).eq(names(other)) {
        let mut both = one.places.iter().zip(&other.places);
        return both
            .find(|(a, b)| !is_same(a, b))
            .map(|it| it.0.at.as_str());
    }
    let by_name = |it: &'v ZoneView| -> BTreeMap<&'v str, &'v PlaceView> {
        it.places.iter().map(|it| (it.at.as_str(), it)).collect()
    };
    let [a, b] = [one, other].map(by_name);
    let all: BTreeSet<&str> = a.keys().chain(b.keys()).copied().collect();
    all.into_iter().find(|at| {
        let [a, b] = [&a, &b].map(|it| it.get(at).copied().unwrap_or(&nothing));
        !is_same(a, b)
    })
}

/// The first place of a zone that both have of which one side shows more.
pub(super) fn places([one, other]: &[View; 2]) -> Option<(Seeing, usize)> {
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
pub(super) fn alone([one, other]: &[View; 2], games: [&Game; 2]) -> Option<(Seeing, usize)> {
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

/// The first track that one side does not show.
pub(super) fn tracks([one, other]: &[View; 2]) -> Option<(Seeing, usize)> {
    one.tracks.iter().enumerate().find_map(|(nth, track)| {
        let others = same(&other.tracks, nth, |it| it.name == track.name)?;
        let mut both = track.values.iter().zip(&others.values);
        let (a, _) = both.find(|(a, b)| a.is_some() != b.is_some())?;
        Some((Seeing::Place(track.name.clone()), usize::from(a.is_none())))
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
