//! Who chooses where no person sits: from random moves to a search that plays the game on, in deals that agree with all that
//! its seat has seen. It is never shown more than its seat.
//!
//! No files, no clock, no terminal: time is asked of who calls.

mod ahead;
mod exact;
mod judge;
mod search;
mod tree;
mod weighed;
mod words;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub use ahead::Certain;
pub use search::{Question, ponder};
pub use tree::Reply;
pub use weighed::{Thought, Weighed};

use self::judge::Judge;
use crate::engine::{Chance, Gauge, Machine, Move, Program, Scale, below, mixed};
use crate::model::StreamId;
use crate::study::Solved;

/// Who chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mind {
    /// Each legal move with equal probability.
    Random,
    /// The first legal move.
    First,
    /// The move behind which its seat stands best.
    Greedy,
    /// Greedy, and a quarter of the moves at random.
    Easy,
    /// A search of 300 games, or fewer where they take long.
    Medium,
    /// A search of two seconds.
    Hard,
    /// The best move of a game that is small enough to be worked out ([`Thinker::work_out`]).
    Exact,
    /// Games played on at random, as many from each move.
    Flat(Budget),
    /// A tree of what was played, searched where it promises most.
    Tree(Budget),
}

/// How much is thought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// So many games played on: the same moves for the same seed on every machine.
    Games(u32),
    /// So long.
    Time(Duration),
}

/// What thinking may use.
#[derive(Clone, Copy)]
pub struct Means<'c> {
    /// Most threads.
    pub threads: usize,
    /// The time that has gone by since some moment.
    pub clock: &'c (dyn Fn() -> Duration + Sync),
    /// Whether what has been found so far has to do.
    pub is_stopped: &'c (dyn Fn() -> bool + Sync),
}

/// Games behind each move that a greedy mind looks at, where luck or hidden things decide.
const LOOKS: usize = 8;

/// Random numbers of a search: quick ones, of which nothing is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quick(u64);

impl Quick {
    pub(crate) fn new(seed: u64) -> Quick {
        Quick(mixed(seed))
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        usize::try_from(below(mixed(self.0), n as u64)).unwrap_or(0)
    }
}

impl Chance for Quick {
    fn ticket(&mut self, _stream: StreamId, total: u64) -> u64 {
        self.below(usize::try_from(total).unwrap_or(usize::MAX)) as u64
    }
}

/// Minds that think about the games of one program.
pub struct Thinker<'p> {
    program: &'p Program,
    gauge: Option<Gauge>,
    /// What all positions are worth, once that was worked out; nothing where it stays open.
    solved: OnceLock<Option<Solved>>,
    guessed: AtomicBool,
}

impl<'p> Thinker<'p> {
    /// For a program.
    #[must_use]
    pub fn new(program: &'p Program) -> Thinker<'p> {
        Thinker {
            program,
            gauge: Gauge::of(program),
            solved: OnceLock::new(),
            guessed: AtomicBool::new(false),
        }
    }

    /// Lets it take work that is bounded by what it thinks alone.
    pub(crate) fn unbound<R>(&self, think: impl FnOnce() -> R) -> R {
        let left = self.program.work_left();
        self.program.unbound_work();
        let thought = think();
        if let Some(left) = left {
            self.program.bound_work(left);
        }
        thought
    }

    /// Chooses for the seat that has to choose: for the same seed and a number of games the same move.
    #[must_use]
    pub fn choose(
        &self,
        mind: Mind,
        of: &Machine<'p>,
        seat: u32,
        seed: u64,
        means: Means<'_>,
    ) -> Option<Move> {
        let moves = of.moves();
        let mut dice = Quick::new(seed);
        let at_random = moves.get(dice.below(moves.len().max(1))).copied();
        if moves.len() < 2 {
            return at_random;
        }
        let chosen = match mind {
            Mind::Random => return at_random,
            Mind::First => return moves.first().copied(),
            Mind::Easy if dice.below(4) == 0 => return at_random,
            Mind::Easy | Mind::Greedy => self.unbound(|| self.greedy(of, seat, dice)),
            Mind::Exact => self.exact(of, dice),
            Mind::Medium | Mind::Hard | Mind::Flat(_) | Mind::Tree(_) => {
                let about = Question {
                    mind,
                    seat,
                    seed,
                    cut: Some(search::CUT),
                    only: &[],
                };
                search::ponder(self, of, about, means).best()
            }
        };
        if chosen.is_none() && mind != Mind::Exact {
            self.guessed.store(true, Ordering::Relaxed);
        }
        // Where no other deal could be made, looking at this one would be to look at hidden things.
        chosen.or(at_random)
    }

    /// Whether it has chosen at random where it was to think, because no game could be played on.
    #[must_use]
    pub fn has_guessed(&self) -> bool {
        self.guessed.load(Ordering::Relaxed)
    }

    /// The move behind which the seat stands best, on average over luck and what is hidden.
    fn greedy(&self, of: &Machine<'p>, seat: u32, mut dice: Quick) -> Option<Move> {
        let moves = of.moves();
        let mut machine = Machine::new(self.program);
        machine.load(&of.save());
        machine.recall(of.knowledge().clone());
        let mut dealer = machine.dealer(seat);
        let mut judge = Judge::new(self.program, self.gauge.as_ref());
        let mut scale = Scale::default();
        let mut sums = vec![(0.0, 0_u32); moves.len()];
        for _ in 0..LOOKS {
            // All moves are looked at with the same luck.
            let seed = dice.below(usize::MAX) as u64;
            for (mv, (sum, n)) in moves.iter().zip(&mut sums) {
                let mut luck = Quick::new(seed);
                if !machine.deal(&mut dealer, &mut luck)
                    || machine.play(*mv, &mut luck).is_err()
                    || !judge.look(&mut machine, &mut scale)
                {
                    continue;
                }
                *sum += judge.standing(seat);
                *n += 1;
            }
        }
        let values = sums.iter().map(|(sum, n)| match n {
            0 => f64::NEG_INFINITY,
            n => sum / f64::from(*n),
        });
        let values: Vec<f64> = values.collect();
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if best == f64::NEG_INFINITY {
            return None;
        }
        let equal: Vec<Move> = moves
            .iter()
            .zip(&values)
            .filter(|(_, value)| **value >= best)
            .map(|(mv, _)| *mv)
            .collect();
        equal.get(dice.below(equal.len().max(1))).copied()
    }
}
