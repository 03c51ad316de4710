//! Each lint finds what its fixture shows and nothing else, explains itself, and mends what it can.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use adit::check::check;
use adit::cli::Exit;
use adit::compose::compose;
use adit::diagnostic::{Diagnostic, Severity};
use adit::lint::{self, Book, Fixed};
use adit::report;
use adit::source::{FileId, Sources};
use adit::syntax::{ast, parse};

use crate::command::adit;
use crate::fixtures::rule_files;

/// A rulebook and its amendments: names and texts.
type Texts = Vec<(String, String)>;

/// What was read of some texts, and what the lints say.
struct Read {
    sources: Sources,
    files: Vec<ast::File>,
    /// What is wrong with the texts, so that linting them is no use.
    errors: Vec<Diagnostic>,
    findings: Vec<Diagnostic>,
}

fn read(texts: &Texts) -> Read {
    let mut sources = Sources::new();
    let mut files = Vec::new();
    let mut errors = Vec::new();
    for (name, text) in texts {
        let id = sources.add(name, text);
        let (file, said) = parse(id, text);
        files.push(file);
        errors.extend(said);
    }
    let all: Vec<&ast::File> = files.iter().collect();
    let (base, amendments) = all.split_first().expect("at least one text");
    let (composed, said) = compose(base, amendments);
    errors.extend(said);
    let (game, said) = match &composed {
        Some(composed) => check(composed, &[], None),
        None => (None, Vec::new()),
    };
    errors.extend(said);
    errors.retain(Diagnostic::is_error);
    let findings = lint::lint(&Book {
        sources: &sources,
        files: &all,
        composed: composed.as_ref(),
        game: game.as_ref(),
    });
    Read {
        sources,
        files,
        errors,
        findings,
    }
}

impl Read {
    fn shown(&self, diagnostics: &[Diagnostic]) -> String {
        report::plain(&self.sources, diagnostics)
    }
}

/// Mends one text of several as far as it goes.
fn mended(texts: &Texts, at: usize) -> Fixed {
    let file = FileId(u16::try_from(at).expect("few texts"));
    lint::fix(&texts[at].1, file, &mut |text| {
        let mut texts = texts.clone();
        texts[at].1 = text.to_owned();
        read(&texts).findings
    })
}

fn has_safe_fix(finding: &Diagnostic) -> bool {
    finding.fix.as_ref().is_some_and(|fix| fix.safe)
}

// ---------- fixtures

/// A fixture: whole rulebooks under two headings. An amendment belongs to the game before it.
struct Fixture {
    path: PathBuf,
    code: String,
    errors: Vec<Texts>,
    ok: Vec<Texts>,
}

