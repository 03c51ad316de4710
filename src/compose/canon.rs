//! The canonical form of composed rules, and their hash.
//!
//! The form is a text of nested parentheses, `(define f [] int (+ 1 2))`: the tag of the node, then its
//! parts in the order of the tree; lists in brackets, `-` for what is left out, texts quoted as in
//! Rust. The hash is XXH3 (64 bits, seed 0) of its UTF-8 bytes.
//!
//! What cannot change a position, a list of moves or how a move is written is left out: places,
//! comments, docs, citations and the rest of the tail, titles, wordings of settings and refusals,
//! rulings, asides, invariants, pictures. So mending a citation does not make a transcript foreign.

use std::fmt::Write;

use xxhash_rust::xxh3::xxh3_64;

use super::{Composite, Guard};
use crate::syntax::ast;

mod expr;
mod item;
mod stmt;

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
    canon.out
}

/// Returns the length of the canonical form.
pub(super) fn length(part: &dyn Canonical) -> usize {
    let mut canon = Canon::default();
    part.canon(&mut canon);
    canon.out.len()
}

/// Returns how deep the canonical form nests.
pub(super) fn depth(part: &dyn Canonical) -> usize {
    let mut canon = Canon::default();
    part.canon(&mut canon);
    canon.deepest
}

/// A text that grows.
#[derive(Default)]
pub(super) struct Canon {
    out: String,
    depth: usize,
    deepest: usize,
}

impl Canon {
    /// Writes a node with its parts.
    fn node(&mut self, tag: &str, parts: &[&dyn Canonical]) {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        self.out.push('(');
        self.out.push_str(tag);
        for part in parts {
            self.out.push(' ');
            part.canon(self);
        }
        self.out.push(')');
        self.depth -= 1;
    }

    /// Writes a node into a line of its own; nothing if it leaves nothing to write.
    fn line(&mut self, part: &dyn Canonical) {
        let before = self.out.len();
        self.out.push('\n');
        part.canon(self);
        if self.out.len() == before + 1 {
            self.out.truncate(before);
        }
    }

    fn word(&mut self, word: &str) {
        self.out.push_str(word);
    }

    fn text(&mut self, text: &str) {
        // Escapes keep a quote in a text from ending it.
        self.out.push('"');
        for char in text.chars() {
            match char {
                '"' | '\\' => self.out.extend(['\\', char]),
                '\n' => self.out.push_str("\\n"),
                other => self.out.push(other),
            }
        }
        self.out.push('"');
    }
}

/// What has a canonical form.
pub(super) trait Canonical {
    fn canon(&self, canon: &mut Canon);
}

impl<T: Canonical + ?Sized> Canonical for &T {
    fn canon(&self, canon: &mut Canon) {
        (**self).canon(canon);
    }
}

impl<T: Canonical + ?Sized> Canonical for Box<T> {
    fn canon(&self, canon: &mut Canon) {
        (**self).canon(canon);
    }
}

impl<T: Canonical> Canonical for Option<T> {
    fn canon(&self, canon: &mut Canon) {
        match self {
            Some(it) => it.canon(canon),
            None => canon.word("-"),
        }
    }
}

impl<T: Canonical> Canonical for Vec<T> {
    fn canon(&self, canon: &mut Canon) {
        self.as_slice().canon(canon);
    }
}

impl<T: Canonical> Canonical for [T] {
    fn canon(&self, canon: &mut Canon) {
        canon.word("[");
        for (at, it) in self.iter().enumerate() {
            if at > 0 {
                canon.word(" ");
            }
            it.canon(canon);
        }
        canon.word("]");
    }
}

impl Canonical for str {
    fn canon(&self, canon: &mut Canon) {
        canon.word(self);
    }
}

impl Canonical for bool {
    fn canon(&self, canon: &mut Canon) {
        canon.word(if *self { "true" } else { "false" });
    }
}

impl Canonical for i32 {
    fn canon(&self, canon: &mut Canon) {
        // Writing into a string cannot fail.
        let _ = write!(canon.out, "{self}");
    }
}

impl Canonical for ast::Number {
    fn canon(&self, canon: &mut Canon) {
        self.value.canon(canon);
    }
}

impl Canonical for ast::Name {
    fn canon(&self, canon: &mut Canon) {
        canon.word(&self.text);
    }
}

impl Canonical for ast::Path {
    fn canon(&self, canon: &mut Canon) {
        let _ = write!(canon.out, "{self}");
    }
}

impl Canonical for ast::Text {
    fn canon(&self, canon: &mut Canon) {
        canon.text(&self.text);
    }
}

impl Canonical for ast::Template {
    fn canon(&self, canon: &mut Canon) {
        canon.node("template", &[&self.parts]);
    }
}

impl Canonical for ast::TemplatePart {
    fn canon(&self, canon: &mut Canon) {
        match self {
            ast::TemplatePart::Text(text) => canon.text(text),
            ast::TemplatePart::Hole(hole) => hole.canon(canon),
        }
    }
}

impl Canonical for Guard {
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

/// Implements [`Canonical`] for structs: a tag, the fields that count, and those that do not.
///
/// All fields have to be named, so that a new one cannot be forgotten.
macro_rules! canonical {
    ($($ty:ident $tag:literal { $($field:ident)* } $({ $($left_out:ident)* })?)*) => { $(
        impl Canonical for ast::$ty {
            fn canon(&self, canon: &mut Canon) {
                let ast::$ty { $($field,)* $($($left_out: _,)*)? } = self;
                canon.node($tag, &[$($field),*]);
            }
        }
    )* };
}
use canonical;
