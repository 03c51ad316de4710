use std::collections::HashSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::index::LocalKind;
use crate::lint::{Context, Lint, words};
use crate::source::Span;
use crate::syntax::ast::ItemKind;

pub(super) const LINT: Lint = Lint {
    code: codes::SHADOWED_NAME,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let mut told = HashSet::new();
    for local in &context.index.locals {
        match local.kind {
            // Names for what is already there, and `me`.
            LocalKind::Formal | LocalKind::Turn => continue,
            LocalKind::Param
            | LocalKind::Let
            | LocalKind::Chosen
            | LocalKind::Each
            | LocalKind::Member => {}
        }
        let name = local.name;
        let declared = context.index.declared(name.as_str());
        // Nothing can name a ruling, a study, an invariant or a measure anyway.
        let declared = declared.filter(|it| {
            !matches!(
                it.kind,
                ItemKind::Ruling(_)
                    | ItemKind::Study(_)
                    | ItemKind::Invariant(_)
                    | ItemKind::Measure(_)
            )
        });
        let (message, hidden) = match (local.hides, declared) {
            (Some(hidden), _) => (format!("`{name}` hides another local of that name"), hidden),
            (None, Some(item)) => {
                let place = item.kind.name().map_or(item.span, |it| it.span);
                (
                    format!(
                        "`{name}` hides the {} of that name",
                        words::noun(&item.kind)
                    ),
                    place,
                )
            }
            (None, None) => continue,
        };
        // What an amendment calls so meets the locals of its base: it is told once, of the new name.
        if let Some(item) = declared.filter(|_| is_later(context, hidden, name.span)) {
            if told.insert(name.as_str()) {
                let what = words::noun(&item.kind);
                let message = format!("the {what} `{name}` is hidden where a local is called so");
                found.push(
                    Diagnostic::new(codes::SHADOWED_NAME, message)
                        .label(hidden, "there this one is not meant")
                        .label(name.span, "and this one is")
                        .help(format!("give the {what} another name")),
                );
            }
            continue;
        }
        found.push(
            Diagnostic::new(codes::SHADOWED_NAME, message)
                .label(name.span, "from here on this one is meant")
                .label(hidden, "and not this one")
                .help("give one of them another name"),
        );
    }
}

/// Whether a place is in an amendment of the rulebook that another one is in.
fn is_later(context: &Context<'_>, place: Span, other: Span) -> bool {
    let files = context.book.files;
    let [at, before] = [place, other].map(|it| files.iter().position(|file| file.holds(it.file)));
    at > before
}
