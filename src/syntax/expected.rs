//! What may stand at a place of a text that somebody is writing.

use std::collections::BTreeSet;

use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};

use super::parse::{Grammar, Rule, limited};
use super::scan::scan;
use super::spoken::words;
use super::vocabulary::{ITEM_WORDS, verbs};
use crate::source::FileId;

/// A sign that no text of the language has: at it reading stops.
const STOP: char = '\u{1}';

/// What may stand at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// Where the item begins that the place is in.
    pub start: usize,
    /// The words of the language.
    pub words: BTreeSet<&'static str>,
    /// Whether an address may.
    pub address: bool,
    /// Whether a name may.
    pub name: bool,
    /// Whether nothing else than a name may, as where what is chosen is named.
    pub action: bool,
    /// Whether the value may that a case of a `by` is for.
    pub head: bool,
    /// Whether the key of a row may.
    pub key: bool,
    /// Whether an argument may, with the name of its parameter before it.
    pub argument: bool,
}

/// Returns what may stand behind the first `at` bytes of a text, as far as these can be read; none inside of a text or a
/// comment, and where what stands before cannot be read.
pub fn expected(text: &str, at: usize) -> Option<Expected> {
    crate::stack::with_room(|| expected_here(text.get(..at)?))
}

fn expected_here(before: &str) -> Option<Expected> {
    let line = before.rfind('\n').map_or(0, |it| it + 1);
    let scan = scan(FileId(0), before);
    let mut comments = scan.comments.iter();
    let is_comment = comments.any(|it| it.span.start as usize >= line);
    if is_comment || before.get(line..)?.trim_start().starts_with("///") {
        return None;
    }
    limited();
    let start = scan.starts.iter().rev().find(|it| **it <= before.len());
    let start = start.copied().unwrap_or(0);
    let item = scan.text.get(start..)?;
    let mut found = Expected {
        start,
        ..Expected::default()
    };
    let blank = before.get(line..)?.trim().is_empty();
    // An item begins at the start of a line, be the one before it whole or not.
    if blank && before.ends_with('\n') || item.trim().is_empty() {
        found.words.extend(ITEM_WORDS);
    }
    let stopped = format!("{item}{STOP}");
    let error = Grammar::parse(Rule::lone_item, &stopped).err()?;
    let (InputLocation::Pos(place) | InputLocation::Span((place, _))) = error.location;
    let ErrorVariant::ParsingError { positives, .. } = error.variant else {
        return None;
    };
    if place < item.trim_end().len() {
        return (!found.words.is_empty()).then_some(found);
    }
    found.action = positives == [Rule::ident];
    for rule in positives {
        found.words.extend(words(rule));
        match rule {
            Rule::path | Rule::path_head => found.address = true,
            Rule::statement | Rule::block => found.words.extend(verbs()),
            Rule::item | Rule::lone_item => found.words.extend(ITEM_WORDS),
            Rule::EOI if blank => found.words.extend(ITEM_WORDS),
            _ => {}
        }
        found.head |= rule == Rule::heads;
        found.key |= rule == Rule::keys;
        found.argument |= rule == Rule::arg;
        found.name |= matches!(
            rule,
            Rule::expr
                | Rule::operand
                | Rule::postfix
                | Rule::arg
                | Rule::ident
                | Rule::statement
                | Rule::alternative
                | Rule::alternatives
                | Rule::ty
        );
    }
    Some(found)
}
