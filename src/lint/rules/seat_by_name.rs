use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::index::Local;
use crate::lint::{Context, Lint};
use crate::syntax::ast::{
    Among, Choose, Chooser, ExprKind, ItemKind, Seats, Statement, StatementKind,
};

pub(super) const LINT: Lint = Lint {
    code: codes::SEAT_BY_NAME,
    run,
};

/// An action that any seat may choose, or what is done for each seat or in each turn, speaks of one seat by its name, and nowhere
/// of the one whose turn it is.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let mut headers = context.headers();
    let Some(seats) = headers.find_map(|it| it.seats.as_ref()) else {
        return;
    };
    let is_seat = |name: &str| match seats {
        Seats::Named(seats) => seats.len() > 1 && seats.iter().any(|it| it.name.text == name),
        Seats::Numbered { stem, .. } => {
            let number = name.strip_prefix(stem.as_str());
            number.is_some_and(|it| it.parse::<u32>().is_ok())
        }
    };
    each(context, &is_seat, found);
    for (at, item, action) in context.index.declarations() {
        if !matches!(item.kind, ItemKind::Action(_)) || !is_of_all(context, action.as_str()) {
            continue;
        }
        let uses = context.index.uses.iter().filter(|it| it.item == at);
        let uses: Vec<_> = uses.map(|it| it.name).collect();
        let named: Vec<_> = uses.iter().filter(|it| is_seat(it.as_str())).collect();
        let seats: BTreeSet<&str> = named.iter().map(|it| it.as_str()).collect();
        let (Some(first), 1) = (named.first(), seats.len()) else {
            continue;
        };
        if uses.iter().any(|it| it.as_str() == "me") {
            continue;
        }
        let message = format!("whoever chooses `{action}`, this is `{first}`");
        found.push(
            Diagnostic::at(codes::SEAT_BY_NAME, first.span, message)
                .help("write `me` where the seat is meant that chooses"),
        );
    }
}

/// What is done for each seat, or in each turn, without a word of it; the name of one seat stands there instead.
fn each(context: &Context<'_>, is_seat: &dyn Fn(&str) -> bool, found: &mut Vec<Diagnostic>) {
    for done in &context.index.statements {
        let (local, body) = match &done.statement.kind {
            StatementKind::Turns { name, body, .. } => (name, body),
            StatementKind::ForEach { binders, body } => match binders.as_slice() {
                [only] if matches!(&only.binder.set.kind, ExprKind::Name(it) if it == "seat") => {
                    (&only.binder.name, body)
                }
                _ => continue,
            },
            _ => continue,
        };
        let is_it = |it: &&Local<'_>| std::ptr::eq(it.name, local);
        if context
            .index
            .locals
            .iter()
            .find(is_it)
            .is_none_or(|it| it.n_reads > 0)
        {
            continue;
        }
        let uses = context.index.uses.iter().map(|it| it.name);
        let inside = uses.filter(|it| body.span.holds(it.span) && is_seat(it.as_str()));
        let inside: Vec<_> = inside.collect();
        let seats: BTreeSet<&str> = inside.iter().map(|it| it.as_str()).collect();
        if let (Some(first), 1) = (inside.first(), seats.len()) {
            let message = format!("whoever `{local}` is, this is `{first}`");
            let help = format!("write `{local}` where the seat is meant whose turn it is");
            found.push(Diagnostic::at(codes::SEAT_BY_NAME, first.span, message).help(help));
        }
    }
}

/// Whether an action is offered, and never to one seat by its name.
fn is_of_all(context: &Context<'_>, action: &str) -> bool {
    let offers = |all: &Choose| match &all.among {
        Among::Alternatives(all) => all.iter().any(|it| it.text.is_none() && it.name == *action),
        Among::Members { .. } => false,
    };
    let statements = context.index.statements.iter().map(|it| it.statement);
    let choices = statements.filter_map(|it: &Statement| match &it.kind {
        StatementKind::Choose(choose) if offers(choose) => Some(&choose.who),
        _ => None,
    });
    let choices: Vec<&Chooser> = choices.collect();
    let by_whom = |who: &&Chooser| match who {
        Chooser::Seat(who) => context.index.is_local(who),
        Chooser::Chance(_) => false,
    };
    let offered = context.index.choices.iter();
    let offered =
        offered.filter(|all| all.iter().any(|it| it.text.is_none() && it.name == *action));
    // Windows, and choices that others add, are not looked at.
    !choices.is_empty() && choices.len() == offered.count() && choices.iter().all(by_whom)
}
