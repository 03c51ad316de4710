//! Finds the rulebooks that other tests run over.

use std::path::PathBuf;

/// Returns all `.rules` files in a folder and the folders in it, sorted.
pub fn rule_files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder)];
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
    found.sort();
    found
}
