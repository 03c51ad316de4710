//! How much is made of the rules, as engines that compile while they run do it in tiers.

use super::Overflow;
use crate::engine::op::Code;

/// How much is made of the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tier {
    /// Clause by clause, as `why` reads them.
    AsWritten,
    /// Lowered, and nothing is called twice. It is ready soonest of those that play fast, and made for a few positions.
    Baseline,
    /// Lowered, and nothing is worked out twice: made for many games.
    #[default]
    Optimized,
}

impl Tier {
    /// Makes code of this tier; what does not fit may fit once it is optimized.
    pub(super) fn made(
        self,
        mut make: impl FnMut(Tier) -> Result<Code, Overflow>,
    ) -> Result<Code, Overflow> {
        match make(self) {
            Err(_) if self == Tier::Baseline => make(Tier::Optimized),
            made => made,
        }
    }
}
