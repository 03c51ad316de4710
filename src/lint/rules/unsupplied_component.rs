use std::collections::HashSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::syntax::ast::ItemKind;

pub(super) const LINT: Lint = Lint {
    code: codes::UNSUPPLIED_COMPONENT,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let items = || context.index.items.iter().map(|it| &it.item.kind);
    let supplied: HashSet<&str> = items()
        .filter_map(|kind| match kind {
            ItemKind::Supply(it) => Some(it.component.as_str()),
            _ => None,
        })
        .collect();
    for kind in items() {
        if let ItemKind::Component(it) = kind
            && !supplied.contains(it.name.as_str())
            // One that nothing speaks of is a finding of its own.
            && context.index.is_used(&it.name)
        {
            let name = &it.name;
            let message = format!("no `{name}` ever lies anywhere: there is none in the box");
            found.push(
                Diagnostic::at(codes::UNSUPPLIED_COMPONENT, name.span, message).help(format!(
                    "say how many there are and where: `supply every {name} in …`"
                )),
            );
        }
    }
}
