//! Says in words why an item cannot be read, and knows the frequent slips.

use super::lower::shortened;
use super::parse::Rule;
use super::spoken::{spoken, words};
use super::tokens::{Token, TokenKind, tokens};
use super::vocabulary::{FOREIGN, ITEM_WORDS, METHODS, is_reserved, is_verb, same_meaning, verbs};
use crate::diagnostic::{Diagnostic, closest, codes};
use crate::source::{FileId, Span};

/// What a name is made of.
const NAMES: &str = "a name begins with a letter and goes on with letters, digits and `_`, all of a to z without accents; a text in quotes takes any";

/// Where reading an item stopped.
pub(super) struct Failure<'t> {
    pub file: FileId,
    /// The whole text, comments blanked out.
    pub text: &'t str,
    /// Where the item begins.
    pub start: usize,
    /// Where the next item begins.
    pub limit: usize,
    /// Where nothing fitted.
    pub place: usize,
    /// What would have fitted.
    pub expected: &'t [Rule],
}

/// Returns the finding about a failure.
pub(super) fn describe(failure: &Failure<'_>) -> Diagnostic {
    let tokens = tokens(failure.text, failure.start..failure.limit);
    let stopped = Stopped {
        failure,
        at: tokens.partition_point(|token| token.end() <= failure.place),
        tokens: &tokens,
    };
    stopped
        .at_the_beginning()
        .or_else(|| stopped.at_a_sign())
        .or_else(|| stopped.in_a_text())
        .or_else(|| stopped.at_a_slip())
        .or_else(|| stopped.at_a_bracket())
        .or_else(|| stopped.in_a_window())
        .or_else(|| stopped.behind_then())
        .or_else(|| stopped.behind_a_misspelt_verb())
        .or_else(|| stopped.at_a_word())
        .unwrap_or_else(|| stopped.expected())
}

pub(super) struct Stopped<'t> {
    pub(super) failure: &'t Failure<'t>,
    pub(super) tokens: &'t [Token<'t>],
    /// Index of the token that did not fit; behind the last one if the item ended too soon.
    pub(super) at: usize,
}

impl<'t> Stopped<'t> {
    /// A word that begins no item.
    fn at_the_beginning(&self) -> Option<Diagnostic> {
        let first = self
            .tokens
            .iter()
            .position(|token| token.kind != TokenKind::Doc)?;
        let token = self.tokens.get(first)?;
        if ITEM_WORDS.contains(&token.text) || self.at < first {
            return None;
        }
        // The header's parts and statements are words that a beginner puts at the top.
        if token.kind == TokenKind::Sign && matches!(token.text, "}" | ")" | "]") {
            return Some(self.unopened(token));
        }
        if token.kind != TokenKind::Word {
            return None;
        }
        let message = format!("`{}` does not begin an item", shortened(token.text));
        let finding = self.finding(codes::MISSPELT_WORD, token, message);
        let near =
            same_meaning(token.text).or_else(|| closest(token.text, ITEM_WORDS.iter().copied()));
        Some(match near {
            Some(near) if near.eq_ignore_ascii_case(token.text) => finding
                .help(format!("write `{near}`"))
                .safe_fix(format!("write `{near}`"), self.edit(token, near)),
            Some(near) => finding.help(format!("write `{near}`")).fix(format!("write `{near}`"), self.edit(token, near)),
            None => finding.help("an item begins with a word like `zone`, `track`, `define`, `action`, `event` or `flow`"),
        })
    }

