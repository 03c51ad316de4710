//! People and bots around one terminal.

mod asked;
mod frame;
mod happened;
mod hint;
mod orders;
mod parts;
mod past;
mod short;
mod spoken;
mod told;

pub use past::Scored;

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::hash::BuildHasher;

use super::drawing::{self, Drawing, Known};
use super::journal::{Journal, Safe};
use super::load::Loaded;
use super::thinking::Watch;
use super::ui::Tone;
use super::{CliError, Ui, position, render, show};
use crate::engine::{Fault, Move, PlayError, Reading, Status, Viewer};
use crate::mind::Thinker;
use crate::model::{ClauseId, Game};
use crate::play::groups::Groups;
use crate::play::news::Piece;
use crate::play::spoken::Untold;
use crate::play::{Player, Session, news, of_play, seat_name};

/// A game, where it is kept, and who plays it.
pub struct Table<'p> {
    /// The game.
    pub session: Session<'p>,
    /// Where it is kept, if it is.
    pub journal: Option<Journal>,
    loaded: &'p Loaded,
    seats: Vec<Player>,
    thinker: Thinker<'p>,
    has_owned_up: bool,
    watch: Watch,
    /// The person who saw the table last.
    looking: Option<u32>,
    /// The moves that were told since that person was asked.
    told: Vec<String>,
    /// By seat: what only the person there has learnt since it was asked.
    private: Vec<Vec<Piece>>,
    /// The seat that moved last.
    moved: Option<u32>,
    /// The clause that asked when the table was drawn last.
    drawn_at: Option<ClauseId>,
    /// By seat: what it was shown, what never changes with it.
    known: BTreeMap<u32, Known>,
    /// By seat, where the table is read and not drawn: what nobody tells when it changes.
    heard: BTreeMap<u32, Untold>,
    /// Moves typed on one line that are still to be played.
    typed: VecDeque<String>,
    /// What happened last, for the next frame.
    happened: VecDeque<happened::Happening>,
    /// Words of a move that were typed, and mean several.
    begun: String,
    /// Whether the list with its numbers was shown for this choice.
    is_listed: bool,
    /// Whether a person is asked also where one move is all there is.
    ask_forced: bool,
}

/// Why a game is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// It is over.
    Ended,
    /// The person went away.
    Quit,
    /// Programs chose as often in a row as they may; among the last positions so many were different.
    Standstill(usize),
}

/// How many positions are looked back on where programs find no end.
pub const LOOKED_BACK: usize = 1_000;

/// Lines of moves that a terminal shows below the table.
const MOST_LINES: usize = 6;

/// Before a move that is all there is.
const ONLY: &str = "(only) ";

