//! The choices of a game that was played, one after the other, each in its position.

use super::transcript::Record;
use super::{Problem, Session, of_play, recorded, seat_named, typed};
use crate::engine::{Move, Program};
use crate::model::text::Form;

/// A choice of a game that was played.
#[derive(Clone, Copy, Debug)]
pub struct Chosen {
    /// How many choices stood before it.
    pub nth: usize,
    /// Who chose.
    pub seat: u32,
    /// What.
    pub played: Move,
}

/// Goes through a game again and shows each choice in the position in which it was made, and what came of it; what was
/// taken back is shown too, and then [`Happening::Undone`]. Stops where `watch` says so.
///
/// # Errors
/// What is wrong with the records, or what `watch` finds wrong.
pub fn each_choice<'p>(
    program: &'p Program,
    whole: &Session<'_>,
    watch: &mut dyn FnMut(&mut Session<'p>, Happening) -> Result<bool, Problem>,
) -> Result<(), Problem> {
    let game = &program.game;
    let header = whole.header().clone();
    let records = whole.records().iter().map(|record| (0, record));
    let fixed = recorded::fixed_by(game, header.chance, records)?;
    let mut session = Session::start_with(program, header, fixed)?;
    for record in whole.records() {
        let goes_on = match record {
            Record::Choice(choice) => {
                let text = choice.played.as_deref().unwrap_or("");
                let played = typed::read(&mut session, text, Form::Signs)?;
                let nth = session.n_choices();
                let seat = seat_named(game, &choice.seat).unwrap_or(0);
                let chosen = Chosen { nth, seat, played };
                let goes_on = watch(&mut session, Happening::Choice(chosen))?;
                session.play(played).map_err(|error| of_play(&error))?;
                goes_on && watch(&mut session, Happening::Made)?
            }
            Record::Undo(undo) => {
                // The whole transcript was replayed before, so this choice can be taken back.
                let _ = session.undo_again(undo);
                watch(&mut session, Happening::Undone)?
            }
            Record::Chance(_) | Record::Hint(_) | Record::End(_) => true,
        };
        if !goes_on {
            break;
        }
    }
    Ok(())
}

/// What happened to a game.
#[derive(Clone, Copy, Debug)]
pub enum Happening {
    /// A seat chooses.
    Choice(Chosen),
    /// That was played.
    Made,
    /// The last choice was taken back.
    Undone,
}
