//! The examples of `docs/language.md` are what they claim to be.
//!
//! A fence marked `rules` is a complete file, or an amendment of a game shown before it. `rules in NAME`
//! goes on with the file of that name. `rules error CODE` is wrong on purpose.

use std::collections::BTreeSet;

use adit::engine;
use adit::pipeline::{Request, compile};
use adit::report;
use adit::ruling::{self, Verdict};
use adit::source::{FileId, Sources};
use adit::study::{Bounds, search};
use adit::syntax::ast::{HeaderKind, ItemKind, RelationKind};
use adit::syntax::parse;

/// An example as it stands in the page.
struct Fence {
    /// The line it begins at, from 1.
    line: usize,
    /// The words behind the backticks.
    words: Vec<String>,
    text: String,
}

fn fences() -> Vec<Fence> {
    let page = include_str!("../../docs/language.md");
    let mut found = Vec::new();
    let mut open: Option<Fence> = None;
    for (line, text) in page.lines().enumerate() {
        match (&mut open, text.strip_prefix("```")) {
            (None, Some(words)) => {
                open = Some(Fence {
                    line: line + 1,
                    words: words.split_whitespace().map(str::to_owned).collect(),
                    text: String::new(),
                });
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(fence), None) => {
                fence.text.push_str(text);
                fence.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "the page ends inside an example");
    found
}

/// The whole files that the examples make: name, text and the line they begin at.
fn files() -> Vec<(String, String, usize)> {
    let mut files: Vec<(String, String, usize)> = Vec::new();
    for fence in fences() {
        let words: Vec<&str> = fence.words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["rules"] => {
                let (file, _) = parse(FileId(0), &fence.text);
                let header = file
                    .header
                    .unwrap_or_else(|| panic!("line {}: no header", fence.line));
                files.push((header.name.text.clone(), fence.text, fence.line));
            }
            ["rules", "in", name] => {
                let file = files.iter_mut().find(|it| it.0 == *name);
                let file = file.unwrap_or_else(|| panic!("line {}: no `{name}`", fence.line));
                file.1.push_str(&fence.text);
            }
            ["rules", "error", _] | ["text" | "console" | "sh"] => {}
            other => panic!("line {}: what is {other:?}?", fence.line),
        }
    }
    files
}

#[test]
fn every_example_is_accepted() {
    let mut sources = Sources::new();
    let files: Vec<_> = files()
        .into_iter()
        .map(|(name, text, line)| (sources.add(name.clone(), text), name, line))
        .collect();
    for (id, name, line) in &files {
        let (tree, _) = parse(*id, &sources.get(*id).unwrap().text);
        let base = tree.header.as_ref().and_then(|it| match &it.kind {
            HeaderKind::Amendment { base, .. } => Some(base.text.clone()),
            HeaderKind::Part => Some(it.name.text.clone()),
            HeaderKind::Game => None,
        });
        let mut request = Request {
            base: *id,
            ..Request::default()
        };
        if let Some(base) = base {
            let file = |name: &str| files.iter().find(|it| it.1 == name).unwrap().0;
            request.amendments = vec![*id];
            // What it needs or speaks of is used with it.
            for item in &tree.items {
                match &item.kind {
                    ItemKind::Relation(it) if it.kind == RelationKind::Needs => {
                        request.amendments.push(file(it.unit.name.as_str()));
                    }
                    ItemKind::Resolve(it) => {
                        let others = it.units.iter().map(|it| it.name.as_str());
                        request
                            .amendments
                            .extend(others.filter(|it| it != name).map(file));
                    }
                    _ => {}
                }
            }
            request.base = file(&base);
        }
        let compiled = compile(&sources, &request);
        let said = report::plain(&sources, &compiled.diagnostics);
        assert!(said.is_empty(), "{name} (line {line}):\n{said}");
        let program = engine::compile(compiled.game.unwrap());
        let program = program.unwrap_or_else(|it| panic!("{}", report::plain(&sources, &it)));
        for ran in ruling::run_all(&program) {
            assert!(
                ran.verdict() == Verdict::Holds,
                "{name} (line {line}): {ran:?}"
            );
        }
        for study in &program.game.studies {
            let bounds = Bounds {
                plies: study.plies,
                positions: 10_000,
            };
            let answer = search(&program, study, bounds).expect("a search without a fault");
            assert!(answer.found.is_some(), "{name} (line {line}): {answer:?}");
        }
    }
}

#[test]
fn every_slip_gets_its_code() {
    for fence in fences() {
        let [rules, error, code] = fence.words.as_slice() else {
            continue;
        };
        if rules != "rules" || error != "error" {
            continue;
        }
        let mut sources = Sources::new();
        let base = sources.add("slip.rules", fence.text);
        let request = Request {
            base,
            ..Request::default()
        };
        let found = compile(&sources, &request).diagnostics;
        let codes: Vec<_> = found.iter().map(|it| it.code.id()).collect();
        assert_eq!(codes, [code], "line {}", fence.line);
    }
}

/// The words that the checker knows without a declaration.
fn built_in_words() -> Vec<&'static str> {
    let source = include_str!("../../src/check/builtin.rs");
    let (_, list) = source
        .split_once("[&str; ")
        .or(source.split_once("&[&str]"))
        .unwrap();
    let (list, _) = list.split_once("];").unwrap();
    list.split('"').skip(1).step_by(2).collect()
}

#[test]
fn every_word_of_the_language_has_an_example_that_runs() {
    let grammar = include_str!("../../grammar/rules.pest");
    let is_word = |it: &&str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_lowercase());
    let rules = grammar
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let mut words: BTreeSet<&str> = rules
        .flat_map(|line| line.split('"').skip(1).step_by(2))
        .filter(is_word)
        .collect();
    // Read so that the reader can say what is written instead.
    for slip in ["elif", "elseif", "elsif", "is"] {
        assert!(words.remove(slip), "{slip}");
    }
    words.extend(built_in_words());
    words.extend([
        "seat", "bool", "int", "me", "it", "straight", "oblique", "owner", "all", "base",
    ]);
    assert!(words.len() > 150, "{}", words.len());
    let code: String = files().into_iter().map(|it| it.1).collect();
    let lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let used: BTreeSet<&str> = lines
        .flat_map(|line| line.split('"').step_by(2))
        .flat_map(|code| code.split(|c| !is_part(c)))
        .collect();
    let missing: Vec<&&str> = words.difference(&used).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
