//! Why rules may stop.

/// Why rules may stop with a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// A loop ran longer than any rule should.
    Fuel,
    /// All runs together took more work than they may.
    Work,
    /// Nothing can be chosen and the rules do not say what then.
    NoChoice,
    /// A number outside the bounds of its track, field or type.
    Bounds,
    /// A place or a row that a zone, a track or a table does not have.
    Outside,
    /// A component was to be taken from where it is not.
    Missing,
    /// A place is full.
    Full,
    /// Something was read of a value that is absent.
    Absent,
    /// Division by zero.
    Zero,
    /// A recursion deeper than it declares.
    Depth,
    /// A flow with a value ended without `return`.
    NoValue,
    /// An ending without a result, or a game without an end.
    NoResult,
    /// An outcome of chance that was fixed beforehand cannot happen.
    Impossible,
    /// `main` came to its end without `end`.
    NoEnd,
    /// More legal moves than can be listed.
    TooMany,
    /// What was asked needs more room than the engine has.
    Room,
    /// The step at which a ruling begins is never entered.
    NotReached,
    /// An invariant does not hold.
    Untrue,
}
