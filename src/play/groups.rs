//! Moves that differ in one word, told in one line: `match  J♥ Q♠ with a7`, `bid 4..100`.

use crate::model::text::Form;
use std::collections::{BTreeSet, HashMap};

mod taken;

use super::alike;
use super::rows::{run_of, under_heads};
use crate::engine::{Machine, Phrase};
use crate::model::Base;

/// Of more moves than this nobody looks for words that go together.
const MOST_MOVES: usize = 4_096;
/// Lines with no more letters stand beside one another.
const SHORT: usize = 28;
/// Stands for a value in a template.
const HOLE: &str = "\0";
/// Between moves on one line.
const BETWEEN: &str = " · ";

/// Moves that are told together: each of the words of a slot goes with each of every other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    slots: Vec<Slot>,
    /// Their numbers in the list, from nought.
    pub moves: Vec<usize>,
    /// Whether each word goes with each; else only some do.
    is_whole: bool,
    /// Whether no other may be put to it.
    is_apart: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Slot {
    /// Numbers of texts, in the order in which they came.
    texts: BTreeSet<usize>,
    /// Of what a value is; none where the rulebook writes it.
    of: Option<Base>,
    /// How many of them are named at once, at least and at most, where it may be more than one.
    n_of: Option<(usize, usize)>,
}

/// The legal moves in groups.
#[derive(Debug, Default)]
pub struct Groups {
    groups: Vec<Group>,
    texts: Vec<String>,
    /// What stands between moves on one line.
    between: &'static str,
    /// Whether each value is said with all of its words, as a list that is heard has to be.
    is_spoken: bool,
}

impl Groups {
    /// The groups of the legal moves; of those that look the same only the first stands there.
    pub fn of(machine: &mut Machine<'_>, form: Form) -> Self {
        let phrases = phrases_of(machine, form);
        let mut groups = Self::among(&phrases, &alike::distinct(machine));
        groups.between = if form.is_plain() { "; " } else { BETWEEN };
        groups.is_spoken = form == Form::Spoken;
        groups
    }

    /// The groups of some of the moves with these phrases.
    #[must_use]
    pub fn among(phrases: &[Vec<Phrase>], chosen: &[usize]) -> Self {
        // The words of a slot stand in the order in which the moves of one template bring them.
        let mut numbers: HashMap<(String, usize, &str), usize> = HashMap::new();
        let mut texts = Vec::new();
        let mut groups = Vec::new();
        for at in chosen {
            let own = phrases.get(*at).map_or(&[][..], Vec::as_slice);
            let written = own.iter().map(|it| match it.of {
                Some(_) => HOLE,
                None => it.text.as_str(),
            });
            let template: String = written.collect();
            let slots = own.iter().enumerate().map(|(slot, it)| {
                let key = (template.clone(), slot, it.text.as_str());
                let number = *numbers.entry(key).or_insert_with(|| {
                    texts.push(it.text.clone());
                    texts.len() - 1
                });
                Slot {
                    texts: BTreeSet::from([number]),
                    of: it.of,
                    n_of: None,
                }
            });
            groups.push(Group {
                slots: slots.collect(),
                moves: vec![*at],
                is_whole: true,
                is_apart: false,
            });
        }
        let mut all = Self {
            groups,
            texts,
            between: BETWEEN,
            is_spoken: false,
        };
        if chosen.len() <= MOST_MOVES {
            all.take_together();
            all.merge();
        }
        all
    }

    /// Puts groups together that differ in one slot, as long as there are any.
    fn merge(&mut self) {
        let n_slots = self.groups.iter().map(|it| it.slots.len()).max();
        // Behind a word of another length come other words: from the end, fewer lines are left.
        let orders = [true, false].map(|from_end| {
            let mut groups = self.groups.clone();
            loop {
                let before = groups.len();
                for step in 0..n_slots.unwrap_or(0) {
                    let slot = match from_end {
                        true => n_slots.unwrap_or(0) - 1 - step,
                        false => step,
                    };
                    groups = self.merged(groups, slot);
                }
                if groups.len() == before {
                    return groups;
                }
            }
        });
        if let Some(least) = orders.into_iter().min_by_key(Vec::len) {
            self.groups = least;
        }
    }

    /// With those groups as one that differ in this slot alone.
    fn merged(&self, groups: Vec<Group>, slot: usize) -> Vec<Group> {
        let mut found: HashMap<Vec<Slot>, usize> = HashMap::new();
        let mut merged: Vec<Group> = Vec::new();
        for mut group in groups {
            if !self.is_free(&group, slot) {
                merged.push(group);
                continue;
            }
            let mut key = group.slots.clone();
            if let Some(own) = key.get_mut(slot) {
                own.texts.clear();
            }
            match found.get(&key).and_then(|at| merged.get_mut(*at)) {
                Some(into) => into.take(&mut group),
                None => {
                    found.insert(key, merged.len());
                    merged.push(group);
                }
            }
        }
        merged
    }

    /// Whether a slot may hold several words: behind them stands a word that is written, or nothing.
    fn is_free(&self, group: &Group, slot: usize) -> bool {
        let is_apart = |slot: &Slot| {
            let mut texts = slot.texts.iter().filter_map(|it| self.texts.get(*it));
            texts.all(|it| it.starts_with(' ') && !it.trim().is_empty())
        };
        let own = group.slots.get(slot);
        own.is_some_and(|it| it.of.is_some())
            && !group.is_apart
            && group.slots.get(slot + 1).is_none_or(is_apart)
    }

