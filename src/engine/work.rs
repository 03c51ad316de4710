//! Work that all runs of a program may take together, where somebody bounds it.

use std::sync::atomic::{AtomicU64, Ordering};

use super::program::Program;
use super::vm::FUEL;

/// Work that one command may take, some seconds of it.
pub const COMMAND_WORK: u64 = 2 * FUEL;

const UNBOUNDED: u64 = u64::MAX;

/// What is left of it.
#[derive(Debug)]
pub(super) struct Allowance(AtomicU64);

impl Default for Allowance {
    fn default() -> Self {
        Self(AtomicU64::new(UNBOUNDED))
    }
}

impl Allowance {
    fn left(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// What a run may take, if that is less than any run may.
    pub fn most(&self) -> Option<u64> {
        Some(self.left()).filter(|left| *left < FUEL)
    }

    /// Takes off what a run has taken.
    pub fn pay(&self, work: u64) {
        let left = self.left();
        if left != UNBOUNDED {
            self.0.store(left.saturating_sub(work), Ordering::Relaxed);
        }
    }
}

/// Work that a move costs where the legal moves are told apart by their names.
const NAME_WORK: u64 = 500;

impl Program {
    /// Takes off what it takes to print so many moves.
    pub(super) fn pay_for_names(&self, moves: usize) {
        self.work.pay(NAME_WORK.saturating_mul(moves as u64));
    }

    /// Bounds the work that all runs may take together from here on.
    pub fn bound_work(&self, work: u64) {
        let work = work.min(UNBOUNDED - 1);
        self.work.0.store(work, Ordering::Relaxed);
    }

    /// Lets runs take so much more, where their work is bounded.
    pub fn allow_work(&self, more: u64) {
        let left = self.work.left();
        if left != UNBOUNDED {
            self.bound_work(left.saturating_add(more));
        }
    }

    /// Bounds the work no longer.
    pub fn unbound_work(&self) {
        self.work.0.store(UNBOUNDED, Ordering::Relaxed);
    }

    /// The work that is left; none where it is not bounded.
    #[must_use]
    pub fn work_left(&self) -> Option<u64> {
        Some(self.work.left()).filter(|left| *left != UNBOUNDED)
    }
}
