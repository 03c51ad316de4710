//! The first look at a text: comments, brackets and places where reading can start again.

use super::ast::Comment;
use super::vocabulary::is_item_word;
use crate::diagnostic::{Diagnostic, codes};
use crate::limits::{MAX_DEPTH, MAX_LEVELS};
use crate::source::{FileId, Span, hidden};

/// What the scanner found.
pub struct Scan {
    /// The text with each byte of a comment replaced by a blank; offsets stay.
    pub text: String,
    /// The comments, in order; doc comments are not among them.
    pub comments: Vec<Comment>,
    /// Ascending offsets where an item begins at the start of a line: where reading can start again.
    pub starts: Vec<usize>,
    /// What makes the stretch around it unreadable.
    pub faults: Vec<Diagnostic>,
    /// Characters that nobody sees, on each line the first; everything else is read without them.
    pub hidden: Vec<Diagnostic>,
}

/// What stands around a drawing.
pub(super) const QUOTES: &str = "\"\"\"";

/// How many lines with hidden characters are told.
const MOST_HIDDEN: usize = 10;

/// Looks through a text once.
pub fn scan(file: FileId, text: &str) -> Scan {
    let masked = hidden::masked(text);
    let mut scanner = Scanner::new(file, &masked);
    scanner.run(usize::MAX);
    Scan {
        text: String::from_utf8(scanner.blanked).unwrap_or_default(),
        comments: scanner.comments,
        starts: scanner.starts,
        faults: scanner.faults,
        hidden: hidden_in(file, text),
    }
}

/// Returns where the second thing that can be read starts; what stands behind that is not looked at.
pub fn second_start(text: &str) -> Option<usize> {
    let masked = hidden::masked(text);
    let mut scanner = Scanner::new(FileId(0), &masked);
    scanner.run(2);
    scanner.starts.get(1).copied()
}

fn hidden_in(file: FileId, text: &str) -> Vec<Diagnostic> {
    let mut behind = 0;
    let first_on_line = hidden::in_file(text).filter(|(at, _)| {
        let is_first = *at >= behind;
        if is_first {
            let rest = text.get(*at..).and_then(|rest| rest.find('\n'));
            behind = rest.map_or(text.len(), |length| at + length);
        }
        is_first
    });
    let found = first_on_line.take(MOST_HIDDEN).map(|(at, letter)| {
        let span = Span::new(file, at, at + letter.len_utf8());
        let message = format!("here stands U+{:04X}, which nobody sees", u32::from(letter));
        Diagnostic::at(codes::HIDDEN_CHARACTER, span, message).help(
            "delete it: a character that steers a terminal or turns what is around it is no text",
        )
    });
    found.collect()
}

/// Returns the word, ASCII letters first, at the start of a text.
pub fn leading_word(text: &str) -> &str {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let end = text
        .bytes()
        .position(|byte| !is_part(byte))
        .unwrap_or(text.len());
    text.get(..end).unwrap_or("")
}

struct Scanner<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    depth: usize,
    line_is_blank: bool,
    /// Whether the last thing read was a doc comment at the start of a line: it belongs to what follows.
    after_doc: bool,
    blanked: Vec<u8>,
    comments: Vec<Comment>,
    starts: Vec<usize>,
    faults: Vec<Diagnostic>,
}

