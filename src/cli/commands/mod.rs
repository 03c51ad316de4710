//! One file for each command: its arguments and what it does.

pub mod completions;
pub mod explain;
pub mod games;
