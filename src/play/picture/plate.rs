//! Boards, rows of places and drawings as an SVG picture.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::heap::{HEAP, Lie, heap, heap_of};
use super::shape::Point;
use super::svg::{LINE, MARGIN, round};
use crate::play::part::Part;
use crate::play::squares::{Spot, Squares};
use crate::play::strips::Strip;
use crate::source::hidden::in_xml;

/// Units along the side of a place.
pub(super) const SIDE: f64 = 40.0;
/// Units of a letter of text, and of a letter of a drawing, across and down.
const LETTER: f64 = 8.6;
const CELL: (f64, f64) = (11.0, 22.0);
const INK: &str = "#4b463f";
const GROUND: &str = "#ead9b5";
pub(super) const DARK: &str = "#c9ab74";
pub(super) const STROKE: &str = "#a8946b";
const MONO: &str =
    "font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" xml:space=\"preserve\"";

/// Places of zones in which something came or went with the last move: the numbers of zone and place.
pub type Moved = BTreeSet<(usize, usize)>;

/// Draws parts one below the other from a height on; returns how wide and how high they are.
pub fn draw(out: &mut String, parts: &[Part], moved: &Moved, top: f64) -> (f64, f64) {
    let (mut width, mut y) = (0.0_f64, top);
    for part in parts {
        let (w, h) = draw_part(out, part, moved, y);
        width = width.max(w);
        y += h;
    }
    (width, y - top)
}

fn draw_part(out: &mut String, part: &Part, moved: &Moved, top: f64) -> (f64, f64) {
    match part {
        Part::Seat { text, boards, .. } => {
            let (width, height) = lines(out, text, top);
            let (w, h) = draw(out, boards, moved, top + height);
            (width.max(w), height + h)
        }
        Part::List { text, .. } | Part::Printed { text, .. } => lines(out, text, top),
        Part::Values { .. } => lines(out, &part.written(), top),
        Part::Squares(board) => Plate::new(board, moved).draw(out, top),
        Part::Strip(strip) => row(out, strip, top),
        Part::Drawing(text) => drawing(out, text, top),
    }
}

fn lines(out: &mut String, text: &str, top: f64) -> (f64, f64) {
    let (mut y, mut width) = (top, 0.0_f64);
    for line in text.lines() {
        y += 22.0;
        let _ = write!(
            out,
            "<text x=\"{MARGIN}\" y=\"{y}\" font-size=\"14\" fill=\"{INK}\" {MONO}>{}</text>",
            in_xml(line)
        );
        width = width.max(long(line) * LETTER);
    }
    (MARGIN * 2.0 + width, y - top)
}

fn long(text: &str) -> f64 {
    text.chars().count() as f64
}

fn label(out: &mut String, at: Point, text: &str) {
    let _ = write!(
        out,
        "<text x=\"{}\" y=\"{}\" font-size=\"14\" fill=\"{INK}\" text-anchor=\"middle\">{}</text>",
        round(at.x),
        round(at.y + 5.0),
        in_xml(text)
    );
}

/// Draws what lies at a place: what is one sign as large as it can be, round ones as discs.
pub(super) fn lying(out: &mut String, what: &str, at: Point, side: f64) {
    let (x, y) = (round(at.x), round(at.y));
    let disc = match what {
        "●" => Some("#26221c"),
        "○" => Some("#fffdf7"),
        _ => None,
    };
    if let Some(fill) = disc {
        let _ = write!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{fill}\" stroke=\"#26221c\" stroke-width=\"1.5\"/>",
            round(SIDE * 0.36)
        );
        return;
    }
    let size = match what.chars().count() {
        0 => return,
        1 => SIDE * 0.7,
        n => (side / (n as f64 * 0.64)).min(17.0),
    };
    let fill = if what.contains(['♥', '♦']) {
        "#a3231a"
    } else {
        "#26221c"
    };
    let _ = write!(
        out,
        "<text x=\"{x}\" y=\"{}\" font-size=\"{}\" fill=\"{fill}\" text-anchor=\"middle\">{}</text>",
        round(at.y + size * 0.36),
        round(size),
        in_xml(what)
    );
}

