//! Findings as text for people.

use super::{Ui, ui};
use crate::diagnostic::Diagnostic;
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
