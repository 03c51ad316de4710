//! Chess by a crate that programs for chess are built on. It ends by itself where a draw could be claimed, since
//! a player at random claims now and then, and that would be measured too.

use std::fmt::{self, Display, Formatter};

use rand_chacha::ChaCha8Rng;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingSide, EnPassantMode, Position, Square};

use super::Game;
use super::chance::pick;

#[derive(Clone, Copy)]
pub struct Move(shakmaty::Move);

impl Display for Move {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(wing) = self.0.castling_side() {
            let kingside = wing == CastlingSide::KingSide;
            return f.write_str(if kingside { "O-O" } else { "O-O-O" });
        }
        let name = |square: Option<Square>| square.map(|it| it.to_string()).unwrap_or_default();
        write!(f, "{}-{}", name(self.0.from()), self.0.to())?;
        match self.0.promotion() {
            Some(role) => write!(f, "={}", role.upper_char()),
            None if self.0.is_en_passant() => f.write_str(" e.p."),
            None => Ok(()),
        }
    }
}

#[derive(Clone)]
pub struct Chess {
    position: shakmaty::Chess,
    /// The positions since the last capture or move of a pawn.
    seen: Vec<Zobrist64>,
    is_drawn: bool,
}

impl Chess {
    fn play(&mut self, choice: shakmaty::Move) {
        self.position.play_unchecked(choice);
        if choice.is_zeroing() {
            self.seen.clear();
        }
        let now = self.position.zobrist_hash(EnPassantMode::Legal);
        let before = self.seen.iter().filter(|it| **it == now).count();
        self.seen.push(now);
        self.is_drawn = before >= 2
            || self.position.halfmoves() >= 100
            || self.position.is_insufficient_material();
    }
}

impl Game for Chess {
    type Move = Move;

    fn new() -> Self {
        let position = shakmaty::Chess::default();
        let seen = vec![position.zobrist_hash(EnPassantMode::Legal)];
        Chess {
            position,
            seen,
            is_drawn: false,
        }
    }

    fn legal(&self, moves: &mut Vec<Move>) {
        moves.clear();
        if !self.is_drawn {
            moves.extend(self.position.legal_moves().into_iter().map(Move));
        }
    }

    fn apply(&mut self, choice: Move) {
        self.play(choice.0);
    }

    fn mover(&self) -> u8 {
        u8::from(self.position.turn().is_black())
    }

    /// Chooses from the list that the crate makes, without a copy.
    fn playout(rng: &mut ChaCha8Rng, _: &mut Vec<Move>) -> u64 {
        let mut game = Chess::new();
        let mut plies = 0;
        while !game.is_drawn {
            let moves = game.position.legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(moves[pick(rng, moves.len())]);
            plies += 1;
        }
        plies
    }
}
