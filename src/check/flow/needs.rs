//! What must be seen by seats that choose.

use rustc_hash::FxHashMap as HashMap;

use super::label::{Label, What};
use super::sym::Sym;
use crate::model::{ActionId, LocalId};
use crate::source::Span;

/// At so many choices it is told that the same seat must see the same.
const MOST_CHOICES: usize = 4;

/// So many are kept apart of one thing that must be seen.
const MOST_ALIKE: usize = 48;

/// What about a choice must be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asks {
    /// Whether there is that choice.
    Whether,
    /// What there is to choose.
    Among,
    /// Whether an action is legal.
    Legal(ActionId),
    /// What is said of an action.
    Said(ActionId),
    /// Whether something is told.
    Told,
}

/// A seat that chooses must see something, as far as the procedure itself knows.
#[derive(Clone, Debug)]
pub(super) struct Need {
    pub(super) label: Label,
    pub(super) seat: Sym,
    pub(super) asks: Asks,
    /// Where it chooses.
    pub(super) span: Span,
}

impl Need {
    pub(super) fn with(&self, f: &dyn Fn(LocalId) -> Sym) -> Need {
        Need {
            label: self.label.with(f),
            seat: self.seat.with(f),
            ..self.clone()
        }
    }

    fn covers(&self, other: &Need) -> bool {
        (self.seat == other.seat || self.seat == Sym::Other) && self.label.covers(&other.label)
    }
}

/// All that must be seen. Where one is not seen, so are those that it covers: a few of them are kept to be
/// told.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs {
    all: HashMap<What, Vec<Need>>,
    /// In which order they were met.
    order: Vec<What>,
}

impl Needs {
    pub(super) fn iter(&self) -> impl Iterator<Item = &Need> {
        self.order
            .iter()
            .filter_map(|it| self.all.get(it))
            .flatten()
    }

    /// Adds one; returns whether that says anything new.
    pub(super) fn add(&mut self, need: Need) -> bool {
        let what = need.label.what;
        let alike = self.all.entry(what).or_default();
        if alike.is_empty() {
            self.order.push(what);
        }
        let mut n_covering = 0;
        for it in alike.iter().filter(|it| it.covers(&need)) {
            if it.asks == need.asks && it.span.same_place(need.span) {
                return false;
            }
            n_covering += 1;
        }
        if n_covering >= MOST_CHOICES {
            return false;
        }
        if alike.len() < MOST_ALIKE {
            alike.push(need);
            return true;
        }
        let any = Need {
            label: need.label.blurred(),
            seat: Sym::Other,
            ..need
        };
        if alike.iter().any(|it| it.covers(&any)) {
            return false;
        }
        alike.push(any);
        true
    }

    pub(super) fn join(&mut self, other: &Needs) -> bool {
        let mut is_new = false;
        for need in other.iter() {
            is_new |= self.add(need.clone());
        }
        is_new
    }
}
