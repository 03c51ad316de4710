//! What a position is drawn of: words, boards and drawings, which a terminal and a picture draw each in its way.

use super::squares::Squares;
use super::strips::Strip;

/// A part of what is drawn.
#[derive(Clone, Debug)]
pub enum Part {
    /// Lines of words.
    Text(String),
    /// A board of rows and columns.
    Squares(Squares),
    /// Places in a row.
    Strip(Strip),
    /// A drawing of signs and strokes, below its name.
    Drawing(String),
    /// Part of what was named before.
    Inset(Box<Part>),
}

impl Part {
    /// As it stands in a terminal, with the end of its last line.
    #[must_use]
    pub fn written(&self) -> String {
        match self {
            Part::Text(text) | Part::Drawing(text) => text.clone(),
            Part::Squares(board) => board.written(),
            Part::Strip(strip) => strip.written(),
            Part::Inset(part) => {
                let text = part.written();
                text.lines().map(|line| format!("  {line}\n")).collect()
            }
        }
    }
}
