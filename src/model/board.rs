//! How the places of a space lie beside each other.

use super::{Domain, DomainId, DomainKind, Near, Shape, TableId};

/// Places that are listed one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cells {
    /// By place, the number of each of its coordinates; of a drawn one the line and the column of its name.
    pub at: Vec<Vec<u64>>,
    /// By place and direction, the place one step away.
    pub next: Vec<[Option<u32>; 8]>,
    /// By place, those with which it shares a side.
    pub sides: Vec<Vec<u32>>,
    /// By place, those which it only touches at a corner.
    pub corners: Vec<Vec<u32>>,
    /// What it looks like.
    pub look: Look,
    /// Names of the places; of drawn ones only.
    pub names: Vec<String>,
    /// The tables of the coordinates, by place.
    pub fields: Vec<TableId>,
    /// The table of the places, by coordinates; `NONE` where there is none.
    pub place: Option<TableId>,
}

/// What listed places look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    /// A grid with holes.
    Squares,
    /// Hexagons, some of which may be missing.
    Hexagons,
    /// Strokes between the places of a space.
    Edges(DomainId),
    /// As it was drawn, line by line.
    Drawn(Vec<String>),
}

impl Cells {
    /// Listed places of which the steps are known. With six sides the slanted steps lead over sides too.
    #[must_use]
    pub fn with_steps(
        at: Vec<Vec<u64>>,
        next: Vec<[Option<u32>; 8]>,
        six: bool,
        look: Look,
    ) -> Self {
        let beside = |over_sides: bool| {
            let near = next.iter().map(|steps| {
                let wanted = steps.iter().zip(WAYS);
                let wanted = wanted.filter(|(_, way)| (six || is_straight(*way)) == over_sides);
                wanted.filter_map(|(place, _)| *place).collect()
            });
            near.collect()
        };
        Self {
            sides: beside(true),
            corners: beside(false),
            at,
            next,
            look,
            names: Vec::new(),
            fields: Vec::new(),
            place: None,
        }
    }

    /// Most steps in one direction, where none comes back and no two lead to the same place.
    #[must_use]
    pub fn longest_line(&self) -> Option<usize> {
        let mut longest = 0;
        for way in 0..WAYS.len() {
            let next = |place: usize| self.next.get(place)?.get(way).copied()?;
            let next = |place| next(place).map(|it| it as usize);
            let mut begins = vec![true; self.next.len()];
            for to in (0..begins.len()).filter_map(next) {
                begins.get_mut(to).into_iter().for_each(|it| *it = false);
            }
            let mut seen = 0;
            for first in (0..begins.len()).filter(|at| begins.get(*at) == Some(&true)) {
                let line = std::iter::successors(Some(first), |place| next(*place));
                let places = line.take(begins.len() + 1).count();
                longest = longest.max(places.saturating_sub(1));
                seen += places;
            }
            if seen != begins.len() {
                return None;
            }
        }
        Some(longest)
    }
}

impl Domain {
    /// By place of a space, those with which it shares a side; `None` where that is not known before play.
    #[must_use]
    pub fn sides(&self) -> Option<Vec<Vec<usize>>> {
        near_of(self, Near::Neighbours)
    }
}

