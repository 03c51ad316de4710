use crate::diagnostic::{Diagnostic, codes};
use crate::lint::index::Stands;
use crate::lint::{Context, Lint};
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

pub(super) const LINT: Lint = Lint {
    code: codes::NEGATED_QUESTION,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for seen in &context.index.exprs {
        let ExprKind::Unary {
            op: UnaryOp::Not,
            op_span,
            operand,
        } = &seen.expr.kind
        else {
            continue;
        };
        // A comparison cannot stand where its negation may: `a == not (b in S)`.
        if seen.stands == Stands::Tight && !seen.expr.parenthesised {
            continue;
        }
        let whole = op_span.to(operand.span);
        if let ExprKind::Unary {
            op: UnaryOp::Not,
            operand: inner,
            ..
        } = &operand.kind
        {
            let plain = context.text(inner.span).to_owned();
            let title = format!("write `{plain}`");
            found.push(
                Diagnostic::at(codes::NEGATED_QUESTION, whole, "`not` stands before `not`")
                    .help(title.clone())
                    .safe_fix(title, vec![(whole, plain)]),
            );
            continue;
        }
        let Some(question) = Question::of(operand) else {
            continue;
        };
        let inside = question.span;
        let plain = format!(
            "{}{}{}",
            context.text(Span {
                end: question.word.start,
                ..inside
            }),
            question.opposite,
            context.text(Span {
                start: question.word.end,
                ..inside
            }),
        );
        let title = format!("write `{plain}`");
        let message = format!(
            "`not` stands before what has a word for its opposite: `{}`",
            question.opposite
        );
        found.push(
            Diagnostic::at(codes::NEGATED_QUESTION, whole, message)
                .help(title.clone())
                .safe_fix(title, vec![(whole, plain)]),
        );
    }
}

/// A question with the word that makes it its opposite.
struct Question {
    /// The question, without parentheses of its own.
    span: Span,
    /// The word that asks.
    word: Span,
    opposite: &'static str,
}

impl Question {
    fn of(expr: &Expr) -> Option<Question> {
        match &expr.kind {
            ExprKind::Binary {
                op,
                op_span,
                left,
                right,
            } => {
                // Whether something is true is a finding of its own.
                if [left, right]
                    .iter()
                    .any(|it| matches!(it.kind, ExprKind::Bool(_)))
                {
                    return None;
                }
                let opposite = match op {
                    BinaryOp::Equal => BinaryOp::NotEqual,
                    BinaryOp::NotEqual => BinaryOp::Equal,
                    BinaryOp::In => BinaryOp::NotIn,
                    BinaryOp::NotIn => BinaryOp::In,
                    _ => return None,
                };
                Some(Question {
                    span: left.span.to(right.span),
                    word: *op_span,
                    opposite: opposite.word(),
                })
            }
            ExprKind::Unary {
                op,
                op_span,
                operand,
            } => {
                let opposite = match op {
                    UnaryOp::Empty => UnaryOp::Filled,
                    UnaryOp::Filled => UnaryOp::Empty,
                    UnaryOp::No => UnaryOp::Some,
                    // `some` also asks whether a value is there, which has no such word.
                    UnaryOp::Some if is_set(operand) => UnaryOp::No,
                    _ => return None,
                };
                Some(Question {
                    span: op_span.to(operand.span),
                    word: *op_span,
                    opposite: opposite.word(),
                })
            }
            _ => None,
        }
    }
}

fn is_set(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Comprehension(_) | ExprKind::Set(_))
}
