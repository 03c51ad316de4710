//! Rows of places that stand in one line.

use super::board::Artist;
use super::squares::EMPTY;
use super::tableau::cells;
use crate::engine::{View, Viewer};
use crate::model::{DomainId, DomainKind, Game, Shape, Shown, ShownWhat, Visibility};

/// The coordinate of places that stand in one row.
pub(super) fn line_of<'g>(game: &'g Game, index: &[DomainId]) -> Option<&'g crate::model::Field> {
    let [only] = index else { return None };
    match &game.domains.get(only.index())?.kind {
        DomainKind::Space {
            axes,
            shape: Shape::Line | Shape::Ring,
        } => axes.first(),
        _ => None,
    }
}

/// Whether nobody sees what lies there but who was shown it.
fn is_secret(game: &Game, view: &View, shown: &Shown) -> bool {
    let ShownWhat::Zone(id) = shown.what else {
        return false;
    };
    let zone = game.zones.get(id.index());
    view.viewer != Viewer::Referee && zone.is_some_and(|it| it.visibility == Visibility::Hidden)
}

/// Rows over the same places.
#[derive(Clone, Debug)]
pub struct Strip {
    /// The label and what lies there; the first one is the head.
    pub rows: Vec<(String, Vec<String>)>,
    /// How many places stand in one line.
    pub each: usize,
}

/// Rows over the same places, broken where the line is full. Rows of one name are one row.
pub(super) fn strip(
    artist: &Artist<'_>,
    view: &View,
    index: &[DomainId],
    rows: &[&Shown],
) -> Option<Strip> {
    let axis = line_of(artist.game, index)?;
    let n = artist.n_places(index);
    let head = (0..n)
        .map(|at| artist.axis_label(axis, at as u64))
        .collect();
    let mut lines: Vec<(String, Vec<String>)> = vec![(String::new(), head)];
    for row in rows {
        let mut cells = cells(artist, view, row);
        // What a seat was only shown lies there face down all the same.
        if is_secret(artist.game, view, row) {
            let known = cells.iter_mut().filter(|it| !it.is_empty() && *it != "?");
            known.for_each(|it| *it = format!("({it})"));
        }
        match lines.iter_mut().find(|(label, _)| *label == row.label) {
            Some((_, line)) => {
                for (mine, cell) in line.iter_mut().zip(cells) {
                    mine.push_str(&cell);
                }
            }
            None => lines.push((row.label.clone(), cells)),
        }
    }
    let (margin, width) = widths(&lines);
    let fitting = (artist.width.saturating_sub(margin + 2) / (width + 1)).max(1);
    // Equal parts look better than a full line and a rest.
    let parts = n.div_ceil(fitting).max(1);
    let each = n.div_ceil(parts).max(1);
    Some(Strip { rows: lines, each })
}

fn widths(rows: &[(String, Vec<String>)]) -> (usize, usize) {
    let long = |text: &String| text.chars().count();
    let margin = rows.iter().map(|(label, _)| long(label)).max();
    let cells = rows.iter().flat_map(|(_, cells)| cells);
    let width = cells.map(long).max().unwrap_or(0).max(1);
    (margin.unwrap_or(0), width)
}

impl Strip {
    /// What the first row is called.
    pub(super) fn name(&self) -> &str {
        self.rows.get(1).map_or("", |(label, _)| label)
    }

    pub(super) fn written(&self) -> String {
        let (margin, width) = widths(&self.rows);
        let n = self.rows.first().map_or(0, |(_, head)| head.len());
        let mut text = String::new();
        for from in (0..n).step_by(self.each) {
            for (label, cells) in &self.rows {
                text.push_str(&format!("{label:<margin$} "));
                for cell in cells.iter().skip(from).take(self.each) {
                    let cell = if cell.is_empty() { EMPTY } else { cell };
                    text.push_str(&format!(" {cell:>width$}"));
                }
                text.push('\n');
            }
        }
        text
    }
}
