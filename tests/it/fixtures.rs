//! Finds the rulebooks that other tests run over.

use std::path::{Path, PathBuf};

use adit::engine::{Program, compile};
use adit::pipeline::{self, Compiled, Request};
use adit::source::{FileId, Sources};
use adit::syntax::{ast, parse, parse_header};
use proptest::test_runner::{Config as ProptestConfig, RngSeed};

/// Returns all `.rules` files in a folder and the folders in it, sorted.
pub fn rule_files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let top = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut folders = vec![top.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rules") {
                found.push(path);
            }
        }
    }
    assert!(!found.is_empty(), "no rule file in {}", top.display());
    found.sort();
    found
}

/// The same without those that are parts of others.
pub fn rulebook_files(folder: &str) -> Vec<PathBuf> {
    let mut found = rule_files(folder);
    found.retain(|path| !is_part(path));
    found
}

fn is_part(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    parse_header(&text).is_some_and(|it| it.kind == ast::HeaderKind::Part)
}

/// The parts of a rulebook, which lie beside it.
fn parts_beside(path: &Path) -> Vec<PathBuf> {
    let begins = format!("{}.", path.file_stem().unwrap().to_str().unwrap());
    let folder = std::fs::read_dir(path.parent().unwrap()).unwrap();
    let all = folder.map(|it| it.unwrap().path());
    let named = |it: &PathBuf| {
        let name = it.file_name().and_then(|it| it.to_str());
        name.is_some_and(|it| it.starts_with(&begins) && it.ends_with(".rules")) && it != path
    };
    let mut parts: Vec<PathBuf> = all.filter(|it| named(it) && is_part(it)).collect();
    parts.sort();
    parts
}

/// How much a search or a property over many games looks at: little in a build without optimisation, enough
/// to see a slip in `cargo test --release`, and all of it where `ADIT_WIDE` is set, as `.ci/wide` does.
pub fn width(little: u64, usual: u64, wide: u64) -> u64 {
    if cfg!(debug_assertions) {
        little
    } else if std::env::var_os("ADIT_WIDE").is_some() {
        wide
    } else {
        usual
    }
}

/// The settings of a property: so many cases, and the same ones each time, so that a commit has one verdict.
/// `PROPTEST_CASES` and `PROPTEST_RNG_SEED` ask for others.
pub fn property(cases: u32) -> ProptestConfig {
    let asked = ProptestConfig::default();
    let is_asked = std::env::var_os("PROPTEST_CASES").is_some();
    ProptestConfig {
        cases: if is_asked { asked.cases } else { cases },
        failure_persistence: None,
        rng_seed: match asked.rng_seed {
            RngSeed::Random => RngSeed::Fixed(0),
            chosen => chosen,
        },
        ..asked
    }
}

/// Compiles a rulebook of the project with amendments, settings and a number of seats.
pub fn compiled(
    base: &str,
    amendments: &[&str],
    set: &[(String, String)],
    seats: Option<u32>,
) -> (Sources, Compiled) {
    let mut sources = Sources::new();
    let mut add = |path: &str| {
        let full = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
        sources.add(path, std::fs::read_to_string(full).unwrap())
    };
    let parts: Vec<String> = [base]
        .iter()
        .chain(amendments)
        .flat_map(|it| parts_of(it))
        .collect();
    let amendments = amendments.iter().map(|it| (*it).to_owned());
    let request = Request {
        base: add(base),
        amendments: amendments.chain(parts).map(|path| add(&path)).collect(),
        set: set.to_vec(),
        seats,
    };
    let compiled = pipeline::compile(&sources, &request);
    (sources, compiled)
}

/// A game that a test writes, ready to be played.
#[track_caller]
pub fn program_of(text: &str) -> Program {
    let mut sources = Sources::new();
    let base = sources.add("text", text);
    let request = Request {
        base,
        ..Request::default()
    };
    let compiled = pipeline::compile(&sources, &request);
    let game = compiled.game;
    compile(game.unwrap_or_else(|| panic!("{:#?}", compiled.diagnostics))).unwrap()
}

/// The parts of a rulebook of the project, as paths from its root.
pub fn parts_of(path: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let parts = parts_beside(&root.join(path)).into_iter();
    let inside = |it: PathBuf| it.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
    parts.map(inside).collect()
}

/// The name of the rulebook that an amendment is for; none for a game.
pub fn base_of(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    match parse(FileId(0), &text).0.header?.kind {
        ast::HeaderKind::Game | ast::HeaderKind::Part => None,
        ast::HeaderKind::Amendment { base, .. } => Some(base.text),
    }
}

/// A file with all that it amends before it, the game first, and the parts of all of them behind. They lie in its folder
/// or in the one above.
pub fn with_bases(path: &Path) -> Vec<PathBuf> {
    let mut chain = vec![path.to_owned()];
    while let Some(base) = chain.first().and_then(|first| base_of(first)) {
        let folders = path.ancestors().skip(1).take(2);
        let mut candidates = folders.map(|folder| folder.join(format!("{base}.rules")));
        let Some(found) = candidates.find(|it| it.exists()) else {
            break;
        };
        chain.insert(0, found);
    }
    let parts: Vec<PathBuf> = chain.iter().flat_map(|it| parts_beside(it)).collect();
    chain.extend(parts);
    chain
}

/// Compares a text with what `snapshots/FOLDER` holds under a name.
pub fn snapshot(folder: &str, name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("../../snapshots/{folder}"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}
