//! Texts and pictures in so many columns of a terminal.

use std::borrow::Cow;

use adit::cli::columns::{STYLE, clipped, folded};
use adit::play::part::beside;

#[test]
fn lines_are_broken_at_words_and_go_on_below_their_second_column() {
    let text = "  why MOVE   why a move is legal\nshort\n\nno_blank_in_all_of_this";
    assert_eq!(
        folded(text, 27),
        "  why MOVE   why a move is\n             legal\nshort\n\nno_blank_in_all_of_this"
    );
    assert!(
        folded(text, 19).starts_with("  why MOVE   why a\n    move is legal\n"),
        "{}",
        folded(text, 19)
    );
    assert!(matches!(folded(text, 80), Cow::Borrowed(_)));
}

#[test]
fn what_is_cut_off_ends_behind_a_word() {
    let text = "lay orange on Analysis III";
    assert_eq!(clipped(text, 26), text);
    assert_eq!(clipped(text, 25), "lay orange on Analysis …");
    assert_eq!(clipped(text, 24), "lay orange on Analysis …");
    assert_eq!(clipped(text, 23), "lay orange on …");
    assert_eq!(clipped("lay Analysis_III", 12), "lay Analysi…");
    assert_eq!(clipped("字字 字字", 7), "字字 …");
    assert_eq!(clipped("pay the ♠♠♠♠", 11), "pay the …");
    let painted = clipped(&format!("{STYLE}[1mone two three{STYLE}[0m"), 9);
    assert_eq!(painted, format!("{STYLE}[1mone two{STYLE}[0m …"));
}

#[test]
fn colours_and_wide_letters_are_counted_as_they_are_seen() {
    let text = format!("{STYLE}[1mone two{STYLE}[0m three");
    assert_eq!(
        folded(&text, 8),
        format!("{STYLE}[1mone two{STYLE}[0m\n  three")
    );
    assert_eq!(folded("字字 字字", 5), "字字\n  字字");
}

#[test]
fn what_has_room_stands_side_by_side() {
    let picture = |text: &str| text.split('/').map(str::to_owned).collect::<Vec<_>>();
    let all = || vec![picture("one/· ·"), picture("other/·"), picture("last/·/·")];
    let told = |columns| beside(all(), columns, |it| it.chars().count()).join("/");
    assert_eq!(
        told(18),
        "one   other   last/· ·   ·       ·/              ·"
    );
    assert_eq!(told(17), "one   other/· ·   ·/last/·/·");
    assert_eq!(told(10), "one/· ·/other/·/last/·/·");
}
