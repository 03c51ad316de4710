use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};

pub(super) const LINT: Lint = Lint {
    code: codes::COUNTED_POSITION,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let (Some(game), Some(composed)) = (context.book.game, context.book.composed) else {
        return;
    };
    let Some(history) = &composed.header.history else {
        return;
    };
    let counters = game.passing.counters.iter();
    let counters: Vec<&str> = counters
        .filter_map(|it| game.tracks.get(it.index()))
        .map(|it| it.name.as_str())
        .collect();
    for name in &history.of {
        if counters.contains(&name.as_str()) {
            let message = format!(
                "`{name}` only grows or only shrinks: once it has changed, no position from before comes again"
            );
            found.push(
                Diagnostic::at(codes::COUNTED_POSITION, name.span, message)
                    .help("leave it out of the `history`"),
            );
        }
    }
}