    fn at_a_sign(&self) -> Option<Diagnostic> {
        let token = self.tokens.get(self.at)?;
        if token.kind == TokenKind::Doc {
            let finding = self.finding(
                codes::MISPLACED_DOC,
                token,
                "a doc comment cannot stand here",
            );
            let slashes = Span::new(self.failure.file, token.start, token.start + 3);
            return Some(
                finding
                    .help(
                        "it belongs before an item, a clause or a statement; elsewhere write `//`",
                    )
                    .safe_fix("write `//`", vec![(slashes, String::from("//"))]),
            );
        }
        if token.kind != TokenKind::Sign {
            return None;
        }
        let rest = self.failure.text.get(token.start..).unwrap_or("");
        if let Some((sign, meant, help)) = FOREIGN.iter().find(|(sign, ..)| rest.starts_with(sign))
        {
            return Some(self.foreign(token, sign, meant).help(*help));
        }
        let is_known = |c: char| c.is_ascii() && !"@$?^~\\".contains(c);
        if !token.text.chars().all(is_known) {
            let (what, help) = match token.text.chars().all(char::is_alphabetic) {
                true => ("letter of names", NAMES),
                false => (
                    "sign of the language",
                    "remove it; it may stand in a text in quotes",
                ),
            };
            let message = format!("`{}` is not a {what}", token.text);
            return Some(self.finding(codes::FOREIGN_SIGN, token, message).help(help));
        }
        let before = |back: usize| self.at.checked_sub(back).and_then(|at| self.tokens.get(at));
        if token.text == "(" && before(2).is_some_and(|dot| dot.text == ".") {
            let name = before(1).map_or("f", |token| token.text);
            return Some(
                self.finding(
                    codes::METHOD_CALL,
                    token,
                    format!("`{name}` cannot be called behind a dot"),
                )
                .help(
                    match METHODS.iter().find(|(names, _)| names.contains(&name)) {
                        Some((_, form)) => format!("write `{form}`"),
                        None => format!("write `{name}(x, …)` instead of `x.{name}(…)`"),
                    },
                ),
            );
        }
        None
    }

    fn foreign(&self, token: &Token<'_>, sign: &str, meant: &str) -> Diagnostic {
        let span = |start: usize| Span::new(self.failure.file, start, start + sign.len());
        let finding = Diagnostic::at(
            codes::FOREIGN_SIGN,
            span(token.start),
            format!("`{sign}` is not of this language"),
        );
        // Quotes come in pairs, and who ends one statement by a sign ends all of them by it.
        let is_alike = |text: &str| match meant {
            "" => text == sign,
            "\"" => FOREIGN
                .iter()
                .any(|(other, by, _)| *by == meant && text == *other),
            _ => false,
        };
        let alike = self
            .tokens
            .iter()
            .filter(|it| it.start != token.start && is_alike(it.text));
        let edit = |span: Span| (span, String::from(meant));
        let others = alike.map(|it| edit(self.span(it)));
        let edits = std::iter::once(edit(span(token.start)))
            .chain(others)
            .collect();
        let title = if meant.is_empty() {
            format!("remove `{sign}`")
        } else {
            format!("write `{meant}`")
        };
        finding.fix(title, edits)
    }

    fn at_a_word(&self) -> Option<Diagnostic> {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        if before.is_some_and(|token| token.text == "no") && self.value_is_missing() {
            let no = before?;
            return Some(
                self.finding(codes::FOREIGN_SIGN, no, "`no` asks whether a set is empty")
                    .help("write `false`")
                    .fix("write `false`", self.edit(no, "false")),
            );
        }
        if let Some(finding) = before.and_then(|word| self.behind_a_verb(word)) {
            return Some(finding);
        }
        let token = self
            .tokens
            .get(self.at)
            .filter(|token| token.kind == TokenKind::Word)?;
        if token.text == "require" {
            return Some(
                self.finding(codes::LATE_CLAUSE, token, "`require` cannot stand here")
                    .help("clauses stand in an action, before its `do { … }`"),
            );
        }
        let words = self.failure.expected.iter().flat_map(|rule| words(*rule));
        if let Some(near) =
            closest(token.text, words).filter(|near| *near != token.text && token.text.len() > 2)
        {
            return Some(self.misspelt(token, near));
        }
        let needs_a_name = self.failure.expected.iter().any(|rule| {
            matches!(
                rule,
                Rule::ident | Rule::param | Rule::named | Rule::enum_value | Rule::field_decl
            )
        });
        if let Some(finding) = self.behind_expect(token) {
            return Some(finding);
        }
        if needs_a_name && token.text.starts_with('_') {
            let message = format!("`{}` is no name", shortened(token.text));
            return Some(
                self.finding(codes::UNEXPECTED_TEXT, token, message)
                    .help(NAMES),
            );
        }
        let needs_an_id = self.wants(Rule::ruling_id);
        if needs_a_name && let Some(finding) = self.before_a_connector(token) {
            return Some(finding);
        }
        if (needs_a_name || needs_an_id) && is_reserved(token.text) && !self.expects(token.text) {
            let message = format!(
                "`{}` is a word of the language and cannot be a name",
                token.text
            );
            let behind = self.tokens.get(self.at + 1);
            let is_label = behind.is_some_and(|it| it.text == ":");
            if before.is_some_and(|it| it.text == "require") && !is_label {
                return Some(
                    self.finding(codes::UNEXPECTED_TEXT, token, "this condition has no name")
                        .help("a clause begins with its label: `require price: coins[me] >= 3`"),
                );
            }
            let other = format!("{}_", token.text);
            let help = format!("choose another name, like `{other}`");
            let finding = self
                .finding(codes::RESERVED_WORD, token, message)
                .help(help);
            // Nothing else names a ruling.
            return Some(match needs_an_id {
                true => finding.fix(format!("write `{other}`"), self.edit(token, &other)),
                false => finding,
            });
        }
        None
    }

