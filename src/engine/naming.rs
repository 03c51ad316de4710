//! What moves are called, as numbers: equal under all rules that call them alike.

use std::collections::HashMap;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::machine::Machine;
use super::op::{Choice, ChoiceKind, Point};
use super::program::Program;
use super::text::{field_value, fields_of};
use super::vm::Move;
use crate::model::{
    ActionId, Base, ClauseId, Domain, DomainId, DomainKind, Field, Game, LocalId, NONE, Shape, Type,
};

/// Domains of at most so many elements have their names worked out once.
const MOST_LISTED: u64 = 1 << 16;
/// Words for sets of alternatives; a choice has no more than 256.
const ALT_WORDS: usize = 4;

/// Mixes a number, so that each bit of it decides about half of the others (`SplitMix64`). No two
/// numbers become the same.
#[inline]
#[must_use]
pub fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// Puts one name behind others.
#[inline]
fn joined(before: u64, name: u64) -> u64 {
    mixed(before.rotate_left(23) ^ name)
}

fn of_word(word: &str) -> u64 {
    xxh3_64(word.as_bytes())
}

fn of_number(number: i64) -> u64 {
    mixed(number as u64)
}

/// The names of all moves of a program: of an action or option its word, of values what the rules call them. So
/// an amendment that brings more cards or more actions leaves the names of the others as they were.
#[derive(Debug)]
pub struct Names {
    points: Vec<PointNames>,
}

#[derive(Debug)]
struct PointNames {
    alts: Vec<AltNames>,
    /// Whether two alternatives may list moves of one name.
    repeats: bool,
}

#[derive(Debug)]
struct AltNames {
    word: u64,
    slots: Vec<SlotNames>,
}

#[derive(Debug)]
struct SlotNames {
    shift: u32,
    mask: u64,
    lo: i64,
    none: Option<u64>,
    values: Values,
}

#[derive(Debug)]
enum Values {
    Numbers,
    Listed(Arc<[u64]>),
    Elements(DomainId),
}

/// A choice that the rules ask for.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked<'p> {
    /// Where.
    pub clause: ClauseId,
    /// What can be answered, in the order of [`Move::alternative`].
    pub alternatives: Vec<Alternative<'p>>,
}

/// What can be answered where somebody chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alternative<'p> {
    /// An action.
    Action(ActionId),
    /// An option of its own, by its name.
    Option(&'p str),
    /// A value.
    Value(LocalId),
}

/// The legal move that comes first by a number, and what it was chosen from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preferred {
    /// Its place in the list.
    pub index: usize,
    /// What stands for its name.
    pub name: u64,
    /// Which choice of [`Program::choices`] is answered.
    pub choice: usize,
    /// Of which of its alternatives something is legal: one bit for each.
    pub offered: [u64; ALT_WORDS],
}

impl Move {
    /// Which alternative of the choice it answers with.
    #[must_use]
    pub fn alternative(self) -> usize {
        usize::try_from(self.0 & 0xff).unwrap_or(0)
    }
}

impl Program {
    /// All choices that the rules can ask for.
    pub fn choices(&self) -> impl Iterator<Item = Asked<'_>> {
        self.code.points.iter().map(|point| Asked {
            clause: point.clause,
            alternatives: point.alts.iter().map(|it| alternative(&it.kind)).collect(),
        })
    }
}

fn alternative(kind: &ChoiceKind) -> Alternative<'_> {
    match kind {
        ChoiceKind::Action(id) => Alternative::Action(*id),
        ChoiceKind::Inline { name, .. } => Alternative::Option(name),
        ChoiceKind::Value(local) => Alternative::Value(*local),
    }
}

impl Names {
    /// Works out the names of a program's moves.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let mut listed = HashMap::new();
        let points = program.code.points.iter();
        Self {
            points: points
                .map(|it| PointNames::of(&program.game, it, &mut listed))
                .collect(),
        }
    }
}

