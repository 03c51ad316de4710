//! The bytecode: register operations over one memory of 65,536 words.
//!
//! A register is an address. The memory holds, from low to high: the state block, temporaries from
//! [`TEMPS`], constants from [`CONSTS`]. Every address is a `u16`, so no access needs a bounds check.

use std::collections::HashMap;

use crate::model::{ClauseId, LocalId, ProcId, StreamId, ZoneId};
use crate::source::Span;

/// Words of the machine's memory.
pub const MEMORY: usize = 1 << 16;
/// First temporary; the state block ends below.
pub const TEMPS: u16 = 24_576;
/// First constant.
pub const CONSTS: u16 = 57_344;

/// Address of a word, used as a register.
pub type Reg = u16;
/// Index of an op. A program has at most 65,535.
pub type Pc = u16;

/// First words of the state block.
pub mod word {
    use super::Reg;
    /// Index + 1 of the pending choice point; 0 while the rules run or when the game has ended.
    pub const POINT: Reg = 0;
    /// The seat that chooses.
    pub const WHO: Reg = 1;
    /// Id + 1 of the ending, 0 during the game.
    pub const ENDING: Reg = 2;
    /// First free word.
    pub const FREE: Reg = 3;
    /// The move being played (a temporary).
    pub const MOVE: Reg = super::TEMPS;
    /// Where the procedure being called returns to (a temporary).
    pub const RETURN: Reg = super::TEMPS + 1;
    /// Whether the innermost `after` met an `end` (a temporary).
    pub const STOPPED: Reg = super::TEMPS + 2;
    /// First argument of a call, and its result (temporaries).
    pub const ARGS: Reg = super::TEMPS + 3;
    /// First temporary that code may allocate.
    pub const FREE_TEMP: Reg = super::TEMPS + 3 + 256;
}

/// One operation. `d` is the destination; `n` a number of words; sets of one word have ops of their
/// own. Element operands are bit positions: a domain's `lo` is already subtracted.
///
/// A tag of its own: one that is hidden in that of the inner operations costs the loop a fifth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[rustfmt::skip]
pub enum Op {
    // ---- control
    Jump { to: Pc },
    /// A jump backwards: costs work for the way back.
    Loop { to: Pc },
    JumpIf { a: Reg, to: Pc },
    JumpNot { a: Reg, to: Pc },
    JumpEq { a: Reg, b: Reg, to: Pc },
    JumpNe { a: Reg, b: Reg, to: Pc },
    JumpLt { a: Reg, b: Reg, to: Pc },
    JumpLe { a: Reg, b: Reg, to: Pc },
    JumpIn { set: Reg, e: Reg, to: Pc },
    JumpNotIn { set: Reg, e: Reg, to: Pc },
    /// Sets of `n` words.
    JumpEmpty { set: Reg, n: u16, to: Pc },
    JumpAny { set: Reg, n: u16, to: Pc },
    /// Stores the next pc in `word::RETURN`. What is called has so many operations.
    Call { to: Pc, work: u16 },
    /// Jumps to the pc in a register.
    Return { a: Reg },
    /// Sets `n` words to 0: a frame that is left.
    Clear { d: Reg, n: u16 },
    /// Empties the list of moves.
    List,
    /// Jumps where no move is listed yet.
    JumpNone { to: Pc },
    /// Stops at a choice, or jumps where no move is listed.
    Stop { point: u16, empty: Pc },
    /// The game has ended (inside `after`: jumps to its value).
    End,
    /// The end of a fragment.
    Halt,
    Fail { fault: FaultKind },

    // ---- words
    Mov { d: Reg, a: Reg },
    Add { d: Reg, a: Reg, b: Reg },
    AddK { d: Reg, a: Reg, k: i16 },
    Sub { d: Reg, a: Reg, b: Reg },
    Mul { d: Reg, a: Reg, b: Reg },
    Div { d: Reg, a: Reg, b: Reg },
    Mod { d: Reg, a: Reg, b: Reg },
    Abs { d: Reg, a: Reg },
    Min { d: Reg, a: Reg, b: Reg },
    Max { d: Reg, a: Reg, b: Reg },
    /// `a` modulo the constant `n`, never negative.
    Wrap { d: Reg, a: Reg, n: Reg },
    /// The shorter way round a cycle of `n`.
    CycleDistance { d: Reg, a: Reg, b: Reg, n: Reg },
    Eq { d: Reg, a: Reg, b: Reg },
    Ne { d: Reg, a: Reg, b: Reg },
    Lt { d: Reg, a: Reg, b: Reg },
    Le { d: Reg, a: Reg, b: Reg },
    Not { d: Reg, a: Reg },
    IsSome { d: Reg, a: Reg },
    /// A fault where `a` is absent.
    NeedSome { a: Reg },
    /// A fault outside `lo..=hi`; an absent value passes only where `lo` is absent itself.
    Check { a: Reg, lo: Reg, hi: Reg, fault: FaultKind },
    /// Stored form to value: 0 is absent, else `a - 1 + bias`.
    FromStored { d: Reg, a: Reg, bias: Reg },
    /// Value to stored form.
    ToStored { d: Reg, a: Reg, bias: Reg },
    /// `(a / stride) mod size`, constants in registers.
    Digit { d: Reg, a: Reg, stride: Reg, size: Reg },
    /// `data[base + i]`; a fault where `i` is outside `0..len` registers.
    Look { d: Reg, i: Reg, base: u32 },

