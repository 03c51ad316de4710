//! A game as one seat saw it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::board::facts;
use super::transcript::{Choice, Record, line_of};
use super::{Problem, Session, of_play, recorded, typed};
use crate::engine::{Program, Status, Viewer};

/// What changed in the view of a seat: address and what is there now.
#[derive(Serialize)]
struct Sees {
    sees: serde_json::Map<String, serde_json::Value>,
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
    header.view = Some(super::seat_name(game, seat, true));
    let mut text = line_of(&header);
    let mut known = BTreeMap::new();
    look(&mut session, seat, &mut known, &mut text);
    for record in whole.records() {
        match record {
            Record::Choice(choice) => {
                let typed = choice.played.as_deref().unwrap_or("");
                let chosen = typed::read(&mut session, typed, false)?;
                let viewer = Viewer::Seat(seat);
                let own = session.status() == Status::Choice { seat };
                let machine = session.machine();
                let veiled = machine.print_for(viewer, chosen, true);
                // Others see what is printed, not what tells it from moves that print alike.
                let printed = machine.print(chosen, true);
                session.play(chosen).map_err(|error| of_play(&error))?;
                let hidden = session.last_move_hidden_from(seat);
                let played = match (hidden, own) {
                    (true, _) => Some(veiled),
                    (false, true) => choice.played.clone(),
                    (false, false) => Some(printed),
                };
                text.push_str(&line_of(&Choice {
                    seat: choice.seat.clone(),
                    played,
                }));
                look(&mut session, seat, &mut known, &mut text);
            }
            Record::Undo(undo) => {
                // The whole transcript was replayed before, so this choice can be taken back.
                let _ = session.undo();
                text.push_str(&line_of(undo));
                look(&mut session, seat, &mut known, &mut text);
            }
            Record::Chance(_) => {}
            Record::End(ending) => text.push_str(&line_of(ending)),
        }
    }
    Ok(text)
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
