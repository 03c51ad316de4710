//! The loop over operations. It does by itself what takes a few instructions.

use super::{Exit, MOST_MOVES, Move, Run, Trap, first, from_stored, to_stored, wrapped};
use crate::engine::memory::{self, Memory, at, byte, half, set_byte, set_half};
use crate::engine::op::{FaultKind, Op, Pc, word};
use crate::model::{NONE, arith};

/// Fewer words than these are cleared without a call.
const FEW: u16 = 8;

impl Run<'_> {
    #[expect(clippy::too_many_lines, reason = "one arm per op")]
    pub(super) fn go_on<const COUNT: bool, const N: usize>(
        &mut self,
        mem: &mut Memory,
        ops: &[Op; N],
        pc: Pc,
    ) -> Result<Exit, Trap> {
        const { assert!(N.is_power_of_two()) };
        let mut pc = usize::from(pc);
        let data = self.code.data.as_slice();
        macro_rules! get {
            ($r:expr) => {
                mem[usize::from(*$r)] as i64
            };
        }
        macro_rules! word {
            ($r:expr) => {
                mem[usize::from(*$r)]
            };
        }
        macro_rules! set {
            ($r:expr, $v:expr) => {{
                let value = $v;
                mem[usize::from(*$r)] = value as u64;
            }};
        }
        macro_rules! cell {
            ($base:expr, $i:expr) => {
                data.get((*$base as usize).wrapping_add(word!($i) as usize))
            };
        }
        macro_rules! fail {
            ($kind:expr) => {
                return Err(($kind, pc as Pc))
            };
        }
        macro_rules! fail_if {
            ($cond:expr, $kind:expr) => {
                if $cond {
                    fail!($kind);
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
        macro_rules! go {
            ($to:expr) => {{
                pc = usize::from(*$to);
                continue;
            }};
        }
        macro_rules! go_if {
            ($cond:expr, $to:expr) => {
                if $cond {
                    go!($to);
                }
            };
        }
        macro_rules! go_back {
            ($to:expr) => {{
                // What loops leads backwards, but for a turn that goes on behind the rest of it.
                tried!(self.burn((pc + 1).saturating_sub(usize::from(*$to)) as u64));
                go!($to);
            }};
        }
        loop {
            let op = &ops[pc & (N - 1)];
            if COUNT {
                self.bench.ops += 1;
                if let Some(n) = self.bench.counts.get_mut(pc) {
                    *n += 1;
                }
            }
            match op {
                Op::Jump { to } => go!(to),
                Op::Loop { to } => go_back!(to),
                Op::Cycle { d, n, copy, to } => {
                    let next = wrapped(get!(d).wrapping_add(1), get!(n).max(1));
                    set!(d, next);
                    set!(copy, next);
                    go_back!(to);
                }
                Op::JumpIf { a, to } => go_if!(word!(a) != 0, to),
                Op::JumpNot { a, to } => go_if!(word!(a) == 0, to),
                Op::JumpEq { a, b, to } => go_if!(word!(a) == word!(b), to),
                Op::JumpNe { a, b, to } => go_if!(word!(a) != word!(b), to),
                Op::JumpLt { a, b, to } => go_if!(get!(a) < get!(b), to),
                Op::JumpLe { a, b, to } => go_if!(get!(a) <= get!(b), to),
                Op::JumpIn { set, e, to } => {
                    let e = word!(e);
                    go_if!(e < 64 && word!(set) >> e & 1 == 1, to);
                }
                Op::JumpNotIn { set, e, to } => {
                    let e = word!(e);
                    go_if!(e >= 64 || word!(set) >> e & 1 == 0, to);
                }
                Op::JumpEmpty { set, n, to } => go_if!(!tried!(self.any(mem, *set, *n)), to),
                Op::JumpAny { set, n, to } => go_if!(tried!(self.any(mem, *set, *n)), to),
                Op::Call { to, work } => {
                    tried!(self.burn(u64::from(*work) + 1));
                    set!(&word::RETURN, pc + 1);
                    go!(to);
                }
                Op::Return { a } => {
                    pc = usize::from(word!(a) as Pc);
                    continue;
                }
                Op::Clear { d, n } if *n < FEW => {
                    for w in 0..usize::from(*n) {
                        mem[at(*d, w)] = 0;
                    }
                }
                Op::Clear { d, n } => tried!(self.clear(mem, *d, *n)),
                Op::List => self.bench.moves.clear(),
                Op::JumpNone { to } => go_if!(self.bench.moves.is_empty(), to),
                Op::Stop { point, empty } => {
                    go_if!(self.bench.moves.is_empty(), empty);
                    word!(&word::POINT) = u64::from(*point) + 1;
                    return Ok(Exit::Choice(*point));
                }
                Op::Offer {
                    a,
                    set,
                    n,
                    shift,
                    point,
                    empty,
                } => {
                    self.bench.moves.clear();
                    tried!(self.emit(mem, *a, *set, *n, *shift));
                    go_if!(self.bench.moves.is_empty(), empty);
                    word!(&word::POINT) = u64::from(*point) + 1;
                    return Ok(Exit::Choice(*point));
                }
                Op::End => match self.end(mem) {
                    Some(stopped) => go!(&stopped),
                    None => return Ok(Exit::Ended),
                },
                Op::Halt => return Ok(Exit::Halted),
                Op::Fail { fault } => fail!(*fault),

                Op::Mov { d, a } => set!(d, word!(a)),
                Op::Movs { d, a, e, b } => {
                    set!(d, word!(a));
                    set!(e, word!(b));
                }
                Op::Add { d, a, b } => set!(d, get!(a).wrapping_add(get!(b))),
                Op::AddK { d, a, k } => set!(d, get!(a).wrapping_add(i64::from(*k))),
                Op::Sub { d, a, b } => set!(d, get!(a).wrapping_sub(get!(b))),
                Op::Mul { d, a, b } => match get!(a).checked_mul(get!(b)) {
                    Some(value) => set!(d, value),
                    None => fail!(FaultKind::Bounds),
                },
                Op::MulAdd { d, a, b, c } => match get!(a).checked_mul(get!(b)) {
                    Some(value) => set!(d, value.wrapping_add(get!(c))),
                    None => fail!(FaultKind::Bounds),
                },
                Op::Div { d, a, b } => match arith::quotient(get!(a), get!(b)) {
                    Some(value) => set!(d, value),
                    None => fail!(FaultKind::Zero),
                },
                Op::Mod { d, a, b } => match arith::remainder(get!(a), get!(b)) {
                    Some(value) => set!(d, value),
                    None => fail!(FaultKind::Zero),
                },
                Op::Abs { d, a } => set!(d, get!(a).wrapping_abs()),
                Op::Min { d, a, b } => set!(d, get!(a).min(get!(b))),
                Op::Max { d, a, b } => set!(d, get!(a).max(get!(b))),
                Op::Wrap { d, a, n } => set!(d, wrapped(get!(a), get!(n).max(1))),
                Op::CycleDistance { d, a, b, n } => {
                    let way = get!(a).wrapping_sub(get!(b)).wrapping_abs();
                    let n = get!(n).max(1);
                    let way = wrapped(way, n);
                    set!(d, way.min(n - way));
                }
                Op::Eq { d, a, b } => set!(d, word!(a) == word!(b)),
                Op::Ne { d, a, b } => set!(d, word!(a) != word!(b)),
                Op::Lt { d, a, b } => set!(d, get!(a) < get!(b)),
                Op::Le { d, a, b } => set!(d, get!(a) <= get!(b)),
                Op::Not { d, a } => set!(d, word!(a) == 0),
                Op::IsSome { d, a } => set!(d, get!(a) != NONE),
                Op::Default { d, a, b } => {
                    let value = get!(a);
                    set!(d, if value == NONE { get!(b) } else { value });
                }
                Op::NeedSome { a } => fail_if!(get!(a) == NONE, FaultKind::Absent),
                Op::Check { a, lo, hi, fault } => {
                    let value = get!(a);
                    fail_if!(value < get!(lo) || value > get!(hi), *fault);
                }
                Op::FromStored { d, a, bias } => set!(d, from_stored(get!(a), get!(bias))),
                Op::ToStored { d, a, bias } => set!(d, to_stored(get!(a), get!(bias))),
                Op::Digit { d, a, stride, size } => {
                    set!(d, word!(a) / word!(stride).max(1) % word!(size).max(1));
                }
                Op::Look { d, i, base } | Op::Row { d, i, n: 1, base } => match cell!(base, i) {
                    Some(value) => set!(d, *value),
                    None => fail!(FaultKind::Absent),
                },

                Op::LookAhead { d, i, base } => set!(d, *cell!(base, i).unwrap_or(&0)),
                Op::And { d, a, b } => set!(d, word!(a) & word!(b)),
                Op::Or { d, a, b } => set!(d, word!(a) | word!(b)),
                Op::AndNot { d, a, b } => set!(d, word!(a) & !word!(b)),
                Op::Count { d, a } => set!(d, word!(a).count_ones()),
                Op::Bit { d, e } => {
                    let e = word!(e);
                    set!(d, if e < 64 { 1u64 << e } else { 0 });
                }
                Op::SetBit { d, e } => {
                    let e = word!(e);
                    if e < 64 {
                        word!(d) |= 1 << e;
                    }
                }
                Op::Has { d, set, e } => {
                    let e = word!(e);
                    set!(d, e < 64 && word!(set) >> e & 1 == 1);
                }
                Op::Next { cur, d, to } => {
                    let set = word!(cur);
                    go_if!(set == 0, to);
                    set!(d, set.trailing_zeros());
                    set!(cur, set & (set - 1));
                }
                Op::Again { cur, d, to } => {
                    let set = word!(cur);
                    if set != 0 {
                        set!(d, set.trailing_zeros());
                        set!(cur, set & (set - 1));
                        go_back!(to);
                    }
                }

                Op::WideMov { d, a, n } => tried!(self.combine(mem, [*d, *a, *a], *n, |x, _| x)),
                Op::WideAnd { d, a, b, n } => {
                    tried!(self.combine(mem, [*d, *a, *b], *n, |x, y| x & y))
                }
                Op::WideOr { d, a, b, n } => {
                    tried!(self.combine(mem, [*d, *a, *b], *n, |x, y| x | y))
                }
                Op::WideAndNot { d, a, b, n } => {
                    tried!(self.combine(mem, [*d, *a, *b], *n, |x, y| x & !y))
                }
                Op::WideEq { d, a, b, n } => tried!(self.wide_eq(mem, *d, *a, *b, *n)),
                Op::WideCount { d, a, n } => tried!(self.wide_count(mem, *d, *a, *n)),
                Op::WideSetBit { d, e, n } => {
                    let e = word!(e) as usize;
                    if e < usize::from(*n) * 64 {
                        memory::insert(mem, *d, e);
                    }
                }
                Op::WideHas { d, set, e, n } => {
                    let e = word!(e) as usize;
                    set!(d, e < usize::from(*n) * 64 && memory::has(mem, *set, e));
                }
                Op::WideNext { cur, n, d, to } => {
                    tried!(self.burn_words(*n));
                    match memory::pop_from(mem, *cur, *n, 0) {
                        Some(e) => set!(d, e),
                        None => go!(to),
                    }
                }
                Op::WideAgain { cur, n, d, to } => {
                    // What came before the last element has been taken out.
                    let from = word!(d) as usize >> 6;
                    if let Some(e) = memory::pop_from(mem, *cur, *n, from) {
                        set!(d, e);
                        go_back!(to);
                    }
                }
                Op::WidePrev { cur, n, d, to } => {
                    tried!(self.burn_words(*n));
                    match memory::pop_last(mem, *cur, *n) {
                        Some(e) => set!(d, e),
                        None => go!(to),
                    }
                }
                Op::First { d, a, n: 1 } => set!(d, first(word!(a))),
                Op::First { d, a, n } => {
                    set!(d, memory::first(mem, *a, *n).map_or(NONE, |e| e as i64));
                }
                Op::FirstNot { d, a, b } => set!(d, first(word!(a) & !word!(b))),
                Op::Last { d, a, n } => {
                    set!(d, memory::last(mem, *a, *n).map_or(NONE, |e| e as i64));
                }

                Op::Load { d, base, i } => set!(d, mem[at(*base, word!(i) as usize)]),
                Op::Load8 { d, base, i } => set!(d, byte(mem, *base, word!(i) as usize)),
                Op::LoadStored { d, base, i, bias } => {
                    let raw = byte(mem, *base, word!(i) as usize) as i64;
                    set!(d, from_stored(raw, get!(bias)));
                }
                Op::Load16 { d, base, i } => set!(d, half(mem, *base, word!(i) as usize)),
                Op::Store { base, i, a } => mem[at(*base, word!(i) as usize)] = word!(a),
                Op::Store8 { base, i, a } => {
                    set_byte(mem, *base, word!(i) as usize, word!(a));
                }
                Op::Store16 { base, i, a } => {
                    set_half(mem, *base, word!(i) as usize, word!(a));
                }
                Op::LoadWide { d, base, i, n } => tried!(self.load(mem, *d, *base, *i, *n)),
                Op::StoreWide { base, i, a, n } => tried!(self.store(mem, *base, *i, *a, *n)),
                Op::Row { d, i, n, base } => tried!(self.row(mem, *d, *i, *n, *base)),
                Op::UnionOf { d, sets, of, n: 1 } => set!(d, self.union_of(mem, *sets, *of)),
                Op::UnionOf { d, sets, of, n } => {
                    tried!(self.wide_union_of(mem, *d, *sets, *of, *n));
                }
                Op::FilterLanes {
                    d,
                    set,
                    lanes,
                    row,
                    less,
                } => tried!(self.filter_lanes(mem, *d, *set, *lanes, *row, *less)),
                Op::Gather {
                    d,
                    set,
                    n,
                    off,
                    filled,
                    base,
                } => tried!(self.gather(mem, *d, [*set, *filled], *n, *off, *base)),
                Op::GatherNot {
                    d,
                    set,
                    off,
                    filled,
                    base,
                } => tried!(self.gather_not(mem, *d, [*set, *filled], *off, *base)),
                Op::Before { d, set, filled, by } => {
                    let Some(shift) = self.code.shifts.get(usize::from(*by)) else {
                        fail!(FaultKind::Absent);
                    };
                    set!(d, shift.before(word!(filled)) & word!(set));
                }
                Op::Walk {
                    d,
                    from,
                    way,
                    mask,
                    shape,
                } => tried!(self.walk(mem, *d, *from, *way, *mask, *shape)),

                Op::Step {
                    d,
                    cell,
                    way,
                    count,
                    shape,
                } => tried!(self.step(mem, *d, *cell, *way, *count, *shape)),
                Op::JumpLine {
                    set,
                    cell,
                    shape,
                    when,
                    to,
                } => {
                    let found = tried!(self.line(mem, *set, *cell, *shape));
                    go_if!(found == (*when != 0), to);
                }

                Op::Put { zone, place, kind } => {
                    tried!(self.put_or_take::<true>(mem, *zone, *place, *kind))
                }
                Op::Take { zone, place, kind } => {
                    tried!(self.put_or_take::<false>(mem, *zone, *place, *kind))
                }
                Op::Peek { d, zone, place } => tried!(self.peek(mem, *d, *zone, *place)),
                Op::PeekSome { d, zone, place } => {
                    tried!(self.peek(mem, *d, *zone, *place));
                    fail_if!(get!(d) == NONE, FaultKind::Absent);
                }
                Op::Top { d, zone, place } => tried!(self.top(mem, *d, *zone, *place)),
                Op::Size { d, zone, place } => tried!(self.size(mem, *d, *zone, *place)),
                Op::Copies {
                    d,
                    zone,
                    place,
                    kind,
                } => tried!(self.copies(mem, *d, *zone, *place, *kind)),
                Op::Kinds { d, zone, place } => tried!(self.kinds(mem, *d, *zone, *place)),
                Op::GetField {
                    d,
                    zone,
                    place,
                    field,
                } => tried!(self.field(mem, *d, *zone, *place, *field)),
                Op::Carry {
                    from,
                    place,
                    zone,
                    target,
                    kind,
                } => tried!(self.carry(mem, *kind, [*from, *zone], [*place, *target])),
                Op::CarrySome { .. }
                | Op::UnionRows { .. }
                | Op::SeveralRows { .. }
                | Op::Total { .. }
                | Op::TotalIn { .. }
                | Op::Lines { .. }
                | Op::Reach { .. }
                | Op::Rays { .. }
                | Op::Behind { .. }
                | Op::Holders { .. }
                | Op::Tally { .. }
                | Op::Those { .. }
                | Op::TallyLanes { .. }
                | Op::TallyRows { .. }
                | Op::AtLeast { .. }
                | Op::Find { .. }
                | Op::MoveAll { .. }
                | Op::MoveThose { .. }
                | Op::SwapAll { .. }
                | Op::Draw { .. }
                | Op::Shuffle { .. }
                | Op::Show { .. }
                | Op::PutField { .. }
                | Op::FilterRows { .. }
                | Op::FilterSets { .. }
                | Op::FilterSpan { .. }
                | Op::Nth { .. }
                | Op::Dig { .. } => tried!(self.handed_on(mem, op)),
                Op::Plane(op) => {
                    tried!(self.burn(16));
                    tried!(self.bench.planes.run(op, mem, self.layout, self.code));
                }

                Op::Ticket { d, a, stream } => tried!(self.ticket(mem, *d, *a, *stream)),
                Op::Forced { d, stream, to } => go_if!(self.forced(mem, *d, *stream), to),
                Op::Happened { a, stream } => self.happened(*stream, get!(a)),

                Op::Pack { d, a, e, shift } => set!(d, word!(a) | word!(e) << (shift & 63)),
                Op::Unpack { d, shift, bits } => {
                    let mask = (1u64 << (bits & 63)) - 1;
                    set!(d, mem[usize::from(word::MOVE)] >> (shift & 63) & mask);
                }
                Op::Emit { a } => {
                    fail_if!(self.bench.moves.len() >= MOST_MOVES, FaultKind::TooMany);
                    self.bench.moves.push(Move(word!(a)));
                }
                Op::EmitAll { a, set, n, shift } => tried!(self.emit(mem, *a, *set, *n, *shift)),
                Op::Rows(rows) => go_if!(tried!(self.rows(mem, rows)), &rows.to),

                Op::Enter { stopped, first, n } => {
                    tried!(self.enter(mem, *stopped, [*first, *n]));
                }
                Op::Leave => tried!(self.leave(mem)),
                Op::LeaveTo { to } => {
                    tried!(self.leave(mem));
                    go!(to);
                }
                Op::Repeated { d } => tried!(self.repeated(mem, *d)),
                Op::Note { id, a, n } => tried!(self.note(mem, *id, *a, *n)),
                Op::Deaf { to } => go_if!(!self.is_heard(), to),
                Op::Tell { telling, a, n } if self.is_heard() => {
                    self.hand_out(mem, *a, *n);
                    return Ok(Exit::Told(*telling, (pc + 1) as Pc));
                }
                Op::Tell { .. } => {}
                Op::Mark { clause } => {
                    if self.bench.mark == Some(*clause) && self.bench.afters.is_empty() {
                        return Ok(Exit::Marked(*clause, (pc + 1) as Pc));
                    }
                }
            }
            pc += 1;
        }
    }
}
