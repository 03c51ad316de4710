//! The checked game: everything a rulebook means, with ids in place of names.
//!
//! `check` builds a [`Game`] for one set of amendments, readings, options and number of seats; all
//! of these are folded, so nothing here can still be switched. The engine lowers it to bytecode, the
//! front ends read names, templates and citations from it. A `Game` never changes.
//!
//! # Values
//! | type | value in an expression |
//! |---|---|
//! | `Bool` | 0 or 1 |
//! | `Int` | the number itself |
//! | `Elem` | the index of the element in its domain, from 0 |
//! | any of these, optional | the same, or [`NONE`] |
//! | `Set` | one bit per element of the domain, element `v` at bit `v - domain.lo` |
//!
//! A record, component or cell of a space is a mixed-radix number of its fields or coordinates, the
//! first one most significant: `Card(suit, rank)` is `suit * 13 + rank`.

pub mod arith;
mod board;
mod domain;
mod expr;
mod judged;
mod made;
mod picture;
mod rule;
mod sides;
mod stmt;
pub mod text;
mod visit;

pub use board::*;
pub use domain::*;
pub use expr::*;
pub use judged::*;
pub use picture::*;
pub use rule::*;
pub use sides::*;
pub use stmt::*;
pub use visit::*;

use std::collections::BTreeSet;

use rustc_hash::FxHashMap as HashMap;

use indexmap::IndexSet;

use crate::source::Span;

/// The absent value of an optional type.
pub const NONE: i64 = i64::MIN;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            /// Position in the table of the [`Game`] that holds these.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// Index into [`Game::domains`].
    DomainId,
    /// Index into [`Game::zones`].
    ZoneId,
    /// Index into [`Game::tracks`].
    TrackId,
    /// Index into [`Game::tables`].
    TableId,
    /// Index into [`Game::settings`].
    SettingId,
    /// Index into [`Game::defines`].
    DefineId,
    /// Index into [`Game::procs`].
    ProcId,
    /// Index into [`Game::actions`].
    ActionId,
    /// Index into [`Game::tellings`].
    TellingId,
    /// Index into [`Game::clauses`].
    ClauseId,
    /// Index into [`Game::locals`]. A local belongs to one body; the ids are unique in the game.
    LocalId,
    /// Index into [`Game::streams`].
    StreamId,
}

/// Tracks and zones that `repeated()` does not compare.
#[derive(Clone, Debug, Default)]
pub struct Passing {
    /// Tracks.
    pub tracks: Vec<TrackId>,
    /// Zones.
    pub zones: Vec<ZoneId>,
    /// Numbers that only grow or only shrink while the game goes on, compared or not.
    pub counters: Vec<TrackId>,
}

