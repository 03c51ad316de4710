use std::collections::BTreeMap;
use std::path::Path;

use clap::Args;
use serde::Serialize;

use crate::cli::load::{self, Asked};
use crate::cli::{CliError, Exit, Ui, diff, files, locked, rulebooks};
use crate::diagnostic::codes;
use crate::library;
use crate::pipeline::Request;
use crate::source::Sources;
use crate::syntax::ast::HeaderKind;
use crate::syntax::parse_header;
use crate::upgrade::{Mark, Which, upgrade};

/// Rewrite rulebook files that are in an older form of the language.
///
/// Their parts are rewritten with them. What is left to do by hand is said.
#[derive(Args, Debug)]
pub struct UpgradeArgs {
    /// Rulebook files: games, amendments, parts
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// An amendment that is read along and not rewritten; may be given several times
    #[arg(long = "with", value_name = "AMENDMENT")]
    with: Vec<String>,
    /// Note beside each amendment, in NAME.lock, what its rulebook says where it is changed; from then on `adit check` tells where
    /// that has become something else. Nothing is rewritten
    #[arg(long, conflicts_with_all = ["check", "diff"])]
    lock: bool,
    /// Change nothing; name the files that would change
    #[arg(long)]
    check: bool,
    /// Change nothing; show what would change
    #[arg(long, conflicts_with = "check")]
    diff: bool,
}

#[derive(Serialize)]
struct FileJson<'a> {
    file: &'a str,
    changed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    marks: Vec<MarkJson<'a>>,
}

#[derive(Serialize)]
struct MarkJson<'a> {
    line: usize,
    what: &'a str,
    must: bool,
}

/// What came of a file.
#[derive(Default)]
struct Done {
    before: String,
    after: String,
    marks: Vec<Mark>,
    /// Whether it is not among the files that were given, and stays as it is.
    beside: bool,
}

/// Rewrites the files, or says what would change. The answer is no if something has to be done by hand, or if
/// something would change that is only looked at.
pub fn run(args: &UpgradeArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    if args.lock {
        return note(args, ui);
    }
    let mut done: BTreeMap<String, Done> = BTreeMap::new();
    for path in in_order(&args.files)? {
        one(path, args, &mut done, false)?;
    }
    done.retain(|_, it| !it.beside);
    let looks_only = args.check || args.diff;
    for (path, it) in &done {
        if it.before != it.after && !looks_only {
            files::rewrite(Path::new(path), &it.after)?;
        }
    }
    show(&done, args, ui)?;
    let changed = done.values().any(|it| it.before != it.after);
    let must = done.values().any(|it| it.marks.iter().any(|it| it.must));
    Ok(if must || looks_only && changed {
        Exit::No
    } else {
        Exit::Yes
    })
}

/// Notes what the amendments change; the answer is no where none was named.
fn note(args: &UpgradeArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let mut written = Vec::new();
    for path in in_order(&args.files)? {
        let read = load::compile(&Asked {
            game: path.clone(),
            amendments: args.with.clone(),
            ..Asked::default()
        })?;
        let errors = read.compiled.diagnostics.iter();
        let errors: Vec<_> = errors.filter(|it| it.is_error()).cloned().collect();
        if !errors.is_empty() {
            return Err(CliError::found(read.sources, errors));
        }
        written.extend(locked::note(&read)?);
    }
    let names = written.iter().map(|it| it.display().to_string());
    let names: Vec<String> = names.collect();
    if ui.json {
        ui.json_value(&names)?;
    } else {
        for name in &names {
            ui.line(format!("{name}: written"))?;
        }
        if names.is_empty() {
            ui.line("no amendment was named: a game stands on nothing that could change under it")?;
        }
    }
    Ok(match names.is_empty() {
        true => Exit::No,
        false => Exit::Yes,
    })
}

/// Returns the files so that what others stand on comes first.
fn in_order(files: &[String]) -> Result<Vec<&String>, CliError> {
    let mut all = Vec::new();
    for path in files {
        if !rulebooks::is_path(path) {
            let message = format!("`{path}` is no file");
            let help =
                "name a file that ends with `.rules`; what comes with the program is up to date";
            return Err(CliError::new(codes::UNREADABLE_FILE, message, help));
        }
        let header = parse_header(&crate::cli::load::read_text(path)?);
        let rank = match header.map(|it| it.kind) {
            Some(HeaderKind::Game) => 0,
            Some(HeaderKind::Amendment { .. }) => 1,
            _ => 2,
        };
        all.push((rank, path));
    }
    all.sort_by_key(|it| it.0);
    Ok(all.into_iter().map(|it| it.1).collect())
}

