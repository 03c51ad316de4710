//! Texts that name some of what a move is made of.

use super::super::face::Piece;
use super::super::machine::{Machine, Status};
use super::super::say::{Candidate, CandidateKind};
use super::folded;
use crate::model::{ActionId, Base, Type};

/// Most words of which each is looked for.
const MOST_WORDS: usize = 8;

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
        let actions = self.actions_named().into_iter();
        let begun = actions.filter_map(|id| {
            let args = self.named_by(id, &words)?;
            let kind = CandidateKind::Action(id, args);
            Some(Candidate { seat, kind })
        });
        begun.collect()
    }

    /// The parameters that words name; none where one of them is no word of the action.
    fn named_by(&mut self, id: ActionId, words: &[&str]) -> Option<Vec<Option<i64>>> {
        let face = self.program.face(id)?;
        let holes = face.text.iter().filter(|it| matches!(it, Piece::Hole(..)));
        let n_holes = holes.count();
        let mut n_strange = 0;
        let mut args = vec![None; face.params.len()];
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
            let mut inputs = face.text.iter().filter_map(|piece| match piece {
                Piece::Input(at, ty) => Some((at.checked_sub(1)?, *ty)),
                _ => None,
            });
            let named = inputs.find_map(|(at, ty)| {
                let is_open = args.get(at).is_some_and(Option::is_none);
                let values = self.values_of(Type::of(ty.base), word);
                values.first().filter(|_| is_open).map(|it| (at, *it))
            });
            match named {
                Some((at, value)) => *args.get_mut(at)? = Some(value),
                None if take(&|it| it.starts_with(&lower)) => {}
                None if self.begins_value(id, &lower) => {}
                // What is worked out may be written otherwise now.
                None => n_strange += 1,
            }
        }
        (n_strange <= n_holes && n_strange < words.len()).then_some(args)
    }

    /// Whether several values of a parameter begin so; which one is meant stays open.
    fn begins_value(&mut self, id: ActionId, lower: &str) -> bool {
        let params = self.params_of(id).into_iter();
        let types: Vec<Base> = params.map(|it| self.type_of(it).base).collect();
        types.into_iter().any(|it| match it {
            Base::Elem(domain) => self.forms(domain).begin_with(lower),
            _ => false,
        })
    }
}
