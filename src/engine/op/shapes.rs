//! What operations point to because it is too large for them: shapes, choice points, frames.

use super::{Code, Pc, Reg};
use crate::engine::operands::{Effect, List, Operand};
use crate::model::{ClauseId, LocalId, ProcId};
use crate::source::Span;

/// Data of `Op::Walk`, `Op::Rays` and `Op::Step`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkShape {
    /// Where `next[way * cells + cell]` starts in the data; -1 is off the board.
    pub base: u32,
    /// Number of cells.
    pub cells: u32,
    /// Number of ways: the opposite lies half of them further on.
    pub ways: u32,
    /// Words of a set of cells.
    pub words: u16,
    /// Whether only the number of cells is asked for.
    pub count: bool,
    /// Whether the cell at which the walk stops is one of its cells.
    pub beyond: bool,
    /// Where the ways start in `Code::shifts`, for a space of at most 64 cells.
    pub shifts: Option<u32>,
}

/// Data of `Op::JumpLine`: whether walks in two opposite ways have together a length in `least..=most`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineShape {
    /// In `Code::walks`.
    pub walk: u16,
    /// Two ways for each line.
    pub ways: Vec<[u16; 2]>,
    /// The same as shifts; none where one of them is no shift.
    pub shifts: Vec<[Shift; 2]>,
    /// The least length.
    pub least: u64,
    /// The greatest length.
    pub most: u64,
}

/// A way that goes from each cell to the one so many further on or back: a step of a set of cells of
/// one word is a shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    /// The cells from which the way leads to another; none where it is no shift.
    pub keep: u64,
    /// By how many bits the word is turned left; none where the way is no shift.
    pub by: Option<std::num::NonZeroU8>,
}

impl Shift {
    /// The cells one step further.
    #[inline]
    #[must_use]
    pub fn after(self, cells: u64) -> u64 {
        (cells & self.keep).rotate_left(self.turns())
    }

    /// The cells from which a step leads to some others.
    #[inline]
    #[must_use]
    pub fn before(self, cells: u64) -> u64 {
        cells.rotate_right(self.turns()) & self.keep
    }

    fn turns(self) -> u32 {
        self.by.map_or(0, |by| u32::from(by.get()))
    }
}

impl LineShape {
    /// A shape whose shifts are looked up.
    pub fn of(walk: u16, ways: Vec<[u16; 2]>, [least, most]: [u64; 2], code: &Code) -> Self {
        let along = code.walks.get(usize::from(walk));
        let shift = |way: u16| code.shift(along?, u64::from(way));
        let both = ways
            .iter()
            .map(|[one, two]| Some([shift(*one)?, shift(*two)?]));
        let shifts = both.collect::<Option<Vec<_>>>().unwrap_or_default();
        Self {
            walk,
            ways,
            shifts,
            least,
            most,
        }
    }
}

/// A loop over elements and, for each, the members of its row that are in `within`: lists a move for each, or jumps at
/// the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RowsOp {
    /// The packed move so far.
    pub a: Reg,
    /// The elements, where they come from sets: one set after the other.
    pub set: Reg,
    /// Which members are meant.
    pub within: Reg,
    /// By how much the rows are moved on.
    pub off: Reg,
    /// In `Code::rows`.
    pub shape: u16,
    /// Where to jump.
    pub to: Pc,
    /// Words of all sets of elements; 0 where they are more than fit, or come from elsewhere.
    pub sets: u8,
    /// Words of `within`, and of a row where the same members are meant of all.
    pub n: u8,
}

impl RowsOp {
    pub(super) fn name(&self) -> &'static str {
        "Rows"
    }

    pub(super) fn effect(&self) -> Effect {
        Effect::OTHER
    }

    pub(super) fn operands(&mut self, f: &mut dyn FnMut(&'static str, Operand<'_>)) {
        f("a", Operand::Use(&mut self.a, Some(1)));
        let sets = (self.sets > 0).then_some(u16::from(self.sets));
        f("set", Operand::Use(&mut self.set, sets));
        f(
            "within",
            Operand::Use(&mut self.within, Some(u16::from(self.n))),
        );
        f("off", Operand::Use(&mut self.off, Some(1)));
        f("shape", Operand::Index(List::Rows, usize::from(self.shape)));
        f("to", Operand::To(&mut self.to));
    }
}

