//! The canonical way to write a rulebook.
//!
//! Formatting is idempotent, keeps what is written (the syntax tree of the result is equal) and keeps
//! every comment. Blank lines between things stay, at most one.

mod actions;
mod edits;
mod flat;
mod headers;
mod items;
mod lists;
mod rows;
mod rulings;
mod statements;
mod wrap;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};
use crate::syntax::ast::{Comment, Doc, File, Tree};
use crate::syntax::tokens::tokens;
use crate::syntax::{not_read, parse};

/// The column that lines should not reach.
pub const WIDTH: usize = 120;

const INDENT: usize = 4;

/// Returns a text as it should be written, or why it cannot be read.
pub fn format(file: FileId, text: &str) -> Result<String, Vec<Diagnostic>> {
    crate::stack::with_room(|| format_here(file, text))
}

/// Returns a part of a rulebook as it is written, on one line.
pub fn one_line(part: &impl Tree) -> String {
    flat::written(part)
}

fn format_here(file: FileId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let (tree, diagnostics) = parse(file, text);
    let unread = not_read(diagnostics);
    if !unread.is_empty() {
        return Err(unread);
    }
    Ok(print(&tree, text))
}

/// Writes a tree that was read from `text` without an error.
fn print(tree: &File, text: &str) -> String {
    let mut printer = Printer {
        text,
        bare: without_comments(text, &tree.comments),
        comments: tree.comments.as_slice(),
        out: String::with_capacity(text.len()),
        indent: 0,
        last: 0,
        begins: true,
        tries: false,
    };
    printer.file(tree);
    printer.out
}

/// Writes lines and puts the comments between them.
///
/// INVARIANT: things are written in the order of the text, except tails, which are short; so a comment
/// is due as soon as a thing behind it is written.
struct Printer<'a> {
    text: &'a str,
    /// The text with its comments blanked out.
    bare: String,
    /// Those not yet written.
    comments: &'a [Comment],
    out: String,
    indent: usize,
    /// Where in the text the last thing written ends.
    last: usize,
    /// Whether nothing is written yet in this block, so that a blank line would look odd.
    begins: bool,
    /// Whether this is an attempt to write something on one line, of which nothing stays if it fails.
    tries: bool,
}

