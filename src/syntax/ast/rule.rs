use super::table::nodes;
use super::tree::As;
use super::*;

nodes! {
    /// `define dug(s: seat): set of Plot [depth N] = e`.
    pub struct Define = "define" {
        /// Its name.
        name: Name,
        /// What it depends on; if empty, it is used without parentheses.
        params: Vec<Param>,
        /// The type of the value.
        ty: Type,
        /// How deep it may call itself.
        depth: Option<Number>,
        /// The value.
        value: Expr,
    }

    /// `event claim(c: Colour) [depth N] "{c} is claimed" { … }`.
    pub struct Event = "event" {
        /// Its name.
        name: Name,
        /// What it depends on.
        params: Vec<Param>,
        /// How deep it may call itself.
        depth: Option<Number> as Role::IfAny,
        /// What is told when it happens.
        text: Option<Template> as Role::IfAny,
        /// What happens.
        body: Block,
    }

    /// `action swap(used in hand[me]) "swap {used}" { require … do { … } }`.
    pub struct Action = "action" walk [params text requires alternatives again(false) { body }] {
        /// Its name.
        name: Name,
        /// What the seat chooses.
        params: Vec<Param>,
        /// How the move is printed and typed.
        text: Option<Template>,
        /// The clauses.
        requires: Vec<Require>,
        /// In place of all else: the list of alternatives that it is a name for.
        alternatives: Vec<Alternative> as Role::IfAny,
        /// What the move does.
        body: Option<Block>,
    }

    /// `require stalemate: e else "…"`.
    pub struct Require = "require" walk [tail condition message] {
        /// The doc comment before it.
        docs: Vec<Doc> as Role::Silent,
        /// The label.
        label: Name,
        /// What must hold.
        condition: Expr,
        /// What is said if it does not hold.
        message: Option<Template> as Role::Silent,
        /// Citations and the like.
        tail: Tail as Role::Of(*span),
        /// The whole clause.
        span: Span,
    }

    /// `flow round(leader: seat): seat { … }`.
    pub struct Flow = "flow" {
        /// Its name.
        name: Name,
        /// What it depends on.
        params: Vec<Param>,
        /// The type of the value it returns.
        result: Option<Type>,
        /// How deep it may call itself.
        depth: Option<Number>,
        /// How it goes on.
        body: Block,
    }

    /// `ending finished() { ranking seat by points }`.
    pub struct Ending = "ending" {
        /// Its name.
        name: Name,
        /// What it depends on.
        params: Vec<Param>,
        /// The judgement.
        body: Block,
    }

    /// `invariant halves(d: Design) where drawn(d): e else "…"`.
    pub struct Invariant {
        /// Its name.
        name: Name,
        /// For which values it holds: for all.
        params: Vec<Param>,
        /// For which of them only.
        guard: Option<Expr>,
        /// What always holds.
        condition: Expr,
        /// What is wrong where it does not hold.
        message: Option<Template>,
    }

    /// `measure lead(s: seat): int = e each turn`.
    pub struct Measure {
        /// Its name.
        name: Name,
        /// The seat, where it is measured for each of them.
        params: Vec<Param>,
        /// The type of the value.
        ty: Type,
        /// What is measured.
        value: Expr,
        /// When; at the end, if it is not said.
        moment: Option<Moment>,
    }

    /// When something is measured.
    pub enum Moment {
        /// `each turn`.
        Turn word "each turn",
        /// `at end`.
        End word "at end",
        /// `when P`.
        When(condition: Expr) = "when",
    }

    /// `picture Part(t, s) { line grey "road" where … … }`.
    pub struct Picture {
        /// The space of the parts.
        space: Name as Role::Uses(Use::Named),
        /// What the conditions call a component and a slot.
        formals: Vec<Name> as Role::Binds(Binds::Formal),
        /// What the parts look like.
        layers: Vec<Layer>,
    }

    /// `area "▒" "#" brown "city" where e`.
    pub struct Layer {
        /// How it is drawn.
        brush: Brush,
        /// What stands for it in a terminal.
        sign: Option<Text>,
        /// The same in plain ASCII.
        plain: Option<Text>,
        /// Its colour.
        colour: Name,
        /// What it is.
        title: Text,
        /// Which parts look like this; all, if not said.
        condition: Option<Expr>,
        /// The whole layer.
        span: Span,
    }
}

/// How a part is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brush {
    /// It fills what nothing else covers.
    Ground,
    /// A stroke between its ports.
    Line,
    /// A shape along its sides.
    Area,
    /// A sign where its line ends before the middle.
    Stop,
    /// A sign in its middle.
    Mark,
}

impl Tree for Brush {}

impl Brush {
    /// Returns the word that stands for it.
    pub fn word(self) -> &'static str {
        match self {
            Brush::Ground => "ground",
            Brush::Line => "line",
            Brush::Area => "area",
            Brush::Stop => "stop",
            Brush::Mark => "mark",
        }
    }
}

nodes! {
    /// `show Card as "{rank}{suit}"`, `show board as "board" chequered from front`, `show exposed on field as "( )"`.
    pub struct ShowDecl = "show" walk [name on side] {
        /// A kind of value, what stands on the table, or what is marked.
        name: Name as Role::Uses(Use::Named),
        /// Where it is marked.
        on: Option<MarkedOn> as Role::IfAny,
        /// How its values are printed.
        template: Template,
        /// Whether its places are dark and light by turns.
        chequered: bool as Role::IfAny,
        /// Which side of it is whose.
        side: Option<SideOf> as Role::IfAny,
    }

    /// `on field`.
    pub struct MarkedOn = "on" {
        /// A zone or a track over a board.
        name: Name as Role::Uses(Use::Named),
    }

    /// `from front`.
    pub struct SideOf = "from" {
        /// A table or a definition of a seat.
        name: Name as Role::Uses(Use::Named),
    }
}

nodes! {
    /// `hide deck, worth`.
    pub struct Hide = "hide" walk [names] {
        /// Zones, tracks, definitions and tables.
        names: Vec<Name> as Role::Uses(Use::Named),
    }
}

/// `aside book T-1, T-2 "why it holds no rule"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Aside {
    /// The sentences.
    pub cites: Vec<Cite>,
    /// Why they hold no rule.
    pub reason: Text,
}

/// `sentences book "The cards" { T-1 "two play"  T-2 "…" }`.
#[derive(Clone, Debug, PartialEq)]
pub struct SentenceList {
    /// The source that they are in.
    pub source: Name,
    /// The heading that they stand under.
    pub heading: Text,
    /// The sentences.
    pub sentences: Vec<Worded>,
}

/// `T-1 "two play"`: a sentence of a source, in the words of the rulebook.
#[derive(Clone, Debug, PartialEq)]
pub struct Worded {
    /// Its number.
    pub id: SentenceId,
    /// What it says.
    pub text: Text,
    /// The whole of it.
    pub span: Span,
}

impl Tree for Aside {}

impl Tree for SentenceList {}
