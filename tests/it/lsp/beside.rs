//! What lies beside an amendment and is not open, or is called otherwise than its file.

use serde_json::{Value, json};

use super::editor::{Editor, codes, place, place_at};
use crate::command::adit;

const GAME: &str = include_str!("../../../rules/classics/tic_tac_toe.rules");

fn base() -> String {
    let more = "\ndefine fee: 0..9 = 1
question corner \"Who begins?\" cite custom N-2 {
    x_begins \"Crosses.\" default
    o_begins \"Noughts.\" { replace fee = 2 }
}
";
    GAME.to_owned() + more
}

fn files(found: &Value) -> Vec<&str> {
    let all = found.as_array().unwrap().iter();
    let name = |it: &'_ Value| {
        it["uri"]
            .as_str()
            .unwrap()
            .rsplit('/')
            .next()
            .unwrap()
            .len()
    };
    let uris = all.map(|it| (it["uri"].as_str().unwrap(), name(it)));
    uris.map(|(uri, length)| &uri[uri.len() - length..])
        .collect()
}

#[test]
fn a_base_is_found_by_its_name_whatever_its_file_is_called() {
    let mut editor = Editor::new();
    // Its name is that of one that comes with the program.
    let own = editor.save("my_noughts.rules", &base());
    let text = "variant late \"Late\" for tic_tac_toe { }\n\nreplace fee = 3\n";
    let late = editor.save("late.rules", text);
    editor.open("late.rules", text);
    let found = editor.findings("late.rules");
    assert!(codes(&found).contains(&"E0250"), "{found}");
    let mut all = found.as_array().unwrap().iter();
    let told = all.find(|it| it["code"] == "E0250").unwrap();
    let message = told["message"].as_str().unwrap();
    assert!(
        message.contains("my_noughts.rules`; another one comes"),
        "{message}"
    );
    for words in ["tic_tac_toe", "fee"] {
        let at = json!({ "position": place(text, words) });
        let found = editor.about("textDocument/definition", "late.rules", at);
        assert_eq!(files(&found), ["my_noughts.rules"], "{words}");
    }
    // A name that is changed there is changed in what is not open.
    editor.close("late.rules");
    editor.open("my_noughts.rules", &base());
    let at = place(&base(), "fee: 0..9");
    let asked = json!({ "position": at, "newName": "price" });
    let changes = editor.about("textDocument/rename", "my_noughts.rules", asked);
    let changes = changes["changes"].as_object().unwrap();
    assert_eq!(changes.len(), 2, "{changes:?}");
    assert!(changes.contains_key(&editor.uri("late.rules")));
    // The command decides alike.
    let said = adit(&format!("check --plain {}", late.display()));
    assert!(said.out.contains("E0250"), "{}", said.out);
    std::fs::write(&own, base().replace("define fee", "define fees")).unwrap();
    let said = adit(&format!("check --plain {}", late.display()));
    assert!(said.out.contains("E0210"), "{}", said.out);
    // A file that is called like the base comes before the others.
    editor.save("tic_tac_toe.rules", &base());
    let said = adit(&format!("check --plain {}", late.display()));
    let other = "tic_tac_toe.rules`; another one lies in";
    assert!(
        said.out.contains(other) && !said.out.contains("E0210"),
        "{}",
        said.out
    );
}

#[test]
fn what_is_told_of_readings_does_not_hang_on_how_an_amendment_is_called() {
    let mut editor = Editor::new();
    let own = base().replace("game tic_tac_toe", "game noughts");
    editor.save("noughts.rules", &own);
    for name in ["aa", "zz"] {
        let file = format!("{name}.rules");
        let text = format!("variant {name} \"Z\" for noughts {{ }}\n\nreplace fee = 3\n");
        editor.open(&file, &text);
        let found = editor.findings_until(&file, |it| codes(it).contains(&"E0221"));
        let all = found.as_array().unwrap().iter();
        let both: Vec<&Value> = all.filter(|it| it["code"] == "E0221").collect();
        assert_eq!(both.len(), 1, "{found}");
        assert_eq!(both[0]["range"]["start"], place(&text, "fee"), "{name}");
        let there = &both[0]["relatedInformation"][0]["location"]["uri"];
        assert_eq!(*there, editor.uri("noughts.rules"), "{name}");
    }
}

#[test]
fn an_edit_of_nothing_hides_nothing_else() {
    let mut editor = Editor::new();
    let own = base().replace("game tic_tac_toe", "game noughts");
    editor.open("noughts.rules", &own);
    let text = "variant mine \"Mine\" for noughts { }\n\nforbid nix(c) label x when true because \"x\"\ndefine q: int = zz\nreplace fee = 3\n";
    editor.open("mine.rules", text);
    let found = editor.findings("mine.rules");
    assert_eq!(codes(&found), ["E0210", "E0301"], "{found}");
    let at = json!({ "position": place(text, "fee") });
    let there = editor.about("textDocument/definition", "mine.rules", at);
    assert_eq!(files(&there), ["noughts.rules"]);
    let text = format!("{text}replace ");
    editor.change("mine.rules", json!([{ "text": text }]));
    let at = json!({ "position": place_at(&text, text.len()) });
    let all = editor.about("textDocument/completion", "mine.rules", at);
    let labels = all.as_array().unwrap().iter();
    let labels: Vec<&str> = labels.map(|it| it["label"].as_str().unwrap()).collect();
    assert!(
        labels.contains(&"place.free") && !labels.contains(&"replace"),
        "{labels:?}"
    );
}

#[test]
fn what_is_sent_at_once_is_looked_at_once() {
    let mut editor = Editor::new();
    let own = base().replace("game tic_tac_toe", "game noughts");
    editor.open("noughts.rules", &own);
    let text = "variant mine \"Mine\" for noughts { }\n\nreplace fee = 3\n";
    editor.open("mine.rules", text);
    editor.findings("mine.rules");
    editor.n_told = 0;
    for at in 0..40 {
        let wrong = format!("{text}define q{at}: int = zz\n");
        editor.change("mine.rules", json!([{ "text": wrong }]));
    }
    editor.findings("mine.rules");
    assert!(editor.n_told <= 12, "{}", editor.n_told);
}
