use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Games, Lint};
use crate::model::text::name_of;

pub(super) const LINT: Lint = Lint {
    code: codes::IDLE_SEAT,
    run,
};

/// Fewer games show nothing.
const LEAST_GAMES: u64 = 10;

/// Seats that were never asked in any of many random games.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let Some(games) = context.book.played else {
        return;
    };
    let game = &*games.program.game;
    let Some(seats) = game.domains.get(game.seat.index()) else {
        return;
    };
    let main = game.procs.get(game.main.index());
    let clause = main.and_then(|it| game.clauses.get(it.clause.index()));
    let span = clause.map(|it| it.span).unwrap_or_default();
    for (seat, _) in (0..).zip(&games.chose).filter(|it| is_idle(games, it.1)) {
        let message = format!(
            "`{}` had nothing to choose in {} random games, {} choices",
            name_of(seats, seat),
            games.ended,
            games.choices
        );
        let help =
            "see who is asked: the seat behind `choose`, the `where` behind `turns` or `together`";
        found.push(Diagnostic::at(codes::IDLE_SEAT, span, message).help(help));
    }
}

fn is_idle(games: &Games<'_>, chose: &u64) -> bool {
    // Behind a fault, or where games were left off, nobody looked.
    let all_looked_at = games.stopped.is_empty() && games.cut == 0;
    all_looked_at && games.ended >= LEAST_GAMES && games.choices > 0 && *chose == 0
}

impl Games<'_> {
    /// Whether some seat was never asked.
    pub(in crate::lint) fn has_idle_seat(&self) -> bool {
        self.chose.iter().any(|it| is_idle(self, it))
    }
}
