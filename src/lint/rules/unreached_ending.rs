use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Games, Lint};
use crate::model::{ExpectKind, Node, ProcId, StmtKind, each_in_block};

pub(super) const LINT: Lint = Lint {
    code: codes::UNREACHED_ENDING,
    run,
};

/// Endings that some rule asks for and no random game came to. What a ruling comes to can be reached.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    // Behind a fault nobody looked, nor behind what goes on for ever.
    let looked = |it: &&Games<'_>| it.stopped.is_empty() && it.cut == 0;
    let Some(games) = context.book.played.filter(looked) else {
        return;
    };
    let game = &*games.program.game;
    let mut asked: BTreeSet<ProcId> = BTreeSet::new();
    for proc in &game.procs {
        each_in_block(&proc.body, &mut |node| {
            if let Node::Stmt(stmt) = node
                && let StmtKind::End(id, ..) = stmt.kind
            {
                asked.insert(id);
            }
        });
    }
    for ruling in game.rulings.iter().filter(|it| it.at_home) {
        for expect in &ruling.expects {
            if let ExpectKind::Ended(Some(id)) = expect.kind {
                asked.remove(&id);
            }
        }
    }
    for id in &asked - &games.endings {
        let Some(proc) = game.procs.get(id.index()) else {
            continue;
        };
        let clause = game.clauses.get(proc.clause.index());
        let message = format!(
            "none of {} random games came to `{}`",
            games.games, proc.name
        );
        found.push(
            Diagnostic::at(
                codes::UNREACHED_ENDING,
                clause.map(|it| it.span).unwrap_or_default(),
                message,
            )
            .help("see whether what leads to it can happen; a ruling that ends there, `expect ended by over`, shows how"),
        );
    }
}
