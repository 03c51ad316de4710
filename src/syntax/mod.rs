//! From text to syntax tree.

pub mod ast;
mod brackets;
mod expected;
mod hints;
mod lower;
mod parse;
mod scan;
mod slips;
mod spoken;
pub mod tokens;
mod unexpected;
mod vocabulary;

pub use expected::{Expected, expected};
pub use parse::{
    Items, not_read, parse, parse_after, parse_alternative, parse_expression, parse_header,
};
pub use spoken::named_rules;
pub use vocabulary::{EXPECTED, ITEM_WORDS, RESERVED, is_name, is_reserved, is_verb};
