//! Hover, definition, references, outline and folding.

use serde_json::{Value, json};

use super::editor::{Editor, place, place_at};

const GAME: &str = include_str!("../../../rules/classics/tic_tac_toe.rules");
const AMENDMENT: &str = "\
/// Nobody begins in the middle.
variant mine \"Mine\" for noughts { source house \"The house\" sentences H-1..H-1 }

forbid place(c) label not_centre
    when c == Square(b, 2) and empty board[c] cite house H-1
    because \"not in the middle\"
replace place.free cite house H-1 = empty board[at] and not three(o)
sentences house \"Rules\" { H-1 \"Not in the middle.\" }
";

fn base() -> String {
    GAME.replace("game tic_tac_toe", "game noughts")
}

fn pair() -> Editor {
    let mut editor = Editor::new();
    editor.open("noughts.rules", &base());
    editor.open("mine.rules", AMENDMENT);
    editor
}

/// Asks about the first of some words, a letter behind their beginning.
fn at(editor: &mut Editor, method: &str, file: &str, text: &str, words: &str) -> Value {
    let at = text.find(words).unwrap_or_else(|| panic!("{words}")) + 1;
    let place = json!({ "position": place_at(text, at) });
    editor.about(method, file, place)
}

fn starts(places: &Value) -> Vec<(String, Value)> {
    let all = places.as_array().unwrap().iter();
    let file = |it: &Value| {
        it["uri"]
            .as_str()
            .unwrap()
            .rsplit('/')
            .next()
            .unwrap()
            .to_owned()
    };
    all.map(|it| (file(it), it["range"]["start"].clone()))
        .collect()
}

#[test]
fn a_definition_is_found_in_the_base_and_here() {
    let mut editor = pair();
    let base = base();
    let mut ask = |words| {
        let found = at(
            &mut editor,
            "textDocument/definition",
            "mine.rules",
            AMENDMENT,
            words,
        );
        starts(&found)
    };
    let there = |words: &str, skip: usize| {
        let at = base.find(words).unwrap() + skip;
        vec![(String::from("noughts.rules"), place_at(&base, at))]
    };
    let here = |words: &str, skip: usize| {
        let at = AMENDMENT.find(words).unwrap() + skip;
        vec![(String::from("mine.rules"), place_at(AMENDMENT, at))]
    };
    assert_eq!(ask("place(c)"), there("action place", 7));
    assert_eq!(ask("board[c]"), there("zone board", 5));
    assert_eq!(ask("noughts {"), there("game noughts", 5));
    assert_eq!(ask("free cite"), there("free:", 0));
    assert_eq!(ask("H-1 = e"), here("H-1 \"Not", 0));
    assert_eq!(ask("house H-1 = e"), here("house \"The", 0));
    assert_eq!(ask("c == Square"), here("c) label", 0));
    let none = at(
        &mut editor,
        "textDocument/definition",
        "mine.rules",
        AMENDMENT,
        "not in",
    );
    assert!(none.is_null(), "{none}");
}

#[test]
fn what_is_used_elsewhere_is_found_from_both_sides() {
    let mut editor = pair();
    let base = base();
    let mut ask = |file, text: &str, words, declaration: bool| {
        let at = text.find(words).unwrap() + 1;
        let asked = json!({ "position": place_at(text, at), "context": { "includeDeclaration": declaration } });
        starts(&editor.about("textDocument/references", file, asked))
    };
    let all = ask("mine.rules", AMENDMENT, "place(c)", true);
    assert_eq!(all, ask("noughts.rules", &base, "place(", true));
    let mine: Vec<&Value> = all
        .iter()
        .filter(|it| it.0 == "mine.rules")
        .map(|it| &it.1)
        .collect();
    assert_eq!(
        mine,
        [
            &place(AMENDMENT, "place(c)"),
            &place(AMENDMENT, "place.free")
        ]
    );
    let declared = (String::from("noughts.rules"), place(&base, "place("));
    assert!(all.contains(&declared), "{all:?}");
    let others = ask("noughts.rules", &base, "place(", false);
    assert!(
        !others.contains(&declared) && others.len() == all.len() - 1,
        "{others:?}"
    );
    // Locals are known in their body alone.
    let local = ask("mine.rules", AMENDMENT, "c == Square", true);
    assert_eq!(local.len(), 3, "{local:?}");
    let marked = at(
        &mut editor,
        "textDocument/documentHighlight",
        "mine.rules",
        AMENDMENT,
        "c == Square",
    );
    let kinds: Vec<&Value> = marked
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["kind"])
        .collect();
    assert_eq!(kinds, [3, 2, 2]);
}

#[test]
fn what_is_known_of_a_name_is_said() {
    let mut editor = pair();
    let base = base();
    let mut ask = |file, text: &str, words| {
        let told = at(&mut editor, "textDocument/hover", file, text, words);
        told["contents"]["value"].as_str().map(str::to_owned)
    };
    let mut mine = |words| ask("mine.rules", AMENDMENT, words).unwrap();
    let board = mine("board[c]");
    assert!(board.starts_with("```rules\nzone board"), "{board}");
    assert!(
        mine("c == Square").starts_with("local `c`: a `Square`"),
        "{}",
        mine("c == Square")
    );
    let sentence = mine("H-1 = e");
    assert!(
        sentence.contains("Not in the middle.") && sentence.contains("The house"),
        "{sentence}"
    );
    assert!(sentence.contains("mine.rules:5:"), "{sentence}");
    let guard = mine("not_centre");
    assert!(
        guard.contains("of mine") && guard.contains("Not in the middle."),
        "{guard}"
    );
    assert_eq!(ask("noughts.rules", &base, "///"), None);
}

#[test]
fn a_file_is_shown_from_afar() {
    let mut editor = pair();
    let outline = editor.about("textDocument/documentSymbol", "mine.rules", json!({}));
    let names: Vec<&str> = outline
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["mine", "forbid place", "replace place.free", "sentences"]
    );
    let outline = editor.about("textDocument/documentSymbol", "noughts.rules", json!({}));
    let place = outline
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["name"] == "place")
        .unwrap();
    let inside: Vec<&str> = place["children"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert!(inside.contains(&"free"), "{place}");
    let base = base();
    let folds = editor.about("textDocument/foldingRange", "noughts.rules", json!({}));
    let first =
        json!({ "startLine": place_line(&base, "action place"), "endLine": end_line(&base) });
    assert!(
        folds.as_array().unwrap().contains(&first),
        "{first} {folds}"
    );
}

fn place_line(text: &str, words: &str) -> Value {
    place(text, words)["line"].clone()
}

/// The line of the last letter of the action.
fn end_line(text: &str) -> usize {
    let start = text.find("action place").unwrap();
    let end = text[start..].find("\n}\n").unwrap() + start + 1;
    text[..end].matches('\n').count()
}
