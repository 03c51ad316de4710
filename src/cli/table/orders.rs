//! What can be typed at the prompt besides moves.

use std::path::Path;

use super::Table;
use super::asked::Said;
use crate::cli::booklet;
use crate::cli::columns::folded;
use crate::cli::files;
use crate::cli::ui::Tone;
use crate::cli::{CliError, Ui, render, show};
use crate::diagnostic::{closest, codes};
use crate::engine::CandidateKind;
use crate::model::Action;
use crate::model::text::spelt;
use crate::play::entries::wrapped;
use crate::play::{Meant, cites_of, explain, meant, seat_name, seat_named, typed};

const HELP: &str = "\
type a move as it is printed or in its plain form, or the beginnings of its words in any order; several moves with `;` between them
  list             list the legal moves one by one; then also their numbers can be typed
  board            draw the table again, with all that is printed on it
  board NAME       draw what is called so; also `look row 7`, `look a7`, `look near a7`, `look SEAT`
  history          what happened; `history 40` goes back so many choices
  score            who has how many points, and why
  why              which clause asks for this choice
  rules            what the rules tell of
  rules WORD       what they say of it; `rules WORD 2` goes on with the second page
  hint             three moves, and how often they won in games played on from here; `hint 10` plays on for ten seconds
  why MOVE         why a move is legal
  why not MOVE     why it is not
  undo             take back what a person chose last, if nobody has learnt anything from it; programs choose again
  undo SEAT        the same for that seat; also what it has chosen while others choose at the same time
  save FILE        copy the transcript so far
  quit             leave; the game is kept
write `:quit` and so on where a game has a move of that name";

/// The words of orders.
const ORDERS: [&str; 11] = [
    "help", "list", "board", "history", "score", "hint", "rules", "why", "undo", "save", "quit",
];

/// What Tab completes: the moves, and the orders behind them.
pub(super) fn typeable(moves: Vec<String>) -> Vec<String> {
    let orders = ORDERS.map(str::to_owned);
    moves.into_iter().chain(orders).collect()
}

/// The order that was perhaps meant.
pub(super) fn like(line: &str) -> Option<&'static str> {
    let word = line.split_whitespace().next()?;
    closest(word, ORDERS)
}

/// The order that a word begins.
pub(super) fn begun(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    ORDERS.into_iter().find(|it| it.starts_with(&word))
}

/// Asks whether an order was meant.
pub(super) fn order_meant(order: &str) -> String {
    format!("did you mean `{order}`? `help` says what can be typed besides moves")
}

