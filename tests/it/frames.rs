//! What a person sees of a game on the screen of a terminal, read through a terminal emulator.

use std::num::NonZero;

use crate::command::adit_at;
use crate::fixtures::width;

/// A game, its first seat and the others.
const GAMES: [(&str, &str, &[&str]); 8] = [
    ("tunnels", "south", &["north"]),
    ("carcassonne", "player1", &["player2"]),
    ("carcassonne_tunnel", "player1", &["player2"]),
    ("channel_tunnel", "britain", &["france"]),
    ("rules/classics/backgammon.rules", "white", &["black"]),
    ("rules/classics/othello.rules", "black", &["white"]),
    (
        "rules/classics/leduc_poker.rules",
        "first_player",
        &["second_player"],
    ),
    (
        "rules/classics/whist.rules",
        "north",
        &["east", "south", "west"],
    ),
];

const SIZES: [(usize, usize); 3] = [(80, 24), (100, 30), (60, 24)];

/// The answers behind each prompt, with what was typed before them.
fn answers(shown: &str, own: &str, typed: &str) -> Vec<(String, String)> {
    let prompt = format!("{own}> ");
    let mut typed = typed.lines();
    let mut before = String::new();
    let mut answers = Vec::new();
    for part in shown.split_inclusive(prompt.as_str()) {
        if part.ends_with(&prompt) {
            answers.push((before, part.to_owned()));
            before = typed.next().unwrap_or("").to_owned();
        }
    }
    answers
}

/// Checks the screen behind an answer: `None` where it was no frame.
fn check(screen: &vt100::Screen, own: &str, rivals: &[&str], told: &str, at: &str) -> Option<()> {
    let (rows, columns) = screen.size();
    let (rows, columns) = (rows.get(), columns.get());
    let lines: Vec<String> = screen.rows(0, columns).collect();
    let status = lines.first().filter(|it| it.contains(" (you)"))?;
    let last = lines.last().unwrap();
    assert!(
        last.starts_with(&format!("{own}>")),
        "{at}\n{}",
        lines.join("\n")
    );
    assert_eq!(screen.cursor_position().0, rows - 1, "{at}: {status}");
    for row in 0..rows {
        assert!(!screen.row_wrapped(row), "{at}: {}", lines[row as usize]);
    }
    let all = lines.join(" ");
    let words: Vec<&str> = all.split_whitespace().collect();
    let all = words.join(" ");
    let moved = told.lines().rfind(|it| {
        rivals
            .iter()
            .any(|rival| it.starts_with(&format!("{rival}: ")))
    });
    if let Some(moved) = moved {
        let begun: Vec<&str> = moved.split_whitespace().take(2).collect();
        assert!(
            all.contains(&begun.join(" ")),
            "{at}: {moved}\n{}",
            lines.join("\n")
        );
    }
    Some(())
}

#[test]
fn a_screen_holds_all_that_a_person_needs() {
    let n_games = width(1, 4, 100);
    for (game, own, rivals) in GAMES {
        for (size, seed) in SIZES
            .iter()
            .flat_map(|size| (0..n_games).map(move |n| (*size, n)))
        {
            let typed: String = (0..10)
                .map(|n| format!("list\n{}\n", 1 + (n * 5 + seed) % 4))
                .collect();
            let journal = format!("{}/frames.jsonl", env!("CARGO_TARGET_TMPDIR"));
            let _ = std::fs::remove_file(&journal);
            let others = vec!["random"; rivals.len()].join(",");
            let line = format!(
                "play {game} --seats human,{others} --seed {} --journal {journal}",
                seed + 3
            );
            let ran = adit_at(size, &line, &typed);
            let of = |n: usize| NonZero::new(n as u16).unwrap();
            let (columns, rows) = (of(size.0), of(size.1));
            let mut parser = vt100::Parser::new(rows, columns, 0);
            let mut n_frames = 0;
            for (before, answer) in answers(&ran.out, own, &typed) {
                parser.process(format!("{before}\r\n").as_bytes());
                parser.process(answer.replace('\n', "\r\n").as_bytes());
                let plain = String::from_utf8(strip(answer.as_bytes())).unwrap();
                let at = format!("{line} at {columns}x{rows}");
                if before != "list" {
                    n_frames +=
                        usize::from(check(parser.screen(), own, rivals, &plain, &at).is_some());
                }
            }
            assert!(n_frames > 0, "{line}\n{}{}", ran.out, ran.err);
        }
    }
}

/// A text without its colours.
fn strip(text: &[u8]) -> Vec<u8> {
    let mut in_style = false;
    let kept = text.iter().filter(|byte| {
        let starts = **byte == 0x1b;
        let is_kept = !starts && !in_style;
        in_style = starts || in_style && **byte != b'm';
        is_kept
    });
    kept.copied().collect()
}
