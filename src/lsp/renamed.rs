//! A name is changed wherever it stands: in the rulebook, its parts and its amendments.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};

use super::Server;
use super::analysis::{Analysis, analyse};
use super::documents::range;
use super::named::target_at;
use super::protocol::{At, Rename, TextEdit};
use crate::assist::{Target, Use};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Source, Span};
use crate::syntax::is_name;

/// Where a name stands, by path: each place with its end.
type Places = BTreeMap<String, BTreeSet<(usize, usize)>>;

impl Server<'_> {
    /// Returns the name that stands at a place, if nothing that is known of it alone keeps it from being changed.
    pub(super) fn renamable(&mut self, at: &At) -> Result<Value, String> {
        let (analysis, offset) = self.place(at).ok_or("nothing is open here")?;
        let name = name_at(&analysis, offset)?;
        self.writable(&analysis, &name.target, &Places::new())?;
        let source = analysis.sources.get(analysis.file);
        let source = source.ok_or("nothing is open here")?;
        Ok(json!({
            "range": range(source, name.span, self.units),
            "placeholder": source.slice(name.span),
        }))
    }

    /// Returns the edits that change a name, if the rules with them mean what they did.
    pub(super) fn renamed(&mut self, asked: &Rename) -> Result<Value, String> {
        let at = At {
            text_document: asked.text_document.clone(),
            position: asked.position,
        };
        let new = asked.new_name.as_str();
        let (analysis, offset) = self.place(&at).ok_or("nothing is open here")?;
        let name = name_at(&analysis, offset)?;
        // The id of a ruling is no name of the rules.
        let is_good = match &name.target {
            Target::Case(_) => new.split('-').all(|it| is_name(&format!("n{it}"))),
            _ => is_name(new),
        };
        if !is_good {
            return Err(format!(
                "`{new}` is no name: letters, digits and `_`, a letter first, and no word of the language"
            ));
        }
        let path = analysis.path(analysis.file).to_owned();
        let (involved, places) = self.places(&analysis, offset)?;
        self.writable(&analysis, &name.target, &places)?;
        let mut texts: BTreeMap<String, Arc<str>> = self.documents.texts().into_iter().collect();
        let mut changes = serde_json::Map::new();
        for (path, places) in &places {
            let mut sources = involved.iter().filter_map(|(_, it)| it.source(path));
            let source = sources.next().ok_or("a file is gone")?;
            texts.insert(path.clone(), Arc::from(with(source, places, new)));
            let edits = places.iter().map(|(start, end)| TextEdit {
                range: range(source, Span::new(FileId(0), *start, *end), self.units),
                new_text: new.to_owned(),
            });
            let edits: Vec<TextEdit> = edits.collect();
            changes.insert(self.documents.uri(path), json!(edits));
        }
        let texts: Vec<(String, Arc<str>)> = texts.into_iter().collect();
        let moved = moved(places.get(&path), offset, new.len());
        for (own, old) in &involved {
            let now = analyse(&*self.world, own, &texts, &self.memory);
            same_meaning(old, &now, (&path, offset, moved), new)?;
        }
        Ok(json!({ "changes": changes }))
    }

    /// Returns what has to do with a name, each with its path, and where the name stands.
    fn places(&mut self, analysis: &Analysis, offset: u32) -> Result<(Involved, Places), String> {
        let path = analysis.path(analysis.file).to_owned();
        let old = name_at(analysis, offset)?;
        let old = analysis.sources.slice(old.span);
        for open in self.documents.paths() {
            self.look_at(&open);
        }
        let known = self.analyses.iter();
        let mut involved: Involved = known
            .map(|(own, it)| (own.to_owned(), Arc::clone(it)))
            .collect();
        // What amends it need not be open.
        let texts = self.documents.texts();
        for beside in self.world.beside(&path) {
            let is_known = involved.iter().any(|(_, it)| it.has_part(&beside));
            if self.documents.get(&beside).is_none() && !is_known {
                let made = analyse(&*self.world, &beside, &texts, &self.memory);
                involved.push((beside, Arc::new(made)));
            }
        }
        let mut places = Places::new();
        involved.retain(|(_, it)| it.file_at(&path).is_some());
        for (_, it) in &involved {
            if let Some(wrong) = it.findings.iter().find(|it| it.is_error()) {
                return Err(format!("mend this first: {}", said(it, wrong)));
            }
            let Some(target) = target_at(it, &path, offset) else {
                continue;
            };
            let mut unknown = it.names().maybe(target);
            if let Some(same) = unknown.find(|span| it.sources.slice(*span) == old) {
                let place = it.sources.place(same);
                return Err(format!(
                    "it is not known what `{old}` stands for at {place}"
                ));
            }
            for found in it.names().uses_of(target) {
                let range = found.span.range();
                if it.sources.slice(found.span) == old {
                    let all = places.entry(it.path(found.span.file).to_owned());
                    all.or_default().insert((range.start, range.end));
                }
            }
        }
        Ok((involved, places))
    }

    /// Says why a name cannot be changed in one of the files that it stands in.
    fn writable(
        &self,
        analysis: &Analysis,
        target: &Target,
        places: &Places,
    ) -> Result<(), String> {
        let what = match target {
            Target::Book(_) => Some("the name of a rulebook"),
            Target::Source(_) | Target::Sentence(..) => Some("what is printed elsewhere"),
            Target::Item(_) | Target::Inside(_) | Target::Case(_) | Target::Local(..) => None,
        };
        if let Some(what) = what {
            return Err(format!("this is {what}, which is not changed here"));
        }
        let things = analysis.names().things(target);
        if things.is_empty() {
            return Err(String::from("it is not known where this is declared"));
        }
        let declared = things.iter().map(|it| it.name);
        let foreign = declared
            .filter(|it| !self.is_writable(analysis.path(it.file)))
            .map(|it| analysis.sources.place(it));
        if let Some(place) = foreign.into_iter().next() {
            return Err(format!(
                "it is declared at {place}, which comes with the program"
            ));
        }
        match places.keys().find(|it| !self.is_writable(it)) {
            Some(path) => Err(format!("it stands in {path}, which comes with the program")),
            None => Ok(()),
        }
    }
}

