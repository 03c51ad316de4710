use super::table::nodes;
use super::tree::As;
use super::*;

nodes! {
    /// `study ID "Title" { given … find … never … within N plies }`: a search over positions.
    pub struct Study walk [given find never] {
        /// Its id; may hold dashes.
        id: Name,
        /// What it asks, in words.
        title: Text,
        /// The position that it starts from.
        given: Option<Given>,
        /// What is looked for.
        find: Find,
        /// What no continuation may reach.
        never: Option<Expr>,
        /// How far it looks.
        plies: Number,
        /// Where its lines stand, from their first word to their last.
        lines: StudyLines,
    }

    /// What is looked for.
    pub enum Find {
        /// `find x in S where P, y in T`: some values of the names.
        Members(binders: Vec<Binder> as Role::Binds(Binds::Member)),
        /// `find P`.
        Condition(condition: Expr as Role::Kept),
    }
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

impl Tree for StudyLines {}
