//! What happened so far, told again: the last choices, and how each point came about.

use serde::Serialize;

use super::Table;
use super::happened::Happening;
use crate::cli::columns::long;
use crate::cli::ui::Tone;
use crate::cli::{CliError, Ui, drawing, show};
use crate::model::text::Form;
use crate::play::entries::wrapped;
use crate::play::figures;
use crate::play::history::{Entry, history};
use crate::play::news::{Changed, Piece, in_line, in_lines};
use crate::play::seat_name;

/// How many choices are told again where nobody says how many.
const SOME: usize = 20;
/// Columns before what came of a choice.
const INDENT: usize = 8;

impl Table<'_> {
    /// Remembers what the first person was told before the game went on.
    pub fn remember(&mut self, ui: &Ui<'_>) -> Result<(), CliError> {
        let Some(person) = self.person() else {
            return Ok(());
        };
        for entry in self.entries(person, ui.form())? {
            let mut told = entry.told.into_iter();
            let done = told.next().map_or_else(String::new, |it| it.text);
            self.recall(Happening {
                by: entry.by,
                only: Some(person),
                done,
                news: told.collect(),
                n_choices: entry.number,
            });
        }
        Ok(())
    }

    fn entries(&self, seat: u32, form: Form) -> Result<Vec<Entry>, CliError> {
        Ok(history(&self.loaded.program, &self.session, seat, form)?)
    }

    /// Tells the last choices again.
    pub(super) fn history(&self, n: &str, seat: u32, ui: &mut Ui<'_>) -> Result<(), CliError> {
        let n = match (n, n.parse::<usize>()) {
            ("", _) => SOME,
            (_, Ok(n)) => n,
            (other, Err(_)) => {
                let text = format!("how many choices? `history 40`, not `{other}`");
                return ui.line(text);
            }
        };
        let entries = self.entries(seat, ui.form())?;
        let first = entries.len().saturating_sub(n);
        for entry in entries.iter().skip(first) {
            told(entry.number, in_lines(&entry.told), ui)?;
        }
        if entries.is_empty() {
            ui.line("nobody has chosen anything yet")?;
        }
        Ok(())
    }

    /// Tells again what the last choice changed, where the table that is drawn since has pushed it off the screen.
    pub fn tell_last(&mut self, seat: u32, ui: &mut Ui<'_>) -> Result<(), CliError> {
        if self.screen(ui).is_none() {
            return Ok(());
        }
        let last = self.entries(seat, ui.form())?.pop();
        match last.filter(|it| !it.gained.is_empty()) {
            Some(last) => told_of_figures(last, ui),
            None => Ok(()),
        }
    }

    /// What the first person saw of how the points came about; nothing where no person plays.
    pub fn scored(&self) -> Result<Vec<Scored>, CliError> {
        let entries = self.person().map(|it| self.entries(it, Form::Plain));
        let entries = entries.transpose()?.unwrap_or_default().into_iter();
        let scored = entries.map(|entry| Scored {
            choice: entry.number,
            told: in_line(entry.told.first(), Form::Plain),
            changes: entry
                .gained
                .into_iter()
                .filter_map(|it| it.change)
                .collect(),
        });
        Ok(scored.filter(|it| !it.changes.is_empty()).collect())
    }

    /// Tells who has how many points, and by which choices.
    pub(super) fn score(&mut self, seat: u32, ui: &mut Ui<'_>) -> Result<(), CliError> {
        let view = drawing::view_of(&mut self.session, Some(seat));
        let score = figures::score(self.session.machine(), &view, ui.form());
        let score = score.map_err(drawing::fault)?;
        let mut lines = Vec::new();
        if score.title.is_none() {
            let figures = figures::unnamed_figure(self.session.machine(), &view);
            if let Some(figures) = figures.map_err(drawing::fault)? {
                let game = self.session.game();
                let seats = (0..game.n_seats).map(|it| seat_name(game, it, ui.form()));
                let all: Vec<String> = seats
                    .zip(figures)
                    .map(|(name, it)| format!("{name} {it}"))
                    .collect();
                lines.push(format!("what the game is won by: {}", all.join(", ")));
            }
        }
        if !score.figures.is_empty() {
            let all = score.figures.iter();
            let all: Vec<String> = all.map(|(name, it)| format!("{name} {it}")).collect();
            let title = score.title.as_deref();
            let before = title.map_or_else(String::new, |it| format!("{it}: "));
            lines.push(format!("{before}{}", all.join(", ")));
        }
        if lines.is_empty() {
            return ui.line("nothing is counted that this seat sees before the end");
        }
        for line in lines {
            let text = show::paragraph(&line, ui);
            ui.line(ui.paint(Tone::Bold, text))?;
        }
        for entry in self.entries(seat, ui.form())? {
            if entry.gained.is_empty() {
                continue;
            }
            told_of_figures(entry, ui)?;
        }
        Ok(())
    }
}

/// Tells which figures a choice changed: each in a line of its own, but where it is one and there is room behind the choice.
fn told_of_figures(entry: Entry, ui: &mut Ui<'_>) -> Result<(), CliError> {
    let choice = entry.told.into_iter().take(1);
    let pieces: Vec<Piece> = choice.chain(entry.gained).collect();
    let line = format!("{:>4}  {}", entry.number, in_line(&pieces, ui.form()));
    match pieces.len() {
        2 if long(&line) <= show::text_width(ui) => ui.line(line),
        _ => told(entry.number, pieces.chunks(1), ui),
    }
}

/// The numbers that a choice changed, as the person saw it.
#[derive(Serialize)]
pub struct Scored {
    /// The number of the choice, from one.
    choice: usize,
    /// The choice, in words.
    told: String,
    changes: Vec<Changed>,
}

/// Tells what came of a choice behind its number, line by line.
fn told<'p>(
    number: usize,
    lines: impl IntoIterator<Item = &'p [Piece]>,
    ui: &mut Ui<'_>,
) -> Result<(), CliError> {
    let mut before = format!("{number:>4}  ");
    for line in lines {
        let text = in_line(line, ui.form());
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let text = wrapped(&before, &words, " ", show::text_width(ui));
        ui.line(text.trim_end())?;
        before = " ".repeat(INDENT);
    }
    Ok(())
}
