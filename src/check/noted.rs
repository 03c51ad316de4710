//! What kinds of values stand where, for who rewrites rules.

use super::Checker;
use crate::compose::Composed;
use crate::source::Span;

/// Returns the kinds of all values and names of a composed rulebook, as types are written, with their places; also
/// where something is wrong elsewhere. A kind that cannot be written is left out.
pub fn types(
    composed: &Composed,
    settings: &[(String, String)],
    seats: Option<u32>,
) -> Vec<(Span, String)> {
    let mut checker = Checker::new(composed, settings);
    checker.noted = Some(Vec::new());
    checker.run(seats);
    let mut noted = checker.noted.take().unwrap_or_default();
    noted.extend(checker.game.locals.iter().map(|it| (it.span, it.ty)));
    let written = |(span, ty)| Some((span, checker.game.type_written(ty)?));
    noted.into_iter().filter_map(written).collect()
}
