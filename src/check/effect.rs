//! What procedures do: whether they choose, leave something to chance, end the game.

use crate::diagnostic::codes;
use crate::model::{
    ActionId, Alt, AltKind, Expr, ExprKind, Holder, Holding, Node, Picker, ProcId, Stmt, StmtKind,
    What, ZoneId, each_in_block, each_in_expr, each_statement,
};

use super::Checker;

/// What a procedure does, itself and in what it calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effect {
    /// A seat chooses.
    pub(super) chooses: bool,
    /// Something is left to chance.
    pub(super) chance: bool,
    /// The game may end.
    pub(super) ends: bool,
}

impl Effect {
    fn join(&mut self, other: Effect) {
        self.chooses |= other.chooses;
        self.chance |= other.chance;
        self.ends |= other.ends;
    }
}

impl Checker<'_> {
    /// Works out the effects of all procedures.
    pub(super) fn find_effects(&mut self) {
        let mut effects = Vec::new();
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); self.game.procs.len()];
        for (index, proc) in self.game.procs.iter().enumerate() {
            let mut own = Effect::default();
            each_statement(&proc.body, &mut |stmt| {
                own.join(own_effect(stmt));
                for called in self.called_by(stmt) {
                    if let Some(callers) = callers.get_mut(called.index()) {
                        callers.push(index);
                    }
                }
            });
            effects.push(own);
        }
        let mut open: Vec<usize> = (0..effects.len()).collect();
        while let Some(index) = open.pop() {
            let Some(effect) = effects.get(index).copied() else {
                continue;
            };
            for caller in callers.get(index).into_iter().flatten() {
                if let Some(known) = effects.get_mut(*caller) {
                    let before = *known;
                    known.join(effect);
                    if before != *known {
                        open.push(*caller);
                    }
                }
            }
        }
        for (proc, effect) in self.game.procs.iter_mut().zip(&effects) {
            proc.chooses = effect.chooses;
        }
        self.effects = effects;
    }

    /// The procedures that a statement calls, or offers as actions.
    fn called_by(&self, stmt: &Stmt) -> Vec<ProcId> {
        let mut called = Vec::new();
        if let StmtKind::Call(id, _) | StmtKind::CallInto(_, id, _) = &stmt.kind {
            called.push(*id);
        }
        for action in chosen_actions(stmt) {
            called.extend(self.game.actions.get(action.index()).map(|it| it.body));
        }
        called
    }

    /// Returns whether a block may end the game.
    pub(super) fn may_end(&self, block: &[Stmt]) -> bool {
        let mut ends = false;
        each_statement(block, &mut |stmt| {
            let of = |id: &ProcId| self.effects.get(id.index()).is_some_and(|it| it.ends);
            ends = ends || own_effect(stmt).ends || self.called_by(stmt).iter().any(of);
        });
        ends
    }

    /// Reports hypotheses that call what leaves something to chance.
    pub(super) fn check_hypotheses(&mut self) {
        let mut found = Vec::new();
        self.each_expr(&mut |expr| {
            let ExprKind::After(body, _) = &expr.kind else {
                return;
            };
            each_statement(body, &mut |stmt| {
                if let StmtKind::Call(id, _) = &stmt.kind
                    && self.effects.get(id.index()).is_some_and(|it| it.chance)
                {
                    found.push((*id, stmt.span));
                }
            });
        });
        for (id, span) in found {
            let name = self.proc(id).map_or(String::new(), |it| it.name.clone());
            let message =
                format!("`{name}` leaves something to chance, which cannot be known beforehand");
            self.complain(
                codes::CHANCE_HERE,
                span,
                message,
                "call only events without chance inside `after`",
            );
        }
    }

    /// Calls `f` with every expression of the game.
    pub(super) fn each_expr<'s>(&'s self, f: &mut dyn FnMut(&'s Expr)) {
        let mut node = |node: Node<'s>| {
            if let Node::Expr(expr) = node {
                f(expr);
            }
        };
        for proc in &self.game.procs {
            each_in_block(&proc.body, &mut node);
        }
        let mut whole = |expr: &'s Expr| {
            node(Node::Expr(expr));
            each_in_expr(expr, &mut node);
        };
        for define in &self.game.defines {
            whole(&define.body);
        }
        for action in &self.game.actions {
            action.exprs().into_iter().for_each(&mut whole);
        }
        for invariant in &self.game.invariants {
            whole(&invariant.cond);
        }
        for measure in &self.game.measures {
            measure.exprs().for_each(&mut whole);
        }
    }

    /// Reports a game that goes on for ever.
    pub(super) fn check_end(&mut self) {
        let ends = self
            .effects
            .get(self.game.main.index())
            .is_some_and(|it| it.ends);
        let main = self
            .proc(self.game.main)
            .map(|it| (it.name.clone(), it.clause));
        let Some((_, clause)) = main.filter(|(name, _)| name == "main") else {
            return;
        };
        if ends {
            return;
        }
        let span = self
            .game
            .clauses
            .get(clause.index())
            .map_or(self.composed.header.span, |it| it.span);
        self.complain(
            codes::NEVER_ENDS,
            span,
            "nothing in the course of the game ends it",
            "write an `ending` that says who wins, and `end` it where the game is over",
        );
    }
}

