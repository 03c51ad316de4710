//! Sentences of printed rulebooks: which there are, and what stands for them.

use std::hash::Hash;

use rustc_hash::FxHashSet as HashSet;

use super::Context;
use crate::source::Span;
use crate::syntax::ast::{Cite, Cited, ItemKind, SentenceId, SourceDecl};

/// The longest stretch of sentences that is looked at one by one.
const MOST_SENTENCES: u32 = 10_000;
/// The most sentences that are looked at in all.
const MOST_IN_ALL: usize = 500_000;

/// A sentence without its place: its source, its letters, its number, what follows that.
pub(super) type Key<'a> = (&'a str, &'a str, u32, &'a str);

/// Returns the sentence of a source.
pub(super) fn key<'a>(source: &'a str, id: &'a SentenceId) -> Key<'a> {
    (source, &id.series, id.number, &id.suffix)
}

fn between<'a>(source: &'a str, first: &'a SentenceId, last: &SentenceId) -> Vec<Key<'a>> {
    if first.number == last.number {
        return vec![key(source, first)];
    }
    let last = last.number.min(first.number.saturating_add(MOST_SENTENCES));
    let numbers = first.number..=last;
    numbers.map(|it| (source, &*first.series, it, "")).collect()
}

/// Returns the sources that the headers declare.
pub(super) fn sources<'a>(context: &Context<'a>) -> impl Iterator<Item = &'a SourceDecl> {
    let headers = context.book.files.iter();
    let headers = headers.filter_map(|it| it.header.as_ref());
    headers.flat_map(|header| &header.sources)
}

/// Returns the sentences that the header lists for a source.
pub(super) fn of_source(source: &SourceDecl) -> Vec<Key<'_>> {
    let stretches = source.sentences.iter();
    let each = stretches.flat_map(|it| between(&source.name.text, &it.first, &it.last));
    each.take(MOST_IN_ALL).collect()
}

/// Collects sentences; none where they are too many to look at, which the checker complains of.
pub(super) fn all<T: Eq + Hash>(mut sentences: impl Iterator<Item = T>) -> Option<HashSet<T>> {
    let first = sentences.by_ref().take(MOST_IN_ALL).collect();
    sentences.next().is_none().then_some(first)
}

/// Returns the sentences that a citation names; one without a source means the only one there is.
pub(super) fn of_cite<'a>(context: &Context<'a>, cite: &'a Cite) -> Vec<Key<'a>> {
    let Cited::Sentences { first, last } = &cite.what else {
        return Vec::new();
    };
    let only = || sources(context).next().map(|it| it.name.text.as_str());
    let named = cite.source.as_ref().map(|it| it.text.as_str());
    between(named.or_else(only).unwrap_or(""), first, last)
}

/// Returns the citations of clauses that can hold what a printed rule says, with the places of the clauses: how a thing is
/// drawn or worded is no rule.
pub(super) fn cites<'a>(context: &Context<'a>) -> impl Iterator<Item = (Span, &'a Cite)> {
    let is_note = |kind: &ItemKind| {
        matches!(
            kind,
            ItemKind::Show(_)
                | ItemKind::Hide(_)
                | ItemKind::Picture(_)
                | ItemKind::Aside(_)
                | ItemKind::Sentences(_)
        )
    };
    let items = context.index.items.iter().map(|it| it.item);
    let place = |span: Span| (span.file, span.start, span.end);
    let notes = items.filter(|it| is_note(&it.kind));
    let notes: HashSet<_> = notes.map(|it| place(it.span)).collect();
    let clauses = context.index.clauses.iter();
    clauses
        .filter(move |clause| !notes.contains(&place(clause.span)))
        .flat_map(|clause| clause.tail.cites.iter().map(|cite| (clause.span, cite)))
}

/// Returns the citations of the sentences that are set aside, with the places of the `aside`s.
pub(super) fn asides<'a>(context: &Context<'a>) -> impl Iterator<Item = (Span, &'a Cite)> {
    let items = context.index.items.iter().map(|it| it.item);
    items.flat_map(|item| {
        let cites = match &item.kind {
            ItemKind::Aside(aside) => aside.cites.as_slice(),
            _ => &[],
        };
        cites.iter().map(|cite| (item.span, cite))
    })
}

/// Writes sentences as `T-3, T-5..T-7`.
pub(super) fn stretches(sentences: &[Key<'_>]) -> String {
    let mut parts: Vec<(&Key<'_>, &Key<'_>)> = Vec::new();
    for sentence in sentences {
        match parts.last_mut() {
            Some((_, last))
                if last.1 == sentence.1
                    && last.2 + 1 == sentence.2
                    && last.3.is_empty()
                    && sentence.3.is_empty() =>
            {
                *last = sentence;
            }
            _ => parts.push((sentence, sentence)),
        }
    }
    let text = |(_, series, number, suffix): &Key<'_>| format!("{series}-{number}{suffix}");
    let parts = parts.into_iter().map(|(first, last)| {
        if first == last {
            text(first)
        } else {
            format!("{}..{}", text(first), text(last))
        }
    });
    parts.collect::<Vec<_>>().join(", ")
}
