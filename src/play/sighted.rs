//! What a seat sees at a moment under the names that a rulebook gives.

use std::collections::BTreeMap;

use super::board::{Artist, WIDTH};
use super::figures::main_figure;
use super::seat_name;
use crate::engine::text::print_value;
use crate::engine::{Known, Machine, Seen, TrackValue, View, Viewer};
use crate::model::text::Form;
use crate::model::{
    Base, DefineId, DomainId, DomainKind, Game, NONE, Shape, ShownWhat, TrackId, Type, Visibility,
    ZoneId, ZoneKind,
};

/// What a seat sees at a moment, as far as the rulebook names it.
pub struct Sight {
    pub(super) seat: u32,
    pub(super) view: View,
    pub(super) known: Known,
    pub(super) places: Vec<Place>,
    pub(super) values: Vec<Value>,
    /// What the game is won by, with what each seat has of it; none where nothing is, or nobody was asked for it.
    pub(super) figure: Option<(String, Vec<String>)>,
}

/// What lies at one place.
pub(super) struct Place {
    pub name: String,
    /// The zone, and its number there.
    pub of: (ZoneId, usize),
    /// Whose it is, if it is a seat's.
    pub owner: Option<u32>,
    pub component: DomainId,
    pub is_single: bool,
    /// Whether nobody sees what lies there but who was shown it.
    pub is_secret: bool,
    /// Whether everybody sees it.
    pub is_open: bool,
    /// Whether who looks sees all that lies there.
    pub is_all_seen: bool,
    pub copies: BTreeMap<i64, usize>,
    /// What lies there as it lies, where no more than one thing can; else empty.
    pub lying: String,
    /// What the board is called of which it is a place, if it is one.
    pub board: Option<String>,
}

/// A value that stands on the table.
pub(super) struct Value {
    pub name: String,
    /// Empty where it is not seen.
    pub text: String,
    pub is_bool: bool,
    /// The place of a track that it is, if it is one.
    pub of: Option<(TrackId, usize)>,
    /// The value itself, if it is seen and there is one.
    pub scalar: Option<i64>,
    /// Whether it is a number of somebody.
    pub is_count: bool,
}

/// Takes down what a seat sees, and what definitions make of it: numbers that stand on the table are told when they change, and
/// so is the figure that the game is won by.
pub fn look_at_table(machine: &mut Machine<'_>, seat: u32, form: Form) -> Sight {
    let mut sight = look(machine, seat, form);
    // What cannot be worked out now is not shown either.
    sight.figure = main_figure(machine, &sight.view).ok().flatten();
    let game = &*machine.program().game;
    let artist = Artist {
        game,
        form,
        width: WIDTH,
    };
    for shown in game.shown.iter().filter(|it| !it.label.is_empty()) {
        if let ShownWhat::Define(id) = shown.what {
            let values = &mut sight.values;
            look_at_define(machine, &artist, (seat, id), &shown.label, values);
        }
    }
    sight
}

/// Takes down what a seat sees.
pub fn look(machine: &Machine<'_>, seat: u32, form: Form) -> Sight {
    let game = &*machine.program().game;
    let view = machine.view(Viewer::Seat(seat));
    let artist = Artist {
        game,
        form,
        width: WIDTH,
    };
    let (mut places, mut values) = (Vec::new(), Vec::new());
    for shown in game.shown.iter().filter(|it| !it.label.is_empty()) {
        match shown.what {
            ShownWhat::Zone(id) => look_at_zone(&artist, &view, id, &shown.label, &mut places),
            ShownWhat::Track(id) => {
                look_at_track(&artist, &view, id.index(), &shown.label, &mut values);
            }
            ShownWhat::Define(_) | ShownWhat::Table(_) => {}
        }
    }
    Sight {
        seat,
        view,
        known: machine.known(Viewer::Seat(seat)),
        places,
        values,
        figure: None,
    }
}

fn look_at_zone(
    artist: &Artist<'_>,
    view: &View,
    zone_id: ZoneId,
    label: &str,
    places: &mut Vec<Place>,
) {
    let game = artist.game;
    let number = zone_id.index();
    let (Some(zone), Some(seen)) = (game.zones.get(number), view.zones.get(number)) else {
        return;
    };
    // Of a landscape there is a picture.
    if zone.index.iter().any(|it| is_land(game, *it)) {
        return;
    }
    let space = zone.index.first().filter(|_| zone.index.len() == 1);
    let space = space.and_then(|it| game.domains.get(it.index()));
    let is_board = space.is_some_and(|it| matches!(it.kind, DomainKind::Space { .. }));
    for (at, place) in seen.places.iter().enumerate() {
        let mut copies = BTreeMap::new();
        for seen in &place.seen {
            if let Seen::Known(kind) = seen {
                *copies.entry(*kind).or_insert(0) += 1;
            }
        }
        places.push(Place {
            of: (zone_id, at),
            name: named(artist, label, &zone.index, at),
            owner: owner_of(artist, &zone.index, at),
            component: zone.component,
            is_single: zone.kind == ZoneKind::One,
            is_secret: zone.visibility == Visibility::Hidden,
            is_open: zone.visibility == Visibility::Open,
            is_all_seen: matches!(zone.visibility, Visibility::Owner(_))
                && place.seen.iter().all(|it| matches!(it, Seen::Known(_))),
            copies,
            lying: match zone.kind {
                ZoneKind::One => artist.what(zone, place),
                _ => String::new(),
            },
            board: is_board.then(|| label.to_owned()),
        });
    }
}

