//! What somebody sees of a position: plain data.

use crate::model::text::Form;
use std::collections::BTreeMap;

use serde::Serialize;

use super::layout::{Store, TrackSlot, ZoneSlot};
use super::machine::{Event, Machine, Status};
use super::memory::{Memory, at};
use super::text::{print_index, split_index};
use crate::model::{DomainId, DomainKind, Game, Shape, Track, Visibility, Zone, ZoneId};

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Viewer {
    /// A seat: sees what is open, its own, and what it was shown.
    Seat(u32),
    /// Sees everything.
    Referee,
}

impl Viewer {
    /// A seat that is none of the game's: it sees what everybody does.
    pub const NOBODY: Self = Self::Seat(Self::NO_SEAT);
    /// The number of no seat.
    pub const NO_SEAT: u32 = u32::MAX;
}

/// A position as somebody sees it. Equal views give the viewer no means to tell positions apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// Who looks.
    pub viewer: Viewer,
    /// The seat that must choose; none when the game is over.
    pub chooser: Option<u32>,
    /// Where several choose at the same time: the seats that have chosen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chosen: Vec<u32>,
    /// By zone, in the order of the game.
    pub zones: Vec<ZoneView>,
    /// By track, in the order of the game.
    pub tracks: Vec<TrackView>,
}

/// A zone as somebody sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ZoneView {
    /// As written.
    pub name: String,
    /// By place, in the order of the index; over a plane and over the parts on it, only the places
    /// that hold something.
    pub places: Vec<PlaceView>,
}

/// A place of a zone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PlaceView {
    /// Its index, printed in plain form; empty for a single place.
    pub at: String,
    /// The element of each domain of its index, counted from 0.
    pub index: Vec<usize>,
    /// For a place on a part of what lies on a plane: the spot where that lies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spot: Option<usize>,
    /// One entry for each component. In a pile: the unordered ones by kind, then the ordered ones,
    /// the topmost last.
    pub seen: Vec<Seen>,
    /// How many of the last entries are known in their order.
    pub ordered: usize,
    /// Values of the fields of the place, where it is filled and seen.
    #[serde(serialize_with = "written::all")]
    pub fields: Vec<i64>,
}

/// How many copies of each component somebody sees.
///
/// A component that only moves from one visible place to another adds no copy, so a greater count is
/// what somebody has newly seen.
pub type Known = BTreeMap<(DomainId, i64), u64>;

/// A component as somebody sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Seen {
    /// Its kind: an element of the zone's component.
    Known(i64),
    /// It is there, but the viewer does not know which one it is.
    Unknown,
}

/// A track as somebody sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TrackView {
    /// As written.
    pub name: String,
    /// By place, in the order of the index; none where the viewer does not see it.
    pub values: Vec<Option<TrackValue>>,
}

/// A value of a track.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum TrackValue {
    /// A number, truth value or element as `model` defines it.
    Scalar(#[serde(serialize_with = "written::one")] i64),
    /// A set: one bit for each element of its domain.
    Set(Vec<u64>),
}

/// How values are written out: where none stands, as that word.
mod written {
    use serde::{Serialize, Serializer};

    use crate::model::NONE;

    #[derive(Serialize)]
    #[serde(untagged)]
    enum Written {
        Value(i64),
        Word(&'static str),
    }

    fn of(value: i64) -> Written {
        match value {
            NONE => Written::Word("none"),
            _ => Written::Value(value),
        }
    }

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "the form that serde calls"
    )]
    pub(super) fn one<S: Serializer>(value: &i64, to: S) -> Result<S::Ok, S::Error> {
        of(*value).serialize(to)
    }

    pub(super) fn all<S: Serializer>(values: &[i64], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(values.iter().map(|it| of(*it)))
    }
}

/// Whether somebody sees what lies at a place, not counting what was shown.
pub(super) fn may_see(visibility: Visibility, index: &[usize], viewer: Viewer) -> bool {
    let Viewer::Seat(seat) = viewer else {
        return true;
    };
    match visibility {
        Visibility::Open => true,
        Visibility::Hidden => false,
        Visibility::Owner(at) => index.get(at).is_some_and(|own| *own == seat as usize),
        // What all but one see is not seen by everybody.
        Visibility::Others(at) => {
            viewer != Viewer::NOBODY && index.get(at).is_some_and(|own| *own != seat as usize)
        }
    }
}

