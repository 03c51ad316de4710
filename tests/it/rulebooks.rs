//! Rulebooks are accepted, games by them end and their rulings hold: under every single reading.

use std::path::{Path, PathBuf};

use adit::engine::{self, Dice, Machine, Program, Query, Status, Tier, below};
use adit::model::{Base, DomainKind, Game};
use adit::pipeline::{Request, compile};
use adit::report;
use adit::ruling::{self, Ran, Verdict};
use adit::source::{FileId, Sources};
use rand_chacha::rand_core::Rng;

use crate::fixtures::{base_of, rulebook_files, width, with_bases};

/// A stream of numbers that no game uses.
const PLAYER: u32 = 1_000;
/// More choices than any of these games takes.
const ENDLESS: u32 = 20_000;

/// A rulebook with the amendments that go with it.
struct Book {
    name: String,
    sources: Sources,
    base: FileId,
    amendments: Vec<FileId>,
    is_game: bool,
}

impl Book {
    fn read(paths: &[PathBuf]) -> Book {
        let mut sources = Sources::new();
        let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
        let mut ids = paths
            .iter()
            .map(|path| sources.add(name(path), std::fs::read_to_string(path).unwrap()));
        let base = ids.next().unwrap();
        let amendments = ids.collect();
        let name = paths
            .iter()
            .map(|path| name(path))
            .collect::<Vec<_>>()
            .join(" + ");
        Book {
            name,
            sources,
            base,
            amendments,
            is_game: true,
        }
    }

    fn program(&self, set: &[(String, String)]) -> Program {
        self.program_for(None, set)
    }

    fn program_for(&self, seats: Option<u32>, set: &[(String, String)]) -> Program {
        let request = Request {
            base: self.base,
            amendments: self.amendments.clone(),
            set: set.to_vec(),
            seats,
        };
        let compiled = compile(&self.sources, &request);
        let said = report::plain(&self.sources, &compiled.diagnostics);
        assert!(
            compiled.diagnostics.is_empty(),
            "{} {set:?}\n{said}",
            self.name
        );
        // Of other readings and tables a few positions are seen, in the code that is made for a few.
        let by_default = set.is_empty() && seats.is_none();
        let tier = match by_default || width(0, 0, 1) == 1 {
            true => Tier::Optimized,
            false => Tier::Baseline,
        };
        engine::compile_as(compiled.game.unwrap(), tier).unwrap_or_else(|found| {
            panic!(
                "{} {set:?}\n{}",
                self.name,
                report::plain(&self.sources, &found)
            )
        })
    }
}

/// All files of a folder, each with the game that it amends before it.
fn books(folder: &str) -> Vec<Book> {
    let found = rulebook_files(folder);
    let whole = |path: &PathBuf| Book {
        is_game: base_of(path).is_none(),
        ..Book::read(&with_bases(path))
    };
    found.iter().map(whole).collect()
}

/// Each reading that is not the default.
pub fn readings(game: &Game) -> Vec<Vec<(String, String)>> {
    let mut sets = Vec::new();
    for setting in game.settings.iter().filter(|it| it.question) {
        let Base::Elem(domain) = setting.ty.base else {
            continue;
        };
        let DomainKind::Enum { values, .. } = &game.domains[domain.index()].kind else {
            continue;
        };
        for (at, value) in (0..).zip(values) {
            if at != setting.default {
                sets.push(vec![(setting.name.clone(), value.name.clone())]);
            }
        }
    }
    sets
}

/// Plays at random to the end; every invariant holds at every choice.
fn play(book: &Book, program: &Program, set: &[(String, String)], seed: u64) {
    let mut dice = Dice::new(seed);
    let mut machine = Machine::new(program);
    let truths = Query::new(program, program.game.invariants.iter().map(|it| &it.cond)).unwrap();
    let wrong = |fault: &engine::Fault| {
        let said = report::plain(&book.sources, &[fault.diagnostic()]);
        format!("{} {set:?} seed {seed}\n{said}", book.name)
    };
    let mut n_choices = 0;
    machine
        .start(&mut dice)
        .unwrap_or_else(|it| panic!("{}", wrong(&it)));
    while machine.status() != Status::Ended {
        let held = machine
            .ask(&truths)
            .unwrap_or_else(|it| panic!("{}", wrong(&it)));
        for (truth, value) in program.game.invariants.iter().zip(held) {
            assert_eq!(
                value.scalar(),
                1,
                "{} {set:?} seed {seed}: {}",
                book.name,
                truth.name
            );
        }
        let at = below(dice.stream(PLAYER).next_u64(), machine.moves().len() as u64);
        if let Err(error) = machine.play_nth(usize::try_from(at).unwrap(), &mut dice) {
            let engine::PlayError::Fault(fault) = error else {
                panic!("{error:?}")
            };
            panic!("{}", wrong(&fault));
        }
        n_choices += 1;
        assert!(
            n_choices < ENDLESS,
            "{} {set:?} seed {seed} does not end",
            book.name
        );
    }
}

/// Plays some games by every book of a folder, and more by its default readings; runs its rulings.
fn try_all(folder: &str, n_games: u64) {
    for book in books(folder) {
        let by_default = book.program(&[]);
        for seed in 0..n_games {
            play(&book, &by_default, &[], seed);
        }
        rulings_hold(&book, &by_default);
        for seats in by_default.game.other_tables.clone() {
            let program = book.program_for(Some(seats), &[]);
            play(&book, &program, &[], 0);
            all_hold(&book, ruling::run_for_table(&program));
        }
        // A ruling speaks of readings by name, but not of an amendment that came later.
        if book.is_game {
            for set in readings(&by_default.game) {
                let program = book.program(&set);
                play(&book, &program, &set, 0);
                rulings_hold(&book, &program);
            }
        }
    }
}

/// What a ruling says of these rules by name holds, and if they are the rules it was written for,
/// everything.
fn rulings_hold(book: &Book, program: &Program) {
    all_hold(book, ruling::run_all(program));
}

fn all_hold(book: &Book, all: Vec<Ran>) {
    for ran in all {
        let known = !matches!(ran.verdict(), Verdict::Failed | Verdict::Unfinished);
        assert!(known, "{}: {ran:?}", book.name);
    }
}

#[test]
fn shipped_rulebooks_are_sound() {
    try_all("rules", width(1, 2, 10));
}

#[test]
fn small_games_are_sound() {
    try_all("tests/fixtures/games", 20);
}

#[test]
fn fragments_are_sound() {
    try_all("tests/fixtures/fragments", 20);
}

/// The largest texts; not all that they ask for can be played yet.
#[test]
fn samples_are_checked() {
    for book in books("tests/fixtures/samples") {
        let request = Request {
            base: book.base,
            amendments: book.amendments.clone(),
            ..Request::default()
        };
        let compiled = compile(&book.sources, &request);
        let said = report::plain(&book.sources, &compiled.diagnostics);
        assert!(
            compiled.game.is_some() && said.is_empty(),
            "{}\n{said}",
            book.name
        );
    }
}
