//! How far a choice can be taken back: as long as no person has learnt anything from it. What a program has seen it forgets
//! with the position: each time it thinks anew, about what its seat knows then.

use crate::engine::text::print_value;
use crate::engine::{Event, Happened, Known};
use crate::model::text::Form;
use crate::model::{Base, DomainId, Game, StreamId, Type, Visibility};

/// Why a choice stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Barrier {
    /// Nothing was chosen yet.
    Start,
    /// The game is over.
    Ended,
    /// This other person has chosen since.
    Seat(u32),
    /// All who chose at the same time have chosen, and what they chose is told.
    Together,
    /// Chance has decided something since.
    Chance(String),
    /// A seat has seen something new since.
    Seen {
        /// Who.
        seat: u32,
        /// What, a thing of this kind; none where it is not the business of who asks.
        what: Option<(DomainId, i64)>,
    },
    /// More choices in a row than are kept were made since.
    Long,
    /// Something that not everybody sees may have decided what happened since.
    Hidden,
}

impl Barrier {
    /// Whether it stays, whatever is taken back before.
    pub(super) fn stands_alone(&self) -> bool {
        matches!(self, Barrier::Start | Barrier::Together)
    }

    /// Says why in a sentence, with symbols or in plain letters.
    pub fn message(&self, game: &Game, form: Form) -> String {
        match self {
            Barrier::Start => String::from("there is no choice to take back"),
            Barrier::Ended => String::from("the game is over, and its result stands"),
            Barrier::Seat(seat) => {
                let seat = super::seat_name(game, *seat, form);
                format!("{seat} has chosen since; `undo {seat}` takes that back")
            }
            Barrier::Together => {
                String::from("all have chosen since, and what they chose cannot be unlearnt")
            }
            Barrier::Chance(stream) => {
                format!("chance has decided since (`{stream}`), and that cannot be unlearnt")
            }
            Barrier::Seen { seat, what } => {
                let seat = super::seat_name(game, *seat, form);
                let print =
                    |(kind, value)| print_value(game, Type::of(Base::Elem(kind)), value, form);
                let what = what.map_or_else(|| String::from("something new"), print);
                format!("{seat} has seen {what} since, and that cannot be unlearnt")
            }
            Barrier::Long => String::from("it was too many choices ago"),
            Barrier::Hidden => String::from(
                "what is hidden may have decided what happened since, and that cannot be unlearnt",
            ),
        }
    }
}

/// What a seat has newly seen.
fn newly_seen(before: &Known, after: &Known) -> Option<(DomainId, i64)> {
    after.iter().find_map(|(key, count)| {
        let known = before.get(key).copied().unwrap_or(0);
        (*count > known).then_some(*key)
    })
}

/// Whether an outcome of chance is known only to those who see where it goes: a component was drawn from a place at which nobody
/// looks.
fn is_drawn_unseen(game: &Game, stream: StreamId) -> bool {
    let name = game.streams.get(stream.index()).map(|it| &it.name);
    let zone = game.zones.iter().find(|it| Some(&it.name) == name);
    zone.is_some_and(|it| it.visibility == Visibility::Hidden)
}

/// Who of these gets to know something by what happened: by the rules alone, whatever it is.
fn who_learns(game: &Game, events: &[Event], people: &[u32]) -> Option<u32> {
    let sees = |seat: u32, event: &Event| event.is_seen_by_rule(game, seat);
    let mut taken: Vec<&Event> = Vec::new();
    for event in events {
        let from = match event.what {
            Happened::Taken => {
                taken.push(event);
                continue;
            }
            Happened::Forgotten(_) | Happened::Poured { .. } => continue,
            Happened::Laid => taken.pop(),
            Happened::Shown(_) => None,
        };
        for seat in people.iter().copied() {
            let learns = match event.what {
                Happened::Shown(who) => who.is_none_or(|it| it == seat) && !sees(seat, event),
                _ => sees(seat, event) && !from.is_some_and(|it| sees(seat, it)),
            };
            if learns {
                return Some(seat);
            }
        }
    }
    None
}

/// Says to each seat why a choice stands, if it does. Whether it does follows from what the seats of people may know of what
/// happened; what a seat is told of it, from what that seat saw before and after.
pub fn barriers(
    game: &Game,
    people: &[u32],
    (in_secret, hears): (bool, Option<u32>),
    (chance, events): (&[(StreamId, i64)], &[Event]),
    [before, after]: [&[Known]; 2],
) -> Option<Vec<Barrier>> {
    let learns = who_learns(game, events, people).or(hears);
    let mut streams = chance.iter().map(|(stream, _)| *stream);
    let stream = streams.find(|it| !is_drawn_unseen(game, *it));
    if !in_secret && stream.is_none() && learns.is_none() {
        return None;
    }
    let seats = (0..).zip(before.iter().zip(after));
    let told = seats.map(|(seat, (before, after))| {
        let new = newly_seen(before, after);
        match (new, stream, learns) {
            (what @ Some(_), ..) => Barrier::Seen { seat, what },
            _ if in_secret => Barrier::Hidden,
            (_, Some(stream), _) => Barrier::Chance(super::stream_name(game, stream)),
            (_, _, Some(seat)) => Barrier::Seen { seat, what: None },
            (None, None, None) => Barrier::Hidden,
        }
    });
    Some(told.collect())
}
