//! What kinds of values stand where, for who rewrites rules.

use super::Checker;
use super::types::INT;
use crate::compose::Composed;
use crate::model::{Base, DomainId, Type};
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
    let written = |(span, ty)| Some((span, checker.written(ty)?));
    noted.into_iter().filter_map(written).collect()
}

impl Checker<'_> {
    /// Returns a type as it is written; none of pairs.
    pub(super) fn written(&self, ty: Type) -> Option<String> {
        let name = |id: DomainId| {
            let name = self.domain(id).map(|it| it.name.clone())?;
            let is_name = name.chars().all(|it| it.is_alphanumeric() || it == '_');
            is_name.then_some(name)
        };
        let plain = match ty.base {
            Base::Bool => "bool".to_owned(),
            Base::Int(lo, hi) if lo <= INT.0 || hi >= INT.1 => "int".to_owned(),
            Base::Int(lo, hi) => format!("{lo}..{hi}"),
            Base::Elem(id) => name(id)?,
            Base::Set(id) => format!("set of {}", self.written(self.element(id))?),
            Base::Unit => return None,
        };
        Some(if ty.optional {
            format!("{plain} or none")
        } else {
            plain
        })
    }
}
