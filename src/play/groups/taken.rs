//! Some of a number of things, taken at once: `pass 3 of …`, `roll 1..5 of …`.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::{Group, Groups, Slot};
use crate::model::Base;

/// What is written before things that are taken together, of what they are, and what is written behind.
type Frame = (String, Base, String);

impl Groups {
    /// Where all ways to take some of a number of things can be chosen, they are one group. Where only some can, and not as many
    /// of each, they stay apart: with several words in one place nobody could tell how many are taken.
    pub(super) fn take_together(&mut self) {
        let mut families: HashMap<Frame, Vec<usize>> = HashMap::new();
        for (at, group) in self.groups.iter().enumerate() {
            if let Some(run) = self.run(group) {
                let frame = self.frame(group, &run);
                families.entry(frame).or_default().push(at);
            }
        }
        let mut gone = vec![false; self.groups.len()];
        for members in families.into_values().filter(|it| it.len() > 1) {
            let ways: Vec<Vec<String>> = members.iter().map(|at| self.taken(*at)).collect();
            let lengths = ways.iter().map(Vec::len);
            let (Some(fewest), Some(most)) = (lengths.clone().min(), lengths.max()) else {
                continue;
            };
            if most < 2 {
                continue;
            }
            let Some((first, others)) = members.split_first() else {
                continue;
            };
            if let Some(things) = all_of(&ways, fewest..most + 1) {
                self.put_together(*first, others, things, (fewest, most));
                for at in others {
                    gone[*at] = true;
                }
            } else if fewest < most {
                for at in &members {
                    self.groups[*at].is_apart = true;
                }
            }
        }
        let mut gone = gone.into_iter();
        self.groups.retain(|_| !gone.next().unwrap_or(false));
    }

    /// The values of one kind, from the first on, between which nothing is written.
    fn run(&self, group: &Group) -> Option<Range<usize>> {
        let slots = &group.slots;
        let start = slots.iter().position(|it| it.of.is_some())?;
        let of = slots[start].of;
        let is_gap = |slot: &Slot| slot.of.is_none() && self.words_of(slot).trim().is_empty();
        let mut end = start + 1;
        while let Some([gap, value]) = slots.get(end..end + 2)
            && is_gap(gap)
            && value.of == of
        {
            end += 2;
        }
        Some(start..end)
    }

    fn frame(&self, group: &Group, run: &Range<usize>) -> Frame {
        let written = |slots: &[Slot]| -> String {
            let words = slots.iter().map(|it| (it.of, self.words_of(it)));
            words.map(|it| format!("{it:?}")).collect()
        };
        let slots = &group.slots;
        let of = slots[run.start].of.unwrap_or(Base::Unit);
        (written(&slots[..run.start]), of, written(&slots[run.end..]))
    }

    /// The only text of a slot.
    fn words_of(&self, slot: &Slot) -> &str {
        let text = slot.texts.first().and_then(|it| self.texts.get(*it));
        text.map_or("", String::as_str)
    }

    /// What a move takes, in the order of its words.
    fn taken(&self, at: usize) -> Vec<String> {
        let group = &self.groups[at];
        let run = self.run(group).unwrap_or_default();
        let values = group.slots[run].iter().filter(|it| it.of.is_some());
        values.map(|it| self.words_of(it).to_owned()).collect()
    }

    fn put_together(
        &mut self,
        first: usize,
        others: &[usize],
        things: Vec<String>,
        n_of: (usize, usize),
    ) {
        let run = self.run(&self.groups[first]).unwrap_or_default();
        let from = self.texts.len();
        self.texts.extend(things);
        let together = Slot {
            texts: (from..self.texts.len()).collect(),
            of: self.groups[first].slots[run.start].of,
            n_of: Some(n_of),
        };
        let mut moves: Vec<usize> = Vec::new();
        for at in others {
            moves.append(&mut self.groups[*at].moves);
        }
        let group = &mut self.groups[first];
        group.slots.splice(run, [together]);
        group.moves.append(&mut moves);
    }
}

/// The things of which these are all ways to take so many.
fn all_of(ways: &[Vec<String>], many: Range<usize>) -> Option<Vec<String>> {
    let mut most: BTreeMap<&str, usize> = BTreeMap::new();
    let mut seen = Vec::new();
    // As they come, not as they are sorted.
    let mut things: Vec<&str> = Vec::new();
    for way in ways {
        let mut own: BTreeMap<&str, usize> = BTreeMap::new();
        for it in way {
            *own.entry(it).or_default() += 1;
        }
        for (it, n) in &own {
            let known = most.entry(it).or_default();
            *known = (*known).max(*n);
        }
        things.extend(way.iter().map(String::as_str));
        seen.push(own);
    }
    seen.sort();
    seen.dedup();
    let n_ways = seen.len();
    // How many ways there are to take nought, one, two, … of them.
    let mut by_number = vec![1_usize];
    for n in most.values() {
        let mut next = vec![0_usize; by_number.len() + n];
        for (at, ways) in by_number.iter().enumerate() {
            for more in &mut next[at..=at + n] {
                *more = more.saturating_add(*ways);
            }
        }
        by_number = next;
    }
    let expected = by_number
        .get(many)?
        .iter()
        .try_fold(0_usize, |n, it| n.checked_add(*it))?;
    if n_ways != ways.len() || n_ways != expected {
        return None;
    }
    let each = things.into_iter().filter_map(|it| {
        let n = most.remove(it)?;
        Some(vec![it.to_owned(); n])
    });
    Some(each.flatten().collect())
}
