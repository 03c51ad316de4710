//! Legal moves in few lines: what differs in one word is told together.

use adit::engine::Phrase;
use adit::model::Base;
use adit::play::groups::Groups;

/// What stands in braces is a value.
fn phrases(text: &str) -> Vec<Phrase> {
    let parts = text.split(['{', '}']).enumerate();
    let parts = parts.filter(|(_, it)| !it.is_empty());
    let phrase = |(at, text): (usize, &str)| Phrase {
        text: text.to_owned(),
        of: (at % 2 == 1).then_some(Base::Bool),
    };
    parts.map(phrase).collect()
}

fn lines(moves: &[String], width: usize, most: Option<usize>) -> Vec<String> {
    let moves: Vec<Vec<Phrase>> = moves.iter().map(|it| phrases(it)).collect();
    let all: Vec<usize> = (0..moves.len()).collect();
    Groups::among(&moves, &all).lines(width, most)
}

fn each(template: &str, values: &[&str]) -> Vec<String> {
    let filled = values.iter().map(|it| template.replacen('_', it, 1));
    filled.collect()
}

#[test]
fn what_differs_in_one_word_is_one_line() {
    let mut moves = each("swap {J} with {_}", &["a7", "b7"]);
    moves.extend(each("swap {Q} with {_}", &["a7", "b7"]));
    moves.extend(each("match {Q} with {_}", &["a7"]));
    assert_eq!(
        lines(&moves, 80, None),
        ["swap J Q with a7 b7 · match Q with a7"]
    );
}

#[test]
fn words_in_one_place_are_parted() {
    let moves = each("sell two {_} for a point", &["grain", "wood"]);
    let told = "sell two grain, wood for a point";
    assert_eq!(lines(&moves, 80, None), [told]);
    let moves = each("lay {_} down", &["Plan/Tunnel", "Q♠"]);
    assert_eq!(lines(&moves, 80, None), ["lay Plan/Tunnel, Q♠ down"]);
}

#[test]
fn not_each_goes_with_each() {
    let mut moves = each("go {a} {_}", &["1", "2"]);
    moves.extend(each("go {b} {_}", &["2", "3"]));
    assert_eq!(lines(&moves, 80, None), ["go a 1 2 · go b 2 3"]);
    let mut moves = each("carry the load {a} {_}", &["1", "2"]);
    moves.extend(each("carry the load {b} {_}", &["2", "3"]));
    let told = ["carry the load a b 1 2 3  (4 of 6)"];
    assert_eq!(lines(&moves, 40, Some(1)), told);
}

#[test]
fn some_of_a_number_of_things() {
    let mut moves = Vec::new();
    for (one, other) in [("a", "b"), ("a", "c"), ("b", "c")] {
        moves.push(format!("pass {{{one}}} {{{other}}} on"));
    }
    assert_eq!(lines(&moves, 80, None), ["pass 2 of a b c on"]);
    moves.pop();
    assert_eq!(lines(&moves, 80, None), ["pass a b c on"]);
}

#[test]
fn any_number_of_things() {
    let rolls = ["1", "2", "1 1", "1 2", "1 1 2"];
    let roll = |it: &&str| format!("roll {{{}}} again", it.replace(' ', "} {"));
    let mut moves: Vec<String> = rolls.iter().map(roll).collect();
    moves.push("keep them all".to_owned());
    let told = "roll 1..3 of 1 1 2 again · keep them all";
    assert_eq!(lines(&moves, 80, None), [told]);
    moves.remove(3);
    let told = "roll 1 again · roll 2 again · roll 1 1 again · roll 1 1 2 again · keep them all";
    assert_eq!(lines(&moves, 90, None), [told]);
}

#[test]
fn names_that_end_in_a_bracket() {
    let moves = each("take {_}", &["Stall(1, 1)", "Stall(2, 1)"]);
    assert_eq!(lines(&moves, 80, None), ["take Stall(1, 1), Stall(2, 1)"]);
}

#[test]
fn numbers_in_a_row_and_words_that_touch() {
    let bids: Vec<String> = (4..=40).map(|n| format!("bid {{{n}}}")).collect();
    assert_eq!(lines(&bids, 80, None), ["bid 4..40"]);
    let cells = [
        "a1", "a2", "a3", "a4", "b1", "b2", "b4", "c4", "c5", "c6", "c7", "c8",
    ];
    assert_eq!(
        lines(&each("{_}", &cells), 80, None),
        ["a1..a4 b1 b2 b4 c4..c8"]
    );
    let moves = each("{_}-{c3}", &["a1", "b2"]);
    assert_eq!(lines(&moves, 80, None), ["a1-c3 · b2-c3"]);
    let moves = each("{a1}-{_}", &["b2", "c3"]);
    assert_eq!(lines(&moves, 80, None), ["a1-b2 c3"]);
    let moves = each("play {_}", &["New I", "Media"]);
    assert_eq!(lines(&moves, 80, None), ["play New I, Media"]);
    let moves = each("look at {_}", &["no place", "space 2", "space 3", "all"]);
    assert_eq!(
        lines(&moves, 80, None),
        ["look at no place, space 2 3, all"]
    );
}

#[test]
fn what_things_share_stands_behind_them() {
    let told = |text: &str| {
        let things: Vec<&str> = text.split(", ").collect();
        lines(&each("take {_}", &things), 80, None).join("\n")
    };
    assert_eq!(
        told("road2 at -3,1, road3 at -3,1, field1 at 0,1, road4 at 0,1"),
        "take road2 road3 at -3,1, field1 road4 at 0,1"
    );
    assert_eq!(
        told("a1 of b, a2 of b, a3 of b, a4 of b"),
        "take a1..a4 of b"
    );
    assert_eq!(told("a1 of b, a2 of c"), "take a1 of b, a2 of c");
    assert_eq!(told("card 1, card 2"), "take card 1 2");
    assert_eq!(
        told("ace of spades, king of spades"),
        "take ace of spades, king of spades"
    );
}
