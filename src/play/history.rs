//! What happened in a game so far, as one seat was told, and what it brought whom.

use super::figures::main_figure;
use super::news::Announced;
use super::{Happening, Problem, Session, each_choice, of_play};
use crate::engine::{Machine, PlayError, Program, Viewer};
use crate::model::text::Form;

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
    form: Form,
) -> Result<Vec<Entry>, Problem> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut pending = None;
    each_choice(program, whole, &mut |session, happening| {
        match happening {
            Happening::Choice(chosen) => {
                let machine = session.machine();
                let announced = Announced::before(machine, chosen.played, seat, form);
                pending = Some((chosen.seat, announced, figures(machine, seat)?));
            }
            Happening::Made => {
                let (events, told) = (session.events().to_vec(), session.told().to_vec());
                let number = session.n_choices();
                let after = figures(session.machine(), seat)?;
                entries.extend(pending.take().map(|(by, announced, before)| Entry {
                    number,
                    by: Some(by),
                    text: announced.after(session.machine(), &events, &told),
                    gained: gained(&before, &after),
                }));
            }
            Happening::Undone => {
                let left = session.n_choices();
                entries.retain(|it| it.number <= left);
            }
        }
        Ok(true)
    })?;
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
