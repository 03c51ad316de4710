//! Actions and their clauses.

use super::Printer;
use super::flat;
use super::items::with_parentheses;
use crate::syntax::ast::{Action, Block, Item, Require};

impl Printer<'_> {
    pub(super) fn action(&mut self, it: &Item, decl: &Action, tail: &str) {
        let params = with_parentheses(flat::params(&decl.params));
        let text = decl
            .text
            .as_ref()
            .map_or(String::new(), |it| format!(" {}", flat::written(it)));
        self.out
            .push_str(&format!("action {}{params}{text}{tail} ", decl.name));
        if !decl.alternatives.is_empty() {
            self.out.push_str("= ");
            self.alternatives(&decl.alternatives);
            return;
        }
        let mut parts: Vec<String> = decl.requires.iter().map(flat_require).collect();
        parts.extend(
            decl.body
                .as_ref()
                .map(|body| format!("do {}", flat::written(body))),
        );
        let whole = if parts.is_empty() {
            String::from("{ }")
        } else {
            format!("{{ {} }}", parts.join("  "))
        };
        let has_docs = decl.requires.iter().any(|it| !it.docs.is_empty());
        if !has_docs && self.is_one_line(it.span) && self.fits(&whole) {
            self.out.push_str(&whole);
            return;
        }
        let body = decl.body.as_ref().map(Clause::Do);
        let clauses: Vec<Clause<'_>> = decl
            .requires
            .iter()
            .map(Clause::Require)
            .chain(body)
            .collect();
        self.braces(it.span, &clauses, |printer, clause| match clause {
            Clause::Require(it) => printer.require(it),
            Clause::Do(body) => {
                printer.begin(&[], body.span);
                printer.out.push_str("do ");
                printer.block(body);
                printer.end(body.span);
            }
        });
    }

    fn require(&mut self, it: &Require) {
        self.begin_whole(&it.docs, it.span);
        let whole = flat_require(it);
        if self.fits(&whole) {
            self.out.push_str(&whole);
        } else {
            self.out.push_str(&format!("require {}: ", it.label));
            self.expr(&it.condition);
            self.out.push_str(&flat::tail(&it.tail));
            self.message("else", it.message.as_ref());
        }
        self.end(it.span);
    }
}

/// What stands in the braces of an action.
enum Clause<'a> {
    Require(&'a Require),
    Do(&'a Block),
}

fn flat_require(it: &Require) -> String {
    let message = it
        .message
        .as_ref()
        .map_or(String::new(), |it| format!(" else {}", flat::written(it)));
    format!(
        "require {}: {}{}{message}",
        it.label,
        flat::written(&it.condition),
        flat::tail(&it.tail)
    )
}
