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
            Ok(hint) => hint.show(ui)?,
            Err(why) => return ui.line(format!("no hint: {why}")),
        }
        self.session
            .hinted(seat_name(self.game(), seat, Form::Plain));
        self.keep(seat, ui)
    }

    /// Says once that a program that thinks has to choose at random, and why.
    pub(super) fn own_up(&mut self, seat: u32, ui: &mut Ui<'_>) -> Result<(), CliError> {
        if self.has_owned_up || ui.json || !self.thinker.has_guessed() {
            return Ok(());
        }
        self.has_owned_up = true;
        let why = hinted::why_none(self.session.machine(), seat, ui.form());
        let who = self.player(seat).word();
        ui.line(format!("{who} chooses at random here: {why}"))
    }
}
