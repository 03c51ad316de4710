//! Operations on sets of several words, and on what is read from tables.

use super::{Done, Run};
use crate::engine::memory::{self, Memory, at};
use crate::engine::op::{FaultKind, LineShape, MEMORY, MOST_GATHERED, Reg, WalkShape};
use crate::engine::prims;

/// A fault where something was not there.
#[inline]
fn or_absent(found: bool) -> Done {
    found.then_some(()).ok_or(FaultKind::Absent)
}

impl<'r> Run<'r> {
    #[inline]
    fn walk_shape(&self, shape: u16) -> Result<&'r WalkShape, FaultKind> {
        let code = self.code;
        let shape = code.walks.get(usize::from(shape));
        shape.ok_or(FaultKind::Absent)
    }

    /// Whether a set has a member.
    #[inline]
    pub(super) fn any(&mut self, mem: &Memory, set: Reg, n: u16) -> Result<bool, FaultKind> {
        if n == 1 {
            return Ok(mem[usize::from(set)] != 0);
        }
        self.burn_words(n)?;
        Ok(memory::any(mem, set, n))
    }

    /// What comes of two sets word by word.
    #[inline]
    pub(super) fn combine(
        &mut self,
        mem: &mut Memory,
        [d, a, b]: [Reg; 3],
        n: u16,
        both: impl Fn(u64, u64) -> u64,
    ) -> Done {
        self.burn_words(n)?;
        memory::combine(mem, d, a, b, n, both);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn clear(&mut self, mem: &mut Memory, d: Reg, n: u16) -> Done {
        self.burn_words(n)?;
        memory::clear(mem, d, n);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn wide_eq(&mut self, mem: &mut Memory, d: Reg, a: Reg, b: Reg, n: u16) -> Done {
        self.burn_words(n)?;
        let equal = (0..usize::from(n)).all(|i| mem[at(a, i)] == mem[at(b, i)]);
        mem[usize::from(d)] = u64::from(equal);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn wide_count(&mut self, mem: &mut Memory, d: Reg, a: Reg, n: u16) -> Done {
        self.burn_words(n)?;
        let words = (0..usize::from(n)).map(|i| mem[at(a, i)]);
        mem[usize::from(d)] = words.map(|word| u64::from(word.count_ones())).sum();
        Ok(())
    }

    /// `n` words from `base + i * n`.
    #[inline(never)]
    pub(super) fn load(&mut self, mem: &mut Memory, d: Reg, base: Reg, i: Reg, n: u16) -> Done {
        self.burn_words(n)?;
        let from = (mem[usize::from(i)] as usize).wrapping_mul(usize::from(n));
        for w in 0..usize::from(n) {
            mem[at(d, w)] = mem[at(base, from.wrapping_add(w) & (MEMORY - 1))];
        }
        Ok(())
    }

    /// `n` words to `base + i * n`.
    #[inline(never)]
    pub(super) fn store(&mut self, mem: &mut Memory, base: Reg, i: Reg, a: Reg, n: u16) -> Done {
        self.burn_words(n)?;
        let to = (mem[usize::from(i)] as usize).wrapping_mul(usize::from(n));
        for w in 0..usize::from(n) {
            mem[at(base, to.wrapping_add(w) & (MEMORY - 1))] = mem[at(a, w)];
        }
        Ok(())
    }

    /// `n` words from `data[base + i * n]`.
    #[inline(never)]
    pub(super) fn row(&mut self, mem: &mut Memory, d: Reg, i: Reg, n: u16, base: u32) -> Done {
        self.burn_words(n)?;
        let n = usize::from(n);
        let from = (mem[usize::from(i)] as usize)
            .wrapping_mul(n)
            .wrapping_add(base as usize);
        let row = self.code.data.get(from..from.wrapping_add(n));
        for (w, value) in row.ok_or(FaultKind::Absent)?.iter().enumerate() {
            mem[at(d, w)] = *value as u64;
        }
        Ok(())
    }

    /// The union of the rows of `n` words of all members of a set of `m` words.
    #[inline(never)]
    pub(super) fn union_rows(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        set: Reg,
        [n, m]: [u8; 2],
        off: Reg,
        base: u32,
    ) -> Done {
        self.burn(16 * u64::from(n) * u64::from(m))?;
        let rows = prims::rows(&self.code.data, base, mem[usize::from(off)]);
        or_absent(prims::union_rows(
            mem,
            rows,
            d,
            set,
            u16::from(n),
            u16::from(m),
        ))
    }

    /// What lies in the rows of at least so many members.
    #[inline(never)]
    pub(super) fn several_rows(
        &mut self,
        mem: &mut Memory,
        [d, set, off, least]: [Reg; 4],
        size: [u8; 2],
        base: u32,
    ) -> Done {
        self.burn(32 * size.map(u64::from).iter().product::<u64>())?;
        let rows = prims::rows(&self.code.data, base, mem[usize::from(off)]);
        let least = mem[usize::from(least)];
        or_absent(prims::several_rows(mem, rows, d, set, size, least))
    }

    /// The union of the words from `sets` on whose numbers are in a set.
    #[inline]
    pub(super) fn union_of(&mut self, mem: &Memory, sets: Reg, of: Reg) -> u64 {
        let (mut rest, mut all) = (mem[usize::from(of)], 0);
        while rest != 0 {
            all |= mem[at(sets, rest.trailing_zeros() as usize)];
            rest &= rest - 1;
        }
        all
    }

    /// The same for sets of several words.
    #[inline(never)]
    pub(super) fn wide_union_of(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        sets: Reg,
        of: Reg,
        n: u8,
    ) -> Done {
        self.burn(16 * u64::from(n))?;
        let n = usize::from(n);
        for w in 0..n {
            let (mut rest, mut all) = (mem[usize::from(of)], 0);
            while rest != 0 {
                let from = rest.trailing_zeros() as usize * n;
                all |= mem[at(sets, from + w)];
                rest &= rest - 1;
            }
            mem[at(d, w)] = all;
        }
        Ok(())
    }

    /// `{ x in set where lane[x] - less in row }`.
    #[inline(never)]
    pub(super) fn filter_lanes(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        set: Reg,
        lanes: Reg,
        row: Reg,
        less: u8,
    ) -> Done {
        self.burn(16)?;
        let row = mem[usize::from(row)];
        mem[usize::from(d)] = prims::filter_alike(mem, mem[usize::from(set)], lanes, less, row)?;
        Ok(())
    }

    /// The members of a set whose value lies between two.
    #[inline(never)]
    pub(super) fn filter_span(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        set: Reg,
        lanes: (Reg, u8),
        [bias, lo, hi]: [Reg; 3],
    ) -> Done {
        self.burn(16)?;
        let [bias, lo, hi] = [bias, lo, hi].map(|it| mem[usize::from(it)] as i64);
        let kept = prims::filter_span(mem, mem[usize::from(set)], lanes, bias, [lo, hi]);
        mem[usize::from(d)] = kept;
        Ok(())
    }

    /// The same with a row for each.
    #[inline(never)]
    pub(super) fn filter_rows(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        set: Reg,
        lanes: Reg,
        off: u64,
        base: u32,
    ) -> Done {
        self.burn(16)?;
        let rows = prims::rows(&self.code.data, base, off);
        let row = |x: usize| rows.get(x).map(|row| *row as u64);
        mem[usize::from(d)] = prims::filter(mem, mem[usize::from(set)], lanes, 1, row)?;
        Ok(())
    }

    /// `{ x in set where data[base + off + x] in filled }`.
    #[inline(never)]
    pub(super) fn gather(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        [set, filled]: [Reg; 2],
        n: u8,
        off: Reg,
        base: u32,
    ) -> Done {
        self.burn(16 * u64::from(n))?;
        let rows = prims::rows(&self.code.data, base, mem[usize::from(off)]);
        if n == 1 {
            mem[usize::from(d)] = prims::gather(mem, mem[usize::from(set)], rows, filled);
            return Ok(());
        }
        let mut found = [0; MOST_GATHERED];
        let n = usize::from(n).min(MOST_GATHERED);
        for (w, found) in found.iter_mut().enumerate().take(n) {
            let rows = rows.get(w * 64..).unwrap_or_default();
            *found = prims::gather(mem, mem[at(set, w)], rows, filled);
        }
        // What is gathered from may lie where it goes.
        for (w, found) in found.iter().enumerate().take(n) {
            mem[at(d, w)] = *found;
        }
        Ok(())
    }

    /// The members of a set of one word that lead to no filled place.
    #[inline(never)]
    pub(super) fn gather_not(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        [set, filled]: [Reg; 2],
        off: Reg,
        base: u32,
    ) -> Done {
        self.burn(16)?;
        let rows = prims::rows(&self.code.data, base, mem[usize::from(off)]);
        let set = mem[usize::from(set)];
        mem[usize::from(d)] = set & !prims::gather(mem, set, rows, filled);
        Ok(())
    }

    /// Floods.
    #[inline(never)]
    pub(super) fn reach(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        [start, mask]: [Reg; 2],
        off: Reg,
        n: u8,
        base: u32,
    ) -> Done {
        // Each element is looked at once, with its row.
        self.burn(16 * u64::from(n) * u64::from(n))?;
        let rows = prims::rows(&self.code.data, base, mem[usize::from(off)]);
        if n == 1 {
            let (start, mask) = (mem[usize::from(start)], mem[usize::from(mask)]);
            mem[usize::from(d)] = prims::reach(start, mask, rows).ok_or(FaultKind::Absent)?;
            return Ok(());
        }
        let (n, list) = (u16::from(n), &mut self.bench.list);
        or_absent(prims::reach_wide(mem, rows, d, start, mask, n, list))
    }

    /// Walks along a line.
    #[inline(never)]
    pub(super) fn walk(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        from: Reg,
        way: Reg,
        mask: Reg,
        shape: u16,
    ) -> Done {
        let shape = self.walk_shape(shape)?;
        self.burn(16)?;
        let (start, to) = (mem[usize::from(from)], mem[usize::from(way)]);
        if start < 64
            && let Some(shift) = self.code.shift(shape, to)
        {
            let mask = mem[usize::from(mask)];
            let (run, length) = prims::walk_by(shift, start, mask, shape.beyond);
            mem[usize::from(d)] = if shape.count { length } else { run };
            return Ok(());
        }
        let (from, way) = (start as i64, to as i64);
        or_absent(prims::walk(mem, &self.code.data, shape, from, way, mask, d))
    }

    /// Walks along all lines of a set of them.
    #[inline(never)]
    pub(super) fn rays(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        from: Reg,
        ways: Reg,
        mask: Reg,
        shape: u16,
    ) -> Done {
        let shape = self.walk_shape(shape)?;
        let (code, start) = (self.code, mem[usize::from(from)]);
        let mut ways = mem[usize::from(ways)];
        self.burn(16 * u64::from(ways.count_ones()))?;
        if start < 64 && shape.shifts.is_some() {
            let (mask, mut all, mut rest) = (mem[usize::from(mask)], 0, ways);
            while let Some(shift) = code.shift(shape, u64::from(rest.trailing_zeros())) {
                all |= prims::walk_by(shift, start, mask, shape.beyond).0;
                rest &= rest - 1;
            }
            if rest == 0 {
                mem[usize::from(d)] = all;
                return Ok(());
            }
        }
        for w in 0..usize::from(shape.words) {
            mem[memory::at(d, w)] = 0;
        }
        while ways != 0 {
            let way = i64::from(ways.trailing_zeros());
            ways &= ways - 1;
            let from = start as i64;
            or_absent(prims::add_walk(mem, &code.data, shape, from, way, mask, d))?;
        }
        Ok(())
    }

    /// Where steps within a set lead in front of a cell of another.
    #[inline(never)]
    pub(super) fn behind(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        goal: Reg,
        way: Reg,
        mask: Reg,
        shape: u16,
    ) -> Done {
        let shape = self.walk_shape(shape)?;
        self.burn(16 + u64::from(shape.cells))?;
        let way = mem[usize::from(way)];
        if let Some(shift) = self.code.shift(shape, way) {
            let [goal, mask] = [goal, mask].map(|it| mem[usize::from(it)]);
            mem[usize::from(d)] = prims::behind_by(shift, goal, mask);
            return Ok(());
        }
        let list = &mut self.bench.list;
        or_absent(prims::behind(
            mem,
            &self.code.data,
            shape,
            way,
            [goal, mask, d],
            list,
        ))
    }

    /// Goes some steps from a cell.
    #[inline(never)]
    pub(super) fn step(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        cell: Reg,
        way: Reg,
        count: Reg,
        shape: u16,
    ) -> Done {
        let shape = self.walk_shape(shape)?;
        let [cell, way, count] = [cell, way, count].map(|reg| mem[usize::from(reg)] as i64);
        let steps = count.unsigned_abs().min(2 * u64::from(shape.cells));
        self.burn(16 + steps)?;
        let found = prims::step(&self.code.data, shape, cell, way, count);
        mem[usize::from(d)] = found.ok_or(FaultKind::Absent)? as u64;
        Ok(())
    }

    /// Whether there is a line through a cell.
    #[inline(never)]
    pub(super) fn line(
        &mut self,
        mem: &Memory,
        set: Reg,
        cell: Reg,
        shape: u16,
    ) -> Result<bool, FaultKind> {
        let code = self.code;
        let shape = code.lines.get(usize::from(shape));
        let shape = shape.ok_or(FaultKind::Absent)?;
        self.burn(32 * shape.ways.len() as u64)?;
        self.line_at(mem, set, mem[usize::from(cell)], shape)
    }

    /// The members of a set through which there is a line.
    #[inline(never)]
    pub(super) fn lines(
        &mut self,
        mem: &mut Memory,
        d: Reg,
        [set, cells]: [Reg; 2],
        shape: u16,
        n: u8,
    ) -> Done {
        let shape = self.code.lines.get(usize::from(shape));
        let shape = shape.ok_or(FaultKind::Absent)?;
        // What is found may lie where the cells lie.
        let mut found = [0; MOST_GATHERED];
        for (word, through) in found.iter_mut().enumerate().take(usize::from(n)) {
            let mut rest = mem[at(set, word)];
            self.burn(32 * shape.ways.len() as u64 * u64::from(rest.count_ones()))?;
            while rest != 0 {
                let cell = 64 * word as u64 + u64::from(rest.trailing_zeros());
                if self.line_at(mem, cells, cell, shape)? {
                    *through |= rest & rest.wrapping_neg();
                }
                rest &= rest - 1;
            }
        }
        for (word, through) in found.into_iter().enumerate().take(usize::from(n)) {
            mem[at(d, word)] = through;
        }
        Ok(())
    }

    fn line_at(
        &self,
        mem: &Memory,
        set: Reg,
        cell: u64,
        shape: &LineShape,
    ) -> Result<bool, FaultKind> {
        let code = self.code;
        let lengths = shape.least..=shape.most;
        let walk = self.walk_shape(shape.walk)?;
        if !shape.shifts.is_empty() && cell < 64 {
            let set = mem[usize::from(set)];
            return Ok(shape.shifts.iter().any(|ways| {
                let both = ways.map(|way| match walk.beyond {
                    true => prims::walk_by(way, cell, set, true).1,
                    false => prims::length_by(way, cell, set),
                });
                lengths.contains(&(both[0] + both[1]))
            }));
        }
        for ways in &shape.ways {
            let mut length = 0;
            for way in ways {
                let (cell, way) = (cell as i64, i64::from(*way));
                let run = prims::length(mem, &code.data, walk, cell, way, set);
                length += run.ok_or(FaultKind::Absent)?;
            }
            if lengths.contains(&length) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
