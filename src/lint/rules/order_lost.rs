use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::source::Span;
use crate::syntax::ast::{Comprehension, Expr, ExprKind, UnaryOp};

pub(super) const LINT: Lint = Lint {
    code: codes::ORDER_LOST,
    run,
};

/// A set of seats that is made round the table: what takes its first member later gets the first of all seats.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let exprs = || context.index.exprs.iter().map(|it| it.expr);
    let needs_no_set: Vec<Span> = exprs().filter_map(asked_in_order).collect();
    for expr in exprs() {
        let ExprKind::Comprehension(it) = &expr.kind else {
            continue;
        };
        let round = it.binders.iter().find(|it| is_round(&it.set));
        let Some(round) = round.filter(|_| !needs_no_set.iter().any(|at| at.same_place(expr.span)))
        else {
            continue;
        };
        let seats = context.text(round.set.span);
        let message = format!("a set keeps no order, so `{seats}` is no more than `seat` here");
        found.push(Diagnostic::at(codes::ORDER_LOST, round.set.span, message).help(
            "write `seat`; the order counts behind `for each`, and in `first({ … })` or `last({ … })` written where it is asked",
        ));
    }
}

fn is_round(set: &Expr) -> bool {
    matches!(&set.kind, ExprKind::Call(call) if call.name.text == "seats_from")
}

/// The comprehension that an expression goes through without making a set of it.
fn asked_in_order(expr: &Expr) -> Option<Span> {
    match &expr.kind {
        ExprKind::Unary { op, operand, .. } => {
            let makes_a_set = matches!(op, UnaryOp::Most | UnaryOp::Least);
            (!makes_a_set).then_some(operand.span)
        }
        ExprKind::Call(call) if matches!(call.name.as_str(), "first" | "last") => {
            let [only] = call.args.as_slice() else {
                return None;
            };
            let ExprKind::Comprehension(it) = &only.value.kind else {
                return None;
            };
            takes_members(it).then_some(only.value.span)
        }
        _ => None,
    }
}

fn takes_members(it: &Comprehension) -> bool {
    it.binders.len() == 1 && it.map.is_none() && it.by.is_none()
}
