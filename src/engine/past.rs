//! Positions that were there before, by their hashes.
//!
//! A position is what is compared, with who chose last before it came about: of two who move in turn, that says who is
//! to move, and it is known while the rules run. Who answers a question that changes nothing, as an offer that is
//! refused or a claim that is not made, leaves the position where it was; who passes does not, which shows when
//! the same is asked of another seat next.

use std::hash::Hasher;

use xxhash_rust::xxh3::Xxh3Default;

use super::layout::Layout;
use super::memory::{Memory, at};
use super::op::{Pending, Point, Reg, word};

/// Words besides the hashes: how many there are, what was compared last, and how it was left.
pub const BESIDE: u64 = 3;

/// A seat that is no seat of the game: several that choose at the same time.
const ALL: u64 = 0xfe;

fn position_hash(mem: &Memory, end: Reg) -> u64 {
    let mut hasher = Xxh3Default::new();
    for value in &mem[usize::from(word::FREE)..usize::from(end)] {
        hasher.write_u64(*value);
    }
    hasher.finish()
}

/// A position and who chose last before it.
fn key(position: u64, from: u64) -> u64 {
    let mut hasher = Xxh3Default::new();
    hasher.write_u64(position);
    hasher.write_u64(from);
    hasher.finish()
}

/// How the last positions were left.
#[derive(Clone, Copy)]
struct Left {
    /// The seat that has chosen last.
    chosen: u64,
    /// Which seat was asked first of those that were asked the same last, and where in the rules.
    asked: u64,
    point: u64,
    /// Whether several choose at the same time, and not all of them have.
    is_open: bool,
}

impl Left {
    fn read(word: u64) -> Self {
        Self {
            chosen: word & 0xff,
            asked: word >> 8 & 0xff,
            is_open: word >> 16 & 1 == 1,
            point: word >> 17,
        }
    }

    fn word(self) -> u64 {
        self.chosen | self.asked << 8 | u64::from(self.is_open) << 16 | self.point << 17
    }
}

/// Remembered positions: a counter, a ring of hashes, what was compared last, how it was left.
struct Past<'m> {
    mem: &'m Memory,
    base: Reg,
    cap: u16,
    position: u64,
    left: Left,
}

/// What a choice does to the past.
enum Found {
    /// The position that was remembered last is still there.
    Same,
    /// It has come about, known by its hash.
    New(u64),
}

impl<'m> Past<'m> {
    fn of(mem: &'m Memory, layout: &Layout, base: Reg, cap: u16) -> Self {
        let left = Left::read(mem[at(base, 2 + usize::from(cap))]);
        let position = position_hash(mem, layout.position_end);
        Self {
            mem,
            base,
            cap,
            position,
            left,
        }
    }

    fn count(&self) -> usize {
        self.mem[usize::from(self.base)] as usize
    }

    fn is_unchanged(&self) -> bool {
        self.count() > 0 && self.mem[at(self.base, 1 + usize::from(self.cap))] == self.position
    }

    fn slot(&self, n: usize) -> usize {
        at(self.base, 1 + n % usize::from(self.cap.max(1)))
    }

    fn last(&self) -> u64 {
        self.count()
            .checked_sub(1)
            .map_or(0, |n| self.mem[self.slot(n)])
    }

    /// The position when a seat is asked somewhere in the rules.
    fn asked(&self, seats: u64, seat: u64, point: u64) -> Found {
        let left = self.left;
        if self.count() == 0 {
            // As if the seat before had moved.
            let before = if seat == ALL {
                ALL
            } else {
                (seat + seats.saturating_sub(1)) % seats.max(1)
            };
            return Found::New(key(self.position, before));
        }
        if !self.is_unchanged() {
            return Found::New(key(self.position, left.chosen));
        }
        // Where several choose at the same time, all of them are asked again.
        match left.asked {
            _ if point != left.point => Found::Same,
            ALL => Found::New(key(self.position, ALL)),
            asked if asked == seat => Found::Same,
            asked => self.unless_last(key(self.position, asked)),
        }
    }

    /// The position while the rules run.
    fn between(&self) -> Found {
        if self.is_unchanged() {
            return Found::Same;
        }
        Found::New(key(self.position, self.left.chosen))
    }

    fn unless_last(&self, key: u64) -> Found {
        if key == self.last() {
            Found::Same
        } else {
            Found::New(key)
        }
    }
}

/// Remembers the position that a move leaves, so that all that is asked while a choice is open is asked of one past.
/// Where several seats choose, it is left once.
#[inline]
pub fn leave(mem: &mut Memory, layout: &Layout, point: Option<&Point>) {
    if let Some((base, cap)) = layout.history {
        let pending = point.and_then(|it| it.pending.as_ref());
        remember(mem, layout, (base, cap), pending);
    }
}

#[inline(never)]
fn remember(mem: &mut Memory, layout: &Layout, (base, cap): (Reg, u16), several: Option<&Pending>) {
    let read = |reg: Reg| mem[usize::from(reg)];
    let is_open = several.is_some_and(|it| read(it.left).count_ones() > 1);
    let has_chosen = several.is_some_and(|it| read(it.left) | read(it.idle) != read(it.all));
    let seat = if several.is_some() {
        ALL
    } else {
        read(word::WHO) & 0xff
    };
    let point = read(word::POINT);
    let past = Past::of(mem, layout, base, cap);
    let (position, n) = (past.position, past.count());
    let slot = past.slot(n);
    let mut left = Left {
        chosen: seat,
        is_open,
        ..past.left
    };
    let found = past.asked(layout.seats, seat, point);
    if let Found::New(key) = found
        && !has_chosen
    {
        mem[slot] = key;
        mem[usize::from(base)] = n as u64 + 1;
        mem[at(base, 1 + usize::from(cap))] = position;
        (left.asked, left.point) = (seat, point);
    } else if point != left.point {
        (left.asked, left.point) = (seat, point);
    }
    mem[at(base, 2 + usize::from(cap))] = left.word();
}

/// How often the position has occurred, this time included. What is tried out while a seat is asked, comes about by its
/// choice.
pub fn occurrences(mem: &Memory, layout: &Layout, is_tried: bool) -> u64 {
    let Some((base, cap)) = layout.history else {
        return 1;
    };
    let past = Past::of(mem, layout, base, cap);
    let found = match mem[usize::from(word::POINT)] {
        0 => past.between(),
        _ if past.left.is_open => Found::Same,
        _ if is_tried => Found::New(key(past.position, mem[usize::from(word::WHO)] & 0xff)),
        point => past.asked(layout.seats, mem[usize::from(word::WHO)] & 0xff, point),
    };
    let (key, now) = match found {
        Found::Same => (past.last(), 0),
        Found::New(key) => (key, 1),
    };
    let n = past.count().min(usize::from(cap));
    let before = (0..n).filter(|i| mem[at(base, 1 + i)] == key).count();
    before as u64 + now
}
