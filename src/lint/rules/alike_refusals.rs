use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::syntax::ast::{ItemKind, Require, Template};

pub(super) const LINT: Lint = Lint {
    code: codes::ALIKE_REFUSALS,
    run,
};

/// Two conditions of one action refuse with the same words, so a player cannot tell which of them was missed.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for placed in &context.index.items {
        let ItemKind::Action(action) = &placed.item.kind else {
            continue;
        };
        for (at, clause) in action.requires.iter().enumerate() {
            let Some(words) = words(clause) else {
                continue;
            };
            let mut before = action.requires.iter().take(at);
            if let Some(first) = before.find(|it| self::words(it) == Some(words)) {
                let message = format!(
                    "`{}` and `{}` refuse with the same words",
                    first.label, clause.label
                );
                found.push(
                    Diagnostic::at(codes::ALIKE_REFUSALS, clause.label.span, message)
                        .label(first.label.span, "said here too")
                        .help("say of each what is missing, or ask both in one condition"),
                );
            }
        }
    }
}

fn words(clause: &Require) -> Option<&Template> {
    let words = clause.message.as_ref()?;
    (words.plain() != Some("")).then_some(words)
}
