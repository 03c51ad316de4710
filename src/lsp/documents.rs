//! The texts that are open in the editor, as they are there.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::protocol::{Change, Position, Range};
use super::uri;
use crate::source::{Source, Span, Units};

/// An open text.
pub(super) struct Document {
    /// Its address as the editor writes it.
    pub(super) uri: String,
    /// The number of the text, which findings about it bear.
    pub(super) version: Option<i64>,
    pub(super) text: Arc<Source>,
}

/// All open texts by their paths.
#[derive(Default)]
pub(super) struct Documents(BTreeMap<String, Document>);

impl Documents {
    pub(super) fn open(&mut self, uri: &str, version: Option<i64>, text: String) -> String {
        let path = uri::path(uri);
        let document = Document {
            uri: uri.to_owned(),
            version,
            text: Arc::new(Source::new(path.clone(), text)),
        };
        self.0.insert(path.clone(), document);
        path
    }

    /// Makes changes one after the other; returns the path, or none if nothing is open there.
    pub(super) fn change(
        &mut self,
        uri: &str,
        version: Option<i64>,
        changes: Vec<Change>,
        units: Units,
    ) -> Option<String> {
        let path = uri::path(uri);
        let document = self.0.get_mut(&path)?;
        document.version = version.or(document.version);
        for change in changes {
            let text = match change.range {
                None => change.text,
                Some(range) => {
                    let old = &document.text;
                    let start = old.offset(range.start.line, range.start.character, units);
                    let end = old.offset(range.end.line, range.end.character, units);
                    let mut text = old.text.clone();
                    text.replace_range(start..end.max(start), &change.text);
                    text
                }
            };
            document.text = Arc::new(Source::new(path.clone(), text));
        }
        Some(path)
    }

    pub(super) fn close(&mut self, uri: &str) -> Option<(String, Document)> {
        self.0.remove_entry(&uri::path(uri))
    }

    pub(super) fn get(&self, path: &str) -> Option<&Document> {
        self.0.get(path)
    }

    pub(super) fn paths(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    /// Returns paths and texts, for what has to look at them before it looks at the disk.
    pub(super) fn texts(&self) -> Vec<(String, Arc<str>)> {
        let all = self.0.iter();
        all.map(|(path, it)| (path.clone(), Arc::from(it.text.text.as_str())))
            .collect()
    }

    /// Returns the address of a file, as the editor writes it if it is open there.
    pub(super) fn uri(&self, path: &str) -> String {
        match self.0.get(path) {
            Some(open) => open.uri.clone(),
            None => uri::of(path),
        }
    }
}

/// Returns a stretch as the protocol has it.
pub(super) fn range(source: &Source, span: Span, units: Units) -> Range {
    let place = |offset| {
        let (line, character) = source.counted(offset, units);
        Position { line, character }
    };
    Range {
        start: place(span.start),
        end: place(span.end),
    }
}
