//! The examples of `docs/language.md` are what they claim to be.
//!
//! A fence marked `rules` is a complete file, or an amendment of a game shown before it. `rules in NAME`
//! goes on with the file of that name. `rules error CODE` is wrong on purpose.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use adit::check::BUILT_INS;
use adit::engine;
use adit::limits::LIMITS;
use adit::pipeline::{Request, compile};
use adit::report;
use adit::ruling::{self, Verdict};
use adit::source::{FileId, Sources};
use adit::study::{Bounds, search};
use adit::syntax::ast::{HeaderKind, ItemKind, RelationKind};
use adit::syntax::{RESERVED, parse};

use crate::command::adit_read;

/// An example as it stands in the page.
struct Fence {
    /// The line it begins at, from 1.
    line: usize,
    /// The words behind the backticks.
    words: Vec<String>,
    text: String,
}

/// The page of the language.
const LANGUAGE: &str = "docs/language.md";

fn path_of(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(page)
}

fn text_of(page: &str) -> String {
    fs::read_to_string(path_of(page)).unwrap()
}

fn page() -> String {
    text_of(LANGUAGE)
}

fn fences() -> Vec<Fence> {
    fences_of(&page())
}

fn fences_of(page: &str) -> Vec<Fence> {
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
                let name = match header.kind {
                    HeaderKind::Part => format!("part of {}", header.name.text),
                    _ => header.name.text,
                };
                files.push((name, fence.text, fence.line));
            }
            // A game that grows step by step stands there several times: what follows goes on with the last one.
            ["rules", "in", name] => {
                let file = files.iter_mut().rfind(|it| it.0 == *name);
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
            let file = |name: &str| files.iter().rfind(|it| it.1 == name).unwrap().0;
            request.amendments = vec![*id];
            // What it needs or speaks of is used with it.
            for item in &tree.items {
                match &item.kind {
                    ItemKind::Relation(it) if it.kind == RelationKind::Needs => {
                        request.amendments.push(file(it.unit.name.as_str()));
                    }
                    ItemKind::Resolve(it) => {
                        let files = it.units.iter().filter(|it| it.reading.is_none());
                        let others = files.map(|it| it.name.as_str());
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
            let answer =
                search(&program, study, bounds, &mut |_| true).expect("a search without a fault");
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
    for slip in ["elif", "elseif", "elsif", "except", "is"] {
        assert!(words.remove(slip), "{slip}");
    }
    words.extend(BUILT_INS.iter().map(|it| it.name));
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

/// Of what writes the page one thing at a time.
static WRITING: Mutex<()> = Mutex::new(());

/// A command of the page as it is run here: what it reads and keeps lies in this folder.
fn shown(session: &str, folder: &Path) -> String {
    let (command, said) = session.split_once('\n').unwrap_or((session, ""));
    let folder = format!("{}/", folder.display());
    let is_file = |it: &&str| it.ends_with(".rules") || it.ends_with(".jsonl");
    let placed = command.split(' ').map(|word| match is_file(&word) {
        true => format!("{folder}{word}"),
        false => word.to_owned(),
    });
    let placed: Vec<String> = placed.collect();
    // `anna> take 2`: what is asked, and what she types.
    let asked = said.lines().filter_map(|line| line.split_once("> "));
    let asked = asked.filter(|(seat, _)| !seat.contains(' '));
    let (seats, typed): (Vec<&str>, Vec<&str>) = asked.unzip();
    let read = adit_read(&placed.join(" "), &typed.join("\n")).replace(&folder, "");
    let mut typed = typed.iter();
    let mut shown = format!("{command}\n");
    for line in read.lines() {
        let mut line = line;
        // What is typed is no part of what is written, so the answer stands behind the question.
        while let Some((seat, behind)) = line.split_once("> ")
            && seats.contains(&seat)
        {
            let words = typed.next().copied().unwrap_or_default();
            shown.push_str(&format!("{seat}> {words}\n"));
            line = behind;
        }
        // Where a game is kept, and how it is called there, is otherwise each time.
        let kept = line.rsplit_once(env!("CARGO_TARGET_TMPDIR"));
        let line = match (kept, line.split_once("adit resume ")) {
            (Some((before, _)), _) => format!("{before}…"),
            (None, Some((before, _))) => format!("{before}adit resume …"),
            (None, None) => line.to_owned(),
        };
        shown.push_str(&format!("{line}\n"));
    }
    shown.trim_end().to_owned()
}

#[test]
fn the_sessions_of_the_page_are_real() {
    are_real(LANGUAGE);
}

#[test]
fn the_sessions_of_the_page_on_house_rules_are_real() {
    are_real("docs/house-rules.md");
}

/// Runs the sessions of a page, with the rulebooks that stand before them.
fn are_real(name: &str) {
    let _alone = WRITING.lock();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let mut files: HashMap<String, String> = HashMap::new();
    let page = text_of(name);
    let mut real = page.clone();
    let mut n_sessions = 0;
    for fence in fences_of(&page) {
        let words: Vec<&str> = fence.words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["rules"] => {
                let (file, _) = parse(FileId(0), &fence.text);
                let header = file.header.expect("a header");
                if header.kind != HeaderKind::Part {
                    files.insert(header.name.text, fence.text);
                }
            }
            ["rules", "in", name] => files.get_mut(*name).unwrap().push_str(&fence.text),
            ["text"] if fence.text.starts_with("$ adit ") => {
                for (name, text) in &files {
                    fs::write(folder.join(format!("{name}.rules")), text).unwrap();
                }
                let sessions = fence.text.split("$ adit ").skip(1);
                let sessions: Vec<String> = sessions
                    .map(|it| format!("$ adit {}\n", shown(it, &folder)))
                    .collect();
                n_sessions += sessions.len();
                real = real.replace(&fence.text, &sessions.join("\n"));
            }
            _ => {}
        }
    }
    assert!(n_sessions > 4, "{n_sessions}");
    let _ = fs::remove_dir_all(&folder);
    written_or_same(name, &page, &real);
}

/// A text with these words in one block of it, which is found by its heading and its number below that.
fn with_block(page: &str, heading: &str, number: usize, text: &str) -> String {
    let (before, behind) = page.split_once(heading).expect(heading);
    let mut blocks: Vec<&str> = behind.split("\n\n").collect();
    blocks[number] = text;
    format!("{before}{heading}{}", blocks.join("\n\n"))
}

/// Words one behind the other, in lines that are no longer than those of the page.
fn in_lines(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= 120 => *line = format!("{line} {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut found = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            found.push(',');
        }
        found.push(digit);
    }
    found
}

#[test]
fn what_the_reference_lists_is_what_the_program_knows() {
    let _alone = WRITING.lock();
    let page = page();
    let functions = BUILT_INS
        .iter()
        .map(|it| format!("| `{}` | {} |", it.form, it.meaning));
    let functions: Vec<String> = functions.collect();
    let table = format!("| | |\n|---|---|\n{}", functions.join("\n"));
    let words = format!(
        "These {} words cannot be names: `{}`.",
        RESERVED.len(),
        RESERVED.join(" ")
    );
    let limits = LIMITS.iter().map(|it| {
        in_lines(&format!(
            "- {}",
            it.sentence.replace("{}", &grouped(it.most))
        ))
    });
    let limits: Vec<String> = limits.map(|it| it.replace('\n', "\n  ")).collect();
    let mut real = with_block(&page, "### Built-in functions", 1, &table);
    real = with_block(&real, "### Reserved words", 1, &in_lines(&words));
    real = with_block(&real, "## Limits", 2, &limits.join("\n"));
    written_or_same(LANGUAGE, &page, &real);
}

fn written_or_same(name: &str, page: &str, real: &str) {
    if std::env::var("INSTA_UPDATE").is_ok_and(|it| it == "always") {
        fs::write(path_of(name), real).unwrap();
    }
    let written = page.lines().zip(real.lines()).find(|(a, b)| a != b);
    assert!(
        page == real,
        "{written:?}: INSTA_UPDATE=always cargo test --test it language_reference writes it"
    );
}

/// The address of a heading within the page.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase();
    let kept = kept
        .chars()
        .filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_'));
    kept.map(|it| if it == ' ' { '-' } else { it }).collect()
}

#[test]
fn every_link_within_the_page_leads_to_one_heading() {
    let page = page();
    let mut is_example = false;
    let mut headings = BTreeSet::new();
    for line in page.lines() {
        is_example ^= line.starts_with("```");
        if let Some(heading) = line.strip_prefix('#').filter(|_| !is_example) {
            let heading = heading.trim_start_matches('#').trim();
            assert!(
                headings.insert(anchor(heading)),
                "{heading} stands there twice"
            );
        }
    }
    let links: BTreeSet<&str> = page
        .split("](#")
        .skip(1)
        .filter_map(|it| it.split_once(')'))
        .map(|(link, _)| link)
        .collect();
    assert!(links.len() > 20, "{}", links.len());
    let dead: Vec<&&str> = links.iter().filter(|it| !headings.contains(**it)).collect();
    assert!(dead.is_empty(), "{dead:?}");
}
