//! The bytecode: register operations over one memory of 65,536 words.
//!
//! A register is an address. The memory holds, from low to high: the state block, temporaries from
//! [`TEMPS`], constants from [`CONSTS`]. Every address is a `u16`, so no access needs a bounds check.

mod shapes;

use std::collections::HashMap;

pub use super::faults::FaultKind;
use super::operands::{List, Operand, operations};
use super::vm::filled::Filled;
use crate::model::{StreamId, ZoneId};
use crate::source::Span;
pub use shapes::*;

/// Words of the machine's memory.
pub const MEMORY: usize = 1 << 16;
/// First temporary; the state block ends below.
pub const TEMPS: u16 = 24_576;
/// First constant.
pub const CONSTS: u16 = 57_344;

/// Most words of a set that is gathered.
pub const MOST_GATHERED: usize = 16;

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

operations! {
    /// One operation. `d` is the destination; `n` a number of words; sets of one word have ops of their
    /// own. Element operands are bit positions: a domain's `lo` is already subtracted.
    ///
    /// A tag of its own: one that is hidden in that of the inner operations costs the loop a fifth.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(u8)]
    Op:
    // ---- control
    Jump: leaves { to: to },
    /// A jump backwards: costs work for the way back.
    Loop: leaves { to: to },
    /// The number behind `d` in a ring of `n`, also in `copy`; jumps backwards.
    Cycle: leaves { d: both, n: use, copy: def, to: to },
    JumpIf { a: use, to: to },
    JumpNot { a: use, to: to },
    JumpEq { a: use, b: use, to: to },
    JumpNe { a: use, b: use, to: to },
    JumpLt { a: use, b: use, to: to },
    JumpLe { a: use, b: use, to: to },
    JumpIn { set: use, e: use, to: to },
    JumpNotIn { set: use, e: use, to: to },
    /// Sets of `n` words.
    JumpEmpty { set: uses(n), n: words, to: to },
    JumpAny { set: uses(n), n: words, to: to },
    /// Stores the next pc in `word::RETURN`. What is called has so many operations.
    Call { to: to, work: number },
    /// Jumps to the pc in a register.
    Return: leaves { a: use },
    /// Sets `n` words to 0: a frame that is left.
    Clear: value { d: defs(n), n: words },
    /// Empties the list of moves.
    List,
    /// Jumps where no move is listed yet.
    JumpNone { to: to },
    /// Stops at a choice, or jumps where no move is listed.
    Stop: leaves { point: point, empty: to },
    /// `List`, `EmitAll` and `Stop`.
    Offer: leaves { a: use, set: uses(n), n: words, shift: few, point: point, empty: to },
    /// The game has ended (inside `after`: jumps to its value).
    End: leaves,
    /// The end of a fragment.
    Halt: leaves,
    Fail: leaves { fault: fault },

    // ---- words
    Mov: copy quiet { d: def, a: use },
    /// Two `Mov`, one after the other.
    Movs: copy { d: def, a: use, e: def, b: use },
    Add: value commutes quiet { d: def, a: use, b: use },
    AddK: value quiet { d: def, a: use, k: step },
    Sub: value quiet { d: def, a: use, b: use },
    Mul: value faults commutes quiet { d: def, a: use, b: use },
    /// `a * b + c`
    MulAdd: value faults quiet { d: def, a: use, b: use, c: use },
    Div: value faults { d: def, a: use, b: use },
    Mod: value faults { d: def, a: use, b: use },
    Abs: value { d: def, a: use },
    Min: value commutes { d: def, a: use, b: use },
    Max: value commutes { d: def, a: use, b: use },
    /// `a` modulo the constant `n`, never negative.
    Wrap: value { d: def, a: use, n: use },
    /// The shorter way round a cycle of `n`.
    CycleDistance: value { d: def, a: use, b: use, n: use },
    Eq: value commutes quiet { d: def, a: use, b: use },
    Ne: value commutes quiet { d: def, a: use, b: use },
    Lt: value quiet { d: def, a: use, b: use },
    Le: value quiet { d: def, a: use, b: use },
    Not: value quiet { d: def, a: use },
    IsSome: value quiet { d: def, a: use },
    /// `a`, or `b` where it is absent.
    Default: value quiet { d: def, a: use, b: use },
    /// A fault where `a` is absent.
    NeedSome: check { a: use },
    /// A fault outside `lo..=hi`; an absent value passes only where `lo` is absent itself.
    Check: check { a: use, lo: use, hi: use, fault: fault },
    /// Stored form to value: 0 is absent, else `a - 1 + bias`.
    FromStored: value quiet { d: def, a: use, bias: use },
    /// Value to stored form.
    ToStored: value quiet { d: def, a: use, bias: use },
    /// `(a / stride) mod size`, constants in registers.
    Digit: value quiet { d: def, a: use, stride: use, size: use },
    /// `data[base + i]`; a fault where `i` is outside `0..len` registers.
    Look: value faults quiet { d: def, i: use, base: data },
    /// The same before anybody asks; 0 where there is nothing.
    LookAhead: value quiet { d: def, i: use, base: data },

    // ---- sets of one word
    And: value commutes quiet { d: def, a: use, b: use },
    Or: value commutes quiet { d: def, a: use, b: use },
    AndNot: value quiet { d: def, a: use, b: use },
    Count: value quiet { d: def, a: use },
    Bit: value quiet { d: def, e: use },
    /// Adds an element.
    SetBit: value { d: both, e: use },
    Has: value quiet { d: def, set: use, e: use },
    /// The first element of a set; jumps where it is empty; takes it out of `cur`.
    Next { cur: both, d: may, to: to },
    /// The same, jumping back where there is one: costs fuel.
    Again { cur: both, d: may, to: to },

    // ---- sets of n words
    WideMov: copy { d: defs(n), a: uses(n), n: words },
    WideAnd: value { d: defs(n), a: uses(n), b: uses(n), n: words },
    WideOr: value { d: defs(n), a: uses(n), b: uses(n), n: words },
    WideAndNot: value { d: defs(n), a: uses(n), b: uses(n), n: words },
    WideEq: value { d: def, a: uses(n), b: uses(n), n: words },
    WideCount: value { d: def, a: uses(n), n: words },
    WideSetBit: value { d: boths(n), e: use, n: words },
    WideHas: value { d: def, set: uses(n), e: use, n: words },
    WideNext { cur: boths(n), n: words, d: may, to: to },
    WideAgain { cur: boths(n), n: words, d: both, to: to },
    /// The last element, out of `cur`; for loops backwards.
    WidePrev { cur: boths(n), n: words, d: may, to: to },
    /// First or last element, or absent.
    First: value { d: def, a: uses(n), n: words },
    /// The first of `a` that is not in `b`, or absent: sets of one word.
    FirstNot: value quiet { d: def, a: use, b: use },
    Last: value { d: def, a: uses(n), n: words },

    // ---- memory
    Load: value quiet { d: def, base: array, i: use },
    Load8: value quiet { d: def, base: array, i: use },
    /// `Load8`, then `FromStored`.
    LoadStored: value quiet { d: def, base: array, i: use, bias: use },
    Load16: value quiet { d: def, base: array, i: use },
    Store { base: into, i: use, a: use },
    Store8 { base: into, i: use, a: use },
    Store16 { base: into, i: use, a: use },
    /// `n` words from `base + i * n`.
    LoadWide: value { d: defs(n), base: array, i: use, n: words },
    /// Changes `lane[off + stride * x]` of all members of a set as `vm::changed` says; what is not in `0..=hi` then is a fault.
    Those { bytes: few, by: few, m: few, lanes: into, off: use, stride: number, set: uses(m), a: use, hi: use },
    StoreWide { base: into, i: use, a: uses(n), n: words },
    /// The cell so many steps from `cell`, or absent; a negative number of steps goes the other way.
    Step: value faults quiet { d: def, cell: use, way: use, count: use, shape: walk },
    /// Jumps where it is `when` that there is such a line through a cell: see [`LineShape`].
    JumpLine { set: array, cell: use, shape: line, when: few, to: to },
    /// The members of a set through which there is such a line within another one.
    Lines: value faults { d: defs(n), set: uses(n), cells: array, shape: line, n: few },
    /// `n` words from `data[base + i * n]`.
    Row: value faults { d: defs(n), i: use, n: words, base: data },
    /// The union of the rows, `data[base + off + x * n]`, of all members of a set of `m` words.
    UnionRows: value faults { d: defs(n), set: uses(m), n: few, m: few, off: use, base: data },
    /// What lies in the rows of at least so many members: 1 or more.
    SeveralRows: value faults {
        d: defs(n), set: uses(m), n: few, m: few, off: use, least: use, base: data
    },
    /// The union of the sets of `n` words from `sets` on whose numbers are in `of`, a set of one word.
    UnionOf: value { d: defs(n), sets: array, of: use, n: few },
    /// The sum of `data[base + off + x]` of all members of a set of `m` words.
    Total: value { d: def, set: uses(m), m: few, off: use, base: data },
    /// The same of as many copies of each as lie at a place.
    TotalIn: value { m: few, d: def, zone: zone, place: use, set: uses(m), off: use, base: data },
    /// `{ x in set where lane[x] - less in row }`: bytes from `lanes`; `set` and `row` of one word.
    FilterLanes: value { d: def, set: use, lanes: array, row: use, less: few },
    /// `{ x in set where lane[x] + bias in lo..hi }`: lanes of so many bytes from `lanes`; `set` of one word.
    FilterSpan: value { d: def, set: use, lanes: array, bytes: few, bias: use, lo: use, hi: use },
    /// `{ x in set where count (sets[x] and row) in lo..hi }`: sets of one word.
    FilterSets: value { d: def, set: use, sets: array, row: use, lo: use, hi: use },
    /// `{ x in set where lane[x] - 1 in data[base + i * n + x] }`.
    FilterRows: value faults { d: def, set: use, lanes: array, i: use, n: few, base: data },
    /// `{ x in set where data[base + off + x] in filled }`; at most [`MOST_GATHERED`] words.
    Gather: value { d: defs(n), set: uses(n), n: few, off: use, filled: array, base: data },
    /// The other members of the set: all of one word.
    GatherNot: value { d: def, set: use, off: use, filled: array, base: data },
    /// `Gather` where `x` leads to the cell so many further on: all of one word.
    Before: value { d: def, set: use, filled: use, by: shift },
    /// Flood from `start` within `mask` over rows of neighbours `data[base + off + x * n]`; `mask`
    /// must not be `d`.
    Reach: value faults { d: defs(n), start: uses(n), mask: uses(n), off: use, n: few, base: data },
    /// The run after `from` within `mask` over `data[base + way * cells + x]`, or its length: see
    /// [`WalkShape`].
    Walk: value faults { d: into, from: use, way: use, mask: array, shape: walk },
    /// The runs along all ways of a set of them.
    Rays: value faults { d: into, from: use, ways: use, mask: array, shape: walk },
    /// The cells from which steps within `mask` lead in front of a cell of `goal`; neither must be `d`.
    Behind: value faults { d: into, goal: array, way: use, mask: array, shape: walk },

    // ---- zones
    /// Adds a copy of a kind; a fault where it does not fit.
    Put: moves { zone: zone, place: use, kind: use },
    /// Takes a copy away; a fault where there is none.
    Take: moves { zone: zone, place: use, kind: use },
    /// `Take`, then `Put`.
    Carry: moves { from: zone, place: use, zone: zone, target: use, kind: use },
    /// `PeekSome`, then `Carry`.
    CarrySome: moves { d: def, from: zone, place: use, zone: zone, target: use },
    /// What lies at a `One` place, or absent.
    Peek: value { d: def, zone: zone, place: use },
    /// The same; a fault where nothing lies.
    PeekSome: value faults { d: def, zone: zone, place: use },
    /// The ordered top of a pile, or absent.
    Top: value { d: def, zone: zone, place: use },
    /// What lies so deep in the ordered part of a pile, the top being 1, or absent.
    Nth: value { d: def, zone: zone, place: use, n: use },
    /// Takes what lies so deep in a pile away, one of those in no order where it is deeper than what is in order.
    Dig: moves { zone: zone, place: use, kind: use, n: use },
    /// Number of components.
    Size: value { d: def, zone: zone, place: use },
    /// Copies of a kind.
    Copies: value { d: def, zone: zone, place: use, kind: use },
    /// The places of a zone of many that hold at least so many copies of a kind; as many kinds as there are: of any.
    Holders: value { d: defs(n), zone: zone, kind: use, least: use, n: words },
    /// `d[x] = a[x] + by * (copies of a kind at place x)`, the kind as in `Holders`.
    Tally: value { d: defs(n), a: uses(n), zone: zone, kind: use, by: step, n: words },
    /// `d[x] = a[x] + by * lane[off + stride * x]`: lanes of so many bytes from `lanes`.
    TallyLanes: value { bytes: few, d: defs(n), a: uses(n), lanes: array, off: use, stride: number, by: step, n: words },
    /// `d[x] = a[x] + by * (members of a set in whose row x is)`; rows of one word.
    TallyRows: value faults { m: few, n: few, by: few, d: defs(n), a: uses(n), set: uses(m), off: use, base: data },
    /// `{ x where a[x] >= b[x] }`, of one word.
    AtLeast: value { d: def, a: uses(n), b: uses(n), n: words },
    /// Kinds as a set.
    Kinds: value { d: into, zone: zone, place: use },
    /// The first place that holds a kind, or absent.
    Find: value { d: def, zone: zone, kind: use },
    /// Everything from one place to another of any zone; on a pile that all see (`seen`), chance decides at once what
    /// is in no order.
    MoveAll: moves { from: zone, place: use, to: zone, target: use, stream: number, seen: few },
    /// The same of the kinds in a set.
    MoveThose: moves { from: zone, place: use, to: zone, target: use, only: array, stream: number, seen: few },
    /// Everything in one bag changes places with everything in another.
    SwapAll: moves { from: zone, place: use, to: zone, target: use },
    /// Draws by chance among what is unordered (of a pile) or lies there; absent where nothing is.
    /// Does not take it.
    Draw { d: def, zone: zone, place: use, stream: number },
    Shuffle: moves { zone: zone, place: use },
    /// A seat (absent: all) knows what lies there.
    Show: moves { zone: zone, place: use, who: use },
    /// A field of a `One` place, and back.
    GetField: value faults { d: def, zone: zone, place: use, field: number },
    PutField: moves { zone: zone, place: use, field: number, a: use },

    // ---- planes
    Plane(plane: PlaneOp),

    // ---- chance
    /// A number below `a`.
    Ticket { d: def, a: use, stream: number },
    /// Jumps with the outcome where it is fixed beforehand.
    Forced { d: may, stream: number, to: to },
    Happened { a: use, stream: number },

    // ---- moves
    /// Adds a parameter to a packed move.
    Pack: value { d: def, a: use, e: use, shift: few },
    /// Takes a parameter out of `word::MOVE`.
    Unpack: value quiet { d: def, shift: few, bits: few },
    Emit { a: use },
    /// A move per member of a set.
    EmitAll { a: use, set: uses(n), n: words, shift: few },
    /// A loop over elements and the members of their rows.
    Rows(rows: RowsOp),

    // ---- hypothetical
    /// Keeps so many words of the state from the first on, no others are written before `Leave`; an `end` there jumps.
    Enter { stopped: to, first: number, n: number },
    Leave,
    /// `Leave`, then `Jump`.
    LeaveTo: leaves { to: to },

    // ---- others
    /// How often the position has occurred.
    Repeated { d: def },
    /// Hands a value to whoever runs a fragment.
    Note { id: number, a: uses(n), n: words },
    /// Jumps where nobody listens.
    Deaf { to: to },
    /// Something is told; the values that it reads lie there.
    Tell { telling: number, a: uses(n), n: words },
    /// Marks the entry of a labelled step, for rulings; does nothing else.
    Mark { clause: number },
}

