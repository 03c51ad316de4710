//! The list of legal moves.

use std::ops::Deref;

/// A legal answer to the pending choice: an alternative in the low byte, its parameters above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(pub u64);

/// Most members of a set of one word.
const WORD: usize = 64;

/// A list of moves in room that is used again, so that nobody asks for room move by move.
#[derive(Debug, Default)]
pub struct Moves {
    room: Vec<Move>,
    n: usize,
}

impl Moves {
    /// Leaves no move in it.
    #[inline]
    pub fn clear(&mut self) {
        self.n = 0;
    }

    /// Becomes a list that was made before.
    pub fn set(&mut self, moves: &[Move]) {
        self.clear();
        moves.iter().for_each(|it| self.push(*it));
    }

    /// Adds a move.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.push_each(mv.0, 1, 0);
    }

    /// Adds a move for each member of a set of one word: the member stands from bit `shift` on.
    #[inline]
    pub fn push_each(&mut self, base: u64, set: u64, shift: u32) {
        self.make_room();
        self.push_into_room(base, set, shift);
    }

    /// The same where it has room: how many it adds; else none.
    #[inline]
    pub fn push_into_room(&mut self, base: u64, set: u64, shift: u32) -> Option<usize> {
        let room = self.room.get_mut(self.n..self.n + WORD)?;
        let room = room.first_chunk_mut::<WORD>()?;
        let (mut rest, mut n) = (set, 0);
        while rest != 0 {
            room[n % WORD] = Move(base | u64::from(rest.trailing_zeros()) << shift);
            rest &= rest - 1;
            n += 1;
        }
        self.n += n;
        Some(n)
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Makes room for a word of moves.
    #[inline]
    pub fn make_room(&mut self) {
        if self.n + WORD > self.room.len() {
            self.grow();
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.room.resize(2 * self.n + 2 * WORD, Move(0));
    }
}

impl Deref for Moves {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        self.room.get(..self.n).unwrap_or_default()
    }
}
