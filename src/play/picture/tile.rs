//! The geometry of one component: which shape each of its parts has, and where things stand on it.

use super::region::Regions;
use super::shape::{CENTRE, Path, Point, Step, distance_to, inside, is_inside, on_edge};
use crate::engine::{Look, Looks};
use crate::model::Brush;

/// Half of the width of a line.
pub const HALF_WIDTH: f64 = 0.055;
/// How far a line comes that stops before the middle.
const STOP: f64 = 0.34;
/// How far the outline of an area is drawn towards the middle.
const PULL: f64 = 0.75;
/// Pieces into which a curve is cut.
const PIECES: usize = 16;

/// A component as it lies.
#[derive(Clone, Debug)]
pub struct Tile {
    /// The layer that fills what nothing else covers.
    pub ground: Option<usize>,
    /// Layer and path of the lines.
    pub lines: Vec<Drawn>,
    /// Layer and outline of the areas.
    pub areas: Vec<Drawn>,
    /// The signs.
    pub marks: Vec<Mark>,
    /// By slot: where something on this part stands; none where there is no such part.
    pub places: Vec<Option<Place>>,
}

/// A line or an area.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// What it looks like.
    pub layer: usize,
    /// Its slot.
    pub slot: usize,
    /// Its path or outline.
    pub path: Path,
    /// The same in straight pieces.
    pub points: Vec<Point>,
}

/// A sign on a component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// What it looks like.
    pub layer: usize,
    /// Where.
    pub at: Point,
    /// Half of its height.
    pub size: f64,
}

/// Where things stand on a part.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// In its midst.
    pub middle: Point,
    /// Where its own sign is, if it has one at the end of its line.
    pub sign: Option<Point>,
}

/// A part with its ports as it lies, each so many sides clockwise from the north-western corner.
struct Part<'l> {
    slot: usize,
    look: &'l Look,
    ports: Vec<f64>,
}

impl Part<'_> {
    /// Its layer of a brush; of several the last one.
    fn layer(&self, looks: &Looks<'_>, brush: Brush) -> Option<usize> {
        let is_it = |at: &&usize| looks.layers.get(**at).is_some_and(|it| it.brush == brush);
        self.look.layers.iter().rev().find(is_it).copied()
    }
}

impl Tile {
    /// Draws a component that is turned by so many sides.
    #[must_use]
    pub fn new(looks: &Looks<'_>, parts: &[Look], turn: usize) -> Tile {
        let per_side = looks.n_ports.max(1);
        let parts: Vec<Part<'_>> = parts
            .iter()
            .enumerate()
            .map(|(slot, look)| Part {
                slot,
                look,
                ports: look
                    .ports
                    .iter()
                    .map(|port| {
                        let at = (port + turn * per_side) % (4 * per_side);
                        (at / per_side) as f64 + ((at % per_side) as f64 + 0.5) / per_side as f64
                    })
                    .collect(),
            })
            .collect();
        let mut tile = Tile {
            ground: None,
            lines: Vec::new(),
            areas: Vec::new(),
            marks: Vec::new(),
            places: vec![None; parts.len()],
        };
        tile.add_areas(looks, &parts);
        tile.add_lines(looks, &parts);
        tile.settle(looks, &parts);
        tile
    }

