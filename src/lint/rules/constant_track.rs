use rustc_hash::FxHashSet as HashSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::index::{Done, Role};
use crate::lint::terms::{is_literal, number};
use crate::lint::{Context, Lint};
use crate::syntax::ast::{AssignOp, Expr, ExprKind, ItemKind, StatementKind, TrackDecl, TypeKind};

pub(super) const LINT: Lint = Lint {
    code: codes::CONSTANT_TRACK,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let index = &context.index;
    let names = |role: Role| -> HashSet<&str> {
        let in_rules = |item: usize| role == Role::Read || !index.in_ruling(item);
        let uses = index
            .uses
            .iter()
            .filter(|it| it.role == role && in_rules(it.item));
        uses.map(|it| it.name.as_str()).collect()
    };
    let (read, written) = (names(Role::Read), names(Role::Written));
    let changed = changed(context);
    for (_, item, name) in index.declarations() {
        // A track that nothing reads either is a finding of its own.
        let ItemKind::Track(track) = &item.kind else {
            continue;
        };
        if !read.contains(name.as_str()) {
            continue;
        }
        let message = if !written.contains(name.as_str()) {
            format!("the track `{name}` never changes")
        } else if !changed.contains(name.as_str()) && !index.edited.contains(name.as_str()) {
            format!("the track `{name}` only ever gets the value that it begins with")
        } else if only_value(track) {
            format!("the track `{name}` can have one value only")
        } else {
            continue;
        };
        found.push(
            Diagnostic::at(codes::CONSTANT_TRACK, name.span, message).help(
                "let something change it, or write `define` or `option` for what is always so",
            ),
        );
    }
}

/// Whether there is one number in the range of a track.
fn only_value(track: &TrackDecl) -> bool {
    match &track.ty.kind {
        TypeKind::Range(from, to) => number(from).is_some_and(|it| number(to) == Some(it)),
        _ => false,
    }
}

/// The names of what may get a value that differs from its start.
fn changed<'a>(context: &Context<'a>) -> HashSet<&'a str> {
    let index = &context.index;
    let in_rules = |it: &&Done<'a>| !index.in_ruling(it.item);
    let names = index.statements.iter().filter(in_rules).filter_map(|done| {
        let StatementKind::Assign {
            target, op, value, ..
        } = &done.statement.kind
        else {
            return None;
        };
        let name = target.leading_name()?;
        let starts_so = match index.declared(name.as_str()).map(|it| &it.kind) {
            Some(ItemKind::Track(it)) => {
                let start = it.start.as_ref().map(|it| &it.kind);
                *op == AssignOp::Set && is_fixed(context, value) && start == Some(&value.kind)
            }
            _ => false,
        };
        (!starts_so).then_some(name.as_str())
    });
    names.collect()
}

/// Whether a value is the same wherever it stands.
fn is_fixed(context: &Context<'_>, value: &Expr) -> bool {
    match &value.kind {
        ExprKind::None => true,
        ExprKind::Name(name) => context.index.is_value(name),
        ExprKind::Set(members) => members.is_empty(),
        _ => is_literal(value),
    }
}
