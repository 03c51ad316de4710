//! What the ends of a game are worth.

use super::{Measure, Open};
use crate::engine::Machine;
use crate::model::{Alike, Game, Node, StmtKind, each_in_block};

/// How a game has ended, for the first two seats.
pub(super) struct End {
    figures: [i64; 2],
    /// What the first seat has of the game, which is one.
    share: f64,
    /// Whether all have won, or nobody has.
    together: bool,
}

impl End {
    /// The end in which a machine stands.
    pub fn of(machine: &Machine<'_>) -> Self {
        let outcome = machine.outcome();
        let figure = |seat: usize| {
            let keys = outcome.as_ref().and_then(|it| it.keys.get(seat));
            keys.and_then(|it| it.first().copied()).unwrap_or(0)
        };
        let place = |seat: usize| outcome.as_ref().and_then(|it| it.places.get(seat).copied());
        Self {
            figures: [figure(0), figure(1)],
            share: match place(0).cmp(&place(1)) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            },
            together: outcome
                .is_some_and(|it| matches!(it.alike, Some(Alike::AllWin | Alike::NobodyWins))),
        }
    }

    fn sum(&self) -> i64 {
        let [first, second] = self.figures;
        first.saturating_add(second)
    }
}

/// What one or two seats play for: together always as much.
#[derive(Clone, Copy)]
pub(super) struct Stake {
    pub measure: Measure,
    pub sum: f64,
}

impl Stake {
    /// What is played for where a game can end so.
    pub fn of(ends: &[End], game: &Game) -> Result<Self, Open> {
        let n_seats = game.n_seats;
        if n_seats > 1 && ends.iter().any(|it| it.together) {
            return Err(Open::Together);
        }
        let sums_alike = ends.windows(2).all(|it| match it {
            [a, b] => a.sum() == b.sum(),
            _ => true,
        });
        // Where the rules say who wins, that is what is played for, whichever ends are left.
        let by_wins = names_winners(game) || !sums_alike;
        Ok(match n_seats > 1 && by_wins {
            true => Self {
                measure: Measure::Wins,
                sum: 1.0,
            },
            false => Self {
                measure: Measure::Figures,
                sum: ends.first().map_or(0.0, |it| it.sum() as f64),
            },
        })
    }

    /// What an end is worth to the first seat.
    pub fn of_first(&self, end: &End) -> f64 {
        match self.measure {
            Measure::Figures => end.figures[0] as f64,
            Measure::Wins => end.share,
        }
    }

    /// What is worth so much to the first seat is to a seat.
    pub fn for_seat(&self, seat: u32, first: f64) -> f64 {
        match seat {
            0 => first,
            _ => self.sum - first,
        }
    }
}

/// Whether endings say who wins, rather than by what figures.
#[must_use]
pub fn names_winners(game: &Game) -> bool {
    let mut found = false;
    for proc in &game.procs {
        each_in_block(&proc.body, &mut |node| {
            found |= matches!(node, Node::Stmt(stmt) if matches!(stmt.kind, StmtKind::Winner(_)));
        });
    }
    found
}
