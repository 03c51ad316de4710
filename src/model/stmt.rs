//! Statements: what happens, and where somebody chooses.

use super::{
    ActionId, Binder, ClauseId, Expr, ExprKind, LocalId, Over, Place, ProcId, StreamId, TellingId,
    TrackId, ZoneId,
};
use crate::source::Span;

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Its text.
    pub span: Span,
}

/// Assignment operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignOp {
    /// `=`
    Set,
    /// `+=`; on a set: union.
    Add,
    /// `-=`; on a set: difference.
    Sub,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Binds a local for the rest of the block.
    Let(LocalId, Expr),
    /// A local that was bound by `let` gets a new value.
    SetLocal(LocalId, AssignOp, Expr),
    /// A track gets a new value; outside its bounds: a fault.
    SetTrack(TrackId, Vec<Expr>, AssignOp, Expr),
    /// A field of a filled `One` place.
    SetField(Place, usize, AssignOp, Expr),
    /// `if`.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// `by` over an enum that is not folded.
    Match(Expr, Vec<(Vec<i64>, Vec<Stmt>)>, Option<Vec<Stmt>>),
    /// For each combination, in order. The sets are evaluated once, when their loop is entered.
    ForEach(Vec<Binder>, Vec<Stmt>),
    /// `while`.
    While(Expr, Vec<Stmt>),
    /// `repeat n { }`.
    Times(Expr, Vec<Stmt>),
    /// `repeat { } until e`; without a condition, for ever.
    Repeat(Vec<Stmt>, Option<Expr>),
    /// A labelled piece.
    Step(ClauseId, Vec<Stmt>),
    /// Somebody chooses among alternatives.
    Choose(Choose),
    /// Each of these seats chooses once, none by what another one does; then all of it is done in their order.
    Together(Together),
    /// Somebody, or chance, chooses a value: the local is bound for the rest of the block.
    Pick(Pick),
    /// `window`.
    Window(Window),
    /// `turns`.
    Turns(Turns),
    /// Components change place.
    Move(Move),
    /// Two components swap places.
    Exchange(Holder, Holder),
    /// The order of a pile is forgotten, and with it what was shown of it.
    Shuffle(Place),
    /// A seat (`None`: everybody) gets to know what lies there, until it moves or is shuffled.
    Show(Place, Option<Expr>),
    /// Somebody is told something; with the values of [`super::Telling::locals`].
    Tell(TellingId, Vec<Expr>),
    /// An event, or a flow whose value is dropped.
    Call(ProcId, Vec<Expr>),
    /// A flow whose value is kept.
    CallInto(LocalId, ProcId, Vec<Expr>),
    /// Leaves the flow (or event).
    Return(Option<Expr>),
    /// Ends this turn of the innermost `turns`.
    Next,
    /// Ends this turn and gives the same seat another.
    Again,
    /// Stops the game with an ending.
    End(ProcId, Vec<Expr>),
    /// In an ending: seats ranked by keys, most important first, greatest first.
    Ranking(LocalId, Vec<Expr>),
    /// In an ending: this seat wins (an optional seat: `NONE` is a draw).
    Winner(Expr),
}

/// Who chooses.
#[derive(Clone, Debug)]
pub struct Choose {
    /// A seat.
    pub who: Expr,
    /// In order.
    pub alts: Vec<Alt>,
    /// Whether `decline` is offered behind them.
    pub may: bool,
    /// Where no alternative is legal; `None`: a fault.
    pub otherwise: Option<Vec<Stmt>>,
    /// Address and citation.
    pub clause: ClauseId,
}

/// `together s in S where C { choose s: … }`.
#[derive(Clone, Debug)]
pub struct Together {
    /// Who chooses.
    pub seats: Binder,
    /// One [`StmtKind::Choose`] of that seat.
    pub choice: Vec<Stmt>,
}

impl Together {
    /// What each of them chooses among.
    #[must_use]
    pub fn choose(&self) -> Option<&Choose> {
        self.choice.iter().find_map(|it| match &it.kind {
            StmtKind::Choose(choose) => Some(choose),
            _ => None,
        })
    }
}

/// One alternative of a choice.
#[derive(Clone, Debug)]
pub struct Alt {
    /// What is offered.
    pub kind: AltKind,
    /// Where it is offered; asked before anything of the action is.
    pub offered: Option<Offered>,
    /// What must be true of its parameters besides all that the action asks.
    pub among: Vec<Expr>,
    /// What happens once it is chosen; of an action, behind its `do`. `me` is the surrounding seat.
    pub then: Vec<Stmt>,
    /// Its text.
    pub span: Span,
}

/// `where C` behind an alternative.
#[derive(Clone, Debug)]
pub struct Offered {
    /// Must hold.
    pub cond: Expr,
    /// Its clause.
    pub clause: ClauseId,
}

/// What an alternative offers.
#[derive(Clone, Debug)]
pub enum AltKind {
    /// Every legal instance of an action; arguments that are given here are fixed.
    Action(ActionId, Vec<Option<Expr>>),
    /// A named option that is always legal.
    Inline {
        /// Name, as addressed.
        name: String,
        /// As printed and typed.
        text: String,
    },
}

