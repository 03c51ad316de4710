//! Heaps on a board of two rows, in an SVG picture.

use std::fmt::Write;

use super::plate::{DARK, SIDE, STROKE, lying};
use super::shape::Point;
use super::svg::round;

/// Units along a strip on which things are piled up, and so many of them at most.
pub(super) const HEAP: f64 = SIDE * 4.0;
const MOST_HEAPED: usize = 99;

/// Where and how a place is drawn.
#[derive(Clone, Copy)]
pub(super) struct Lie {
    pub at: Point,
    pub is_dark: bool,
    /// Whether a heap grows downwards.
    pub is_upper: bool,
}

/// The things of a heap, each by its sign, if it is written as one: `5 ○`, `2 ○ ●`.
pub(super) fn heap_of(what: &str) -> Option<Vec<&str>> {
    let (mut things, mut n) = (Vec::new(), None);
    for word in what.split_whitespace() {
        match (word.parse::<usize>(), n) {
            (Ok(count), None) if count <= MOST_HEAPED => n = Some(count),
            (Err(_), _) if word.chars().count() == 1 => {
                things.extend(std::iter::repeat_n(word, n.take().unwrap_or(1)));
            }
            _ => return None,
        }
    }
    n.is_none().then_some(things)
}

/// Draws things piled up from the outer edge, on a strip that ends in a point.
pub(super) fn heap(out: &mut String, things: &[&str], lie: Lie, side: f64) {
    let Lie {
        at,
        is_dark,
        is_upper,
    } = lie;
    let inwards = if is_upper { 1.0 } else { -1.0 };
    let edge = at.y - inwards * HEAP / 2.0;
    let _ = write!(
        out,
        "<path d=\"M{} {}h{side}L{} {}Z\" fill=\"{}\"/>",
        round(at.x - side / 2.0),
        round(edge),
        round(at.x),
        round(edge + inwards * HEAP * 0.9),
        if is_dark { DARK } else { STROKE }
    );
    let radius = SIDE * 0.36 + 1.0;
    let room = HEAP - 2.0 * radius;
    let between = (room / (things.len().max(2) - 1) as f64).min(2.0 * radius);
    for (nth, thing) in things.iter().enumerate() {
        let y = edge + inwards * (radius + nth as f64 * between);
        lying(out, thing, Point { x: at.x, y }, side);
    }
}
