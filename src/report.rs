//! Diagnostics for people and for programs. Only this module knows miette.

mod found;
pub mod github;
pub mod junit;
pub mod sarif;

pub use found::{Found, found};

use std::borrow::Cow;
use std::fmt;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents,
    Severity as MietteSeverity, SourceCode, SourceSpan, SpanContents,
};
use serde::Serialize;

use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::source::{FileId, Source, Sources, Span, hidden};

/// How diagnostics are drawn for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whether only ASCII is used for lines and signs.
    pub ascii: bool,
    /// Whether colours are used.
    pub color: bool,
    /// How many columns there are.
    pub width: usize,
}

impl Default for Look {
    fn default() -> Look {
        Look {
            ascii: false,
            color: false,
            width: 100,
        }
    }
}

/// Draws diagnostics with the lines they are about.
pub fn graphical(sources: &Sources, diagnostics: &[Diagnostic], look: Look) -> String {
    let theme = match (look.ascii, look.color) {
        (true, _) => GraphicalTheme::none(),
        (false, false) => GraphicalTheme::unicode_nocolor(),
        (false, true) => GraphicalTheme::unicode(),
    };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_links(false)
        .with_width(look.width.clamp(40, 400))
        .with_context_lines(1);
    let sources = &sources.masked();
    let mut text = String::new();
    for diagnostic in diagnostics {
        let diagnostic = &visible(diagnostic);
        let shown = Shown::new(sources, diagnostic);
        if has_long_line(sources, diagnostic) {
            text.push_str(&plain(sources, std::slice::from_ref(diagnostic)));
            text.push_str("\n\n");
            continue;
        }
        // Only a place that does not lie in its text makes it fail, and then words are better than nothing.
        let mut drawn = String::new();
        if handler.render_report(&mut drawn, &shown).is_err() {
            drawn = plain(sources, std::slice::from_ref(diagnostic));
        }
        text.push_str(parted(drawn.trim_end()).as_str());
        text.push_str("\n\n");
    }
    text.truncate(text.trim_end().len());
    text
}

/// Returns a finding whose words hide nothing: they may quote what was typed or what a file says.
fn visible(diagnostic: &Diagnostic) -> Diagnostic {
    let mut it = diagnostic.clone();
    let labels = it.labels.iter_mut().map(|label| &mut label.text);
    for text in labels
        .chain([&mut it.message])
        .chain(&mut it.help)
        .chain(&mut it.cite)
    {
        if let Cow::Owned(shown) = hidden::on_one_line(text) {
            *text = shown;
        }
    }
    it
}

/// Returns whether a place lies on a line that nobody can read, as machines write them.
fn has_long_line(sources: &Sources, diagnostic: &Diagnostic) -> bool {
    const LONG: usize = 400;
    diagnostic.labels.iter().any(|label| {
        let text = sources
            .get(label.span.file)
            .map_or("", |source| source.text.as_str());
        let start = (label.span.start as usize).min(text.len());
        let before = text.get(..start).and_then(|text| text.rsplit('\n').next());
        let behind = text.get(start..).and_then(|text| text.split('\n').next());
        before.map_or(0, str::len) + behind.map_or(0, str::len) > LONG
    })
}

/// Writes one line for each diagnostic, `name:line:column: error[E0101]: message`, and indented lines
/// for what else there is to say.
pub fn plain(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    let mut lines = Vec::new();
    for it in diagnostics {
        let place = it
            .span()
            .map_or(String::new(), |span| format!("{}: ", sources.place(span)));
        lines.push(format!(
            "{place}{}[{}]: {}",
            severity_word(it.severity),
            it.code,
            it.message
        ));
        for (at, label) in it
            .labels
            .iter()
            .enumerate()
            .filter(|(_, label)| !label.text.is_empty())
        {
            let place = if at == 0 {
                String::new()
            } else {
                format!("{}: ", sources.place(label.span))
            };
            lines.push(format!("    {place}{}", label.text));
        }
        lines.extend(footer(it).map(|line| format!("    {line}")));
    }
    let lines = lines.iter().map(|line| hidden::on_one_line(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// A diagnostic for programs.
#[derive(Clone, Debug, Serialize)]
pub struct DiagnosticJson<'a> {
    code: &'static str,
    name: &'static str,
    severity: &'static str,
    message: &'a str,
    labels: Vec<LabelJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<FixJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cite: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    legal: &'a [String],
}

#[derive(Clone, Debug, Serialize)]
struct LabelJson<'a> {
    #[serde(flatten)]
    place: PlaceJson<'a>,
    text: &'a str,
}

#[derive(Clone, Debug, Serialize)]
struct PlaceJson<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    start: u32,
    end: u32,
}

