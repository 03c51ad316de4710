//! What is wrong with a text, as plain data that every front end can show.

pub mod codes;
mod similar;

pub use codes::Code;
pub use similar::{closest, sort_by_likeness};

use crate::source::Span;

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Good to know.
    Info,
    /// Probably not meant.
    Warning,
    /// The rulebook cannot be used.
    Error,
}

/// One finding about a text.
///
/// The message is one lower-case sentence without a full stop; words of the user stand in backticks.
/// What to do about it is the help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which kind of finding it is.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// The places; the first one is where the finding is.
    pub labels: Vec<Label>,
    /// What to type next.
    pub help: Option<String>,
    /// An edit that mends it.
    pub fix: Option<Fix>,
    /// The printed sentences that matter, as they are cited: `book T-3`.
    pub cite: Option<String>,
    /// Of a move that cannot be played: those that can, the most alike first.
    pub legal: Vec<String>,
}

/// A place with a few words about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is there; may be empty.
    pub text: String,
}

/// Edits that mend what a diagnostic is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the edits do, as an order: "write `==`".
    pub title: String,
    /// Stretches and what to write in their place; they do not overlap.
    pub edits: Vec<(Span, String)>,
    /// Whether the edits keep the meaning, so that they may be made without asking.
    pub safe: bool,
}

impl Diagnostic {
    /// Returns a diagnostic with the severity of its code and no place yet.
    pub fn new(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: code.severity(),
            message: message.into(),
            labels: Vec::new(),
            help: None,
            fix: None,
            cite: None,
            legal: Vec::new(),
        }
    }

    /// Returns a diagnostic about a place that needs no words of its own.
    pub fn at(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, message).label(span, "")
    }

    /// Adds a place; the first one added is where the diagnostic is.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        let text = text.into();
        self.labels.push(Label { span, text });
        self
    }

    /// Says what to type next.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Offers an edit whose meaning a person has to confirm.
    pub fn fix(self, title: impl Into<String>, edits: Vec<(Span, String)>) -> Diagnostic {
        self.with_fix(title.into(), edits, false)
    }

    /// Offers an edit that keeps the meaning.
    pub fn safe_fix(self, title: impl Into<String>, edits: Vec<(Span, String)>) -> Diagnostic {
        self.with_fix(title.into(), edits, true)
    }

    /// Names the printed sentences that matter.
    pub fn cite(mut self, cite: impl Into<String>) -> Diagnostic {
        self.cite = Some(cite.into());
        self
    }

    /// Changes how much it matters.
    pub fn severity(mut self, severity: Severity) -> Diagnostic {
        self.severity = severity;
        self
    }

    /// Returns the place that the diagnostic is about.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }

    /// Returns whether the rulebook cannot be used because of it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    fn with_fix(mut self, title: String, edits: Vec<(Span, String)>, safe: bool) -> Diagnostic {
        self.fix = Some(Fix { title, edits, safe });
        self
    }
}

/// Sorts diagnostics by place, those without a place first; the order of equal places stays.
pub fn sort_by_place(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(|it| it.span().map(|span| (span.file, span.start, span.end)));
}
