//! Signs and colours of what stands on a landscape: the rulebook does not have to say them.

use std::collections::BTreeSet;

use super::Form;
use super::palette::of_seats;
use crate::engine::text::print_value;
use crate::model::text;
use crate::model::{Base, Colour, DomainId, DomainKind, Game, NONE, Type};

/// Most kinds of a component that get signs of their own.
const MOST: u64 = 256;

/// The signs of the kinds of a component.
pub struct Signs {
    marks: Vec<Mark>,
}

/// How a component is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// One letter or digit.
    pub sign: String,
    /// Its colour.
    pub colour: Colour,
    /// A pawn if it belongs to a seat.
    pub form: Form,
    /// As it is printed.
    pub name: String,
}

impl Signs {
    /// Gives each kind of a component a sign: the digit at its end, or a letter of its name that no
    /// other one has, the first one if possible.
    pub fn of(game: &Game, component: DomainId) -> Signs {
        let size = game.domains.get(component.index()).map_or(0, |it| it.size);
        let kinds = 0..i64::try_from(size.min(MOST)).unwrap_or(0);
        let ty = Type::of(Base::Elem(component));
        let names: Vec<String> = kinds
            .clone()
            .map(|kind| print_value(game, ty, kind, text::Form::Plain))
            .collect();
        let signs = distinct(&names);
        let marks = kinds.zip(names).zip(signs).map(|((kind, name), sign)| {
            let (form, colour) = form_of(game, component, kind);
            Mark {
                sign: sign.to_string(),
                colour,
                form,
                name: named(game, component, name),
            }
        });
        Signs {
            marks: marks.collect(),
        }
    }

    /// How a kind is drawn; one that is not known, as a question.
    pub fn mark(&self, kind: i64) -> Mark {
        let known = usize::try_from(kind).ok().filter(|_| kind != NONE);
        let mark = known.and_then(|kind| self.marks.get(kind));
        mark.cloned().unwrap_or_else(|| Mark {
            sign: String::from("?"),
            colour: Colour::Grey,
            form: Form::Disc,
            name: String::from("hidden"),
        })
    }
}

/// A name that also says what it is, where it does not do so by itself: `follower anna`.
fn named(game: &Game, component: DomainId, printed: String) -> String {
    let Some(domain) = game.domains.get(component.index()) else {
        return printed;
    };
    let of = domain.name.to_lowercase();
    let fields = match domain.show {
        Some(_) => printed,
        // Printed as `Name(field, …)`.
        None => {
            let fields = printed.split_once('(').map_or("", |it| it.1);
            fields.trim_end_matches(')').to_owned()
        }
    };
    if fields.is_empty() || fields.to_lowercase().contains(&of) {
        return if fields.is_empty() { of } else { fields };
    }
    format!("{of} {fields}")
}

fn distinct(names: &[String]) -> Vec<char> {
    let ends: Vec<char> = names.iter().filter_map(|it| it.chars().last()).collect();
    let all: BTreeSet<char> = ends.iter().copied().collect();
    let digits = all.iter().all(char::is_ascii_digit);
    if digits && ends.len() == names.len() && all.len() == names.len() {
        return ends;
    }
    let mut taken = BTreeSet::new();
    // First letters go to those that come first.
    let mut signs: Vec<Option<char>> = names
        .iter()
        .map(|name| {
            let first = letters(name).next()?;
            taken.insert(first).then_some(first)
        })
        .collect();
    for (name, sign) in names.iter().zip(&mut signs) {
        if sign.is_none() {
            let spare = ('A'..='Z').chain('0'..='9');
            let mut each = letters(name).chain(spare);
            *sign = each.find(|it| taken.insert(*it));
        }
    }
    signs.into_iter().map(|it| it.unwrap_or('*')).collect()
}

fn letters(name: &str) -> impl Iterator<Item = char> + '_ {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|it| it.to_ascii_uppercase())
}

fn seats_of(game: &Game) -> Vec<String> {
    match game.domains.get(game.seat.index()).map(|it| &it.kind) {
        Some(DomainKind::Enum { values, .. }) => values.iter().map(|it| it.name.clone()).collect(),
        _ => Vec::new(),
    }
}

/// Whose it is, or which colour it has.
fn form_of(game: &Game, component: DomainId, kind: i64) -> (Form, Colour) {
    let fields = match game.domains.get(component.index()).map(|it| &it.kind) {
        Some(DomainKind::Record { fields, .. }) => fields.as_slice(),
        _ => &[],
    };
    let mut colour = None;
    for field in fields {
        let Base::Elem(domain) = field.ty.base else {
            continue;
        };
        let value = kind.unsigned_abs() / field.stride.max(1) % field.size.max(1);
        let value = usize::try_from(value).unwrap_or(0);
        let name = match game.domains.get(domain.index()).map(|it| &it.kind) {
            Some(DomainKind::Enum { values, .. }) => values.get(value).map(|it| it.name.as_str()),
            _ => None,
        };
        let name = name.unwrap_or("");
        if domain == game.seat {
            let colours = of_seats(&seats_of(game));
            return (
                Form::Pawn,
                colours.get(value).copied().unwrap_or(Colour::Grey),
            );
        }
        colour = colour.or(Colour::named(name));
    }
    (Form::Disc, colour.unwrap_or(Colour::Grey))
}
