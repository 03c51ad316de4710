//! What an amendment names beside it: what is nowhere, and what is there twice.

use std::path::Path;

use super::rulebooks::ENDING;
use super::shelf::Shelf;
use crate::diagnostic::{Diagnostic, closest, codes};
use crate::library;
use crate::pipeline::Compiled;
use crate::source::{FileId, Sources};
use crate::syntax::ast::{
    File, HeaderKind, Item, ItemKind, RelationKind, Setting, SettingValues, UnitRef,
};

/// Where strangers are looked for.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// The texts.
    pub sources: &'a Sources,
    /// What was made of them.
    pub compiled: &'a Compiled,
    /// The files that are looked at.
    pub own: &'a [FileId],
    /// What lies beside them.
    pub shelf: &'a Shelf,
}

/// Returns what is named in some files and is nowhere, or is two things. What is not among them may be elsewhere: it lies beside the file or
/// comes with the program, or is asked by such a rulebook.
pub fn strangers(around: Around<'_>) -> Vec<Diagnostic> {
    let files = &around.compiled.files;
    let headers = files.iter().filter_map(|it| it.header.as_ref());
    let mut known: Vec<&str> = headers.map(|it| it.name.as_str()).collect();
    let composed = around.compiled.composed.iter().flat_map(|it| &it.items);
    let settings: Vec<&Setting> = composed.filter_map(|it| setting(&it.item)).collect();
    known.extend(
        files
            .iter()
            .flat_map(|it| &it.items)
            .filter_map(|it| Some(setting(it)?.name.as_str())),
    );
    let mut found: Vec<Diagnostic> = Vec::new();
    for file in files.iter().filter(|it| around.own.contains(&it.file)) {
        found.extend(one_of_two(around, file));
    }
    for file in files.iter().filter(|it| around.own.contains(&it.file)) {
        // What stands in for something broken is no text to tell of.
        let is_written = |it: &&UnitRef| file.holds(it.name.span.file);
        for unit in units(file).into_iter().filter(is_written) {
            let mut asked = settings.iter().filter(|it| it.name.text == unit.name.text);
            if let Some(setting) = asked.next() {
                found.extend(no_reading(setting, unit));
            } else if !known.contains(&unit.name.as_str()) && !is_elsewhere(around, file, unit) {
                let message = format!("no amendment and no question is called `{}`", unit.name);
                let found_here = Diagnostic::at(codes::STRANGER, unit.name.span, message);
                let shipped = library::FILES.iter().map(|it| it.name);
                found.push(match closest(&unit.name.text, known.iter().copied().chain(shipped)) {
                    Some(near) => found_here.help(format!("did you mean `{near}`?")),
                    None => found_here.help(format!(
                        "an amendment of this name lies in `{}{ENDING}` beside this one, or comes with the program",
                        unit.name
                    )),
                });
            }
        }
    }
    found
}

/// Says which rulebook was taken where an amendment can stand on two that are called alike and say something else.
fn one_of_two(around: Around<'_>, file: &File) -> Option<Diagnostic> {
    let HeaderKind::Amendment { base, .. } = &file.header.as_ref()?.kind else {
        return None;
    };
    let mut files = around.compiled.files.iter();
    let named = |it: &&File| {
        it.header
            .as_ref()
            .is_some_and(|it| it.name.text == base.text)
    };
    let taken = around.sources.get(files.find(named)?.file)?;
    let own = &around.sources.get(file.file)?.name;
    let fitting = around.shelf.fitting(own, None, base.as_str());
    let is_other = |it: &String| {
        let text = around.shelf.read(it);
        *it != taken.name && text.is_ok_and(|text| text != taken.text)
    };
    let shipped = library::find(base.as_str()).filter(|it| it.text != taken.text);
    let other = match fitting.into_iter().find(is_other) {
        Some(path) => format!("another one lies in `{path}`"),
        None => shipped.map(|_| String::from("another one comes with the program"))?,
    };
    let message = format!("`{base}` is the one in `{}`; {other}", taken.name);
    let help = "call one of them otherwise if that is not the one that is meant";
    Some(Diagnostic::at(codes::ONE_OF_TWO, base.span, message).help(help))
}

/// What is excluded, what comes before or after, and what is settled together. What is needed is an error where it is missing.
fn units(file: &File) -> Vec<&UnitRef> {
    let header = file.header.iter().flat_map(|it| &it.tail.orders);
    let tails = file.items.iter().flat_map(|it| &it.tail.orders);
    let mut all: Vec<&UnitRef> = header.chain(tails).flat_map(|it| &it.units).collect();
    for item in &file.items {
        match &item.kind {
            ItemKind::Relation(it) if it.kind == RelationKind::Excludes => all.push(&it.unit),
            ItemKind::Resolve(it) => all.extend(&it.units),
            _ => {}
        }
    }
    all
}

fn setting(item: &Item) -> Option<&Setting> {
    match &item.kind {
        ItemKind::Setting(setting) => Some(setting),
        _ => None,
    }
}

/// Says that a question has no such reading.
fn no_reading(setting: &Setting, unit: &UnitRef) -> Option<Diagnostic> {
    let reading = unit.reading.as_ref()?;
    let SettingValues::Readings(written) = &setting.values else {
        return None;
    };
    let names: Vec<&str> = written.iter().map(|it| it.name.as_str()).collect();
    if names.contains(&reading.as_str()) {
        return None;
    }
    let message = format!("`{}` has no reading `{reading}`", unit.name);
    let found = Diagnostic::at(codes::STRANGER, reading.span, message);
    Some(match closest(&reading.text, names.iter().copied()) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None => {
            let all: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
            found.help(format!("its readings are {}", all.join(", ")))
        }
    })
}

/// Whether a rulebook of this name lies beside a file or comes with the program, or one of those asks a question of this name.
fn is_elsewhere(around: Around<'_>, file: &File, unit: &UnitRef) -> bool {
    let name = unit.name.as_str();
    if library::find(name).is_some() {
        return true;
    }
    let shelf = around.shelf;
    let path = around.sources.get(file.file).map_or("", |it| &it.name);
    let folder = Path::new(path).parent().unwrap_or(Path::new(""));
    let beside = shelf.names_in(folder);
    if beside.contains(&format!("{name}{ENDING}")) {
        return true;
    }
    let beside = beside.iter().filter(|it| it.ends_with(ENDING));
    let texts = beside.filter_map(|it| shelf.read(folder.join(it).to_str()?).ok());
    let shipped = library::FILES.iter().chain(library::PARTS);
    let mut texts = shipped.map(|it| it.text.to_owned()).chain(texts);
    texts.any(|text| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut pairs = words.windows(2);
        pairs.any(|it| {
            let is_called = it[1].trim_end_matches([':', '{']) == name;
            is_called && ["question", "option", "variant", "expansion", "edition"].contains(&it[0])
        })
    })
}
