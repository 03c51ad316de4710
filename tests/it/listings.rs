//! What `adit dump` lists: short games as lowered and as written, so that a change of the code is seen.

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
