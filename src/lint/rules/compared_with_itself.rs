use crate::diagnostic::{Diagnostic, codes};
use crate::lint::terms::{compares, is_literal};
use crate::lint::{Context, Lint};
use crate::syntax::ast::BinaryOp;

pub(super) const LINT: Lint = Lint {
    code: codes::COMPARED_WITH_ITSELF,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for (_, op, left, right) in context.index.binaries() {
        if !compares(op) || left != right || is_literal(left) {
            continue;
        }
        let always = matches!(
            op,
            BinaryOp::Equal | BinaryOp::LessOrEqual | BinaryOp::GreaterOrEqual
        );
        let message = format!(
            "`{}` is compared with itself, which is {} true",
            context.text(left.span),
            if always { "always" } else { "never" }
        );
        found.push(
            Diagnostic::at(
                codes::COMPARED_WITH_ITSELF,
                left.span.to(right.span),
                message,
            )
            .help("one of the two sides should be something else"),
        );
    }
}
