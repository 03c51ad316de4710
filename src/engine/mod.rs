//! The engine: state, legal moves, playing, chance, explanations, views.
//!
//! [`compile`] lays a checked game out as one flat block of words and lowers its rules to register
//! bytecode; a [`Machine`] runs it. The rules run until somebody must choose; the position, with the
//! place in the rules where it stands, is a [`State`]: clone is a copy, equality and hash are over
//! its words.

mod chance;
mod explain;
mod face;
mod fault;
mod faults;
mod gauge;
mod r#gen;
mod invariants;
mod knowledge;
mod layout;
mod list;
mod listing;
mod lived;
mod looks;
mod machine;
mod memory;
mod naming;
mod op;
mod operands;
mod outcome;
mod parts;
mod past;
mod planes;
mod ports;
mod prims;
mod products;
mod program;
mod query;
mod read;
mod redeal;
mod say;
mod search;
mod setup;
mod sight;
pub mod text;
mod together;
mod told;
mod truths;
mod verify;
mod view;
mod vm;
mod waiting;
mod ways;
mod words;
mod work;
mod worlds;
mod zones;

pub use chance::{Chance, Dice, Streams, below};
pub use explain::{Explanation, Finding, Judged, Verdict, print_seat};
pub use fault::{Fault, Lack};
pub use gauge::{Gauge, Scale, first_figure};
pub use r#gen::Tier;
pub use invariants::Invariants;
pub use knowledge::Knowledge;
pub use listing::Listed;
pub use looks::{Look, Looks};
pub use machine::{
    Change, Cost, Event, Happened, Machine, Move, PlayError, State, Status, Told, ToldPart,
};
pub use naming::{Alternative, Asked, Names, Preferred, mixed, of_value};
pub use op::FaultKind;
pub use outcome::Outcome;
pub use program::{Program, compile, compile_as};
pub use query::{Query, Value};
pub use read::Reading;
pub use redeal::Dealer;
pub use say::{Candidate, CandidateKind, Phrase};
pub use search::{MOST_VALUES, Sought};
pub use setup::Stopped;
pub use view::{Known, PlaceView, Seen, TrackValue, TrackView, View, Viewer, ZoneView};
pub use ways::{MOST_OUTCOMES, Ways};
pub use words::{write_expr, write_place};
pub use work::COMMAND_WORK;
