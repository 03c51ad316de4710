//! Room on the stack for what follows trees by recursion.
//!
//! How deep trees get is bounded: brackets by `limits::MAX_DEPTH`, chains of operators and `else if`
//! by `limits::MAX_LEVELS`, definitions that call each other by `check`. The deepest ones fit in the
//! room that is taken here, in a build without optimisation too.

/// Room that is enough for the deepest tree.
const ENOUGH: usize = 48 << 20;
/// Room that is taken where there is less, in bytes; pages that nobody touches cost nothing.
pub const TAKEN: usize = 128 << 20;

/// Does something with enough room on the stack.
pub fn with_room<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(ENOUGH, TAKEN, work)
}
