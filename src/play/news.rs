//! What a seat learns when something happens: what came where, and the values that changed, by the names
//! that a rulebook gives.

use crate::model::text::{Form, spelt};
use std::collections::{BTreeMap, BTreeSet};

use super::board::{Artist, FEW, WIDTH};
use super::changes::Heard;
pub use super::changes::{Changed, Piece};
use super::entries::counted;
use super::sighted::{Place, named, owner_of};
pub use super::sighted::{Sight, look, look_at_table};
use super::tableau::BETWEEN;
use super::{glimpse, seat_name};
use crate::engine::text::print_value;
use crate::engine::{Event, Happened, Known, Machine, Move, Status, Told, Viewer};
use crate::model::{Base, DomainId, Game, ShownWhat, Type, ZoneId};

/// Whether words name something.
pub fn names(words: &str, name: &str) -> bool {
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

/// The kinds of which fewer copies lie where the table shows it.
fn off_the_table([before, after]: [&Sight; 2]) -> BTreeSet<(DomainId, i64)> {
    let [before, after] = [before, after].map(|sight| {
        let mut all: Known = Known::new();
        for place in &sight.places {
            for (kind, n) in &place.copies {
                *all.entry((place.component, *kind)).or_insert(0) += *n as u64;
            }
        }
        all
    });
    out_of_sight([&before, &after])
}

/// Whether more of a kind lie open at some place than before.
fn came_to_lie_open([before, after]: [&Sight; 2], (component, kind): (DomainId, i64)) -> bool {
    let n = |place: &Place| place.copies.get(&kind).copied().unwrap_or(0);
    let mut places = before.places.iter().zip(&after.places);
    places.any(|(old, new)| new.is_open && new.component == component && n(new) > n(old))
}

/// The heaps that who looks sees, as everybody or as their owner, and of which all has gone in between: what lies there now has
/// come since, be it the same or not.
fn filled_anew(before: &Sight, events: &[Event]) -> BTreeSet<(ZoneId, usize)> {
    let heaps = before.places.iter();
    let is_seen = |it: &&Place| it.is_open || it.owner == Some(before.seat) && it.is_all_seen;
    let heaps = heaps.filter(|it| is_seen(it) && !it.is_single);
    let anew = heaps.filter(|heap| {
        let mut lying = heap.copies.clone();
        let mut n_old: usize = lying.values().sum();
        let mut old = lying.clone();
        let mut was_empty = false;
        let had_some = n_old > 0;
        let here = events.iter().filter(|it| (it.zone, it.place) == heap.of);
        for event in here {
            let less = |of: &mut BTreeMap<i64, usize>| {
                let n = of.get_mut(&event.kind).filter(|it| **it > 0);
                n.map(|it| *it -= 1).is_some()
            };
            match event.what {
                Happened::Taken => {
                    less(&mut lying);
                    n_old -= usize::from(less(&mut old));
                }
                Happened::Laid => *lying.entry(event.kind).or_insert(0) += 1,
                _ => {}
            }
            was_empty |= lying.values().all(|it| *it == 0);
        }
        lying.retain(|_, it| *it > 0);
        // What comes in exchange may come before the other goes.
        had_some && !lying.is_empty() && (was_empty || n_old == 0 && lying != heap.copies)
    });
    anew.map(|it| it.of).collect()
}

/// The boards on which something came to so many places that who looks sees it better than words tell it, with whether it did
/// so at all of them.
fn changed_boards<'s>(before: &Sight, after: &'s Sight) -> BTreeMap<&'s str, (usize, bool)> {
    let mut changed = BTreeMap::new();
    let mut all: BTreeMap<&str, usize> = BTreeMap::new();
    for (old, new) in before.places.iter().zip(&after.places) {
        if let Some(board) = new.board.as_deref() {
            *all.entry(board).or_insert(0) += 1;
        }
        let n = |place: &Place, kind: &i64| place.copies.get(kind).copied().unwrap_or(0);
        let has_more = new.copies.keys().any(|it| n(new, it) > n(old, it));
        if let Some(board) = new.board.as_deref().filter(|_| new.is_open && has_more) {
            *changed.entry(board).or_insert(0) += 1;
        }
    }
    changed.retain(|_, n| *n > MANY);
    let with_all = changed
        .into_iter()
        .map(|(board, n)| (board, (n, all.get(board) == Some(&n))));
    with_all.collect()
}

