//! Each lint finds what its fixture shows and nothing else, explains itself, and mends what it can.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use adit::check::check;
use adit::cli::Exit;
use adit::compose::compose;
use adit::diagnostic::{Diagnostic, Severity};
use adit::engine;
use adit::lint::{self, Book, Fixed, Games};
use adit::pipeline::joined;
use adit::report;
use adit::source::{FileId, Sources};
use adit::syntax::{ast, parse};

use crate::command::adit;
use crate::fixtures::{rulebook_files, with_bases};

/// A rulebook and its amendments: names and texts.
pub type Texts = Vec<(String, String)>;

/// What was read of some texts, and what the lints say.
pub struct Read {
    pub sources: Sources,
    pub files: Vec<ast::File>,
    /// What is wrong with the texts, so that linting them is no use.
    pub errors: Vec<Diagnostic>,
    pub findings: Vec<Diagnostic>,
}

pub fn read(texts: &Texts) -> Read {
    read_and_play(texts, 0)
}

/// Reads texts and lints them; with random games where a number is given.
fn read_and_play(texts: &Texts, games: u64) -> Read {
    let mut sources = Sources::new();
    let mut files = Vec::new();
    let mut errors = Vec::new();
    for (name, text) in texts {
        let id = sources.add(name, text);
        let (file, said) = parse(id, text);
        files.push(file);
        errors.extend(said);
    }
    let (files, said) = joined(files);
    errors.extend(said);
    let all: Vec<&ast::File> = files.iter().collect();
    let (base, amendments) = all.split_first().expect("at least one text");
    let (composed, said) = compose(base, amendments, &[]);
    errors.extend(said);
    let (game, said) = match &composed {
        Some(composed) => check(composed, &[], None),
        None => (None, Vec::new()),
    };
    errors.extend(said);
    errors.retain(Diagnostic::is_error);
    let game = game.map(Arc::new);
    let program = game
        .as_ref()
        .filter(|_| games > 0)
        .and_then(|game| engine::compile(Arc::clone(game)).ok());
    let games = program
        .as_ref()
        .map(|program| Games::play(program, games, &|| true));
    let findings = lint::lint(&Book {
        sources: &sources,
        files: &all,
        composed: composed.as_ref(),
        game: game.as_deref(),
        played: games.as_ref(),
    });
    Read {
        sources,
        files,
        errors,
        findings,
    }
}

impl Read {
    pub fn shown(&self, diagnostics: &[Diagnostic]) -> String {
        report::plain(&self.sources, diagnostics)
    }
}

/// Mends one text of several as far as it goes.
pub fn mended(texts: &Texts, at: usize) -> Fixed {
    let file = FileId(u16::try_from(at).expect("few texts"));
    lint::fix(&texts[at].1, file, &mut |text| {
        let mut texts = texts.clone();
        texts[at].1 = text.to_owned();
        read(&texts).findings
    })
}

// ---------- fixtures

/// A fixture: whole rulebooks under two headings. An amendment belongs to the game before it.
pub struct Fixture {
    path: PathBuf,
    code: String,
    pub errors: Vec<Texts>,
    pub ok: Vec<Texts>,
}

impl Fixture {
    /// How many games its lint plays.
    fn games(&self) -> u64 {
        match self.code.as_str() {
            "L119" | "L150" | "L154" | "L172" => 20,
            "L147" => 2,
            _ => 0,
        }
    }
}

pub fn fixtures() -> Vec<Fixture> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/lint");
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths.into_iter().map(fixture).collect()
}

