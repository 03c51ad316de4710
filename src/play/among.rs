//! Typed words held against those of moves, be these legal or not.

use super::groups::phrases_of;
use super::loose::{counted, loosely, paired, parted, unaccented};
use super::lying::{by_what_moves, words_with_more};
use crate::engine::{Candidate, CandidateKind, Machine, Phrase};
use crate::model::Base;
use crate::model::text::Form;

/// Most words that are read so.
pub(super) const MOST_WORDS: usize = 8;
/// Signs that people write between the words of a move.
pub(super) const BETWEEN: [char; 5] = ['/', '-', ':', '→', '>'];
/// Letters that a word has at least which is looked for behind such a sign, or within a name.
pub(super) const INNER: usize = 3;
/// Signs behind a number of copies.
pub(super) const TIMES: [char; 2] = ['x', '×'];
/// Ways of a move's words that are tried.
const MOST_TRIED: usize = 2_000;
/// Letters of a word at least that is looked for within another.
const SHORTEST: usize = 2;

/// Moves, with what each is called in all forms.
pub(super) struct Among {
    /// What they are.
    pub moves: Vec<Candidate>,
    signs: Vec<Vec<Phrase>>,
    /// In plain letters.
    pub plain: Vec<Vec<Phrase>>,
    spoken: Vec<Vec<Phrase>>,
}

/// What a text can mean.
#[derive(Default)]
pub(super) struct Found {
    /// Which of the moves.
    pub at: Vec<usize>,
    /// Its words as they were read.
    pub typed: Vec<String>,
    /// Whether it may as well mean something else, which is no move.
    pub is_guess: bool,
}

/// How words are written: as they are, or without what not every keyboard has.
type Written = fn(&str) -> String;

/// A word of a move.
pub(super) struct Word {
    /// With symbols and plain, in small letters.
    pub forms: Vec<String>,
    /// What may stand for it as a whole where nothing else is meant: the names of what lies there.
    pub also: Vec<String>,
    pub of: Option<Base>,
}

impl Among {
    /// The legal moves.
    pub fn legal(machine: &mut Machine<'_>) -> Self {
        let moves = machine.moves().to_vec();
        let unknown = || Candidate {
            seat: 0,
            kind: CandidateKind::Text(String::new()),
        };
        let moves = moves.into_iter().map(|it| machine.candidate(it));
        let moves = moves.map(|it| it.unwrap_or_else(unknown));
        let moves: Vec<Candidate> = moves.collect();
        let [signs, plain, spoken] = Form::ALL.map(|form| phrases_of(machine, form));
        Self {
            moves,
            signs,
            plain,
            spoken,
        }
    }

    /// What the pending choice asks for of which a text names words, be it legal or not.
    pub fn asked(machine: &mut Machine<'_>, text: &str) -> Self {
        let typed = small(text);
        let mut named: Vec<String> = [typed.clone(), paired(&typed), parted(&typed)].concat();
        named.extend(taken_apart(&typed, false));
        let bare: Vec<String> = named.iter().map(|it| unaccented(it)).collect();
        named.extend(bare);
        named.sort_unstable();
        named.dedup();
        let whole = typed.first().filter(|_| typed.len() == 1);
        let is_named = |word: &str| {
            let bare = unaccented(word);
            let is_within = word.chars().count() >= SHORTEST;
            named.iter().any(|it| begins(word, it) || begins(&bare, it))
                || whole.is_some_and(|it| is_within && it.contains(word))
        };
        let moves = machine.asked(&is_named);
        let [signs, plain, spoken] = Form::ALL.map(|form| {
            let phrases = moves.iter();
            let phrases = phrases.map(|it| machine.phrases_of_candidate(it, form));
            phrases.collect()
        });
        Self {
            moves,
            signs,
            plain,
            spoken,
        }
    }

    /// The moves that a text can mean: its words in any order, but values of one kind in
    /// theirs. A whole word goes before a beginning, and what is the whole name of something else stands for that.
    pub fn find(&self, machine: &mut Machine<'_>, text: &str) -> Found {
        let typed = small(text);
        let loose = loosely(&[&self.signs, &self.plain, &self.spoken], &typed);
        let bare = |typed: &[String]| typed.iter().map(|it| unaccented(it)).collect();
        // Not every keyboard has accents; what is typed with them is looked for before.
        let ways = [
            (typed.clone(), false),
            (paired(&typed), false),
            (loose.clone(), false),
            (counted(&loose), false),
            (bare(&typed), true),
            (bare(&loose), true),
        ];
        for (nth, (typed, is_bare)) in ways.iter().enumerate() {
            let is_known = |it: &(Vec<String>, bool)| it.0 == *typed && it.1 == *is_bare;
            if ways.iter().take(nth).any(is_known) {
                continue;
            }
            let written: Written = match is_bare {
                true => unaccented,
                false => str::to_owned,
            };
            let (at, is_guess) = self.by(machine, typed, written);
            if !at.is_empty() {
                let typed = typed.clone();
                return Found {
                    at,
                    typed,
                    is_guess,
                };
            }
        }
        Found::default()
    }

