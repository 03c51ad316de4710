//! Rows of tables, written in columns so that a row can be compared with the thing it speaks of.

use super::flat::{self, joined};
use super::{INDENT, Printer, WIDTH};
use crate::source::Span;
use crate::syntax::ast::Row;

impl Printer<'_> {
    /// Writes the rows between braces: on one line if they stood so and fit, otherwise in columns.
    pub(super) fn rows(&mut self, span: Span, rows: &[Row]) {
        let text = format!("{{ {} }}", joined(rows, "  ", flat::row));
        if rows.is_empty() && !self.has_comments(span) {
            self.out.push_str("{ }");
        } else if self.is_one_line(span) && self.fits(&text) {
            self.out.push_str(&text);
        } else {
            let room = WIDTH.saturating_sub((self.indent + 1) * INDENT);
            let lines: Vec<(Span, String)> = rows
                .iter()
                .map(|row| row.span)
                .zip(in_columns(rows, room))
                .collect();
            self.braces(span, &lines, |printer, (span, line)| {
                printer.begin_whole(&[], *span);
                printer.out.push_str(line);
                printer.end(*span);
            });
        }
    }
}

/// Aligns the keys, and the cells too where each row has as many; what does not fit stays as it is.
fn in_columns(rows: &[Row], room: usize) -> Vec<String> {
    let split: Vec<Vec<String>> = rows.iter().map(pieces).collect();
    let alike = split
        .iter()
        .all(|row| Some(row.len()) == split.first().map(Vec::len));
    let n_columns = if alike { usize::MAX } else { 1 };
    let mut widths: Vec<usize> = Vec::new();
    for row in &split {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, piece) in widths.iter_mut().zip(row) {
            *width = (*width).max(piece.chars().count());
        }
    }
    let aligned: Vec<String> = split
        .iter()
        .map(|row| {
            let mut line = String::new();
            for (column, piece) in row.iter().enumerate() {
                line.push_str(piece);
                if column + 1 < row.len() {
                    let width = widths.get(column).filter(|_| column < n_columns);
                    let padding = width.copied().unwrap_or(0);
                    let blanks = padding.saturating_sub(piece.chars().count()) + 1;
                    line.extend(std::iter::repeat_n(' ', blanks));
                }
            }
            line
        })
        .collect();
    if aligned.iter().all(|line| line.chars().count() <= room) {
        aligned
    } else {
        rows.iter().map(flat::row).collect()
    }
}

/// The keys with their colon, the cells with their commas, the last one with the tail.
fn pieces(row: &Row) -> Vec<String> {
    let mut pieces = vec![format!("{}:", flat::row_keys(row))];
    let last = row.cells.len().saturating_sub(1);
    for (at, cell) in row.cells.iter().enumerate() {
        let end = if at == last {
            flat::tail(&row.tail)
        } else {
            String::from(",")
        };
        pieces.push(format!("{}{end}", flat::cell(cell)));
    }
    pieces
}