    // ---- sets of one word
    And { d: Reg, a: Reg, b: Reg },
    Or { d: Reg, a: Reg, b: Reg },
    AndNot { d: Reg, a: Reg, b: Reg },
    Count { d: Reg, a: Reg },
    Bit { d: Reg, e: Reg },
    /// Adds an element.
    SetBit { d: Reg, e: Reg },
    Has { d: Reg, set: Reg, e: Reg },
    /// The first element of a set; jumps where it is empty; takes it out of `cur`.
    Next { cur: Reg, d: Reg, to: Pc },
    /// The same, jumping back where there is one: costs fuel.
    Again { cur: Reg, d: Reg, to: Pc },

    // ---- sets of n words
    WideMov { d: Reg, a: Reg, n: u16 },
    WideAnd { d: Reg, a: Reg, b: Reg, n: u16 },
    WideOr { d: Reg, a: Reg, b: Reg, n: u16 },
    WideAndNot { d: Reg, a: Reg, b: Reg, n: u16 },
    WideEq { d: Reg, a: Reg, b: Reg, n: u16 },
    WideCount { d: Reg, a: Reg, n: u16 },
    WideSetBit { d: Reg, e: Reg, n: u16 },
    WideHas { d: Reg, set: Reg, e: Reg, n: u16 },
    WideNext { cur: Reg, n: u16, d: Reg, to: Pc },
    WideAgain { cur: Reg, n: u16, d: Reg, to: Pc },
    /// The last element, out of `cur`; for loops backwards.
    WidePrev { cur: Reg, n: u16, d: Reg, to: Pc },
    /// First or last element, or absent.
    First { d: Reg, a: Reg, n: u16 },
    Last { d: Reg, a: Reg, n: u16 },

    // ---- memory
    Load { d: Reg, base: Reg, i: Reg },
    Load8 { d: Reg, base: Reg, i: Reg },
    Load16 { d: Reg, base: Reg, i: Reg },
    Store { base: Reg, i: Reg, a: Reg },
    Store8 { base: Reg, i: Reg, a: Reg },
    Store16 { base: Reg, i: Reg, a: Reg },
    /// `n` words from `base + i * n`.
    LoadWide { d: Reg, base: Reg, i: Reg, n: u16 },
    StoreWide { base: Reg, i: Reg, a: Reg, n: u16 },
    /// `n` words from `data[base + i * n]`.
    Row { d: Reg, i: Reg, n: u16, base: u32 },
    /// The union of the rows, `data[base + off + x * n]`, of all members of a set of `m` words.
    UnionRows { d: Reg, set: Reg, n: u8, m: u8, off: Reg, base: u32 },
    /// `{ x in set where lane[x] in row }`: bytes from `lanes`; `set` and `row` of one word.
    FilterLanes { d: Reg, set: Reg, lanes: Reg, row: Reg },
    /// `{ x in set where data[base + off + x] in filled }`; `set` of one word.
    Gather { d: Reg, set: Reg, off: Reg, filled: Reg, base: u32 },
    /// Flood from `start` within `mask` over rows of neighbours `data[base + off + x * n]`; `mask`
    /// must not be `d`.
    Reach { d: Reg, start: Reg, mask: Reg, off: Reg, n: u8, base: u32 },
    /// The run after `from` within `mask` over `data[base + way * cells + x]`, or its length: see
    /// [`WalkShape`].
    Walk { d: Reg, from: Reg, way: Reg, mask: Reg, shape: u16 },

