//! Colours by meaning, types behind `let`, and names that are looked for.

use serde_json::json;

use super::editor::{Editor, place};

const GAME: &str = "\
game small \"Small\" { seats one }
enum Fruit { plum, pear }
record Bowl { fruit: Fruit, number: 1..3 }
track best: Fruit = plum
flow main() {
    let bowl = Bowl(pear, 2)
    let more = 1 + 2
    if more > 2 { best = bowl.fruit }
    end over()
}
ending over() { winner none }
";

#[test]
fn names_are_coloured_by_what_they_stand_for() {
    let mut editor = Editor::new();
    editor.open("small.rules", GAME);
    let told = editor.about("textDocument/semanticTokens/full", "small.rules", json!({}));
    let data: Vec<u64> = told["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_u64().unwrap())
        .collect();
    let (mut line, mut column) = (0, 0);
    let mut names = Vec::new();
    for it in data.chunks(5) {
        column = if it[0] == 0 { column + it[1] } else { it[1] };
        line += it[0];
        let text = GAME.lines().nth(line as usize).unwrap();
        names.push((&text[column as usize..][..it[2] as usize], it[3], it[4]));
    }
    let (enum_member, enumeration, record) = (3, 4, 5);
    for it in [
        ("Fruit", enumeration, 1),
        ("plum", enum_member, 1),
        ("Fruit", enumeration, 0),
        ("Bowl", record, 0),
        ("pear", enum_member, 0),
        ("bowl", 1, 1),
        ("bowl", 1, 0),
        ("fruit", 2, 0),
        ("main", 8, 1),
    ] {
        assert!(names.contains(&it), "{it:?} {names:?}");
    }
}

#[test]
fn types_stand_behind_let() {
    let mut editor = Editor::new();
    editor.open("small.rules", GAME);
    let all = json!({ "start": place(GAME, "game"), "end": place(GAME, "ending") });
    let hints = editor.about(
        "textDocument/inlayHint",
        "small.rules",
        json!({ "range": all }),
    );
    let hints: Vec<_> = hints
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["position"].clone(), it["label"].as_str().unwrap()))
        .filter(|it| it.1.starts_with(':'))
        .collect();
    assert_eq!(
        hints,
        [
            (place(GAME, " = Bowl"), ": Bowl"),
            (place(GAME, " = 1 +"), ": 3..3")
        ]
    );
    let none = json!({ "start": place(GAME, "game"), "end": place(GAME, "enum") });
    let hints = editor.about(
        "textDocument/inlayHint",
        "small.rules",
        json!({ "range": none }),
    );
    assert_eq!(hints, json!([]));
}

#[test]
fn names_are_found_by_their_letters() {
    let mut editor = Editor::new();
    editor.open("small.rules", GAME);
    let found = editor.ask("workspace/symbol", json!({ "query": "frpe" }));
    let all: Vec<_> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            (
                it["name"].as_str().unwrap(),
                it["location"]["range"]["start"].clone(),
            )
        })
        .collect();
    assert_eq!(all, [("Fruit.pear", place(GAME, "pear }"))]);
}
