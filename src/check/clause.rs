//! Addresses and citations.

use rustc_hash::FxHashMap as HashMap;

use indexmap::IndexSet;

use crate::compose::Composite;
use crate::diagnostic::{Diagnostic, closest, codes};
use crate::limits::{MOST_CITED, MOST_SPANNED};
use crate::model::{Book, Citation, Clause, ClauseId, ClauseKind, Wording};
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind, Tail, Worded};

use super::Checker;
use super::scope::{did_you_mean, listed};

/// What a new clause is made of.
pub(super) struct NewClause<'t> {
    pub(super) path: String,
    pub(super) kind: ClauseKind,
    pub(super) span: Span,
    pub(super) tail: &'t Tail,
    pub(super) parent: Option<ClauseId>,
    pub(super) text: String,
    pub(super) origin: Option<String>,
}

impl Checker<'_> {
    fn clause_kind(item: &ast::Item) -> ClauseKind {
        match &item.kind {
            ItemKind::Setting(_) => ClauseKind::Setting,
            ItemKind::Define(_) => ClauseKind::Define,
            ItemKind::Event(_) => ClauseKind::Event,
            ItemKind::Action(_) => ClauseKind::Action,
            ItemKind::Flow(_) => ClauseKind::Flow,
            ItemKind::Ending(_) => ClauseKind::Ending,
            ItemKind::Invariant(_) => ClauseKind::Invariant,
            ItemKind::Ruling(_) => ClauseKind::Ruling,
            ItemKind::Study(_) => ClauseKind::Study,
            ItemKind::Measure(_)
            | ItemKind::Show(_)
            | ItemKind::Hide(_)
            | ItemKind::Picture(_)
            | ItemKind::Aside(_)
            | ItemKind::Sentences(_)
            | ItemKind::Position(_) => ClauseKind::Note,
            _ => ClauseKind::Data,
        }
    }

    /// Lists the printed rulebooks of the header.
    pub(super) fn books(&mut self) {
        let composed = self.composed;
        for source in &composed.header.sources {
            let mut sentences = IndexSet::new();
            for span in &source.sentences {
                let ids = self.sentences_between(&span.first, &span.last, None);
                if self.are_too_many(ids.len(), span.first.span) {
                    return;
                }
                sentences.extend(ids);
            }
            if self.game.books.iter().any(|it| it.name == source.name.text) {
                let message = format!("the source `{}` is declared twice", source.name);
                self.error(codes::DUPLICATE_NAME, source.name.span, message);
                continue;
            }
            self.game.books.push(Book {
                name: source.name.text.clone(),
                title: source.title.text.clone(),
                sentences,
                asides: HashMap::default(),
                wordings: HashMap::default(),
            });
        }
        for composite in &composed.items {
            if let ItemKind::Sentences(list) = &composite.item.kind {
                self.wordings(list);
            }
        }
        for composite in &composed.items {
            if let ItemKind::Aside(aside) = &composite.item.kind {
                for citation in self.citations(&aside.cites) {
                    if let Citation::Sentence(book, id) = citation
                        && let Some(book) = self.game.books.get_mut(book as usize)
                    {
                        let reason = || aside.reason.text.clone();
                        book.asides.entry(id).or_insert_with(reason);
                    }
                }
            }
        }
    }

    /// Notes what the sentences of a source say; where its header does not number them, the list does.
    fn wordings(&mut self, list: &ast::SentenceList) {
        let Some(number) = self.book_of(Some(&list.source), list.source.span) else {
            return;
        };
        let mut headed = self.composed.header.sources.iter();
        let is_numbered =
            headed.any(|it| it.name.text == list.source.text && !it.sentences.is_empty());
        for Worded { id, text, span } in &list.sentences {
            let Some(book) = self.game.books.get_mut(number) else {
                return;
            };
            let name = id.to_string();
            if is_numbered && !book.sentences.contains(&name) {
                // Says which there are.
                self.sentences_between(id, id, Some(number));
                continue;
            }
            if let Some(first) = book.wordings.get(&name) {
                let message = format!("the list says twice what `{}` {name} is", book.name);
                let finding = Diagnostic::new(codes::SENTENCE_TWICE, message)
                    .label(*span, "the second time")
                    .label(first.span, "the first time")
                    .help("leave one of the two out, or mend its number");
                self.report(finding);
                continue;
            }
            book.sentences.insert(name.clone());
            let wording = Wording {
                heading: list.heading.text.clone(),
                text: text.text.clone(),
                span: *span,
            };
            book.wordings.insert(name, wording);
        }
    }

    /// Makes the clause of an item.
    pub(super) fn item_clause(&mut self, composite: &Composite) -> ClauseId {
        let item = &composite.item;
        let path = match item.kind.name() {
            Some(name) => name.text.clone(),
            None => self.path_of_unnamed(&item.kind),
        };
        let title = match &item.kind {
            ItemKind::Setting(it) => it.text.text.clone(),
            ItemKind::Ruling(it) => it.title.text.clone(),
            ItemKind::Study(it) => it.title.text.clone(),
            ItemKind::Position(it) => it.title.text.clone(),
            _ => docs(&item.docs),
        };
        self.clause(NewClause {
            path,
            kind: Checker::clause_kind(item),
            span: item.kind.name().map_or(item.span, |name| Span {
                start: item.span.start,
                ..name.span
            }),
            tail: &item.tail,
            parent: None,
            text: title,
            origin: composite.origin.clone(),
        })
    }

    /// Makes a clause of the header where it cites sentences: who plays is printed as well.
    pub(super) fn header_clause(&mut self) {
        let header = &self.composed.header;
        if header.tail.cites.is_empty() {
            return;
        }
        self.clause(NewClause {
            // No item can be called so.
            path: format!("game {}", header.name),
            kind: ClauseKind::Data,
            span: header.name.span,
            tail: &header.tail,
            parent: None,
            text: docs(&header.docs),
            origin: None,
        });
    }

    /// Makes a clause; reports an address that is taken.
    pub(super) fn clause(&mut self, new: NewClause<'_>) -> ClauseId {
        let id = ClauseId(u32::try_from(self.game.clauses.len()).unwrap_or(u32::MAX));
        if let Some(earlier) = self.paths.get(&new.path) {
            let earlier = self
                .game
                .clauses
                .get(earlier.index())
                .map_or(new.span, |it| it.span);
            // Names of items are compared where they are collected.
            if new.path.contains('.') {
                let message = format!("two pieces have the address `{}`", new.path);
                self.report(
                    Diagnostic::new(codes::DUPLICATE_NAME, message)
                        .label(new.span, "here")
                        .label(earlier, "and here")
                        .help("give one of them another label"),
                );
            }
        } else {
            self.paths.insert(new.path.clone(), id);
        }
        let cites = self.citations(&new.tail.cites);
        // What is printed around a clause says nothing of what a house rule has put in its place.
        let (origin, span, parent) = match self.composed.replaced.get(&new.path).cloned() {
            Some((title, span)) => {
                let is_of_game = self.composed.files.contains(&span.file);
                (Some(title), span, new.parent.filter(|_| is_of_game))
            }
            None => (new.origin, new.span, new.parent),
        };
        self.game.clauses.push(Clause {
            path: new.path,
            kind: new.kind,
            span,
            cites,
            parent,
            status: new
                .tail
                .status
                .as_ref()
                .map(|it| it.authority.word().to_owned()),
            text: new.text,
            origin,
        });
        id
    }

    /// Makes the clause of a labelled piece below the present one.
    pub(super) fn inner_clause(
        &mut self,
        label: &ast::Name,
        kind: ClauseKind,
        tail: &Tail,
        text: String,
    ) -> ClauseId {
        let parent = self.body.clause;
        let origin = self.inner_origin(label.span);
        self.clause(NewClause {
            path: format!("{}.{label}", self.body.path),
            kind,
            span: label.span,
            tail,
            parent: Some(parent),
            text,
            origin,
        })
    }

    /// The amendment that a piece of the present clause comes from: an amendment that puts something into a clause
    /// of the game leaves the rest of it as the game has it.
    pub(super) fn inner_origin(&self, span: Span) -> Option<String> {
        if self.composed.files.contains(&span.file) {
            return None;
        }
        let parent = self.game.clauses.get(self.body.clause.index());
        parent.and_then(|it| it.origin.clone())
    }

    /// Forgets the clauses of a piece that is folded away.
    pub(super) fn drop_clauses(&mut self, from: usize) {
        for clause in self.game.clauses.drain(from..) {
            if self
                .paths
                .get(&clause.path)
                .is_some_and(|id| id.index() >= from)
            {
                self.paths.remove(&clause.path);
            }
            self.folded_paths.insert(clause.path);
        }
    }

    fn citations(&mut self, cites: &[ast::Cite]) -> Vec<Citation> {
        let mut found = Vec::new();
        for cite in cites {
            match &cite.what {
                ast::Cited::Reason(reason) => {
                    found.push(Citation::Reason(reason.text.clone()));
                }
                ast::Cited::Sentences { first, last } => {
                    let Some(book) = self.book_of(cite.source.as_ref(), cite.span) else {
                        continue;
                    };
                    let ids = self.sentences_between(first, last, Some(book));
                    if self.are_too_many(ids.len(), cite.span) {
                        break;
                    }
                    let index = u32::try_from(book).unwrap_or(0);
                    found.extend(ids.into_iter().map(|id| Citation::Sentence(index, id)));
                }
            }
        }
        found
    }

    fn book_of(&mut self, source: Option<&ast::Name>, span: Span) -> Option<usize> {
        let names = self.game.books.iter().map(|it| it.name.as_str());
        let Some(source) = source else {
            if names.len() == 1 {
                return Some(0);
            }
            let names: Vec<String> = names.map(str::to_owned).collect();
            self.complain(
                codes::UNKNOWN_SOURCE,
                span,
                "the citation names no source",
                format!("put the source before the sentence: {}", listed(&names)),
            );
            return None;
        };
        let found = names.clone().position(|it| it == source.text);
        if found.is_none() {
            let message = format!("no source is called `{source}`");
            let near = closest(&source.text, names).map(str::to_owned);
            let diagnostic = Diagnostic::at(codes::UNKNOWN_SOURCE, source.span, message).help(
                format!("declare it in the header: `source {source} \"its title\"`"),
            );
            self.report(did_you_mean(diagnostic, source.span, near));
        }
        found
    }

    /// Counts sentences that are listed or cited; complains where all together are too many.
    fn are_too_many(&mut self, n: usize, span: Span) -> bool {
        let before = self.n_sentences;
        self.n_sentences += n;
        let most = MOST_CITED;
        if before <= most && self.n_sentences > most {
            let message =
                format!("all citations and lists together name more than {most} sentences");
            let help = "cite what the clause itself stands for, not whole chapters";
            self.complain(codes::TOO_MANY_SENTENCES, span, message, help);
        }
        self.n_sentences > most
    }

    /// Lists the sentences from the first to the last; with a book, only those it has.
    fn sentences_between(
        &mut self,
        first: &ast::SentenceId,
        last: &ast::SentenceId,
        book: Option<usize>,
    ) -> Vec<String> {
        let from = first.to_string();
        let to = match first == last {
            true => from.clone(),
            false => last.to_string(),
        };
        let known = book.and_then(|it| self.game.books.get(it));
        if let Some(book) = known.filter(|it| !it.sentences.is_empty()) {
            let place = |id: &str| book.sentences.get_index_of(id);
            let ends = (place(&from), place(&to));
            if let (Some(start), Some(end)) = ends
                && start <= end
            {
                let between = book.sentences.get_range(start..=end);
                return between.into_iter().flatten().cloned().collect();
            }
            let (id, span) = match ends.0 {
                None => (from, first.span),
                Some(_) => (to, last.span),
            };
            let message = match ends {
                (Some(_), Some(_)) => {
                    format!("the sentences run backwards, from `{first}` to `{last}`")
                }
                _ => format!("`{}` has no sentence `{id}`", book.name),
            };
            let ends = (
                book.sentences.first().cloned(),
                book.sentences.last().cloned(),
            );
            let help = match ends {
                (Some(least), Some(most)) => format!("it has `{least}` to `{most}`"),
                _ => "list its sentences in the header".to_owned(),
            };
            self.complain(codes::UNKNOWN_SENTENCE, span, message, help);
            return Vec::new();
        }
        if from == to {
            return vec![from];
        }
        let span = first.span.to(last.span);
        if first.series != last.series || first.number > last.number {
            let message = format!("`{first}..{last}` is no span of sentences");
            let help = "both ends need the same letters, the smaller number first";
            self.complain(codes::UNKNOWN_SENTENCE, span, message, help);
            return Vec::new();
        }
        if last.number - first.number > MOST_SPANNED {
            let message = format!("`{first}..{last}` is longer than any span of sentences may be");
            let help = format!("write several spans of at most {MOST_SPANNED} sentences");
            self.complain(codes::TOO_MANY_SENTENCES, span, message, help);
            return Vec::new();
        }
        (first.number..=last.number)
            .map(|n| format!("{}-{n}", first.series))
            .collect()
    }
}

/// Joins the lines of a doc comment.
pub(super) fn docs(docs: &[ast::Doc]) -> String {
    let lines: Vec<&str> = docs.iter().map(|doc| doc.text.trim()).collect();
    lines.join(" ")
}
