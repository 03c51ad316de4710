//! Boards that are drawn: names of places, joined by lines of `-`, `|`, `/` and `\`.

use std::ops::Range;

use crate::limits::MOST_DRAWN;
use crate::syntax::is_reserved;

/// A drawing that was read.
pub(super) struct Drawing {
    /// The places, from the top left.
    pub(super) names: Vec<String>,
    /// Where the name of each begins: line and column.
    pub(super) spots: Vec<[u64; 2]>,
    /// By place and direction (n, ne, e, se, s, sw, w, nw) the place that a line leads to.
    pub(super) next: Vec<[Option<u32>; 8]>,
    /// Its lines, without what all of them are indented by.
    pub(super) lines: Vec<String>,
}

/// What is wrong with a drawing, and where in its text.
#[derive(Debug)]
pub(super) struct Wrong {
    pub(super) at: Range<usize>,
    pub(super) message: String,
    pub(super) help: String,
}

/// A name in a drawing.
struct Spot {
    line: usize,
    columns: Range<usize>,
}

/// The strokes, with the direction in which each leads and the steps of line and column.
const STROKES: [(char, usize, isize, isize); 4] = [
    ('-', 2, 0, 1),
    ('|', 4, 1, 0),
    ('\\', 3, 1, 1),
    ('/', 5, 1, -1),
];

impl Drawing {
    /// Reads what stands between the quotes.
    pub(super) fn read(text: &str) -> Result<Drawing, Wrong> {
        let wrong = |at: Range<usize>, message: String, help: &str| Wrong {
            at,
            message,
            help: help.to_owned(),
        };
        let mut lines: Vec<(usize, Vec<char>)> = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            lines.push((at, line.trim_end().chars().collect()));
            at += line.len();
        }
        let whole = 0..text.len();
        if lines.len() > MOST_DRAWN || lines.iter().any(|(_, it)| it.len() > MOST_DRAWN) {
            let help = "leave out some of the strokes between the places";
            return Err(wrong(
                whole,
                format!("a drawing has at most {MOST_DRAWN} lines, of as many characters"),
                help,
            ));
        }
        let (mut names, mut spots): (Vec<String>, Vec<Spot>) = (Vec::new(), Vec::new());
        for (number, (start, line)) in lines.iter().enumerate() {
            let mut column = 0;
            while let Some(letter) = line.get(column) {
                if !is_part(*letter) {
                    if !letter.is_whitespace() && !STROKES.iter().any(|it| it.0 == *letter) {
                        let at = start + bytes(line, column);
                        let message = format!("`{letter}` is neither a name nor a line");
                        let help =
                            "names are letters, digits and `_`; lines are `-`, `|`, `/` and `\\`";
                        return Err(wrong(at..at + letter.len_utf8(), message, help));
                    }
                    column += 1;
                    continue;
                }
                let end =
                    (column..line.len()).find(|at| line.get(*at).is_none_or(|it| !is_part(*it)));
                let end = end.unwrap_or(line.len());
                let name: String = line.get(column..end).unwrap_or_default().iter().collect();
                let place = start + bytes(line, column);
                let span = place..place + name.len();
                if !name.starts_with(|it: char| it.is_ascii_alphabetic()) {
                    let message = format!("`{name}` is no name");
                    return Err(wrong(span, message, "a name begins with a letter"));
                }
                if is_reserved(&name) {
                    let message =
                        format!("`{name}` is a word of the language and cannot be a name");
                    return Err(wrong(span, message, "give the place another name"));
                }
                if names.contains(&name) {
                    let message = format!("two places are called `{name}`");
                    return Err(wrong(span, message, "give each place a name of its own"));
                }
                names.push(name);
                spots.push(Spot {
                    line: number,
                    columns: column..end,
                });
                column = end;
            }
        }
        if names.is_empty() {
            return Err(wrong(
                whole,
                "nothing is drawn here".to_owned(),
                "write the names of the places, and lines between them",
            ));
        }
        let grid: Vec<Vec<char>> = lines.iter().map(|(_, line)| line.clone()).collect();
        let mut next = vec![[None; 8]; names.len()];
        let mut used = vec![Vec::new(); grid.len()];
        for (from, spot) in spots.iter().enumerate() {
            for (stroke, way, down, right) in STROKES {
                let Some((to, path)) = follow(&grid, &spots, spot, stroke, (down, right)) else {
                    continue;
                };
                for (line, column) in path {
                    if let Some(list) = used.get_mut(line) {
                        list.push(column);
                    }
                }
                let (there, back) = (way, (way + 4) % 8);
                for (a, b, way) in [(from, to, there), (to, from, back)] {
                    if let Some(slot) = next.get_mut(a).and_then(|it| it.get_mut(way)) {
                        *slot = u32::try_from(b).ok();
                    }
                }
            }
        }
        for (number, (_, line)) in lines.iter().enumerate() {
            for (column, letter) in line.iter().enumerate() {
                let stroke = STROKES.iter().any(|it| it.0 == *letter);
                if stroke && used.get(number).is_none_or(|it| !it.contains(&column)) {
                    let end = loose_end(&grid, &spots, (number, column));
                    let Some((start, line)) = lines.get(end.0) else {
                        continue;
                    };
                    let at = start + bytes(line, end.1);
                    let help = "a line begins and ends beside a name, without a gap: `a1---b1`";
                    return Err(wrong(
                        at..at + 1,
                        "this line leads from no place to another".to_owned(),
                        help,
                    ));
                }
            }
        }
        let indent = spots.iter().map(|it| it.columns.start).min().unwrap_or(0);
        let drawn = spots.iter().map(|it| it.line).min().unwrap_or(0)
            ..spots.iter().map(|it| it.line + 1).max().unwrap_or(0);
        let first = drawn.start;
        let lines = grid.get(drawn).unwrap_or_default().iter();
        let lines = lines.map(|line| line.iter().skip(indent).collect());
        let spots = spots
            .iter()
            .map(|it| [(it.line - first) as u64, (it.columns.start - indent) as u64]);
        Ok(Drawing {
            names,
            spots: spots.collect(),
            next,
            lines: lines.collect(),
        })
    }
}

