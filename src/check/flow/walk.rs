//! How the course of a procedure follows from what is hidden.

use std::collections::{HashMap, HashSet};

use super::acts::{Acts, are_asked, are_told};
use super::label::{How, Label, Labels, What};
use super::state::{State, Zones};
use super::sym::Sym;
use super::{Analysis, MOST_NEEDS, MOST_ROUNDS, Need, Summary};
use crate::model::{
    Binder, Expr, ExprKind, LocalId, Over, ProcId, Stmt, StmtKind, TrackId, Turns, Type,
    each_in_expr,
};
use crate::source::{FileId, Span};

/// So far is looked for what everybody notices behind a branch.
const MOST_BEHIND: usize = 64;

/// A procedure that is being looked at.
#[derive(Debug, Default)]
pub(super) struct Walk {
    pub(super) summary: Summary,
    /// What locals that are set again follow from, wherever that is.
    carried: HashMap<LocalId, Labels>,
    /// What it follows from that a loop comes to its next round.
    again: HashMap<(FileId, u32), Labels>,
    /// In how many loops a local is bound.
    bound_in: HashMap<LocalId, u32>,
    loops: u32,
    /// Locals that somebody chose.
    picked: HashSet<LocalId>,
    /// Whether something was found that an earlier part should have known.
    is_new: bool,
}

/// By what a block is left so that nobody notices.
#[derive(Default)]
pub(super) struct Exits {
    leaves: Labels,
    turn: Labels,
}

impl Exits {
    pub(super) fn join(&mut self, other: &Exits) {
        self.leaves.join(&other.leaves);
        self.turn.join(&other.turn);
    }
}

