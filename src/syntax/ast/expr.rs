use super::table::nodes;
use super::tree::As;
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

nodes! {
    /// What an [`Expr`] is.
    pub enum ExprKind {
        /// `3`; negative numbers are [`UnaryOp::Minus`] of one.
        Number(number: i32),
        /// `true`, `false`.
        Bool(truth: bool),
        /// `none`.
        None word "none",
        /// `"text with {holes}"`.
        Text(template: Template),
        /// `""" … """`: signs in rows.
        Drawn(drawing: Drawing),
        /// A word: a local, a definition, a zone, a value of an enum, a seat, a type…
        Name(name: Name as Role::Uses(Use::Value)),
        /// `f(x, n: y)`: a definition, a built-in, a constructor.
        Call(call: Call),
        /// `field[at]`, `board[p, q]`.
        Index = "at" written [base "[" indices "]"] {
            /// What is indexed.
            base: Box<Expr> as Role::Tight,
            /// At least one.
            indices: Vec<Expr>,
        },
        /// `card.suit`, `match_values.equal_only`, `Suit.clubs`.
        Field = "." written [base "." field] {
            /// What is read.
            base: Box<Expr> as Role::Tight,
            /// The word behind the dot.
            field: Name as Role::Uses(Use::Field),
        },
        /// `not a`, `count z`, `max { … }`.
        Unary = { op.word() } written [op when(**op != UnaryOp::Minus) [" "] operand] {
            /// Which one.
            op: UnaryOp,
            /// The place of its word.
            op_span: Span,
            /// What it is applied to.
            operand: Box<Expr> as op.behind(),
        },
        /// `a + b`, `a and b`, `x in S`.
        Binary = { op.word() } written [left " " op " " right] {
            /// Which one.
            op: BinaryOp,
            /// The place of its sign.
            op_span: Span,
            /// The left side.
            left: Box<Expr> as op.before(),
            /// The right side.
            right: Box<Expr> as op.behind(),
        },
        /// `1..6`; both ends belong to it.
        Range = ".." written [from ".." to] {
            /// The first member.
            from: Box<Expr> as Role::Tight,
            /// The last member.
            to: Box<Expr> as Role::Tight,
        },
        /// `max { … } default 0`: the value if the first is empty or none.
        Default = "default" written [value " default " fallback] {
            /// What is tried.
            value: Box<Expr> as Role::Tight,
            /// What stands in.
            fallback: Box<Expr> as Role::Tight,
        },
        /// `{ a, b }`; may be empty.
        Set(members: Vec<Expr> as Role::Braced) = "set"
            written ["{" ?members[" " members " "] "}"],
        /// `{ x in S where P }`, `{ E for x in S }`, `{ … by F }`.
        Comprehension(it: Comprehension),
        /// `(a, b)`; at least two.
        Tuple(members: Vec<Expr>) = "tuple" written ["(" members ")"],
        /// `if a then b else c`.
        If = "if" written ["if " condition " then " then " else " otherwise] {
            /// What is asked.
            condition: Box<Expr>,
            /// The value if it holds.
            then: Box<Expr>,
            /// The value if not.
            otherwise: Box<Expr>,
        },
        /// `by q { r => e … }`.
        By = "by" written ["by " subject " { " arms " }"] {
            /// What decides.
            subject: Box<Expr> as Role::Tight,
            /// The cases.
            arms: Vec<Arm<Expr>>,
        },
        /// `after { effects } e`: the value in the position that the effects lead to.
        After = "after" walk [{ body value }] written ["after " body " " value] {
            /// The effects.
            body: Block as Role::Open,
            /// What is asked then.
            value: Box<Expr> as Role::Tight,
        },
        /// `can(WHO, a | b)`: whether some instance is legal.
        Can = "can" written ["can(" who ", " alternatives ")"] {
            /// Who would act.
            who: Box<Expr>,
            /// The actions.
            alternatives: Vec<Alternative>,
        },
        /// `reach S via x -> T`: all that can be reached.
        Reach = "reach" walk [start { var next }] written ["reach " start " via " var " -> " next] {
            /// Where it starts.
            start: Box<Expr> as Role::Tight,
            /// The name of a member.
            var: Name as Role::Binds(Binds::Member),
            /// What follows from a member.
            next: Box<Expr> as Role::Tight,
        },
        /// `groups D via x -> T`: one member of each connected group.
        Groups = "groups" walk [domain { var next }] written ["groups " domain " via " var " -> " next] {
            /// The members.
            domain: Box<Expr> as Role::Tight,
            /// The name of a member.
            var: Name as Role::Binds(Binds::Member),
            /// What is connected with a member.
            next: Box<Expr> as Role::Tight,
        },
        /// `walk d from c while x: P`: the run of places in one direction, without its start.
        Walk = "walk" walk [direction from { var condition }]
            written ["walk " direction " from " from when(until.is_none()) [" while "] ?until[" " until " "] var ": " condition] {
            /// The direction.
            direction: Box<Expr> as Role::Tight,
            /// The place before the first.
            from: Box<Expr> as Role::Tight,
            /// How the condition ends it, if not by holding no more.
            until: Option<Until> as Role::IfAny,
            /// The name of a place on the way.
            var: Name as Role::Binds(Binds::Member),
            /// What holds for each place of the run.
            condition: Box<Expr>,
        },
    }

    /// How the condition of a walk ends it.
    pub enum Until {
        /// By the first place for which it holds.
        UpTo word "up to" written ["up to"],
    }

    /// `f(x, n: y)`.
    pub struct Call = "call" written [name "(" args ")"] {
        /// What is called.
        name: Name as Role::Uses(Use::Call),
        /// Its arguments.
        args: Vec<Arg>,
    }

    /// An argument, with the name of its parameter if that is written.
    pub struct Arg = "arg" written [?name[name ": "] value] {
        /// The parameter.
        name: Option<Name>,
        /// The value.
        value: Expr,
    }

    /// `{ MAP for x in S where P, y in T by KEY }`.
    pub struct Comprehension = "those" walk [{ binders map by }]
        written ["{ " ?map[map " for "] binders ?by[" by " by] " }"] {
        /// What is collected; none in `{ x in S … }`, which collects the members of its binder, or the
        /// tuples of members if there are more binders.
        map: Option<Box<Expr>> as Role::Braced,
        /// What runs through what; at least one.
        binders: Vec<Binder> as Role::Binds(Binds::Member),
        /// The figure that `most` and `least` compare.
        by: Option<Box<Expr>>,
    }

    /// `x in S where P`.
    pub struct Binder(role) = "in" walk [set name condition]
        written [name " in " set ?condition[" where " condition]] {
        /// The name of a member.
        name: Name as role,
        /// Where the members come from.
        set: Expr,
        /// Which of them.
        condition: Option<Expr>,
        /// The whole binder.
        span: Span,
    }

    /// `a, b => …` or `else => …`.
    pub struct Arm<T> = { head.word() } written [head " => " body] between "  " {
        /// When it holds.
        head: ArmHead,
        /// What holds then.
        body: T,
        /// The whole case.
        span: Span,
    }

    /// When an [`Arm`] holds.
    pub enum ArmHead {
        /// The subject is one of these.
        Names(names: Vec<Name> as Role::Uses(Use::Named)),
        /// The subject is one of these numbers.
        Numbers(numbers: Vec<NumberHead>),
        /// In all other cases.
        Else written ["else"],
    }
}

