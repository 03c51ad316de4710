//! What each position of a game is worth, kept for those who play it.

use std::collections::HashMap;

use super::ends::Stake;
use super::{Open, Worked, explore};
use crate::engine::{Machine, Program, State, Status, Ways};
use crate::study::{Mark, Trouble, turned};

/// What all positions are worth that a game can come to.
pub struct Solved {
    /// To the first seat.
    worths: HashMap<Mark, f64>,
    stake: Stake,
}

impl Solved {
    /// Works it out from the beginning of a game, as [`solve`](super::solve()) does.
    ///
    /// # Errors
    /// Where the rules stop with a fault, or chance has too many outcomes.
    pub fn of(
        program: &Program,
        positions: usize,
        watch: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Result<Solved, Open>, Trouble> {
        let explored = explore(program, None, positions, watch)?;
        let solved = explored.and_then(|it| {
            let stake = Stake::of(&it.graph.ends, &program.game)?;
            let worked = it.graph.worked(&it.starts, &stake)?;
            let known = it.known.into_iter().filter_map(|(mark, node)| {
                let Some(Worked::Known(worth)) = worked.get(node) else {
                    return None;
                };
                Some((mark, *worth))
            });
            Ok(Solved {
                worths: known.collect(),
                stake,
            })
        });
        Ok(solved)
    }

    /// What each legal move of a position is worth to who chooses, by how likely the outcomes of chance are; none where the game
    /// does not come to that position.
    #[must_use]
    pub fn moves(&self, program: &Program, from: &State) -> Option<Vec<f64>> {
        let mut machine = Machine::new(program);
        machine.load(from);
        let Status::Choice { seat } = machine.status() else {
            return None;
        };
        let mut scratch = Vec::new();
        let moves = machine.moves().to_vec();
        let worths = moves.into_iter().map(|played| {
            let (mut sum, mut ways) = (0.0, Ways::default());
            loop {
                machine.play_from(from, played, &mut ways).ok()?;
                let mark = State::mark([&machine.save()], &mut scratch);
                sum += ways.likelihood() * self.worths.get(&mark)?;
                if !turned(&mut ways, 1).ok()? {
                    return Some(self.stake.for_seat(seat, sum));
                }
            }
        });
        worths.collect()
    }
}
