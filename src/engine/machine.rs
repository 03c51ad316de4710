//! Playing: one machine runs one game at a time and keeps all buffers.

use std::collections::HashMap;

use super::chance::{Chance, Dice};
use super::fault::Fault;
use super::knowledge::Knowledge;
use super::memory::Memory;
use super::op::{Choice, Code, FaultKind, Op, Pc, Point, word};
use super::past;
use super::program::{Program, state_words};
use super::read::Forms;
use super::text::Ground;
pub use super::told::{Change, Told, ToldPart};
use super::told::{Closed, Missed};
use super::vm::{Bench, Exit, Moves, Trap, fresh_memory, load_consts, peek, run};
pub use super::vm::{Event, Happened, Move};
use crate::model::{ClauseId, DomainId};
use crate::source::Span;

/// A state of at most so many words is copied at once: to call for it would cost more.
const SMALL_STATE: usize = 64;

/// A position, with the place in the rules where it stands: one flat block. Equal positions reached
/// by the same rules are equal blocks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State(Box<[u64]>);

impl State {
    /// The block.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    /// Size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.0.len() * 8
    }
}

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A seat must choose.
    Choice {
        /// The seat.
        seat: u32,
    },
    /// The game is over.
    Ended,
}

/// Why a move was not played. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// It is not among the legal moves.
    Illegal,
    /// The game is over.
    Over,
    /// The rules stopped with a fault.
    Fault(Fault),
}

/// How often an operation was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The expression or statement of the rulebook that it works out.
    pub span: Option<Span>,
    /// The name of the operation, as [`Program::listing`] has it.
    pub name: &'static str,
    /// How often.
    pub ops: u64,
}

/// Runs games of one program.
#[derive(Debug)]
pub struct Machine<'p> {
    pub(super) program: &'p Program,
    pub(super) code: &'p Code,
    /// Words of the state block.
    pub(super) words: usize,
    pub(super) mem: Box<Memory>,
    pub(super) bench: Bench,
    /// The state before a move or a question, for when it faults.
    pub(super) before: Vec<u64>,
    pub(super) moves: Moves,
    /// Printed forms of domains, made when first read.
    pub(super) forms: HashMap<DomainId, Forms>,
    /// What the last move told, where somebody listens.
    pub(super) heard: Vec<Told>,
    /// What seats may still come to see of it.
    pub(super) missed: Vec<Missed>,
    /// What they are not told of it, by where it is told.
    pub(super) closed: Closed,
    /// What seats know of what they saw or were shown before, where somebody listens.
    pub(super) knowledge: Knowledge,
    /// Whether it keeps what has happened since a game began.
    pub(super) keeps_past: bool,
}

