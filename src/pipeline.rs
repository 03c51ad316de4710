//! From texts to a checked game: the one door for every front end.

use std::sync::Arc;

use crate::check::check;
use crate::compose::compose;
use crate::diagnostic::{Diagnostic, sort_by_place};
use crate::model::Game;
use crate::source::{FileId, Sources};
use crate::syntax::parse;

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
    /// The game, if nothing is wrong with the texts.
    pub game: Option<Arc<Game>>,
    /// Everything found, by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Compiles a rulebook with its amendments for one table.
pub fn compile(sources: &Sources, request: &Request) -> Compiled {
    let mut diagnostics = Vec::new();
    let mut read = |file: FileId| {
        let text = sources.get(file).map_or("", |source| source.text.as_str());
        let (tree, found) = parse(file, text);
        diagnostics.extend(found);
        tree
    };
    let base = read(request.base);
    let amendments: Vec<_> = request.amendments.iter().map(|file| read(*file)).collect();
    // An item that could not be read would be missed everywhere.
    if diagnostics.iter().any(Diagnostic::is_error) {
        sort_by_place(&mut diagnostics);
        return Compiled {
            game: None,
            diagnostics,
        };
    }
    let (composed, found) = compose(&base, &amendments.iter().collect::<Vec<_>>());
    diagnostics.extend(found);
    let mut game = None;
    if let Some(composed) = &composed {
        let (checked, found) = check(composed, &request.set, request.seats);
        diagnostics.extend(found);
        game = checked;
    }
    sort_by_place(&mut diagnostics);
    if diagnostics.iter().any(Diagnostic::is_error) {
        game = None;
    }
    Compiled {
        game: game.map(Arc::new),
        diagnostics,
    }
}
