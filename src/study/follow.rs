//! Whether a position can be reached from another one at all.

use std::collections::{HashMap, HashSet};

use super::{Extent, Mark, POSITION_WORK, Trouble, trouble, turned};
use crate::engine::{Machine, Sought, State, Ways};

/// What is known of continuations, for each choice of values.
#[derive(Debug, Default)]
pub(super) struct Follower {
    known: HashMap<Vec<i64>, Known>,
    scratch: Vec<u8>,
    /// Different positions that were looked at.
    pub(super) n_looked_at: usize,
}

#[derive(Debug, Default)]
struct Known {
    /// From these it can be reached.
    yes: HashSet<Mark>,
    /// From these it cannot, as from all that follows from them.
    no: HashSet<Mark>,
}

/// Whether a position can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reaches {
    Yes,
    No,
    /// There are more positions than were looked at.
    Unknown(Extent),
}

impl Follower {
    /// Looks for a continuation of `state` into what is forbidden for these
    /// values, until `ends`, which hears how many were looked at in all, says why that is enough.
    pub(super) fn reaches(
        &mut self,
        machine: &mut Machine<'_>,
        sought: &mut Sought,
        (state, values): (&State, &[i64]),
        ends: &mut dyn FnMut(usize) -> Option<Extent>,
    ) -> Result<Reaches, Trouble> {
        let known = self.known.entry(values.to_vec()).or_default();
        let first = State::mark([state], &mut self.scratch);
        if known.no.contains(&first) {
            return Ok(Reaches::No);
        }
        if known.yes.contains(&first) {
            return Ok(Reaches::Yes);
        }
        // What followed for other values has led the machine away.
        machine.load(state);
        if sought.is_forbidden(machine, values)? {
            known.yes.insert(first);
            return Ok(Reaches::Yes);
        }
        // Each position with the one that it was reached from.
        let mut before: HashMap<Mark, Mark> = HashMap::from([(first, first)]);
        // The last one first: what is forbidden is mostly many plies away, and a game ends.
        let mut open = vec![(first, state.clone())];
        while let Some((here, state)) = open.pop() {
            machine.load(&state);
            for played in machine.moves().to_vec() {
                let mut ways = Ways::default();
                loop {
                    machine
                        .play_from(&state, played, &mut ways)
                        .map_err(trouble)?;
                    let there = machine.save();
                    let mark = State::mark([&there], &mut self.scratch);
                    if !before.contains_key(&mark) && !known.no.contains(&mark) {
                        self.n_looked_at += 1;
                        machine.program().allow_work(POSITION_WORK);
                        before.insert(mark, here);
                        if known.yes.contains(&mark) || sought.is_forbidden(machine, values)? {
                            known.learn_the_way(&before, mark);
                            return Ok(Reaches::Yes);
                        }
                        if let Some(extent) = ends(self.n_looked_at) {
                            return Ok(Reaches::Unknown(extent));
                        }
                        open.push((mark, there));
                    }
                    if !turned(&mut ways, 1)? {
                        break;
                    }
                }
            }
        }
        known.no.extend(before.into_keys());
        Ok(Reaches::No)
    }
}

impl Known {
    /// Every position on the way to this one reaches what it reaches.
    fn learn_the_way(&mut self, before: &HashMap<Mark, Mark>, last: Mark) {
        let mut at = last;
        self.yes.insert(at);
        while let Some(earlier) = before.get(&at).filter(|earlier| **earlier != at) {
            at = *earlier;
            self.yes.insert(at);
        }
    }
}
