use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::syntax::ast::{Edit, Item, ItemKind, Path, Replace, Template};

pub(super) const LINT: Lint = Lint {
    code: codes::SILENT_REFUSAL,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for placed in &context.index.items {
        of_item(placed.item, found);
        if let ItemKind::Edit(Edit::Replace(Replace::Value {
            path,
            message: None,
            ..
        })) = &placed.item.kind
        {
            found.extend(without_words(context, path));
        }
    }
}

/// A condition that takes the place of one that has words, and has none.
fn without_words(context: &Context<'_>, path: &Path) -> Option<Diagnostic> {
    let [action, label] = path.segments.as_slice() else {
        return None;
    };
    let ItemKind::Action(declared) = &context.index.declared(action.as_str())?.kind else {
        return None;
    };
    let mut requires = declared.requires.iter();
    let was = requires.find(|it| it.label == *label)?.message.as_ref()?;
    let message = format!("`{action}.{label}` refuses without a word from here on");
    Some(
        Diagnostic::at(codes::SILENT_REFUSAL, path.span, message)
            .label(
                was.span,
                "these words go with the condition that is replaced",
            )
            .help("write `else \"…\"` behind the new one, and what the player should know"),
    )
}

fn of_item(item: &Item, found: &mut Vec<Diagnostic>) {
    match &item.kind {
        ItemKind::Action(action) => {
            for clause in action
                .requires
                .iter()
                .filter(|it| says_nothing(it.message.as_ref()))
            {
                let message = format!("`{}.{}` refuses without a word", action.name, clause.label);
                found.push(
                    Diagnostic::at(codes::SILENT_REFUSAL, clause.label.span, message)
                        .help("write `else \"…\"` behind it, and what the player should know"),
                );
            }
        }
        ItemKind::Edit(Edit::Forbid(guard)) if says_nothing(guard.because.as_ref()) => {
            let message = format!("`{}` refuses without a word", guard.label);
            found.push(
                Diagnostic::at(codes::SILENT_REFUSAL, guard.label.span, message)
                    .help("write `because \"…\"` behind it, and what the player should know"),
            );
        }
        _ => {}
    }
}

fn says_nothing(message: Option<&Template>) -> bool {
    message.is_none_or(|it| it.plain().is_some_and(|words| words.trim().is_empty()))
}
