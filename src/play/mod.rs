//! Playing a game: sessions, transcripts, bots, and what is shown of a position. No files, no clock,
//! no terminal: those belong to the front ends.

mod problem;
pub mod transcript;

pub use problem::Problem;
