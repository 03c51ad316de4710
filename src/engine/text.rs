//! Values as text: exactly as moves are printed and typed.

use super::query::Value;
use crate::model::{
    Base, Domain, DomainId, DomainKind, EnumValue, Field, Game, NONE, ShowPart, Type,
};

/// Prints a scalar, or a set of at most 64 elements as the bits of one word.
#[must_use]
pub fn print_value(game: &Game, ty: Type, value: i64, plain: bool) -> String {
    if value == NONE && !matches!(ty.base, Base::Set(_)) {
        return "none".to_owned();
    }
    match ty.base {
        Base::Bool => (value != 0).to_string(),
        Base::Int(..) => value.to_string(),
        Base::Elem(domain) => print_element(game, domain, value, plain),
        Base::Set(domain) => print_set(game, domain, &[value as u64], plain),
        Base::Unit => String::new(),
    }
}

/// Prints a value of any type.
#[must_use]
pub fn print(game: &Game, ty: Type, value: &Value, plain: bool) -> String {
    match (ty.base, value) {
        (Base::Set(domain), Value::Set(words)) => print_set(game, domain, words, plain),
        (_, Value::Scalar(value)) => print_value(game, ty, *value, plain),
        (_, Value::Set(_)) => String::new(),
    }
}

/// Prints a set: its elements in order, between braces.
#[must_use]
pub fn print_set(game: &Game, domain: DomainId, words: &[u64], plain: bool) -> String {
    let printed: Vec<String> = members(words)
        .map(|member| print_member(game, domain, member, plain))
        .collect();
    format!("{{{}}}", printed.join(", "))
}

/// The elements of a set as positions in its domain.
pub fn members(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    (0..).zip(words).flat_map(|(at, word)| {
        (0..64)
            .filter(move |bit| word >> bit & 1 == 1)
            .map(move |bit| at * 64 + bit)
    })
}

/// Prints a place's index, as it would be written: `south`, `a1, 3`; empty for a single place.
#[must_use]
pub fn print_index(game: &Game, index: &[DomainId], place: usize, plain: bool) -> String {
    let members = split_index(game, index, place);
    let printed: Vec<String> = index
        .iter()
        .zip(members)
        .map(|(domain, member)| print_member(game, *domain, member, plain))
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
fn print_member(game: &Game, domain: DomainId, member: usize, plain: bool) -> String {
    let member = i64::try_from(member).unwrap_or(i64::MAX);
    print_element(game, domain, member, plain)
}

fn print_element(game: &Game, id: DomainId, value: i64, plain: bool) -> String {
    let Some(domain) = game.domains.get(id.index()) else {
        return value.to_string();
    };
    if let Some(parts) = &domain.show {
        return parts
            .iter()
            .map(|part| match part {
                ShowPart::Text(text) => text.clone(),
                ShowPart::Field(field) => match fields_of(domain).get(*field) {
                    Some(field) => print_value(game, field.ty, field_value(field, value), plain),
                    None => String::new(),
                },
                ShowPart::Name => name_of(domain, value),
            })
            .collect();
    }
    match &domain.kind {
        DomainKind::Range => (domain.lo + value).to_string(),
        DomainKind::Enum { .. } => match enum_value(domain, value) {
            Some(known) => symbol_of(known, plain).to_owned(),
            None => value.to_string(),
        },
        DomainKind::Record { fields, .. } | DomainKind::Space { axes: fields, .. } => {
            let printed: Vec<String> = fields
                .iter()
                .map(|field| print_value(game, field.ty, field_value(field, value), plain))
                .collect();
            format!("{}({})", domain.name, printed.join(", "))
        }
    }
}

fn symbol_of(value: &EnumValue, plain: bool) -> &str {
    let symbol = value.symbol.as_deref().unwrap_or(&value.name);
    match &value.plain {
        Some(letters) if plain => letters,
        _ => symbol,
    }
}

fn enum_value(domain: &Domain, value: i64) -> Option<&EnumValue> {
    match &domain.kind {
        DomainKind::Enum { values, .. } => values.get(usize::try_from(value).ok()?),
        DomainKind::Range | DomainKind::Record { .. } | DomainKind::Space { .. } => None,
    }
}

/// The name of an enum value as rules write it; else the number.
pub(super) fn name_of(domain: &Domain, value: i64) -> String {
    match enum_value(domain, value) {
        Some(known) => known.name.clone(),
        None => value.to_string(),
    }
}

fn fields_of(domain: &Domain) -> &[Field] {
    match &domain.kind {
        DomainKind::Record { fields, .. } | DomainKind::Space { axes: fields, .. } => fields,
        DomainKind::Range | DomainKind::Enum { .. } => &[],
    }
}

/// The value of a field of a record, or of a coordinate of a cell.
fn field_value(field: &Field, whole: i64) -> i64 {
    let stride = i64::try_from(field.stride.max(1)).unwrap_or(i64::MAX);
    let size = i64::try_from(field.size.max(1)).unwrap_or(i64::MAX);
    let index = whole / stride % size;
    if field.ty.optional && index == size - 1 {
        return NONE;
    }
    match field.ty.base {
        Base::Int(lo, _) => lo + index,
        Base::Bool | Base::Elem(_) | Base::Set(_) | Base::Unit => index,
    }
}
