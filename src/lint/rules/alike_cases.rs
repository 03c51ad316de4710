use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::source::Span;
use crate::syntax::ast::{Arm, ArmHead, ExprKind, Name, StatementKind};

pub(super) const LINT: Lint = Lint {
    code: codes::ALIKE_CASES,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for seen in &context.index.exprs {
        if let ExprKind::By { arms, .. } = &seen.expr.kind {
            side_by_side(context, arms, found);
        }
    }
    for done in &context.index.statements {
        if let StatementKind::By { arms, .. } = &done.statement.kind {
            side_by_side(context, arms, found);
        }
    }
}

fn side_by_side<T: PartialEq>(context: &Context<'_>, arms: &[Arm<T>], found: &mut Vec<Diagnostic>) {
    // That all are alike is a finding of its own.
    if arms
        .windows(2)
        .all(|pair| matches!(pair, [a, b] if a.body == b.body))
    {
        return;
    }
    for pair in arms.windows(2) {
        let [first, second] = pair else { continue };
        let (ArmHead::Names(names), ArmHead::Names(more)) = (&first.head, &second.head) else {
            continue;
        };
        let Some((last, further)) = names.last().zip(listed(context, more)) else {
            continue;
        };
        if first.body != second.body {
            continue;
        }
        let title = format!(
            "write `{}, {further} => …`",
            listed(context, names).unwrap_or("")
        );
        let end = last.span.range().end;
        let (from, to) = (first.span.range().end, second.span.range().end);
        let file = last.span.file;
        found.push(
            Diagnostic::new(
                codes::ALIKE_CASES,
                "two cases side by side come to the same",
            )
            .label(second.span, "the same as the one before")
            .help(title.clone())
            .safe_fix(
                title,
                vec![
                    (Span::new(file, end, end), format!(", {further}")),
                    (Span::new(file, from, to), String::new()),
                ],
            ),
        );
    }
}

/// Returns the names of a case as they are written.
fn listed<'a>(context: &Context<'a>, names: &[Name]) -> Option<&'a str> {
    let (first, last) = (names.first()?, names.last()?);
    Some(context.text(first.span.to(last.span)))
}
