use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};

pub(super) const LINT: Lint = Lint {
    code: codes::ENDLESS_PLAY,
    run,
};

/// Random games that did not come to an end.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let Some(games) = context.book.played.filter(|it| it.cut > 0) else {
        return;
    };
    let game = &*games.program.game;
    let main = game.procs.get(game.main.index());
    let clause = main.and_then(|it| game.clauses.get(it.clause.index()));
    let message = format!(
        "{} of {} random games were left off before anything ended them",
        games.cut, games.games
    );
    found.push(
        Diagnostic::at(
            codes::ENDLESS_PLAY,
            clause.map(|it| it.span).unwrap_or_default(),
            message,
        )
        .help("say what ends a game that goes round in circles: `history up to 100` in the header, and `if repeated() >= 3 { end … }`"),
    );
}
