use crate::diagnostic::{Diagnostic, codes};
use crate::lint::index::Stands;
use crate::lint::{Context, Lint};
use crate::syntax::ast::{Expr, ExprKind, StatementKind, Times};

pub(super) const LINT: Lint = Lint {
    code: codes::CONSTANT_BRANCH,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for done in &context.index.statements {
        match &done.statement.kind {
            StatementKind::If { branches, .. } => {
                let conditions = branches.iter().map(|it| &it.condition);
                found.extend(conditions.filter_map(|it| Some(finding(it, truth(it)?))));
            }
            StatementKind::While { condition, .. } => {
                found.extend(truth(condition).map(|truth| {
                    let help = if truth {
                        "write `repeat { … }`"
                    } else {
                        "leave it out"
                    };
                    finding(condition, truth).help(help)
                }));
            }
            StatementKind::Repeat {
                times: Times::Until(condition),
                ..
            } => found.extend(truth(condition).map(|truth| {
                let (message, help) = if truth {
                    (
                        "this is done once, as without `repeat`",
                        "leave the `repeat` out",
                    )
                } else {
                    ("this never ends it", "write `repeat { … }`")
                };
                Diagnostic::at(codes::CONSTANT_BRANCH, condition.span, message).help(help)
            })),
            _ => {}
        }
    }
    for seen in &context.index.exprs {
        if let ExprKind::If {
            condition,
            then,
            otherwise,
        } = &seen.expr.kind
            && let Some(truth) = truth(condition)
        {
            let kept = context.text(if truth { then.span } else { otherwise.span });
            let plain = if seen.stands == Stands::Alone && !seen.expr.parenthesised {
                kept.to_owned()
            } else {
                format!("({kept})")
            };
            let title = format!("write `{plain}`");
            found.push(
                finding(condition, truth)
                    .help(title.clone())
                    .safe_fix(title, vec![(seen.expr.span, plain)]),
            );
        }
    }
}

fn truth(condition: &Expr) -> Option<bool> {
    match condition.kind {
        ExprKind::Bool(truth) => Some(truth),
        _ => None,
    }
}

fn finding(condition: &Expr, truth: bool) -> Diagnostic {
    let message = if truth {
        "this is done whatever the position is"
    } else {
        "this is never done"
    };
    Diagnostic::at(codes::CONSTANT_BRANCH, condition.span, message)
        .help("leave the condition out, or ask the position something")
}