impl Expr {
    /// Returns the name that a place or value begins with: `hand` of `hand[me]`.
    pub fn leading_name(&self) -> Option<&Name> {
        match &self.kind {
            ExprKind::Name(name) => Some(name),
            ExprKind::Index { base, .. } | ExprKind::Field { base, .. } => base.leading_name(),
            _ => None,
        }
    }
}

impl ArmHead {
    fn word(&self) -> &'static str {
        match self {
            ArmHead::Names(_) => "when",
            ArmHead::Numbers(_) => "numbers",
            ArmHead::Else => "else",
        }
    }
}

/// `3`, `2..4` before a case.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberHead {
    /// The first of them.
    pub least: Number,
    /// The last, if it is another one.
    pub most: Option<Number>,
}

impl NumberHead {
    /// Returns the first and the last of them.
    pub fn bounds(&self) -> (i64, i64) {
        let most = self.most.as_ref().unwrap_or(&self.least);
        (i64::from(self.least.value), i64::from(most.value))
    }

    /// Returns where it is written.
    pub fn span(&self) -> Span {
        let most = self.most.as_ref().unwrap_or(&self.least);
        self.least.span.to(most.span)
    }
}

impl Tree for NumberHead {
    fn write<W: Writer>(&self, w: &mut W, _role: Role) {
        w.text(&self.least.value.to_string());
        if let Some(most) = &self.most {
            w.word("..");
            w.text(&most.value.to_string());
        }
    }

    fn canon(&self, canon: &mut Canon) {
        canon.begin("numbers");
        self.least.canon(canon);
        if let Some(most) = &self.most {
            most.canon(canon);
        }
        canon.end();
    }
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
    /// `product`.
    Product,
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
    pub const ALL: [UnaryOp; 14] = [
        UnaryOp::Not,
        UnaryOp::Minus,
        UnaryOp::Count,
        UnaryOp::No,
        UnaryOp::Some,
        UnaryOp::Every,
        UnaryOp::Empty,
        UnaryOp::Filled,
        UnaryOp::Sum,
        UnaryOp::Product,
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
            UnaryOp::Product => "product",
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

impl Tree for UnaryOp {
    fn write<W: Writer>(&self, w: &mut W, _role: Role) {
        w.word(self.word());
    }
}

impl UnaryOp {
    /// Returns the role of what it is applied to.
    pub(super) fn behind(self) -> Role {
        match self {
            UnaryOp::Not => Role::Loose,
            _ => Role::Tight,
        }
    }
}

impl Tree for BinaryOp {
    fn write<W: Writer>(&self, w: &mut W, _role: Role) {
        w.word(self.word());
    }
}

impl BinaryOp {
    /// Returns the role of what stands behind it.
    pub(super) fn behind(self) -> Role {
        match self {
            BinaryOp::And | BinaryOp::Or => Role::Loose,
            _ => Role::Tight,
        }
    }

    /// Returns the role of what stands before it: `{ (x) in S }` asks about one x, `{ x in S }` takes them
    /// all.
    pub(super) fn before(self) -> Role {
        match self {
            BinaryOp::In | BinaryOp::NotIn => Role::Kept,
            _ => self.behind(),
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