operations! {
    /// Operations on zones over planes, lists, and the parts of what lies there. `zone` is the zone of
    /// the plane, `entry` and numbers of parts are as in `layout::List`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    PlaneOp:
    /// The entry of a place, 0 where nothing lies.
    Entry: value faults { d: def, zone: zone, place: use },
    /// The spot of a part; a fault where nothing is laid under its number.
    Cell: value faults { d: def, zone: zone, part: use, slots: number },
    /// The free spots beside what lies there; the first spot where nothing lies yet.
    Frontier: value faults { d: defs(n), zone: zone, n: words },
    /// The spots on which something lies.
    Laid: value faults { d: defs(n), zone: zone, n: words },
    /// The parts of everything that lies there.
    Parts: value faults { d: defs(n), zone: zone, n: words, slots: number },
    /// The parts of what lies at a spot.
    PartsAt: value faults { d: defs(n), zone: zone, place: use, n: words, slots: number },
    /// The number of the first part of what lies at a spot, or absent.
    Base: value faults { d: def, zone: zone, place: use, slots: number },
    /// The parts that a part touches; `parts` is the space in `Layout::parts`.
    Touching: value faults { d: defs(n), parts: parts, part: use, n: words },
    /// The ports of a part, as they lie, beyond which nothing is laid.
    Loose: value faults { d: def, parts: parts, part: use },
    /// The part of what lies at a spot that comes out at a port, or absent.
    With: value faults { d: def, parts: parts, place: use, port: use },
    /// Adds to a set all that its members touch, and so on.
    Flood: value faults { d: boths(n), parts: parts, n: words },
    /// A part and all that it touches, and so on.
    Class: value faults { d: defs(n), parts: parts, part: use, n: words },
    /// The parts that have ports, as they lie, beyond which nothing is laid.
    Open: value faults { d: defs(n), parts: parts, n: words },
    /// The places of a list that hold a component; absent: those that hold none.
    Held: value faults { d: defs(n), zone: zone, kind: use, n: words },
    /// The parts that are kept up as a set: see [`KeptShape`].
    Kept { d: defs(n), kept: kept, n: words },
    /// What is gathered from around a spot: see [`GatheredShape`].
    Gathered { d: def, gathered: gathered, place: use },
    /// The spots around one.
    Near: value faults { d: defs(n), cell: use, span: number, n: words, which: around },
}

