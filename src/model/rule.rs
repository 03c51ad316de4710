//! Definitions, actions, procedures, rulings, studies.

use std::collections::BTreeSet;

use super::{Alt, Binder, ClauseId, Expr, ExprKind, LocalId, Place, ProcId, SettingId, Stmt, Type};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// A pure definition.
#[derive(Clone, Debug)]
pub struct Define {
    /// As written.
    pub name: String,
    /// Parameters.
    pub params: Vec<LocalId>,
    /// Value.
    pub body: Expr,
    /// Type of the value; a number outside it is a fault.
    pub ty: Type,
    /// Deepest recursion; 0 where it is not recursive.
    pub depth: u32,
    /// Its clause.
    pub clause: ClauseId,
}

/// What a procedure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProcKind {
    /// No choices.
    Event,
    /// May choose.
    Flow,
    /// Runs when the game has ended: no choice, exactly one result.
    Ending,
    /// The `do` of an action: may choose.
    Body,
}

/// A named sequence of statements.
#[derive(Clone, Debug)]
pub struct Proc {
    /// As written; an action's body has the action's name.
    pub name: String,
    /// What it is.
    pub kind: ProcKind,
    /// Parameters. Where it reads `me`, that is the first one, and every call passes it.
    pub params: Vec<LocalId>,
    /// Statements.
    pub body: Vec<Stmt>,
    /// Type of the value that `return` gives; `UNIT` for none.
    pub ty: Type,
    /// Deepest recursion; 0 where it is not recursive.
    pub depth: u32,
    /// Whether it, or what it calls, stops at a choice of a seat.
    pub chooses: bool,
    /// Its clause.
    pub clause: ClauseId,
}

/// What a seat may choose.
#[derive(Clone, Debug)]
pub struct Action {
    /// As written.
    pub name: String,
    /// Bound to the seat that acts.
    pub me: LocalId,
    /// In order.
    pub params: Vec<Param>,
    /// Those of them that go by one name.
    pub several: Vec<Several>,
    /// All must hold: requires, then guards of the events that the action performs.
    pub requires: Vec<Require>,
    /// What it does: a [`super::ProcKind::Body`] whose parameters are `me` and then the action's.
    pub body: ProcId,
    /// As printed and typed; holes are expressions over `me`, the parameters and the position.
    pub text: Template,
    /// Its clause.
    pub clause: ClauseId,
}

impl Action {
    /// What it may choose from, what it requires, and what its texts name.
    #[must_use]
    pub fn exprs(&self) -> Vec<&Expr> {
        let ranges = self.params.iter().flat_map(|it| it.over.exprs());
        let messages = self.requires.iter().filter_map(|it| it.message.as_ref());
        let holes = messages.chain([&self.text]).flat_map(Template::holes);
        let conditions = self.requires.iter().map(|require| &require.cond);
        ranges.chain(conditions).chain(holes).collect()
    }
}

/// A parameter of an action.
#[derive(Clone, Debug)]
pub struct Param {
    /// Bound in the later parameters, the requires and the text.
    pub local: LocalId,
    /// Legal values: may read `me` and the parameters before it.
    pub over: super::Over,
    /// Where it is one of several members of a set that are taken together.
    pub member: Option<Member>,
    /// Its clause, named like the parameter.
    pub clause: ClauseId,
}

/// One of several members of a set that are taken together, in order: the parameters of the others stand before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// How many stand before it. Each is greater than the one before; over a zone also equal, where so many
    /// copies lie there.
    pub before: usize,
    /// Whether it may be missing; then all before it are.
    pub optional: bool,
}

/// Bits of a move that its parameters have room in.
pub const MOVE_BITS: u8 = 55;

/// Parameters that go by one name: `cards in 2..3 of hand[me]`.
#[derive(Clone, Debug)]
pub struct Several {
    /// As written.
    pub name: String,
    /// Which parameters of the action.
    pub params: std::ops::Range<usize>,
    /// What they are a set over; of what may lie in a zone more than once each kind with the number of its copy.
    pub domain: super::DomainId,
}

/// A condition of an action.
#[derive(Clone, Debug)]
pub struct Require {
    /// Legal only where this holds. A `forbid … when E` is `not E`, in the state at the moment of the
    /// guarded call; permits and exceptions are already in it.
    pub cond: Expr,
    /// Why not, in the rulebook's words.
    pub message: Option<Template>,
    /// Its clause: kind `Require` or `Forbid`.
    pub clause: ClauseId,
    /// The condition without permits and exceptions, where there are some.
    pub bare: Option<Expr>,
    /// The permits and exceptions that are in the condition.
    pub lifts: Vec<Lift>,
}

/// A `permit` or `except`.
#[derive(Clone, Debug)]
pub struct Lift {
    /// Where this holds, what it lifts does not refuse.
    pub cond: Expr,
    /// Its clause.
    pub clause: ClauseId,
}

