use rustc_hash::FxHashSet as HashSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::terms::number;
use crate::lint::{Context, Lint};
use crate::source::Span;
use crate::syntax::ast::{ItemKind, Move, Name, StatementKind};

pub(super) const LINT: Lint = Lint {
    code: codes::UNSUPPLIED_COMPONENT,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let items = || context.index.items.iter().map(|it| &it.item.kind);
    let supplied: HashSet<&str> = items()
        .filter_map(|kind| match kind {
            ItemKind::Supply(it) if it.count.as_ref().and_then(number) != Some(0) => {
                Some(it.component.as_str())
            }
            _ => None,
        })
        .collect();
    found.extend(never_filled(context, &supplied));
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

/// Zones that are asked for, and to which nothing comes: neither from the box nor by a move.
fn never_filled(context: &Context<'_>, supplied: &HashSet<&str>) -> Vec<Diagnostic> {
    let index = &context.index;
    let mut filled: Vec<Span> = Vec::new();
    for placed in &index.items {
        if let ItemKind::Supply(it) = &placed.item.kind {
            filled.push(it.place.span);
        }
    }
    for done in index
        .statements
        .iter()
        .filter(|it| !index.in_ruling(it.item))
    {
        match &done.statement.kind {
            StatementKind::Move(Move { to, .. }) | StatementKind::Draw { to, .. } => {
                filled.push(to.span);
            }
            StatementKind::Lay { place, .. } => filled.push(place.span),
            StatementKind::Exchange { .. } => filled.push(done.statement.span),
            _ => {}
        }
    }
    let fills = |at: Span| {
        let holds = |it: &Span| it.file == at.file && it.start <= at.start && at.end <= it.end;
        filled.iter().any(holds)
    };
    let is_filled = |zone: &Name| {
        let mut uses = index.uses.iter().filter(|it| it.name == zone);
        uses.any(|it| fills(it.name.span))
    };
    let zones = index.declarations().filter(|(_, item, name)| {
        matches!(&item.kind, ItemKind::Zone(it) if supplied.contains(it.component.as_str()))
            && index.is_used(name)
            && !index.edited.contains(name.as_str())
            && !is_filled(name)
    });
    let each = zones.map(|(_, _, name)| {
        let message =
            format!("nothing ever comes to `{name}`: no `supply` and no move leads there");
        Diagnostic::at(codes::UNSUPPLIED_COMPONENT, name.span, message)
            .help("let something be laid there, or leave out what asks for it")
    });
    each.collect()
}
