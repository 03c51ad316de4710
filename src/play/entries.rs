//! Lists of entries as text, in lines of a width.

use super::board::FEW;
use crate::model::text::Form;

/// So many copies of a thing in words: beside the face of a die, a number would read as another face.
pub(super) fn counted(name: String, count: usize, form: Form) -> Vec<String> {
    let is_number = name.starts_with(|it: char| it.is_ascii_digit());
    match (count, is_number) {
        (1, _) => vec![name],
        (_, false) => vec![format!("{count} {name}")],
        (2..=FEW, true) => vec![name; count],
        (_, true) => vec![format!(
            "{count} {} {name}",
            if form.is_plain() { "x" } else { "×" }
        )],
    }
}

/// Whether names need commas between them: without them nobody could tell where a name ends.
pub(super) fn has_words(names: &[String]) -> bool {
    names
        .iter()
        .any(|it| it.contains(' ') || it.chars().filter(|it| it.is_alphabetic()).count() > 2)
}

/// The words of texts; how many there are of something stays with it.
pub(super) fn split_words(texts: &[String]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let is_number = |it: &String| it.chars().all(|it| it.is_ascii_digit()) && !it.is_empty();
    for word in texts.iter().flat_map(|it| it.split(' ')) {
        match words.last_mut().filter(|it| is_number(it)) {
            Some(number) if word.starts_with(char::is_alphabetic) => {
                number.push(' ');
                number.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

/// Writes entries behind a title, broken into lines that stay below it; only an entry that is longer than
/// a line is broken itself.
pub fn wrapped(title: &str, words: &[String], between: &str, limit: usize) -> String {
    if words.is_empty() {
        return String::new();
    }
    let indent = title.chars().count();
    let long = |text: &str| text.chars().count();
    let pieces = words.iter().enumerate().flat_map(|(at, word)| {
        let fits = indent + long(word) <= limit;
        // Names in a list stay whole.
        let named: Vec<&str> = word.split_inclusive(", ").map(str::trim_end).collect();
        let pieces: Vec<&str> = if fits {
            vec![word]
        } else if named.iter().all(|it| indent + long(it) <= limit) {
            named
        } else {
            word.split(' ').collect()
        };
        let first = if at > 0 { between } else { "" };
        let between = std::iter::once(first).chain(std::iter::repeat(" "));
        between.zip(pieces).collect::<Vec<_>>()
    });
    let mut text = title.to_owned();
    let mut column = indent;
    for (between, piece) in pieces {
        if column > indent && column + 2 * long(between) + long(piece) > limit {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            column = indent;
        } else if column > indent {
            text.push_str(between);
            column += long(between);
        }
        text.push_str(piece);
        column += long(piece);
    }
    text.push('\n');
    text
}
