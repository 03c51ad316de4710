//! What is known of definitions and procedures before anything hidden is followed. Nothing of it depends on
//! labels, so that these only ever grow.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::acts::Acts;
use super::state::{Tracks, Zones};
use super::sym::Sym;
use super::{Analysis, offered, order};
use crate::check::effect::{filled_by, zones_of};
use crate::check::recursion::Station;
use crate::model::{
    Alt, Base, DefineId, Expr, ExprKind, LocalId, Node, Over, ProcId, Stmt, StmtKind, each_in_expr,
    each_statement, parts_of_stmt,
};

/// What is known before anything hidden is followed.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Locals that stand for what can be written otherwise.
    pub(super) aliases: HashMap<LocalId, Sym>,
    /// Seats that a local is not, whichever it is.
    pub(super) apart: HashMap<LocalId, Vec<Sym>>,
    /// Locals that are set again.
    set_again: HashSet<LocalId>,
    /// Definitions that may have another value when something has happened.
    changing: Vec<bool>,
    /// What procedures change.
    changes: Vec<Changes>,
    /// What everybody notices of procedures.
    pub(super) acts: Vec<Acts>,
    /// Whether anything leads to procedures.
    pub(super) is_called: Vec<bool>,
    /// From how many places procedures are entered.
    entries: Vec<usize>,
    /// Alternatives that show at which choice they were chosen.
    pub(super) telling: HashSet<*const Alt>,
}

/// What a block changes, itself or in what it calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// Where it moves something.
    pub(super) zones: Zones,
    /// Where something may come to lie.
    pub(super) filled: Zones,
    /// What it may set.
    pub(super) tracks: Tracks,
}

impl Changes {
    fn join(&mut self, other: &Changes) {
        self.zones.join(&other.zones);
        self.filled.join(&other.filled);
        self.tracks.join(&other.tracks);
    }
}

impl Facts {
    /// Whether somebody calls a procedure, be it in a trial.
    pub(super) fn is_called(&self, id: ProcId) -> bool {
        self.is_called.get(id.index()).is_none_or(|it| *it)
    }

    /// Whether a procedure is entered from anywhere.
    pub(super) fn is_entered(&self, id: ProcId) -> bool {
        self.entries.get(id.index()).is_some_and(|it| *it > 0)
    }

    /// Whether a procedure is entered from one place only.
    pub(super) fn has_one_entry(&self, id: ProcId) -> bool {
        self.entries.get(id.index()).is_some_and(|it| *it == 1)
    }

    pub(super) fn is_set_again(&self, local: LocalId) -> bool {
        self.set_again.contains(&local)
    }

    pub(super) fn define_changes(&self, id: DefineId) -> bool {
        self.changing.get(id.index()).is_none_or(|it| *it)
    }

    pub(super) fn changes_of(&self, id: ProcId) -> Option<&Changes> {
        self.changes.get(id.index())
    }
}

