use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::syntax::ast::{ItemKind, Name, Type};

pub(super) const LINT: Lint = Lint {
    code: codes::SHOWN_ALIKE,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let mut shown: HashMap<_, (&Name, Option<&[Type]>)> = HashMap::new();
    for placed in &context.index.items {
        let ItemKind::Show(show) = &placed.item.kind else {
            continue;
        };
        // What lies there may be printed alike; what stands beside it on the table must not be called alike.
        let places = match context
            .index
            .declared(show.name.as_str())
            .map(|it| &it.kind)
        {
            Some(ItemKind::Zone(it)) => Some(it.index.as_slice()),
            Some(ItemKind::Track(_) | ItemKind::Define(_)) => None,
            _ => continue,
        };
        let label = show
            .template
            .plain()
            .filter(|it| !it.is_empty() && show.on.is_none());
        let Some(label) = label.filter(|_| !placed.replaces) else {
            continue;
        };
        // A figure may be called like the zone that it counts.
        let key = (places.is_some(), label);
        let (other, of_other) = *shown.entry(key).or_insert((&show.name, places));
        // Two zones of the same places may be two sides of one board.
        let one_board = places.is_some_and(|it| !it.is_empty()) && places == of_other;
        if other.as_str() != show.name.as_str() && !one_board {
            let message = format!(
                "`{}` and `{other}` are both called \"{label}\" on the table",
                show.name
            );
            found.push(
                Diagnostic::at(codes::SHOWN_ALIKE, show.name.span, message)
                    .label(other.span, "")
                    .help("give one of them another name"),
            );
        }
    }
}