/// What lies where it lay and looks otherwise: how much of a board is now so, and where as long as that is little.
fn lying_otherwise(
    [before, after]: [&Sight; 2],
    told: &BTreeMap<&str, (usize, bool)>,
) -> Vec<Piece> {
    let mut turned: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for (old, new) in before.places.iter().zip(&after.places) {
        let stays = !new.copies.is_empty() && old.copies == new.copies;
        let Some(board) = new.board.as_deref().filter(|it| !told.contains_key(it)) else {
            continue;
        };
        if stays && old.lying != new.lying {
            let place = new.name.strip_prefix(board).unwrap_or(&new.name);
            let so = turned.entry((board, &new.lying)).or_default();
            so.push(place.trim_start());
        }
    }
    let pieces = turned.into_iter().map(|((board, lying), places)| {
        let told = match places.as_slice() {
            [only] => format!("{board} {only} now {lying}"),
            few if few.len() <= MANY => {
                format!("{board} {} now {lying}: {}", few.len(), few.join(" "))
            }
            many => format!("{board} {} now {lying}", many.len()),
        };
        told.into()
    });
    pieces.collect()
}

/// By how much the figure that the game is won by has changed for each seat, beyond what is told of it.
fn figures(game: &Game, [before, after]: [&Sight; 2], told: &[Piece], form: Form) -> Vec<Piece> {
    let both = before.figure.as_ref().zip(after.figure.as_ref());
    let Some(((_, old), (title, new))) = both.filter(|(old, new)| old.0 == new.0) else {
        return Vec::new();
    };
    let seats = (0..).zip(old.iter().zip(new));
    let pieces = seats.filter_map(|(seat, (old, new))| {
        let of = format!("{} {title}", seat_name(game, seat, form));
        let (old, new) = (old.parse::<i64>().ok()?, new.parse::<i64>().ok()?);
        let own = told.iter().filter_map(|it| it.change.as_ref());
        let own = own.filter(|it| it.of == of);
        let known = own.fold(old, |sum, it| sum.saturating_add(it.by));
        (known != new).then(|| Piece {
            is_figure: true,
            ..Piece::silent(&of, [known, new], form)
        })
    });
    pieces.collect()
}

/// What somebody did, in words.
pub type Done = (u32, String);