/// What a question is about that people ask in words of their own: `help plan`, `what does plan do?`
fn asked_about(line: &str) -> Option<String> {
    let line = line.to_lowercase();
    let words = line
        .trim_end_matches(['?', '.', '!', ' '])
        .split_whitespace();
    let words: Vec<&str> = words.collect();
    let about = match words.as_slice() {
        [
            "help" | "?" | "explain",
            "with" | "on" | "about",
            about @ ..,
        ]
        | ["help" | "?" | "explain" | "what's" | "whats", about @ ..]
        | ["what", "is" | "are", about @ ..]
        | [
            "what" | "how",
            "does" | "do",
            about @ ..,
            "do" | "mean" | "work",
        ] => about,
        _ => return None,
    };
    let about = match about {
        ["a" | "an" | "the", about @ ..] => about,
        about => about,
    };
    (!about.is_empty()).then(|| about.join(" "))
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
        let (word, rest) = (word.to_lowercase(), rest.trim());
        match (word.as_str(), rest) {
            ("help" | "?", page) if page.is_empty() || page.parse::<usize>().is_ok() => {
                let columns = match ui.on_terminal() {
                    true => ui.width(),
                    false => usize::MAX,
                };
                let help = folded(HELP, columns);
                let lines: Vec<&str> = help.lines().collect();
                self.tell_paged(&lines, page.parse().unwrap_or(1), "help", ui)?;
            }
            ("list" | "moves", "") => self.list(ui)?,
            ("board" | "look" | "show", "") => {
                self.known.remove(&seat);
                self.draw(seat, ui)?;
            }
            ("board" | "look" | "show", name) if ui.plain => self.read_part(seat, name, ui)?,
            ("board" | "look" | "show", name) => self.draw_part(seat, name, ui)?,
            ("history", n) => self.history(n, seat, ui)?,
            ("score", "") => self.score(seat, ui)?,
            ("quit" | "exit", "") => return Ok(Some(Said::Quit)),
            ("undo", "") => {
                // Of several people around one table the one takes back what another has just chosen.
                let last = self.session.last_chooser(self.asks_forced());
                return self.undo(last.unwrap_or(seat), seat, ui).map(Some);
            }
            ("undo", name) => {
                let Some(by) = seat_named(self.game(), name) else {
                    return Ok(None);
                };
                return self.undo(by, seat, ui).map(Some);
            }
            ("save", "") => ui.line("save where? `save FILE`")?,
            ("save", file) => self.save(file, ui)?,
            ("hint", seconds) => return self.hint(seconds, seat, ui).map(Some),
            ("rules", words) => self.look_up(words, seat, ui)?,
            ("why", "") => self.why_asked(ui)?,
            ("why", "not") | ("why-not", "") => ui.line("why not what? `why not MOVE`")?,
            ("why" | "why-not", rest) => {
                let asked = rest.strip_prefix("not ").unwrap_or(rest);
                let asked = self.named_move(asked.trim().trim_matches('"'), ui);
                let asked = asked.as_str();
                if let Some(answer) = explain::answer(&mut self.session, asked, ui.form()) {
                    show::answer(&answer, &self.loaded.sources, self.game(), ui)?;
                }
            }
            _ => {
                let Some(about) = asked_about(line) else {
                    return self.look_at(line, seat, ui);
                };
                let lines = self.rules_on(&about, seat, ui)?;
                if lines.is_empty() {
                    return Ok(None);
                }
                self.read_rules(&lines, &about, 1, ui)?;
            }
        }
        Ok(Some(Said::Again))
    }

    /// Shows what a line calls by its name and nothing else, where there is such a thing on the table.
    fn look_at(
        &mut self,
        line: &str,
        seat: u32,
        ui: &mut Ui<'_>,
    ) -> Result<Option<Said>, CliError> {
        let line = line.to_lowercase();
        let name = line.strip_prefix("my ").unwrap_or(&line);
        let is_asked =
            self.begun.is_empty() && meant(self.session.machine(), &line) == Meant::Nothing;
        if !is_asked || !self.is_called(seat, name, ui)? {
            return Ok(None);
        }
        match ui.plain {
            true => self.read_part(seat, name, ui)?,
            false => self.draw_part(seat, name, ui)?,
        }
        Ok(Some(Said::Again))
    }

    /// The move that beginnings of words mean, or a number of the list; anything else stays as it is.
    fn named_move(&mut self, asked: &str, ui: &Ui<'_>) -> String {
        let is_whole = match typed::read(&mut self.session, asked, ui.form()) {
            Ok(_) => true,
            Err(problem) => problem.code == codes::ILLEGAL_MOVE,
        };
        if is_whole {
            return asked.to_owned();
        }
        let machine = self.session.machine();
        let number = asked.parse::<usize>().ok().filter(|_| self.is_listed);
        let nth = number.and_then(|it| machine.moves().get(it.checked_sub(1)?).copied());
        let chosen = match (meant(machine, asked), nth) {
            (Meant::One(chosen), _) => Some(chosen),
            (Meant::Nothing, nth) => nth,
            (Meant::Several(_), _) => None,
        };
        chosen.map_or_else(
            || asked.to_owned(),
            |it| self.session.machine().name(it, ui.form()),
        )
    }

    fn undo(&mut self, seat: u32, asker: u32, ui: &mut Ui<'_>) -> Result<Said, CliError> {
        match self.session.undo_by(asker, seat, self.asks_forced()) {
            Ok(()) => {
                self.keep(seat, ui)?;
                self.forget_undone();
                self.moved = None;
                let name = seat_name(self.game(), seat, ui.form());
                let text = format!("{name} takes the last choice back");
                ui.line(&text)?;
                // What is written above a frame is gone with it.
                self.note(None, None, text);
                Ok(Said::Changed)
            }
            Err(barrier) => {
                let why = barrier.message(self.game(), ui.form());
                ui.line(format!("no undo: {why}"))?;
                Ok(Said::Again)
            }
        }
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
    fn look_up(&mut self, words: &str, seat: u32, ui: &mut Ui<'_>) -> Result<(), CliError> {
        let (mut word, mut page) = match words.parse::<usize>() {
            Ok(page) => ("", page.max(1)),
            Err(_) => (words, 1),
        };
        let mut lines = self.rules_on(word, seat, ui)?;
        if lines.is_empty()
            && let Some((before, number)) = words.rsplit_once(' ')
            && let Ok(number) = number.parse::<usize>()
        {
            (word, page) = (before.trim_end(), number.max(1));
            lines = self.rules_on(word, seat, ui)?;
        }
        if lines.is_empty() {
            ui.line(format!(
                "nothing of the rules is called `{word}`; `rules` lists what is"
            ))?;
        }
        self.read_rules(&lines, word, page, ui)
    }

    /// What the rules say of a word, or tell of where there is none; what is printed on a thing that lies there is a rule as well.
    fn rules_on(&mut self, word: &str, seat: u32, ui: &Ui<'_>) -> Result<Vec<String>, CliError> {
        let booklet = booklet::of(self.loaded)?;
        let lines = booklet.map_or_else(Vec::new, |it| match word {
            "" => it.contents(),
            word => it.about(word),
        });
        match lines.is_empty() {
            true => self.printed_on(seat, word, ui),
            false => Ok(lines),
        }
    }

    fn read_rules(
        &self,
        lines: &[String],
        word: &str,
        page: usize,
        ui: &mut Ui<'_>,
    ) -> Result<(), CliError> {
        let mut text = String::new();
        for line in lines {
            let depth = line.len() - line.trim_start().len();
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            let before = " ".repeat(depth);
            text.push_str(&wrapped(&before, &words, " ", show::text_width(ui)));
        }
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        let order = format!("rules {word}");
        let is_whole = self.tell_paged(&lines, page, &order, ui)?;
        if word.is_empty() && is_whole {
            ui.line("`rules WORD` reads what is said of it; `why` tells what is asked now")?;
        }
        Ok(())
    }

    /// Tells one page of an answer and how the next is asked for; returns whether it is the last one.
    fn tell_paged(
        &self,
        lines: &[&str],
        page: usize,
        order: &str,
        ui: &mut Ui<'_>,
    ) -> Result<bool, CliError> {
        // What runs off the top of a screen is not read; below stand the question after more and the prompt.
        let most = match self.screen(ui) {
            Some((_, rows)) => rows.saturating_sub(3).max(1),
            None => lines.len().max(1),
        };
        let n_pages = lines.len().div_ceil(most).max(1);
        let page = page.clamp(1, n_pages);
        for line in lines.iter().skip((page - 1) * most).take(most) {
            ui.line(line)?;
        }
        if page < n_pages {
            let next = page + 1;
            let order = order.trim_end();
            let text = format!("page {page} of {n_pages}; `{order} {next}` goes on");
            ui.line(ui.paint(Tone::Dim, text))?;
        }
        Ok(page == n_pages)
    }

    /// What the rulebook says of the clause that asks, or of what that is a part of; else which of several
    /// things can be done.
    pub(super) fn asked_for(&mut self) -> Option<String> {
        let clauses = &self.game().clauses;
        let asks = self.session.machine().clause();
        let asks = asks.and_then(|it| clauses.get(it.index()));
        let mut path = asks.map_or("", |it| it.path.as_str());
        while !path.is_empty() {
            let mut said = clauses.iter().filter(|it| it.path == path);
            if let Some(said) = said.find(|it| !it.text.is_empty()) {
                return Some(said.text.clone());
            }
            path = path.rsplit_once('.').map_or("", |(before, _)| before);
        }
        let mut actions = self.session.machine().actions_named();
        actions.dedup();
        let actions = actions.iter();
        let actions = actions.filter_map(|it| self.game().actions.get(it.index()));
        let actions: Vec<&Action> = actions.collect();
        // Where one thing is all that can be done, what is said of that.
        if let [only] = actions.as_slice()
            && let Some(clause) = clauses.get(only.clause.index())
            && !clause.text.is_empty()
        {
            return Some(clause.text.clone());
        }
        let mut names: Vec<String> = Vec::new();
        for mv in self.session.machine().moves().to_vec() {
            let Some(CandidateKind::Action(id, _)) =
                self.session.machine().candidate(mv).map(|it| it.kind)
            else {
                return None;
            };
            let name = spelt(&self.game().actions.get(id.index())?.name);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let (last, others) = names
            .split_last()
            .filter(|(_, others)| !others.is_empty())?;
        Some(format!("You may {} or {last}.", others.join(", ")))
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