/// The effect of one statement, without what it calls and what stands inside it.
fn own_effect(stmt: &Stmt) -> Effect {
    let mut effect = Effect::default();
    match &stmt.kind {
        StmtKind::End(..) => effect.ends = true,
        StmtKind::Choose(_) | StmtKind::Window(_) | StmtKind::Together(_) => {
            effect.chooses = true;
        }
        StmtKind::Pick(pick) => match pick.who {
            Picker::Seat(_) => effect.chooses = true,
            Picker::Chance(..) => effect.chance = true,
        },
        StmtKind::Move(it) => {
            effect.chance = matches!(it.what, What::Draw(..) | What::Top(..) | What::Nth(..));
        }
        _ => {}
    }
    effect
}

/// The actions that a statement offers.
pub(super) fn chosen_actions(stmt: &Stmt) -> Vec<ActionId> {
    let of = |alts: &[Alt]| -> Vec<ActionId> {
        let ids = alts.iter().filter_map(|alt| match &alt.kind {
            AltKind::Action(id, _) => Some(*id),
            AltKind::Inline { .. } => None,
        });
        ids.collect()
    };
    match &stmt.kind {
        StmtKind::Choose(choose) => of(&choose.alts),
        StmtKind::Window(window) => window.slots.iter().flat_map(|it| of(&it.alts)).collect(),
        _ => Vec::new(),
    }
}

/// The zones in which a statement itself may bring something to lie. What is emptied holds nothing that nobody knows.
pub(super) fn filled_by(stmt: &Stmt, f: &mut dyn FnMut(ZoneId)) {
    match &stmt.kind {
        StmtKind::Move(moved) if matches!(moved.what, What::At(_) | What::All(_)) => {
            f(moved.to.zone);
        }
        _ => zones_of(stmt, f),
    }
}

/// The zones that a statement stirs.
pub(super) fn zones_of(stmt: &Stmt, f: &mut dyn FnMut(ZoneId)) {
    match &stmt.kind {
        StmtKind::Move(moved) => {
            match &moved.what {
                What::At(place)
                | What::All(place)
                | What::Top(place, _)
                | What::Nth(place, ..)
                | What::Draw(_, place, _)
                | What::Copies(_, _, Holding::Place(place)) => f(place.zone),
                What::Copies(_, _, Holding::Anywhere(zone)) => f(*zone),
            }
            f(moved.to.zone);
        }
        StmtKind::Exchange(one, other) => {
            for holder in [one, other] {
                match holder {
                    Holder::At(place) | Holder::All(place) | Holder::Copy(_, place) => {
                        f(place.zone)
                    }
                }
            }
        }
        StmtKind::Shuffle(place) | StmtKind::SetField(place, ..) => f(place.zone),
        _ => {}
    }
}
