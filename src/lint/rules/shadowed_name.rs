use crate::diagnostic::{Diagnostic, codes};
use crate::lint::index::LocalKind;
use crate::lint::{Context, Lint, words};
use crate::syntax::ast::ItemKind;

pub(super) const LINT: Lint = Lint {
    code: codes::SHADOWED_NAME,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
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
        found.push(
            Diagnostic::new(codes::SHADOWED_NAME, message)
                .label(name.span, "from here on this one is meant")
                .label(hidden, "and not this one")
                .help("give one of them another name"),
        );
    }
}
