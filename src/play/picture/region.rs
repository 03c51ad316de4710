//! Which part of a component covers what of it, on a fine grid.

use std::collections::VecDeque;

use super::shape::{CENTRE, Point, distance_to, is_inside};
use super::tile::{HALF_WIDTH, Tile};

/// Cells along a side.
const N: usize = 30;
/// How much nearer to the middle of the component a place should be.
const HOMING: f64 = 0.12;

/// The cells of a component by the slot of what covers them.
pub struct Regions {
    slots: Vec<Option<usize>>,
}

impl Regions {
    /// Cuts a component up. The ground falls to the part from whose ports it is nearest, as far as
    /// nothing lies between.
    pub fn new(tile: &Tile, grounds: &[(usize, Vec<Point>)]) -> Regions {
        let mut open = vec![false; N * N];
        let mut slots = vec![None; N * N];
        for cell in 0..N * N {
            let at = centre(cell);
            let area = tile.areas.iter().rev();
            let area = area.into_iter().find(|it| is_inside(&it.points, at));
            let on_line = tile
                .lines
                .iter()
                .any(|it| distance_to(&it.points, at) <= HALF_WIDTH);
            if let (Some(slot), Some(free)) = (slots.get_mut(cell), open.get_mut(cell)) {
                *slot = area.map(|it| it.slot);
                *free = area.is_none() && !on_line;
            }
        }
        let mut edge = VecDeque::new();
        for (slot, ports) in grounds {
            for port in ports {
                let free = (0..N * N).filter(|cell| open.get(*cell) == Some(&true));
                let near = free.min_by(|a, b| {
                    let (a, b) = (centre(*a).distance(*port), centre(*b).distance(*port));
                    a.total_cmp(&b)
                });
                if let Some(cell) = near {
                    edge.push_back((cell, *slot));
                }
            }
        }
        while let Some((cell, slot)) = edge.pop_front() {
            let (Some(free), Some(owner)) = (open.get_mut(cell), slots.get_mut(cell)) else {
                continue;
            };
            if !std::mem::take(free) {
                continue;
            }
            *owner = Some(slot);
            edge.extend(beside(cell).map(|next| (next, slot)));
        }
        Regions { slots }
    }

    /// A roomy place on a part, away from what is taken; none if the part covers nothing.
    pub fn place(&mut self, slot: usize, taken: &[Point]) -> Option<Point> {
        let depth = self.depths(slot);
        let cells = (0..N * N).filter(|cell| self.slots.get(*cell) == Some(&Some(slot)));
        let score = |cell: &usize| {
            let at = centre(*cell);
            let room = f64::from(depth.get(*cell).copied().unwrap_or(0)) / N as f64;
            let clear = taken.iter().map(|it| at.distance(*it));
            let clear = clear.fold(1.0, f64::min);
            room.min(clear * 0.6) - HOMING * at.distance(CENTRE)
        };
        let best = cells.max_by(|a, b| score(a).total_cmp(&score(b)))?;
        Some(centre(best))
    }

    /// How many steps each cell of a part is from its border.
    fn depths(&self, slot: usize) -> Vec<u32> {
        let is_it = |cell: usize| self.slots.get(cell) == Some(&Some(slot));
        let mut depth = vec![0_u32; N * N];
        let mut edge: VecDeque<usize> = (0..N * N)
            .filter(|cell| is_it(*cell))
            .filter(|cell| {
                let mut n_inside = 0;
                let all = beside(*cell).all(|next| {
                    n_inside += 1;
                    is_it(next)
                });
                !all || n_inside < 4
            })
            .collect();
        for cell in &edge {
            if let Some(it) = depth.get_mut(*cell) {
                *it = 1;
            }
        }
        while let Some(cell) = edge.pop_front() {
            let next_depth = depth.get(cell).map_or(0, |it| it + 1);
            for next in beside(cell).filter(|next| is_it(*next)) {
                if let Some(it) = depth.get_mut(next).filter(|it| **it == 0) {
                    *it = next_depth;
                    edge.push_back(next);
                }
            }
        }
        depth
    }
}

fn centre(cell: usize) -> Point {
    let at = |it: usize| (it as f64 + 0.5) / N as f64;
    Point {
        x: at(cell % N),
        y: at(cell / N),
    }
}

fn beside(cell: usize) -> impl Iterator<Item = usize> {
    let (x, y) = (cell % N, cell / N);
    let east = (x + 1 < N).then_some(cell + 1);
    let west = (x > 0).then(|| cell - 1);
    let south = (y + 1 < N).then_some(cell + N);
    let north = (y > 0).then(|| cell - N);
    [north, east, south, west].into_iter().flatten()
}
