//! `adit watch`: what is told of a rulebook, and told again when a file of it changes.

use std::fs;
use std::path::PathBuf;

use adit::cli::Exit;

use crate::command::{adit, adit_stopped};

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("watched")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn one_look_tells_what_four_commands_tell() {
    let ran = adit(
        "watch tests/fixtures/tried/heap.rules --with tests/fixtures/tried/no_three.rules --once --games 20",
    );
    for line in [
        "check\n",
        "lint\n",
        "rulings\n",
        "try tests/fixtures/tried/no_three.rules\n",
    ] {
        ran.says(ran.exit, line);
    }
    assert!(!ran.out.contains("try tests/fixtures/tried/heap.rules"));
    // A house rule stands for its game, and is tried itself.
    let alone = adit("watch tests/fixtures/tried/no_three.rules --once --games 20");
    let tried = |out: &str| out.split_once("\ntry ").map(|it| it.1.to_owned());
    assert_eq!(tried(&alone.out), tried(&ran.out));
    assert!(tried(&alone.out).is_some_and(|it| it.contains("20 games")));
    let none = adit("watch tests/fixtures/tried/no_three.rules --once --games 0");
    none.says(Exit::Yes, "rulings\n");
    assert_eq!(tried(&none.out), None);
}

#[test]
fn what_has_errors_is_not_played() {
    let ran = adit("watch tests/fixtures/broken/unknown_name.rules --once");
    ran.says(Exit::No, "E0301");
    assert!(!ran.out.contains("rulings"), "{}", ran.out);
    adit("watch nowhere.rules --once").complains(Exit::Failure, "nowhere.rules");
}

#[test]
fn it_looks_once_while_nothing_changes_and_ends_when_asked() {
    let ran = adit_stopped(3, "watch tests/fixtures/tried/heap.rules --games 0");
    ran.says(Exit::Yes, "check\n");
    assert_eq!(ran.out.matches("check\n").count(), 1);
    assert_eq!(
        ran.err
            .matches("watching tests/fixtures/tried/heap.rules")
            .count(),
        1
    );
}

#[cfg(unix)]
#[test]
fn a_change_of_a_file_is_seen_and_ctrl_c_ends_it() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let game = folder("changed").join("heap.rules");
    let text = fs::read_to_string("tests/fixtures/tried/heap.rules").unwrap();
    fs::write(&game, &text).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_adit"))
        .args(["watch", "--plain", "--games", "0"])
        .arg(&game)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut notes = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut reaches = |words: &str| out.by_ref().any(|it| it.unwrap().contains(words));
    assert!(reaches("rulings"));
    // Only what is written after the first look ended is a change.
    assert!(notes.next().unwrap().unwrap().starts_with("watching"));
    fs::write(&game, format!("{text}\ndefine wrong: int = nobody\n")).unwrap();
    assert!(reaches("nothing is called `nobody`"));
    assert!(notes.next().unwrap().unwrap().starts_with("watching"));
    // A part that comes into being belongs to it.
    fs::write(&game, &text).unwrap();
    assert!(reaches("rulings"));
    assert!(notes.next().unwrap().unwrap().starts_with("watching"));
    let part = game.with_file_name("heap.more.rules");
    fs::write(
        &part,
        "part \"More\" of heap\ndefine more: int = nobody_else\n",
    )
    .unwrap();
    assert!(reaches("nobody_else"));
    fs::remove_file(&part).unwrap();
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    assert!(child.wait().unwrap().success());
}
