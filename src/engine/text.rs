//! Values as text: exactly as moves are printed and typed.

use super::layout::{Layout, Store};
use super::memory::Memory;
use super::query::Value;
use crate::model::text::Form;
use crate::model::text::Said;
pub use crate::model::text::{field_value, members};
pub(super) use crate::model::text::{fields_of, name_of};
use crate::model::{Base, DomainId, Game, Type, Zone, ZoneId};

/// What values are printed against: the game and, for parts of what lies on a plane, a position.
#[derive(Clone, Copy)]
pub struct Ground<'g> {
    game: &'g Game,
    laid: Option<(&'g Memory, &'g Layout)>,
}

impl<'g> From<&'g Game> for Ground<'g> {
    /// Without a position: parts are printed with the number of what they belong to.
    fn from(game: &'g Game) -> Self {
        Self { game, laid: None }
    }
}

impl<'g> Ground<'g> {
    /// A position.
    pub(super) fn of(game: &'g Game, mem: &'g Memory, layout: &'g Layout) -> Self {
        Self {
            game,
            laid: Some((mem, layout)),
        }
    }

    /// Where the component lies that has a number on the plane of a zone.
    pub(super) fn spot(&self, zone: ZoneId, number: i64) -> Option<i64> {
        let (mem, layout) = self.laid?;
        let Store::List(list) = &layout.zone(zone)?.store else {
            return None;
        };
        let entry = usize::try_from(number).ok()?.checked_add(1)?;
        let spot = list.is_filled(mem, entry).then(|| list.cell(mem, entry))?;
        i64::try_from(spot).ok()
    }
}

/// Prints a scalar, or a set of at most 64 elements as the bits of one word.
#[must_use]
pub fn print_value<'g>(ground: impl Into<Ground<'g>>, ty: Type, value: i64, form: Form) -> String {
    scalar(ground.into(), ty, value, form)
}

fn scalar(ground: Ground<'_>, ty: Type, value: i64, form: Form) -> String {
    let spot = |zone, number| ground.spot(zone, number);
    Said::new(ground.game, &spot, form).scalar(ty, value)
}

/// Prints a value where it is part of a picture: of a seat its sign.
#[must_use]
pub fn print_sign(game: &Game, ty: Type, value: i64, form: Form) -> String {
    Said::new(game, &|_, _| None, form).sign(ty, value)
}

/// Prints what lies in a place, and the fields of the place.
#[must_use]
pub fn print_lying(
    game: &Game,
    zone: &Zone,
    value: Option<i64>,
    fields: &[i64],
    form: Form,
) -> Vec<String> {
    Said::new(game, &|_, _| None, form).lying(zone, value, fields)
}

/// Prints a value of any type.
#[must_use]
pub fn print<'g>(ground: impl Into<Ground<'g>>, ty: Type, value: &Value, form: Form) -> String {
    let game = ground.into();
    match (ty.base, value) {
        (Base::Set(domain), Value::Set(words)) => print_set(game, domain, words, form),
        (_, Value::Scalar(value)) => scalar(game, ty, *value, form),
        (_, Value::Set(_)) => String::new(),
    }
}

/// Prints a set: its elements in order, between braces; where elements have commas, semicolons tell them apart.
#[must_use]
pub fn print_set<'g>(
    ground: impl Into<Ground<'g>>,
    domain: DomainId,
    words: &[u64],
    form: Form,
) -> String {
    let ground = ground.into();
    let spot = |zone, number| ground.spot(zone, number);
    Said::new(ground.game, &spot, form).set(domain, words)
}

/// Prints a place's index, as it would be written: `south`, `a1, 3`; empty for a single place.
#[must_use]
pub fn print_index<'g>(
    ground: impl Into<Ground<'g>>,
    index: &[DomainId],
    place: usize,
    form: Form,
) -> String {
    let game = ground.into();
    let members = split_index(game.game, index, place);
    let printed: Vec<String> = index
        .iter()
        .zip(members)
        .map(|(domain, member)| print_member(game, *domain, member, form))
        .collect();
    printed.join(", ")
}

/// The positions in their domains of a place's index.
pub(super) fn split_index(game: &Game, index: &[DomainId], place: usize) -> Vec<usize> {
    let mut rest = place as u64;
    let mut split = Vec::new();
    for domain in index.iter().rev() {
        let size = game
            .domains
            .get(domain.index())
            .map_or(1, |d| d.size)
            .max(1);
        split.push(usize::try_from(rest % size).unwrap_or(0));
        rest /= size;
    }
    split.reverse();
    split
}

/// Prints the element at a position of a domain, which may be a range.
fn print_member(game: Ground<'_>, domain: DomainId, member: usize, form: Form) -> String {
    let member = i64::try_from(member).unwrap_or(i64::MAX);
    print_element(game, domain, member, form)
}

pub(super) fn print_element(ground: Ground<'_>, id: DomainId, value: i64, form: Form) -> String {
    let spot = |zone, number| ground.spot(zone, number);
    Said::new(ground.game, &spot, form).element(id, value)
}
