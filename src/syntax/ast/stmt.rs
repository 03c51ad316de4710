use super::*;

/// `{ statements }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// What is done, in order.
    pub statements: Vec<Statement>,
    /// With its braces.
    pub span: Span,
}

/// One thing that is done.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The doc comment before it.
    pub docs: Vec<Doc>,
    /// What it is.
    pub kind: StatementKind,
    /// Without docs.
    pub span: Span,
}

/// What a [`Statement`] is.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "trees are small, and boxes would be in every pattern"
)]
pub enum StatementKind {
    /// `let n = e`.
    Let {
        /// The new local.
        name: Name,
        /// Its value.
        value: Expr,
    },
    /// `x = e`, `x += e`, `x -= e`.
    Assign {
        /// A track or a field of a place.
        target: Expr,
        /// How it changes.
        op: AssignOp,
        /// By what.
        value: Expr,
    },
    /// `collapse()`: an event or a flow.
    Call(Call),
    /// `if a { … } else if b { … } else { … }`.
    If {
        /// The conditions in order with what is done; at least one.
        branches: Vec<Branch>,
        /// What is done if none holds.
        otherwise: Option<Block>,
    },
    /// `by q { r => { … } … }`.
    By {
        /// What decides.
        subject: Expr,
        /// The cases.
        arms: Vec<Arm<Block>>,
    },
    /// `while e { … }`.
    While {
        /// Asked before each round.
        condition: Expr,
        /// One round.
        body: Block,
    },
    /// `repeat { … }`, `repeat 5 { … }`, `repeat { … } until e`.
    Repeat {
        /// How often.
        times: Times,
        /// One round.
        body: Block,
    },
    /// `for each x in S backwards where P, y in T { … }`.
    ForEach {
        /// What runs through what; at least one.
        binders: Vec<Each>,
        /// One round.
        body: Block,
    },
    /// `step NAME tail { … }`.
    Step {
        /// The label.
        name: Name,
        /// Citations and the like.
        tail: Tail,
        /// What it does.
        body: Block,
    },
    /// `choose …`.
    Choose(Choose),
    /// `window WHO { … }`.
    Window {
        /// Who may use it.
        who: Expr,
        /// What may be used.
        slots: Vec<Slot>,
    },
    /// `turns me from S once where C { … }`.
    Turns {
        /// `me`.
        name: Name,
        /// Who begins.
        from: Expr,
        /// Whether each seat has at most one turn.
        once: bool,
        /// Which seats have a turn.
        condition: Option<Expr>,
        /// One turn.
        body: Block,
    },
    /// `move …`.
    Move(Move),
    /// `draw [n of] Z to W`.
    Draw {
        /// How many; one if not said.
        amount: Option<Expr>,
        /// A bag, or a pile whose order nobody knows.
        from: Expr,
        /// Where they go.
        to: Expr,
    },
    /// `exchange … with …`.
    Exchange {
        /// The one side.
        left: Exchanged,
        /// The other side.
        right: Exchanged,
    },
    /// `shuffle Z`.
    Shuffle {
        /// A pile.
        zone: Expr,
    },
    /// `show PLACE to WHO`.
    Show {
        /// A place or a zone.
        place: Expr,
        /// Who sees it.
        audience: Audience,
    },
    /// `ranking S by E, F`.
    Ranking {
        /// The seats.
        seats: Expr,
        /// The figures, most important first; may read `it`.
        by: Vec<Expr>,
    },
    /// `winner S`.
    Winner(Expr),
    /// `end finished`.
    End(Call),
    /// `return e`.
    Return(Option<Expr>),
    /// `next`: the turn is over.
    Next,
    /// `again`: the same seat has another turn.
    Again,
}

/// How a track changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignOp {
    /// `=`.
    Set,
    /// `+=`.
    Increase,
    /// `-=`.
    Decrease,
}