/// Says what is new after a move, to the seat whose sights these are. What the words of the move name is no news, but at
/// places of another seat, as long as they do not name that seat too.
pub fn told(
    game: &Game,
    [before, after]: [&Sight; 2],
    events: &[Event],
    heard: &[Told],
    done: &[Done],
    form: Form,
) -> Vec<Piece> {
    let artist = Artist {
        game,
        form,
        width: WIDTH,
    };
    let explained = Heard::by(&artist, after.seat, Some(&before.view), heard);
    let mut news = explained.lines.clone();
    let figures = figures(game, [before, after], &news, form);
    news.extend(figures.iter().cloned());
    // What the rules say is named as well by them.
    let said = heard.iter().filter(|it| it.of.is_none());
    let said = said.filter_map(|it| it.heard_by(after.seat, form));
    let said: Vec<String> = said.collect();
    let names = |owner: Option<u32>, name: &str| {
        let is_of = |(by, words): &&Done| {
            let is_about = |owner| *by == owner || names(words, &seat_name(game, owner, form));
            owner.is_none_or(is_about)
        };
        let mut done = done.iter().filter(is_of);
        // Who moves is named as well.
        done.any(|(by, words)| names(words, name) || seat_name(game, *by, form) == name)
            || said.iter().any(|it| names(it, name))
    };
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
        let lies_open = |kind: &i64| came_to_lie_open([before, after], (glimpse.component, *kind));
        let kinds = glimpse.kinds.iter();
        let kinds = kinds.filter(|(it, _)| glimpse.is_shown || !lies_open(it));
        let kinds = kinds.map(|(it, many)| (print_value(game, ty, *it, form), *many));
        // What everybody saw is named by the words of the move, or where it lies in the end.
        let kinds = kinds.filter(|(it, _)| {
            let owner = owner_of(&artist, &zone.index, glimpse.place);
            glimpse.is_shown || !names(owner, it)
        });
        let kinds = kinds.flat_map(|(it, many)| counted(it, many, form));
        let kinds: Vec<String> = kinds.collect();
        if !kinds.is_empty() {
            let label = label.unwrap_or_else(|| spelt(&zone.name));
            let name = named(&artist, &label, &zone.index, glimpse.place);
            let gone = match (glimpse.stays, glimpse.is_private) {
                (true, _) => "",
                (false, true) => ", for a moment",
                (false, false) => ", seen for a moment",
            };
            let see = if glimpse.is_private { YOU_SEE } else { "" };
            news.push(format!("{see}{name} {}{gone}", kinds.join(", ")).into());
        }
    }
    let gone = out_of_sight([&before.known, &after.known]);
    let taken = off_the_table([before, after]);
    let anew = filled_anew(before, events);
    let mut emptied = Vec::new();
    let mut displaced = BTreeMap::new();
    for (old, new) in before.places.iter().zip(&after.places) {
        let ty = Type::of(Base::Elem(old.component));
        let mut lost = Vec::new();
        for (kind, n) in &old.copies {
            let name = print_value(game, ty, *kind, form);
            let is_less = *n > new.copies.get(kind).copied().unwrap_or(0);
            let kind = (old.component, *kind);
            // What lay on a board was taken from it, wherever it lies now.
            let is_gone = gone.contains(&kind) || old.board.is_some() && taken.contains(&kind);
            if is_less && is_gone && !names(old.owner, &name) {
                lost.push(name);
            }
        }
        // Of a whole heap it is enough that nothing is left, where not all of it is named in few words.
        let n_before: usize = old.copies.values().sum();
        let is_named = lost.len() == n_before && n_before <= FEW;
        match lost.len() {
            0 => {}
            _ if anew.contains(&old.of) => {}
            _ if new.copies.is_empty() && !is_named => {
                emptied.push(old.name.as_str());
            }
            n => {
                let what = match n {
                    1..=FEW => lost.join(", "),
                    _ => format!("{n} of them"),
                };
                // What came in its place is told with it.
                match new.is_single && !new.copies.is_empty() {
                    true => drop(displaced.insert(old.of, (old.name.as_str(), what))),
                    false => news.push(format!("{} - {what}", old.name).into()),
                }
            }
        }
    }
    if !emptied.is_empty() {
        news.push(format!("{}: nothing left", emptied.join(", ")).into());
    }
    let changes = changed_boards(before, after);
    for (board, (n, is_all)) in &changes {
        let told = match is_all {
            true => format!("all of {board} is new"),
            false => format!("{board} changes at {n} places"),
        };
        news.push(told.into());
    }
    for (old, new) in before.places.iter().zip(&after.places) {
        let board = new.board.as_deref();
        if board.is_some_and(|it| changes.contains_key(it)) {
            continue;
        }
        let ty = Type::of(Base::Elem(new.component));
        let is_anew = anew.contains(&new.of);
        let mut gained = Vec::new();
        let mut is_news = false;
        for (kind, n) in &new.copies {
            let more = match is_anew {
                true => *n,
                false => n.saturating_sub(old.copies.get(kind).copied().unwrap_or(0)),
            };
            if more == 0 {
                continue;
            }
            let name = print_value(game, ty, *kind, form);
            let is_named = names(new.owner, &name);
            is_news |= !is_named;
            // What is known to lie in a hand may have lain there before; with a trick all its cards are put away.
            if is_named && !new.is_open && !new.is_secret {
                continue;
            }
            // A thing that lies otherwise than others of its kind is called as it lies.
            let name = match new.lying.as_str() {
                "" => name,
                lying => lying.to_owned(),
            };
            for name in counted(name, more, form) {
                gained.push(if new.is_secret {
                    format!("({name})")
                } else {
                    name
                });
            }
        }
        // On the table, beside what the words do not name all else is told that came along.
        if is_news {
            // Of what lies where nobody looks the parentheses say so.
            if looked_at.contains(&new.name) && !new.is_secret {
                news.push(format!("{YOU_SEE}{} {}", new.name, gained.join(", ")).into());
                continue;
            }
            let plus = if new.is_single || is_anew { "" } else { "+ " };
            let before = displaced.remove(&new.of);
            let before = before.map_or_else(String::new, |it| format!(" in place of {}", it.1));
            news.push(format!("{} {plus}{}{before}", new.name, gained.join(", ")).into());
        }
    }
    let displaced = displaced.into_values();
    news.extend(displaced.map(|(name, what)| Piece::from(format!("{name} - {what}"))));
    news.extend(lying_otherwise([before, after], &changes));
    let is_told = |name: &str| {
        let mut told = figures.iter().filter_map(|it| it.change.as_ref());
        told.any(|it| it.of == name)
    };
    for (old, new) in before.values.iter().zip(&after.values) {
        if is_told(&new.name) {
            continue;
        }
        if !new.is_bool {
            news.extend(explained.rest(old, new, form));
        } else if old.text != new.text && new.text == "true" {
            news.push(new.name.clone().into());
        }
    }
    news
}

