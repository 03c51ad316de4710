//! Findings as the editor shows them.

use std::sync::Arc;

use super::Server;
use super::analysis::Analysis;
use super::documents::range;
use super::protocol::{Finding, Location, Related};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{FileId, Span};

/// A finding about an open text, from the analysis of that or of another one that stands on it.
pub(super) struct About<'a> {
    pub(super) analysis: &'a Arc<Analysis>,
    pub(super) finding: &'a Diagnostic,
    /// The amendment with which it comes up.
    with: Option<&'a str>,
    /// Where it is told in the open text; none where its places are all in others.
    here: Option<Span>,
}

impl Server<'_> {
    /// Returns what was found about an open text: for itself, then what only comes up with others that are open.
    pub(super) fn about(&self, path: &str) -> Vec<About<'_>> {
        let mut all = Vec::new();
        let own = self.analyses.get(path);
        if let Some(analysis) = own {
            let mut is_told = false;
            let n_fast = analysis.findings.len();
            for (at, finding) in self.all_findings(analysis).enumerate() {
                let places = finding.labels.iter().map(|it| it.span);
                let here = places.clone().find(|it| it.file == analysis.file);
                let here = here.filter(|_| !self.is_told_in_part(analysis, finding));
                let elsewhere = here.is_none() && !finding.labels.is_empty();
                // Of several that keep it from being looked at one is enough: they are not its own. What comes of other
                // readings does, and may lie in what is not open.
                let is_others = match finding.is_error() {
                    true => elsewhere && std::mem::replace(&mut is_told, true),
                    false => elsewhere && (at < n_fast || self.is_told_in_part(analysis, finding)),
                };
                if !is_others {
                    all.push(About {
                        analysis,
                        finding,
                        with: None,
                        here,
                    });
                }
            }
        }
        for (other, analysis) in self.analyses.iter().filter(|(other, _)| *other != path) {
            let Some(file) = analysis.file_at(path) else {
                continue;
            };
            let there = |it: &&Diagnostic| it.span().is_some_and(|span| span.file == file);
            for finding in self.all_findings(analysis).filter(there) {
                if !all.iter().any(|it| it.is_as(finding)) {
                    all.push(About {
                        analysis,
                        finding,
                        with: analysis.name().or(Some(other)),
                        here: finding.span(),
                    });
                }
            }
        }
        all
    }

    /// Whether it begins in another file of the same rulebook that is open too.
    fn is_told_in_part(&self, analysis: &Analysis, finding: &Diagnostic) -> bool {
        let first = finding.span().filter(|it| it.file != analysis.file);
        let first = first.and_then(|it| self.analyses.get(analysis.path(it.file)));
        first.is_some_and(|it| it.name() == analysis.name())
    }

    fn all_findings<'s>(
        &'s self,
        analysis: &'s Arc<Analysis>,
    ) -> impl Iterator<Item = &'s Diagnostic> {
        let slow = self
            .slow
            .iter()
            .filter(|it| Arc::ptr_eq(&it.analysis, analysis));
        let slow = slow.flat_map(|it| &it.slow.found);
        analysis.findings.iter().chain(slow)
    }

    /// Returns a finding in the words of the protocol.
    pub(super) fn shown(&self, about: &About<'_>) -> Finding {
        let About {
            analysis, finding, ..
        } = about;
        let span = about.here.unwrap_or_else(|| analysis.head());
        let mut message = finding.message.clone();
        if let (None, Some(there)) = (about.here, finding.span()) {
            message = format!("{}: {message}", analysis.sources.place(there));
        }
        if let Some(name) = about.with {
            message = format!("with {name}: {message}");
        }
        if let Some(help) = &finding.help {
            message.push_str(&format!("\n{help}"));
        }
        if let Some(cite) = &finding.cite {
            message.push_str(&format!("\n[{cite}]"));
        }
        let others = finding.labels.iter();
        let others = others.filter(|it| !about.here.is_some_and(|here| here.same_place(it.span)));
        let related = others.filter_map(|label| {
            Some(Related {
                location: self.location(analysis, label.span)?,
                message: match label.text.as_str() {
                    "" => String::from("here"),
                    text => text.to_owned(),
                },
            })
        });
        let range = analysis
            .sources
            .get(span.file)
            .map(|it| range(it, span, self.units));
        Finding {
            range: range.unwrap_or_default(),
            severity: match finding.severity {
                Severity::Error => 1,
                Severity::Warning => 2,
                Severity::Info => 3,
            },
            code: finding.code.id(),
            source: "adit",
            message,
            tags: match finding.code.name().starts_with("unused") {
                true => vec![UNNECESSARY],
                false => Vec::new(),
            },
            related_information: related.collect(),
        }
    }

    /// Returns a place in the words of the protocol; none in a text that lies nowhere.
    pub(super) fn location(&self, analysis: &Analysis, span: Span) -> Option<Location> {
        let span = analysis.present(span);
        let source = analysis.sources.get(span.file)?;
        Some(Location {
            uri: self.uri_of(analysis, span.file)?,
            range: range(source, span, self.units),
        })
    }

    /// Returns whether a file can be changed: it is open, or it lies on the disk and not in the program.
    pub(super) fn is_writable(&self, path: &str) -> bool {
        self.documents.get(path).is_some() || std::path::Path::new(path).is_absolute()
    }

    /// Returns the address of a file: that of the editor, that on the disk, or where a shipped text was laid out.
    pub(super) fn uri_of(&self, analysis: &Analysis, file: FileId) -> Option<String> {
        let path = analysis.path(file);
        if self.is_writable(path) {
            return Some(self.documents.uri(path));
        }
        self.world.laid_out(path).map(|it| super::uri::of(&it))
    }
}

/// The tag of what could be left out.
const UNNECESSARY: u8 = 1;

impl About<'_> {
    fn is_as(&self, other: &Diagnostic) -> bool {
        let place = |it: &Diagnostic| it.span().map(|span| (span.start, span.end));
        self.finding.code == other.code
            && place(self.finding) == place(other)
            && self.finding.message == other.message
    }
}
