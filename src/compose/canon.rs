//! The canonical form of composed rules, and their hash.
//!
//! The form is a text of nested parentheses, `(define f [] int (+ 1 2))`: the tag of the node, then its
//! parts in the order of the tree; lists in brackets, `-` for what is left out, texts quoted as in
//! Rust. The hash is XXH3 (64 bits, seed 0) of its UTF-8 bytes.
//!
//! What cannot change a position, a list of moves or how a move is written is left out: places,
//! comments, docs, citations and the rest of the tail, titles, wordings of settings and refusals,
//! rulings, asides, invariants, pictures. So mending a citation does not make a transcript foreign.

use xxhash_rust::xxh3::xxh3_64;

use super::{Composite, Guard};
use crate::syntax::ast::{self, Canon, Tree};

/// Returns the hash of rules.
pub(super) fn hash(header: &ast::Header, items: &[Composite], guards: &[Guard]) -> u64 {
    xxh3_64(rules(header, items, guards).as_bytes())
}

/// Returns the canonical form of rules, one item a line.
pub(super) fn rules(header: &ast::Header, items: &[Composite], guards: &[Guard]) -> String {
    let mut canon = Canon::default();
    header.canon(&mut canon);
    for composite in items {
        canon.line(&composite.item.kind);
    }
    for guard in guards {
        canon.line(guard);
    }
    canon.into_text()
}

/// Returns the canonical form of a part of rules.
pub(super) fn text(part: &impl Tree) -> String {
    let mut canon = Canon::default();
    part.canon(&mut canon);
    canon.into_text()
}

/// Returns the length of the canonical form.
pub(super) fn length(part: &(impl Tree + ?Sized)) -> usize {
    let mut canon = Canon::default();
    part.canon(&mut canon);
    canon.length()
}

/// Returns how deep the canonical form nests.
pub(super) fn depth(part: &(impl Tree + ?Sized)) -> usize {
    let mut canon = Canon::default();
    part.canon(&mut canon);
    canon.deepest()
}

impl Tree for Guard {
    fn canon(&self, canon: &mut Canon) {
        let Guard {
            kind,
            path,
            formals,
            label,
            when,
            because: _,
            tail: _,
            origin: _,
            span: _,
        } = self;
        canon.node(kind.word(), &[path, formals, label, when]);
    }
}

impl Tree for ast::Header {
    fn canon(&self, canon: &mut Canon) {
        canon.node("game", &[&self.name, &self.seats, &self.history]);
    }
}

impl Tree for ast::History {
    fn canon(&self, canon: &mut Canon) {
        match self.of.as_slice() {
            [] => self.most.canon(canon),
            _ => canon.node("history", &[&self.of, &self.most]),
        }
    }
}

impl Tree for ast::Seats {
    fn canon(&self, canon: &mut Canon) {
        match self {
            ast::Seats::Named(seats) if seats.iter().any(|it| it.symbol.is_some()) => {
                canon.node("seats", &[seats]);
            }
            ast::Seats::Named(seats) => {
                let names: Vec<ast::Name> = seats.iter().map(|it| it.name.clone()).collect();
                canon.node("seats", &[&names]);
            }
            ast::Seats::Numbered { least, most, stem } => {
                canon.node("numbered", &[least, most, stem]);
            }
        }
    }
}
