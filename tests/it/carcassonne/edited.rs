//! A transcript with one move changed is refused at its line, with what was legal there.

use adit::model::text::Form;
use std::fs;
use std::path::PathBuf;

use adit::cli::Exit;
use adit::diagnostic::codes;
use adit::play::transcript::{Record, Transcript};
use adit::play::{Compare, replay, typed};

use super::rulebook::program;
use crate::command::adit;
use crate::fixtures::width;

/// Every so many moves is changed.
fn step() -> usize {
    width(37, 3, 1) as usize
}

fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

/// The lines of a game between bots.
fn played(name: &str) -> Vec<String> {
    let path = file(name);
    let ran = adit(&format!(
        "play carcassonne_tunnel --seats random,random --seed 5 --journal {}",
        path.display()
    ));
    assert_eq!(ran.exit, Exit::Yes, "{}", ran.err);
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn read(lines: &[String]) -> Transcript {
    Transcript::read(&(lines.join("\n") + "\n")).unwrap()
}

/// The move of a line, if it is one.
fn move_of(line: &str) -> Option<String> {
    match Record::read(line, 1) {
        Ok(Record::Choice(choice)) => choice.played,
        _ => None,
    }
}

fn line_of(lines: &[String], played: &str) -> usize {
    let found = lines
        .iter()
        .position(|it| move_of(it).as_deref() == Some(played));
    found.unwrap_or_else(|| panic!("nobody played {played}"))
}

fn with_move(line: &str, played: &str) -> String {
    let (before, _) = line.split_once(",\"move\"").unwrap();
    format!("{before},\"move\":\"{played}\"}}")
}

/// Replays the game with one line changed and keeps what is said.
fn refused(name: &str, lines: &[String], at: usize, line: String) -> String {
    let mut lines = lines.to_vec();
    lines[at] = line;
    let path = file(&format!("edited-{name}.jsonl"));
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    let ran = adit(&format!("--plain replay {}", path.display()));
    assert_eq!(ran.exit, Exit::No, "{name}: {}", ran.out);
    let said = ran.err.replace(&path.display().to_string(), "FILE");
    assert!(said.starts_with(&format!("FILE:{}:1:", at + 1)), "{said}");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../snapshots/replay");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(format!("carcassonne__{name}"), said));
    said
}

#[test]
fn each_kind_of_wrong_move_is_refused_by_its_clause() {
    let lines = played("each_wrong_move.jsonl");
    let check = |name: &str, played: &str, instead: &str, words: &[&str]| {
        let at = line_of(&lines, played);
        let said = refused(name, &lines, at, with_move(&lines[at], instead));
        for word in words {
            assert!(said.contains(word), "{name}: no `{word}` in {said}");
        }
    };
    let lay = "L at 1,2 turned e";
    check(
        "a_tile_that_does_not_match",
        lay,
        "L at 1,2 turned s",
        &[
            "`place_tile.match` (base BR-6)",
            "legal here: ",
            "`L at 1,2 turned e`",
        ],
    );
    check(
        "an_occupied_spot",
        lay,
        "L at 0,1 turned e",
        &[
            "`place_tile.at` (base BR-5, BR-6)",
            "0,1 is not a free spot beside what lies on the land",
        ],
    );
    check(
        "a_taken_mouth",
        "token grey on road4 at 2,1",
        "token grey on road3 at 2,1",
        &[
            "`place_token.free` (spielbox S-5, wiki W-7, N-4): road3 at 2,1 is not free",
            "`token grey on road4 at 2,1`",
        ],
    );
    check(
        "a_colour_of_another_player",
        "token grey on road4 at 2,1",
        "token red on road4 at 2,1",
        &["`place_token.c` (spielbox S-5, S-6, S-9, S-12, wiki W-7, W-8, W-15)"],
    );
    let after = line_of(&lines, "W at -2,1 turned w") + 1;
    let said = refused(
        "a_claimed_road",
        &lines,
        after,
        with_move(&lines[after], "follower on road3"),
    );
    assert!(
        said.contains("`place_follower.vacant` (base BR-8): somebody stands on what road3 at -2,1"),
        "{said}"
    );
    let other = lines[7].replace("\"V\"", "\"W\"");
    assert_ne!(lines[7], other);
    let said = refused("another_tile_is_drawn", &lines, 7, other);
    assert!(
        said.contains("the seed gives `V` from `bag` here"),
        "{said}"
    );
}

/// Whatever else was played in this game and was not legal there: the refusal names the line and all that was.
#[test]
fn any_move_that_was_not_legal_is_refused_at_its_line() {
    let lines = played("edited-any.jsonl");
    let program = program(&(2, true, vec![]));
    let moves: Vec<usize> = (0..lines.len())
        .filter(|at| move_of(&lines[*at]).is_some())
        .collect();
    let mut refused = 0;
    for (nth, at) in moves.iter().enumerate().step_by(step()) {
        let mut before = replay(program, &read(&lines[..*at]), Compare::Bytes).unwrap();
        let legal = typed::legal_like(&mut before, "", Form::Plain);
        // The next of the other moves that cannot be made here.
        let others = moves
            .iter()
            .cycle()
            .skip(nth + 1)
            .filter_map(|it| move_of(&lines[*it]));
        let instead = others.into_iter().find(|it| !legal.contains(it)).unwrap();
        let mut changed = lines.clone();
        changed[*at] = with_move(&lines[*at], &instead);
        let problem = replay(program, &read(&changed), Compare::Bytes)
            .err()
            .unwrap();
        assert_eq!(problem.line, Some(at + 1), "{instead}: {}", problem.message);
        if problem.code == codes::OTHER_SPELLING {
            // The tile that was drawn is named by the move and not chosen.
            continue;
        }
        let mut told = problem.legal.clone();
        told.sort();
        let mut expected = legal;
        expected.sort();
        assert_eq!(told, expected, "{instead}: {}", problem.message);
        let help = problem.help.unwrap_or_default();
        assert!(
            told.iter().all(|it| help.contains(&format!("`{it}`"))),
            "{instead}: {help}"
        );
        refused += 1;
    }
    assert!(refused > 80 / step(), "{refused} moves");
}
