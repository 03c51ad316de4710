//! The loop that runs bytecode.

use super::chance::Chance;
use super::layout::Layout;
use super::op::{CONSTS, Code, FaultKind, MEMORY, Op, Pc, Reg, word};
use super::planes::Planes;
use super::zones::{Memory, at, byte, half, has, insert, set_byte, set_half};
use super::{prims, zones};
use crate::model::{NONE, StreamId, ZoneId, arith};

/// Work that one answer may take before it is a fault, in operations.
///
/// It is paid where code can come back to an operation: a jump backwards pays for the way that it goes
/// back, a call for the length of what it calls. What is not done of that is paid all the same, so no
/// stretch of code has to count. Primitives that go through many words pay for these.
pub const FUEL: u64 = 500_000_000;
/// Most legal moves at one choice.
pub const MOST_MOVES: usize = 1 << 17;
/// Most that is told of one answer.
const MOST_EVENTS: usize = 1 << 20;
/// Deepest nesting of `after`.
const MOST_AFTERS: usize = 64;

/// A legal answer to the pending choice: an alternative in the low byte, its parameters above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(pub u64);

/// Why the loop stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// At a choice point.
    Choice(u16),
    /// The game has ended.
    Ended,
    /// At the end of a fragment.
    Halted,
    /// At a marked step (only where asked for).
    Marked(u16, Pc),
}

/// A fault and where in the code.
pub type Trap = (FaultKind, Pc);

/// Something that happens to a component, and that somebody may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The zone.
    pub zone: ZoneId,
    /// The number of the place.
    pub place: usize,
    /// Which component it is: an element of the zone's.
    pub kind: i64,
    /// What happens.
    pub what: Happened,
}

/// What happens to a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happened {
    /// It is taken away.
    Taken,
    /// It is put there.
    Laid,
    /// A seat (none: everybody) looks at it.
    Shown(Option<u32>),
}

/// What a run may use besides the memory. Buffers are reused.
#[derive(Debug, Default)]
pub struct Bench {
    /// Packed legal moves of the pending choice.
    pub moves: Vec<Move>,
    /// What fragments hand out: id and words.
    pub notes: Vec<(u16, Vec<u64>)>,
    /// States kept by `after`.
    kept: Vec<u64>,
    afters: Vec<(usize, Pc, u64)>,
    /// What a primitive notes while it works.
    list: Vec<usize>,
    /// The step at whose `Mark` the run stops; not inside `after`.
    pub mark: Option<u16>,
    /// Ops executed, where counting is on.
    pub ops: u64,
    /// How often each op was executed, where that is asked for.
    pub counts: Vec<u64>,
    /// Work that all runs so far have paid for.
    pub spent: u64,
    /// Work that a run may take where that is less than [`FUEL`].
    pub most: Option<u64>,
    /// What happened to components, where counting is on.
    pub events: Vec<Event>,
    /// What is derived from the planes of the state.
    pub planes: Planes,
}

