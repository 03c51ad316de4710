use crate::diagnostic::{Diagnostic, codes};
use crate::lint::terms::{compares, is_literal};
use crate::lint::{Context, Lint};
use crate::syntax::ast::{Action, Expect, ExpectKind, Expr, ExprKind, ItemKind, Scene};

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
    for placed in &context.index.items {
        match &placed.item.kind {
            ItemKind::Action(Action { requires, .. }) => {
                let conditions = requires.iter().map(|it| &it.condition);
                found.extend(literal(context, conditions));
            }
            ItemKind::Invariant(it) => found.extend(literal(context, [&it.condition])),
            ItemKind::Ruling(it) => found.extend(expected(context, &it.scenes)),
            _ => {}
        }
    }
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
