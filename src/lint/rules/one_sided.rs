use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::model::text::name_of;

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
    let Some(games) = context.book.played else {
        return;
    };
    let game = &*games.program.game;
    let (Some(seats), true) = (game.domains.get(game.seat.index()), game.n_seats > 1) else {
        return;
    };
    for (seat, won) in (0..).zip(&games.won) {
        if at_least(*won, games.ended) >= FALSE_ALARM {
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

/// How likely so many of `n` games or more are won by a seat that wins [`MOST_WON`] of them.
fn at_least(won: u64, n: u64) -> f64 {
    let mut sum = 0.0;
    // ln of n! / (k! (n - k)!) p^k q^(n - k), from k = n downwards.
    let mut term = n as f64 * MOST_WON.ln();
    let mut k = n;
    loop {
        sum += term.exp();
        if k <= won {
            return sum;
        }
        term += (k as f64 / (n - k + 1) as f64).ln() + ((1.0 - MOST_WON) / MOST_WON).ln();
        k -= 1;
    }
}
