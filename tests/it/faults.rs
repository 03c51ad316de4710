//! A fault is told with its place: what ran, what was not there, in every command.

use std::fs;
use std::path::PathBuf;

use adit::cli::Exit;

use crate::command::{adit, adit_with};

fn file(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("faults");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

/// Runs a command over a file, which must fail, and returns what it says.
fn failure(line: &str) -> String {
    let ran = adit(&format!("--plain {line}"));
    assert_eq!(ran.exit, Exit::Failure, "{line}: {}{}", ran.out, ran.err);
    ran.err
}

const SHARES: &str = r#"game shares "Shares" { seats a, b }
track n: 0..9 = 0
show n as "n"
define share(s: seat): 0..9 = 5 / n
show share as "share"
action go() "go" { do { n += 1 } }
flow main() { turns me from a { choose me: go  if n > 8 { end over() } } }
ending over() { winner none }
"#;

#[test]
fn a_fault_while_a_position_is_drawn_has_its_place() {
    let path = file("shares.rules", SHARES);
    for command in ["legal", "show"] {
        let said = failure(&format!("{command} {}", path.display()));
        assert!(said.contains("F0807"), "{said}");
        assert!(said.contains("shares.rules:4:31"), "{said}");
    }
    let script = file("shares.txt", "# nothing is played\n");
    let said = failure(&format!("run {} {}", path.display(), script.display()));
    assert!(said.contains("shares.rules:4:31"), "{said}");
}

const CARDS: &str = r#"game cards "Cards" { seats a, b }
track n: 0..9 = 0
component Card { v: 1..3 }
show Card as "card {v}"
zone hand[seat]: bag of Card open
zone deck: pile of Card hidden
zone cell: one Card open
supply every Card in deck
action up() "up" { require few: n < 2 else "enough" do { n += 1 } }
action wait() "wait" { }
action take() "take" { do { move Card(2) from hand[me] to deck } }
action any() "any" { do { move Card(2) from hand to deck } }
action fill() "fill" { do { move top of deck to cell  move top of deck to cell } }
action empty_it() "empty it" { do { for each k in 0..3 { move top of deck to hand[me] } } }
flow main() {
  turns me from a {
    if n > 8 { end over() }
    choose me: up | wait | take | any | fill | empty_it
    choose me: up
  }
}
ending over() { winner none }
"#;

#[test]
fn a_fault_names_the_thing_and_where_it_is_not() {
    let path = file("cards.rules", CARDS);
    for (moves, code, lack, place) in [
        (
            "take",
            "F0804",
            "no `card 2` lies in `hand[a]`",
            "rules:11:29",
        ),
        (
            "any",
            "F0804",
            "no `card 2` lies in any `hand`",
            "rules:12:27",
        ),
        ("empty it", "F0804", "nothing lies in `deck`", "rules:14:58"),
        ("fill", "F0805", "in `cell`", "rules:13:55"),
        // The choice that cannot be made, and not the move before.
        (
            "up; up; wait",
            "F0802",
            "nothing can be chosen",
            "rules:19:5",
        ),
    ] {
        let said = failure(&format!("legal {} --moves \"{moves}\"", path.display()));
        for word in [code, lack, place] {
            assert!(said.contains(word), "{moves}: no {word}: {said}");
        }
    }
}

/// A fault in the line of a transcript has two places.
#[test]
fn a_fault_in_a_replay_shows_the_line_and_the_rule() {
    let path = file("replayed.rules", CARDS);
    let journal = path.with_extension("jsonl");
    let _ = fs::remove_file(&journal);
    let script = file("replayed.txt", "up\nup\n");
    let ran = adit(&format!(
        "run {} {} --emit",
        path.display(),
        script.display()
    ));
    let line = "{\"seat\":\"b\",\"move\":\"wait\"}\n";
    fs::write(&journal, format!("{}{line}", ran.out)).unwrap();
    let ran = adit(&format!("--plain replay {}", journal.display()));
    assert_eq!(ran.exit, Exit::No, "{}{}", ran.out, ran.err);
    for word in ["F0802", "replayed.rules:19:5", "replayed.jsonl:4"] {
        assert!(ran.err.contains(word), "{word}: {}", ran.err);
    }
}

/// What lies hidden is not named to people at the table.
#[test]
fn a_fault_at_the_table_names_nothing_hidden() {
    let told = |name: &str, text: &str| {
        let path = file(name, text);
        let line = format!(
            "--plain play {} --seats human,human --seed 1",
            path.display()
        );
        let ran = adit_with(&format!("{line} --journal /dev/null"), "take\n");
        format!("{}{}", ran.out, ran.err)
    };
    let closed = CARDS.replace("bag of Card open", "bag of Card seen by owner");
    let said = told("hidden.rules", &closed);
    assert!(said.contains("F0804") && !said.contains("card 2"), "{said}");
    let said = told("open.rules", CARDS);
    assert!(said.contains("no `card 2` lies in `hand[a]`"), "{said}");
}

/// What is asked at the end of a repetition stands far from where it begins.
#[test]
fn a_fault_in_a_condition_shows_the_condition() {
    let text = "game g \"G\" { seats a, b }
track t: 0..9 = 0
track u: 0..9 = 3
action go() \"go\" { do { t = (t + 1) mod 9 } }
flow main() {
    LOOP
    turns me from a { choose me: go otherwise { end over } }
}
ending over() { winner none }
";
    for (name, looped, place) in [
        (
            "until",
            "repeat {\n        t = (t + 1) mod 9\n    } until 9 / (u - t) > 90",
            "8:13",
        ),
        (
            "while",
            "while u < 5 and\n        9 / t > 1 { u = 1 }",
            "6:11",
        ),
        (
            "if",
            "if u == 3 {\n        if 9 / t > 1 { u = 1 }\n    }",
            "7:12",
        ),
        (
            "else_if",
            "if u == 4 { u = 1 }\n    else if 9 / t > 1 { u = 2 }",
            "7:13",
        ),
        (
            "body",
            "repeat {\n        u = 9 / t\n    } until u == 9",
            "7:9",
        ),
    ] {
        let path = file(&format!("{name}.rules"), &text.replace("LOOP", looped));
        let said = failure(&format!("legal {}", path.display()));
        let wanted = format!("{name}.rules:{place}: error[F0807]");
        assert!(said.contains(&wanted), "{wanted}: {said}");
    }
}

#[test]
fn a_game_that_is_left_shows_where() {
    let text = "game g \"G\" { seats a, b }
track t: 0..9 = 0
action go() \"go\" { do { t += 1 } }
flow main() {
    turns me from a {
        choose me: go
        if t == 1 { return }
    }
    end over
}
ending over() { winner none }
";
    let path = file("left.rules", text);
    let said = failure(&format!(
        "play {} --seats random,first --seed 1",
        path.display()
    ));
    assert!(said.contains("left.rules:7:21: error[F0812]"), "{said}");
}

const JUDGED: &str = r#"game judged "Judged" { seats a, b }
track points[seat]: 0..3 = 0
action up() "up" { do { points[me] += 1 } }
action stop() "stop" { do { end over } }
flow main() { turns me from a { choose me: up where points[me] < 3 | stop } }
ending over() {
    if points[a] > points[b] { winner a }
    for each s in seat where points[s] == 3 { winner s }
}
"#;

#[test]
fn an_ending_that_comes_to_its_end_without_a_result_is_a_fault() {
    let path = file("judged.rules", JUDGED);
    let said = failure(&format!("legal {} --moves stop", path.display()));
    assert!(said.contains("F0810"), "{said}");
    assert!(said.contains("judged.rules:6:1"), "{said}");
    let ran = adit(&format!("--plain legal {} --moves up;stop", path.display()));
    assert!(ran.out.contains("a wins"), "{}{}", ran.out, ran.err);
}

const HOPS: &str = r#"game hops "Hops" { seats a, b }
space Cell: grid(x: 1..3, y: 1..3)
component Pawn { }
zone board[Cell]: one Pawn open
supply every Pawn in board[Cell(1, 1)]
define at: Cell = first({ c in Cell where filled board[c] })
define nexts(c: Cell): set of Cell = { q in orthogonal(c) where c.x + q.x < 6 }
define hops: set of Cell = { q for d in straight, q in nexts(step(at, d)) where some step(at, d) }
action go(to_ in hops) "{to_}" { do { move board[at] to board[to_] } }
flow main() { turns me from a { choose me: go  if at == Cell(3, 3) { end over() } } }
ending over() { winner none }
"#;

#[test]
fn a_fault_in_a_definition_has_its_place_there() {
    let path = file("hops.rules", HOPS);
    let said = failure(&format!("legal {}", path.display()));
    assert!(said.contains("F0806"), "{said}");
    assert!(said.contains("hops.rules:8:"), "{said}");
    let said = adit(&format!("legal {}", path.display())).err;
    assert!(said.contains("while this was worked out"), "{said}");
    assert!(said.contains("while this ran"), "{said}");
}

const LINES: &str = r#"game lines "Lines" { seats a, b }
space Dot: drawn """
    p--q
    |  |
    r--s
"""
space Line: edges(Dot)
track last: Line or none = none
action go(l: Line) "{l}" { require beside: last.one == l.one else "too far off" do { last = l } }
flow main() { turns me from a { choose me: go otherwise { end over } } }
ending over() { winner none }
"#;

#[test]
fn an_end_of_no_line_is_an_absent_value() {
    let path = file("lines.rules", LINES);
    let said = failure(&format!("legal {}", path.display()));
    assert!(said.contains("F0806"), "{said}");
    assert!(said.contains("lines.rules:9:"), "{said}");
}