/// A rulebook, checked, amended and folded for one table.
#[derive(Clone, Debug)]
pub struct Game {
    /// The name after `game`.
    pub name: String,
    /// The printed title.
    pub title: String,
    /// Number of seats this game was compiled for; seats are the elements of [`Game::seat`].
    pub n_seats: u32,
    /// The least and the greatest number of seats that the rulebook allows.
    pub seat_range: (u32, u32),
    /// The domain of seats, always cyclic.
    pub seat: DomainId,
    /// Positions remembered for `repeated()`; 0 where nothing asks.
    pub history: u32,
    /// What makes no position of its own for `repeated()`.
    pub passing: Passing,
    /// Every finite domain, including the ones the language brings (`Bool` is not among them).
    pub domains: Vec<Domain>,
    /// Where components lie.
    pub zones: Vec<Zone>,
    /// Mutable values.
    pub tracks: Vec<Track>,
    /// Constant data.
    pub tables: Vec<Table>,
    /// Options and questions with the value chosen for this game.
    pub settings: Vec<Setting>,
    /// Pure definitions.
    pub defines: Vec<Define>,
    /// Events, flows, endings and the bodies of actions.
    pub procs: Vec<Proc>,
    /// What a seat may choose.
    pub actions: Vec<Action>,
    /// What is told on the way.
    pub tellings: Vec<Telling>,
    /// Variables of `for each` of which all see what they range over, as what was hidden of it has been shown by then,
    /// if all know the locals that it names.
    pub shown_ranges: BTreeSet<LocalId>,
    /// Where the components start.
    pub supplies: Vec<Supply>,
    /// `flow main`.
    pub main: ProcId,
    /// Truths that hold whenever somebody must choose. An ending may leave things lying about.
    pub invariants: Vec<Invariant>,
    /// What is measured of many games.
    pub measures: Vec<Measure>,
    /// Disputed cases that run.
    pub rulings: Vec<Ruling>,
    /// Searches over positions.
    pub studies: Vec<Study>,
    /// What stands for the seat that is to choose, where rulings ask for it.
    pub to_move: Option<LocalId>,
    /// Other numbers of seats for which there are rulings or studies, ascending.
    pub other_tables: Vec<u32>,
    /// Other readings of which a ruling speaks, by its id.
    pub other_readings: Vec<(String, Vec<(SettingId, i64)>)>,
    /// The rulings and studies of which this game makes nothing.
    pub unheard: Vec<Unheard>,
    /// The readings that rulings speak of in words that only those bring.
    pub heard_under: Vec<Vec<(SettingId, i64)>>,
    /// How the parts of what lies on planes are drawn.
    pub pictures: Vec<Picture>,
    /// What stands on the table, in this order and by these names; empty where nothing is said.
    pub shown: Vec<Shown>,
    /// What is marked on boards.
    pub marks: Vec<Mark>,
    /// Labelled pieces of the rulebook, for citations, `why` and `sources`.
    pub clauses: Vec<Clause>,
    /// Names and types of all locals.
    pub locals: Vec<Local>,
    /// Named streams of chance.
    pub streams: Vec<Stream>,
    /// The rulebooks that are cited.
    pub books: Vec<Book>,
    /// Names of the amendments in this game, in alphabetical order.
    pub amendments: Vec<String>,
    /// What readings would change: an address, and the question.
    pub disputes: Vec<Dispute>,
    /// Hash of the composed rules, readings, options and number of seats; equal games, equal hash.
    pub hash: u64,
}

impl Game {
    /// The stream of chance that is named after a zone.
    #[must_use]
    pub fn stream_of(&self, zone: ZoneId) -> Option<StreamId> {
        let name = &self.zones.get(zone.index())?.name;
        let at = self.streams.iter().position(|it| it.name == *name)?;
        u32::try_from(at).ok().map(StreamId)
    }

    /// The stream of chance with this name, made if there is none yet.
    pub fn stream_named(&mut self, name: &str) -> StreamId {
        let found = self.streams.iter().position(|it| it.name == name);
        let at = found.unwrap_or_else(|| {
            let name = name.to_owned();
            self.streams.push(Stream { name });
            self.streams.len() - 1
        });
        StreamId(u32::try_from(at).unwrap_or(0))
    }

    /// Whether a value is a component.
    #[must_use]
    pub fn is_component(&self, base: Base) -> bool {
        let Base::Elem(id) = base else { return false };
        let kind = self.domains.get(id.index()).map(|it| &it.kind);
        matches!(
            kind,
            Some(DomainKind::Record {
                component: true,
                ..
            })
        )
    }

    /// Whether a table holds a coordinate of the places of a space. A place that is missing has none.
    #[must_use]
    pub fn is_coordinate(&self, table: TableId) -> bool {
        let space = self
            .tables
            .get(table.index())
            .and_then(|it| it.index.first());
        let space = space.and_then(|it| self.domains.get(it.index()));
        match space.map(|it| &it.kind) {
            Some(DomainKind::Space {
                shape: Shape::Cells(cells),
                ..
            }) => cells.fields.contains(&table),
            _ => false,
        }
    }

    /// Names a type in the user's words.
    #[must_use]
    pub fn type_name(&self, ty: Type) -> String {
        let domain = |id: DomainId| self.domains.get(id.index());
        let name = |id: DomainId| domain(id).map_or("?", |it| it.name.as_str());
        let plain = match ty.base {
            Base::Bool => "true or false".to_owned(),
            Base::Int(lo, hi) if lo == hi => format!("the number {lo}"),
            Base::Int(lo, hi) if lo <= INT.0 || hi >= INT.1 => "a number".to_owned(),
            Base::Int(lo, hi) => format!("a number {lo}..{hi}"),
            Base::Elem(id) if id == self.seat => "a seat".to_owned(),
            Base::Elem(id) => format!("a `{}`", name(id)),
            Base::Set(id) => format!("a set of `{}`", name(id)),
            Base::Unit => "nothing".to_owned(),
        };
        match ty.optional {
            true => format!("{plain} or none"),
            false => plain,
        }
    }