    /// The lines, no longer than a width and no more than `most`.
    #[must_use]
    pub fn lines(&self, width: usize, most: Option<usize>) -> Vec<String> {
        let lines = self.written(&self.groups, width, usize::MAX);
        let Some(most) = most.filter(|it| *it < lines.len()) else {
            return lines;
        };
        let lossy = self.lossy();
        let lines = self.written(&lossy, width, usize::MAX);
        if lines.len() <= most {
            return lines;
        }
        let mut lines = self.written(&lossy, width, 1);
        if lines.len() > most {
            let shown = most.saturating_sub(1);
            let left: usize = lossy.iter().skip(shown).map(|it| it.moves.len()).sum();
            lines.truncate(shown);
            lines.push(format!("… {left} more moves; `list` shows all"));
        }
        lines
    }

    /// All groups of one template as one: not each word goes with each.
    fn lossy(&self) -> Vec<Group> {
        let mut found: HashMap<Vec<Option<usize>>, usize> = HashMap::new();
        let mut merged: Vec<Group> = Vec::new();
        for mut group in self.groups.iter().cloned() {
            let key = group.slots.iter().map(|slot| {
                let written = slot.texts.first().copied();
                written.filter(|_| slot.of.is_none())
            });
            let key: Vec<Option<usize>> = key.collect();
            if group.is_apart || key.iter().all(Option::is_some) {
                merged.push(group);
                continue;
            }
            match found.get(&key).and_then(|at| merged.get_mut(*at)) {
                Some(into) => {
                    into.take(&mut group);
                    into.is_whole = false;
                }
                None => {
                    found.insert(key, merged.len());
                    merged.push(group);
                }
            }
        }
        merged
    }

    fn written(&self, groups: &[Group], width: usize, most: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let mut goes_on = false;
        for group in groups {
            let text = self.text(group, width, most == 1);
            let is_short = long(&text) <= SHORT;
            let last = lines.last_mut().filter(|_| goes_on && is_short);
            match last.filter(|it| long(it) + long(self.between) + long(&text) <= width) {
                Some(last) => {
                    last.push_str(self.between);
                    last.push_str(&text);
                }
                None => lines.extend(broken(&text, width).into_iter().take(most)),
            }
            goes_on = is_short;
        }
        lines
    }

    /// A group in words; in brief in no more than a line.
    fn text(&self, group: &Group, width: usize, in_brief: bool) -> String {
        let n = group.moves.len();
        let behind = if group.is_whole {
            String::new()
        } else {
            let each = group.slots.iter().map(|it| it.texts.len());
            format!("  ({n} of {})", each.product::<usize>())
        };
        let mut shown = usize::MAX;
        loop {
            let words = group.slots.iter().map(|it| self.words(it, shown));
            let text: String = words.collect::<String>() + &behind;
            if !in_brief || long(&text) <= width || shown == 1 {
                return text;
            }
            let longest = group.slots.iter().map(|it| it.texts.len()).max();
            shown = shown.min(longest.unwrap_or(1)).saturating_sub(1).max(1);
        }
    }

    /// The words of a slot, of many the first and the last.
    fn words(&self, slot: &Slot, most: usize) -> String {
        let texts = slot.texts.iter().filter_map(|it| self.texts.get(*it));
        let texts: Vec<&str> = texts.map(String::as_str).collect();
        let before = match slot.n_of {
            None => String::new(),
            Some((one, other)) if one == other => format!("{one} of "),
            Some((one, other)) if self.is_spoken => format!("{one} to {other} of "),
            Some((one, other)) => format!("{one}..{other} of "),
        };
        if let Some(run) = run_of(&texts) {
            return before + &run;
        }
        let mut texts = match self.is_spoken {
            true => texts.into_iter().map(str::to_owned).collect(),
            false => under_heads(&texts),
        };
        // One word behind another would read as one thing: `two grain wood`.
        let between = match texts.iter().any(|it| it.contains(' ') || is_word(it)) {
            true => ", ",
            false => " ",
        };
        if texts.len() > most.saturating_add(1) {
            let last = texts.pop();
            texts.truncate(most);
            texts.push("…".to_owned());
            texts.extend(last);
        }
        before + &texts.join(between)
    }
}

impl Group {
    fn take(&mut self, other: &mut Self) {
        self.moves.append(&mut other.moves);
        for (slot, other) in self.slots.iter_mut().zip(&mut other.slots) {
            slot.texts.append(&mut other.texts);
        }
    }
}

/// What the legal moves are called, in parts.
pub fn phrases_of(machine: &mut Machine<'_>, form: Form) -> Vec<Vec<Phrase>> {
    let names = machine.names(form);
    let moves = machine.moves().to_vec();
    let named = moves.into_iter().zip(names);
    let phrases = named.map(|(mv, name)| machine.phrases(mv, &name, form));
    phrases.collect()
}

/// A text in lines: what goes on stands further right.
fn broken(text: &str, width: usize) -> Vec<String> {
    let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(last) if long(last) + 1 + long(&word) <= width => {
                last.push(' ');
                last.push_str(&word);
            }
            Some(_) => lines.push(format!("    {word}")),
            None => lines.push(word),
        }
    }
    lines
}

/// Letters of a sign like `Na`, which nobody takes for a word.
const SIGN: usize = 2;

/// Whether a text is a word rather than a sign.
fn is_word(text: &str) -> bool {
    let mut letters = text.chars();
    long(text) > SIGN && letters.all(|it| it.is_alphabetic() || "/-'_".contains(it))
}

fn long(text: &str) -> usize {
    text.chars().count()
}
