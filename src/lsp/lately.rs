//! A text of which some letters changed since it was looked at: what is asked right then is answered by what was known,
//! moved to where it lies now.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Server;
use super::analysis::Analysis;
use super::documents::range;
use crate::assist;
use crate::source::{Source, Sources, Span, Units};

/// So much of one line may have changed.
const MOST: usize = 64;

/// What was known before a change in one line.
pub(super) struct Lately {
    pub(super) analysis: Arc<Analysis>,
    text: Arc<Source>,
    /// Where the change begins, and where it ends in the text before and in the present one.
    pub(super) start: usize,
    old_end: usize,
    new_end: usize,
}

impl Server<'_> {
    /// Returns what was known of an open text that is not looked at yet, if little changed in it and nothing else.
    pub(super) fn lately(&self, path: &str) -> Option<Lately> {
        let analysis = self.last.get(path)?;
        if self.analyses.get(path).is_some() {
            return None;
        }
        let open = self.documents.get(path)?;
        let mut others = analysis
            .sources
            .iter()
            .filter(|(file, _)| *file != analysis.file);
        let is_same = |it: &Source| {
            let now = self.documents.get(&it.name);
            now.is_none_or(|now| now.text.text == it.text)
        };
        if !others.all(|(_, it)| is_same(it)) {
            return None;
        }
        let (old, new) = (&analysis.sources.get(analysis.file)?.text, &open.text.text);
        let same = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b);
        let mut start = same.count();
        while !old.is_char_boundary(start) || !new.is_char_boundary(start) {
            start -= 1;
        }
        let (old_rest, new_rest) = (old.get(start..)?, new.get(start..)?);
        let same = old_rest.bytes().rev().zip(new_rest.bytes().rev());
        let mut behind = same.take_while(|(a, b)| a == b).count();
        while !old.is_char_boundary(old.len() - behind) || !new.is_char_boundary(new.len() - behind)
        {
            behind -= 1;
        }
        let (old_end, new_end) = (old.len() - behind, new.len() - behind);
        let changed = [old.get(start..old_end)?, new.get(start..new_end)?];
        let is_little = |it: &&str| it.len() <= MOST && !it.contains('\n');
        changed.iter().all(is_little).then(|| Lately {
            analysis: Arc::clone(analysis),
            text: Arc::clone(&open.text),
            start,
            old_end,
            new_end,
        })
    }
}

impl Lately {
    /// Returns the texts as they are now.
    pub(super) fn sources(&self) -> Sources {
        self.analysis
            .sources
            .with(self.analysis.file, Source::clone(&self.text))
    }

    /// Returns what stands at a place of the present text; none if it is what changed.
    pub(super) fn hovered(&self, offset: usize, units: Units) -> Option<Option<Value>> {
        let grown = |at: usize| at + self.new_end - self.old_end;
        let is_before = offset < self.start;
        if !is_before && offset <= self.new_end {
            return None;
        }
        let there = match is_before {
            true => offset,
            false => offset + self.old_end - self.new_end,
        };
        let analysis = &self.analysis;
        let there = u32::try_from(there).ok()?;
        let Some(name) = analysis.names().at(analysis.file, there) else {
            return Some(None);
        };
        let old = name.span.range();
        let touches = old.start <= self.old_end && self.start <= old.end;
        let now = match is_before {
            _ if touches => return None,
            true => Span::new(analysis.file, old.start, old.end),
            false => Span::new(analysis.file, grown(old.start), grown(old.end)),
        };
        let text = assist::hover(&analysis.known_names(), &name.target)?;
        Some(Some(json!({
            "contents": { "kind": "markdown", "value": text },
            "range": range(&self.text, now, units),
        })))
    }
}
