//! One rule in several wordings is one rule: it means the same, and what it costs is written down.
//!
//! Each page in `tests/fixtures/wordings` holds a rulebook with `HERE` in it, and under headings what may
//! stand there. `ADIT_WORDINGS=FOLDER` asks for the pages of another folder and prints what they cost.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::{env, fs};

use adit::engine::{Dice, Machine, Program, Status, below, compile};
use adit::pipeline::{self, Request};
use adit::source::Sources;
use rand_chacha::rand_core::Rng;

/// Numbers for the choices, apart from those of the games.
const CHOICES: u32 = 1_000;
/// Choices in one wording.
const PLIES: usize = 400;

/// The rulebook with each of its wordings, by heading.
fn wordings(page: &str) -> Vec<(String, String)> {
    let block = |text: &str| {
        let (_, rest) = text.split_once("```rules\n").expect("a block");
        rest.split_once("```").expect("its end").0.to_owned()
    };
    let mut parts = page.split("\n## ");
    let rulebook = block(parts.next().expect("a rulebook"));
    assert!(rulebook.contains("HERE"));
    parts
        .map(|part| {
            let name = part.lines().next().unwrap_or_default().to_owned();
            (name, rulebook.replace("HERE", block(part).trim_end()))
        })
        .collect()
}

fn program(name: &str, text: &str) -> Program {
    let mut sources = Sources::new();
    let base = sources.add(name, text);
    let request = Request {
        base,
        ..Request::default()
    };
    let compiled = pipeline::compile(&sources, &request);
    let errors: Vec<_> = compiled
        .diagnostics
        .iter()
        .filter(|it| it.is_error())
        .collect();
    let game = compiled
        .game
        .unwrap_or_else(|| panic!("{name}: {errors:#?}"));
    compile(Arc::clone(&game)).unwrap_or_else(|problems| panic!("{name}: {problems:#?}"))
}

/// What happens in random games, as a number, and the operations of a choice in tenths.
fn played(program: &Program) -> (Vec<usize>, u64) {
    let mut machine = Machine::new(program);
    let (mut journal, mut ops, mut plies) = (Vec::new(), 0, 0);
    for seed in 0.. {
        let mut dice = Dice::new(seed);
        machine.start(&mut dice).unwrap();
        while machine.status() != Status::Ended && journal.len() < PLIES {
            let moves = machine.moves().len();
            let chosen = below(dice.stream(CHOICES).next_u64(), moves as u64) as usize;
            journal.push(moves);
            ops += machine.play_counting(chosen, &mut dice).unwrap().1;
            plies += 1;
        }
        if journal.len() >= PLIES {
            break;
        }
        let places = machine.outcome().unwrap().places;
        journal.extend(places.into_iter().map(|it| it as usize));
    }
    // A game in which nobody chooses costs nothing.
    (journal, (ops * 10).checked_div(plies).unwrap_or(0))
}

#[test]
fn each_wording_means_the_same() {
    let other = env::var_os("ADIT_WORDINGS").map(PathBuf::from);
    let shipped = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/wordings");
    let folder = other.clone().unwrap_or_else(shipped);
    let mut pages: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    pages.sort();
    assert!(!pages.is_empty());
    let mut report = String::new();
    for path in pages {
        let page = fs::read_to_string(&path).unwrap();
        let title = page
            .lines()
            .next()
            .unwrap_or_default()
            .trim_start_matches("# ");
        let mut costs: Vec<(String, u64)> = Vec::new();
        let mut first: Option<Vec<usize>> = None;
        for (name, text) in wordings(&page) {
            let (journal, cost) = played(&program(&format!("{title}: {name}"), &text));
            let same = first.get_or_insert_with(|| journal.clone());
            assert_eq!(*same, journal, "{title}: {name} means something else");
            costs.push((name, cost));
        }
        let least = costs.iter().map(|(_, cost)| *cost).min().unwrap().max(1);
        writeln!(report, "{title}").unwrap();
        for (name, cost) in costs {
            let ratio = cost * 100 / least;
            writeln!(
                report,
                "  {:6}.{} ops a ply, {}.{:02} times the least: {name}",
                cost / 10,
                cost % 10,
                ratio / 100,
                ratio % 100
            )
            .unwrap();
        }
    }
    if other.is_some() {
        println!("{report}");
        return;
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!("wordings", report));
}