/// A board that is drawn.
struct Plate<'a> {
    board: &'a Squares,
    moved: &'a Moved,
    /// Whether heaps lie on two rows: they are piled up from the outer edges.
    is_heaped: bool,
}

impl<'a> Plate<'a> {
    fn new(board: &'a Squares, moved: &'a Moved) -> Self {
        let mut plate = Plate {
            board,
            moved,
            is_heaped: false,
        };
        let spots = board.rows.iter().flat_map(|(_, it)| it.iter().flatten());
        let heaps: Option<Vec<_>> = spots.map(|it| heap_of(plate.bare(it).0)).collect();
        let has_heaps = heaps.is_some_and(|all| all.iter().any(|it| it.len() > 1));
        plate.is_heaped = has_heaps && board.rows.len() == 2 && !board.slanted;
        plate
    }

    fn draw(&self, out: &mut String, top: f64) -> (f64, f64) {
        let board = self.board;
        let spots = || board.rows.iter().flat_map(|(_, it)| it.iter().flatten());
        let most = spots().map(|it| long(self.bare(it).0)).fold(0.0, f64::max);
        let columns = board.columns.iter().map(|it| long(it)).fold(0.0, f64::max);
        let wide = (most * 10.0 + 8.0).max(columns * LETTER + 4.0);
        let side = match (self.is_heaped, most > 1.0) {
            (true, _) => (columns * LETTER + 6.0).max(SIDE),
            (false, true) => wide.max(SIDE),
            (false, false) => SIDE,
        };
        let up = match (board.slanted, self.is_heaped) {
            (true, _) => SIDE * 0.866,
            (false, true) => HEAP,
            (false, false) => SIDE,
        };
        let margin = board
            .rows
            .iter()
            .map(|(it, _)| long(it))
            .fold(0.0, f64::max);
        let [above, right, below, left] = &board.aspect.edges;
        let beside = if left.is_empty() {
            0.0
        } else {
            long(left) * LETTER + 10.0
        };
        let from = MARGIN + beside + margin * LETTER + 10.0;
        let n_rows = board.rows.len() as f64;
        let across = board.columns.len() as f64 * side;
        let shift = |row: usize| {
            if board.slanted {
                row as f64 * side / 2.0
            } else {
                0.0
            }
        };
        let mut y = lines(out, &board.name, top).1 + top + 14.0;
        if !above.is_empty() {
            label(
                out,
                Point {
                    x: from + across / 2.0,
                    y: y + 6.0,
                },
                above,
            );
            y += LINE;
        }
        // The frame of what moved lies above the edges of its neighbours.
        let mut moved = Vec::new();
        for (row, (name, places)) in board.rows.iter().enumerate() {
            let middle = y + (row as f64 + 0.5) * up;
            let first = from + shift(row);
            label(
                out,
                Point {
                    x: first - 8.0 - long(name) * LETTER / 2.0,
                    y: middle,
                },
                name,
            );
            for (column, spot) in places.iter().enumerate() {
                let x = first + (column as f64 + 0.5) * side;
                if let Some(spot) = spot {
                    // The corner at the lower left is dark, from whichever side a board of even sides is seen.
                    let from_below = board.rows.len() - 1 - row;
                    let by_turns = board.aspect.chequered || self.is_heaped;
                    let is_dark = by_turns && (from_below + column).is_multiple_of(2);
                    let lie = Lie {
                        at: Point { x, y: middle },
                        is_dark,
                        is_upper: row == 0,
                    };
                    if self.is_moved(spot) {
                        moved.push((spot, lie));
                    } else {
                        self.spot(out, spot, lie, side);
                    }
                }
            }
        }
        for (spot, lie) in moved {
            self.spot(out, spot, lie, side);
        }
        let at_side = y + n_rows * up / 2.0;
        let end = shift(board.rows.len().saturating_sub(1));
        if !left.is_empty() {
            label(
                out,
                Point {
                    x: MARGIN + beside / 2.0,
                    y: at_side,
                },
                left,
            );
        }
        let mut width = from + across + end;
        if !right.is_empty() {
            let room = long(right) * LETTER + 16.0;
            label(
                out,
                Point {
                    x: width - end / 2.0 + room / 2.0,
                    y: at_side,
                },
                right,
            );
            width += room;
        }
        y += n_rows * up;
        for (column, name) in board.columns.iter().enumerate() {
            let x = from + end + (column as f64 + 0.5) * side;
            label(out, Point { x, y: y + 16.0 }, name);
        }
        y += LINE;
        if !below.is_empty() {
            label(
                out,
                Point {
                    x: from + end + across / 2.0,
                    y: y + 8.0,
                },
                below,
            );
            y += 22.0;
        }
        (width + MARGIN, y - top)
    }

