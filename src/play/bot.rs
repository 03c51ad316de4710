//! Who sits on a seat.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::engine::{Machine, Move, mixed};
use crate::mind::{Means, Mind, Thinker};

/// Who sits on a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// A person.
    Human,
    /// Nobody: the program chooses.
    Mind(Mind),
}

impl Player {
    /// Who chooses where nothing is thought.
    pub const RANDOM: Player = Player::Mind(Mind::Random);
    /// Who sits opposite a person where nothing else is said.
    pub const USUAL: Player = Player::Mind(Mind::Medium);

    /// What can be written, each with what it is.
    pub fn words() -> impl Iterator<Item = (&'static str, &'static str)> {
        std::iter::once(("human", "a person")).chain(Mind::words())
    }

    /// Returns the word for it.
    pub fn word(self) -> String {
        match self {
            Player::Human => String::from("human"),
            Player::Mind(mind) => mind.word(),
        }
    }

    /// Returns the player with this word.
    pub fn find(word: &str) -> Option<Player> {
        match word {
            // As the table calls who sits there.
            "human" | "you" => Some(Player::Human),
            word => Mind::find(word).map(Player::Mind),
        }
    }

    /// Chooses among legal moves, if it is no person.
    ///
    /// Unless it thinks for some time, the choice depends on nothing but the seed, the seat, the number of choices before and what
    /// the seat knows, so that a resumed game goes on as it would have gone. Its random numbers are a stream of their own:
    /// who chooses never changes what chance gives.
    pub fn choose<'p>(
        self,
        by: &Thinker<'p>,
        of: &Machine<'p>,
        (seed, seat, n_choices): (u64, u32, usize),
        means: Means<'_>,
    ) -> Option<Move> {
        match self {
            Player::Human => None,
            Player::Mind(Mind::Random) => at_random(of.moves(), seed, seat, n_choices),
            Player::Mind(mind) => {
                let nth = mixed(mixed(seed) ^ u64::from(seat)) ^ n_choices as u64;
                by.choose(mind, of, seat, nth, means)
            }
        }
    }
}

/// The move that a random player chooses.
pub fn at_random(moves: &[Move], seed: u64, seat: u32, n_choices: usize) -> Option<Move> {
    let mut words = ChaCha8Rng::seed_from_u64(seed);
    words.set_stream(u64::MAX - u64::from(seat));
    words.set_word_pos(2 * n_choices as u128);
    let share = u128::from(words.next_u64()) * moves.len() as u128;
    moves.get(usize::try_from(share >> 64).ok()?).copied()
}
