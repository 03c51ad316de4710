use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::source::Span;
use crate::syntax::ast::{HeaderKind, StatementKind};

pub(super) const LINT: Lint = Lint {
    code: codes::SHARED_TRACK,
    run,
};

/// A track of the game that two amendments change. Told where the second does.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let amendments: Vec<_> = context
        .book
        .files
        .iter()
        .filter_map(|file| match &file.header.as_ref()?.kind {
            HeaderKind::Amendment { .. } => Some((*file, file.header.as_ref()?.name.as_str())),
            _ => None,
        })
        .collect();
    // By track: the amendment that was the first to change it, and where.
    let mut known: BTreeMap<&str, (&str, Span, bool)> = BTreeMap::new();
    for done in &context.index.statements {
        let StatementKind::Assign { target, .. } = &done.statement.kind else {
            continue;
        };
        let (Some(name), false) = (target.leading_name(), context.index.in_ruling(done.item))
        else {
            continue;
        };
        let by = amendments
            .iter()
            .find(|(file, _)| file.holds(target.span.file));
        let (Some((_, by)), Some(declared)) = (by, context.index.declared(name.as_str())) else {
            continue;
        };
        if amendments
            .iter()
            .any(|(file, _)| file.holds(declared.span.file))
        {
            continue;
        }
        match known.get_mut(name.as_str()) {
            None => {
                known.insert(name.as_str(), (by, target.span, false));
            }
            Some((first, there, is_told)) if first != by && !*is_told => {
                *is_told = true;
                let message = format!("`{first}` and `{by}` both change `{name}`");
                found.push(
                    Diagnostic::new(codes::SHARED_TRACK, message)
                        .label(target.span, "")
                        .label(*there, "and here")
                        .help("see what they come to together: `adit try` one of them `--with` the other"),
                );
            }
            Some(_) => {}
        }
    }
}
