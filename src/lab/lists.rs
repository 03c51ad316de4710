//! The lists of moves of two rule sets, held against each other.

use std::collections::BTreeSet;

use super::kind::Kind;
use super::step::{Pair, Side};
use crate::engine::Move;
use crate::model::text::Form;

impl Pair<'_> {
    /// Compares lists of moves whose names are not the same: what a move is called counts less than how it is written.
    pub(super) fn lists(&mut self) -> Option<Kind> {
        let [only_one, only_other] = self.only();
        match (only_one.is_empty(), only_other.is_empty()) {
            (true, true) => None,
            (false, true) => Some(Kind::Fewer),
            (true, false) => Some(Kind::More),
            (false, false) => Some(Kind::Other),
        }
    }

    /// The moves that only one side offers, as they are written.
    pub fn only(&mut self) -> [Vec<String>; 2] {
        let written = |side: &mut Side<'_>| {
            let mut texts = side.machine.names(Form::Plain);
            texts.sort_unstable();
            texts
        };
        let [one, other] = &mut self.sides;
        without([written(one), written(other)])
    }

    /// The legal moves of both, where they offer the same ones.
    pub(super) fn matched(&mut self) -> Vec<[Move; 2]> {
        let moves = self.sides.each_ref().map(|it| it.machine.moves().to_vec());
        let names = [0, 1].map(|at| self.names(at));
        // By the names that are numbers; where these are not the same, by what is written.
        let sorted = names.clone().map(|mut it| {
            it.sort_unstable();
            it
        });
        let order: [Vec<usize>; 2] = if sorted[0] == sorted[1] {
            names.map(|names| ordered(&names))
        } else {
            [0, 1].map(|at| ordered(&self.sides[at].machine.names(Form::Plain)))
        };
        let [one, other] = order;
        let both = one.into_iter().zip(other);
        let both = both.filter_map(|(a, b)| Some([*moves[0].get(a)?, *moves[1].get(b)?]));
        both.collect()
    }

    /// The first move that both offer and do not write alike: of all of them, or of the first of each alternative as long as
    /// words may be compared.
    pub(super) fn reworded(&mut self) -> Option<[String; 2]> {
        let mut matched = self.matched();
        if let Some(left) = self.wordings {
            let mut met = BTreeSet::new();
            matched.retain(|[one, _]| met.insert(one.alternative()));
            self.wordings = Some(left.checked_sub(matched.len())?);
        }
        let [one, other] = &mut self.sides;
        matched.into_iter().find_map(|[a, b]| {
            let texts = [
                one.machine.name(a, Form::Plain),
                other.machine.name(b, Form::Plain),
            ];
            (texts[0] != texts[1]).then_some(texts)
        })
    }
}

/// The places of names in their order.
fn ordered<T: Ord>(names: &[T]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|a, b| names.get(*a).cmp(&names.get(*b)));
    order
}

/// Takes out of two sorted lists what is in both.
fn without([one, other]: [Vec<String>; 2]) -> [Vec<String>; 2] {
    let mut only = [Vec::new(), Vec::new()];
    let (mut one, mut other) = (one.into_iter().peekable(), other.into_iter().peekable());
    loop {
        match (one.peek(), other.peek()) {
            (Some(a), Some(b)) if a == b => {
                one.next();
                other.next();
            }
            (Some(a), Some(b)) if a < b => only[0].extend(one.next()),
            (Some(_), None) => only[0].extend(one.next()),
            (_, Some(_)) => only[1].extend(other.next()),
            (None, None) => return only,
        }
    }
}
