//! What tree-sitter colours: each word by its role, each name by what declares it.

use std::collections::BTreeSet;

use pest_meta::ast::Expr;
use serde_json::json;

use super::by_hand::NODES;
use super::grammar::{Grammar, is_lookahead, literals, sequence};
use super::roles::{Role, Words, item_rules, signs};

const HEAD: &str = "; Made from grammar/rules.pest: see tests/it/grammars.\n";

pub fn highlights_scm(grammar: &Grammar) -> String {
    let words = Words::of(grammar);
    let mut text = HEAD.to_owned();
    let items: BTreeSet<String> = words.items.iter().map(|it| it.0.clone()).collect();
    let mut told = BTreeSet::new();
    let all = [
        (Role::Item, &items),
        (Role::Verb, &words.verbs),
        (Role::Operator, &words.operators),
        (Role::Clause, &words.clauses),
    ];
    for (role, words) in all {
        let new: Vec<&String> = words
            .iter()
            .filter(|it| told.insert((*it).clone()))
            .collect();
        let nodes = new.into_iter().flat_map(|it| nodes_of(grammar, it));
        text += &listed(nodes, role);
    }
    for (role, signs) in signs(grammar) {
        text += &listed(signs.iter().map(|it| json!(it).to_string()), role);
    }
    text.push('\n');
    for (rule, role) in item_rules(grammar) {
        if let Some(role) = role {
            text += &name_of(grammar, &rule, role);
        }
    }
    text.push('\n');
    for (node, role) in NODES {
        text += &node.replace('@', &format!("@{}", role.capture()));
        text.push('\n');
    }
    text
}

fn listed(nodes: impl Iterator<Item = String>, role: Role) -> String {
    let nodes: Vec<String> = nodes.collect();
    format!("[{}] @{}\n", nodes.join(" "), role.capture())
}

/// A rule that reads nothing but one word is the node of that word; else the word stands for itself.
fn nodes_of(grammar: &Grammar, word: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for rule in grammar.reached("item") {
        if literals(&rule.expr).iter().any(|it| it == word) {
            let parts = sequence(&rule.expr);
            let alone = matches!(parts.iter().filter(|it| !is_lookahead(it)).count(), 1)
                && matches!(parts[0], Expr::Str(_));
            let has_meaning = !rule.name.starts_with("k_") && !rule.name.starts_with("p_");
            found.insert(match alone && has_meaning {
                true => format!("({})", rule.name),
                false => json!(word).to_string(),
            });
        }
    }
    found
}

/// The name stands behind the word of the item, or behind the rule that reads one of several words.
fn name_of(grammar: &Grammar, rule: &str, role: Role) -> String {
    let parts = sequence(&grammar.rule(rule).expr);
    let names: Vec<&str> = parts
        .into_iter()
        .take(2)
        .filter_map(|it| match it {
            Expr::Ident(name) if !name.starts_with("k_") => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let (name, before) = names.split_last().expect("a name");
    let before: String = before.iter().map(|it| format!(" ({it})")).collect();
    format!("({rule}{before} . ({name}) @{})\n", role.capture())
}
