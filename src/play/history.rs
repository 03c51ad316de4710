//! What happened in a game so far, as one seat was told, and what it brought whom.

use super::figures::main_figure;
use super::news::Announced;
use super::transcript::Record;
use super::{Problem, Session, of_play, recorded, typed};
use crate::engine::{Machine, PlayError, Program, Status, Viewer};

/// A choice that was made, and not taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The number of the choice, from one.
    pub number: usize,
    /// Who made it.
    pub by: Option<u32>,
    /// All that the seat was told.
    pub text: String,
    /// Whose figure changed by how much, as far as the seat sees it.
    pub gained: Vec<(u32, i64)>,
}

/// Plays a game again for a seat.
pub fn history(
    program: &Program,
    whole: &Session<'_>,
    seat: u32,
    plain: bool,
) -> Result<Vec<Entry>, Problem> {
    let game = &program.game;
    let header = whole.header().clone();
    let records = whole.records().iter().map(|record| (0, record));
    let fixed = recorded::fixed_by(game, header.chance, records)?;
    let mut session = Session::start_with(program, header, fixed)?;
    let mut entries: Vec<Entry> = Vec::new();
    let mut before = figures(session.machine(), seat)?;
    for record in whole.records() {
        match record {
            Record::Choice(choice) => {
                let words = choice.played.as_deref().unwrap_or("");
                let chosen = typed::read(&mut session, words, false)?;
                let by = match session.status() {
                    Status::Choice { seat } => Some(seat),
                    Status::Ended => None,
                };
                let announced = Announced::before(session.machine(), chosen, seat, plain);
                session.play(chosen).map_err(|error| of_play(&error))?;
                let (events, told) = (session.events().to_vec(), session.told().to_vec());
                let text = announced.after(session.machine(), &events, &told);
                let after = figures(session.machine(), seat)?;
                entries.push(Entry {
                    number: session.n_choices(),
                    by,
                    text,
                    gained: gained(&before, &after),
                });
                before = after;
            }
            Record::Undo(undo) => {
                let mut seats = 0..game.n_seats;
                let by = seats.find(|it| super::seat_name(game, *it, true) == undo.undo);
                // The whole game was played so, and this choice taken back.
                let _ = match by.filter(|it| session.has_chosen(*it)) {
                    Some(by) => session.undo_by(by, true),
                    None => session.undo(),
                };
                let left = session.n_choices();
                entries.retain(|it| it.number <= left);
                before = figures(session.machine(), seat)?;
            }
            Record::Chance(_) | Record::Hint(_) | Record::End(_) => {}
        }
    }
    Ok(entries)
}

/// By seat the figure that the game is won by; none where it is not seen.
fn figures(machine: &mut Machine<'_>, seat: u32) -> Result<Vec<Option<i64>>, Problem> {
    let view = machine.view(Viewer::Seat(seat));
    let figures = main_figure(machine, &view).map_err(|it| of_play(&PlayError::Fault(it)))?;
    let (_, figures) = figures.unwrap_or_default();
    Ok(figures.iter().map(|it| it.parse().ok()).collect())
}

fn gained(before: &[Option<i64>], after: &[Option<i64>]) -> Vec<(u32, i64)> {
    let both = (0..).zip(before.iter().zip(after));
    let changes = both.filter_map(|(seat, (before, after))| {
        let change = (*after)?.saturating_sub((*before)?);
        (change != 0).then_some((seat, change))
    });
    changes.collect()
}
