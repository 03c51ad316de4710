//! What operations on walks, lines and rows need beside their operands, each kept once.

use super::Shared;
use super::geometry::shift_of;
use crate::engine::layout::words_for;
use crate::engine::op::{LineShape, RowsShape, WalkShape};

impl Shared<'_> {
    /// The shape of a walk along any of some ways over the steps that lie at `base` in the data.
    pub fn walk(&mut self, base: u32, cells: u64, ways: u64, [count, beyond]: [bool; 2]) -> u16 {
        let mut same = self.code.walks.iter();
        let known = same.position(|it| it.base == base && it.count == count && it.beyond == beyond);
        let at = known.unwrap_or_else(|| {
            let other = self.code.walks.iter().find(|it| it.base == base);
            let shifts = match other {
                Some(other) => other.shifts,
                None => self.shifts(base, cells, ways),
            };
            self.code.walks.push(WalkShape {
                base,
                cells: u32::try_from(cells).unwrap_or(u32::MAX),
                ways: u32::try_from(ways).unwrap_or(u32::MAX),
                words: words_for(cells),
                count,
                beyond,
                shifts,
            });
            self.code.walks.len() - 1
        });
        u16::try_from(at).unwrap_or(u16::MAX)
    }

    /// The ways as shifts, where sets of cells have one word.
    fn shifts(&mut self, base: u32, cells: u64, ways: u64) -> Option<u32> {
        let n_cells = usize::try_from(cells).ok().filter(|n| *n <= 64)?;
        let first = u32::try_from(self.code.shifts.len()).ok()?;
        let steps = self.code.data.get(base as usize..)?;
        let ways = usize::try_from(ways).ok()?;
        let shifts = steps.chunks_exact(n_cells.max(1)).take(ways).map(shift_of);
        self.code.shifts.extend(shifts);
        Some(first)
    }

    /// A table of cells of one word as a shift.
    pub fn shift(&mut self, base: u32, cells: u64) -> Option<u16> {
        let n_cells = usize::try_from(cells).ok().filter(|n| *n <= 64)?;
        let shift = shift_of(self.code.data.get(base as usize..)?.get(..n_cells)?);
        shift.by?;
        number_in(&mut self.code.shifts, shift)
    }

    pub fn line_shape(&mut self, shape: LineShape) -> u16 {
        number_in(&mut self.code.lines, shape).unwrap_or(u16::MAX)
    }

    pub fn rows_shape(&mut self, shape: RowsShape) -> u16 {
        number_in(&mut self.code.rows, shape).unwrap_or(u16::MAX)
    }
}

/// The number of something in a list that holds each once.
pub(super) fn number_in<T: PartialEq>(list: &mut Vec<T>, wanted: T) -> Option<u16> {
    let found = list.iter().position(|known| *known == wanted);
    let at = found.unwrap_or_else(|| {
        list.push(wanted);
        list.len() - 1
    });
    u16::try_from(at).ok()
}
