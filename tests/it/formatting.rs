//! Formatting keeps what is written.

use adit::format::format;
use adit::source::FileId;
use adit::syntax::{ast::File, parse};
use proptest::prelude::*;

use crate::fixtures::{property, rule_files};

fn texts() -> Vec<(String, String)> {
    let folders = [
        "rules",
        "tests/fixtures/games",
        "tests/fixtures/fragments",
        "tests/fixtures/samples",
        "tests/fixtures/questions",
    ];
    let paths = folders.into_iter().flat_map(rule_files);
    let read = |path: std::path::PathBuf| {
        (
            path.display().to_string(),
            std::fs::read_to_string(&path).unwrap(),
        )
    };
    paths.map(read).collect()
}

fn tree(text: &str) -> File {
    let (file, diagnostics) = parse(FileId(0), text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}\n{text}");
    file
}

fn comments(file: &File) -> Vec<&str> {
    let mut comments: Vec<&str> = file.comments.iter().map(|it| it.text.as_str()).collect();
    comments.sort_unstable();
    comments
}

fn assert_kept(name: &str, text: &str) {
    let before = tree(text);
    let once = format(FileId(0), text).unwrap();
    let after = tree(&once);
    assert!(
        before.header == after.header && before.items == after.items,
        "{name}: another tree\n{text}\n=====>\n{once}"
    );
    assert_eq!(
        comments(&before),
        comments(&after),
        "{name}: a comment is lost\n{text}\n=====>\n{once}"
    );
    let twice = format(FileId(0), &once).unwrap();
    let differs = once.lines().zip(twice.lines()).position(|(a, b)| a != b);
    let around = |text: &str| -> Vec<String> {
        let first = differs.unwrap_or(0).saturating_sub(3);
        text.lines().skip(first).take(6).map(String::from).collect()
    };
    assert!(
        once == twice,
        "{name}: not idempotent\n{:#?}\n=====>\n{:#?}",
        around(&once),
        around(&twice)
    );
}

/// Writes other blanks and comments where there are blanks.
fn spread(text: &str, mut seed: u64) -> String {
    const BLANKS: [&str; 8] = [
        " ",
        " // with } { \"signs\n",
        "  ",
        "\n",
        "\n    ",
        "\n\n\n  ",
        " // aside\n",
        "\n// own line\n",
    ];
    let mut out = String::new();
    let (mut in_text, mut in_line, mut escaped) = (false, false, false);
    let mut at_blank = false;
    for (at, c) in text.char_indices() {
        if c == '/' && text[at..].starts_with("//") && !in_text {
            in_line = true;
        }
        if c == '\n' && in_line {
            in_line = false;
            out.push('\n');
            at_blank = true;
            continue;
        }
        if c == '"' && !escaped && !in_line {
            in_text = !in_text;
        }
        escaped = c == '\\' && !escaped;
        if c.is_whitespace() && !in_text && !in_line {
            if !at_blank {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                out.push_str(BLANKS[(seed >> 61) as usize]);
            }
            at_blank = true;
            continue;
        }
        at_blank = false;
        out.push(c);
    }
    out
}

#[test]
fn fmt_keeps_the_tree_and_the_comments_and_is_idempotent() {
    for (name, text) in texts() {
        assert_kept(&name, &text);
    }
}

/// The rulebooks are laid out as `fmt` lays them out, and the page of the language writes things the same way; only where
/// its lines end and what stands in columns is its own.
#[test]
fn what_people_read_is_written_as_fmt_writes_it() {
    for path in rule_files("rules") {
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(
            format(FileId(0), &text).unwrap(),
            text,
            "{}",
            path.display()
        );
    }
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/language.md");
    let page = std::fs::read_to_string(page).unwrap();
    let blocks = page.split("```rules\n").skip(1);
    let blocks: Vec<&str> = blocks.filter_map(|it| it.split("```").next()).collect();
    assert!(blocks.len() > 8, "{}", blocks.len());
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for block in blocks {
        let formatted = format(FileId(0), block).unwrap();
        assert_eq!(words(&formatted), words(block));
    }
}

proptest! {
    #![proptest_config(property(64))]

    #[test]
    fn fmt_keeps_the_tree_however_it_is_spread(seed: u64, which: prop::sample::Index) {
        let texts = texts();
        let (name, text) = which.get(&texts);
        assert_kept(name, &spread(text, seed));
    }
}