/// Returns what the rules told a seat when the game began.
pub fn told_first(game: &Game, heard: &[Told], seat: u32, form: Form) -> Vec<Piece> {
    let artist = Artist {
        game,
        form,
        width: WIDTH,
    };
    Heard::by(&artist, seat, None, heard).lines
}

/// Of more places of a board on which something came to lie only their number is told.
const MANY: usize = 5;

/// Before what a seat alone was shown.
const YOU_SEE: &str = "you see ";

/// What is told of a choice as long as others have yet to make theirs.
pub const HAS_CHOSEN: &str = "has chosen";

/// What somebody is told, in one line.
pub fn in_line<'p>(pieces: impl IntoIterator<Item = &'p Piece>, form: Form) -> String {
    let texts = pieces.into_iter().map(|it| it.text.as_str());
    let texts: Vec<&str> = texts.collect();
    texts.join(if form.is_plain() { "; " } else { BETWEEN })
}

/// What somebody is told, line by line: where several numbers have changed for reasons, each of them stands alone.
pub fn in_lines(pieces: &[Piece]) -> Vec<&[Piece]> {
    let is_apart = pieces.iter().filter(|it| it.has_reason()).count() > 1;
    let is_one = |one: &Piece, other: &Piece| !is_apart || !one.has_reason() && !other.has_reason();
    pieces.chunk_by(is_one).collect()
}

/// What a seat is told of a move, once it is played: who does what, and what the seat learns by it.
pub struct Announced {
    before: Sight,
    /// Who chooses what; nobody where the game is over.
    words: (Option<u32>, String),
    /// What others have chosen at the same time.
    kept: Vec<Done>,
    is_together: bool,
    form: Form,
}

impl Announced {
    /// Takes down who is about to do what, in the words that the seat is told.
    pub fn before(machine: &mut Machine<'_>, chosen: Move, seat: u32, form: Form) -> Self {
        let viewer = [Viewer::Seat(seat)];
        let told = machine.print_for(&viewer, chosen, form);
        let mut kept = Vec::new();
        for (other, mv) in machine.pending() {
            kept.push((other, machine.print_pending(&viewer, other, mv, form)));
        }
        let by = match machine.status() {
            Status::Choice { seat } => Some(seat),
            Status::Ended => None,
        };
        Announced {
            before: look(machine, seat, form),
            words: (by, told),
            kept,
            is_together: by.is_some() && machine.is_together(),
            form,
        }
    }

    /// Returns all that the seat is told, in one line.
    pub fn after(self, machine: &Machine<'_>, events: &[Event], heard: &[Told]) -> String {
        let form = self.form;
        in_line(&self.pieces(machine, events, heard), form)
    }

    /// Returns all that the seat is told, piece by piece; first what was chosen.
    pub fn pieces(self, machine: &Machine<'_>, events: &[Event], heard: &[Told]) -> Vec<Piece> {
        let own = self.before.seat;
        let after = look(machine, own, self.form);
        let game = &machine.program().game;
        let in_words = |(by, words): &Done| -> Piece {
            let by = seat_name(game, *by, self.form);
            format!("{by}: {words}").into()
        };
        let (mut done, mut lines) = (Vec::new(), Vec::new());
        match self.words {
            (None, words) => lines.push(words.into()),
            (Some(by), words) if self.is_together => {
                if !machine.pending().iter().any(|(it, _)| *it == by) {
                    // All have chosen; what the seat itself chose it has been told.
                    done = self.kept;
                    done.push((by, words));
                    done.sort_by_key(|(seat, _)| *seat);
                    let new = done.iter().filter(|(it, _)| *it != own || by == own);
                    lines.extend(new.map(in_words));
                } else if by == own {
                    done.push((by, words));
                    lines.extend(done.iter().map(in_words));
                } else {
                    lines.push(in_words(&(by, HAS_CHOSEN.to_owned())));
                }
            }
            (Some(by), words) => {
                done.push((by, words));
                lines.extend(done.iter().map(in_words));
            }
        }
        let sights = [&self.before, &after];
        lines.extend(told(game, sights, events, heard, &done, self.form));
        lines
    }
}
