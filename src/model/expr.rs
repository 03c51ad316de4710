//! Expressions: pure, typed, names resolved.

use super::{Alt, DefineId, DomainId, Folded, LocalId, Stmt, TableId, TrackId, Type, ZoneId};
use crate::source::Span;

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Type of the value.
    pub ty: Type,
    /// Its text.
    pub span: Span,
}

/// A place of a zone: one index expression per domain of the zone's index (none for a single place).
/// An index that is `NONE` makes the place empty: no component, no field, and nothing can move there.
#[derive(Clone, Debug)]
pub struct Place {
    /// The zone.
    pub zone: ZoneId,
    /// Its index.
    pub index: Vec<Expr>,
}

/// What an expression computes.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant `Bool`, `Int`, `Elem` or `NONE`.
    Value(i64),
    /// An option or question, folded; kept apart from `Value` so that a trace can name it.
    Setting(Folded),
    /// A set of given elements (of any expressions); empty for `{}`.
    SetOf(Vec<Expr>),
    /// Every element of a domain, as a set.
    All(DomainId),
    /// A local.
    Local(LocalId),
    /// The value of a track.
    Track(TrackId, Vec<Expr>),
    /// A cell of a table.
    Table(TableId, Vec<Expr>),
    /// The component at a `One` place, optional.
    Component(Place),
    /// A field of a `One` place. The field of an empty place is a fault.
    PlaceField(Place, usize),
    /// The component on top of a `Pile`: `NONE` if empty or if the top is unordered.
    Top(Place),
    /// The component that lies so deep in a `Pile`, the top being 1: `NONE` if there is none or it lies in no order.
    Nth(Place, Box<Expr>),
    /// Number of components at a place.
    Count(Place),
    /// Number of copies of a component at a place.
    CountOf(Place, Box<Expr>),
    /// The kinds lying at a place, as a set over the component.
    Kinds(Place),
    /// Whether something lies at a place.
    Filled(Place),
    /// A field of a record or a coordinate of a cell. Of `NONE`: a fault.
    Field(Box<Expr>, usize),
    /// A record or cell from its fields or coordinates, in order, all given. A coordinate off the
    /// space makes it `NONE` if `ty` is optional, else a fault.
    Make(DomainId, Vec<Expr>),
    /// One operand.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands. `And` and `Or` do not evaluate the right one where the left decides.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if … then … else …`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `by subject { a, b => …  else => … }` over an enum that is not folded; exhaustive or with `other`.
    Match(Box<Expr>, Vec<(Vec<i64>, Expr)>, Option<Box<Expr>>),
    /// `value default fallback` for an optional value.
    OrElse(Box<Expr>, Box<Expr>),
    /// Comprehension or prefix over one.
    Aggregate(Box<Aggregate>),
    /// Least set that contains `start` and with `var` contains `step`.
    Reach {
        /// A set.
        start: Box<Expr>,
        /// Bound to each element found.
        var: LocalId,
        /// A set over the same domain.
        step: Box<Expr>,
    },
    /// The first member, in domain order, of each class of `over` joined by `step`. A class is the
    /// `Reach` of one of its members (it may leave `over`; the representative does not).
    Groups {
        /// A set.
        over: Box<Expr>,
        /// Bound to each element.
        var: LocalId,
        /// A set over the same domain; must be symmetric.
        step: Box<Expr>,
    },
    /// The run of cells after `from` in direction `way` while `cond` holds; off the board it ends, on a
    /// ring it stops before `from`.
    Walk {
        /// An element of `Direction` (or of the plane's sides).
        way: Box<Expr>,
        /// A cell.
        from: Box<Expr>,
        /// Bound to each cell.
        var: LocalId,
        /// Condition.
        cond: Box<Expr>,
    },
    /// `let` inside an expression: made by inlining and by guards.
    Let(LocalId, Box<Expr>, Box<Expr>),
    /// A definition; `me` is never implicit here.
    Call(DefineId, Vec<Expr>),
    /// The value in the state after the statements, which leaves no trace. If an `end` is met, the
    /// value is taken where it stopped.
    After(Vec<Stmt>, Box<Expr>),
    /// Whether some instance of an alternative is legal for a seat. False if an `end` was met in the
    /// `After` around it.
    Can(Box<Expr>, Vec<Alt>),
    /// Built-in sets of cells around a cell.
    Near(Near, Box<Expr>),
    /// The cell `count` steps (may be negative, 0 is the cell itself) in a direction, or `NONE`.
    Step {
        /// A cell (of `NONE`: `NONE`).
        cell: Box<Expr>,
        /// A direction.
        way: Box<Expr>,
        /// How many.
        count: Box<Expr>,
    },
    /// For a `Plane`: the empty spots beside laid components (all of them if nothing is laid: spot 0,0).
    Frontier(ZoneId),
    /// For a zone of `One` places with a single index: the places that hold something, as a set.
    Laid(ZoneId),
    /// For `Parts`: the parts of the component at a spot.
    PartsAt(DomainId, Box<Expr>),
    /// For `Parts` that meet: the parts of neighbours with a port against one of this part's.
    Touching(Box<Expr>),
    /// For `Parts` that meet: the ports of a part, as it lies, beside which nothing lies.
    Loose(Box<Expr>),
    /// For `Parts` that meet: the part at a spot that has a port, as it lies, or `NONE`.
    PartAtPort(Box<Expr>, Box<Expr>),
    /// How often the present position has occurred, this time included.
    Repeated,
}

