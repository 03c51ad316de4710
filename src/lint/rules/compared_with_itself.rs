use crate::diagnostic::{Diagnostic, codes};
use crate::lint::terms::{compares, is_literal};
use crate::lint::{Context, Lint};
use crate::source::Span;
use crate::syntax::ast::{AssignOp, BinaryOp, ExprKind, StatementKind};

pub(super) const LINT: Lint = Lint {
    code: codes::COMPARED_WITH_ITSELF,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for (_, op, left, right) in context.index.binaries() {
        if !compares(op) || left.kind != right.kind || is_literal(left) {
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
        found.push(finding(left.span.to(right.span), message));
    }
    for done in &context.index.statements {
        if let StatementKind::Assign {
            target,
            op: AssignOp::Set,
            value,
            ..
        } = &done.statement.kind
            && target.kind == value.kind
        {
            let message = format!("`{}` gets the value that it has", context.text(target.span));
            found.push(finding(done.statement.span, message));
        }
    }
    for seen in &context.index.exprs {
        if let ExprKind::Default { value, fallback } = &seen.expr.kind
            && value.kind == fallback.kind
        {
            let message = format!("`{}` stands in for itself", context.text(value.span));
            found.push(finding(seen.expr.span, message));
        }
    }
}

fn finding(span: Span, message: String) -> Diagnostic {
    Diagnostic::at(codes::COMPARED_WITH_ITSELF, span, message)
        .help("one of the two sides should be something else")
}
