//! Who plays as well as one can, where all positions of a game can be worked out.

use super::{Quick, Thinker};
use crate::engine::{Machine, Move};
use crate::study::{MOST_POSITIONS, Open, Solved, Trouble};

/// Worths that differ by less than this differ by rounding.
const ROUNDING: f64 = 1e-9;

impl<'p> Thinker<'p> {
    /// Works out what all positions of the game are worth, once for all choices and games of an exact player; of more than
    /// [`MOST_POSITIONS`] it stays open. `watch` is told how many there were so far, and says whether it goes on.
    ///
    /// Where nobody asked for it before, an exact player does so at its first choice, and plays at random where it stays open.
    ///
    /// # Errors
    /// Where the rules stop with a fault, or chance has too many outcomes.
    pub fn work_out(
        &self,
        watch: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Result<(), Open>, Trouble> {
        if let Some(Some(_)) = self.solved.get() {
            return Ok(Ok(()));
        }
        let left = self.program.work_left();
        let solved = Solved::of(self.program, MOST_POSITIONS, watch);
        match left {
            Some(left) => self.program.bound_work(left),
            None => self.program.unbound_work(),
        }
        let told = solved?;
        Ok(told.map(|it| {
            let _ = self.solved.set(Some(it));
        }))
    }

    /// A move that is worth most; luck chooses among several.
    pub(super) fn exact(&self, of: &Machine<'p>, mut dice: Quick) -> Option<Move> {
        if self.solved.get().is_none() && !matches!(self.work_out(&mut |_| true), Ok(Ok(()))) {
            let _ = self.solved.set(None);
        }
        let solved = self.solved.get()?.as_ref()?;
        let worths = self.unbound(|| solved.moves(self.program, &of.save()))?;
        let best = worths.iter().copied().reduce(f64::max)?;
        let moves = of.moves().iter().zip(worths);
        let equal: Vec<Move> = moves
            .filter(|(_, worth)| best - worth < ROUNDING)
            .map(|(mv, _)| *mv)
            .collect();
        equal.get(dice.below(equal.len().max(1))).copied()
    }
}
