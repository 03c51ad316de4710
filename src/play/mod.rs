//! Playing a game: sessions, transcripts, bots, and what is shown of a position. No files, no clock,
//! no terminal: those belong to the front ends.

pub mod alike;
mod among;
mod aspect;
pub mod board;
mod bot;
mod changes;
mod course;
pub mod entries;
pub mod explain;
pub mod figures;
mod forbidden;
mod glimpse;
pub mod groups;
pub mod history;
mod legend;
mod loose;
mod lying;
mod names;
pub mod news;
mod own_boards;
pub mod part;
pub mod picture;
mod problem;
mod reasons;
mod recorded;
mod replay;
mod rows;
mod seen;
mod session;
pub mod sheets;
mod short;
mod sighted;
pub mod spoken;
pub mod squares;
pub mod strips;
pub mod tableau;
pub mod transcript;
pub mod typed;
mod undo;

pub use bot::{Player, at_random};
pub use course::{Chosen, Happening, each_choice};
pub use loose::all_of_line;
use names::outcome_names;
pub use names::{
    Sentence, citations, cites_of, citing, is_called, rules_hash, seat_name, seat_named,
    seat_with_sign, sentences_of, setting_value, stream_name, stream_types,
};
pub use problem::Problem;
pub use recorded::Fixed;
pub use replay::{Compare, check_rules, check_whole, fixed_outcomes, of_fault, of_play, replay};
pub use seen::seen_by;
pub use session::Session;
pub use short::{Meant, completed, meant, names_word};
pub use undo::Barrier;
