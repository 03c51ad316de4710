use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::syntax::ast::{Comprehension, Expr, ExprKind, Name};

pub(super) const LINT: Lint = Lint {
    code: codes::ALIKE_FIGURES,
    run,
};

/// What `most` or `least` compares is the same for all members: it does not ask for the one that it is of.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for seen in &context.index.exprs {
        let ExprKind::Comprehension(Comprehension {
            binders,
            by: Some(figure),
            ..
        }) = &seen.expr.kind
        else {
            continue;
        };
        let is_member = |name: &Name| binders.iter().any(|it| it.name == *name);
        if asks_for(context, figure, is_member) {
            continue;
        }
        let members: Vec<String> = binders.iter().map(|it| format!("`{}`", it.name)).collect();
        let message = format!(
            "`{}` is the same for all that are compared",
            context.text(figure.span)
        );
        found.push(
            Diagnostic::at(codes::ALIKE_FIGURES, figure.span, message)
                .help(format!("ask for what is of {}", members.join(" or "))),
        );
    }
}

/// Whether such a name stands in an expression.
fn asks_for(context: &Context<'_>, expr: &Expr, is_meant: impl Fn(&Name) -> bool) -> bool {
    let mut inside = context.index.exprs.iter().map(|it| it.expr);
    inside.any(|it| match &it.kind {
        ExprKind::Name(name) => expr.span.holds(it.span) && is_meant(name),
        _ => false,
    })
}
