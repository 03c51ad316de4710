//! What is probably not meant, though it can be played.
//!
//! A lint is one file in `rules/`, one page `docs/codes/L1NN.md`, one fixture
//! `tests/fixtures/lint/L1NN-name.md` and one snapshot; a test fails where one of them is missing.
//! `allow(L1NN, "reason")` silences a lint at an item or clause and in all that stands in it.

mod fix;
mod folded;
mod games;
mod index;
mod nodes;
mod rules;
mod says;
mod sentences;
mod terms;
mod words;

pub use fix::{Fixed, MOST_ROUNDS, apply_fixes, fix};
pub use games::{Games, Stopped};
pub use rules::ALL;

use index::Index;

use crate::compose::Composed;
use crate::diagnostic::{Code, Diagnostic, sort_by_place};
use crate::model::{Game, Node};
use crate::source::{Sources, Span};
use crate::syntax::ast::{self, Header};

/// Something to look for.
#[derive(Clone, Copy, Debug)]
pub struct Lint {
    /// Its code, with name, severity and meaning.
    pub code: Code,
    run: fn(&Context<'_>, &mut Vec<Diagnostic>),
}

/// What is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Book<'a> {
    /// The texts that the files were read from.
    pub sources: &'a Sources,
    /// The rulebook and its amendments, as written.
    pub files: &'a [&'a ast::File],
    /// The rulebook with its amendments worked in, if they fit together.
    pub composed: Option<&'a Composed>,
    /// The checked game, if there is one.
    pub game: Option<&'a Game>,
    /// Random games, if some were played.
    pub played: Option<&'a Games<'a>>,
}

/// What a lint looks at.
struct Context<'a> {
    book: Book<'a>,
    /// All that is written in the files, in flat lists.
    index: Index<'a>,
    /// What lints ask for of what the game does.
    nodes: Vec<Node<'a>>,
}

/// Returns what all lints find, by place.
pub fn lint(book: &Book<'_>) -> Vec<Diagnostic> {
    crate::stack::with_room(|| lint_here(book))
}

fn lint_here(book: &Book<'_>) -> Vec<Diagnostic> {
    let context = Context {
        book: *book,
        index: Index::new(book.files),
        nodes: book.game.map_or_else(Vec::new, nodes::nodes),
    };
    // Two threads halve the wait of whoever types; what judges the `allow`s looks at what all others found.
    let (lints, judges) = ALL.split_at(ALL.len().saturating_sub(1));
    let (some, more) = lints.split_at(lints.len() / 2);
    let run = |lints: &[Lint]| {
        let mut found = Vec::new();
        lints.iter().for_each(|it| (it.run)(&context, &mut found));
        found
    };
    let (mut found, others) = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(crate::stack::TAKEN);
        let beside = thread.spawn_scoped(scope, || run(more));
        let found = run(some);
        // Where no thread is to be had it takes longer.
        (found, beside.map_or_else(|_| Ok(run(more)), |it| it.join()))
    });
    match others {
        Ok(others) => found.extend(others),
        Err(panic) => std::panic::resume_unwind(panic),
    }
    judges.iter().for_each(|it| (it.run)(&context, &mut found));
    found.extend(book.played.into_iter().flat_map(Games::faults));
    for finding in &mut found {
        let edits = finding.fix.iter().flat_map(|fix| &fix.edits);
        // Nobody's remark may vanish with what it stands in.
        if edits
            .into_iter()
            .any(|(span, _)| context.holds_remark(*span))
        {
            finding.fix = None;
        }
    }
    sort_by_place(&mut found);
    found
}

impl<'a> Context<'a> {
    /// Returns the headers of all files.
    fn headers(&self) -> impl Iterator<Item = &'a Header> + use<'a> {
        let files = self.book.files.iter();
        files.filter_map(|it| it.header.as_ref())
    }

    /// Returns what is written at a place.
    fn text(&self, span: Span) -> &'a str {
        self.book.sources.slice(span)
    }

    /// Returns the characters before and behind a place.
    fn beside(&self, span: Span) -> (Option<char>, Option<char>) {
        let text = self.book.sources.get(span.file).map_or("", |it| &it.text);
        let before = text.get(..span.start as usize);
        let behind = text.get(span.end as usize..);
        (
            before.and_then(|it| it.chars().next_back()),
            behind.and_then(|it| it.chars().next()),
        )
    }

    fn holds_remark(&self, span: Span) -> bool {
        let files = self.book.files.iter().filter(|it| it.holds(span.file));
        let mut comments = files.flat_map(|file| &file.comments);
        comments.any(|it| {
            it.span.file == span.file && it.span.start < span.end && span.start < it.span.end
        })
    }
}
