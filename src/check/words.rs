//! What was probably meant, and lists of words.

use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Adds the name that was probably meant.
pub(super) fn did_you_mean(diagnostic: Diagnostic, span: Span, near: Option<String>) -> Diagnostic {
    match near {
        Some(near) => diagnostic
            .help(format!("did you mean `{near}`?"))
            .fix(format!("write `{near}`"), vec![(span, near)]),
        None => diagnostic,
    }
}

/// Writes `a`, `b` and `c`; a long list is cut.
pub(super) fn listed(words: &[String]) -> String {
    let shown: Vec<String> = words.iter().take(12).map(|it| format!("`{it}`")).collect();
    match shown.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        _ if words.len() > shown.len() => {
            format!(
                "{} and {} more",
                shown.join(", "),
                words.len() - shown.len()
            )
        }
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Says what a closed list holds.
pub(super) fn there_is(words: &[String]) -> String {
    let verb = if words.len() == 1 { "is" } else { "are" };
    format!("there {verb} {}", listed(words))
}
