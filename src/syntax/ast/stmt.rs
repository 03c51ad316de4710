use super::table::nodes;
use super::tree::As;
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

nodes! {
    /// What a [`Statement`] is.
    pub enum StatementKind {
        /// `let n = e`.
        Let = "let" walk [value name] written ["let " name " = " value] {
            /// The new local.
            name: Name as Role::Binds(Binds::Let),
            /// Its value.
            value: Expr,
        },
        /// `track x: T = e`: it lives until the block ends.
        Track = "lives" walk [tail decl] written [decl tail] {
            /// As an item has it.
            decl: TrackDecl,
            /// Citations and the like.
            tail: Tail,
        },
        /// `x = e`, `x += e`, `x -= e`.
        Assign = { op.word() } written [target " " op " " value ?because[" because " because]] {
            /// A track or a field of a place.
            target: Expr as Role::Target,
            /// How it changes.
            op: AssignOp,
            /// By what.
            value: Expr,
            /// Why, as it is told.
            because: Option<Template> as Role::IfAny,
        },
        /// `collapse()`: an event or a flow.
        Call(call: Call),
        /// `if a { … } else if b { … } else { … }`.
        If = "if" written [branches ?otherwise[" else " otherwise]] {
            /// The conditions in order with what is done; at least one.
            branches: Vec<Branch>,
            /// What is done if none holds.
            otherwise: Option<Block>,
        },
        /// `by q { r => { … } … }`.
        By = "by" written ["by " subject " { " arms " }"] {
            /// What decides.
            subject: Expr as Role::Tight,
            /// The cases.
            arms: Vec<Arm<Block>>,
        },
        /// `while e { … }`.
        While = "while" walk [again(true) { condition body }] written ["while " condition " " body] {
            /// Asked before each round.
            condition: Expr,
            /// One round.
            body: Block,
        },
        /// `repeat { … }`, `repeat 5 { … }`, `repeat { … } until e`.
        Repeat = "repeat" walk [(times Role::Before) again(!matches!(**times, Times::Count(_))) { body (times Role::Behind) }]
            written ["repeat" (times Role::Before) " " body (times Role::Behind)] {
            /// How often.
            times: Times,
            /// One round; what is asked behind it knows its locals.
            body: Block as Role::Open,
        },
        /// `for each x in S backwards where P, y in T { … }`.
        ForEach = "for" walk [{ binders body }] written ["for each " binders " " body] {
            /// What runs through what; at least one.
            binders: Vec<Each> as Role::Binds(Binds::Each),
            /// One round.
            body: Block,
        },
        /// `step NAME tail { … }`.
        Step = "step" written ["step " name tail " " body] {
            /// The label.
            name: Name,
            /// Citations and the like.
            tail: Tail,
            /// What it does.
            body: Block,
        },
        /// `choose …`.
        Choose(choose: Choose),
        /// `together s in S where C { choose s: … }`.
        Together = "together" walk [{ binder body }] written ["together " binder " " body] {
            /// Who chooses.
            binder: Binder as Role::Binds(Binds::Each),
            /// One choice.
            body: Block,
        },
        /// `window WHO { … }`.
        Window = "window" written ["window " who " { " slots " }"] {
            /// Who may use it.
            who: Expr as Role::Tight,
            /// What may be used.
            slots: Vec<Slot>,
        },
        /// `turns me from S once where C { … }`.
        Turns = "turns" walk [from again(!**once) { name condition body }]
            written ["turns " name " from " from ?once[" once"] ?condition[" where " condition] " " body] {
            /// `me`.
            name: Name as Role::Binds(Binds::Turn),
            /// Who begins.
            from: Expr as Role::Tight,
            /// Whether each seat has at most one turn.
            once: bool,
            /// Which seats have a turn.
            condition: Option<Expr>,
            /// One turn.
            body: Block,
        },
        /// `move …`.
        Move(it: Move),
        /// `lay PLACE "…"`: that and nothing else lies there then.
        Lay = "lay" written ["lay " place " " drawn] {
            /// A place, or a zone with all its places.
            place: Expr as Role::Changed,
            /// What lies there, as it is printed.
            drawn: Expr as Role::Tight,
        },
        /// `clear PLACE`, `clear`: what lies there, or everything, goes back to where `supply` lays it.
        Clear = "clear" written ["clear" ?place[" " place]] {
            /// A place, or a zone with all its places; all zones, if that is not said.
            place: Option<Expr> as Role::Changed,
        },
        /// `draw [n of] Z to W`.
        Draw = "draw" written ["draw " ?amount[amount " of "] from " to " to] {
            /// How many; one if not said.
            amount: Option<Expr> as Role::Tight,
            /// A bag, or a pile whose order nobody knows.
            from: Expr as Role::Changed,
            /// Where they go.
            to: Expr as Role::Changed,
        },
        /// `exchange … with …`.
        Exchange = "exchange" written ["exchange " left " with " right] {
            /// The one side.
            left: Exchanged,
            /// The other side.
            right: Exchanged,
        },
        /// `pack Z towards d into S`.
        Pack = "pack" written ["pack " zone " towards " way ?into[" into " into]] {
            /// What lies in its places slides.
            zone: Expr as Role::Changed,
            /// Which way.
            way: Expr as Role::Tight,
            /// The places slid over where they are empty; all, if that is not said.
            into: Option<Expr>,
        },
        /// `shuffle Z`.
        Shuffle = "shuffle" written ["shuffle " zone] {
            /// A pile.
            zone: Expr as Role::Changed,
        },
        /// `show PLACE to WHO`.
        Show = "show_to" written ["show " place " to " audience] {
            /// A place or a zone.
            place: Expr as Role::Changed,
            /// Who sees it.
            audience: Audience,
        },
        /// `tell WHO "…"`.
        Tell = "tell" written ["tell " audience " " text] {
            /// Who is told.
            audience: Audience,
            /// What.
            text: Template,
        },
        /// `ranking S by E, F`.
        Ranking = "ranking" walk [seats { "it" by }] written ["ranking " seats " by " by] {
            /// The seats.
            seats: Expr,
            /// The figures, most important first; may read `it`.
            by: Vec<Expr>,
        },
        /// `winner S`.
        Winner(seats: Expr) = "winner" written ["winner " seats],
        /// `end finished`.
        End(call: Call) = "end" written ["end " {call.name} when(call.args.is_there()) ["(" {call.args} ")"]],
        /// `return e`.
        Return(value: Option<Expr> as Role::Kept) = "return" written ["return" ?value[" " value]],
        /// `next`: the turn is over.
        Next = "next" written ["next"],
        /// `again`: the same seat has another turn.
        Again = "again" written ["again"],
    }

    /// A condition with what is done if it holds.
    pub struct Branch = "case" written ["if " condition " " body] between " else " {
        /// What is asked.
        condition: Expr,
        /// What is done.
        body: Block,
    }

    /// How often a `repeat` goes round.
    pub enum Times(role) {
        /// Until something inside ends it.
        Forever word "forever" written [""],
        /// So many times.
        Count(count: Expr as Role::Tight) = "times" walk [when(role == Role::Before) [count]]
            written [when(role == Role::Before) [" " count]],
        /// At least once, until this holds after a round.
        Until(condition: Expr) = "until" walk [when(role == Role::Behind) [condition]]
            written [when(role == Role::Behind) [" until " condition]],
    }

    /// `x in S backwards where P`.
    pub struct Each(role) = "each"
        written [{binder.name} " in " {binder.set} ?backwards[" backwards"]
            when(binder.condition.is_there()) [" where " {binder.condition}]] {
        /// Name, set and condition.
        binder: Binder as role,
        /// Whether it runs from the last member to the first.
        backwards: bool,
    }

    /// `[may] choose WHO …`.
    pub struct Choose = "choose" walk [who otherwise among]
        written [?may["may "] "choose " who among tail ?otherwise[" otherwise " otherwise]] {
        /// Whether the chooser may decline.
        may: bool,
        /// Who chooses.
        who: Chooser,
        /// Among what.
        among: Among,
        /// What is done if there is nothing to choose; there the chosen member is not known.
        otherwise: Option<Block>,
        /// Citations and the like.
        tail: Tail,
    }

    /// Who chooses.
    pub enum Chooser {
        /// `chance`.
        Chance(at: Span) word "chance",
        /// A seat.
        Seat(who: Expr as Role::Tight) = "seat",
    }

    /// What there is to choose among.
    #[expect(
        clippy::large_enum_variant,
        reason = "trees are small, and boxes would be in every pattern"
    )]
    pub enum Among {
        /// `: a | b(x: 1) | name "text" { … }`.
        Alternatives(alternatives: Vec<Alternative>) written [": " alternatives],
        /// `x in S where P weighted w [{ … }]`.
        Members = "members" walk [scope(body.is_some()) { binder weight body }]
            written [" " binder ?weight[" weighted " weight] ?body[" " body]] {
            /// The name of the chosen member, the set, the condition.
            binder: Binder as Role::Binds(Binds::Chosen),
            /// How likely each member is, if chance chooses.
            weight: Option<Expr>,
            /// What is done with it; without a body the name is bound for the rest of the block.
            body: Option<Block>,
        },
    }

    /// An action with some of its parameters, or an option written in place.
    pub struct Alternative = "alt"
        written [name ?args["(" args ")"] ?text[" " text] ?condition[" where " condition] ?body[" " body]] between " | " {
        /// The action, or the name of the option.
        name: Name as if text.is_none() { Role::Uses(Use::Call) } else { Role::Plain },
        /// Parameters that are fixed.
        args: Vec<Arg>,
        /// How an option written in place is printed; without it this is an action.
        text: Option<Template>,
        /// Where it is offered; everywhere, if that is not said.
        condition: Option<Expr> as Role::IfAny,
        /// What happens then; of an action, behind its `do`.
        body: Option<Block>,
        /// The whole alternative.
        span: Span,
    }

    /// `once|many NAME: a | b`: something that a window offers.
    pub struct Slot = "slot" walk [tail alternatives]
        written [when(**many) ["many "] when(!**many) ["once "] name ": " alternatives tail] between "  " {
        /// Whether it may be used more than once.
        many: bool,
        /// Its label.
        name: Name,
        /// What it offers.
        alternatives: Vec<Alternative>,
        /// Citations and the like.
        tail: Tail as Role::Of(*span),
        /// The whole slot.
        span: Span,
    }

    /// `move … to W with field = e`.
    pub struct Move = "move" written ["move " what " to " to ?with[" with " with]] {
        /// What moves and from where.
        what: Moved,
        /// Where it goes.
        to: Expr as Role::Changed,
        /// Fields of the new place.
        with: Vec<FieldValue>,
    }

    /// What a [`Move`] moves.
    pub enum Moved {
        /// `move PLACE to …`: the one component there.
        Place(place: Expr as Role::Changed) = "place",
        /// `move all of Z to …`.
        All(zone: Expr as Role::Changed) = "all" written ["all of " zone],
        /// `move all of Z where P to …`, `move all of S from Z to …`: of each that lies there what passes, or one
        /// of each member.
        Each = "each" walk [what from { "it" condition }]
            written ["all of " what ?from[" from " from] ?condition[" where " condition]] {
            /// A zone, or the members of a set.
            what: Expr as Role::Changed,
            /// Where the members lie.
            from: Option<Expr> as Role::Changed,
            /// Which of them; may read `it`.
            condition: Option<Expr>,
        },
        /// `move top of Z to …`, `move bottom of Z to …`.
        Top = "top" written [when(end.is_none()) ["top"] ?end[end] ?amount[" " amount] " of " zone] {
            /// From where, if not from the top.
            end: Option<PileEnd> as Role::IfAny,
            /// How many, one after the other; one if not said.
            amount: Option<Expr> as Role::IfAny,
            /// The pile.
            zone: Expr as Role::Changed,
        },
        /// `move [n of] x from Z to …`: copies of one kind.
        Copies = "copies" written [?amount[amount " of "] component " from " from] {
            /// How many; one if not said.
            amount: Option<Expr> as Role::Tight,
            /// The kind.
            component: Expr as Role::Tight,
            /// Where they lie.
            from: Expr as Role::Changed,
        },
    }

    /// Where a pile is taken from, if not from the top.
    pub enum PileEnd {
        /// The lowest first.
        Bottom word "bottom" written ["bottom"],
    }

    /// One side of an exchange.
    pub enum Exchanged {
        /// The one component in a place.
        Place(place: Expr as Role::Changed) = "place",
        /// `all of Z`: everything there.
        All(zone: Expr as Role::Changed) = "all" written ["all of " zone],
        /// `x from Z`: one copy of a kind.
        Copy = "copy" written [component " from " from] {
            /// The kind.
            component: Expr as Role::Tight,
            /// Where it lies.
            from: Expr as Role::Changed,
        },
    }

    /// `field = e`.
    pub struct FieldValue = "with" written [field " = " value] {
        /// The field.
        field: Name as Role::Uses(Use::Field),
        /// Its value.
        value: Expr,
    }
}

impl StatementKind {
    /// How the statements that begin with a verb are written: the verb, and what goes with it.
    pub const EXAMPLES: [&str; 27] = [
        "let n = count hand[me]",
        "track taken: 0..3 = 0",
        "while count hand[me] > 3 { … }",
        "repeat 3 { … }",
        "step play { … }",
        "choose me: buy | sell",
        "together s in seat { choose s: lay }",
        "window me { once bargain: buy }",
        "turns me from anna { … }",
        "move c from hand[me] to deck",
        "lay hand[anna] \"9s 4c\"",
        "clear hand[me]",
        "draw 2 of deck to hand[me]",
        "exchange c from hand[me] with row[left]",
        "pack field towards e",
        "shuffle deck",
        "show hand[anna] to all",
        "tell all \"the market closes\"",
        "ranking seat by coins[it]",
        "winner me",
        "end over()",
        "next",
        "again",
        "return coins[me]",
        "if coins[me] > 3 { … }",
        "by plums { double => { … } }",
        "for each s in seat { … }",
    ];
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

impl Tree for AssignOp {
    fn write<W: Writer>(&self, w: &mut W, _role: Role) {
        w.word(self.word());
    }
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
