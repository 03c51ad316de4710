//! What is offered while somebody writes.

use serde_json::{Value, json};

use super::editor::{Editor, edited, place_at};

const GAME: &str = include_str!("../../../rules/classics/tic_tac_toe.rules");
const OPTIONS: &str = "
question corner \"Who begins?\" cite custom N-2 { x_begins \"Crosses.\" default  o_begins \"Noughts.\" }
option hands: 2..4 = 3 \"How many\" cite custom N-2
track last: Square or none = none
";

fn offers(editor: &mut Editor, name: &str, text: &str) -> Vec<Value> {
    let at = json!({ "position": place_at(text, text.len()) });
    let found = editor.about("textDocument/completion", name, at);
    match found {
        Value::Array(all) => all,
        _ => Vec::new(),
    }
}

fn labels(all: &[Value]) -> Vec<&str> {
    let mut all: Vec<&Value> = all.iter().collect();
    all.sort_by_key(|it| it["sortText"].as_str().unwrap());
    all.iter().map(|it| it["label"].as_str().unwrap()).collect()
}

/// What is offered behind some words at the end of a text that was whole before.
fn behind(before: &str, words: &str) -> Vec<Value> {
    let mut editor = Editor::new();
    editor.open("it.rules", before);
    let text = format!("{before}{words}");
    editor.findings("it.rules");
    editor.change("it.rules", json!([{ "text": text }]));
    offers(&mut editor, "it.rules", &text)
}

#[test]
fn an_edit_is_offered_addresses_and_readings() {
    let mut editor = Editor::new();
    let base = GAME.replace("game tic_tac_toe", "game noughts") + OPTIONS;
    editor.open("noughts.rules", &base);
    let mut ask = |words: &str| {
        let text = format!("variant mine \"Mine\" for noughts {{ }}\n\n{words}");
        editor.open("mine.rules", &text);
        (text.clone(), offers(&mut editor, "mine.rules", &text))
    };
    let (_, all) = ask("remove ");
    let all = labels(&all);
    for it in [
        "place.free",
        "board",
        "main",
        "corner.x_begins",
        "Mark.side",
    ] {
        assert!(all.contains(&it), "{it}: {all:?}");
    }
    // The whole address is written anew.
    let (text, all) = ask("replace place.fr");
    let free = all.iter().find(|it| it["label"] == "place.free").unwrap();
    assert!(edited(&text, &json!([free["textEdit"]])).ends_with("\n\nreplace place.free"));
    // An edit is offered what takes it, and the words for its parameters.
    let (_, all) = ask("forbid ");
    assert_eq!(labels(&all), ["place(at)"]);
    let (_, all) = ask("permit ");
    assert!(
        labels(&all).contains(&"place.free(at)"),
        "{:?}",
        labels(&all)
    );
    let (_, all) = ask("set ");
    assert_eq!(labels(&all), ["corner", "hands"]);
    let (_, all) = ask("set corner = ");
    assert_eq!(labels(&all), ["x_begins", "o_begins"]);
    let (_, all) = ask("set hands = ");
    assert_eq!(labels(&all), ["2", "3", "4"]);
    let (_, all) = ask("insert ");
    assert_eq!(labels(&all), ["after", "before"]);
    let (_, all) = ask("");
    assert!(labels(&all).contains(&"forbid"), "{:?}", labels(&all));
}

#[test]
fn a_file_begins_with_what_it_is_and_what_it_amends() {
    let mut editor = Editor::new();
    editor.open("own.rules", "");
    let all = offers(&mut editor, "own.rules", "");
    let all = labels(&all);
    assert_eq!(all, ["edition", "expansion", "game", "part", "variant"]);
    let text = "variant own \"Own\" for ";
    editor.change("own.rules", json!([{ "text": text }]));
    let all = offers(&mut editor, "own.rules", text);
    let all = labels(&all);
    assert!(
        all.contains(&"tunnels") && all.contains(&"chess"),
        "{all:?}"
    );
}

#[test]
fn a_body_is_offered_what_it_can_name() {
    let all = behind(GAME, "\ndefine foo(column: Column): bool = column == ");
    assert_eq!(labels(&all)[..4], ["a", "b", "c", "column"]);
    let all = behind(GAME, "\ndefine foo(mark: Mark): bool = mark.");
    assert_eq!(labels(&all), ["side"]);
    let all = behind(GAME, "\ndefine foo(mark: ");
    assert!(labels(&all).contains(&"Square"), "{:?}", labels(&all));
    let all = behind(GAME, "\nflow other() {\n    cho");
    assert!(labels(&all).contains(&"choose") && labels(&all).contains(&"main"));
    assert!(!labels(&all).contains(&"zone"), "{:?}", labels(&all));
    // Nothing is offered inside of a comment.
    assert_eq!(behind(GAME, "\n// the fl"), [] as [Value; 0]);
}

#[test]
fn what_an_edit_names_has_the_fields_of_its_kind() {
    let mut editor = Editor::new();
    let base = GAME.replace("game tic_tac_toe", "game noughts");
    editor.open("noughts.rules", &base);
    let text = "variant mine \"Mine\" for noughts { }\n\nforbid place(there) label l when there.";
    editor.open("mine.rules", text);
    let all = offers(&mut editor, "mine.rules", text);
    let mut all = labels(&all);
    all.sort_unstable();
    assert_eq!(all, ["column", "row"]);
}
