//! Positions that rulings ask for: a game run to a step, and changed there.

use super::chance::{Chance, Dice};
use super::fault::Fault;
use super::machine::{Machine, Status};
use super::op::{FaultKind, Pc, TEMPS};
use super::program::Program;
use super::vm::Exit;
use crate::model::{ClauseId, Start, StreamId};

/// Most choices on the way to a step.
const MOST_CHOICES: usize = 100_000;
/// Stands for the moment before `main` begins.
pub(super) const BEFORE_MAIN: u16 = u16::MAX;

/// A game stopped where a step is entered.
#[derive(Debug)]
#[must_use = "the game goes on only with `resume`"]
pub struct Stopped {
    next: Pc,
    /// What the interrupted rules still need.
    temps: Vec<u64>,
}

/// The state before `main`: what every game of a program begins with.
#[derive(Debug)]
pub(super) struct Image {
    /// The state block.
    pub words: Box<[u64]>,
    /// Where the rules go on.
    pub next: Pc,
}

/// Notes whether anything is left to chance.
#[derive(Default)]
struct Asked(bool);

impl Chance for Asked {
    fn ticket(&mut self, _: StreamId, _: u64) -> u64 {
        self.0 = true;
        0
    }

    fn happened(&mut self, _: StreamId, _: i64) {
        self.0 = true;
    }
}

impl Program {
    /// The state before `main`, worked out at the first call; none where chance or a fault decides it.
    pub(super) fn image(&self) -> Option<&Image> {
        self.image
            .get_or_init(|| {
                let (mut machine, mut asked) = (Machine::new(self), Asked::default());
                machine.bench.mark = Some(BEFORE_MAIN);
                let next = machine.run_to_mark(&mut asked).ok()??;
                (!asked.0).then(|| Image {
                    words: machine.mem[..machine.words].into(),
                    next,
                })
            })
            .as_ref()
    }
}

impl Machine<'_> {
    /// Begins a game and stops where the step is entered the first time (`None`: before `main`),
    /// taking the first move of each choice on the way. `None` where the game ends without it.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn start_at<C: Chance>(
        &mut self,
        at: Option<ClauseId>,
        chance: &mut C,
    ) -> Result<Option<Stopped>, Fault> {
        let mark = at.map_or(BEFORE_MAIN, |clause| {
            u16::try_from(clause.0).unwrap_or(BEFORE_MAIN)
        });
        self.bench.mark = Some(mark);
        // How it comes to that step is nothing that anybody is told.
        let listens = std::mem::replace(&mut self.bench.listens, false);
        let found = self.run_to_mark(chance);
        self.bench.listens = listens;
        self.bench.mark = None;
        let next = found?;
        Ok(next.map(|next| Stopped {
            next,
            temps: self.mem[usize::from(TEMPS)..].to_vec(),
        }))
    }

    fn run_to_mark<C: Chance>(&mut self, chance: &mut C) -> Result<Option<Pc>, Fault> {
        self.mem[..self.words].fill(0);
        self.moves.clear();
        let mut pc = self.code.start;
        for _ in 0..MOST_CHOICES {
            match self.run::<false>(pc, chance) {
                Ok(Exit::Marked(_, next)) => return Ok(Some(next)),
                Ok(Exit::Choice(_)) => {}
                Ok(Exit::Ended | Exit::Halted | Exit::Told(..)) => return Ok(None),
                Err(trap) => return Err(self.fault(trap)),
            }
            let Some(first) = self.bench.moves.first().copied() else {
                return Ok(None);
            };
            let Some(choice) = self.choice(first) else {
                return Ok(None);
            };
            pc = choice.entry;
            self.leave_by(first);
        }
        Ok(None)
    }

    /// Goes on from where a game was stopped to its next choice.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn resume<C: Chance>(&mut self, stopped: Stopped, chance: &mut C) -> Result<Status, Fault> {
        for (slot, kept) in self.mem[usize::from(TEMPS)..].iter_mut().zip(stopped.temps) {
            *slot = kept;
        }
        let ran = self.run_watched(stopped.next, chance);
        self.settle(ran)
    }

    /// Sets up the position of a ruling: the game is run to the ruling's step, its `given` happens,
    /// and the game goes on to the next choice.
    ///
    /// # Errors
    /// A fault of the rules; [`FaultKind::NotReached`] where the step is never entered. The position
    /// is then unchanged.
    pub fn set_up<C: Chance>(&mut self, ruling: usize, chance: &mut C) -> Result<Status, Fault> {
        let start = self.program.game.rulings.get(ruling).map(|it| it.start);
        self.unless_faulty(|machine| {
            let stopped = machine.reach(start, chance)?;
            machine.go_on(stopped, chance)
        })
    }

    /// Sets up a position as [`Machine::set_up`] does, by the seed that it names; what chance gives
    /// when the game goes on from there comes from `chance`.
    ///
    /// # Errors
    /// As [`Machine::set_up`].
    pub fn set_up_from<C: Chance>(
        &mut self,
        start: Start,
        chance: &mut C,
    ) -> Result<Status, Fault> {
        self.unless_faulty(|machine| {
            let stopped = machine.reach(Some(start), &mut Dice::new(start.seed))?;
            machine.go_on(stopped, chance)
        })
    }

    fn unless_faulty<T>(
        &mut self,
        run: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let before = self.save();
        let ran = run(self);
        if ran.is_err() {
            self.load(&before);
        }
        ran
    }

    fn go_on<C: Chance>(
        &mut self,
        stopped: Option<Stopped>,
        chance: &mut C,
    ) -> Result<Status, Fault> {
        match stopped {
            Some(stopped) => self.resume(stopped, chance),
            None => {
                self.relist();
                Ok(self.status())
            }
        }
    }

    /// Runs to the position; none where its statements ended the game.
    fn reach<C: Chance>(
        &mut self,
        start: Option<Start>,
        chance: &mut C,
    ) -> Result<Option<Stopped>, Fault> {
        let game = &self.program.game;
        let never = |clause: Option<ClauseId>| {
            let clause = clause.and_then(|id| game.clauses.get(id.index()));
            Fault::at(FaultKind::NotReached, clause.map(|clause| clause.span))
        };
        let Some(start) = start else {
            return Err(never(None));
        };
        let Some(stopped) = self.start_at(start.at, chance)? else {
            return Err(never(start.at));
        };
        if let Some(given) = start.given
            && self.happen(given, chance)? == Exit::Ended
        {
            return Ok(None);
        }
        Ok(Some(stopped))
    }
}
