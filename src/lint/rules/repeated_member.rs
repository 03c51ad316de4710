use crate::diagnostic::{Diagnostic, codes};
use crate::lint::terms::MOST_COMPARED;
use crate::lint::{Context, Lint};
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, ItemKind, StatementKind, UnaryOp};

pub(super) const LINT: Lint = Lint {
    code: codes::REPEATED_MEMBER,
    run,
};

/// What stands twice where once says the same: in a set, among the figures of a ranking, in a list of names.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let same = |one: &Expr, other: &Expr| one.kind == other.kind;
    // There each value counts, be it written twice.
    let totals = context.index.exprs.iter();
    let totals = totals.filter_map(|around| match &around.expr.kind {
        ExprKind::Unary {
            op: UnaryOp::Sum | UnaryOp::Product,
            operand,
            ..
        } => Some(operand.span),
        _ => None,
    });
    let totals: Vec<Span> = totals.collect();
    let each_counts = |it: &Expr| totals.iter().any(|at| at.same_place(it.span));
    for seen in &context.index.exprs {
        // Where something is chosen, copies of one kind may be named.
        if let ExprKind::Set(members) = &seen.expr.kind
            && !context.index.in_ruling(seen.item)
            && members.len() > 1
            && !each_counts(seen.expr)
            && !members
                .iter()
                .any(|it| matches!(it.kind, ExprKind::Call(_)))
        {
            found.extend(twice(context, members, same, |it| it.span));
        }
    }
    for done in &context.index.statements {
        if let StatementKind::Ranking { by, .. } = &done.statement.kind {
            // Who is alike in a figure is alike in it the other way round.
            let same = |one: &Expr, other: &Expr| figure(one) == figure(other);
            found.extend(twice(context, by, same, |it| it.span));
        }
    }
    for placed in &context.index.items {
        match &placed.item.kind {
            ItemKind::Hide(it) => {
                found.extend(twice(context, &it.names, |a, b| a == b, |it| it.span));
            }
            ItemKind::Ruling(it) => {
                found.extend(twice(context, &it.answers, |a, b| a == b, |it| it.span));
            }
            _ => {}
        }
    }
}

/// What a figure counts, whether most or least of it is wanted.
fn figure(expr: &Expr) -> &ExprKind {
    match &expr.kind {
        ExprKind::Unary {
            op: UnaryOp::Least,
            operand,
            ..
        } => &operand.kind,
        kind => kind,
    }
}

/// Returns the first of a list that stood in it before.
fn twice<T>(
    context: &Context<'_>,
    list: &[T],
    same: impl Fn(&T, &T) -> bool,
    span: impl Fn(&T) -> Span,
) -> Option<Diagnostic> {
    let mut each = list.iter().enumerate().take(MOST_COMPARED);
    let (first, second) = each.find_map(|(at, it)| {
        let before = list.iter().take(at).find(|other| same(it, other));
        before.map(|first| (span(first), span(it)))
    })?;
    let (one, other) = (context.text(first), context.text(second));
    let message = match one == other {
        true => format!("`{other}` stands here twice"),
        false => format!("`{other}` decides nothing: who is alike in `{one}` is alike in it"),
    };
    Some(
        Diagnostic::at(codes::REPEATED_MEMBER, second, message)
            .label(first, "here it stands already")
            .help("leave it out, or write what was meant"),
    )
}
