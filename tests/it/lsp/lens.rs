//! What stands over rulings and studies, and what is answered there.

use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::editor::{Editor, place, place_at};
use crate::ruled::middle;

fn told(editor: &mut Editor, lens: &Value) -> String {
    let command = lens["command"].clone();
    let answer = editor.ask("workspace/executeCommand", command);
    answer.as_str().unwrap().to_owned()
}

#[test]
fn rulings_and_studies_are_run_where_they_stand() {
    let text = middle();
    let mut editor = Editor::new();
    editor.open("noughts.rules", &text);
    let lenses = editor.about("textDocument/codeLens", "noughts.rules", json!({}));
    let at = place(&text, "R-middle");
    let all = lenses.as_array().unwrap().iter();
    let here: Vec<&Value> = all.filter(|it| it["range"]["start"] == at).collect();
    let title = |it: &&Value| it["command"]["title"].as_str().unwrap().to_owned();
    let titles: Vec<String> = here.iter().map(title).collect();
    assert_eq!(titles, ["run", "why", "which reading turns it"]);
    let run = told(&mut editor, here[0]);
    assert!(run.starts_with("ok   R-middle"), "{run}");
    let why = told(&mut editor, here[1]);
    assert!(
        why.contains("holds expect legal x: place(at: \"b2\")"),
        "{why}"
    );
    let flips = told(&mut editor, here[2]);
    assert!(flips.contains("under middle = no: holds"), "{flips}");
    assert!(flips.contains("refused by place.not_middle"), "{flips}");
    // As it is in the editor, not on the disk.
    let wrong = text.replace("x: place(at: \"b2\")\n", "x: place(at: \"b4\")\n");
    assert_ne!(wrong, text);
    editor.change("noughts.rules", json!([{ "text": wrong }]));
    let run = told(&mut editor, here[0]);
    assert!(run.contains("b4"), "{run}");
    editor.change("noughts.rules", json!([{ "text": text }]));
    let at = place_at(&text, text.find("study fork").unwrap() + 6);
    let mut all = lenses.as_array().unwrap().iter();
    let study = all.find(|it| it["range"]["start"] == at).unwrap();
    let found = told(&mut editor, study);
    assert!(found.starts_with("found fork"), "{found}");
    let code = |it: lsp_server::Response| it.response_result.unwrap_err().code;
    let asked = json!({ "command": "adit.nothing", "arguments": [] });
    let answer = editor.asked("workspace/executeCommand", asked);
    assert_eq!(code(answer), -32602);
    assert!(editor.end());
}

/// Far more positions than can be searched while somebody waits.
const ENDLESS: &str = r#"game switches "Switches" { seats anna, bert }
space Spot: line(40)
track lit[Spot]: bool = false
action press(at in { it in Spot where not lit[it] }) "press {at}" { do { lit[at] = true } }
flow main() { turns me from anna { choose me: press  if (every { lit[s] for s in Spot }) { end all } } }
ending all { winner {} }
study never "Can a switch be lit and not lit?" { find lit[Spot(0)] and not lit[Spot(0)] within 40 plies }
"#;

#[test]
fn what_is_called_off_says_so_and_tells_nothing() {
    let mut editor = Editor::new();
    editor.open("switches.rules", ENDLESS);
    let lenses = editor.about("textDocument/codeLens", "switches.rules", json!({}));
    let search = lenses[0]["command"].clone();
    let id = editor.send("workspace/executeCommand", search);
    editor.tell("$/cancelRequest", json!({ "id": id }));
    let refused = editor.answer(id).response_result.unwrap_err();
    assert_eq!(refused.code, -32800, "{refused:?}");
    // To call off what is over, or was never asked, changes nothing.
    editor.tell("$/cancelRequest", json!({ "id": id }));
    editor.tell("$/cancelRequest", json!({ "id": 999 }));
    assert!(editor.end());
}

#[test]
fn sizes_and_costs_stand_behind_what_has_them() {
    let text = middle();
    let mut editor = Editor::new();
    editor.open("noughts.rules", &text);
    let all = json!({ "range": {
        "start": { "line": 0, "character": 0 },
        "end": { "line": 999, "character": 0 },
    } });
    let start = Instant::now();
    // What the engine makes of it is known a moment later.
    let hints = loop {
        let hints = editor.about("textDocument/inlayHint", "noughts.rules", all.clone());
        let hints: Vec<(Value, String)> = hints
            .as_array()
            .unwrap()
            .iter()
            .map(|it| {
                (
                    it["position"].clone(),
                    it["label"].as_str().unwrap().to_owned(),
                )
            })
            .collect();
        if hints.iter().any(|it| it.1.ends_with(" ops")) {
            break hints;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{hints:?}");
        sleep(Duration::from_millis(50));
    };
    let behind = |words: &str| place_at(&text, text.find(words).unwrap() + words.len());
    for (words, label) in [
        ("enum Column", " 3 values"),
        ("space Square", " 9 places"),
        ("action place", " 9 candidates"),
    ] {
        assert!(
            hints.contains(&(behind(words), label.to_owned())),
            "{label}: {hints:?}"
        );
    }
    let clause = "else \"{at} is taken\"";
    let cost = hints.iter().find(|it| it.0 == behind(clause)).unwrap();
    let count = cost
        .1
        .trim_end_matches(" ops")
        .trim()
        .parse::<u32>()
        .unwrap();
    assert!((1..100).contains(&count), "{cost:?}");
}

#[test]
fn an_editor_that_can_is_asked_to_look_at_its_hints_again() {
    let can = json!({ "workspace": { "inlayHint": { "refreshSupport": true } } });
    let mut editor = Editor::with(can);
    editor.open("noughts.rules", &middle());
    editor.asks_for("workspace/inlayHint/refresh");
    let all = json!({ "range": {
        "start": { "line": 0, "character": 0 },
        "end": { "line": 999, "character": 0 },
    } });
    // What takes its time is there by then.
    let hints = editor.about("textDocument/inlayHint", "noughts.rules", all);
    let mut labels = hints.as_array().unwrap().iter();
    let has_cost = labels.any(|it| it["label"].as_str().unwrap().ends_with(" ops"));
    assert!(has_cost, "{hints}");
}