/// Which of the eight spots around one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Around {
    /// Over a side.
    Sides,
    /// At a corner.
    Corners,
    /// Both.
    All,
}

/// A piece of compiled rules.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// Operations.
    pub ops: Vec<Op>,
    /// The same as they are run.
    pub filled: Filled,
    /// Source place of ops: ascending first pc and span.
    pub spans: Vec<(Pc, Span)>,
    /// Innermost expression or statement that ops work out: ascending first pc and span.
    pub origins: Vec<(Pc, Span)>,
    /// Constants: word i belongs at `CONSTS + i`.
    pub consts: Vec<u64>,
    /// Tables read by `Look`, `Row`, `Reach` and `Walk`.
    pub data: Vec<i64>,
    /// Conditions that are no sets because of a field that is read of a place where nothing need lie: where they
    /// stand, and where that read stands.
    pub unguarded: Vec<(Span, Span)>,
    /// Shapes of `Walk`.
    pub walks: Vec<WalkShape>,
    /// Ways of the shapes of `Walk` and tables of `Before` that are shifts.
    pub shifts: Vec<Shift>,
    /// By table of `Gather`: most words of a set in which is looked for what it leads to.
    pub led: Vec<(u32, u16)>,
    /// Shapes of `JumpLine`.
    pub lines: Vec<LineShape>,
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
    /// The shift that a way of a walk is, where steps of a set of cells are shifts.
    #[inline]
    #[must_use]
    pub fn shift(&self, walk: &WalkShape, way: u64) -> Option<Shift> {
        let at = way.checked_add(u64::from(walk.shifts?))?;
        let shift = *self.shifts.get(usize::try_from(at).ok()?)?;
        shift.by.is_some().then_some(shift)
    }

    /// The source place of an op.
    #[must_use]
    pub fn span(&self, pc: Pc) -> Option<Span> {
        last_before(&self.spans, pc)
    }

    /// The expression or statement that an op works out.
    #[must_use]
    pub fn origin(&self, pc: Pc) -> Option<Span> {
        last_before(&self.origins, pc)
    }
}