    /// What lies there without its mark, and whether it is marked.
    fn bare<'s>(&self, spot: &'s Spot) -> (&'s str, bool) {
        let aspect = &self.board.aspect;
        if aspect.before + aspect.behind == 0 {
            return (&spot.what, false);
        }
        let n = spot.what.chars().count();
        let from = spot.what.char_indices().nth(aspect.before);
        let end = spot
            .what
            .char_indices()
            .nth(n.saturating_sub(aspect.behind));
        let (from, end) = (
            from.map_or(0, |it| it.0),
            end.map_or(spot.what.len(), |it| it.0),
        );
        let bare = spot.what.get(from..end).unwrap_or(&spot.what).trim();
        let is_marked = spot.what.trim() != bare;
        (if bare == "·" { "" } else { bare }, is_marked)
    }

    fn is_moved(&self, spot: &Spot) -> bool {
        let zone = self.board.aspect.zone;
        zone.is_some_and(|zone| self.moved.contains(&(zone, spot.at)))
    }

    fn spot(&self, out: &mut String, spot: &Spot, lie: Lie, side: f64) {
        let Lie { at, is_dark, .. } = lie;
        let (what, is_marked) = self.bare(spot);
        let edge = match self.is_moved(spot) {
            true => "stroke=\"#b0281a\" stroke-width=\"3\"".to_owned(),
            false => format!("stroke=\"{STROKE}\""),
        };
        let fill = match (is_marked, is_dark) {
            (true, _) => "#cfe0f0",
            (false, true) if !self.is_heaped => DARK,
            (false, _) => GROUND,
        };
        let _ = match self.board.slanted {
            true => {
                let (w, h) = (side / 2.0, SIDE * 0.577);
                let corner =
                    |dx: f64, dy: f64| format!("{} {}", round(at.x + dx), round(at.y + dy));
                let corners = [
                    (0.0, -h),
                    (w, -h / 2.0),
                    (w, h / 2.0),
                    (0.0, h),
                    (-w, h / 2.0),
                    (-w, -h / 2.0),
                ];
                let path: Vec<String> = corners.iter().map(|(x, y)| corner(*x, *y)).collect();
                write!(
                    out,
                    "<path d=\"M{}Z\" fill=\"{fill}\" {edge}/>",
                    path.join("L")
                )
            }
            false => {
                let high = if self.is_heaped { HEAP } else { SIDE };
                write!(
                    out,
                    "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{high}\" fill=\"{fill}\" {edge}/>",
                    round(at.x - side / 2.0),
                    round(at.y - high / 2.0),
                )
            }
        };
        match heap_of(what).filter(|_| self.is_heaped) {
            Some(things) => heap(out, &things, lie, side),
            None => lying(out, what, at, side),
        }
    }
}

