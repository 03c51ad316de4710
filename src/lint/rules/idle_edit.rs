use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::source::Span;
use crate::syntax::ast::{Edit, Item, ItemKind, Path, Replace};

pub(super) const LINT: Lint = Lint {
    code: codes::IDLE_EDIT,
    run,
};

/// Edits after which all is as it was: what they put in stands there already, or they put in nothing.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let edits = context.index.items.iter().filter_map(|placed| {
        let ItemKind::Edit(edit) = &placed.item.kind else {
            return None;
        };
        // What is cited anew stands for something else.
        let tail = match edit {
            Edit::Replace(Replace::Item(item)) => &item.tail,
            _ => &placed.item.tail,
        };
        if !tail.cites.is_empty() {
            return None;
        }
        Some((placed.item.span, edit, edit.head()?.as_str()))
    });
    let edits: Vec<(Span, &Edit, &str)> = edits.collect();
    for (span, edit, name) in &edits {
        // Where another file changes it too, this may put it back.
        let is_elsewhere = |(at, _, of): &(Span, &Edit, &str)| of == name && at.file != span.file;
        let Some(declared) = context.index.declared(name) else {
            continue;
        };
        if !edits.iter().any(is_elsewhere) && is_idle(edit, declared) {
            let finding = Diagnostic::new(codes::IDLE_EDIT, "this edit changes nothing");
            let finding = finding.label(*span, "");
            let finding = match edit {
                Edit::Insert { .. } => finding,
                _ => finding.label(declared.span, "so it stands here already"),
            };
            found.push(finding.help("write what is different, or remove the edit"));
        }
    }
}

fn is_idle(edit: &Edit, declared: &Item) -> bool {
    let is_whole = |path: &Path| path.segments.len() == 1;
    match edit {
        Edit::Insert { body, .. } => body.statements.is_empty(),
        Edit::Replace(Replace::Value { path, value, .. }) if is_whole(path) => match &declared.kind
        {
            ItemKind::Define(it) => it.value == *value,
            _ => false,
        },
        Edit::Replace(Replace::Body { path, body }) if is_whole(path) => match &declared.kind {
            ItemKind::Event(it) => it.body == *body,
            ItemKind::Flow(it) => it.body == *body,
            _ => false,
        },
        Edit::Replace(Replace::Item(item)) => item.kind == declared.kind,
        _ => false,
    }
}
