//! Whatever is typed, the server answers; and what it found in the end is what the commands find.

use std::path::Path;

use adit::library;
use adit::source::FileId;
use adit::syntax::ast::{Binds, File, Name, Role, Use, Visitor};
use adit::syntax::{Items, parse, parse_after};
use serde_json::{Value, json};

use super::editor::{Editor, place_at};
use crate::command::adit;
use crate::fixtures::width;

/// What is put somewhere.
const SNIPPETS: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\"\"\"",
    "\n",
    "//",
    "///",
    " ",
    ".",
    ":",
    "=",
    "=>",
    "..",
    "{x}",
    "🂱",
    "ä",
    "\r\n",
    "\u{202e}",
    "0",
    "99999999999999999999",
    "define foo(",
    "if ",
    "set ",
    "remove ",
    "not ",
    "none",
    "game x \"X\" { }\n",
];

/// What is asked meanwhile.
const REQUESTS: &[&str] = &[
    "hover",
    "definition",
    "completion",
    "references",
    "documentHighlight",
    "documentSymbol",
    "foldingRange",
    "codeAction",
    "formatting",
    "semanticTokens/full",
    "inlayHint",
    "codeLens",
    "prepareRename",
    "rename",
];

struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        it ^= it >> 31;
        (it % most.max(1) as u64) as usize
    }

    /// A place of a text that is between two letters.
    fn place(&mut self, text: &str) -> usize {
        let mut at = self.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

/// Puts other words at a place, in the editor too; returns what was there before.
fn edit(
    editor: &mut Editor,
    name: &str,
    text: &mut String,
    range: std::ops::Range<usize>,
    words: &str,
) -> String {
    let at = json!({ "start": place_at(text, range.start), "end": place_at(text, range.end) });
    let old = text[range.clone()].to_owned();
    text.replace_range(range, words);
    editor.change(name, json!([{ "range": at, "text": words }]));
    old
}

fn any_edit(numbers: &mut Numbers, text: &str) -> (std::ops::Range<usize>, String) {
    let start = numbers.place(text);
    let mut end = (start + numbers.below(3) * numbers.below(20)).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let words = match numbers.below(4) {
        0 => String::new(),
        1 => {
            let (one, other) = (numbers.place(text), numbers.place(text));
            let (from, to) = (one.min(other), one.max(other));
            text[from..to].chars().take(60).collect()
        }
        _ => SNIPPETS[numbers.below(SNIPPETS.len())].to_owned(),
    };
    (start..end, words)
}

/// Asks something about a place; an answer and a refusal are both well, a failure is not.
fn ask(editor: &mut Editor, numbers: &mut Numbers, name: &str, text: &str) {
    let method = REQUESTS[numbers.below(REQUESTS.len())];
    let at = place_at(text, numbers.place(text));
    let params = json!({
        "textDocument": { "uri": editor.uri(name) },
        "position": at,
        "range": { "start": at, "end": at },
        "context": { "diagnostics": [], "includeDeclaration": true },
        "newName": "quite_new",
        "options": { "tabSize": 4, "insertSpaces": true },
    });
    let answer = editor.asked(&format!("textDocument/{method}"), params);
    if let Err(error) = answer.response_result {
        assert_eq!(
            error.code, -32803,
            "{method} at {at} of\n{text}\n{}",
            error.message
        );
    }
}

/// The codes and lines of what the commands find in a file on the disk.
fn commanded(path: &Path) -> Vec<(String, u64)> {
    let path = path.to_str().unwrap();
    let mut all = Vec::new();
    for command in ["check", "lint"] {
        let ran = adit(&format!("{command} --json {path}"));
        let told: Value = serde_json::from_str(&ran.out).unwrap();
        for it in told["findings"].as_array().unwrap() {
            let label = &it["labels"][0];
            if label["file"] == path {
                let line = label["line"].as_u64().unwrap() - 1;
                all.push((it["code"].as_str().unwrap().to_owned(), line));
            }
        }
    }
    all.sort();
    all.dedup();
    all
}

fn lines(found: &Value) -> Vec<(String, u64)> {
    let all = found.as_array().unwrap().iter().map(|it| {
        let line = it["range"]["start"]["line"].as_u64().unwrap();
        (it["code"].as_str().unwrap().to_owned(), line)
    });
    let mut all: Vec<_> = all.collect();
    all.sort();
    all.dedup();
    all
}

fn typed(shipped: &library::Shipped, n_edits: u64) {
    let name = Path::new(shipped.path)
        .file_name()
        .unwrap()
        .to_str()
        .unwrap();
    let mut numbers = Numbers(shipped.text.len() as u64);
    let mut editor = Editor::beside_parts_of(shipped);
    let mut text = shipped.text.to_owned();
    editor.open(name, &text);
    let mut undo: Vec<(usize, usize, String)> = Vec::new();
    for nth in 0..n_edits {
        // Now and then everything is taken back.
        if nth % 13 == 12 {
            while let Some((start, length, old)) = undo.pop() {
                edit(&mut editor, name, &mut text, start..start + length, &old);
            }
            assert_eq!(text, shipped.text);
        }
        let (range, words) = any_edit(&mut numbers, &text);
        let old = edit(&mut editor, name, &mut text, range.clone(), &words);
        undo.push((range.start, words.len(), old));
        if nth % 3 == 0 {
            ask(&mut editor, &mut numbers, name, &text);
        }
    }
    let path = editor.save(name, &text);
    let wanted = commanded(&path);
    let is_broken = wanted.iter().any(|(code, _)| code.starts_with("E01"));
    editor.findings_until(name, |found| {
        let found = lines(found);
        match is_broken {
            true => wanted.iter().all(|it| found.contains(it)),
            false => found == wanted,
        }
    });
    while let Some((start, length, old)) = undo.pop() {
        edit(&mut editor, name, &mut text, start..start + length, &old);
    }
    let path = editor.save(name, &text);
    let wanted = commanded(&path);
    editor.findings_until(name, |found| lines(found) == wanted);
    assert!(editor.end());
}

#[test]
fn whatever_is_typed_the_findings_are_those_of_the_commands() {
    let n_files = width(3, 6, library::FILES.len() as u64) as usize;
    let small = |it: &&library::Shipped| !cfg!(debug_assertions) || it.text.len() < 12_000;
    let files: Vec<_> = library::FILES.iter().filter(small).collect();
    let step = files.len().div_ceil(n_files);
    for shipped in files.iter().step_by(step) {
        typed(shipped, width(40, 100, 2_000));
    }
}

/// Where the names of a text stand, which a tree does not show when it is printed.
struct Places(Vec<(String, u32, u32)>);

impl Places {
    fn of(file: &File) -> Places {
        let mut places = Places(Vec::new());
        file.items
            .iter()
            .for_each(|it| places.item(it, Role::Plain));
        places
    }

    fn see(&mut self, name: &Name) {
        let Name { text, span } = name;
        self.0.push((text.clone(), span.start, span.end));
    }
}

impl<'t> Visitor<'t> for Places {
    fn bind(&mut self, name: &'t Name, _binds: Binds) {
        self.see(name);
    }

    fn name(&mut self, name: &'t Name, _used_as: Use) {
        self.see(name);
    }
}

#[test]
fn an_item_of_the_former_text_is_read_as_if_it_were_new() {
    for shipped in library::FILES.iter().step_by(width(7, 2, 1) as usize) {
        let mut numbers = Numbers(shipped.text.len() as u64);
        let mut text = shipped.text.to_owned();
        let mut items = Items::default();
        for nth in 0..width(3, 10, 30) {
            let (kept, found) = parse_after(FileId(7), &text, &mut items);
            let (fresh, wanted) = parse(FileId(7), &text);
            let told = |file: &File, found| format!("{file:?} {found:?}");
            assert!(told(&kept, found) == told(&fresh, wanted), "{text}");
            assert_eq!(Places::of(&kept).0, Places::of(&fresh).0, "{text}");
            // What was typed is taken back now and then, and something is written twice.
            match nth % 4 {
                2 => shipped.text.clone_into(&mut text),
                3 => text = format!("{text}\n{}", shipped.text),
                _ => {
                    let (range, words) = any_edit(&mut numbers, &text);
                    text.replace_range(range, &words);
                }
            }
        }
    }
}
