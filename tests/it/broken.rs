//! What is said about broken rulebooks, exactly.
//!
//! Each file in `tests/fixtures/broken` is a broken game; each folder in it holds files that are
//! broken together, the game in `game.rules`. A file needs an error, and the snapshot shows all that
//! is said about it.

use std::fs;
use std::path::{Path, PathBuf};

use adit::diagnostic::{Diagnostic, Fix};
use adit::engine;
use adit::pipeline::{Request, compile};
use adit::report::{Look, graphical};
use adit::source::hidden::visible;
use adit::source::{FileId, Sources};

const FOLDER: &str = "tests/fixtures/broken";

/// Returns all that is found in these texts, the game first.
fn findings(sources: &Sources, files: &[FileId]) -> Vec<Diagnostic> {
    let (base, amendments) = files.split_first().expect("a game");
    let request = Request {
        base: *base,
        amendments: amendments.to_vec(),
        ..Request::default()
    };
    let compiled = compile(sources, &request);
    let mut found = compiled.diagnostics;
    found.extend(
        compiled
            .game
            .and_then(|game| engine::compile(game).err())
            .into_iter()
            .flatten(),
    );
    found
}

fn broken_things() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
}

fn files_of(thing: &Path) -> Vec<PathBuf> {
    if !thing.is_dir() {
        return vec![thing.to_path_buf()];
    }
    let mut paths: Vec<PathBuf> = fs::read_dir(thing)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort_by_key(|path| {
        (
            path.file_name() != Some("game.rules".as_ref()),
            path.clone(),
        )
    });
    paths
}

#[test]
fn broken_rulebooks_are_told_what_is_wrong() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/broken");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for thing in broken_things() {
        let mut sources = Sources::new();
        let mut shown = String::new();
        let mut files = Vec::new();
        for path in files_of(&thing) {
            let text = fs::read_to_string(&path).unwrap();
            let name = path.file_name().unwrap().to_string_lossy();
            // What is made by a machine is too long to be read.
            let short: Vec<String> = text
                .lines()
                .map(|line| line.chars().take(160).collect())
                .collect();
            let short = short.join("\n");
            shown.push_str(&format!("// {name}\n{}\n\n", visible(&short)));
            files.push(sources.add(name, text));
        }
        let found = findings(&sources, &files);
        let name = thing.file_stem().unwrap().to_string_lossy();
        assert!(
            found.iter().any(Diagnostic::is_error),
            "nothing is wrong with {name}"
        );
        let report = graphical(&sources, &found, Look::default());
        settings
            .bind(|| insta::assert_snapshot!(name.as_ref(), format!("{shown}=====>\n\n{report}")));
    }
}

/// Returns a text after the edits of a fix.
fn fixed(text: &str, fix: &Fix) -> String {
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    let mut text = String::from(text);
    for (span, by) in edits {
        text.replace_range(span.range(), &by);
    }
    text
}

#[test]
fn a_fix_mends_what_it_is_about() {
    let mut n_fixes = 0;
    for thing in broken_things().iter().filter(|thing| thing.is_file()) {
        let text = fs::read_to_string(thing).unwrap();
        let read = |text: &str| {
            let mut sources = Sources::new();
            let file = sources.add("broken", text);
            findings(&sources, &[file])
        };
        let found = read(&text);
        for (fix, it) in found.iter().filter_map(|it| Some((it.fix.as_ref()?, it))) {
            let again = read(&fixed(&text, fix));
            let is_alike =
                |other: &&Diagnostic| (other.code, &other.message) == (it.code, &it.message);
            let n_left = |found: &[Diagnostic]| found.iter().filter(is_alike).count();
            assert!(
                n_left(&again) < n_left(&found),
                "{}: {}",
                thing.display(),
                fix.title
            );
            n_fixes += 1;
        }
    }
    assert!(n_fixes >= 20, "{n_fixes}");
}
