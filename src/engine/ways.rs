//! Every outcome of chance, one after the other, and marks of the positions that this leads to.

use xxhash_rust::xxh3::xxh3_128;

use super::chance::Chance;
use super::machine::State;
use crate::model::StreamId;

/// Most ways in which chance may decide between two choices.
pub const MOST_OUTCOMES: u32 = 20_000;

/// Chance that is asked again until it has answered in every way: it answers from a list of tickets,
/// and with the first ticket where the list ends.
#[derive(Debug, Default)]
pub struct Ways {
    /// The tickets drawn, each with how many there were.
    tickets: Vec<(u64, u64)>,
    next: usize,
    happened: Vec<(StreamId, i64)>,
    n_ways: u32,
}

impl Ways {
    /// Makes the next way the present one; false if there is none.
    pub fn turn(&mut self) -> bool {
        self.next = 0;
        self.happened.clear();
        self.n_ways = self.n_ways.saturating_add(1);
        while let Some((ticket, total)) = self.tickets.last_mut() {
            *ticket += 1;
            if *ticket < *total {
                return true;
            }
            self.tickets.pop();
        }
        false
    }

    /// How likely it is that chance decides this way.
    #[must_use]
    pub fn likelihood(&self) -> f64 {
        let drawn = self.tickets.iter();
        drawn.map(|(_, total)| 1.0 / *total as f64).product()
    }

    /// Whether there are more ways than a search follows.
    #[must_use]
    pub fn are_too_many(&self) -> bool {
        self.n_ways > MOST_OUTCOMES
    }

    /// What happened this way.
    #[must_use]
    pub fn happened(&self) -> &[(StreamId, i64)] {
        &self.happened
    }
}

impl State {
    /// 128 bits of a hash of positions: among a thousand million two are mistaken for one with a probability below
    /// 10⁻²⁰.
    pub fn mark<'s>(states: impl IntoIterator<Item = &'s State>, scratch: &mut Vec<u8>) -> u128 {
        scratch.clear();
        let words = states.into_iter().flat_map(|it| it.words());
        scratch.extend(words.flat_map(|it| it.to_le_bytes()));
        xxh3_128(scratch)
    }
}

impl Chance for Ways {
    fn ticket(&mut self, _stream: StreamId, total: u64) -> u64 {
        let ticket = match self.tickets.get(self.next) {
            Some((ticket, _)) => *ticket,
            None => {
                self.tickets.push((0, total));
                0
            }
        };
        self.next += 1;
        ticket
    }

    fn happened(&mut self, stream: StreamId, value: i64) {
        self.happened.push((stream, value));
    }
}
