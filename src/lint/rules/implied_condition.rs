use std::collections::HashSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::terms::{follows, terms};
use crate::lint::{Context, Lint};
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, ItemKind};

pub(super) const LINT: Lint = Lint {
    code: codes::IMPLIED_CONDITION,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let mut inner = HashSet::new();
    for (seen, op, left, right) in context.index.binaries() {
        if !matches!(op, BinaryOp::And | BinaryOp::Or) {
            continue;
        }
        for side in [left, right] {
            if matches!(&side.kind, ExprKind::Binary { op: below, .. } if *below == op) {
                inner.insert(std::ptr::from_ref::<Expr>(side));
            }
        }
        if !inner.contains(&std::ptr::from_ref(seen.expr)) {
            found.extend(needless(context, &terms(seen.expr, op), op));
        }
    }
    for placed in &context.index.items {
        if let ItemKind::Action(action) = &placed.item.kind {
            for (at, require) in action.requires.iter().enumerate() {
                let mut others = action.requires.iter().enumerate();
                let other = others.find(|(there, it)| {
                    *there != at && stays(*there, at, &it.condition, &require.condition)
                });
                if let Some((_, other)) = other {
                    let message = format!(
                        "`{}` asks nothing that `{}` does not ask",
                        require.label, other.label
                    );
                    found.push(
                        Diagnostic::at(codes::IMPLIED_CONDITION, require.condition.span, message)
                            .label(other.condition.span, "whenever this holds, that holds")
                            .help("leave it out, or let it ask what was meant"),
                    );
                }
            }
        }
    }
}

/// Returns whether a condition makes another one needless; of two that ask the same the first one stays.
fn stays(at: usize, needless: usize, strong: &Expr, weak: &Expr) -> bool {
    follows(weak, strong) && (at < needless || !follows(strong, weak))
}

/// Returns the terms that others make needless.
fn needless(context: &Context<'_>, terms: &[&Expr], op: BinaryOp) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (at, term) in terms.iter().enumerate() {
        let other = terms.iter().enumerate().find(|(there, other)| {
            *there != at
                && match op {
                    BinaryOp::And => stays(*there, at, other, term),
                    // Of `a or b` the one that holds less often adds nothing.
                    _ => follows(other, term) && (*there < at || !follows(term, other)),
                }
        });
        let Some((_, other)) = other else { continue };
        let (text, kept) = (context.text(term.span), context.text(other.span));
        let message = match op {
            _ if term == other => format!("`{text}` is asked twice"),
            BinaryOp::And => format!("`{text}` holds whenever `{kept}` does"),
            _ => format!("`{kept}` holds whenever `{text}` does"),
        };
        let finding = Diagnostic::at(codes::IMPLIED_CONDITION, term.span, message)
            .help(format!("leave `{text}` out"));
        found.push(match gap(context, terms, at) {
            Some(gap) => {
                finding.safe_fix(format!("leave `{text}` out"), vec![(gap, String::new())])
            }
            None => finding,
        });
    }
    found
}

/// Returns the place of a term with the word that joins it to its neighbour, if nothing else stands between the two.
fn gap(context: &Context<'_>, terms: &[&Expr], at: usize) -> Option<Span> {
    let (file, here) = (terms.get(at)?.span.file, terms.get(at)?.span.range());
    let (gap, joint) = match at.checked_sub(1).and_then(|before| terms.get(before)) {
        Some(before) => {
            let end = before.span.range().end;
            (
                Span::new(file, end, here.end),
                Span::new(file, end, here.start),
            )
        }
        None => {
            let start = terms.get(at + 1)?.span.range().start;
            (
                Span::new(file, here.start, start),
                Span::new(file, here.end, start),
            )
        }
    };
    ["and", "or"]
        .contains(&context.text(joint).trim())
        .then_some(gap)
}
