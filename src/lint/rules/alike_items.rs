use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::syntax::ast::{Canon, Item, ItemKind, Name, Tree};

pub(super) const LINT: Lint = Lint {
    code: codes::ALIKE_ITEMS,
    run,
};

/// How long the canonical form of a body is at least: what is shorter may be alike by chance.
const SHORTEST: usize = 90;

/// Only what stands in one file, outside of blocks: what a reading brings is not always there.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for file in context.book.files {
        let mut bodies: Vec<(String, &Name)> = Vec::new();
        for item in &file.items {
            let (Some(name), Some(body)) = (item.kind.name(), body(item)) else {
                continue;
            };
            if body.len() < SHORTEST {
                continue;
            }
            match bodies.iter().find(|(other, _)| *other == body) {
                Some((_, other)) => found.push(
                    Diagnostic::at(
                        codes::ALIKE_ITEMS,
                        name.span,
                        format!("`{name}` says the same as `{other}`"),
                    )
                    .label(other.span, "said here first")
                    .help(format!("let `{name}` call `{other}`, or keep one of them")),
                ),
                None => bodies.push((body, name)),
            }
        }
    }
}

/// Returns all of an item but its name, in the canonical form.
fn body(item: &Item) -> Option<String> {
    let mut canon = Canon::default();
    let parts: Vec<&dyn Tree> = match &item.kind {
        ItemKind::Define(it) => vec![&it.params, &it.ty, &it.depth, &it.value],
        ItemKind::Event(it) => vec![&it.params, &it.text, &it.body],
        _ => return None,
    };
    canon.node(item.kind.word(), &parts);
    Some(canon.into_text())
}
