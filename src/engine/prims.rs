//! Primitives that run as native loops: sets, floods, walks, and what moves many things.

mod moving;
mod several;

pub use moving::{Moved, draw, move_all, swap_all};
pub use several::{several_rows, sharing};

use super::memory::{self, Memory, at, has, insert};
use super::op::{FaultKind, Reg, Shift, WalkShape};
use crate::model::NONE;

/// So many places are looked at one by one.
const FEW: usize = 12;

/// The rows of a table from an offset on; none where there are none.
pub fn rows(data: &[i64], base: u32, off: u64) -> &[i64] {
    data.get((base as usize).saturating_add(off as usize)..)
        .unwrap_or_default()
}

/// The union of rows of all members; false where a row does not exist.
#[inline(never)]
pub fn union_rows(mem: &mut Memory, rows: &[i64], d: Reg, set: Reg, n: u16, m: u16) -> bool {
    // Sets are small as a rule, and room for the largest one would be zeroed each time.
    match n {
        1 => union_rows_within::<1>(mem, rows, d, set, n, m),
        2..=8 => union_rows_within::<8>(mem, rows, d, set, n, m),
        _ => union_rows_within::<256>(mem, rows, d, set, n, m),
    }
}

/// What the values of all members come to, each taken so many times.
pub fn total(mem: &Memory, values: &[i64], set: Reg, m: u8, times: impl Fn(usize) -> u64) -> u64 {
    let mut sum = 0_u64;
    for w in 0..usize::from(m) {
        let mut rest = mem[at(set, w)];
        while rest != 0 {
            let x = w * 64 + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let value = values.get(x).copied().unwrap_or(0) as u64;
            sum = sum.wrapping_add(value.wrapping_mul(times(x)));
        }
    }
    sum
}

/// The union of rows of at most `N` words.
fn union_rows_within<const N: usize>(
    mem: &mut Memory,
    rows: &[i64],
    d: Reg,
    set: Reg,
    n: u16,
    m: u16,
) -> bool {
    let n = usize::from(n);
    let mut sum = [0u64; N];
    for w in 0..usize::from(m) {
        let mut rest = mem[at(set, w)];
        while rest != 0 {
            let x = w * 64 + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let Some(row) = rows.get(x * n..x * n + n) else {
                return false;
            };
            for (total, value) in sum.iter_mut().zip(row) {
                *total |= *value as u64;
            }
        }
    }
    for (w, value) in sum.iter().enumerate().take(n) {
        mem[at(d, w)] = *value;
    }
    true
}

/// The members of a set whose places are filled.
pub fn gather(mem: &Memory, set: u64, places: &[i64], filled: Reg) -> u64 {
    let is_filled = |place: i64| u64::from(place >= 0 && has(mem, filled, place as usize));
    let n = 64 - set.leading_zeros() as usize;
    if n <= FEW
        && let Some(places) = places.get(..n)
    {
        // To look at few places costs less than to find out which are asked for.
        let found = places.iter().rev();
        return found.fold(0, |found, place| found << 1 | is_filled(*place)) & set;
    }
    let (mut rest, mut found) = (set, 0);
    while rest != 0 {
        let x = rest.trailing_zeros();
        rest &= rest - 1;
        if let Some(place) = places.get(x as usize)
            && *place >= 0
        {
            found |= u64::from(has(mem, filled, *place as usize)) << x;
        }
    }
    found
}

/// The members of a set whose byte is so much more than an element of their row.
#[inline]
pub fn filter(
    mem: &Memory,
    set: u64,
    lanes: Reg,
    less: u8,
    row: impl Fn(usize) -> Option<u64>,
) -> Result<u64, FaultKind> {
    let (mut rest, mut kept) = (set, 0);
    while rest != 0 {
        let x = rest.trailing_zeros() as usize;
        let lowest = rest & rest.wrapping_neg();
        rest ^= lowest;
        let kind = memory::byte(mem, lanes, x).wrapping_sub(u64::from(less));
        if kind < 64 && row(x).ok_or(FaultKind::Absent)? >> kind & 1 == 1 {
            kept |= lowest;
        }
    }
    Ok(kept)
}

