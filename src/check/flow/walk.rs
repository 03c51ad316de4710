//! How the course of a procedure follows from what is hidden.

use std::rc::Rc;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::acts::Of;
use super::label::{How, Label, Labels, What};
use super::state::State;
use super::sym::Sym;
use super::{Analysis, Summary};
use crate::model::{
    AssignOp, Binder, Expr, ExprKind, LocalId, Over, ProcId, Stmt, StmtKind, TrackId, ZoneId,
    each_statement,
};
use crate::source::{FileId, Span};

/// A procedure that is being looked at.
#[derive(Debug, Default)]
pub(super) struct Walk<'g> {
    pub(super) id: Option<ProcId>,
    pub(super) summary: Summary,
    /// What locals that are set again follow from, wherever that is.
    carried: HashMap<LocalId, Labels>,
    /// What it follows from that a loop comes to its next round.
    pub(super) again: HashMap<(FileId, u32), Labels>,
    /// For each loop around: what a turn follows from where it ends.
    pub(super) ended: Vec<Ended>,
    /// In how many loops a local is bound.
    pub(super) bound_in: HashMap<LocalId, u32>,
    pub(super) loops: u32,
    /// Locals that somebody chose.
    picked: HashSet<LocalId>,
    /// What comes behind the block that is looked at, the nearest last.
    pub(super) behind: Vec<Behind<'g>>,
    /// Whether something was found that an earlier part should have known.
    pub(super) is_new: bool,
    /// Whether the summary says more than before.
    pub(super) says_more: bool,
}

/// What comes behind a block.
#[derive(Clone, Copy, Debug)]
pub(super) enum Behind<'g> {
    Rest(&'g [Stmt]),
    /// Perhaps another round of a loop.
    Round(&'g Stmt, &'g [Stmt]),
    Anything,
}

/// What a turn of a loop still follows from where it ends.
#[derive(Debug, Default)]
pub(super) struct Ended {
    /// The depth at which a round begins.
    pub(super) depth: u32,
    /// Brought along from turns before.
    pub(super) brought: Labels,
    /// Met in this one.
    pub(super) met: Labels,
}

/// By what a block is left so that nobody notices.
#[derive(Default)]
pub(super) struct Exits {
    pub(super) leaves: Labels,
    pub(super) turn: Labels,
    /// Of the turn: by what the same seat gets another.
    pub(super) again: Labels,
}

impl Exits {
    pub(super) fn join(&mut self, other: &Exits) {
        self.leaves.join(&other.leaves);
        self.turn.join(&other.turn);
        self.again.join(&other.again);
    }
}

impl<'g> Analysis<'g> {
    pub(super) fn carried(&self, local: LocalId) -> Option<&Labels> {
        self.now.carried.get(&local)
    }

    /// Whether somebody chose the value of a local: what was chosen cannot be set again.
    pub(super) fn is_picked(&self, local: LocalId) -> bool {
        self.now.picked.contains(&local)
    }

    pub(super) fn note(&mut self, labels: &Labels) {
        self.now.says_more |= self.now.summary.reads.join(labels);
    }

    /// Looks at a procedure; returns whether more is known of it than before.
    pub(super) fn look_at_proc(&mut self, id: ProcId) -> bool {
        let Some(proc) = self.game.procs.get(id.index()) else {
            return false;
        };
        if let Some(runs) = self.asks_nothing(id, &proc.body) {
            self.ranges.extend(runs.into_iter().map(|it| (it, true)));
            return false;
        }
        let known = self.procs.get(id.index()).cloned().unwrap_or_default();
        self.now = Walk {
            id: Some(id),
            summary: Summary::clone(&known),
            ..Walk::default()
        };
        loop {
            self.now.is_new = false;
            self.now.loops = 0;
            let mut state = State::default();
            let entry = Label::given(What::Entry { asked: false });
            state.under(&Labels::one(entry));
            for param in &proc.params {
                state.bind(*param, Labels::one(Label::given(What::Param(*param))));
                self.now.bound_in.insert(*param, 0);
            }
            self.block(&proc.body, &mut state);
            if !self.now.is_new || self.tangled.is_some() {
                break;
            }
        }
        if !self.now.says_more {
            return false;
        }
        let found = std::mem::take(&mut self.now.summary);
        let inside = |local: LocalId| match proc.params.contains(&local) {
            true => Sym::Local(local),
            false => Sym::Other,
        };
        let mut summary = Summary {
            reads: found.reads.map(&|it| it.with(&inside)),
            result: found.result.map(&|it| it.with(&inside)),
            ..Summary::default()
        };
        for need in found.needs.iter() {
            summary.needs.add(need.with(&inside));
        }
        // What goes without saying already does not make it more.
        let mut known = known;
        let all = Rc::make_mut(&mut known);
        let is_new = [
            all.needs.join(&summary.needs),
            all.reads.join(&summary.reads),
            all.result.join(&summary.result),
        ];
        if let Some(it) = self.procs.get_mut(id.index()) {
            *it = known;
        }
        is_new.contains(&true)
    }

