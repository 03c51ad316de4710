//! Operations of which one follows another are one operation where such a one exists.
//!
//! The one stands where the last of them stood, so a fault of it is found there; what was known between them
//! is read by nobody else.

use super::blocks::Blocks;
use super::live::{Liveness, is_temp};
use crate::engine::r#gen::tidy::{NOTHING, is_idle};
use crate::engine::op::{CONSTS, Code, Op, Pc, Reg};
use crate::engine::operands::Kind;
use crate::model::NONE;

/// Makes one operation of those that follow one another in a block. `statements` are the places where others begin.
pub(super) fn fuse(
    ops: &mut [Op],
    blocks: &Blocks,
    liveness: &Liveness,
    code: &Code,
    statements: &[usize],
) {
    let is_none = |word: &u64| *word as i64 == NONE;
    let none = code.consts.iter().position(is_none);
    let none = none.and_then(|at| Reg::try_from(at).ok()?.checked_add(CONSTS));
    let mut kept: Vec<usize> = Vec::new();
    for block in 0..blocks.len() {
        kept.clear();
        for at in blocks.ops(block) {
            if is_idle(ops[at]) {
                continue;
            }
            let is_last = |reg: Reg| is_temp(reg) && liveness.last_reads.contains(&(at, reg));
            while let Some((op, first)) = fused(ops, &kept, ops[at], none, is_last) {
                let begins = |from: usize| statements.iter().any(|it| (from + 1..=at).contains(it));
                // What each of the two may fault for is told where that one stands.
                if matches!(op, Op::CarrySome { .. }) && begins(kept[first]) {
                    break;
                }
                ops[at] = op;
                kept.drain(first..).for_each(|gone| ops[gone] = NOTHING);
            }
            if let Op::Offer { .. } = ops[at]
                && let Some(list) = listing(ops, &kept)
            {
                ops[list] = NOTHING;
            }
            kept.push(at);
        }
    }
}

/// What an operation becomes together with the last of those before it, and the first of these. `none` is a
/// constant.
fn fused(
    ops: &[Op],
    before: &[usize],
    op: Op,
    none: Option<Reg>,
    is_last: impl Fn(Reg) -> bool,
) -> Option<(Op, usize)> {
    let first = before.len().checked_sub(1)?;
    let one = match (ops[before[first]], op) {
        (Op::AndNot { d: left, a, b }, Op::First { d, a: set, n: 1 })
            if set == left && (d == left || is_last(left)) =>
        {
            Op::FirstNot { d, a, b }
        }
        (
            Op::Gather {
                d: found,
                set,
                n: 1,
                off,
                filled,
                base,
            },
            Op::AndNot { d, a, b },
        ) if b == found && a == set && a != found && (d == found || is_last(found)) => {
            Op::GatherNot {
                d,
                set,
                off,
                filled,
                base,
            }
        }
        (
            Op::Take {
                zone: from,
                place,
                kind,
            },
            Op::Put {
                zone,
                place: target,
                kind: same,
            },
        ) if kind == same => Op::Carry {
            from,
            place,
            zone,
            target,
            kind,
        },
        (
            Op::PeekSome {
                d,
                zone: from,
                place,
            },
            Op::Carry {
                from: same,
                place: there,
                zone,
                target,
                kind,
            },
        ) if (from, place, d) == (same, there, kind) && d != place => Op::CarrySome {
            d,
            from,
            place,
            zone,
            target,
        },
        (Op::EmitAll { a, set, n, shift }, Op::Stop { point, empty })
            if listing(ops, &before[..first]).is_some() =>
        {
            Op::Offer {
                a,
                set,
                n,
                shift,
                point,
                empty,
            }
        }
        (Op::Mul { d: product, a, b }, Op::Add { d, a: x, b: y })
            if (x == product) != (y == product) && (d == product || is_last(product)) =>
        {
            let c = if x == product { y } else { x };
            Op::MulAdd { d, a, b, c }
        }
        (Op::Load8 { d: raw, base, i }, Op::FromStored { d, a, bias })
            if a == raw && bias != raw && (d == raw || is_last(raw)) =>
        {
            Op::LoadStored { d, base, i, bias }
        }
        (Op::Peek { d, zone, place }, Op::NeedSome { a }) if a == d && place != d => {
            Op::PeekSome { d, zone, place }
        }
        (asked, Op::JumpIf { a, to }) if is_last(a) => jump(asked, a, to, true, none)?,
        (asked, Op::JumpNot { a, to }) if is_last(a) => jump(asked, a, to, false, none)?,
        (Op::Wrap { d, a, n }, Op::Loop { to }) if d == a && n != d => {
            let first = first.checked_sub(1)?;
            let counted = Op::AddK { d, a, k: 1 };
            (ops[before[first]] == counted).then_some(())?;
            return Some((Op::Cycle { d, n, copy: d, to }, first));
        }
        _ => return None,
    };
    Some((one, first))
}

