use crate::diagnostic::{Diagnostic, codes};
use crate::lint::index::{Done, Seen};
use crate::lint::{Context, Lint};
use crate::source::Span;
use crate::syntax::ast::{AssignOp, Expr, ExprKind, ItemKind, Name, StatementKind};

pub(super) const LINT: Lint = Lint {
    code: codes::OVERWRITTEN_TRACK,
    run,
};

/// What is written and, right behind, written again without being read; what is shuffled twice.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for pair in context.index.statements.windows(2) {
        let [first, second] = pair else { continue };
        let [one, other] = [first, second].map(|it| &it.statement.kind);
        if let (StatementKind::Shuffle { .. }, true) = (one, one == other)
            && first.item == second.item
            && follows_at_once(context, first.statement.span, second.statement.span)
        {
            found.push(
                Diagnostic::new(codes::OVERWRITTEN_TRACK, "it is shuffled twice")
                    .label(first.statement.span, "nobody sees what comes of this")
                    .label(second.statement.span, "it is shuffled again here")
                    .help("once is enough, or something else was meant"),
            );
        }
        let (Some(one), Some((other, value))) = (target(first), written(second)) else {
            continue;
        };
        let is_same = match one {
            Target::Place(one) => one == other,
            Target::Local(name) => matches!(&other.kind, ExprKind::Name(it) if it == name),
        };
        if first.item == second.item
            && is_same
            && follows_at_once(context, first.statement.span, second.statement.span)
            && !may_read(context, other, value)
        {
            let message = format!("`{}` is written over at once", context.text(other.span));
            found.push(
                Diagnostic::new(codes::OVERWRITTEN_TRACK, message)
                    .label(first.statement.span, "nobody reads this")
                    .label(second.statement.span, "it is written again here")
                    .help("remove the first, or write both as one: `points[s] += 3`"),
            );
        }
    }
}

/// What gets a value.
enum Target<'a> {
    Place(&'a Expr),
    Local(&'a Name),
}

fn target<'a>(done: &Done<'a>) -> Option<Target<'a>> {
    match &done.statement.kind {
        StatementKind::Let { name, .. } => Some(Target::Local(name)),
        // The table is told of it.
        StatementKind::Assign {
            because: Some(_), ..
        } => None,
        _ => written(done).map(|it| Target::Place(it.0)),
    }
}

/// What a statement writes, and the value; a second `+=` reads what stands there.
fn written<'a>(done: &Done<'a>) -> Option<(&'a Expr, Option<&'a Expr>)> {
    match &done.statement.kind {
        StatementKind::Assign {
            target, op, value, ..
        } => Some((target, (*op == AssignOp::Set).then_some(value))),
        _ => None,
    }
}

/// Whether only blanks stand between two statements, so that both belong to one block.
fn follows_at_once(context: &Context<'_>, first: Span, second: Span) -> bool {
    let between = Span {
        file: first.file,
        start: first.end,
        end: second.start,
    };
    first.file == second.file
        && first.end <= second.start
        && context.text(between).trim().is_empty()
}

/// Whether the new value may hang on the old one: it names it, calls something or asks a definition.
fn may_read(context: &Context<'_>, target: &Expr, value: Option<&Expr>) -> bool {
    let (Some(value), Some(name)) = (value, target.leading_name()) else {
        return true;
    };
    let inside = |span: Span| {
        span.file == value.span.file && value.span.start <= span.start && span.end <= value.span.end
    };
    let asks = |it: &str| {
        let declared = context.index.declared(it);
        name == it || declared.is_some_and(|it| matches!(it.kind, ItemKind::Define(_)))
    };
    let calls = context.index.exprs.iter().any(|seen| {
        inside(seen.expr.span)
            && matches!(seen.expr.kind, ExprKind::Call(_) | ExprKind::After { .. })
    });
    let mut uses = context.index.uses.iter().filter(|it| inside(it.name.span));
    let names = |seen: &Seen<'_>| matches!(&seen.expr.kind, ExprKind::Name(it) if it == name);
    let mut exprs = context.index.exprs.iter();
    let reads = exprs.any(|it| inside(it.expr.span) && names(it));
    calls || reads || uses.any(|it| asks(it.name.as_str()))
}
