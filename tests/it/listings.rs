//! What `adit dump` lists: short games as lowered and as written, so that a change of the code is seen.

use std::path::Path;

use crate::command::{adit, keep};

#[test]
fn short_games_are_listed() {
    keep(
        "dump",
        "connect_four",
        "dump tests/fixtures/games/connect_four.rules",
    );
    keep("dump", "nim", "dump tests/fixtures/games/nim.rules");
    keep(
        "dump",
        "nim_as_written",
        "dump tests/fixtures/games/nim.rules --as-written",
    );
    keep(
        "dump",
        "no_game",
        "dump tests/fixtures/games/no_such_game.rules",
    );
}

#[test]
fn programs_read_the_same() {
    let ran = adit("--json dump tests/fixtures/games/nim.rules");
    let listed: Vec<serde_json::Value> = serde_json::from_str(&ran.out).unwrap();
    let plain = adit("dump tests/fixtures/games/nim.rules").out;
    let listed = listed.iter().map(|it| it["operands"].as_str().unwrap());
    let lines = plain.lines().filter(|it| !it.starts_with("tests/"));
    for (one, other) in listed.clone().zip(lines.clone()) {
        assert!(other.ends_with(one), "{one} is not in {other}");
    }
    assert_eq!(listed.count(), lines.count());
}

#[test]
fn lines_are_told_what_they_cost() {
    keep(
        "dump",
        "profile",
        "profile tests/fixtures/games/nim.rules --choices 100",
    );
}

#[test]
fn all_operations_belong_to_a_line() {
    for game in ["tic_tac_toe", "connect_four", "tunnels"] {
        let ran = adit(&format!("--json profile {game} --choices 40 --lines 1000"));
        let told: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let lines = told["lines"].as_array().unwrap();
        let sum = |of: &str| lines.iter().map(|it| it[of].as_f64().unwrap()).sum::<f64>();
        assert!(
            (sum("ops") - told["ops"].as_f64().unwrap()).abs() < 1e-6,
            "{told}"
        );
        assert!((sum("share") - 1.0).abs() < 1e-6, "{told}");
        for line in lines {
            let text = std::fs::read_to_string(line["file"].as_str().unwrap()).unwrap();
            let at = usize::try_from(line["line"].as_u64().unwrap()).unwrap();
            assert_eq!(text.lines().nth(at - 1).unwrap().trim(), line["text"]);
        }
    }
}

/// Every cell of these rows is filled, but the rules do not say so where they ask for the side of a man.
fn full_rows(cond: &str) -> String {
    format!(
        r#"game full "Full rows" {{ seats anna, bert }}
space Cell: grid(column: 1..8, row: 1..8)
component Man {{ side: seat }}
zone board[Cell]: one Man open
zone box: bag of Man open
supply 31 every Man in box
define rows: set of Cell = {{ q in Cell where q.row <= 6 }}
action flip(q in rows) "{{q}}" {{
    require near: some {{ t in rows where {cond} and distance(t, q) <= 2 }}
    do {{ move board[q] to box  move Man(me) from box to board[q] }}
}}
flow main() {{
    for each q in rows {{ move Man(if q.row > 3 then anna else bert) from box to board[q] }}
    repeat 9 {{ turns me from anna once {{ choose me: flip otherwise {{ end over }} }} }}
    end over
}}
ending over() {{ winner none }}
"#
    )
}

#[test]
fn a_dear_wording_is_told_with_a_cheaper_one() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("full_rows.rules");
    let profile = |cond: &str| -> serde_json::Value {
        std::fs::write(&path, full_rows(cond)).unwrap();
        let ran = adit(&format!("--json profile {} --choices 18", path.display()));
        serde_json::from_str(&ran.out).unwrap()
    };
    let hints = |told: &serde_json::Value| {
        let lines = told["lines"].as_array().unwrap().iter();
        let hints =
            lines.filter_map(|it| Some((it["line"].as_u64()?, it["hint"].as_str()?.to_owned())));
        hints.collect::<Vec<_>>()
    };
    let dear = profile("board[t].side == me");
    let said = "asked of one after the other, because `board[t].side` stops the game where nothing lies; \
                with `filled board[t] and` before it, of all at once";
    assert_eq!(hints(&dear), [(9, said.to_owned())]);
    let cheap = profile("filled board[t] and board[t].side == me");
    assert_eq!(hints(&cheap), []);
    let ops = |told: &serde_json::Value| told["ops"].as_f64().unwrap();
    assert!(ops(&cheap) * 10.0 < ops(&dear), "{dear} {cheap}");
}

#[test]
fn shipped_games_have_no_dear_wordings() {
    for game in [
        "amazons",
        "breakthrough",
        "draughts",
        "othello",
        "whist",
        "tunnels",
    ] {
        let ran = adit(&format!("--json profile {game} --choices 40 --lines 1000"));
        assert!(!ran.out.contains("\"hint\""), "{game}: {}", ran.out);
    }
}