/// Where a line breaks off that leads nowhere: at its end beside which no name stands, if it has one.
fn loose_end(grid: &[Vec<char>], spots: &[Spot], at: (usize, usize)) -> (usize, usize) {
    let letter = |(line, column): (usize, usize)| grid.get(line)?.get(column).copied();
    let stroke = STROKES.iter().find(|it| Some(it.0) == letter(at));
    let Some((sign, _, down, right)) = stroke else {
        return at;
    };
    let step = |(line, column): (usize, usize), down: isize, right: isize| {
        Some((
            line.checked_add_signed(down)?,
            column.checked_add_signed(right)?,
        ))
    };
    let end = |down: isize, right: isize| {
        let next = |from: &(usize, usize)| {
            step(*from, down, right).filter(|it| letter(*it) == Some(*sign))
        };
        std::iter::successors(Some(at), next).last().unwrap_or(at)
    };
    let is_loose = |end: (usize, usize), down: isize, right: isize| {
        let beside = if down != 0 && right != 0 {
            -1..=1
        } else {
            0..=0
        };
        !beside.into_iter().any(|off| {
            step(end, down, right + off).is_some_and(|(line, column)| {
                let mut spots = spots.iter().filter(|it| it.line == line);
                spots.any(|it| it.columns.contains(&column))
            })
        })
    };
    let (first, last) = (end(-down, -right), end(*down, *right));
    if is_loose(first, -down, -right) {
        first
    } else if is_loose(last, *down, *right) {
        last
    } else {
        at
    }
}

/// Follows a line of one kind of stroke from a name to the next one.
fn follow(
    grid: &[Vec<char>],
    spots: &[Spot],
    from: &Spot,
    stroke: char,
    (down, right): (isize, isize),
) -> Option<(usize, Vec<(usize, usize)>)> {
    let at = |line: usize, column: usize| grid.get(line)?.get(column).copied();
    let step = |line: usize, column: usize| {
        Some((
            line.checked_add_signed(down)?,
            column.checked_add_signed(right)?,
        ))
    };
    // A line leaves beside the name, or from any of its letters; slanted ones also from its corners.
    let starts: Vec<(usize, usize)> = match (down, right) {
        (0, _) => vec![(from.line, from.columns.end)],
        (_, 0) => from.columns.clone().map(|it| (from.line + 1, it)).collect(),
        _ => {
            let (start, end) = (from.columns.start, from.columns.end);
            let corners: Vec<usize> = match right > 0 {
                true => (start..end + 2).rev().collect(),
                false => (start.saturating_sub(2)..end).collect(),
            };
            corners.into_iter().map(|it| (from.line + 1, it)).collect()
        }
    };
    let (mut line, mut column) = starts
        .into_iter()
        .find(|(line, column)| at(*line, *column) == Some(stroke))?;
    let mut path = Vec::new();
    while at(line, column) == Some(stroke) {
        path.push((line, column));
        (line, column) = step(line, column)?;
    }
    // Where a slanted line ends, the name may stand a letter further left or right.
    let ends: &[isize] = if down != 0 && right != 0 {
        &[0, -1, 1]
    } else {
        &[0]
    };
    let to = ends.iter().find_map(|off| {
        let column = column.checked_add_signed(*off)?;
        spots
            .iter()
            .position(|it| it.line == line && it.columns.contains(&column))
    })?;
    Some((to, path))
}

fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn bytes(line: &[char], column: usize) -> usize {
    line.iter().take(column).map(|it| it.len_utf8()).sum()
}
