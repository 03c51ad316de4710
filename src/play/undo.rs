//! How far a choice can be taken back: as long as nobody has learnt anything from it.

use std::collections::BTreeMap;

use crate::engine::text::print_value;
use crate::engine::{Seen, View};
use crate::model::{Base, DomainId, DomainKind, Game, StreamId, Type};

/// Why a choice stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Barrier {
    /// Nothing was chosen yet.
    Start,
    /// The game is over.
    Ended,
    /// It was this other seat that chose last.
    Seat(u32),
    /// Chance has decided something since.
    Chance(String),
    /// A seat has seen something new since.
    Seen {
        /// Who.
        seat: u32,
        /// What, as printed.
        what: String,
    },
}

impl Barrier {
    /// Says why in a sentence.
    pub fn message(&self, game: &Game) -> String {
        match self {
            Barrier::Start => String::from("there is no choice to take back"),
            Barrier::Ended => String::from("the game is over, and its result stands"),
            Barrier::Seat(seat) => {
                let seat = super::seat_name(game, *seat, false);
                format!("{seat} has chosen since, and only an own choice can be taken back")
            }
            Barrier::Chance(stream) => {
                format!("chance has decided since (`{stream}`), and that cannot be unlearnt")
            }
            Barrier::Seen { seat, what } => {
                let seat = super::seat_name(game, *seat, false);
                format!("{seat} has seen {what} since, and that cannot be unlearnt")
            }
        }
    }
}

/// How many copies of each component a seat sees, wherever they lie.
///
/// A component that only moves from one visible place to another adds no copy, so a greater count is
/// what a seat has newly seen.
pub type Known = BTreeMap<(DomainId, i64), u64>;

/// Counts what a view shows.
pub fn known(game: &Game, view: &View) -> Known {
    let mut known = Known::new();
    for (zone, seen) in game.zones.iter().zip(&view.zones) {
        for seen in seen.places.iter().flat_map(|place| &place.seen) {
            if let Seen::Known(value) = seen {
                *known.entry((zone.component, *value)).or_default() += 1;
            }
        }
    }
    known
}

/// Returns whether values name a component of which a seat saw no copy, before or after.
pub fn names_hidden(game: &Game, values: &[(Type, i64)], seen: [&Known; 2]) -> bool {
    values.iter().any(|(ty, value)| {
        let Base::Elem(domain) = ty.base else {
            return false;
        };
        let kind = game.domains.get(domain.index()).map(|domain| &domain.kind);
        let component = matches!(
            kind,
            Some(DomainKind::Record {
                component: true,
                ..
            })
        );
        component
            && seen
                .iter()
                .all(|known| !known.contains_key(&(domain, *value)))
    })
}

/// Says why a choice stands, if it does, from what every seat saw before and after it.
pub fn barrier(
    game: &Game,
    stream: Option<StreamId>,
    before: &[Known],
    after: &[Known],
) -> Option<Barrier> {
    if let Some(stream) = stream {
        return Some(Barrier::Chance(super::stream_name(game, stream)));
    }
    for (seat, (before, after)) in (0..).zip(before.iter().zip(after)) {
        for ((component, value), count) in after {
            if *count > before.get(&(*component, *value)).copied().unwrap_or(0) {
                let what = print_value(game, Type::of(Base::Elem(*component)), *value, false);
                return Some(Barrier::Seen { seat, what });
            }
        }
    }
    None
}
