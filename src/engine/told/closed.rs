//! Which locals hold what somebody does not know.

use std::collections::BTreeSet;

use super::heard::holds;
use super::look::Look;
use crate::engine::machine::Machine;
use crate::engine::view::Viewer;
use crate::model::{
    Action, Game, LocalId, Node, Proc, ProcId, Stmt, StmtKind, TellingId, each_in_block,
};

impl Machine<'_> {
    /// Locals whose values not everybody knows.
    pub(super) fn closed_to_some(&self) -> BTreeSet<LocalId> {
        let game = &*self.program.game;
        let mut look = Look::by(self, Viewer::NOBODY);
        for action in &game.actions {
            let inputs = vec![None; action.params.len() + 1];
            for to in 0..game.n_seats {
                (0..game.n_seats).for_each(|who| look.begins(action, &inputs, to, who));
            }
        }
        look.closed_in(&game.procs.iter().collect::<Vec<_>>())
    }

    /// Locals whose values a seat does not know where something is told: by who has chosen last, and by what that one gave
    /// the action in which it is told.
    pub(super) fn closed_to(
        &self,
        id: TellingId,
        seat: u32,
        chooser: u32,
        given: &[(LocalId, i64)],
    ) -> BTreeSet<LocalId> {
        let game = &*self.program.game;
        let mut look = Look::by(self, Viewer::Seat(seat));
        let leading = leading_to(game, &|stmt| holds(stmt, id));
        for action in &game.actions {
            let Some(body) = game.procs.get(action.body.index()) else {
                continue;
            };
            if !leading.contains(&action.body) {
                continue;
            }
            let mut inputs = vec![None; action.params.len() + 1];
            // Where others choose on its way, who has chosen last is not who acts.
            if body.chooses {
                (0..game.n_seats).for_each(|who| look.begins(action, &inputs, seat, who));
                continue;
            }
            for (own, input) in body.params.iter().zip(&mut inputs).skip(1) {
                let value = given.iter().find(|(it, _)| it == own);
                *input = value.map(|(_, value)| *value);
            }
            let me = [Some(&action.me), body.params.first()];
            for me in me.into_iter().flatten() {
                look.known.put(*me, Some(i64::from(chooser)));
            }
            look.begins(action, &inputs, seat, chooser);
            for (own, input) in body.params.iter().zip(inputs).skip(1) {
                let input = input.filter(|_| !look.known.untold.contains(own));
                look.known.put(*own, input);
            }
        }
        let procs = leading.iter().filter_map(|it| game.procs.get(it.index()));
        look.closed_in(&procs.collect::<Vec<_>>())
    }
}

impl Look<'_, '_> {
    /// What a seat does not know of what another one gives an action; a component is told of by where it goes.
    fn begins(&mut self, action: &Action, inputs: &[Option<i64>], to: u32, who: u32) {
        let game = &*self.machine.program.game;
        let body = game.procs.get(action.body.index());
        if to == who {
            return;
        }
        let untold = self.machine.untold(Viewer::Seat(to), action, inputs, who);
        let own = body.into_iter().flat_map(|it| it.params.iter().skip(1));
        for (param, own) in action.params.iter().zip(own) {
            let is_component = game.is_component(self.machine.type_of(param.local).base);
            if untold.contains(&param.local) || is_component && !self.is_open_range(&param.over) {
                self.known.untold.insert(*own);
            }
        }
    }
}

/// The procedures with such a statement, and all that lead to one.
pub(in crate::engine) fn leading_to(
    game: &Game,
    is_it: &dyn Fn(&Stmt) -> bool,
) -> BTreeSet<ProcId> {
    let procs = || (0..).map(ProcId).zip(&game.procs);
    let tells = |proc: &Proc| proc.body.iter().any(is_it);
    let own = procs().filter(|(_, it)| tells(it));
    let mut leading: BTreeSet<ProcId> = own.map(|(id, _)| id).collect();
    loop {
        let before = leading.len();
        for (id, proc) in procs() {
            let mut calls = false;
            each_in_block(&proc.body, &mut |node| {
                if let Node::Stmt(stmt) = node
                    && let StmtKind::Call(it, _)
                    | StmtKind::CallInto(_, it, _)
                    | StmtKind::End(it, _) = &stmt.kind
                {
                    calls |= leading.contains(it);
                }
            });
            if calls {
                leading.insert(id);
            }
        }
        if leading.len() == before {
            return leading;
        }
    }
}
