//! Random games, for what only games show.

use std::collections::BTreeSet;

use rand_chacha::rand_core::Rng;

use crate::diagnostic::Diagnostic;
use crate::engine::{
    COMMAND_WORK, CandidateKind, Dice, Fault, FaultKind, Invariants, Machine, Move, PlayError,
    Program, State, Status, below,
};
use crate::model::{ActionId, ProcId};

/// A stream of numbers that no game uses: who chooses never changes what chance gives.
const CHOICES: u32 = u32::MAX;
/// A game that takes longer is left off.
const MOST_CHOICES: u32 = 20_000;
/// Positions that are kept for asking.
const MOST_KEPT: usize = 200;
/// Every so many choices a position is kept.
const EVERY: u64 = 7;
/// Work that each game that comes to its end adds to what all may take.
const GAME_WORK: u64 = 20_000_000;
/// Different faults that are told.
const MOST_FAULTS: usize = 20;

/// Random games that were played.
#[derive(Debug)]
pub struct Games<'p> {
    /// The rules.
    pub program: &'p Program,
    /// How many games.
    pub games: u64,
    /// How many choices there were in all.
    pub choices: u64,
    /// Games that were left off because they did not end.
    pub cut: u64,
    /// The different faults that games stopped with.
    pub stopped: Vec<Stopped>,
    /// How many games came to an end.
    pub ended: u64,
    /// How many of them each seat won alone.
    pub won: Vec<u64>,
    /// By seat: how often it had to choose.
    pub chose: Vec<u64>,
    /// The rulings that are known to fail: they show nothing of what can be played.
    pub failing: BTreeSet<String>,
    /// Why invariants could not be asked.
    unasked: Option<Fault>,
    /// The endings that games came to.
    pub(super) endings: BTreeSet<ProcId>,
    /// The actions that somebody could play.
    pub(super) legal: BTreeSet<ActionId>,
    /// Some positions, each with the seat that had to choose.
    pub(super) kept: Vec<(u32, State)>,
}

/// A fault, and the first game that stopped with it.
#[derive(Clone, Debug)]
pub struct Stopped {
    /// The fault.
    pub fault: Fault,
    /// The seed of the game.
    pub seed: u64,
    /// The choices that were made.
    pub played: Vec<Move>,
    /// The choice that could not be finished; none where the game could not begin, and where an invariant does not hold behind
    /// those that were made.
    pub last: Option<Move>,
    /// How many games stopped with it.
    pub games: u64,
}

impl<'p> Games<'p> {
    /// Plays games with the seeds from 0 on, every legal move being equally likely, as long as nobody stops it: that is asked before
    /// each game.
    #[must_use]
    pub fn play(program: &'p Program, games: u64, goes_on: &dyn Fn() -> bool) -> Self {
        let mut it = Self {
            program,
            games,
            choices: 0,
            cut: 0,
            stopped: Vec::new(),
            ended: 0,
            won: vec![0; program.game.n_seats as usize],
            chose: vec![0; program.game.n_seats as usize],
            failing: BTreeSet::new(),
            unasked: None,
            endings: BTreeSet::new(),
            legal: BTreeSet::new(),
            kept: Vec::new(),
        };
        let mut machine = Machine::new(program);
        let invariants = Invariants::of(program).unwrap_or_else(|fault| {
            it.unasked = Some(fault);
            None
        });
        program.bound_work(COMMAND_WORK);
        for seed in 0..games {
            if !goes_on() {
                it.games = seed;
                break;
            }
            if it.one(&mut machine, invariants.as_ref(), seed) {
                program.allow_work(GAME_WORK);
            }
            if program.work_left() == Some(0) {
                it.cut += games - seed - 1;
                break;
            }
        }
        program.unbound_work();
        it
    }

    /// Plays a game; returns whether it came to its end.
    fn one(
        &mut self,
        machine: &mut Machine<'_>,
        invariants: Option<&Invariants>,
        seed: u64,
    ) -> bool {
        let mut dice = Dice::new(seed);
        let mut played = Vec::new();
        if let Err(fault) = machine.start(&mut dice) {
            self.stop(fault, seed, played, None);
            return false;
        }
        for _ in 0..MOST_CHOICES {
            let Status::Choice { seat } = machine.status() else {
                self.end(machine);
                return true;
            };
            if let Some(Err(fault)) = invariants.map(|it| it.check(machine)) {
                self.stop(fault, seed, played, None);
                return false;
            }
            let n_actions = self.program.game.actions.len();
            // Lists may be long.
            if self.legal.len() < n_actions {
                for mv in machine.moves() {
                    if let Some(CandidateKind::Action(id, _)) =
                        machine.candidate(*mv).map(|it| it.kind)
                    {
                        self.legal.insert(id);
                    }
                }
            }
            if self.kept.len() < MOST_KEPT && self.choices.is_multiple_of(EVERY) {
                self.kept.push((seat, machine.save()));
            }
            self.choices += 1;
            if let Some(chose) = self.chose.get_mut(seat as usize) {
                *chose += 1;
            }
            let n_moves = machine.moves().len() as u64;
            let at = below(dice.stream(CHOICES).next_u64(), n_moves);
            let chosen = usize::try_from(at).ok();
            let Some(chosen) = chosen.and_then(|at| machine.moves().get(at).copied()) else {
                return false;
            };
            match machine.play(chosen, &mut dice) {
                Ok(_) => played.push(chosen),
                Err(PlayError::Fault(fault)) => {
                    self.stop(fault, seed, played, Some(chosen));
                    return false;
                }
                Err(PlayError::Illegal | PlayError::Over) => return false,
            }
        }
        self.cut += 1;
        false
    }

    fn end(&mut self, machine: &Machine<'_>) {
        let Some(outcome) = machine.outcome() else {
            return;
        };
        self.ended += 1;
        self.endings.insert(outcome.ending);
        let mut first = outcome.places.iter().zip(&mut self.won);
        if let (Some((_, won)), None) = (first.find(|it| *it.0 == 1), first.find(|it| *it.0 == 1)) {
            *won += 1;
        }
    }

    fn stop(&mut self, fault: Fault, seed: u64, played: Vec<Move>, last: Option<Move>) {
        // That is no fault of the rules: the game is left off.
        if fault.kind == FaultKind::Work {
            self.cut += 1;
            return;
        }
        if let Some(known) = self.stopped.iter_mut().find(|it| it.fault.is_like(&fault)) {
            known.games += 1;
        } else if self.stopped.len() < MOST_FAULTS {
            self.stopped.push(Stopped {
                fault,
                seed,
                played,
                last,
                games: 1,
            });
        }
    }

    /// The faults as findings.
    pub(super) fn faults(&self) -> impl Iterator<Item = Diagnostic> {
        let unasked = self.unasked.iter().map(Fault::diagnostic);
        unasked.chain(self.stopped.iter().map(|it| {
            let mut found = it.fault.diagnostic();
            let choices = it.played.len() + usize::from(it.last.is_some());
            found.message = format!(
                "{}: {} of {} random games stop so, the first with seed {} at choice {choices}",
                found.message, it.games, self.games, it.seed
            );
            let help = found.help.take().unwrap_or_default();
            found.help(format!(
                "{help}; with `--save FILE` this keeps the first such game, and `adit replay FILE` shows it"
            ))
        }))
    }
}
