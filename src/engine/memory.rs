//! The words that the machine works on, and the arrays and sets that lie in them.

use std::ops::Range;

use super::op::{MEMORY, Reg};

/// Words that are read or written at a time.
const CHUNK: usize = 8;

/// Words of the machine's memory: as many as are read at a time lie behind the last address, so nobody asks where they end.
pub const WORDS: usize = MEMORY + CHUNK;
/// The machine's memory.
pub type Memory = [u64; WORDS];

/// Address arithmetic that stays inside the memory, also by an index that is none: what is read before a loop may be asked
/// for in no round of it.
#[inline]
pub fn at(base: Reg, offset: usize) -> usize {
    usize::from(base).wrapping_add(offset) & (MEMORY - 1)
}

/// Reads a byte of a packed array.
#[inline]
pub fn byte(mem: &Memory, base: Reg, index: usize) -> u64 {
    (mem[at(base, index >> 3)] >> ((index & 7) * 8)) & 0xff
}

/// Writes a byte of a packed array.
#[inline]
pub fn set_byte(mem: &mut Memory, base: Reg, index: usize, value: u64) {
    let word = &mut mem[at(base, index >> 3)];
    let shift = (index & 7) * 8;
    *word = *word & !(0xff << shift) | (value & 0xff) << shift;
}

/// Reads a half word of a packed array.
#[inline]
pub fn half(mem: &Memory, base: Reg, index: usize) -> u64 {
    (mem[at(base, index >> 2)] >> ((index & 3) * 16)) & 0xffff
}

/// Reads a number of so many bytes of an array.
#[inline]
pub fn lane(mem: &Memory, (base, bytes): (Reg, u8), index: usize) -> u64 {
    match bytes {
        1 => byte(mem, base, index),
        2 => half(mem, base, index),
        _ => mem[at(base, index)],
    }
}

/// Writes a number of so many bytes of an array.
#[inline]
pub fn set_lane(mem: &mut Memory, (base, bytes): (Reg, u8), index: usize, value: u64) {
    match bytes {
        1 => set_byte(mem, base, index, value),
        2 => set_half(mem, base, index, value),
        _ => mem[at(base, index)] = value,
    }
}

/// Writes a half word of a packed array.
#[inline]
pub fn set_half(mem: &mut Memory, base: Reg, index: usize, value: u64) {
    let word = &mut mem[at(base, index >> 2)];
    let shift = (index & 3) * 16;
    *word = *word & !(0xffff << shift) | (value & 0xffff) << shift;
}

/// The first of some numbers of `BITS` bits, eight or sixteen, of a packed array that is this one: those of a word are compared at
/// once.
pub fn find_lane<const BITS: usize>(
    mem: &Memory,
    base: Reg,
    among: Range<usize>,
    value: usize,
) -> Option<usize> {
    let lanes = 64 / BITS;
    let each = u64::MAX / ((1 << BITS) - 1);
    let below = (each << (BITS - 1)) - each;
    if value >> BITS != 0 {
        return None;
    }
    let wanted = each * value as u64;
    let mut at_first = among.start;
    while at_first < among.end {
        let differs = mem[at(base, at_first / lanes)] ^ wanted;
        let carried = (differs & below) + below;
        // The highest bit of each that differs in no bit.
        let equal = !(carried | differs | below) >> (at_first % lanes * BITS);
        if equal != 0 {
            let found = at_first + equal.trailing_zeros() as usize / BITS;
            return (found < among.end).then_some(found);
        }
        at_first = (at_first / lanes + 1) * lanes;
    }
    None
}

/// Whether a set holds an element.
#[inline]
pub fn has(mem: &Memory, set: Reg, element: usize) -> bool {
    mem[at(set, element >> 6)] >> (element & 63) & 1 == 1
}

/// Adds an element to a set.
#[inline]
pub fn insert(mem: &mut Memory, set: Reg, element: usize) {
    mem[at(set, element >> 6)] |= 1 << (element & 63);
}

