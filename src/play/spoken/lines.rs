//! What lies in one row or column, and around a place.

use super::{Spoken, Thing, axis_of, place_called};
use crate::model::{Domain, DomainKind, Near, Shape, WAYS, near_of, step_on};
use crate::play::picture::spot_of;

impl Spoken<'_> {
    /// What lies in a row or column: `row 7`.
    pub(super) fn in_line(&self, line: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for thing in &self.things {
            lines.extend(self.in_line_of_plane(thing, line));
            for (axis, word) in ["column", "row"].into_iter().enumerate() {
                let Some(axis) = axis_of(self.game, &thing.index, axis) else {
                    continue;
                };
                let is_there = |at: &usize| {
                    let name = self.on_axis(axis, *at).to_lowercase();
                    let label = name.rsplit(' ').next().unwrap_or("");
                    name == line || line.strip_prefix(word).map(str::trim_start) == Some(label)
                };
                if !(0..thing.n_places).any(|at| is_there(&at)) {
                    continue;
                }
                let cells = thing.cells.iter().filter(|it| is_there(&it.place));
                let words: Vec<String> =
                    cells.map(|it| format!("{} {}", it.name, it.what)).collect();
                let words = match words.is_empty() {
                    true => String::from("nothing"),
                    false => words.join(", "),
                };
                lines.push(format!("{}, {line}: {words}", thing.name));
            }
        }
        lines
    }

    /// The same on a landscape, whose rows and columns have numbers: `row -1`.
    fn in_line_of_plane(&self, thing: &Thing, line: &str) -> Option<String> {
        let [space] = thing.index.as_slice() else {
            return None;
        };
        let DomainKind::Space {
            shape: Shape::Plane { span, .. },
            ..
        } = self.game.domains.get(space.index())?.kind
        else {
            return None;
        };
        let number = |word| line.strip_prefix(word)?.trim().parse::<i64>().ok();
        let (column, row) = (number("column"), number("row"));
        column.or(row)?;
        let cells = thing.cells.iter().filter(|it| {
            let (x, y) = spot_of(it.place, i64::from(span));
            column.is_none_or(|it| it == x) && row.is_none_or(|it| it == y)
        });
        let words: Vec<String> = cells.map(|it| format!("{} {}", it.name, it.what)).collect();
        let words = match words.is_empty() {
            true => String::from("nothing"),
            false => words.join(", "),
        };
        Some(format!("{}, {line}: {words}", thing.name))
    }

    /// What lies around a place.
    pub(super) fn near(&self, place: &str) -> Vec<String> {
        let mut lines = self.at_all(place);
        for thing in &self.things {
            let [space] = thing.index.as_slice() else {
                continue;
            };
            let space = self.game.domains.get(space.index());
            let at = place_called((self.game, self.form), thing, place);
            let Some((space, at)) = space.zip(at) else {
                continue;
            };
            let around = around(space, at);
            let cells = thing.cells.iter().filter(|it| around.contains(&it.place));
            let words: Vec<String> = cells.map(|it| format!("{} {}", it.name, it.what)).collect();
            if !words.is_empty() {
                lines.push(format!("near it, {}: {}", thing.name, words.join(", ")));
            }
        }
        lines
    }
}

/// The places around one.
fn around(space: &Domain, place: usize) -> Vec<usize> {
    if let DomainKind::Space { axes, shape } = &space.kind
        && let Shape::Plane { .. } = shape
    {
        let size: Vec<u64> = axes.iter().map(|it| it.size).collect();
        let steps = WAYS.iter().filter(|(x, y)| x * y == 0);
        let steps = steps.filter_map(|way| step_on(&size, shape, place as u64, *way));
        return steps.collect();
    }
    let near = near_of(space, Near::Around);
    near.and_then(|it| it.into_iter().nth(place))
        .unwrap_or_default()
}