/// The jump where it is `when` that something holds; `none` is a constant.
fn jump(asked: Op, answer: Reg, to: Pc, when: bool, none: Option<Reg>) -> Option<Op> {
    let (op, d) = match (asked, when) {
        (Op::Eq { d, a, b }, true) | (Op::Ne { d, a, b }, false) => (Op::JumpEq { a, b, to }, d),
        (Op::Eq { d, a, b }, false) | (Op::Ne { d, a, b }, true) => (Op::JumpNe { a, b, to }, d),
        (Op::Lt { d, a, b }, true) | (Op::Le { d, a: b, b: a }, false) => {
            (Op::JumpLt { a, b, to }, d)
        }
        (Op::Le { d, a, b }, true) | (Op::Lt { d, a: b, b: a }, false) => {
            (Op::JumpLe { a, b, to }, d)
        }
        (Op::Has { d, set, e }, true) => (Op::JumpIn { set, e, to }, d),
        (Op::Has { d, set, e }, false) => (Op::JumpNotIn { set, e, to }, d),
        (Op::IsSome { d, a }, true) => (Op::JumpNe { a, b: none?, to }, d),
        (Op::IsSome { d, a }, false) => (Op::JumpEq { a, b: none?, to }, d),
        (Op::Not { d, a }, true) => (Op::JumpNot { a, to }, d),
        (Op::Not { d, a }, false) => (Op::JumpIf { a, to }, d),
        _ => return None,
    };
    (d == answer).then_some(op)
}

/// Where the list of moves was emptied last, if nothing behind that does more than work out values.
fn listing(ops: &[Op], before: &[usize]) -> Option<usize> {
    let is_value = |op: Op| op.effect().kind != Kind::Other;
    let at = before.iter().rev().find(|at| !is_value(ops[**at]))?;
    (ops[*at] == Op::List).then_some(*at)
}

/// A copy of a counter that is made wherever a loop begins again is made where it counts.
pub(super) fn copy_in_turn(ops: &mut [Op]) {
    for at in 0..ops.len() {
        let Op::Cycle { d, n, copy, to } = ops[at] else {
            continue;
        };
        let mut first = usize::from(to);
        while ops.get(first).is_some_and(|op| is_idle(*op)) {
            first += 1;
        }
        let Some(Op::Mov { d: goal, a }) = ops.get(first).copied() else {
            continue;
        };
        if a == d && copy == d && goal != n {
            let to = Pc::try_from(first + 1).unwrap_or(to);
            ops[at] = Op::Cycle {
                d,
                n,
                copy: goal,
                to,
            };
        }
    }
}

/// Copies that follow one another are made at once.
pub(super) fn copy_at_once(ops: &mut [Op], blocks: &Blocks) {
    let begins_again = |op: &Op| match op {
        Op::Cycle { to, .. } => Some(usize::from(*to)),
        _ => None,
    };
    let again: Vec<usize> = ops.iter().filter_map(begins_again).collect();
    let mut before: Option<usize> = None;
    for at in 0..ops.len() {
        if blocks.starts_at(at) || again.contains(&at) {
            before = None;
        }
        if is_idle(ops[at]) {
            continue;
        }
        let first = before.take().map(|first| (first, ops[first]));
        match (first, ops[at]) {
            (Some((first, Op::Mov { d, a })), Op::Mov { d: e, a: b }) => {
                ops[at] = Op::Movs { d, a, e, b };
                ops[first] = NOTHING;
            }
            _ => before = Some(at),
        }
    }
}
