//! The blocking question of *The Tunnel*: the tables of `docs/blocking.md` and the lines of play behind them.
//!
//! A search is made again where it is cheap; `ADIT_BLOCKING=all cargo test --release --test it blocking`
//! makes all of them, and with `INSTA_UPDATE=always` it writes the tables and the lines anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use adit::cli::Exit;
use serde_json::Value;

use crate::command::adit;
use crate::fixtures::width;

/// The rule sets by name: the variants that are added.
const SETS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("own_follower", &["own_follower"]),
    ("steal_second", &["steal_second"]),
    ("both_at_once", &["both_at_once"]),
    ("no_block", &["no_block"]),
    (
        "own_follower+steal_second",
        &["own_follower", "steal_second"],
    ),
    (
        "own_follower+both_at_once",
        &["own_follower", "both_at_once"],
    ),
    ("own_follower+no_block", &["own_follower", "no_block"]),
    ("steal_second+no_block", &["steal_second", "no_block"]),
    ("both_at_once+no_block", &["both_at_once", "no_block"]),
];
const STUDIES: &[&str] = &[
    "early-token",
    "early-tile",
    "early-hostile",
    "early-follower",
    "late-token",
    "late-tile",
    "late-follower",
    "late-mouth",
];
const SETTINGS: &str = "--set farmers=false --set followers=3 --positions 8000000";
/// Positions that are looked at without being asked to.
fn cheap() -> u64 {
    width(30_000, 300_000, 1_000_000)
}

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn kept(set: &str, study: &str) -> PathBuf {
    let name = format!("{set}.{study}.jsonl");
    project().join("tests/fixtures/blocking").join(name)
}

/// What a search came to: a cell of each table.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cell {
    answer: String,
    looked: String,
}

type Cells = BTreeMap<(usize, usize), Cell>;

fn search(set: usize, study: usize, line: &Path) -> Cell {
    let (name, variants) = SETS[set];
    let with: String = variants.iter().map(|it| format!("--with {it} ")).collect();
    let study = STUDIES[study];
    let line = line.display();
    let ran = adit(&format!(
        "--json study carcassonne_blocking {study} {with}{SETTINGS} --save {line}"
    ));
    assert_ne!(ran.exit, Exit::Failure, "{name} {study}: {}", ran.err);
    let told: Value = serde_json::from_str(&ran.out).expect("an answer");
    let told = &told[0];
    let number = |what: &str| told[what].as_u64().expect("a number");
    let answer = if told["found"] == true {
        let link = format!("../tests/fixtures/blocking/{name}.{study}.jsonl");
        format!("[**{}**]({link})", number("plies"))
    } else {
        assert_ne!(
            told["searched"], "positions",
            "{name} {study}: more positions are needed"
        );
        format!("none in {}", number("most_plies"))
    };
    Cell {
        answer,
        looked: format!("{} + {}", number("positions"), number("followed")),
    }
}

/// A table in Markdown.
fn table(cells: &Cells, text: impl Fn(&Cell) -> &str) -> String {
    let mut out = format!("| | {} |\n|---|", STUDIES.join(" | "));
    out.push_str(&"---|".repeat(STUDIES.len()));
    for (set, (name, _)) in SETS.iter().enumerate() {
        out.push_str(&format!("\n| {} |", name.replace('+', " + ")));
        for study in 0..STUDIES.len() {
            out.push_str(&format!(" {} |", text(&cells[&(set, study)])));
        }
    }
    out
}

/// The cells of the tables as they stand in the page: first the answers, then what was looked at.
fn written() -> Cells {
    let page = fs::read_to_string(project().join("docs/blocking.md")).expect("the page");
    let rows = page.lines().filter(|line| {
        let first = line.split('|').nth(1).unwrap_or("").trim();
        SETS.iter()
            .any(|(name, _)| name.replace('+', " + ") == first)
    });
    let rows: Vec<Vec<&str>> = rows
        .map(|row| {
            row.split('|')
                .skip(2)
                .take(STUDIES.len())
                .map(str::trim)
                .collect()
        })
        .collect();
    assert_eq!(
        rows.len(),
        2 * SETS.len(),
        "two tables with a row for each rule set"
    );
    let (answers, looked) = rows.split_at(SETS.len());
    let cell = |set: usize, study: usize| Cell {
        answer: answers[set][study].to_owned(),
        looked: looked[set][study].to_owned(),
    };
    let places = (0..SETS.len()).flat_map(|set| (0..STUDIES.len()).map(move |study| (set, study)));
    places
        .map(|(set, study)| ((set, study), cell(set, study)))
        .collect()
}

