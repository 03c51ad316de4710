//! Colours by meaning, types that nobody wrote, and names in all that is open.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::Server;
use super::documents::range;
use super::named::kind;
use super::protocol::{About, Hints, Query};
use crate::assist::{self, Target};
use crate::source::Span;

/// The kinds of names, in the words of the protocol.
pub(super) const KINDS: &[&str] = &[
    "variable",
    "parameter",
    "property",
    "enumMember",
    "enum",
    "struct",
    "class",
    "function",
    "method",
    "event",
    "namespace",
];

/// What is said of a number of operations.
const OPERATIONS: &str = "operations of the engine that come from this clause";

/// So many names are listed.
const MOST: usize = 500;

impl Server<'_> {
    pub(super) fn coloured(&mut self, about: &About) -> Option<Value> {
        let analysis = self.known(&about.text_document.uri)?;
        let source = analysis.sources.get(analysis.file)?;
        let (mut line, mut column) = (0, 0);
        let mut data: Vec<u32> = Vec::new();
        for it in assist::shown(&analysis.known_names(), analysis.file) {
            let place = range(source, it.span, self.units);
            let (start, end) = (place.start, place.end);
            let behind = (start.line, start.character) >= (line, column);
            if start.line != end.line || !behind {
                continue;
            }
            let from = if start.line == line { column } else { 0 };
            let kind = KINDS.iter().position(|kind| *kind == kind_of(it.word));
            data.extend([
                start.line - line,
                start.character - from,
                end.character - start.character,
                kind.and_then(|it| u32::try_from(it).ok())?,
                u32::from(it.declares),
            ]);
            (line, column) = (start.line, start.character);
        }
        Some(json!({ "data": data }))
    }

    /// Returns what nobody wrote: types, how many values and candidates there are, and once the engine has been asked, what
    /// it makes of each clause.
    pub(super) fn hinted(&mut self, asked: &Hints) -> Option<Value> {
        let analysis = self.known(&asked.text_document.uri)?;
        let source = analysis.sources.get(analysis.file)?;
        let known = analysis.known_names();
        let mut all: Vec<(Span, String, &str)> = Vec::new();
        let types = assist::types(&known, analysis.file).into_iter();
        all.extend(types.map(|(span, ty)| (span, format!(": {ty}"), "")));
        let sizes = assist::sizes(&known, analysis.file).into_iter();
        all.extend(sizes.map(|it| (it.name, format!(" {} {}", it.count, it.what), "")));
        let seen = self.slow.iter();
        let seen = seen.filter(|it| Arc::ptr_eq(&it.analysis, &analysis));
        let costs = seen.flat_map(|it| &it.slow.costs);
        let costs = costs.filter(|(span, _)| span.file == analysis.file);
        let mut by_line: BTreeMap<usize, usize> = BTreeMap::new();
        for (span, count) in costs {
            let rest = source.text.get(span.start as usize..).unwrap_or("");
            let line = rest.lines().next().unwrap_or("").trim_end().len();
            *by_line.entry(span.start as usize + line).or_default() += count;
        }
        let costs = by_line.into_iter().map(|(end, count)| {
            let end = Span::new(analysis.file, end, end);
            (end, format!(" {count} ops"), OPERATIONS)
        });
        all.extend(costs);
        let all = all.into_iter().filter_map(|(span, label, about)| {
            let at = range(source, span, self.units).end;
            let is_asked = (asked.range.start..=asked.range.end).contains(&at);
            let mut hint = json!({ "position": at, "label": label, "kind": 1 });
            if !about.is_empty() {
                hint["tooltip"] = json!(about);
            }
            is_asked.then_some(hint)
        });
        Some(json!(all.collect::<Vec<_>>()))
    }

    /// Returns the names in all that is open and what that stands on, which have the letters of the query in their order.
    pub(super) fn found(&mut self, asked: &Query) -> Value {
        for open in self.documents.paths() {
            self.look_at(&open);
        }
        let query = asked.query.to_lowercase();
        let mut all = Vec::new();
        for (_, analysis) in self.analyses.iter() {
            for (target, thing) in analysis.names().declared() {
                let name = match target {
                    Target::Sentence(_, id) => id.as_str(),
                    Target::Book(name) | Target::Source(name) => name.as_str(),
                    target => target.address().unwrap_or(""),
                };
                if !has_letters(name, &query) {
                    continue;
                }
                if let Some(location) = self.location(analysis, thing.name) {
                    let key = (location.uri.clone(), location.range.start);
                    let it =
                        json!({ "name": name, "kind": kind(thing.word), "location": location });
                    all.push((key, it));
                }
            }
        }
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all.dedup_by(|a, b| a.0 == b.0);
        all.truncate(MOST);
        json!(all.into_iter().map(|(_, it)| it).collect::<Vec<_>>())
    }
}

fn has_letters(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query.chars().all(|it| letters.any(|other| other == it))
}

/// Returns the kind of a name by what it stands for.
fn kind_of(word: &str) -> &'static str {
    match word {
        "local" => "parameter",
        "field" => "property",
        "value" | "reading" | "sentence" => "enumMember",
        "enum" => "enum",
        "record" | "component" | "supply" => "struct",
        "space" | "zone" => "class",
        "define" | "measure" => "function",
        "action" | "flow" => "method",
        "event" | "ending" => "event",
        "book" => "namespace",
        _ => "variable",
    }
}
