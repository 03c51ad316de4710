use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::syntax::ast::{ExprKind, ItemKind};

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
    let heads = context
        .book
        .files
        .iter()
        .filter_map(|it| it.header.as_ref());
    let in_heads = heads.filter_map(|it| it.history.as_ref());
    let items = context.index.items.iter();
    let as_items = items.filter_map(|placed| match &placed.item.kind {
        ItemKind::History(it) => Some(it),
        _ => None,
    });
    for history in in_heads.chain(as_items) {
        let message = "positions are remembered, and nothing asks how often one has been";
        found.push(
            Diagnostic::at(codes::UNASKED_HISTORY, history.most.span, message)
                .help("leave `history` out, or ask: `if repeated() >= 3 { end drawn }`"),
        );
    }
}
