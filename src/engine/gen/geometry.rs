//! Spaces as tables: steps, neighbours, distances.

use super::Shared;
use crate::model::{Base, Domain, DomainId, DomainKind, NONE, Near, Shape, Type};

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
                shape: Shape::Graph(_),
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

    pub(super) fn domain(&self, id: DomainId) -> Option<&'_ Domain> {
        self.game.domains.get(id.index())
    }
}

/// Differences of coordinates for each direction: eight for `Direction`, four for sides of a plane.
fn deltas(ways: u64) -> &'static [(i64, i64)] {
    const EIGHT: [(i64, i64); 8] = [
        (0, 1),
        (1, 1),
        (1, 0),
        (1, -1),
        (0, -1),
        (-1, -1),
        (-1, 0),
        (-1, 1),
    ];
    const FOUR: [(i64, i64); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    match ways {
        8 => &EIGHT,
        4 => &FOUR,
        _ => &[],
    }
}

fn axes_of(domain: &Domain) -> Option<(Vec<u64>, &Shape)> {
    match &domain.kind {
        DomainKind::Space { axes, shape } => Some((axes.iter().map(|a| a.size).collect(), shape)),
        DomainKind::Range | DomainKind::Enum { .. } | DomainKind::Record { .. } => None,
    }
}

fn moved(size: &[u64], shape: &Shape, cell: u64, (dx, dy): (i64, i64)) -> Option<usize> {
    let (w, h) = match size {
        [w] => (*w as i64, 1),
        [w, h] => (*w as i64, *h as i64),
        _ => return None,
    };
    let (x, y) = (cell as i64 / h, cell as i64 % h);
    let (mut x, mut y) = (x + dx, y + dy);
    match shape {
        Shape::Ring => {
            x = x.rem_euclid(w);
        }
        Shape::Plane { .. } => {
            x = x.rem_euclid(w);
            y = y.rem_euclid(h);
        }
        Shape::Grid | Shape::Line | Shape::Graph(_) | Shape::Parts { .. } => {}
    }
    let inside = (0..w).contains(&x) && (0..h).contains(&y);
    inside.then_some((x * h + y) as usize)
}

fn steps_of(space: &Domain, ways: &Domain) -> Option<Vec<i64>> {
    let (size, shape) = axes_of(space)?;
    if matches!(shape, Shape::Graph(_) | Shape::Parts { .. }) {
        return None;
    }
    let mut out = Vec::new();
    for delta in deltas(ways.size) {
        for cell in 0..space.size {
            out.push(moved(&size, shape, cell, *delta).map_or(-1, |c| c as i64));
        }
    }
    (!out.is_empty()).then_some(out)
}

fn near_of(space: &Domain, near: Near) -> Option<Vec<Vec<usize>>> {
    let (size, shape) = axes_of(space)?;
    if let Shape::Graph(edges) = shape {
        return Some(
            edges
                .iter()
                .map(|list| list.iter().map(|c| *c as usize).collect())
                .collect(),
        );
    }
    if matches!(shape, Shape::Parts { .. }) {
        return None;
    }
    let all = deltas(8);
    let cells = (0..space.size)
        .map(|cell| {
            let wanted = all.iter().filter(|(dx, dy)| {
                let straight = *dx == 0 || *dy == 0;
                match near {
                    Near::Orthogonal | Near::Neighbours => straight,
                    Near::Diagonal => !straight,
                    Near::Around => true,
                }
            });
            wanted
                .filter_map(|delta| moved(&size, shape, cell, *delta))
                .collect()
        })
        .collect();
    Some(cells)
}
