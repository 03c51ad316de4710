//! Moves of people who do not copy what is printed: other signs and small words between its words, or another order.

use super::Session;
use super::alike;
use super::among::{BETWEEN, MOST_WORDS, TIMES, small};
use super::groups::phrases_of;
use crate::engine::{Machine, Phrase};
use crate::model::text::Form;

/// Words that people write between those of a name.
const LINKS: [&str; 4] = ["of", "the", "a", "an"];
/// Words that say nothing where no move has them.
const SMALL: [&str; 10] = [
    "and", "at", "by", "for", "from", "my", "on", "please", "to", "with",
];
/// Signs between several things.
const PARTING: [char; 3] = [',', '&', '+'];

/// A text without the words that people write between those of a name.
pub(super) fn without_links(text: &str) -> String {
    let words = text.split_whitespace();
    let words = words.filter(|it| !LINKS.contains(&it.to_lowercase().as_str()));
    words.collect::<Vec<_>>().join(" ")
}

/// Typed words without the signs between several things, and without small words that none of the moves with these phrases has.
pub(super) fn loosely(forms: &[&Vec<Vec<Phrase>>], typed: &[String]) -> Vec<String> {
    let is_small = |it: &str| LINKS.contains(&it) || SMALL.contains(&it);
    let mut words = parted(typed);
    if words.iter().any(|it| is_small(it)) {
        let phrases = forms.iter().copied().flatten().flatten();
        let own: Vec<String> = phrases.flat_map(words_of).collect();
        words.retain(|it| !is_small(it) || own.contains(it));
    }
    words
}

/// Typed words without the signs between several things.
pub(super) fn parted(typed: &[String]) -> Vec<String> {
    typed.iter().flat_map(|it| apart(it, &PARTING)).collect()
}

/// Words in which two numbers that stand side by side are one pair.
pub(super) fn paired(typed: &[String]) -> Vec<String> {
    let is_number = |it: &String| it.parse::<i64>().is_ok();
    let mut paired: Vec<String> = Vec::new();
    let mut words = typed.iter().peekable();
    while let Some(word) = words.next() {
        let other = words.next_if(|it| is_number(word) && is_number(it));
        paired.push(other.map_or_else(|| word.clone(), |it| format!("{word},{it}")));
    }
    paired
}

/// Words with a number before one of them as so many of it: `2 white` as `white white`.
pub(super) fn counted(typed: &[String]) -> Vec<String> {
    let number = |it: &String| {
        let many = it.trim_end_matches(TIMES).parse::<usize>().ok();
        many.filter(|it| (2..=MOST_WORDS).contains(it))
    };
    let is_name = |it: &String| it.chars().all(char::is_alphabetic);
    let mut counted = Vec::new();
    let mut words = typed.iter().peekable();
    while let Some(word) = words.next() {
        let named = number(word).and_then(|many| Some((many, words.next_if(|it| is_name(it))?)));
        match named {
            Some((many, name)) => counted.extend(std::iter::repeat_n(name.clone(), many)),
            None => counted.push(word.clone()),
        }
    }
    counted
}

/// The legal moves of a line that tells several, as who copies it types it: each of their words is typed, some of them are the
/// same, and all that is typed is a word of one of them. None where there is no such line.
pub fn all_of_line(machine: &mut Machine<'_>, text: &str) -> Option<Vec<usize>> {
    let forms = Form::ALL.map(|form| phrases_of(machine, form));
    let typed = &loosely(&forms.each_ref(), &small(text));
    for phrases in &forms {
        let chosen = alike::distinct(machine).into_iter();
        let own = chosen.filter_map(|at| Some((at, phrases.get(at)?.iter().flat_map(words_of))));
        let own = own.map(|(at, words)| (at, words.collect::<Vec<String>>()));
        let is_typed =
            |(_, words): &(usize, Vec<String>)| words.iter().all(|it| typed.contains(it));
        let own: Vec<(usize, Vec<String>)> = own.filter(is_typed).collect();
        let n_with = |word: &&String| own.iter().filter(|it| it.1.contains(word)).count();
        let is_shared = typed.iter().any(|it| n_with(&it) == own.len());
        if own.len() > 1 && is_shared && typed.iter().all(|it| n_with(&it) > 0) {
            return Some(own.into_iter().map(|it| it.0).collect());
        }
    }
    None
}

