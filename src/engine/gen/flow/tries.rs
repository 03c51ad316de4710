//! How much of the state has to be kept while something is tried out: what is written there; and how it is left.

use super::blocks::Blocks;
use super::live::Liveness;
use super::slots::Slots;
use super::uses::{Access, Uses, Words};
use crate::engine::r#gen::FRAME_REL;
use crate::engine::r#gen::tidy::{NOTHING, is_idle};
use crate::engine::layout::Layout;
use crate::engine::op::{CONSTS, Code, Op, Pc, Reg, TEMPS};
use crate::engine::operands::{Kind, List, Operand};

/// Lets each `Enter` keep only the words between the first and the last that may be written before its `Leave`.
/// Where a procedure is called or the frame is written, all is kept.
pub(super) fn keep_what_is_written(ops: &mut [Op], blocks: &Blocks, code: &Code, layout: &Layout) {
    if blocks.entered.is_empty() {
        return;
    }
    let uses = Uses::of(ops, code, layout);
    let slots = Slots::of(&uses, blocks, layout);
    for (leave, enter) in &blocks.entered {
        let all = (*enter + 1..*leave).try_fold((Reg::MAX, 0), |(from, to), at| {
            let more = written(ops[at], uses.at(at), &slots, layout)?;
            Some((from.min(more.0), to.max(more.1)))
        });
        if let (Some((from, to)), Op::Enter { first, n, .. }) = (all, &mut ops[*enter]) {
            (*first, *n) = (from.min(to), to.saturating_sub(from));
        }
    }
}

/// The words of the state, from one to the one behind the last, that an operation may write; none where that may
/// be any.
fn written(mut op: Op, words: &[Words], slots: &Slots, layout: &Layout) -> Option<(Reg, Reg)> {
    let (mut from, mut to) = (Reg::MAX, 0);
    if is_idle(op) {
        return Some((from, to));
    }
    let effect = op.effect();
    let is_known = effect.kind != Kind::Other
        || effect.moves
        || op.jumps()
        || matches!(
            op,
            Op::Store { .. }
                | Op::Store8 { .. }
                | Op::Store16 { .. }
                | Op::StoreWide { .. }
                | Op::Those { .. }
        )
        || matches!(op, Op::Leave | Op::Fail { .. });
    if !is_known {
        return None;
    }
    let mut add = |first: Reg, end: Reg| (from, to) = (from.min(first), to.max(end));
    for it in words.iter().filter(|it| it.access != Access::Read) {
        match it.first {
            TEMPS.. => {}
            FRAME_REL.. => return None,
            first if it.is_said => add(first, it.all().end),
            first => {
                let (first, end) = slots.extent(slots.part(first)?)?;
                add(first, end);
            }
        }
    }
    if effect.moves {
        let mut all = true;
        op.operands(&mut |_, operand| {
            if let Operand::Index(List::Zone, at) = operand {
                let extent = slots
                    .part_of_zone(at, layout)
                    .and_then(|it| slots.extent(it));
                match extent {
                    Some((first, end)) => add(first, end),
                    None => all = false,
                }
            }
        });
        all.then_some(())?;
    }
    Some((from, to))
}

/// Each `Leave` behind which nothing but the next jump asks for what was worked out before it.
pub(super) fn decided(ops: &[Op], blocks: &Blocks, liveness: &Liveness) -> Vec<usize> {
    let leaves = blocks.entered.iter().map(|it| it.0);
    let is_decided = |leave: &usize| {
        let jump = kept_from(ops, leave + 1);
        let asked = jump.and_then(|at| Some((at, asked(*ops.get(at)?)?.0)));
        let is_entry = blocks.is_entry[blocks.block_of(*leave)];
        !is_entry && asked.is_some_and(|it| liveness.last_reads.contains(&it))
    };
    leaves.filter(is_decided).collect()
}

/// Where it is known on each way to a `Leave` how what follows is decided, what was tried out is left there.
pub(super) fn leave_at_once(ops: &mut [Op], leaves: &[usize], code: &Code) {
    for leave in leaves {
        let Some((ways, last)) = ways_to(*leave, ops, code) else {
            continue;
        };
        for (copy, jump, to) in ways {
            ops[copy] = Op::LeaveTo { to };
            jump.into_iter().for_each(|at| ops[at] = NOTHING);
        }
        ops[*leave] = NOTHING;
        ops[last] = NOTHING;
    }
}

/// The copies of constants with which all ways to a `Leave` end, with the jump that follows each and where the next
/// jump leads then; and that jump.
#[expect(clippy::type_complexity, reason = "named where it is used")]
fn ways_to(
    leave: usize,
    ops: &[Op],
    code: &Code,
) -> Option<(Vec<(usize, Option<usize>, Pc)>, usize)> {
    let last = kept_from(ops, leave + 1)?;
    let (answer, far, when) = asked(ops[last])?;
    let next = Pc::try_from(last + 1).ok()?;
    if far < next {
        return None;
    }
    let kept_before = |at: usize| (0..at).rev().find(|at| !is_idle(ops[*at]));
    let first = kept_before(leave).map_or(0, |at| at + 1);
    let mut targets = vec![false; ops.len() + 1];
    let mut ends = Vec::new();
    for (at, op) in ops.iter().enumerate() {
        let mut op = *op;
        op.each_target(&mut |to| {
            let to = usize::from(*to);
            targets
                .iter_mut()
                .skip(to)
                .take(1)
                .for_each(|it| *it = true);
            if (first..=leave).contains(&to) {
                ends.push(at);
            }
        });
    }
    let mut ways = Vec::new();
    let mut add = |copy: usize, jump: Option<usize>| {
        let Op::Mov { d, a } = ops[copy] else {
            return None;
        };
        let value = code.consts.get(usize::from(a.checked_sub(CONSTS)?))?;
        let to = if (*value != 0) == when { far } else { next };
        (d == answer).then(|| ways.push((copy, jump, to)))
    };
    for jump in ends {
        let copy = kept_before(jump)?;
        let is_met = targets.get(copy + 1..=jump)?.contains(&true);
        if is_met || !matches!(ops[jump], Op::Jump { .. }) {
            return None;
        }
        add(copy, Some(jump))?;
    }
    let before = first.checked_sub(1)?;
    if !ops[before].effect().leaves {
        add(before, None)?;
    }
    Some((ways, last))
}

/// What a jump asks, where it leads, and whether that is where it holds.
fn asked(op: Op) -> Option<(Reg, Pc, bool)> {
    match op {
        Op::JumpIf { a, to } => Some((a, to, true)),
        Op::JumpNot { a, to } => Some((a, to, false)),
        _ => None,
    }
}

/// The first operation from a place on that is not idle.
fn kept_from(ops: &[Op], from: usize) -> Option<usize> {
    (from..ops.len()).find(|at| !is_idle(ops[*at]))
}
