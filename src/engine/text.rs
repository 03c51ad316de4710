//! Values as text: exactly as moves are printed and typed.

use super::layout::{Layout, Store};
use super::memory::Memory;
use super::query::Value;
use crate::model::{
    Base, Domain, DomainId, DomainKind, EnumValue, Field, Game, NONE, Shape, ShowPart, Type, ZoneId,
};

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
pub fn print_value<'g>(ground: impl Into<Ground<'g>>, ty: Type, value: i64, plain: bool) -> String {
    scalar(ground.into(), ty, value, plain)
}

fn scalar(game: Ground<'_>, ty: Type, value: i64, plain: bool) -> String {
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
pub fn print<'g>(ground: impl Into<Ground<'g>>, ty: Type, value: &Value, plain: bool) -> String {
    let game = ground.into();
    match (ty.base, value) {
        (Base::Set(domain), Value::Set(words)) => print_set(game, domain, words, plain),
        (_, Value::Scalar(value)) => scalar(game, ty, *value, plain),
        (_, Value::Set(_)) => String::new(),
    }
}

/// Prints a set: its elements in order, between braces; where elements have commas, semicolons tell them apart.
#[must_use]
pub fn print_set<'g>(
    ground: impl Into<Ground<'g>>,
    domain: DomainId,
    words: &[u64],
    plain: bool,
) -> String {
    let game = ground.into();
    let printed: Vec<String> = members(words)
        .map(|member| print_member(game, domain, member, plain))
        .collect();
    let commas = printed.iter().any(|it| it.contains(','));
    format!("{{{}}}", printed.join(if commas { "; " } else { ", " }))
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
pub fn print_index<'g>(
    ground: impl Into<Ground<'g>>,
    index: &[DomainId],
    place: usize,
    plain: bool,
) -> String {
    let game = ground.into();
    let members = split_index(game.game, index, place);
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
fn print_member(game: Ground<'_>, domain: DomainId, member: usize, plain: bool) -> String {
    let member = i64::try_from(member).unwrap_or(i64::MAX);
    print_element(game, domain, member, plain)
}

pub(super) fn print_element(game: Ground<'_>, id: DomainId, value: i64, plain: bool) -> String {
    let Some(domain) = game.game.domains.get(id.index()) else {
        return value.to_string();
    };
    if let Some(parts) = &domain.show {
        return parts
            .iter()
            .map(|part| match part {
                ShowPart::Text(text) => text.clone(),
                ShowPart::Field(field) => print_field(game, domain, *field, value, plain),
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
        DomainKind::Space {
            shape: Shape::Cells(cells),
            ..
        } if !cells.names.is_empty() => {
            let name = usize::try_from(value)
                .ok()
                .and_then(|it| cells.names.get(it));
            name.map_or_else(|| value.to_string(), Clone::clone)
        }
        DomainKind::Record { fields, .. } | DomainKind::Space { axes: fields, .. } => {
            let printed: Vec<String> = (0..fields.len())
                .map(|field| print_field(game, domain, field, value, plain))
                .collect();
            format!("{}({})", domain.name, printed.join(", "))
        }
    }
}

fn print_field(game: Ground<'_>, domain: &Domain, index: usize, whole: i64, plain: bool) -> String {
    let Some(field) = fields_of(domain).get(index) else {
        return String::new();
    };
    let value = field_value(field, whole);
    match &domain.kind {
        DomainKind::Space {
            shape: Shape::Cells(cells),
            ..
        } => {
            let place = usize::try_from(whole).ok().and_then(|it| cells.at.get(it));
            let digit = place.and_then(|it| it.get(index)).copied();
            let digit = i64::try_from(digit.unwrap_or(0)).unwrap_or(0);
            let whole = digit.saturating_mul(i64::try_from(field.stride.max(1)).unwrap_or(1));
            scalar(game, field.ty, field_value(field, whole), plain)
        }
        DomainKind::Space {
            shape: Shape::Parts { zone, .. },
            ..
        } if index == 0 => match game.spot(*zone, value) {
            Some(spot) => scalar(game, field.ty, spot, plain),
            None => format!("#{value}"),
        },
        // The far half of a plane lies on the other side of its first spot.
        DomainKind::Space {
            shape: Shape::Plane { span, .. },
            ..
        } if value * 2 >= i64::from(*span) => (value - i64::from(*span)).to_string(),
        _ => scalar(game, field.ty, value, plain),
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

pub(super) fn fields_of(domain: &Domain) -> &[Field] {
    match &domain.kind {
        DomainKind::Record { fields, .. } | DomainKind::Space { axes: fields, .. } => fields,
        DomainKind::Range | DomainKind::Enum { .. } => &[],
    }
}

/// The value of a field of a record, or of a coordinate of a cell.
/// The value of a field, out of an element of the record.
#[must_use]
pub fn field_value(field: &Field, whole: i64) -> i64 {
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
