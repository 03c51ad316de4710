//! Places in texts, and characters in them that nobody sees.

use std::borrow::Cow;

use adit::source::hidden::{in_file, in_json, is_hidden, masked, on_one_line, visible};
use adit::source::{FileId, Sources, Span};

const HOSTILE: &str =
    "a\u{1b}[2J\u{7}\u{9b}1m\u{202e}b\u{2066}\u{e0041}\n\tc\r♠\u{fe0e} 👨\u{200d}👩";

#[test]
fn places_are_counted_from_one_in_characters() {
    let mut sources = Sources::new();
    let file = sources.add("a.rules", "♣x\ny\n");
    let source = sources.get(file).unwrap();
    let place = |offset| source.line_column(offset).to_string();
    assert_eq!(place(0), "1:1");
    assert_eq!(place(3), "1:2");
    assert_eq!(place(5), "2:1");
    assert_eq!(place(7), "3:1");
    assert_eq!(place(4_000), "3:1");
    assert_eq!(sources.place(Span::new(file, 5, 6)), "a.rules:2:1");
    assert_eq!(sources.slice(Span::new(file, 5, 6)), "y");
}

#[test]
fn spans_are_equal_wherever_they_are() {
    let (a, b) = (Span::new(FileId(0), 0, 1), Span::new(FileId(0), 5, 9));
    assert_eq!(a, b);
    assert!(!a.same_place(b));
    assert!(a.to(b).same_place(Span::new(FileId(0), 0, 9)));
}

#[test]
fn what_is_hidden_is_written_out() {
    assert_eq!(
        visible(HOSTILE),
        "a\\u{1b}[2J\\u{7}\\u{9b}1m\\u{202e}b\\u{2066}\\u{e0041}\n\tc\\u{d}♠\u{fe0e} 👨\u{200d}👩"
    );
    assert_eq!(on_one_line("a\nb\u{1b}"), "a\\nb\\u{1b}");
    assert!(matches!(visible("plain ♠ text\n"), Cow::Borrowed(_)));
}

#[test]
fn places_stay_where_signs_stand_for_what_is_hidden() {
    let masked = masked(HOSTILE);
    assert_eq!(masked.len(), HOSTILE.len());
    assert!(!masked.contains(is_hidden), "{masked:?}");
    assert_eq!(in_file("\u{feff}game\r\nx\ry").count(), 1);
}

#[test]
fn json_keeps_its_meaning() {
    let text = serde_json::to_string(HOSTILE).unwrap();
    let escaped = in_json(&text);
    assert!(!escaped.contains(is_hidden));
    assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), HOSTILE);
}