    /// Returns a type as a rulebook writes it; none of pairs, and of what has no value.
    #[must_use]
    pub fn type_written(&self, ty: Type) -> Option<String> {
        let name = |id: DomainId| {
            let it = self.domains.get(id.index())?;
            let is_name = it.name.chars().all(|it| it.is_alphanumeric() || it == '_');
            match it.kind {
                DomainKind::Range => {
                    let most = it.lo + i64::try_from(it.size).unwrap_or(1) - 1;
                    Some(format!("{}..{most}", it.lo))
                }
                _ => is_name.then(|| it.name.clone()),
            }
        };
        let plain = match ty.base {
            Base::Bool => "bool".to_owned(),
            Base::Int(lo, hi) if lo <= INT.0 || hi >= INT.1 => "int".to_owned(),
            Base::Int(lo, hi) => format!("{lo}..{hi}"),
            Base::Elem(id) => name(id)?,
            Base::Set(id) => format!("set of {}", name(id)?),
            Base::Unit => return None,
        };
        Some(match ty.optional {
            true => format!("{plain} or none"),
            false => plain,
        })
    }

    /// Returns the clauses at an address.
    pub fn clauses_at(&self, address: &str) -> impl Iterator<Item = ClauseId> {
        let all = (0..).map(ClauseId).zip(&self.clauses);
        let here = all.filter(move |(_, clause)| clause.path == address);
        here.map(|(id, _)| id)
    }
}

/// A local: a parameter, a `let`, a bound variable or `me`.
#[derive(Clone, Debug)]
pub struct Local {
    /// As written.
    pub name: String,
    /// Type of its value.
    pub ty: Type,
    /// Where it is bound.
    pub span: Span,
}

/// A named stream of chance; each has its own random numbers, so that more draws from one leave the
/// others as they were.
#[derive(Clone, Debug)]
pub struct Stream {
    /// Name of the zone drawn from, or the address of the `choose chance`.
    pub name: String,
}

/// A printed rulebook.
#[derive(Clone, Debug)]
pub struct Book {
    /// Name used in `cite`.
    pub name: String,
    /// Printed title.
    pub title: String,
    /// The sentences it has, as `T-1`, in order; empty where the header does not list them.
    pub sentences: IndexSet<String>,
    /// Sentences without rule content and the reason, from `aside`.
    pub asides: HashMap<String, String>,
    /// What sentences say, from `sentences`.
    pub wordings: HashMap<String, Wording>,
}

/// What a sentence of a book says, in the words of the rulebook.
#[derive(Clone, Debug)]
pub struct Wording {
    /// The heading that it stands under in the book.
    pub heading: String,
    /// What it says.
    pub text: String,
    /// Where the rulebook says so.
    pub span: Span,
}

/// What a clause is, in the user's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClauseKind {
    /// `enum`, `record`, `component`, `space`, `zone`, `track`, `table`, `supply`.
    Data,
    /// `option` or `question`.
    Setting,
    /// One reading of a question.
    Reading,
    /// `define`.
    Define,
    /// `event`.
    Event,
    /// `action`.
    Action,
    /// The set that a parameter of an action is taken from.
    Param,
    /// `require`.
    Require,
    /// `forbid`.
    Forbid,
    /// `flow`.
    Flow,
    /// `step`, or a slot of a `window`, or a choice.
    Step,
    /// `ending`.
    Ending,
    /// `invariant`.
    Invariant,
    /// `ruling`.
    Ruling,
    /// `study`.
    Study,
    /// `show` and `aside`: nothing that a printed rule could say.
    Note,
}

/// A piece of the rulebook that has an address.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Its address, `match.value`.
    pub path: String,
    /// What it is.
    pub kind: ClauseKind,
    /// Its place in the text: the header line, not the whole body.
    pub span: Span,
    /// Citations of its own.
    pub cites: Vec<Citation>,
    /// The clause that it stands in; its citations hold for this one too.
    pub parent: Option<ClauseId>,
    /// `status` word, if any.
    pub status: Option<String>,
    /// Doc comment, title or question, for `why` and `sources`.
    pub text: String,
    /// The amendment that brought or last changed it.
    pub origin: Option<String>,
}

/// One citation of a clause.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Citation {
    /// A sentence of a book: index into [`Game::books`] and the id, `T-3`.
    Sentence(u32, String),
    /// A reason in words where nothing printed says it.
    Reason(String),
}
