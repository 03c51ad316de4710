use rustc_hash::FxHashSet as HashSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::index::Done;
use crate::lint::{Context, Lint};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, ItemKind, Moved, Name, StatementKind, UnaryOp};

pub(super) const LINT: Lint = Lint {
    code: codes::UNASKED_DRAW,
    run,
};

/// Zones that are drawn from over and over, that nothing refills and nobody looks into.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let index = &context.index;
    let mut settled = asked(context);
    settled.extend(index.statements.iter().filter_map(refilled));
    settled.extend(put_back(context));
    let again = index.items_called_again();
    for done in index
        .statements
        .iter()
        .filter(|done| !index.in_ruling(done.item))
    {
        let Some(zone) = drawn(done) else {
            continue;
        };
        let is_zone = index
            .declared(zone.as_str())
            .is_some_and(|it| matches!(it.kind, ItemKind::Zone(_)));
        if !is_zone
            || !(done.looped || again.contains(&done.item))
            || !settled.insert(zone.as_str())
        {
            continue;
        }
        let message =
            format!("nothing asks whether `{zone}` is empty, and this can come again and again");
        let help = format!("ask `filled {zone}` first, and say what happens if it is empty");
        found.push(Diagnostic::at(codes::UNASKED_DRAW, done.statement.span, message).help(help));
    }
}

/// Returns the zone that a statement draws from.
fn drawn<'a>(done: &Done<'a>) -> Option<&'a Name> {
    match &done.statement.kind {
        StatementKind::Draw { from, .. } => from.leading_name(),
        StatementKind::Move(it) => match &it.what {
            Moved::Top { zone, .. } => zone.leading_name(),
            Moved::Place(_) | Moved::All(_) | Moved::Each { .. } | Moved::Copies { .. } => None,
        },
        _ => None,
    }
}

/// Returns the zone that a statement fills, with all of another one or with what was in a place.
fn refilled<'a>(done: &Done<'a>) -> Option<&'a str> {
    match &done.statement.kind {
        StatementKind::Move(it) => match &it.what {
            Moved::All(_) | Moved::Place(_) => it.to.leading_name().map(Name::as_str),
            Moved::Top { .. } | Moved::Each { .. } | Moved::Copies { .. } => None,
        },
        _ => None,
    }
}

/// Returns the zones in which things start, where something clears the table.
fn put_back<'a>(context: &Context<'a>) -> impl Iterator<Item = &'a str> {
    let index = &context.index;
    let mut done = index.statements.iter();
    let is_cleared = done.any(|done| {
        matches!(done.statement.kind, StatementKind::Clear { .. }) && !index.in_ruling(done.item)
    });
    let items = index.items.iter().filter(move |_| is_cleared);
    items.filter_map(|placed| match &placed.item.kind {
        ItemKind::Supply(it) => it.place.leading_name().map(Name::as_str),
        _ => None,
    })
}

/// Returns the names that some rule asks about what is there.
fn asked<'a>(context: &Context<'a>) -> HashSet<&'a str> {
    let index = &context.index;
    let mut asked = HashSet::default();
    for seen in &index.exprs {
        let item = index.item(seen.item).map(|item| &item.kind);
        if matches!(
            item,
            Some(
                ItemKind::Ruling(_)
                    | ItemKind::Study(_)
                    | ItemKind::Position(_)
                    | ItemKind::Invariant(_)
                    | ItemKind::Measure(_)
            ) | None
        ) {
            continue;
        }
        let mut ask = |expr: &'a Expr| asked.extend(expr.leading_name().map(Name::as_str));
        match &seen.expr.kind {
            ExprKind::Unary {
                op: UnaryOp::Count | UnaryOp::Empty | UnaryOp::Filled | UnaryOp::Some | UnaryOp::No,
                operand,
                ..
            } => ask(operand),
            ExprKind::Binary {
                op: BinaryOp::In | BinaryOp::NotIn,
                right,
                ..
            } => ask(right),
            ExprKind::Comprehension(it) => it.binders.iter().for_each(|binder| ask(&binder.set)),
            ExprKind::Call(call) if call.name == "top" => {
                call.args.iter().for_each(|arg| ask(&arg.value));
            }
            _ => {}
        }
    }
    asked
}
