//! What kinds of values stand where, and what names stand for: for who rewrites rules or tells of them.

use super::Checker;
use crate::compose::Composed;
use crate::model::{DomainId, Type};
use crate::source::Span;
use crate::syntax::ast::Name;

/// What is noted on the way.
#[derive(Default)]
pub(super) struct Noted {
    /// The kinds of all values.
    pub(super) types: Vec<(Span, Type)>,
    pub(super) meant: Vec<Meant>,
}

/// A name that is no local, and what it was taken for.
#[derive(Clone, Debug)]
pub struct Meant {
    /// The name.
    pub name: Span,
    /// What it was taken for.
    pub as_what: Taken,
}

/// What a name was taken for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// An item.
    Item,
    /// A value or a field of this type or zone.
    Inside(String),
    /// A word of the language.
    Word,
}

/// Returns the kinds of all values and names of a composed rulebook, as types are written, with their places; also
/// where something is wrong elsewhere. A kind that cannot be written is left out.
pub fn types(
    composed: &Composed,
    settings: &[(String, String)],
    seats: Option<u32>,
) -> Vec<(Span, String)> {
    let mut checker = Checker::new(composed, settings);
    checker.noted = Some(Noted::default());
    checker.run(seats);
    let mut noted = checker.noted.take().unwrap_or_default().types;
    noted.extend(checker.game.locals.iter().map(|it| (it.span, it.ty)));
    let written = |(span, ty)| Some((span, checker.game.type_written(ty)?));
    noted.into_iter().filter_map(written).collect()
}

impl Checker<'_> {
    /// Notes that a name was taken for a value or a field of a type.
    pub(super) fn note_inside(&mut self, name: &Name, domain: DomainId) {
        if self.noted.is_some() {
            let of = self.domain(domain).map(|it| it.name.clone());
            self.note(name, Taken::Inside(of.unwrap_or_default()));
        }
    }

    pub(super) fn note(&mut self, name: &Name, as_what: Taken) {
        if let Some(noted) = &mut self.noted {
            noted.meant.push(Meant {
                name: name.span,
                as_what,
            });
        }
    }
}
