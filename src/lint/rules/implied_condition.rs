use std::sync::Arc;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::says::{Says, implies};
use crate::lint::terms::{MOST_COMPARED, chains, compares, is_literal};
use crate::lint::{Context, Lint};
use crate::source::Span;
use crate::syntax::ast::{
    BinaryOp, Edit, Expr, ExprKind, Guard, Item, ItemKind, Name, SettingValues,
};

pub(super) const LINT: Lint = Lint {
    code: codes::IMPLIED_CONDITION,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for (op, terms) in chains(&context.index) {
        found.extend(needless(context, &terms, op));
    }
    for placed in &context.index.items {
        if let ItemKind::Action(action) = &placed.item.kind {
            let requires = action.requires.iter().take(MOST_COMPARED);
            let each = requires.map(|it| (&it.label, &it.condition));
            of_clauses(context, &each.collect::<Vec<_>>(), BinaryOp::And, found);
        }
    }
    for file in context.book.files {
        of_guards(context, &file.items, found);
    }
}

/// Of what is forbidden in one place, twice the same: what one forbids is forbidden already.
fn of_guards<'a>(context: &Context<'a>, items: &'a [Arc<Item>], found: &mut Vec<Diagnostic>) {
    let mut guards: Vec<(&Guard, Vec<Clause<'a>>)> = Vec::new();
    for item in items.iter().take(MOST_COMPARED) {
        match &item.kind {
            ItemKind::Edit(Edit::Forbid(guard)) => {
                let clause = (&guard.label, &guard.condition);
                let same = guards.iter_mut().find(|(other, _)| {
                    other.formals == guard.formals && other.target == guard.target
                });
                match same {
                    Some((_, clauses)) => clauses.push(clause),
                    None => guards.push((guard, vec![clause])),
                }
            }
            ItemKind::Resolve(it) => of_guards(context, &it.items, found),
            ItemKind::Setting(it) => match &it.values {
                SettingValues::Readings(readings) => {
                    let behind = readings.iter().filter_map(|it| it.edits.as_ref());
                    behind.for_each(|it| of_guards(context, it, found));
                }
                SettingValues::Typed { .. } => {
                    it.edits.iter().for_each(|it| of_guards(context, it, found));
                }
            },
            _ => {}
        }
    }
    for (_, clauses) in &guards {
        of_clauses(context, clauses, BinaryOp::Or, found);
    }
}

/// A label with its condition.
type Clause<'a> = (&'a Name, &'a Expr);

/// Finds clauses that others make needless: of those that all must hold (`and`), and of those of which one is enough (`or`).
fn of_clauses<'a>(
    context: &Context<'a>,
    clauses: &[Clause<'a>],
    op: BinaryOp,
    found: &mut Vec<Diagnostic>,
) {
    let said: Vec<Says<'a>> = clauses
        .iter()
        .map(|(_, it)| context.says(it, true))
        .collect();
    for (at, (label, condition)) in clauses.iter().enumerate() {
        let kept = stays(&said, at, op).and_then(|it| clauses.get(it));
        let Some((other, kept)) = kept.filter(|it| !is_changed(context, it.0)) else {
            continue;
        };
        let (message, why) = match op {
            BinaryOp::And => (
                format!("`{label}` asks nothing that `{other}` does not ask"),
                "whenever this holds, that holds",
            ),
            _ => (
                format!("`{label}` forbids nothing that `{other}` does not forbid"),
                "this holds whenever that does",
            ),
        };
        found.push(
            Diagnostic::at(codes::IMPLIED_CONDITION, condition.span, message)
                .label(kept.span, why)
                .help("leave it out, or let it ask what was meant"),
        );
    }
}

/// Returns whether an edit, of a reading perhaps, lifts a clause or puts something else in its place.
fn is_changed(context: &Context<'_>, label: &Name) -> bool {
    context.index.items.iter().any(|it| match &it.item.kind {
        ItemKind::Edit(edit) => {
            let place = edit.place().ok();
            place.and_then(|it| it.segments.last()) == Some(label)
        }
        _ => false,
    })
}

/// Returns which other condition makes one needless; of two that ask the same the first one stays. What is `true` or `false`
/// and no more is a finding of its own.
fn stays(said: &[Says<'_>], needless: usize, op: BinaryOp) -> Option<usize> {
    let it = said.get(needless).filter(|it| !it.is_settled())?;
    said.iter().enumerate().position(|(at, other)| {
        let follows = |one: &Says<'_>, from: &Says<'_>| match op {
            BinaryOp::And => implies(from, one),
            // Of `a or b` the one that holds less often adds nothing.
            _ => implies(one, from),
        };
        at != needless
            && !other.is_settled()
            && follows(it, other)
            && (at < needless || !follows(other, it))
    })
}

/// Whether a term may go though others stand between it and the one that stays: those may rely on it, as `max S > 1` relies on
/// `count S > 0`, for what stands on the right is asked only where it matters.
fn is_no_guard(terms: &[&Expr], at: usize, kept: usize) -> bool {
    let between = terms.get(at + 1..kept).unwrap_or(&[]);
    between.iter().all(|it| is_always_there(it))
}

/// Whether nothing in a term can be missing or stop the game: it compares names and numbers.
fn is_always_there(term: &Expr) -> bool {
    match &term.kind {
        ExprKind::Name(_) => true,
        ExprKind::Binary {
            op, left, right, ..
        } => {
            (compares(*op) || *op == BinaryOp::In)
                && is_always_there(left)
                && is_always_there(right)
        }
        _ => is_literal(term),
    }
}

/// Returns the terms that others make needless.
fn needless<'a>(context: &Context<'a>, terms: &[&'a Expr], op: BinaryOp) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let said: Vec<Says<'a>> = terms.iter().map(|it| context.says(it, true)).collect();
    for (at, term) in terms.iter().enumerate() {
        let kept = stays(&said, at, op).filter(|it| is_no_guard(terms, at, *it));
        let Some(other) = kept.and_then(|it| terms.get(it)) else {
            continue;
        };
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