impl Printer<'_> {
    fn file(&mut self, tree: &File) {
        // The header is written first, wherever it stood.
        if let Some(header) = &tree.header {
            self.header(header);
        }
        for item in &tree.items {
            self.item(item);
        }
        self.comments_before(self.text.len());
    }

    /// Begins the line of a thing at this place: comments before it, a blank line, docs, the indent.
    fn begin(&mut self, docs: &[Doc], span: Span) {
        let start = docs.first().map_or(span.start, |doc| doc.span.start) as usize;
        self.comments_before(start);
        self.gap(start);
        for doc in docs {
            let text = format!("/// {}", doc.text);
            self.line(text.trim_end());
        }
        self.push_indent();
        self.last = start;
    }

    /// Begins the line of a thing that has no lines inside of it where a comment could stand.
    fn begin_whole(&mut self, docs: &[Doc], span: Span) {
        self.comments_before(span.end as usize);
        self.begin(docs, span);
    }

    /// Ends the line of a thing, with the comment that stands behind it.
    fn end(&mut self, span: Span) {
        self.last = self.last.max(span.end as usize);
        self.comment_behind(self.last);
        self.out.push('\n');
        self.begins = false;
    }

    /// Writes the comments before a place on lines of their own.
    fn comments_before(&mut self, place: usize) {
        while let Some((comment, rest)) = self.comments.split_first() {
            if comment.span.start as usize >= place {
                return;
            }
            self.comments = rest;
            self.gap(comment.span.start as usize);
            self.line(&comment_text(comment));
            self.last = self.last.max(comment.span.end as usize);
            self.begins = false;
        }
    }

    /// Writes the next comment at the end of this line if it stood behind `place` on its line.
    fn comment_behind(&mut self, place: usize) {
        if let Some((comment, rest)) = self.comments.split_first() {
            let start = comment.span.start as usize;
            let between = self.text.get(place..start);
            if !comment.own_line && between.is_some_and(|between| !between.contains('\n')) {
                self.comments = rest;
                self.out.push_str("  ");
                self.out.push_str(&comment_text(comment));
                self.last = self.last.max(comment.span.end as usize);
            }
        }
    }

    /// Returns whether a comment inside of this stretch still has to be written.
    fn has_comments(&self, span: Span) -> bool {
        let is_inside = |it: &Comment| it.span.start < span.end && it.span.start >= span.start;
        self.comments.first().is_some_and(is_inside)
    }

    /// Returns whether a stretch is written on one line and may stay there.
    fn is_one_line(&self, span: Span) -> bool {
        !self.has_comments(span)
            && self
                .text
                .get(span.range())
                .is_some_and(|text| !text.contains('\n'))
    }

    /// Writes a stretch on one line if it was on one and fits; else nothing stays of what was written.
    ///
    /// Within an attempt there is no other, so what nests deep takes no more time than what does not.
    fn attempt(&mut self, span: Span, write: impl FnOnce(&mut Self)) -> bool {
        if self.tries {
            // Behind the end of the line nothing more has to be known.
            if self.fits("") {
                write(self);
            }
            return true;
        }
        if !self.is_one_line(span) {
            return false;
        }
        let (length, last, begins) = (self.out.len(), self.last, self.begins);
        let comments = self.comments;
        self.tries = true;
        write(self);
        self.tries = false;
        let written = self.out.get(length..).unwrap_or("");
        if !written.contains('\n') && self.fits("") {
            return true;
        }
        self.out.truncate(length);
        (self.last, self.begins, self.comments) = (last, begins, comments);
        false
    }

    /// Keeps a blank line between the last thing and the one at `place`.
    fn gap(&mut self, place: usize) {
        let between = self.text.get(self.last..place).unwrap_or("");
        // Only up to a word like `do`, which belongs to the next thing.
        let blanks = between.len() - between.trim_start().len();
        let n_newlines = between
            .bytes()
            .take(blanks)
            .filter(|byte| *byte == b'\n')
            .count();
        if n_newlines > 1 && !self.begins {
            self.out.push('\n');
        }
    }

    fn line(&mut self, text: &str) {
        self.push_indent();
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn push_indent(&mut self) {
        self.out
            .extend(std::iter::repeat_n(' ', self.indent * INDENT));
    }

    fn column(&self) -> usize {
        let line = self.out.rfind('\n').map_or(0, |at| at + 1);
        self.out.get(line..).unwrap_or("").chars().count()
    }

    /// Returns whether so many characters fit on a line that has yet to begin.
    fn fits_on_a_line(&self, text: &str) -> bool {
        self.indent * INDENT + text.chars().count() <= WIDTH
    }

    /// Returns whether so many more characters fit on this line.
    fn fits(&self, text: &str) -> bool {
        self.column() + text.chars().count() <= WIDTH && !text.contains('\n')
    }

    /// Returns where the inside of a thing begins: behind its last brace that stands in no other
    /// brackets, which those of its parameters and its text are not.
    fn inside(&self, span: Span) -> usize {
        let mut depth = 0usize;
        let mut inside = span.start as usize;
        for token in tokens(&self.bare, span.range()) {
            match token.text {
                "{" | "(" | "[" => {
                    if depth == 0 && token.text == "{" {
                        inside = token.end();
                    }
                    depth += 1;
                }
                "}" | ")" | "]" => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        inside
    }

    /// Writes things between braces, one on a line.
    fn braces<T>(&mut self, span: Span, things: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.out.push('{');
        self.indent += 1;
        let inside = self.inside(span);
        self.last = self.last.max(inside);
        self.comment_behind(inside);
        self.out.push('\n');
        self.begins = true;
        for thing in things {
            write(self, thing);
        }
        self.comments_before((span.end as usize).saturating_sub(1));
        self.indent -= 1;
        self.push_indent();
        self.out.push('}');
        self.last = self.last.max(span.end as usize);
        self.begins = false;
    }
}

/// Puts blanks in the place of comments.
fn without_comments(text: &str, comments: &[Comment]) -> String {
    let mut bare = String::from(text);
    for it in comments {
        let blanks = " ".repeat(it.span.range().len());
        bare.replace_range(it.span.range(), &blanks);
    }
    bare
}

fn comment_text(comment: &Comment) -> String {
    format!("//{}", comment.text)
}
