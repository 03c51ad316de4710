//! Findings as text for people.

use super::Ui;
use super::ui::Tone;
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::Sources;

/// Returns findings as they are shown to a person.
pub fn findings(sources: &Sources, diagnostics: &[Diagnostic], ui: &Ui<'_>) -> String {
    let shown: Vec<String> = diagnostics
        .iter()
        .map(|it| finding(sources, it, ui))
        .collect();
    shown.join("\n\n")
}

fn finding(sources: &Sources, it: &Diagnostic, ui: &Ui<'_>) -> String {
    let (word, tone) = match it.severity {
        Severity::Info => ("note", Tone::Cyan),
        Severity::Warning => ("warning", Tone::Yellow),
        Severity::Error => ("error", Tone::Red),
    };
    let head = ui.paint(tone, format!("{word}[{}]", it.code));
    let mut text = format!("{head}: {}", it.message);
    for label in &it.labels {
        let place = ui.paint(Tone::Dim, sources.place(label.span));
        text.push_str(&format!("\n  --> {place}  {}", label.text).trim_end());
    }
    if let Some(help) = &it.help {
        text.push_str(&format!("\n  help: {help}"));
    }
    text
}
