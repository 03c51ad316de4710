//! The flow of finished code: what is known where, and what may therefore go.
//!
//! Nothing is moved but what is worked out before a loop and cannot fault: an operation is changed where it stands,
//! or it goes. What a fault shows and what happens first stay as they are.

mod blocks;
mod fuse;
mod goals;
mod hoist;
mod live;
mod reuse;
mod slots;
mod tries;
mod uses;
mod values;
mod webs;

pub(super) use blocks::Blocks;
pub(super) use hoist::hoist;
use live::Liveness;

use super::tidy::NOTHING;
use crate::engine::layout::Layout;
use crate::engine::op::{Code, Op};
use uses::Uses;

/// Works out nothing twice. `temps` is the number of temporaries in use, before and behind.
pub(super) fn reuse(
    ops: &mut [Op],
    blocks: &Blocks,
    temps: &mut u16,
    code: &Code,
    layout: &Layout,
) {
    let uses = Uses::of(ops, code, layout);
    webs::split(ops, blocks, &uses, temps);
    let uses = Uses::of(ops, code, layout);
    reuse::reuse(ops, blocks, &uses, code, layout);
}

/// Works out nothing that nobody reads, and makes one operation of several. `statements` are the places where
/// others begin.
pub(super) fn shorten(
    ops: &mut [Op],
    blocks: &Blocks,
    temps: &mut u16,
    statements: &[usize],
    code: &Code,
    layout: &Layout,
) {
    let mut uses = Uses::of(ops, code, layout);
    let Some(liveness) = Liveness::of(ops, blocks, &uses) else {
        return;
    };
    liveness.idle.iter().for_each(|at| ops[*at] = NOTHING);
    goals::at_goals(ops, blocks, &liveness, &mut uses);
    fuse::fuse(ops, blocks, &liveness, code, statements);
    let decided = tries::decided(ops, blocks, &liveness);
    // What is live between blocks stays as it was.
    let uses = Uses::of(ops, code, layout);
    if let Some(packed) = webs::pack(ops, blocks, &liveness, &uses) {
        *temps = packed;
    }
    fuse::copy_in_turn(ops);
    fuse::copy_at_once(ops, blocks);
    tries::keep_what_is_written(ops, blocks, code, layout);
    tries::leave_at_once(ops, &decided, code);
}
