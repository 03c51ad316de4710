//! Texts in step, findings, layout, fixes, the beginning and the end.

use std::sync::Arc;

use adit::diagnostic::Diagnostic;
use adit::lsp::{Gathered, Question, World, serve};
use adit::source::Sources;
use serde_json::json;

use super::editor::{Editor, codes, edited, place};

const GAME: &str = include_str!("../../../rules/classics/tic_tac_toe.rules");

fn variant(body: &str) -> String {
    format!("variant mine \"Mine\" for tic_tac_toe {{ }}\n\n{body}")
}

#[test]
fn findings_follow_what_is_typed() {
    let mut editor = Editor::new();
    editor.open("tic_tac_toe.rules", GAME);
    assert_eq!(
        codes(&editor.findings("tic_tac_toe.rules")),
        [] as [&str; 0]
    );
    let at = place(GAME, "flow main");
    let typed = json!({ "range": { "start": at, "end": at }, "text": "define lost(s: seat): bool = nowere\n\n" });
    editor.change("tic_tac_toe.rules", json!([typed]));
    let found = editor.findings("tic_tac_toe.rules");
    assert_eq!(codes(&found), ["E0301"], "{found}");
    assert_eq!(found[0]["range"]["start"]["line"], at["line"]);
    assert_eq!(found[0]["range"]["start"]["character"], 29);
    assert_eq!(found[0]["severity"], 1);
    // And the whole text again.
    editor.change("tic_tac_toe.rules", json!([{ "text": GAME }]));
    assert_eq!(
        codes(&editor.findings("tic_tac_toe.rules")),
        [] as [&str; 0]
    );
    editor.close("tic_tac_toe.rules");
    assert!(editor.end());
}

#[test]
fn columns_are_counted_in_units_of_utf_16_unless_both_know_bytes() {
    let text = variant("/// 🂱 ä\nforbid place label 🂱x\n");
    let mut editor = Editor::new();
    editor.open("mine.rules", &text);
    let utf16 = editor.findings("mine.rules");
    let bytes = json!({ "general": { "positionEncodings": ["utf-16", "utf-8"] } });
    let mut editor = Editor::with(bytes);
    editor.open("mine.rules", &text);
    let utf8 = editor.findings("mine.rules");
    assert_eq!(utf16[0]["range"]["start"], utf8[0]["range"]["start"]);
    let end = |it: &serde_json::Value| it[0]["range"]["end"]["character"].as_u64().unwrap();
    assert_eq!(end(&utf16) + 2, end(&utf8), "{utf16} {utf8}");
}

#[test]
fn names_that_are_nowhere_are_told_and_those_of_open_files_are_known() {
    let mut editor = Editor::new();
    editor.open("mine.rules", &variant("excludes other \"why\"\n"));
    let found = editor.findings("mine.rules");
    assert_eq!(codes(&found), ["E0237"], "{found}");
    assert_eq!(found[0]["range"]["start"]["line"], 2);
    editor.open("other.rules", "variant other \"O\" for tic_tac_toe { }\n");
    editor.change(
        "mine.rules",
        json!([{ "text": variant("excludes other \"so\"\n") }]),
    );
    let found = editor.findings("mine.rules");
    assert_eq!(codes(&found), [] as [&str; 0], "{found}");
}

#[test]
fn an_amendment_is_looked_at_with_its_base_wherever_that_is() {
    let mut editor = Editor::new();
    // That which comes with the program.
    let text = variant("remove place.nowhere\n");
    editor.open("mine.rules", &text);
    let found = editor.findings("mine.rules");
    assert_eq!(codes(&found), ["E0210"], "{found}");
    // That which lies beside, on the disk and then as it is open.
    let own = GAME.replace("game tic_tac_toe", "game three");
    editor.save("three.rules", &own);
    let text = text.replace("for tic_tac_toe", "for three");
    editor.change("mine.rules", json!([{ "text": text }]));
    assert_eq!(codes(&editor.findings("mine.rules")), ["E0210"]);
    let (head, tail) = own.split_once("action place").unwrap();
    let open = format!("{head}define nowhere bool\n\naction place{tail}");
    editor.open("three.rules", &open);
    let found = editor.findings_until("mine.rules", |it| codes(it) != ["E0210"]);
    assert_eq!(codes(&found), ["E0101"], "the base is broken: {found}");
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.contains("three.rules:"), "{message}");
    let place = &found[0]["relatedInformation"][0]["location"];
    assert_eq!(place["uri"], editor.uri("three.rules"));
}

#[test]
fn a_base_is_told_what_comes_up_with_an_open_amendment() {
    let mut editor = Editor::new();
    let own = GAME.replace("game tic_tac_toe", "game three");
    editor.open("three.rules", &own);
    assert_eq!(codes(&editor.findings("three.rules")), [] as [&str; 0]);
    let text = "variant mine \"Mine\" for three { }\n\nremove three\n";
    editor.open("mine.rules", text);
    let found = editor.findings_until("three.rules", |it| !codes(it).is_empty());
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.starts_with("with mine: "), "{message}");
    editor.close("mine.rules");
    editor.findings_until("three.rules", |it| codes(it).is_empty());
}

