use crate::diagnostic::{Diagnostic, codes};
use crate::lint::index::LocalKind;
use crate::lint::{Context, Lint, words};
use crate::source::Span;
use crate::syntax::ast::{ExprKind, ItemKind};

pub(super) const LINT: Lint = Lint {
    code: codes::UNUSED_LOCAL,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let index = &context.index;
    let walked: Vec<Span> = index
        .exprs
        .iter()
        .filter_map(|it| match &it.expr.kind {
            ExprKind::Walk { var, .. } => Some(var.span),
            _ => None,
        })
        .collect();
    for local in index.locals.iter().filter(|local| local.n_reads == 0) {
        let name = local.name;
        let Some(item) = index.item(local.item) else {
            continue;
        };
        let (message, help) = match local.kind {
            // What takes the place of another item has its parameters.
            LocalKind::Param if index.items.get(local.item).is_some_and(|it| it.replaces) => {
                continue;
            }
            // An edit may use the parameters of what it changes.
            LocalKind::Param
                if item
                    .kind
                    .name()
                    .is_some_and(|it| index.edited.contains(it.as_str())) =>
            {
                continue;
            }
            LocalKind::Param if matches!(item.kind, ItemKind::Action(_)) => (
                format!("what is chosen as `{name}` makes no difference"),
                "use it in the action, or remove it: the moves would all be the same",
            ),
            LocalKind::Param => (
                format!(
                    "the {} does not use its parameter `{name}`",
                    words::noun(&item.kind)
                ),
                "use it, or remove it here and where a value is given",
            ),
            // What is inserted further on knows what is inserted before.
            LocalKind::Let if matches!(item.kind, ItemKind::Edit(_)) && index.is_used(name) => {
                continue;
            }
            LocalKind::Let => (
                format!("nothing uses the value of `{name}`"),
                "use it, or remove the `let`",
            ),
            LocalKind::Chosen => (
                format!("what is chosen as `{name}` makes no difference"),
                "use it, or remove the choice",
            ),
            // There is no way to walk without it: `walk e from p while q: true` goes to the edge.
            LocalKind::Member if walked.iter().any(|it| it.same_place(name.span)) => continue,
            LocalKind::Member => (
                format!("`{name}` runs through a set and nothing asks for it"),
                "use it, or ask without it",
            ),
            // To do something so often, for each seat, is reason enough.
            LocalKind::Each | LocalKind::Formal | LocalKind::Turn => continue,
        };
        found.push(Diagnostic::at(codes::UNUSED_LOCAL, name.span, message).help(help));
    }
}