impl PointNames {
    fn of(game: &Game, point: &Point, listed: &mut HashMap<DomainId, Arc<[u64]>>) -> Self {
        let alts = point.alts.iter();
        let alts: Vec<AltNames> = alts.map(|it| AltNames::of(game, it, listed)).collect();
        let mut words: Vec<u64> = alts.iter().map(|it| it.word).collect();
        words.sort_unstable();
        Self {
            repeats: words.windows(2).any(|it| it[0] == it[1]),
            alts,
        }
    }

    fn name(&self, game: &Game, mv: Move) -> u64 {
        let Some(alt) = self.alts.get(mv.alternative()) else {
            return 0;
        };
        let slots = alt.slots.iter();
        slots.fold(alt.word, |name, slot| joined(name, slot.name(game, mv)))
    }
}

impl AltNames {
    fn of(game: &Game, alt: &Choice, listed: &mut HashMap<DomainId, Arc<[u64]>>) -> Self {
        let (word, locals) = match &alt.kind {
            ChoiceKind::Action(id) => {
                let action = game.actions.get(id.index());
                let params = action.iter().flat_map(|it| &it.params).map(|it| it.local);
                let name = action.map_or("", |it| it.name.as_str());
                (of_word(name), params.collect())
            }
            ChoiceKind::Inline { name, .. } => (mixed(of_word(name)), Vec::new()),
            // The values tell each other apart.
            ChoiceKind::Value(local) => (0, vec![*local]),
        };
        let types = locals.iter().map(|it: &LocalId| {
            let local = game.locals.get(it.index());
            local.map_or(Type::UNIT, |it| it.ty)
        });
        let slots = alt.slots.iter().zip(types).map(|(slot, ty)| SlotNames {
            shift: u32::from(slot.shift & 63),
            mask: (1 << (slot.bits & 63)) - 1,
            lo: slot.lo,
            none: slot.none,
            values: match ty.base {
                Base::Elem(domain) => values(game, domain, listed),
                Base::Bool | Base::Int(..) | Base::Set(_) | Base::Unit => Values::Numbers,
            },
        });
        Self {
            word,
            slots: slots.collect(),
        }
    }
}

fn values(game: &Game, id: DomainId, listed: &mut HashMap<DomainId, Arc<[u64]>>) -> Values {
    let size = game.domains.get(id.index()).map_or(0, |it| it.size);
    if size > MOST_LISTED {
        return Values::Elements(id);
    }
    let names = listed.entry(id).or_insert_with(|| {
        let elements = 0..i64::try_from(size).unwrap_or(0);
        elements.map(|it| of_element(game, id, it)).collect()
    });
    Values::Listed(names.clone())
}

impl SlotNames {
    #[inline]
    fn name(&self, game: &Game, mv: Move) -> u64 {
        let raw = mv.0 >> self.shift & self.mask;
        if self.none == Some(raw) {
            return of_number(NONE);
        }
        let value = raw as i64 + self.lo;
        match &self.values {
            Values::Numbers => of_number(value),
            Values::Listed(names) => {
                let at = usize::try_from(value).ok();
                at.and_then(|at| names.get(at)).copied().unwrap_or(0)
            }
            Values::Elements(id) => of_element(game, *id, value),
        }
    }
}

/// What stands for a value: equal in all rule sets that call it alike, however they show it.
#[must_use]
pub fn of_value(game: &Game, ty: Type, value: i64) -> u64 {
    match ty.base {
        Base::Elem(id) if value != NONE => of_element(game, id, value),
        _ => of_number(value),
    }
}