fn fixtures() -> Vec<Fixture> {
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
                let read = read(texts);
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
        let read = read(texts);
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

// ---------- fixes

/// All rulebooks that tests read, alone or on top of their base.
fn all_books() -> Vec<Texts> {
    let mut books: Vec<Texts> = fixtures()
        .into_iter()
        .flat_map(|it| it.errors.into_iter().chain(it.ok))
        .collect();
    for folder in [
        "rules",
        "tests/fixtures/games",
        "tests/fixtures/fragments",
        "tests/fixtures/samples",
    ] {
        for path in rule_files(folder) {
            let text = fs::read_to_string(&path).expect("a readable rulebook");
            books.push(vec![(path.display().to_string(), text)]);
        }
    }
    books
}

/// Writes a tree without places and without parentheses, which say nothing that it does not say.
fn bare(file: &ast::File) -> String {
    let text = format!("{:?} {:?}", file.header, file.items);
    let text = text.replace("parenthesised: true", "parenthesised: false");
    let is_place = |c: char| c.is_ascii_digit() || c == ':' || c == '.';
    text.split("span: ")
        .map(|part| part.trim_start_matches(is_place))
        .collect()
}

#[test]
fn fixed_texts_are_read_and_have_nothing_left_to_fix() {
    for texts in all_books() {
        for at in 0..texts.len() {
            let before = read(&texts);
            let fixed = mended(&texts, at);
            let mut texts = texts.clone();
            texts[at].1 = fixed.text;
            let after = read(&texts);
            let name = &texts[at].0;
            assert_eq!(
                after.errors.len(),
                before.errors.len(),
                "{name}\n{}",
                after.shown(&after.errors)
            );
            let file = after.files[at].file;
            let left = after
                .findings
                .iter()
                .find(|it| has_safe_fix(it) && it.span().is_some_and(|span| span.file == file));
            assert!(left.is_none(), "{name}: {left:?}");
        }
    }
}

// ---------- our own rulebooks

#[test]
fn our_rulebooks_have_nothing_to_lint() {
    let mut said = Vec::new();
    for folder in ["tests/fixtures/games", "tests/fixtures/fragments", "rules"] {
        for path in rule_files(folder) {
            let name = path.display().to_string();
            let mut texts = vec![(
                name,
                fs::read_to_string(&path).expect("a readable rulebook"),
            )];
            texts.splice(0..0, base_of(&path));
            let read = read(&texts);
            assert!(read.errors.is_empty(), "{}", read.shown(&read.errors));
            if !read.findings.is_empty() {
                said.push(read.shown(&read.findings));
            }
        }
    }
    assert!(said.is_empty(), "{}", said.join("\n"));
}

/// Returns the rulebook that a file amends: it lies in the same folder or in the one above.
fn base_of(path: &Path) -> Option<(String, String)> {
    let text = fs::read_to_string(path).ok()?;
    let ast::HeaderKind::Amendment { base, .. } = parse(FileId(0), &text).0.header?.kind else {
        return None;
    };
    let folders = path.ancestors().skip(1).take(2);
    let mut candidates = folders.map(|folder| folder.join(format!("{base}.rules")));
    let base = candidates.find(|it| it.exists())?;
    let text = fs::read_to_string(&base).ok()?;
    Some((base.display().to_string(), text))
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
    assert_eq!(shown.exit, Exit::No);
    assert!(shown.out.contains("2 findings"), "{}", shown.out);
    assert_eq!(fs::read_to_string(&path).expect("the file"), text);
    let json = adit(&line("--json"));
    assert!(json.out.contains("\"L109\""), "{}", json.out);
    let mended = adit(&line("--fix"));
    assert_eq!(mended.exit, Exit::Yes, "{}", mended.out);
    assert!(
        mended.out.contains("0 findings, 2 mended"),
        "{}",
        mended.out
    );
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

// ---------- parentheses

/// Writes an expression with parentheses wherever the next number is odd.
fn expression(choices: &mut impl Iterator<Item = u8>, depth: u32) -> String {
    let mut next = || choices.next().unwrap_or(0);
    let (kind, parenthesised) = (next() % 14, next() % 2 == 1);
    let mut inside = || expression(choices, depth + 1);
    let text = match if depth > 4 { kind % 4 } else { kind } {
        0 => String::from("p"),
        1 => String::from("3"),
        2 => String::from("next"),
        3 => String::from("f(p)"),
        4 => format!("{} and {}", inside(), inside()),
        5 => format!("{} in {}", inside(), inside()),
        6 => format!("not {}", inside()),
        7 => format!("count {}", inside()),
        8 => format!("{} - {}", inside(), inside()),
        9 => format!("{{ {} }}", inside()),
        10 => format!("{{ {} for p in {} }}", inside(), inside()),
        11 => format!("if {} then {} else {}", inside(), inside(), inside()),
        12 => format!("z[{}]", inside()),
        _ => format!("reach {{ p }} via q -> ({})", inside()),
    };
    if parenthesised {
        format!("({text})")
    } else {
        text
    }
}

fn parentheses_in(text: &str) -> Vec<Diagnostic> {
    let mut sources = Sources::new();
    let file = sources.add("g", text);
    let mut found = lint::lint(&Book {
        sources: &sources,
        files: &[&parse(file, text).0],
        composed: None,
        game: None,
    });
    found.retain(|it| it.code.id() == "L112");
    found
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config {
        cases: 256,
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn without_needless_parentheses_the_tree_is_the_same(numbers: Vec<u8>) {
        let value = expression(&mut numbers.into_iter(), 0);
        let text = format!(
            "game g \"G\" {{ seats a, b }}\nflow main(): bool {{\n    \
             x = {value}\n    y[{value}] = 3\n    return {value}\n}}\n"
        );
        let (before, wrong) = parse(FileId(0), &text);
        if wrong.is_empty() {
            let fixed = lint::fix(&text, FileId(0), &mut parentheses_in);
            let (after, wrong) = parse(FileId(0), &fixed.text);
            proptest::prop_assert!(wrong.is_empty(), "{text}\n{}", fixed.text);
            proptest::prop_assert_eq!(bare(&before), bare(&after), "{}\n{}", text, fixed.text);
        }
    }
}