impl AssignOp {
    /// Returns the sign as it is written.
    pub fn word(self) -> &'static str {
        match self {
            AssignOp::Set => "=",
            AssignOp::Increase => "+=",
            AssignOp::Decrease => "-=",
        }
    }
}

/// A condition with what is done if it holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// What is asked.
    pub condition: Expr,
    /// What is done.
    pub body: Block,
}

/// How often a `repeat` goes round.
#[derive(Clone, Debug, PartialEq)]
pub enum Times {
    /// Until something inside ends it.
    Forever,
    /// So many times.
    Count(Expr),
    /// At least once, until this holds after a round.
    Until(Expr),
}

/// `x in S backwards where P`.
#[derive(Clone, Debug, PartialEq)]
pub struct Each {
    /// Name, set and condition.
    pub binder: Binder,
    /// Whether it runs from the last member to the first.
    pub backwards: bool,
}

/// `[may] choose WHO …`.
#[derive(Clone, Debug, PartialEq)]
pub struct Choose {
    /// Whether the chooser may decline.
    pub may: bool,
    /// Who chooses.
    pub who: Chooser,
    /// Among what.
    pub among: Among,
    /// What is done if there is nothing to choose.
    pub otherwise: Option<Block>,
    /// Citations and the like.
    pub tail: Tail,
}

/// Who chooses.
#[derive(Clone, Debug, PartialEq)]
pub enum Chooser {
    /// `chance`.
    Chance(Span),
    /// A seat.
    Seat(Expr),
}

/// What there is to choose among.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "trees are small, and boxes would be in every pattern"
)]
pub enum Among {
    /// `: a | b(x: 1) | name "text" { … }`.
    Alternatives(Vec<Alternative>),
    /// `x in S where P weighted w [{ … }]`.
    Members {
        /// The name of the chosen member, the set, the condition.
        binder: Binder,
        /// How likely each member is, if chance chooses.
        weight: Option<Expr>,
        /// What is done with it; without a body the name is bound for the rest of the block.
        body: Option<Block>,
    },
}

/// An action with some of its parameters, or an option written in place.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// The action, or the name of the option.
    pub name: Name,
    /// Parameters that are fixed.
    pub args: Vec<Arg>,
    /// How an option written in place is printed; without it this is an action.
    pub text: Option<Template>,
    /// What happens then; of an action, behind its `do`.
    pub body: Option<Block>,
    /// The whole alternative.
    pub span: Span,
}

/// `once|many NAME: a | b`: something that a window offers.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// Whether it may be used more than once.
    pub many: bool,
    /// Its label.
    pub name: Name,
    /// What it offers.
    pub alternatives: Vec<Alternative>,
    /// Citations and the like.
    pub tail: Tail,
    /// The whole slot.
    pub span: Span,
}

/// `move … to W with field = e`.
#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    /// What moves and from where.
    pub what: Moved,
    /// Where it goes.
    pub to: Expr,
    /// Fields of the new place.
    pub with: Vec<FieldValue>,
}

/// What a [`Move`] moves.
#[derive(Clone, Debug, PartialEq)]
pub enum Moved {
    /// `move PLACE to …`: the one component there.
    Place(Expr),
    /// `move all of Z to …`.
    All(Expr),
    /// `move top of Z to …`.
    Top(Expr),
    /// `move [n of] x from Z to …`: copies of one kind.
    Copies {
        /// How many; one if not said.
        amount: Option<Expr>,
        /// The kind.
        component: Expr,
        /// Where they lie.
        from: Expr,
    },
}

/// One side of an exchange.
#[derive(Clone, Debug, PartialEq)]
pub enum Exchanged {
    /// The one component in a place.
    Place(Expr),
    /// `x from Z`: one copy of a kind.
    Copy {
        /// The kind.
        component: Expr,
        /// Where it lies.
        from: Expr,
    },
}

/// `field = e`.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldValue {
    /// The field.
    pub field: Name,
    /// Its value.
    pub value: Expr,
}
