use std::fs;

use adit::diagnostic::codes::ALL;
use adit::pipeline::{Compiled, Request, compile};
use adit::report;
use adit::source::Sources;

fn compiled(path: &str) -> (Sources, Compiled) {
    let root = env!("CARGO_MANIFEST_DIR");
    let text = fs::read_to_string(format!("{root}/{path}")).expect("a rulebook");
    let mut sources = Sources::new();
    let base = sources.add(path, text);
    let request = Request {
        base,
        ..Request::default()
    };
    let result = compile(&sources, &request);
    (sources, result)
}

#[test]
fn the_small_games_are_sound() {
    for name in ["kuhn", "nim", "tic_tac_toe", "connect_four", "othello"] {
        let (sources, result) = compiled(&format!("tests/fixtures/games/{name}.rules"));
        assert_eq!(report::plain(&sources, &result.diagnostics), "", "{name}");
        assert!(result.game.is_some(), "{name}");
    }
}

#[test]
fn tunnels_is_sound() {
    let (sources, result) = compiled("rules/tunnels.rules");
    assert_eq!(report::plain(&sources, &result.diagnostics), "");
}

#[test]
fn variants_of_tunnels_are_sound() {
    let root = env!("CARGO_MANIFEST_DIR");
    for name in ["breather", "no_take_back"] {
        let mut sources = Sources::new();
        let text = fs::read_to_string(format!("{root}/rules/tunnels.rules")).expect("a rulebook");
        let base = sources.add("tunnels", text);
        let text =
            fs::read_to_string(format!("{root}/rules/variants/{name}.rules")).expect("a variant");
        let amendments = vec![sources.add(name, text)];
        let request = Request {
            base,
            amendments,
            ..Request::default()
        };
        let result = compile(&sources, &request);
        assert_eq!(report::plain(&sources, &result.diagnostics), "", "{name}");
    }
}

/// Every code of the checker is shown by a broken rulebook of its name and has a page.
#[test]
fn every_code_of_the_checker_has_a_case_and_a_page() {
    let root = env!("CARGO_MANIFEST_DIR");
    // The text of a rulebook cannot ask for a number of seats.
    let elsewhere = ["E0703"];
    let families = ["E03", "E04", "E051", "E052", "E06", "E07"];
    for code in ALL {
        if !families.iter().any(|it| code.id().starts_with(it)) {
            continue;
        }
        let name = code.name().replace('-', "_");
        let base = format!("{root}/tests/fixtures/broken/{name}");
        let shown = fs::metadata(format!("{base}.rules")).or_else(|_| fs::metadata(&base));
        assert!(
            shown.is_ok() || elsewhere.contains(&code.id()),
            "{code:?} has no case"
        );
        let page = fs::read_to_string(format!("{root}/docs/codes/{code}.md")).unwrap_or_default();
        assert!(
            page.starts_with(&format!("# {code} {}", code.name())),
            "{code:?} has no page"
        );
    }
}

#[test]
fn settings_that_do_not_exist_are_named() {
    let path = "rules/tunnels.rules";
    let text =
        fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).expect("a rulebook");
    let mut sources = Sources::new();
    let base = sources.add(path, text);
    let set = [
        ("tableu", "x"),
        ("tableau", "lanes7"),
        ("rounds", "9"),
        ("exposure", "front_onyl"),
    ];
    let request = Request {
        base,
        set: set
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec(),
        seats: Some(3),
        ..Request::default()
    };
    let found = compile(&sources, &request).diagnostics;
    let told: Vec<String> = found
        .iter()
        .map(|it| {
            format!(
                "{} {}; {}",
                it.code,
                it.message,
                it.help.clone().unwrap_or_default()
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "E0301 no option or question is called `tableu`; did you mean `tableau`?",
            "E0703 the game has 2 seats, not 3; ask for a number of seats that the header allows",
            "E0309 `tableau` cannot be `lanes7`; there are `lanes6_depth7` and `lanes7_depth6`",
            "E0309 `rounds` cannot be `9`; it is a number from 1 to 5",
            "E0309 `exposure` cannot be `front_onyl`; did you mean `front_only`?",
        ]
    );
}
