use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::model::Base;
use crate::source::Span;
use crate::syntax::ast::{Ending, Expr, ExprKind, ItemKind, StatementKind};

pub(super) const LINT: Lint = Lint {
    code: codes::NO_WINNER,
    run,
};

/// A game for several in which seats have points and no ending says who wins.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for done in &context.index.statements {
        if let StatementKind::Ranking { seats, by } = &done.statement.kind {
            // Who play together may all have one figure.
            let figures = by.iter().enumerate().filter(|(at, it)| {
                !may_differ(context, it) && (*at > 0 || is_of_one_seat(context, it))
            });
            found.extend(figures.map(|(_, it)| alike_for_all(context, seats, it)));
        }
    }
    let has_points = context.book.game.is_some_and(|game| {
        let mut tracks = game.tracks.iter();
        game.n_seats > 1
            && tracks.any(|it| it.index == [game.seat] && matches!(it.ty.base, Base::Int(..)))
    });
    let endings: Vec<&Ending> = context
        .index
        .items
        .iter()
        .filter_map(|placed| match &placed.item.kind {
            ItemKind::Ending(it) => Some(it),
            _ => None,
        })
        .collect();
    let Some(first) = endings.first().filter(|_| has_points) else {
        return;
    };
    if endings.iter().all(|it| nobody_wins(context, it)) {
        found.push(
            Diagnostic::at(
                codes::NO_WINNER,
                first.name.span,
                "nobody wins, however the game ends",
            )
            .help("say who is best: `ranking seat by points[it]`, or `winner` with a set of seats"),
        );
    }
}

fn nobody_wins(context: &Context<'_>, ending: &Ending) -> bool {
    match ending.body.statements.as_slice() {
        [only] => match &only.kind {
            StatementKind::Winner(seats) => context.text(seats.span) == "none",
            _ => false,
        },
        _ => false,
    }
}

/// Whether a figure of a ranking may be another one for another seat: it asks for `it`, or calls what may ask.
fn may_differ(context: &Context<'_>, figure: &Expr) -> bool {
    let inside = |span: Span| {
        let whole = figure.span;
        whole.file == span.file && whole.start <= span.start && span.end <= whole.end
    };
    context.index.exprs.iter().any(|seen| {
        inside(seen.expr.span)
            && match &seen.expr.kind {
                ExprKind::Name(name) => name == "it",
                ExprKind::After { .. } | ExprKind::Can { .. } => true,
                _ => false,
            }
    })
}

/// Whether it is what one seat has that is named, or what a definition makes of that.
fn is_of_one_seat(context: &Context<'_>, figure: &Expr) -> bool {
    let is_seat = |it: &Expr| match &it.kind {
        ExprKind::Name(name) => context.index.is_value(name),
        _ => false,
    };
    match &figure.kind {
        ExprKind::Index { indices, .. } => indices.iter().any(is_seat),
        ExprKind::Call(call) => call.args.iter().any(|it| is_seat(&it.value)),
        _ => false,
    }
}

fn alike_for_all(context: &Context<'_>, seats: &Expr, figure: &Expr) -> Diagnostic {
    let text = context.text(figure.span);
    let message = format!("`{text}` is the same for every seat, so it ranks none before another");
    Diagnostic::at(codes::NO_WINNER, figure.span, message).help(format!(
        "ask for the seat that is ranked, which is called `it`: `ranking {} by points[it]`",
        context.text(seats.span)
    ))
}