/// The only legal move that has the words of a text in another order, as it is printed.
pub(super) fn turned_round(session: &mut Session<'_>, text: &str, form: Form) -> Option<String> {
    let signs: Vec<char> = PARTING.into_iter().chain(BETWEEN).collect();
    let text = text.to_lowercase();
    let mut typed: Vec<String> = text
        .split_whitespace()
        .flat_map(|it| apart(it, &signs))
        .collect();
    typed.sort_unstable();
    let machine = session.machine();
    let [one, other] = [Form::Plain, form].map(|form| phrases_of(machine, form));
    let is_it = |phrases: &Vec<Phrase>| {
        let (values, others): (Vec<&Phrase>, Vec<&Phrase>) =
            phrases.iter().partition(|it| it.of.is_some());
        let values = values.into_iter().flat_map(words_of);
        let mut values: Vec<String> = values.flat_map(|it| apart(&it, &signs)).collect();
        values.sort_unstable();
        let others: Vec<String> = others.into_iter().flat_map(words_of).collect();
        let named = typed
            .iter()
            .filter(|it| values.contains(it) || !says_nothing(it, &others));
        values.len() > 1 && named.eq(values.iter())
    };
    let both = one.iter().zip(&other).enumerate();
    let mut found = both.filter(|(_, (one, other))| is_it(one) || is_it(other));
    let (at, _) = found.next().filter(|_| found.next().is_none())?;
    machine.names(form).get(at).cloned()
}

/// Whether a word adds nothing to the values of a move that has these words beside them.
fn says_nothing(word: &str, others: &[String]) -> bool {
    SMALL.contains(&word) || LINKS.contains(&word) || others.iter().any(|it| it == word)
}

fn words_of(phrase: &Phrase) -> Vec<String> {
    let words = phrase.text.split_whitespace();
    words.map(str::to_lowercase).collect()
}

/// A word without the marks on its letters: `cafe` for `café`.
pub(super) fn unaccented(word: &str) -> String {
    let bare = |letter: char| {
        let found = BARE.iter().find(|(_, marked)| marked.contains(letter));
        found.map_or(letter, |(bare, _)| *bare)
    };
    let is_mark = |it: &char| ('\u{300}'..='\u{36f}').contains(it);
    word.chars().filter(|it| !is_mark(it)).map(bare).collect()
}

/// Small letters, and those that have marks on them.
const BARE: [(char, &str); 17] = [
    ('a', "àáâãäåāăą"),
    ('c', "çćĉċč"),
    ('d', "ďđ"),
    ('e', "èéêëēĕėęě"),
    ('g', "ĝğġģ"),
    ('h', "ĥħ"),
    ('i', "ìíîïĩīĭįı"),
    ('k', "ķ"),
    ('l', "ĺļľł"),
    ('n', "ñńņňŋ"),
    ('o', "òóôõöøōŏő"),
    ('r', "ŕŗř"),
    ('s', "śŝşšș"),
    ('t', "ţťŧț"),
    ('u', "ùúûüũūŭůűų"),
    ('y', "ýÿŷ"),
    ('z', "źżž"),
];

/// The parts of a word between signs, but not those of a pair of numbers.
fn apart(word: &str, signs: &[char]) -> Vec<String> {
    let letters: Vec<char> = word.chars().collect();
    let mut parts = vec![String::new()];
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|it| letters.get(it));
        let behind = letters.get(at + 1);
        let is_pair = *letter == ','
            && before.is_some_and(char::is_ascii_digit)
            && behind.is_some_and(|it| it.is_ascii_digit() || *it == '-');
        let is_sign = *letter == '-' && before.is_none_or(|it| !it.is_alphanumeric());
        match signs.contains(letter) && !is_pair && !is_sign {
            true => parts.push(String::new()),
            false => parts.last_mut().into_iter().for_each(|it| it.push(*letter)),
        }
    }
    parts.retain(|it| !it.is_empty());
    parts
}
