//! Operations that stop, keep and restore, list moves and ask chance.

use super::bench::After;
use super::{Done, MOST_AFTERS, MOST_MOVES, Run};
use crate::engine::memory::{Memory, at};
use crate::engine::op::{FaultKind, Pc, Reg, RowsOp, word};
use crate::engine::past;
use crate::model::StreamId;

impl Run<'_> {
    /// The game has ended; inside `after` the rules go on at the place that is returned.
    #[inline(never)]
    pub(super) fn end(&mut self, mem: &mut Memory) -> Option<Pc> {
        if let Some(After { stopped, .. }) = self.bench.afters.last() {
            mem[usize::from(word::STOPPED)] = 1;
            return Some(*stopped);
        }
        self.bench.moves.clear();
        mem[usize::from(word::POINT)] = 0;
        None
    }

    /// Keeps so many words of the state from the first on.
    #[inline(never)]
    pub(super) fn enter(&mut self, mem: &mut Memory, stopped: Pc, [first, n]: [u16; 2]) -> Done {
        if self.bench.afters.len() >= MOST_AFTERS {
            return Err(FaultKind::Depth);
        }
        let first = usize::from(first).min(self.state);
        let words = &mem[first..self.state.min(first + usize::from(n))];
        self.burn(16 + (words.len() as u64 >> 2))?;
        let bench = &mut *self.bench;
        let start = bench.kept.len();
        bench.kept.extend_from_slice(words);
        let outer = mem[usize::from(word::STOPPED)];
        bench.afters.push(After {
            start,
            first,
            stopped,
            outer,
        });
        mem[usize::from(word::STOPPED)] = 0;
        Ok(())
    }

    /// Goes back to the state that was kept last.
    #[inline(never)]
    pub(super) fn leave(&mut self, mem: &mut Memory) -> Done {
        let bench = &mut *self.bench;
        let after = bench.afters.pop().ok_or(FaultKind::Depth)?;
        let words = &bench.kept[after.start..];
        mem[after.first..after.first + words.len()].copy_from_slice(words);
        bench.kept.truncate(after.start);
        mem[usize::from(word::STOPPED)] = after.outer;
        bench.planes.changed(mem, self.layout)
    }

    /// A move for each member of a set.
    #[inline]
    pub(super) fn emit(&mut self, mem: &Memory, a: Reg, set: Reg, n: u16, shift: u8) -> Done {
        match n {
            1 => self.emit_word(mem, a, set, shift),
            _ => self.emit_all(mem, a, set, n, shift),
        }
    }

    /// A move for each member of a set of one word.
    #[inline(never)]
    fn emit_word(&mut self, mem: &Memory, a: Reg, set: Reg, shift: u8) -> Done {
        let moves = &mut self.bench.moves;
        let (base, members) = (mem[usize::from(a)], mem[usize::from(set)]);
        let listed = match moves.len() < MOST_MOVES {
            true => moves.push_into_room(base, members, u32::from(shift) & 63),
            false => None,
        };
        match listed {
            Some(listed) => self.burn(listed as u64),
            None => self.emit_all(mem, a, set, 1, shift),
        }
    }

    /// A move for each member of a set of words.
    #[inline(never)]
    fn emit_all(&mut self, mem: &Memory, a: Reg, set: Reg, n: u16, shift: u8) -> Done {
        let base = mem[usize::from(a)];
        let shift = u32::from(shift) & 63;
        let before = self.bench.moves.len();
        for w in 0..usize::from(n) {
            if self.bench.moves.len() >= MOST_MOVES {
                return Err(FaultKind::TooMany);
            }
            let base = base | (w as u64 * 64) << shift;
            self.bench.moves.push_each(base, mem[at(set, w)], shift);
        }
        self.burn((self.bench.moves.len() - before) as u64)
    }

    /// A move for each element and each member of its row; or whether there is one.
    #[inline(never)]
    pub(super) fn rows(&mut self, mem: &Memory, rows: &RowsOp) -> Result<bool, FaultKind> {
        let before = self.bench.moves.len();
        let found = self.bench.rows(rows, mem, self.layout, self.code)?;
        let words = u64::from(rows.sets.max(1)) * u64::from(rows.n);
        self.burn(64 * words + (self.bench.moves.len() - before) as u64)?;
        Ok(found)
    }

    /// A number below another, by chance.
    #[inline(never)]
    pub(super) fn ticket(&mut self, mem: &mut Memory, d: Reg, a: Reg, stream: u16) -> Done {
        let total = mem[usize::from(a)];
        if total == 0 {
            return Err(FaultKind::NoChoice);
        }
        mem[usize::from(d)] = self.chance.ticket(StreamId(u32::from(stream)), total);
        Ok(())
    }

    /// Writes the outcome that is fixed beforehand, if one is.
    #[inline(never)]
    pub(super) fn forced(&mut self, mem: &mut Memory, d: Reg, stream: u16) -> bool {
        let forced = self.chance.forced(StreamId(u32::from(stream)));
        if let Some(value) = forced {
            mem[usize::from(d)] = value as u64;
        }
        forced.is_some()
    }

    #[inline(never)]
    pub(super) fn happened(&mut self, stream: u16, value: i64) {
        self.chance.happened(StreamId(u32::from(stream)), value);
    }

    /// How often the position has occurred.
    #[inline(never)]
    pub(super) fn repeated(&mut self, mem: &mut Memory, d: Reg) -> Done {
        let layout = self.layout;
        self.burn_words(layout.history.map_or(0, |(_, cap)| cap))?;
        mem[usize::from(d)] = past::occurrences(mem, layout, !self.bench.afters.is_empty());
        Ok(())
    }

    /// Whether somebody listens to what is told; what only would be is not told.
    #[inline]
    pub(super) fn is_heard(&self) -> bool {
        self.bench.listens && self.bench.afters.is_empty()
    }

    /// Hands out what is read by what is told.
    #[inline(never)]
    pub(super) fn hand_out(&mut self, mem: &Memory, a: Reg, n: u16) {
        let read = &mut self.bench.read;
        read.clear();
        read.extend((0..usize::from(n)).map(|w| mem[at(a, w)] as i64));
    }

    /// Hands a value to whoever runs a fragment.
    #[inline(never)]
    pub(super) fn note(&mut self, mem: &Memory, id: u16, a: Reg, n: u16) -> Done {
        self.burn(16 + u64::from(n))?;
        let words = (0..usize::from(n)).map(|w| mem[at(a, w)]).collect();
        self.bench.notes.push((id, words));
        Ok(())
    }
}
