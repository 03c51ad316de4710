use crate::diagnostic::{Diagnostic, codes};
use crate::lint::index::Done;
use crate::lint::terms::number;
use crate::lint::{Context, Lint};
use crate::source::Span;
use crate::syntax::ast::{AssignOp, BinaryOp, Expr, ExprKind, StatementKind, UnaryOp};

pub(super) const LINT: Lint = Lint {
    code: codes::IDLE_ARITHMETIC,
    run,
};

/// Calculations whose result stands there already, or is the same whatever the position is.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for (seen, op, left, right) in context.index.binaries() {
        // What is written as a number is worked out by the reader: `24 / 1` may name two figures of a rulebook.
        if number(left).is_some() && number(right).is_some() {
            continue;
        }
        found.extend(said(op, left, right).map(|it| finding(seen.expr.span, it)));
    }
    for seen in &context.index.exprs {
        if let ExprKind::Unary { op, operand, .. } = &seen.expr.kind
            && let UnaryOp::Max | UnaryOp::Min | UnaryOp::Sum | UnaryOp::Product = op
            && let ExprKind::Set(members) = &operand.kind
            && let [only] = members.as_slice()
        {
            let message = format!(
                "there is one only, and this is `{}`",
                context.text(only.span)
            );
            found.push(finding(seen.expr.span, message));
        }
    }
    let in_rules = |done: &&Done<'_>| !context.index.in_ruling(done.item);
    for done in context.index.statements.iter().filter(in_rules) {
        if let StatementKind::Assign {
            op,
            value,
            because: None,
            ..
        } = &done.statement.kind
            && matches!(op, AssignOp::Increase | AssignOp::Decrease)
            && number(value) == Some(0)
        {
            let message = String::from("this leaves the value as it is");
            found.push(finding(done.statement.span, message));
        }
    }
}

fn said(op: BinaryOp, left: &Expr, right: &Expr) -> Option<String> {
    let same = left.kind == right.kind;
    let (before, behind) = (number(left), number(right));
    let text = match (op, before, behind) {
        (BinaryOp::Plus | BinaryOp::Minus, _, Some(0)) | (BinaryOp::Plus, Some(0), _) => {
            "to add or to take away nothing leaves a value as it is"
        }
        // `1 * n` may stand in a list of such figures.
        (BinaryOp::Divided, _, Some(1)) => "to divide by 1 leaves a value as it is",
        (BinaryOp::Times, Some(0), _) | (BinaryOp::Times, _, Some(0)) => "0 times anything is 0",
        (BinaryOp::Mod, _, Some(1)) => "divided by 1 nothing is ever left",
        (BinaryOp::Minus, ..) if same => "a value less itself is nothing",
        (BinaryOp::Divided, ..) if same => "a value divided by itself is 1",
        (BinaryOp::Mod, ..) if same => "divided by itself a value leaves nothing",
        _ => return None,
    };
    Some(text.to_owned())
}

fn finding(span: Span, message: String) -> Diagnostic {
    Diagnostic::at(codes::IDLE_ARITHMETIC, span, message)
        .help("leave it out, or write the value that was meant")
}
