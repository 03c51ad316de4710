//! Findings as other programs take them in: each with its texts and a mark that outlives its line.

use std::collections::HashMap;
use std::hash::Hasher;

use xxhash_rust::xxh3::Xxh3;

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{LineColumn, Sources, Span};

/// A finding with its texts.
#[derive(Clone, Debug)]
pub struct Found<'a> {
    /// The texts it is about.
    pub sources: &'a Sources,
    /// What was found.
    pub finding: &'a Diagnostic,
    /// Tells it from all others, whatever line it stands on: made of its code, the file, the item, the words it is
    /// about, and a number where all of that is alike. Sixteen hexadecimal digits.
    pub fingerprint: String,
}

/// Returns findings with their fingerprints, given with the names of the items that they are in; `named` says how a file is called
/// in them, which may be otherwise than it was asked for. Linear in the findings.
pub fn found<'a>(
    all: impl IntoIterator<Item = (&'a Sources, &'a Diagnostic, &'a str)>,
    named: &dyn Fn(&str) -> String,
) -> Vec<Found<'a>> {
    let mut alike: HashMap<u64, u64> = HashMap::new();
    let mut found = Vec::new();
    for (sources, finding, item) in all {
        let mut hash = Xxh3::new();
        let mut add = |text: &str| {
            hash.update(text.as_bytes());
            hash.write_u8(0);
        };
        add(finding.code.id());
        match finding.span() {
            Some(span) => {
                let file = sources.get(span.file);
                add(&file.map_or_else(String::new, |it| named(&it.name)));
                add(item);
                let words: Vec<&str> = sources.slice(span).split_whitespace().collect();
                add(&words.join(" "));
            }
            None => add(&finding.message),
        }
        let base = hash.finish();
        let again = alike.entry(base).or_default();
        hash.write_u64(*again);
        *again += 1;
        found.push(Found {
            sources,
            finding,
            fingerprint: format!("{:016x}", hash.finish()),
        });
    }
    found
}

/// Where a finding is, as people count.
pub(super) struct Place<'a> {
    pub(super) file: &'a str,
    pub(super) start: LineColumn,
    pub(super) end: LineColumn,
}

/// Returns where a span lies, if its text is there.
pub(super) fn place(sources: &Sources, span: Span) -> Option<Place<'_>> {
    let source = sources.get(span.file)?;
    Some(Place {
        file: &source.name,
        start: source.line_column(span.start),
        end: source.line_column(span.end),
    })
}

/// Returns the message with what to do about it.
pub(super) fn whole(finding: &Diagnostic) -> String {
    match &finding.help {
        Some(help) => format!("{}; {help}", finding.message),
        None => finding.message.clone(),
    }
}

/// Returns the word that most programs have for how much a finding matters.
pub(super) fn level(severity: Severity, remark: &'static str) -> &'static str {
    match severity {
        Severity::Info => remark,
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}
