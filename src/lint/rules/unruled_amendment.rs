use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::syntax::ast::{Edit, HeaderKind, Item, ItemKind};

pub(super) const LINT: Lint = Lint {
    code: codes::UNRULED_AMENDMENT,
    run,
};

/// An amendment of the rules without a ruling. One that chooses readings and no more has those of the rulebook.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for file in context.book.files {
        let Some(header) = &file.header else { continue };
        let HeaderKind::Amendment { base, .. } = &header.kind else {
            continue;
        };
        if file.items.iter().any(changes) && !file.items.iter().any(shows) {
            let message = format!("no ruling shows what `{}` changes", header.name);
            found.push(
                Diagnostic::at(codes::UNRULED_AMENDMENT, header.name.span, message).help(format!(
                    "write one: `adit try` shows a position in which it differs from `{base}`"
                )),
            );
        }
    }
}

fn changes(item: &Item) -> bool {
    !matches!(
        item.kind,
        ItemKind::Edit(Edit::Set { .. })
            | ItemKind::Relation(_)
            | ItemKind::Sentences(_)
            | ItemKind::Aside(_)
            | ItemKind::Show(_)
            | ItemKind::Hide(_)
            | ItemKind::Picture(_)
    )
}

fn shows(item: &Item) -> bool {
    match &item.kind {
        ItemKind::Ruling(_) | ItemKind::Study(_) => true,
        ItemKind::Resolve(it) => it.items.iter().any(shows),
        _ => false,
    }
}