impl Analysis<'_> {
    pub(super) fn carried(&self, local: LocalId) -> Option<&Labels> {
        self.now.carried.get(&local)
    }

    pub(super) fn is_picked(&self, local: LocalId) -> bool {
        self.now.picked.contains(&local)
    }

    pub(super) fn note(&mut self, labels: &Labels) {
        self.now.summary.reads.join(labels);
    }

    pub(super) fn look_at_proc(&mut self, id: ProcId) -> bool {
        let Some(proc) = self.game.procs.get(id.index()) else {
            return false;
        };
        self.now = Walk::default();
        for _ in 0..=MOST_ROUNDS {
            self.now.is_new = false;
            self.now.loops = 0;
            self.now.summary = Summary::default();
            let mut state = State::default();
            state
                .course
                .push((0, Label::given(What::Entry { asked: false })));
            for param in &proc.params {
                let mut labels = Labels::default();
                labels.add(Label::given(What::Param(*param)));
                state.bind(*param, labels);
                self.now.bound_in.insert(*param, 0);
            }
            self.block(&proc.body, &mut state);
            if !self.now.is_new {
                break;
            }
        }
        let mut summary = std::mem::take(&mut self.now.summary);
        let inside = |local: LocalId| {
            if proc.params.contains(&local) {
                Sym::Local(local)
            } else {
                Sym::Other
            }
        };
        summary.reads = summary.reads.map(&|it| it.with(&inside));
        summary.result = summary.result.map(&|it| it.with(&inside));
        for need in &mut summary.needs {
            need.label = need.label.with(&inside);
            need.seat = need.seat.with(&inside);
        }
        self.moved_in(&proc.body, &mut summary.moves);
        let acts = self.acts(&proc.body);
        (summary.is_noticed, summary.asks) = (acts.is_noticed(), acts.asks);
        let Some(known) = self.procs.get_mut(id.index()) else {
            return false;
        };
        let is_new = summary.needs.len() != known.needs.len()
            || summary.result.len() != known.result.len()
            || summary.reads.len() != known.reads.len()
            || summary.moves != known.moves
            || summary.sets != known.sets
            || (summary.is_noticed, &summary.asks) != (known.is_noticed, &known.asks);
        *known = summary.into();
        is_new
    }

    /// What an expression follows from.
    fn eval(&mut self, expr: &Expr, state: &State) -> Labels {
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

    pub(super) fn block(&mut self, block: &[Stmt], state: &mut State) -> Exits {
        let mut exits = Exits::default();
        let mut rest = block;
        while let [stmt, behind @ ..] = rest {
            if self.tangled.is_some() {
                break;
            }
            let left = self.stmt(stmt, behind, state);
            state.under(&left.leaves);
            state.under(&left.turn);
            exits.join(&left);
            rest = behind;
        }
        exits
    }

    fn stmt(&mut self, stmt: &Stmt, rest: &[Stmt], state: &mut State) -> Exits {
        self.effect(stmt, state);
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let labels = self.eval(value, state);
                self.keep(*local, &labels, value, stmt.span, state);
            }
            StmtKind::SetLocal(local, _, value) => {
                let mut labels = self.eval(value, state);
                labels.join(&state.course_of());
                self.set_again(*local, &labels, stmt.span, state);
            }
            StmtKind::SetTrack(id, index, _, value) => {
                self.eval_all(index, state);
                self.eval(value, state);
                self.set_track(*id, index, value, state);
            }
            StmtKind::SetField(place, _, _, value) => {
                self.eval_all(&place.index, state);
                self.eval(value, state);
                state.stir(place.zone, None);
            }
            StmtKind::If(cond, then, other) => {
                let labels = self.eval(cond, state);
                return self.branch(&labels, &[then, other], rest, cond.span, state);
            }
            StmtKind::Match(subject, arms, other) => {
                let labels = self.eval(subject, state);
                let arms = arms.iter().map(|(_, arm)| arm.as_slice());
                let all: Vec<&[Stmt]> = arms.chain(other.as_deref()).collect();
                return self.branch(&labels, &all, rest, subject.span, state);
            }
            StmtKind::ForEach(binders, body) => return self.for_each(binders, body, stmt, state),
            StmtKind::While(cond, body) | StmtKind::Times(cond, body) => {
                self.enter(body, state);
                let labels = self.eval(cond, state);
                return self.round(&labels, body, stmt, cond.span, state, &mut |_, _| {});
            }
            StmtKind::Repeat(body, until) => {
                self.enter(body, state);
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
            StmtKind::Shuffle(place) => state.stir(place.zone, None),
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
                    self.now.summary.result.join(&labels);
                }
            }
            StmtKind::End(_, args) | StmtKind::Ranking(_, args) => self.eval_all(args, state),
            StmtKind::Winner(value) => {
                self.eval(value, state);
            }
            StmtKind::Next | StmtKind::Again => {}
        }
        Exits::default()
    }

    // ---- values

    fn keep(
        &mut self,
        local: LocalId,
        labels: &Labels,
        value: &Expr,
        span: Span,
        state: &mut State,
    ) {
        self.now.bound_in.insert(local, self.now.loops);
        let is_set = |sym: &Sym| matches!(sym, Sym::Local(it) if self.now.carried.contains_key(it));
        let labels = labels.map(&|it| {
            let mut label = it.by(How::Kept(local), span);
            label.forget(&is_set);
            label
        });
        if self.is_seat(local) && !self.now.carried.contains_key(&local) {
            let sym = self.sym(value);
            let varies = |it: &Sym| match it {
                Sym::Local(it) => self.now.carried.contains_key(it),
                Sym::Track(..) | Sym::Define(..) | Sym::Other => true,
                _ => false,
            };
            if sym.any(&varies) {
                self.aliases.remove(&local);
            } else {
                self.aliases.insert(local, sym);
            }
        }
        state.bind(local, labels);
    }

    /// A local that is set again follows from all that it was ever set to.
    fn set_again(&mut self, local: LocalId, labels: &Labels, span: Span, state: &mut State) {
        let depth = self.now.bound_in.get(&local).copied().unwrap_or(0);
        let bound_in = &self.now.bound_in;
        // Deeper in loops than the local there may be another one by the same name in the next round.
        let passes = |sym: &Sym| match sym {
            Sym::Local(it) => *it == local || bound_in.get(it).is_none_or(|at| *at > depth),
            Sym::Track(..) => true,
            _ => false,
        };
        let labels = labels.map(&|it| {
            let mut label = it.by(How::Kept(local), span);
            label.forget(&passes);
            label.fresh = false;
            label.passes = false;
            label
        });
        if self.aliases.remove(&local).is_some() {
            self.now.is_new = true;
        }
        if !self.now.carried.contains_key(&local) {
            self.now.is_new = true;
        }
        let carried = self.now.carried.entry(local).or_default();
        self.now.is_new |= carried.join(&labels);
        state.unknow(&|it| it == local);
        state.forget(&|sym| *sym == Sym::Local(local));
    }

    fn set_track(&mut self, id: TrackId, index: &[Expr], value: &Expr, state: &mut State) {
        let Some(track) = self.game.tracks.get(id.index()) else {
            return;
        };
        if let ExprKind::Local(local) = value.kind {
            match track.visibility {
                crate::model::Visibility::Open => state.tell(local, None),
                crate::model::Visibility::Owner(at) => {
                    let owner = index.get(at).map_or(Sym::Other, |it| self.sym(it));
                    state.tell(local, Some(&owner));
                }
                crate::model::Visibility::Hidden => {}
            }
        }
        if names_places(track.ty) {
            self.now.summary.sets.add(id);
            self.reset(&|it| it == id, state);
        }
    }

    fn reset(&self, set: &dyn Fn(TrackId) -> bool, state: &mut State) {
        state.forget(&|sym| self.changes(sym, set));
    }

    // ---- branches

    /// Goes into each arm. What everybody notices is told; else each choice in them, and behind those
    /// that leave, follows from the condition.
    pub(super) fn branch(
        &mut self,
        labels: &Labels,
        arms: &[&[Stmt]],
        rest: &[Stmt],
        span: Span,
        state: &mut State,
    ) -> Exits {
        let mut ways: Vec<Acts> = Vec::new();
        if !labels.is_empty() {
            let leaves = arms.iter().any(|it| Analysis::is_left(it));
            let behind = if leaves { rest } else { &[] };
            let behind = behind.get(..MOST_BEHIND).unwrap_or(behind);
            ways.extend(arms.iter().map(|arm| self.acts_with(arm, behind)));
        }
        self.ways(labels, &ways, arms, span, state)
    }

    fn ways(
        &mut self,
        labels: &Labels,
        ways: &[Acts],
        arms: &[&[Stmt]],
        span: Span,
        state: &mut State,
    ) -> Exits {
        let mut exits = Exits::default();
        let depth = state.depth;
        let mut course = Labels::default();
        if !labels.is_empty() && !are_told(ways) {
            let passes = are_asked(ways);
            course = labels.map(&|it| Label {
                passes,
                ..it.by(How::Decides, span)
            });
        }
        let mut after: Option<State> = None;
        for (at, arm) in arms.iter().enumerate() {
            let mut inner = state.clone();
            inner.depth = depth + 1;
            inner.under(&course);
            exits.join(&self.block(arm, &mut inner));
            inner.leave(depth);
            let own = self.acts(arm);
            if !course.is_empty() && ways.get(at).is_some_and(|it| it.leaves) && own.leaves {
                exits.leaves.join(&course);
            }
            if !course.is_empty() && ways.get(at).is_some_and(|it| it.turns_over) && own.turns_over
            {
                exits.turn.join(&course);
            }
            if Analysis::is_left(arm) {
                continue;
            }
            match &mut after {
                Some(joined) => joined.join(&inner),
                None => after = Some(inner),
            }
        }
        if let Some(after) = after {
            *state = after;
        }
        exits
    }

    /// What happens where there was nothing to choose for a seat that would have been asked.
    pub(super) fn otherwise(
        &mut self,
        labels: &Labels,
        seat: &Sym,
        block: &[Stmt],
        span: Span,
        state: &mut State,
    ) {
        let ways = [self.acts(block), Acts::asking(seat.clone())];
        // Whoever goes on behind the choice was asked, and everybody saw that.
        self.ways(labels, &ways, &[block], span, state);
    }

    // ---- loops

    /// In a loop all may have happened already that happens in it.
    fn enter(&mut self, body: &[Stmt], state: &mut State) {
        let mut moved = Zones::default();
        self.moved_in(body, &mut moved);
        state.stir_all(&moved);
        let carried = &self.now.carried;
        state.unknow(&|it| carried.contains_key(&it));
    }

    /// Goes through the body of a loop once, for all its rounds.
    fn round(
        &mut self,
        labels: &Labels,
        body: &[Stmt],
        stmt: &Stmt,
        span: Span,
        state: &mut State,
        ended: &mut dyn FnMut(&mut State, &State),
    ) -> Exits {
        let place = (stmt.span.file, stmt.span.start);
        let depth = state.depth;
        let mut inner = state.clone();
        inner.depth = depth + 1;
        if !labels.is_empty() {
            let ways = [self.acts(body), Acts::default()];
            if !are_told(&ways) {
                let passes = are_asked(&ways);
                inner.under(&labels.map(&|it| Label {
                    passes,
                    ..it.by(How::Decides, span)
                }));
            }
        }
        if let Some(again) = self.now.again.get(&place) {
            inner.under(again);
        }
        self.now.loops += 1;
        let mut exits = self.block(body, &mut inner);
        self.now.loops -= 1;
        inner.leave(depth);
        if !exits.leaves.is_empty() {
            let known = self.now.again.entry(place).or_default();
            let is_inside = |sym: &Sym| matches!(sym, Sym::Local(_));
            let next = exits.leaves.map(&|it| {
                let mut label = it.clone();
                label.forget(&is_inside);
                label
            });
            self.now.is_new |= known.join(&next);
            exits.leaves = next;
        }
        if matches!(stmt.kind, StmtKind::Turns(_)) {
            exits.turn = Labels::default();
        }
        state.join(&inner);
        ended(state, &inner);
        exits
    }

    fn for_each(
        &mut self,
        binders: &[Binder],
        body: &[Stmt],
        stmt: &Stmt,
        state: &mut State,
    ) -> Exits {
        self.enter(body, state);
        let mut course = Labels::default();
        let mut span = stmt.span;
        for binder in binders {
            let mut labels = Labels::default();
            let at = self.game.locals.get(binder.local.index()).map(|it| it.span);
            self.over(&binder.over, at.unwrap_or(stmt.span), state, &mut labels);
            self.pay(&labels, stmt.span);
            self.note(&labels);
            self.now.bound_in.insert(binder.local, self.now.loops + 1);
            let this = self
                .is_seat(binder.local)
                .then_some(Sym::Local(binder.local));
            let of_this = labels.map(&|it| {
                let mut label = it.clone();
                label.also.extend(this.clone());
                label
            });
            course.join(&of_this);
            state.bind(binder.local, of_this);
            if let Some(guard) = &binder.guard {
                let guards = self.eval(guard, state);
                course.join(&self.about(&guards, binder.local, guard));
                span = guard.span;
            }
        }
        let everywhere = match binders {
            [one] if one.guard.is_none() => {
                matches!(&one.over, Over::Set(set) if matches!(set.kind, ExprKind::All(_)))
                    .then_some(one.local)
            }
            _ => None,
        };
        self.round(&course, body, stmt, span, state, &mut |state, inner| {
            if let Some(local) = everywhere {
                state.shown_for_each(inner, local);
            }
        })
    }

    /// A condition about a seat says which seats are meant, and each of them learns that it is.
    fn about(&self, labels: &Labels, local: LocalId, guard: &Expr) -> Labels {
        let mut speaks_of_it = matches!(guard.kind, ExprKind::Local(it) if it == local);
        each_in_expr(guard, &mut |node| {
            if let crate::model::Node::Expr(part) = node {
                speaks_of_it |= matches!(part.kind, ExprKind::Local(it) if it == local);
            }
        });
        if !speaks_of_it || !self.is_seat(local) {
            return labels.clone();
        }
        labels.map(&|it| {
            let mut label = it.clone();
            label.also.push(Sym::Local(local));
            label
        })
    }

    fn turns(&mut self, turns: &Turns, stmt: &Stmt, state: &mut State) -> Exits {
        self.enter(&turns.body, state);
        let mut who = self.eval(&turns.from, state);
        self.now.bound_in.insert(turns.me, self.now.loops + 1);
        let mut course = Labels::default();
        let mut span = turns.from.span;
        state.bind(turns.me, Labels::default());
        if let Some(guard) = &turns.guard {
            let guards = self.eval(guard, state);
            course = self.about(&guards, turns.me, guard);
            let me = |it: &Sym| *it == Sym::Local(turns.me);
            who.join(&guards.map(&|it| {
                let mut label = it.clone();
                label.forget(&me);
                label
            }));
            span = guard.span;
        }
        state.bind(turns.me, who);
        let all = turns.once && turns.guard.is_none();
        let first = match &turns.from.kind {
            ExprKind::Local(local) => Some(*local),
            _ => None,
        };
        let me = turns.me;
        self.round(
            &course,
            &turns.body,
            stmt,
            span,
            state,
            &mut |state, inner| {
                if all {
                    state.shown_for_each(inner, me);
                }
                // Who was asked first everybody saw.
                if let Some(first) = first.filter(|_| inner.knows(me)) {
                    state.tell(first, None);
                }
            },
        )
    }

    // ---- calls

    pub(super) fn arguments(&mut self, args: &[Expr], state: &State) -> Vec<(Labels, Sym, Span)> {
        let given = args.iter();
        given
            .map(|it| (self.eval(it, state), self.sym(it), it.span))
            .collect()
    }

    /// Does what a procedure asks of its caller; returns what its value follows from.
    pub(super) fn call(
        &mut self,
        id: ProcId,
        given: &[(Labels, Sym, Span)],
        span: Span,
        state: &mut State,
    ) -> Labels {
        let Some(proc) = self.game.procs.get(id.index()) else {
            return Labels::default();
        };
        let summary = self.procs.get(id.index()).cloned().unwrap_or_default();
        let at = |local: LocalId| proc.params.iter().position(|it| *it == local);
        let with = |local: LocalId| {
            let given = at(local).and_then(|at| given.get(at));
            given.map_or(Sym::Other, |(_, sym, _)| sym.clone())
        };
        // What the caller knows of a label of the procedure.
        let here = |label: &Label| -> Labels {
            let mut labels = Labels::default();
            match label.what {
                What::Param(param) => {
                    if let Some((given, _, span)) = at(param).and_then(|at| given.get(at)) {
                        let also: Vec<Sym> = label.also.iter().map(|it| it.with(&with)).collect();
                        labels = given.map(&|it| {
                            let mut label = it.by(How::Handed(param), *span);
                            label
                                .also
                                .extend(also.iter().filter(|it| it.is_told()).cloned());
                            label
                        });
                    }
                }
                What::Entry { asked } => {
                    for (_, it) in state.course.iter().filter(|(_, it)| !(asked && it.passes)) {
                        let mut label = it.clone();
                        if asked && label.what == (What::Entry { asked: false }) {
                            label.what = What::Entry { asked: true };
                        }
                        labels.add(label);
                    }
                }
                What::Zone(_) | What::Track(_) => {
                    if let Some(label) = state.admit(label.with(&with)) {
                        labels.add(label);
                    }
                }
            }
            labels
        };
        for need in &summary.needs {
            let seat = need.seat.with(&with);
            for label in here(&need.label).iter() {
                self.need(label, &seat, need.asks, need.span);
            }
        }
        let mut result = Labels::default();
        for label in summary.result.iter() {
            result.join(&here(label));
        }
        let mut reads = Labels::default();
        for label in summary.reads.iter() {
            reads.join(&here(label));
        }
        self.note(&reads);
        self.pay(&reads, span);
        state.stir_all(&summary.moves);
        if !summary.sets.is_empty() {
            self.now.summary.sets.join(&summary.sets);
            self.reset(&|it| summary.sets.has(it), state);
        }
        if summary.asks.as_ref().is_some_and(Sym::is_told) {
            state.asked();
        }
        result
    }

    /// Whoever a procedure asks first, everybody knows by then.
    fn ask_known(&self, id: ProcId, args: &[Expr], state: &mut State) {
        let asks = self.procs.get(id.index()).and_then(|it| it.asks.clone());
        let params = self.game.procs.get(id.index()).map(|it| &it.params);
        if let (Some(Sym::Local(asked)), Some(params)) = (asks, params)
            && let Some(at) = params.iter().position(|it| *it == asked)
            && let Some(ExprKind::Local(local)) = args.get(at).map(|it| &it.kind)
        {
            state.tell(*local, None);
        }
    }

    /// A seat that chooses must see this.
    pub(super) fn need(&mut self, label: &Label, seat: &Sym, asks: super::Asks, span: Span) {
        if label.is_seen_by(seat) {
            return;
        }
        let need = Need {
            label: label.clone(),
            seat: seat.clone(),
            asks,
            span,
        };
        let is_it = |it: &Need| {
            it.label.same(label) && it.seat == *seat && it.asks == asks && it.span.same_place(span)
        };
        if self.now.summary.needs.iter().any(is_it) {
            return;
        }
        if self.now.summary.needs.len() < MOST_NEEDS {
            self.now.summary.needs.push(need);
        } else if matches!(label.what, What::Zone(_) | What::Track(_)) {
            if self.found.len() < MOST_NEEDS {
                self.found.push(need);
            }
        } else {
            self.tangle(Some(span));
        }
    }

    pub(super) fn picks(&mut self, local: LocalId) {
        self.now.picked.insert(local);
        self.now.bound_in.insert(local, self.now.loops);
    }
}

/// Whether values of a type say who or where.
fn names_places(ty: Type) -> bool {
    matches!(
        ty.base,
        crate::model::Base::Elem(_) | crate::model::Base::Int(..)
    )
}