/// Differences of the two coordinates for each of the eight directions.
pub const WAYS: [(i64, i64); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

/// The same for the four sides of a plane.
const SIDES: [(i64, i64); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

fn is_straight((dx, dy): (i64, i64)) -> bool {
    dx == 0 || dy == 0
}

/// Whether a step of this kind leads over a side, over a corner, or nowhere.
fn over_side(shape: &Shape, way: (i64, i64)) -> Option<bool> {
    match shape {
        // Each row stands half a hexagon further left than the one below it.
        Shape::Hexes => (way.0 * way.1 >= 0).then_some(true),
        _ => Some(is_straight(way)),
    }
}

fn axes_of(domain: &Domain) -> Option<(Vec<u64>, &Shape)> {
    match &domain.kind {
        DomainKind::Space { axes, shape } => Some((axes.iter().map(|a| a.size).collect(), shape)),
        DomainKind::Range | DomainKind::Enum { .. } | DomainKind::Record { .. } => None,
    }
}

/// The cell one step away in one of the [`WAYS`], by the sizes of the coordinates.
#[must_use]
pub fn step_on(size: &[u64], shape: &Shape, cell: u64, way: (i64, i64)) -> Option<usize> {
    over_side(shape, way)?;
    let (w, h) = match size {
        [w] => (*w as i64, 1),
        [w, h] => (*w as i64, *h as i64),
        _ => return None,
    };
    let (x, y) = (cell as i64 / h, cell as i64 % h);
    let (mut x, mut y) = (x + way.0, y + way.1);
    match shape {
        Shape::Ring => {
            x = x.rem_euclid(w);
        }
        Shape::Plane { .. } => {
            x = x.rem_euclid(w);
            y = y.rem_euclid(h);
        }
        Shape::Grid
        | Shape::Hexes
        | Shape::Line
        | Shape::Cells(_)
        | Shape::Graph(_)
        | Shape::Parts { .. } => {}
    }
    let inside = (0..w).contains(&x) && (0..h).contains(&y);
    inside.then_some((x * h + y) as usize)
}

/// `next[way * cells + cell]`, -1 off the board; `None` where the space has no such directions.
#[must_use]
pub fn steps_of(space: &Domain, ways: &Domain) -> Option<Vec<i64>> {
    let (size, shape) = axes_of(space)?;
    let ways: &[(i64, i64)] = match (shape, ways.size) {
        (Shape::Graph(_) | Shape::Parts { .. }, _) => return None,
        (Shape::Cells(cells), 8) => {
            let steps = (0..8).flat_map(|way| cells.next.iter().map(move |it| it.get(way)));
            let steps = steps.map(|it| it.copied().flatten().map_or(-1, i64::from));
            return Some(steps.collect());
        }
        (Shape::Cells(_), _) => return None,
        (_, 8) => &WAYS,
        (_, 4) => &SIDES,
        _ => return None,
    };
    let mut out = Vec::new();
    for way in ways {
        for cell in 0..space.size {
            out.push(step_on(&size, shape, cell, *way).map_or(-1, |c| c as i64));
        }
    }
    (!out.is_empty()).then_some(out)
}

/// The cells around each cell of a space, if they are the same in all positions.
#[must_use]
pub fn near_of(space: &Domain, near: Near) -> Option<Vec<Vec<usize>>> {
    let (size, shape) = axes_of(space)?;
    let as_places = |lists: &[Vec<u32>]| -> Vec<Vec<usize>> {
        let lists = lists.iter();
        lists
            .map(|list| list.iter().map(|it| *it as usize).collect())
            .collect()
    };
    match shape {
        Shape::Graph(edges) => return Some(as_places(edges)),
        Shape::Parts { .. } => return None,
        Shape::Cells(cells) => {
            let (sides, corners) = (as_places(&cells.sides), as_places(&cells.corners));
            // Of what is drawn every line leads to a neighbour.
            let drawn = matches!(cells.look, Look::Drawn(_));
            return Some(match near {
                Near::Orthogonal => sides,
                Near::Neighbours if !drawn => sides,
                Near::Diagonal => corners,
                Near::Neighbours | Near::Around => {
                    let both = sides.into_iter().zip(corners);
                    both.map(|(sides, corners)| [sides, corners].concat())
                        .collect()
                }
            });
        }
        Shape::Grid | Shape::Hexes | Shape::Line | Shape::Ring | Shape::Plane { .. } => {}
    }
    let cells = (0..space.size)
        .map(|cell| {
            let wanted = WAYS.iter().filter(|way| match near {
                Near::Orthogonal | Near::Neighbours => over_side(shape, **way) == Some(true),
                Near::Diagonal => over_side(shape, **way) == Some(false),
                Near::Around => true,
            });
            wanted
                .filter_map(|way| step_on(&size, shape, cell, *way))
                .collect()
        })
        .collect();
    Some(cells)
}
