use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::model::text::name_of;
use crate::stats::chance_of_at_least;

pub(super) const LINT: Lint = Lint {
    code: codes::ONE_SIDED,
    run,
};

/// A seat that wins more often than that is told.
const MOST_WON: f64 = 0.6;
/// How seldom a game that is no more one-sided than that may be called so.
const FALSE_ALARM: f64 = 0.001;

/// A seat that wins far more random games than the others.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    // Where a seat never plays, that is why.
    let Some(games) = context.book.played.filter(|it| !it.has_idle_seat()) else {
        return;
    };
    let game = &*games.program.game;
    let (Some(seats), true) = (game.domains.get(game.seat.index()), game.n_seats > 1) else {
        return;
    };
    for (seat, won) in (0..).zip(&games.won) {
        if chance_of_at_least(games.ended, MOST_WON, *won) >= FALSE_ALARM {
            continue;
        }
        let clause = game.procs.get(game.main.index());
        let clause = clause.and_then(|it| game.clauses.get(it.clause.index()));
        let message = format!(
            "`{}` alone wins {won} of {} random games",
            name_of(seats, seat),
            games.ended
        );
        found.push(
            Diagnostic::at(
                codes::ONE_SIDED,
                clause.map(|it| it.span).unwrap_or_default(),
                message,
            )
            .help("`adit simulate GAME --until decided` says how large the advantage is; who begins can change from hand to hand"),
        );
    }
}
