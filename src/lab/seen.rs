//! Two views of one seat, held against each other.

use std::collections::{BTreeMap, BTreeSet};

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
            let differs = |own: &PlaceView, other: &PlaceView| {
                let is_same = match alike {
                    true => own.seen == other.seen && own.fields == other.fields,
                    false => self.named(0, nth, own) == self.named(1, at, other),
                };
                (!is_same).then_some(())
            };
            Some(written(&zone.name, met(zone, others, &differs)?.0))
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

    /// The first place of a zone that both have of which one side shows more.
    pub(super) fn places(&self, [one, other]: &[View; 2]) -> Option<(Seeing, usize)> {
        one.zones.iter().zip(&self.zones).find_map(|(zone, there)| {
            let others = other.zones.get((*there)?.0)?;
            let (at, by) = met(zone, others, &more_seen)?;
            Some((Seeing::Place(written(&zone.name, at)), by))
        })
    }

    /// The first track that one side does not show.
    pub(super) fn tracks(&self, [one, other]: &[View; 2]) -> Option<(Seeing, usize)> {
        one.tracks
            .iter()
            .zip(&self.tracks)
            .find_map(|(track, there)| {
                let others = other.tracks.get((*there)?.0)?;
                let mut both = track.values.iter().zip(&others.values);
                let (a, _) = both.find(|(a, b)| a.is_some() != b.is_some())?;
                Some((Seeing::Place(track.name.clone()), usize::from(a.is_none())))
            })
    }

    /// The first track or zone that only one side has on the table: what its rules keep off it (`hide`) is not there.
    pub(super) fn alone(&self, [one, other]: &[View; 2]) -> Option<(Seeing, usize)> {
        [(one, 0), (other, 1)].into_iter().find_map(|(own, by)| {
            let shown = &self.games[by].shown;
            let is_hidden = |what| {
                let mut shown = shown.iter();
                shown.any(|it| it.what == what && it.label.is_empty())
            };
            let has_one = |list: &[Option<(usize, bool)>], nth: u32| match by {
                0 => list.get(nth as usize).is_some_and(Option::is_none),
                _ => !list.iter().flatten().any(|it| it.0 == nth as usize),
            };
            let mut tracks = (0..).zip(&own.tracks);
            let track = tracks.find(|(id, track)| {
                has_one(&self.tracks, *id)
                    && track.values.iter().any(Option::is_some)
                    && !is_hidden(ShownWhat::Track(TrackId(*id)))
            });
            let mut zones = (0..).zip(&own.zones);
            let mut zone = || {
                zones.find(|(id, zone)| {
                    let mut seen = zone.places.iter().flat_map(|it| &it.seen);
                    has_one(&self.zones, *id)
                        && seen.any(|it| *it != Seen::Unknown)
                        && !is_hidden(ShownWhat::Zone(ZoneId(*id)))
                })
            };
            let name = track.map(|(_, it)| &it.name);
            let name = name.or_else(|| zone().map(|(_, it)| &it.name))?;
            Some((Seeing::Track(name.clone()), by))
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

/// A zone and its place, in plain letters.
pub(super) fn written(zone: &str, at: &str) -> String {
    match at.is_empty() {
        true => zone.to_owned(),
        false => format!("{zone}[{at}]"),
    }
}

/// The first place of a zone at which something is found in what lies there on either side, which may be nothing.
fn met<'v, T>(
    one: &'v ZoneView,
    other: &'v ZoneView,
    find: &dyn Fn(&PlaceView, &PlaceView) -> Option<T>,
) -> Option<(&'v str, T)> {
    let nothing = PlaceView::default();
    let names = |it: &'v ZoneView| it.places.iter().map(|it| it.at.as_str());
    // Places of the same zone mostly come in the same order.
    if names(one).eq(names(other)) {
        let mut both = one.places.iter().zip(&other.places);
        return both.find_map(|(a, b)| Some((a.at.as_str(), find(a, b)?)));
    }
    let by_name = |it: &'v ZoneView| -> BTreeMap<&'v str, &'v PlaceView> {
        it.places.iter().map(|it| (it.at.as_str(), it)).collect()
    };
    let [a, b] = [one, other].map(by_name);
    let all: BTreeSet<&str> = a.keys().chain(b.keys()).copied().collect();
    all.into_iter().find_map(|at| {
        let [a, b] = [&a, &b].map(|it| it.get(at).copied().unwrap_or(&nothing));
        Some((at, find(a, b)?))
    })
}

/// The side that knows a greater part of what lies at a place, where something does on both.
fn more_seen(one: &PlaceView, other: &PlaceView) -> Option<usize> {
    let unknown = |it: &PlaceView| it.seen.iter().filter(|it| **it == Seen::Unknown).count();
    if one.seen.is_empty() || other.seen.is_empty() {
        return None;
    }
    let shares = [(one, other), (other, one)];
    let [a, b] = shares.map(|(own, all)| unknown(own) * all.seen.len());
    (a != b).then(|| usize::from(a > b))
}
