use super::*;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Whether it was written in parentheses of its own; says nothing that the tree does not say.
    pub parenthesised: bool,
    /// Where it stands, with those parentheses.
    pub span: Span,
}

/// What an [`Expr`] is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `3`; negative numbers are [`UnaryOp::Minus`] of one.
    Number(i32),
    /// `true`, `false`.
    Bool(bool),
    /// `none`.
    None,
    /// `"text with {holes}"`.
    Text(Template),
    /// A word: a local, a definition, a zone, a value of an enum, a seat, a type…
    Name(Name),
    /// `f(x, n: y)`: a definition, a built-in, a constructor.
    Call(Call),
    /// `field[at]`, `board[p, q]`.
    Index {
        /// What is indexed.
        base: Box<Expr>,
        /// At least one.
        indices: Vec<Expr>,
    },
    /// `card.suit`, `match_values.equal_only`, `Suit.clubs`.
    Field {
        /// What is read.
        base: Box<Expr>,
        /// The word behind the dot.
        field: Name,
    },
    /// `not a`, `count z`, `max { … }`.
    Unary {
        /// Which one.
        op: UnaryOp,
        /// The place of its word.
        op_span: Span,
        /// What it is applied to.
        operand: Box<Expr>,
    },
    /// `a + b`, `a and b`, `x in S`.
    Binary {
        /// Which one.
        op: BinaryOp,
        /// The place of its sign.
        op_span: Span,
        /// The left side.
        left: Box<Expr>,
        /// The right side.
        right: Box<Expr>,
    },
    /// `1..6`; both ends belong to it.
    Range {
        /// The first member.
        from: Box<Expr>,
        /// The last member.
        to: Box<Expr>,
    },
    /// `max { … } default 0`: the value if the first is empty or none.
    Default {
        /// What is tried.
        value: Box<Expr>,
        /// What stands in.
        fallback: Box<Expr>,
    },
    /// `{ a, b }`; may be empty.
    Set(Vec<Expr>),
    /// `{ x in S where P }`, `{ E for x in S }`, `{ … by F }`.
    Comprehension(Comprehension),
    /// `(a, b)`; at least two.
    Tuple(Vec<Expr>),
    /// `if a then b else c`.
    If {
        /// What is asked.
        condition: Box<Expr>,
        /// The value if it holds.
        then: Box<Expr>,
        /// The value if not.
        otherwise: Box<Expr>,
    },
    /// `by q { r => e … }`.
    By {
        /// What decides.
        subject: Box<Expr>,
        /// The cases.
        arms: Vec<Arm<Expr>>,
    },
    /// `after { effects } e`: the value in the position that the effects lead to.
    After {
        /// The effects.
        body: Block,
        /// What is asked then.
        value: Box<Expr>,
    },
    /// `can(WHO, a | b)`: whether some instance is legal.
    Can {
        /// Who would act.
        who: Box<Expr>,
        /// The actions.
        alternatives: Vec<Alternative>,
    },
    /// `reach S via x -> T`: all that can be reached.
    Reach {
        /// Where it starts.
        start: Box<Expr>,
        /// The name of a member.
        var: Name,
        /// What follows from a member.
        next: Box<Expr>,
    },
    /// `groups D via x -> T`: one member of each connected group.
    Groups {
        /// The members.
        domain: Box<Expr>,
        /// The name of a member.
        var: Name,
        /// What is connected with a member.
        next: Box<Expr>,
    },
    /// `walk d from c while x: P`: the run of places in one direction, without its start.
    Walk {
        /// The direction.
        direction: Box<Expr>,
        /// The place before the first.
        from: Box<Expr>,
        /// The name of a place on the way.
        var: Name,
        /// What holds for each place of the run.
        condition: Box<Expr>,
    },
}

/// `f(x, n: y)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// What is called.
    pub name: Name,
    /// Its arguments.
    pub args: Vec<Arg>,
}

/// An argument, with the name of its parameter if that is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// The parameter.
    pub name: Option<Name>,
    /// The value.
    pub value: Expr,
}

/// A word or sign before its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `not`.
    Not,
    /// `-`.
    Minus,
    /// `count`: how many.
    Count,
    /// `no`: the set is empty.
    No,
    /// `some`: the set is not empty, the value is not none.
    Some,
    /// `every`: all members are true.
    Every,
    /// `empty`: nothing lies there.
    Empty,
    /// `filled`: something lies there.
    Filled,
    /// `sum`.
    Sum,
    /// `max`.
    Max,
    /// `min`.
    Min,
    /// `most { x in S by E }`: the set of members with the greatest figure.
    Most,
    /// `least { x in S by E }`: the member with the least figure.
    Least,
}