/// `choose WHO x in S`.
#[derive(Clone, Debug)]
pub struct Pick {
    /// A seat, or chance.
    pub who: Picker,
    /// Bound to what was chosen.
    pub local: LocalId,
    /// A set, or the kinds lying in a zone.
    pub over: super::Over,
    /// Where there is nothing to choose; `None`: a fault.
    pub otherwise: Option<Vec<Stmt>>,
    /// `may choose`: `decline` is offered, then `local` is `NONE` (its type is optional).
    pub may: bool,
    /// Address and citation.
    pub clause: ClauseId,
}

/// Who picks.
#[derive(Clone, Debug)]
pub enum Picker {
    /// A seat.
    Seat(Expr),
    /// Chance, with a weight per value (1 where none is given), from a named stream.
    Chance(Option<Expr>, StreamId),
}

/// `window WHO { … }`: slots in any order until `done` is chosen or no slot can be used.
#[derive(Clone, Debug)]
pub struct Window {
    /// A seat.
    pub who: Expr,
    /// In order.
    pub slots: Vec<Slot>,
    /// Address and citation.
    pub clause: ClauseId,
}

/// A slot of a window.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Name, as addressed.
    pub name: String,
    /// Whether it closes after one use.
    pub once: bool,
    /// What may be chosen in it.
    pub alts: Vec<Alt>,
    /// Address and citation.
    pub clause: ClauseId,
}

/// `turns me from S [once] [where C] { … }`.
#[derive(Clone, Debug)]
pub struct Turns {
    /// Bound to the seat whose turn it is.
    pub me: LocalId,
    /// The first seat asked.
    pub from: Expr,
    /// Each seat at most once.
    pub once: bool,
    /// Which seats play, asked anew before each turn; none left ends the loop.
    pub guard: Option<Expr>,
    /// A turn.
    pub body: Vec<Stmt>,
}

/// Components change place.
#[derive(Clone, Debug)]
pub struct Move {
    /// What moves.
    pub what: What,
    /// Where to.
    pub to: Place,
    /// Fields of the new place; others keep the value they had, or their default.
    pub with: Vec<(usize, Expr)>,
    /// Whether it matters in which order many things come to lie.
    pub lie: Lie,
}

impl Move {
    /// A move of which nothing is known yet of what is asked behind it.
    #[must_use]
    pub fn new(what: What, to: Place, with: Vec<(usize, Expr)>) -> Move {
        let lie = Lie::Ordered;
        Move {
            what,
            to,
            with,
            lie,
        }
    }
}

/// What moves.
#[derive(Clone, Debug)]
pub enum What {
    /// The component at a `One` place; an empty one is a fault.
    At(Place),
    /// Everything there, order kept. What is in no order comes to lie in a pile in one that chance decides.
    All(Place),
    /// The top of a pile (a draw by chance where it is unordered); empty is a fault.
    Top(Place, StreamId),
    /// What lies so deep in a pile, the top being 1 (a draw by chance where it is unordered); none there is a fault.
    Nth(Place, Expr, StreamId),
    /// `n` copies (1 where `None`) of a component; fewer there is a fault.
    Copies(Option<Expr>, Expr, Holding),
    /// `n` components (1 where `None`) drawn by chance.
    Draw(Option<Expr>, Place, StreamId),
}

/// Whether anybody asks in which order things come to lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// It stays as it is, or chance decides.
    Ordered,
    /// Nobody asks for it before the place is shuffled.
    Mixed,
}

/// `move all of P where … to Q`, as it is written out: the copies of each kind of which something is true.
#[derive(Clone, Copy, Debug)]
pub struct Poured<'m> {
    /// What runs through the places, where there are several.
    pub places: &'m [Binder],
    /// What runs through the kinds that lie there.
    pub kinds: &'m Binder,
    /// Where they lie.
    pub from: &'m Place,
    /// Where they go.
    pub to: &'m Place,
    /// Whether it matters in which order.
    pub lie: Lie,
}

/// All of each kind that a loop moves from one place to another, where it does nothing else.
#[must_use]
pub fn poured<'m>(binders: &'m [Binder], body: &'m [Stmt]) -> Option<Poured<'m>> {
    let (kinds, places) = binders.split_last()?;
    let ([only], Over::Zone(_)) = (body, &kinds.over) else {
        return None;
    };
    let StmtKind::Move(Move { what, to, lie, .. }) = &only.kind else {
        return None;
    };
    let What::Copies(Some(amount), kind, Holding::Place(from)) = what else {
        return None;
    };
    let is_it = |it: &Expr| matches!(it.kind, ExprKind::Local(local) if local == kinds.local);
    let ExprKind::CountOf(_, counted) = &amount.kind else {
        return None;
    };
    let is_all = is_it(kind) && is_it(counted);
    is_all.then_some(Poured {
        places,
        kinds,
        from,
        to,
        lie: *lie,
    })
}

/// Where copies of a component are taken from.
#[derive(Clone, Debug)]
pub enum Holding {
    /// This place.
    Place(Place),
    /// The first place of the zone, by index, that holds it.
    Anywhere(ZoneId),
}

/// One side of an exchange.
#[derive(Clone, Debug)]
pub enum Holder {
    /// The component at a `One` place.
    At(Place),
    /// Everything in a bag.
    All(Place),
    /// A component that lies at a place.
    Copy(Expr, Place),
}
