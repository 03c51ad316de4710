//! The grammar as tree-sitter reads it. Each rule goes on as far as it can, as it does in the program;
//! looking ahead is left out, so here and there two ways are open until one of them ends.

use std::collections::BTreeSet;

use pest_meta::ast::{Expr, RuleType};
use serde_json::{Map, Value, json};

use super::by_hand::{COMMENT, CONFLICTS, DOC, PATIENT, PREFERRED, RULES, SLIPS};
use super::grammar::{Grammar, choices, is_lookahead, pattern, sequence};

const START: &str = "source_file";

pub fn grammar_json(grammar: &Grammar) -> String {
    let mut made = Made {
        grammar,
        rules: Map::new(),
        open: vec!["item".to_owned()],
        seen: BTreeSet::new(),
    };
    made.rules.insert(
        START.to_owned(),
        json!({"type": "REPEAT", "content": symbol("item")}),
    );
    while let Some(name) = made.open.pop() {
        if made.seen.insert(name.clone()) {
            made.rule(&name);
        }
    }
    for (name, text) in [("doc", DOC), ("comment", COMMENT)] {
        made.rules.insert(name.to_owned(), token(text));
    }
    let words = grammar.words("kw");
    let reserved: Vec<Value> = words.iter().map(|it| string(it)).collect();
    // In the order of the grammar, with the start first.
    let order = |name: &str| {
        let plain = name.trim_start_matches('_');
        let at = grammar.rules.iter().position(|it| it.name == plain);
        at.unwrap_or(if name == START { 0 } else { usize::MAX })
    };
    let mut rules: Vec<(String, Value)> = made.rules.into_iter().collect();
    rules.sort_by_key(|(name, _)| (name != START, order(name), name.clone()));
    let rules: Vec<String> = rules
        .iter()
        .map(|(name, it)| format!("    {}: {it}", json!(name)))
        .collect();
    let head = [
        ("name", json!("adit")),
        ("word", json!("ident")),
        (
            "extras",
            json!([{"type": "PATTERN", "value": "\\s"}, symbol("doc"), symbol("comment")]),
        ),
        ("conflicts", json!(CONFLICTS)),
        ("precedences", json!([])),
        ("externals", json!([])),
        ("inline", json!([])),
        ("supertypes", json!([])),
        ("reserved", json!({"global": reserved})),
    ];
    let head: Vec<String> = head
        .iter()
        .map(|(name, it)| format!("  {}: {it}", json!(name)))
        .collect();
    format!(
        "{{\n{},\n  \"rules\": {{\n{}\n  }}\n}}\n",
        head.join(",\n"),
        rules.join(",\n")
    )
}

struct Made<'a> {
    grammar: &'a Grammar,
    rules: Map<String, Value>,
    open: Vec<String>,
    seen: BTreeSet<String>,
}

