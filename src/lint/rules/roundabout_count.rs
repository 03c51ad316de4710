use crate::diagnostic::{Diagnostic, codes};
use crate::lint::index::Index;
use crate::lint::terms::turned;
use crate::lint::{Context, Lint};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, ItemKind, UnaryOp, ZoneDecl};

pub(super) const LINT: Lint = Lint {
    code: codes::ROUNDABOUT_COUNT,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for (_, op, left, right) in context.index.binaries() {
        let asked = match (counted(left), counted(right)) {
            (Some(all), None) => question(op, right).map(|is_there| (all, is_there)),
            (None, Some(all)) => question(turned(op), left).map(|is_there| (all, is_there)),
            _ => None,
        };
        let Some((all, is_there)) = asked else {
            continue;
        };
        let word = match (zone(all, &context.index), is_there) {
            // All places of a zone together have no word but `count`.
            (Some(zone), _) if bare(all) && !zone.index.is_empty() => continue,
            (Some(_), true) => "filled",
            (Some(_), false) => "empty",
            (None, true) => "some",
            (None, false) => "no",
        };
        let whole = left.span.to(right.span);
        let plain = format!("{word} {}", context.text(all.span));
        let message = if is_there {
            "this counts all to know whether there is one"
        } else {
            "this counts all to know whether there is none"
        };
        let title = format!("write `{plain}`");
        found.push(
            Diagnostic::at(codes::ROUNDABOUT_COUNT, whole, message)
                .help(title.clone())
                .safe_fix(title, vec![(whole, plain)]),
        );
    }
}

/// Returns what is counted.
fn counted(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Unary {
            op: UnaryOp::Count,
            operand,
            ..
        } => Some(operand),
        _ => None,
    }
}

/// Returns whether `count S op number` asks if there is one, or if there is none.
fn question(op: BinaryOp, number: &Expr) -> Option<bool> {
    let ExprKind::Number(number) = number.kind else {
        return None;
    };
    match (op, number) {
        (BinaryOp::NotEqual | BinaryOp::Greater, 0) | (BinaryOp::GreaterOrEqual, 1) => Some(true),
        (BinaryOp::Equal | BinaryOp::LessOrEqual, 0) | (BinaryOp::Less, 1) => Some(false),
        _ => None,
    }
}

fn bare(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Name(_))
}

/// Returns the zone that an expression names.
fn zone<'a>(expr: &Expr, index: &Index<'a>) -> Option<&'a ZoneDecl> {
    let name = match &expr.kind {
        ExprKind::Name(name) => name,
        ExprKind::Index { base, .. } => match &base.kind {
            ExprKind::Name(name) => name,
            _ => return None,
        },
        _ => return None,
    };
    if index.is_local(expr) {
        return None;
    }
    match &index.declared(name.as_str())?.kind {
        ItemKind::Zone(zone) => Some(zone),
        _ => None,
    }
}
