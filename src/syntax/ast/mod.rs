//! The syntax tree: what a rulebook says, as it is written.
//!
//! Every node has a span, and spans are equal (see [`Span`]), so two trees are equal if the same is
//! written in both. Nothing is resolved here: a [`Name`] is a word.

mod canon;
mod edit;
mod expr;
mod header;
mod item;
mod placed;
mod rule;
mod ruling;
mod stmt;
mod study;
mod table;
mod tree;
mod types;

pub use canon::Canon;
pub use edit::*;
pub use expr::*;
pub use header::*;
pub use item::*;
pub use placed::Placed;
pub use rule::*;
pub use ruling::*;
pub use stmt::*;
pub use study::*;
pub use tree::{Binds, Changer, Role, Tree, Use, Visitor, Writer};
pub use types::*;

use std::fmt;
use std::sync::Arc;

use crate::source::{FileId, Span};
use table::nodes;
use tree::As;

/// A whole rulebook or amendment file, as far as it could be read.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// The number of the file.
    pub file: FileId,
    /// `game NAME …` or `variant NAME … for BASE …`; none if it is missing or could not be read.
    pub header: Option<Header>,
    /// All further items that could be read, in the order they are written.
    pub items: Vec<Arc<Item>>,
    /// The comments, in order; they mean nothing.
    pub comments: Vec<Comment>,
    /// Its parts, in files of their own, if they were [joined](File::join): their items and comments stand behind its
    /// own.
    pub parts: Vec<Part>,
}

/// `part "Title" of NAME`: a file that is read as if it stood at the end of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The number of the file.
    pub file: FileId,
    /// Its first item.
    pub header: Header,
}

impl File {
    /// Returns whether a file is this one or one of its parts.
    pub fn holds(&self, file: FileId) -> bool {
        self.file == file || self.parts.iter().any(|part| part.file == file)
    }

    /// Puts a part behind what is here. What it cites at its head, the rulebook cites.
    pub fn join(&mut self, part: File) {
        let Some(header) = part.header else { return };
        if let Some(own) = &mut self.header {
            own.tail.cites.extend(header.tail.cites.iter().cloned());
        }
        self.items.extend(part.items);
        self.comments.extend(part.comments);
        self.parts.push(Part {
            file: part.file,
            header,
        });
    }
}

/// `// …` (not a doc comment).
#[derive(Clone, Debug, PartialEq)]
pub struct Comment {
    /// What stands behind the slashes, trimmed at its end.
    pub text: String,
    /// Whether nothing else stands before it on its line.
    pub own_line: bool,
    /// From the slashes to the end of the line.
    pub span: Span,
}

/// One line of a doc comment: `/// …`.
#[derive(Clone, Debug, PartialEq)]
pub struct Doc {
    /// What stands behind the slashes, without one leading blank.
    pub text: String,
    /// The whole comment.
    pub span: Span,
}

/// A word with its place.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Name {
    /// The word.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

impl Name {
    /// Returns the word.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.text)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}

/// An address: `main.play.extras`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Path {
    /// The words between the dots; at least one.
    pub segments: Vec<Name>,
    /// The whole address.
    pub span: Span,
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, segment) in self.segments.iter().enumerate() {
            let dot = if at == 0 { "" } else { "." };
            write!(f, "{dot}{segment}")?;
        }
        Ok(())
    }
}

/// A quoted text without holes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Text {
    /// The text, escapes resolved.
    pub text: String,
    /// With its quotes.
    pub span: Span,
}

/// What stands between three quotes: signs in rows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Drawing {
    /// What stands there, as it is written.
    pub text: String,
    /// With its quotes.
    pub span: Span,
}

impl Tree for Drawing {
    fn write<W: Writer>(&self, w: &mut W, _role: Role) {
        w.word("\"\"\"");
        w.word(&self.text);
        w.word("\"\"\"");
    }

    /// How far the signs stand apart means nothing, but which row they stand in.
    fn canon(&self, canon: &mut Canon) {
        let rows = self.text.lines().map(|it| {
            let signs: Vec<&str> = it.split_whitespace().collect();
            signs.join(" ")
        });
        let rows: Vec<String> = rows.filter(|it| !it.is_empty()).collect();
        canon.begin("drawn");
        rows.iter().for_each(|it| canon.part(it));
        canon.end();
    }
}