impl<'p> Machine<'p> {
    /// A machine whose game has not started: it is over, with no outcome.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        Self::running(program, &program.code, program.state_words)
    }

    /// A machine that runs the rules clause by clause as they are written, without lowering: much
    /// slower, for comparing both. Its states are its own.
    #[must_use]
    pub fn plain(program: &'p Program) -> Option<Self> {
        let code = program.plain()?;
        let words = state_words(code, &program.layout);
        Some(Self::running(program, code, words))
    }

    fn running(program: &'p Program, code: &'p Code, words: usize) -> Self {
        let mut mem = fresh_memory();
        load_consts(&mut mem, code);
        Self {
            program,
            code,
            words,
            mem,
            bench: Bench::default(),
            before: Vec::new(),
            moves: Moves::default(),
            forms: HashMap::new(),
            heard: Vec::new(),
            missed: Vec::new(),
            closed: Closed::default(),
            knowledge: Knowledge::default(),
            keeps_past: false,
        }
    }

    /// What values are printed against: this position.
    #[must_use]
    pub fn ground(&self) -> Ground<'_> {
        Ground::of(&self.program.game, &self.mem, &self.program.layout)
    }

    /// The program that it runs.
    #[must_use]
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Begins a game and runs it to its first choice.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn start<C: Chance>(&mut self, chance: &mut C) -> Result<Status, Fault> {
        let is_lowered = std::ptr::eq(self.code, &raw const self.program.code);
        let at_once = is_lowered && !self.bench.listens;
        let begin = match at_once.then(|| self.program.image()).flatten() {
            Some(image) => {
                self.mem[..self.words].copy_from_slice(&image.words);
                image.next
            }
            None => {
                self.mem[..self.words].fill(0);
                self.code.start
            }
        };
        self.bench.moves.clear();
        self.knowledge = Knowledge::default();
        let ran = self.run_watched(begin, chance);
        let status = self.settle(ran)?;
        self.begin_to_live();
        Ok(status)
    }

    /// Where the game stands.
    #[must_use]
    pub fn status(&self) -> Status {
        if peek(&self.mem, word::POINT) == 0 {
            return Status::Ended;
        }
        Status::Choice {
            seat: u32::try_from(peek(&self.mem, word::WHO)).unwrap_or(0),
        }
    }

    /// The legal moves of the pending choice in canonical order: alternative, then parameters
    /// ascending. Empty when the game is over.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays a move and runs to the next choice.
    ///
    /// # Errors
    /// Where the move is not legal, or the rules stop with a fault; the position is then unchanged.
    pub fn play<C: Chance>(&mut self, mv: Move, chance: &mut C) -> Result<Status, PlayError> {
        if self.status() == Status::Ended {
            return Err(PlayError::Over);
        }
        if !self.moves.contains(&mv) {
            return Err(PlayError::Illegal);
        }
        self.go_uncounted(mv, chance)
    }

    /// Plays the legal move at an index: what simulations call, without a search in the list.
    ///
    /// # Errors
    /// As [`Machine::play`].
    pub fn play_nth<C: Chance>(
        &mut self,
        index: usize,
        chance: &mut C,
    ) -> Result<Status, PlayError> {
        match self.moves.get(index).copied() {
            Some(mv) => self.go_uncounted(mv, chance),
            None if self.status() == Status::Ended => Err(PlayError::Over),
            None => Err(PlayError::Illegal),
        }
    }

    /// Plays a legal move of a position that was saved by a machine of the same program: what searches
    /// call, which come back to a position once for each of its moves.
    ///
    /// # Errors
    /// As [`Machine::play`]; the machine is then in that position.
    pub fn play_from<C: Chance>(
        &mut self,
        state: &State,
        mv: Move,
        chance: &mut C,
    ) -> Result<Status, PlayError> {
        self.restore(state);
        self.go_uncounted(mv, chance)
    }

    /// As [`Machine::play_nth`], counting the operations it takes: exact and equal on every machine.
    ///
    /// # Errors
    /// As [`Machine::play`].
    pub fn play_counting<C: Chance>(
        &mut self,
        index: usize,
        chance: &mut C,
    ) -> Result<(Status, u64), PlayError> {
        let Some(mv) = self.moves.get(index).copied() else {
            return Err(PlayError::Illegal);
        };
        self.bench.ops = 0;
        let status = self.go::<true>(mv, chance)?;
        Ok((status, self.bench.ops))
    }

    /// Begins to count how often each operation is executed; [`Machine::costs`] tells it.
    pub fn profile(&mut self) {
        self.bench.counts = vec![0; self.code.ops.len()];
    }

    /// What has been executed since [`Machine::profile`] by moves that were played counting, in the order of
    /// the code.
    #[must_use]
    pub fn costs(&self) -> Vec<Cost> {
        let counted = (0..).zip(&self.bench.counts).filter(|(_, n)| **n > 0);
        let cost = |(pc, ops): (Pc, &u64)| Cost {
            span: self.code.origin(pc),
            name: self.code.ops.get(usize::from(pc)).map_or("", Op::name),
            ops: *ops,
        };
        counted.map(cost).collect()
    }

    /// As [`Machine::play`], and tells what happened to components on the way: what one table after the other
    /// does not show.
    ///
    /// # Errors
    /// As [`Machine::play`].
    pub fn play_watched<C: Chance>(
        &mut self,
        mv: Move,
        chance: &mut C,
    ) -> Result<(Status, Vec<Event>), PlayError> {
        if self.status() == Status::Ended {
            return Err(PlayError::Over);
        }
        if !self.moves.contains(&mv) {
            return Err(PlayError::Illegal);
        }
        let status = self.go::<true>(mv, chance)?;
        Ok((status, std::mem::take(&mut self.bench.events)))
    }

    /// Made once, in this library, so that what it calls is put in place.
    fn go_uncounted(&mut self, mv: Move, chance: &mut dyn Chance) -> Result<Status, PlayError> {
        self.go::<false>(mv, chance)
    }

    fn go<const COUNT: bool>(
        &mut self,
        mv: Move,
        chance: &mut dyn Chance,
    ) -> Result<Status, PlayError> {
        let Some(choice) = self.choice(mv) else {
            return Err(PlayError::Illegal);
        };
        let entry = choice.entry;
        let lives = self.knowledge.lived.is_some();
        let heard = lives.then(|| self.heard_of(mv)).flatten();
        let words = self.words;
        keep(&mut self.before, &self.mem, words);
        self.leave_by(mv);
        self.bench.events.clear();
        let ran = self.run_heard::<COUNT>(entry, chance);
        match self.settle(ran) {
            Ok(status) => {
                if let Some(heard) = heard {
                    self.live(heard);
                }
                Ok(status)
            }
            Err(fault) => {
                self.mem[..words].copy_from_slice(&self.before[..words]);
                self.relist();
                Err(PlayError::Fault(fault))
            }
        }
    }

    /// Leaves the position by a move, from which the rules go on.
    pub(super) fn leave_by(&mut self, mv: Move) {
        let point = self.point();
        past::leave(&mut self.mem, &self.program.layout, point);
        self.mem[usize::from(word::MOVE)] = mv.0;
    }

    /// The pending choice point.
    pub(super) fn point(&self) -> Option<&'p Point> {
        self.code.points.get(self.point_index()?)
    }

    /// Its number.
    pub(super) fn point_index(&self) -> Option<usize> {
        let point = usize::try_from(peek(&self.mem, word::POINT));
        point.ok()?.checked_sub(1)
    }

    /// The alternative that a move answers with.
    pub(super) fn choice(&self, mv: Move) -> Option<&'p Choice> {
        self.point()?.alts.get(usize::try_from(mv.0 & 0xff).ok()?)
    }

    /// Where in the rules it stands.
    #[must_use]
    pub fn clause(&self) -> Option<ClauseId> {
        self.point().map(|point| point.clause)
    }

    pub(super) fn run<const COUNT: bool>(
        &mut self,
        pc: Pc,
        chance: &mut dyn Chance,
    ) -> Result<Exit, Trap> {
        let before = self.bench.spent;
        self.bench.most = self.program.work.most();
        let ran = run::<COUNT>(
            &mut self.mem,
            self.code,
            &self.program.layout,
            self.words,
            pc,
            &mut self.bench,
            chance,
        );
        self.program.work.pay(self.bench.spent - before);
        ran
    }

    /// Runs on where something is told, and takes down what.
    pub(super) fn run_heard<const COUNT: bool>(
        &mut self,
        pc: Pc,
        chance: &mut dyn Chance,
    ) -> Result<Exit, Trap> {
        self.bench.left = None;
        if !self.bench.listens {
            return self.run::<COUNT>(pc, chance);
        }
        // Who listens also hears what happens to components.
        let mut ran = self.run::<true>(pc, chance);
        self.heard.clear();
        self.missed.clear();
        while let Ok(Exit::Told(telling, next)) = ran {
            self.hear(telling);
            ran = self.run::<true>(next, chance);
        }
        self.hear_late();
        if ran.is_ok() {
            let (layout, mem) = (&self.program.layout, &*self.mem);
            let sizes = |zone, place| layout.zone(zone).map_or(0, |it| it.size(mem, place));
            let game = &self.program.game;
            self.knowledge.learn(game, &self.bench.events, &sizes);
        }
        ran
    }

    /// Runs to a choice that nobody answers with a move.
    pub(super) fn run_watched(&mut self, pc: Pc, chance: &mut dyn Chance) -> Result<Exit, Trap> {
        self.bench.events.clear();
        self.run_heard::<false>(pc, chance)
    }

    pub(super) fn settle(&mut self, ran: Result<Exit, Trap>) -> Result<Status, Fault> {
        match ran {
            Ok(_) => {
                // The next list is written over the one before last.
                std::mem::swap(&mut self.moves, &mut self.bench.moves);
                Ok(self.status())
            }
            Err(trap) => Err(self.fault(trap)),
        }
    }

    pub(super) fn fault(&self, trap: Trap) -> Fault {
        self.fault_in(self.code, trap)
    }

    /// A fault of code that runs over the same state.
    pub(super) fn fault_in(&self, code: &Code, (kind, pc): Trap) -> Fault {
        let over = kind == FaultKind::Fuel && self.program.work_left() == Some(0);
        let trap = (if over { FaultKind::Work } else { kind }, pc);
        Fault::of(
            trap,
            code,
            &self.program.game,
            &self.mem,
            &self.program.layout,
        )
    }

    /// Lists the moves of the pending choice again.
    pub(super) fn relist(&mut self) {
        // The list was made here before without a fault.
        self.list_again().ok();
    }

    /// Lists the moves of the pending choice, which does not ask chance; there are none behind a fault, and where the
    /// seat that is asked has nothing to choose, so that another one would be asked.
    pub(super) fn list_again(&mut self) -> Result<(), Trap> {
        self.moves.clear();
        self.bench.moves.clear();
        let Some(list) = self.point().map(|point| point.list) else {
            return Ok(());
        };
        let words = self.words;
        let asked = [word::POINT, word::WHO].map(|it| peek(&self.mem, it));
        keep(&mut self.before, &self.mem, words);
        let ran = self.run::<false>(list, &mut Dice::new(0));
        let is_asked = asked == [word::POINT, word::WHO].map(|it| peek(&self.mem, it));
        self.mem[..words].copy_from_slice(&self.before[..words]);
        ran?;
        if is_asked {
            std::mem::swap(&mut self.moves, &mut self.bench.moves);
        }
        Ok(())
    }

    /// The position as a block of bytes.
    #[must_use]
    pub fn save(&self) -> State {
        State(self.mem[..self.words].into())
    }

    /// Goes back to a position without listing its moves.
    pub(super) fn restore(&mut self, state: &State) {
        let n = self.words.min(state.0.len());
        self.mem[..n].copy_from_slice(&state.0[..n]);
    }

    /// Goes to a position that was saved by a machine of the same program.
    pub fn load(&mut self, state: &State) {
        self.restore(state);
        self.knowledge = Knowledge::default();
        self.relist();
    }
}

/// Copies a state over one that was kept before, and what lies behind it up to a whole chunk.
fn keep(kept: &mut Vec<u64>, mem: &Memory, words: usize) {
    let state = mem.get(..words.next_multiple_of(8)).unwrap_or_default();
    if kept.len() != state.len() || state.len() > SMALL_STATE {
        kept.clear();
        kept.extend_from_slice(state);
        return;
    }
    let (from, to) = (state.as_chunks::<8>().0, kept.as_chunks_mut::<8>().0);
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}
