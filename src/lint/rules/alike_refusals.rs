use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::syntax::ast::{Edit, Expr, Guard, ItemKind, Name, Replace, Template};

pub(super) const LINT: Lint = Lint {
    code: codes::ALIKE_REFUSALS,
    run,
};

/// Two conditions of one action refuse with the same words, so a player cannot tell which of them was missed.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    // What a reading forbids may stand for what another one does.
    let items = context.book.files.iter().flat_map(|it| &it.items);
    let guards = items.filter_map(|it| match &it.kind {
        ItemKind::Edit(Edit::Forbid(guard)) => Some(guard),
        _ => None,
    });
    let guards: Vec<&Guard> = guards.collect();
    // What an edit takes away or puts in its place refuses nobody.
    let items = context.book.files.iter().flat_map(|it| &it.items);
    let gone = items.filter_map(|it| match &it.kind {
        ItemKind::Edit(Edit::Remove { path } | Edit::Replace(Replace::Value { path, .. })) => {
            Some(path.segments.as_slice())
        }
        _ => None,
    });
    let gone: Vec<&[Name]> = gone.collect();
    for placed in &context.index.items {
        let ItemKind::Action(action) = &placed.item.kind else {
            continue;
        };
        let is_gone = |label: &Name| {
            gone.iter()
                .any(|it| matches!(it, [of, it] if *of == action.name && it == label))
        };
        let requires = action.requires.iter().filter(|it| !is_gone(&it.label));
        let requires = requires.map(|it| (&it.label, it.message.as_ref(), &it.condition));
        let forbids = guards.iter().filter(|it| {
            !placed.replaces
                && matches!(it.target.segments.as_slice(), [only] if *only == action.name)
        });
        let forbids = forbids.map(|it| (&it.label, it.because.as_ref(), &it.condition));
        let mut before: Vec<(&Name, &Template, &Expr)> = Vec::new();
        for (label, words, condition) in requires.chain(forbids) {
            let Some(words) = words.filter(|it| it.plain() != Some("")) else {
                continue;
            };
            // What asks the same too is another finding.
            let same = |it: &&(&Name, &Template, &Expr)| it.1 == words && it.2 != condition;
            if let Some((first, ..)) = before.iter().find(same) {
                let message = format!("`{first}` and `{label}` refuse with the same words");
                found.push(
                    Diagnostic::at(codes::ALIKE_REFUSALS, label.span, message)
                        .label(first.span, "said here too")
                        .help("say of each what is missing, or ask both in one condition"),
                );
            }
            before.push((label, words, condition));
        }
    }
}