/// Rows over the same places, each place a box.
fn row(out: &mut String, strip: &Strip, top: f64) -> (f64, f64) {
    let Some(((_, head), rows)) = strip.rows.split_first() else {
        return (0.0, 0.0);
    };
    let margin = rows
        .iter()
        .map(|(label, _)| long(label))
        .fold(0.0, f64::max);
    let cells = rows.iter().flat_map(|(_, it)| it).chain(head);
    let most = cells.map(|it| long(it)).fold(1.0, f64::max);
    let side = (most * 10.0 + 8.0).max(SIDE);
    let from = MARGIN + margin * LETTER + 10.0;
    let mut y = top + 10.0;
    for first in (0..head.len()).step_by(strip.each.max(1)) {
        for (at, name) in head.iter().skip(first).take(strip.each).enumerate() {
            label(
                out,
                Point {
                    x: from + (at as f64 + 0.5) * side,
                    y: y + 10.0,
                },
                name,
            );
        }
        y += 22.0;
        for (name, cells) in rows {
            let _ = write!(
                out,
                "<text x=\"{MARGIN}\" y=\"{}\" font-size=\"14\" fill=\"{INK}\" {MONO}>{}</text>",
                y + SIDE / 2.0 + 5.0,
                in_xml(name)
            );
            for (at, cell) in cells.iter().skip(first).take(strip.each).enumerate() {
                let x = from + at as f64 * side;
                let _ = write!(
                    out,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{SIDE}\" fill=\"{GROUND}\" stroke=\"{STROKE}\"/>"
                );
                lying(
                    out,
                    cell,
                    Point {
                        x: x + side / 2.0,
                        y: y + SIDE / 2.0,
                    },
                    side,
                );
            }
            y += SIDE;
        }
        y += 8.0;
    }
    let width = from + strip.each.min(head.len()) as f64 * side + MARGIN;
    (width, y - top)
}

/// A drawing of signs: what stands for a stroke is one.
fn drawing(out: &mut String, text: &str, top: f64) -> (f64, f64) {
    let (name, rest) = text.split_once('\n').unwrap_or((text, ""));
    let mut y = top + lines(out, name, top).1 + 8.0;
    let (w, h) = CELL;
    let mut width = 0.0_f64;
    for line in rest.lines() {
        let mut x = MARGIN;
        for sign in line.chars() {
            let mut stroke = |x1: f64, y1: f64, x2: f64, y2: f64| {
                let _ = write!(
                    out,
                    "<path d=\"M{} {}L{} {}\" stroke=\"{STROKE}\" stroke-width=\"3\" stroke-linecap=\"round\"/>",
                    round(x + x1 * w),
                    round(y + y1 * h),
                    round(x + x2 * w),
                    round(y + y2 * h)
                );
            };
            match sign {
                ' ' => {}
                '-' | '─' => stroke(0.0, 0.5, 1.0, 0.5),
                '|' | '│' => stroke(0.5, 0.0, 0.5, 1.0),
                '/' => stroke(1.0, 0.0, 0.0, 1.0),
                '\\' => stroke(0.0, 0.0, 1.0, 1.0),
                '+' => {
                    let _ = write!(
                        out,
                        "<circle cx=\"{}\" cy=\"{}\" r=\"4\" fill=\"{INK}\"/>",
                        round(x + w / 2.0),
                        round(y + h / 2.0)
                    );
                }
                '●' | '○' => {
                    let fill = if sign == '●' { "#26221c" } else { "#fffdf7" };
                    let _ = write!(
                        out,
                        "<circle cx=\"{}\" cy=\"{}\" r=\"9\" fill=\"{fill}\" stroke=\"#26221c\" stroke-width=\"1.5\"/>",
                        round(x + w / 2.0),
                        round(y + h / 2.0)
                    );
                }
                _ => {
                    let _ = write!(
                        out,
                        "<text x=\"{}\" y=\"{}\" font-size=\"16\" fill=\"{INK}\" text-anchor=\"middle\" {MONO}>{}</text>",
                        round(x + w / 2.0),
                        round(y + h * 0.5 + 6.0),
                        in_xml(&sign.to_string())
                    );
                }
            }
            x += w;
        }
        width = width.max(x);
        y += h;
    }
    (width + MARGIN, y - top)
}
