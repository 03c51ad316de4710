//! What can be typed at the prompt besides moves.

use std::path::Path;

use super::{Said, Table};
use crate::cli::booklet;
use crate::cli::files;
use crate::cli::ui::Tone;
use crate::cli::{CliError, Ui, render, show};
use crate::diagnostic::closest;
use crate::play::board::wrapped;
use crate::play::runs::numbered;
use crate::play::{cites_of, explain, seat_name, typed};

const HELP: &str = "\
type a move as it is printed, its plain form, or its number; several with `;` between them
  moves            list the legal moves again
  board            draw the table again, with all that is printed on it
  why              which clause asks for this choice
  rules            what the rules tell of
  rules WORD       what they say of it
  why MOVE         why a move is legal
  why not MOVE     why it is not
  undo             take the last choice back, if nobody has learnt anything from it
  undo SEAT        take back what that seat has chosen, until all have who choose at the same time
  save FILE        copy the transcript so far
  quit             leave; the game is kept
write `:quit` and so on where a game has a move of that name";

/// The words of orders.
const ORDERS: [&str; 8] = [
    "help", "moves", "board", "rules", "why", "undo", "save", "quit",
];

/// The order that was perhaps meant.
pub(super) fn like(line: &str) -> Option<&'static str> {
    let word = line.split_whitespace().next()?;
    closest(word, ORDERS)
}

impl<'p> Table<'p> {
    /// Does what a word other than a move asks for; none if it is no such word.
    pub(super) fn order(
        &mut self,
        line: &str,
        seat: u32,
        ui: &mut Ui<'_>,
    ) -> Result<Option<Said>, CliError> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        match (word, rest) {
            ("help" | "?", "") => ui.line(HELP)?,
            ("moves" | "legal", "") => show::moves(&mut self.session, ui.plain, ui)?,
            ("board" | "look", "") => {
                self.known.remove(&seat);
                return Ok(Some(Said::Changed));
            }
            ("quit" | "exit", "") => return Ok(Some(Said::Quit)),
            ("undo", "") => return self.undo(seat, ui).map(Some),
            ("undo", name) => {
                let Some(by) = self.seat_called(name) else {
                    return Ok(None);
                };
                return self.undo(by, ui).map(Some);
            }
            ("save", "") => ui.line("save where? `save FILE`")?,
            ("save", file) => self.save(file, ui)?,
            ("rules", word) => self.look_up(word, ui)?,
            ("why", "") => self.why_asked(ui)?,
            ("why", "not") | ("why-not", "") => ui.line("why not what? `why not MOVE`")?,
            ("why" | "why-not", rest) => {
                let asked = rest.strip_prefix("not ").unwrap_or(rest);
                let asked = self.named_move(asked.trim().trim_matches('"'), ui);
                let asked = asked.as_str();
                if let Some(answer) = explain::answer(&mut self.session, asked, ui.plain) {
                    show::answer(&answer, &self.loaded.sources, self.game(), ui)?;
                }
            }
            _ => return Ok(None),
        }
        Ok(Some(Said::Again))
    }

    /// The move of a number of the list; anything else stays as it is.
    fn named_move(&mut self, asked: &str, ui: &Ui<'_>) -> String {
        let number = asked.parse::<usize>().ok();
        let machine = self.session.machine();
        let at = number.and_then(|it| numbered(&machine.names(ui.plain), it, ui.plain));
        let chosen = at.and_then(|at| machine.moves().get(at)).copied();
        match chosen {
            Some(chosen) if typed::read(&mut self.session, asked, ui.plain).is_err() => {
                self.session.machine().name(chosen, ui.plain)
            }
            _ => asked.to_owned(),
        }
    }

    fn undo(&mut self, seat: u32, ui: &mut Ui<'_>) -> Result<Said, CliError> {
        match self.session.undo_by(seat) {
            Ok(()) => {
                self.keep(seat, ui)?;
                let name = seat_name(self.game(), seat, ui.plain);
                ui.line(format!("{name} takes the last choice back"))?;
                Ok(Said::Changed)
            }
            Err(barrier) => {
                ui.line(format!("no undo: {}", barrier.message(self.game())))?;
                Ok(Said::Again)
            }
        }
    }

    fn seat_called(&self, name: &str) -> Option<u32> {
        let called =
            |plain| (0..self.game().n_seats).find(|it| seat_name(self.game(), *it, plain) == name);
        called(true).or_else(|| called(false))
    }

    fn save(&mut self, file: &str, ui: &mut Ui<'_>) -> Result<(), CliError> {
        match files::write_new(Path::new(file), &self.session.transcript()) {
            Ok(()) => ui.line(format!("saved in {file}, with all that is hidden")),
            Err(CliError::Found(found)) => {
                let text = render::findings(&found.sources, &found.diagnostics, ui);
                ui.line(text)
            }
            Err(other) => Err(other),
        }
    }

    /// Reads out of the rules, or lists what they tell of.
    fn look_up(&self, word: &str, ui: &mut Ui<'_>) -> Result<(), CliError> {
        let Some(booklet) = booklet::of(self.loaded)? else {
            return ui.line("there is no booklet of these rules");
        };
        let lines = match word {
            "" => booklet.contents(),
            word => booklet.about(word),
        };
        if lines.is_empty() {
            ui.line(format!("nothing of the rules is called `{word}`"))?;
        }
        for line in lines {
            let depth = line.len() - line.trim_start().len();
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            let before = " ".repeat(depth);
            let text = wrapped(&before, &words, " ", show::text_width(ui));
            ui.line(text.trim_end())?;
        }
        Ok(())
    }

    /// What the rulebook says of the clause that asks.
    pub(super) fn asked_for(&mut self) -> Option<&'p str> {
        let clause = self.session.machine().clause()?;
        let text = self.game().clauses.get(clause.index())?.text.as_str();
        Some(text).filter(|it| !it.is_empty())
    }

    fn why_asked(&mut self, ui: &mut Ui<'_>) -> Result<(), CliError> {
        show::chooser(&mut self.session, ui)?;
        let game = self.game();
        let asked = self.session.machine().clause();
        let clause = asked.and_then(|id| game.clauses.get(id.index()));
        if let (Some(id), Some(clause)) = (asked, clause) {
            if let Some(text) = self.asked_for() {
                ui.line(format!("  {text}"))?;
            }
            let place = self.loaded.sources.place(clause.span);
            let cites = cites_of(game, id);
            ui.line(format!(
                "  {}",
                ui.paint(Tone::Dim, format!("{cites}  {place}").trim())
            ))?;
        }
        ui.line("  `why MOVE` and `why not MOVE` name the clauses of a move")
    }
}
