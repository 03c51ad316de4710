//! Positions that were there before, by their hashes.

use std::hash::Hasher;

use xxhash_rust::xxh3::Xxh3Default;

use super::layout::Layout;
use super::memory::{Memory, at};
use super::op::{Point, Reg, word};

fn position_hash(mem: &Memory, end: Reg) -> u64 {
    let mut hasher = Xxh3Default::new();
    for value in &mem[usize::from(word::FREE)..usize::from(end)] {
        hasher.write_u64(*value);
    }
    hasher.finish()
}

/// Remembers the position that a move leaves, so that all that is asked while a choice is open is asked of one past.
/// Where several seats choose, it is left once.
#[inline]
pub fn leave(mem: &mut Memory, layout: &Layout, point: Option<&Point>) {
    if let Some((base, cap)) = layout.history
        && !point.is_some_and(|it| has_chosen(mem, it))
    {
        remember(mem, layout.position_end, base, cap);
    }
}

/// Whether another seat has answered the pending choice already, in the same position.
fn has_chosen(mem: &Memory, point: &Point) -> bool {
    let word = |reg: Reg| mem[usize::from(reg)];
    let pending = point.pending.as_ref();
    pending.is_some_and(|it| word(it.left) | word(it.idle) != word(it.all))
}

/// Remembers the position: a counter and then a ring of hashes.
#[inline(never)]
fn remember(mem: &mut Memory, end: Reg, base: Reg, cap: u16) {
    let hash = position_hash(mem, end);
    let n = mem[usize::from(base)] as usize;
    mem[at(base, 1 + n % usize::from(cap.max(1)))] = hash;
    mem[usize::from(base)] = n as u64 + 1;
}

/// How often the position has been remembered.
pub fn occurrences(mem: &Memory, end: Reg, base: Reg, cap: u16) -> u64 {
    let hash = position_hash(mem, end);
    let n = (mem[usize::from(base)] as usize).min(usize::from(cap));
    (0..n).filter(|i| mem[at(base, 1 + i)] == hash).count() as u64
}