    /// Where nothing has to be seen in a procedure that nobody calls, as in most positions of rulings, nobody wants to know more
    /// of it: returns what runs there over all that there is, which everybody sees.
    fn asks_nothing(&self, id: ProcId, body: &[Stmt]) -> Option<Vec<LocalId>> {
        if id == self.game.main || self.facts.is_called(id) {
            return None;
        }
        let (mut asks, mut runs) = (false, Vec::new());
        each_statement(body, &mut |stmt| {
            asks |= match &stmt.kind {
                StmtKind::Call(id, _) | StmtKind::CallInto(_, id, _) => {
                    let called = self.procs.get(id.index());
                    called.is_none_or(|it| it.needs.iter().next().is_some())
                }
                // What else it may range over is wanted elsewhere.
                StmtKind::ForEach(binders, _) => {
                    runs.extend(binders.iter().map(|it| it.local));
                    !binders.iter().all(is_everything)
                }
                StmtKind::Together(_) | StmtKind::Turns(_) => true,
                StmtKind::Choose(_) | StmtKind::Window(_) | StmtKind::Pick(_) => true,
                StmtKind::Tell(..) => true,
                StmtKind::Let(..)
                | StmtKind::SetLocal(..)
                | StmtKind::SetTrack(..)
                | StmtKind::SetField(..)
                | StmtKind::If(..)
                | StmtKind::Match(..)
                | StmtKind::While(..)
                | StmtKind::Times(..)
                | StmtKind::Repeat(..)
                | StmtKind::Step(..)
                | StmtKind::Move(_)
                | StmtKind::Exchange(..)
                | StmtKind::Shuffle(_)
                | StmtKind::Show(..)
                | StmtKind::Return(_)
                | StmtKind::End(..)
                | StmtKind::Ranking(..)
                | StmtKind::Winner(_)
                | StmtKind::Next
                | StmtKind::Again => false,
            };
        });
        (!asks).then_some(runs)
    }

    /// What an expression follows from.
    pub(super) fn eval(&mut self, expr: &Expr, state: &State) -> Labels {
        let mut labels = Labels::default();
        self.expr(expr, state, &mut labels);
        self.pay(&labels, expr.span);
        self.note(&labels);
        labels
    }

    fn eval_all(&mut self, exprs: &[Expr], state: &State) {
        for expr in exprs {
            self.eval(expr, state);
        }
    }

    pub(super) fn block(&mut self, block: &'g [Stmt], state: &mut State) -> Exits {
        let mut exits = Exits::default();
        let mut rest = block;
        while let [stmt, behind @ ..] = rest {
            if self.tangled.is_some() {
                break;
            }
            self.now.behind.push(Behind::Rest(behind));
            let left = self.stmt(stmt, state);
            self.now.behind.pop();
            state.under(&left.leaves);
            state.under(&left.turn);
            exits.join(&left);
            rest = behind;
        }
        exits
    }

