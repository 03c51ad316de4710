//! Actions that nobody could play in any of many random games.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostic, codes};
use crate::engine::Machine;
use crate::lint::folded::never_holds;
use crate::lint::{Context, Games, Lint};
use crate::model::{
    Action, ActionId, Alt, AltKind, ClauseId, ExpectKind, Game, Node, PlayedAlt, Require, StmtKind,
    each_in_block,
};

pub(super) const LINT: Lint = Lint {
    code: codes::NEVER_LEGAL_ACTION,
    run,
};

/// Clauses that are shown.
const MOST_SHOWN: usize = 2;

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    // Behind a fault nobody looked.
    let Some(games) = context.book.played.filter(|it| it.stopped.is_empty()) else {
        return;
    };
    let game = &*games.program.game;
    let mut machine = Machine::new(games.program);
    for id in games.unreached() {
        let Some(action) = game.actions.get(id.index()) else {
            continue;
        };
        // A reading that is off is no slip, and what a ruling plays can be played.
        let is_off = |it: &Require| never_holds(game, &it.cond);
        if action.requires.iter().any(is_off) || is_played_in_a_ruling(games, id) {
            continue;
        }
        let mut refusals: BTreeMap<ClauseId, usize> = BTreeMap::new();
        for (seat, state) in &games.kept {
            machine.load(state);
            for clause in machine
                .refusals(*seat, &any(id, action))
                .unwrap_or_default()
            {
                *refusals.entry(clause).or_default() += 1;
            }
        }
        found.push(finding(game, action, games, &refusals));
    }
}

impl Games<'_> {
    /// The actions that some choice offers and nobody could play.
    #[must_use]
    pub fn unreached(&self) -> BTreeSet<ActionId> {
        &offered(&self.program.game) - &self.legal
    }
}

/// Whether a ruling that was written for these very rules plays an action or expects it to be legal, and is not known to fail.
fn is_played_in_a_ruling(games: &Games<'_>, id: ActionId) -> bool {
    let is_it = |alt: &PlayedAlt| matches!(alt, PlayedAlt::Action(alt) if matches!(&alt.kind, AltKind::Action(it, _) if *it == id));
    let rulings = games.program.game.rulings.iter();
    let mut at_home = rulings.filter(|it| it.at_home && !games.failing.contains(&it.id));
    at_home.any(|ruling| {
        ruling.when.iter().any(|it| is_it(&it.alt))
            || ruling.expects.iter().any(|expect| match &expect.kind {
                ExpectKind::Legal(it) => is_it(&it.alt),
                ExpectKind::Offers(_, alts, _) => alts.iter().any(is_it),
                _ => false,
            })
    })
}

/// The actions that some choice offers.
fn offered(game: &Game) -> BTreeSet<ActionId> {
    let mut found = BTreeSet::new();
    let mut note = |alts: &[Alt]| {
        for alt in alts {
            if let AltKind::Action(id, _) = &alt.kind {
                found.insert(*id);
            }
        }
    };
    for proc in &game.procs {
        each_in_block(&proc.body, &mut |node| {
            let Node::Stmt(stmt) = node else { return };
            match &stmt.kind {
                StmtKind::Choose(choose) => note(&choose.alts),
                StmtKind::Window(window) => {
                    for slot in &window.slots {
                        note(&slot.alts);
                    }
                }
                _ => {}
            }
        });
    }
    found
}

/// The action with nothing said about it.
fn any(id: ActionId, action: &Action) -> Alt {
    Alt {
        kind: AltKind::Action(id, vec![None; action.params.len()]),
        offered: None,
        among: Vec::new(),
        then: Vec::new(),
        span: crate::source::Span::default(),
    }
}

fn finding(
    game: &Game,
    action: &Action,
    games: &Games<'_>,
    refusals: &BTreeMap<ClauseId, usize>,
) -> Diagnostic {
    let span = |id: ClauseId| game.clauses.get(id.index()).map(|it| it.span);
    let message = format!(
        "nobody could `{}` in {} random games, {} choices",
        action.name, games.games, games.choices
    );
    let place = span(action.clause).unwrap_or_default();
    let mut finding = Diagnostic::at(codes::NEVER_LEGAL_ACTION, place, message);
    let mut refusing: Vec<(ClauseId, usize)> = refusals.iter().map(|it| (*it.0, *it.1)).collect();
    // That a parameter has nothing to choose from says less than a condition does.
    let is_condition = |id: &ClauseId| action.requires.iter().any(|it| it.clause == *id);
    refusing.sort_by_key(|(id, count)| (!is_condition(id), std::cmp::Reverse(*count), *id));
    for (id, count) in refusing.into_iter().take(MOST_SHOWN) {
        if let Some(span) = span(id) {
            let of = games.kept.len();
            finding = finding.label(span, format!("this refuses it at {count} of {of} choices"));
        }
    }
    finding
        .help("see which clauses can never hold together; `adit why-not` asks them in a position")
}