#[test]
fn a_text_is_laid_out_and_mended() {
    let mut editor = Editor::new();
    let text = GAME.replace("flow main()", "flow   main()");
    editor.open("tic_tac_toe.rules", &text);
    let options = json!({ "options": { "tabSize": 4, "insertSpaces": true } });
    let edits = editor.about(
        "textDocument/formatting",
        "tic_tac_toe.rules",
        options.clone(),
    );
    assert_eq!(edited(&text, &edits), GAME);
    // Blank lines at the end go by an edit that begins and ends within the text.
    let text = format!("{GAME}\n\n");
    editor.change("tic_tac_toe.rules", json!([{ "text": text }]));
    let edits = editor.about(
        "textDocument/formatting",
        "tic_tac_toe.rules",
        options.clone(),
    );
    assert_eq!(edited(&text, &edits), GAME);
    let n_lines = text.lines().count();
    let ends = edits[0]["range"]["end"]["line"].as_u64().unwrap();
    assert!(ends < n_lines as u64, "{edits}");
    let text = format!(
        "{GAME}\ndefine twice(n: 1..9): bool = ((n) + n == 4) == true\n\ninvariant sound: not twice(1)\n"
    );
    editor.change("tic_tac_toe.rules", json!([{ "text": text }]));
    let found = editor.findings("tic_tac_toe.rules");
    assert!(!codes(&found).is_empty(), "{found}");
    let all =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9999, "character": 0 } });
    let quick = json!({ "range": all, "context": { "diagnostics": found, "only": ["quickfix"] } });
    let actions = editor.about("textDocument/codeAction", "tic_tac_toe.rules", quick);
    let n_fixes = actions.as_array().unwrap().len();
    assert!(n_fixes == 2, "{actions} {found}");
    let every =
        json!({ "range": all, "context": { "diagnostics": [], "only": ["source.fixAll"] } });
    let actions = editor.about("textDocument/codeAction", "tic_tac_toe.rules", every);
    let edits = &actions[0]["edit"]["changes"][editor.uri("tic_tac_toe.rules")];
    let mended = edited(&text, edits);
    editor.change("tic_tac_toe.rules", json!([{ "text": mended }]));
    let left = editor.findings("tic_tac_toe.rules");
    assert!(codes(&left).len() < codes(&found).len(), "{mended}");
    // What cannot be read is left as it is.
    editor.change("tic_tac_toe.rules", json!([{ "text": "game (" }]));
    assert!(
        editor
            .about("textDocument/formatting", "tic_tac_toe.rules", options)
            .is_null()
    );
}

#[test]
fn what_is_not_known_is_refused_and_nothing_is_answered_behind_the_end() {
    let mut editor = Editor::new();
    let code = |it: lsp_server::Response| it.response_result.unwrap_err().code;
    assert_eq!(
        code(editor.asked("textDocument/nothing", json!({}))),
        -32601
    );
    assert_eq!(
        code(editor.asked("textDocument/formatting", json!({}))),
        -32602
    );
    editor.ask("shutdown", json!(null));
    assert_eq!(
        code(editor.asked("textDocument/formatting", json!({}))),
        -32600
    );
    let editor = Editor::new();
    assert!(editor.end());
}

/// A disk that fails where it is asked for one file.
struct Failing;

impl World for Failing {
    fn gather(&self, path: &str, open: &[(String, Arc<str>)]) -> Result<Gathered, Vec<Diagnostic>> {
        assert!(!path.ends_with("bad.rules"), "the disk is on fire");
        let mut found = Gathered::default();
        for (path, text) in open.iter().filter(|it| it.0 == path) {
            found.own.push(found.sources.add(path.as_str(), &**text));
        }
        Ok(found)
    }

    fn weigh(&self, _: &str, _: &Sources, _: &mut Vec<Diagnostic>) {}

    fn laid_out(&self, _: &str) -> Option<String> {
        None
    }

    fn tell(
        &self,
        _: Question,
        _: &str,
        _: &str,
        _: &[(String, Arc<str>)],
        _: &dyn Fn() -> bool,
    ) -> Result<String, Vec<Diagnostic>> {
        panic!("the disk is on fire")
    }
}

#[test]
fn a_panic_is_a_finding_and_the_server_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = Editor::of(folder, json!({}), |other| {
        serve(&other, Arc::new(Failing)).unwrap()
    });
    editor.open("bad.rules", "game bad \"Bad\" { seats a, b }\n");
    let found = editor.findings("bad.rules");
    assert_eq!(codes(&found), ["J0999"]);
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.contains("the disk is on fire"), "{message}");
    editor.open("good.rules", "game good \"Good\" { seats a, b }\n");
    assert_eq!(codes(&editor.findings("good.rules")), ["E0701"]);
    assert!(editor.end());
}