fn fixture(path: PathBuf) -> Fixture {
    let page = fs::read_to_string(&path).expect("a readable fixture");
    let stem = path.file_stem().and_then(|it| it.to_str()).unwrap_or("");
    let code = stem.split('-').next().unwrap_or("").to_owned();
    let mut fixture = Fixture {
        code,
        errors: Vec::new(),
        ok: Vec::new(),
        path,
    };
    let mut section: Option<&mut Vec<Texts>> = None;
    let mut fence: Option<String> = None;
    for line in page.lines() {
        match (&mut fence, line) {
            (None, "# Errors") => section = Some(&mut fixture.errors),
            (None, "# OK") => section = Some(&mut fixture.ok),
            (None, "```rules") => fence = Some(String::new()),
            (None, _) => assert!(
                !line.starts_with("```"),
                "{}: {line}",
                fixture.path.display()
            ),
            (Some(_), "```") => {
                let text = fence.take().unwrap_or_default();
                let books = section.as_mut().expect("a fence stands under a heading");
                add_text(books, text);
            }
            (Some(text), _) => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    assert!(
        fence.is_none(),
        "{} ends in a fence",
        fixture.path.display()
    );
    fixture
}

fn add_text(books: &mut Vec<Texts>, text: String) {
    let header = parse(FileId(0), &text).0.header.expect("a header");
    let named = (format!("{}.rules", header.name), text);
    match (header.kind, books.last_mut()) {
        (ast::HeaderKind::Amendment { .. }, Some(book)) => book.push(named),
        _ => books.push(vec![named]),
    }
}

#[test]
fn every_lint_is_explained_tested_and_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut modules = BTreeSet::new();
    let mut expected = BTreeSet::new();
    for lint in lint::ALL {
        let (id, name) = (lint.code.id(), lint.code.name());
        assert!(id.starts_with("L1"), "{id}");
        assert_ne!(
            lint.code.severity(),
            Severity::Error,
            "{id} would block play"
        );
        modules.insert(format!("{}.rs", name.replace('-', "_")));
        let page = fs::read_to_string(root.join(format!("docs/codes/{id}.md"))).unwrap_or_default();
        assert!(
            page.starts_with(&format!("# {id} {name}\n")),
            "{id} has no page"
        );
        for heading in ["## Why", "## Example", "## Instead", "## Allow"] {
            assert!(
                page.contains(heading),
                "the page of {id} has no `{heading}`"
            );
        }
        assert!(
            page.contains(&format!("allow({id}, ")),
            "{id}: how is it allowed?"
        );
        expected.insert(format!("{id}-{name}"));
    }
    let list = fs::read_to_string(root.join("docs/linting.md")).unwrap_or_default();
    let missing = lint::ALL.iter().map(|it| it.code.id());
    let missing: Vec<&str> = missing.filter(|id| !list.contains(id)).collect();
    assert!(missing.is_empty(), "docs/linting.md leaves out {missing:?}");
    let stems = |folder: &str, ending: &str| -> BTreeSet<String> {
        let entries = fs::read_dir(root.join(folder))
            .into_iter()
            .flatten()
            .flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names
            .filter_map(|it| Some(it.strip_suffix(ending)?.to_owned()))
            .collect()
    };
    assert_eq!(stems("tests/fixtures/lint", ".md"), expected);
    assert_eq!(stems("snapshots/lint", ".snap"), expected);
    modules.insert(String::from("mod.rs"));
    let files = stems("src/lint/rules", "");
    assert_eq!(
        files, modules,
        "one lint, one file, and its code is named like it"
    );
    let lints: BTreeSet<&str> = lint::ALL.iter().map(|it| it.code.id()).collect();
    let table = adit::diagnostic::codes::ALL.iter().map(|code| code.id());
    let table: BTreeSet<&str> = table.filter(|id| id.starts_with('L')).collect();
    assert_eq!(lints, table, "a code L1NN is a lint, and runs");
}

#[test]
fn fixtures_show_what_is_found() {
    let mut wrong = Vec::new();
    for fixture in fixtures() {
        let place = fixture.path.display();
        if fixture.errors.is_empty() || fixture.ok.is_empty() {
            wrong.push(format!("{place}: both headings need an example"));
        }
        let only = BTreeSet::from([fixture.code.as_str()]);
        let sections = [(&fixture.errors, only), (&fixture.ok, BTreeSet::new())];
        for (books, expected) in sections {
            for texts in books {
                let read = read_and_play(texts, fixture.games());
                if !read.errors.is_empty() {
                    wrong.push(format!("{place}\n{}", read.shown(&read.errors)));
                }
                let codes: BTreeSet<&str> = read.findings.iter().map(|it| it.code.id()).collect();
                if codes != expected {
                    let found = read.shown(&read.findings);
                    wrong.push(format!("{place}: {expected:?} expected\n{found}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn findings_read_well() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots/lint"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for fixture in fixtures() {
        let name = fixture
            .path
            .file_stem()
            .and_then(|it| it.to_str())
            .unwrap_or("");
        settings.bind(|| insta::assert_snapshot!(name, shown(&fixture)));
    }
}

/// Writes the texts of a fixture, what is found in them, and what `--fix` makes of them.
fn shown(fixture: &Fixture) -> String {
    let mut page = String::new();
    for texts in &fixture.errors {
        for (_, text) in texts {
            page.push_str(text);
            page.push('\n');
        }
        let read = read_and_play(texts, fixture.games());
        page.push_str(&report::graphical(
            &read.sources,
            &read.findings,
            report::Look::default(),
        ));
        page.push_str("\n\n");
        for (at, (_, text)) in texts.iter().enumerate() {
            let fixed = mended(texts, at);
            if fixed.n_fixes > 0 {
                page.push_str(&format!(
                    "--fix changes\n{}\n",
                    changed_lines(text, &fixed.text)
                ));
            }
        }
        page.push_str("────────\n\n");
    }
    page
}

fn changed_lines(before: &str, after: &str) -> String {
    let kept = |text: &'_ str, line: &str| text.lines().any(|it| it == line);
    let gone = before
        .lines()
        .filter(|line| !kept(after, line))
        .map(|line| format!("- {line}\n"));
    let new = after
        .lines()
        .filter(|line| !kept(before, line))
        .map(|line| format!("+ {line}\n"));
    gone.chain(new).collect()
}

// ---------- our own rulebooks

#[test]
fn our_rulebooks_have_nothing_to_lint() {
    let mut said = Vec::new();
    for folder in ["tests/fixtures/games", "tests/fixtures/fragments", "rules"] {
        for path in rulebook_files(folder) {
            let chain = with_bases(&path).into_iter();
            let texts: Texts = chain
                .map(|path| {
                    let text = fs::read_to_string(&path).expect("a readable rulebook");
                    (path.display().to_string(), text)
                })
                .collect();
            let read = read(&texts);
            assert!(read.errors.is_empty(), "{}", read.shown(&read.errors));
            if !read.findings.is_empty() {
                said.push(read.shown(&read.findings));
            }
        }
    }
    assert!(said.is_empty(), "{}", said.join("\n"));
}

// ---------- the command

#[test]
fn the_command_shows_mends_and_is_content() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lint_me.rules");
    let text = "game g \"G\" { seats a, b }\n\
        track lit: bool = true\n\
        flow main() { if (lit == true) { lit = false } end over() }\n\
        ending over() { winner none }\n";
    fs::write(&path, text).expect("a file for the test");
    let line = |options: &str| format!("lint \"{}\" {options}", path.display());
    let shown = adit(&line("--plain"));
    shown.says(Exit::No, "2 findings");
    assert_eq!(fs::read_to_string(&path).expect("the file"), text);
    let json = adit(&line("--json"));
    assert!(json.out.contains("\"L109\""), "{}", json.out);
    let mended = adit(&line("--fix"));
    mended.says(Exit::Yes, "0 findings, 2 mended");
    let now = fs::read_to_string(&path).expect("the file");
    assert_eq!(now, text.replace("(lit == true)", "lit"));
}

#[test]
fn errors_are_shown_without_lints() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lint_broken.rules");
    let text = "game g \"G\" { seats a, b }\ntrack lit: bool = (true)\nflow main() { what() }\n";
    fs::write(&path, text).expect("a file for the test");
    let shown = adit(&format!("lint \"{}\" --plain --fix", path.display()));
    assert_eq!(shown.exit, Exit::Failure);
    let said = shown.out + &shown.err;
    assert!(
        said.contains("error[E03") && !said.contains("[L1"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(&path).expect("the file"), text);
}
