//! What a finding advises to write can be written.
//!
//! Whatever stands between backticks in a help is read by the grammar at each place where a piece of a
//! rulebook can stand; it must fit one of them. A word by itself must be one that the grammar knows.
//! The helps are those that the fixtures of broken rulebooks get, and those that stand in the source.

use std::collections::BTreeSet;

use adit::diagnostic::Diagnostic;
use adit::pipeline::{Request, compile};
use adit::source::{FileId, Sources};
use adit::syntax::parse;

use crate::fixtures::rule_files;

/// Where a piece of a rulebook can stand, in its game or amendment; `@` is the piece.
const PLACES: &[&str] = &[
    "@",
    "game g \"G\" { seats a, b }\n@",
    "variant v \"V\" for g { }\n@",
    "variant v \"V\" for g { }\nremove x @",
    "variant v \"V\" for g { }\nforbid @ label l when true",
    "variant v \"V\" for g { }\nforbid x label l when true @",
    "variant v \"V\" for g { }\n@ label l when true",
    "variant v \"V\" for g { }\n@ to E { x }",
    "variant v \"V\" for @ { }",
    "variant v \"V\" @ { }",
    "variant v \"V\" for g @ { }",
    "variant v \"V\" for g { }\n@ { }",
    "game g \"G\" { @ }",
    "game g \"G\" { seats a, b }\ndefine x: bool = @",
    "game g \"G\" { seats a, b }\ndefine x: @ = y",
    "game g \"G\" { seats a, b }\ndefine x(@): bool = y",
    "game g \"G\" { seats a, b }\ndefine x@: bool = y",
    "game g \"G\" { seats a, b }\ndefine x: bool @ = y",
    "game g \"G\" { seats a, b }\ndefine x: bool = by y { @ }",
    "game g \"G\" { seats a, b }\ndefine x: set of C = { y in z @ }",
    "game g \"G\" { seats a, b }\ndefine x: bool = y @ z",
    "game g \"G\" { seats a, b }\ndefine x: bool = y @",
    "game g \"G\" { seats a, b }\ndefine x: bool = @ y",
    "game g \"G\" { seats a, b }\nevent x() { @ }",
    "game g \"G\" { seats a, b }\n@() { }",
    "game g \"G\" { seats a, b }\nevent x() { x @ y }",
    "game g \"G\" { seats a, b }\nevent x() { for each y in @ { } }",
    "game g \"G\" { seats a, b }\nevent x() { for each y in z @ { } }",
    "game g \"G\" { seats a, b }\nevent x() { choose a: @ }",
    "game g \"G\" { seats a, b }\nevent x() { choose a: x @ y }",
    "game g \"G\" { seats a, b }\nevent x() { choose chance y in z @ }",
    "game g \"G\" { seats a, b }\nevent x() { repeat { } @ }",
    "game g \"G\" { seats a, b }\nevent x() { @ to y }",
    "game g \"G\" { seats a, b }\nevent x() { @ with y }",
    "game g \"G\" { seats a, b }\nevent x() { @ { } }",
    "game g \"G\" { seats a, b }\nevent x() { if y { } @ z { } }",
    "game g \"G\" { seats a, b }\naction x(@) { }",
    "game g \"G\" { seats a, b }\naction x() { @ }",
    "game g \"G\" { seats a, b }\naction x() { require y: true @ }",
    "game g \"G\" { seats a, b }\nflow x() @ { }",
    "game g \"G\" { seats a, b }\nspace S: @",
    "game g \"G\" { seats a, b }\nenum E @ { x }",
    "game g \"G\" { seats a, b }\nzone x: one Card @",
    "game g \"G\" { seats a, b }\nzone x: one Card @ 3",
    "game g \"G\" { seats a, b }\nzone x@: one Card",
    "game g \"G\" { seats a, b }\nzone x: @ Card",
    "game g \"G\" { seats a, b }\nzone x: one Card seen by @",
    "game g \"G\" { seats a, b }\ntrack x: bool @",
    "game g \"G\" { seats a, b }\ntable x[C]: bool { @ }",
    "game g \"G\" { seats a, b }\noption x @ \"text\"",
    "game g \"G\" { seats a, b }\nquestion x \"text\" @",
    "game g \"G\" { seats a, b }\nquestion x \"text\" { y \"text\" @ }",
    "game g \"G\" { seats a, b }\nruling x \"text\" @ { expect true }",
    "game g \"G\" { seats a, b }\nruling x \"text\" { @ }",
    "game g \"G\" { seats a, b }\nruling x \"text\" { given { @ } expect true }",
    "game g \"G\" { seats a, b }\nruling x \"text\" { @ expect true }",
    "game g \"G\" { seats a, b }\npicture x(t, s) { @ }",
];

