//! A game as one seat saw it.

use crate::model::text::Form;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::board::{Artist, WIDTH, facts};
use super::entries::counted;
use super::transcript::{Choice, Record, line_of};
use super::{Problem, Session, changes, glimpse, of_play, recorded, typed};
use crate::engine::text::{print_index, print_value};
use crate::engine::{Program, Status, View, Viewer};
use crate::model::{Base, Type};

/// What changed in the view of a seat: address and what is there now.
#[derive(Serialize)]
struct Sees {
    sees: serde_json::Map<String, serde_json::Value>,
}

/// What a seat saw for a moment: address and what was there.
#[derive(Serialize)]
struct Shown {
    shown: serde_json::Map<String, serde_json::Value>,
}

/// What the rules told a seat.
#[derive(Serialize)]
struct Heard {
    told: Vec<String>,
}

/// Returns the transcript as one seat saw it: no seed, no outcome of chance, and of the moves of
/// others only what it may know.
pub fn seen_by(program: &Program, whole: &Session<'_>, seat: u32) -> Result<String, Problem> {
    let game = &program.game;
    let mut header = whole.header().clone();
    let records = whole.records().iter().map(|record| (0, record));
    let fixed = recorded::fixed_by(game, header.chance, records)?;
    let mut session = Session::start_with(program, header.clone(), fixed)?;
    header.seed = None;
    header.chance = None;
    header.view = Some(super::seat_name(game, seat, Form::Plain));
    let mut text = line_of(&header);
    let mut known = BTreeMap::new();
    listen(&session, seat, &mut text);
    look(&mut session, seat, &mut known, &mut text);
    for record in whole.records() {
        match record {
            Record::Choice(choice) => {
                let typed = choice.played.as_deref().unwrap_or("");
                let chosen = typed::read(&mut session, typed, Form::Signs)?;
                let own = session.status() == Status::Choice { seat };
                let before = session.machine().view(Viewer::Seat(seat));
                // Others see what is printed, not what tells it from moves that print alike.
                let printed =
                    session
                        .machine()
                        .print_for(&[Viewer::Seat(seat)], chosen, Form::Plain);
                let chosen_by = session.status();
                let kept = revealed(&mut session, seat);
                session.play(chosen).map_err(|error| of_play(&error))?;
                let told = match &choice.played {
                    Some(named) if own => named.clone(),
                    _ => printed,
                };
                let waits = choice.together
                    && matches!(chosen_by, Status::Choice { seat } if session.has_chosen(seat));
                let line = |seat: String, played: Option<String>| {
                    line_of(&Choice {
                        seat,
                        played,
                        together: choice.together,
                    })
                };
                text.push_str(&line(
                    choice.seat.clone(),
                    Some(told).filter(|_| own || !waits),
                ));
                // Now all hear what each of the others chose.
                for (other, told) in kept.into_iter().filter(|_| !waits) {
                    text.push_str(&line(other, Some(told)));
                }
                listen(&session, seat, &mut text);
                glance(&mut session, seat, &before, &mut text);
                look(&mut session, seat, &mut known, &mut text);
            }
            Record::Undo(undo) => {
                // The whole transcript was replayed before, so this choice can be taken back.
                let _ = session.undo_again(undo);
                text.push_str(&line_of(undo));
                look(&mut session, seat, &mut known, &mut text);
            }
            // What a seat was advised follows from what it knew.
            Record::Chance(_) | Record::Hint(_) => {}
            Record::End(ending) => text.push_str(&line_of(ending)),
        }
    }
    Ok(text)
}

/// What others have chosen at the same time, as the seat hears it when all have.
fn revealed(session: &mut Session<'_>, seat: u32) -> Vec<(String, String)> {
    let game = session.game();
    let machine = session.machine();
    let others = machine.pending().into_iter();
    others
        .filter(|(other, _)| *other != seat)
        .map(|(other, mv)| {
            let told = machine.print_pending(&[Viewer::Seat(seat)], other, mv, Form::Plain);
            (super::seat_name(game, other, Form::Plain), told)
        })
        .collect()
}

/// Writes down what the rules told the seat.
fn listen(session: &Session<'_>, seat: u32, text: &mut String) {
    let artist = Artist {
        game: session.game(),
        form: Form::Plain,
        width: WIDTH,
    };
    let told = changes::Heard::by(&artist, seat, None, session.told()).lines;
    let told: Vec<String> = told.into_iter().map(|it| it.text).collect();
    if !told.is_empty() {
        text.push_str(&line_of(&Heard { told }));
    }
}

/// Writes down what the seat saw only for a moment.
fn glance(session: &mut Session<'_>, seat: u32, before: &View, text: &mut String) {
    let game = session.game();
    let after = session.machine().view(Viewer::Seat(seat));
    let mut shown = serde_json::Map::new();
    for glimpse in glimpse::glimpses(game, seat, session.events(), [before, &after]) {
        let zone = game.zones.get(glimpse.zone.index());
        let Some(zone) = zone.filter(|_| !glimpse.is_new) else {
            continue;
        };
        let ty = Type::of(Base::Elem(glimpse.component));
        let kinds = glimpse.kinds.iter();
        let kinds: Vec<String> = kinds
            .flat_map(|(it, many)| {
                counted(print_value(game, ty, *it, Form::Plain), *many, Form::Plain)
            })
            .collect();
        let address = match print_index(game, &zone.index, glimpse.place, Form::Plain) {
            index if index.is_empty() => zone.name.clone(),
            index => format!("{}[{index}]", zone.name),
        };
        let mut kinds = kinds.join(", ");
        if let Some(serde_json::Value::String(before)) = shown.get(&address) {
            kinds = format!("{before}, {kinds}");
        }
        shown.insert(address, kinds.into());
    }
    if !shown.is_empty() {
        text.push_str(&line_of(&Shown { shown }));
    }
}

fn look(
    session: &mut Session<'_>,
    seat: u32,
    known: &mut BTreeMap<String, String>,
    text: &mut String,
) {
    let view = session.machine().view(Viewer::Seat(seat));
    let mut sees = serde_json::Map::new();
    let now = facts(session.game(), &view);
    let there: BTreeSet<&String> = now.iter().map(|(address, _)| address).collect();
    let gone: Vec<String> = known
        .keys()
        .filter(|it| !there.contains(it))
        .cloned()
        .collect();
    for address in gone {
        known.remove(&address);
        sees.insert(address, String::new().into());
    }
    for (address, what) in now {
        let before = known.get(&address).map_or("", String::as_str);
        if before != what {
            sees.insert(address.clone(), what.clone().into());
            known.insert(address, what);
        }
    }
    if !sees.is_empty() {
        text.push_str(&line_of(&Sees { sees }));
    }
}
