use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::syntax::ast::ExprKind;

pub(super) const LINT: Lint = Lint {
    code: codes::UNASKED_HISTORY,
    run,
};

/// Positions are remembered and nothing asks for them.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let asks = |seen: &crate::lint::index::Seen<'_>| matches!(&seen.expr.kind, ExprKind::Call(call) if call.name == "repeated");
    if context.index.exprs.iter().any(asks) {
        return;
    }
    for file in context.book.files {
        let Some(history) = file.header.as_ref().and_then(|it| it.history.as_ref()) else {
            continue;
        };
        let message = "positions are remembered, and nothing asks how often one has been";
        found.push(
            Diagnostic::at(codes::UNASKED_HISTORY, history.most.span, message)
                .help("leave `history` out, or ask: `if repeated() >= 3 { end drawn }`"),
        );
    }
}
