//! Rewrites rulebooks that say what the language does not say any more.
//!
//! A question that is asked in the middle of a clause becomes edits of its readings: the clause says the default alone,
//! and each other reading what is different under it. What has no name that an edit could give gets one.

mod asked;
mod find;
mod fold;
mod plan;
mod words;
mod write;

use std::collections::BTreeMap;

use self::asked::{Asked, questions};
use self::find::{Found, find};
use self::plan::{Banned, Carrier, Planner};
use self::words::Words;
use self::write::{Change, Writing};
use crate::diagnostic::{Diagnostic, codes};
use crate::format::format;
use crate::pipeline::{Compiled, Request, check_readings, compile, joined};
use crate::source::{FileId, Sources, Span};
use crate::syntax::ast::{self, File, ItemKind, Role, Tree, Visitor};
use crate::syntax::{not_read, parse};

/// After so many tries what does not work is left as it is.
const MOST_ROUNDS: usize = 12;

/// What comes of an upgrade.
#[derive(Debug, Default)]
pub struct Upgraded {
    /// The files that are other than before.
    pub texts: BTreeMap<FileId, String>,
    /// What is left to do by hand, with the line in the new text.
    pub marks: Vec<Mark>,
}

/// Something that has to be looked at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// The file.
    pub file: FileId,
    /// The line, from one.
    pub line: usize,
    /// What to do.
    pub what: String,
    /// Whether the rules are wrong until it is done.
    pub must: bool,
}

/// What is written above a name that was made up.
const NAME_THIS: &str = "// name this";

/// Which files are rewritten.
#[derive(Clone, Copy, Debug)]
pub struct Which<'a> {
    /// Those to rewrite.
    pub own: &'a [FileId],
    /// Files of which only the questions are read.
    pub beside: &'a [FileId],
    /// What came of those that were rewritten before; what they said until then is in the sources.
    pub done: &'a BTreeMap<FileId, String>,
}

/// Rewrites files among those of a request. Returns what is wrong with them if they cannot be read.
pub fn upgrade(
    sources: &Sources,
    request: &Request,
    which: Which<'_>,
) -> Result<Upgraded, Vec<Diagnostic>> {
    crate::stack::with_room(|| upgrade_here(sources, request, which))
}

fn upgrade_here(
    sources: &Sources,
    request: &Request,
    which: Which<'_>,
) -> Result<Upgraded, Vec<Diagnostic>> {
    let freed = freed(sources, request);
    let sources = &replaced(sources, &freed);
    let Read { trees, older } = read(sources, request)?;
    let mut words = Words::new(&trees, sources);
    words.run();
    let Words {
        mut changes, left, ..
    } = words;
    changes.extend(older.into_iter().map(|it| without_gap(it, sources)));
    let is_own = |span: Span| which.own.contains(&span.file);
    let mut said = texts(sources, changes);
    let mut here = said.clone();
    here.extend(which.done.clone());
    let sources = &replaced(sources, &here);
    said.retain(|file, _| which.own.contains(file));
    let left = left.into_iter().filter(|it| is_own(it.0));
    let left: Vec<(Span, String)> = left.collect();
    let mut upgraded = ask_nothing(sources, request, which, !said.is_empty())?;
    let freed = freed.into_iter().filter(|it| which.own.contains(&it.0));
    for (file, text) in said.into_iter().chain(freed) {
        upgraded.texts.entry(file).or_insert(text);
    }
    for (span, what) in left {
        let source = sources.get(span.file);
        upgraded.marks.push(Mark {
            file: span.file,
            line: source.map_or(0, |it| it.line_column(span.start).line),
            what,
            must: true,
        });
    }
    Ok(upgraded)
}

/// The files in which a ruling is called by what is a word of the language now, with another id for it.
fn freed(sources: &Sources, request: &Request) -> BTreeMap<FileId, String> {
    let files = std::iter::once(&request.base).chain(&request.amendments);
    let mut freed = BTreeMap::new();
    for file in files {
        let Some(source) = sources.get(*file) else {
            continue;
        };
        let (_, found) = parse(*file, &source.text);
        let ids = found.iter().filter(|it| it.code == codes::RESERVED_WORD);
        let fixes = ids.filter_map(|it| it.fix.clone());
        let changes = fixes.flat_map(|it| it.edits);
        let changes = changes.map(|(span, text)| Change { span, text });
        freed.extend(texts(sources, changes.collect()));
    }
    freed
}

