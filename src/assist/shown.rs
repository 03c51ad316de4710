//! What an editor shows beside the words: what kind of thing each name is, and types that nobody wrote.

use super::hover::{Known, local_at};
use super::names::{Doing, Target};
use crate::source::{FileId, Span};

/// A name with what it is.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// Where it stands.
    pub span: Span,
    /// What it stands for, in a word of the language; `local` and `book` are none.
    pub word: &'static str,
    /// Whether it is given here.
    pub declares: bool,
}

/// Returns the names in a file, by place.
pub fn shown(known: &Known<'_>, file: FileId) -> Vec<Shown> {
    let here = known.names.all().iter().filter(|it| it.span.file == file);
    let shown = here.map(|it| Shown {
        span: it.span,
        word: match &it.target {
            Target::Local(..) => "local",
            Target::Book(_) | Target::Source(_) => "book",
            target => {
                let thing = known.names.things(target).first();
                thing.map_or("sentence", |it| it.word)
            }
        },
        declares: it.doing == Doing::Declares,
    });
    shown.collect()
}

/// Returns the types of what is bound by `let` in a file, each with the name behind which it may stand.
pub fn types(known: &Known<'_>, file: FileId) -> Vec<(Span, String)> {
    let Some(game) = known.game else {
        return Vec::new();
    };
    let lets = known.names.lets().iter().filter(|it| it.file == file);
    let typed = lets.filter_map(|span| {
        let local = local_at(game, *span)?;
        Some((*span, game.type_written(local.ty)?))
    });
    typed.collect()
}
