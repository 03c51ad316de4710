//! Finite domains, types, and the data declared over them.

use super::{ClauseId, DefineId, DomainId, Expr, LocalId, SettingId, ZoneId};
use crate::source::Span;

/// A finite set of values.
#[derive(Clone, Debug)]
pub struct Domain {
    /// As written, or `1..7` for an unnamed range.
    pub name: String,
    /// The value of the first element: 0 but for ranges.
    pub lo: i64,
    /// Number of elements. At most 65,536 where something ranges over it; a record that is only
    /// held may be larger.
    pub size: u64,
    /// What its elements are.
    pub kind: DomainKind,
    /// How an element is printed; without it: the symbol or name of an enum value, the number, or
    /// `Name(field, …)`.
    pub show: Option<Vec<ShowPart>>,
    /// Where it is declared.
    pub span: Span,
}

/// What the elements of a domain are.
#[derive(Clone, Debug)]
pub enum DomainKind {
    /// Numbers from `lo`.
    Range,
    /// Named values: `enum`, the seats, the readings of a question, `Direction`.
    Enum {
        /// In order.
        values: Vec<EnumValue>,
        /// Whether `+` and `-` wrap.
        cyclic: bool,
    },
    /// A record or component: product of its fields, the first most significant.
    Record {
        /// In order.
        fields: Vec<Field>,
        /// Whether it lies in zones.
        component: bool,
    },
    /// A space: product of its coordinates, the first most significant.
    Space {
        /// In order; `stride` as in a record.
        axes: Vec<Field>,
        /// Which elements are neighbours.
        shape: Shape,
    },
}

/// A value of an enum.
#[derive(Clone, Debug)]
pub struct EnumValue {
    /// As written in rules.
    pub name: String,
    /// As printed, if other than the name.
    pub symbol: Option<String>,
    /// As printed in plain ASCII, if other than the symbol.
    pub plain: Option<String>,
}

/// A field of a record or a coordinate of a space.
#[derive(Clone, Debug)]
pub struct Field {
    /// As written.
    pub name: String,
    /// Type of the field: `Bool`, `Int`, `Elem`, optional ones, or a `Set` of at most 16 elements.
    pub ty: Type,
    /// Number of values it has: a set over n elements 2^n, an optional one more (the last index is
    /// `NONE`).
    pub size: u64,
    /// What one step of this field adds to the index of the whole.
    pub stride: u64,
    /// Value where a constructor or table row leaves it out.
    pub default: Option<Expr>,
    /// Of what is true or not: how it is drawn where it is true.
    pub sign: Option<Sign>,
}

/// What stands for something in a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sign {
    /// As it is drawn.
    pub symbol: String,
    /// As it is drawn in plain ASCII, if not alike.
    pub plain: Option<String>,
}

/// Neighbourhood of a space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Two axes; `Direction` n is second coordinate + 1, e is first coordinate + 1.
    Grid,
    /// Two axes; hexagons in rows, each half a hexagon further left than the row below: the six neighbours lie n, ne,
    /// e, s, sw and w.
    Hexes,
    /// Places that are listed one by one; the values of their axes stand in tables.
    Cells(std::sync::Arc<super::Cells>),
    /// One axis with two ends; e is + 1.
    Line,
    /// One axis without ends; e is + 1.
    Ring,
    /// Neighbours as listed: `edges[i]` are the neighbours of element i.
    Graph(Vec<Vec<u32>>),
    /// An endless plane whose steps are the values of a cyclic enum of four sides (n, e, s, w), over
    /// coordinates modulo `span`: two `Int` axes x, y.
    Plane {
        /// Coordinates wrap at this number: two more than the components that can lie there, but at
        /// most [`Shape::WIDEST`].
        span: u32,
        /// The enum of its four directions.
        sides: DomainId,
    },
    /// The parts of what lies on a plane: axes are the ordinal of the laid component and the slot.
    Parts {
        /// The zone over the plane.
        zone: ZoneId,
        /// Where parts of neighbours meet, if the rulebook says so.
        meeting: Option<Meeting>,
    },
}

impl Shape {
    /// The greatest span of a plane, so that all its spots can be listed.
    pub const WIDEST: u32 = 254;
}

/// Where parts of neighbouring components meet: at ports on the sides of the component, the same
/// number on each side, counted clockwise from the first port of the first side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The ports of a part as it is printed: a definition of the component and the slot that reads
    /// no state.
    pub ports: DefineId,
    /// The field of the zone by which a component is turned: each side of the plane by one side.
    pub turn: Option<usize>,
    /// The enum of the ports, cyclic; port i of k of a side lies against port k - 1 - i of the
    /// opposite side of the neighbour.
    pub port: DomainId,
}

/// One piece of a `show … as` template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShowPart {
    /// Printed as it stands.
    Text(String),
    /// A field or coordinate of the value.
    Field(usize),
    /// For an enum: the name of the value.
    Name,
    /// A field of the place where the component lies; nothing where it lies on no such place.
    OfPlace(String),
}

/// The bounds of `int`.
pub const INT: (i64, i64) = (-2_147_483_648, 2_147_483_647);

