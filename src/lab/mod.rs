//! Many games at once: how a rule set plays, and what another one changes of that.
//!
//! Four laws hold. The words of chance follow from a seed and the *name* of a stream. A seat plays the legal move that
//! comes first by a number made of the seed, the seat, how often it has chosen, and the *name* of the move: so each rule
//! set is played uniformly, and two rule sets choose alike as often as can be. A fault of the rules is a
//! result. Totals are whole numbers, so it does not matter who has played which game.
//!
//! No files, no clock, no terminal.

mod carried;
mod course;
mod dealt;
mod draws;
mod kind;
mod led;
mod lists;
mod measures;
mod near;
mod odds;
mod pairs;
mod prove;
mod refusals;
mod run;
mod seated;
mod seen;
mod sight;
mod spread;
mod step;
mod totals;
mod tried;
mod uses;

pub use crate::threads::Left;
pub use carried::{Again, Carried, Merged, Numbers, numbers, totals};
pub use course::{Course, End, Gambler, MOST_CHOICES};
pub use dealt::{Dealt, dealt};
pub use kind::Kind;
pub use led::{Led, lead};
pub use measures::{Measured, Measures, Taken};
pub use pairs::{PairTotals, Paired, compare};
pub use prove::{Found, Given, Halted, Parting, Proof, Reach, Why, prove};
pub use refusals::Refusals;
pub use run::{BATCH, Plan, Progress, Until, fairness, simulate};
pub use seated::{Seated, Share, Shares};
pub use sight::{LOOKED_GAMES, Seeing, Sighting, Sights, hides};
pub use spread::Spread;
pub use step::{Pair, Rules};
pub use totals::{CREDIT, EndingTotals, Extreme, Faulted, Overlong, Tally, Totals};
pub use tried::{Met, Tried, Witness, sighted_again, tried_again, try_out, witness, witness_of};
pub use uses::{Place, Uses};
