//! What happened in a game so far, as one seat was told, and what it brought whom.

use super::figures::{Score, score};
use super::news::{Announced, Changed, Piece};
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
    /// All that the seat was told, piece by piece; first the words of the choice.
    pub told: Vec<Piece>,
    /// The figures of the score that changed, as far as the seat sees them: what it was told of each, and what nobody told.
    pub gained: Vec<Piece>,
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
                pending = Some((chosen.seat, announced, figures(machine, seat, form)?));
            }
            Happening::Made => {
                let (events, told) = (session.events().to_vec(), session.told().to_vec());
                let number = session.n_choices();
                let after = figures(session.machine(), seat, form)?;
                entries.extend(pending.take().map(|(by, announced, before)| {
                    let told = announced.pieces(session.machine(), &events, &told);
                    Entry {
                        number,
                        by: Some(by),
                        gained: gained(&told, [&before, &after], form),
                        told,
                    }
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

/// What is counted.
fn figures(machine: &mut Machine<'_>, seat: u32, form: Form) -> Result<Score, Problem> {
    let view = machine.view(Viewer::Seat(seat));
    score(machine, &view, form).map_err(|it| of_play(&PlayError::Fault(it)))
}

/// Figure by figure what the seat was told of each that is counted before or behind; and of those that are counted and seen both
/// times, what it was not told, behind what it was told of other numbers of whoever has it.
fn gained(told: &[Piece], [before, after]: [&Score; 2], form: Form) -> Vec<Piece> {
    let changes = told.iter().filter_map(|it| Some((it, it.change.as_ref()?)));
    let changes: Vec<(&Piece, &Changed)> = changes.collect();
    let pieces = |is_meant: &dyn Fn(&Piece, &Changed) -> bool| -> Vec<Piece> {
        let meant = changes.iter().filter(|(piece, it)| is_meant(piece, it));
        meant.map(|(piece, _)| (*piece).clone()).collect()
    };
    let mut names: Vec<String> = after.names().collect();
    if before.title != after.title {
        names.extend(before.names());
        return names
            .iter()
            .flat_map(|of| pieces(&|_, it| it.of == *of))
            .collect();
    }
    let mut gained = Vec::new();
    let both = before.figures.iter().zip(&after.figures).zip(&names);
    for (((_, before), (whose, after)), of) in both {
        gained.extend(pieces(&|_, it| it.of == *of));
        let (Ok(before), Ok(after)) = (before.parse::<i64>(), after.parse::<i64>()) else {
            continue;
        };
        let own = changes.iter().filter(|(_, it)| it.of == *of);
        let known = own.fold(before, |sum, (_, it)| sum.saturating_add(it.by));
        if known != after {
            let whose = format!("{whose} ");
            gained.extend(pieces(&|piece, it| {
                piece.has_reason() && it.of.starts_with(&whose) && !names.contains(&it.of)
            }));
            gained.push(Piece::silent(of, [known, after], form));
        }
    }
    gained
}