/// Files that were read, and what is said in a form that can be put in the place of an older one.
struct Read {
    trees: Vec<File>,
    older: Vec<Change>,
}

/// Reads the files of a request.
fn read(sources: &Sources, request: &Request) -> Result<Read, Vec<Diagnostic>> {
    let files = std::iter::once(&request.base).chain(&request.amendments);
    let mut found = Vec::new();
    let trees = files.map(|file| {
        let (tree, said) = parse(*file, sources.get(*file).map_or("", |it| &it.text));
        found.extend(said);
        tree
    });
    let (trees, said) = joined(trees.collect());
    found.extend(said);
    let fixes = found.iter().filter(|it| it.code == codes::OLDER_FORM);
    let edits = fixes
        .filter_map(|it| it.fix.clone())
        .flat_map(|it| it.edits);
    let older = edits.map(|(span, text)| Change { span, text }).collect();
    let unread = not_read(found);
    if !unread.is_empty() {
        return Err(unread);
    }
    Ok(Read { trees, older })
}

/// What is left out leaves no gap before it.
fn without_gap(mut change: Change, sources: &Sources) -> Change {
    if change.text.is_empty() {
        let before = Span {
            start: 0,
            end: change.span.start,
            ..change.span
        };
        let before = sources.slice(before);
        let gap = before.len() - before.trim_end_matches(' ').len();
        change.span.start -= u32::try_from(gap).unwrap_or(0);
    }
    change
}

/// Turns questions that are asked in the middle of clauses into edits.
fn ask_nothing(
    sources: &Sources,
    request: &Request,
    which: Which<'_>,
    has_changed: bool,
) -> Result<Upgraded, Vec<Diagnostic>> {
    let trees = read(sources, request)?.trees;
    let text = |file: &FileId| sources.get(*file).map_or("", |it| &it.text);
    let own = which.own;
    let others = which.beside.iter().map(|it| parse(*it, text(it)).0);
    let others: Vec<File> = others.collect();
    let questions = questions(&trees, &others);
    let Found { asked, strays } = find(&trees, &questions);
    let is_own = |span: Span| own.contains(&span.file);
    let mut upgraded = Upgraded::default();
    let strays = strays.into_iter().filter(|it| is_own(it.0));
    let strays: Vec<(Span, &str)> = strays.collect();
    if !asked.iter().any(|it| is_own(it.span)) {
        let errors = errors(sources, request, &compile(sources, request));
        let mut now = Now {
            texts: BTreeMap::new(),
            sources: sources.clone(),
            errors,
        };
        now.take_one(request, own);
        if !has_changed && now.texts.is_empty() {
            now.errors.clear();
        }
        upgraded.marks = marks(&now.sources, own, &now.errors, &strays, sources);
        upgraded.texts = now.texts;
        return Ok(upgraded);
    }
    let types = fold::types(&trees, &questions, &asked);
    let words = plan::words(&trees, |span| {
        sources
            .get(span.file)
            .map_or_else(String::new, |it| it.text.clone())
    });
    let mut banned = Banned::default();
    for round in 1..=MOST_ROUNDS {
        let mut planner = Planner {
            asked: &asked,
            questions: &questions,
            types: &types,
            banned: &banned,
            words: words.clone(),
            carriers: Vec::new(),
            of: Vec::new(),
        };
        planner.run(is_own);
        let Planner { carriers, of, .. } = planner;
        let mut writing = Writing {
            sources,
            trees: &trees,
            questions: &questions,
            asked: &asked,
            carriers: &carriers,
            of: &of,
            left: Vec::new(),
        };
        let changes = writing.changes();
        let left = std::mem::take(&mut writing.left);
        let texts = texts(sources, changes);
        let replaced = replaced(sources, &texts);
        let compiled = compile(&replaced, request);
        let errors = errors(&replaced, request, &compiled);
        let before = (banned.new.len(), banned.inserts);
        ban(
            &errors,
            &replaced,
            &compiled,
            &carriers,
            &asked,
            &mut banned,
        );
        if before != (banned.new.len(), banned.inserts) && round < MOST_ROUNDS {
            continue;
        }
        let open = asked
            .iter()
            .zip(&of)
            .filter(|(it, of)| is_own(it.span) && of.is_none());
        let open = open.map(|(it, _)| (it.span, it.question));
        let left = left.into_iter().map(|it| (it, "its questions"));
        let open: Vec<(Span, &str)> = open.chain(strays.iter().copied()).chain(left).collect();
        let mut now = Now {
            texts,
            sources: replaced,
            errors,
        };
        now.take_one(request, own);
        upgraded.marks = marks(&now.sources, own, &now.errors, &open, sources);
        upgraded.texts = now.texts;
        break;
    }
    Ok(upgraded)
}

