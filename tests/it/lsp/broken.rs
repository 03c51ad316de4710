//! Texts that cannot be read while somebody writes them.

use serde_json::{Value, json};

use super::editor::{Editor, codes, place, place_at};

const GAME: &str = include_str!("../../../rules/classics/tic_tac_toe.rules");
const NAME: &str = "tic_tac_toe.rules";

fn told(editor: &mut Editor, method: &str, text: &str, words: &str) -> Value {
    let at = text.find(words).unwrap_or_else(|| panic!("{words}")) + 1;
    editor.about(method, NAME, json!({ "position": place_at(text, at) }))
}

#[test]
fn what_is_broken_hides_nothing_else() {
    let text = format!("{GAME}\ndefine foo(");
    let mut editor = Editor::new();
    // There is no earlier text.
    editor.open(NAME, &text);
    assert_eq!(codes(&editor.findings(NAME)), ["E0102"]);
    let hover = told(&mut editor, "textDocument/hover", &text, "s: seat): bool");
    assert_eq!(hover["contents"]["value"], "local `s`: a seat");
    let definition = told(&mut editor, "textDocument/definition", &text, "three(me)");
    assert_eq!(
        definition[0]["range"]["start"],
        place(&text, "three(s: seat)")
    );
}

#[test]
fn what_cannot_be_read_any_more_is_known_as_it_was() {
    let mut editor = Editor::new();
    editor.open(NAME, GAME);
    assert_eq!(codes(&editor.findings(NAME)), [] as [&str; 0]);
    // Everything that asks for `three` would be told that nothing is called so.
    let broken = GAME.replace("define three(s: seat): bool", "define three(s: seat: bool");
    editor.change(NAME, json!([{ "text": broken }]));
    assert_eq!(codes(&editor.findings(NAME)), ["E0101"]);
    let hover = told(&mut editor, "textDocument/hover", &broken, "three(me)");
    let hover = hover["contents"]["value"].as_str().unwrap();
    assert!(hover.contains("define three(s: seat): bool"), "{hover}");
    let definition = told(&mut editor, "textDocument/definition", &broken, "three(me)");
    let line = place(&broken, "define three")["line"].as_u64().unwrap();
    let at = definition[0]["range"]["start"]["line"].as_u64().unwrap();
    assert!(at.abs_diff(line) <= 1, "{definition}");
    // What is wrong elsewhere is told all the same.
    let wrong = broken.replace("if three(me)", "if three(9)");
    editor.change(NAME, json!([{ "text": wrong }]));
    let found = editor.findings(NAME);
    assert_eq!(codes(&found), ["E0101", "E0401"], "{found}");
    assert_eq!(
        found[1]["range"]["start"]["line"],
        place(&wrong, "if three(9)")["line"]
    );
    // What only follows from a name that is still being written is not.
    let text = GAME.replace("if three(me)", "if four(me)") + "\ndefine four(s: seat";
    editor.change(NAME, json!([{ "text": text }]));
    assert_eq!(codes(&editor.findings(NAME)), ["E0102"]);
    editor.change(
        NAME,
        json!([{ "text": format!("{text}): bool = three(s)") }]),
    );
    assert_eq!(codes(&editor.findings(NAME)), ["L101"]);
    // And a name that nobody writes is.
    let text = text.replace("four(me)", "five(me)");
    editor.change(NAME, json!([{ "text": text }]));
    assert_eq!(codes(&editor.findings(NAME)), ["E0301", "E0102"]);
}

#[test]
fn an_amendment_knows_a_base_that_is_broken() {
    let base = GAME.replace("game tic_tac_toe", "game noughts");
    let text = "variant mine \"Mine\" for noughts { }\n\nremove three.nowhere\n";
    let mut editor = Editor::new();
    editor.open("noughts.rules", &base);
    editor.findings("noughts.rules");
    editor.open("mine.rules", text);
    editor.findings("mine.rules");
    let broken = base.replace("action place(", "action place((");
    editor.change("noughts.rules", json!([{ "text": broken }]));
    let found = editor.findings_until("mine.rules", |it| codes(it).len() > 1);
    assert_eq!(codes(&found), ["E0101", "E0210"], "{found}");
}
