//! One integration binary; each module tests one thing a user relies on.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod advice;
mod arithmetic;
mod asking;
#[allow(
    dead_code,
    reason = "the tests ask less of the hand-written games than the benchmarks do"
)]
#[path = "../../benches/baseline/mod.rs"]
mod baseline;
mod baseline_carcassonne;
mod baseline_classics;
mod baseline_connect_four;
mod baseline_tunnels;
mod begun;
mod benchmarks;
mod blocking;
mod boards;
mod booklets;
mod boundary;
mod broken;
mod carcassonne;
mod carcassonne_logs;
mod channel_tunnel;
mod checking;
mod code_pages;
mod columns;
mod command;
mod commute;
mod compared;
mod complete;
mod compose;
mod cookbook;
mod described;
mod diagnostic;
mod edits;
mod engine_carcassonne;
mod engine_tunnels;
mod enumerated;
mod expected;
mod face;
mod faults;
mod fixtures;
mod floors;
mod formatting;
mod found;
mod frames;
mod frozen;
mod games;
mod generated;
mod grammars;
mod grouped;
#[allow(dead_code, reason = "the tests do not measure")]
#[path = "../../benches/harness/mod.rs"]
mod harness;
mod helped;
mod kept;
mod laid_out;
mod language_reference;
mod leaks;
mod library;
mod lint;
mod lint_fixes;
mod linting;
mod listings;
mod loosely;
mod lsp;
mod meaning;
mod measured;
mod minds;
mod mutation;
mod naming;
mod odd;
mod ops;
mod outline;
mod parts;
mod perft;
mod pictures;
mod piles;
mod prompt;
mod properties;
mod proven;
mod queries;
mod questions;
mod readings;
mod readme;
mod referee;
mod report;
mod rulebooks;
mod ruled;
mod samples;
mod sarif;
mod seated;
mod secrets;
mod shards;
mod simulated;
mod solved;
mod source;
mod stats;
mod studies;
mod syntax;
mod tiles;
mod transcripts;
mod tried;
mod tried_apart;
mod tried_said;
mod tried_sights;
mod typing;
mod upgrade;
mod verdicts;
mod watched;
mod wordings;
mod work;
