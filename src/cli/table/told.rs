//! What people around one terminal are told of moves, each no more than it may know.

use super::Table;
use super::asked::Said;
use crate::cli::{CliError, Ui, show};
use crate::model::{Game, Visibility};
use crate::play::news::{self, Done, Piece, Sight};
use crate::play::{Player, seat_name};

impl Table<'_> {
    pub(super) fn sights(&mut self, people: &[u32], ui: &Ui<'_>) -> Vec<Sight> {
        let people = people.iter();
        people
            .map(|person| news::look_at_table(self.session.machine(), *person, ui.form()))
            .collect()
    }

    /// Tells what the people learnt by a move, and keeps for each what only that one did.
    pub(super) fn tell_news(
        &mut self,
        people: &[u32],
        before: &[Sight],
        done: &[Done],
        ui: &mut Ui<'_>,
    ) -> Result<(), CliError> {
        let after = self.sights(people, ui);
        let learnt = before.iter().zip(&after);
        let learnt: Vec<Vec<Piece>> = learnt
            .map(|(before, after)| {
                let (events, heard) = (self.session.events(), self.session.told());
                let sights = [before, after];
                news::told(self.game(), sights, events, heard, done, ui.form())
            })
            .collect();
        self.tell_each(people, &learnt, ui)
    }

    /// Tells the people what the rules tell before anybody has chosen.
    pub(super) fn tell_beginning(&mut self, ui: &mut Ui<'_>) -> Result<(), CliError> {
        let people: Vec<u32> = self.people().collect();
        let (game, heard) = (self.game(), self.session.told());
        let told = people.iter();
        let told = told.map(|person| news::told_first(game, heard, *person, ui.form()));
        let told: Vec<Vec<Piece>> = told.collect();
        self.tell_each(&people, &told, ui)
    }

    fn tell_each(
        &mut self,
        people: &[u32],
        learnt: &[Vec<Piece>],
        ui: &mut Ui<'_>,
    ) -> Result<(), CliError> {
        let by_all = |it: &Piece| learnt.iter().all(|news| news.contains(it));
        let (open, _): (Vec<Piece>, Vec<Piece>) = learnt
            .first()
            .cloned()
            .unwrap_or_default()
            .into_iter()
            .partition(by_all);
        for (person, news) in people.iter().zip(learnt) {
            let own = news.iter().filter(|it| !by_all(it)).cloned();
            let own: Vec<Piece> = own.collect();
            self.add_to_last(&own, Some(*person));
            if let Some(kept) = self.private.get_mut(*person as usize) {
                kept.extend(own);
            }
        }
        if !open.is_empty() {
            self.add_to_last(&open, None);
            let told = show::news("    ", &open, ui);
            ui.line(&told)?;
            self.told.push(told);
        }
        Ok(())
    }

    /// Tells a person what it alone has learnt; returns whether there was anything.
    pub(super) fn tell_private(&mut self, seat: u32, ui: &mut Ui<'_>) -> Result<bool, CliError> {
        let own = self.private.get_mut(seat as usize).map(std::mem::take);
        let Some(own) = own.filter(|it| !it.is_empty()) else {
            return Ok(false);
        };
        let name = seat_name(self.game(), seat, ui.form());
        let told = show::news(&format!("    {name} sees: "), &own, ui);
        ui.line(told)?;
        Ok(true)
    }

    /// Waits for the next person before anything hidden is shown: an empty line alone says that it sits there.
    pub(super) fn hand_over(&mut self, seat: u32, ui: &mut Ui<'_>) -> Result<Handed, CliError> {
        let last = self.looking.replace(seat);
        let people = self
            .seats
            .iter()
            .filter(|player| **player == Player::Human)
            .count();
        let first = last.is_none() && people < 2;
        if last == Some(seat)
            || first
            || people < 2
            || !ui.interactive()
            || !has_secrets(self.game())
        {
            return Ok(Handed::Over);
        }
        // What the last person alone learnt would be gone with the screen.
        if let Some(last) = last
            && self.tell_private(last, ui)?
        {
            ui.part("press Enter when you have seen that ")?;
            ui.read_line()?;
        }
        if last.is_some() && ui.on_terminal() {
            ui.clear_screen()?;
        }
        let name = seat_name(self.game(), seat, ui.form());
        loop {
            ui.part(format!("give the table to {name}, then press Enter "))?;
            let Some(line) = ui.read_line()? else {
                return Ok(Handed::Left);
            };
            match line.trim() {
                "" => break,
                "quit" | "exit" => return Ok(Handed::Left),
                "undo" => {
                    if let Some(Said::Changed) = self.order("undo", seat, ui)? {
                        self.looking = last;
                        return Ok(Handed::Back);
                    }
                }
                _ => ui.line(format!(
                    "Enter alone shows what {name} sees; `undo` takes back what nobody has seen yet, `quit` leaves"
                ))?,
            }
        }
        // The screen was cleared, and with it what the last person did.
        for told in std::mem::take(&mut self.told) {
            ui.line(told)?;
        }
        Ok(Handed::Over)
    }
}

/// What came of giving the table to the next person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Handed {
    /// That person sits there.
    Over,
    /// The person before took something back.
    Back,
    /// Nobody comes.
    Left,
}

/// Returns whether some seat may not see all.
pub(super) fn has_secrets(game: &Game) -> bool {
    let zones = game.zones.iter().map(|zone| zone.visibility);
    let tracks = game.tracks.iter().map(|track| track.visibility);
    zones
        .chain(tracks)
        .any(|visibility| matches!(visibility, Visibility::Owner(_) | Visibility::Others(_)))
}
