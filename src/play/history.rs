//! What happened in a game so far, as one seat was told, and what it brought whom.

use super::figures::{Score, score};
use super::news::{Announced, in_line};
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
    pub told: Vec<String>,
    /// What the figures of the seats are called; none where each has its own name.
    pub title: Option<String>,
    /// Which figure of the score changed by how much, as far as the seat sees it.
    pub gained: Vec<(String, i64)>,
}

impl Entry {
    /// The choice, and what was told of the figures that changed by it, in one line.
    #[must_use]
    pub fn about_figures(&self, form: Form) -> String {
        let figures = self.gained.iter().map(|(name, _)| match &self.title {
            Some(title) => format!("{name} {title} "),
            None => format!("{name} "),
        });
        let figures: Vec<String> = figures.collect();
        let (choice, news) = self.told.split_at(self.told.len().min(1));
        let of_figures = |it: &&String| figures.iter().any(|name| it.starts_with(name));
        let told = choice.iter().chain(news.iter().filter(of_figures));
        let told: Vec<String> = told.cloned().collect();
        in_line(&told, form)
    }
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
                entries.extend(pending.take().map(|(by, announced, before)| Entry {
                    number,
                    by: Some(by),
                    told: announced.pieces(session.machine(), &events, &told),
                    gained: gained(&before, &after),
                    title: after.title,
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

/// What changed, where the same is counted before and behind, and seen.
fn gained(before: &Score, after: &Score) -> Vec<(String, i64)> {
    if before.title != after.title {
        return Vec::new();
    }
    let both = before.figures.iter().zip(&after.figures);
    let changes = both.filter_map(|((_, before), (name, after))| {
        let number = |it: &String| it.parse::<i64>().ok();
        let change = number(after)?.saturating_sub(number(before)?);
        (change != 0).then(|| (name.clone(), change))
    });
    changes.collect()
}
