//! Loops over elements and the rows of a table that belong to them, as the listing of moves has them.

use super::Planes;
use crate::engine::layout::Layout;
use crate::engine::memory::{Memory, at};
use crate::engine::op::{Code, FaultKind, RowsOp, RowsShape, RowsSource};
use crate::engine::vm::{Bench, MOST_MOVES};

/// What the row of an element is found by.
struct Rows<'r> {
    data: &'r [i64],
    own: usize,
    stride: usize,
    gathered: &'r [u64],
    within: u64,
}

impl Rows<'_> {
    /// The row of an element.
    #[inline]
    fn of(&self, x: usize) -> Result<u64, FaultKind> {
        let mut row = self.own * x;
        if self.stride > 0 {
            let gathered = self.gathered.get(x).ok_or(FaultKind::Absent)?;
            row += self.stride * *gathered as usize;
        }
        let set = self.data.get(row).ok_or(FaultKind::Absent)?;
        Ok(*set as u64 & self.within)
    }
}

/// One coordinate of each place of a row, of which there are at most 64.
fn coordinates(mut row: u64, first: u64, [stride, size]: [u64; 2]) -> u64 {
    let mut all = 0;
    while row != 0 {
        let place = first + u64::from(row.trailing_zeros());
        row &= row - 1;
        all |= 1 << (((place / stride.max(1)) % size.max(1)) & 63);
    }
    all
}

impl Bench {
    /// Lists a move for each element and each member of its row; or says whether there is one.
    ///
    /// # Errors
    /// `Absent` where a row does not exist, `TooMany` where the moves cannot be listed.
    #[inline(never)]
    pub fn rows(
        &mut self,
        op: &RowsOp,
        mem: &Memory,
        layout: &Layout,
        code: &Code,
    ) -> Result<bool, FaultKind> {
        let shape = code.rows.get(usize::from(op.shape));
        let shape = shape.ok_or(FaultKind::Absent)?;
        if let RowsSource::Set(m) = shape.source
            && (op.n > 1 || shape.bases.len() > 1)
        {
            return self.unions(op, shape, usize::from(m), mem, code);
        }
        let Some(shifts) = shape.shifts else {
            let mut any = false;
            self.planes
                .each_row(op, shape, mem, layout, code, |_, row| {
                    any = row != 0;
                    Ok(!any)
                })?;
            return Ok(any);
        };
        let [x_shift, e_shift] = shifts.map(|shift| shift & 63);
        let packed = mem[usize::from(op.a)];
        let moves = &mut self.moves;
        self.planes
            .each_row(op, shape, mem, layout, code, |x, row| {
                if moves.len() >= MOST_MOVES {
                    return Err(FaultKind::TooMany);
                }
                let base = packed | (x as u64) << x_shift;
                let row = shape.part.map_or(row, |part| coordinates(row, 0, part));
                moves.push_each(base, row, u32::from(e_shift));
                Ok(true)
            })?;
        Ok(false)
    }

    /// The same for rows of several words, and for unions of rows.
    fn unions(
        &mut self,
        op: &RowsOp,
        shape: &RowsShape,
        m: usize,
        mem: &Memory,
        code: &Code,
    ) -> Result<bool, FaultKind> {
        let moves = &mut self.moves;
        let packed = mem[usize::from(op.a)];
        let off = shape.bias + mem[usize::from(op.off)] as i64;
        let own = shape.own as usize;
        let n = match shape.apart {
            true => usize::from(op.n) / shape.bases.len().max(1),
            false => usize::from(op.n),
        };
        let next = if shape.apart { n } else { 0 };
        let first = |base: &u32| (i64::from(*base) + off) as usize;
        for w in 0..m {
            let sets = || (0..shape.bases.len()).map(|part| mem[at(op.set, part * m + w)]);
            let mut rest = sets().fold(0, |all, set| all | set);
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                let x = w * 64 + bit as usize;
                for word in 0..n {
                    let mut row = 0;
                    let mut within = word;
                    for (base, set) in shape.bases.iter().zip(sets()) {
                        if set >> bit & 1 == 1 {
                            let from = first(base).wrapping_add(own * x + word);
                            let members = *code.data.get(from).ok_or(FaultKind::Absent)? as u64;
                            row |= members & mem[at(op.within, within)];
                        }
                        within += next;
                    }
                    let Some([x_shift, e_shift]) = shape.shifts else {
                        if row != 0 {
                            return Ok(true);
                        }
                        continue;
                    };
                    if row == 0 {
                        continue;
                    }
                    if moves.len() >= MOST_MOVES {
                        return Err(FaultKind::TooMany);
                    }
                    let [x_shift, e_shift] = [x_shift, e_shift].map(|shift| shift & 63);
                    let base = packed | (x as u64) << x_shift;
                    let first = word as u64 * 64;
                    match shape.part {
                        Some(part) => {
                            let row = coordinates(row, first, part);
                            moves.push_each(base, row, u32::from(e_shift));
                        }
                        None => moves.push_each(base | first << e_shift, row, u32::from(e_shift)),
                    }
                }
            }
        }
        Ok(false)
    }
}

impl Planes {
    /// Calls `f` with the elements and their rows, ascending, until it returns false.
    #[inline]
    fn each_row(
        &mut self,
        op: &RowsOp,
        shape: &RowsShape,
        mem: &Memory,
        layout: &Layout,
        code: &Code,
        mut f: impl FnMut(usize, u64) -> Result<bool, FaultKind>,
    ) -> Result<(), FaultKind> {
        if self.stale {
            self.follow(mem, layout)?;
        }
        let gathered = match shape.gathered {
            Some((index, _)) => {
                let index = usize::from(index);
                let gathered = code.gathered.get(index).ok_or(FaultKind::Absent)?;
                let plane = self.plane(layout, gathered.zone)?;
                plane.gathered(index, gathered, code);
                Some((self.of(layout, gathered.zone)?.0, index))
            }
            None => None,
        };
        let base = shape.bases.first().ok_or(FaultKind::Absent)?;
        let first = i64::from(*base) + shape.bias + mem[usize::from(op.off)] as i64;
        let rows = Rows {
            data: code.data.get(first as usize..).unwrap_or_default(),
            own: shape.own as usize,
            stride: shape.gathered.map_or(0, |(_, stride)| stride as usize),
            gathered: gathered.map_or(&[], |(plane, index)| plane.gathered_values(index)),
            within: mem[usize::from(op.within)],
        };
        match shape.source {
            RowsSource::Free(zone) => {
                let (plane, _, _) = self.of(layout, zone)?;
                // As for the set of them: the first spot where nothing lies yet.
                let empty: &[u16] = if plane.filled == 0 { &[0] } else { &[] };
                for spot in empty.iter().chain(&plane.frontier) {
                    let spot = usize::from(*spot);
                    if !f(spot, rows.of(spot)?)? {
                        break;
                    }
                }
            }
            RowsSource::Set(n) => {
                for w in 0..usize::from(n) {
                    let mut rest = mem[at(op.set, w)];
                    while rest != 0 {
                        let x = w * 64 + rest.trailing_zeros() as usize;
                        rest &= rest - 1;
                        if !f(x, rows.of(x)?)? {
                            return Ok(());
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
