//! Findings and names as text for people.

use super::{Ui, ui};
use crate::diagnostic::Diagnostic;
use crate::model::text::spelt;
use crate::report::{self, Look};
use crate::source::Sources;

/// Returns findings as they are shown to a person.
pub fn findings(sources: &Sources, diagnostics: &[Diagnostic], ui: &Ui<'_>) -> String {
    if ui.plain {
        report::plain(sources, diagnostics)
    } else {
        let look = Look {
            ascii: false,
            color: ui.color,
            width: ui.width(),
        };
        ui::styled(&report::graphical(sources, diagnostics, look))
    }
}

/// Returns words with a capital letter first.
pub fn capital(words: &str) -> String {
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// Returns a name in words.
pub fn in_words(name: &str) -> String {
    capital(&spelt(name))
}
