//! Generated rulebooks mean the same to the rules as written, lowered, folded, and to a slow interpreter.

mod games;
mod interpreter;
mod questions;
pub mod writer;
