//! The benchmark games, written by hand.
//!
//! They say how fast plain Rust plays them, and the tests use them as a second opinion on the
//! rule files. So they share nothing with the library: arrays, loops over cells, a stack for the
//! flood fill, as on any normal day.

pub mod board;
pub mod breakthrough;
pub mod carcassonne;
pub mod chance;
pub mod chess;
pub mod connect_four;
pub mod draughts;
pub mod othello;
pub mod tunnels;

use rand_chacha::ChaCha8Rng;

/// A game of two seats without luck.
pub trait Game: Clone {
    /// Prints as in the rulebook.
    type Move: Copy + std::fmt::Display;

    fn new() -> Self;

    /// Writes all legal moves, in any order; none when the game is over.
    fn legal(&self, moves: &mut Vec<Self::Move>);

    /// Plays a legal move.
    fn apply(&mut self, choice: Self::Move);

    /// Who is to move; 0 is the seat that begins.
    fn mover(&self) -> u8;

    /// Plays a game at random and returns how many choices were made; `moves` is room for them.
    fn playout(rng: &mut ChaCha8Rng, moves: &mut Vec<Self::Move>) -> u64 {
        let mut game = Self::new();
        let mut plies = 0;
        loop {
            game.legal(moves);
            if moves.is_empty() {
                return plies;
            }
            game.apply(moves[chance::pick(rng, moves.len())]);
            plies += 1;
        }
    }
}
