//! From texts to a checked game: the one door for every front end.

use std::sync::Arc;

use crate::check::check;
use crate::compose::{Composed, compose};
use crate::diagnostic::{Diagnostic, sort_by_place};
use crate::model::Game;
use crate::source::{FileId, Sources};
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
    let (composed, found) = compose(base, &amendments.iter().collect::<Vec<_>>());
    diagnostics.extend(found);
    let Some(composed) = composed else {
        return (None, None);
    };
    let (game, found) = check(&composed, &request.set, request.seats);
    diagnostics.extend(found);
    (Some(composed), game)
}

fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}
