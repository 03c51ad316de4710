use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::syntax::ast::{Edit, ItemKind, Name};

pub(super) const LINT: Lint = Lint {
    code: codes::SWAPPED_NAMES,
    run,
};

/// A guard calls what an action, an event or a flow is given by the names that others of its parameters have.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for placed in &context.index.items {
        let ItemKind::Edit(Edit::Forbid(it) | Edit::Permit(it) | Edit::Except(it)) =
            &placed.item.kind
        else {
            continue;
        };
        let Some(target) = it.target.segments.first() else {
            continue;
        };
        let declared = context.index.declared(target.as_str());
        let params = declared.and_then(|it| it.kind.params()).unwrap_or_default();
        let names: Vec<&Name> = params.iter().flat_map(|it| &it.names).collect();
        let place_of = |formal: &Name| names.iter().position(|it| *it == formal);
        let moved = it.formals.iter().enumerate();
        let moved = moved.filter(|(at, formal)| place_of(formal).is_some_and(|own| own != *at));
        let Some((_, first)) = moved.into_iter().next() else {
            continue;
        };
        let called: Vec<&str> = names.iter().map(|it| it.as_str()).collect();
        let message = format!("`{first}` is the name of another parameter of `{target}`");
        found.push(
            Diagnostic::at(codes::SWAPPED_NAMES, first.span, message).help(format!(
                "what is given goes by its place: `{target}({})`",
                called.join(", ")
            )),
        );
    }
}
