use std::sync::Arc;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::syntax::ast::{Edit, HeaderKind, Item, ItemKind, Replace};

pub(super) const LINT: Lint = Lint {
    code: codes::UNRULED_AMENDMENT,
    run,
};

/// Amendments that change rules, and none of whose rulings or studies shows what comes of it.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for file in context.book.files {
        let Some(header) = &file.header else { continue };
        if !matches!(header.kind, HeaderKind::Amendment { .. }) {
            continue;
        }
        let shows = |it: &Arc<Item>| matches!(it.kind, ItemKind::Ruling(_) | ItemKind::Study(_));
        if file.items.iter().any(shows) || !file.items.iter().any(changes_rules) {
            continue;
        }
        let message = format!("no ruling shows what `{}` changes", header.name);
        found.push(
            Diagnostic::at(codes::UNRULED_AMENDMENT, header.name.span, message).help(
                "`adit try FILE --save line.jsonl` keeps a line to a difference, and `adit new ruling ID --from line.jsonl --for FILE` begins a ruling with it",
            ),
        );
    }
}

/// Whether it says a rule of its own: what is only set is shown by the rulings of the question.
fn changes_rules(item: &Arc<Item>) -> bool {
    // How something looks is told by no ruling, be it new or instead of what was there.
    let item = match &item.kind {
        ItemKind::Edit(Edit::Replace(Replace::Item(item))) => item,
        _ => &**item,
    };
    !matches!(
        item.kind,
        ItemKind::Edit(Edit::Set { .. })
            | ItemKind::Measure(_)
            | ItemKind::Show(_)
            | ItemKind::Hide(_)
            | ItemKind::Picture(_)
            | ItemKind::Aside(_)
            | ItemKind::Sentences(_)
            | ItemKind::Relation(_)
            | ItemKind::Resolve(_)
            | ItemKind::Position(_)
            | ItemKind::Invariant(_)
    )
}
