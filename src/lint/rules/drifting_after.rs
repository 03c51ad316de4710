use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::source::Span;
use crate::syntax::ast::{Action, Block, Call, Expr, ExprKind, ItemKind, Statement, StatementKind};

pub(super) const LINT: Lint = Lint {
    code: codes::DRIFTING_AFTER,
    run,
};

/// A condition that looks ahead must look at what the action does.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for seen in &context.index.exprs {
        let (Some(item), ExprKind::After { body, .. }) =
            (context.index.item(seen.item), &seen.expr.kind)
        else {
            continue;
        };
        let ItemKind::Action(action) = &item.kind else {
            continue;
        };
        if !asks(action, seen.expr) {
            continue;
        }
        let mut done = action.body.as_ref().map_or(Vec::new(), calls).into_iter();
        for call in calls(body) {
            if !done.any(|it| it == call) {
                let message = format!(
                    "`{}` is tried here, and the action does something else",
                    call.name
                );
                found.push(
                    Diagnostic::new(codes::DRIFTING_AFTER, message)
                        .label(call.name.span, "tried with these values, at this point")
                        .label(does(action), "this is what the action does")
                        .help("call the same events, with the same values and in the same order, in `after` and in `do`"),
                );
                break;
            }
        }
    }
}

/// Returns whether a clause of the action holds the expression.
fn asks(action: &Action, expr: &Expr) -> bool {
    let holds = |outer: Span| outer.start <= expr.span.start && expr.span.end <= outer.end;
    action.requires.iter().any(|it| holds(it.condition.span))
}

fn does(action: &Action) -> Span {
    let body = action.body.as_ref();
    let first = body.and_then(|body| body.statements.first().zip(body.statements.last()));
    match first {
        Some((first, last)) => first.span.to(last.span),
        None => action.name.span,
    }
}

/// Returns the events that a block calls, in order, those of its steps too.
fn calls(block: &Block) -> Vec<&Call> {
    block.statements.iter().flat_map(calls_of).collect()
}

fn calls_of(statement: &Statement) -> Vec<&Call> {
    match &statement.kind {
        StatementKind::Call(call) => vec![call],
        StatementKind::Step { body, .. } => calls(body),
        StatementKind::If {
            branches,
            otherwise,
        } => {
            let blocks = branches.iter().map(|branch| &branch.body).chain(otherwise);
            blocks.flat_map(calls).collect()
        }
        StatementKind::By { arms, .. } => arms.iter().flat_map(|arm| calls(&arm.body)).collect(),
        StatementKind::While { body, .. }
        | StatementKind::Repeat { body, .. }
        | StatementKind::ForEach { body, .. } => calls(body),
        _ => Vec::new(),
    }
}