    /// Whether a word is one of some move.
    pub fn has_word(&self, word: &str) -> bool {
        let phrases = self.signs.iter().zip(&self.plain);
        let words = phrases.flat_map(|(signs, plain)| words_of(signs, plain));
        let spoken = self.spoken.iter().flat_map(|it| words_of(it, it));
        let mut forms = words.chain(spoken).flat_map(|it| it.forms);
        forms.any(|it| it == word)
    }

    /// The moves that typed words can mean, with each word of the moves written in one way.
    fn by(
        &self,
        machine: &mut Machine<'_>,
        typed: &[String],
        written: Written,
    ) -> (Vec<usize>, bool) {
        if typed.is_empty() || typed.len() > MOST_WORDS {
            return (Vec::new(), false);
        }
        let mut is_guess = false;
        let apart = [false, true].map(|repeated| taken_apart(typed, repeated));
        let joined = joined(typed).filter(|_| typed.len() == 1);
        let (signs, plain, spoken) = (&self.signs, &self.plain, &self.spoken);
        // What is one word as it is written may be several as it is spoken; what is written goes before.
        let mut found = Vec::new();
        for [one, other] in [[signs, plain], [spoken, spoken]] {
            let words = one.iter().zip(other);
            let mut words: Vec<Vec<Word>> =
                words.map(|(one, other)| words_of(one, other)).collect();
            let forms = words.iter_mut().flatten().flat_map(|it| &mut it.forms);
            forms.for_each(|it| *it = written(it));
            for whole in [true, false] {
                if found.is_empty() {
                    found = fitting(machine, typed, &words, whole);
                }
            }
            // With other signs between whole words, or none.
            for typed in &apart {
                if found.is_empty() {
                    found = fitting(machine, typed, &words, true);
                }
            }
            if found.is_empty() && joined.is_some() {
                let is_same = |words: &[Word], form: usize| {
                    let words = words
                        .iter()
                        .filter_map(|it| it.forms.get(form).or(it.forms.first()));
                    let words: Vec<String> = words.cloned().collect();
                    self::joined(&words) == joined
                };
                let all = words.iter().enumerate();
                let all = all.filter(|(_, it)| is_same(it, 0) || is_same(it, 1));
                found = all.map(|(at, _)| at).collect();
            }
        }
        if found.is_empty() && typed.len() == 1 {
            (found, is_guess) = by_what_moves(machine, &typed.concat(), self);
        }
        if found.is_empty() {
            let words = signs.iter().zip(plain).zip(&self.moves);
            let words: Vec<Vec<Word>> = words
                .map(|((signs, plain), mv)| words_with_more(machine, mv, [signs, plain]))
                .collect();
            found = fitting(machine, typed, &words, false);
        }
        (found, is_guess)
    }
}

/// The words of a text in small letters.
pub(super) fn small(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_lowercase).collect()
}

/// The words between the signs that stand between or behind them; a number of copies, or so many copies.
fn taken_apart(typed: &[String], repeated: bool) -> Vec<String> {
    let mut apart = Vec::new();
    for word in typed {
        let letters: Vec<char> = word.chars().collect();
        let at = |at: Option<usize>| at.and_then(|it| letters.get(it)).copied();
        let is_digit = |it: Option<char>| it.is_some_and(|it| it.is_ascii_digit());
        let is_name = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
        let mut parts = vec![String::new()];
        let mut is_times = false;
        for (nth, letter) in letters.iter().enumerate() {
            let (before, behind) = (at(nth.checked_sub(1)), at(Some(nth + 1)));
            let times = TIMES.contains(letter)
                && is_digit(before)
                && (is_digit(behind) || behind.is_none());
            let divides = BETWEEN.contains(letter) && is_name(before) && is_name(behind);
            is_times |= times;
            match times || divides {
                true => parts.push(String::new()),
                false => parts.last_mut().into_iter().for_each(|it| it.push(*letter)),
            }
        }
        parts.retain(|it| !it.is_empty());
        match parts.as_slice() {
            [many, one] if repeated && is_times => {
                let many = many.parse().unwrap_or(MOST_WORDS).min(MOST_WORDS);
                apart.extend(std::iter::repeat_n(one.clone(), many));
            }
            _ => apart.extend(parts),
        }
    }
    apart
}

