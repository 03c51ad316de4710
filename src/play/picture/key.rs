//! What the signs of a landscape in a terminal mean.

use std::collections::{BTreeMap, BTreeSet};

use unicode_width::UnicodeWidthStr;

use super::palette::paint_of;
use super::raster::Look;
use super::{Form, Piece, Scene};
use crate::model::Brush;

/// Says what the signs mean.
pub(super) fn legend(scene: &Scene<'_>, look: Look, width: usize) -> String {
    let mut words: Vec<(String, usize)> = Vec::new();
    let mut known = BTreeSet::new();
    for layer in &scene.layers {
        if !known.insert(layer.title.as_str()) {
            continue;
        }
        let sign = match (layer.brush, look) {
            (Brush::Line, Look::Plain) => "-",
            (Brush::Line, _) => "═",
            (_, Look::Plain) => layer.plain.as_str(),
            _ => layer.sign.as_str(),
        };
        let paint = paint_of(layer.colour);
        let shown = match (look, layer.brush) {
            (Look::Colour, Brush::Ground | Brush::Area | Brush::Line) => {
                format!("\u{1b}[48;5;{}m  \u{1b}[0m", paint.ansi)
            }
            (Look::Colour, _) => format!(
                "\u{1b}[38;5;{};48;5;{}m{sign}\u{1b}[0m",
                paint.ansi_ink, paint.ansi
            ),
            _ => sign.to_owned(),
        };
        let blocks = look == Look::Colour
            && matches!(layer.brush, Brush::Ground | Brush::Area | Brush::Line);
        let wide = layer.title.width() + if blocks { 3 } else { 2 };
        words.push((format!("{shown} {}", layer.title), wide));
    }
    let mut pieces = BTreeMap::new();
    for piece in scene.pieces.iter().filter(|it| it.form != Form::Number) {
        pieces.insert((&piece.name, &piece.sign), piece);
    }
    for piece in pieces.values() {
        let paint = paint_of(piece.colour);
        let shown = match look {
            Look::Colour => format!(
                "\u{1b}[1;38;5;{};48;5;{}m{}\u{1b}[0m",
                paint.ansi_ink,
                paint.ansi,
                sign_of_piece(piece, look)
            ),
            Look::Signs | Look::Plain => sign_of_piece(piece, look),
        };
        let wide = piece.name.width() + piece.sign.width() + 1;
        words.push((format!("{shown} {}", piece.name), wide));
    }
    let mut text = String::new();
    let mut column = 0;
    for (word, wide) in words {
        if column > 0 && column + 3 + wide > width {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push_str("   ");
            column += 3;
        }
        text.push_str(&word);
        column += wide;
    }
    text.push('\n');
    text
}

/// The sign of a piece: a digit stands in a ring, for plain ones are the numbers of moves.
pub(super) fn sign_of_piece(piece: &Piece, look: Look) -> String {
    let digit = piece.sign.parse::<u32>().ok();
    let ring = digit
        .filter(|it| (1..=9).contains(it) && look != Look::Plain && piece.form != Form::Number);
    let ring = ring.and_then(|it| char::from_u32('①' as u32 + it - 1));
    ring.map_or_else(|| piece.sign.clone(), String::from)
}
