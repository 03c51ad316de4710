//! What was chosen from, and what was chosen.

use std::collections::BTreeMap;

use super::carried::Carrier;
use crate::engine::{Alternative, Move, Preferred, Program};
use crate::model::ClauseId;

/// By choice of the rules and alternative, how often it could be chosen and was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    choices: Vec<Used>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Used {
    asked: u64,
    offered: Vec<u64>,
    played: Vec<u64>,
}

/// What one alternative, or one choice, has come to, wherever the rules ask for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// How often it could be chosen from.
    pub asked: u64,
    /// How often something of it was legal.
    pub legal: u64,
    /// How often it was chosen.
    pub played: u64,
}

impl Uses {
    pub(super) fn of(program: &Program) -> Uses {
        let choices = program.choices().map(|it| {
            let n = it.alternatives.len();
            Used {
                asked: 0,
                offered: vec![0; n],
                played: vec![0; n],
            }
        });
        Uses {
            choices: choices.collect(),
        }
    }

    pub(super) fn chose(&mut self, from: &Preferred, mv: Move) {
        let Some(used) = self.choices.get_mut(from.choice) else {
            return;
        };
        used.asked += 1;
        for (word, bits) in from.offered.iter().enumerate() {
            let mut rest = *bits;
            while rest != 0 {
                let at = word * 64 + rest.trailing_zeros() as usize;
                if let Some(offered) = used.offered.get_mut(at) {
                    *offered += 1;
                }
                rest &= rest - 1;
            }
        }
        if let Some(played) = used.played.get_mut(mv.alternative()) {
            *played += 1;
        }
    }

    pub(super) fn merge(&mut self, other: &Uses) {
        for (own, other) in self.choices.iter_mut().zip(&other.choices) {
            own.asked += other.asked;
            let offered = own.offered.iter_mut().zip(&other.offered);
            let played = own.played.iter_mut().zip(&other.played);
            offered.chain(played).for_each(|(own, other)| *own += other);
        }
    }

    pub(super) fn carry(&mut self, by: &mut Carrier<'_>) {
        for (at, own) in self.choices.iter_mut().enumerate() {
            by.inside(at, |by| {
                by.number("asked", &mut own.asked);
                let lists = [("offered", &mut own.offered), ("played", &mut own.played)];
                for (name, counts) in lists {
                    by.inside(name, |by| {
                        let counts = counts.iter_mut().enumerate();
                        counts.for_each(|(at, count)| by.number(at, count));
                    });
                }
            });
        }
    }

    /// By clause that asks, how often it has.
    #[must_use]
    pub fn by_clause(&self, program: &Program) -> BTreeMap<ClauseId, u64> {
        let mut asked = BTreeMap::new();
        for (point, used) in program.choices().zip(&self.choices) {
            *asked.entry(point.clause).or_default() += used.asked;
        }
        asked
    }

    /// By action, in the order of the rulebook, or option of its own, what became of it. An action that no choice of
    /// the rules offers is not among them.
    #[must_use]
    pub fn by_name(&self, program: &Program) -> Vec<(String, Place)> {
        let mut places: BTreeMap<(usize, &str), Place> = BTreeMap::new();
        let actions = &program.game.actions;
        let all: Vec<_> = program.choices().collect();
        for (point, used) in all.iter().zip(&self.choices) {
            let counts = used.offered.iter().zip(&used.played);
            for (alternative, (legal, played)) in point.alternatives.iter().zip(counts) {
                let key = match *alternative {
                    Alternative::Action(id) => match actions.get(id.index()) {
                        Some(action) => (id.index(), action.name.as_str()),
                        None => continue,
                    },
                    Alternative::Option(name) => (usize::MAX, name),
                    // Its values are told by the clause that asks for them.
                    Alternative::Value(_) => continue,
                };
                let place = places.entry(key).or_default();
                place.asked += used.asked;
                place.legal += legal;
                place.played += played;
            }
        }
        let named = places.into_iter();
        named
            .map(|((_, name), place)| (name.to_owned(), place))
            .collect()
    }
}
