//! What a seat learns when something happens: what came where, and the values that changed, by the names
//! that a rulebook gives.

use std::collections::{BTreeMap, BTreeSet};

use super::board::{Artist, WIDTH, counted};
use super::tableau::BETWEEN;
use super::{glimpse, seat_name};
use crate::engine::text::print_value;
use crate::engine::{Event, Known, Machine, Move, Seen, Status, Told, View, Viewer};
use crate::model::{
    Base, DomainId, DomainKind, Game, Shape, ShownWhat, Type, Visibility, ZoneKind,
};

/// What a seat sees at a moment, as far as the rulebook names it.
pub struct Sight {
    seat: u32,
    view: View,
    known: Known,
    places: Vec<Place>,
    values: Vec<Value>,
}

/// What lies at one place.
struct Place {
    name: String,
    component: DomainId,
    is_single: bool,
    /// Whether nobody sees what lies there but who was shown it.
    is_secret: bool,
    copies: BTreeMap<i64, usize>,
}

/// A value that stands on the table.
struct Value {
    name: String,
    /// Empty where it is not seen.
    text: String,
    is_bool: bool,
}

/// Takes down what a seat sees.
pub fn look(machine: &Machine<'_>, seat: u32, plain: bool) -> Sight {
    let game = &*machine.program().game;
    let view = machine.view(Viewer::Seat(seat));
    let artist = Artist {
        game,
        plain,
        width: WIDTH,
    };
    let (mut places, mut values) = (Vec::new(), Vec::new());
    for shown in game.shown.iter().filter(|it| !it.label.is_empty()) {
        match shown.what {
            ShownWhat::Zone(id) => {
                look_at_zone(&artist, &view, id.index(), &shown.label, &mut places);
            }
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
    }
}

fn look_at_zone(
    artist: &Artist<'_>,
    view: &View,
    number: usize,
    label: &str,
    places: &mut Vec<Place>,
) {
    let game = artist.game;
    let (Some(zone), Some(seen)) = (game.zones.get(number), view.zones.get(number)) else {
        return;
    };
    // Of a landscape there is a picture.
    if zone.index.iter().any(|it| is_land(game, *it)) {
        return;
    }
    for (at, place) in seen.places.iter().enumerate() {
        let mut copies = BTreeMap::new();
        for seen in &place.seen {
            if let Seen::Known(kind) = seen {
                *copies.entry(*kind).or_insert(0) += 1;
            }
        }
        places.push(Place {
            name: named(artist, label, &zone.index, at),
            component: zone.component,
            is_single: zone.kind == ZoneKind::One,
            is_secret: zone.visibility == Visibility::Hidden,
            copies,
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
    let Some(track) = artist.game.tracks.get(number) else {
        return;
    };
    // Sets are notes of the referee rather than counters on a board.
    if matches!(track.ty.base, Base::Set(_)) {
        return;
    }
    let texts = artist.track(view, number, track).into_iter().enumerate();
    values.extend(texts.map(|(at, text)| Value {
        name: named(artist, label, &track.index, at),
        text,
        is_bool: track.ty.base == Base::Bool,
    }));
}

fn is_land(game: &Game, id: DomainId) -> bool {
    let kind = game.domains.get(id.index()).map(|it| &it.kind);
    let Some(DomainKind::Space { shape, .. }) = kind else {
        return false;
    };
    matches!(shape, Shape::Plane { .. } | Shape::Parts { .. })
}

/// What is a seat's begins with the seat: `britain storage`, `route space 3`.
fn named(artist: &Artist<'_>, label: &str, index: &[DomainId], at: usize) -> String {
    let game = artist.game;
    match index {
        [] => label.to_owned(),
        [first, rest @ ..] if *first == game.seat => {
            let each = artist.n_places(rest).max(1);
            let seat = u32::try_from(at / each).unwrap_or(0);
            let seat = seat_name(game, seat, artist.plain);
            let rest = in_words(artist, rest, at % each);
            format!("{seat} {label} {rest}").trim_end().to_owned()
        }
        _ => format!("{label} {}", in_words(artist, index, at)),
    }
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

/// Whether words name something.
fn names(words: &str, name: &str) -> bool {
    let is_end = |letter: Option<char>| letter.is_none_or(|it| !it.is_alphanumeric());
    words.match_indices(name).any(|(at, _)| {
        let (before, rest) = words.split_at(at);
        let behind = rest.get(name.len()..).unwrap_or("");
        is_end(before.chars().next_back()) && is_end(behind.chars().next())
    })
}

/// The kinds of which fewer copies are seen than before, wherever they lie.
fn out_of_sight([before, after]: [&Known; 2]) -> BTreeSet<(DomainId, i64)> {
    let gone = before
        .iter()
        .filter(|(key, n)| **n > after.get(key).copied().unwrap_or(0));
    gone.map(|(key, _)| *key).collect()
}

/// Says what is new after a move, to the seat whose sights these are; what the words of the move name is
/// no news.
pub fn told(
    game: &Game,
    [before, after]: [&Sight; 2],
    events: &[Event],
    heard: &[Told],
    words: &str,
    plain: bool,
) -> Vec<String> {
    let artist = Artist {
        game,
        plain,
        width: WIDTH,
    };
    let mut news = heard_by(&artist, after.seat, heard);
    let explained = news.len();
    // What the rules say is named as well by them.
    let said = heard.iter().filter(|it| it.of.is_none());
    let said = said.filter_map(|it| it.heard_by(after.seat, plain));
    let words: String = std::iter::once(words.to_owned())
        .chain(said)
        .collect::<Vec<_>>()
        .join("\n");
    let words = words.as_str();
    let views = [&before.view, &after.view];
    let glimpses = glimpse::glimpses(game, after.seat, events, views);
    let mut looked_at = BTreeSet::new();
    for glimpse in &glimpses {
        let Some(zone) = game.zones.get(glimpse.zone.index()) else {
            continue;
        };
        let shown = game.shown.iter();
        let label = shown.filter(|it| it.what == ShownWhat::Zone(glimpse.zone));
        let label = label.map(|it| it.label.clone()).find(|it| !it.is_empty());
        if let Some(label) = label.as_ref().filter(|_| glimpse.is_new) {
            if glimpse.is_private {
                looked_at.insert(named(&artist, label, &zone.index, glimpse.place));
            }
            continue;
        }
        let ty = Type::of(Base::Elem(glimpse.component));
        let kinds = glimpse.kinds.iter();
        let kinds = kinds.map(|it| print_value(game, ty, *it, plain));
        // What everybody saw is named by the words of the move.
        let kinds: Vec<String> = kinds
            .filter(|it| glimpse.is_shown || !names(words, it))
            .collect();
        if !kinds.is_empty() {
            let label = label.unwrap_or_else(|| zone.name.replace('_', " "));
            let name = named(&artist, &label, &zone.index, glimpse.place);
            let gone = match (glimpse.stays, glimpse.is_private) {
                (true, _) => "",
                (false, true) => ", for a moment",
                (false, false) => ", seen for a moment",
            };
            let see = if glimpse.is_private { YOU_SEE } else { "" };
            news.push(format!("{see}{name} {}{gone}", kinds.join(", ")));
        }
    }
    let gone = out_of_sight([&before.known, &after.known]);
    for (old, new) in before.places.iter().zip(&after.places) {
        let ty = Type::of(Base::Elem(old.component));
        let mut lost = Vec::new();
        for (kind, n) in &old.copies {
            let name = print_value(game, ty, *kind, plain);
            let is_less = *n > new.copies.get(kind).copied().unwrap_or(0);
            if is_less && gone.contains(&(old.component, *kind)) && !names(words, &name) {
                lost.push(name);
            }
        }
        if !lost.is_empty() {
            news.push(format!("{} - {}", old.name, lost.join(", ")));
        }
    }
    for (old, new) in before.places.iter().zip(&after.places) {
        let ty = Type::of(Base::Elem(new.component));
        let mut gained = Vec::new();
        for (kind, n) in &new.copies {
            let more = n.saturating_sub(old.copies.get(kind).copied().unwrap_or(0));
            let name = print_value(game, ty, *kind, plain);
            if more == 0 || names(words, &name) {
                continue;
            }
            for name in counted(name, more, plain) {
                gained.push(if new.is_secret {
                    format!("({name})")
                } else {
                    name
                });
            }
        }
        if !gained.is_empty() {
            // Of what lies where nobody looks the parentheses say so.
            if looked_at.contains(&new.name) && !new.is_secret {
                news.push(format!("{YOU_SEE}{} {}", new.name, gained.join(", ")));
                continue;
            }
            let plus = if new.is_single { "" } else { "+ " };
            news.push(format!("{} {plus}{}", new.name, gained.join(", ")));
        }
    }
    for (old, new) in before.values.iter().zip(&after.values) {
        if old.text == new.text || new.text.is_empty() {
            continue;
        }
        match (new.is_bool, new.text.as_str()) {
            (true, "true") => news.push(new.name.clone()),
            (true, _) => {}
            (false, text) => {
                let told = format!("{} {text}", new.name);
                let is_explained = |it: &String| {
                    let behind = it.strip_prefix(told.as_str());
                    behind.is_some_and(|it| it.starts_with(WHY))
                };
                if !news.iter().take(explained).any(is_explained) {
                    news.push(told);
                }
            }
        }
    }
    news
}

/// What the rules themselves told a seat, in order: what they say, and why values changed.
pub(super) fn heard_by(artist: &Artist<'_>, seat: u32, heard: &[Told]) -> Vec<String> {
    let told = heard.iter().filter_map(|it| {
        let words = it.heard_by(seat, artist.plain)?;
        let Some((track, place, value)) = &it.of else {
            return Some(words);
        };
        let game = artist.game;
        let declared = game.tracks.get(track.index())?;
        let shown = game
            .shown
            .iter()
            .filter(|it| it.what == ShownWhat::Track(*track));
        let label = shown.map(|it| it.label.as_str()).find(|it| !it.is_empty());
        let label = label.map_or_else(|| declared.name.replace('_', " "), str::to_owned);
        let name = named(artist, &label, &declared.index, *place);
        let value = value
            .get(usize::from(artist.plain))
            .map_or("", String::as_str);
        Some(format!("{name} {value}{WHY}{words}"))
    });
    told.collect()
}

/// Returns what the rules told a seat when the game began.
pub fn told_first(game: &Game, heard: &[Told], seat: u32, plain: bool) -> Vec<String> {
    let artist = Artist {
        game,
        plain,
        width: WIDTH,
    };
    heard_by(&artist, seat, heard)
}

/// Before what a seat alone was shown.
const YOU_SEE: &str = "you see ";

/// What is told of a choice as long as others have yet to make theirs.
pub const HAS_CHOSEN: &str = "has chosen";

/// Between a value and why it is so.
const WHY: &str = ": ";

/// What a seat is told of a move, once it is played: who does what, and what the seat learns by it.
pub struct Announced {
    before: Sight,
    words: String,
    /// What others have chosen at the same time, by seat.
    kept: Vec<(u32, String)>,
    /// Who chooses, where others choose at the same time.
    together: Option<u32>,
    plain: bool,
}

impl Announced {
    /// Takes down who is about to do what, in the words that the seat is told.
    pub fn before(machine: &mut Machine<'_>, chosen: Move, seat: u32, plain: bool) -> Self {
        let viewer = [Viewer::Seat(seat)];
        let told = machine.print_for(&viewer, chosen, plain);
        let mut kept = Vec::new();
        for (other, mv) in machine.pending() {
            let told = machine.print_pending(&viewer, other, mv, plain);
            let by = seat_name(&machine.program().game, other, plain);
            kept.push((other, format!("{by}: {told}")));
        }
        let together = match machine.status() {
            Status::Choice { seat } if machine.is_together() => Some(seat),
            _ => None,
        };
        let words = match machine.status() {
            Status::Choice { seat } => {
                let by = seat_name(&machine.program().game, seat, plain);
                format!("{by}: {told}")
            }
            Status::Ended => told,
        };
        Announced {
            before: look(machine, seat, plain),
            words,
            kept,
            together,
            plain,
        }
    }

    /// Returns all that the seat is told, in one line.
    pub fn after(self, machine: &Machine<'_>, events: &[Event], heard: &[Told]) -> String {
        let after = look(machine, self.before.seat, self.plain);
        let game = &machine.program().game;
        let mut words = self.words;
        let mut known = String::new();
        if let Some(by) = self.together {
            if !machine.pending().iter().any(|(it, _)| *it == by) {
                // All have chosen; what the seat itself chose it has been told.
                let seat = self.before.seat;
                let mut all = self.kept;
                if let Some(at) = all.iter().position(|it| it.0 == seat) {
                    known = all.remove(at).1;
                }
                all.push((by, words));
                all.sort_by_key(|(seat, _)| *seat);
                let all: Vec<String> = all.into_iter().map(|(_, words)| words).collect();
                words = all.join(if self.plain { "; " } else { BETWEEN });
            } else if by != self.before.seat {
                words = format!("{}: {HAS_CHOSEN}", seat_name(game, by, self.plain));
            }
        }
        let sights = [&self.before, &after];
        let said = format!("{words}\n{known}");
        let news = told(game, sights, events, heard, &said, self.plain);
        let between = if self.plain { "; " } else { BETWEEN };
        std::iter::once(words)
            .chain(news)
            .collect::<Vec<_>>()
            .join(between)
    }
}
