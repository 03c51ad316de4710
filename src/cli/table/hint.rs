//! What a person is advised at the prompt.

use std::time::Duration;

use super::Table;
use super::asked::Said;
use crate::cli::hinted::{self, Hint};
use crate::cli::thinking::Watch;
use crate::cli::{CliError, Ui, show};
use crate::mind::Budget;
use crate::model::text::Form;
use crate::play::seat_name;
use crate::source::hidden;

/// Seconds that a person waits for a hint, at most.
const LONGEST: u64 = 60;
/// Where a hint rests on few games.
const TELLS_LITTLE: &str = "so few games tell little; `hint 10` plays on for ten seconds";

impl Table<'_> {
    /// Advises a person from what its seat knows, and keeps that it asked.
    pub(super) fn hint(
        &mut self,
        seconds: &str,
        seat: u32,
        ui: &mut Ui<'_>,
    ) -> Result<Said, CliError> {
        let budget = match (seconds, seconds.parse::<u64>()) {
            ("", _) => hinted::AT_THE_PROMPT,
            (_, Ok(n @ 1..=LONGEST)) => Budget::Time(Duration::from_secs(n)),
            _ => {
                let text = format!(
                    "how many seconds? `hint 10`, up to {LONGEST}, not `{}`",
                    hidden::on_one_line(seconds)
                );
                ui.line(text)?;
                return Ok(Said::Again);
            }
        };
        let seed = self.session.n_choices() as u64;
        let machine = self.session.machine();
        let (watch, form) = (Watch::begin(), ui.form());
        let hint = watch.until_stopped(ui, || {
            Hint::of(&self.thinker, machine, seat, (budget, seed), &watch, form)
        });
        match hint {
            Ok(hint) => {
                hint.show(ui)?;
                if hint.tells_little() {
                    ui.line(show::paragraph(TELLS_LITTLE, ui))?;
                }
                self.session
                    .hinted(seat_name(self.game(), seat, Form::Plain));
                self.keep(seat, ui)?;
            }
            Err(why) => ui.line(format!("no hint: {why}"))?,
        }
        // Ctrl-C stops the hint, and not the game.
        if watch.has_stopped() {
            ui.forget_stop();
        }
        Ok(Said::Again)
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
