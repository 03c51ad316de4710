//! A module imports only from floors below its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The floors from the ground up; modules on one floor do not know each other.
const FLOORS: &[&[&str]] = &[
    &["source", "library", "limits", "stack", "stats", "threads"],
    &["diagnostic"],
    &["syntax"],
    &["compose"],
    &["model"],
    &["check"],
    &["engine"],
    &["study"],
    &["mind"],
    &["lint", "format", "play", "lab"],
    &["ruling"],
    &["pipeline"],
    &["upgrade", "assist"],
    &["report", "lsp"],
    &["cli"],
];

fn floor_of(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a source folder") {
        let path = entry.expect("an entry of a source folder").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(path);
        }
    }
}

/// Finds the top-level modules that a text names as `crate::module` or `adit::module`.
fn imports(text: &str) -> Vec<String> {
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let mut found = Vec::new();
    for line in code {
        for part in line.split("crate::").skip(1) {
            if let Some(group) = part.strip_prefix('{') {
                let names = group.split('}').next().unwrap_or("").split(',');
                found.extend(names.map(first_word));
            } else {
                found.push(first_word(part));
            }
        }
    }
    found.retain(|module| !module.is_empty());
    found
}

fn first_word(text: &str) -> String {
    text.trim()
        .chars()
        .take_while(|it| it.is_alphanumeric() || *it == '_')
        .collect()
}

#[test]
fn modules_import_only_from_floors_below() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&root, &mut files);
    files.sort();
    let mut wrong = Vec::new();
    for file in files {
        let inside = file.strip_prefix(&root).expect("a file below src");
        let first = inside
            .iter()
            .next()
            .and_then(|it| it.to_str())
            .unwrap_or("");
        let module = first.trim_end_matches(".rs");
        if ["lib", "main"].contains(&module) {
            continue;
        }
        let Some(here) = floor_of(module) else {
            wrong.push(format!("{}: `{module}` has no floor", inside.display()));
            continue;
        };
        let text = fs::read_to_string(&file).expect("a readable source file");
        for import in imports(&text) {
            let below = floor_of(&import).is_none_or(|there| there < here);
            if import != module && !below {
                wrong.push(format!("{} imports `{import}`", inside.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The library is not compiled as a test of its own (`test = false`), so a test inside of it would never run.
#[test]
fn no_test_stands_where_it_never_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&root, &mut files);
    assert!(!files.is_empty());
    for file in files {
        let text = fs::read_to_string(&file).expect("a readable source file");
        let has_test = ["cfg(test)", "#[test]"].iter().any(|it| text.contains(it));
        assert!(!has_test, "{}", file.display());
    }
}

#[test]
fn every_floor_names_modules_once() {
    let mut seen = BTreeMap::new();
    for (height, floor) in FLOORS.iter().enumerate() {
        for module in *floor {
            assert_eq!(
                seen.insert(*module, height),
                None,
                "{module} is listed twice"
            );
        }
    }
}
