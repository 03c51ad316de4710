//! Every file of `rules/` is in the program.

use std::fs;
use std::path::Path;

use adit::library;

/// Lists the files below a folder of the project, as paths from its root.
fn files(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        let name = entry.file_name().into_string().expect("a name in ASCII");
        let path = format!("{folder}/{name}");
        if entry.path().is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn every_rulebook_is_shipped() {
    let mut shipped: Vec<&str> = library::FILES.iter().map(|file| file.path).collect();
    shipped.sort_unstable();
    assert_eq!(files("rules"), shipped, "src/library.rs lists them");
}

#[test]
fn every_shipped_name_is_unique() {
    let mut names: Vec<&str> = library::FILES.iter().map(|file| file.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), library::FILES.len());
}
