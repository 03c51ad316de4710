//! What each word and each kind of thing in a rulebook is to a reader: the one table behind all grammars.

use std::collections::BTreeSet;

use pest_meta::ast::Expr;

use super::by_hand::{NAMED, NAMELESS, SLIPS};
use super::grammar::{Grammar, choices, is_word, literals, sequence};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    Item,
    Verb,
    Clause,
    Operator,
    Value,
    Number,
    Text,
    Escape,
    Hole,
    Sentence,
    Doc,
    Comment,
    Rule,
    Kind,
    Place,
    Book,
    Case,
    Field,
    Bracket,
    Delimiter,
    Sign,
}

/// For each role its capture of tree-sitter, its scope of TextMate, and its group of Vim.
#[rustfmt::skip]
const LOOKS: [(Role, &str, &str, &str); 21] = [
    (Role::Item, "keyword", "storage.type", "Structure"),
    (Role::Verb, "keyword", "keyword.control", "Statement"),
    (Role::Clause, "keyword", "keyword.other", "Keyword"),
    (Role::Operator, "keyword.operator", "keyword.operator.word", "Operator"),
    (Role::Value, "constant.builtin", "constant.language", "Boolean"),
    (Role::Number, "number", "constant.numeric", "Number"),
    (Role::Text, "string", "string.quoted.double", "String"),
    (Role::Escape, "string.escape", "constant.character.escape", "SpecialChar"),
    (Role::Hole, "punctuation.special", "punctuation.section.embedded", "Special"),
    (Role::Sentence, "string.special", "constant.other.sentence", "Constant"),
    (Role::Doc, "comment.documentation", "comment.line.documentation", "SpecialComment"),
    (Role::Comment, "comment", "comment.line.double-slash", "Comment"),
    (Role::Rule, "function", "entity.name.function", "Function"),
    (Role::Kind, "type", "entity.name.type", "Type"),
    (Role::Place, "variable", "variable.other.definition", "Identifier"),
    (Role::Book, "module", "entity.name.section", "Title"),
    (Role::Case, "label", "entity.name.label", "Label"),
    (Role::Field, "property", "variable.other.property", "Identifier"),
    (Role::Bracket, "punctuation.bracket", "punctuation.section", "Delimiter"),
    (Role::Delimiter, "punctuation.delimiter", "punctuation.separator", "Delimiter"),
    (Role::Sign, "operator", "keyword.operator", "Operator"),
];

impl Role {
    fn looks(self) -> (&'static str, &'static str, &'static str) {
        let found = LOOKS.iter().find(|it| it.0 == self);
        let (_, capture, scope, group) = found.expect("each role has its looks");
        (capture, scope, group)
    }

    pub fn capture(self) -> &'static str {
        self.looks().0
    }

    pub fn scope(self) -> String {
        format!("{}.adit", self.looks().1)
    }

    pub fn group(self) -> &'static str {
        self.looks().2
    }
}

/// The words of the language by what they are.
pub struct Words {
    /// They begin an item, with what they give a name to.
    pub items: Vec<(String, Option<Role>)>,
    pub verbs: BTreeSet<String>,
    pub operators: BTreeSet<String>,
    pub values: BTreeSet<String>,
    /// All others.
    pub clauses: BTreeSet<String>,
    /// No name is one of these.
    pub reserved: BTreeSet<String>,
}

impl Words {
    pub fn of(grammar: &Grammar) -> Words {
        let mut items = Vec::new();
        for (rule, role) in item_rules(grammar) {
            let words = grammar.first_words(&grammar.rule(&rule).expr);
            items.extend(words.into_iter().map(|it| (it, role)));
        }
        let statements = rules_in(grammar, "statement")
            .into_iter()
            .filter(|it| it != "effect");
        let verbs = statements
            .flat_map(|it| grammar.first_words(&grammar.rule(&it).expr))
            .collect();
        let of = |names: &[&str]| -> BTreeSet<String> {
            let words = names.iter().flat_map(|it| grammar.words(it));
            words.filter(|it| !is_slip(it)).collect()
        };
        let mut words = Words {
            items,
            verbs,
            operators: of(&["infix", "sum_infix", "prefix"]),
            values: of(&["truth", "none"]),
            clauses: of(&["item"]),
            reserved: grammar.words("kw"),
        };
        let known: BTreeSet<String> = [&words.verbs, &words.operators, &words.values]
            .into_iter()
            .flatten()
            .chain(words.items.iter().map(|it| &it.0))
            .cloned()
            .collect();
        words.clauses.retain(|it| !known.contains(it));
        words
    }
}

/// The kinds of items that editors show by name, and of what kind the name is.
pub fn item_rules(grammar: &Grammar) -> Vec<(String, Option<Role>)> {
    let rules = rules_in(grammar, "item").into_iter().map(|rule| {
        let named = NAMED.iter().find(|it| it.0 == rule);
        let known = named.is_some() || NAMELESS.contains(&rule.as_str());
        assert!(known, "say in by_hand.rs what `{rule}` gives a name to");
        (rule, named.map(|it| it.1))
    });
    rules.collect()
}

fn rules_in(grammar: &Grammar, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in sequence(&grammar.rule(name).expr) {
        if let Expr::Choice(..) = part {
            found = choices(part)
                .into_iter()
                .map(|it| match it {
                    Expr::Ident(name) => name.clone(),
                    _ => panic!("no rule: {it:?}"),
                })
                .collect();
        }
    }
    found
}

fn is_slip(word: &str) -> bool {
    // `is` stands in a rule of slips.
    let known = SLIPS.iter().any(|it| it.1.contains(&word));
    known || word == "is"
}

/// The signs of the language by what they are.
pub fn signs(grammar: &Grammar) -> Vec<(Role, BTreeSet<String>)> {
    let mut all: BTreeSet<String> = BTreeSet::new();
    for rule in &grammar.rules {
        let is_sign = rule.name.starts_with("p_");
        if is_sign
            || matches!(
                rule.name.as_str(),
                "infix" | "prefix" | "assign_op" | "extend_op"
            )
        {
            let literals = literals(&rule.expr);
            let slips = SLIPS
                .iter()
                .find(|it| it.0 == rule.name)
                .map_or(&[][..], |it| it.1);
            all.extend(
                literals
                    .into_iter()
                    .filter(|it| !is_word(it) && !slips.contains(&it.as_str())),
            );
        }
    }
    let role = |it: &String| match it.as_str() {
        "{" | "}" | "(" | ")" | "[" | "]" => Role::Bracket,
        "," | ":" | "." | "|" => Role::Delimiter,
        _ => Role::Sign,
    };
    [Role::Bracket, Role::Delimiter, Role::Sign]
        .map(|wanted| {
            (
                wanted,
                all.iter()
                    .filter(|it| role(it) == wanted)
                    .cloned()
                    .collect(),
            )
        })
        .into()
}
