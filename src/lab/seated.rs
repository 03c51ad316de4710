//! Games in which other players than random ones sit at the table.

use std::time::Duration;

use super::course::{Course, End};
use super::totals::CREDIT;
use crate::engine::{Machine, Move, Program};
use crate::mind::{Means, Mind, Thinker};

/// Who sits at the table.
pub struct Seated<'p> {
    minds: Vec<Mind>,
    /// Whether each goes on to the next seat after each game.
    rotates: bool,
    thinker: Thinker<'p>,
    clock: Box<dyn Fn() -> Duration + Sync + 'p>,
}

impl<'p> Seated<'p> {
    /// One mind for each seat; `clock` is the time that has gone by.
    #[must_use]
    pub fn new(
        program: &'p Program,
        minds: Vec<Mind>,
        rotates: bool,
        clock: impl Fn() -> Duration + Sync + 'p,
    ) -> Seated<'p> {
        Seated {
            minds,
            rotates,
            thinker: Thinker::new(program),
            clock: Box::new(clock),
        }
    }

    /// Who plays, in the order in which they were named.
    #[must_use]
    pub fn minds(&self) -> &[Mind] {
        &self.minds
    }

    /// Whether they change seats after each game.
    #[must_use]
    pub fn rotates(&self) -> bool {
        self.rotates
    }

    /// Who thinks for all of them.
    #[must_use]
    pub fn thinker(&self) -> &Thinker<'p> {
        &self.thinker
    }

    /// Which of the players sits on a seat in a game, the first of which is 0.
    #[must_use]
    pub fn player(&self, seat: u32, game: u64) -> usize {
        let n = self.minds.len().max(1) as u64;
        let moved = if self.rotates { game % n } else { 0 };
        usize::try_from((u64::from(seat) + n - moved) % n).unwrap_or(0)
    }

    /// The mind on a seat in a game.
    #[must_use]
    pub fn mind(&self, seat: u32, game: u64) -> Mind {
        let mind = self.minds.get(self.player(seat, game));
        mind.copied().unwrap_or(Mind::Random)
    }

    /// What is chosen by a seat that does not play at random; games are many, so each mind has one thread.
    pub(super) fn chosen(
        &self,
        machine: &Machine<'p>,
        seat: u32,
        game: u64,
        seed: u64,
    ) -> Option<Move> {
        let means = Means {
            threads: 1,
            clock: &*self.clock,
            is_stopped: &|| false,
        };
        let mind = Some(self.mind(seat, game)).filter(|it| *it != Mind::Random)?;
        self.thinker.choose(mind, machine, seat, seed, means)
    }

    /// Lets seats learn what they see, if any of them thinks.
    pub(super) fn prepare(&self, machine: &mut Machine<'_>) {
        let thinks = self.minds.iter().any(|it| it.thinks());
        machine.listen(thinks);
        if thinks {
            machine.keep_past();
        }
    }
}

/// What many games gave one of the players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Games that were judged.
    pub games: u64,
    /// Those that it won alone.
    pub alone: u64,
    /// Those in which it shared the first place.
    pub shared: u64,
    /// Its wins, shared ones in parts of [`CREDIT`].
    pub credit: u64,
    /// By how much its first figure was above the best of the others, in all.
    pub margin: i128,
}

impl Share {
    /// The part of the games that it won, shared ones in parts.
    #[must_use]
    pub fn part(&self) -> f64 {
        self.credit as f64 / (CREDIT * self.games.max(1)) as f64
    }
}

/// What many games gave each of the players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shares(pub Vec<Share>);

impl Shares {
    /// Of so many players nothing yet.
    #[must_use]
    pub fn of(n: usize) -> Shares {
        Shares(vec![Share::default(); n])
    }

    /// Adds a game; `first` is the seed of the first one. By seat, the first of those who win and lose with it is `together`.
    pub fn add(&mut self, by: &Seated<'_>, course: &Course, first: u64, together: &[usize]) {
        let End::Judged(outcome) = &course.end else {
            return;
        };
        let parts = outcome.parts(together);
        let winners = outcome.winners(together);
        let figure = |seat: usize| outcome.keys.get(seat).and_then(|it| it.first()).copied();
        for (seat, part) in parts.into_iter().enumerate() {
            let game = course.seed.wrapping_sub(first);
            let player = by.player(u32::try_from(seat).unwrap_or(0), game);
            let Some(share) = self.0.get_mut(player) else {
                continue;
            };
            share.games += 1;
            if part > 0.0 {
                let is_whole = !winners.is_empty();
                share.alone += u64::from(is_whole);
                share.shared += u64::from(!is_whole);
                share.credit += (CREDIT as f64 * part).round() as u64;
            }
            let others = 0..outcome.places.len();
            let others = others.filter(|it| together.get(*it) != together.get(seat));
            let best = others.filter_map(figure).max();
            if let (Some(own), Some(best)) = (figure(seat), best) {
                share.margin += i128::from(own) - i128::from(best);
            }
        }
    }
}
