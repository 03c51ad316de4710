//! What is known of texts of which somebody is writing one: where an item cannot be read, its last readable form stands
//! in for it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Compiled, Meant, Memory, Request, made, read, stages};
use crate::diagnostic::{Diagnostic, sort_by_place};
use crate::model::Game;
use crate::source::{FileId, Sources, Span};
use crate::syntax::ast::{ItemKind, SettingValues};
use crate::syntax::{ast, not_read};

/// What is known of a rulebook, as far as it can be understood.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// What was made. There is no game if there is an error, but what is composed may have items that stand in for
    /// broken ones.
    pub compiled: Compiled,
    /// The game as far as it could be made; where there is an error it knows names and types and must not be played.
    pub known: Option<Arc<Game>>,
    /// What the names in it stand for, as far as these rules say it.
    pub meant: Vec<Meant>,
    /// The earlier texts of which items stand in for broken ones.
    pub stand_ins: Vec<StandIn>,
    /// The files of which some text cannot be read.
    pub broken: Vec<FileId>,
}

/// An earlier text of a file.
#[derive(Clone, Copy, Debug)]
pub struct StandIn {
    /// Its number among the sources.
    pub file: FileId,
    /// Where in the present text the first thing stands that cannot be read.
    pub place: Span,
}

/// Compiles a rulebook and never stops at what is broken.
///
/// What could be read before is in the memory. Findings that only follow from what is
/// missing are held back.
pub fn analyse(sources: &mut Sources, request: &Request, memory: &Memory) -> Analysis {
    crate::stack::with_room(|| analyse_here(sources, request, memory))
}

fn analyse_here(sources: &mut Sources, request: &Request, memory: &Memory) -> Analysis {
    let (mut files, diagnostics) = read(sources, request, &|file, text| memory.parse(file, text));
    let wrong = not_read(diagnostics.clone());
    let wrong: Vec<Span> = wrong.iter().filter_map(Diagnostic::span).collect();
    let broken: BTreeSet<FileId> = wrong.iter().map(|it| it.file).collect();
    if broken.is_empty() {
        // A part may be alone, or there twice.
        return fitted(sources, request, made(sources, request, files, diagnostics));
    }
    let mut missing: BTreeSet<String> = BTreeSet::new();
    let mut stand_ins = Vec::new();
    for file in &broken {
        let Some(owner) = files.iter_mut().find(|it| it.holds(*file)) else {
            continue;
        };
        let places = wrong.iter().filter(|it| it.file == *file);
        let stretches: Vec<Span> = places.map(|it| stretch(sources, owner, *it)).collect();
        for it in &stretches {
            missing.extend(words(sources.slice(*it)));
        }
        let source = sources.get(*file);
        let Some(text) = source.and_then(|it| memory.former(&it.name)) else {
            continue;
        };
        let name = source.map_or_else(String::new, |it| format!("before {}", it.name));
        let before = sources.add(name, &**text);
        stand_in(sources, owner, *file, memory.parse(before, text));
        if let Some(place) = stretches.first() {
            stand_ins.push(StandIn {
                file: before,
                place: place.start_point(),
            });
        }
    }
    let mut analysis = fitted(sources, request, made(sources, request, files, Vec::new()));
    let is_old = |it: &Diagnostic| {
        let mut files = it.labels.iter().map(|label| label.span.file);
        files.any(|file| stand_ins.iter().any(|it| it.file == file))
    };
    // Where nothing stands in, it is not known what the missing text would do with what is here.
    let is_whole = stand_ins.len() == broken.len();
    let compiled = &mut analysis.compiled;
    compiled.diagnostics.retain(|it| {
        (is_whole || it.is_error()) && !is_old(it) && !mentions(sources, it, &missing)
    });
    compiled.diagnostics.extend(diagnostics);
    sort_by_place(&mut compiled.diagnostics);
    compiled.game = None;
    analysis.stand_ins = stand_ins;
    analysis.broken = broken.into_iter().collect();
    analysis
}

/// So often edits are left out that do not fit.
const MOST_ROUNDS: usize = 4;

/// Where the files do not fit together, leaves out the edits that are wrong: the others still say what there is. Of the
/// rules without them only errors count that do not speak of what was left out.
fn fitted(sources: &Sources, request: &Request, mut analysis: Analysis) -> Analysis {
    let compiled = &mut analysis.compiled;
    if compiled.composed.is_some() {
        return analysis;
    }
    let mut files = compiled.files.clone();
    let mut found = compiled.diagnostics.clone();
    let mut missing: BTreeSet<String> = BTreeSet::new();
    for _ in 0..MOST_ROUNDS {
        let wrong = found.iter().filter(|it| it.is_error());
        let wrong = wrong.flat_map(|it| it.labels.iter().map(|label| label.span));
        let wrong: Vec<Span> = wrong.collect();
        let Some(left_out) = leave_out(&mut files, &wrong) else {
            break;
        };
        missing.extend(left_out.iter().flat_map(|it| words(sources.slice(*it))));
        found.clear();
        let (composed, known, meant) = stages(&files, request, &mut found);
        if composed.is_some() {
            found.retain(|it| it.is_error() && !mentions(sources, it, &missing));
            compiled.diagnostics.append(&mut found);
            sort_by_place(&mut compiled.diagnostics);
            compiled.composed = composed;
            analysis.known = known.map(Arc::new);
            analysis.meant = meant;
            break;
        }
    }
    analysis
}

