//! How much of the state has to be kept while something is tried out: what is written there.

use super::blocks::Blocks;
use super::slots::Slots;
use super::uses::{Access, Uses, Words};
use crate::engine::r#gen::FRAME_REL;
use crate::engine::r#gen::tidy::is_idle;
use crate::engine::layout::Layout;
use crate::engine::op::{Code, Op, Reg, TEMPS};
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
            Op::Store { .. } | Op::Store8 { .. } | Op::Store16 { .. } | Op::StoreWide { .. }
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
