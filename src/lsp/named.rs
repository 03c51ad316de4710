//! What names stand for: hover, definition, references, and the outline of a file.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Server;
use super::analysis::Analysis;
use super::documents::range;
use super::lately::Lately;
use super::protocol::{About, At, Location, References};
use super::uri;
use crate::assist::{self, Doing, Known, Symbol, Target, Use};
use crate::source::{FileId, Source, Span};

impl Server<'_> {
    /// Looks at an open text, and returns what is known of it.
    pub(super) fn known(&mut self, address: &str) -> Option<Arc<Analysis>> {
        let path = uri::path(address);
        self.look_at(&path);
        self.analyses.get(&path).cloned()
    }

    /// Returns how many bytes stand before a place in an open text.
    fn offset(&self, path: &str, at: &At) -> Option<usize> {
        let text = &self.documents.get(path)?.text;
        Some(text.offset(at.position.line, at.position.character, self.units))
    }

    /// Returns a place in an open text: what is known of that, and how many bytes stand before the place.
    pub(super) fn place(&mut self, at: &At) -> Option<(Arc<Analysis>, u32)> {
        let analysis = self.known(&at.text_document.uri)?;
        let source = analysis.sources.get(analysis.file)?;
        let offset = source.offset(at.position.line, at.position.character, self.units);
        Some((analysis, u32::try_from(offset).ok()?))
    }

    pub(super) fn hovered(&mut self, at: &At) -> Option<Value> {
        let path = uri::path(&at.text_document.uri);
        let lately = self.lately(&path);
        let lately = lately.and_then(|it| it.hovered(self.offset(&path, at)?, self.units));
        if let Some(answer) = lately {
            return answer;
        }
        let (analysis, offset) = self.place(at)?;
        let name = analysis.names().at(analysis.file, offset)?;
        let text = assist::hover(&analysis.known_names(), &name.target)?;
        let source = analysis.sources.get(analysis.file)?;
        Some(json!({
            "contents": { "kind": "markdown", "value": text },
            "range": range(source, name.span, self.units),
        }))
    }

    pub(super) fn defined(&mut self, at: &At) -> Option<Value> {
        let (analysis, offset) = self.place(at)?;
        let name = analysis.names().at(analysis.file, offset)?;
        let things = analysis.names().things(&name.target).iter();
        let places = things.filter_map(|it| self.location(&analysis, it.name));
        Some(json!(places.collect::<Vec<_>>()))
    }

    /// Returns where else that is used what is named here, in all that is open and what that stands on.
    pub(super) fn referred(&mut self, asked: &References) -> Option<Value> {
        let at = At {
            text_document: asked.text_document.clone(),
            position: asked.position,
        };
        let with_declaration = asked.context.include_declaration;
        let is_wanted = |it: &Use| with_declaration || it.doing != Doing::Declares;
        let (analysis, offset) = self.place(&at)?;
        let path = analysis.path(analysis.file).to_owned();
        let mut places: Vec<Location> = Vec::new();
        for open in self.documents.paths() {
            self.look_at(&open);
        }
        for (_, other) in self.analyses.iter() {
            let Some(target) = target_at(other, &path, offset) else {
                continue;
            };
            let uses = other.names().uses_of(target).filter(|it| is_wanted(it));
            places.extend(uses.filter_map(|it| self.location(other, it.span)));
        }
        places.sort_by(|a, b| (&a.uri, a.range.start).cmp(&(&b.uri, b.range.start)));
        places.dedup();
        Some(json!(places))
    }

    pub(super) fn highlighted(&mut self, at: &At) -> Option<Value> {
        let (analysis, offset) = self.place(at)?;
        let names = analysis.names();
        let target = &names.at(analysis.file, offset)?.target;
        let source = analysis.sources.get(analysis.file)?;
        let here = names
            .uses_of(target)
            .filter(|it| it.span.file == analysis.file);
        let all = here.map(|it| {
            let kind = match it.doing {
                Doing::Reads | Doing::Cites => 2,
                Doing::Declares | Doing::Writes | Doing::Amends => 3,
            };
            json!({ "range": range(source, it.span, self.units), "kind": kind })
        });
        Some(json!(all.collect::<Vec<_>>()))
    }

    pub(super) fn completed(&mut self, at: &At) -> Option<Value> {
        let path = uri::path(&at.text_document.uri);
        let lately = self.lately(&path);
        let now = lately.as_ref().map(Lately::sources);
        let analysis = match &lately {
            Some(it) => Arc::clone(&it.analysis),
            None => self.known(&at.text_document.uri)?,
        };
        let offset = self.offset(&path, at)?;
        let until = lately.and_then(|it| Some((analysis.file, u32::try_from(it.start).ok()?)));
        let known = Known {
            sources: now.as_ref().unwrap_or(&analysis.sources),
            until,
            ..analysis.known_names()
        };
        let (start, all) = assist::complete(&known, analysis.file, offset)?;
        let source = known.sources.get(analysis.file)?;
        let span = Span::new(analysis.file, start, offset);
        let range = range(source, span, self.units);
        let all = all.iter().enumerate().map(|(at, it)| {
            let mut item = json!({
                "label": it.text,
                "kind": completed_kind(it.kind),
                "detail": it.kind,
                "sortText": format!("{}{at:05}", it.rank),
                "textEdit": { "range": range, "newText": it.text },
            });
            if !it.about.is_empty() {
                item["documentation"] = json!(it.about);
            }
            item
        });
        Some(json!(all.collect::<Vec<_>>()))
    }

    pub(super) fn outlined(&mut self, about: &About) -> Option<Value> {
        let analysis = self.known(&about.text_document.uri)?;
        let source = analysis.sources.get(analysis.file)?;
        let all = assist::outline(&analysis.compiled.files, analysis.file);
        let all = all.iter().map(|it| self.symbol(source, it));
        Some(json!(all.collect::<Vec<_>>()))
    }

    fn symbol(&self, source: &Source, it: &Symbol) -> Value {
        let inside = it.inside.iter().map(|it| self.symbol(source, it));
        json!({
            "name": it.name,
            "detail": it.word,
            "kind": kind(it.word),
            "range": range(source, it.whole.to(it.span), self.units),
            "selectionRange": range(source, it.span, self.units),
            "children": inside.collect::<Vec<_>>(),
        })
    }

    pub(super) fn folded(&mut self, about: &About) -> Option<Value> {
        let analysis = self.known(&about.text_document.uri)?;
        let source = analysis.sources.get(analysis.file)?;
        let mut lines: Vec<(u32, u32, bool)> = Vec::new();
        for fold in assist::folds(&analysis.compiled.files, analysis.file) {
            let range = range(source, fold.span, self.units);
            let (from, to) = (range.start.line, range.end.line);
            match lines.last_mut() {
                Some(last) if fold.comment && last.2 && last.1 + 1 == from => last.1 = to,
                _ => lines.push((from, to, fold.comment)),
            }
        }
        lines.retain(|(from, to, _)| from < to);
        lines.sort_unstable();
        lines.dedup_by_key(|(from, ..)| *from);
        let all = lines.iter().map(|(from, to, comment)| {
            let mut fold = json!({ "startLine": from, "endLine": to });
            if *comment {
                fold["kind"] = json!("comment");
            }
            fold
        });
        Some(json!(all.collect::<Vec<_>>()))
    }
}

