//! Words and signs that the grammar gives a meaning, and those that it does not.

/// The words that begin an item.
pub const ITEM_WORDS: &[&str] = &[
    "game",
    "expansion",
    "edition",
    "variant",
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
    "show",
    "picture",
    "aside",
    "sentences",
    "ruling",
    "study",
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

/// The verbs that begin a statement.
pub(super) const VERBS: &[&str] = &[
    "let",
    "while",
    "repeat",
    "step",
    "choose",
    "may",
    "window",
    "turns",
    "move",
    "draw",
    "exchange",
    "shuffle",
    "show",
    "ranking",
    "winner",
    "end",
    "next",
    "again",
    "return",
    "if",
    "by",
    "for",
    "else",
    "otherwise",
    "until",
];

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
    Some(match verb {
        "let" => "let n = count hand[me]",
        "while" => "while count hand[me] > 3 { … }",
        "repeat" => "repeat 3 { … }",
        "step" => "step play { … }",
        "choose" | "may" => "choose me: buy | sell",
        "window" => "window me { once bargain: buy }",
        "turns" => "turns me from anna { … }",
        "move" => "move c from hand[me] to deck",
        "draw" => "draw 2 of deck to hand[me]",
        "exchange" => "exchange c from hand[me] with row[left]",
        "shuffle" => "shuffle deck",
        "show" => "show hand[anna] to all",
        "ranking" => "ranking seat by coins[it]",
        "winner" => "winner me",
        "end" => "end over()",
        "if" => "if coins[me] > 3 { … }",
        "by" => "by plums { double => { … } }",
        "for" => "for each s in seat { … }",
        _ => return None,
    })
}

/// Signs of other languages and what is written here.
pub(super) const FOREIGN: &[(&str, &str, &str)] = &[
    (";", "", "statements need no sign between them"),
    ("%", "mod", "write `mod`"),
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
