use crate::diagnostic::{Diagnostic, codes};
use crate::lint::says::{Says, implies};
use crate::lint::terms::{MOST_COMPARED, chains, compares, is_literal};
use crate::lint::{Context, Lint};
use crate::syntax::ast::{
    Action, BinaryOp, Binder, Comprehension, Edit, Expect, ExpectKind, Expr, ExprKind, ExtendOp,
    ItemKind, Path, Scene, StatementKind, UnaryOp,
};

pub(super) const LINT: Lint = Lint {
    code: codes::CONSTANT_COMPARISON,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for (seen, op, left, right) in context.index.binaries() {
        if compares(op) && is_literal(left) && is_literal(right) {
            found.push(finding(context, seen.expr));
        }
    }
    for (op, terms) in chains(&context.index) {
        found.extend(literal(context, terms.iter().copied()));
        found.extend(at_odds(context, op, &terms));
    }
    for seen in &context.index.exprs {
        match &seen.expr.kind {
            ExprKind::Unary {
                op: UnaryOp::Not,
                operand,
                ..
            } => found.extend(literal(context, [operand.as_ref()])),
            ExprKind::Unary {
                op: UnaryOp::Every,
                operand,
                ..
            } => {
                if let ExprKind::Comprehension(Comprehension { map: Some(map), .. }) = &operand.kind
                {
                    found.extend(literal(context, [map.as_ref()]));
                }
            }
            ExprKind::Comprehension(it) => found.extend(literal(context, asked(&it.binders))),
            _ => {}
        }
    }
    for done in &context.index.statements {
        match &done.statement.kind {
            StatementKind::ForEach { binders, .. } => {
                let binders = binders.iter().map(|it| &it.binder);
                found.extend(literal(context, asked(binders)));
            }
            StatementKind::Together { binder, .. } => {
                found.extend(literal(context, asked([binder])));
            }
            StatementKind::Turns { condition, .. } => found.extend(literal(context, condition)),
            _ => {}
        }
    }
    forbidden(context, found);
    for placed in &context.index.items {
        match &placed.item.kind {
            ItemKind::Action(action) => of_action(context, action, found),
            ItemKind::Invariant(it) => {
                found.extend(literal(context, it.guard.iter().chain([&it.condition])));
            }
            ItemKind::Supply(it) => found.extend(literal(context, &it.condition)),
            ItemKind::Ruling(it) => found.extend(expected(context, &it.scenes)),
            // Without a `when` it always holds.
            ItemKind::Edit(Edit::Forbid(it) | Edit::Permit(it) | Edit::Except(it))
                if matches!(it.condition.kind, ExprKind::Bool(false))
                    || context.text(it.condition.span) == "true" =>
            {
                found.push(finding(context, &it.condition));
            }
            // The other two change nothing.
            ItemKind::Edit(Edit::Extend { op, value, .. })
                if matches!(
                    (op, &value.kind),
                    (ExtendOp::Or, ExprKind::Bool(true)) | (ExtendOp::And, ExprKind::Bool(false))
                ) =>
            {
                found.push(finding(context, value));
            }
            _ => {}
        }
    }
}

/// Two that forbid one action, of which one always holds.
fn forbidden(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let items = context.book.files.iter().flat_map(|it| &it.items);
    let guards = items.filter_map(|it| match &it.kind {
        ItemKind::Edit(Edit::Forbid(guard)) => Some(guard),
        _ => None,
    });
    let guards: Vec<_> = guards.take(MOST_COMPARED).collect();
    let lifts = |target: &Path| {
        context.index.items.iter().any(|it| match &it.item.kind {
            ItemKind::Edit(Edit::Permit(it) | Edit::Except(it)) => {
                it.target.segments.first() == target.segments.first()
            }
            _ => false,
        })
    };
    for (at, one) in guards.iter().enumerate() {
        let others = guards.iter().skip(at + 1);
        let mut others = others.filter(|it| it.target == one.target && it.formals == one.formals);
        let other = others.find(|it| {
            let conditions = [&one.condition, &it.condition];
            first_at_odds(context, BinaryOp::Or, &conditions).is_some()
        });
        if let Some(other) = other.filter(|_| !lifts(&one.target)) {
            let message = format!(
                "one of `{}` and `{}` always forbids this, so nobody can ever do it",
                one.label, other.label
            );
            found.push(
                Diagnostic::at(codes::CONSTANT_COMPARISON, other.condition.span, message)
                    .label(one.condition.span, "where this does not hold, that does")
                    .help("one of the two should ask something else"),
            );
        }
    }
}

