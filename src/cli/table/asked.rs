//! What a person is asked at the prompt, and what comes of what it types.

use super::short::Short;
use super::told::Handed;
use super::{Table, orders, told};
use crate::cli::editing::Typed;
use crate::cli::ui::Tone;
use crate::cli::{CliError, Ui, drawing, render, show};
use crate::diagnostic::codes;
use crate::engine::{COMMAND_WORK, Status};
use crate::model::text::Form;
use crate::play::{Problem, seat_name, typed};

/// What can be asked of a game that is over.
const AFTERWARDS: &str = "`score` tells how the points came about, `history` what happened; also `board NAME`, `rules`, `save FILE`; Enter leaves";

/// What a line at the prompt led to.
pub(super) enum Said {
    /// A move was made.
    Moved,
    /// The same seat is asked again.
    Again,
    /// The position changed otherwise: it has to be shown again.
    Changed,
    /// The person goes away.
    Quit,
}

impl Table<'_> {
    /// Whether a person is asked for something else in the turn that it has begun, and was told all that has changed on
    /// the table meanwhile.
    fn is_up_to_date(&mut self, seat: u32) -> bool {
        let clause = self.session.machine().clause();
        let game = self.game();
        self.moved == Some(seat)
            && clause != self.drawn_at
            && !game.shown.is_empty()
            && game.pictures.is_empty()
            && self
                .known
                .get(&seat)
                .is_some_and(|known| !drawing::looks_otherwise(&mut self.session, seat, known))
    }

    /// Asks a person until a move is made; false where the person goes away.
    pub(super) fn ask(&mut self, seat: u32, ui: &mut Ui<'_>) -> Result<bool, CliError> {
        if self.moved != Some(seat)
            && let Some(text) = self.drop_typed("somebody else has moved since")
        {
            // What is written above a frame is gone with it.
            match self.screen(ui) {
                Some(_) => self.note(None, Some(seat), text),
                None => ui.line(text)?,
            }
        }
        let mut presented = false;
        loop {
            let line = match self.typed.pop_front() {
                Some(line) => line,
                None => {
                    if !presented {
                        match self.hand_over(seat, ui)? {
                            Handed::Over => {}
                            Handed::Back => return Ok(true),
                            Handed::Left => return Ok(false),
                        }
                        self.told.clear();
                        let brief = self.screen(ui).is_none() && self.is_up_to_date(seat);
                        self.present(seat, brief, ui)?;
                        presented = true;
                    }
                    let name = seat_name(self.game(), seat, ui.form());
                    let begun = match self.begun.as_str() {
                        "" => String::new(),
                        begun => format!(" {begun} …"),
                    };
                    let names = orders::typeable(self.session.machine().names(Form::Signs));
                    let line = match ui.ask(seat, &format!("{name}{begun}> "), names)? {
                        Typed::Line(line) => line,
                        Typed::Gone => {
                            ui.line("")?;
                            self.cover(ui)?;
                            return Ok(false);
                        }
                        Typed::Resized => {
                            if self.screen(ui).is_some() {
                                self.present(seat, false, ui)?;
                            }
                            continue;
                        }
                    };
                    // Who asks again may have as much work done again.
                    self.loaded.program.bound_work(COMMAND_WORK);
                    line
                }
            };
            match self.say(line.trim(), seat, ui)? {
                Said::Moved => return Ok(true),
                Said::Again => {
                    if let Some(text) = self.drop_typed("of what comes before it") {
                        ui.line(text)?;
                    }
                }
                // Another seat may be asked again.
                Said::Changed if self.session.status() != (Status::Choice { seat }) => {
                    return Ok(true);
                }
                Said::Changed => self.present(seat, false, ui)?,
                Said::Quit => {
                    self.cover(ui)?;
                    return Ok(false);
                }
            }
        }
    }

    /// Answers what is asked of a game that is over, until the person at the terminal goes away.
    pub fn look_back(&mut self, ui: &mut Ui<'_>) -> Result<(), CliError> {
        let (Some(person), true) = (self.witness(), ui.interactive() && ui.height().is_some())
        else {
            return Ok(());
        };
        ui.line(ui.paint(Tone::Dim, AFTERWARDS))?;
        loop {
            let names = ["score", "history", "board", "rules", "save", "quit"];
            let names = names.map(str::to_owned).to_vec();
            let line = match ui.ask(person, "over> ", names)? {
                Typed::Line(line) => line,
                Typed::Gone => return ui.line(""),
                Typed::Resized => continue,
            };
            let line = line.trim();
            let word = line.split(' ').next().unwrap_or_default();
            match word {
                "" | "quit" | "exit" => return Ok(()),
                "score" | "history" | "board" | "look" | "rules" | "save" => {
                    self.order(line, person, ui)?;
                }
                "undo" => ui.line("the game is over: nothing can be taken back")?,
                _ => ui.line(AFTERWARDS)?,
            }
        }
    }

    /// Clears the screen for who comes next, where the person asked last leaves what others may not see on it.
    pub(super) fn cover(&self, ui: &mut Ui<'_>) -> Result<(), CliError> {
        let is_secret = self.people().count() > 1 && told::has_secrets(self.game());
        match is_secret && ui.on_terminal() && self.looking.is_some() {
            true => ui.clear_screen(),
            false => Ok(()),
        }
    }

    /// Forgets what was typed on one line with what could not be played, and says so.
    fn drop_typed(&mut self, why: &str) -> Option<String> {
        let rest: Vec<String> = self.typed.drain(..).collect();
        (!rest.is_empty()).then(|| format!("not played, because {why}: {}", rest.join("; ")))
    }

    /// Does what was typed at the prompt.
    fn say(&mut self, line: &str, seat: u32, ui: &mut Ui<'_>) -> Result<Said, CliError> {
        let only = match *self.session.machine().moves() {
            [only] if ui.interactive() => Some(only),
            _ => None,
        };
        if line.is_empty() && only.is_none() {
            self.begun.clear();
            // What was asked meanwhile has pushed the frame off the screen.
            return Ok(match self.screen(ui) {
                Some(_) => Said::Changed,
                None => Said::Again,
            });
        }
        if let Some(order) = line.strip_prefix(':') {
            return match self.order(order.trim(), seat, ui)? {
                Some(said) => Ok(said),
                None => {
                    ui.line(format!("there is no order `{order}`; `help` lists them"))?;
                    Ok(Said::Again)
                }
            };
        }
        let chosen = match only.filter(|_| line.is_empty()) {
            Some(only) => Ok(only),
            None => typed::read(&mut self.session, line, ui.form()),
        };
        let chosen = match chosen {
            Ok(chosen) => Ok(chosen),
            Err(problem) => {
                if !self.begins_move(line)
                    && let Some(said) = self.order(line, seat, ui)?
                {
                    return Ok(said);
                }
                match self.in_short(line, &problem, ui)? {
                    Some(Short::Means(chosen)) => Ok(chosen),
                    Some(Short::Asked) => return Ok(Said::Again),
                    None => Err(problem),
                }
            }
        };
        let mut problem = match chosen {
            Ok(chosen) => {
                // What went wrong in the rules is told, and the position is as before the move.
                if let Err(error) = self.make(chosen, seat, false, ui) {
                    let CliError::Found(found) = &error else {
                        return Err(error);
                    };
                    ui.line(render::findings(&found.sources, &found.diagnostics, ui))?;
                    return Ok(Said::Again);
                }
                return Ok(Said::Moved);
            }
            Err(problem) => problem,
        };
        let begun = std::mem::take(&mut self.begun);
        if line.contains(';') && self.typed.is_empty() {
            let moves = line.split(';').map(str::trim).filter(|it| !it.is_empty());
            self.typed = moves.map(str::to_owned).collect();
            if let Some(first) = self.typed.pop_front() {
                return self.say(&first, seat, ui);
            }
        }
        let is_unread = [codes::NO_RULE, codes::NO_SUCH_THING].contains(&problem.code);
        let of_some = match is_unread {
            true => self.refused_behind(&begun, line, ui),
            false => None,
        };
        let series = match is_unread && of_some.is_none() {
            true => typed::in_series(&mut self.session, line),
            false => None,
        };
        problem = match (
            of_some,
            orders::like(line).filter(|_| problem.code == codes::NO_RULE),
            series,
        ) {
            (Some(of_some), ..) => of_some.nearest(),
            (None, Some(order), _) => problem.help(orders::order_meant(order)),
            (None, None, Some(series)) => {
                let help = format!("several moves have `;` between them: `{series}`");
                problem.help(help)
            }
            (None, None, None) => {
                let meant = is_unread.then(|| self.perhaps_meant(line, ui));
                match meant.flatten() {
                    Some(help) => problem.help(help),
                    None => problem.nearest(),
                }
            }
        };
        // Who plays looks up no codes.
        ui.line(show::paragraph(&problem.message, ui))?;
        if let Some(help) = &problem.help {
            ui.line(show::indented(help, ui))?;
        }
        if is_unread && !begun.is_empty() {
            ui.line(format!("an empty line forgets `{begun}`"))?;
            self.begun = begun;
        }
        Ok(Said::Again)
    }

    /// Asks whether a move is meant: the one that wants nothing, or those that have all words of a line but one.
    fn perhaps_meant(&mut self, line: &str, ui: &Ui<'_>) -> Option<String> {
        let nothing = typed::declined(&mut self.session, line, ui.form());
        let meant = match nothing {
            Some(nothing) => vec![nothing],
            None => typed::all_but_one(&mut self.session, line, ui.form()),
        };
        (!meant.is_empty()).then(|| format!("did you mean {}?", typed::in_words(&meant)))
    }

    /// What forbids the moves that a line begins, behind what was begun before it or by itself.
    fn refused_behind(&mut self, begun: &str, line: &str, ui: &Ui<'_>) -> Option<Problem> {
        let both = format!("{begun} {line}");
        let both = (!begun.is_empty()).then_some(both.as_str());
        let mut lines = both.into_iter().chain([line]);
        lines.find_map(|it| typed::refused_begun(&mut self.session, it, ui.form()))
    }
}