    /// A hole that cannot be read.
    fn in_a_text(&self) -> Option<Diagnostic> {
        let is_there = |token: &&Token<'_>| {
            token.start < self.failure.place && self.failure.place < token.end()
        };
        let token = self
            .tokens
            .iter()
            .find(is_there)
            .filter(|token| token.kind == TokenKind::Text)?;
        let before = self.failure.text.get(token.start..self.failure.place)?;
        let (start, message, help) = match before.rfind(['{', '\\']) {
            Some(at) if before.get(at..)?.starts_with('{') => (
                token.start + at,
                "this hole cannot be read",
                "a hole is one name, call or place like `{hand[me]}`; write `{{` if a brace is meant",
            ),
            _ => (
                self.failure.place,
                "this cannot stand in a text",
                "write `}}` for a brace, `\\\\` for a backslash, `\\\"` for a quote",
            ),
        };
        let letter = self.failure.text.get(start..)?.chars().next();
        let end = start + letter.map_or(1, char::len_utf8);
        let span = Span::new(self.failure.file, start, end);
        Some(Diagnostic::at(codes::HOLE_UNCLEAR, span, message).help(help))
    }

    /// A statement on this line that begins with a word like a verb and goes on like one.
    fn behind_a_misspelt_verb(&self) -> Option<Diagnostic> {
        let mut found = None;
        let mut n_open = 0_usize;
        for (at, pair) in self.tokens.windows(2).enumerate().take(self.at) {
            let [token, next] = pair else { continue };
            match token.text {
                "{" => n_open += 1,
                "}" => n_open = n_open.saturating_sub(1),
                _ => {}
            }
            if token.first_of_line {
                found = None;
            }
            let before = at.checked_sub(1).and_then(|at| self.tokens.get(at));
            let begins = token.first_of_line
                || before.is_some_and(|before| matches!(before.text, "{" | "}"));
            let goes_on = matches!(next.kind, TokenKind::Word | TokenKind::Number)
                && !next.first_of_line
                && next.text != "in";
            if begins && goes_on && token.kind == TokenKind::Word && n_open > 0 {
                found = Some(token);
            }
        }
        let token = found.filter(|token| !is_verb(token.text) && !is_reserved(token.text))?;
        let near = closest(token.text, verbs())?;
        Some(self.misspelt(token, near))
    }

    /// A word at the place of a verb that is none, or an event without parentheses.
    fn behind_a_verb(&self, word: &Token<'_>) -> Option<Diagnostic> {
        let index = self.at.checked_sub(1)?;
        let before = index.checked_sub(1).and_then(|at| self.tokens.get(at));
        let begins =
            word.first_of_line || before.is_some_and(|token| matches!(token.text, "{" | "}"));
        let wants_effect = self
            .failure
            .expected
            .iter()
            .any(|rule| matches!(rule, Rule::assign_op | Rule::args));
        if !begins
            || !wants_effect
            || word.kind != TokenKind::Word
            || is_verb(word.text)
            || is_reserved(word.text)
        {
            return None;
        }
        let next = self.tokens.get(self.at);
        let is_alone = next.is_none_or(|token| token.first_of_line || token.text == "}");
        if let Some(near) = closest(word.text, verbs()).filter(|_| !is_alone) {
            return Some(self.misspelt(word, near));
        }
        is_alone.then(|| {
            let call = format!("{}()", word.text);
            self.finding(
                codes::CALL_WITHOUT_PARENTHESES,
                word,
                format!("`{}` alone does nothing", word.text),
            )
            .help(format!("write `{call}` if it is an event or a flow"))
            .fix(format!("write `{call}`"), self.edit(word, &call))
        })
    }

    fn expected(&self) -> Diagnostic {
        let token = self.tokens.get(self.at);
        let Some(list) = self.expectations() else {
            let end = self.tokens.last();
            let message = match token {
                Some(token) => format!("`{}` cannot stand here", shortened(token.text)),
                None => String::from("more was expected here"),
            };
            return match token.or(end) {
                Some(place) => self
                    .finding(codes::UNEXPECTED_TEXT, place, message)
                    .help("what stands before it is complete; an operator, `cite …` or the next item may follow"),
                None => Diagnostic::new(codes::UNEXPECTED_TEXT, message),
            };
        };
        match token {
            Some(token) => {
                let found = format!("expected {list}, found `{}`", shortened(token.text));
                let finding = self.finding(codes::UNEXPECTED_TEXT, token, found);
                if let Some(hint) = self.hint() {
                    return self.hinted(finding, token, hint);
                }
                let finding = self.with_the_open_brace(finding, token);
                match (token.kind, token.text) {
                    (TokenKind::Number, number)
                        if number.ends_with(|c: char| !c.is_ascii_digit()) =>
                    {
                        finding.help("a name begins with a letter")
                    }
                    (_, "where") => {
                        finding.help("each name has one `where`; join conditions by `and`")
                    }
                    _ => finding,
                }
            }
            None => {
                let end = self.tokens.last().map_or(self.failure.place, Token::end);
                let span = Span::new(self.failure.file, end, end);
                let finding = Diagnostic::at(
                    codes::UNEXPECTED_TEXT,
                    span,
                    format!("expected {list}, found the end"),
                );
                match self.hint() {
                    Some(hint) => finding.help(hint.help),
                    None => finding,
                }
            }
        }
    }

    /// Returns the three things that are most useful to hear of.
    fn expectations(&self) -> Option<String> {
        let mut expected: Vec<(u8, &str)> = Vec::new();
        for (rank, words) in self
            .failure
            .expected
            .iter()
            .filter_map(|rule| spoken(*rule))
        {
            let is_list = words.matches('`').count() > 2;
            let pieces = words.split(", ").flat_map(|piece| piece.split(" or "));
            expected.extend(pieces.filter(|_| is_list).map(|piece| (rank, piece)));
            expected.extend(Some((rank, words)).filter(|_| !is_list));
        }
        expected.sort_unstable();
        expected.dedup();
        // What may always follow is worth no word.
        let least = expected.first().map_or(0, |(rank, _)| *rank);
        if least >= 6 {
            return None;
        }
        let useful = expected.iter().filter(|(rank, _)| *rank <= least.max(4));
        let words: Vec<&str> = useful.map(|(_, words)| *words).take(3).collect();
        match words.as_slice() {
            [] => None,
            [one] => Some(String::from(*one)),
            [others @ .., last] => Some(format!("{} or {last}", others.join(", "))),
        }
    }

    // ---------- tools

    pub(super) fn misspelt(&self, token: &Token<'_>, near: &str) -> Diagnostic {
        self.finding(
            codes::MISSPELT_WORD,
            token,
            format!("`{}` cannot stand here", shortened(token.text)),
        )
        .help(format!("write `{near}`"))
        .fix(format!("write `{near}`"), self.edit(token, near))
    }

    fn value_is_missing(&self) -> bool {
        self.failure.expected.iter().any(|rule| {
            matches!(
                rule,
                Rule::postfix | Rule::operand | Rule::expr | Rule::named
            )
        })
    }

    pub(super) fn expects(&self, text: &str) -> bool {
        self.failure
            .expected
            .iter()
            .any(|rule| words(*rule).any(|word| word == text))
    }

    pub(super) fn finding(
        &self,
        code: crate::diagnostic::Code,
        token: &Token<'_>,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::at(code, self.span(token), message)
    }

    pub(super) fn span(&self, token: &Token<'_>) -> Span {
        Span::new(self.failure.file, token.start, token.end())
    }

    pub(super) fn edit(&self, token: &Token<'_>, text: &str) -> Vec<(Span, String)> {
        vec![(self.span(token), String::from(text))]
    }
}
