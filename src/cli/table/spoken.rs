//! The table for who hears it: all of it once, then what changed, and what is asked for by name.

use super::Table;
use crate::cli::drawing;
use crate::cli::{CliError, Ui, show};
use crate::model::text::Form;
use crate::play::entries::wrapped;
use crate::play::picture;
use crate::play::spoken::Spoken;

impl<'p> Table<'p> {
    fn spoken(&mut self, seat: u32, ui: &Ui<'_>) -> Result<Spoken<'p>, CliError> {
        let view = drawing::view_of(&mut self.session, Some(seat));
        let spoken =
            Spoken::of(self.session.machine(), &view, ui.form()).map_err(drawing::fault)?;
        self.heard.insert(seat, spoken.untold());
        Ok(spoken)
    }

    /// Reads all of the table in few lines.
    pub(super) fn read_out(&mut self, seat: u32, ui: &mut Ui<'_>) -> Result<(), CliError> {
        let lines = self.spoken(seat, ui)?.overview();
        say(&lines, ui)?;
        let view = drawing::view_of(&mut self.session, Some(seat));
        let known = drawing::known(&mut self.session, &view, &[]);
        self.known.insert(seat, known);
        Ok(())
    }

    /// Reads what has changed that nobody has told; at first all.
    pub(super) fn read_new(&mut self, seat: u32, ui: &mut Ui<'_>) -> Result<(), CliError> {
        let Some(before) = self.heard.get(&seat).cloned() else {
            return self.read_out(seat, ui);
        };
        let now = self.spoken(seat, ui)?.untold();
        let came = now
            .iter()
            .filter(|(at, what)| before.get(*at) != Some(what));
        let mut lines: Vec<String> = came.map(|(at, what)| format!("{at}: {what}")).collect();
        let gone = before.keys().filter(|at| !now.contains_key(*at));
        lines.extend(gone.map(|at| format!("{at}: nothing")));
        say(&lines, ui)
    }

    /// Reads what is called so; says what there is where nothing is.
    pub(super) fn read_part(
        &mut self,
        seat: u32,
        name: &str,
        ui: &mut Ui<'_>,
    ) -> Result<(), CliError> {
        if self.read_called(seat, name, ui)? {
            return Ok(());
        }
        self.draw_part(seat, name, ui)
    }

    /// Whether something on the table has this very name.
    pub(super) fn is_called(
        &mut self,
        seat: u32,
        name: &str,
        ui: &Ui<'_>,
    ) -> Result<bool, CliError> {
        let spoken = self.spoken(seat, ui)?;
        let mut names = spoken.names().into_iter();
        Ok(names.any(|it| it.to_lowercase() == name))
    }

    /// Reads what is called so; false where nothing is.
    pub(super) fn read_called(
        &mut self,
        seat: u32,
        name: &str,
        ui: &mut Ui<'_>,
    ) -> Result<bool, CliError> {
        let spoken = self.spoken(seat, ui)?;
        let view = drawing::view_of(&mut self.session, Some(seat));
        let mut lines = spoken.about(name);
        // People type letters for signs.
        if lines.is_empty() && ui.form() == Form::Signs {
            let plain = Spoken::of(self.session.machine(), &view, Form::Plain);
            let plain = plain.map_err(drawing::fault)?;
            let called = spoken.called_in(&plain, name);
            lines = called.map_or_else(Vec::new, |it| spoken.about(&it));
        }
        let parts = picture::read(self.session.machine(), &view, name, ui.form());
        lines.extend(parts.map_err(drawing::fault)?);
        lines.extend(self.printed_on(seat, name, ui)?);
        say(&lines, ui)?;
        Ok(!lines.is_empty())
    }
}

fn say(lines: &[String], ui: &mut Ui<'_>) -> Result<(), CliError> {
    for line in lines {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let text = wrapped("", &words, " ", show::text_width(ui));
        ui.line(text.trim_end())?;
    }
    Ok(())
}
