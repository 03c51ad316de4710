//! What happened so far, told again: the last choices, and how each point came about.

use super::Table;
use crate::cli::ui::Tone;
use crate::cli::{CliError, Ui, drawing, show};
use crate::play::entries::wrapped;
use crate::play::figures::main_figure;
use crate::play::history::{Entry, history};
use crate::play::seat_name;

/// How many choices are told again where nobody says how many.
const SOME: usize = 20;

impl Table<'_> {
    /// Remembers what the first person was told before the game went on.
    pub fn remember(&mut self, ui: &Ui<'_>) -> Result<(), CliError> {
        let Some(person) = self.person() else {
            return Ok(());
        };
        for entry in self.entries(person, ui)? {
            self.recall(entry.by, Some(person), entry.text, entry.number);
        }
        Ok(())
    }

    fn entries(&self, seat: u32, ui: &Ui<'_>) -> Result<Vec<Entry>, CliError> {
        Ok(history(
            &self.loaded.program,
            &self.session,
            seat,
            ui.form(),
        )?)
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
        let entries = self.entries(seat, ui)?;
        let first = entries.len().saturating_sub(n);
        for entry in entries.iter().skip(first) {
            let number = entry.number;
            told(&format!("{number:>4}  "), &entry.text, ui)?;
        }
        if entries.is_empty() {
            ui.line("nobody has chosen anything yet")?;
        }
        Ok(())
    }

    /// Tells who has how many points, and by which choices.
    pub(super) fn score(&mut self, seat: u32, ui: &mut Ui<'_>) -> Result<(), CliError> {
        let game = self.game();
        let view = drawing::view_of(&mut self.session, Some(seat));
        let figure = main_figure(self.session.machine(), &view).map_err(drawing::fault)?;
        let Some((name, figures)) = figure else {
            return ui.line("nothing is counted that this seat sees before the end");
        };
        let names = (0..game.n_seats).map(|it| seat_name(game, it, ui.form()));
        let all = names.zip(&figures).map(|(seat, it)| format!("{seat} {it}"));
        let all = all.collect::<Vec<_>>().join(", ");
        ui.line(ui.paint(Tone::Bold, format!("{name}: {all}")))?;
        for entry in self.entries(seat, ui)? {
            for (who, change) in entry.gained {
                let who = seat_name(game, who, ui.form());
                told(&format!("  {who} {change:+}  "), &entry.text, ui)?;
            }
        }
        Ok(())
    }
}

/// Writes a text behind some words, in lines.
fn told(before: &str, text: &str, ui: &mut Ui<'_>) -> Result<(), CliError> {
    let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let text = wrapped(before, &words, " ", show::text_width(ui));
    ui.line(text.trim_end())
}
