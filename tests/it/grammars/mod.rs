//! Editors colour and fold rulebooks by grammars of their own. All of them are made from the grammar of
//! the program, so none of them can tell another language.

mod by_hand;
mod grammar;
mod highlights;
mod lines;
mod roles;
mod textmate;
mod tree_sitter;
mod vim;

use std::fs;
use std::path::Path;

use pest_meta::ast::Expr;

use grammar::Grammar;

#[test]
fn editors_read_the_grammar_of_the_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let grammar = Grammar::read(&fs::read_to_string(root.join("grammar/rules.pest")).unwrap());
    let made = [
        (
            "tree-sitter/src/grammar.json",
            tree_sitter::grammar_json(&grammar),
        ),
        (
            "tree-sitter/queries/highlights.scm",
            highlights::highlights_scm(&grammar),
        ),
        ("vim/ftdetect/adit.vim", vim::ftdetect_vim(&grammar)),
        ("vim/syntax/adit.vim", vim::syntax_vim(&grammar)),
        (
            "vscode/syntaxes/adit.tmLanguage.json",
            textmate::tm_language_json(&grammar),
        ),
    ];
    for (name, text) in made {
        let path = root.join("editors").join(name);
        if std::env::var("INSTA_UPDATE").is_ok_and(|it| it == "always") {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &text).unwrap();
        }
        assert!(
            fs::read_to_string(&path).is_ok_and(|it| it == text),
            "INSTA_UPDATE=always cargo test --test it grammars writes editors/{name}"
        );
    }
}

#[test]
fn what_is_by_hand_names_what_is_in_the_grammar() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let grammar = Grammar::read(&fs::read_to_string(root.join("grammar/rules.pest")).unwrap());
    for (rule, slips) in by_hand::SLIPS {
        let expr = &grammar.rule(rule).expr;
        let literals = grammar::literals(expr);
        for slip in *slips {
            let is_rule = expr
                .iter_top_down()
                .any(|it| it == Expr::Ident((*slip).to_owned()));
            let stands = literals.iter().any(|it| it == slip) || is_rule;
            assert!(stands, "{rule} reads no `{slip}`");
        }
    }
    let rules = by_hand::RULES.iter().map(|it| &it.0);
    let greedy = by_hand::PATIENT
        .iter()
        .chain(by_hand::CONFLICTS.iter().copied().flatten());
    let preferred = by_hand::PREFERRED.iter().map(|it| &it.0);
    for name in rules.chain(greedy).chain(preferred) {
        grammar.rule(name);
    }
    let items: Vec<String> = roles::item_rules(&grammar)
        .into_iter()
        .map(|it| it.0)
        .collect();
    let named = by_hand::NAMED.iter().map(|it| it.0);
    for name in named.chain(by_hand::NAMELESS.iter().copied()) {
        assert!(items.iter().any(|it| it == name), "`{name}` is no item");
    }
}
