//! What mends findings, and the usual layout.

use serde_json::{Value, json};

use super::Server;
use super::analysis::analyse;
use super::documents::range;
use super::protocol::{About, Actions, TextEdit};
use super::uri;
use crate::diagnostic::Fix;
use crate::format;
use crate::lint;
use crate::source::{FileId, Source, Span, Units};

/// The kind of an action that mends one finding.
const QUICK: &str = "quickfix";
/// The kind of an action that mends all that can be mended without changing the meaning.
const ALL: &str = "source.fixAll";

impl Server<'_> {
    pub(super) fn formatted(&mut self, about: &About) -> Value {
        let path = uri::path(&about.text_document.uri);
        let Some(open) = self.documents.get(&path) else {
            return Value::Null;
        };
        // What cannot be read stays as it is; why is among the findings.
        match format::format(FileId(0), &open.text.text) {
            Ok(text) => json!(changed(&open.text, &text, self.units)),
            Err(_) => Value::Null,
        }
    }

    pub(super) fn actions(&mut self, asked: &Actions) -> Value {
        let path = uri::path(&asked.text_document.uri);
        self.look_at(&path);
        let wants = |kind: &str| {
            let only = asked.context.only.as_ref();
            only.is_none_or(|all| all.iter().any(|it| is_below(kind, it)))
        };
        let mut actions = Vec::new();
        if wants(QUICK) {
            for about in self.about(&path) {
                let shown = self.shown(&about);
                let touches =
                    shown.range.start <= asked.range.end && asked.range.start <= shown.range.end;
                let Some(fix) = about.finding.fix.as_ref().filter(|_| touches) else {
                    continue;
                };
                let Some(edit) = self.edit(&about, fix) else {
                    continue;
                };
                actions.push(json!({
                    "title": fix.title,
                    "kind": QUICK,
                    "diagnostics": [shown],
                    "isPreferred": fix.safe,
                    "edit": edit,
                }));
            }
        }
        // To find all of them the text is looked at again and again, so somebody has to ask for it.
        if asked.context.only.is_some() && wants(ALL) {
            actions.extend(self.fix_all(&path));
        }
        Value::Array(actions)
    }

    /// Returns a fix as edits of files; none if one of them cannot be written.
    fn edit(&self, about: &super::findings::About<'_>, fix: &Fix) -> Option<Value> {
        let mut changes = serde_json::Map::new();
        for (span, text) in &fix.edits {
            let source = about.analysis.sources.get(span.file)?;
            let is_there = self.is_writable(&source.name);
            let uri = is_there.then(|| self.documents.uri(&source.name))?;
            let edit = TextEdit {
                range: range(source, *span, self.units),
                new_text: text.clone(),
            };
            let list = changes.entry(uri).or_insert_with(|| json!([]));
            list.as_array_mut()?.push(json!(edit));
        }
        Some(json!({ "changes": changes }))
    }

    fn fix_all(&self, path: &str) -> Option<Value> {
        let open = self.documents.get(path)?;
        let file = self.analyses.get(path)?.file;
        let mut texts = self.documents.texts();
        let mut look = |text: &str| {
            if let Some(own) = texts.iter_mut().find(|(it, _)| it == path) {
                own.1 = text.into();
            }
            analyse(&*self.world, path, &texts, &self.memory).findings
        };
        let fixed = lint::fix(&open.text.text, file, &mut look);
        let edits = changed(&open.text, &fixed.text, self.units);
        (!edits.is_empty()).then(|| {
            json!({
                "title": "mend all that can be mended without changing the meaning",
                "kind": ALL,
                "edit": { "changes": { open.uri.clone(): edits } },
            })
        })
    }
}

/// Returns whether a kind is the one that was asked for, or one below that.
fn is_below(kind: &str, asked: &str) -> bool {
    let rest = kind.strip_prefix(asked);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Returns the edit that makes one text of another: the lines between what both begin and end with.
pub(super) fn changed(old: &Source, new: &str, units: Units) -> Vec<TextEdit> {
    let before = &old.text;
    if before == new {
        return Vec::new();
    }
    let both = before.split_inclusive('\n').zip(new.split_inclusive('\n'));
    let same = both.take_while(|(a, b)| a == b);
    let start: usize = same.map(|(line, _)| line.len()).sum();
    let (old_rest, new_rest) = (
        before.get(start..).unwrap_or(""),
        new.get(start..).unwrap_or(""),
    );
    let lines = |text| str::split_inclusive(text, '\n').rev();
    let same = lines(old_rest).zip(lines(new_rest));
    let end: usize = same
        .take_while(|(a, b)| a == b)
        .map(|(line, _)| line.len())
        .sum();
    // Where lines go at the end, it is the ends of the lines before them that go: some editors leave an edit alone that
    // reaches behind the last line.
    let is_last = end == 0 && start > 0 && before.ends_with('\n') && new.ends_with('\n');
    let (start, end) = match is_last {
        true => (start - 1, 1),
        false => (start, end),
    };
    let span = Span::new(FileId(0), start, before.len() - end);
    vec![TextEdit {
        range: range(old, span, units),
        new_text: new.get(start..new.len() - end).unwrap_or("").to_owned(),
    }]
}
