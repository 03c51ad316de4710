//! From texts to a checked game: the one door for every front end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::check::check;
use crate::compose::{Composed, compose};
use crate::diagnostic::{Diagnostic, sort_by_place};
use crate::model::{Game, Silence};
use crate::source::{FileId, Sources, Span};
use crate::syntax::{ast, parse};

/// What to compile.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The rulebook.
    pub base: FileId,
    /// Its amendments, in any order.
    pub amendments: Vec<FileId>,
    /// Options and questions with the value or reading that is wanted.
    pub set: Vec<(String, String)>,
    /// The number of seats; by default the least that the rulebook allows.
    pub seats: Option<u32>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// What is written: the rulebook, then its amendments.
    pub files: Vec<ast::File>,
    /// The rulebook with its amendments worked in, if they fit together.
    pub composed: Option<Composed>,
    /// The game, if nothing is wrong with the texts.
    pub game: Option<Arc<Game>>,
    /// Everything found, by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Compiles a rulebook with its amendments for one table.
pub fn compile(sources: &Sources, request: &Request) -> Compiled {
    crate::stack::with_room(|| compile_here(sources, request))
}

fn compile_here(sources: &Sources, request: &Request) -> Compiled {
    let mut diagnostics = Vec::new();
    let mut read = |file: FileId| {
        let text = sources.get(file).map_or("", |source| source.text.as_str());
        let (tree, found) = parse(file, text);
        diagnostics.extend(found);
        tree
    };
    let texts = std::iter::once(&request.base).chain(&request.amendments);
    let files: Vec<ast::File> = texts.map(|file| read(*file)).collect();
    let (composed, game) = stages(&files, request, &mut diagnostics);
    if let Some(game) = &game {
        let misspelt = misspelt(&files, request.seats, game);
        diagnostics.extend(misspelt);
    }
    sort_by_place(&mut diagnostics);
    let game = game.filter(|_| !has_error(&diagnostics)).map(Arc::new);
    Compiled {
        files,
        composed,
        game,
        diagnostics,
    }
}

fn stages(
    files: &[ast::File],
    request: &Request,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Option<Composed>, Option<Game>) {
    // An item that could not be read would be missed everywhere.
    let Some((base, amendments)) = files.split_first().filter(|_| !has_error(diagnostics)) else {
        return (None, None);
    };
    let amendments: Vec<&ast::File> = amendments.iter().collect();
    let (composed, found) = compose(base, &amendments, &request.set);
    diagnostics.extend(found);
    let Some(composed) = composed else {
        return (None, None);
    };
    let (game, found) = check(&composed, &request.set, request.seats);
    diagnostics.extend(found);
    (Some(composed), game)
}

/// Returns what is wrong with rulings and studies that name what these rules do not have: where the
/// rules that they were written for do not have it either, it is misspelt.
fn misspelt(files: &[ast::File], seats: Option<u32>, game: &Game) -> Vec<Diagnostic> {
    let Some((base, amendments)) = files.split_first() else {
        return Vec::new();
    };
    let mut homes: BTreeMap<&BTreeSet<String>, Vec<Span>> = BTreeMap::new();
    for it in game.unheard.iter().filter(|it| it.why == Silence::Missing) {
        homes.entry(&it.home).or_default().push(it.span);
    }
    let mut found = Vec::new();
    for (home, spans) in homes {
        let is_own = |file: &&ast::File| {
            let name = file.header.as_ref().map(|header| header.name.as_str());
            name.is_some_and(|name| home.contains(name))
        };
        let own: Vec<&ast::File> = amendments.iter().filter(is_own).collect();
        let Some(composed) = compose(base, &own, &[]).0 else {
            continue;
        };
        let errors = check(&composed, &[], seats).1.into_iter();
        let errors = errors.filter(|it| {
            let at = it.span().filter(|_| it.is_error());
            at.is_some_and(|at| spans.iter().any(|span| span.holds(at)))
        });
        found.extend(errors);
    }
    found
}

fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}