impl Made<'_> {
    fn rule(&mut self, name: &str) {
        let rule = self.grammar.rule(name);
        let by_hand = RULES.iter().find(|it| it.0 == name);
        let body = match (by_hand, rule.ty) {
            (Some((_, form)), _) => serde_json::from_str(form).unwrap(),
            (None, RuleType::Atomic) if self.is_words(name, &rule.expr) => {
                self.words(name, &rule.expr).unwrap()
            }
            (None, RuleType::Atomic) => token(&pattern(self.grammar, &rule.expr)),
            (None, RuleType::CompoundAtomic) => self.close_together(&rule.expr),
            (None, _) => self.body(name, &rule.expr).unwrap(),
        };
        if by_hand.is_some() {
            self.asked(&body);
        }
        let preferred = PREFERRED.iter().find(|it| it.0 == name);
        let body = match preferred {
            Some((_, by)) => json!({"type": "PREC_DYNAMIC", "value": by, "content": body}),
            None => body,
        };
        let body = if name == "named" {
            self.named(body)
        } else {
            body
        };
        let is_token = matches!(body["type"].as_str(), Some("TOKEN" | "STRING" | "PATTERN"));
        let body = if is_token || PATIENT.contains(&name) {
            body
        } else {
            json!({"type": "PREC_RIGHT", "value": 0, "content": body})
        };
        self.rules.insert(self.name_of(name), body);
    }

    /// Some verbs are names as well, where the grammar looks ahead for it.
    fn named(&mut self, mut body: Value) -> Value {
        let name = |word: &String| json!({"type": "ALIAS", "named": true, "value": "ident", "content": string(word)});
        let (names, called) = self.grammar.verbs_as_names();
        let names = names.iter().map(name);
        let names = [symbol("ident")].into_iter().chain(names).collect();
        body["members"][0] = many("CHOICE", names);
        let called = many("CHOICE", called.iter().map(name).collect());
        many(
            "CHOICE",
            vec![body, many("SEQ", vec![called, symbol("args")])],
        )
    }

    /// The rules that a form by hand asks for.
    fn asked(&mut self, form: &Value) {
        match form {
            Value::Object(all) if all.get("type") == Some(&json!("SYMBOL")) => {
                let name = all["name"].as_str().unwrap();
                self.open.push(name.trim_start_matches('_').to_owned());
            }
            Value::Object(all) => all.values().for_each(|it| self.asked(it)),
            Value::Array(all) => all.iter().for_each(|it| self.asked(it)),
            _ => {}
        }
    }

    fn name_of(&self, name: &str) -> String {
        match self.grammar.rule(name).ty {
            RuleType::Silent => format!("_{name}"),
            _ => name.to_owned(),
        }
    }

    /// What a rule reads; nothing, where it only looks ahead.
    fn body(&mut self, rule: &str, expr: &Expr) -> Option<Value> {
        match expr {
            _ if is_lookahead(expr) => None,
            Expr::Str(it) if is_slip(rule, it) => None,
            Expr::Str(it) => Some(string(it)),
            Expr::Ident(name) => self.reference(name),
            Expr::Seq(..) => self.in_a_row(rule, &sequence(expr)),
            Expr::Choice(..) => {
                let all = choices(expr);
                let all: Vec<Value> = all
                    .into_iter()
                    .filter_map(|it| self.body(rule, it))
                    .collect();
                (!all.is_empty()).then(|| many("CHOICE", all))
            }
            Expr::Opt(it) => Some(optional(self.body(rule, it)?)),
            Expr::Rep(it) => Some(json!({"type": "REPEAT", "content": self.body(rule, it)?})),
            Expr::RepOnce(it) => Some(json!({"type": "REPEAT1", "content": self.body(rule, it)?})),
            _ => panic!("{rule}: no form for {expr:?}"),
        }
    }

    /// Where `x*` stands twice and what is between can be left out, the second stands behind what is between:
    /// else nothing would tell which of both reads an x.
    fn in_a_row(&mut self, rule: &str, parts: &[&Expr]) -> Option<Value> {
        let mut all = Vec::new();
        let mut rest = parts;
        while let Some((first, behind)) = rest.split_first() {
            rest = behind;
            all.extend(self.body(rule, first));
            let between = behind
                .iter()
                .take_while(|it| matches!(it, Expr::Opt(_)))
                .count();
            let again = behind.get(between) == Some(first);
            if again && between > 0 && matches!(first, Expr::Ident(_)) {
                let ways = (0..between).filter_map(|from| {
                    let Expr::Opt(needed) = behind[from] else {
                        return None;
                    };
                    let mut way = vec![&**needed];
                    way.extend(&behind[from + 1..=between]);
                    self.in_a_row(rule, &way)
                });
                all.push(optional(many("CHOICE", ways.collect())));
                rest = &behind[between + 1..];
            }
        }
        (!all.is_empty()).then(|| many("SEQ", all))
    }

    fn reference(&mut self, name: &str) -> Option<Value> {
        if matches!(name, "SOI" | "EOI" | "doc") {
            return None;
        }
        let rule = self.grammar.rule(name);
        let has_no_meaning = name.starts_with("k_") || name.starts_with("p_");
        if has_no_meaning {
            return self.words(name, &rule.expr);
        }
        // A rule that can read nothing is put where it stands.
        if self.grammar.can_be_empty(&rule.expr) {
            assert_eq!(rule.ty, RuleType::Silent, "{name} can read nothing");
            return self.body(name, &rule.expr);
        }
        self.open.push(name.to_owned());
        Some(symbol(&self.name_of(name)))
    }

    /// Whether an atomic rule reads whole words and signs, and names.
    fn is_words(&self, rule: &str, expr: &Expr) -> bool {
        choices(expr).into_iter().all(|it| {
            let parts: Vec<&Expr> = sequence(it)
                .into_iter()
                .filter(|it| !is_lookahead(it))
                .collect();
            let apart = parts
                .windows(2)
                .all(|it| is_blank(it[0]) || is_blank(it[1]));
            apart
                && parts.iter().all(|it| match it {
                    Expr::Str(_) => true,
                    Expr::Choice(..) => self.is_words(rule, it),
                    Expr::Ident(name) if is_slip(rule, name) => true,
                    Expr::Ident(name) => match self.grammar.rule(name).ty {
                        RuleType::Silent => self.is_words(name, &self.grammar.rule(name).expr),
                        _ => name == "ident",
                    },
                    it => is_blank(it),
                })
        })
    }

    fn words(&mut self, rule: &str, expr: &Expr) -> Option<Value> {
        match expr {
            Expr::Choice(..) => {
                let all = choices(expr);
                let all: Vec<Value> = all
                    .into_iter()
                    .filter_map(|it| self.words(rule, it))
                    .collect();
                (!all.is_empty()).then(|| many("CHOICE", all))
            }
            Expr::Seq(..) => {
                let all = sequence(expr).into_iter().filter(|it| !is_blank(it));
                let all: Vec<Value> = all.filter_map(|it| self.words(rule, it)).collect();
                (!all.is_empty()).then(|| many("SEQ", all))
            }
            Expr::Ident(name) if is_slip(rule, name) => None,
            _ => self.body(rule, expr),
        }
    }

    /// A text: between what stands in it there are no blanks that mean nothing.
    fn close_together(&mut self, expr: &Expr) -> Value {
        let parts = sequence(expr);
        let parts = parts.into_iter().enumerate().map(|(at, it)| match it {
            Expr::Str(it) if at == 0 => string(it),
            _ => self.close(it),
        });
        many("SEQ", parts.collect())
    }

    fn close(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Choice(..) => {
                let all = choices(expr).into_iter().map(|it| self.close(it));
                many("CHOICE", all.collect())
            }
            Expr::Rep(it) => json!({"type": "REPEAT", "content": self.close(it)}),
            Expr::Ident(name) => {
                let rule = self.grammar.rule(name);
                if rule.ty == RuleType::NonAtomic {
                    self.open.push(name.clone());
                    return symbol(name);
                }
                // Before a comment, which may begin in a text as well.
                let text = json!({"type": "PATTERN", "value": pattern(self.grammar, &rule.expr)});
                let text = json!({"type": "PREC", "value": 1, "content": text});
                let text = json!({"type": "IMMEDIATE_TOKEN", "content": text});
                self.seen.insert(name.clone());
                self.rules.insert(name.clone(), text);
                symbol(name)
            }
            _ => panic!("no form for {expr:?} in a text"),
        }
    }
}

fn is_blank(expr: &Expr) -> bool {
    match expr {
        Expr::RepOnce(it) | Expr::Rep(it) => is_blank(it),
        Expr::Ident(name) => name == "WHITESPACE",
        _ => false,
    }
}

fn is_slip(rule: &str, text: &str) -> bool {
    SLIPS.iter().any(|it| it.0 == rule && it.1.contains(&text))
}

fn symbol(name: &str) -> Value {
    json!({"type": "SYMBOL", "name": name})
}

fn string(text: &str) -> Value {
    json!({"type": "STRING", "value": text})
}

fn token(pattern: &str) -> Value {
    json!({"type": "TOKEN", "content": {"type": "PATTERN", "value": pattern}})
}

fn many(kind: &str, mut members: Vec<Value>) -> Value {
    match members.len() {
        1 => members.remove(0),
        _ => json!({"type": kind, "members": members}),
    }
}

fn optional(it: Value) -> Value {
    json!({"type": "CHOICE", "members": [it, {"type": "BLANK"}]})
}
