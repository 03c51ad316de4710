//! What a person is advised at the prompt.

use super::Table;
use crate::cli::hinted::{self, Hint};
use crate::cli::{CliError, Ui};
use crate::model::text::Form;
use crate::play::seat_name;

impl Table<'_> {
    /// Advises a person from what its seat knows, and keeps that it asked.
    pub(super) fn hint(&mut self, seat: u32, ui: &mut Ui<'_>) -> Result<(), CliError> {
        let seed = self.session.n_choices() as u64;
        let machine = self.session.machine();
        let asked = (hinted::AT_THE_PROMPT, seed);
        match Hint::of(&self.thinker, machine, seat, asked, &self.watch, ui.form()) {
            Some(hint) => hint.show(ui)?,
            None => return ui.line("no hint: what may lie there cannot be dealt anew"),
        }
        self.session
            .hinted(seat_name(self.game(), seat, Form::Plain));
        self.keep(seat, ui)
    }
}
