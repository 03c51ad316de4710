//! All of the grammars for editors that does not follow from `grammar/rules.pest`.

use super::roles::Role;

/// Of what kind the name is that an item gives.
pub const NAMED: &[(&str, Role)] = &[
    ("game", Role::Book),
    ("amendment", Role::Book),
    ("enumeration", Role::Kind),
    ("record", Role::Kind),
    ("component", Role::Kind),
    ("space", Role::Kind),
    ("setting", Role::Place),
    ("zone", Role::Place),
    ("track", Role::Place),
    ("table", Role::Place),
    ("define", Role::Rule),
    ("event", Role::Rule),
    ("action", Role::Rule),
    ("flow", Role::Rule),
    ("ending", Role::Rule),
    ("invariant", Role::Rule),
    ("measure", Role::Rule),
    ("ruling", Role::Case),
    ("study", Role::Case),
    ("position", Role::Case),
];
/// Items that give nothing a name of its own.
pub const NAMELESS: &[&str] = &[
    "part", "resolve", "supply", "shows", "hides", "history", "picture", "aside", "told", "edit",
];

/// What tree-sitter colours besides words and names of items; the sign stands behind what it colours.
pub const NODES: &[(&str, Role)] = &[
    ("(truth) @", Role::Value),
    ("(none) @", Role::Value),
    ("(number) @", Role::Number),
    ("(string) @", Role::Text),
    ("(drawing) @", Role::Text),
    ("(escape) @", Role::Escape),
    ("(hole [\"{\" \"}\"] @)", Role::Hole),
    ("(sentence) @", Role::Sentence),
    ("(doc) @", Role::Doc),
    ("(comment) @", Role::Comment),
    ("(named (ident) @ (args))", Role::Rule),
    ("(field (word) @)", Role::Field),
];

/// Comments are blanked out before the grammar reads a text (`src/syntax/scan.rs`). Three slashes begin
/// a doc comment, four and more are a line drawn by hand.
pub const COMMENT: &str = r"//(?:[^/\n][^\n]*|//[^\n]*)?";
pub const DOC: &str = r"///(?:[^/\n][^\n]*)?";

/// What the grammar reads only to say what should stand there.
pub const SLIPS: &[(&str, &[&str])] = &[
    ("infix", &["=", "<>", "&&", "||", "slip_is"]),
    ("assign_op", &["==", ":="]),
    ("else_if", &["elseif", "elsif", "elif"]),
    ("p_bar", &["||"]),
];

/// Rules of another form: an address with a dash is a token of its own, so that words without one stay words;
/// no field has a reserved word for a name; a drawing ends at three quotes, which no pattern of pest says.
pub const RULES: &[(&str, &str)] = &[
    ("word", r#"{"type": "SYMBOL", "name": "ident"}"#),
    ("path_head", DASHED),
    ("ruling_id", DASHED),
    ("code", DASHED),
    (
        "drawing",
        r#"{"type": "TOKEN", "content": {"type": "PATTERN", "value": "\"\"\"(?:[^\"]|\"[^\"]|\"\"[^\"])*\"\"\""}}"#,
    ),
];

const DASHED: &str = r#"{"type": "CHOICE", "members": [{"type": "SYMBOL", "name": "ident"},
    {"type": "TOKEN", "content": {"type": "PATTERN", "value": "[a-zA-Z][a-zA-Z0-9_]*(?:-[a-zA-Z0-9_]+)+"}}]}"#;

/// Rules that do not go on as far as they can: what follows shows where they end.
pub const PATIENT: &[&str] = &["arg", "expect", "clear"];

/// Of two ways that both end here, the one that is taken.
pub const PREFERRED: &[(&str, i32)] = &[("binder", 1), ("tuple_type", 1)];

/// Rules between which more than the next word decides.
pub const CONFLICTS: &[&[&str]] = &[
    &["expr", "sum"],
    &["block", "braces"],
    &["effect", "operand"],
    &["infix", "sum_infix"],
    &["prefix", "answer_no"],
    &["expect"],
    &["clear", "named"],
    &["next", "named"],
    &["again", "named"],
    &["named", "ended"],
    &["arg", "parens"],
];