/// Returns what is named at a place of a file that is one of those of an analysis.
pub(super) fn target_at<'a>(analysis: &'a Analysis, path: &str, offset: u32) -> Option<&'a Target> {
    let file: FileId = analysis.file_at(path)?;
    Some(&analysis.names().at(file, offset)?.target)
}

/// Returns the number that the protocol has for a kind of thing.
pub(super) fn kind(word: &str) -> u8 {
    match word {
        "game" | "variant" | "expansion" | "part" => 2,
        "component" | "supply" | "zone" | "space" => 5,
        "define" | "flow" | "measure" => 12,
        "track" | "clause" | "step" => 13,
        "table" => 18,
        "enum" => 10,
        "record" => 23,
        "field" => 8,
        "value" | "reading" => 22,
        "event" | "ruling" | "study" => 24,
        "action" => 6,
        "setting" | "question" | "option" => 7,
        "sentence" => 15,
        _ => 14,
    }
}

/// Returns the number that the protocol has for a kind of what may be written.
fn completed_kind(word: &str) -> u8 {
    match word {
        "word" => 14,
        "local" => 6,
        "field" => 5,
        "value" | "reading" => 20,
        "enum" => 13,
        "record" | "component" => 22,
        "space" | "zone" | "supply" => 7,
        "define" | "flow" | "measure" | "event" => 3,
        "action" => 2,
        "option" | "question" => 10,
        _ => 18,
    }
}