#[derive(Clone, Debug, Serialize)]
struct FixJson<'a> {
    title: &'a str,
    safe: bool,
    edits: Vec<EditJson<'a>>,
}

#[derive(Clone, Debug, Serialize)]
struct EditJson<'a> {
    #[serde(flatten)]
    place: PlaceJson<'a>,
    text: &'a str,
}

impl<'a> DiagnosticJson<'a> {
    /// Returns what a program is told; offsets are bytes, lines and columns count from one.
    pub fn new(sources: &'a Sources, it: &'a Diagnostic) -> DiagnosticJson<'a> {
        let label = |label: &'a Label| LabelJson {
            place: place_json(sources, label.span),
            text: &label.text,
        };
        let edit = |(span, text): &'a (Span, String)| EditJson {
            place: place_json(sources, *span),
            text,
        };
        DiagnosticJson {
            code: it.code.id(),
            name: it.code.name(),
            severity: severity_word(it.severity),
            message: &it.message,
            labels: it.labels.iter().map(label).collect(),
            help: it.help.as_deref(),
            fix: it.fix.as_ref().map(|fix| FixJson {
                title: &fix.title,
                safe: fix.safe,
                edits: fix.edits.iter().map(edit).collect(),
            }),
            cite: it.cite.as_deref(),
            legal: &it.legal,
        }
    }
}

fn place_json(sources: &Sources, span: Span) -> PlaceJson<'_> {
    let source = sources.get(span.file);
    let place = source.map(|source| source.line_column(span.start));
    PlaceJson {
        file: source.map_or("?", |source| source.name.as_str()),
        line: place.map_or(0, |place| place.line),
        column: place.map_or(0, |place| place.column),
        start: span.start,
        end: span.end,
    }
}

fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Info => "info",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

fn footer(it: &Diagnostic) -> impl Iterator<Item = String> {
    let help = it.help.as_ref().map(|help| format!("help: {help}"));
    let cite = it.cite.as_ref().map(|cite| format!("cite: {cite}"));
    help.into_iter().chain(cite)
}

/// No line ends at these: a space, and between letters.
const NO_BREAK: [char; 2] = ['\u{a0}', '\u{2060}'];
/// Longest move that is kept in one line.
const LONGEST_HELD: usize = 40;

/// Keeps what is quoted in one line: nobody types a move that is broken in two.
fn held_together(text: &str) -> String {
    let [space, joiner] = NO_BREAK;
    let mut held = String::new();
    for (at, piece) in text.split('`').enumerate() {
        if at > 0 {
            held.push('`');
        }
        if at % 2 == 0 || piece.chars().count() > LONGEST_HELD {
            held.push_str(piece);
            continue;
        }
        for letter in piece.chars() {
            match letter {
                ' ' => held.push(space),
                '/' | '-' => held.extend([joiner, letter, joiner]),
                _ => held.push(letter),
            }
        }
    }
    held
}

/// Takes out again what holds a text together.
fn parted(text: &str) -> String {
    let [space, joiner] = NO_BREAK;
    text.replace(space, " ").replace(joiner, "")
}

/// A diagnostic as miette wants it: labels of one file, the other files as related diagnostics.
struct Shown<'a> {
    diagnostic: Option<&'a Diagnostic>,
    message: String,
    source: Option<NamedText<'a>>,
    labels: Vec<LabeledSpan>,
    related: Vec<Shown<'a>>,
}

