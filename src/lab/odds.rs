//! What chance may come to between two choices, and how likely, whatever it is drawn from.

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::prove::Given;
use crate::engine::{Chance, Ways};
use crate::model::StreamId;

/// Likelihoods that are nearer are the same: there are no more ways than [`Ways`] follows.
const NEAR: f64 = 1e-9;

/// Outcomes by the names of their streams, each with its likelihood.
#[derive(Debug, Default)]
pub(super) struct Odds(BTreeMap<Vec<(u64, i64)>, f64>);

/// How the odds of two rule sets compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Odd {
    /// The same may happen, as likely.
    Same,
    /// The same may happen, and it is not as likely.
    Likelihood,
    /// Something else may happen.
    Other,
}

impl Odds {
    pub(super) fn add(&mut self, outcomes: Vec<(u64, i64)>, likelihood: f64) {
        *self.0.entry(outcomes).or_default() += likelihood;
    }

    pub(super) fn compared(&self, other: &Odds) -> Odd {
        if !self.0.keys().eq(other.0.keys()) {
            return Odd::Other;
        }
        let mut pairs = self.0.values().zip(other.0.values());
        match pairs.all(|(one, other)| (one - other).abs() < NEAR) {
            true => Odd::Same,
            false => Odd::Likelihood,
        }
    }
}

/// Chance in each way, which keeps what is left to it: not what is certain.
pub(super) struct Kept<'w> {
    ways: &'w mut Ways,
    names: &'w [u64],
    is_certain: bool,
    outcomes: Vec<(u64, i64)>,
}

impl<'w> Kept<'w> {
    pub(super) fn new(ways: &'w mut Ways, names: &'w [u64]) -> Kept<'w> {
        Kept {
            ways,
            names,
            is_certain: false,
            outcomes: Vec::new(),
        }
    }

    pub(super) fn outcomes(self) -> Vec<(u64, i64)> {
        self.outcomes
    }
}

fn name_of(names: &[u64], stream: StreamId) -> u64 {
    names.get(stream.index()).copied().unwrap_or(0)
}

impl Chance for Kept<'_> {
    fn ticket(&mut self, stream: StreamId, total: u64) -> u64 {
        self.is_certain = total == 1;
        self.ways.ticket(stream, total)
    }

    fn happened(&mut self, stream: StreamId, value: i64) {
        if !std::mem::take(&mut self.is_certain) {
            self.outcomes.push((name_of(self.names, stream), value));
        }
        Chance::happened(self.ways, stream, value);
    }
}

/// Chance that gives what another one gave, each stream in its own order.
pub(super) struct Forced<'w> {
    names: &'w [u64],
    left: HashMap<u64, VecDeque<i64>>,
    pub(super) happened: Given,
}

impl<'w> Forced<'w> {
    pub(super) fn of(outcomes: Vec<(u64, i64)>, names: &'w [u64]) -> Forced<'w> {
        let mut left: HashMap<u64, VecDeque<i64>> = HashMap::new();
        for (stream, value) in outcomes {
            left.entry(stream).or_default().push_back(value);
        }
        Forced {
            names,
            left,
            happened: Vec::new(),
        }
    }
}

impl Chance for Forced<'_> {
    // What is not given is certain.
    fn ticket(&mut self, _stream: StreamId, _total: u64) -> u64 {
        0
    }

    fn forced(&mut self, stream: StreamId) -> Option<i64> {
        self.left.get_mut(&name_of(self.names, stream))?.pop_front()
    }

    fn happened(&mut self, stream: StreamId, value: i64) {
        self.happened.push((stream, value));
    }
}
