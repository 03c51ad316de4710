//! What has an address inside of items that were not composed yet.

use super::address::{self, Address, Kind};
use crate::source::Span;
use crate::syntax::ast;

/// Something inside an item that was given a name.
#[derive(Clone, Debug)]
pub struct Inner {
    /// The names from that of the item on.
    pub path: Vec<String>,
    /// What it is, in a word of the language.
    pub word: &'static str,
    /// Its name.
    pub span: Span,
}

/// Returns what was given a name inside an item, each behind what is around it.
pub fn inside_item(item: &ast::Item) -> Vec<Inner> {
    let Some(name) = item.kind.name() else {
        return Vec::new();
    };
    let found = address::addresses(&mut item.clone());
    let head = [name.text.clone()];
    let found = found.into_iter().filter_map(named);
    let found = found.map(|it| Inner {
        path: head.iter().chain(&it.path).cloned().collect(),
        ..it
    });
    found.collect()
}

/// Returns what was given a name inside a block that an edit puts at an address.
pub fn inside_block(block: &ast::Block, path: &[String]) -> Vec<Inner> {
    let found = address::addresses_of_block(&mut block.clone(), path);
    found.into_iter().filter_map(named).collect()
}

fn named(it: Address) -> Option<Inner> {
    let word = match it.kind {
        Kind::Clause => "clause",
        Kind::Step => "step",
        Kind::Track => "track",
        Kind::Slot => "slot",
        Kind::Alternative => "choice",
        Kind::Reading => "reading",
        Kind::Value => "value",
        Kind::Field => "field",
        Kind::Row
        | Kind::Window
        | Kind::Choice
        | Kind::Turn
        | Kind::Case
        | Kind::ValueCase
        | Kind::Cases => return None,
    };
    Some(Inner {
        path: it.path,
        word,
        span: it.span,
    })
}