fn cost(cell: &Cell) -> u64 {
    cell.looked
        .split(" + ")
        .map(|it| it.parse::<u64>().expect("a number"))
        .sum()
}

#[test]
fn the_searches_come_to_what_the_page_says() {
    let all = std::env::var("ADIT_BLOCKING").is_ok_and(|it| it == "all");
    let update = std::env::var("INSTA_UPDATE").is_ok_and(|it| it == "always");
    if all && update {
        rewrite();
    }
    let written = written();
    let mut by_cost: Vec<_> = written.iter().collect();
    by_cost.sort_by_key(|(_, cell)| cost(cell));
    let mut looked = 0;
    for ((set, study), cell) in by_cost {
        looked += cost(cell);
        if looked > cheap() && !all {
            break;
        }
        let name = format!("blocking-{}-{}.jsonl", SETS[*set].0, STUDIES[*study]);
        let line = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let found = search(*set, *study, &line);
        assert_eq!(found, *cell, "{} {}", SETS[*set].0, STUDIES[*study]);
        if cell.answer.contains("**") {
            let kept = fs::read_to_string(kept(SETS[*set].0, STUDIES[*study]));
            assert_eq!(
                fs::read_to_string(&line).ok(),
                kept.ok(),
                "{}",
                line.display()
            );
        }
    }
}

/// Makes all searches and writes down what they come to.
fn rewrite() {
    let mut cells = Cells::new();
    for (set, (name, _)) in SETS.iter().enumerate() {
        for (study, id) in STUDIES.iter().enumerate() {
            let line = kept(name, id);
            let _ = fs::remove_file(&line);
            cells.insert((set, study), search(set, study, &line));
        }
    }
    let path = project().join("docs/blocking.md");
    let page = fs::read_to_string(&path).expect("the page");
    let mut lines: Vec<String> = Vec::new();
    let mut tables = [
        table(&cells, |cell| &cell.answer),
        table(&cells, |cell| &cell.looked),
    ]
    .into_iter();
    let head = format!("| | {}", STUDIES[0]);
    let mut inside = false;
    for line in page.lines() {
        if line.starts_with(&head) {
            inside = true;
            lines.extend(tables.next());
        }
        inside &= line.starts_with('|');
        if !inside {
            lines.push(line.to_owned());
        }
    }
    fs::write(path, lines.join("\n") + "\n").expect("the page can be written");
}

#[test]
fn every_line_that_was_found_replays() {
    let mut n_lines = 0;
    for ((set, study), cell) in written() {
        let path = kept(SETS[set].0, STUDIES[study]);
        if !cell.answer.contains("**") {
            assert!(!path.exists(), "{} is of no use", path.display());
            continue;
        }
        n_lines += 1;
        let ran = adit(&format!("replay {}", path.display()));
        assert_eq!(ran.exit, Exit::Yes, "{}: {}", path.display(), ran.err);
        let plies = cell.answer.split("**").nth(1).unwrap_or("");
        assert!(
            ran.out.contains(&format!(" {plies} choices")),
            "{}",
            ran.out
        );
    }
    let files = fs::read_dir(project().join("tests/fixtures/blocking")).expect("the lines");
    assert_eq!(
        files.count(),
        n_lines,
        "one file for each line that was found"
    );
}

#[test]
fn two_of_the_variants_do_not_go_together() {
    let ran = adit("--plain check carcassonne_blocking --with steal_second --with both_at_once");
    assert_ne!(ran.exit, Exit::Yes);
    assert!(ran.out.contains("both_at_once"), "{}{}", ran.out, ran.err);
}

#[test]
fn the_picture_of_the_page_is_what_show_draws() {
    let path = kept("own_follower+no_block", "early-tile");
    let ran = adit(&format!(
        "show carcassonne_blocking --at {}",
        path.display()
    ));
    assert_eq!(ran.exit, Exit::Yes, "{}", ran.err);
    let picture: Vec<&str> = ran
        .out
        .lines()
        .take_while(|it| !it.starts_with("drawn"))
        .collect();
    assert!(picture.len() > 10, "{}", ran.out);
    let page = fs::read_to_string(project().join("docs/blocking.md")).expect("the page");
    assert!(page.contains(&picture.join("\n")), "{}", picture.join("\n"));
}