    // ---- zones
    /// Adds a copy of a kind; a fault where it does not fit.
    Put { zone: u16, place: Reg, kind: Reg },
    /// Takes a copy away; a fault where there is none.
    Take { zone: u16, place: Reg, kind: Reg },
    /// What lies at a `One` place, or absent.
    Peek { d: Reg, zone: u16, place: Reg },
    /// The ordered top of a pile, or absent.
    Top { d: Reg, zone: u16, place: Reg },
    /// Number of components.
    Size { d: Reg, zone: u16, place: Reg },
    /// Copies of a kind.
    Copies { d: Reg, zone: u16, place: Reg, kind: Reg },
    /// Kinds as a set.
    Kinds { d: Reg, zone: u16, place: Reg },
    /// The first place that holds a kind, or absent.
    Find { d: Reg, zone: u16, kind: Reg },
    /// Everything from one place to another of any zone.
    MoveAll { from: u16, place: Reg, to: u16, target: Reg },
    /// Draws by chance among what is unordered (of a pile) or lies there; absent where nothing is.
    /// Does not take it.
    Draw { d: Reg, zone: u16, place: Reg, stream: u16 },
    Shuffle { zone: u16, place: Reg },
    /// A seat (absent: all) knows what lies there.
    Show { zone: u16, place: Reg, who: Reg },
    /// A field of a `One` place, and back.
    GetField { d: Reg, zone: u16, place: Reg, field: u16 },
    PutField { zone: u16, place: Reg, field: u16, a: Reg },

    // ---- planes
    Plane(PlaneOp),

    // ---- chance
    /// A number below `a`.
    Ticket { d: Reg, a: Reg, stream: u16 },
    /// Jumps with the outcome where it is fixed beforehand.
    Forced { d: Reg, stream: u16, to: Pc },
    Happened { a: Reg, stream: u16 },

    // ---- moves
    /// Adds a parameter to a packed move.
    Pack { d: Reg, a: Reg, e: Reg, shift: u8 },
    /// Takes a parameter out of `word::MOVE`.
    Unpack { d: Reg, shift: u8, bits: u8 },
    Emit { a: Reg },
    /// A move per member of a set.
    EmitAll { a: Reg, set: Reg, n: u16, shift: u8 },
    /// A loop over elements and the members of their rows.
    Rows(RowsOp),

    // ---- hypothetical
    /// Keeps the state; an `end` before `Leave` jumps.
    Enter { stopped: Pc },
    Leave,

    // ---- others
    /// How often the position has occurred.
    Repeated { d: Reg },
    /// Hands a value to whoever runs a fragment.
    Note { id: u16, a: Reg, n: u16 },
    /// Marks the entry of a labelled step, for rulings; does nothing else.
    Mark { clause: u16 },
}

/// Operations on zones over planes, lists, and the parts of what lies there. `zone` is the zone of
/// the plane, `entry` and numbers of parts are as in `layout::List`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[rustfmt::skip]
pub enum PlaneOp {
    /// The entry of a place, 0 where nothing lies.
    Entry { d: Reg, zone: u16, place: Reg },
    /// The spot of a part; a fault where nothing is laid under its number.
    Cell { d: Reg, zone: u16, part: Reg, slots: u16 },
    /// The free spots beside what lies there; the first spot where nothing lies yet.
    Frontier { d: Reg, zone: u16, n: u16 },
    /// The spots on which something lies.
    Laid { d: Reg, zone: u16, n: u16 },
    /// The parts of everything that lies there.
    Parts { d: Reg, zone: u16, n: u16, slots: u16 },
    /// The parts of what lies at a spot.
    PartsAt { d: Reg, zone: u16, place: Reg, n: u16, slots: u16 },
    /// The number of the first part of what lies at a spot, or absent.
    Base { d: Reg, zone: u16, place: Reg, slots: u16 },
    /// The parts that a part touches; `parts` is the space in `Layout::parts`.
    Touching { d: Reg, parts: u16, part: Reg, n: u16 },
    /// The ports of a part, as they lie, beyond which nothing is laid.
    Loose { d: Reg, parts: u16, part: Reg },
    /// The part of what lies at a spot that comes out at a port, or absent.
    With { d: Reg, parts: u16, place: Reg, port: Reg },
    /// Adds to a set all that its members touch, and so on.
    Flood { d: Reg, parts: u16, n: u16 },
    /// A part and all that it touches, and so on.
    Class { d: Reg, parts: u16, part: Reg, n: u16 },
    /// The parts that have ports, as they lie, beyond which nothing is laid.
    Open { d: Reg, parts: u16, n: u16 },
    /// The places of a list that hold a component; absent: those that hold none.
    Held { d: Reg, zone: u16, kind: Reg, n: u16 },
    /// The parts that are kept up as a set: see [`KeptShape`].
    Kept { d: Reg, kept: u16, n: u16 },
    /// What is gathered from around a spot: see [`GatheredShape`].
    Gathered { d: Reg, gathered: u16, place: Reg },
    /// The spots around one.
    Near { d: Reg, cell: Reg, span: u16, n: u16, which: Around },
}

/// Which of the eight spots around one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    /// Over a side.
    Sides,
    /// At a corner.
    Corners,
    /// Both.
    All,
}

