//! The examples of `docs/language.md` are what they claim to be.
//!
//! A fence marked `rules` is a complete file, or an amendment of a game shown before it. `rules in NAME`
//! goes on with the file of that name. `rules error CODE` is wrong on purpose.

use adit::source::FileId;
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
fn every_example_is_read() {
    for (name, text, line) in files() {
        let (_, diagnostics) = parse(FileId(0), &text);
        let said: Vec<_> = diagnostics
            .iter()
            .map(|it| (it.span(), &it.message))
            .collect();
        assert!(said.is_empty(), "{name} (line {line}): {said:?}");
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
        let (_, diagnostics) = parse(FileId(0), &fence.text);
        let codes: Vec<_> = diagnostics.iter().map(|it| it.code.id()).collect();
        assert_eq!(codes, [code], "line {}", fence.line);
    }
}
