//! The grammar of TextMate, which Visual Studio Code and many others read.

use serde_json::{Value, json};

use super::grammar::{Grammar, pattern};
use super::lines::{
    any, items_by_name, open_clauses, operators, reserved_clauses, sentence, signs_of_a_name,
};
use super::roles::{Role, Words, signs};

/// Where an item or a statement may begin.
const BEGIN: &str = r"(?<=^|[{}]|\t|[{}] |  |=> |\bmay )";

pub fn tm_language_json(grammar: &Grammar) -> String {
    let words = Words::of(grammar);
    let name = signs_of_a_name(grammar);
    let is_name = format!(
        r"(?!\s*(?:{}))",
        any(&name.iter().map(|it| escaped(it)).collect::<Vec<_>>(), "|")
    );
    let mut patterns = vec![
        matched(r"//(?!/(?!/)).*$", Role::Comment),
        matched("///.*$", Role::Doc),
        json!({"name": scope(Role::Text), "begin": "\"\"\"", "end": "\"\"\""}),
        text(grammar),
    ];
    for (role, items) in items_by_name(&words) {
        let items = any(items, "|");
        let word = format!(r"(?:^({items})\b|{BEGIN}({items})\b{is_name})");
        let mut captures =
            json!({"1": {"name": scope(Role::Item)}, "2": {"name": scope(Role::Item)}});
        let name = role.map_or("", |_| r"(?:\s+([a-zA-Z][\w-]*))?");
        if let Some(role) = role {
            captures["3"] = json!({"name": scope(role)});
        }
        patterns.push(json!({"match": word + name, "captures": captures}));
    }
    let infix = any(operators(&words), "|");
    let clause = format!(
        r#"(?<![.\w-])(?:{})(?=\s+(?!(?:{infix})\b)["\w{{(]|\s*$)"#,
        any(open_clauses(&words), "|")
    );
    patterns.extend([
        matched(
            &format!(r"{BEGIN}(?:{})\b{is_name}", any(&words.verbs, "|")),
            Role::Verb,
        ),
        matched(
            &format!(r"\b(?:{})\b", any(reserved_clauses(&words), "|")),
            Role::Clause,
        ),
        matched(&format!(r"\b(?:{infix})\b"), Role::Operator),
        matched(
            &format!(r"\b(?:{})\b", any(&words.values, "|")),
            Role::Value,
        ),
        matched(&format!(r"\b{}", sentence(grammar)), Role::Sentence),
        matched(&clause, Role::Clause),
        matched(r"(?<=[\w)\]]\.)[a-zA-Z]\w*", Role::Field),
        matched(r"\b[a-zA-Z]\w*(?=\()", Role::Rule),
        matched(r"\b[A-Z]\w*", Role::Kind),
        matched(
            &format!(r"\b{}\b", pattern(grammar, &grammar.rule("number").expr)),
            Role::Number,
        ),
    ]);
    for (role, signs) in signs(grammar).into_iter().rev() {
        let signs: Vec<String> = signs.iter().map(|it| escaped(it)).collect();
        patterns.push(matched(&any(&signs, "|"), role));
    }
    let all = json!({
        "$comment": "Made from grammar/rules.pest: see tests/it/grammars.",
        "name": "Adit rulebook",
        "scopeName": "source.adit",
        "fileTypes": ["rules"],
        "patterns": patterns,
    });
    serde_json::to_string_pretty(&all).unwrap() + "\n"
}

fn text(grammar: &Grammar) -> Value {
    json!({
        "name": scope(Role::Text),
        "begin": "\"",
        "end": "\"|$",
        "patterns": [
            matched(&pattern(grammar, &grammar.rule("escape").expr), Role::Escape),
            {
                "begin": r"\{",
                "end": r#"\}|(?=")"#,
                "beginCaptures": {"0": {"name": scope(Role::Hole)}},
                "endCaptures": {"0": {"name": scope(Role::Hole)}},
                "contentName": "meta.embedded.adit source.adit",
                "patterns": [{"include": "$self"}],
            },
        ],
    })
}

fn matched(pattern: &str, role: Role) -> Value {
    json!({"match": pattern, "name": scope(role)})
}

fn scope(role: Role) -> String {
    role.scope()
}

fn escaped(sign: &str) -> String {
    let letters = sign.chars().map(|it| match it {
        it if it.is_ascii_punctuation() => format!("\\{it}"),
        it => it.to_string(),
    });
    letters.collect()
}
