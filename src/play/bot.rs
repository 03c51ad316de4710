//! Who chooses where no person sits.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::engine::Move;

/// Who sits on a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// A person.
    Human,
    /// Chooses each legal move with equal probability.
    Random,
    /// Chooses the first legal move.
    First,
}

impl Player {
    /// All of them.
    pub const ALL: [Player; 3] = [Player::Human, Player::Random, Player::First];

    /// Returns the word for it.
    pub fn word(self) -> &'static str {
        match self {
            Player::Human => "human",
            Player::Random => "random",
            Player::First => "first",
        }
    }

    /// Returns the player with this word.
    pub fn find(word: &str) -> Option<Player> {
        Player::ALL.into_iter().find(|player| player.word() == word)
    }

    /// Chooses among legal moves, if it is no person.
    ///
    /// The choice depends on nothing but the seed, the seat and the number of choices before, so that
    /// a resumed game goes on as it would have gone. Its random numbers are a stream of their own:
    /// who chooses never changes what chance gives.
    pub fn choose(self, moves: &[Move], seed: u64, seat: u32, n_choices: usize) -> Option<Move> {
        match self {
            Player::Human => None,
            Player::First => moves.first().copied(),
            Player::Random => {
                let mut words = ChaCha8Rng::seed_from_u64(seed);
                words.set_stream(u64::MAX - u64::from(seat));
                words.set_word_pos(2 * n_choices as u128);
                let share = u128::from(words.next_u64()) * moves.len() as u128;
                moves.get(usize::try_from(share >> 64).ok()?).copied()
            }
        }
    }
}
