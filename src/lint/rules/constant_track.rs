use std::collections::HashSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::index::Role;
use crate::lint::{Context, Lint};
use crate::syntax::ast::ItemKind;

pub(super) const LINT: Lint = Lint {
    code: codes::CONSTANT_TRACK,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let index = &context.index;
    let names = |role: Role| -> HashSet<&str> {
        let in_rules = |item: usize| role == Role::Read || !index.in_ruling(item);
        let uses = index
            .uses
            .iter()
            .filter(|it| it.role == role && in_rules(it.item));
        uses.map(|it| it.name.as_str()).collect()
    };
    let (read, written) = (names(Role::Read), names(Role::Written));
    for (_, item, name) in index.declarations() {
        let is_track = matches!(item.kind, ItemKind::Track(_));
        // A track that nothing reads either is a finding of its own.
        if is_track && read.contains(name.as_str()) && !written.contains(name.as_str()) {
            let message = format!("the track `{name}` never changes");
            found.push(
                Diagnostic::at(codes::CONSTANT_TRACK, name.span, message).help(
                    "let something change it, or write `define` or `option` for what is always so",
                ),
            );
        }
    }
}
