//! Words in messages.

use crate::syntax::ast::ItemKind;

/// Returns what an item is called in a sentence.
pub(super) fn noun(kind: &ItemKind) -> &'static str {
    match kind {
        ItemKind::Define(_) => "definition",
        _ => kind.word(),
    }
}

/// Returns "`a`", "`a` and `b`", "`a`, `b` and `c`".
pub(super) fn listed<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.into_iter().map(|it| format!("`{it}`")).collect();
    match words.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
    }
}
