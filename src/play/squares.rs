//! Boards in text: squares, hexagons, strokes between places, and what is drawn in the rulebook.

use std::collections::BTreeSet;

use super::aspect::Aspect;
use super::board::{Artist, unseen};
use super::entries::wrapped;
use super::part::{Part, named};
use super::tableau::BETWEEN;
use crate::model::{Cells, DomainId, DomainKind, Field, Look, Shape};

/// What stands for an empty place.
pub(super) const EMPTY: &str = "·";
/// What stands where something holds that may hold or not.
const HOLDS: &str = "■";

/// A board of rows and columns.
#[derive(Clone, Debug)]
pub struct Squares {
    /// What it is called.
    pub name: String,
    /// From the left.
    pub columns: Vec<String>,
    /// From the top: the label and the places; `None` where no place is.
    pub rows: Vec<(String, Vec<Option<Spot>>)>,
    /// Who sits at which edge, and how it is turned.
    pub(super) aspect: Aspect,
    /// Whether each row stands half a place further right than the one above it.
    pub slanted: bool,
    /// Where lines are broken.
    pub(super) room: usize,
}

/// A place of a board.
#[derive(Clone, Debug)]
pub struct Spot {
    /// Its number among the places of what is shown.
    pub at: usize,
    /// What lies there, as it is marked; empty: nothing.
    pub what: String,
}

