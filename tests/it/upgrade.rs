//! What `adit upgrade` makes of rulebooks that ask questions in the middle of clauses.

use std::fs;
use std::path::Path;

use adit::cli::Exit;
use adit::engine::{self, Program};
use adit::pipeline::{Request, check_readings, compile};
use adit::report;
use adit::source::{FileId, Sources};
use adit::upgrade::{Mark, upgrade};

use crate::command::adit;
use crate::fixtures::{snapshot, width};
use crate::perft;
use crate::questions::{ANSWERS, in_step};

/// Rewrites one file; a second time nothing is left to rewrite.
fn upgraded(text: &str) -> (String, Vec<Mark>) {
    let (once, marks) = step(text);
    let (twice, again) = step(&once);
    assert_eq!(once, twice);
    assert_eq!(
        marks.iter().filter(|it| !it.must).count(),
        again.iter().filter(|it| !it.must).count()
    );
    (once, marks)
}

fn step(text: &str) -> (String, Vec<Mark>) {
    let mut sources = Sources::new();
    let base = sources.add("game.rules", text);
    let request = Request {
        base,
        ..Request::default()
    };
    let done = upgrade(&sources, &request, &[base], &[]).unwrap();
    let text = done.texts.get(&FileId(0)).map_or(text, String::as_str);
    (text.to_owned(), done.marks)
}

fn program(text: &str, set: &[(&str, &str)]) -> Program {
    let mut sources = Sources::new();
    let base = sources.add("game.rules", text);
    let set = set.iter().map(|it| (it.0.to_owned(), it.1.to_owned()));
    let request = Request {
        base,
        set: set.collect(),
        ..Request::default()
    };
    let compiled = compile(&sources, &request);
    let said = report::plain(&sources, &compiled.diagnostics);
    engine::compile(compiled.game.unwrap_or_else(|| panic!("{said}"))).unwrap()
}

fn fixture(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

#[test]
fn an_upgraded_game_plays_as_the_same_with_edits() {
    let (text, marks) = upgraded(&fixture("tests/fixtures/questions/heap_by.rules"));
    assert!(marks.iter().all(|it| !it.must), "{marks:?}");
    for set in ANSWERS {
        let edits = perft::program("tests/fixtures/questions/heap.rules", set, None);
        let upgraded = program(&text, set);
        for seed in 0..width(2, 10, 100) {
            in_step(&edits, &upgraded, seed, &format!("{set:?}"));
        }
    }
}

/// Each fixture has rulings that hold under each reading, if it still means the same.
#[test]
fn questions_are_asked_nowhere_any_more() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/upgrade");
    let mut n_seen = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let (text, marks) = upgraded(&fs::read_to_string(&path).unwrap());
        let mut sources = Sources::new();
        let base = sources.add("game.rules", text.as_str());
        let request = Request {
            base,
            ..Request::default()
        };
        let compiled = compile(&sources, &request);
        assert_eq!(report::plain(&sources, &compiled.diagnostics), "");
        let readings = check_readings(&sources, &request, &compiled);
        assert_eq!(report::plain(&sources, &readings.findings), "");
        let file = format!("{}/upgrade-{name}.rules", env!("CARGO_TARGET_TMPDIR"));
        fs::write(&file, &text).unwrap();
        let ran = adit(&format!("rulings {file}"));
        assert_eq!(ran.exit, Exit::Yes, "{}{}", ran.out, ran.err);
        let marks = marks.iter().map(|it| format!("{}: {}\n", it.line, it.what));
        snapshot(
            "upgrade",
            &name,
            &format!("{text}\n{}", marks.collect::<String>()),
        );
        n_seen += 1;
    }
    assert!(n_seen > 0);
}

#[test]
fn the_command_looks_shows_and_rewrites() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("heap.rules");
    let text = fixture("tests/fixtures/questions/heap_by.rules");
    fs::write(&file, &text).unwrap();
    let shown = file.to_str().unwrap();
    let looked = adit(&format!("upgrade --check {shown}"));
    assert_eq!(looked.exit, Exit::No);
    let said = format!("{shown}: would change\n");
    assert!(looked.out.starts_with(&said), "{}", looked.out);
    let diff = adit(&format!("upgrade --diff {shown}"));
    assert_eq!(diff.exit, Exit::No);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    snapshot("upgrade", "diff", &diff.out.replace(shown, "heap.rules"));
    let done = adit(&format!("upgrade {shown}"));
    assert_eq!(done.exit, Exit::Yes, "{}", done.err);
    assert_eq!(fs::read_to_string(&file).unwrap(), upgraded(&text).0);
    let again = adit(&format!("upgrade --check {shown}"));
    assert_eq!(again.exit, Exit::Yes);
}