/// Text with holes.
#[derive(Clone, Debug)]
pub struct Template {
    /// In order.
    pub parts: Vec<TemplatePart>,
}

/// A piece of a template.
#[derive(Clone, Debug)]
pub enum TemplatePart {
    /// As it stands.
    Text(String),
    /// The printed value of an expression.
    Hole(Expr),
}

/// What somebody is told when the rules come to it. It changes nothing.
#[derive(Clone, Debug)]
pub struct Telling {
    /// A seat, or a set of seats; none: everybody.
    pub to: Option<Expr>,
    /// The words.
    pub text: Template,
    /// The value that has just been set, if these words say why; told to who sees it.
    pub of: Option<Reason>,
    /// The locals that all this reads.
    pub locals: Vec<LocalId>,
}

/// The value that some words explain.
#[derive(Clone, Debug)]
pub struct Reason {
    /// Of which track.
    pub track: super::TrackId,
    /// At which place.
    pub index: Vec<Expr>,
    /// The value that was there before; none of a set.
    pub before: Option<Expr>,
}

impl Reason {
    /// What is worked out to tell it: the place, and behind it the value before.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        self.index.iter().chain(&self.before)
    }
}

impl Telling {
    /// Calls `f` with each expression that is worked out.
    pub fn exprs<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        self.to.iter().for_each(&mut *f);
        let of = self.of.iter().flat_map(Reason::exprs);
        of.for_each(&mut *f);
        self.text.holes().for_each(&mut *f);
    }
}

impl Template {
    /// The expressions in its holes.
    pub fn holes(&self) -> impl Iterator<Item = &Expr> {
        self.parts.iter().filter_map(|part| match part {
            TemplatePart::Hole(expr) => Some(expr),
            TemplatePart::Text(_) => None,
        })
    }
}

/// A truth.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// As written.
    pub name: String,
    /// Must hold. With parameters: an `Every` over them.
    pub cond: Expr,
    /// What is wrong where it does not hold; its holes may read the parameters.
    pub message: Option<Template>,
    /// Its clause.
    pub clause: ClauseId,
}

/// A number that is taken down of many games; no rule can read it.
#[derive(Clone, Debug)]
pub struct Measure {
    /// As written; for each seat with its name: `lead(anna)`.
    pub name: String,
    /// The seat, where it is measured for each: those of one measure stand behind one another.
    pub seat: Option<u32>,
    /// A number or a truth.
    pub value: Expr,
    /// When it is taken.
    pub moment: Moment,
    /// Its clause.
    pub clause: ClauseId,
}

/// When something is measured.
#[derive(Clone, Debug)]
pub enum Moment {
    /// Where a seat is to choose that did not make the choice before.
    Turn,
    /// When the game is over.
    End,
    /// At each choice in whose position this holds.
    When(Expr),
}

impl Measure {
    /// Returns the expressions whose values are asked for.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let condition = match &self.moment {
            Moment::When(condition) => Some(condition),
            Moment::Turn | Moment::End => None,
        };
        std::iter::once(&self.value).chain(condition)
    }

    /// The same to be changed.
    pub fn exprs_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let condition = match &mut self.moment {
            Moment::When(condition) => Some(condition),
            Moment::Turn | Moment::End => None,
        };
        std::iter::once(&mut self.value).chain(condition)
    }
}

/// What another reading of a question would change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dispute {
    /// Its address.
    pub address: String,
    /// The question.
    pub question: String,
    /// Whether what stands in it is changed as well: more may only happen at its edge, or be forbidden.
    pub inside: bool,
}

/// A disputed case that runs.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// As written, `R-F1`.
    pub id: String,
    /// The question.
    pub title: String,
    /// The settings that it answers.
    pub answers: Vec<SettingId>,
    /// The number of seats that it names: that of this game.
    pub players: Option<u32>,
    /// Whether this game has the very rules that it was written for: the settings by default, no amendment
    /// but those that it stands on, the seats that it names or the fewest.
    pub at_home: bool,
    /// The position.
    pub start: Start,
    /// Choices made then, in order.
    pub when: Vec<Played>,
    /// What must hold then. Those whose `under` does not agree with this game are left out.
    pub expects: Vec<Expect>,
    /// Behind so many choices another line of the ruling says how it goes on under these rules; a choice that cannot be
    /// made then ends this one.
    pub loose: Option<usize>,
    /// The settings that it names and for whose values here it was not written.
    pub foreign: Vec<SettingId>,
    /// Its text.
    pub span: Span,
    /// Its clause.
    pub clause: ClauseId,
}

/// How a position comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Seed of chance before and after the position is set up.
    pub seed: u64,
    /// The step at whose first entry `given` runs; `None`: before `main`.
    pub at: Option<ClauseId>,
    /// Changes the position; a [`super::ProcKind::Event`].
    pub given: Option<ProcId>,
}

