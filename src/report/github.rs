//! Lines that GitHub Actions shows beside the code ("Workflow commands", its documentation).

use super::found::{Found, level, place, whole};
use crate::source::hidden;

/// Returns one line for each finding.
pub fn lines(all: &[Found<'_>]) -> String {
    let mut text = String::new();
    for it in all {
        let word = level(it.finding.severity, "notice");
        let span = it.finding.span();
        let place = span.and_then(|span| place(it.sources, span));
        let place = place.map_or(String::new(), |it| {
            format!(
                "file={},line={},col={},endLine={},endColumn={},",
                property(it.file),
                it.start.line,
                it.start.column,
                it.end.line,
                it.end.column
            )
        });
        let code = it.finding.code;
        let title = property(&format!("{} {}", code.id(), code.name()));
        let words = data(&hidden::on_one_line(&whole(it.finding)));
        text.push_str(&format!("::{word} {place}title={title}::{words}\n"));
    }
    text
}

fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
