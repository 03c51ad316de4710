//! From text to syntax tree.

pub mod ast;
mod lower;
mod parse;
mod scan;
mod spoken;
pub mod tokens;
mod unexpected;

pub use parse::{MAX_TEXT, parse, parse_alternative, parse_expression};
pub use scan::{ITEM_WORDS, MAX_DEPTH};
pub use unexpected::{RESERVED, is_reserved};

#[cfg(test)]
mod tests;
