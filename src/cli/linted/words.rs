//! Which rulebooks are meant: names, files, and all files of a folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::cli::CliError;
use crate::cli::load::read_text;
use crate::diagnostic::codes;
use crate::syntax::ast::HeaderKind;
use crate::syntax::parse_header;

/// How many folders deep is looked.
const DEEPEST: usize = 20;

/// Returns the words with the files that lie in a folder in its place; parts come with their rulebooks.
pub fn rulebooks_meant(words: &[String]) -> Result<Vec<String>, CliError> {
    let mut all = Vec::new();
    for word in words {
        if !Path::new(word).is_dir() {
            all.push(word.clone());
            continue;
        }
        let mut files = BTreeSet::new();
        gather(Path::new(word), DEEPEST, &mut files);
        let before = all.len();
        for file in files {
            let header = parse_header(&read_text(&file)?);
            if header.is_none_or(|it| it.kind != HeaderKind::Part) {
                all.push(file);
            }
        }
        if all.len() == before {
            let message = format!("no rulebook lies in `{word}`");
            let help = "name a file that ends with `.rules`, or a folder with such files";
            return Err(CliError::new(codes::UNREADABLE_FILE, message, help));
        }
    }
    Ok(all)
}

fn gather(folder: &Path, deep: usize, found: &mut BTreeSet<String>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|it| it.path()) {
        let is_link = path.is_symlink();
        if path.is_dir() && !is_link && deep > 0 {
            gather(&path, deep - 1, found);
        } else if path.is_file() && path.extension().is_some_and(|it| it == "rules") {
            found.extend(path.to_str().map(str::to_owned));
        }
    }
}