fn asked<'a>(binders: impl IntoIterator<Item = &'a Binder>) -> impl Iterator<Item = &'a Expr> {
    let binders = binders.into_iter();
    binders.filter_map(|it| it.condition.as_ref())
}

fn of_action(context: &Context<'_>, action: &Action, found: &mut Vec<Diagnostic>) {
    let conditions = || action.requires.iter().map(|it| &it.condition);
    found.extend(literal(context, conditions()));
    // What an edit permits may be all that there is to it.
    if context.index.edited.contains(action.name.as_str()) {
        return;
    }
    let conditions: Vec<&Expr> = conditions().take(MOST_COMPARED).collect();
    if let Some((one, other)) = first_at_odds(context, BinaryOp::And, &conditions) {
        let labels = |expr: &Expr| {
            let mut requires = action.requires.iter();
            let it = requires.find(|it| std::ptr::eq(&it.condition, expr));
            it.map_or("", |it| it.label.as_str())
        };
        let message = format!(
            "`{}` and `{}` never hold together, so nobody can ever do this",
            labels(one),
            labels(other)
        );
        found.push(
            Diagnostic::at(codes::CONSTANT_COMPARISON, other.span, message)
                .label(one.span, "where this holds, that does not")
                .help("one of the two should ask something else"),
        );
    }
}

/// Returns what there is to say of terms of which two never hold together, or one always holds.
fn at_odds(context: &Context<'_>, op: BinaryOp, terms: &[&Expr]) -> Option<Diagnostic> {
    let (one, other) = first_at_odds(context, op, terms)?;
    let (first, second) = (context.text(one.span), context.text(other.span));
    let message = match op {
        BinaryOp::And => format!("`{first}` and `{second}` never hold together"),
        _ => format!("one of `{first}` and `{second}` always holds"),
    };
    let finding = Diagnostic::at(codes::CONSTANT_COMPARISON, one.span.to(other.span), message);
    Some(finding.help("one of the two should ask something else"))
}

/// Returns the first two conditions of which `and` never holds, or `or` always.
fn first_at_odds<'a>(
    context: &Context<'_>,
    op: BinaryOp,
    terms: &[&'a Expr],
) -> Option<(&'a Expr, &'a Expr)> {
    let both = op == BinaryOp::And;
    let said =
        |holds: bool| -> Vec<Says<'_>> { terms.iter().map(|it| context.says(it, holds)).collect() };
    let (is_so, is_not) = (said(both), said(!both));
    let pairs = (0..terms.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
    let mut at_odds = pairs.filter_map(|(first, second)| {
        let (one, other) = (is_so.get(first)?, is_not.get(second)?);
        // What is `true` or `false` and no more is told by itself.
        (!one.is_settled() && !other.is_settled() && implies(one, other))
            .then_some((*terms.get(first)?, *terms.get(second)?))
    });
    at_odds.next()
}

/// Returns what there is to say of conditions that are `true` or `false` and no more.
fn literal<'a>(
    context: &Context<'_>,
    conditions: impl IntoIterator<Item = &'a Expr>,
) -> Vec<Diagnostic> {
    let conditions = conditions.into_iter();
    let literal = conditions.filter(|it| matches!(it.kind, ExprKind::Bool(_)));
    literal.map(|it| finding(context, it)).collect()
}

fn expected(context: &Context<'_>, scenes: &[Scene]) -> Vec<Diagnostic> {
    let each = scenes.iter().flat_map(|scene| match scene {
        Scene::Expect(Expect {
            kind: ExpectKind::Holds(value),
            ..
        }) => literal(context, [value]),
        Scene::Each { scenes, .. } | Scene::Under { scenes, .. } | Scene::Repeat { scenes, .. } => {
            expected(context, scenes)
        }
        Scene::When(_) | Scene::Expect(_) => Vec::new(),
    });
    each.collect()
}

fn finding(context: &Context<'_>, expr: &Expr) -> Diagnostic {
    let message = format!(
        "`{}` comes to the same in every position",
        context.text(expr.span)
    );
    Diagnostic::at(codes::CONSTANT_COMPARISON, expr.span, message)
        .help("ask the position something, or leave it out")
}