nodes! {
    /// A quoted text with holes: `"match {used} with {at}"`.
    pub struct Template = "template" written ["\"" parts "\""] {
        /// Text and holes; neighbouring texts are joined, so texts never follow each other.
        parts: Vec<TemplatePart>,
        /// With its quotes.
        span: Span,
    }

    /// A piece of a [`Template`].
    pub enum TemplatePart between "" {
        /// Plain text, escapes resolved.
        Text(text: String),
        /// `{expression}`.
        Hole(hole: Expr as Role::Tight) written ["{" hole "}"],
    }
}

impl Template {
    /// Returns the text if there is no hole in it.
    pub fn plain(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [TemplatePart::Text(text)] => Some(text),
            _ => None,
        }
    }
}

/// What may follow any item, clause or step: where it is printed and how sure that is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tail {
    /// `cite book T-3, T-5..T-7`, one entry for each reference.
    pub cites: Vec<Cite>,
    /// `status WORD`.
    pub status: Option<Status>,
    /// `order before|after NAME`.
    pub orders: Vec<Order>,
    /// `allow(CODE, "reason")`.
    pub allows: Vec<Allow>,
}

impl Tail {
    /// Returns whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.cites.is_empty()
            && self.status.is_none()
            && self.orders.is_empty()
            && self.allows.is_empty()
    }
}

/// One reference to a printed text.
#[derive(Clone, Debug, PartialEq)]
pub struct Cite {
    /// The source; in `cite book T-3, T-5` the second entry has `book` too. None if no source was named.
    pub source: Option<Name>,
    /// What is cited of it.
    pub what: Cited,
    /// The reference, without `cite`.
    pub span: Span,
}

/// What a [`Cite`] points at.
#[derive(Clone, Debug, PartialEq)]
pub enum Cited {
    /// `T-5` (both ends alike) or `T-5..T-7`.
    Sentences {
        /// The first sentence.
        first: SentenceId,
        /// The last sentence.
        last: SentenceId,
    },
    /// `"reason in words"`: nothing printed says it.
    Reason(Text),
}

/// The number of a printed sentence: `T-26`, `W-7a`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SentenceId {
    /// The letters before the dash.
    pub series: String,
    /// The number.
    pub number: u32,
    /// What follows the number; mostly empty.
    pub suffix: String,
    /// Where it stands.
    pub span: Span,
}

impl fmt::Display for SentenceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}{}", self.series, self.number, self.suffix)
    }
}

/// `T-1..T-59` where whole spans are declared.
#[derive(Clone, Debug, PartialEq)]
pub struct SentenceSpan {
    /// The first sentence.
    pub first: SentenceId,
    /// The last sentence, the first again if only one is named.
    pub last: SentenceId,
}

/// `status WORD`.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    /// The word.
    pub authority: Authority,
    /// Where it stands.
    pub span: Span,
}

/// How sure a reading is, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Authority {
    /// The printed words say so.
    Literal,
    /// Other printed sentences leave no other reading.
    Implied,
    /// The publisher said so.
    Official,
    /// The author said so.
    Designer,
    /// Players agree.
    Community,
    /// One edition says so.
    Edition,
    /// A house rule.
    House,
    /// The referee had to decide.
    Assumed,
    /// Nobody knows.
    Open,
}

impl Authority {
    /// All words, strongest first.
    pub const ALL: [Authority; 9] = [
        Authority::Literal,
        Authority::Implied,
        Authority::Official,
        Authority::Designer,
        Authority::Community,
        Authority::Edition,
        Authority::House,
        Authority::Assumed,
        Authority::Open,
    ];

    /// Returns the word as it is written.
    pub fn word(self) -> &'static str {
        match self {
            Authority::Literal => "literal",
            Authority::Implied => "implied",
            Authority::Official => "official",
            Authority::Designer => "designer",
            Authority::Community => "community",
            Authority::Edition => "edition",
            Authority::House => "house",
            Authority::Assumed => "assumed",
            Authority::Open => "open",
        }
    }
}

/// `order before|after A, B`: which of several amendments comes first at one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// Before or after.
    pub side: Side,
    /// The others.
    pub units: Vec<UnitRef>,
    /// From `order` on.
    pub span: Span,
}

/// Before or after something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Before it.
    Before,
    /// After it.
    After,
}

/// `allow(CODE, "reason")`.
#[derive(Clone, Debug, PartialEq)]
pub struct Allow {
    /// An id or a name of a code.
    pub code: Name,
    /// Why it is right here.
    pub reason: Text,
    /// From `allow` on.
    pub span: Span,
}

impl Tree for Side {}