/// Takes the edits out that stand at some places, where there is none other items; returns what is gone, if anything is.
fn leave_out(files: &mut [ast::File], wrong: &[Span]) -> Option<Vec<Span>> {
    for only_edits in [true, false] {
        let mut gone = Vec::new();
        for file in &mut *files {
            let items = file.items.iter();
            file.items = items
                .filter_map(|it| kept(it, wrong, only_edits, &mut gone))
                .collect();
        }
        if !gone.is_empty() {
            return Some(gone);
        }
    }
    None
}

fn kept(
    item: &Arc<ast::Item>,
    wrong: &[Span],
    only_edits: bool,
    gone: &mut Vec<Span>,
) -> Option<Arc<ast::Item>> {
    let is_wrong = wrong.iter().any(|it| item.span.holds(*it));
    let is_edit = matches!(
        item.kind,
        ItemKind::Edit(_) | ItemKind::Relation(_) | ItemKind::Resolve(_)
    );
    if is_wrong && (is_edit || !only_edits) {
        gone.push(item.span);
        return None;
    }
    let mut item = Arc::clone(item);
    if is_wrong
        && let ItemKind::Setting(setting) = &mut Arc::make_mut(&mut item).kind
        && let SettingValues::Readings(readings) = &mut setting.values
    {
        for edits in readings.iter_mut().filter_map(|it| it.edits.as_mut()) {
            *edits = edits
                .iter()
                .filter_map(|it| kept(it, wrong, only_edits, gone))
                .collect();
        }
    }
    Some(item)
}

/// Returns the text around a place that was not read: from the item before it to the one behind it.
fn stretch(sources: &Sources, owner: &ast::File, place: Span) -> Span {
    let headers = owner.parts.iter().map(|it| it.header.span);
    let headers = headers.chain(owner.header.iter().map(|it| it.span));
    let known = owner.items.iter().map(|it| it.span).chain(headers);
    let known: Vec<Span> = known.filter(|it| it.file == place.file).collect();
    let before = known.iter().filter(|it| it.end <= place.start);
    let behind = known.iter().filter(|it| it.start >= place.end);
    let length = sources.get(place.file).map_or(0, |it| it.text.len());
    let start = before.map(|it| it.end as usize).max().unwrap_or(0);
    let end = behind.map(|it| it.start as usize).min();
    Span::new(place.file, start, end.unwrap_or(length))
}

/// Returns the words of a text, comments left aside.
fn words(text: &str) -> impl Iterator<Item = String> {
    let lines = text.lines().map(|it| it.split("//").next().unwrap_or(""));
    let words = lines.flat_map(|it| it.split(|c: char| !is_of_word(c)));
    words.filter(|it| !it.is_empty()).map(str::to_owned)
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns whether a finding speaks of one of some words, in its text or where it points to.
fn mentions(sources: &Sources, it: &Diagnostic, missing: &BTreeSet<String>) -> bool {
    let quoted = it.message.split('`').skip(1).step_by(2);
    let places = it.labels.iter().map(|label| sources.slice(label.span));
    let places = places.filter(|it| it.chars().all(is_of_word));
    quoted
        .chain(places)
        .any(|said| words(said).any(|word| missing.contains(&word)))
}

/// Puts the items of an earlier text behind those of a file that has them no longer.
fn stand_in(
    sources: &Sources,
    owner: &mut ast::File,
    file: FileId,
    (mut old, found): (ast::File, Vec<Diagnostic>),
) {
    // What could be read when it was kept is read by no other grammar now.
    if !not_read(found).is_empty() {
        return;
    }
    let key = |it: &Arc<ast::Item>| match it.kind.name() {
        Some(name) => format!("{} {name}", it.kind.word()),
        None => sources.slice(it.span).to_owned(),
    };
    let now = owner.items.iter().filter(|it| it.span.file == file);
    let now: Vec<String> = now.map(key).collect();
    let keys: Vec<String> = old.items.iter().map(key).collect();
    let same = |pair: &(&String, &String)| pair.0 == pair.1;
    let n_before = now.iter().zip(&keys).take_while(same).count();
    let backwards = now.iter().rev().zip(keys.iter().rev());
    let most = now.len().min(keys.len()) - n_before;
    let n_behind = backwards.take(most).take_while(same).count();
    let known: BTreeSet<&String> = now.iter().collect();
    let mut at = 0;
    let end = keys.len() - n_behind;
    old.items.retain(|_| {
        at += 1;
        let key = keys.get(at - 1);
        (n_before < at && at <= end) && key.is_none_or(|it| !known.contains(it))
    });
    owner.join(old);
}
