//! What happened so far, told again: the last choices, and how each point came about.

use super::Table;
use crate::cli::ui::Tone;
use crate::cli::{CliError, Ui, drawing, show};
use crate::play::entries::wrapped;
use crate::play::figures;
use crate::play::history::{Entry, history};
use crate::play::news::in_line;

/// How many choices are told again where nobody says how many.
const SOME: usize = 20;

impl Table<'_> {
    /// Remembers what the first person was told before the game went on.
    pub fn remember(&mut self, ui: &Ui<'_>) -> Result<(), CliError> {
        let Some(person) = self.person() else {
            return Ok(());
        };
        for entry in self.entries(person, ui)? {
            let text = in_line(&entry.told, ui.form());
            self.recall(entry.by, Some(person), text, entry.number);
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
            told(
                &format!("{number:>4}  "),
                &in_line(&entry.told, ui.form()),
                ui,
            )?;
        }
        if entries.is_empty() {
            ui.line("nobody has chosen anything yet")?;
        }
        Ok(())
    }

    /// Tells who has how many points, and by which choices.
    pub(super) fn score(&mut self, seat: u32, ui: &mut Ui<'_>) -> Result<(), CliError> {
        let view = drawing::view_of(&mut self.session, Some(seat));
        let score = figures::score(self.session.machine(), &view, ui.form());
        let score = score.map_err(drawing::fault)?;
        if score.figures.is_empty() {
            return ui.line("nothing is counted that this seat sees before the end");
        }
        let all: Vec<String> = score
            .figures
            .iter()
            .map(|(name, it)| format!("{name} {it}"))
            .collect();
        let title = score.title.as_deref();
        let before = title.map_or_else(String::new, |it| format!("{it}: "));
        let text = show::paragraph(&format!("{before}{}", all.join(", ")), ui);
        ui.line(ui.paint(Tone::Bold, text))?;
        for entry in self.entries(seat, ui)? {
            if entry.gained.is_empty() {
                continue;
            }
            let changes = entry.gained.iter();
            let changes = changes.map(|(of, change)| format!("{of} {change:+}"));
            let changes: Vec<String> = changes.collect();
            let text = entry.about_figures(ui.form());
            told(&format!("  {}  ", changes.join(", ")), &text, ui)?;
        }
        Ok(())
    }
}

/// Writes a text behind some words, in lines.
fn told(before: &str, text: &str, ui: &mut Ui<'_>) -> Result<(), CliError> {
    let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let width = show::text_width(ui);
    let mut before = before;
    // Beside many changes there is no room for words.
    if 2 * before.chars().count() > width {
        ui.line(before.trim_end())?;
        before = "      ";
    }
    let text = wrapped(before, &words, " ", width);
    ui.line(text.trim_end())
}
