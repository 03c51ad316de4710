use super::*;

/// The first item of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// The doc comment before it.
    pub docs: Vec<Doc>,
    /// A game, or an amendment of one.
    pub kind: HeaderKind,
    /// The name of the rulebook.
    pub name: Name,
    /// The title as it is printed.
    pub title: Text,
    /// Citations and the like.
    pub tail: Tail,
    /// `version "1"`: what an amendment means by `for BASE "1"`.
    pub version: Option<Text>,
    /// `seats …`.
    pub seats: Option<Seats>,
    /// `source NAME "Title" sentences A-1..A-9`.
    pub sources: Vec<SourceDecl>,
    /// `history of a, b up to N`.
    pub history: Option<History>,
    /// The whole header.
    pub span: Span,
}

/// What `repeated()` remembers.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// The zones and tracks that make a position; none if it is not said.
    pub of: Vec<Name>,
    /// The most positions remembered.
    pub most: Number,
}

/// Whether a file stands for itself.
#[derive(Clone, Debug, PartialEq)]
pub enum HeaderKind {
    /// `game`.
    Game,
    /// `variant|edition|expansion … for BASE "version"`.
    Amendment {
        /// The word it begins with; all of them mean the same.
        flavour: Flavour,
        /// The rulebook it amends.
        base: Name,
        /// The version of the base it was written for.
        base_version: Option<Text>,
    },
    /// `part … of NAME`, read along with the rulebook of that name; it has none of its own.
    Part,
}

impl HeaderKind {
    /// Returns the word that the file begins with.
    pub fn word(&self) -> &'static str {
        match self {
            HeaderKind::Game => "game",
            HeaderKind::Amendment { flavour, .. } => flavour.word(),
            HeaderKind::Part => "part",
        }
    }
}

/// The word an amendment begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flavour {
    /// `variant`.
    Variant,
    /// `edition`.
    Edition,
    /// `expansion`.
    Expansion,
}

impl Flavour {
    /// Returns the word as it is written.
    pub fn word(self) -> &'static str {
        match self {
            Flavour::Variant => "variant",
            Flavour::Edition => "edition",
            Flavour::Expansion => "expansion",
        }
    }
}

/// Who plays.
#[derive(Clone, Debug, PartialEq)]
pub enum Seats {
    /// `seats a, b "○" "o"`.
    Named(Vec<EnumValue>),
    /// `seats 2..5, player`: player1 to player5.
    Numbered {
        /// The least number of seats.
        least: Number,
        /// The greatest number of seats.
        most: Number,
        /// The word that the numbers are added to.
        stem: Name,
    },
}

/// `source book "Title" sentences T-1..T-59`.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceDecl {
    /// The name used in `cite`.
    pub name: Name,
    /// The printed title.
    pub title: Text,
    /// Which sentences there are; empty if it is not said.
    pub sentences: Vec<SentenceSpan>,
    /// The whole line.
    pub span: Span,
}

/// A number as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// Its value, never negative.
    pub value: i32,
    /// Where it stands.
    pub span: Span,
}