impl Event {
    /// The element of each domain of the place's index, counted from 0.
    #[must_use]
    pub fn index(&self, game: &Game) -> Vec<usize> {
        let zone = game.zones.get(self.zone.index());
        zone.map_or_else(Vec::new, |it| split_index(game, &it.index, self.place))
    }

    /// Whether a seat sees what lies at the place, not counting what was shown.
    #[must_use]
    pub fn is_seen_by_rule(&self, game: &Game, seat: u32) -> bool {
        let zone = game.zones.get(self.zone.index());
        zone.is_some_and(|it| may_see(it.visibility, &self.index(game), Viewer::Seat(seat)))
    }
}

impl ZoneSlot {
    /// Whether a viewer knows which components lie at a place.
    pub(super) fn seen_by(
        &self,
        game: &Game,
        zone: &Zone,
        mem: &Memory,
        place: usize,
        viewer: Viewer,
    ) -> bool {
        let index = split_index(game, &zone.index, place);
        let shown = match viewer {
            // Nothing was ever shown to nobody.
            Viewer::Seat(seat) => seat < game.n_seats && self.knows(mem, place, seat as usize),
            Viewer::Referee => true,
        };
        shown || may_see(zone.visibility, &index, viewer)
    }
}

/// The shape of the space over which a zone lies.
fn shape_under<'g>(game: &'g Game, zone: &Zone) -> Option<&'g Shape> {
    let [space] = zone.index.as_slice() else {
        return None;
    };
    match &game.domains.get(space.index())?.kind {
        DomainKind::Space { shape, .. } => Some(shape),
        _ => None,
    }
}

impl TrackSlot {
    /// The value of a track.
    pub(super) fn read(&self, mem: &Memory, place: usize) -> TrackValue {
        let words = usize::from(self.set_words);
        if words == 0 {
            return TrackValue::Scalar(self.array.get(mem, place));
        }
        let word = |w: usize| mem[at(self.array.base, place * words + w)];
        TrackValue::Set((0..words).map(word).collect())
    }
}

