//! What is wrong with a transcript, a script or a typed move.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, Sources, Span};

/// A finding that may belong to a line of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which kind of finding it is.
    pub code: Code,
    /// What is wrong.
    pub message: String,
    /// The line, from one.
    pub line: Option<usize>,
    /// What ran in the rulebook, where the rules have stopped.
    pub rule: Option<Span>,
    /// What to type next, or what was possible there.
    pub help: Option<String>,
    /// What could be played there, the most alike first.
    pub legal: Vec<String>,
}

/// Most moves that are listed for somebody who can ask for the others.
const LISTED: usize = 12;
/// Most moves that are listed at all.
const LISTED_IN_FULL: usize = 250;

impl Problem {
    /// Returns a finding without a line.
    pub fn new(code: Code, message: impl Into<String>) -> Problem {
        Problem {
            code,
            message: message.into(),
            line: None,
            rule: None,
            help: None,
            legal: Vec::new(),
        }
    }

    /// Says on which line it is, unless that is known already.
    pub fn on_line(mut self, line: usize) -> Problem {
        self.line = self.line.or(Some(line));
        self
    }

    /// Says what to type next.
    pub fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }

    /// Says what could be played there, the most alike first; a few of them are listed.
    pub fn legal(mut self, legal: Vec<String>) -> Problem {
        if self.help.is_none() && !legal.is_empty() {
            self.help = Some(listed(&legal, LISTED));
        }
        self.legal = legal;
        self
    }

    /// Names what could be played that is most like what was typed, if nothing does so yet.
    pub fn nearest(mut self) -> Problem {
        if let (Some(help), Some(first)) = (&mut self.help, self.legal.first())
            && !help.contains(first.as_str())
        {
            help.push_str(&format!(" most like it, of what is legal: `{first}`"));
        }
        self
    }

    /// Lists all that could be played there: nobody can ask for the others.
    pub fn in_full(mut self) -> Problem {
        if self.legal.is_empty() {
            return self;
        }
        let all = listed(&self.legal, LISTED_IN_FULL);
        self.help = match self.help {
            Some(help) if !help.starts_with(LEGAL_HERE) => Some(format!("{help} {all}")),
            _ => Some(all),
        };
        self
    }

    /// Returns the finding with its places: in the rulebook, and in a text.
    pub fn diagnostic(&self, sources: &Sources, file: Option<FileId>) -> Diagnostic {
        let mut it = Diagnostic::new(self.code, self.message.clone());
        let place = file.and_then(|file| Some((file, sources.get(file)?)));
        if let (Some(line), Some((file, source))) = (self.line, place) {
            it = it.label(line_span(file, &source.text, line), "");
        }
        if let Some(span) = self.rule {
            it = it.label(span, "while this ran");
        }
        it.help = self.help.clone();
        it.legal = self.legal.clone();
        it
    }
}

const LEGAL_HERE: &str = "legal here:";

fn listed(legal: &[String], most: usize) -> String {
    let quoted: Vec<String> = legal
        .iter()
        .take(most)
        .map(|it| format!("`{it}`"))
        .collect();
    let more = match legal.len().saturating_sub(most) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{LEGAL_HERE} {}{more}", quoted.join(", "))
}

/// Returns the stretch of a line, without its end.
fn line_span(file: FileId, text: &str, line: usize) -> Span {
    let mut start = 0;
    for _ in 1..line {
        match text.get(start..).and_then(|rest| rest.find('\n')) {
            Some(at) => start += at + 1,
            None => break,
        }
    }
    let rest = text.get(start..).unwrap_or("");
    let length = rest.find('\n').unwrap_or(rest.len());
    Span::new(file, start, start + length)
}