/// Words without what stands between them; none where two numbers would become one.
pub(super) fn joined(words: &[String]) -> Option<String> {
    let text = words.join(" ");
    let parts = text.split(|it: char| it == ' ' || BETWEEN.contains(&it));
    let mut joined = String::new();
    for part in parts {
        let is_digit = |it: char| it.is_ascii_digit();
        if joined.ends_with(is_digit) && part.starts_with(is_digit) {
            return None;
        }
        joined.push_str(part);
    }
    Some(joined)
}

/// The words of a move in two forms.
pub(super) fn words_of(signs: &[Phrase], plain: &[Phrase]) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for (sign, plain) in signs.iter().zip(plain) {
        let pair = [sign, plain].map(|it| it.text.split_whitespace().collect::<Vec<_>>());
        let [signs, plain] = pair;
        for at in 0..signs.len().max(plain.len()) {
            let forms = [&signs, &plain].map(|it| it.get(at));
            let forms = forms.into_iter().flatten().map(|it| it.to_lowercase());
            let mut forms: Vec<String> = forms.collect();
            forms.dedup();
            words.push(Word {
                forms,
                also: Vec::new(),
                of: sign.of,
            });
        }
    }
    words
}

/// The moves that typed words can mean; where several have them in the order in which they are typed, these.
fn fitting(
    machine: &mut Machine<'_>,
    typed: &[String],
    moves: &[Vec<Word>],
    whole: bool,
) -> Vec<usize> {
    let mut found: Vec<usize> = (0..moves.len()).collect();
    for ordered in [false, true] {
        let how = How { whole, ordered };
        let fits = found.iter().copied().filter(|at| {
            let mut left = MOST_TRIED;
            let words = moves.get(*at).map_or(&[][..], Vec::as_slice);
            fits(machine, typed, words, &mut Vec::new(), how, &mut left)
        });
        let fits: Vec<usize> = fits.collect();
        if !ordered || !fits.is_empty() {
            found = fits;
        }
        if found.len() < 2 {
            break;
        }
    }
    found
}

/// How typed words are held against those of a move.
#[derive(Clone, Copy)]
struct How {
    /// Whether beginnings are not enough.
    whole: bool,
    /// Whether they stand in their order.
    ordered: bool,
}

/// Whether each typed word is a word of the move, or the beginning of one.
fn fits(
    machine: &mut Machine<'_>,
    typed: &[String],
    words: &[Word],
    used: &mut Vec<usize>,
    how: How,
    left: &mut usize,
) -> bool {
    let Some((first, rest)) = typed.split_first() else {
        return true;
    };
    for (at, word) in words.iter().enumerate() {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        let is_behind = |other: &usize| {
            words
                .get(*other)
                .is_some_and(|it| it.of.is_none() || it.of != word.of || *other < at)
        };
        if used.contains(&at) || !used.iter().all(is_behind) {
            continue;
        }
        if how.ordered && used.last().is_some_and(|it| *it > at) {
            continue;
        }
        if !word.is_meant_by(machine, first, how.whole) {
            continue;
        }
        used.push(at);
        if fits(machine, rest, words, used, how, left) {
            return true;
        }
        used.pop();
    }
    false
}

impl Word {
    fn is_meant_by(&self, machine: &mut Machine<'_>, typed: &str, whole: bool) -> bool {
        if self.forms.iter().chain(&self.also).any(|it| it == typed) {
            return true;
        }
        if whole || !self.forms.iter().any(|it| begins(it, typed)) {
            return false;
        }
        !self.of.is_some_and(|of| machine.has_word(of, typed))
    }
}

/// Whether a word begins so, and no number goes on behind it, nor a pair of numbers; or one of several that are written as one, `tunnel` in `plan/tunnel`.
fn begins(word: &str, typed: &str) -> bool {
    let is_digit = |it: Option<char>| it.is_some_and(|it| it.is_ascii_digit());
    // Of a pair like `1,3` the first number alone names too little: it may as well be a number in a picture.
    let is_number = typed.parse::<i64>().is_ok();
    let begins = |word: &str| {
        let rest = word.strip_prefix(typed);
        rest.is_some_and(|rest| {
            let next = rest.chars().next();
            let goes_on = is_digit(typed.chars().next_back()) && is_digit(next);
            let is_pair = is_number && next == Some(',') && is_digit(rest.chars().nth(1));
            !goes_on && !is_pair
        })
    };
    let is_long = typed.chars().count() >= INNER && typed.chars().all(char::is_alphabetic);
    begins(word) || is_long && word.split(BETWEEN).skip(1).any(begins)
}