/// Why rules may stop with a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// A loop ran longer than any rule should.
    Fuel,
    /// All runs together took more work than they may.
    Work,
    /// Nothing can be chosen and the rules do not say what then.
    NoChoice,
    /// A number outside the bounds of its track, field or type.
    Bounds,
    /// A component was to be taken from where it is not.
    Missing,
    /// A place is full.
    Full,
    /// Something was read of a value that is absent.
    Absent,
    /// Division by zero.
    Zero,
    /// A recursion deeper than it declares.
    Depth,
    /// A flow with a value ended without `return`.
    NoValue,
    /// An ending without a result, or a game without an end.
    NoResult,
    /// An outcome of chance that was fixed beforehand cannot happen.
    Impossible,
    /// `main` came to its end without `end`.
    NoEnd,
    /// More legal moves than can be listed.
    TooMany,
    /// What was asked needs more room than the engine has.
    Room,
    /// The step at which a ruling begins is never entered.
    NotReached,
}

/// Data of `Op::Walk`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkShape {
    /// Where `next[way * cells + cell]` starts in the data; -1 is off the board.
    pub base: u32,
    /// Number of cells.
    pub cells: u32,
    /// Words of a set of cells.
    pub words: u16,
    /// Whether only the number of cells is asked for.
    pub count: bool,
}

/// A loop over the elements of a set and, for each, the members of its row that are in `within`: lists
/// a move for each, or jumps at the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowsOp {
    /// The packed move so far.
    pub a: Reg,
    /// The elements, where they come from a set.
    pub set: Reg,
    /// A set of one word.
    pub within: Reg,
    /// By how much the rows are moved on.
    pub off: Reg,
    /// In `Code::rows`.
    pub shape: u16,
    /// Where to jump.
    pub to: Pc,
}

/// Data of [`RowsOp`]: the row of element `x` is the set of one word at
/// `data[base + off + own * x + bias + stride * g]`, where `g` is what is gathered from around `x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowsShape {
    /// Where the elements come from.
    pub source: RowsSource,
    /// Where the rows start in the data.
    pub base: u32,
    /// By how much the row goes on with the element.
    pub own: u32,
    /// The same for all elements.
    pub bias: i64,
    /// What is gathered, in `Code::gathered`, and its stride.
    pub gathered: Option<(u16, u32)>,
    /// Where the element and the member lie in a packed move; nowhere where the first one jumps.
    pub shifts: Option<[u8; 2]>,
}

/// Where the elements of a loop over rows come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsSource {
    /// A set of so many words.
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
    /// What is kept of the procedure that asks.
    pub frame: Frame,
    /// Its alternatives, in the order of listing; the low byte of a move is the index.
    pub alts: Vec<Choice>,
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
}

/// A piece of compiled rules.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// Operations.
    pub ops: Vec<Op>,
    /// Source place of ops: ascending first pc and span.
    pub spans: Vec<(Pc, Span)>,
    /// Constants: word i belongs at `CONSTS + i`.
    pub consts: Vec<u64>,
    /// Tables read by `Look`, `Row`, `Reach` and `Walk`.
    pub data: Vec<i64>,
    /// Shapes of `Walk`.
    pub walks: Vec<WalkShape>,
    /// Shapes of [`RowsOp`].
    pub rows: Vec<RowsShape>,
    /// Shapes of `PlaneOp::Kept`.
    pub kept: Vec<KeptShape>,
    /// Shapes of `PlaneOp::Gathered`.
    pub gathered: Vec<GatheredShape>,
    /// Choice points.
    pub points: Vec<Point>,
    /// By the place to return to: what is kept of the procedure that called.
    pub frames: HashMap<Pc, Frame>,
    /// Entry of the whole game.
    pub start: Pc,
}

impl Code {
    /// The source place of an op.
    #[must_use]
    pub fn span(&self, pc: Pc) -> Option<Span> {
        let after = self.spans.partition_point(|(first, _)| *first <= pc);
        after
            .checked_sub(1)
            .and_then(|at| self.spans.get(at))
            .map(|(_, span)| *span)
    }
}

/// The loop is tuned to ops that lie in two words.
const _: () = assert!(size_of::<Op>() == 16);

/// Narrow ids used in ops.
pub(super) fn zone16(zone: ZoneId) -> u16 {
    u16::try_from(zone.0).unwrap_or(u16::MAX)
}

/// Narrow ids used in ops.
pub(super) fn stream16(stream: StreamId) -> u16 {
    u16::try_from(stream.0).unwrap_or(u16::MAX)
}

/// An ending's mark in `word::ENDING`.
pub(super) fn ending_word(proc: ProcId) -> i64 {
    i64::from(proc.0) + 1
}
