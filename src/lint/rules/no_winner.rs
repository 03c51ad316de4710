use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::model::Base;
use crate::syntax::ast::{Ending, ItemKind, StatementKind};

pub(super) const LINT: Lint = Lint {
    code: codes::NO_WINNER,
    run,
};

/// A game for several in which seats have points and no ending says who wins.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
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
