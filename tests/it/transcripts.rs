//! Transcripts: written, replayed, cut off, edited, resumed.

use std::fs;
use std::path::PathBuf;

use adit::cli::Exit;
use adit::play::transcript::Transcript;
use adit::play::{Compare, replay as replay_again};

use crate::command::{Ran, adit, adit_when};
use crate::fixtures::width;
use crate::mutation::{Mutations, n_texts};

/// A file of this test run that does not exist yet.
fn fresh(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

fn write(name: &str, text: &str) -> PathBuf {
    let path = fresh(name);
    fs::write(&path, text).unwrap();
    path
}

/// Plays a whole game between bots and returns its transcript.
fn played(name: &str, game: &str) -> String {
    let path = fresh(name);
    let ran = adit(&format!("play {game} --journal {}", path.display()));
    assert_eq!(ran.exit, Exit::Yes, "{}{}", ran.out, ran.err);
    fs::read_to_string(path).unwrap()
}

fn replay(name: &str, text: &str) -> Ran {
    adit(&format!("--plain replay {}", write(name, text).display()))
}

const TUNNELS: &str = "tunnels --seats random,random --seed 7";

#[test]
fn a_whole_game_replays_byte_for_byte() {
    let text = played("whole.jsonl", TUNNELS);
    let path = write("whole-again.jsonl", &text);
    let ran = adit(&format!("replay {}", path.display()));
    assert_eq!(ran.exit, Exit::Yes, "{}", ran.err);
    let emitted = adit(&format!("replay --emit {}", path.display()));
    assert_eq!(emitted.out, text);
}

#[test]
fn same_seed_same_transcript() {
    assert_eq!(
        played("same-1.jsonl", TUNNELS),
        played("same-2.jsonl", TUNNELS)
    );
}

#[test]
fn a_transcript_that_is_cut_off_anywhere_is_named_and_never_crashes() {
    let text = played("cut-whole.jsonl", TUNNELS);
    let header = text.find('\n').unwrap();
    let near_header = (0..=header + 2).step_by(190);
    let spread = (header..text.len()).step_by(text.len() / width(8, 12, 96) as usize);
    let near_end = text.len() - 8..text.len();
    for length in near_header.chain(spread).chain(near_end) {
        let ran = replay("cut.jsonl", &text[..length]);
        assert_eq!(ran.exit, Exit::No, "{length} bytes: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("[J09"), "{length} bytes: {}", ran.err);
    }
}

/// Some editors put a mark before a text.
#[test]
fn a_transcript_with_a_mark_before_it_replays() {
    let text = played("marked-whole.jsonl", TUNNELS);
    let ran = replay("marked.jsonl", &format!("\u{feff}{text}"));
    assert_eq!(ran.exit, Exit::Yes, "{}{}", ran.out, ran.err);
    let path = write(
        "marked-cut.jsonl",
        &format!("\u{feff}{}", &text[..text.len() / 2]),
    );
    let ran = adit(&format!("resume {}", path.display()));
    assert_eq!(ran.exit, Exit::Yes, "{}{}", ran.out, ran.err);
    let resumed = fs::read_to_string(&path).unwrap();
    assert_eq!(resumed, format!("\u{feff}{text}"));
}

#[test]
fn a_resumed_game_goes_on_as_it_would_have() {
    let text = played("resume-whole.jsonl", TUNNELS);
    let header = text.find('\n').unwrap() + 1;
    for length in [
        header,
        header + 1,
        text.len() / 3,
        text.len() / 2,
        text.len() - 1,
        text.len(),
    ] {
        let path = write("resume.jsonl", &text[..length]);
        let ran = adit(&format!("resume {}", path.display()));
        assert_eq!(ran.exit, Exit::Yes, "{length} bytes: {}", ran.err);
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "{length} bytes");
        let torn = !text[..length].ends_with('\n');
        assert_eq!(
            ran.err.contains("was torn"),
            torn,
            "{length} bytes: {}",
            ran.err
        );
    }
}

#[test]
fn a_game_is_never_written_over() {
    let path = write("precious.jsonl", "precious");
    let ran = adit(&format!("play {TUNNELS} --journal {}", path.display()));
    ran.complains(Exit::Failure, "J0925");
    assert_eq!(fs::read_to_string(path).unwrap(), "precious");
}

/// Changes a transcript and keeps what `replay` says.
fn edited(name: &str, edit: impl Fn(&mut Vec<String>)) {
    let text = played(&format!("edited-{name}.jsonl"), TUNNELS);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    edit(&mut lines);
    let path = write("edited.jsonl", &(lines.join("\n") + "\n"));
    let ran = adit(&format!("--plain replay {}", path.display()));
    let shown = format!("{}{}", ran.out, ran.err).replace(&path.display().to_string(), "FILE");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/replay");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, shown));
    assert_ne!(ran.exit, Exit::Yes, "{shown}");
}

fn nth(lines: &[String], what: &str, n: usize) -> usize {
    let found = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.contains(what));
    found.map(|(at, _)| at).nth(n).unwrap()
}

#[test]
fn an_edited_transcript_is_named_by_its_line() {
    edited("another_card_is_drawn", |lines| {
        let at = nth(lines, "\"chance\"", 9);
        lines.swap(at, at + 1);
    });
    edited("another_seed", |lines| {
        lines[0] = lines[0].replace("\"seed\":7", "\"seed\":8")
    });
    edited("other_rules", |lines| {
        lines[0] = lines[0].replace("\"rules\":\"", "\"rules\":\"0");
    });
    edited("another_reading", |lines| {
        lines[0] = lines[0].replace("\"round\"", "\"equal\"");
    });
    edited("no_such_reading", |lines| {
        lines[0] = lines[0].replace("\"round\"", "\"eqaul\"");
    });
    edited("another_game", |lines| {
        lines[0] = lines[0].replace("\"tunnels\"", "\"tunels\"")
    });
    edited("another_format", |lines| {
        lines[0] = lines[0].replace("\"adit\":1", "\"adit\":2")
    });
    edited("header_without_seed", |lines| {
        lines[0] = lines[0].replace("\"seed\":7", "\"seed\":null");
    });
    edited("header_with_more", |lines| {
        lines[0] = lines[0].replace("\"seed\":7", "\"seed\":7,\"more\":1");
    });
    edited("an_illegal_move", |lines| {
        let at = nth(lines, "\"seat\"", 3);
        let (before, _) = lines[at].split_once(",\"move\"").unwrap();
        lines[at] = format!("{before},\"move\":\"match Ac with d4\"}}");
    });
    edited("a_card_that_does_not_exist", |lines| {
        let at = nth(lines, "\"seat\"", 3);
        let (before, _) = lines[at].split_once(",\"move\"").unwrap();
        lines[at] = format!("{before},\"move\":\"match 1c with d4\"}}");
    });
    edited("a_move_of_the_other_seat", |lines| {
        let at = nth(lines, "\"seat\":\"south\"", 3);
        lines[at] = lines[at].replace("south", "north");
    });
    edited("a_move_is_missing", |lines| {
        let at = nth(lines, "\"seat\"", 4);
        lines.remove(at);
    });
    edited("a_move_is_there_twice", |lines| {
        let at = nth(lines, "\"seat\"", 4);
        lines.insert(at, lines[at].clone());
    });
    edited("a_symbol_for_a_letter", |lines| {
        let at = nth(lines, "\"seat\"", 0);
        lines[at] = lines[at].replace("with", " with");
    });
    edited("a_line_that_is_no_record", |lines| {
        lines[20] = String::from("{\"seat\":3}")
    });
    edited("an_undo_that_never_was", |lines| {
        let at = nth(lines, "\"seat\"", 4);
        lines.insert(at, String::from("{\"undo\":\"south\"}"));
    });
    edited("another_result", |lines| {
        let last = lines.last_mut().unwrap();
        *last = if last.contains("[1,2]") {
            last.replace("[1,2]", "[2,1]")
        } else {
            last.replace("[2,1]", "[1,2]")
        };
    });
    edited("more_after_the_end", |lines| lines.push(lines[60].clone()));
    edited("the_end_is_missing", |lines| {
        lines.pop();
    });
    edited("the_middle_is_the_end", |lines| lines.truncate(100));
    edited("nothing", |lines| lines.clear());
    edited("not_a_transcript", |lines| {
        lines.remove(0);
    });
}

#[test]
fn the_view_of_a_seat_holds_no_seed_and_nothing_hidden() {
    let text = played("view-whole.jsonl", "tunnels --seats first,random --seed 3");
    let path = write("view.jsonl", &text);
    let ran = adit(&format!("replay --as south {}", path.display()));
    assert_eq!(ran.exit, Exit::Yes, "{}", ran.err);
    let header = ran.out.lines().next().unwrap();
    assert!(
        header.contains("\"seed\":null") && header.contains("\"view\":\"south\""),
        "{header}"
    );
    assert!(!ran.out.contains("\"chance\""));
    let hands: Vec<usize> = ran
        .out
        .match_indices("\"hand[north]\":\"")
        .map(|(at, key)| at + key.len())
        .collect();
    assert!(!hands.is_empty());
    for at in hands {
        let hand = ran.out[at..].split('"').next().unwrap();
        // What it knows there it has seen before.
        let known = hand
            .split([' ', ','])
            .filter(|it| it.len() > 1 && *it != "hidden");
        for card in known {
            let seen = ran.out[..at].contains(&format!("\":\"{card}"));
            assert!(seen, "{card} in {hand}");
        }
    }
    let view = write("view-south.jsonl", &ran.out);
    let refused = adit(&format!("replay {}", view.display()));
    refused.complains(Exit::No, "J0918");
}

/// Mutates transcripts of small games: whatever is in a file, reading and replaying it ends with an
/// answer.
#[test]
fn any_transcript_can_be_replayed() {
    for (seed, game) in [
        (11, "tic_tac_toe"),
        (12, "kuhn"),
        (13, "connect_four"),
        (14, "toss"),
    ] {
        let path = format!("tests/fixtures/games/{game}.rules");
        let text = played(
            &format!("mutated-{game}.jsonl"),
            &format!("{path} --seats random,random --seed 5"),
        );
        let program = crate::perft::program(&path, &[], None);
        let (header, body) = text.split_at(text.find('\n').unwrap() + 1);
        let mut whole = Mutations::new(seed, vec![text.clone()]);
        let mut bodies = Mutations::new(seed, vec![body.to_owned()]);
        for n in 0..n_texts() / 20 {
            let text = if n % 4 == 0 {
                whole.next_text()
            } else {
                [header, &bodies.next_text()].concat()
            };
            let Ok(transcript) = Transcript::read(&text) else {
                continue;
            };
            for how in [Compare::Bytes, Compare::Meaning] {
                if let Ok(session) = replay_again(&program, &transcript, how) {
                    let lines = transcript.lines.len();
                    assert!(session.records().len() >= lines, "{text}");
                }
            }
        }
    }
}

/// A transcript of another game is told as such: nothing was changed in either.
#[test]
fn a_transcript_of_another_game_is_told_as_such() {
    let text = played("of-another.jsonl", "tic_tac_toe --seats random,random");
    let path = write("of-another-again.jsonl", &text);
    adit(&format!("legal tunnels --at {}", path.display())).complains(
        Exit::Failure,
        "this is a game of `tic_tac_toe`, not of `tunnels`",
    );
}

/// Where nobody names a file it is called by its moment, in universal time.
#[test]
fn journals_are_called_by_their_moment() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("adit");
    for (seconds, moment) in [
        (0, "19700101-000000"),
        (951_782_399, "20000228-235959"),
        (951_782_400, "20000229-000000"),
        (1_798_761_599, "20261231-235959"),
    ] {
        let path = folder.join(format!("nim-{moment}.jsonl"));
        let _ = fs::remove_file(&path);
        let game = "tests/fixtures/games/nim.rules";
        let ran = adit_when(seconds, &format!("play {game} --seats first,first"));
        assert!(path.exists(), "{moment}: {}{}", ran.out, ran.err);
        fs::remove_file(path).unwrap();
    }
}
