//! Of what is hidden a seat knows only what it was shown, and of the rest it knows everything.

use std::collections::BTreeSet;

use adit::engine::{Seen, Status, View, Viewer};

use super::{games, path, walk};
use crate::fixtures::width;

/// Games of each kind.
fn n_games() -> u64 {
    width(8, 30, 100)
}

/// Decks whose order nobody knows, and what was left over.
const HIDDEN: [&str; 4] = ["deck", "deviation_deck", "agenda_deck", "sack"];
/// Zones of face-down cards: only their owner knows them.
const OWN: [&str; 2] = ["done", "agenda_done"];
/// What lies there belongs to an action, and when a turn begins nothing does.
const BETWEEN: [&str; 7] = [
    "kept",
    "covered",
    "left_over",
    "discarded",
    "worn",
    "deviation_drawn",
    "agenda_drawn",
];

fn is_known(seen: &Seen) -> bool {
    matches!(seen, Seen::Known(_))
}

/// Returns what a seat knows and should not, or the other way round.
fn amiss(view: &View, seat: usize, looked: &BTreeSet<usize>) -> Option<String> {
    for zone in &view.zones {
        let name = zone.name.as_str();
        for (place, lies) in zone.places.iter().enumerate() {
            let expected = match name {
                "face_down" => looked.contains(&place),
                _ if HIDDEN.contains(&name) => false,
                _ if OWN.contains(&name) => place == seat,
                _ => true,
            };
            if lies.seen.iter().any(|seen| is_known(seen) != expected) {
                return Some(format!("{name}[{place}]: {:?}", lies.seen));
            }
        }
    }
    None
}

#[test]
fn a_seat_knows_what_lies_open_and_what_it_was_shown() {
    let mut n_looks = 0;
    for (name, program) in games() {
        for seed in 0..n_games() {
            let mut looked = [BTreeSet::new(), BTreeSet::new()];
            walk(program, seed, &mut |machine, luck| {
                let (player, played) = &luck.played;
                if let Some(space) = played.strip_prefix("look at space ") {
                    let space: usize = space.parse().unwrap();
                    looked[*player as usize].insert(space - 1);
                    n_looks += 1;
                }
                for (seat, looked) in (0..).zip(&looked) {
                    let view = machine.view(Viewer::Seat(seat));
                    let found = amiss(&view, seat as usize, looked);
                    assert_eq!(found, None, "{name}, game {seed}, seat {seat}");
                }
            });
        }
    }
    assert!(n_looks > 10, "{n_looks} looks");
}

/// What is shuffled has no order: the next card of a deck is nature's choice at any time.
#[test]
fn decks_are_shuffled() {
    for (name, program) in games() {
        for seed in 0..n_games() {
            walk(program, seed, &mut |machine, _| {
                let view = machine.view(Viewer::Referee);
                let decks = view
                    .zones
                    .iter()
                    .filter(|it| HIDDEN.contains(&it.name.as_str()));
                for deck in decks {
                    let n_ordered = deck.places[0].ordered;
                    assert_eq!(n_ordered, 0, "{name}, game {seed}: {}", deck.name);
                }
            });
        }
    }
}

#[test]
fn nothing_lies_between_two_places_when_a_turn_begins() {
    for (name, program) in games() {
        for seed in 0..n_games() {
            walk(program, seed, &mut |machine, _| {
                if machine.status() == Status::Ended || path(machine) != "take_turn.move" {
                    return;
                }
                let view = machine.view(Viewer::Referee);
                let between = view
                    .zones
                    .iter()
                    .filter(|it| BETWEEN.contains(&it.name.as_str()));
                for zone in between {
                    let is_empty = zone.places.iter().all(|it| it.seen.is_empty());
                    assert!(is_empty, "{name}, game {seed}: {zone:?}");
                }
            });
        }
    }
}
