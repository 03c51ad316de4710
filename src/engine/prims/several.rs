//! In how many rows an element lies, and how many elements sets share.

use crate::engine::memory::{Memory, at};
use crate::engine::op::Reg;

/// What lies in the rows of at least so many members; false where a row does not exist.
#[inline(never)]
pub fn several_rows(
    mem: &mut Memory,
    rows: &[i64],
    d: Reg,
    set: Reg,
    [n, m]: [u8; 2],
    least: u64,
) -> bool {
    let (n, m) = (usize::from(n), usize::from(m));
    // No set has more members than there are words of 64.
    let mut found = [0_u64; 256];
    for (word, found) in found.iter_mut().enumerate().take(n) {
        // Digit by digit, in how many rows each element lies.
        let mut counts = [0_u64; 16];
        for w in 0..m {
            let mut rest = mem[at(set, w)];
            while rest != 0 {
                let x = w * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let Some(row) = rows.get(x * n + word) else {
                    return false;
                };
                let mut carry = *row as u64;
                for count in &mut counts {
                    let next = *count & carry;
                    *count ^= carry;
                    carry = next;
                    if carry == 0 {
                        break;
                    }
                }
            }
        }
        *found = if least >> counts.len() == 0 {
            at_least(&counts, least)
        } else {
            0
        };
    }
    for (w, value) in found.iter().enumerate().take(n) {
        mem[at(d, w)] = *value;
    }
    true
}

/// Which of 64 numbers, told digit by digit, are so great.
fn at_least(digits: &[u64], least: u64) -> u64 {
    let (mut more, mut alike) = (0, u64::MAX);
    for (at, digit) in digits.iter().enumerate().rev() {
        if least >> at & 1 == 1 {
            alike &= digit;
        } else {
            more |= alike & digit;
            alike &= !digit;
        }
    }
    more | alike
}

/// The members of a set whose own sets, of one word each, share so many elements with a row.
pub fn sharing(mem: &Memory, set: u64, sets: Reg, row: u64, [lo, hi]: [i64; 2]) -> u64 {
    let (mut rest, mut kept) = (set, 0);
    while rest != 0 {
        let x = rest.trailing_zeros() as usize;
        let lowest = rest & rest.wrapping_neg();
        rest ^= lowest;
        let shared = (mem[at(sets, x)] & row).count_ones();
        if (lo..=hi).contains(&i64::from(shared)) {
            kept |= lowest;
        }
    }
    kept
}
