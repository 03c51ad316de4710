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
