//! The grammar that the program reads with, and the words that stand in it.

use std::collections::{BTreeMap, BTreeSet};

use pest_meta::ast::{Expr, Rule};
use pest_meta::parser;

/// The rules of `grammar/rules.pest`, in the order in which they are written.
pub struct Grammar {
    pub rules: Vec<Rule>,
    places: BTreeMap<String, usize>,
}

impl Grammar {
    pub fn read(text: &str) -> Grammar {
        let pairs = parser::parse(parser::Rule::grammar_rules, text)
            .unwrap_or_else(|error| panic!("{error}"));
        let rules = parser::consume_rules(pairs).unwrap_or_else(|errors| panic!("{errors:?}"));
        let names = rules.iter().enumerate();
        let places = names.map(|(at, rule)| (rule.name.clone(), at)).collect();
        Grammar { rules, places }
    }

    pub fn has(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    #[track_caller]
    pub fn rule(&self, name: &str) -> &Rule {
        let at = self.places.get(name);
        &self.rules[*at.unwrap_or_else(|| panic!("the grammar has no rule `{name}`"))]
    }

    /// Whether an expression can match nothing at all.
    pub fn can_be_empty(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Opt(_) | Expr::Rep(_) | Expr::PosPred(_) | Expr::NegPred(_) => true,
            Expr::Seq(left, right) => self.can_be_empty(left) && self.can_be_empty(right),
            Expr::Choice(left, right) => self.can_be_empty(left) || self.can_be_empty(right),
            Expr::RepOnce(it) => self.can_be_empty(it),
            Expr::Ident(name) if self.has(name) => self.can_be_empty(&self.rule(name).expr),
            _ => false,
        }
    }

    /// The words with which an expression can begin.
    pub fn first_words(&self, expr: &Expr) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        self.first(expr, &mut found);
        found
    }

    fn first(&self, expr: &Expr, found: &mut BTreeSet<String>) {
        match expr {
            Expr::Str(it) if is_word(it) => {
                found.insert(it.clone());
            }
            Expr::Seq(left, right) => {
                self.first(left, found);
                if self.can_be_empty(left) {
                    self.first(right, found);
                }
            }
            Expr::Choice(left, right) => {
                self.first(left, found);
                self.first(right, found);
            }
            Expr::Opt(it) | Expr::Rep(it) | Expr::RepOnce(it) => self.first(it, found),
            Expr::Ident(name) if self.has(name) => self.first(&self.rule(name).expr, found),
            _ => {}
        }
    }

    /// Words that begin a statement and are names as well: those that the grammar takes for names wherever it
    /// looks ahead for what makes them one, and those that it takes for names only where they are called.
    pub fn verbs_as_names(&self) -> (BTreeSet<String>, BTreeSet<String>) {
        let (mut names, mut called) = (BTreeSet::new(), BTreeSet::new());
        for rule in &self.rules {
            for at in rule.expr.iter_top_down() {
                for pair in sequence(&at).windows(2) {
                    match pair {
                        [Expr::Ident(word), Expr::NegPred(not)]
                            if word.starts_with("k_") && **not == is_place() =>
                        {
                            self.first(&self.rule(word).expr, &mut names);
                        }
                        [words @ Expr::Choice(..), Expr::Str(bracket)] if bracket == "(" => {
                            self.first(words, &mut called);
                        }
                        _ => {}
                    }
                }
            }
        }
        called.retain(|it| !names.contains(it));
        (names, called)
    }

    /// A rule and all that it reads, without what it only looks ahead for.
    pub fn reached(&self, name: &str) -> Vec<&Rule> {
        let mut open = vec![name.to_owned()];
        let mut seen = BTreeSet::new();
        while let Some(name) = open.pop() {
            if self.has(&name) && seen.insert(name.clone()) {
                read(&self.rule(&name).expr, &mut |it| {
                    if let Expr::Ident(name) = it {
                        open.push(name.clone());
                    }
                });
            }
        }
        let reached = self.rules.iter().filter(|it| seen.contains(&it.name));
        reached.collect()
    }

    /// The words that a rule and all that it reads are written with; what stands in texts are no words.
    pub fn words(&self, name: &str) -> BTreeSet<String> {
        let rules = self.reached(name).into_iter();
        let literals = rules
            .filter(|it| it.name != "escape")
            .flat_map(|it| literals(&it.expr));
        literals.filter(|it| is_word(it)).collect()
    }
}

