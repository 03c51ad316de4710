//! Operations of which one follows another are one operation where such a one exists.
//!
//! The one stands where the last of them stood, so a fault of it is found there; what was known between them
//! is read by nobody else.

use super::blocks::Blocks;
use super::live::{Liveness, is_temp};
use crate::engine::r#gen::tidy::{NOTHING, is_idle};
use crate::engine::op::{Op, Pc, Reg};
use crate::engine::operands::Kind;

/// Makes one operation of those that follow one another in a block.
pub(super) fn fuse(ops: &mut [Op], blocks: &Blocks, liveness: &Liveness) {
    let mut kept: Vec<usize> = Vec::new();
    for block in 0..blocks.len() {
        kept.clear();
        for at in blocks.ops(block) {
            if is_idle(ops[at]) {
                continue;
            }
            let is_last = |reg: Reg| is_temp(reg) && liveness.last_reads.contains(&(at, reg));
            if let Some((op, first)) = fused(ops, &kept, ops[at], is_last) {
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

/// What an operation becomes together with the last of those before it, and the first of these.
fn fused(
    ops: &[Op],
    before: &[usize],
    op: Op,
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
