//! A text cut into words and signs, for telling what is wrong with it.

use std::ops::Range;

use super::scan::{QUOTES, leading_word};

/// What a [`Token`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Letters, digits and `_`, a letter or `_` first.
    Word,
    /// Digits and what clings to them.
    Number,
    /// A text in quotes, or from a quote to the end of its line.
    Text,
    /// A doc comment.
    Doc,
    /// Anything else: a sign of one to three characters.
    Sign,
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    /// What it is.
    pub kind: TokenKind,
    /// How it is written.
    pub text: &'t str,
    /// Where it starts.
    pub start: usize,
    /// Whether it is the first of its line.
    pub first_of_line: bool,
}

impl Token<'_> {
    /// Returns where it ends.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

const SIGNS: &[&str] = &[
    "..", "==", "!=", "<=", ">=", "<>", "&&", "||", "+=", "-=", ":=", "=>", "->", "//",
];

/// Cuts `text[range]` into tokens; plain comments have to be blanked out before.
pub fn tokens(text: &str, range: Range<usize>) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = range.start;
    let end = range.end.min(text.len());
    let mut first_of_line = true;
    while let Some(rest) = text.get(at..end).filter(|rest| !rest.is_empty()) {
        let Some(first) = rest.chars().next() else {
            break;
        };
        if first.is_whitespace() {
            first_of_line |= first == '\n';
            at += first.len_utf8();
            continue;
        }
        let (kind, length) = measure(rest, first);
        let length = length.max(first.len_utf8());
        tokens.push(Token {
            kind,
            text: rest.get(..length).unwrap_or(rest),
            start: at,
            first_of_line,
        });
        first_of_line = false;
        at += length;
    }
    tokens
}

fn measure(rest: &str, first: char) -> (TokenKind, usize) {
    let word = leading_word(rest).len();
    if word > 0 {
        let kind = if first.is_ascii_digit() {
            TokenKind::Number
        } else {
            TokenKind::Word
        };
        return (kind, word);
    }
    if first == '"' {
        return (TokenKind::Text, text_length(rest));
    }
    if rest.starts_with("///") {
        return (
            TokenKind::Doc,
            rest.lines().next().unwrap_or("").trim_end().len(),
        );
    }
    let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
    (
        TokenKind::Sign,
        sign.map_or(first.len_utf8(), |sign| sign.len()),
    )
}

fn text_length(rest: &str) -> usize {
    if let Some(behind) = rest.strip_prefix(QUOTES) {
        let closed = behind.find(QUOTES).map(|at| at + 2 * QUOTES.len());
        return closed.unwrap_or_else(|| rest.find('\n').unwrap_or(rest.len()));
    }
    let mut escaped = false;
    for (at, byte) in rest.bytes().enumerate().skip(1) {
        match byte {
            b'\n' => return at,
            b'"' if !escaped => return at + 1,
            _ => escaped = byte == b'\\' && !escaped,
        }
    }
    rest.len()
}
