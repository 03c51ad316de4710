//! What `adit dump` lists: short games as lowered and as written, so that a change of the code is seen.

use crate::command::adit;

fn snapshot(name: &str, command: &str) {
    let ran = adit(command);
    let text = format!("$ adit {command}\n{}{}[{:?}]\n", ran.out, ran.err, ran.exit);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/dump");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn short_games_are_listed() {
    snapshot(
        "connect_four",
        "dump tests/fixtures/games/connect_four.rules",
    );
    snapshot("nim", "dump tests/fixtures/games/nim.rules");
    snapshot(
        "nim_as_written",
        "dump tests/fixtures/games/nim.rules --as-written",
    );
    snapshot("no_game", "dump tests/fixtures/games/no_such_game.rules");
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