impl<'p> Table<'p> {
    /// Sits down; `thinker` may have worked something out before.
    pub fn new(
        loaded: &'p Loaded,
        session: Session<'p>,
        journal: Option<Journal>,
        seats: Vec<Player>,
        thinker: Thinker<'p>,
    ) -> Table<'p> {
        Table {
            session,
            journal,
            loaded,
            private: vec![Vec::new(); seats.len()],
            seats,
            thinker,
            has_owned_up: false,
            watch: Watch::begin(),
            looking: None,
            told: Vec::new(),
            moved: None,
            drawn_at: None,
            known: BTreeMap::new(),
            heard: BTreeMap::new(),
            typed: VecDeque::new(),
            happened: VecDeque::new(),
            begun: String::new(),
            is_listed: false,
            ask_forced: false,
        }
    }

    /// Asks people also where one move is all there is.
    pub fn asking_forced(mut self, ask_forced: bool) -> Table<'p> {
        self.ask_forced = ask_forced;
        self
    }

    /// Plays until the game ends or the person goes away.
    /// `most` is how often programs may choose in a row, if that is bounded.
    pub fn play(&mut self, most: Option<usize>, ui: &mut Ui<'_>) -> Result<Left, CliError> {
        if self.session.n_choices() == 0 {
            self.tell_beginning(ui)?;
        }
        let mut n_in_a_row = 0;
        // Of a position only a hash is kept: positions may be large.
        let mut last = HashSet::new();
        loop {
            let Status::Choice { seat } = self.session.status() else {
                return Ok(Left::Ended);
            };
            let player = self.player(seat);
            let makes_forced = player == Player::Human && !self.asks_forced();
            let forced = match *self.session.machine().moves() {
                [only] if makes_forced => Some(only),
                _ => None,
            };
            if player == Player::Human && forced.is_none() {
                n_in_a_row = 0;
                last.clear();
                if self.ask(seat, ui)? {
                    continue;
                }
                return Ok(Left::Quit);
            }
            self.show_first(ui)?;
            if let Some(most) = most {
                if n_in_a_row >= most {
                    return Ok(Left::Standstill(last.len()));
                }
                n_in_a_row += 1;
                if n_in_a_row + LOOKED_BACK > most {
                    let position = self.session.machine().save();
                    last.insert(last.hasher().hash_one(&position));
                }
            }
            if let Some(only) = forced {
                self.make(only, seat, true, ui)?;
                continue;
            }
            let seed = self.session.header().seed.unwrap_or(0);
            let at = (seed, seat, self.session.n_choices());
            // Where a person waits, Ctrl-C leaves the game as `quit` does.
            let is_awaited = self.person().is_some();
            if is_awaited && ui.is_stopped() {
                return Ok(Left::Quit);
            }
            let machine = self.session.machine();
            if let Some(chosen) = player.choose(&self.thinker, machine, at, self.watch.means()) {
                self.own_up(seat, ui)?;
                if is_awaited && ui.is_stopped() {
                    ui.line("")?;
                    self.cover(ui)?;
                    return Ok(Left::Quit);
                }
                self.make(chosen, seat, false, ui)?;
            }
        }
    }

    /// Whether choices are asked for that are none: where people hide something from each other, that it is the only one
    /// would tell of it.
    fn asks_forced(&self) -> bool {
        self.ask_forced || self.people().count() > 1 && told::has_secrets(self.game())
    }

    /// Draws the table before the others move, for one person alone: what lies there is no secret of its own
    /// seat, and may be gone when that person is asked.
    fn show_first(&mut self, ui: &mut Ui<'_>) -> Result<(), CliError> {
        let people: Vec<u32> = self.people().collect();
        let [only] = people.as_slice() else {
            return Ok(());
        };
        if ui.json || self.known.contains_key(only) {
            return Ok(());
        }
        ui.line("")?;
        self.draw(*only, ui)?;
        ui.line("")
    }

    /// Returns the seat of the first person, if there is one.
    pub fn person(&self) -> Option<u32> {
        self.people().next()
    }

    /// Through whose eyes a game is looked back on: those of its only person. Several who hide something from each other see what
    /// everybody does.
    pub fn witness(&self) -> Option<u32> {
        let is_secret = self.people().count() > 1 && told::has_secrets(self.game());
        let person = self.person();
        person.map(|it| if is_secret { Viewer::NO_SEAT } else { it })
    }

    fn people(&self) -> impl Iterator<Item = u32> {
        let seats = (0..).zip(&self.seats);
        let people = seats.filter(|(_, who)| **who == Player::Human);
        people.map(|(seat, _)| seat)
    }

    fn player(&self, seat: u32) -> Player {
        self.seats
            .get(seat as usize)
            .copied()
            .unwrap_or(Player::RANDOM)
    }

    fn game(&self) -> &'p Game {
        &self.loaded.program.game
    }

    /// Plays a move, keeps it, and tells everybody; of one that is all there is it says so.
    fn make(
        &mut self,
        chosen: Move,
        seat: u32,
        is_forced: bool,
        ui: &mut Ui<'_>,
    ) -> Result<(), CliError> {
        ui.heard()?;
        if is_forced
            && let Some(next) = self.typed.front()
            && self.session.machine().read(next) == Reading::Legal(chosen)
        {
            self.typed.pop_front();
        }
        let people: Vec<u32> = self.people().collect();
        let before = self.sights(&people, ui);
        let viewers: Vec<Viewer> = people.iter().copied().map(Viewer::Seat).collect();
        let mut printed = self
            .session
            .machine()
            .print_for(&viewers, chosen, ui.form());
        let mut kept = Vec::new();
        let machine = self.session.machine();
        let is_together = machine.is_together();
        for (other, mv) in machine.pending() {
            kept.push((other, machine.print_pending(&viewers, other, mv, ui.form())));
        }
        self.session
            .play(chosen)
            .map_err(|error| self.failed(&error))?;
        self.moved = Some(seat);
        self.begun.clear();
        self.is_listed = false;
        self.keep(seat, ui)?;
        if !ui.json || !people.is_empty() {
            let is_kept = is_together && self.session.has_chosen(seat);
            if is_kept {
                kept.clear();
                // Others see no more than that it is chosen.
                if people != [seat] {
                    printed = String::from(news::HAS_CHOSEN);
                }
            }
            let told = match is_forced && printed != news::HAS_CHOSEN {
                true => format!("{ONLY}{printed}"),
                false => printed,
            };
            kept.push((seat, told));
            kept.sort_by_key(|(seat, _)| *seat);
            // Who sits here alone has been told what it chose itself.
            let known = people
                .first()
                .filter(|it| people.len() == 1 && **it != seat);
            for (seat, printed) in kept.iter().filter(|(it, _)| Some(it) != known) {
                let name = ui.paint(Tone::Bold, seat_name(self.game(), *seat, ui.form()));
                let line = format!("{name}: {printed}");
                ui.line(&line)?;
                self.told.push(line);
                let text = happened::told(self.game(), *seat, printed);
                self.note(Some(*seat), None, text);
            }
            self.tell_news(&people, &before, &kept, ui)?;
        }
        Ok(())
    }

    /// Keeps what has happened; what a person did is safe before anything else happens.
    fn keep(&mut self, seat: u32, ui: &mut Ui<'_>) -> Result<(), CliError> {
        let by_person = self.player(seat) == Player::Human;
        let safe = if by_person { Safe::Now } else { Safe::Later };
        let Some(journal) = &mut self.journal else {
            return Ok(());
        };
        match journal.keep(&self.session, safe) {
            // The game goes on: with the next choice all of it is tried again.
            Err(CliError::Found(found)) if by_person => {
                ui.line(render::findings(&found.sources, &found.diagnostics, ui))
            }
            kept => kept,
        }
    }

    fn failed(&self, error: &PlayError) -> CliError {
        match error {
            PlayError::Fault(fault) => self.fault(fault),
            PlayError::Illegal | PlayError::Over => of_play(error).into(),
        }
    }

    fn fault(&self, fault: &Fault) -> CliError {
        let people = self.seats.contains(&Player::Human);
        let fault = if people {
            fault.clone().for_people()
        } else {
            fault.clone()
        };
        position::fault(&self.loaded.sources, &fault)
    }

    /// Draws all of the table.
    pub fn draw(&mut self, seat: u32, ui: &mut Ui<'_>) -> Result<(), CliError> {
        if ui.plain && !ui.json {
            return self.read_out(seat, ui);
        }
        let numbers = drawing::numbers(&mut self.session);
        let drawing = Drawing {
            seat: Some(seat),
            numbers: &numbers,
            again: self.known.contains_key(&seat),
            known: self.known.get(&seat).filter(|_| ui.on_terminal()),
            over: self.session.status() == Status::Ended,
        };
        let known = drawing::board(&mut self.session, &drawing, ui)?;
        self.known.insert(seat, known);
        Ok(())
    }

    /// Shows a person what it sees, and what it may do; in brief only the latter.
    fn present(&mut self, seat: u32, brief: bool, ui: &mut Ui<'_>) -> Result<(), CliError> {
        self.tell_private(seat, ui)?;
        let groups = Groups::of(self.session.machine(), ui.form());
        let is_heard = ui.plain && !ui.json;
        let most = (ui.on_terminal() || is_heard).then_some(MOST_LINES);
        let mut moves = show::offers(&groups, most, ui);
        if let Some(screen) = self.screen(ui) {
            moves.splice(0..0, self.question(screen.0, ui));
            return self.frame(seat, screen, &moves, ui);
        }
        if is_heard {
            self.read_new(seat, ui)?;
        } else if !brief {
            ui.line("")?;
            self.draw(seat, ui)?;
            self.drawn_at = self.session.machine().clause();
            ui.line("")?;
        } else if let Some(known) = self.known.get_mut(&seat) {
            drawing::unread(&mut self.session, seat, known, ui)?;
        }
        match is_heard {
            true => ui.line(format!(
                "{} to choose",
                seat_name(self.game(), seat, ui.form())
            ))?,
            false => show::chooser(&mut self.session, ui)?,
        }
        if let Some(text) = self.asked_for() {
            ui.line(ui.paint(Tone::Dim, format!("  {text}")))?;
        }
        for line in &moves {
            ui.line(line)?;
        }
        if self.session.machine().moves().len() == 1 && ui.interactive() {
            ui.line(ui.paint(Tone::Dim, "  Enter does so"))?;
        }
        Ok(())
    }
}
