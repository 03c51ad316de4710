use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::source::Span;
use crate::syntax::ast::{Arm, ExprKind, StatementKind};

pub(super) const LINT: Lint = Lint {
    code: codes::ALIKE_BRANCHES,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for seen in &context.index.exprs {
        let what = match &seen.expr.kind {
            ExprKind::If {
                then, otherwise, ..
            } if then == otherwise => Some(then.span),
            ExprKind::By { arms, .. } => alike(arms).map(|it| it.span),
            _ => None,
        };
        found.extend(what.map(|what| finding(context, seen.expr.span, what)));
    }
    for done in &context.index.statements {
        let what = match &done.statement.kind {
            StatementKind::If {
                branches,
                otherwise: Some(otherwise),
            } if branches.iter().all(|it| it.body == *otherwise) => Some(otherwise.span),
            StatementKind::By { arms, .. } => alike(arms).map(|it| it.span),
            _ => None,
        };
        found.extend(what.map(|what| finding(context, done.statement.span, what)));
    }
}

/// Returns what all cases come to, if there are several and they come to the same.
fn alike<T: PartialEq>(arms: &[Arm<T>]) -> Option<&T> {
    let (first, others) = arms.split_first()?;
    let same = !others.is_empty() && others.iter().all(|it| it.body == first.body);
    same.then_some(&first.body)
}

fn finding(context: &Context<'_>, whole: Span, what: Span) -> Diagnostic {
    let message = "all cases come to the same";
    Diagnostic::new(codes::ALIKE_BRANCHES, message)
        .label(whole, "")
        .help(format!(
            "if nothing else was meant, leave the question out and keep `{}`",
            context.text(what)
        ))
}