fn last_before(spans: &[(Pc, Span)], pc: Pc) -> Option<Span> {
    let after = spans.partition_point(|(first, _)| *first <= pc);
    let last = after.checked_sub(1).and_then(|at| spans.get(at));
    last.map(|(_, span)| *span)
}

impl Op {
    /// Calls `f` with each register operand.
    pub fn each_reg(&mut self, f: &mut dyn FnMut(&mut Reg)) {
        self.operands(&mut |_, operand| match operand {
            Operand::Use(reg, _) | Operand::Def(reg, _) | Operand::Both(reg, _) => f(reg),
            _ => {}
        });
    }

    /// Calls `f` with each op of the same code that this one may jump to: what is called stands elsewhere.
    pub fn each_jump(&mut self, f: &mut dyn FnMut(&mut Pc)) {
        if !matches!(self, Self::Call { .. }) {
            self.each_target(f);
        }
    }

    /// Whether it may jump within its code.
    #[must_use]
    pub fn jumps(mut self) -> bool {
        let mut jumps = false;
        self.each_jump(&mut |_| jumps = true);
        jumps
    }

    /// Calls `f` with each op that this one may jump to.
    pub fn each_target(&mut self, f: &mut dyn FnMut(&mut Pc)) {
        self.operands(&mut |_, operand| {
            if let Operand::To(to) = operand {
                f(to);
            }
        });
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