impl UnaryOp {
    /// All of them.
    pub const ALL: [UnaryOp; 13] = [
        UnaryOp::Not,
        UnaryOp::Minus,
        UnaryOp::Count,
        UnaryOp::No,
        UnaryOp::Some,
        UnaryOp::Every,
        UnaryOp::Empty,
        UnaryOp::Filled,
        UnaryOp::Sum,
        UnaryOp::Max,
        UnaryOp::Min,
        UnaryOp::Most,
        UnaryOp::Least,
    ];

    /// Returns the word or sign as it is written.
    pub fn word(self) -> &'static str {
        match self {
            UnaryOp::Not => "not",
            UnaryOp::Minus => "-",
            UnaryOp::Count => "count",
            UnaryOp::No => "no",
            UnaryOp::Some => "some",
            UnaryOp::Every => "every",
            UnaryOp::Empty => "empty",
            UnaryOp::Filled => "filled",
            UnaryOp::Sum => "sum",
            UnaryOp::Max => "max",
            UnaryOp::Min => "min",
            UnaryOp::Most => "most",
            UnaryOp::Least => "least",
        }
    }
}

/// A word or sign between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the words say it")]
pub enum BinaryOp {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    NotIn,
    Plus,
    Minus,
    Times,
    Divided,
    Mod,
}

impl BinaryOp {
    /// All of them.
    pub const ALL: [BinaryOp; 15] = [
        BinaryOp::Or,
        BinaryOp::And,
        BinaryOp::Equal,
        BinaryOp::NotEqual,
        BinaryOp::Less,
        BinaryOp::LessOrEqual,
        BinaryOp::Greater,
        BinaryOp::GreaterOrEqual,
        BinaryOp::In,
        BinaryOp::NotIn,
        BinaryOp::Plus,
        BinaryOp::Minus,
        BinaryOp::Times,
        BinaryOp::Divided,
        BinaryOp::Mod,
    ];

    /// Returns the word or sign as it is written.
    pub fn word(self) -> &'static str {
        match self {
            BinaryOp::Or => "or",
            BinaryOp::And => "and",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessOrEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterOrEqual => ">=",
            BinaryOp::In => "in",
            BinaryOp::NotIn => "not in",
            BinaryOp::Plus => "+",
            BinaryOp::Minus => "-",
            BinaryOp::Times => "*",
            BinaryOp::Divided => "/",
            BinaryOp::Mod => "mod",
        }
    }
}

/// How tightly operators bind; a greater number binds tighter. What stands behind an operator has to
/// bind a little tighter than what stands before, except for `default`, which groups to the right.
impl BinaryOp {
    /// Returns how tightly the operator binds what stands before and behind it.
    pub fn tightness(self) -> (u8, u8) {
        match self {
            BinaryOp::Or => (1, 2),
            BinaryOp::And => (3, 4),
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessOrEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterOrEqual
            | BinaryOp::In
            | BinaryOp::NotIn => (7, 8),
            BinaryOp::Plus | BinaryOp::Minus => (11, 12),
            BinaryOp::Times | BinaryOp::Divided | BinaryOp::Mod => (13, 14),
        }
    }
}

impl UnaryOp {
    /// Returns how tightly the prefix binds what stands behind it.
    pub fn tightness(self) -> u8 {
        if self == UnaryOp::Not { 5 } else { 17 }
    }
}

/// How tightly `..` binds.
pub const RANGE_TIGHTNESS: (u8, u8) = (9, 10);

/// How tightly `default` binds.
pub const DEFAULT_TIGHTNESS: (u8, u8) = (16, 15);

/// `{ MAP for x in S where P, y in T by KEY }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Comprehension {
    /// What is collected; none in `{ x in S … }`, which collects the members of its binder, or the
    /// tuples of members if there are more binders.
    pub map: Option<Box<Expr>>,
    /// What runs through what; at least one.
    pub binders: Vec<Binder>,
    /// The figure that `most` and `least` compare.
    pub by: Option<Box<Expr>>,
}

/// `x in S where P`.
#[derive(Clone, Debug, PartialEq)]
pub struct Binder {
    /// The name of a member.
    pub name: Name,
    /// Where the members come from.
    pub set: Expr,
    /// Which of them.
    pub condition: Option<Expr>,
    /// The whole binder.
    pub span: Span,
}

/// `a, b => …` or `else => …`.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm<T> {
    /// When it holds.
    pub head: ArmHead,
    /// What holds then.
    pub body: T,
    /// The whole case.
    pub span: Span,
}

/// When an [`Arm`] holds.
#[derive(Clone, Debug, PartialEq)]
pub enum ArmHead {
    /// The subject is one of these.
    Names(Vec<Name>),
    /// In all other cases.
    Else,
}
