//! Transcripts: written, replayed, cut off, edited, resumed.

use std::fs;
use std::path::PathBuf;

use adit::cli::Exit;

use crate::command::{Ran, adit};

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
    let near_header = (0..=header + 2).step_by(37);
    let spread = (header..text.len()).step_by(text.len() / 60);
    let near_end = text.len() - 40..text.len();
    for length in near_header.chain(spread).chain(near_end) {
        let ran = replay("cut.jsonl", &text[..length]);
        assert_eq!(ran.exit, Exit::No, "{length} bytes: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("[J09"), "{length} bytes: {}", ran.err);
    }
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
        let ran = adit(&format!("play --resume {}", path.display()));
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
    assert_eq!(ran.exit, Exit::Failure);
    assert!(ran.err.contains("J0925"), "{}", ran.err);
    assert_eq!(fs::read_to_string(path).unwrap(), "precious");
}