/// What stands where the help leaves something open.
const FILLINGS: &[&str] = &[
    "",
    "x",
    "x: x",
    "\"x\"",
    "x to y",
    "+",
    "1",
    "{ }",
    "x == y { z => 1 }",
];

/// Returns whether the whole text is read without a word said.
fn is_read(text: &str) -> bool {
    parse(FileId(0), text).1.is_empty()
}

/// Returns whether this is a word or sign of the grammar.
fn is_a_word(piece: &str) -> bool {
    let grammar = include_str!("../../grammar/rules.pest");
    let quoted = |word: &str| grammar.contains(&format!("\"{}\"", word.replace('"', "\\\"")));
    quoted(piece)
}

/// Returns whether this is a command, or an argument of one.
fn is_a_command(piece: &str) -> bool {
    let page = include_str!("../../docs/cli.md");
    let mut words = piece.split_whitespace();
    let (first, second) = (words.next(), words.next());
    match first {
        Some("adit") => second.is_some_and(|it| page.contains(&format!("adit {it} "))),
        Some(word) if word.starts_with("--") => page.contains(&format!("{word} ")),
        // An order at the prompt.
        Some(_) => {
            let order = piece.trim_start_matches(':');
            include_str!("../../src/cli/table/orders.rs").contains(&format!("\n  {order}  "))
        }
        None => false,
    }
}

fn can_be_written(piece: &str) -> bool {
    let fits = |piece: &str| {
        let mut places = PLACES.iter();
        places.any(|place| is_read(&place.replacen('@', piece, 1)))
    };
    if piece.starts_with("--") || piece.starts_with("adit ") {
        return is_a_command(piece);
    }
    let is_json = piece.starts_with("{\"");
    let is_escape =
        piece.starts_with('\\') && is_read(&format!("game g \"{piece}\" {{ seats a, b }}"));
    is_json
        || is_escape
        || is_a_word(piece)
        || is_a_command(piece)
        || FILLINGS
            .iter()
            .any(|filling| fits(&piece.replace('…', filling)))
}

/// Returns what stands between backticks.
fn pieces(help: &str) -> impl Iterator<Item = &str> {
    help.split('`').skip(1).step_by(2)
}

/// The findings about all fixtures that are wrong on purpose.
fn findings() -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut of = |texts: &[(String, String)]| {
        let mut sources = Sources::new();
        let mut files = texts
            .iter()
            .map(|(name, text)| sources.add(name.clone(), text.clone()));
        let base = files.next().expect("a game");
        let amendments = files.collect();
        let request = Request {
            base,
            amendments,
            ..Request::default()
        };
        let compiled = compile(&sources, &request);
        found.extend(compiled.diagnostics);
        if let Some(game) = compiled.game {
            found.extend(adit::engine::compile(game).err().into_iter().flatten());
        }
    };
    let read = |path: &std::path::Path| std::fs::read_to_string(path).unwrap();
    let name = |path: &std::path::Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut folders: BTreeSet<std::path::PathBuf> = BTreeSet::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/broken");
    for path in rule_files("tests/fixtures/broken") {
        if path.parent() == Some(&root) {
            of(&[(name(&path), read(&path))]);
        } else {
            folders.insert(path.parent().unwrap().to_path_buf());
        }
    }
    for folder in folders {
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|it| it.unwrap().path())
            .collect();
        paths.sort_by_key(|path| {
            (
                path.file_name() != Some("game.rules".as_ref()),
                path.clone(),
            )
        });
        let texts: Vec<_> = paths.iter().map(|it| (name(it), read(it))).collect();
        of(&texts);
    }
    let market = read(&root.parent().unwrap().join("amend/market.rules"));
    for path in rule_files("tests/fixtures/amend") {
        let text = read(&path);
        let mut texts: Vec<_> = text
            .split("//// ")
            .skip(1)
            .filter_map(|part| part.split_once('\n'))
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .collect();
        if texts.first().is_some_and(|it| it.0 != "base.rules") {
            texts.insert(0, ("market.rules".to_owned(), market.clone()));
        }
        if !texts.is_empty() {
            of(&texts);
        }
    }
    found
}

