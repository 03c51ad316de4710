//! Code as the loop reads it.

use crate::engine::op::{FaultKind, Op};

/// Operations of small code, with what it is filled up with.
pub const SMALL: usize = 1 << 10;
/// Operations of most other code.
pub const MIDDLE: usize = 1 << 13;
/// Operations of any code.
pub const LARGE: usize = 1 << 16;

/// Behind the end nothing goes on.
const BEHIND: Op = Op::Fail {
    fault: FaultKind::Depth,
};

/// Operations, filled up to a power of two: whatever an address is, its last bits are the place of an
/// operation, and the loop does not ask whether there is one.
#[derive(Clone, Debug, Default)]
pub enum Filled {
    /// No code.
    #[default]
    Nothing,
    Small(Box<[Op; SMALL]>),
    Middle(Box<[Op; MIDDLE]>),
    Large(Box<[Op; LARGE]>),
}

impl Filled {
    /// Fills code up: with one operation at least, so that it does not go on at its beginning.
    #[must_use]
    pub fn of(ops: &[Op]) -> Self {
        let filled = match ops.len() {
            n if n < SMALL => filled(ops).map(Self::Small),
            n if n < MIDDLE => filled(ops).map(Self::Middle),
            _ => filled(ops).map(Self::Large),
        };
        filled.unwrap_or_default()
    }
}

fn filled<const N: usize>(ops: &[Op]) -> Option<Box<[Op; N]>> {
    let mut all = Vec::with_capacity(N);
    all.extend_from_slice(ops);
    all.resize(N.max(ops.len()), BEHIND);
    all.into_boxed_slice().try_into().ok()
}