impl Machine<'_> {
    /// The position as somebody sees it.
    #[must_use]
    pub fn view(&self, viewer: Viewer) -> View {
        let (game, layout) = (&*self.program.game, &self.program.layout);
        View {
            viewer,
            chooser: match self.status() {
                Status::Choice { seat } => Some(seat),
                Status::Ended => None,
            },
            chosen: self.pending().into_iter().map(|(seat, _)| seat).collect(),
            zones: game
                .zones
                .iter()
                .zip(&layout.zones)
                .zip(0..)
                .map(|((zone, slot), id)| self.zone_view(ZoneId(id), zone, slot, viewer))
                .collect(),
            tracks: game
                .tracks
                .iter()
                .zip(&layout.tracks)
                .map(|(track, slot)| self.track_view(track, slot, viewer))
                .collect(),
        }
    }

    /// How many copies of each component somebody sees, wherever they lie.
    #[must_use]
    pub fn known(&self, viewer: Viewer) -> Known {
        let (game, layout) = (&*self.program.game, &self.program.layout);
        let mut known = Known::new();
        for (at, (zone, slot)) in game.zones.iter().zip(&layout.zones).enumerate() {
            let id = ZoneId(u32::try_from(at).unwrap_or(u32::MAX));
            for place in self.places_of(zone, slot) {
                if slot.size(&self.mem, place) == 0 {
                    continue;
                }
                if !slot.seen_by(game, zone, &self.mem, place, viewer) {
                    let certain = self.knowledge.at(viewer, id, place).into_iter().flatten();
                    for (kind, n) in certain {
                        *known.entry((zone.component, *kind)).or_default() += n;
                    }
                    continue;
                }
                let mut place_view = PlaceView::default();
                self.known_place(slot, place, &mut place_view);
                for seen in place_view.seen {
                    if let Seen::Known(value) = seen {
                        *known.entry((zone.component, value)).or_default() += 1;
                    }
                }
            }
        }
        known
    }

    fn zone_view(&self, id: ZoneId, zone: &Zone, slot: &ZoneSlot, viewer: Viewer) -> ZoneView {
        let game = &*self.program.game;
        let places = self.places_of(zone, slot).into_iter().map(|place| {
            let mut view = PlaceView {
                at: print_index(self.ground(), &zone.index, place, Form::Plain),
                index: split_index(game, &zone.index, place),
                spot: self.spot_of(zone, place),
                seen: Vec::new(),
                ordered: 0,
                fields: Vec::new(),
            };
            let count = slot.size(&self.mem, place);
            if count == 0 {
                return view;
            }
            if slot.seen_by(game, zone, &self.mem, place, viewer) {
                self.known_place(slot, place, &mut view);
            } else {
                let count = usize::try_from(count).unwrap_or(usize::MAX);
                let certain = self.knowledge.at(viewer, id, place).into_iter().flatten();
                for (kind, n) in certain {
                    let n = usize::try_from(*n).unwrap_or(0);
                    view.seen.extend(std::iter::repeat_n(Seen::Known(*kind), n));
                }
                view.seen.resize(count, Seen::Unknown);
            }
            view
        });
        ZoneView {
            name: zone.name.clone(),
            places: places.collect(),
        }
    }

    /// The places of a zone that are told of.
    fn places_of(&self, zone: &Zone, slot: &ZoneSlot) -> Vec<usize> {
        if let Store::List(list) = &slot.store {
            return list.places(&self.mem);
        }
        let all = 0..slot.places as usize;
        match shape_under(&self.program.game, zone) {
            Some(Shape::Plane { .. } | Shape::Parts { .. }) => all
                .filter(|place| slot.size(&self.mem, *place) > 0)
                .collect(),
            _ => all.collect(),
        }
    }

    /// Where the component lies on a part of which a place is.
    fn spot_of(&self, zone: &Zone, place: usize) -> Option<usize> {
        match zone.index.as_slice() {
            [space] => self.spot_of_part(*space, place),
            _ => None,
        }
    }

    /// Where the component lies that has a part, as a position in its plane; none of other spaces.
    #[must_use]
    pub fn spot_of_part(&self, space: DomainId, part: usize) -> Option<usize> {
        let domain = self.program.game.domains.get(space.index())?;
        let DomainKind::Space {
            axes,
            shape: Shape::Parts { zone, .. },
        } = &domain.kind
        else {
            return None;
        };
        let number = part as u64 / axes.first()?.stride.max(1);
        let spot = self.ground().spot(*zone, i64::try_from(number).ok()?)?;
        usize::try_from(spot).ok()
    }

    fn known_place(&self, slot: &ZoneSlot, place: usize, view: &mut PlaceView) {
        let mem = &*self.mem;
        match &slot.store {
            Store::One { .. } | Store::List(_) => {
                view.seen.push(Seen::Known(slot.peek(mem, place)));
                view.fields = slot.fields_at(mem, place);
            }
            Store::Bag(_) | Store::Pile { .. } => {
                for kind in 0..slot.kinds as usize {
                    let copies = usize::try_from(slot.loose(mem, place, kind)).unwrap_or(0);
                    let known = Seen::Known(i64::try_from(kind).unwrap_or(i64::MAX));
                    view.seen.extend(std::iter::repeat_n(known, copies));
                }
                let loose = view.seen.len();
                let ordered = slot.ordered(mem, place);
                view.seen.extend(
                    ordered.map(|kind| Seen::Known(i64::try_from(kind).unwrap_or(i64::MAX))),
                );
                view.ordered = view.seen.len() - loose;
            }
        }
    }

    fn track_view(&self, track: &Track, slot: &TrackSlot, viewer: Viewer) -> TrackView {
        let game = &*self.program.game;
        let value = |place: usize| {
            let index = split_index(game, &track.index, place);
            may_see(track.visibility, &index, viewer).then(|| slot.read(&self.mem, place))
        };
        TrackView {
            name: track.name.clone(),
            values: (0..slot.len as usize).map(value).collect(),
        }
    }
}