#[test]
fn what_a_help_advises_to_write_can_be_written() {
    let found = findings();
    let helps: BTreeSet<&str> = found.iter().filter_map(|it| it.help.as_deref()).collect();
    assert!(helps.len() > 100, "{}", helps.len());
    let wrong: Vec<String> = helps
        .iter()
        .flat_map(|help| pieces(help).map(move |piece| (help, piece)))
        .filter(|(_, piece)| !can_be_written(piece))
        .map(|(help, piece)| format!("`{piece}` in: {help}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The texts in quotes in a stretch of Rust, with what they leave open as `…`.
fn quoted(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find('"') {
        rest = &rest[at + 1..];
        let mut text = String::new();
        let mut letters = rest.char_indices();
        let end = loop {
            match letters.next() {
                Some((_, '\\')) => text.extend(letters.next().map(|it| it.1)),
                Some((at, '"')) => break at + 1,
                Some((_, letter)) => text.push(letter),
                None => break rest.len(),
            }
        };
        rest = &rest[end..];
        found.push(text);
    }
    found
}

/// From the first bracket to the one that closes it.
fn bracketed(code: &str) -> &str {
    let mut depth = 0_i32;
    let mut in_text = false;
    let mut escaped = false;
    for (at, letter) in code.char_indices() {
        match letter {
            '"' if !escaped => in_text = !in_text,
            '(' if !in_text => depth += 1,
            ')' if !in_text => {
                depth -= 1;
                if depth == 0 {
                    return &code[..at];
                }
            }
            _ => {}
        }
        escaped = letter == '\\' && !escaped;
    }
    code
}

/// Fills the holes of a format string; a doubled brace is a brace.
fn filled(text: &str, filling: &str) -> String {
    let (open, close) = ('\u{1}'.to_string(), '\u{2}'.to_string());
    let text = text.replace("{{", &open).replace("}}", &close);
    let mut made = String::new();
    let mut rest = text.as_str();
    while let Some((before, behind)) = rest.split_once('{') {
        made.push_str(before);
        made.push_str(filling);
        rest = behind.split_once('}').map_or("", |it| it.1);
    }
    made.push_str(rest);
    made.replace(&open, "{").replace(&close, "}")
}

/// The helps that stand in a text of Rust.
fn helps_in(text: &str) -> Vec<String> {
    let starts = [".help(", "complain(", "let help = ", "const HELP: &str = "];
    let mut helps = Vec::new();
    for start in starts {
        for (at, _) in text.match_indices(start) {
            let rest = &text[at..];
            let is_call = start.ends_with('(');
            let texts = quoted(match is_call {
                true => bracketed(rest),
                false => rest.split_once(";\n").map_or(rest, |it| it.0),
            });
            // Before the help of `complain` stands the message.
            let first = match start {
                "complain(" => texts.len().saturating_sub(1),
                _ => 0,
            };
            helps.extend_from_slice(&texts[first..]);
        }
    }
    helps
}

#[test]
fn what_the_source_advises_to_write_can_be_written() {
    let mut folders = vec![std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut helps = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                // What is typed at the prompt is not read by the grammar.
                false if path.parent().is_some_and(|it| it.ends_with("cli/table")) => {}
                false => helps.extend(helps_in(&std::fs::read_to_string(path).unwrap())),
            }
        }
    }
    // What may stand in a hole of a format string: a name, a verb, a number, a brush …
    let holes = ["x", "move", "1", "ground", "winner"];
    let mut wrong = Vec::new();
    let mut n_pieces = 0;
    for help in &helps {
        let mut variants = vec![help.clone()];
        variants.extend(holes.map(|it| filled(help, it)));
        for nth in 0..pieces(help).count() {
            n_pieces += 1;
            let mut written = variants.iter().filter_map(|it| pieces(it).nth(nth));
            if !written.any(can_be_written) {
                wrong.push(help.as_str());
            }
        }
    }
    assert!(n_pieces > 200, "{n_pieces}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_page_of_a_code_advises_to_write_can_be_written() {
    let mut wrong = Vec::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/codes");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let page = std::fs::read_to_string(&path).unwrap();
        let (_, todo) = page.split_once("## What to do").unwrap_or_default();
        // Every other stretch between fences is an example, which has its own test.
        for prose in todo.split("```").step_by(2) {
            for piece in pieces(prose).filter(|it| !can_be_written(it)) {
                wrong.push(format!("{}: `{piece}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_cannot_be_written_is_found() {
    for piece in [
        "order after a + b",
        "enum cyclic",
        "for each x from S",
        "moev x to y",
        "hand[",
        "adit frobnicate",
        "--frobnicate",
    ] {
        let place = PLACES
            .iter()
            .find(|place| is_read(&place.replacen('@', piece, 1)));
        assert!(!can_be_written(piece), "{piece}: {place:?}");
    }
}
