//! The piles whose order is asked for, and where, as bits: whole rules are followed again and again.

use rustc_hash::FxHashMap as HashMap;

use crate::model::ZoneId;

/// The piles of which something hangs on who asks for their order, by number.
#[derive(Default)]
pub(super) struct Piles(HashMap<ZoneId, usize>);

impl Piles {
    pub(super) fn add(&mut self, zone: ZoneId) {
        let next = self.0.len();
        self.0.entry(zone).or_insert(next);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn number(&self, zone: ZoneId) -> Option<usize> {
        self.0.get(&zone).copied()
    }

    /// One more than the piles: where the order of that one is asked for, it is before the procedure is left.
    pub(super) fn within(&self) -> usize {
        self.0.len()
    }

    pub(super) fn all(&self) -> Zones {
        let mut zones = self.none();
        (0..self.within()).for_each(|at| zones.insert(at));
        zones
    }

    pub(super) fn none(&self) -> Zones {
        Zones(vec![0; self.within() / 64 + 1])
    }

    /// What is asked for where nobody asks for anything.
    pub(super) fn unasked(&self) -> Live {
        let none = self.none().0;
        let width = none.len();
        let words = none.repeat(self.within());
        Live { width, words }
    }

    /// What is asked for where these are asked for before the procedure is left.
    pub(super) fn asked(&self, zones: &Zones) -> Live {
        let mut live = self.unasked();
        zones.iter().for_each(|at| live.insert(at, self.within()));
        live
    }

    /// What is asked for where the procedure is left: each where it is asked for behind it.
    pub(super) fn handed_on(&self) -> Live {
        let mut live = self.unasked();
        (0..self.within()).for_each(|at| live.insert(at, at));
        live
    }
}

/// Some of the piles.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Zones(Vec<u64>);

impl Zones {
    pub(super) fn insert(&mut self, at: usize) {
        insert(&mut self.0, at);
    }

    /// Adds those of the other; returns whether there were more.
    pub(super) fn join(&mut self, other: &Zones) -> bool {
        join(&mut self.0, &other.0)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        members(&self.0)
    }
}

/// The piles whose order is asked for behind some place in the rules; for each, of which piles the order is asked for
/// behind the procedure wherever it is.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Live {
    width: usize,
    words: Vec<u64>,
}

impl Live {
    fn row(&self, at: usize) -> &[u64] {
        let start = at * self.width;
        self.words
            .get(start..start + self.width)
            .unwrap_or_default()
    }

    fn row_mut(&mut self, at: usize) -> &mut [u64] {
        let start = at * self.width;
        self.words
            .get_mut(start..start + self.width)
            .unwrap_or_default()
    }

    fn insert(&mut self, at: usize, why: usize) {
        insert(self.row_mut(at), why);
    }

    /// Adds what the other asks for; returns whether that is more.
    pub(super) fn join(&mut self, other: &Live) -> bool {
        join(&mut self.words, &other.words)
    }

    pub(super) fn join_some(&mut self, other: Option<&Live>) {
        if let Some(other) = other {
            self.join(other);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Adds that the order of one is asked for wherever that of the other is.
    pub(super) fn follow(&mut self, at: usize, other: usize) {
        let whys = self.row(other).to_vec();
        join(self.row_mut(at), &whys);
    }

    /// Adds what is asked for before a procedure, given what is asked for within it and behind it.
    pub(super) fn hand_on(&mut self, before: &Live, after: &Live) {
        let within = self.words.len() / self.width;
        for at in 0..within {
            for why in members(before.row(at)) {
                match why == within {
                    true => self.insert(at, within),
                    false => _ = join(self.row_mut(at), after.row(why)),
                }
            }
        }
    }

    pub(super) fn clear(&mut self, at: usize) {
        self.row_mut(at).fill(0);
    }

    /// Whether one is asked for, where these are.
    pub(super) fn asks(&self, at: usize, asked: &Zones) -> bool {
        let mut both = self.row(at).iter().zip(&asked.0);
        both.any(|(why, asked)| why & asked != 0)
    }
}

fn insert(words: &mut [u64], at: usize) {
    if let Some(word) = words.get_mut(at / 64) {
        *word |= 1 << (at % 64);
    }
}

fn join(words: &mut [u64], more: &[u64]) -> bool {
    let mut grew = false;
    for (word, more) in words.iter_mut().zip(more) {
        grew |= more & !*word != 0;
        *word |= more;
    }
    grew
}

fn members(words: &[u64]) -> impl Iterator<Item = usize> {
    let places = words.iter().zip((0..).step_by(64));
    places.flat_map(|(word, first)| {
        let bits = std::iter::successors(Some(*word), |word| Some(word & word.wrapping_sub(1)));
        let bits = bits.take_while(|word| *word != 0);
        bits.map(move |word| first + word.trailing_zeros() as usize)
    })
}
