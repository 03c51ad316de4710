//! How many columns of a terminal a text takes, and texts in no more than so many.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

pub use super::ui::STYLE;

/// The columns that a text takes, without its colours.
pub fn long(text: &str) -> usize {
    shown(text)
        .map(|(_, letter)| letter.width().unwrap_or(0))
        .sum()
}

/// The letters of a text that are seen, with their places.
fn shown(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut in_style = false;
    text.char_indices().filter(move |(_, letter)| {
        let starts = *letter == STYLE;
        let is_seen = !starts && !in_style;
        in_style = starts || in_style && *letter != 'm';
        is_seen
    })
}

/// A text in no more than so many columns. It ends behind a whole word where it can: the beginning of a name may be another name.
pub fn clipped(text: &str, columns: usize) -> String {
    if long(text) <= columns {
        return text.to_owned();
    }
    let within = |columns: usize| {
        let mut column = 0;
        let end = shown(text).find(|(_, letter)| {
            column += letter.width().unwrap_or(0);
            column > columns
        });
        end.map_or(text.len(), |(at, _)| at)
    };
    // The blank behind the last word may be the first letter that is left out.
    let last = within(columns.saturating_sub(2));
    let before = text.char_indices().take_while(|it| it.0 <= last);
    let blank = before.filter(|it| it.1 == ' ').last();
    let words = blank.and_then(|(at, _)| text.get(..at));
    let words = words.map(str::trim_end).filter(|it| 2 * long(it) > columns);
    let (cut, sign) = match words {
        Some(words) => (words, " …"),
        None => {
            let end = within(columns.saturating_sub(1));
            (text.get(..end).unwrap_or(""), "…")
        }
    };
    let reset = if cut.contains(STYLE) {
        format!("{STYLE}[0m")
    } else {
        String::new()
    };
    format!("{cut}{reset}{sign}")
}

/// A text whose lines are broken at words where they are longer than so many columns; what goes on stands below the
/// second column of its line, if there is one.
pub fn folded(text: &str, columns: usize) -> Cow<'_, str> {
    if text.lines().all(|line| long(line) <= columns) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<String> = text
        .split('\n')
        .map(|it| folded_line(it, columns))
        .collect();
    Cow::Owned(lines.join("\n"))
}

fn folded_line(line: &str, columns: usize) -> String {
    let mut rest = line;
    let indent = " ".repeat(hanging(line, columns));
    let mut lines: Vec<String> = Vec::new();
    loop {
        let before = if lines.is_empty() { "" } else { &indent };
        let room = columns.saturating_sub(before.len());
        let (now, then) = match long(rest) <= room {
            true => (rest, None),
            false => split(rest, room),
        };
        lines.push(format!("{before}{}", now.trim_end()));
        match then.map(str::trim_start).filter(|it| !it.is_empty()) {
            Some(then) => rest = then,
            None => return lines.join("\n"),
        }
    }
}

/// What of a text fits into so many columns, as far as to a blank, and the rest; all of it where no blank is early enough.
fn split(text: &str, room: usize) -> (&str, Option<&str>) {
    let first = text.len() - text.trim_start().len();
    let mut column = 0;
    let mut at_blank = None;
    for (at, letter) in shown(text) {
        if letter == ' ' && at >= first && column <= room {
            at_blank = Some(at);
        }
        column += letter.width().unwrap_or(0);
        if column > room && at_blank.is_some() {
            break;
        }
    }
    match at_blank.and_then(|at| text.split_at_checked(at)) {
        Some((now, then)) => (now, Some(then)),
        None => match text.get(first..).and_then(|it| it.find(' ')) {
            Some(at) => {
                let (now, then) = text.split_at(first + at);
                (now, Some(then))
            }
            None => (text, None),
        },
    }
}

/// Where the lines below the first begin.
fn hanging(line: &str, columns: usize) -> usize {
    let own = line.len() - line.trim_start().len();
    let words = line.trim_start();
    let second = words.find("  ").and_then(|gap| {
        let behind = words.get(gap..)?;
        Some(own + long(words.get(..gap)?) + behind.len() - behind.trim_start().len())
    });
    let fits = |it: &usize| *it * 2 <= columns;
    second
        .filter(fits)
        .or(Some(own + 2).filter(fits))
        .unwrap_or(0)
}
