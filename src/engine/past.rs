//! Positions that were there before, by their hashes.

use std::hash::Hasher;

use xxhash_rust::xxh3::Xxh3Default;

use super::memory::{Memory, at};
use super::op::{Reg, word};

fn position_hash(mem: &Memory, end: Reg) -> u64 {
    let mut hasher = Xxh3Default::new();
    for value in &mem[usize::from(word::FREE)..usize::from(end)] {
        hasher.write_u64(*value);
    }
    hasher.finish()
}

/// Remembers the position: a counter and then a ring of hashes.
pub fn remember(mem: &mut Memory, end: Reg, base: Reg, cap: u16) {
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