fn of_element(game: &Game, id: DomainId, value: i64) -> u64 {
    let Some(domain) = game.domains.get(id.index()) else {
        return of_number(value);
    };
    let at = usize::try_from(value).ok();
    match &domain.kind {
        DomainKind::Range => of_number(domain.lo + value),
        DomainKind::Enum { values, .. } => {
            let named = at.and_then(|at| values.get(at));
            named.map_or_else(|| of_number(value), |it| of_word(&it.name))
        }
        DomainKind::Space {
            shape: Shape::Cells(cells),
            axes,
        } => {
            let name = at.and_then(|at| cells.names.get(at));
            if let Some(name) = name {
                return of_word(name);
            }
            let digits = at.and_then(|at| cells.at.get(at));
            let digits = digits.into_iter().flatten().zip(axes);
            let whole = |(digit, axis): (&u64, &Field)| (*digit as i64, axis.stride.max(1) as i64);
            let axes = digits.map(|it| (whole(it), it.1));
            axes.fold(0, |name, ((digit, stride), axis)| {
                let value = field_value(axis, digit.saturating_mul(stride));
                joined(name, of_value(game, axis.ty, value))
            })
        }
        DomainKind::Record { .. } | DomainKind::Space { .. } => {
            fields_of(domain).iter().fold(0, |name, field| {
                joined(name, of_field(game, domain, field, value))
            })
        }
    }
}

fn of_field(game: &Game, domain: &Domain, field: &Field, whole: i64) -> u64 {
    let value = field_value(field, whole);
    match &domain.kind {
        // How far a plane reaches depends on how much can lie there; its first spot stays where it is.
        DomainKind::Space {
            shape: Shape::Plane { span, .. },
            ..
        } if value * 2 >= i64::from(*span) => of_number(value - i64::from(*span)),
        _ => of_value(game, field.ty, value),
    }
}

impl Machine<'_> {
    /// The legal move that comes first where all are put in an order that follows from their names and a number. For
    /// numbers that are random each is equally likely, and of two lists that share moves the same is chosen
    /// as often as can be. None where the game is over.
    #[must_use]
    pub fn preferred(&self, names: &Names, number: u64) -> Option<Preferred> {
        let choice = self.point_index()?;
        let point = names.points.get(choice)?;
        let mut offered = [0; ALT_WORDS];
        for mv in &*self.moves {
            let alt = mv.alternative();
            offered[alt / 64 % ALT_WORDS] |= 1 << (alt % 64);
        }
        let game = &*self.program.game;
        let (index, name) = if self.moves.len() == 1 {
            (0, point.name(game, *self.moves.first()?))
        } else if point.repeats {
            self.first_of_repeated(point, number)?
        } else {
            let names = self.moves.iter().map(|mv| point.name(game, *mv));
            let (mut most, mut first) = (0, (0, 0));
            for named in names.enumerate() {
                let rank = mixed(named.1 ^ number);
                if rank > most {
                    (most, first) = (rank, named);
                }
            }
            first
        };
        Some(Preferred {
            index,
            name,
            choice,
            offered,
        })
    }

    /// Takes another legal move of the same position in place of the preferred one.
    pub fn prefer(&self, names: &Names, mv: Move, preferred: &mut Preferred) {
        let index = self.moves.iter().position(|it| *it == mv);
        if let (Some(index), Some(point)) = (index, names.points.get(preferred.choice)) {
            preferred.index = index;
            preferred.name = point.name(&self.program.game, mv);
        }
    }

    /// The names of all legal moves, in the order of the list; nothing where the game is over.
    pub fn name_moves(&self, names: &Names, into: &mut Vec<u64>) {
        into.clear();
        let point = self.point_index().and_then(|it| names.points.get(it));
        let game = &*self.program.game;
        if let Some(point) = point {
            into.extend(self.moves.iter().map(|mv| point.name(game, *mv)));
        }
    }

    /// The same where several moves may bear one name: each of them has a rank of its own.
    fn first_of_repeated(&self, point: &PointNames, number: u64) -> Option<(usize, u64)> {
        let game = &*self.program.game;
        let mut borne: HashMap<u64, u64> = HashMap::new();
        let names = self.moves.iter().map(|mv| {
            let name = point.name(game, *mv);
            let before = borne.entry(name).or_default();
            *before += 1;
            match *before {
                1 => name,
                nth => joined(name, nth),
            }
        });
        let named = names.enumerate();
        named.max_by_key(|(_, name)| mixed(name ^ number))
    }
}