fn look_at_track(
    artist: &Artist<'_>,
    view: &View,
    number: usize,
    label: &str,
    values: &mut Vec<Value>,
) {
    let id = TrackId(u32::try_from(number).unwrap_or(u32::MAX));
    let Some(track) = artist.game.tracks.get(number) else {
        return;
    };
    // Sets are notes of the referee rather than counters on a board.
    if matches!(track.ty.base, Base::Set(_)) {
        return;
    }
    let scalars = view.tracks.get(number).map_or(&[][..], |it| &it.values);
    let scalars = scalars.iter().map(|it| match it {
        Some(TrackValue::Scalar(value)) => Some(*value),
        _ => None,
    });
    let texts = artist.values(view, number, track).into_iter();
    let first = values.len();
    let both = texts.zip(scalars);
    add(artist, (label, &track.index, track.ty), both, values);
    for (at, value) in values.iter_mut().skip(first).enumerate() {
        value.of = Some((id, at));
    }
}

/// What a definition gives each seat, or all of them.
fn look_at_define(
    machine: &mut Machine<'_>,
    artist: &Artist<'_>,
    (seat, id): (u32, DefineId),
    label: &str,
    values: &mut Vec<Value>,
) {
    let game = artist.game;
    let Some(define) = game.defines.get(id.index()) else {
        return;
    };
    if matches!(define.ty.base, Base::Set(_)) {
        return;
    }
    let (seats, n_places) = match define.params.len() {
        0 => (None, 1),
        1 => (Some(game.seat), i64::from(game.n_seats)),
        _ => return,
    };
    let texts = (0..n_places).map(|at| {
        let args = [at];
        let args = if seats.is_some() { &args[..] } else { &[] };
        // What cannot be worked out now is not shown either.
        let value = machine.defined_for(Viewer::Seat(seat), id, args);
        let value = value.ok().flatten().map(|it| it.scalar());
        let value = value.filter(|it| *it != NONE)?;
        Some((print_value(game, define.ty, value, artist.form), value))
    });
    let texts = texts.map(Option::unzip);
    add(artist, (label, seats.as_slice(), define.ty), texts, values);
}

/// Adds the values of something that is shown, place by place.
fn add(
    artist: &Artist<'_>,
    (label, index, ty): (&str, &[DomainId], Type),
    texts: impl Iterator<Item = (Option<String>, Option<i64>)>,
    values: &mut Vec<Value>,
) {
    let is_count = is_count(artist.game, index, ty);
    values.extend(texts.enumerate().map(|(at, (text, scalar))| {
        let scalar = scalar.filter(|it| *it != NONE);
        let count = scalar.filter(|_| is_count).map(|it| it.to_string());
        Value {
            name: named(artist, label, index, at),
            text: count.or(text).unwrap_or_default(),
            is_bool: ty.base == Base::Bool,
            of: None,
            scalar,
            is_count,
        }
    }));
}

/// Whether values are numbers that seats, sides or the like have.
pub(super) fn is_count(game: &Game, index: &[DomainId], ty: Type) -> bool {
    let of = index.first().and_then(|it| game.domains.get(it.index()));
    let is_somebodys = of.is_some_and(|it| matches!(it.kind, DomainKind::Enum { .. }));
    is_somebodys && matches!(ty.base, Base::Int(..))
}

fn is_land(game: &Game, id: DomainId) -> bool {
    let kind = game.domains.get(id.index()).map(|it| &it.kind);
    let Some(DomainKind::Space { shape, .. }) = kind else {
        return false;
    };
    matches!(shape, Shape::Plane { .. } | Shape::Parts { .. })
}

/// The seat that a place belongs to.
pub(super) fn owner_of(artist: &Artist<'_>, index: &[DomainId], at: usize) -> Option<u32> {
    let (first, rest) = index.split_first()?;
    let seat = u32::try_from(at / artist.n_places(rest).max(1)).ok();
    seat.filter(|_| *first == artist.game.seat)
}

/// What is a seat's begins with the seat: `britain storage`, `route space 3`.
pub(super) fn named(artist: &Artist<'_>, label: &str, index: &[DomainId], at: usize) -> String {
    let Some(seat) = owner_of(artist, index, at) else {
        let place = in_words(artist, index, at);
        // What several are called stands in the name of one: `card 1`, not `cards card 1`.
        let one = place.split_once(' ').map_or("", |(it, _)| it);
        return match label.strip_prefix(one) {
            Some("" | "s" | "es") if !one.is_empty() => place,
            _ => format!("{label} {place}").trim_end().to_owned(),
        };
    };
    let rest = index.get(1..).unwrap_or(&[]);
    let seat = seat_name(artist.game, seat, artist.form);
    let rest = in_words(artist, rest, at % artist.n_places(rest).max(1));
    format!("{seat} {label} {rest}").trim_end().to_owned()
}

/// The parts of an index one behind the other.
fn in_words(artist: &Artist<'_>, index: &[DomainId], at: usize) -> String {
    let mut rest = at;
    let mut words = Vec::new();
    for domain in index.iter().rev().map(std::slice::from_ref) {
        let size = artist.n_places(domain).max(1);
        words.push(artist.index_name(domain, rest % size));
        rest /= size;
    }
    words.reverse();
    words.join(" ")
}
