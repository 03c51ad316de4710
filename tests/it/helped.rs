//! What the program says of itself: its commands, what may be typed, pages for `man`.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use adit::cli::{self, Exit, candidates};

use crate::command::{adit, keep};

#[test]
fn every_command_stands_in_one_group_and_has_examples_that_it_understands() {
    let reference = cli::reference();
    let titles = reference
        .lines()
        .filter_map(|it| it.strip_prefix("## adit "));
    let all: BTreeSet<&str> = titles.filter(|it| !it.contains(' ')).collect();
    let listed: Vec<&str> = cli::listed().collect();
    assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), all);
    assert_eq!(listed.len(), all.len(), "a command is listed twice");
    let examples: Vec<(&str, &[&str])> = cli::examples().collect();
    assert_eq!(examples.iter().map(|it| it.0).collect::<BTreeSet<_>>(), all);
    for (name, lines) in examples {
        assert!(!lines.is_empty());
        for line in lines {
            let parts = line.split('"').enumerate();
            let words: Vec<&str> = parts
                .flat_map(|(at, part)| match at % 2 {
                    0 => part.split_whitespace().collect(),
                    _ => vec![part],
                })
                .collect();
            assert_eq!(words[..2], ["adit", name], "{line}");
            assert!(cli::understands(&words), "{line}");
        }
        let shown = adit(&format!("{name} --help"));
        shown.says(Exit::Yes, lines[0]);
        assert!(
            adit(&format!("{name} -h")).out.contains(lines[0]),
            "{name} -h"
        );
    }
    for line in adit("--help").out.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    keep("help", "program", "--help");
    keep("help", "games", "--plain games");
}

#[track_caller]
fn offers(words: &[&str], wanted: &[&str], not: &[&str]) {
    let found = candidates(words);
    for it in wanted {
        assert!(
            found.iter().any(|word| word == it),
            "{words:?}: {it} is not in {found:?}"
        );
    }
    for it in not {
        assert!(
            !found.iter().any(|word| word == it),
            "{words:?}: {it} is in {found:?}"
        );
    }
}

#[test]
fn shells_are_told_what_can_be_typed() {
    offers(&["adit", "why"], &["why", "why-not"], &["play"]);
    offers(&["adit", "play", "tun"], &["tunnels"], &["chess"]);
    offers(&["adit", "play", "no_take"], &["no_take_back"], &[]);
    offers(
        &["adit", "play", "tunnels", "--with", "b"],
        &["breather"],
        &["backgammon"],
    );
    offers(
        &["adit", "compare", "tunnels", "--but-with", "br"],
        &["breather"],
        &["breakthrough"],
    );
    let readings = candidates(&["adit", "legal", "tunnels", "--set", "ex"]);
    assert!(
        readings.iter().any(|it| it.starts_with("exposure=")),
        "{readings:?}"
    );
    let settings = candidates(&["adit", "legal", "carcassonne", "--set", "fol"]);
    assert_eq!(settings, ["followers="]);
    offers(
        &["adit", "show", "carcassonne_tunnel", "--ruling", "CT-2"],
        &["CT-25"],
        &["CT-1"],
    );
    offers(
        &["adit", "show", "tunnels", "--seat", ""],
        &["south", "north"],
        &[],
    );
    offers(
        &["adit", "play", "tunnels", "--seats", "human,r"],
        &["human,random"],
        &["human,first"],
    );
    offers(&["adit", "explain", "E03"], &["E0301"], &["E0201"]);
    // Nothing is known, or wrong: nothing is offered, and nothing breaks.
    assert_eq!(candidates(&["adit", "legal", "--set", "x"]), [""; 0]);
    assert_eq!(
        candidates(&["adit", "legal", "nowhere.rules", "--set", "x"]),
        [""; 0]
    );
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        adit(&format!("completions {shell}")).says(Exit::Yes, "COMPLETE");
    }
}

#[test]
fn pages_for_man_are_printed_and_written() {
    adit("man").says(Exit::Yes, ".TH ADIT 1");
    adit("man why-not").says(Exit::Yes, "adit why\\-not chess e2\\-e5");
    adit("man whynot").complains(Exit::Failure, "did you mean `why-not`?");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("man1");
    let _ = fs::remove_dir_all(&folder);
    adit(&format!("man --into {}", folder.display())).says(Exit::Yes, "pages are in");
    for name in cli::listed() {
        let page = fs::read_to_string(folder.join(format!("adit-{name}.1"))).unwrap();
        assert!(page.contains(".SH NAME"), "{page}");
    }
}
