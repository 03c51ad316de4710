//! Moves in fewer letters than they are printed with: the beginnings of their words.

use super::alike;
use super::among::{Among, Found, words_of};
use super::groups::phrases_of;
use crate::engine::{Machine, Move, Phrase};
use crate::model::Base;
use crate::model::text::Form;

/// What beginnings of words can mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meant {
    /// No legal move.
    Nothing,
    /// One.
    One(Move),
    /// Several: their numbers in the list, from nought.
    Several(Vec<usize>),
}

/// Reads the beginnings of words, in any order, but values of one kind in theirs. A whole word goes before a beginning, and
/// what is the whole name of something else stands for that.
///
/// Two numbers that mean nothing one beside the other are read as a pair, `0 1` as `0,1`; what else means nothing, without commas
/// and small words, and a number before a word as so many of it.
pub fn meant(machine: &mut Machine<'_>, text: &str) -> Meant {
    let among = Among::legal(machine);
    let Found {
        at: mut found,
        typed,
        is_guess,
    } = among.find(machine, text);
    if found.len() > 1 {
        // What looks the same is asked for once, but where words tell it from the first.
        let firsts = alike::firsts(machine);
        let all = found.clone();
        found.retain(|at| {
            firsts
                .get(*at)
                .is_none_or(|first| first == at || !all.contains(first))
        });
    }
    match found.as_slice() {
        [] => Meant::Nothing,
        // Who writes one place means where something goes to.
        [only]
            if is_guess
                || typed.len() == 1 && leads_on(among.plain.get(*only), &typed.concat()) =>
        {
            Meant::Several(found)
        }
        [only] => machine
            .moves()
            .get(*only)
            .map_or(Meant::Nothing, |it| Meant::One(*it)),
        _ => Meant::Several(found),
    }
}

/// Whether a word is the whole of a place from which a move leads to another one.
fn leads_on(move_: Option<&Vec<Phrase>>, typed: &str) -> bool {
    let values = move_.map_or(&[][..], Vec::as_slice).iter();
    let mut values = values.filter(|it| matches!(it.of, Some(Base::Elem(_))));
    let from = values.find(|it| it.text.trim().to_lowercase() == typed);
    let Some(from) = from else {
        return false;
    };
    values.any(|it| it.of == from.of && it.text.trim().to_lowercase() != typed)
}

/// The moves whose words stand in a text most, by their places; of each so many letters. Of a word of which only the beginning is
/// typed, those of the beginning count.
pub fn sharing(machine: &mut Machine<'_>, text: &str) -> Vec<usize> {
    let text = text.to_lowercase();
    let typed: Vec<&str> = text.split_whitespace().collect();
    let length = |it: &str| it.chars().count();
    let begun = |word: &str| {
        let parts = || word.split(|it: char| !it.is_alphanumeric());
        let begins = |it: &&&str| parts().any(|part| part.starts_with(**it));
        let begun = typed.iter().filter(begins).map(|it| length(it));
        begun.max().unwrap_or(0)
    };
    let [plain, spoken] = [Form::Plain, Form::Spoken].map(|form| phrases_of(machine, form));
    let shared = |phrases: &Vec<Phrase>| -> usize {
        let words = phrases.iter().flat_map(|it| it.text.split_whitespace());
        let words = words.map(str::to_lowercase);
        let of_word = |it: String| match text.contains(&it) {
            true => length(&it),
            false => begun(&it),
        };
        words.map(of_word).filter(|it| *it > 1).sum()
    };
    let both = plain.iter().zip(&spoken);
    both.map(|(plain, spoken)| shared(plain).max(shared(spoken)))
        .collect()
}

/// Whether some move has this very word.
pub fn names_word(machine: &mut Machine<'_>, text: &str) -> bool {
    let phrases = [Form::Signs, Form::Plain].map(|form| phrases_of(machine, form));
    let [signs, plain] = &phrases;
    let text = text.to_lowercase();
    let mut words = signs
        .iter()
        .zip(plain)
        .flat_map(|(one, other)| words_of(one, other));
    words.any(|it| it.forms.contains(&text))
}

/// What the last word of a text can become: the next words of the names that have begun so, each once.
#[must_use]
pub fn completed(names: &[String], typed: &str) -> Vec<String> {
    let typed = typed.to_lowercase();
    let (before, begun) = typed.rsplit_once(' ').unwrap_or(("", &typed));
    let before: Vec<&str> = before.split_whitespace().collect();
    let mut found: Vec<String> = Vec::new();
    for name in names {
        let mut words = name.split_whitespace();
        let fits = before.iter().all(|typed| {
            let word = words.next();
            word.is_some_and(|it| it.to_lowercase().starts_with(typed))
        });
        let next = words.next().filter(|_| fits);
        let next = next.filter(|it| it.to_lowercase().starts_with(begun));
        if let Some(next) = next.filter(|it| !found.iter().any(|other| other == it)) {
            found.push(next.to_owned());
        }
    }
    found
}