    fn add_areas(&mut self, looks: &Looks<'_>, parts: &[Part<'_>]) {
        let is_area = |part: &&Part<'_>| part.layer(looks, Brush::Area).is_some();
        let mut taken: Vec<f64> = parts
            .iter()
            .filter(is_area)
            .flat_map(|part| part.ports.iter().copied())
            .collect();
        taken.sort_by(f64::total_cmp);
        for part in parts {
            let (Some(layer), false) = (part.layer(looks, Brush::Area), part.ports.is_empty())
            else {
                continue;
            };
            let path = outline(&part.ports, &taken);
            self.areas.push(Drawn {
                layer,
                slot: part.slot,
                points: path.points(PIECES),
                path,
            });
        }
    }

    fn add_lines(&mut self, looks: &Looks<'_>, parts: &[Part<'_>]) {
        for part in parts {
            let Some(layer) = part.layer(looks, Brush::Line) else {
                continue;
            };
            let stops = part.layer(looks, Brush::Stop).is_some();
            for path in strokes(&part.ports, stops) {
                self.lines.push(Drawn {
                    layer,
                    slot: part.slot,
                    points: path.points(PIECES),
                    path,
                });
            }
        }
    }

    /// Finds places for signs, and for what stands on the parts.
    fn settle(&mut self, looks: &Looks<'_>, parts: &[Part<'_>]) {
        let grounds: Vec<(usize, Vec<Point>)> = parts
            .iter()
            .filter(|part| part.layer(looks, Brush::Ground).is_some())
            .map(|part| {
                (
                    part.slot,
                    part.ports.iter().map(|at| on_edge(*at)).collect(),
                )
            })
            .collect();
        let ground = parts
            .iter()
            .find_map(|part| part.layer(looks, Brush::Ground));
        self.ground = ground;
        // Signs in the middle come first, so that what stands on the ground keeps clear of them.
        for part in parts.iter().filter(|part| part.ports.is_empty()) {
            let Some(layer) = part.layer(looks, Brush::Mark) else {
                continue;
            };
            self.marks.push(Mark {
                layer,
                at: CENTRE,
                size: 0.17,
            });
            if let Some(place) = self.places.get_mut(part.slot) {
                *place = Some(Place {
                    middle: Point { x: 0.77, y: 0.5 },
                    sign: None,
                });
            }
        }
        let mut taken: Vec<Point> = self.marks.iter().map(|it| it.at).collect();
        let mut regions = Regions::new(self, &grounds);
        for part in parts.iter().filter(|part| !part.ports.is_empty()) {
            let is_line = self.lines.iter().any(|line| line.slot == part.slot);
            let signs: Vec<usize> = part
                .look
                .layers
                .iter()
                .filter(|at| {
                    let brush = looks.layers.get(**at).map(|it| it.brush);
                    matches!(brush, Some(Brush::Mark | Brush::Stop))
                })
                .copied()
                .collect();
            let place = if is_line {
                self.on_line(part.slot, part.ports.len(), !signs.is_empty())
            } else {
                let sign = match signs.is_empty() {
                    true => None,
                    false => regions.place(part.slot, &taken),
                };
                taken.extend(sign);
                regions
                    .place(part.slot, &taken)
                    .map(|middle| Place { middle, sign })
            };
            let Some(place) = place else {
                continue;
            };
            taken.push(place.middle);
            let at = place.sign.unwrap_or(place.middle);
            // Lines that end together have one sign there.
            for layer in signs {
                let mark = Mark {
                    layer,
                    at,
                    size: 0.11,
                };
                if !self.marks.contains(&mark) {
                    self.marks.push(mark);
                }
            }
            if let Some(slot) = self.places.get_mut(part.slot) {
                *slot = Some(place);
            }
        }
    }

    fn on_line(&self, slot: usize, n_ports: usize, has_sign: bool) -> Option<Place> {
        let line = self.lines.iter().find(|line| line.slot == slot)?;
        Some(match n_ports {
            2 if has_sign => Place {
                middle: line.path.at(0.22),
                sign: Some(line.path.at(0.5)),
            },
            2 => Place {
                middle: line.path.at(0.5),
                sign: None,
            },
            _ => Place {
                middle: line.path.at(0.45),
                sign: Some(line.path.at(1.0)),
            },
        })
    }

    /// The topmost layer at a point, where lines are so wide.
    #[must_use]
    pub fn layer_at(&self, point: Point, half_width: f64) -> Option<usize> {
        let area = self.areas.iter().rev();
        let area = area.into_iter().find(|it| is_inside(&it.points, point));
        let line = || {
            let lines = self.lines.iter().rev();
            lines
                .into_iter()
                .find(|it| distance_to(&it.points, point) <= half_width)
        };
        area.or_else(line).map(|it| it.layer).or(self.ground)
    }
}

/// The strokes of a line: from port to port, or to an end inside.
#[must_use]
pub fn strokes(ports: &[f64], stops: bool) -> Vec<Path> {
    match ports {
        [] => Vec::new(),
        [a, b] => {
            let (from, to) = (on_edge(*a), on_edge(*b));
            let depth = (0.39 * from.distance(to)).max(0.2);
            let step = Step::Curve(inside(*a, depth), inside(*b, depth), to);
            vec![Path::of(from, step)]
        }
        _ => ports
            .iter()
            .map(|port| {
                let from = on_edge(*port);
                let end = if stops { inside(*port, STOP) } else { CENTRE };
                let bend = inside(*port, 0.2);
                Path::of(from, Step::Curve(bend, bend, end))
            })
            .collect(),
    }
}

/// The outline of an area with these ports. Along the edge it reaches to halfway to the next area, at
/// most to the corner.
#[must_use]
pub fn outline(ports: &[f64], taken: &[f64]) -> Path {
    let mut ports = ports.to_vec();
    ports.sort_by(f64::total_cmp);
    let mut runs: Vec<(f64, f64)> = Vec::new();
    for port in ports {
        let side = port.floor();
        let before = taken.iter().rev().find(|it| **it < port && **it >= side);
        let behind = taken.iter().find(|it| **it > port && **it < side + 1.0);
        let from = before.map_or(side, |it| (it + port) / 2.0);
        let to = behind.map_or(side + 1.0, |it| (it + port) / 2.0);
        match runs.last_mut() {
            Some(last) if last.1 >= from - 1e-9 => last.1 = to,
            _ => runs.push((from, to)),
        }
    }
    // The last run may go on in the first.
    if let ([first, .., last], true) = (runs.as_slice(), runs.len() > 1)
        && last.1 - 4.0 >= first.0 - 1e-9
    {
        let whole = (last.0, first.1 + 4.0);
        runs.pop();
        if let Some(first) = runs.first_mut() {
            *first = whole;
        }
    }
    let begin = runs.first().map_or(0.0, |it| it.0);
    let start = on_edge(begin);
    let mut steps = Vec::new();
    for (number, (from, to)) in runs.iter().enumerate() {
        let mut corner = from.floor() + 1.0;
        while corner < *to {
            steps.push(Step::Line(on_edge(corner)));
            corner += 1.0;
        }
        let end = on_edge(*to);
        steps.push(Step::Line(end));
        if to - from < 4.0 {
            let next = runs.get(number + 1).map_or(begin, |it| it.0);
            let next = on_edge(next);
            let (a, b) = (end.towards(CENTRE, PULL), next.towards(CENTRE, PULL));
            steps.push(Step::Curve(a, b, next));
        }
    }
    Path { start, steps }
}
