//! Points and curves on a square of side 1, north at the top.

/// A point: x to the east, y to the south.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// From the western edge.
    pub x: f64,
    /// From the northern edge.
    pub y: f64,
}

/// The middle of the square.
pub const CENTRE: Point = Point { x: 0.5, y: 0.5 };

impl Point {
    /// The point that lies so far on the way to another one.
    #[must_use]
    pub fn towards(self, other: Point, part: f64) -> Point {
        Point {
            x: self.x + (other.x - self.x) * part,
            y: self.y + (other.y - self.y) * part,
        }
    }

    /// How far another point is away.
    #[must_use]
    pub fn distance(self, other: Point) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

/// The point on the edge of the square so many sides clockwise from its north-western corner.
#[must_use]
pub fn on_edge(at: f64) -> Point {
    let at = at.rem_euclid(4.0);
    let t = at.fract();
    let (x, y) = match at as usize {
        0 => (t, 0.0),
        1 => (1.0, t),
        2 => (1.0 - t, 1.0),
        _ => (0.0, 1.0 - t),
    };
    Point { x, y }
}

/// The point that lies so deep inside of a point on the edge.
#[must_use]
pub fn inside(at: f64, depth: f64) -> Point {
    let edge = on_edge(at);
    let (dx, dy) = match at.rem_euclid(4.0) as usize {
        0 => (0.0, depth),
        1 => (-depth, 0.0),
        2 => (0.0, -depth),
        _ => (depth, 0.0),
    };
    Point {
        x: edge.x + dx,
        y: edge.y + dy,
    }
}

/// How a path goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Straight to a point.
    Line(Point),
    /// On a cubic curve: two controls and the end.
    Curve(Point, Point, Point),
}

impl Step {
    /// Where it leads.
    #[must_use]
    pub fn end(self) -> Point {
        match self {
            Step::Line(end) | Step::Curve(_, _, end) => end,
        }
    }
}

/// A path of lines and curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Where it begins.
    pub start: Point,
    /// How it goes on.
    pub steps: Vec<Step>,
}

impl Path {
    /// A path of one step.
    #[must_use]
    pub fn of(start: Point, step: Step) -> Path {
        Path {
            start,
            steps: vec![step],
        }
    }

    /// The point that lies so far on the path, where all its steps are taken as equally long.
    #[must_use]
    pub fn at(&self, part: f64) -> Point {
        let count = self.steps.len() as f64;
        let whole = (part * count).clamp(0.0, count);
        let index = (whole as usize).min(self.steps.len().saturating_sub(1));
        let mut from = self.start;
        for step in self.steps.iter().take(index) {
            from = step.end();
        }
        match self.steps.get(index) {
            Some(step) => on_step(from, *step, whole - index as f64),
            None => self.start,
        }
    }

    /// The path as many short straight pieces.
    #[must_use]
    pub fn points(&self, per_step: usize) -> Vec<Point> {
        let mut points = vec![self.start];
        let mut from = self.start;
        for step in &self.steps {
            let n = match step {
                Step::Line(_) => 1,
                Step::Curve(..) => per_step.max(1),
            };
            points.extend((1..=n).map(|at| on_step(from, *step, at as f64 / n as f64)));
            from = step.end();
        }
        points
    }
}

fn on_step(from: Point, step: Step, t: f64) -> Point {
    match step {
        Step::Line(end) => from.towards(end, t),
        Step::Curve(a, b, end) => {
            let (ab, bc, cd) = (from.towards(a, t), a.towards(b, t), b.towards(end, t));
            ab.towards(bc, t).towards(bc.towards(cd, t), t)
        }
    }
}

/// Whether a point lies inside of a closed outline.
#[must_use]
pub fn is_inside(outline: &[Point], point: Point) -> bool {
    let mut inside = false;
    let mut last = match outline.last() {
        Some(last) => *last,
        None => return false,
    };
    for next in outline {
        if (next.y > point.y) != (last.y > point.y) {
            let x = (last.x - next.x) * (point.y - next.y) / (last.y - next.y) + next.x;
            inside ^= point.x < x;
        }
        last = *next;
    }
    inside
}

/// How far a point is from a chain of straight pieces.
#[must_use]
pub fn distance_to(chain: &[Point], point: Point) -> f64 {
    let pieces = chain.iter().zip(chain.iter().skip(1));
    let each = pieces.map(|(a, b)| {
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let length = dx * dx + dy * dy;
        let along = if length > 0.0 {
            ((point.x - a.x) * dx + (point.y - a.y) * dy) / length
        } else {
            0.0
        };
        point.distance(a.towards(*b, along.clamp(0.0, 1.0)))
    });
    each.fold(f64::INFINITY, f64::min)
}