/// The members of a set whose byte, less a number, is in a row.
#[inline]
pub fn filter_alike(
    mem: &Memory,
    set: u64,
    lanes: Reg,
    less: u8,
    row: u64,
) -> Result<u64, FaultKind> {
    let first = row.trailing_zeros();
    let run = row.checked_shr(first).unwrap_or(0);
    let (lo, hi) = (
        u64::from(less) + u64::from(first),
        u64::from(less) + u64::from(63 - row.leading_zeros().min(63)),
    );
    if run & run.wrapping_add(1) != 0 || hi > 0x7f {
        return filter(mem, set, lanes, less, |_| Some(row));
    }
    if row == 0 {
        return Ok(0);
    }
    // Elements in a row are a range of bytes: eight of them are compared at once. What is added never reaches the next
    // byte, as the highest bit of each is left out; a byte that has it is in no such range.
    const EACH: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * EACH;
    let (from, behind) = (EACH * (0x80 - lo), EACH * (0x7f - hi));
    let (mut kept, mut at) = (0, 0);
    while at < 8 && set >> (8 * at) != 0 {
        let bytes = mem[memory::at(lanes, at)];
        let low = bytes & !HIGH;
        let within = (low + from) & !(low + behind) & !bytes & HIGH;
        // Gathers the highest bits of the bytes.
        let bits = (within >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        kept |= bits << (8 * at);
        at += 1;
    }
    Ok(kept & set)
}

/// The members of a set whose value, and `bias` more, lies between two: lanes of so many bytes.
pub fn filter_span(mem: &Memory, set: u64, lanes: (Reg, u8), bias: i64, [lo, hi]: [i64; 2]) -> u64 {
    let (mut rest, mut kept) = (set, 0);
    while rest != 0 {
        let x = rest.trailing_zeros() as usize;
        let lowest = rest & rest.wrapping_neg();
        rest ^= lowest;
        let stored = memory::lane(mem, lanes, x);
        if (lo..=hi).contains(&(stored as i64).wrapping_add(bias)) {
            kept |= lowest;
        }
    }
    kept
}

/// Flood fill in one word.
pub fn reach(start: u64, mask: u64, rows: &[i64]) -> Option<u64> {
    let mut found = start;
    let mut edge = start;
    while edge != 0 {
        let x = edge.trailing_zeros() as usize;
        edge &= edge - 1;
        let fresh = *rows.get(x)? as u64 & mask & !found;
        found |= fresh;
        edge |= fresh;
    }
    Some(found)
}

/// Flood fill in `n` words; `edge` is room for what is to be looked at.
pub fn reach_wide(
    mem: &mut Memory,
    rows: &[i64],
    d: Reg,
    start: Reg,
    mask: Reg,
    n: u16,
    edge: &mut Vec<usize>,
) -> bool {
    let words = usize::from(n);
    edge.clear();
    for w in 0..words {
        mem[at(d, w)] = mem[at(start, w)];
        let mut rest = mem[at(start, w)];
        while rest != 0 {
            edge.push(w * 64 + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
    while let Some(x) = edge.pop() {
        let Some(row) = rows.get(x * words..x * words + words) else {
            return false;
        };
        for (w, value) in row.iter().enumerate() {
            let mut fresh = *value as u64 & mem[at(mask, w)] & !mem[at(d, w)];
            mem[at(d, w)] |= fresh;
            while fresh != 0 {
                edge.push(w * 64 + fresh.trailing_zeros() as usize);
                fresh &= fresh - 1;
            }
        }
    }
    true
}

/// The run of cells along a line within a set of one word, and its length.
#[inline]
pub fn walk_by(way: Shift, from: u64, mask: u64, beyond: bool) -> (u64, u64) {
    // All steps go the same way, so nothing is met again, and none leads beyond the word.
    let (mut cell, mut run, mut length) = (1u64 << (from & 63), 0, 0);
    loop {
        let next = way.after(cell);
        cell = next & mask;
        let taken = if beyond { next } else { cell };
        run |= taken;
        length += u64::from(taken != 0);
        if cell == 0 {
            return (run, length);
        }
    }
}

/// The length alone, of cells that lie within the set.
#[inline]
pub fn length_by(way: Shift, from: u64, mask: u64) -> u64 {
    let (mut cell, mut length) = (way.after(1 << (from & 63)) & mask, 0);
    while cell != 0 {
        cell = way.after(cell) & mask;
        length += 1;
    }
    length
}

/// The cells from which steps within a mask lead in front of one of a goal, along a shift.
#[inline]
pub fn behind_by(way: Shift, goal: u64, mask: u64) -> u64 {
    // All steps go the same way, so each round goes further.
    let (mut all, mut last) = (0, way.before(goal));
    while last != 0 {
        all |= last;
        last = way.before(last & mask);
    }
    all
}

/// The same along any line: each cell is gone through twice at most. `at` are goal, mask and result.
// Never within an operation that shifts words: what this keeps in registers would be saved there each time.
#[inline(never)]
pub fn behind(
    mem: &mut Memory,
    data: &[i64],
    shape: &WalkShape,
    way: u64,
    [goal, mask, d]: [Reg; 3],
    known: &mut Vec<usize>,
) -> bool {
    const OPEN: usize = 0;
    let cells = shape.cells as usize;
    for w in 0..usize::from(shape.words) {
        mem[at(d, w)] = 0;
    }
    let Ok(way) = usize::try_from(way) else {
        return false;
    };
    let line = shape.base as usize + way * cells;
    let Some(next) = data.get(line..line + cells) else {
        return false;
    };
    known.clear();
    known.resize(cells, OPEN);
    for from in 0..cells {
        // What one step leads to is what it leads to from all cells before it.
        let (mut cell, mut found) = (from, None);
        for _ in 0..cells {
            if found.is_some() {
                break;
            }
            found = match usize::try_from(next[cell]) {
                Err(_) => Some(false),
                Ok(to) if to >= cells => return false,
                Ok(to) if has(mem, goal, to) => Some(true),
                Ok(to) if !has(mem, mask, to) => Some(false),
                Ok(to) if known[to] != OPEN => Some(known[to] > 1),
                Ok(to) => {
                    cell = to;
                    None
                }
            };
        }
        let found = found.unwrap_or(false);
        let last = cell;
        cell = from;
        loop {
            known[cell] = 1 + usize::from(found);
            if found {
                insert(mem, d, cell);
            }
            if cell == last {
                break;
            }
            cell = usize::try_from(next[cell]).unwrap_or(last);
        }
    }
    true
}

/// Calls `f` with each cell along a line within a set; false where the line is in no table.
#[inline]
fn each_cell(
    data: &[i64],
    shape: &WalkShape,
    from: i64,
    way: i64,
    mut f: impl FnMut(usize) -> bool,
) -> bool {
    if from < 0 || from >= i64::from(shape.cells) || way < 0 {
        return from == NONE;
    }
    let line = shape.base as usize + way as usize * shape.cells as usize;
    let mut cell = from as usize;
    for _ in 0..shape.cells {
        let Some(next) = data.get(line + cell) else {
            return false;
        };
        if *next < 0 || *next == from || !f(*next as usize) {
            break;
        }
        cell = *next as usize;
    }
    true
}

/// The cell so many steps from another, or absent; none where that is in no table.
#[inline]
pub fn step(data: &[i64], shape: &WalkShape, cell: i64, way: i64, count: i64) -> Option<i64> {
    if cell == NONE {
        return Some(NONE);
    }
    let cells = i64::from(shape.cells);
    let way = if count < 0 {
        let ways = i64::from(shape.ways);
        (way + ways / 2) % ways.max(1)
    } else {
        way
    };
    let line = (i64::from(shape.base)).checked_add(way.checked_mul(cells)?)?;
    let line = data.get(usize::try_from(line).ok()?..)?;
    let mut left = count.unsigned_abs();
    if left > u64::from(shape.cells) {
        // Whoever has not fallen off after as many steps as there are cells is back where they began.
        left = u64::from(shape.cells) + left % u64::from(shape.cells.max(1));
    }
    let mut at = cell;
    for _ in 0..left {
        at = *line.get(usize::try_from(at).ok()?)?;
        if at < 0 {
            return Some(NONE);
        }
    }
    Some(at)
}

/// How long the run of cells along a line is.
pub fn length(
    mem: &Memory,
    data: &[i64],
    shape: &WalkShape,
    from: i64,
    way: i64,
    mask: Reg,
) -> Option<u64> {
    let mut length = 0;
    let found = each_cell(data, shape, from, way, |cell| {
        let goes_on = has(mem, mask, cell);
        length += u64::from(goes_on || shape.beyond);
        goes_on
    });
    found.then_some(length)
}

/// The run of cells along a line, or its length.
#[inline(never)]
pub fn walk(
    mem: &mut Memory,
    data: &[i64],
    shape: &WalkShape,
    from: i64,
    way: i64,
    mask: Reg,
    d: Reg,
) -> bool {
    if shape.count {
        let found = length(mem, data, shape, from, way, mask);
        mem[usize::from(d)] = found.unwrap_or(0);
        return found.is_some();
    }
    for w in 0..usize::from(shape.words) {
        mem[at(d, w)] = 0;
    }
    add_walk(mem, data, shape, from, way, mask, d)
}

/// Adds the run of cells along a line to a set.
pub fn add_walk(
    mem: &mut Memory,
    data: &[i64],
    shape: &WalkShape,
    from: i64,
    way: i64,
    mask: Reg,
    d: Reg,
) -> bool {
    each_cell(data, shape, from, way, |cell| {
        let goes_on = has(mem, mask, cell);
        if goes_on || shape.beyond {
            insert(mem, d, cell);
        }
        goes_on
    })
}
