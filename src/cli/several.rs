//! Several rulebooks on one command line: names, files, and all files of a folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::error::Findings;
use super::load::{Asked, RulesArgs, read_text};
use super::{CliError, Ui};
use crate::diagnostic::codes;
use crate::pipeline::Memory;
use crate::syntax::ast::HeaderKind;
use crate::syntax::parse_header;
use crate::threads::{self, Go, Left};

/// How many folders deep is looked.
const DEEPEST: usize = 20;

/// Returns what is asked for by these words, the input being called so.
pub fn asked_by(
    words: &[String],
    rules: &RulesArgs,
    name: Option<&str>,
    ui: &mut Ui<'_>,
) -> Result<Vec<Asked>, CliError> {
    let words = rulebooks_meant(words)?.into_iter();
    words
        .map(|word| rules.asked(word).with_input(name, ui))
        .collect()
}

/// Looks at each of them, on several threads, until somebody stops it; what was begun by then is told, as far as it is.
pub fn each_of<T: Send>(
    asked: &[Asked],
    ui: &Ui<'_>,
    look: impl Fn(&Asked, &Memory, &dyn Fn() -> bool) -> T + Sync,
) -> (Vec<T>, Left) {
    let is_stopped = AtomicBool::new(false);
    let goes_on = || !is_stopped.load(Ordering::Relaxed);
    // Most amendments stand on what was looked at just before.
    let memory = Memory::default();
    let worker = || {
        |at: u64, _: &AtomicBool| {
            let it = asked.get(usize::try_from(at).ok()?)?;
            goes_on().then(|| look(it, &memory, &goes_on))
        }
    };
    let mut seen = Vec::new();
    let jobs = threads::here();
    let left = threads::in_turn(jobs, asked.len() as u64, worker, &mut |it: Option<T>| {
        seen.extend(it);
        is_stopped.fetch_or(ui.is_stopped(), Ordering::Relaxed);
        Go::On
    });
    match goes_on() {
        true => (seen, left),
        false => (seen, Left::Stopped),
    }
}

/// Returns what was seen of each; of several, what could not be looked at becomes findings as well.
pub fn seen<T>(
    all: Vec<Result<T, CliError>>,
    unread: impl Fn(Findings) -> T,
) -> Result<Vec<T>, CliError> {
    let is_alone = all.len() == 1;
    let each = all.into_iter().map(|it| match it {
        Err(CliError::Found(findings)) if !is_alone => Ok(unread(*findings)),
        other => other,
    });
    each.collect()
}

/// Returns the words with the files that lie in a folder in its place; parts come with their rulebooks.
fn rulebooks_meant(words: &[String]) -> Result<Vec<String>, CliError> {
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
            // What cannot be read is told where it is looked at, and the others with it.
            let header = read_text(&file).ok().and_then(|it| parse_header(&it));
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
