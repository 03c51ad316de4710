use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::syntax::ast::StatementKind;

pub(super) const LINT: Lint = Lint {
    code: codes::EMPTY_STEP,
    run,
};

/// A step in which nothing happens. What an edit of these files may fill is left alone.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for done in &context.index.statements {
        let StatementKind::Step { name, body, .. } = &done.statement.kind else {
            continue;
        };
        let owner = context.index.item(done.item).and_then(|it| it.kind.name());
        let is_edited = owner.is_some_and(|it| context.index.edited.contains(it.as_str()));
        if body.statements.is_empty() && !is_edited {
            let message = format!("nothing happens in the step `{name}`");
            found.push(
                Diagnostic::at(codes::EMPTY_STEP, done.statement.span, message)
                    .help("say what is done, or remove it; edits can be put before and behind its neighbours"),
            );
        }
    }
}
