//! What may have to do with who asks for the order of a pile: nothing else is followed.

use crate::check::effect::chosen_actions;
use crate::model::{Node, Stmt, StmtKind, each_statement, parts_of_stmt};

use super::{Orders, poured_from};

impl<'g> Orders<'g> {
    /// Notes what statements ask for, and where something else may be asked for before them than behind them.
    pub(super) fn find_busy(&mut self) {
        let game = self.game;
        let mut leads = Vec::new();
        for (caller, proc) in game.procs.iter().enumerate() {
            let (mut is_busy, mut called, mut ends) = (false, Vec::new(), Vec::new());
            let mut all_own = Vec::new();
            each_statement(&proc.body, &mut |stmt| {
                let own = self.asks(stmt);
                is_busy |= self.moves_on(stmt) || !own.is_empty();
                if !own.is_empty() {
                    all_own.push((std::ptr::from_ref(stmt), own));
                }
                called.extend(self.called(stmt));
                if let StmtKind::End(id, _) = &stmt.kind {
                    ends.push(id.index());
                }
            });
            for callee in called.iter().chain(&ends) {
                if let Some(callers) = self.callers.get_mut(*callee) {
                    callers.push(caller);
                }
            }
            self.own.extend(all_own);
            self.busy_procs.push(is_busy);
            leads.push(called);
        }
        let mut grows = true;
        while grows {
            grows = false;
            for (at, called) in leads.iter().enumerate() {
                let leads_there = !self.is_busy(at) && called.iter().any(|it| self.is_busy(*it));
                if leads_there && let Some(is_busy) = self.busy_procs.get_mut(at) {
                    (*is_busy, grows) = (true, true);
                }
            }
        }
        for proc in &game.procs {
            for stmt in &proc.body {
                self.note_busy(stmt);
            }
        }
    }

    fn note_busy(&mut self, stmt: &'g Stmt) -> bool {
        let leaves = matches!(
            stmt.kind,
            StmtKind::Return(_) | StmtKind::Next | StmtKind::Again
        );
        let key = std::ptr::from_ref(stmt);
        let mut is_busy = leaves || self.moves_on(stmt) || self.own.contains_key(&key);
        is_busy |= self.called(stmt).iter().any(|it| self.is_busy(*it));
        parts_of_stmt(stmt, &mut |node| {
            if let Node::Stmt(inner) = node {
                is_busy |= self.note_busy(inner);
            }
        });
        if is_busy {
            self.busy.insert(key);
        }
        is_busy
    }

    /// Whether a statement itself makes that something else is asked for before it than behind it.
    fn moves_on(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::End(..) => true,
            StmtKind::Shuffle(place) => self.piles.number(place.zone).is_some(),
            StmtKind::Move(moved) => poured_from(moved).is_some(),
            _ => false,
        }
    }

    /// The procedures that a statement leads to.
    fn called(&self, stmt: &Stmt) -> Vec<usize> {
        let mut called = Vec::new();
        if let StmtKind::Call(id, _) | StmtKind::CallInto(_, id, _) = &stmt.kind {
            called.push(id.index());
        }
        for id in chosen_actions(stmt) {
            called.extend(self.game.actions.get(id.index()).map(|it| it.body.index()));
        }
        called
    }

    pub(super) fn is_busy(&self, proc: usize) -> bool {
        self.busy_procs.get(proc).is_none_or(|it| *it)
    }
}
