//! What to write where a sign or a word was left out: said after what was expected.

use super::parse::Rule;
use super::tokens::{Token, TokenKind};
use super::unexpected::Stopped;
use crate::diagnostic::Diagnostic;

/// What to write, and the word that stands in for the one that was found.
pub(super) struct Hint {
    pub(super) help: &'static str,
    instead: Option<&'static str>,
}

fn write(help: &'static str) -> Option<Hint> {
    let instead = None;
    Some(Hint { help, instead })
}

fn instead(by: &'static str, help: &'static str) -> Option<Hint> {
    let instead = Some(by);
    Some(Hint { help, instead })
}

impl Stopped<'_> {
    /// Adds to a finding about a token what to write.
    pub(super) fn hinted(&self, finding: Diagnostic, token: &Token<'_>, hint: Hint) -> Diagnostic {
        let finding = finding.help(hint.help);
        match hint.instead {
            Some(by) => finding.fix(format!("write `{by}`"), self.edit(token, by)),
            None => finding,
        }
    }

    /// Guesses from what stands around the failure what was left out.
    pub(super) fn hint(&self) -> Option<Hint> {
        let found = self.tokens.get(self.at);
        let text = found.map_or("", |it| it.text);
        self.hint_about_signs(text)
            .or_else(|| self.hint_about_heads(text))
            .or_else(|| self.hint_about_words(found))
    }

    fn hint_about_signs(&self, text: &str) -> Option<Hint> {
        let before = |back: usize| {
            let token = self.at.checked_sub(back).and_then(|at| self.tokens.get(at));
            token.map_or("", |it| it.text)
        };
        if self.wants(Rule::p_arrow) && matches!(text, "->" | ":" | "=") {
            return write("write `=>` between a case and what follows from it");
        }
        if self.wants(Rule::p_colon) {
            if text == "=" && before(2) == "require" {
                return instead(":", "write `:` behind the label of a clause");
            }
            if before(2) == "require" || before(1) == "require" {
                return write("a clause begins with its label: `require price: coins[me] >= 3`");
            }
            if self.brackets().0.is_some_and(|open| open.text == "(") {
                return write("write the kind of what it needs: `x: Card`");
            }
        }
        if text == "|" && self.choose_without_colon() {
            return write("write `:` behind whom it asks: `choose me: buy | sell`");
        }
        None
    }

    /// Whether `choose me buy` stands before the bar.
    fn choose_without_colon(&self) -> bool {
        let before = self.tokens.get(..self.at).unwrap_or_default();
        let Some(at) = before.iter().rposition(|it| it.text == "choose") else {
            return false;
        };
        let behind = before.get(at..).unwrap_or_default();
        !behind.iter().any(|it| matches!(it.text, ":" | "in" | "{"))
    }

    /// What is missing in the head of an item.
    fn hint_about_heads(&self, text: &str) -> Option<Hint> {
        let first = self.tokens.iter().find(|it| it.kind != TokenKind::Doc)?;
        let in_head = self.brackets().0.is_none();
        match first.text {
            "define" if in_head && self.wants(Rule::p_colon) => {
                write("write what kind of answer it gives: `define rich(s: seat): bool = …`")
            }
            "track" if in_head && self.wants(Rule::p_colon) => {
                write("write what values it can have: `track coins[seat]: 0..20 = 3`")
            }
            "zone" if in_head && self.wants(Rule::p_colon) => {
                write("write what it holds: `zone hand[seat]: bag of Card`")
            }
            "extend" if text == "=" => {
                write("`extend` adds to what is there; `replace PATH = …` gives it another value")
            }
            "forbid" | "permit" | "except" if self.wants(Rule::k_label) => {
                write("give it a name before `when`: `forbid buy(at) label no_plums when …`")
            }
            "forbid" | "permit" | "except" if self.wants(Rule::k_when) && text == "if" => {
                instead("when", "write `when`")
            }
            _ => None,
        }
    }

    fn hint_about_words(&self, found: Option<&Token<'_>>) -> Option<Hint> {
        let is_text = found.is_some_and(|it| it.kind == TokenKind::Text);
        if is_text && (self.wants(Rule::message) || self.wants(Rule::k_else)) {
            return write("write `else` before what the player is told");
        }
        if self.wants(Rule::k_do) && found.is_some_and(|it| it.kind == TokenKind::Word) {
            return write("what happens stands in `do { … }`");
        }
        if self.wants(Rule::expect) && found.is_some_and(|it| it.text == "when") {
            return write(
                "the moves stand before what is expected; write another ruling for what follows",
            );
        }
        let only_else = self.failure.expected.contains(&Rule::k_else)
            && self.failure.expected.contains(&Rule::else_if)
            && !self.wants(Rule::p_close);
        if only_else {
            return write("a value is needed in both cases: `if … then … else …`");
        }
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let is_binder =
            before.is_some_and(|it| it.text == "for") || found.is_some_and(|it| it.text == "for");
        if is_binder && self.begins_with_in() {
            return write("put what is asked of each into parentheses: `{ (x in S) for y in T }`");
        }
        let is_piece = |it: &Token<'_>| matches!(it.kind, TokenKind::Word | TokenKind::Text);
        let next_is_listed = found
            .is_some_and(|it| it.kind == TokenKind::Word && it.text != "where")
            && before.is_some_and(is_piece);
        if next_is_listed && self.wants(Rule::p_comma) && self.wants(Rule::p_close) {
            return write("write `,` between two of them");
        }
        None
    }

    /// Whether the innermost brace begins with `x in`.
    fn begins_with_in(&self) -> bool {
        let Some(open) = self.brackets().0.filter(|it| it.text == "{") else {
            return false;
        };
        let at = self.tokens.partition_point(|it| it.start <= open.start);
        self.tokens.get(at + 1).is_some_and(|it| it.text == "in")
    }

    pub(super) fn wants(&self, rule: Rule) -> bool {
        self.failure.expected.contains(&rule)
    }
}
