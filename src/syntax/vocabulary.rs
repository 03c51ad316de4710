//! Words and signs that the grammar gives a meaning, and those that it does not.

use super::ast::StatementKind;
use super::scan::leading_word;

/// The words that begin an item.
pub const ITEM_WORDS: &[&str] = &[
    "game",
    "expansion",
    "edition",
    "variant",
    "part",
    "resolve",
    "enum",
    "record",
    "component",
    "supply",
    "space",
    "option",
    "question",
    "zone",
    "track",
    "table",
    "define",
    "event",
    "action",
    "flow",
    "ending",
    "invariant",
    "measure",
    "show",
    "hide",
    "history",
    "picture",
    "aside",
    "sentences",
    "ruling",
    "study",
    "position",
    "set",
    "forbid",
    "permit",
    "except",
    "replace",
    "remove",
    "insert",
    "extend",
    "add",
    "excludes",
    "needs",
];

/// Returns whether this word begins an item; capital letters are a slip that does not hide the item.
pub fn is_item_word(word: &str) -> bool {
    ITEM_WORDS.iter().any(|it| it.eq_ignore_ascii_case(word))
}

/// Returns whether something can be given this name.
pub fn is_name(word: &str) -> bool {
    let is_letter = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let begins = word.starts_with(|it: char| it.is_ascii_alphabetic());
    begins && word.chars().all(is_letter) && !is_reserved(word)
}

/// Returns whether this word cannot be a name.
pub fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// The words that cannot be names: those that begin, continue or close an expression. A test compares
/// them with the grammar.
pub const RESERVED: &[&str] = &[
    "after",
    "and",
    "because",
    "by",
    "can",
    "cite",
    "count",
    "default",
    "else",
    "empty",
    "every",
    "false",
    "filled",
    "for",
    "from",
    "groups",
    "if",
    "in",
    "label",
    "least",
    "max",
    "min",
    "mod",
    "most",
    "no",
    "none",
    "not",
    "of",
    "or",
    "order",
    "otherwise",
    "product",
    "reach",
    "return",
    "some",
    "status",
    "sum",
    "then",
    "to",
    "true",
    "until",
    "via",
    "walk",
    "when",
    "where",
    "with",
];

/// What may stand behind `expect` besides a condition.
pub const EXPECTED: [&str; 6] = ["illegal", "legal", "offers", "ended", "winner", "told"];

/// The words that begin or go on with a statement.
pub(super) fn verbs() -> impl Iterator<Item = &'static str> {
    let begin = StatementKind::EXAMPLES.iter().map(|it| leading_word(it));
    begin.chain(["may", "else", "otherwise", "until"])
}

/// Returns whether this word begins or goes on with a statement.
pub fn is_verb(word: &str) -> bool {
    verbs().any(|verb| verb == word)
}

/// The word that begins an item, for one of the same meaning that does not.
pub(super) fn same_meaning(word: &str) -> Option<&'static str> {
    Some(match word {
        "change" | "override" | "update" | "modify" => "replace",
        "delete" | "drop" => "remove",
        "ban" | "prohibit" | "disallow" => "forbid",
        "allow" | "let" => "permit",
        "append" | "include" => "add",
        "function" | "func" | "def" | "fn" => "define",
        "var" | "variable" | "counter" => "track",
        "const" | "constant" | "setting" => "option",
        "type" | "struct" | "class" => "record",
        "board" => "space",
        "deck" | "place" => "zone",
        "card" | "piece" => "component",
        "move" => "action",
        "phase" | "round" => "flow",
        "test" | "case" => "ruling",
        _ => return None,
    })
}

/// How a statement with this verb is written, for one that is not complete.
pub(super) fn shape(verb: &str) -> Option<&'static str> {
    let verb = if verb == "may" { "choose" } else { verb };
    let mut examples = StatementKind::EXAMPLES.into_iter();
    examples.find(|it| leading_word(it) == verb)
}

/// How it is written what booklets say by this verb.
pub(super) fn spoken_verb(verb: &str) -> Option<&'static str> {
    Some(match verb {
        "deal" => "draw 5 of deck to hand[s]",
        "take" | "put" | "place" | "play" | "discard" | "give" => {
            "move c from hand[me] to discards"
        }
        "roll" | "throw" => "choose chance n in 1..6",
        "say" | "print" | "announce" => "tell all \"the market closes\"",
        _ => return None,
    })
}

/// What other languages call behind a dot and this one has a word for.
pub(super) const METHODS: &[(&[&str], &str)] = &[
    (&["contains", "has", "includes"], "c in hand[me]"),
    (&["count", "length", "len", "size"], "count hand[me]"),
    (&["empty", "is_empty"], "empty hand[me]"),
    (&["add", "push", "append", "insert"], "move c to hand[me]"),
    (
        &["remove", "pop", "delete"],
        "move c from hand[me] to discards",
    ),
    (&["top", "last", "peek"], "top(deck)"),
    (&["shuffle"], "shuffle deck"),
];

/// Signs of other languages and what is written here.
pub(super) const FOREIGN: &[(&str, &str, &str)] = &[
    (";", "", "statements need no sign between them"),
    ("%", "mod", "write `mod`"),
    ("++", "+= 1", "write `coins[me] += 1`"),
    ("--", "-= 1", "write `coins[me] -= 1`"),
    ("#", "//", "a comment begins with `//`"),
    (
        "/*",
        "//",
        "a comment begins with `//` and ends with its line",
    ),
    ("“", "\"", "a text stands in straight double quotes"),
    ("”", "\"", "a text stands in straight double quotes"),
    ("„", "\"", "a text stands in straight double quotes"),
    ("'", "\"", "a text stands in double quotes"),
    ("`", "\"", "a text stands in double quotes"),
    ("×", "*", "write `*`"),
    ("→", "->", "write `->`"),
    ("⇒", "=>", "write `=>`"),
    ("–", "-", "write `-`"),
    ("−", "-", "write `-`"),
];
