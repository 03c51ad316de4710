//! Moves with the values that a text names.

use std::collections::BTreeSet;

use super::super::face::Piece;
use super::super::machine::{Machine, Status};
use super::super::op::ChoiceKind;
use super::super::say::{Candidate, CandidateKind, Phrase};
use super::super::view::Viewer;
use crate::model::text::Form;
use crate::model::{ActionId, Base, NONE, Type};

/// Most ways in which values that are named go together.
const MOST_WAYS: usize = 512;
/// Most numbers of which each is looked for in a text.
const MOST_NUMBERS: i64 = 1_024;

impl Machine<'_> {
    /// What the pending choice asks for with all values of which a word is named, be it legal or not. Each stays open, too: nobody
    /// knows which of several a word names.
    pub fn asked(&mut self, is_named: &dyn Fn(&str) -> bool) -> Vec<Candidate> {
        let Status::Choice { seat } = self.status() else {
            return Vec::new();
        };
        let alts = self.point().into_iter().flat_map(|point| &point.alts);
        let locals = alts.filter_map(|choice| match choice.kind {
            ChoiceKind::Value(local) => Some(local),
            ChoiceKind::Action(_) | ChoiceKind::Inline { .. } => None,
        });
        let locals: Vec<_> = locals.collect();
        let mut asked = Vec::new();
        for id in self.actions_named() {
            let ways = self.with_named(id, is_named).unwrap_or_default();
            asked.extend(ways.into_iter().map(|args| CandidateKind::Action(id, args)));
        }
        for local in locals {
            let values = self.named_of(self.type_of(local), is_named);
            let values = values.into_iter();
            asked.extend(values.map(|value| CandidateKind::Value(local, value)));
        }
        let asked = asked.into_iter();
        asked.map(|kind| Candidate { seat, kind }).collect()
    }

    /// What somebody means as it is printed for the seat that would play it, in parts.
    pub fn phrases_of_candidate(&mut self, candidate: &Candidate, form: Form) -> Vec<Phrase> {
        self.phrases_of(candidate, &[Viewer::Seat(candidate.seat)], form)
    }

    /// How many parts of an action's text are worked out: they may be written otherwise in another position.
    #[must_use]
    pub fn n_worked_out(&self, id: ActionId) -> usize {
        let text = self.program.face(id).map_or(&[][..], |it| &it.text);
        let holes = text.iter().filter(|it| matches!(it, Piece::Hole(..)));
        holes.count()
    }

    /// The arguments of an action with each value that is named, and without.
    fn with_named(
        &mut self,
        id: ActionId,
        is_named: &dyn Fn(&str) -> bool,
    ) -> Option<Vec<Vec<Option<i64>>>> {
        let face = self.program.face(id)?;
        let mut ways = vec![vec![None; face.params.len()]];
        let mut known = BTreeSet::new();
        for piece in &face.text {
            let Piece::Input(input, ty) = piece else {
                continue;
            };
            let Some(at) = input.checked_sub(1).filter(|it| known.insert(*it)) else {
                continue;
            };
            let values = self.named_of(*ty, is_named);
            // Of very many values it stays open which one is meant.
            if ways.len() * (values.len() + 1) > MOST_WAYS {
                continue;
            }
            let with = |args: &Vec<Option<i64>>, value: i64| {
                let mut args = args.clone();
                args.get_mut(at)
                    .into_iter()
                    .for_each(|it| *it = Some(value));
                args
            };
            let more = ways.iter();
            let more = more.flat_map(|it| values.iter().map(|value| with(it, *value)));
            let more: Vec<_> = more.collect();
            ways.extend(more);
        }
        Some(ways)
    }

    /// The values of a type of which a word is named.
    fn named_of(&mut self, ty: Type, is_named: &dyn Fn(&str) -> bool) -> BTreeSet<i64> {
        let mut values: BTreeSet<i64> = match ty.base {
            Base::Elem(domain) => self.forms(domain).with_word(is_named),
            Base::Int(lo, hi) if hi.saturating_sub(lo) < MOST_NUMBERS => {
                (lo..=hi).filter(|it| is_named(&it.to_string())).collect()
            }
            Base::Bool => [(0, "false"), (1, "true")]
                .into_iter()
                .filter_map(|(value, name)| is_named(name).then_some(value))
                .collect(),
            Base::Int(..) | Base::Set(_) | Base::Unit => BTreeSet::new(),
        };
        if ty.optional && is_named("none") {
            values.insert(NONE);
        }
        values
    }
}