/// Rewrites a rulebook. What it stands on comes first, though nobody has asked for it.
fn one(
    path: &str,
    args: &UpgradeArgs,
    done: &mut BTreeMap<String, Done>,
    beside: bool,
) -> Result<(), CliError> {
    let asked = Asked {
        game: path.to_owned(),
        amendments: args.with.clone(),
        ..Asked::default()
    };
    let found = rulebooks::gather(&asked)?;
    let own = rulebooks::own_files(&found.sources, path);
    // Known from here on, so that what stands on itself does not come back.
    for file in &own {
        let Some(source) = found.sources.get(*file) else {
            continue;
        };
        let first = || Done {
            before: source.text.clone(),
            after: source.text.clone(),
            marks: Vec::new(),
            beside,
        };
        let it = done.entry(source.name.clone()).or_insert_with(first);
        it.beside &= beside;
    }
    for (file, source) in found.sources.iter() {
        let name = &source.name;
        let is_known = own.contains(&file) || done.contains_key(name);
        // What comes with the program is up to date, and need not lie anywhere.
        let comes_along = library::FILES
            .iter()
            .any(|it| it.path == name && it.text == source.text);
        if !is_known && !comes_along && !is_part(&source.text) {
            one(name, args, done, true)?;
        }
    }
    let mut sources = Sources::new();
    let mut before = BTreeMap::new();
    for (_, source) in found.sources.iter() {
        let known = done.get(&source.name);
        let file = sources.add(&source.name, known.map_or(&source.text, |it| &it.before));
        before.extend(known.map(|it| (file, it.after.clone())));
    }
    before.retain(|file, _| !own.contains(file));
    let mut others = Vec::new();
    for name in rulebooks::named(&sources, &own) {
        let there = sources.iter().any(|(_, it)| is_called(&it.text, &name));
        if let Some(found) = rulebooks::beside(path, &name).filter(|_| !there) {
            for (_, source) in found.iter() {
                others.push(sources.add(&source.name, &source.text));
            }
        }
    }
    let request = Request {
        base: found.base,
        amendments: found.amendments,
        ..Request::default()
    };
    let which = Which {
        own: &own,
        beside: &others,
        done: &before,
    };
    let upgraded = match upgrade(&sources, &request, which) {
        Ok(upgraded) => upgraded,
        Err(errors) => return Err(CliError::found(sources, errors)),
    };
    for file in own {
        let Some(source) = sources.get(file) else {
            continue;
        };
        let Some(it) = done.get_mut(&source.name) else {
            continue;
        };
        if let Some(text) = upgraded.texts.get(&file) {
            it.after.clone_from(text);
        }
        let marks = upgraded.marks.iter().filter(|it| it.file == file);
        it.marks.extend(marks.cloned());
        it.marks.sort();
        it.marks.dedup();
    }
    Ok(())
}

fn is_part(text: &str) -> bool {
    parse_header(text).is_some_and(|it| it.kind == HeaderKind::Part)
}

fn is_called(text: &str, name: &str) -> bool {
    parse_header(text).is_some_and(|it| it.name.text == name)
}

fn show(
    done: &BTreeMap<String, Done>,
    args: &UpgradeArgs,
    ui: &mut Ui<'_>,
) -> Result<(), CliError> {
    if ui.json {
        let all = done.iter().map(|(path, it)| FileJson {
            file: path,
            changed: it.before != it.after,
            diff: args
                .diff
                .then(|| diff::unified(path, &it.before, &it.after)),
            marks: it
                .marks
                .iter()
                .map(|it| MarkJson {
                    line: it.line,
                    what: &it.what,
                    must: it.must,
                })
                .collect(),
        });
        let all: Vec<_> = all.collect();
        return ui.json_value(&all);
    }
    for (path, it) in done {
        if it.before != it.after {
            if args.diff {
                ui.part(diff::unified(path, &it.before, &it.after))?;
            } else if args.check {
                ui.line(format!("{path}: would change"))?;
            } else {
                ui.line(format!("{path}: changed"))?;
            }
        }
        if !args.diff {
            for mark in &it.marks {
                ui.line(format!("{path}:{}: {}", mark.line, mark.what))?;
            }
        }
    }
    Ok(())
}
