//! Moves in fewer letters than they are printed with: the beginnings of their words.

use super::alike;
use super::groups::phrases_of;
use super::loose::{counted, loosely, paired, unaccented};
use crate::engine::text::print_value;
use crate::engine::{CandidateKind, Machine, Move, Phrase, Seen, Status, View, Viewer};
use crate::model::text::{Form, spelt};
use crate::model::{Base, Type};

/// Most words that are read so.
pub(super) const MOST_WORDS: usize = 8;
/// Signs that people write between the words of a move.
pub(super) const BETWEEN: [char; 5] = ['/', '-', ':', '→', '>'];
/// Letters that a word has at least which is looked for behind such a sign.
const INNER: usize = 3;
/// Signs behind a number of copies.
pub(super) const TIMES: [char; 2] = ['x', '×'];
/// Ways of a move's words that are tried.
const MOST_TRIED: usize = 2_000;

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

/// A word of a move.
struct Word {
    /// With symbols and plain, in small letters.
    forms: Vec<String>,
    /// What may stand for it as a whole where nothing else is meant: the names of what lies there.
    also: Vec<String>,
    of: Option<Base>,
}

/// Reads the beginnings of words, in any order, but values of one kind in theirs. A whole word goes before a beginning, and
/// what is the whole name of something else stands for that.
///
/// Two numbers that mean nothing one beside the other are read as a pair, `0 1` as `0,1`; what else means nothing, without commas
/// and small words, and a number before a word as so many of it.
pub fn meant(machine: &mut Machine<'_>, text: &str) -> Meant {
    let typed: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let as_told = |text: &str| text.to_owned();
    let mut meant = meant_by(machine, &typed, as_told);
    if meant != Meant::Nothing {
        return meant;
    }
    let loose = loosely(machine, &typed);
    for other in [paired(&typed), loose.clone(), counted(&loose)] {
        if meant == Meant::Nothing && other != typed {
            meant = meant_by(machine, &other, as_told);
        }
    }
    // Not every keyboard has accents; what is typed with them has been looked for before.
    if meant == Meant::Nothing {
        let typed: Vec<String> = typed.iter().map(|it| unaccented(it)).collect();
        meant = meant_by(machine, &typed, unaccented);
    }
    meant
}

