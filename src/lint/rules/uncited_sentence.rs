use std::collections::HashSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::syntax::ast::{Cite, Cited, ItemKind, SentenceId, SourceDecl};

pub(super) const LINT: Lint = Lint {
    code: codes::UNCITED_SENTENCE,
    run,
};

/// The longest stretch of sentences that is looked at one by one.
const MOST_SENTENCES: u32 = 10_000;

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let cited = cited(context);
    let headers = context
        .book
        .files
        .iter()
        .filter_map(|it| it.header.as_ref());
    for source in headers.flat_map(|header| &header.sources) {
        let missing = missing(source, &cited);
        if missing.is_empty() {
            continue;
        }
        let (noun, they_hold) = match missing.len() {
            1 => ("sentence", "it holds"),
            _ => ("sentences", "they hold"),
        };
        let message = format!(
            "no clause stands for {} {noun} of `{}`: {}",
            missing.len(),
            source.name,
            stretches(&missing)
        );
        let help = format!(
            "write `cite` at the clause that says the same, or `aside` and why {they_hold} no rule"
        );
        found.push(Diagnostic::at(codes::UNCITED_SENTENCE, source.span, message).help(help));
    }
}

/// A sentence without its place.
type Key = (String, u32, String);

fn key(id: &SentenceId) -> Key {
    (id.series.clone(), id.number, id.suffix.clone())
}

/// Returns the sentences from one to another.
fn between(first: &SentenceId, last: &SentenceId) -> Vec<Key> {
    if first.number == last.number {
        return vec![key(first)];
    }
    let last = last.number.min(first.number.saturating_add(MOST_SENTENCES));
    (first.number..=last)
        .map(|number| (first.series.clone(), number, String::new()))
        .collect()
}

fn cited(context: &Context<'_>) -> HashSet<Key> {
    let tails = context
        .index
        .clauses
        .iter()
        .map(|clause| &clause.tail.cites);
    let asides = context
        .index
        .items
        .iter()
        .filter_map(|placed| match &placed.item.kind {
            ItemKind::Aside(aside) => Some(&aside.cites),
            _ => None,
        });
    let cites: Vec<&Cite> = tails.chain(asides).flatten().collect();
    let mut sentences = HashSet::new();
    for cite in cites {
        match &cite.what {
            Cited::Sentences { first, last } => sentences.extend(between(first, last)),
            Cited::Reason(_) => {}
        }
    }
    sentences
}

fn missing(source: &SourceDecl, cited: &HashSet<Key>) -> Vec<Key> {
    let all = source
        .sentences
        .iter()
        .flat_map(|it| between(&it.first, &it.last));
    all.filter(|sentence| !cited.contains(sentence)).collect()
}

/// Writes sentences as `T-3, T-5..T-7`.
fn stretches(sentences: &[Key]) -> String {
    let mut parts: Vec<(&Key, &Key)> = Vec::new();
    for sentence in sentences {
        match parts.last_mut() {
            Some((_, last))
                if last.0 == sentence.0
                    && last.1 + 1 == sentence.1
                    && last.2.is_empty()
                    && sentence.2.is_empty() =>
            {
                *last = sentence;
            }
            _ => parts.push((sentence, sentence)),
        }
    }
    let text = |(series, number, suffix): &Key| format!("{series}-{number}{suffix}");
    let parts = parts.into_iter().map(|(first, last)| {
        if first == last {
            text(first)
        } else {
            format!("{}..{}", text(first), text(last))
        }
    });
    parts.collect::<Vec<_>>().join(", ")
}
