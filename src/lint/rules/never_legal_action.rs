//! Actions that nobody could play in any of many random games.

use std::collections::{BTreeMap, BTreeSet};

use rand_chacha::rand_core::Rng;

use crate::diagnostic::{Diagnostic, codes};
use crate::engine::{CandidateKind, Dice, Machine, Status, below};
use crate::lint::{Context, Lint, Played};
use crate::model::{Action, ActionId, Alt, AltKind, ClauseId, Game, Node, StmtKind, each_in_block};

pub(super) const LINT: Lint = Lint {
    code: codes::NEVER_LEGAL_ACTION,
    run,
};

/// A stream of numbers that no game uses: who chooses never changes what chance gives.
const CHOICES: u32 = u32::MAX;
/// A game that takes longer is left off.
const MOST_CHOICES: u32 = 20_000;
/// Positions in which the clauses are asked why they refuse.
const MOST_ASKED: usize = 200;
/// Every so many choices a position is kept for asking.
const EVERY: u64 = 7;
/// Clauses that are shown.
const MOST_SHOWN: usize = 2;

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let Some(Played { program, games }) = context.book.played else {
        return;
    };
    let game = &*program.game;
    let mut never = offered(game);
    let mut machine = Machine::new(program);
    let mut n_choices = 0;
    let mut kept = Vec::new();
    for seed in 0..games {
        let mut dice = Dice::new(seed);
        let mut left = MOST_CHOICES;
        // A fault is an error that playing shows; it is no finding.
        let mut going = machine.start(&mut dice).is_ok();
        while let (true, Status::Choice { seat }) = (going && left > 0, machine.status()) {
            for mv in machine.moves() {
                if let Some(CandidateKind::Action(id, _)) = machine.candidate(*mv).map(|it| it.kind)
                {
                    never.remove(&id);
                }
            }
            if kept.len() < MOST_ASKED && n_choices % EVERY == 0 {
                kept.push((seat, machine.save()));
            }
            n_choices += 1;
            left -= 1;
            let n_moves = machine.moves().len() as u64;
            let at = below(dice.stream(CHOICES).next_u64(), n_moves);
            going = usize::try_from(at).is_ok_and(|at| machine.play_nth(at, &mut dice).is_ok());
        }
    }
    for id in never {
        let Some(action) = game.actions.get(id.index()) else {
            continue;
        };
        let mut refusals: BTreeMap<ClauseId, usize> = BTreeMap::new();
        for (seat, state) in &kept {
            machine.load(state);
            for clause in machine
                .refusals(*seat, &any(id, action))
                .unwrap_or_default()
            {
                *refusals.entry(clause).or_default() += 1;
            }
        }
        found.push(finding(game, action, games, n_choices, &refusals));
    }
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
        then: Vec::new(),
        span: crate::source::Span::default(),
    }
}

fn finding(
    game: &Game,
    action: &Action,
    games: u64,
    n_choices: u64,
    refusals: &BTreeMap<ClauseId, usize>,
) -> Diagnostic {
    let span = |id: ClauseId| game.clauses.get(id.index()).map(|it| it.span);
    let message = format!(
        "nobody could `{}` in {games} random games, {n_choices} choices",
        action.name
    );
    let place = span(action.clause).unwrap_or_default();
    let mut finding = Diagnostic::at(codes::NEVER_LEGAL_ACTION, place, message);
    let mut refusing: Vec<(ClauseId, usize)> = refusals.iter().map(|it| (*it.0, *it.1)).collect();
    // That a parameter has nothing to choose from says less than a condition does.
    let is_condition = |id: &ClauseId| action.requires.iter().any(|it| it.clause == *id);
    refusing.sort_by_key(|(id, count)| (!is_condition(id), std::cmp::Reverse(*count), *id));
    for (id, _) in refusing.into_iter().take(MOST_SHOWN) {
        if let Some(span) = span(id) {
            finding = finding.label(span, "this refuses it most often");
        }
    }
    finding
        .help("see which clauses can never hold together; `adit why-not` asks them in a position")
}
