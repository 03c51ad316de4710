//! What the README and the pages of sessions and players show is what the program does.

use std::fs;
use std::path::{Path, PathBuf};

use adit::cli::Exit;

use crate::command::{adit, adit_with};

const README: &str = "README.md";
const SESSIONS: &str = "docs/sessions.md";
const PLAYERS: &str = "docs/players.md";

fn path_of(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(page)
}

fn page(page: &str) -> String {
    fs::read_to_string(path_of(page)).unwrap()
}

fn readme() -> String {
    page(README)
}

/// Returns the fenced blocks of a kind.
fn blocks(text: &str, kind: &str) -> Vec<String> {
    let open = format!("```{kind}\n");
    let parts = text.split(open.as_str()).skip(1);
    parts
        .map(|part| part.split("```").next().unwrap().to_owned())
        .collect()
}

fn fresh(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn the_game_of_the_readme_is_a_game() {
    let path = fresh("readme.rules");
    let games = blocks(&readme(), "rules");
    let game = games.iter().find(|it| it.starts_with("game")).unwrap();
    fs::write(&path, game).unwrap();
    let checked = adit(&format!("check {}", path.display()));
    assert_eq!(checked.exit, Exit::Yes, "{}", checked.out);
    let laid_out = adit(&format!("fmt --check {}", path.display()));
    assert_eq!(laid_out.exit, Exit::Yes, "{}", laid_out.out);
    let won = adit(&format!(
        "legal {} --moves \"a1; b1; a2; b2; a3\"",
        path.display()
    ));
    assert!(won.out.contains("x wins"), "{}", won.out);
    // What may be asked about it is told in running text.
    let readme = readme();
    let told = readme.split('`').skip(1).step_by(2);
    let asked = told.filter(|it| it.starts_with("adit ") && it.contains(" ttt.rules"));
    let asked: Vec<_> = asked
        .map(|it| it.replace("ttt.rules", &path.display().to_string()))
        .collect();
    assert_eq!(asked.len(), 3);
    for command in &asked {
        let ran = adit_with(command.trim_start_matches("adit "), "quit");
        assert_ne!(ran.exit, Exit::Failure, "{command}: {}", ran.err);
    }
}

/// Runs a command of a page, with what is typed behind its prompts, and returns what is shown.
fn shown(command: &str, block: &str, journal: &str) -> String {
    let rule = fresh("no_middle.rules").display().to_string();
    let rules = blocks(&readme(), "rules");
    let text = rules
        .iter()
        .find(|it| it.contains("variant no_middle"))
        .unwrap();
    fs::write(&rule, text).unwrap();
    let command = command.replace("no_middle.rules", &rule);
    let typed: Vec<&str> = block
        .lines()
        .filter_map(|line| line.strip_prefix(PROMPT))
        .collect();
    let ran = adit_with(&command.replace("game.jsonl", journal), &typed.join("\n"));
    let out = ran.out.replace(journal, "game.jsonl");
    let out = out.replace(&rule, "no_middle.rules");
    let mut parts = out.split(PROMPT);
    let mut shown = parts.next().unwrap_or("").to_owned();
    for (part, typed) in parts.zip(typed.iter().chain(std::iter::repeat(&""))) {
        shown.push_str(&format!("{PROMPT}{typed}\n{part}"));
    }
    shown.trim_end().to_owned()
}

const PROMPT: &str = "south> ";

#[test]
fn the_sessions_are_real() {
    let mut n_sessions = Vec::new();
    for name in [README, SESSIONS, PLAYERS] {
        let journal = fresh("readme.jsonl").display().to_string();
        let text = page(name);
        let mut real = text.clone();
        let mut n = 0;
        for block in blocks(&text, "text") {
            for session in block.split("$ adit ").skip(1) {
                let (command, before) = session.split_once('\n').unwrap();
                assert!(!before.trim().is_empty(), "{command} shows nothing");
                let after = shown(command, before, &journal);
                real = real.replace(before.trim_end(), &after);
                n += 1;
            }
        }
        n_sessions.push(n);
        if std::env::var("INSTA_UPDATE").is_ok_and(|it| it == "always") {
            fs::write(path_of(name), &real).unwrap();
        }
        assert_eq!(
            text, real,
            "INSTA_UPDATE=always cargo test --test it readme writes {name}"
        );
    }
    assert_eq!(n_sessions, [2, 4, 3]);
}

/// Who has not decided to read more has it on a page.
#[test]
fn the_readme_is_a_page_and_its_links_lead_somewhere() {
    let text = readme();
    assert!(text.lines().count() <= 150, "{}", text.lines().count());
    for (name, text) in [(README, text), (SESSIONS, page(SESSIONS))] {
        let folder = path_of(name);
        for link in text.split("](").skip(1) {
            let target = link.split([')', '#']).next().unwrap();
            let is_there = folder.parent().unwrap().join(target).exists();
            assert!(is_there, "{name}: {target}");
        }
    }
}

/// The commands that draw the picture are those that the page gives.
#[test]
fn the_picture_of_the_sessions_is_drawn_by_its_commands() {
    let text = page(SESSIONS);
    let commands = blocks(&text, "sh");
    let commands = commands.iter().find(|it| it.contains("--svg")).unwrap();
    let journal = fresh("picture.jsonl").display().to_string();
    let mut drawn = String::new();
    for command in commands.lines() {
        let command = command.strip_prefix("adit ").unwrap();
        let command = command.replace("game.jsonl", &journal);
        let ran = adit(&command.replace("docs/landscape.svg", "-"));
        assert_eq!(ran.exit, Exit::Yes, "{}", ran.err);
        drawn = ran.out;
    }
    let path = path_of("docs/landscape.svg");
    if std::env::var("INSTA_UPDATE").is_ok_and(|it| it == "always") {
        fs::write(&path, &drawn).unwrap();
    }
    let kept = fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == drawn,
        "INSTA_UPDATE=always cargo test --test it readme draws it"
    );
}
