//! Eight times eight squares within a border, so that a step over the edge comes to a cell of its own kind.

use std::fmt::{self, Display, Formatter};

pub const SIDE: usize = 8;
const WIDTH: usize = SIDE + 2;
pub const CELLS: usize = WIDTH * WIDTH;

/// What to add for a step; the opposite is the negative.
pub const NORTH: isize = WIDTH as isize;
pub const EAST: isize = 1;

/// A cell, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Square(pub u8);

/// All squares, row by row.
pub const SQUARES: [Square; SIDE * SIDE] = {
    let mut squares = [Square(0); SIDE * SIDE];
    let mut i = 0;
    while i < squares.len() {
        squares[i] = Square(((i / SIDE + 1) * WIDTH + i % SIDE + 1) as u8);
        i += 1;
    }
    squares
};

impl Square {
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The square beside this one, or a cell of the border.
    pub fn step(self, by: isize) -> Self {
        Square((self.0 as isize + by) as u8)
    }

    pub fn column(self) -> usize {
        self.index() % WIDTH - 1
    }

    pub fn row(self) -> usize {
        self.index() / WIDTH - 1
    }
}

/// Prints as `a1`.
impl Display for Square {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let column = char::from(b'a' + self.column() as u8);
        write!(f, "{column}{}", self.row() + 1)
    }
}