impl<'a> Shown<'a> {
    fn new(sources: &'a Sources, diagnostic: &'a Diagnostic) -> Shown<'a> {
        let first = diagnostic.span().map(|span| span.file);
        let mut files: Vec<FileId> = diagnostic
            .labels
            .iter()
            .map(|label| label.span.file)
            .collect();
        files.sort_unstable();
        files.dedup();
        files.retain(|file| Some(*file) != first);
        let related = files.into_iter().map(|file| Shown {
            diagnostic: None,
            message: String::from("the other place is in another file"),
            source: sources.get(file).map(NamedText),
            labels: labels(sources, diagnostic, file),
            related: Vec::new(),
        });
        Shown {
            diagnostic: Some(diagnostic),
            message: if diagnostic.legal.is_empty() {
                diagnostic.message.clone()
            } else {
                held_together(&diagnostic.message)
            },
            source: first.and_then(|file| sources.get(file)).map(NamedText),
            labels: first.map_or(Vec::new(), |file| labels(sources, diagnostic, file)),
            related: related.collect(),
        }
    }
}

/// A text that miette can show with its name. Its own named source has to own the text.
struct NamedText<'a>(&'a Source);

impl SourceCode for NamedText<'_> {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        n_lines_before: usize,
        n_lines_behind: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        // Miette would look for the lines from the start of the text, for each finding again.
        let (line, start) = self.0.line_before(span.offset(), n_lines_before);
        let near = SourceSpan::from((span.offset() - start, span.len()));
        let text = self.0.text.get(start..).unwrap_or_default();
        let found = text.read_span(&near, n_lines_before, n_lines_behind)?;
        let place = (found.span().offset() + start, found.span().len());
        // Counted from the start of the text by miette, which then shows all lines between two distant places.
        let n_lines = found.data().split_inclusive(|byte| *byte == b'\n').count();
        Ok(Box::new(MietteSpanContents::new_named(
            self.0.name.clone(),
            found.data(),
            SourceSpan::from(place),
            found.line() + line,
            found.column(),
            n_lines,
        )))
    }
}

fn labels(sources: &Sources, diagnostic: &Diagnostic, file: FileId) -> Vec<LabeledSpan> {
    let length = sources.get(file).map_or(0, |source| source.text.len());
    let of_file = diagnostic
        .labels
        .iter()
        .enumerate()
        .filter(|(_, label)| label.span.file == file);
    let shown = of_file.map(|(at, label)| {
        let text = Some(label.text.clone()).filter(|text| !text.is_empty());
        // A place behind the text, as of a file that has become shorter, is its end.
        let start = (label.span.start as usize).min(length);
        let span = (start, label.span.len().min(length - start));
        match at {
            0 => LabeledSpan::new_primary_with_span(text, span),
            _ => LabeledSpan::new_with_span(text, span),
        }
    });
    shown.collect()
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Shown<'_> {}

impl miette::Diagnostic for Shown<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let code = self.diagnostic?.code;
        Some(Box::new(format!("{} {}", code.id(), code.name())))
    }

    fn severity(&self) -> Option<MietteSeverity> {
        let severity = self.diagnostic.map_or(Severity::Info, |it| it.severity);
        Some(match severity {
            Severity::Info => MietteSeverity::Advice,
            Severity::Warning => MietteSeverity::Warning,
            Severity::Error => MietteSeverity::Error,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let it = self.diagnostic?;
        let cite = it.cite.as_ref().map(|cite| format!("see {cite}"));
        let help = it.help.as_ref().map(|help| {
            if it.legal.is_empty() {
                help.clone()
            } else {
                held_together(help)
            }
        });
        let lines: Vec<String> = help.into_iter().chain(cite).collect();
        if lines.is_empty() {
            None
        } else {
            Some(Box::new(lines.join("\n")))
        }
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        if self.labels.is_empty() {
            None
        } else {
            Some(Box::new(self.labels.iter().cloned()))
        }
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn miette::Diagnostic> + 'a>> {
        if self.related.is_empty() {
            return None;
        }
        Some(Box::new(
            self.related.iter().map(|it| it as &dyn miette::Diagnostic),
        ))
    }
}