impl<'a> Scanner<'a> {
    fn new(file: FileId, text: &'a str) -> Scanner<'a> {
        Scanner {
            file,
            text,
            at: 0,
            depth: 0,
            line_is_blank: true,
            after_doc: false,
            blanked: Vec::with_capacity(text.len()),
            comments: Vec::new(),
            starts: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// Goes on until it has found so many starts.
    fn run(&mut self, most_starts: usize) {
        // A byte order mark is no text.
        if self.rest().starts_with('\u{feff}') {
            self.blank('\u{feff}'.len_utf8());
        }
        while self.starts.len() < most_starts
            && let Some(byte) = self.rest().bytes().next()
        {
            match byte {
                b'\n' => {
                    self.keep(1);
                    self.line_is_blank = true;
                }
                b' ' | b'\t' | b'\r' => self.keep(1),
                b'/' if self.rest().starts_with("//") => self.comment(),
                _ => {
                    self.thing(byte);
                    self.line_is_blank = false;
                }
            }
        }
    }

    /// Reads anything but blanks and comments.
    fn thing(&mut self, byte: u8) {
        let word = leading_word(self.rest());
        let length = word.len();
        if length > 0 {
            if self.is_column_0() && is_item_word(word) {
                self.start();
            }
            self.after_doc = false;
            self.keep(length);
            return;
        }
        self.after_doc = false;
        match byte {
            b'"' => self.quoted(),
            b'{' | b'(' | b'[' => {
                self.depth += 1;
                if self.depth == MAX_DEPTH + 1 {
                    self.faults.push(too_deep(self.span(1)));
                }
                self.keep(1);
            }
            b'}' | b')' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                self.keep(1);
            }
            _ => {
                let length = self.rest().chars().next().map_or(1, char::len_utf8);
                self.keep(length);
            }
        }
    }

    fn comment(&mut self) {
        let line = self.rest().lines().next().unwrap_or("").len();
        // Four slashes and more are a line drawn by hand.
        let is_doc = self.rest().starts_with("///") && !self.rest().starts_with("////");
        if is_doc {
            if self.is_column_0() {
                self.start();
                self.after_doc = true;
            }
            self.keep(line);
            return;
        }
        let text = self.rest().get(2..line).unwrap_or("").trim_end();
        self.comments.push(Comment {
            text: String::from(text),
            own_line: self.line_is_blank,
            span: self.span(2 + text.len()),
        });
        self.blank(line);
    }

    /// Reads a drawing, the one text that goes over several lines.
    fn drawing(&mut self) {
        let rest = self.rest();
        let behind = rest.get(QUOTES.len()..).and_then(|it| it.find(QUOTES));
        match behind {
            Some(length) => self.keep(length + 2 * QUOTES.len()),
            None => {
                let length = rest.find('\n').unwrap_or(rest.len());
                let span = self.span(QUOTES.len());
                self.faults.push(
                    Diagnostic::at(codes::UNCLOSED_TEXT, span, "this drawing has no end")
                        .help("write `\"\"\"` behind its last line"),
                );
                self.keep(length);
            }
        }
    }

    fn quoted(&mut self) {
        if self.rest().starts_with(QUOTES) {
            return self.drawing();
        }
        let mut escaped = false;
        let mut length = 1;
        for byte in self.rest().bytes().skip(1) {
            if byte == b'\n' {
                break;
            }
            length += 1;
            if byte == b'"' && !escaped {
                self.keep(length);
                return;
            }
            escaped = byte == b'\\' && !escaped;
        }
        let span = self.span(self.rest().get(..length).unwrap_or("").trim_end().len());
        self.faults.push(
            Diagnostic::at(codes::UNCLOSED_TEXT, span, "this text has no closing quote")
                .help("write `\"` at its end; a text cannot go over several lines"),
        );
        self.keep(length);
    }

    fn start(&mut self) {
        if !self.after_doc {
            self.starts.push(self.at);
        }
        self.depth = 0;
    }

    fn is_column_0(&self) -> bool {
        self.at == 0 || self.text.as_bytes().get(self.at - 1) == Some(&b'\n')
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn span(&self, length: usize) -> Span {
        Span::new(self.file, self.at, self.at + length)
    }

    fn keep(&mut self, length: usize) {
        let end = self.at + length;
        self.blanked
            .extend_from_slice(self.text.as_bytes().get(self.at..end).unwrap_or(&[]));
        self.at = end;
    }

    fn blank(&mut self, length: usize) {
        self.blanked.resize(self.blanked.len() + length, b' ');
        self.at += length;
    }
}

/// Returns the finding that something nests too deep.
pub fn too_deep(span: Span) -> Diagnostic {
    let message = format!("this is nested more than {MAX_DEPTH} levels deep");
    Diagnostic::at(codes::NESTED_TOO_DEEP, span, message)
        .help("give parts of it a name with `define`")
}

/// Returns the finding that something has too many levels, be it in a row.
pub fn too_long(span: Span) -> Diagnostic {
    let message = format!(
        "this has more than {MAX_LEVELS} levels: each operator and each `else if` in a row is one"
    );
    Diagnostic::at(codes::NESTED_TOO_DEEP, span, message)
        .help("give parts of it a name with `define`, or write a table")
}
