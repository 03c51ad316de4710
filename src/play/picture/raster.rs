//! A landscape in a terminal.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

pub use super::frame::Frame;
use super::frame::{self, Cut, Paper};
use super::key::{legend, sign_of_piece};
use super::palette::paint_of;
use super::shape::Point;
use super::{Form, Laid, Scene, Spot};
use crate::model::{Brush, Colour};

/// How a landscape is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Blocks of colour.
    Colour,
    /// Signs and lines, without colour.
    Signs,
    /// ASCII only.
    Plain,
}

/// Columns and rows of a component, from the largest size to the smallest.
const BLOCKS: [(usize, usize); 3] = [(10, 5), (8, 4), (6, 3)];
const SIGNS: [(usize, usize); 2] = [(9, 5), (7, 3)];
/// Where all of a wide landscape is drawn at once in colours, smaller ones follow.
const SMALL: [(usize, usize); 3] = [(5, 3), (4, 2), (2, 1)];
/// Half of the width of a line in blocks of colour: so that it is two of them wide.
const HALF_WIDTH: f64 = 0.09;
/// How far from its place a number rather stands than right beside another sign, with which it would be read as one.
const APART: usize = 3;

/// A landscape as text.
#[derive(Clone, Debug)]
pub struct Written {
    /// The text.
    pub text: String,
    /// The rows and columns for which there was no room.
    pub left_out: Option<String>,
    /// Around what it is drawn, where there was none.
    pub middle: Option<Spot>,
}

/// Writes a landscape, no wider than so many columns; in a frame no higher either.
#[must_use]
pub fn write(scene: &Scene<'_>, look: Look, width: usize, frame: Option<&Frame>) -> Written {
    let ys = scene.tiles.keys().chain(&scene.free).map(|spot| spot.1);
    let margin = ys.map(|y| y.to_string().len()).max().unwrap_or(1);
    let mut sizes: Vec<(usize, usize)> = match look {
        Look::Colour => BLOCKS.to_vec(),
        Look::Signs | Look::Plain => SIGNS.to_vec(),
    };
    let tight = match (frame, look) {
        (Some(_), Look::Colour) => &SMALL[..2],
        _ => &[],
    };
    if frame.is_none() && look == Look::Colour {
        sizes.extend(SMALL);
    }
    let legend = legend(scene, look, width);
    // A title, the numbers of the columns, and what lies aside with its title and the names of the ways.
    let beside = |h: usize| 2 + legend.lines().count() + scene.aside.len() * (h + 2);
    let paper = Paper {
        width,
        margin,
        beside: &beside,
        tight,
    };
    let Cut {
        xs,
        ys,
        size,
        left_out,
        middle,
    } = frame::cut(scene, &sizes, &paper, frame);
    let (w, h) = size;
    let mut text = format!("{}  {}\n", scene.name, scene.spots);
    for y in ys.iter().rev() {
        // Where nothing lies in a row, one line is enough.
        let laid = scene.tiles.keys().any(|spot| spot.1 == *y);
        let h = if laid { h } else { 1 };
        let mut rows = vec![String::new(); h];
        for x in &xs {
            let spot = (*x, *y);
            let cells = match scene.tiles.get(&spot) {
                Some(laid) => {
                    let mut grid = Grid::new(scene, laid, look, w, h);
                    grid.odd = (x + y).rem_euclid(2) == 1;
                    grid.add_pieces(scene, spot);
                    grid.lines()
                }
                None => empty(&sign_of(scene, spot, look), w, h),
            };
            for (row, cells) in rows.iter_mut().zip(cells) {
                row.push_str(&cells);
            }
        }
        for (at, row) in rows.iter().enumerate() {
            let label = if at == h / 2 {
                y.to_string()
            } else {
                String::new()
            };
            let line = format!("{label:>margin$}  {row}");
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    let labels: String = xs
        .iter()
        .map(|x| format!("{:^w$}", x.to_string()))
        .collect();
    let _ = writeln!(text, "{:margin$}  {}", "", labels.trim_end());
    let largest = sizes.first().copied().filter(|_| frame.is_none());
    let (w, h) = largest.unwrap_or(size);
    for aside in &scene.aside {
        let name = aside
            .ways
            .first()
            .map_or("", |(_, laid)| laid.name.as_str());
        let _ = writeln!(text, "{}: {name}", aside.zone);
        let mut rows = vec![String::new(); h];
        let mut labels = String::new();
        for (way, laid) in &aside.ways {
            let cells = Grid::new(scene, laid, look, w, h).lines();
            for (row, cells) in rows.iter_mut().zip(cells) {
                let _ = write!(row, "  {cells}");
            }
            let _ = write!(labels, "  {way:^w$}");
        }
        for row in rows.iter().chain([&labels]) {
            let line = format!("{:margin$}{row}", "");
            if !line.trim().is_empty() {
                let _ = writeln!(text, "{}", line.trim_end());
            }
        }
    }
    text.push_str(&legend);
    Written {
        text,
        left_out,
        middle,
    }
}

/// What stands in the middle of an empty spot: the number of a move that is made there, or a point where something may come
/// to lie.
fn sign_of(scene: &Scene<'_>, spot: Spot, look: Look) -> String {
    let dot = match look {
        Look::Plain => ".",
        Look::Colour | Look::Signs => "·",
    };
    match scene.numbers.get(&spot) {
        Some(number) => number.to_string(),
        None if scene.free.contains(&spot) => dot.to_owned(),
        None => String::new(),
    }
}

/// An empty spot with a sign in its middle.
fn empty(sign: &str, w: usize, h: usize) -> Vec<String> {
    let row = |at: usize| {
        let sign = if at == h / 2 { sign } else { "" };
        format!("{sign:^w$}")
    };
    (0..h).map(row).collect()
}

/// What one column and row shows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cell {
    /// A layer, by its sign.
    Layer(usize),
    /// A line that leads in these directions: north, east, south, west.
    Line(usize, [bool; 4]),
    /// The sign of a layer upon something.
    Mark(usize),
    /// A piece.
    Piece(char, Colour, Form),
    Nothing,
}

struct Grid<'s> {
    scene: &'s Scene<'s>,
    laid: &'s Laid,
    look: Look,
    w: usize,
    h: usize,
    cells: Vec<Cell>,
    /// Every other component is a shade darker, so that spots can be counted.
    odd: bool,
}

