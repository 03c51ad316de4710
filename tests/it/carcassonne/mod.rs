//! Carcassonne in the tests: recorded games, and who can play them again.

pub mod ask;
mod edited;
pub mod engine;
pub mod log;
pub mod mutate;
pub mod plain;
mod properties;
pub mod replay;
pub mod rulebook;
mod scoring;
