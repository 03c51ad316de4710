//! Adit: a referee for tabletop games.
//!
//! A rulebook is read (`syntax`), amended (`compose`), checked (`check`) into an immutable
//! `model::Game`, and refereed (`engine`). See `docs/architecture.md`.

pub mod assist;
pub mod check;
pub mod cli;
pub mod compose;
pub mod diagnostic;
pub mod engine;
pub mod format;
pub mod lab;
pub mod library;
pub mod limits;
pub mod lint;
pub mod lsp;
pub mod mind;
pub mod model;
pub mod pipeline;
pub mod play;
pub mod report;
pub mod ruling;
pub mod source;
mod stack;
pub mod stats;
pub mod study;
pub mod syntax;
pub mod threads;
pub mod upgrade;
