//! What to write where a sign or a word was left out.

use super::parse::Rule;
use super::tokens::{Token, TokenKind};
use super::unexpected::Stopped;
use super::vocabulary::{EXPECTED, shape, spoken_verb};
use crate::diagnostic::{Diagnostic, closest, codes};

/// Reserved words that join what stands before them to what follows.
const CONNECTORS: [&str; 12] = [
    "by", "cite", "from", "in", "of", "order", "status", "to", "until", "when", "where", "with",
];

/// What to write, and the word that stands in for the one that was found.
pub(super) struct Hint {
    pub(super) help: String,
    instead: Option<&'static str>,
}

fn write(help: impl Into<String>) -> Option<Hint> {
    let (help, instead) = (help.into(), None);
    Some(Hint { help, instead })
}

fn instead(by: &'static str, help: &'static str) -> Option<Hint> {
    let (help, instead) = (help.to_owned(), Some(by));
    Some(Hint { help, instead })
}

impl Stopped<'_> {
    /// Adds to a finding about a token what to write.
    pub(super) fn hinted(&self, finding: Diagnostic, token: &Token<'_>, hint: Hint) -> Diagnostic {
        let finding = finding.help(hint.help);
        match hint.instead {
            Some("") => finding.fix(format!("remove `{}`", token.text), self.edit(token, "")),
            Some(by) => finding.fix(format!("write `{by}`"), self.edit(token, by)),
            None => finding,
        }
    }

    /// Shows the brace that is still open at the start of a line where it should have been closed.
    pub(super) fn with_the_open_brace(&self, finding: Diagnostic, token: &Token<'_>) -> Diagnostic {
        let open = self.brackets().0;
        match open.filter(|_| token.first_of_line && self.wants(Rule::p_close)) {
            Some(open) if open.text == "{" => finding
                .label(self.span(open), "this is still open")
                .help("write `}` before, if it ends there"),
            _ => finding,
        }
    }

    /// Behind `expect` a misspelt word is read as a condition, and what follows it does not fit.
    pub(super) fn behind_expect(&self, token: &Token<'_>) -> Option<Diagnostic> {
        let before = |back: usize| self.at.checked_sub(back).and_then(|at| self.tokens.get(at));
        let word = match (before(2), before(1)) {
            (_, Some(verb)) if verb.text == "expect" => token,
            (Some(verb), Some(word)) if verb.text == "expect" => word,
            _ => return None,
        };
        let near = closest(word.text, EXPECTED).filter(|near| *near != word.text)?;
        Some(self.misspelt(word, near))
    }

    /// Where a name is due, a word that joins two things says that the name was left out.
    pub(super) fn before_a_connector(&self, token: &Token<'_>) -> Option<Diagnostic> {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at))?;
        let next = self.tokens.get(self.at + 1)?;
        let goes_on = next.kind != TokenKind::Sign && !next.first_of_line;
        if before.kind != TokenKind::Word || !goes_on || !CONNECTORS.contains(&token.text) {
            return None;
        }
        let message = format!("a name is missing before `{}`", token.text);
        let finding = self.finding(codes::UNEXPECTED_TEXT, token, message);
        Some(match shape(before.text) {
            Some(shape) => finding.help(format!("it is written like `{shape}`")),
            None => finding,
        })
    }

    /// `if a then { … }` as a statement: `then` belongs to values, and what follows it was read as a set.
    pub(super) fn behind_then(&self) -> Option<Diagnostic> {
        let open = self.brackets().0.filter(|it| it.text == "{")?;
        let at = self.tokens.partition_point(|it| it.start < open.start);
        let then = at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let then = then.filter(|it| it.text == "then")?;
        let finding = self.finding(
            codes::UNEXPECTED_TEXT,
            then,
            "what is done has no `then` before it",
        );
        Some(
            finding
                .help("leave it out: `if c { … } else { … }`; `if c then a else b` is a value")
                .fix("remove `then`", self.edit(then, "")),
        )
    }

    /// `window s { many buy }`: a slot without its name.
    pub(super) fn in_a_window(&self) -> Option<Diagnostic> {
        let open = self.brackets().0.filter(|it| it.text == "{")?;
        let at = self.tokens.partition_point(|it| it.start < open.start);
        let head = self.tokens.get(at.saturating_sub(6)..at)?;
        if !head.iter().any(|it| it.text == "window") {
            return None;
        }
        let inside = self.tokens.get(at + 1..)?.windows(3);
        let mut inside = inside.take_while(|it| it.first().is_some_and(|it| it.text != "}"));
        let slot = inside.find(|it| match it {
            [often, name, colon] => {
                matches!(often.text, "once" | "many")
                    && name.kind == TokenKind::Word
                    && colon.text != ":"
                    && colon.start <= self.failure.place
            }
            _ => false,
        })?;
        let name = slot.get(1)?;
        let message = format!("what `{}` offers here has no name", name.text);
        Some(
            self.finding(codes::UNEXPECTED_TEXT, name, message)
                .help("write the name before it: `window me { many bargain: buy }`"),
        )
    }

    /// Guesses from what stands around the failure what was left out.
    pub(super) fn hint(&self) -> Option<Hint> {
        let found = self.tokens.get(self.at);
        let text = found.map_or("", |it| it.text);
        self.hint_about_signs(text)
            .or_else(|| self.hint_about_heads(text))
            .or_else(|| self.hint_about_words(found))
            .or_else(|| self.hint_about_statements())
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
        match (before(1), text) {
            ("==", "=") => return instead("", "write `==` to compare"),
            ("..", ".") => return instead("", "a range has two dots: `1..6`"),
            ("choose" | "window", ":" | "{") => {
                return write(
                    "say who chooses: `choose me: buy | sell`, `window me { once bargain: buy }`",
                );
            }
            (_, "=>") if self.first_word() == "replace" && self.brackets().0.is_none() => {
                return instead(
                    "=",
                    "write `=` before what takes the place of the old value",
                );
            }
            (_, "=>") if !self.wants(Rule::p_arrow) => {
                return instead(">=", "write `>=` for greater or equal");
            }
            (_, "from") if before(2) == "draw" => {
                return instead("of", "write `draw 3 of deck to hand[me]`");
            }
            (_, "of") if before(2) == "in" || before(2) == ".." && before(4) == "in" => {
                return write(
                    "an action takes several at once: `action keep(dice in 2 of rolled) \"keep {dice}\" { … }`, then `choose me: keep`",
                );
            }
            _ => {}
        }
        if text == "|" && self.choose_without_colon() {
            return write("write `:` behind whom it asks: `choose me: buy | sell`");
        }
        let case = [Rule::case, Rule::arm, Rule::heads, Rule::number_head];
        if text == "-" && case.iter().any(|it| self.wants(*it)) {
            return write(
                "a case is a number from 0 on, or a name: ask for numbers below 0 with `if`",
            );
        }
        if self.wants(Rule::p_open) && self.asks_by_calculation(text) {
            return write(
                "what is calculated stands in parentheses: `by (round mod 3) { 0 => … }`",
            );
        }
        None
    }

    /// Whether `by round` stands before an operator.
    fn asks_by_calculation(&self, text: &str) -> bool {
        let before = self.tokens.get(..self.at).unwrap_or_default().iter().rev();
        let mut before = before.take_while(|it| !matches!(it.text, "{" | "}" | "=>"));
        matches!(text, "mod" | "+" | "-" | "*" | "/") && before.any(|it| it.text == "by")
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

    /// The word that the item begins with.
    fn first_word(&self) -> &str {
        let first = self.tokens.iter().find(|it| it.kind != TokenKind::Doc);
        first.map_or("", |it| it.text)
    }

    /// What is missing in the head of an item.
    fn hint_about_heads(&self, text: &str) -> Option<Hint> {
        let in_head = self.brackets().0.is_none();
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        match self.first_word() {
            "replace" | "remove" if before.is_some_and(|it| it.text == "supply") => write(
                "what is there at the beginning is not replaced: a further `supply` adds to it, and what the first turn moves to a zone of its own is out of the game",
            ),
            "replace" | "remove" if before.is_some_and(|it| it.text == "seats") => write(
                "who plays is said by the game itself: for other tables write a game of its own",
            ),
            "add" if in_head && text == ":" => {
                write("what is new stands in braces: `add values to Weather { snow }`")
            }
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
            "remove" if matches!(text, "from" | "in") => write(
                "write the way to it, from outside to inside: `remove main.play.swap`; `remove swap` takes it away everywhere",
            ),
            "insert" if text == "(" => {
                write("name it alone; what it was called with goes by the names that it has there")
            }
            "ruling" | "study" if text == "from" => {
                write("the start stands first: `given { from seed 1 players 3 at main.play … }`")
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

    /// What was read as the name of something that is given a value may be a verb that goes on otherwise.
    fn hint_about_statements(&self) -> Option<Hint> {
        if !self.wants(Rule::assign_op) {
            return None;
        }
        let before = self.tokens.get(..self.at)?.iter().rev();
        let mut verbs = before
            .take_while(|it| !matches!(it.text, "{" | "}"))
            .filter(|it| it.kind == TokenKind::Word);
        let example = verbs.find_map(|it| shape(it.text).or_else(|| spoken_verb(it.text)))?;
        write(format!("it is written like `{example}`"))
    }

    fn hint_about_words(&self, found: Option<&Token<'_>>) -> Option<Hint> {
        let is_text = found.is_some_and(|it| it.kind == TokenKind::Text);
        if is_text && (self.wants(Rule::message) || self.wants(Rule::k_else)) {
            return write("write `else` before what the player is told");
        }
        let is_case = self.wants(Rule::case) || self.wants(Rule::arm) || self.wants(Rule::head);
        if is_case && found.is_some_and(|it| it.text == "otherwise") {
            return instead("else", "what holds in all other cases stands behind `else`");
        }
        if is_case && found.is_some_and(|it| it.text == "-") {
            return write("ask for numbers below 0 by `if`, or leave them to `else`");
        }
        let earlier = |n: usize| self.at.checked_sub(n).and_then(|at| self.tokens.get(at));
        let is_of = found.is_some_and(|it| it.text == "of");
        let is_deep = earlier(1).is_some_and(|it| matches!(it.text, "bottom" | "under"));
        let is_taken = earlier(2)
            .is_some_and(|it| it.kind == TokenKind::Number || it.text == "last")
            && earlier(3).is_some_and(|it| it.text == "move");
        if is_of && is_taken {
            return write(
                "the lowest of a pile are `move bottom 2 of deck to …`, the topmost `move top 2 of deck to …`",
            );
        }
        if is_deep && is_of {
            return write(
                "things are laid on top; what goes under a pile lies in one of its own, `move c to lower`, until the pile is empty: `while filled lower { move top of lower to deck }`",
            );
        }
        if self.wants(Rule::k_do) && found.is_some_and(|it| it.kind == TokenKind::Word) {
            return write("what happens stands in `do { … }`");
        }
        let only_else = self.failure.expected.contains(&Rule::k_else)
            && self.failure.expected.contains(&Rule::else_if)
            && !self.wants(Rule::p_close);
        if only_else {
            return write(
                "a value is needed in both cases, `if … then … else …`; what is done stands in braces: `if … { … }`",
            );
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