impl<'s> Grid<'s> {
    fn new(scene: &'s Scene<'_>, laid: &'s Laid, look: Look, w: usize, h: usize) -> Grid<'s> {
        let tile = &laid.tile;
        let centre = |cell: usize| Point {
            x: ((cell % w) as f64 + 0.5) / w as f64,
            y: ((cell / w) as f64 + 0.5) / h as f64,
        };
        // Lines are followed, not sampled, so that they hang together.
        let cells = (0..w * h).map(|cell| match tile.layer_at(centre(cell), -1.0) {
            Some(layer) => Cell::Layer(layer),
            None => Cell::Nothing,
        });
        let mut grid = Grid {
            scene,
            laid,
            look,
            w,
            h,
            cells: cells.collect(),
            odd: false,
        };
        if look != Look::Colour {
            grid.trace();
        }
        for mark in &tile.marks {
            let cell = grid.cell_at(mark.at);
            grid.put(cell, Cell::Mark(mark.layer));
        }
        grid
    }

    fn cell_at(&self, at: Point) -> usize {
        let column = ((at.x * self.w as f64) as usize).min(self.w.saturating_sub(1));
        let row = ((at.y * self.h as f64) as usize).min(self.h.saturating_sub(1));
        row * self.w + column
    }

    fn put(&mut self, at: usize, what: Cell) {
        if let Some(cell) = self.cells.get_mut(at) {
            *cell = what;
        }
    }

    /// Draws the lines along the cells that they cross.
    fn trace(&mut self) {
        let mut all: BTreeMap<usize, (usize, [bool; 4])> = BTreeMap::new();
        let mut through = BTreeSet::new();
        for line in &self.laid.tile.lines {
            let mut ways: BTreeMap<usize, [bool; 4]> = BTreeMap::new();
            let mut link = |cell: usize, way: usize| {
                let entry = ways.entry(cell).or_default();
                if let Some(it) = entry.get_mut(way) {
                    *it = true;
                }
            };
            let fine = 12 * self.w;
            let walk = (0..=fine).map(|at| line.path.at(at as f64 / fine as f64));
            let mut cells: Vec<usize> = walk.map(|at| self.cell_at(at)).collect();
            cells.dedup();
            if let Some(first) = cells.first() {
                link(*first, side_of(line.path.start));
            }
            if let (Some(last), Some(side)) = (cells.last(), edge_side(line.path.at(1.0))) {
                link(*last, side);
            }
            for (a, b) in cells.iter().zip(cells.iter().skip(1)) {
                // A step across a corner goes by way of one of the cells beside.
                let (ax, ay) = (a % self.w, a / self.w);
                let (bx, by) = (b % self.w, b / self.w);
                let between = ay * self.w + bx;
                if ax != bx {
                    let east = bx > ax;
                    link(*a, if east { 1 } else { 3 });
                    link(between, if east { 3 } else { 1 });
                }
                if ay != by {
                    let south = by > ay;
                    link(between, if south { 2 } else { 0 });
                    link(*b, if south { 0 } else { 2 });
                }
            }
            // Of two lines that only cross, one lies above; those that end inside may meet.
            let passes = edge_side(line.path.at(1.0)).is_some();
            for (cell, ways) in ways {
                let crosses = passes && through.contains(&cell);
                let entry = all.entry(cell).or_insert((line.layer, ways));
                if crosses {
                    *entry = (line.layer, ways);
                }
                for (old, new) in entry.1.iter_mut().zip(ways) {
                    *old |= new;
                }
                if passes {
                    through.insert(cell);
                }
            }
        }
        for (cell, (layer, ways)) in all {
            let covered = match self.cells.get(cell) {
                Some(Cell::Layer(at)) => self
                    .scene
                    .layers
                    .get(*at)
                    .is_some_and(|it| it.brush == Brush::Area),
                _ => false,
            };
            if !covered {
                self.put(cell, Cell::Line(layer, ways));
            }
        }
    }

    fn add_pieces(&mut self, scene: &Scene<'_>, spot: Spot) {
        let here = scene.pieces.iter().filter(|it| it.spot == spot);
        let mut used = BTreeSet::new();
        for piece in here {
            let (row, column) = (
                self.cell_at(piece.at) / self.w,
                self.cell_at(piece.at) % self.w,
            );
            let sign = match (piece.form, self.look) {
                (Form::Number, Look::Signs | Look::Plain) => format!("({})", piece.sign),
                _ => sign_of_piece(piece, self.look),
            };
            let length = sign.chars().count();
            let column = column.saturating_sub(length / 2);
            let is_free = |at: &usize| {
                let (row, column) = (at / self.w, at % self.w);
                let fits = column + length <= self.w;
                fits && (column..column + length).all(|at| !used.contains(&(row, at)))
            };
            // The nearest place where nothing else stands; rows are twice as high as columns.
            let far = |at: &usize| {
                let (own, from) = (at / self.w, at % self.w);
                let beside = [from.checked_sub(1), Some(from + length)];
                let mut beside = beside.into_iter().flatten();
                // In colours no parentheses keep them apart.
                let touches =
                    self.look == Look::Colour && beside.any(|it| used.contains(&(own, it)));
                let apart = if touches { APART } else { 0 };
                2 * own.abs_diff(row) + from.abs_diff(column) + apart
            };
            let Some(at) = (0..self.w * self.h).filter(is_free).min_by_key(far) else {
                continue;
            };
            let (row, column) = (at / self.w, at % self.w);
            for (offset, sign) in sign.chars().enumerate() {
                used.insert((row, column + offset));
                let cell = row * self.w + column + offset;
                self.put(cell, Cell::Piece(sign, piece.colour, piece.form));
            }
        }
    }

    fn lines(&self) -> Vec<String> {
        let row = |row: usize| {
            let cells = (0..self.w).map(|column| self.shown(row, column));
            let mut line: String = cells.collect();
            if self.look == Look::Colour {
                line.push_str("\u{1b}[0m");
            }
            line
        };
        (0..self.h).map(row).collect()
    }

    fn shown(&self, row: usize, column: usize) -> String {
        let cell = self.cells.get(row * self.w + column);
        let cell = cell.copied().unwrap_or(Cell::Nothing);
        match self.look {
            Look::Colour => self.block(row, column, cell),
            Look::Signs | Look::Plain => {
                let plain = self.look == Look::Plain;
                let sign = |layer: usize| {
                    let layer = self.scene.layers.get(layer);
                    let sign = layer.map_or("", |it| if plain { &it.plain } else { &it.sign });
                    sign.chars().next().unwrap_or(' ')
                };
                let shown = match cell {
                    Cell::Layer(layer) | Cell::Mark(layer) => sign(layer),
                    Cell::Line(_, ways) => line_sign(ways, plain),
                    Cell::Piece(sign, ..) => sign,
                    Cell::Nothing => ' ',
                };
                shown.to_string()
            }
        }
    }

    /// Two blocks of colour above each other, or a sign on the colour below it.
    fn block(&self, row: usize, column: usize, cell: Cell) -> String {
        let at = |half: usize| Point {
            x: (column as f64 + 0.5) / self.w as f64,
            y: ((row * 2 + half) as f64 + 0.5) / (self.h * 2) as f64,
        };
        let colour = |half: usize| {
            // Where blocks are large, a line is not to run between them.
            let half_a_block = 0.501 / self.w.min(2 * self.h) as f64;
            let layer = self
                .laid
                .tile
                .layer_at(at(half), HALF_WIDTH.max(half_a_block));
            let layer = layer.and_then(|it| self.scene.layers.get(it));
            let paint = layer.map_or(paint_of(Colour::Black), |it| paint_of(it.colour));
            match layer.map(|it| it.brush) {
                Some(Brush::Ground) if self.odd => paint.ansi_odd,
                _ => paint.ansi,
            }
        };
        match cell {
            Cell::Piece(sign, colour, form) => {
                let paint = paint_of(colour);
                let bold = if form == Form::Number { "" } else { "1;" };
                format!(
                    "\u{1b}[0;{bold}38;5;{};48;5;{}m{sign}",
                    paint.ansi_ink, paint.ansi
                )
            }
            Cell::Mark(layer) => {
                let layer = self.scene.layers.get(layer);
                let sign = layer.map_or("", |it| it.sign.as_str());
                let paint = paint_of(layer.map_or(Colour::Black, |it| it.colour));
                format!(
                    "\u{1b}[0;38;5;{};48;5;{}m{sign}",
                    paint.ansi_ink, paint.ansi
                )
            }
            Cell::Layer(_) | Cell::Line(..) | Cell::Nothing => {
                format!("\u{1b}[0;38;5;{};48;5;{}m▀", colour(0), colour(1))
            }
        }
    }
}

/// The side of the tile on which a line begins.
fn side_of(at: Point) -> usize {
    edge_side(at).unwrap_or(0)
}

fn edge_side(at: Point) -> Option<usize> {
    let near = |value: f64, edge: f64| (value - edge).abs() < 1e-6;
    match at {
        it if near(it.y, 0.0) => Some(0),
        it if near(it.x, 1.0) => Some(1),
        it if near(it.y, 1.0) => Some(2),
        it if near(it.x, 0.0) => Some(3),
        _ => None,
    }
}

fn line_sign(ways: [bool; 4], plain: bool) -> char {
    let index = ways
        .iter()
        .rev()
        .fold(0, |sum, way| sum * 2 + usize::from(*way));
    // By north 1, east 2, south 4, west 8.
    const BOX: &str = " ║═╚║║╔╠═╝═╩╗╣╦╬";
    const ASCII: &str = " |-+||++-+-+++++";
    let signs = if plain { ASCII } else { BOX };
    signs.chars().nth(index).unwrap_or(' ')
}