/// Analyses by the path of what was asked for.
type Involved = Vec<(String, Arc<Analysis>)>;

fn name_at(analysis: &Analysis, offset: u32) -> Result<&Use, String> {
    let name = analysis.names().at(analysis.file, offset);
    name.ok_or_else(|| String::from("here stands no name that is known"))
}

fn said(analysis: &Analysis, finding: &Diagnostic) -> String {
    let place = finding.span().map(|it| analysis.sources.place(it));
    match place {
        Some(place) => format!("{place}: {}", finding.message),
        None => finding.message.clone(),
    }
}

/// Returns a text with other words at some places.
fn with(source: &Source, places: &BTreeSet<(usize, usize)>, new: &str) -> String {
    let mut text = source.text.clone();
    for (start, end) in places.iter().rev() {
        text.replace_range(*start..*end, new);
    }
    text
}

/// Returns where a place comes to lie when the words before it have another length.
fn moved(places: Option<&BTreeSet<(usize, usize)>>, offset: u32, length: usize) -> u32 {
    let before = places.into_iter().flatten();
    let before = before.take_while(|(_, end)| *end <= offset as usize);
    let (n_before, old) = before.fold((0, 0), |(n, old), (start, end)| (n + 1, old + end - start));
    let inside = places.into_iter().flatten();
    let mut inside = inside.filter(|(start, end)| (*start..*end).contains(&(offset as usize)));
    let start = inside.next().map_or(offset as usize, |(start, _)| *start);
    u32::try_from(start + n_before * length - old).unwrap_or(offset)
}

/// Says why rules with other words would not mean what they did.
fn same_meaning(
    old: &Analysis,
    now: &Analysis,
    (path, offset, moved): (&str, u32, u32),
    new: &str,
) -> Result<(), String> {
    if let Some(wrong) = now.findings.iter().find(|it| it.is_error()) {
        return Err(format!(
            "with `{new}` this would be wrong: {}",
            said(now, wrong)
        ));
    }
    let (was, is) = (target_at(old, path, offset), target_at(now, path, moved));
    let both = old.names().all().iter().zip(now.names().all());
    let other = both
        .clone()
        .find(|(a, b)| (Some(&a.target) == was) != (Some(&b.target) == is));
    if let Some((it, _)) = other {
        let place = old.sources.place(it.span);
        return Err(format!(
            "`{new}` is taken: it would mean something else at {place}"
        ));
    }
    let clauses = |it: &Analysis| it.compiled.game.as_ref().map(|it| it.clauses.len());
    if clauses(old) != clauses(now) || old.names().all().len() != now.names().all().len() {
        return Err(format!("`{new}` is taken"));
    }
    Ok(())
}
