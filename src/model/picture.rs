//! How a table is drawn: by what names, and the parts of what lies on a plane.

use super::{ClauseId, DefineId, DomainId, Expr, LocalId, TableId, TrackId, ZoneId};
use crate::source::Span;

/// `show NAME as "…"` of something that stands on the table.
#[derive(Clone, Debug)]
pub struct Shown {
    /// What.
    pub what: ShownWhat,
    /// Its name for people; empty where it is not to be seen.
    pub label: String,
    /// Of a board: whether its places are dark and light by turns.
    pub chequered: bool,
    /// Of a board: who sits at which side of it.
    pub side: Option<SideOf>,
}

/// What says at which side of a board a seat sits: by a direction, or by the places there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideOf {
    /// A definition of a seat.
    Define(DefineId),
    /// A table over the seats.
    Table(TableId),
}

/// `show exposed on field as "( )"`: places of a board that are marked for who looks.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Which places: of a seat, or alike for all.
    pub define: DefineId,
    /// On what.
    pub on: ShownWhat,
    /// By what.
    pub sign: MarkSign,
}

/// How a marked place is told from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkSign {
    /// By signs around what lies there, if only on one side.
    Around {
        /// Stands before it.
        before: String,
        /// Stands behind it.
        behind: String,
    },
    /// By a sign that stands where nothing lies.
    Empty(String),
}

/// What can stand on the table by a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownWhat {
    /// What lies there.
    Zone(ZoneId),
    /// Its value.
    Track(TrackId),
    /// Of a seat: its value. Of a seat and a list: a score sheet when the game is over.
    Define(DefineId),
    /// Rows of records: what is printed on things that lie open.
    Table(TableId),
}

/// `picture Part(t, s) { … }`: may be one of several for one space.
#[derive(Clone, Debug)]
pub struct Picture {
    /// A space of parts that meet.
    pub space: DomainId,
    /// Bound to a component in the conditions.
    pub component: LocalId,
    /// Bound to a slot in the conditions.
    pub slot: LocalId,
    /// What the parts look like.
    pub layers: Vec<Layer>,
    /// Its clause.
    pub clause: ClauseId,
}

/// What some parts look like.
#[derive(Clone, Debug)]
pub struct Layer {
    /// How it is drawn.
    pub brush: Brush,
    /// One column wide; empty for a line.
    pub sign: String,
    /// The same in ASCII; empty for a line.
    pub plain: String,
    /// Its colour.
    pub colour: Colour,
    /// What it is, for the legend.
    pub title: String,
    /// Which parts look like this: reads the component and the slot, and no state.
    pub cond: Option<Expr>,
    /// Its text.
    pub span: Span,
}

/// How a part is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Brush {
    /// It fills what nothing else covers.
    Ground,
    /// A stroke between its ports; from a single one to the middle.
    Line,
    /// A shape along the sides where it has ports.
    Area,
    /// A sign where its line ends before it comes to the middle.
    Stop,
    /// A sign in its middle; of a line that ends inside, at that end.
    Mark,
}

/// Colours that stay apart for every eye.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each name is the colour")]
pub enum Colour {
    Black,
    Blue,
    Brown,
    Green,
    Grey,
    Orange,
    Purple,
    Red,
    Sky,
    White,
    Yellow,
}

impl Colour {
    /// All of them with the words for them.
    pub const ALL: [(&'static str, Self); 11] = [
        ("black", Self::Black),
        ("blue", Self::Blue),
        ("brown", Self::Brown),
        ("green", Self::Green),
        ("grey", Self::Grey),
        ("orange", Self::Orange),
        ("purple", Self::Purple),
        ("red", Self::Red),
        ("sky", Self::Sky),
        ("white", Self::White),
        ("yellow", Self::Yellow),
    ];

    /// The colour of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(word, _)| *word == name);
        found.map(|(_, colour)| *colour)
    }
}
