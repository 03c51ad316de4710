//! A drawn table in parts, so that a front end can lay them beside one another.

use crate::model::{DomainKind, Game, Shape, ShownWhat};

/// A part of a drawn table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: Kind,
    /// What it is called; empty where it has no name of its own.
    pub name: String,
    /// Its lines.
    pub lines: Vec<String>,
}

/// What a part of a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A picture of places, which is as wide as it is.
    Board,
    /// What belongs to a seat.
    Seat(u32),
    /// Lists and values.
    Words,
    /// What is printed on things.
    Printed,
}

/// Takes a drawn table apart: what belongs to a part stands further right than its first line, and a row of places has
/// its numbers above it.
#[must_use]
pub fn parts(game: &Game, text: &str) -> Vec<Block> {
    let lines: Vec<&str> = text.lines().collect();
    let rows = row_labels(game);
    let is_row = |line: Option<&&str>| {
        line.is_some_and(|line| {
            let named = |it: &&str| line.strip_prefix(*it).is_some_and(|it| it.starts_with(' '));
            rows.iter().any(|it| named(&it.as_str()))
        })
    };
    let is_inner = |line: &str| line.starts_with(' ');
    let mut blocks: Vec<Block> = Vec::new();
    let mut in_rows = false;
    for (at, line) in lines.iter().enumerate() {
        let is_head = is_inner(line) && is_row(lines.get(at + 1));
        let goes_on = match in_rows {
            true => is_head || is_row(Some(line)),
            false => is_inner(line) && !is_head,
        };
        if goes_on && let Some(last) = blocks.last_mut() {
            last.lines.push((*line).to_owned());
            continue;
        }
        in_rows = is_head;
        let has_inner = lines.get(at + 1).is_some_and(|it| is_inner(it));
        let (kind, name) = match is_head {
            true => (Kind::Words, first_word(lines.get(at + 1))),
            false => kind_of(game, line, has_inner),
        };
        let lines = vec![(*line).to_owned()];
        blocks.push(Block { kind, name, lines });
    }
    blocks
}

/// What a part is that begins with a line.
fn kind_of(game: &Game, line: &str, has_inner: bool) -> (Kind, String) {
    let seat = (0..game.n_seats).find(|it| super::seat_name(game, *it, false) == line);
    let is_table = |it: &&crate::model::Shown| matches!(it.what, ShownWhat::Table(_));
    let mut tables = game.shown.iter().filter(is_table);
    match seat {
        Some(seat) => (Kind::Seat(seat), line.to_owned()),
        None if tables.any(|it| it.label == line) => (Kind::Printed, line.to_owned()),
        None if has_inner && !line.contains("  ") => (Kind::Board, line.to_owned()),
        None => (Kind::Words, first_word(Some(&line))),
    }
}

fn first_word(line: Option<&&str>) -> String {
    let word = line.and_then(|it| it.split_whitespace().next());
    word.unwrap_or("").to_owned()
}

/// The names of what lies over places in a row.
fn row_labels(game: &Game) -> Vec<String> {
    let in_row = |what: ShownWhat| {
        let index = match what {
            ShownWhat::Zone(id) => game.zones.get(id.index()).map(|it| &it.index),
            ShownWhat::Track(id) => game.tracks.get(id.index()).map(|it| &it.index),
            ShownWhat::Define(_) | ShownWhat::Table(_) => None,
        };
        let Some([space]) = index.map(Vec::as_slice) else {
            return false;
        };
        let space = game.domains.get(space.index());
        space.is_some_and(|it| {
            let shape = match &it.kind {
                DomainKind::Space { shape, .. } => Some(shape),
                _ => None,
            };
            matches!(shape, Some(Shape::Line | Shape::Ring))
        })
    };
    let shown = game.shown.iter().filter(|it| !it.label.is_empty());
    let rows = shown.filter(|it| in_row(it.what));
    rows.map(|it| it.label.clone()).collect()
}