/// Data of [`RowsOp`]: the row of element `x` is the set at `data[base + off + own * x + bias + stride * g]`, where
/// `g` is what is gathered from around `x`; of several bases, the union of the sets of those in whose set `x` is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowsShape {
    /// Where the elements come from.
    pub source: RowsSource,
    /// Where the rows start in the data; each has a set of elements.
    pub bases: Vec<u32>,
    /// By how much the row goes on with the element.
    pub own: u32,
    /// The same for all elements.
    pub bias: i64,
    /// What is gathered, in `Code::gathered`, and its stride.
    pub gathered: Option<(u16, u32)>,
    /// Where the element and the member lie in a packed move; nowhere where the first one jumps.
    pub shifts: Option<[u8; 2]>,
    /// Of the member only a coordinate, as in [`SlotBits`].
    pub part: Option<[u64; 2]>,
    /// Whether of each base other members are meant: as many sets, one after the other.
    pub apart: bool,
}

/// Where the elements of a loop over rows come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsSource {
    /// Sets of so many words.
    Set(u16),
    /// The free spots beside what lies in a zone over a plane.
    Free(u16),
}

/// Parts chosen by what they are parts of: `data[base + kind]` has the slots of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptShape {
    /// The zone over the plane.
    pub zone: u16,
    /// Parts of a component.
    pub slots: u16,
    /// Where the slots of each kind start in the data.
    pub base: u32,
}

/// What each neighbour of a spot shows it, as one number: `data[base + content * 4 + way]` has the
/// digit of the neighbour over that side, a content being the kind and then the fields of the place
/// in mixed radix; `contents` of them, the last for an empty place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatheredShape {
    /// The zone over the plane.
    pub zone: u16,
    /// Where the digits start in the data.
    pub base: u32,
    /// Number of contents, the empty place included.
    pub contents: u32,
    /// Number of values of each field of the place.
    pub fields: Vec<u16>,
    /// Number of values of a digit.
    pub radix: u16,
}

/// A choice point.
#[derive(Clone, Debug)]
pub struct Point {
    /// Lists the moves and stops.
    pub list: Pc,
    /// Its clause.
    pub clause: ClauseId,
    /// Where it says who chooses: one clause may have several choices.
    pub at: Span,
    /// What is kept of the procedure that asks.
    pub frame: Frame,
    /// What is kept of a choice that several make at the same time.
    pub pending: Option<Pending>,
    /// Its alternatives, in the order of listing; the low byte of a move is the index.
    pub alts: Vec<Choice>,
}

/// What is kept while several seats choose at the same time: sets of seats of one word, and moves.
#[derive(Clone, Debug)]
pub struct Pending {
    /// The seat that is asked.
    pub seat: Reg,
    /// All who choose.
    pub all: Reg,
    /// Those who have yet to choose.
    pub left: Reg,
    /// Those who have nothing to choose.
    pub idle: Reg,
    /// By seat: what it has chosen.
    pub moves: Vec<Reg>,
}

impl Pending {
    /// Calls `f` with each register.
    pub fn each_reg(&mut self, f: impl FnMut(&mut Reg)) {
        let sets = [
            &mut self.seat,
            &mut self.all,
            &mut self.left,
            &mut self.idle,
        ];
        sets.into_iter().chain(&mut self.moves).for_each(f);
    }
}

/// What a procedure keeps while somebody chooses.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Holds the place to return to.
    pub back: Option<Reg>,
    /// Its locals, in the order in which they were bound.
    pub locals: Vec<(LocalId, Reg)>,
}

impl Frame {
    /// Calls `f` with each register.
    pub fn each_reg(&mut self, f: impl Fn(&mut Reg)) {
        let locals = self.locals.iter_mut().map(|(_, reg)| reg);
        self.back.iter_mut().chain(locals).for_each(f);
    }
}

/// An alternative of a choice point.
#[derive(Clone, Debug)]
pub struct Choice {
    /// What it is.
    pub kind: ChoiceKind,
    /// Its parameters in the packed move.
    pub slots: Vec<SlotBits>,
    /// Goes on from there with the move in `word::MOVE`.
    pub entry: Pc,
}

/// What an alternative is.
#[derive(Clone, Debug, PartialEq)]
pub enum ChoiceKind {
    /// An action; arguments fixed by the alternative are expressions of the rulebook and packed too.
    Action(crate::model::ActionId),
    /// A named option.
    Inline {
        /// Name, as addressed.
        name: String,
        /// As printed.
        text: String,
    },
    /// A value of `choose x in S`.
    Value(crate::model::LocalId),
}

/// Where a parameter lies in a packed move: stored as value - `lo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotBits {
    /// First bit.
    pub shift: u8,
    /// Number of bits.
    pub bits: u8,
    /// Subtracted from the value.
    pub lo: i64,
    /// What stands for a value that is missing, where it may be.
    pub none: Option<u64>,
    /// Of the place that is listed only this coordinate: how far the next one is, and how many there are.
    pub part: Option<[u64; 2]>,
}

/// An ending's mark in `word::ENDING`.
pub(in crate::engine) fn ending_word(proc: ProcId) -> i64 {
    i64::from(proc.0) + 1
}
