//! Spaces as tables: steps, neighbours, distances.

use super::Shared;
use super::tables::Tabled;
use crate::engine::op::Shift;
use crate::model::{
    Base, Binder, Domain, DomainId, DomainKind, NONE, Near, Shape, Type, near_of, steps_of,
};

/// Most cells of a space whose distances are tabulated, though they can be worked out.
const MOST_DISTANCES: u64 = 400;
/// Most places of a graph whose distances are tabulated.
const MOST_OF_GRAPH: u64 = 2_048;

/// Most words of all rows of neighbours.
const MOST_ROW_WORDS: u64 = 1 << 20;

impl Shared<'_> {
    /// Data under a name, put down once.
    pub fn named_data(&mut self, name: &str, cells: &[i64]) -> u32 {
        if let Some(base) = self.tables.named(name) {
            return base;
        }
        let base = self.data(cells.iter().copied());
        self.tables.name(name, base);
        base
    }

    /// Whether a table holds in each row the number of the row, as that of `Cell(x, y)` does.
    pub fn is_its_number(&self, table: &Tabled) -> bool {
        let rows = table.inputs.iter().map(|it| it.n).product::<u64>();
        let mut cells = (0_i64..).zip(self.code.data.iter().skip(table.base as usize));
        let rows = usize::try_from(rows).unwrap_or(usize::MAX);
        cells.by_ref().take(rows).all(|(at, cell)| at == *cell)
    }

    /// The value of a field whose index is given.
    pub fn field_value(&self, index: i64, ty: Type, size: u64) -> i64 {
        if ty.optional && index == size as i64 - 1 {
            return NONE;
        }
        match ty.base {
            Base::Int(lo, _) => index + lo,
            Base::Bool | Base::Elem(_) | Base::Set(_) | Base::Unit => index,
        }
    }

    /// `next[way * cells + cell]`, -1 off the board; `None` where the space has no such directions.
    pub fn steps(&mut self, space: DomainId, ways: DomainId) -> Option<u32> {
        let name = format!("steps {} {}", space.0, ways.0);
        if let Some(base) = self.tables.named(&name) {
            return Some(base);
        }
        let cells = steps_of(self.domain(space)?, self.domain(ways)?)?;
        Some(self.named_data(&name, &cells))
    }

    /// Rows of neighbours: a set of cells for each cell.
    pub fn neighbours(&mut self, space: DomainId, near: Near) -> Option<u32> {
        let name = format!("near {} {near:?}", space.0);
        if let Some(base) = self.tables.named(&name) {
            return Some(base);
        }
        let domain = self.domain(space)?;
        let words = usize::from(crate::engine::layout::words_for(domain.size));
        if domain.size.saturating_mul(words as u64) > MOST_ROW_WORDS {
            return None;
        }
        let lists = near_of(domain, near)?;
        let mut rows = vec![0i64; lists.len() * words];
        for (cell, list) in lists.iter().enumerate() {
            for other in list {
                if let Some(word) = rows.get_mut(cell * words + other / 64) {
                    *word |= 1 << (other % 64);
                }
            }
        }
        Some(self.named_data(&name, &rows))
    }

    /// The neighbours of each cell of a large space, one after the other, `n` for each, -1 for none.
    pub fn neighbour_list(&mut self, space: DomainId, near: Near) -> Option<(u32, u16)> {
        let lists = near_of(self.domain(space)?, near)?;
        let most = lists.iter().map(Vec::len).max()?;
        let name = format!("list of near {} {near:?}", space.0);
        let base = match self.tables.named(&name) {
            Some(base) => base,
            None => {
                let padded = lists.iter().flat_map(|list| {
                    let none = std::iter::repeat_n(-1, most - list.len());
                    list.iter().map(|it| *it as i64).chain(none)
                });
                self.named_data(&name, &padded.collect::<Vec<i64>>())
            }
        };
        Some((base, u16::try_from(most).ok()?))
    }

    /// `steps[a * cells + b]` between cells of a small space; `None` for other domains.
    pub fn distances(&mut self, space: DomainId) -> Option<u32> {
        let name = format!("distances {}", space.0);
        if let Some(base) = self.tables.named(&name) {
            return Some(base);
        }
        let domain = self.domain(space)?;
        let most = match &domain.kind {
            DomainKind::Space {
                shape: Shape::Graph(_) | Shape::Hexes | Shape::Cells(_),
                ..
            } => MOST_OF_GRAPH,
            DomainKind::Space { .. } => MOST_DISTANCES,
            _ => return None,
        };
        if domain.size > most {
            return None;
        }
        let lists = near_of(domain, Near::Neighbours)?;
        let n = lists.len();
        let mut cells = vec![NONE; n * n];
        for start in 0..n {
            let mut edge = vec![start];
            let mut steps = 0;
            while !edge.is_empty() {
                let mut next = Vec::new();
                for cell in edge {
                    let Some(slot) = cells.get_mut(start * n + cell) else {
                        continue;
                    };
                    if *slot == NONE {
                        *slot = steps;
                        next.extend(lists.get(cell).into_iter().flatten().copied());
                    }
                }
                edge = next;
                steps += 1;
            }
        }
        Some(self.named_data(&name, &cells))
    }

    /// Whether from some place of a space no steps lead to another.
    pub fn are_apart(&mut self, space: DomainId) -> bool {
        let size = self.domain(space).map_or(0, |it| it.size);
        let distances = self.distances(space).and_then(|base| {
            let cells = usize::try_from(size.checked_mul(size)?).ok()?;
            self.code.data.get(base as usize..)?.get(..cells)
        });
        distances.is_some_and(|cells| cells.contains(&NONE))
    }

    /// Whether a step back from each step leads to where it began.
    pub(super) fn comes_back(&mut self, space: DomainId, ways: DomainId) -> bool {
        let (Some(cells), Some(n)) = (self.domain(space), self.domain(ways)) else {
            return false;
        };
        let (Ok(cells), Ok(n)) = (usize::try_from(cells.size), usize::try_from(n.size)) else {
            return false;
        };
        let next = self.steps(space, ways).and_then(|base| {
            let all = self.code.data.get(base as usize..)?;
            all.get(..cells.checked_mul(n)?)
        });
        let Some(next) = next else { return false };
        let step = |way: usize, cell: usize| next.get(way * cells + cell).copied();
        (0..n).all(|way| {
            (0..cells).all(|cell| match step(way, cell).map(usize::try_from) {
                Some(Ok(to)) => step((way + n / 2) % n, to) == i64::try_from(cell).ok(),
                _ => true,
            })
        })
    }

    /// Whether each of some ways leads the other way too.
    pub(super) fn goes_back(&self, ways: &Binder) -> bool {
        let Base::Elem(directions) = self.local_type(ways.local).base else {
            return false;
        };
        let n = self
            .domain(directions)
            .and_then(|it| i64::try_from(it.size).ok());
        let (Some(all), Some(n)) = (self.few_of(ways), n.filter(|it| it % 2 == 0)) else {
            return false;
        };
        all.iter().all(|way| all.contains(&((way + n / 2) % n)))
    }

    pub(super) fn domain(&self, id: DomainId) -> Option<&'_ Domain> {
        self.game.domains.get(id.index())
    }
}

/// A way as a shift: from cell to cell by the same number, and never round.
pub(super) fn shift_of(next: &[i64]) -> Shift {
    let steps = next.iter().zip(0i64..).filter(|(to, _)| **to >= 0);
    let by = steps.clone().next().map(|(to, from)| to - from);
    let is_shift = steps.clone().all(|(to, from)| Some(to - from) == by);
    let by = by
        .filter(|_| is_shift)
        .and_then(|by| u8::try_from(by.rem_euclid(64)).ok())
        .and_then(std::num::NonZeroU8::new);
    let keep = steps.fold(0, |keep, (_, from)| keep | 1 << (from & 63));
    Shift {
        keep: by.map_or(0, |_| keep),
        by,
    }
}