/// Runs from `pc` until something stops it. `state` is the number of words of the state block.
///
/// # Errors
/// A fault: the memory is then as it was when it happened; the caller restores the state.
#[expect(clippy::too_many_lines, reason = "one arm per op")]
pub fn run<C: Chance, const COUNT: bool>(
    mem: &mut Memory,
    code: &Code,
    layout: &Layout,
    state: usize,
    mut pc: Pc,
    bench: &mut Bench,
    chance: &mut C,
) -> Result<Exit, Trap> {
    let ops = code.ops.as_slice();
    let data = code.data.as_slice();
    let mut fuel = bench.most.unwrap_or(FUEL);
    bench.afters.clear();
    bench.kept.clear();
    // Whoever put another position into the memory did not tell.
    if let Err(kind) = bench.planes.follow(mem, layout) {
        return Err((kind, pc));
    }
    bench.spent += fuel;
    macro_rules! get {
        ($r:expr) => {
            mem[usize::from($r)] as i64
        };
    }
    macro_rules! set {
        ($r:expr, $v:expr) => {{
            let value = $v;
            mem[usize::from($r)] = value as u64;
        }};
    }
    macro_rules! leave {
        ($ran:expr) => {{
            bench.spent -= fuel;
            return $ran;
        }};
    }
    macro_rules! fail {
        ($kind:expr) => {
            leave!(Err(($kind, pc)))
        };
    }
    macro_rules! burn {
        ($n:expr) => {{
            match fuel.checked_sub($n) {
                Some(left) => fuel = left,
                None => {
                    fuel = 0;
                    fail!(FaultKind::Fuel);
                }
            }
        }};
    }
    // Words in a row cost less than as many operations.
    macro_rules! burn_words {
        ($n:expr) => {
            burn!(u64::from($n) >> 2)
        };
    }
    macro_rules! go_back {
        ($to:expr) => {{
            burn!(u64::from(pc.wrapping_sub($to)) + 1);
            pc = $to;
            continue;
        }};
    }
    macro_rules! slot {
        ($z:expr) => {
            match layout.zones.get(usize::from($z)) {
                Some(slot) => slot,
                None => fail!(FaultKind::Missing),
            }
        };
    }
    macro_rules! tried {
        ($e:expr) => {
            match $e {
                Ok(value) => value,
                Err(kind) => fail!(kind),
            }
        };
    }
    macro_rules! happens {
        ($zone:expr, $place:expr, $kind:expr, $what:expr) => {
            if COUNT && bench.afters.is_empty() && bench.events.len() < MOST_EVENTS {
                bench.events.push(Event {
                    zone: ZoneId(u32::from($zone)),
                    place: $place,
                    kind: $kind as i64,
                    what: $what,
                });
            }
        };
    }
    loop {
        let Some(op) = ops.get(usize::from(pc)) else {
            fail!(FaultKind::Depth)
        };
        if COUNT {
            bench.ops += 1;
            if let Some(n) = bench.counts.get_mut(usize::from(pc)) {
                *n += 1;
            }
        }
        match op {
            Op::Jump { to } => {
                pc = *to;
                continue;
            }
            Op::Loop { to } => go_back!(*to),
            Op::JumpIf { a, to } => {
                if get!(*a) != 0 {
                    pc = *to;
                    continue;
                }
            }
            Op::JumpNot { a, to } => {
                if get!(*a) == 0 {
                    pc = *to;
                    continue;
                }
            }
            Op::JumpEq { a, b, to } => {
                if get!(*a) == get!(*b) {
                    pc = *to;
                    continue;
                }
            }
            Op::JumpNe { a, b, to } => {
                if get!(*a) != get!(*b) {
                    pc = *to;
                    continue;
                }
            }
            Op::JumpLt { a, b, to } => {
                if get!(*a) < get!(*b) {
                    pc = *to;
                    continue;
                }
            }
            Op::JumpLe { a, b, to } => {
                if get!(*a) <= get!(*b) {
                    pc = *to;
                    continue;
                }
            }
            Op::JumpIn { set, e, to } => {
                let e = mem[usize::from(*e)];
                if e < 64 && mem[usize::from(*set)] >> e & 1 == 1 {
                    pc = *to;
                    continue;
                }
            }
            Op::JumpNotIn { set, e, to } => {
                let e = mem[usize::from(*e)];
                if e >= 64 || mem[usize::from(*set)] >> e & 1 == 0 {
                    pc = *to;
                    continue;
                }
            }
            Op::JumpEmpty { set, n, to } => {
                burn_words!(*n);
                if !prims::any(mem, *set, *n) {
                    pc = *to;
                    continue;
                }
            }
            Op::JumpAny { set, n, to } => {
                burn_words!(*n);
                if prims::any(mem, *set, *n) {
                    pc = *to;
                    continue;
                }
            }
            Op::Call { to, work } => {
                burn!(u64::from(*work) + 1);
                set!(word::RETURN, u64::from(pc) + 1);
                pc = *to;
                continue;
            }
            Op::Return { a } => {
                pc = mem[usize::from(*a)] as Pc;
                continue;
            }
            Op::Clear { d, n } => {
                burn_words!(*n);
                prims::clear(mem, *d, *n);
            }
            Op::List => bench.moves.clear(),
            Op::JumpNone { to } => {
                if bench.moves.is_empty() {
                    pc = *to;
                    continue;
                }
            }
            Op::Stop { point, empty } => {
                if bench.moves.is_empty() {
                    pc = *empty;
                    continue;
                }
                set!(word::POINT, u64::from(*point) + 1);
                if let Some((base, cap)) = layout.history {
                    prims::remember(mem, layout.position_end, base, cap);
                }
                leave!(Ok(Exit::Choice(*point)));
            }
            Op::End => {
                if let Some((_, stopped, _)) = bench.afters.last() {
                    set!(word::STOPPED, 1);
                    pc = *stopped;
                    continue;
                }
                bench.moves.clear();
                set!(word::POINT, 0);
                leave!(Ok(Exit::Ended));
            }
            Op::Halt => leave!(Ok(Exit::Halted)),
            Op::Fail { fault } => fail!(*fault),

            Op::Mov { d, a } => set!(*d, get!(*a)),
            Op::Add { d, a, b } => set!(*d, get!(*a).wrapping_add(get!(*b))),
            Op::AddK { d, a, k } => set!(*d, get!(*a).wrapping_add(i64::from(*k))),
            Op::Sub { d, a, b } => set!(*d, get!(*a).wrapping_sub(get!(*b))),
            Op::Mul { d, a, b } => match get!(*a).checked_mul(get!(*b)) {
                Some(value) => set!(*d, value),
                None => fail!(FaultKind::Bounds),
            },
            Op::Div { d, a, b } => match arith::quotient(get!(*a), get!(*b)) {
                Some(value) => set!(*d, value),
                None => fail!(FaultKind::Zero),
            },
            Op::Mod { d, a, b } => match arith::remainder(get!(*a), get!(*b)) {
                Some(value) => set!(*d, value),
                None => fail!(FaultKind::Zero),
            },
            Op::Abs { d, a } => set!(*d, get!(*a).wrapping_abs()),
            Op::Min { d, a, b } => set!(*d, get!(*a).min(get!(*b))),
            Op::Max { d, a, b } => set!(*d, get!(*a).max(get!(*b))),
            Op::Wrap { d, a, n } => {
                // Mostly one step beyond the end: a division would cost more than all else here.
                let (value, n) = (get!(*a), get!(*n).max(1));
                let wrapped = if value >= n && value < 2 * n {
                    value - n
                } else {
                    value
                };
                set!(
                    *d,
                    if (0..n).contains(&wrapped) {
                        wrapped
                    } else {
                        wrapped.rem_euclid(n)
                    }
                );
            }
            Op::CycleDistance { d, a, b, n } => {
                let n = get!(*n).max(1);
                let way = (get!(*a).wrapping_sub(get!(*b))).rem_euclid(n);
                set!(*d, way.min(n - way));
            }
            Op::Eq { d, a, b } => set!(*d, u64::from(get!(*a) == get!(*b))),
            Op::Ne { d, a, b } => set!(*d, u64::from(get!(*a) != get!(*b))),
            Op::Lt { d, a, b } => set!(*d, u64::from(get!(*a) < get!(*b))),
            Op::Le { d, a, b } => set!(*d, u64::from(get!(*a) <= get!(*b))),
            Op::Not { d, a } => set!(*d, u64::from(get!(*a) == 0)),
            Op::IsSome { d, a } => set!(*d, u64::from(get!(*a) != NONE)),
            Op::NeedSome { a } => {
                if get!(*a) == NONE {
                    fail!(FaultKind::Absent);
                }
            }
            Op::Check { a, lo, hi, fault } => {
                let value = get!(*a);
                if value < get!(*lo) || value > get!(*hi) {
                    fail!(*fault);
                }
            }
            Op::FromStored { d, a, bias } => {
                let raw = get!(*a);
                set!(
                    *d,
                    if raw == 0 {
                        NONE
                    } else {
                        raw - 1 + get!(*bias)
                    }
                );
            }
            Op::ToStored { d, a, bias } => {
                let value = get!(*a);
                set!(
                    *d,
                    if value == NONE {
                        0
                    } else {
                        value - get!(*bias) + 1
                    }
                );
            }
            Op::Digit { d, a, stride, size } => {
                let (stride, size) = (
                    mem[usize::from(*stride)].max(1),
                    mem[usize::from(*size)].max(1),
                );
                set!(*d, mem[usize::from(*a)] / stride % size);
            }
            Op::Look { d, i, base } => {
                match data.get((*base as usize).wrapping_add(mem[usize::from(*i)] as usize)) {
                    Some(value) => set!(*d, *value),
                    None => fail!(FaultKind::Absent),
                }
            }

            Op::And { d, a, b } => {
                mem[usize::from(*d)] = mem[usize::from(*a)] & mem[usize::from(*b)]
            }
            Op::Or { d, a, b } => {
                mem[usize::from(*d)] = mem[usize::from(*a)] | mem[usize::from(*b)]
            }
            Op::AndNot { d, a, b } => {
                mem[usize::from(*d)] = mem[usize::from(*a)] & !mem[usize::from(*b)];
            }
            Op::Count { d, a } => set!(*d, mem[usize::from(*a)].count_ones()),
            Op::Bit { d, e } => {
                let e = mem[usize::from(*e)];
                mem[usize::from(*d)] = if e < 64 { 1 << e } else { 0 };
            }
            Op::SetBit { d, e } => {
                let e = mem[usize::from(*e)];
                if e < 64 {
                    mem[usize::from(*d)] |= 1 << e;
                }
            }
            Op::Has { d, set, e } => {
                let e = mem[usize::from(*e)];
                set!(
                    *d,
                    u64::from(e < 64 && mem[usize::from(*set)] >> e & 1 == 1)
                );
            }
            Op::Next { cur, d, to } => {
                let set = mem[usize::from(*cur)];
                if set == 0 {
                    pc = *to;
                    continue;
                }
                set!(*d, set.trailing_zeros());
                mem[usize::from(*cur)] = set & (set - 1);
            }
            Op::Again { cur, d, to } => {
                let set = mem[usize::from(*cur)];
                if set != 0 {
                    set!(*d, set.trailing_zeros());
                    mem[usize::from(*cur)] = set & (set - 1);
                    go_back!(*to);
                }
            }

            Op::WideMov { d, a, n } => {
                burn_words!(*n);
                prims::combine(mem, *d, *a, *a, *n, |x, _| x);
            }
            Op::WideAnd { d, a, b, n } => {
                burn_words!(*n);
                prims::combine(mem, *d, *a, *b, *n, |x, y| x & y);
            }
            Op::WideOr { d, a, b, n } => {
                burn_words!(*n);
                prims::combine(mem, *d, *a, *b, *n, |x, y| x | y);
            }
            Op::WideAndNot { d, a, b, n } => {
                burn_words!(*n);
                prims::combine(mem, *d, *a, *b, *n, |x, y| x & !y);
            }
            Op::WideEq { d, a, b, n } => {
                burn_words!(*n);
                let equal = (0..usize::from(*n)).all(|i| mem[at(*a, i)] == mem[at(*b, i)]);
                set!(*d, u64::from(equal));
            }
            Op::WideCount { d, a, n } => {
                burn_words!(*n);
                let count: u32 = (0..usize::from(*n))
                    .map(|i| mem[at(*a, i)].count_ones())
                    .sum();
                set!(*d, count);
            }
            Op::WideSetBit { d, e, n } => {
                let e = mem[usize::from(*e)] as usize;
                if e < usize::from(*n) * 64 {
                    insert(mem, *d, e);
                }
            }
            Op::WideHas { d, set, e, n } => {
                let e = mem[usize::from(*e)] as usize;
                set!(*d, u64::from(e < usize::from(*n) * 64 && has(mem, *set, e)));
            }
            Op::WideNext { cur, n, d, to } => {
                burn_words!(*n);
                match prims::pop_first(mem, *cur, *n) {
                    Some(e) => set!(*d, e),
                    None => {
                        pc = *to;
                        continue;
                    }
                }
            }
            Op::WideAgain { cur, n, d, to } => {
                // What came before the last element has been taken out.
                let from = mem[usize::from(*d)] as usize >> 6;
                if let Some(e) = prims::pop_from(mem, *cur, *n, from) {
                    set!(*d, e);
                    go_back!(*to);
                }
            }
            Op::WidePrev { cur, n, d, to } => {
                burn_words!(*n);
                match prims::pop_last(mem, *cur, *n) {
                    Some(e) => set!(*d, e),
                    None => {
                        pc = *to;
                        continue;
                    }
                }
            }
            Op::First { d, a, n } => set!(*d, prims::first(mem, *a, *n).map_or(NONE, |e| e as i64)),
            Op::Last { d, a, n } => set!(*d, prims::last(mem, *a, *n).map_or(NONE, |e| e as i64)),

            Op::Load { d, base, i } => {
                mem[usize::from(*d)] = mem[at(*base, mem[usize::from(*i)] as usize)];
            }
            Op::Load8 { d, base, i } => set!(*d, byte(mem, *base, mem[usize::from(*i)] as usize)),
            Op::Load16 { d, base, i } => set!(*d, half(mem, *base, mem[usize::from(*i)] as usize)),
            Op::Store { base, i, a } => {
                mem[at(*base, mem[usize::from(*i)] as usize)] = mem[usize::from(*a)];
            }
            Op::Store8 { base, i, a } => {
                set_byte(
                    mem,
                    *base,
                    mem[usize::from(*i)] as usize,
                    mem[usize::from(*a)],
                );
            }
            Op::Store16 { base, i, a } => {
                set_half(
                    mem,
                    *base,
                    mem[usize::from(*i)] as usize,
                    mem[usize::from(*a)],
                );
            }
            Op::LoadWide { d, base, i, n } => {
                burn_words!(*n);
                let from = (mem[usize::from(*i)] as usize).wrapping_mul(usize::from(*n));
                for w in 0..usize::from(*n) {
                    mem[at(*d, w)] = mem[at(*base, from.wrapping_add(w) & (MEMORY - 1))];
                }
            }
            Op::StoreWide { base, i, a, n } => {
                burn_words!(*n);
                let to = (mem[usize::from(*i)] as usize).wrapping_mul(usize::from(*n));
                for w in 0..usize::from(*n) {
                    mem[at(*base, to.wrapping_add(w) & (MEMORY - 1))] = mem[at(*a, w)];
                }
            }
            Op::Row { d, i, n, base } => {
                burn_words!(*n);
                let n = usize::from(*n);
                let from = (mem[usize::from(*i)] as usize)
                    .wrapping_mul(n)
                    .wrapping_add(*base as usize);
                match data.get(from..from.wrapping_add(n)) {
                    Some(row) => {
                        for (w, value) in row.iter().enumerate() {
                            mem[at(*d, w)] = *value as u64;
                        }
                    }
                    None => fail!(FaultKind::Absent),
                }
            }
            Op::UnionRows {
                d,
                set,
                n,
                m,
                off,
                base,
            } => {
                burn!(16 * u64::from(*n) * u64::from(*m));
                let rows = prims::rows(data, *base, mem[usize::from(*off)]);
                if !prims::union_rows(mem, rows, *d, *set, u16::from(*n), u16::from(*m)) {
                    fail!(FaultKind::Absent);
                }
            }
            Op::FilterLanes { d, set, lanes, row } => {
                burn!(16);
                let row = mem[usize::from(*row)];
                let mut rest = mem[usize::from(*set)];
                let mut kept = 0;
                while rest != 0 {
                    let x = rest.trailing_zeros() as usize;
                    let lowest = rest & rest.wrapping_neg();
                    rest ^= lowest;
                    let value = byte(mem, *lanes, x);
                    if value < 64 && row >> value & 1 == 1 {
                        kept |= lowest;
                    }
                }
                mem[usize::from(*d)] = kept;
            }
            Op::Gather {
                d,
                set,
                off,
                filled,
                base,
            } => {
                burn!(16);
                let rows = prims::rows(data, *base, mem[usize::from(*off)]);
                mem[usize::from(*d)] = prims::gather(mem, mem[usize::from(*set)], rows, *filled);
            }
            Op::Reach {
                d,
                start,
                mask,
                off,
                n,
                base,
            } => {
                // Each element is looked at once, with its row.
                burn!(16 * u64::from(*n) * u64::from(*n));
                let rows = prims::rows(data, *base, mem[usize::from(*off)]);
                if *n == 1 {
                    match prims::reach(mem[usize::from(*start)], mem[usize::from(*mask)], rows) {
                        Some(found) => mem[usize::from(*d)] = found,
                        None => fail!(FaultKind::Absent),
                    }
                } else {
                    let (n, list) = (u16::from(*n), &mut bench.list);
                    if !prims::reach_wide(mem, rows, *d, *start, *mask, n, list) {
                        fail!(FaultKind::Absent);
                    }
                }
            }
            Op::Walk {
                d,
                from,
                way,
                mask,
                shape,
            } => {
                let Some(shape) = code.walks.get(usize::from(*shape)) else {
                    fail!(FaultKind::Absent)
                };
                burn!(16);
                let (from, way) = (get!(*from), get!(*way));
                if let Some(first) = shape.shifts
                    && let (Ok(from), Ok(way)) = (u64::try_from(from), usize::try_from(way))
                    && let Some(shift) = code.shifts.get(first as usize + way)
                    && let Some(by) = shift.by
                {
                    let run = prims::walk_by(by, shift.keep, from, mem[usize::from(*mask)]);
                    set!(
                        *d,
                        if shape.count {
                            u64::from(run.count_ones())
                        } else {
                            run
                        }
                    );
                } else if !prims::walk(mem, data, *shape, from, way, *mask, *d) {
                    fail!(FaultKind::Absent);
                }
            }

            Op::Put { zone, place, kind } => {
                let (place, kind) = (
                    mem[usize::from(*place)] as usize,
                    mem[usize::from(*kind)] as usize,
                );
                let slot = slot!(*zone);
                burn!(slot.work());
                tried!(slot.put(mem, place, kind));
                happens!(*zone, place, kind, Happened::Laid);
                if slot.is_plane() {
                    tried!(bench.planes.changed(mem, layout));
                }
            }
            Op::Take { zone, place, kind } => {
                let (place, kind) = (
                    mem[usize::from(*place)] as usize,
                    mem[usize::from(*kind)] as usize,
                );
                let slot = slot!(*zone);
                burn!(slot.work());
                tried!(slot.take(mem, place, kind));
                happens!(*zone, place, kind, Happened::Taken);
                if slot.is_plane() {
                    tried!(bench.planes.changed(mem, layout));
                }
            }
            Op::Peek { d, zone, place } => {
                let slot = slot!(*zone);
                let place = mem[usize::from(*place)] as usize;
                let value = if place < slot.places as usize {
                    slot.peek(mem, place)
                } else {
                    NONE
                };
                set!(*d, value);
            }
            Op::Top { d, zone, place } => {
                let slot = slot!(*zone);
                let place = mem[usize::from(*place)] as usize;
                set!(
                    *d,
                    if place < slot.places as usize {
                        slot.top(mem, place)
                    } else {
                        NONE
                    }
                );
            }
            Op::Size { d, zone, place } => {
                let slot = slot!(*zone);
                burn!(slot.work());
                let place = mem[usize::from(*place)] as usize;
                set!(
                    *d,
                    if place < slot.places as usize {
                        slot.size(mem, place)
                    } else {
                        0
                    }
                );
            }
            Op::Holders {
                d,
                zone,
                kind,
                least,
                n,
            } => {
                let slot = slot!(*zone);
                burn!(u64::from(slot.places) * slot.work());
                let (kind, least) = (mem[usize::from(*kind)], mem[usize::from(*least)]);
                slot.holders(mem, kind, least, at(*d, 0), *n);
            }
            Op::Copies {
                d,
                zone,
                place,
                kind,
            } => {
                let slot = slot!(*zone);
                let (place, kind) = (
                    mem[usize::from(*place)] as usize,
                    mem[usize::from(*kind)] as usize,
                );
                let inside = place < slot.places as usize && kind < slot.kinds as usize;
                set!(
                    *d,
                    if inside {
                        slot.copies(mem, place, kind)
                    } else {
                        0
                    }
                );
            }
            Op::Kinds { d, zone, place } => {
                let slot = slot!(*zone);
                burn!(slot.work());
                let place = mem[usize::from(*place)] as usize;
                if place < slot.places as usize {
                    slot.kinds(mem, place, *d);
                } else {
                    for w in 0..usize::from(slot.kind_words) {
                        mem[at(*d, w)] = 0;
                    }
                }
            }
            Op::Find { d, zone, kind } => {
                let slot = slot!(*zone);
                burn!(u64::from(slot.places));
                let kind = mem[usize::from(*kind)] as usize;
                let inside = kind < slot.kinds as usize;
                let found = (0..slot.places as usize)
                    .find(|place| inside && slot.copies(mem, *place, kind) > 0);
                set!(*d, found.map_or(NONE, |place| place as i64));
            }
            Op::MoveAll {
                from,
                place,
                to,
                target,
            } => {
                let (source, goal) = (slot!(*from), slot!(*to));
                let (place, target) = (
                    mem[usize::from(*place)] as usize,
                    mem[usize::from(*target)] as usize,
                );
                if place < source.places as usize {
                    let each = source.work() + goal.work();
                    burn!(u64::from(source.kinds) + (1 + source.size(mem, place)) * each);
                }
                if COUNT {
                    for kind in source.all(mem, place) {
                        happens!(*from, place, kind, Happened::Taken);
                        happens!(*to, target, kind, Happened::Laid);
                    }
                }
                let list = &mut bench.list;
                tried!(prims::move_all(mem, source, place, goal, target, list));
                if source.is_plane() || goal.is_plane() {
                    tried!(bench.planes.changed(mem, layout));
                }
            }
            Op::Draw {
                d,
                zone,
                place,
                stream,
            } => {
                let slot = slot!(*zone);
                burn!(slot.work() + u64::from(slot.kinds));
                let place = mem[usize::from(*place)] as usize;
                if place >= slot.places as usize {
                    fail!(FaultKind::Absent);
                }
                let stream = StreamId(u32::from(*stream));
                let drawn = prims::draw(mem, slot, place, stream, chance, &mut bench.list);
                set!(*d, tried!(drawn));
            }
            Op::Shuffle { zone, place } => {
                let slot = slot!(*zone);
                burn!(slot.work());
                let place = mem[usize::from(*place)] as usize;
                if place >= slot.places as usize {
                    fail!(FaultKind::Absent);
                }
                slot.shuffle(mem, place);
            }
            Op::Show { zone, place, who } => {
                let slot = slot!(*zone);
                let place = mem[usize::from(*place)] as usize;
                if place >= slot.places as usize {
                    fail!(FaultKind::Absent);
                }
                let who = get!(*who);
                if COUNT {
                    let seat = (who != NONE).then_some(who as u32);
                    for kind in slot.all(mem, place) {
                        happens!(*zone, place, kind, Happened::Shown(seat));
                    }
                }
                for seat in 0..slot.seats as usize {
                    if who == NONE || who == seat as i64 {
                        slot.show(mem, place, seat);
                    }
                }
            }
            Op::GetField {
                d,
                zone,
                place,
                field,
            } => {
                let place = mem[usize::from(*place)] as usize;
                let value = tried!(slot!(*zone).field(mem, place, usize::from(*field)));
                set!(*d, value);
            }
            Op::PutField {
                zone,
                place,
                field,
                a,
            } => {
                let value = get!(*a);
                let place = mem[usize::from(*place)] as usize;
                let slot = slot!(*zone);
                tried!(slot.set_field(mem, place, usize::from(*field), value));
                if slot.is_plane() {
                    tried!(bench.planes.changed(mem, layout));
                }
            }
            Op::Plane(op) => {
                burn!(16);
                tried!(bench.planes.run(op, mem, layout, code));
            }

            Op::Ticket { d, a, stream } => {
                let total = mem[usize::from(*a)];
                if total == 0 {
                    fail!(FaultKind::NoChoice);
                }
                set!(*d, chance.ticket(StreamId(u32::from(*stream)), total));
            }
            Op::Forced { d, stream, to } => {
                if let Some(value) = chance.forced(StreamId(u32::from(*stream))) {
                    set!(*d, value);
                    pc = *to;
                    continue;
                }
            }
            Op::Happened { a, stream } => {
                chance.happened(StreamId(u32::from(*stream)), get!(*a));
            }

            Op::Pack { d, a, e, shift } => {
                mem[usize::from(*d)] = mem[usize::from(*a)] | mem[usize::from(*e)] << (shift & 63);
            }
            Op::Unpack { d, shift, bits } => {
                let mask = (1u64 << (bits & 63)) - 1;
                mem[usize::from(*d)] = mem[usize::from(word::MOVE)] >> (shift & 63) & mask;
            }
            Op::Emit { a } => {
                if bench.moves.len() >= MOST_MOVES {
                    fail!(FaultKind::TooMany);
                }
                bench.moves.push(Move(mem[usize::from(*a)]));
            }
            Op::EmitAll { a, set, n, shift } => {
                let base = mem[usize::from(*a)];
                let before = bench.moves.len();
                for w in 0..usize::from(*n) {
                    let mut rest = mem[at(*set, w)];
                    if bench.moves.len() >= MOST_MOVES {
                        fail!(FaultKind::TooMany);
                    }
                    while rest != 0 {
                        let e = u64::from(rest.trailing_zeros()) + w as u64 * 64;
                        bench.moves.push(Move(base | e << (shift & 63)));
                        rest &= rest - 1;
                    }
                }
                burn!((bench.moves.len() - before) as u64);
            }

            Op::Rows(rows) => {
                let before = bench.moves.len();
                let found = tried!(bench.rows(rows, mem, layout, code));
                burn!(64 + (bench.moves.len() - before) as u64);
                if found {
                    pc = rows.to;
                    continue;
                }
            }

            Op::Enter { stopped } => {
                if bench.afters.len() >= MOST_AFTERS {
                    fail!(FaultKind::Depth);
                }
                burn!(16 + (state as u64 >> 2));
                let start = bench.kept.len();
                bench.kept.extend_from_slice(&mem[..state]);
                bench
                    .afters
                    .push((start, *stopped, mem[usize::from(word::STOPPED)]));
                set!(word::STOPPED, 0);
            }
            Op::Leave => {
                let Some((start, _, outer)) = bench.afters.pop() else {
                    fail!(FaultKind::Depth)
                };
                mem[..state].copy_from_slice(&bench.kept[start..start + state]);
                bench.kept.truncate(start);
                mem[usize::from(word::STOPPED)] = outer;
                tried!(bench.planes.changed(mem, layout));
            }

            Op::Repeated { d } => {
                burn_words!(layout.history.map_or(0, |(_, cap)| cap));
                let count = layout.history.map_or(1, |(base, cap)| {
                    prims::occurrences(mem, layout.position_end, base, cap) + 1
                });
                set!(*d, count);
            }
            Op::Note { id, a, n } => {
                burn!(16 + u64::from(*n));
                let words = (0..usize::from(*n)).map(|w| mem[at(*a, w)]).collect();
                bench.notes.push((*id, words));
            }
            Op::Mark { clause } => {
                if bench.mark == Some(*clause) && bench.afters.is_empty() {
                    leave!(Ok(Exit::Marked(*clause, pc + 1)));
                }
            }
        }
        pc += 1;
    }
}

/// Puts constants where registers find them.
pub fn load_consts(mem: &mut Memory, code: &Code) {
    for (i, value) in code.consts.iter().enumerate() {
        mem[at(CONSTS, i)] = *value;
    }
}

/// A memory of zeros.
#[must_use]
pub fn fresh_memory() -> Box<zones::Memory> {
    let words = vec![0u64; MEMORY].into_boxed_slice();
    words.try_into().unwrap_or_else(|_| Box::new([0; MEMORY]))
}

/// Reads a register.
#[must_use]
pub fn peek(mem: &Memory, reg: Reg) -> i64 {
    mem[usize::from(reg)] as i64
}