    fn stmt(&mut self, stmt: &'g Stmt, state: &mut State) -> Exits {
        self.effect(stmt, state);
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let labels = self.eval(value, state);
                self.keep(*local, &labels, stmt.span, state);
            }
            StmtKind::SetLocal(local, _, value) => {
                let mut labels = self.eval(value, state);
                labels.join(&state.course_of());
                self.set_again(*local, &labels, stmt.span, state);
            }
            StmtKind::SetTrack(id, index, op, value) => {
                let mut labels = self.eval(value, state);
                for it in index {
                    labels.join(&self.eval(it, state));
                }
                // What a procedure is given its callers look at.
                let is_given = |it: &Label| matches!(it.what, What::Param(_));
                if !labels.iter().all(is_given) {
                    Rc::make_mut(&mut state.unsure).add(Of::Track(*id));
                }
                self.set_track(*id, index, *op, value, state);
            }
            StmtKind::SetField(place, _, _, value) => {
                self.eval_all(&place.index, state);
                self.eval(value, state);
                self.stir_zone(place.zone, None, state);
            }
            StmtKind::If(cond, then, other) => {
                let labels = self.eval(cond, state);
                return self.branch(&labels, &[then, other], cond.span, state);
            }
            StmtKind::Match(subject, arms, other) => {
                let labels = self.eval(subject, state);
                let arms = arms.iter().map(|(_, arm)| arm.as_slice());
                let all: Vec<&'g [Stmt]> = arms.chain(other.as_deref()).collect();
                return self.branch(&labels, &all, subject.span, state);
            }
            StmtKind::ForEach(binders, body) => return self.for_each(binders, body, stmt, state),
            // What is done behind it is done one after the other.
            StmtKind::Together(it) => {
                let seats = std::slice::from_ref(&it.seats);
                return self.for_each(seats, &it.choice, stmt, state);
            }
            StmtKind::While(cond, body) | StmtKind::Times(cond, body) => {
                self.enter(stmt, state);
                let labels = self.eval(cond, state);
                return self.round(&labels, body, stmt, cond.span, state, &mut |_, _| {});
            }
            StmtKind::Repeat(body, until) => {
                self.enter(stmt, state);
                let labels = until.as_ref().map(|it| self.eval(it, state));
                let span = until.as_ref().map_or(stmt.span, |it| it.span);
                let labels = labels.unwrap_or_default();
                return self.round(&labels, body, stmt, span, state, &mut |_, _| {});
            }
            StmtKind::Turns(turns) => return self.turns(turns, stmt, state),
            StmtKind::Step(_, body) => return self.block(body, state),
            StmtKind::Choose(_) | StmtKind::Window(_) | StmtKind::Pick(_) => {
                return self.choice(stmt, state);
            }
            StmtKind::Move(_) | StmtKind::Exchange(..) => self.carry(stmt, state),
            StmtKind::Tell(id, _) => self.told(*id, stmt.span, state),
            StmtKind::Shuffle(place) => self.stir_zone(place.zone, None, state),
            StmtKind::Show(place, who) => {
                let at = self.syms(place);
                let who = who.as_ref().map(|it| self.sym(it));
                state.show(place.zone, &at, who.as_ref(), true);
            }
            StmtKind::Call(id, args) => {
                let given = self.arguments(args, state);
                self.call(*id, &given, stmt.span, state);
                self.ask_known(*id, args, state);
            }
            StmtKind::CallInto(local, id, args) => {
                let given = self.arguments(args, state);
                let result = self.call(*id, &given, stmt.span, state);
                self.ask_known(*id, args, state);
                self.now.bound_in.insert(*local, self.now.loops);
                let labels = result.map(&|it| it.by(How::Kept(*local), stmt.span));
                state.bind(*local, labels);
            }
            StmtKind::Return(value) => {
                let mut labels = state.course_of();
                if let Some(value) = value {
                    labels.join(&self.eval(value, state));
                    self.now.says_more |= self.now.summary.result.join(&labels);
                }
            }
            StmtKind::End(_, args) | StmtKind::Ranking(_, args) => self.eval_all(args, state),
            StmtKind::Winner(value) => {
                self.eval(value, state);
            }
            StmtKind::Next | StmtKind::Again => self.turn_ends(state),
        }
        Exits::default()
    }

    // ---- values

    fn keep(&mut self, local: LocalId, labels: &Labels, span: Span, state: &mut State) {
        self.now.bound_in.insert(local, self.now.loops);
        let is_set = |sym: &Sym| matches!(sym, Sym::Local(it) if self.facts.is_set_again(*it));
        let labels = labels.map(&|it| {
            let mut label = it.by(How::Kept(local), span);
            label.forget(&is_set);
            label
        });
        state.bind(local, labels);
    }

    /// A local that is set again follows from all that it was ever set to.
    fn set_again(&mut self, local: LocalId, labels: &Labels, span: Span, state: &mut State) {
        let depth = self.now.bound_in.get(&local).copied().unwrap_or(0);
        let bound_in = &self.now.bound_in;
        // Deeper in loops than the local there may be another one by the same name in the next round.
        let passes = |sym: &Sym| match sym {
            Sym::Local(it) => *it == local || bound_in.get(it).is_none_or(|at| *at > depth),
            Sym::Track(..) | Sym::Define(..) => true,
            _ => false,
        };
        let labels = labels.map(&|it| {
            let mut label = it.by(How::Kept(local), span);
            label.forget(&passes);
            label.fresh = false;
            label
        });
        let carried = self.now.carried.entry(local).or_default();
        self.now.is_new |= carried.join(&labels);
        state.unknow(&|it| it == local);
        state.forget(&|sym| *sym == Sym::Local(local));
    }

    fn set_track(
        &mut self,
        id: TrackId,
        index: &[Expr],
        op: AssignOp,
        value: &Expr,
        state: &mut State,
    ) {
        let Some(track) = self.game.tracks.get(id.index()) else {
            return;
        };
        // Whoever sees the track sees the value, as long as it stands there.
        state.overwritten(&|it| it == id);
        if let ExprKind::Local(local) = value.kind
            && op == AssignOp::Set
        {
            match track.visibility {
                crate::model::Visibility::Open => state.tell(local, Some(id), None),
                crate::model::Visibility::Owner(at) => {
                    let owner = index.get(at).map_or(Sym::Other, |it| self.sym(it));
                    state.tell(local, Some(id), Some(&owner));
                }
                crate::model::Visibility::Hidden | crate::model::Visibility::Others(_) => {}
            }
        }
        self.reset(&|it| it == id, state);
    }

    pub(super) fn reset(&self, set: &dyn Fn(TrackId) -> bool, state: &mut State) {
        state.forget(&|sym| self.changes(sym, set));
    }

    /// Something comes to a zone or leaves it.
    pub(super) fn stir_zone(&self, zone: ZoneId, at: Option<&[Sym]>, state: &mut State) {
        state.stir(zone, at);
        self.reset(&|_| false, state);
    }

    pub(super) fn picks(&mut self, local: LocalId) {
        self.now.picked.insert(local);
        self.now.bound_in.insert(local, self.now.loops);
    }
}

/// Whether it runs over all values, whatever lies where.
fn is_everything(binder: &Binder) -> bool {
    let is_all = |set: &Expr| matches!(set.kind, ExprKind::All(_));
    binder.guard.is_none() && matches!(&binder.over, Over::Set(set) if is_all(set))
}
