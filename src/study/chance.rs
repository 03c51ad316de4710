//! Every outcome of chance, one after the other.

use crate::engine::Chance;
use crate::model::StreamId;

/// Most ways in which chance may decide between two choices.
pub const MOST_OUTCOMES: u32 = 20_000;

/// Chance that is asked again until it has answered in every way: it answers from a list of tickets,
/// and with the first ticket where the list ends.
#[derive(Debug, Default)]
pub(super) struct Ways {
    /// The tickets drawn, each with how many there were.
    tickets: Vec<(u64, u64)>,
    next: usize,
    happened: Vec<(StreamId, i64)>,
    n_ways: u32,
}

impl Ways {
    /// Makes the next way the present one; false if there is none.
    pub(super) fn turn(&mut self) -> bool {
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

    /// Whether there are more ways than a search follows.
    pub(super) fn are_too_many(&self) -> bool {
        self.n_ways > MOST_OUTCOMES
    }

    /// What happened this way.
    pub(super) fn happened(&self) -> &[(StreamId, i64)] {
        &self.happened
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
