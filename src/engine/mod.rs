//! The engine: state, legal moves, playing, chance, explanations, views.
//!
//! [`compile`] lays a checked game out as one flat block of words and lowers its rules to register
//! bytecode; a [`Machine`] runs it. The rules run until somebody must choose; the position, with the
//! place in the rules where it stands, is a [`State`]: clone is a copy, equality and hash are over
//! its words.

mod chance;
mod r#gen;
mod layout;
mod machine;
mod op;
mod operands;
mod prims;
mod program;
mod query;
mod setup;
pub mod text;
mod verify;
mod vm;
mod zones;

pub use chance::{Chance, Dice, below};
pub use machine::{Machine, Move, Outcome, PlayError, State, Status};
pub use op::FaultKind;
pub use program::{Fault, Program, compile};
pub use query::{Query, Value};
pub use setup::Stopped;