/// The kind of a type, optional or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// True or false.
    Bool,
    /// A number within bounds, both included.
    Int(i64, i64),
    /// An element of a domain that is not a range.
    Elem(DomainId),
    /// A set over a domain (ranges included).
    Set(DomainId),
    /// A statement's or an event's: nothing.
    Unit,
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// Without the option of being absent.
    pub base: Base,
    /// Whether it may be [`super::NONE`]; only for `Bool`, `Int` and `Elem`.
    pub optional: bool,
}

impl Type {
    /// A type that is never absent.
    #[must_use]
    pub const fn of(base: Base) -> Self {
        Self {
            base,
            optional: false,
        }
    }
    /// `Bool`.
    pub const BOOL: Self = Self::of(Base::Bool);
    /// Nothing.
    pub const UNIT: Self = Self::of(Base::Unit);
}

/// A value fixed before play: an option (a number or a switch) or a question (a reading).
#[derive(Clone, Debug)]
pub struct Setting {
    /// As written.
    pub name: String,
    /// The printed words.
    pub title: String,
    /// Whether it is a disputed point with readings.
    pub question: bool,
    /// Type of its value; a question's is the domain of its readings.
    pub ty: Type,
    /// Titles of the readings, in the order of the domain.
    pub readings: Vec<String>,
    /// Chosen for this game.
    pub value: i64,
    /// The rulebook's own default, after amendments.
    pub default: i64,
    /// Where it is asked, as it is written; empty if it always is.
    pub under: String,
    /// Whether it is asked in this game.
    pub asked: bool,
    /// Its clause; each reading has one of its own below it.
    pub clause: ClauseId,
}

/// How many components a place of a zone holds, and what is remembered of their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ZoneKind {
    /// At most one.
    One,
    /// Any number, order unknown and irrelevant.
    Bag,
    /// An ordered part on top of an unordered rest.
    Pile,
}

/// Who sees the identity of what lies in a zone (or the value of a track). The number of components
/// and the emptiness of a place are public.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Everybody.
    Open,
    /// Nobody, but for what was shown.
    Hidden,
    /// The seat that is this coordinate of the index.
    Owner(usize),
    /// All seats but the one that is this coordinate of the index.
    Others(usize),
}

/// Where components lie.
#[derive(Clone, Debug)]
pub struct Zone {
    /// As written.
    pub name: String,
    /// Domains of the index; empty for a single place. Places are numbered in mixed radix.
    pub index: Vec<DomainId>,
    /// Kind of its places.
    pub kind: ZoneKind,
    /// The component that it holds.
    pub component: DomainId,
    /// Most components in one place, if the rulebook bounds it; `One` has 1.
    pub capacity: Option<u32>,
    /// Fields of the place (`with turn: Side`): only for `One`.
    pub fields: Vec<Field>,
    /// Who sees it.
    pub visibility: Visibility,
    /// Its clause.
    pub clause: ClauseId,
}

/// A mutable value.
#[derive(Clone, Debug)]
pub struct Track {
    /// As written.
    pub name: String,
    /// Domains of the index; empty for a single value.
    pub index: Vec<DomainId>,
    /// Type of each value. An assignment outside its bounds is a fault.
    pub ty: Type,
    /// Starting value: constant.
    pub init: Expr,
    /// Who sees it.
    pub visibility: Visibility,
    /// Its clause.
    pub clause: ClauseId,
}

/// Constant data.
#[derive(Clone, Debug)]
pub struct Table {
    /// As written.
    pub name: String,
    /// Domains of the index.
    pub index: Vec<DomainId>,
    /// Type of a cell.
    pub ty: Type,
    /// One value per index in mixed radix. A cell that is a set holds its bits, in so many words one after
    /// the other.
    pub cells: Vec<i64>,
    /// Words of a cell.
    pub words: usize,
    /// Where the rows are written: the cell and the text.
    pub rows: Vec<(usize, Span)>,
    /// Its clause.
    pub clause: ClauseId,
}

impl Table {
    /// The cell of an index; one word, unless it is a set.
    #[must_use]
    pub fn cell(&self, at: usize) -> Option<&[i64]> {
        let start = at.checked_mul(self.words)?;
        self.cells.get(start..start.checked_add(self.words)?)
    }

    /// The members of a cell that is a set, as positions in its domain.
    pub fn members(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let words = self.cell(at).unwrap_or_default().iter().enumerate();
        words.flat_map(|(word, bits)| {
            let bits = *bits as u64;
            (0..64)
                .filter(move |bit| bits >> bit & 1 == 1)
                .map(move |bit| word * 64 + bit)
        })
    }
}

/// `supply n every C where P in Z[…]`: before play, `count` copies of each kind that passes lie there.
#[derive(Clone, Debug)]
pub struct Supply {
    /// The component.
    pub component: DomainId,
    /// Bound to each kind in turn (`it`).
    pub it: LocalId,
    /// Copies of the kind; constant but for `it`.
    pub count: Expr,
    /// Which kinds; constant but for `it`.
    pub guard: Option<Expr>,
    /// Where.
    pub zone: ZoneId,
    /// Index of the place; constant but for `it`.
    pub index: Vec<Expr>,
    /// Its clause.
    pub clause: ClauseId,
}

/// Reads a setting's id back from a folded value, for traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Folded {
    /// The setting.
    pub setting: SettingId,
    /// Its value in this game.
    pub value: i64,
}