/// Takes an element out of a set.
#[inline]
pub fn remove(mem: &mut Memory, set: Reg, element: usize) {
    mem[at(set, element >> 6)] &= !(1 << (element & 63));
}

/// `d = f(a, b)` word by word. The sets may be the same, but do not overlap otherwise.
#[inline(never)]
pub fn combine(mem: &mut Memory, d: Reg, a: Reg, b: Reg, n: u16, f: impl Fn(u64, u64) -> u64) {
    let n = usize::from(n);
    match n {
        0 => {}
        1 => mem[usize::from(d)] = f(mem[usize::from(a)], mem[usize::from(b)]),
        2..CHUNK => combine_chunks::<2>(mem, [d, a, b], n, f),
        _ => combine_chunks::<CHUNK>(mem, [d, a, b], n, f),
    }
}

/// As many words as are known when this is compiled need no call to copy them. What is left over is worked out first and
/// written last, together with words of the chunk before.
#[inline(always)]
fn combine_chunks<const N: usize>(
    mem: &mut Memory,
    [d, a, b]: [Reg; 3],
    n: usize,
    f: impl Fn(u64, u64) -> u64,
) {
    let combined = |mem: &Memory, done: usize| -> [u64; N] {
        let [left, right] = [a, b].map(|set| mem[at(set, done)..].first_chunk::<N>());
        match (left, right) {
            (Some(left), Some(right)) => std::array::from_fn(|i| f(left[i], right[i])),
            _ => [0; N],
        }
    };
    let write = |mem: &mut Memory, done: usize, words: [u64; N]| {
        if let Some(goal) = mem[at(d, done)..].first_chunk_mut::<N>() {
            *goal = words;
        }
    };
    let last = n - N;
    let rest = combined(mem, last);
    let mut done = 0;
    while done < last {
        let words = combined(mem, done);
        write(mem, done, words);
        done += N;
    }
    write(mem, last, rest);
}

/// Zeroes words.
#[inline(never)]
pub fn clear(mem: &mut Memory, d: Reg, n: u16) {
    if let Some(words) = mem.get_mut(usize::from(d)..usize::from(d) + usize::from(n)) {
        words.fill(0);
    }
}

/// The words of a set.
#[inline]
fn words(mem: &Memory, set: Reg, n: u16) -> &[u64] {
    let from = usize::from(set);
    mem.get(from..from + usize::from(n)).unwrap_or_default()
}

/// How many words from the first on are empty.
#[inline]
fn empty(words: &[u64]) -> usize {
    words.iter().take_while(|word| **word == 0).count()
}

/// Whether a set has a member.
#[inline(never)]
pub fn any(mem: &Memory, set: Reg, n: u16) -> bool {
    let words = words(mem, set, n);
    empty(words) < words.len()
}

/// The first member.
#[inline(never)]
pub fn first(mem: &Memory, set: Reg, n: u16) -> Option<usize> {
    let words = words(mem, set, n);
    let w = empty(words);
    Some(w * 64 + words.get(w)?.trailing_zeros() as usize)
}

/// The last member.
pub fn last(mem: &Memory, set: Reg, n: u16) -> Option<usize> {
    (0..usize::from(n)).rev().find_map(|w| {
        let bits = mem[at(set, w)];
        (bits != 0).then(|| w * 64 + 63 - bits.leading_zeros() as usize)
    })
}

/// Takes the first member out, where no word before `from` has one.
#[inline(never)]
pub fn pop_from(mem: &mut Memory, set: Reg, n: u16, from: usize) -> Option<usize> {
    let set = usize::from(set);
    let words = mem.get_mut(set + from..set + usize::from(n))?;
    let w = empty(words);
    let word = words.get_mut(w)?;
    let e = (from + w) * 64 + word.trailing_zeros() as usize;
    *word &= *word - 1;
    Some(e)
}

/// Takes the last member out.
pub fn pop_last(mem: &mut Memory, set: Reg, n: u16) -> Option<usize> {
    let e = last(mem, set, n)?;
    remove(mem, set, e);
    Some(e)
}