impl Artist<'_> {
    /// A picture of what lies where, if the index is one board: the first coordinate goes right, the second one up.
    pub(super) fn board(
        &self,
        name: &str,
        index: &[DomainId],
        (first, places): (usize, &[String]),
        aspect: &Aspect,
    ) -> Option<Part> {
        let (axes, shape) = self.space(index)?;
        let cells = match shape {
            Shape::Cells(cells) => Some(&**cells),
            Shape::Grid | Shape::Hexes => None,
            _ => return None,
        };
        let slanted = match cells.map(|it| &it.look) {
            None => matches!(shape, Shape::Hexes),
            Some(Look::Squares) => false,
            Some(Look::Hexagons) => true,
            Some(Look::Drawn(lines)) => {
                return Some(Part::Drawing(drawn(
                    name, lines, cells?, places, self.width,
                )));
            }
            Some(Look::Edges(dots)) => {
                return self.strokes(name, *dots, cells?, places).map(Part::Drawing);
            }
        };
        let [across, up] = axes else {
            return None;
        };
        let at = |column: u64, row: u64| -> Option<Spot> {
            let number = match cells {
                Some(cells) => cells.at.iter().position(|it| *it == [column, row])?,
                None => usize::try_from(column * across.stride + row * up.stride).ok()?,
            };
            let what = places.get(number)?;
            let what = if what == "true" { HOLDS } else { what }.to_owned();
            let at = first + number;
            Some(Spot { at, what })
        };
        let rows = (0..up.size).rev().map(|row| {
            let places = (0..across.size).map(|column| at(column, row));
            (self.axis_label(up, row), places.collect())
        });
        let board = Squares {
            name: name.to_owned(),
            columns: self.labels(across),
            rows: rows.collect(),
            aspect: aspect.clone(),
            slanted,
            room: self.width,
        };
        Some(Part::Squares(board.turned()))
    }

    /// What lies in the places of a map of which the picture has been drawn already; none of other places.
    pub(super) fn on_map(
        &self,
        name: &str,
        index: &[DomainId],
        places: &[String],
        mapped: &mut BTreeSet<DomainId>,
    ) -> Option<String> {
        let (_, Shape::Cells(cells)) = self.space(index)? else {
            return None;
        };
        let is_map = matches!(cells.look, Look::Drawn(_)) && has_words(cells);
        if !is_map || index.iter().all(|space| mapped.insert(*space)) {
            return None;
        }
        let named = cells.names.iter().zip(places);
        let named = named.filter(|(_, what)| !what.is_empty());
        let named: Vec<String> = named.map(|(at, what)| format!("{at} {what}")).collect();
        Some(wrapped(&format!("{name}  "), &named, BETWEEN, self.width))
    }

    /// The axes and the shape of the space that is the whole index.
    fn space(&self, index: &[DomainId]) -> Option<(&[Field], &Shape)> {
        let [only] = index else { return None };
        match &self.game.domains.get(only.index())?.kind {
            DomainKind::Space { axes, shape } => Some((axes, shape)),
            _ => None,
        }
    }

    /// A picture of places, or a picture for each that has a board of its own.
    pub(super) fn pictures(
        &self,
        name: &str,
        index: &[DomainId],
        places: &[String],
        aspect: &Aspect,
    ) -> Option<Vec<Part>> {
        if let Some(board) = self.board(name, index, (0, places), aspect) {
            return Some(vec![board]);
        }
        let (own, of) = index.split_last()?;
        let own = std::slice::from_ref(own);
        let each = self.n_places(own).max(1);
        let boards = places.chunks(each).enumerate();
        let boards = boards.map(|(at, places)| {
            let whose = self.index_name(of, at).replace(", ", " ");
            let name = format!("{name} {whose}");
            match unseen(places).filter(|_| aspect.zone.is_none()) {
                Some(hidden) => Some(named(&name, format!("{name}  {hidden}\n"))),
                None => self.board(&name, own, (at * each, places), aspect),
            }
        });
        boards.collect()
    }

    fn labels(&self, axis: &Field) -> Vec<String> {
        (0..axis.size).map(|at| self.axis_label(axis, at)).collect()
    }

    /// Strokes between the places of a grid.
    fn strokes(
        &self,
        name: &str,
        dots: DomainId,
        edges: &Cells,
        values: &[String],
    ) -> Option<String> {
        let DomainKind::Space {
            axes,
            shape: Shape::Grid,
        } = &self.game.domains.get(dots.index())?.kind
        else {
            return None;
        };
        let [across, up] = axes.as_slice() else {
            return None;
        };
        let between = |one: (u64, u64), other: (u64, u64)| -> &str {
            let ends = [one, other].map(|(x, y)| x * across.stride + y * up.stride);
            let ends = [ends[0].min(ends[1]), ends[0].max(ends[1])];
            let edge = edges.at.iter().position(|it| *it == ends);
            let value = edge.and_then(|it| values.get(it));
            match value.map_or("", String::as_str) {
                "false" => "",
                value => value,
            }
        };
        let long = |it: &String| it.chars().count();
        let width = values.iter().filter(|it| *it != "true" && *it != "false");
        let width = width.map(long).max().unwrap_or(0).max(3);
        let rows: Vec<String> = self.labels(up);
        let margin = rows.iter().map(long).max().unwrap_or(0);
        let mut text = format!("{name}\n");
        for row in (0..up.size).rev() {
            let label = usize::try_from(row).ok().and_then(|it| rows.get(it));
            text.push_str(&format!("  {:>margin$} ", label.map_or("", String::as_str)));
            for column in 0..across.size {
                text.push('+');
                if column + 1 < across.size {
                    match between((column, row), (column + 1, row)) {
                        "true" => text.push_str(&"-".repeat(width)),
                        value => text.push_str(&format!("{value:^width$}")),
                    }
                }
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
            if row == 0 {
                continue;
            }
            let mut line = format!("  {:>margin$} ", "");
            for column in 0..across.size {
                let value = match between((column, row - 1), (column, row)) {
                    "true" => "|",
                    value => value,
                };
                line.push_str(&format!("{value:<fill$}", fill = width + 1));
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        let mut line = format!("  {:>margin$} ", "");
        for label in self.labels(across) {
            line.push_str(&format!("{label:<fill$}", fill = width + 1));
        }
        text.push_str(line.trim_end());
        text.push('\n');
        Some(text)
    }
}

/// Rows and columns with their labels, the topmost row first.
pub(super) fn squared(name: &str, columns: &[String], rows: &[(String, Vec<&str>)]) -> Part {
    let spot = |what: &&str| {
        let what = (*what).to_owned();
        Some(Spot { at: 0, what })
    };
    let rows = rows.iter().map(|(label, places)| {
        let places = places.iter().map(spot);
        (label.clone(), places.collect())
    });
    Part::Squares(Squares {
        name: name.to_owned(),
        columns: columns.to_vec(),
        rows: rows.collect(),
        aspect: Aspect::default(),
        slanted: false,
        room: usize::MAX,
    })
}

impl Squares {
    /// The board as somebody at one of its sides sees it; hexagons stand on their heads or not at all.
    fn turned(mut self) -> Self {
        let turns = self.aspect.turns;
        if turns % 2 == 1 && !self.slanted {
            let rows = std::mem::take(&mut self.columns);
            let (labels, old): (Vec<String>, Vec<Vec<Option<Spot>>>) =
                std::mem::take(&mut self.rows).into_iter().unzip();
            // The right edge comes down.
            let row = |at: usize| {
                old.iter()
                    .rev()
                    .map(move |it| it.get(at).cloned().flatten())
            };
            let turned = rows.into_iter().enumerate();
            self.rows = turned
                .map(|(at, label)| (label, row(at).collect()))
                .collect();
            self.columns = labels.into_iter().rev().collect();
        }
        if turns == 2 || turns == 3 && !self.slanted {
            self.columns.reverse();
            self.rows.reverse();
            self.rows.iter_mut().for_each(|(_, it)| it.reverse());
        }
        self
    }

    /// Writes rows and columns with their labels, and at the edges who sits there; a point stands for nothing. Rows that are longer
    /// than a line stand in equal parts below each other.
    pub(super) fn written(&self) -> String {
        let long = |text: &str| text.chars().count();
        let [top, right, bottom, left] = &self.aspect.edges;
        let places = self
            .rows
            .iter()
            .flat_map(|(_, places)| places.iter().flatten());
        let labels = self.columns.iter().map(String::as_str);
        let labels = labels.map(|it| long(it) + self.aspect.behind);
        let places = places.map(|it| long(&it.what));
        let mut width = places.chain(labels).max().unwrap_or(0).max(1);
        if self.slanted {
            width |= 1;
        }
        let half = width.div_ceil(2);
        let indent = |row: usize| {
            if self.slanted {
                " ".repeat(row * half)
            } else {
                String::new()
            }
        };
        let margin = self
            .rows
            .iter()
            .map(|(label, _)| long(label))
            .max()
            .unwrap_or(0);
        let beside = long(left) + if left.is_empty() { 0 } else { 2 };
        let middle = self.rows.len() / 2;
        let n = self.columns.len();
        let fitting = self.room.saturating_sub(2 + beside + margin + 1) / (width + 1);
        let parts = match self.slanted {
            true => 1,
            false => n.div_ceil(fitting.max(1)).max(1),
        };
        let each = n.div_ceil(parts).max(1);
        let mut text = format!("{}\n", self.name);
        if !top.is_empty() {
            text.push_str(&format!("  {:beside$}{:>margin$}  {top}\n", "", ""));
        }
        for from in (0..n.max(1)).step_by(each) {
            for (number, (label, places)) in self.rows.iter().enumerate() {
                let who = if number == middle { left } else { "" };
                let mut line = format!("  {who:beside$}{}{label:>margin$} ", indent(number));
                for place in places.iter().skip(from).take(each) {
                    let place = match place.as_ref().map(|it| it.what.as_str()) {
                        Some("") => EMPTY,
                        Some(place) => place,
                        None => "",
                    };
                    line.push_str(&format!(" {place:>width$}"));
                }
                if number == middle && !right.is_empty() {
                    line.push_str(&format!("  {right}"));
                }
                text.push_str(line.trim_end());
                text.push('\n');
            }
            let below = indent(self.rows.len().saturating_sub(1));
            let mut line = format!("  {:beside$}{below}{:>margin$} ", "", "");
            let behind = self.aspect.behind;
            for column in self.columns.iter().skip(from).take(each) {
                let column = format!("{column}{:behind$}", "");
                line.push_str(&format!(" {column:>width$}"));
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        if !bottom.is_empty() {
            let below = indent(self.rows.len().saturating_sub(1));
            text.push_str(&format!(
                "  {:beside$}{below}{:>margin$}  {bottom}\n",
                "", ""
            ));
        }
        text
    }
}

/// Letters of a name that is no more than the sign of a place, so that what lies there may stand for it.
const SIGN: usize = 3;

/// Whether places are called by words, which somebody looks for.
fn has_words(cells: &Cells) -> bool {
    cells.names.iter().any(|it| it.chars().count() > SIGN)
}

/// A drawing in which what lies at a place stands for its name; where there is no room for that, or places are called by
/// words, the names stay, and below the drawing stands what lies there.
fn drawn(name: &str, lines: &[String], cells: &Cells, places: &[String], width: usize) -> String {
    let mut grid: Vec<Vec<char>> = lines.iter().map(|it| it.chars().collect()).collect();
    let mut beside = Vec::new();
    let has_words = has_words(cells);
    for ((at, called), place) in cells.at.iter().zip(&cells.names).zip(places) {
        let (Some(line), Some(column)) = (at.first(), at.get(1)) else {
            continue;
        };
        let Some(line) = usize::try_from(*line).ok().and_then(|it| grid.get_mut(it)) else {
            continue;
        };
        if place.is_empty() {
            continue;
        }
        let column = usize::try_from(*column).unwrap_or(0);
        let end = column + called.chars().count();
        // A line goes on up to what lies there.
        let behind = line
            .get(end)
            .copied()
            .filter(|it| *it == '-')
            .unwrap_or(' ');
        let free = line
            .iter()
            .skip(end)
            .take_while(|it| matches!(it, '-' | ' '));
        let room = end + free.count().saturating_sub(1);
        let room = if end >= line.len() { usize::MAX } else { room };
        let letters: Vec<char> = place.chars().collect();
        if has_words || letters.len() > room - column {
            beside.push(format!("{called} {place}"));
            continue;
        }
        for offset in 0..letters.len().max(end - column) {
            let letter = letters.get(offset).copied().unwrap_or(behind);
            match line.get_mut(column + offset) {
                Some(slot) => *slot = letter,
                None => line.push(letter),
            }
        }
    }
    let mut text = format!("{name}\n");
    for line in grid {
        let line: String = line.into_iter().collect();
        text.push_str(&format!("  {}\n", line.trim_end()));
    }
    text.push_str(&wrapped("  ", &beside, BETWEEN, width));
    text
}
