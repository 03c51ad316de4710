//! What a position is drawn of: words, boards and drawings, which a terminal and a picture draw each in its way.

use super::entries::wrapped;
use super::squares::Squares;
use super::strips::Strip;
use super::tableau::BETWEEN;

/// A part of what is drawn.
#[derive(Clone, Debug)]
pub enum Part {
    /// What belongs to a seat.
    Seat {
        /// Whose it is.
        seat: u32,
        /// Its name, and below it what is told in words.
        text: String,
        /// Boards of its own.
        boards: Vec<Part>,
        /// Columns that they may take beside one another.
        width: usize,
    },
    /// What lies at places, or what holds there, in words.
    List {
        /// What it is called.
        name: String,
        /// The name and what there is.
        text: String,
    },
    /// Values that stand by themselves.
    Values {
        /// The name of each, and the words for name and value.
        words: Vec<(String, String)>,
        /// Where lines are broken.
        width: usize,
    },
    /// What is printed on things.
    Printed {
        /// What it is called.
        name: String,
        /// The name, and the things below it.
        text: String,
    },
    /// A board of rows and columns.
    Squares(Squares),
    /// Places in a row.
    Strip(Strip),
    /// A drawing of signs and strokes, below its name.
    Drawing(String),
}

/// Lines of a table that stand together, so that a front end can lay them beside others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: Kind,
    /// What it is called.
    pub name: String,
    /// Its lines.
    pub lines: Vec<String>,
}

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A picture of places, which is as wide as it is.
    Board,
    /// What belongs to a seat.
    Seat(u32),
    /// Places in a row.
    Row,
    /// Lists.
    Words,
    /// A value that stands by itself.
    Value,
    /// What is printed on things.
    Printed,
}

/// Before what belongs to a seat.
const INDENT: &str = "  ";
/// Columns between what stands side by side.
const GAP: usize = 3;

/// Lines of several pictures, side by side as far as there are so many columns; what has no room there stands below.
pub fn beside(
    pictures: Vec<Vec<String>>,
    columns: usize,
    long: impl Fn(&str) -> usize,
) -> Vec<String> {
    let wide = |lines: &[String]| lines.iter().map(|it| long(it)).max().unwrap_or(0);
    let mut rows: Vec<(usize, Vec<String>)> = Vec::new();
    for picture in pictures {
        let own = wide(&picture);
        match rows.last_mut().filter(|it| it.0 + GAP + own <= columns) {
            Some((taken, row)) => {
                row.resize(row.len().max(picture.len()), String::new());
                for (line, more) in row.iter_mut().zip(&picture) {
                    let gap = if more.is_empty() {
                        0
                    } else {
                        *taken + GAP - long(line)
                    };
                    line.push_str(&" ".repeat(gap));
                    line.push_str(more);
                }
                *taken += GAP + own;
            }
            None => rows.push((own, picture)),
        }
    }
    rows.into_iter().flat_map(|it| it.1).collect()
}

/// A list below or behind its name.
pub(super) fn named(name: &str, text: String) -> Part {
    let name = name.to_owned();
    Part::List { name, text }
}

impl Part {
    /// As it stands in a terminal, with the end of its last line.
    #[must_use]
    pub fn written(&self) -> String {
        match self {
            Part::Seat {
                text,
                boards,
                width,
                ..
            } => {
                let boards = boards.iter().map(Part::written);
                let boards = boards.map(|it| it.lines().map(str::to_owned).collect());
                let room = width.saturating_sub(INDENT.len());
                let boards = beside(boards.collect(), room, |it| it.chars().count());
                let boards = boards.iter().map(|line| format!("{INDENT}{line}\n"));
                format!("{text}{}", boards.collect::<String>())
            }
            Part::List { text, .. } | Part::Printed { text, .. } => text.clone(),
            Part::Values { words, width } => {
                let words: Vec<String> = words.iter().map(|it| it.1.clone()).collect();
                wrapped("", &words, BETWEEN, *width)
            }
            Part::Drawing(text) => text.clone(),
            Part::Squares(board) => board.written(),
            Part::Strip(strip) => strip.written(),
        }
    }

    /// The same in blocks: each value is one.
    #[must_use]
    pub fn blocks(&self) -> Vec<Block> {
        if let Part::Values { words, .. } = self {
            let block = |(name, text): &(String, String)| Block {
                kind: Kind::Value,
                name: name.clone(),
                lines: vec![text.clone()],
            };
            return words.iter().map(block).collect();
        }
        let written = self.written();
        let lines: Vec<String> = written.lines().map(str::to_owned).collect();
        let first = lines.first().map_or("", String::as_str);
        let (kind, name) = match self {
            _ if lines.is_empty() => return Vec::new(),
            Part::Seat { seat, .. } => {
                (Kind::Seat(*seat), first.split("  ").next().unwrap_or(first))
            }
            Part::List { name, .. } => (Kind::Words, name.as_str()),
            Part::Values { .. } => (Kind::Value, first),
            Part::Printed { name, .. } => (Kind::Printed, name.as_str()),
            Part::Squares(_) | Part::Drawing(_) => (Kind::Board, first),
            Part::Strip(strip) => (Kind::Row, strip.name()),
        };
        let name = name.to_owned();
        vec![Block { kind, name, lines }]
    }
}
