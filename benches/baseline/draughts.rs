//! English draughts; each jump is a choice of its own.

use std::fmt::{self, Display, Formatter};

use super::Game;
use super::board::{CELLS, EAST, NORTH, SIDE, SQUARES, Square};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Border,
    Empty,
    Man(u8),
    King(u8),
}

impl Cell {
    fn is_of(self, seat: u8) -> bool {
        self == Cell::Man(seat) || self == Cell::King(seat)
    }

    /// The directions in which the piece goes. Black, which begins, stands in the north.
    fn ways(self) -> &'static [isize] {
        const WAYS: [isize; 4] = [-NORTH - EAST, -NORTH + EAST, NORTH - EAST, NORTH + EAST];
        match self {
            Cell::Man(0) => &WAYS[..2],
            Cell::Man(_) => &WAYS[2..],
            Cell::King(_) => &WAYS,
            Cell::Border | Cell::Empty => &[],
        }
    }
}

#[derive(Clone, Copy)]
pub struct Move {
    from: Square,
    to: Square,
    over: Option<Square>,
}

impl Display for Move {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let sign = if self.over.is_some() { 'x' } else { '-' };
        write!(f, "{}{sign}{}", self.from, self.to)
    }
}

/// A game is drawn after so many turns without a jump or a move of a man.
const QUIET: usize = 80;

#[derive(Clone)]
pub struct Draughts {
    cells: [Cell; CELLS],
    mover: u8,
    /// The piece that has to jump on.
    jumper: Option<Square>,
    /// The boards since the last jump or move of a man.
    quiet: Vec<[Cell; CELLS]>,
    is_drawn: bool,
}

impl Draughts {
    fn jumps(&self, from: Square) -> impl Iterator<Item = Move> {
        let ways = self.cells[from.index()].ways().iter();
        ways.filter_map(move |way| {
            let (over, to) = (from.step(*way), from.step(2 * way));
            // What is jumped over is on the board, so behind it there is the border at least.
            let jumps = self.cells[over.index()].is_of(1 - self.mover)
                && self.cells[to.index()] == Cell::Empty;
            let over = Some(over);
            jumps.then_some(Move { from, to, over })
        })
    }

    fn steps(&self, from: Square) -> impl Iterator<Item = Move> {
        let ways = self.cells[from.index()].ways().iter();
        ways.filter_map(move |way| {
            let (over, to) = (None, from.step(*way));
            let steps = self.cells[to.index()] == Cell::Empty;
            steps.then_some(Move { from, to, over })
        })
    }

    fn own(&self) -> impl Iterator<Item = Square> {
        SQUARES
            .into_iter()
            .filter(|at| self.cells[at.index()].is_of(self.mover))
    }
}

impl Game for Draughts {
    type Move = Move;

    fn new() -> Self {
        let mut cells = [Cell::Border; CELLS];
        for square in SQUARES {
            let is_dark = (square.column() + square.row()).is_multiple_of(2);
            cells[square.index()] = match square.row() {
                5.. if is_dark => Cell::Man(0),
                ..3 if is_dark => Cell::Man(1),
                _ => Cell::Empty,
            };
        }
        Draughts {
            cells,
            mover: 0,
            jumper: None,
            quiet: vec![cells],
            is_drawn: false,
        }
    }

    fn legal(&self, moves: &mut Vec<Move>) {
        moves.clear();
        if self.is_drawn {
            return;
        }
        if let Some(jumper) = self.jumper {
            moves.extend(self.jumps(jumper));
            return;
        }
        moves.extend(self.own().flat_map(|from| self.jumps(from)));
        if moves.is_empty() {
            moves.extend(self.own().flat_map(|from| self.steps(from)));
        }
    }

    fn apply(&mut self, choice: Move) {
        let Move { from, to, over } = choice;
        let piece = self.cells[from.index()];
        self.cells[from.index()] = Cell::Empty;
        self.cells[to.index()] = piece;
        if over.is_some() || piece == Cell::Man(self.mover) {
            self.quiet.clear();
        }
        if let Some(over) = over {
            self.cells[over.index()] = Cell::Empty;
            self.jumper = Some(to);
            if self.jumps(to).next().is_some() {
                return;
            }
        }
        self.jumper = None;
        let king_row = if self.mover == 0 { 0 } else { SIDE - 1 };
        if to.row() == king_row {
            self.cells[to.index()] = Cell::King(self.mover);
        }
        let before = self.quiet.iter().filter(|it| **it == self.cells).count();
        self.is_drawn = before >= 2 || self.quiet.len() >= QUIET;
        self.quiet.push(self.cells);
        self.mover = 1 - self.mover;
    }

    fn mover(&self) -> u8 {
        self.mover
    }
}