impl ExprKind {
    /// The place that it looks at by itself, if it looks at one.
    pub fn place(&self) -> Option<&Place> {
        match self {
            ExprKind::Component(place)
            | ExprKind::PlaceField(place, _)
            | ExprKind::Top(place)
            | ExprKind::Nth(place, _)
            | ExprKind::Count(place)
            | ExprKind::CountOf(place, _)
            | ExprKind::Kinds(place)
            | ExprKind::Filled(place) => Some(place),
            _ => None,
        }
    }
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Of a `Bool`.
    Not,
    /// Of an `Int`.
    Neg,
    /// Of an `Int`.
    Abs,
    /// Whether an optional value is there.
    IsSome,
    /// Number of an enum value, from 0; a seat too.
    Ord,
    /// The enum value, cell of a line or seat with that number (`EnumName(n)`); outside: a fault.
    FromOrd(DomainId),
    /// The opposite of a direction.
    Opposite,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each name is the operator")]
pub enum BinaryOp {
    And,
    Or,
    /// Any two values of one type; sets too.
    Eq,
    Ne,
    /// Ints and enum values by their order.
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    Mul,
    /// Rounds down; by zero: a fault.
    Div,
    /// What is left by `Div`: of the sign of the second operand; by zero: a fault.
    Mod,
    /// Cyclic enum or seat plus an int.
    CycleAdd,
    /// Cyclic enum or seat minus an int.
    CycleSub,
    /// Steps between two values of a cyclic enum, the shorter way round; between cells of a space:
    /// steps of `orthogonal`.
    Distance,
    /// Sets over one domain.
    Union,
    Minus,
    /// Element and set; `NONE` is in no set.
    In,
}

impl BinaryOp {
    /// Whether an operand that is absent is a fault.
    #[must_use]
    pub fn needs_both(self) -> bool {
        match self {
            Self::Lt
            | Self::Le
            | Self::Gt
            | Self::Ge
            | Self::Add
            | Self::Sub
            | Self::Mul
            | Self::Div
            | Self::Mod
            | Self::CycleAdd
            | Self::CycleSub
            | Self::Distance => true,
            Self::And | Self::Or | Self::Eq | Self::Ne | Self::Union | Self::Minus | Self::In => {
                false
            }
        }
    }
}

/// Cells around a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Near {
    /// Sharing a side.
    Orthogonal,
    /// Touching at a corner only.
    Diagonal,
    /// Both.
    Around,
    /// Neighbours of any space: a graph's edges, else as `Orthogonal`.
    Neighbours,
}

/// A comprehension and what is made of it.
#[derive(Clone, Debug)]
pub struct Aggregate {
    /// What is made of it.
    pub op: AggregateOp,
    /// Left to right, each guard right after its variable.
    pub binders: Vec<Binder>,
    /// `Collect`, `Sum`, `Max`, `Min`, `Every`: the value of each combination; `Most`, `Least`: the
    /// key; else `None`.
    pub value: Option<Expr>,
    /// Where nothing was found; without it `Max`, `Min`, `First`, `Last` are optional or fault as
    /// `Expr::ty` says.
    pub default: Option<Expr>,
}

/// What is made of a comprehension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AggregateOp {
    /// The set of values (of the first variable where `value` is `None`).
    Collect,
    /// How many combinations; over a zone, how many copies.
    Count,
    /// Whether there is one.
    Some,
    /// Whether there is none.
    No,
    /// Whether `value` holds for each.
    Every,
    /// Sum of values; over a zone, each copy counts.
    Sum,
    /// Greatest value.
    Max,
    /// Least value.
    Min,
    /// The set of variables with the greatest key (`most { x in S by k }`).
    Most,
    /// The variables with the least key, as a set; where a single value is expected, the first (and
    /// `Expr::ty` is not a set).
    Least,
    /// The first variable in order.
    First,
    /// The last variable in order.
    Last,
    /// Product of values, 1 of none; over a zone, each copy counts.
    Product,
}

/// `x in S where P`.
#[derive(Clone, Debug)]
pub struct Binder {
    /// The variable.
    pub local: LocalId,
    /// Where its values come from.
    pub over: Over,
    /// In which order.
    pub order: Order,
    /// `where`.
    pub guard: Option<Expr>,
}

/// What a variable ranges over.
#[derive(Clone, Debug)]
pub enum Over {
    /// A set.
    Set(Expr),
    /// The kinds lying at a place; `Count` and `Sum` weigh each with its copies.
    Zone(Place),
    /// Numbers from the first to the second, both included, where they are not constant.
    Span(Expr, Expr),
}

/// Order in which a variable takes its values.
#[derive(Clone, Debug)]
pub enum Order {
    /// By index.
    Ascending,
    /// By index, the greatest first.
    Descending,
    /// Seats, round the table from this one.
    From(Expr),
}
