//! What was found, told once.

use crate::diagnostic::{Diagnostic, Label, codes, sort_by_place};

/// So many places of one unknown name are shown.
const MOST_PLACES: usize = 4;

/// Sorts what was found by place, and leaves out what is told already.
pub(super) fn told_once(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    sort_by_place(&mut diagnostics);
    // Spans are equal wherever they are, so equal findings of different places need telling apart.
    diagnostics.dedup_by(|one, other| one == other && same_place(one, other));
    joined(diagnostics)
}

/// Makes one finding of all about one unknown name: it is one slip, or one name that was changed.
fn joined(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut joined: Vec<Diagnostic> = Vec::new();
    for it in diagnostics {
        let is_alike = |other: &&mut Diagnostic| {
            other.code == it.code && other.message == it.message && other.help == it.help
        };
        let first = match it.code == codes::UNKNOWN_NAME {
            true => joined.iter_mut().find(is_alike),
            false => None,
        };
        let Some(first) = first else {
            joined.push(it);
            continue;
        };
        let room = MOST_PLACES.saturating_sub(first.labels.len());
        let places = it.labels.into_iter().take(room);
        first.labels.extend(places.map(|label| Label {
            text: "and here".to_owned(),
            ..label
        }));
        if let (Some(fix), Some(more)) = (&mut first.fix, it.fix) {
            fix.edits.extend(more.edits);
        }
    }
    joined
}

fn same_place(one: &Diagnostic, other: &Diagnostic) -> bool {
    let places = one.labels.iter().zip(&other.labels);
    places
        .into_iter()
        .all(|(one, other)| one.span.same_place(other.span))
}
