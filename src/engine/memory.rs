//! The words that the machine works on, and the arrays and sets that lie in them.

use super::op::{MEMORY, Reg};

/// The machine's memory.
pub type Memory = [u64; MEMORY];

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

/// Reads a number of a packed array of bytes, or of half words.
#[inline]
pub fn count(mem: &Memory, base: Reg, wide: bool, index: usize) -> u64 {
    if wide {
        half(mem, base, index)
    } else {
        byte(mem, base, index)
    }
}

/// Writes a number of a packed array of bytes, or of half words.
#[inline]
pub fn set_count(mem: &mut Memory, base: Reg, wide: bool, index: usize, value: u64) {
    if wide {
        set_half(mem, base, index, value);
    } else {
        set_byte(mem, base, index, value);
    }
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
    let mut done = 0;
    while done + 8 <= n {
        combine_chunk::<8>(mem, [d, a, b].map(|set| at(set, done)), &f);
        done += 8;
    }
    while done + 2 <= n {
        combine_chunk::<2>(mem, [d, a, b].map(|set| at(set, done)), &f);
        done += 2;
    }
    if done < n {
        mem[at(d, done)] = f(mem[at(a, done)], mem[at(b, done)]);
    }
}

/// As many words as are known when this is compiled need no call to copy them.
#[inline(always)]
fn combine_chunk<const N: usize>(
    mem: &mut Memory,
    [d, a, b]: [usize; 3],
    f: &impl Fn(u64, u64) -> u64,
) {
    let words = |set: usize| mem.get(set..)?.first_chunk::<N>().copied();
    let (Some(left), Some(right)) = (words(a), words(b)) else {
        return;
    };
    if let Some(goal) = mem
        .get_mut(d..)
        .and_then(|rest| rest.first_chunk_mut::<N>())
    {
        *goal = std::array::from_fn(|i| f(left[i], right[i]));
    }
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

/// Whether a set has a member.
#[inline(never)]
pub fn any(mem: &Memory, set: Reg, n: u16) -> bool {
    words(mem, set, n).iter().any(|word| *word != 0)
}

/// The first member.
#[inline(never)]
pub fn first(mem: &Memory, set: Reg, n: u16) -> Option<usize> {
    let words = words(mem, set, n);
    let w = words.iter().position(|word| *word != 0)?;
    Some(w * 64 + words.get(w)?.trailing_zeros() as usize)
}

/// The last member.
pub fn last(mem: &Memory, set: Reg, n: u16) -> Option<usize> {
    (0..usize::from(n)).rev().find_map(|w| {
        let bits = mem[at(set, w)];
        (bits != 0).then(|| w * 64 + 63 - bits.leading_zeros() as usize)
    })
}

/// Takes the first member out.
pub fn pop_first(mem: &mut Memory, set: Reg, n: u16) -> Option<usize> {
    let e = first(mem, set, n)?;
    remove(mem, set, e);
    Some(e)
}

/// Takes the first member out, where no word before `from` has one.
#[inline(never)]
pub fn pop_from(mem: &mut Memory, set: Reg, n: u16, from: usize) -> Option<usize> {
    for w in from..usize::from(n) {
        let word = &mut mem[at(set, w)];
        if *word != 0 {
            let e = w * 64 + word.trailing_zeros() as usize;
            *word &= *word - 1;
            return Some(e);
        }
    }
    None
}

/// Takes the last member out.
pub fn pop_last(mem: &mut Memory, set: Reg, n: u16) -> Option<usize> {
    let e = last(mem, set, n)?;
    remove(mem, set, e);
    Some(e)
}
