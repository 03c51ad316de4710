//! Breakthrough on eight times eight squares.

use std::fmt::{self, Display, Formatter};

use super::Game;
use super::board::{CELLS, EAST, NORTH, SIDE, SQUARES, Square};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Border,
    Empty,
    Piece(u8),
}

#[derive(Clone, Copy)]
pub struct Move {
    from: Square,
    to: Square,
    captures: bool,
}

impl Display for Move {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let sign = if self.captures { 'x' } else { '-' };
        write!(f, "{}{sign}{}", self.from, self.to)
    }
}

#[derive(Clone)]
pub struct Breakthrough {
    cells: [Cell; CELLS],
    /// How many pieces each seat has.
    pieces: [u8; 2],
    mover: u8,
    is_over: bool,
}

impl Game for Breakthrough {
    type Move = Move;

    fn new() -> Self {
        let mut cells = [Cell::Border; CELLS];
        for square in SQUARES {
            cells[square.index()] = match square.row() {
                0 | 1 => Cell::Piece(0),
                6 | 7 => Cell::Piece(1),
                _ => Cell::Empty,
            };
        }
        Breakthrough {
            cells,
            pieces: [16, 16],
            mover: 0,
            is_over: false,
        }
    }

    fn legal(&self, moves: &mut Vec<Move>) {
        moves.clear();
        if self.is_over {
            return;
        }
        let (own, other) = (Cell::Piece(self.mover), Cell::Piece(1 - self.mover));
        let ahead = if self.mover == 0 { NORTH } else { -NORTH };
        for from in SQUARES {
            if self.cells[from.index()] != own {
                continue;
            }
            for aside in [-EAST, 0, EAST] {
                let to = from.step(ahead + aside);
                let cell = self.cells[to.index()];
                let captures = cell == other && aside != 0;
                if captures || cell == Cell::Empty {
                    moves.push(Move { from, to, captures });
                }
            }
        }
    }

    fn apply(&mut self, choice: Move) {
        let other = 1 - self.mover;
        self.cells[choice.from.index()] = Cell::Empty;
        self.cells[choice.to.index()] = Cell::Piece(self.mover);
        if choice.captures {
            self.pieces[usize::from(other)] -= 1;
        }
        let goal = if self.mover == 0 { SIDE - 1 } else { 0 };
        self.is_over = choice.to.row() == goal || self.pieces[usize::from(other)] == 0;
        self.mover = other;
    }

    fn mover(&self) -> u8 {
        self.mover
    }
}
