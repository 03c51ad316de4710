//! Which clauses forbid moves alone.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::carried::Carrier;
use crate::engine::{Alternative, Machine, Program, mixed};
use crate::model::{ActionId, Alt, AltKind, ClauseId, Game, Node, StmtKind, each_in_block};

/// One choice in so many is looked at.
const EVERY: u64 = 16;

/// How often clauses forbid what all others allow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusals {
    /// Choices that were looked at.
    pub looked: u64,
    /// Those at which there were too many instances to look at them all.
    pub cut: u64,
    /// By clause, the choices at which it alone forbids something.
    pub alone: BTreeMap<ClauseId, u64>,
}

impl Refusals {
    pub(super) fn merge(&mut self, other: &Refusals) {
        self.looked += other.looked;
        self.cut += other.cut;
        for (clause, count) in &other.alone {
            *self.alone.entry(*clause).or_default() += count;
        }
    }

    pub(super) fn carry(&mut self, by: &mut Carrier<'_>) {
        by.number("looked", &mut self.looked);
        by.number("cut", &mut self.cut);
        by.inside("alone", |by| {
            if by.puts_back() {
                let all = by.names::<u32>().into_iter();
                self.alone = all.map(|it| (ClauseId(it), 0)).collect();
            }
            for (clause, count) in &mut self.alone {
                by.number(clause.0, count);
            }
        });
    }

    pub(super) fn look(&mut self, machine: &mut Machine<'_>, offers: &Offers) {
        let Some(actions) = machine.clause().and_then(|it| offers.0.get(&it)) else {
            return;
        };
        self.looked += 1;
        let (mut alone, mut whole) = (BTreeSet::new(), true);
        for action in actions {
            let (clauses, all) = machine.refused_alone(*action);
            alone.extend(clauses);
            whole &= all;
        }
        self.cut += u64::from(!whole);
        for clause in alone {
            *self.alone.entry(clause).or_default() += 1;
        }
    }
}

/// Whether a choice of a game is one that is looked at.
pub(super) fn is_looked_at(seed: u64, choice: u64) -> bool {
    mixed(mixed(!seed) ^ choice).is_multiple_of(EVERY)
}

/// By clause that asks, the actions that are offered there without conditions of the choice itself: of others more than
/// their own clauses decides.
#[derive(Debug)]
pub(super) struct Offers(HashMap<ClauseId, BTreeSet<ActionId>>);

impl Offers {
    pub(super) fn of(program: &Program) -> Offers {
        let bound = bound(&program.game);
        let mut offers: HashMap<ClauseId, BTreeSet<ActionId>> = HashMap::new();
        for asked in program.choices() {
            let here = offers.entry(asked.clause).or_default();
            here.extend(asked.alternatives.iter().filter_map(|it| match it {
                Alternative::Action(id) if !bound.contains(id) => Some(*id),
                _ => None,
            }));
        }
        Offers(offers)
    }
}

/// The actions that some choice offers in part: with arguments, or where something holds.
fn bound(game: &Game) -> BTreeSet<ActionId> {
    let mut bound = BTreeSet::new();
    for proc in &game.procs {
        each_in_block(&proc.body, &mut |node| {
            let Node::Stmt(stmt) = node else { return };
            match &stmt.kind {
                StmtKind::Choose(choose) => bound.extend(choose.alts.iter().filter_map(in_part)),
                // A slot that is used up offers nothing more.
                StmtKind::Window(window) => {
                    let alts = window.slots.iter().flat_map(|it| &it.alts);
                    bound.extend(alts.filter_map(action));
                }
                _ => {}
            }
        });
    }
    bound
}

fn action(alt: &Alt) -> Option<ActionId> {
    match &alt.kind {
        AltKind::Action(id, _) => Some(*id),
        AltKind::Inline { .. } => None,
    }
}

/// The action of an alternative that offers only a part of its instances.
fn in_part(alt: &Alt) -> Option<ActionId> {
    let AltKind::Action(id, args) = &alt.kind else {
        return None;
    };
    let whole = args.iter().all(Option::is_none) && alt.offered.is_none() && alt.among.is_empty();
    (!whole).then_some(*id)
}
