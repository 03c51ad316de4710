//! Othello; it ends as soon as neither player can place a disc.

use std::fmt::{self, Display, Formatter};

use super::Game;
use super::board::{CELLS, EAST, NORTH, SQUARES, Square};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Border,
    Empty,
    Disc(u8),
}

#[derive(Clone, Copy)]
pub enum Move {
    Place(Square),
    Pass,
}

impl Display for Move {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(at) => at.fmt(f),
            Move::Pass => f.write_str("pass"),
        }
    }
}

const DIRECTIONS: [isize; 8] = [
    NORTH,
    NORTH + EAST,
    EAST,
    -NORTH + EAST,
    -NORTH,
    -NORTH - EAST,
    -EAST,
    NORTH - EAST,
];

#[derive(Clone)]
pub struct Othello {
    cells: [Cell; CELLS],
    mover: u8,
}

impl Othello {
    /// How many discs of the other seat lie in this direction with one of the seat behind them.
    fn enclosed(&self, from: Square, way: isize, seat: u8) -> usize {
        let mut at = from.step(way);
        let mut length = 0;
        while self.cells[at.index()] == Cell::Disc(1 - seat) {
            at = at.step(way);
            length += 1;
        }
        if self.cells[at.index()] == Cell::Disc(seat) {
            length
        } else {
            0
        }
    }

    fn places(&self, seat: u8) -> impl Iterator<Item = Square> {
        SQUARES.into_iter().filter(move |at| {
            let encloses = |way| self.enclosed(*at, way, seat) > 0;
            self.cells[at.index()] == Cell::Empty && DIRECTIONS.into_iter().any(encloses)
        })
    }
}

impl Game for Othello {
    type Move = Move;

    fn new() -> Self {
        let mut cells = [Cell::Border; CELLS];
        for square in SQUARES {
            cells[square.index()] = match (square.column(), square.row()) {
                (3, 4) | (4, 3) => Cell::Disc(0),
                (3, 3) | (4, 4) => Cell::Disc(1),
                _ => Cell::Empty,
            };
        }
        Othello { cells, mover: 0 }
    }

    fn legal(&self, moves: &mut Vec<Move>) {
        moves.clear();
        moves.extend(self.places(self.mover).map(Move::Place));
        if moves.is_empty() && self.places(1 - self.mover).next().is_some() {
            moves.push(Move::Pass);
        }
    }

    fn apply(&mut self, choice: Move) {
        if let Move::Place(place) = choice {
            for way in DIRECTIONS {
                let mut at = place;
                for _ in 0..self.enclosed(place, way, self.mover) {
                    at = at.step(way);
                    self.cells[at.index()] = Cell::Disc(self.mover);
                }
            }
            self.cells[place.index()] = Cell::Disc(self.mover);
        }
        self.mover = 1 - self.mover;
    }

    fn mover(&self) -> u8 {
        self.mover
    }
}
