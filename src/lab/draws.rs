//! Chance that answers on both sides of a search alike.

use std::collections::{HashMap, VecDeque};

use super::odds::{Forced, Kept};
use super::prove::Given;
use crate::engine::{Chance, Ways};
use crate::model::StreamId;

/// A ticket that was drawn: of which stream, of how many, and which.
pub(super) type Ticket = (u64, u64, u64);

/// Chance of one side.
pub(super) enum Draws<'w> {
    /// It takes down what it was asked.
    First {
        ways: &'w mut Ways,
        names: &'w [u64],
        tickets: Vec<Ticket>,
    },
    /// It gives the same tickets, each stream in its own order.
    Second(Echo<'w>),
    /// It takes down what it comes to.
    Kept(Kept<'w>),
    /// It gives what the other one gave.
    Forced(Forced<'w>),
}

pub(super) struct Echo<'w> {
    names: &'w [u64],
    tickets: HashMap<u64, VecDeque<(u64, u64)>>,
    pub(super) happened: Given,
    /// Whether it was asked for something else.
    pub(super) apart: bool,
}

impl<'w> Echo<'w> {
    pub(super) fn of(tickets: Vec<Ticket>, names: &'w [u64]) -> Echo<'w> {
        let mut echo = Echo {
            names,
            tickets: HashMap::new(),
            happened: Vec::new(),
            apart: false,
        };
        for (stream, total, ticket) in tickets {
            let queue = echo.tickets.entry(stream).or_default();
            queue.push_back((total, ticket));
        }
        echo
    }

    pub(super) fn is_apart(&self) -> bool {
        self.apart || self.tickets.values().any(|it| !it.is_empty())
    }
}

impl Chance for Draws<'_> {
    fn ticket(&mut self, stream: StreamId, total: u64) -> u64 {
        let name = |names: &[u64]| names.get(stream.index()).copied().unwrap_or(0);
        match self {
            Draws::First {
                ways,
                names,
                tickets,
            } => {
                let ticket = ways.ticket(stream, total);
                // What is certain is not left to chance.
                if total > 1 {
                    tickets.push((name(names), total, ticket));
                }
                ticket
            }
            Draws::Kept(kept) => kept.ticket(stream, total),
            Draws::Forced(forced) => forced.ticket(stream, total),
            Draws::Second(_) if total == 1 => 0,
            Draws::Second(echo) => {
                let queue = echo.tickets.get_mut(&name(echo.names));
                match queue.and_then(VecDeque::pop_front) {
                    Some((of, ticket)) if of == total => ticket,
                    _ => {
                        echo.apart = true;
                        0
                    }
                }
            }
        }
    }

    fn forced(&mut self, stream: StreamId) -> Option<i64> {
        match self {
            Draws::Forced(forced) => forced.forced(stream),
            _ => None,
        }
    }

    fn happened(&mut self, stream: StreamId, value: i64) {
        match self {
            Draws::Kept(kept) => kept.happened(stream, value),
            Draws::Forced(forced) => forced.happened(stream, value),
            Draws::First { ways, .. } => Chance::happened(*ways, stream, value),
            Draws::Second(echo) => echo.happened.push((stream, value)),
        }
    }
}
