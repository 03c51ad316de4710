//! What grammars that look at one line at a time have to know: where an item or a statement may begin, and
//! what shows that a word is a name there. They know less than the parser: a word of a clause that is a name
//! elsewhere is told apart by what stands behind it.

use std::collections::BTreeSet;

use super::grammar::{Grammar, literals, pattern};
use super::roles::{Role, Words};

/// Words as one alternative, the longest first.
pub fn any<'a>(words: impl IntoIterator<Item = &'a String>, bar: &str) -> String {
    let mut all: Vec<&str> = words.into_iter().map(String::as_str).collect();
    all.sort_by_key(|it| (std::cmp::Reverse(it.len()), *it));
    all.join(bar)
}

/// The signs behind a word that make it a place or a call.
pub fn signs_of_a_name(grammar: &Grammar) -> BTreeSet<String> {
    literals(&grammar.rule("is_place").expr)
        .into_iter()
        .collect()
}

/// The words of items that give a name of this kind; those that give none stand under `None`.
pub fn items_by_name(words: &Words) -> Vec<(Option<Role>, Vec<&String>)> {
    let mut all: Vec<(Option<Role>, Vec<&String>)> = Vec::new();
    for (word, role) in &words.items {
        match all.iter_mut().find(|it| it.0 == *role) {
            Some((_, words)) => words.push(word),
            None => all.push((*role, vec![word])),
        }
    }
    all
}

/// Reserved words that are neither operators nor values: they are no names anywhere.
pub fn reserved_clauses(words: &Words) -> Vec<&String> {
    let others = |it: &&String| !words.operators.contains(*it) && !words.values.contains(*it);
    words.reserved.iter().filter(others).collect()
}

/// Words of clauses that are names elsewhere.
pub fn open_clauses(words: &Words) -> Vec<&String> {
    words
        .clauses
        .iter()
        .filter(|it| !words.reserved.contains(*it))
        .collect()
}

/// Operators that are names elsewhere; behind a name they show that it is one.
pub fn operators(words: &Words) -> Vec<&String> {
    words.operators.iter().collect()
}

pub fn sentence(grammar: &Grammar) -> String {
    pattern(grammar, &grammar.rule("sentence").expr)
}
