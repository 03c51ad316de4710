//! Connect Four on seven columns of six cells.

use std::fmt::{self, Display, Formatter};

use super::Game;

pub const COLUMNS: usize = 7;
pub const ROWS: usize = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Won(u8),
    Drawn,
}

/// Where a disc is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column(pub u8);

impl Display for Column {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(b'a' + self.0))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectFour {
    /// By column and row, row 0 at the bottom.
    pub cells: [[Option<u8>; ROWS]; COLUMNS],
    pub heights: [usize; COLUMNS],
    pub mover: u8,
    pub outcome: Option<Outcome>,
}

impl Game for ConnectFour {
    type Move = Column;

    fn new() -> Self {
        ConnectFour {
            cells: [[None; ROWS]; COLUMNS],
            heights: [0; COLUMNS],
            mover: 0,
            outcome: None,
        }
    }

    fn legal(&self, moves: &mut Vec<Column>) {
        moves.clear();
        if self.outcome.is_some() {
            return;
        }
        for column in 0..COLUMNS {
            if self.heights[column] < ROWS {
                moves.push(Column(column as u8));
            }
        }
    }

    fn apply(&mut self, choice: Column) {
        let column = usize::from(choice.0);
        let row = self.heights[column];
        self.cells[column][row] = Some(self.mover);
        self.heights[column] += 1;
        if self.wins(column, row) {
            self.outcome = Some(Outcome::Won(self.mover));
        } else if self.heights.iter().all(|&height| height == ROWS) {
            self.outcome = Some(Outcome::Drawn);
        }
        self.mover = 1 - self.mover;
    }

    fn mover(&self) -> u8 {
        self.mover
    }
}

impl ConnectFour {
    pub fn result(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Whether the disc at this cell is one of four in a line.
    fn wins(&self, column: usize, row: usize) -> bool {
        [(1, 0), (0, 1), (1, 1), (1, -1)]
            .into_iter()
            .any(|(right, up)| {
                1 + self.run(column, row, right, up) + self.run(column, row, -right, -up) >= 4
            })
    }

    /// How many discs of the mover follow the cell in one direction.
    fn run(&self, column: usize, row: usize, right: isize, up: isize) -> usize {
        let (mut column, mut row) = (column as isize + right, row as isize + up);
        let mut length = 0;
        while (0..COLUMNS as isize).contains(&column)
            && (0..ROWS as isize).contains(&row)
            && self.cells[column as usize][row as usize] == Some(self.mover)
        {
            length += 1;
            column += right;
            row += up;
        }
        length
    }
}