/// What has come of the files so far.
struct Now {
    texts: BTreeMap<FileId, String>,
    sources: Sources,
    errors: Vec<Diagnostic>,
}

impl Now {
    /// Writes `first(most { … })` where all that are equal stood for one of them: it was the first. What readings say is
    /// looked at when the rules are well without them.
    fn take_one(&mut self, request: &Request, own: &[FileId]) {
        for _ in 0..MOST_ROUNDS {
            if !self.takes_one(request, own) {
                return;
            }
        }
    }

    fn takes_one(&mut self, request: &Request, own: &[FileId]) -> bool {
        let wrong = self.errors.iter().filter(|it| it.code == codes::WRONG_TYPE);
        let fixes = wrong.filter_map(|it| it.fix.as_ref());
        let edits = fixes.flat_map(|it| &it.edits);
        let mut edits: Vec<&(Span, String)> =
            edits.filter(|(span, _)| own.contains(&span.file)).collect();
        edits.sort_by_key(|(span, text)| (span.file, span.start, text));
        edits.dedup_by_key(|(span, text)| (span.file, span.start, text.as_str()));
        if edits.is_empty() {
            return false;
        }
        let changes = edits.into_iter().cloned();
        let changes = changes.map(|(span, text)| Change { span, text });
        let more = texts(&self.sources, changes.collect());
        self.sources = replaced(&self.sources, &more);
        self.texts.extend(more);
        self.errors = errors(&self.sources, request, &compile(&self.sources, request));
        true
    }
}

/// Makes the changes, and lays out what was laid out before.
fn texts(sources: &Sources, changes: Vec<Change>) -> BTreeMap<FileId, String> {
    let mut by_file: BTreeMap<FileId, Vec<Change>> = BTreeMap::new();
    for change in changes {
        by_file.entry(change.span.file).or_default().push(change);
    }
    let mut texts = BTreeMap::new();
    for (file, mut changes) in by_file {
        let Some(source) = sources.get(file) else {
            continue;
        };
        // Those of one place stay in their order.
        changes.sort_by_key(|it| (it.span.start, it.span.end));
        let mut text = String::new();
        let mut from = 0;
        for Change { span, text: new } in changes {
            let range = span.range();
            text.push_str(source.text.get(from..range.start).unwrap_or_default());
            text.push_str(&new);
            from = from.max(range.end);
        }
        text.push_str(source.text.get(from..).unwrap_or_default());
        let was_laid_out = format(file, &source.text).is_ok_and(|it| it == source.text);
        let laid_out = was_laid_out.then(|| format(file, &text).ok()).flatten();
        texts.insert(file, laid_out.unwrap_or(text));
    }
    texts
}

/// Returns the place behind an item, and behind the comment that ends its line.
fn behind(item: Span, sources: &Sources) -> Span {
    let source = sources.get(item.file);
    let rest = source.and_then(|it| it.text.get(item.end as usize..));
    let line = rest.and_then(|it| it.lines().next()).unwrap_or_default();
    if line.trim_start().starts_with("//") {
        let end = item.end + u32::try_from(line.len()).unwrap_or(0);
        return Span { end, ..item }.end_point();
    }
    item.end_point()
}

