use std::fs;

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