/// A search over positions.
#[derive(Clone, Debug)]
pub struct Study {
    /// As written.
    pub id: String,
    /// The question.
    pub title: String,
    /// The number of seats that it names: that of this game.
    pub players: Option<u32>,
    /// Where it starts. What chance gives behind that is not fixed.
    pub start: Start,
    /// Whether there is what is looked for.
    pub find: Expr,
    /// Whether `find` is a `some` whose variables have been named: `find x in S`.
    pub named: bool,
    /// What no continuation may reach.
    pub never: Option<Expr>,
    /// How far it looks.
    pub plies: u32,
    /// Its clause.
    pub clause: ClauseId,
}

/// A seat and what it plays.
#[derive(Clone, Debug)]
pub struct Played {
    /// A seat.
    pub who: Expr,
    /// Arguments may be left open.
    pub alt: PlayedAlt,
    /// Its text.
    pub span: Span,
}

/// What is played in a ruling.
#[derive(Clone, Debug)]
pub enum PlayedAlt {
    /// An action with some arguments.
    Action(Alt),
    /// An inline option, a value of a `choose x in S`, `decline` or `done`, as printed.
    Text(String),
}

/// A ruling or study of which a game makes nothing.
#[derive(Clone, Debug)]
pub struct Unheard {
    /// As written.
    pub id: String,
    /// The question.
    pub title: String,
    /// Whether it is a study.
    pub is_study: bool,
    /// Its text.
    pub span: Span,
    /// Why.
    pub why: Silence,
    /// What would have been wrong with it.
    pub said: Vec<Diagnostic>,
    /// The amendments that it was written for.
    pub home: BTreeSet<String>,
}

/// Why a game makes nothing of a ruling or study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// It names another number of seats.
    Seats(u32),
    /// It names what these rules do not have.
    Missing,
    /// It starts at a step that these readings do not have.
    Step,
}

/// What must hold in a ruling.
#[derive(Clone, Debug)]
pub struct Expect {
    /// What.
    pub kind: ExpectKind,
    /// Settings named in `under`; empty where it holds for the default readings and for every game
    /// in which no `under` of the ruling matches.
    pub under: Vec<(SettingId, i64)>,
    /// Whether it was written for these very rules: all that is not as usual is named in `under`.
    pub at_home: bool,
    /// How many of the ruling's choices are made before.
    pub after: usize,
    /// Its text.
    pub span: Span,
}

/// What must hold.
#[derive(Clone, Debug)]
pub enum ExpectKind {
    /// Some instance is legal.
    Legal(Played),
    /// No instance is legal, and the clause named refuses.
    Illegal(Played, Option<ClauseId>),
    /// The seat has exactly these; of all moves, or of those of one action.
    Offers(Expr, Vec<PlayedAlt>, Option<PlayedAlt>),
    /// True in the position reached.
    Holds(Expr),
    /// The game has ended, by this ending if given.
    Ended(Option<ProcId>),
    /// The game has ended, and these have won.
    Won(Winners),
    /// The seat is shown this, in these words.
    Sees(Expr, Looked, String),
    /// The seat is told this of the last choice, and nothing else.
    Told(Expr, String),
}

/// Who wins.
#[derive(Clone, Debug)]
pub enum Winners {
    /// This seat, or none: a draw.
    One(Expr),
    /// All of a set, or nobody where it is empty: by the seat that the local stands for, 1 for those in it, else 0.
    Together(LocalId, Expr),
}

/// What a seat looks at.
#[derive(Clone, Debug)]
pub enum Looked {
    /// What lies at a place.
    Place(Place),
    /// A value.
    Value(Expr),
}

macro_rules! asked_exprs {
    ($name:ident $(, $m:tt)?) => {
        /// Returns the expressions whose values are asked for.
        pub fn $name(&$($m)? self) -> Vec<&$($m)? Expr> {
            match self {
                ExpectKind::Holds(truth) => vec![truth],
                ExpectKind::Sees(who, Looked::Value(value), _) => vec![who, value],
                ExpectKind::Sees(who, Looked::Place(place), _) => {
                    std::iter::once(who).chain(&$($m)? place.index).collect()
                }
                ExpectKind::Won(Winners::One(who) | Winners::Together(_, who))
                | ExpectKind::Told(who, _) => vec![who],
                ExpectKind::Legal(_)
                | ExpectKind::Illegal(..)
                | ExpectKind::Offers(..)
                | ExpectKind::Ended(_) => Vec::new(),
            }
        }
    };
}

impl ExpectKind {
    asked_exprs!(exprs);
    asked_exprs!(exprs_mut, mut);
}

impl Study {
    /// Returns the names of what is looked for; `never` may read them.
    pub fn binders(&self) -> &[Binder] {
        match &self.find.kind {
            ExprKind::Aggregate(it) if self.named => &it.binders,
            _ => &[],
        }
    }

    /// Returns the expressions that it asks for.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        std::iter::once(&self.find).chain(&self.never)
    }
}