/// Shows each part of an expression that reads something; what is only looked ahead for does not.
fn read(expr: &Expr, show: &mut impl FnMut(&Expr)) {
    show(expr);
    match expr {
        Expr::Seq(left, right) | Expr::Choice(left, right) => {
            read(left, show);
            read(right, show);
        }
        Expr::Opt(it) | Expr::Rep(it) | Expr::RepOnce(it) => read(it, show),
        _ => {}
    }
}

/// What stands in quotes in an expression, what it looks ahead for left out.
pub fn literals(expr: &Expr) -> Vec<String> {
    let mut found = Vec::new();
    read(expr, &mut |it| {
        if let Expr::Str(it) = it {
            found.push(it.clone());
        }
    });
    found
}

/// The parts of `a ~ b ~ c`.
pub fn sequence(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Seq(left, right) => [sequence(left), sequence(right)].concat(),
        _ => vec![expr],
    }
}

/// The parts of `a | b | c`.
pub fn choices(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Choice(left, right) => [choices(left), choices(right)].concat(),
        _ => vec![expr],
    }
}

/// What behind a word shows that it is a name.
fn is_place() -> Expr {
    Expr::Ident("is_place".to_owned())
}

pub fn is_word(text: &str) -> bool {
    text.bytes().all(|it| it.is_ascii_alphabetic())
}

pub fn is_lookahead(expr: &Expr) -> bool {
    matches!(expr, Expr::PosPred(_) | Expr::NegPred(_))
}

/// An atomic rule as a regular expression that all editors understand.
pub fn pattern(grammar: &Grammar, expr: &Expr) -> String {
    let parts = sequence(expr);
    if let [Expr::NegPred(not), Expr::Ident(any)] = parts.as_slice()
        && any == "ANY"
    {
        let letters = choices(not).into_iter().map(|it| match it {
            Expr::Str(letter) => escaped(letter),
            _ => panic!("not a letter: {it:?}"),
        });
        return format!("[^{}]", letters.collect::<String>());
    }
    if parts.len() > 1 {
        let (mut text, mut at) = (String::new(), 0);
        while at < parts.len() {
            let pair = parts.get(at + 1).filter(
                |it| matches!((parts[at], it), (Expr::NegPred(_), Expr::Ident(any)) if any == "ANY"),
            );
            text += &match pair {
                Some(any) => {
                    at += 1;
                    pattern(
                        grammar,
                        &Expr::Seq(Box::new(parts[at - 1].clone()), Box::new((*any).clone())),
                    )
                }
                None => pattern(grammar, parts[at]),
            };
            at += 1;
        }
        return text;
    }
    let grouped = |it: &Expr| {
        let text = pattern(grammar, it);
        let one = text.starts_with('[') && text.find(']') == Some(text.len() - 1);
        let grouped = text.starts_with("(?:") && text.find(')') == Some(text.len() - 1);
        if one || grouped {
            text
        } else {
            format!("(?:{text})")
        }
    };
    match expr {
        Expr::Str(it) => escaped(it),
        Expr::Range(from, to) => format!("[{from}-{to}]"),
        Expr::PosPred(_) | Expr::NegPred(_) => String::new(),
        Expr::Choice(..) => {
            let all = choices(expr);
            let all: Vec<String> = all.into_iter().map(|it| pattern(grammar, it)).collect();
            format!("(?:{})", all.join("|"))
        }
        Expr::Opt(it) => grouped(it) + "?",
        Expr::Rep(it) => grouped(it) + "*",
        Expr::RepOnce(it) => grouped(it) + "+",
        Expr::Ident(name) => match name.as_str() {
            "ASCII_ALPHA" => "[a-zA-Z]".to_owned(),
            "ASCII_DIGIT" => "[0-9]".to_owned(),
            "ASCII_ALPHANUMERIC" => "[a-zA-Z0-9]".to_owned(),
            _ => pattern(grammar, &grammar.rule(name).expr),
        },
        _ => panic!("no pattern for {expr:?}"),
    }
}

fn escaped(text: &str) -> String {
    let letters = text.chars().map(|it| match it {
        '\n' => "\\n".to_owned(),
        it if it.is_ascii_punctuation() && !"\"_".contains(it) => format!("\\{it}"),
        it => it.to_string(),
    });
    letters.collect()
}
