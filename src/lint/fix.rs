//! Mending what lints find.

use crate::diagnostic::{Diagnostic, Fix};
use crate::source::FileId;

/// Rounds after which mending stops. Each round mends what the one before has uncovered, so there
/// are no more than a text nests; two fixes that undo each other would go on for ever.
pub const MOST_ROUNDS: usize = 200;

/// A text with how often it was mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The text.
    pub text: String,
    /// How many findings are mended.
    pub n_fixes: usize,
}

/// Makes the fixes of some findings about a text, as many as do not touch each other; those that may change the meaning
/// only if that is asked for.
pub fn apply_fixes(text: &str, file: FileId, findings: &[Diagnostic], risky: bool) -> Fixed {
    let is_meant =
        |fix: &&Fix| (fix.safe || risky) && fix.edits.iter().all(|(span, _)| span.file == file);
    let mut fixes: Vec<(usize, usize, &Fix)> = findings
        .iter()
        .filter_map(|finding| finding.fix.as_ref())
        .filter(is_meant)
        .filter_map(|fix| {
            let (start, end) = hull(fix)?;
            Some((start, end, fix))
        })
        .collect();
    fixes.sort_by_key(|(start, end, _)| (*start, *end));
    let mut edits = Vec::new();
    let (mut n_fixes, mut free_from) = (0, 0);
    for (start, end, fix) in fixes {
        if n_fixes > 0 && start <= free_from {
            continue;
        }
        free_from = end;
        n_fixes += 1;
        edits.extend(fix.edits.iter().map(|(span, new)| (span.range(), new)));
    }
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut text = text.to_owned();
    for (range, new) in edits.into_iter().rev() {
        if text.get(range.clone()).is_some() {
            text.replace_range(range, new);
        }
    }
    Fixed { text, n_fixes }
}

/// Makes safe fixes until there are none; `look` returns what is found in a text.
pub fn fix(text: &str, file: FileId, look: &mut dyn FnMut(&str) -> Vec<Diagnostic>) -> Fixed {
    let mut fixed = Fixed {
        text: text.to_owned(),
        n_fixes: 0,
    };
    for _ in 0..MOST_ROUNDS {
        let round = apply_fixes(&fixed.text, file, &look(&fixed.text), false);
        if round.text == fixed.text {
            break;
        }
        fixed.n_fixes += round.n_fixes;
        fixed.text = round.text;
    }
    fixed
}

/// Returns the stretch from the first edit to the last.
fn hull(fix: &Fix) -> Option<(usize, usize)> {
    let start = fix.edits.iter().map(|(span, _)| span.range().start).min()?;
    let end = fix.edits.iter().map(|(span, _)| span.range().end).max()?;
    Some((start, end))
}
