//! Addresses and citations.

use std::collections::{HashMap, HashSet};

use crate::compose::Composite;
use crate::diagnostic::{Diagnostic, closest, codes};
use crate::model::{Book, Citation, Clause, ClauseId, ClauseKind, Wording};
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind, Tail, Worded};

use super::Checker;
use super::scope::{did_you_mean, listed};

/// The most sentences that one citation may span.
const MOST_SENTENCES: u32 = 5_000;

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
    /// Lists the printed rulebooks of the header.
    pub(super) fn books(&mut self) {
        let composed = self.composed;
        for source in &composed.header.sources {
            let mut sentences = Vec::new();
            for span in &source.sentences {
                sentences.extend(self.sentences_between(&span.first, &span.last, None));
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
                asides: Vec::new(),
                wordings: Vec::new(),
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
                        book.asides.push((id, aside.reason.text.clone()));
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
        let book = self.game.books.get(number);
        let mut known: HashSet<String> = book.map_or_else(HashSet::new, |book| {
            book.sentences.iter().cloned().collect()
        });
        let mut worded: HashMap<String, Span> = book.map_or_else(HashMap::new, |book| {
            let wordings = book.wordings.iter();
            wordings.map(|it| (it.id.clone(), it.span)).collect()
        });
        for Worded { id, text, span } in &list.sentences {
            let name = id.to_string();
            if is_numbered && !known.contains(&name) {
                // Says which there are.
                self.sentences_between(id, id, Some(number));
                continue;
            }
            let id = name;
            let Some(book) = self.game.books.get_mut(number) else {
                return;
            };
            if let Some(first) = worded.get(&id) {
                let message = format!("the list says twice what `{}` {id} is", book.name);
                let finding = Diagnostic::new(codes::SENTENCE_TWICE, message)
                    .label(*span, "the second time")
                    .label(*first, "the first time")
                    .help("leave one of the two out, or mend its number");
                self.report(finding);
                continue;
            }
            if known.insert(id.clone()) {
                book.sentences.push(id.clone());
            }
            worded.insert(id.clone(), *span);
            book.wordings.push(Wording {
                id,
                heading: list.heading.text.clone(),
                text: text.text.clone(),
                span: *span,
            });
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
        self.game.clauses.push(Clause {
            path: new.path,
            kind: new.kind,
            span: new.span,
            cites,
            parent: new.parent,
            status: new
                .tail
                .status
                .as_ref()
                .map(|it| it.authority.word().to_owned()),
            text: new.text,
            origin: new.origin,
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
        if span.file == self.composed.header.name.span.file {
            return None;
        }
        let parent = self.game.clauses.get(self.body.clause.index());
        parent.and_then(|it| it.origin.clone())
    }

    /// Forgets the clauses of a piece that is folded away.
    pub(super) fn drop_clauses(&mut self, from: usize) {
        for clause in self.game.clauses.drain(from..) {
            self.folded_paths.insert(clause.path);
        }
        self.paths.retain(|_, id| id.index() < from);
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
                    let index = u32::try_from(book).unwrap_or(0);
                    found.extend(ids.into_iter().map(|id| Citation::Sentence(index, id)));
                }
            }
        }
        found
    }

    fn book_of(&mut self, source: Option<&ast::Name>, span: Span) -> Option<usize> {
        let names: Vec<String> = self.game.books.iter().map(|it| it.name.clone()).collect();
        let Some(source) = source else {
            if names.len() == 1 {
                return Some(0);
            }
            self.complain(
                codes::UNKNOWN_SOURCE,
                span,
                "the citation names no source",
                format!("put the source before the sentence: {}", listed(&names)),
            );
            return None;
        };
        let found = names.iter().position(|it| *it == source.text);
        if found.is_none() {
            let message = format!("no source is called `{source}`");
            let near = closest(&source.text, names.iter().map(String::as_str)).map(str::to_owned);
            let diagnostic = Diagnostic::at(codes::UNKNOWN_SOURCE, source.span, message).help(
                format!("declare it in the header: `source {source} \"its title\"`"),
            );
            self.report(did_you_mean(diagnostic, source.span, near));
        }
        found
    }

    /// Lists the sentences from the first to the last; with a book, only those it has.
    fn sentences_between(
        &mut self,
        first: &ast::SentenceId,
        last: &ast::SentenceId,
        book: Option<usize>,
    ) -> Vec<String> {
        let (from, to) = (first.to_string(), last.to_string());
        let known = book.and_then(|it| self.game.books.get(it));
        if let Some(book) = known.filter(|it| !it.sentences.is_empty()) {
            let place = |id: &str| book.sentences.iter().position(|it| it == id);
            let ends = (place(&from), place(&to));
            if let (Some(start), Some(end)) = ends
                && start <= end
            {
                return book.sentences.get(start..=end).unwrap_or_default().to_vec();
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
        let alike = first.series == last.series;
        if !alike || first.number > last.number || last.number - first.number > MOST_SENTENCES {
            let message = format!("`{first}..{last}` is no span of sentences");
            self.complain(
                codes::UNKNOWN_SENTENCE,
                first.span.to(last.span),
                message,
                "both ends need the same letters, the smaller number first",
            );
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