/// The moves that typed words can mean, with each word of the moves written in one way.
fn meant_by(machine: &mut Machine<'_>, typed: &[String], written: fn(&str) -> String) -> Meant {
    if typed.is_empty() || typed.len() > MOST_WORDS {
        return Meant::Nothing;
    }
    let apart = [false, true].map(|repeated| taken_apart(typed, repeated));
    let joined = joined(typed).filter(|_| typed.len() == 1);
    let moves = machine.moves().to_vec();
    let [signs, plain, spoken] = Form::ALL.map(|form| phrases_of(machine, form));
    // What is one word as it is written may be several as it is spoken; what is written goes before.
    let mut found = Vec::new();
    for [one, other] in [[&signs, &plain], [&spoken, &spoken]] {
        let words = one.iter().zip(other);
        let mut words: Vec<Vec<Word>> = words.map(|(one, other)| words_of(one, other)).collect();
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
        found = by_what_moves(machine, &typed.concat(), &plain);
    }
    if found.is_empty() {
        let words = signs.iter().zip(&plain).zip(&moves);
        let words: Vec<Vec<Word>> = words
            .map(|((signs, plain), mv)| words_with_more(machine, *mv, [signs, plain]))
            .collect();
        found = fitting(machine, typed, &words, false);
    }
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
        [only] if typed.len() == 1 && leads_on(plain.get(*only), &typed.concat()) => {
            Meant::Several(found)
        }
        [only] => moves
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
fn joined(words: &[String]) -> Option<String> {
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

/// The moves of which a text names what lies at their first place in place of that, as those who note games do: `Nf3`, `Nxf3`.
fn by_what_moves(machine: &mut Machine<'_>, typed: &str, plain: &[Vec<Phrase>]) -> Vec<usize> {
    let Status::Choice { seat } = machine.status() else {
        return Vec::new();
    };
    let view = machine.view(Viewer::Seat(seat));
    let moves = machine.moves().to_vec();
    let typed = typed.trim_end_matches(['+', '#', '!', '?']);
    let without = typed.replacen(TIMES, "", 1);
    let mut found = Vec::new();
    for (at, (chosen, words)) in moves.into_iter().zip(plain).enumerate() {
        let Some(first) = words.iter().position(|it| it.of.is_some()) else {
            continue;
        };
        let name = words.get(first).map_or("", |it| it.text.trim());
        let lying = lying_at(machine, &view, chosen, name);
        let rest = words
            .iter()
            .skip(first + 1)
            .map(|it| it.text.to_lowercase());
        let rest: Vec<String> = rest.collect();
        let is_meant = |sign: &String| {
            let words: Vec<String> = [sign.to_lowercase()]
                .into_iter()
                .chain(rest.clone())
                .collect();
            joined(&words).is_some_and(|it| [typed, &without].contains(&it.as_str()))
        };
        if lying.iter().any(is_meant) {
            found.push(at);
        }
    }
    found
}

/// What lies at the first place of a move that has a name, in all forms.
fn lying_at(machine: &Machine<'_>, view: &View, chosen: Move, name: &str) -> Vec<String> {
    let game = &*machine.program().game;
    let mut args = machine.args(chosen).into_iter();
    let named = args.find(|(ty, value)| print_value(game, *ty, *value, Form::Plain) == name);
    let Some((Base::Elem(space), place)) = named.map(|(ty, value)| (ty.base, value)) else {
        return Vec::new();
    };
    let zones = game.zones.iter().zip(&view.zones);
    let lying = zones.filter(|(zone, _)| zone.index == [space]);
    let lying = lying.filter_map(|(zone, seen)| {
        let place = usize::try_from(place).ok()?;
        let seen = seen.places.get(place).filter(|it| it.index == [place])?;
        let [Seen::Known(kind)] = seen.seen.as_slice() else {
            return None;
        };
        let ty = Type::of(Base::Elem(zone.component));
        Some(Form::ALL.map(|form| print_value(game, ty, *kind, form)))
    });
    lying.flatten().collect()
}

/// The words of a move, with what it is called in the rules, and places with what lies there.
fn words_with_more(
    machine: &Machine<'_>,
    chosen: Move,
    [signs, plain]: [&Vec<Phrase>; 2],
) -> Vec<Word> {
    let view = match machine.status() {
        Status::Choice { seat } => machine.view(Viewer::Seat(seat)),
        Status::Ended => machine.view(Viewer::NOBODY),
    };
    let mut words = Vec::new();
    if let Some(CandidateKind::Action(id, _)) = machine.candidate(chosen).map(|it| it.kind) {
        let action = machine.program().game.actions.get(id.index());
        let name = action.map_or_else(String::new, |it| spelt(&it.name));
        words.extend(name.split(' ').map(|it| Word {
            forms: Vec::new(),
            also: vec![it.to_lowercase()],
            of: None,
        }));
    }
    for (sign, plain) in signs.iter().zip(plain) {
        let from = words.len();
        words.extend(words_of(
            std::slice::from_ref(sign),
            std::slice::from_ref(plain),
        ));
        if let Some(word) = words.get_mut(from).filter(|_| sign.of.is_some()) {
            let lying = lying_at(machine, &view, chosen, plain.text.trim()).into_iter();
            word.also = lying.map(|it| it.to_lowercase()).collect();
        }
    }
    words
}

/// The moves whose words stand in a text most, by their places; of each so many letters.
pub fn sharing(machine: &mut Machine<'_>, text: &str) -> Vec<usize> {
    let text = text.to_lowercase();
    let [plain, spoken] = [Form::Plain, Form::Spoken].map(|form| phrases_of(machine, form));
    let shared = |phrases: &Vec<Phrase>| -> usize {
        let words = phrases.iter().flat_map(|it| it.text.split_whitespace());
        let words = words.map(str::to_lowercase);
        let words = words.filter(|it| it.chars().count() > 1 && text.contains(it.as_str()));
        words.map(|it| it.chars().count()).sum()
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

/// The words of a move in two forms.
fn words_of(signs: &[Phrase], plain: &[Phrase]) -> Vec<Word> {
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

#[cfg(test)]
mod tests {
    use super::{begins, completed};

    #[test]
    fn tab_completes_the_next_word_of_what_has_begun_so() {
        let names = [
            "match Qs with a7",
            "match Jh with b7",
            "swap Qs with a7",
            "undo",
        ];
        let names = names.map(str::to_owned);
        let all = |typed| completed(&names, typed).join(" ");
        assert_eq!(all(""), "match swap undo");
        assert_eq!(all("M"), "match");
        assert_eq!(all("m "), "Qs Jh");
        assert_eq!(all("match q"), "Qs");
        assert_eq!(all("s q w "), "a7");
        assert_eq!(all("undo "), "");
        assert!(begins("plan/tunnel", "tun") && begins("plan/tunnel", "pl"));
        assert!(begins("1,3", "1,") && !begins("1,3", "1") && !begins("-1,3", "-1"));
        assert!(!begins("plan/tunnel", "tu") && !begins("24/18", "18") && !begins("e2-e4", "e4"));
        assert_eq!(all("x "), "");
    }
}
