//! What a rulebook said where an amendment changes it: noted beside the amendment, and held against what it says now.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::load::{Read, read_text};
use super::{CliError, files};
use crate::compose::compose;
use crate::diagnostic::{Diagnostic, codes};
use crate::source::{FileId, Sources, Span};
use crate::syntax::ast::{Edit, File, HeaderKind, Item, ItemKind};
use crate::syntax::tokens::tokens;

/// How the file ends that lies beside an amendment.
const ENDING: &str = "lock";
const VERSION: u32 = 1;

/// What is noted.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Noted {
    /// The form of the file.
    adit: u32,
    /// What the amendment is for.
    r#for: String,
    /// By address, what stood there.
    clauses: BTreeMap<String, String>,
}

/// What stands at an address, and the edit that changes it.
struct Touched {
    edit: Span,
    there: Span,
    says: String,
}

/// Notes beside each amendment that was named by its path what it changes; returns the files that were written.
pub fn note(read: &Read) -> Result<Vec<PathBuf>, CliError> {
    let mut written = Vec::new();
    for (file, path) in amendments(read) {
        let touched = touched(read, file);
        let noted = Noted {
            adit: VERSION,
            r#for: base_of(file).unwrap_or_default().to_owned(),
            clauses: touched.into_iter().map(|(at, it)| (at, it.says)).collect(),
        };
        let text = serde_json::to_string_pretty(&noted).unwrap_or_default();
        files::write(&path, &format!("{text}\n"))?;
        written.push(path);
    }
    Ok(written)
}

/// Returns what has changed since it was noted.
pub fn changed(read: &Read) -> Result<Vec<Diagnostic>, CliError> {
    let mut found = Vec::new();
    for (file, path) in amendments(read) {
        if !path.is_file() {
            continue;
        }
        let noted = noted(&path)?;
        for (at, it) in touched(read, file) {
            let Some(said) = noted
                .clauses
                .get(&at)
                .filter(|said| !is_alike(said, &it.says))
            else {
                continue;
            };
            let message = format!("`{at}` says something else than when this edit was written");
            found.push(
                Diagnostic::at(codes::CHANGED_SINCE, it.edit, message)
                    .label(it.there, "this is what it says now")
                    .help(format!(
                        "it said `{said}`; when the edit fits again, `adit upgrade --lock` notes what is there now"
                    )),
            );
        }
    }
    Ok(found)
}

fn noted(path: &Path) -> Result<Noted, CliError> {
    let shown = path.to_string_lossy();
    let read: Option<Noted> = serde_json::from_str(&read_text(&shown)?).ok();
    read.filter(|it| it.adit == VERSION).ok_or_else(|| {
        let message = format!("`{shown}` does not note what a rulebook said");
        let help = "write it anew: `adit upgrade --lock` and the amendment beside it";
        CliError::new(codes::WRONG_LOCK, message, help)
    })
}

/// The amendments that were named by their paths, each with the file that lies beside it.
fn amendments(read: &Read) -> impl Iterator<Item = (&File, PathBuf)> {
    let files = read.compiled.files.iter();
    let own = files.filter(|it| base_of(it).is_some() && read.on_disk.contains(&it.file));
    own.filter_map(|it| {
        let name = &read.sources.get(it.file)?.name;
        Some((it, Path::new(name).with_extension(ENDING)))
    })
}

fn base_of(file: &File) -> Option<&str> {
    match &file.header.as_ref()?.kind {
        HeaderKind::Amendment { base, .. } => Some(base.as_str()),
        _ => None,
    }
}

/// Returns what an amendment replaces, removes, extends, lifts or sets, by its address in what it stands on. What it adds or forbids goes
/// together with whatever is there.
fn touched(read: &Read, file: &File) -> BTreeMap<String, Touched> {
    let files = &read.compiled.files;
    let named = |name: &str| {
        let is_it = |it: &&File| it.header.as_ref().is_some_and(|it| it.name.text == name);
        files.iter().find(is_it)
    };
    let mut chain = Vec::new();
    let mut next = base_of(file).and_then(named);
    while let Some(it) = next.filter(|_| chain.len() < files.len()) {
        chain.push(it);
        next = base_of(it).and_then(named);
    }
    chain.reverse();
    let Some((base, amendments)) = chain.split_first() else {
        return BTreeMap::new();
    };
    let Some(composed) = compose(base, amendments, &[]).0 else {
        return BTreeMap::new();
    };
    let mut edits: BTreeMap<String, Span> = BTreeMap::new();
    for item in &file.items {
        edits.extend(target(item).map(|at| (at, item.span)));
    }
    let outline = composed.outline().into_iter();
    let known = outline.filter_map(|it| {
        let edit = *edits.get(&it.address)?;
        let says = bare(&read.sources, files, it.span);
        let there = it.span;
        Some((it.address, Touched { edit, there, says }))
    });
    known.collect()
}

fn target(item: &Item) -> Option<String> {
    match &item.kind {
        ItemKind::Edit(
            edit @ (Edit::Set { .. }
            | Edit::Permit(_)
            | Edit::Replace(_)
            | Edit::Remove { .. }
            | Edit::Extend { .. }),
        ) => edit.target(),
        _ => None,
    }
}

/// Returns what is written at a place, without remarks and however it is laid out.
fn bare(sources: &Sources, files: &[File], span: Span) -> String {
    let comments = files.iter().filter(|it| it.holds(span.file));
    let comments = comments.flat_map(|it| &it.comments).map(|it| it.span);
    let mut text = String::new();
    let mut at = span.start;
    for comment in comments.filter(|it| is_inside(*it, span)) {
        text += sources.slice(part(span.file, at, comment.start));
        at = comment.end;
    }
    text += sources.slice(part(span.file, at, span.end));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether two texts are made of the same words and signs; one may have blanks where the other one has none.
fn is_alike(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|it| tokens(it, 0..it.len()));
    let texts = one.iter().map(|it| it.text);
    texts.eq(other.iter().map(|it| it.text))
}

fn is_inside(inner: Span, outer: Span) -> bool {
    inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
}

fn part(file: FileId, start: u32, end: u32) -> Span {
    Span::new(file, start as usize, end as usize)
}
