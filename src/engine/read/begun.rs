//! Texts that name some of what a move is made of.

use std::collections::BTreeSet;

use super::super::face::Piece;
use super::super::machine::{Machine, Status};
use super::super::say::{Candidate, CandidateKind};
use super::folded;
use crate::model::{ActionId, Base, Type};

/// Most words of which each is looked for.
const MOST_WORDS: usize = 8;
/// Most ways in which beginnings of values are taken.
const MOST_WAYS: usize = 64;

impl Machine<'_> {
    /// What the pending choice asks for of which these words are some, in any order, be it legal or not: the beginnings of
    /// words of a template, and values. What is not named stays open.
    pub fn begun(&mut self, text: &str) -> Vec<Candidate> {
        let Status::Choice { seat } = self.status() else {
            return Vec::new();
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.is_empty() || words.len() > MOST_WORDS {
            return Vec::new();
        }
        let mut begun = Vec::new();
        for id in self.actions_named() {
            let ways = self.named_by(id, &words).unwrap_or_default();
            begun.extend(ways.into_iter().map(|args| Candidate {
                seat,
                kind: CandidateKind::Action(id, args),
            }));
        }
        begun
    }

    /// The parameters that words name, once for each value that a word may begin; none where one of them is no word of the action.
    fn named_by(&mut self, id: ActionId, words: &[&str]) -> Option<Vec<Vec<Option<i64>>>> {
        let face = self.program.face(id)?;
        let holes = face.text.iter().filter(|it| matches!(it, Piece::Hole(..)));
        let n_holes = holes.count();
        let mut n_strange = 0;
        let mut args = vec![None; face.params.len()];
        let mut begun: Vec<(usize, BTreeSet<i64>)> = Vec::new();
        let written = face.text.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(folded(text)),
            _ => None,
        });
        let written: Vec<String> = written.collect();
        let mut written: Vec<&str> = written
            .iter()
            .flat_map(|it| it.split_whitespace())
            .collect();
        for word in words {
            let lower = folded(word);
            let mut take = |fits: &dyn Fn(&str) -> bool| {
                let at = written.iter().position(|it| fits(it));
                at.map(|at| written.remove(at)).is_some()
            };
            if take(&|it| it == lower) {
                continue;
            }
            let inputs = face.text.iter().filter_map(|piece| match piece {
                Piece::Input(at, ty) => Some((at.checked_sub(1)?, *ty)),
                _ => None,
            });
            let is_open = |at: usize| {
                args.get(at).is_some_and(Option::is_none) && begun.iter().all(|it| it.0 != at)
            };
            let mut open = inputs.filter(|(at, _)| is_open(*at));
            let named = open.clone().find_map(|(at, ty)| {
                let values = self.values_of(Type::of(ty.base), word);
                values.first().map(|it| (at, *it))
            });
            match named {
                Some((at, value)) => *args.get_mut(at)? = Some(value),
                None if take(&|it| it.starts_with(&lower)) => {}
                None => match open.find_map(|(at, ty)| Some((at, self.begun_by(ty, &lower)?))) {
                    Some(value) => begun.push(value),
                    // What is worked out may be written otherwise now.
                    None => n_strange += 1,
                },
            }
        }
        if n_strange > n_holes || n_strange >= words.len() {
            return None;
        }
        let mut ways = vec![args];
        for (at, values) in begun {
            // Of very many values it stays open which one is meant.
            if ways.len() * values.len() > MOST_WAYS {
                continue;
            }
            let with = |args: &Vec<Option<i64>>, value: i64| {
                let mut args = args.clone();
                args.get_mut(at)
                    .into_iter()
                    .for_each(|it| *it = Some(value));
                args
            };
            let more = ways
                .iter()
                .flat_map(|it| values.iter().map(|value| with(it, *value)));
            ways = more.collect();
        }
        Some(ways)
    }

    /// The values of a type that begin so, if there are some.
    fn begun_by(&mut self, ty: Type, lower: &str) -> Option<BTreeSet<i64>> {
        let Base::Elem(domain) = ty.base else {
            return None;
        };
        let values = self.forms(domain).begun_with(lower);
        (!values.is_empty()).then_some(values)
    }
}