impl Analysis<'_> {
    pub(super) fn find_facts(&mut self, groups: &[Vec<Station>]) {
        self.facts.telling = offered::telling(self.game);
        self.facts.entries = vec![0; self.game.procs.len()];
        let mut kept: Vec<(LocalId, &Expr)> = Vec::new();
        for proc in &self.game.procs {
            let mut called = Vec::new();
            order::called(self.game, &proc.body, &mut called);
            for id in called {
                if let Some(n) = self.facts.entries.get_mut(id.index()) {
                    *n += 1;
                }
            }
            each_statement(&proc.body, &mut |stmt| match &stmt.kind {
                StmtKind::SetLocal(local, ..) => _ = self.facts.set_again.insert(*local),
                StmtKind::Let(local, value) => kept.push((*local, value)),
                _ => {}
            });
        }
        for (local, value) in kept {
            self.find_alias(local, value);
        }
        self.note_chosen_apart();
        self.facts.changing = vec![false; self.game.defines.len()];
        self.facts.changes = vec![Changes::default(); self.game.procs.len()];
        self.facts.acts = vec![Acts::unknown(); self.game.procs.len()];
        for group in groups {
            while group
                .iter()
                .fold(false, |new, it| new | self.find_changes(*it))
                && self.leads_back(group)
            {}
            for station in group {
                if let Station::Proc(id) = station
                    && self.facts.is_called(*id)
                    && let Some(proc) = self.game.procs.get(id.index())
                {
                    let acts = Acts::clone(&self.acts(&proc.body)).of_proc(&proc.params);
                    if let Some(known) = self.facts.acts.get_mut(id.index()) {
                        *known = acts;
                    }
                }
            }
        }
    }

    /// A seat that is kept in a local is the same one wherever the local is asked for.
    fn find_alias(&mut self, local: LocalId, value: &Expr) {
        if !self.is_seat(local) || self.facts.is_set_again(local) {
            return;
        }
        let sym = self.sym(value);
        let varies = |it: &Sym| match it {
            Sym::Local(it) => self.facts.is_set_again(*it),
            Sym::Track(..) | Sym::Define(..) | Sym::Other => true,
            _ => false,
        };
        if !sym.any(&varies) {
            self.facts.aliases.insert(local, sym);
        }
    }

    /// Returns whether that is more than was known.
    fn find_changes(&mut self, station: Station) -> bool {
        match station {
            Station::Legality(_) => false,
            Station::Define(id) => {
                let Some(define) = self.game.defines.get(id.index()) else {
                    return false;
                };
                let mut changes = self.reads_position(&define.body);
                each_in_expr(&define.body, &mut |node| {
                    if let Node::Expr(expr) = node {
                        changes |= self.reads_position(expr);
                    }
                });
                match self.facts.changing.get_mut(id.index()) {
                    Some(known) if *known != changes => {
                        *known = changes;
                        true
                    }
                    _ => false,
                }
            }
            Station::Proc(id) if !self.facts.is_called(id) => false,
            Station::Proc(id) => {
                let Some(proc) = self.game.procs.get(id.index()) else {
                    return false;
                };
                let changes = self.changes_in(&proc.body);
                match self.facts.changes.get_mut(id.index()) {
                    Some(known) => {
                        let before = known.clone();
                        known.join(&changes);
                        *known != before
                    }
                    None => false,
                }
            }
        }
    }

    /// Whether an expression itself asks for something that may change.
    fn reads_position(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Track(..)
            | ExprKind::Frontier(_)
            | ExprKind::Laid(_)
            | ExprKind::PartsAt(..)
            | ExprKind::Touching(_)
            | ExprKind::Loose(_)
            | ExprKind::PartAtPort(..)
            | ExprKind::Can(..)
            | ExprKind::After(..)
            | ExprKind::Repeated => true,
            ExprKind::Call(id, _) => self.facts.define_changes(*id),
            ExprKind::Aggregate(it) => {
                let mut overs = it.binders.iter().map(|it| &it.over);
                overs.any(|it| matches!(it, Over::Zone(_)))
            }
            kind => kind.place().is_some(),
        }
    }

    /// What a block changes.
    pub(super) fn changes_in(&self, block: &[Stmt]) -> Changes {
        let mut changes = Changes::default();
        for stmt in block {
            self.changes_of_stmt(stmt, &mut changes);
        }
        let mut called: Vec<ProcId> = Vec::new();
        order::called(self.game, block, &mut called);
        for id in called {
            if let Some(known) = self.facts.changes_of(id) {
                changes.join(known);
            }
        }
        changes
    }

    fn changes_of_stmt(&self, stmt: &Stmt, out: &mut Changes) {
        zones_of(stmt, &mut |zone| out.zones.add(zone));
        filled_by(stmt, &mut |zone| out.filled.add(zone));
        if let StmtKind::SetTrack(id, ..) = &stmt.kind {
            out.tracks.add(*id);
        }
        parts_of_stmt(stmt, &mut |node| {
            if let Node::Stmt(inner) = node {
                self.changes_of_stmt(inner, out);
            }
        });
    }

    pub(super) fn is_seat(&self, local: LocalId) -> bool {
        let seat = Base::Elem(self.game.seat);
        let local = self.game.locals.get(local.index());
        local.is_some_and(|it| it.ty.base == seat)
    }
}