fn replaced(sources: &Sources, texts: &BTreeMap<FileId, String>) -> Sources {
    let mut replaced = Sources::new();
    for (file, source) in sources.iter() {
        replaced.add(&source.name, texts.get(&file).unwrap_or(&source.text));
    }
    replaced
}

/// Returns what is wrong with the rules, under other readings too.
fn errors(sources: &Sources, request: &Request, compiled: &Compiled) -> Vec<Diagnostic> {
    let mut errors: Vec<Diagnostic> = compiled.diagnostics.clone();
    if compiled.game.is_some() {
        errors.extend(check_readings(sources, request, compiled).findings);
    }
    errors.retain(Diagnostic::is_error);
    errors
}

/// Does without what an error has to do with.
fn ban(
    errors: &[Diagnostic],
    sources: &Sources,
    compiled: &Compiled,
    carriers: &[Carrier<'_>],
    asked: &[Asked<'_>],
    banned: &mut Banned,
) {
    // What is older has nothing to do with what was written here.
    let errors = errors.iter().filter(|it| it.code != codes::OLDER_FORM);
    let errors: Vec<&Diagnostic> = errors.collect();
    if errors.is_empty() {
        return;
    }
    let n_banned = banned.new.len();
    for label in errors.iter().flat_map(|it| &it.labels) {
        let text = smallest_item(&compiled.files, label.span);
        let text = sources.slice(text.unwrap_or(label.span));
        for carrier in carriers {
            let is_new = matches!(carrier.form, plan::Form::New { .. });
            let is_named = carrier.form.name().is_some_and(|it| {
                let mut words = text.split(|it: char| !it.is_alphanumeric() && it != '_');
                words.any(|word| word == it)
            });
            let first = carrier.asked.first().and_then(|it| asked.get(*it));
            if let Some(first) = first.filter(|_| is_new && is_named) {
                banned.new.insert(fold::place(first.span));
            }
        }
    }
    banned.inserts |= banned.new.len() == n_banned;
}

/// Returns the smallest item or edit that holds a place.
fn smallest_item(files: &[File], at: Span) -> Option<Span> {
    struct Smallest {
        at: Span,
        found: Option<Span>,
    }
    impl<'t> Visitor<'t> for Smallest {
        fn item(&mut self, item: &'t ast::Item, _role: Role) {
            if item.span.holds(self.at) {
                self.found = Some(item.span);
                item.kind.walk(self, Role::Plain);
            }
        }
    }
    let mut smallest = Smallest { at, found: None };
    for item in files.iter().flat_map(|it| &it.items) {
        if !matches!(item.kind, ItemKind::Ruling(_)) {
            smallest.item(item, Role::Plain);
        }
    }
    smallest.found
}

fn marks(
    sources: &Sources,
    own: &[FileId],
    errors: &[Diagnostic],
    open: &[(Span, &str)],
    old: &Sources,
) -> Vec<Mark> {
    let mut marks = Vec::new();
    for file in own {
        let text = sources.get(*file).map_or("", |it| &it.text);
        for (line, at) in text.lines().zip(1..) {
            if line.trim_start().starts_with(NAME_THIS) {
                let next = text.lines().nth(at).unwrap_or_default().trim();
                let next = next.split([':', '=', '{']).next().unwrap_or_default();
                marks.push(Mark {
                    file: *file,
                    line: at,
                    what: format!("name this: {}", next.trim()),
                    must: false,
                });
            }
        }
    }
    let line = |sources: &Sources, span: Span| {
        let source = sources.get(span.file);
        source.map_or(0, |it| it.line_column(span.start).line)
    };
    for (span, question) in open {
        marks.push(Mark {
            file: span.file,
            line: line(old, *span),
            what: format!("say by edits what {question} decides here"),
            must: true,
        });
    }
    for error in errors {
        let span = error.span().unwrap_or_default();
        marks.push(Mark {
            file: span.file,
            line: line(sources, span),
            what: format!("{}: {}", error.code.id(), error.message),
            must: true,
        });
    }
    marks.sort();
    marks.dedup();
    marks
}
