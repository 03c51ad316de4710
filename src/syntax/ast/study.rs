use super::*;

/// `study ID "Title" { given … find … never … within N plies }`: a search over positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// Its id; may hold dashes.
    pub id: Name,
    /// What it asks, in words.
    pub title: Text,
    /// The position that it starts from.
    pub given: Option<Given>,
    /// What is looked for.
    pub find: Find,
    /// What no continuation may reach.
    pub never: Option<Expr>,
    /// How far it looks.
    pub plies: Number,
    /// Where its lines stand, from their first word to their last.
    pub lines: StudyLines,
}

/// What is looked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Find {
    /// `find x in S where P, y in T`: some values of the names.
    Members(Vec<Binder>),
    /// `find P`.
    Condition(Expr),
}

/// Where the lines of a study stand.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyLines {
    /// `find …`.
    pub find: Span,
    /// `never …`.
    pub never: Option<Span>,
    /// `within N plies`.
    pub within: Span,
}
