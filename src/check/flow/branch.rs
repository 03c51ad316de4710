//! Where the course parts: branches and loops.

use std::rc::Rc;

use super::Analysis;
use super::acts::{Acts, Asked, Of, Way, are_told};
use super::facts::Changes;
use super::label::{How, Label, Labels, What};
use super::state::{Few, State};
use super::sym::Sym;
use super::walk::{Behind, Ended, Exits};
use crate::model::{
    BinaryOp, Binder, Expr, ExprKind, LocalId, Node, Over, Stmt, StmtKind, Turns, each_in_expr,
    each_statement,
};
use crate::source::Span;

/// So far is looked for what everybody notices behind a branch.
const MOST_BEHIND: usize = 64;

impl<'g> Analysis<'g> {
    /// What everybody notices of that, alone and with all that comes behind it, outside so many blocks.
    fn way(&self, own: Rc<Acts>, outside: usize) -> Way {
        let whole = self.on(Acts::clone(&own), outside);
        Way { own, whole }
    }

    fn on(&self, mut acts: Acts, outside: usize) -> Acts {
        if !acts.goes_on() {
            return acts.beyond();
        }
        let (asks, ends) = (acts.asks.clone(), acts.ends);
        for it in self.now.behind.iter().rev().skip(outside) {
            match it {
                Behind::Rest(rest) => acts.then(&self.rest(rest)),
                Behind::Round(stmt, body) => acts.then(&self.more_rounds(stmt, body)),
                Behind::Anything => acts.then(&Acts::unknown()),
            }
            if !acts.goes_on() {
                break;
            }
        }
        // Behind the last word of all nothing happens.
        if acts.goes_on() && self.now.id == Some(self.game.main) {
            acts.then(&Acts::ending());
        }
        acts = acts.beyond();
        acts.ends = ends;
        acts.asks = match asks {
            Asked::Nobody => Asked::Perhaps,
            asks => asks,
        };
        acts
    }

    /// What everybody notices of the rest of a block.
    fn rest(&self, rest: &'g [Stmt]) -> Rc<Acts> {
        let most = rest.get(..MOST_BEHIND).unwrap_or(rest);
        let mut acts = self.acts(most);
        if most.len() < rest.len() && acts.goes_on() {
            Rc::make_mut(&mut acts).then(&Acts::unknown());
        }
        acts
    }

    /// Goes into each arm. What everybody notices is told; else each choice in them, and behind those
    /// that leave, follows from the condition.
    pub(super) fn branch(
        &mut self,
        labels: &Labels,
        arms: &[&'g [Stmt]],
        span: Span,
        state: &mut State,
    ) -> Exits {
        let mut exits = Exits::default();
        let depth = state.depth;
        let mut course = Labels::default();
        if !labels.is_empty() && !self.is_told_by(arms, &state.unsure) {
            course = labels.map(&|it| it.by(How::Decides, span));
        }
        let mut after: Option<State> = None;
        for arm in arms {
            let mut inner = state.clone();
            inner.depth = depth + 1;
            inner.under(&course);
            exits.join(&self.block(arm, &mut inner));
            inner.leave(depth);
            if !course.is_empty() {
                let own = self.acts(arm);
                let left = [
                    (own.leaves, &mut exits.leaves),
                    (own.turns_over, &mut exits.turn),
                    (own.again, &mut exits.again),
                ];
                for (_, exit) in left.into_iter().filter(|(is_left, _)| *is_left) {
                    exit.join(&course);
                }
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
        // Behind them it counts which arm it was, not inside.
        if !course.is_empty() {
            for arm in arms {
                Few::join_shared(&mut state.unsure, &self.acts(arm).changed());
            }
        }
        exits
    }

    /// Whether everybody notices which of the arms it was.
    fn is_told_by(&self, arms: &[&'g [Stmt]], unsure: &Few<Of>) -> bool {
        let ways: Vec<Way> = arms.iter().map(|arm| self.way(self.acts(arm), 0)).collect();
        // For an arm that leaves the rest of the block belongs to the other ones.
        let rest = match self.now.behind.last() {
            Some(Behind::Rest(rest)) => rest,
            _ => [].as_slice(),
        };
        let with_rest = |way: &Way| {
            if !way.own.goes_on() || rest.is_empty() {
                return way.clone();
            }
            let mut acts = Acts::clone(&way.own);
            acts.then(&self.rest(rest));
            self.way(Rc::new(acts), 1)
        };
        let left: Vec<bool> = arms.iter().map(|it| Analysis::is_left(it)).collect();
        let longer: Vec<Way> = match left.contains(&true) {
            true => ways.iter().map(with_rest).collect(),
            false => Vec::new(),
        };
        let against = |at: usize, other: usize| match left.get(other) {
            Some(true) => longer.get(at),
            _ => ways.get(at),
        };
        are_told(ways.len(), &|one, other| {
            let both = against(one, other).zip(against(other, one));
            both.is_some_and(|(one, other)| one.differs(other, unsure))
        })
    }

    /// What happens where there was nothing to choose for a seat: it was its turn to choose, as everybody
    /// sees, and what is then to be done is what the rules say openly of one that can do nothing.
    pub(super) fn otherwise(&mut self, block: &'g [Stmt], shows: bool, state: &mut State) -> Exits {
        self.asked_there(shows, state);
        self.block(block, state)
    }

    // ---- loops

    /// In a loop all may have happened already that happens in it.
    pub(super) fn enter(&self, stmt: &Stmt, state: &mut State) {
        let mut inside: Vec<LocalId> = Vec::new();
        each_statement(std::slice::from_ref(stmt), &mut |it| {
            if let StmtKind::SetLocal(local, ..) = it.kind {
                inside.push(local);
            }
        });
        self.change(&self.changes_in(std::slice::from_ref(stmt)), state);
        state.unknow(&|it| inside.contains(&it));
        state.forget(&|sym| matches!(sym, Sym::Local(it) if inside.contains(it)));
    }

    /// All that a block changes has been changed.
    pub(super) fn change(&self, changes: &Changes, state: &mut State) {
        state.stir_all(&changes.zones, &changes.filled);
        state.overwritten(&|it| changes.tracks.has(it));
        if !(changes.zones.is_empty() && changes.tracks.is_empty()) {
            self.reset(&|it| changes.tracks.has(it), state);
        }
    }

    fn is_changed(&self, sym: &Sym, changes: &Changes) -> bool {
        let is_any = !(changes.zones.is_empty() && changes.tracks.is_empty());
        is_any && self.changes(sym, &|it| changes.tracks.has(it))
    }

    /// Goes through the body of a loop once, for all its rounds.
    pub(super) fn round(
        &mut self,
        labels: &Labels,
        body: &'g [Stmt],
        stmt: &'g Stmt,
        span: Span,
        state: &mut State,
        ended: &mut dyn FnMut(&mut State, &State),
    ) -> Exits {
        let place = (stmt.span.file, stmt.span.start);
        let depth = state.depth;
        let mut inner = state.clone();
        inner.depth = depth + 1;
        // Once or several times the condition may let it begin another round, or not.
        self.now.behind.push(Behind::Round(stmt, body));
        let mut course = Labels::default();
        let is_told = |unsure: &Few<Of>| {
            let once_more = self.way(self.acts(body), 0);
            once_more.differs(&self.way(Rc::default(), 1), unsure)
        };
        if !labels.is_empty() && !is_told(&state.unsure) {
            Few::join_shared(&mut state.unsure, &self.acts(body).changed());
            inner.unsure = Rc::clone(&state.unsure);
            course = labels.map(&|it| it.by(How::Decides, span));
            inner.under(&course);
        }
        let carried = self.now.again.get(&place).cloned().unwrap_or_default();
        inner.under(&carried);
        self.now.loops += 1;
        self.now.ended.push(Ended {
            depth: inner.depth,
            ..Ended::default()
        });
        // What is met inside is not taken for what was carried in.
        inner.depth += 1;
        let mut exits = self.block(body, &mut inner);
        self.turn_ends(&inner);
        let turn = self.now.ended.pop().unwrap_or_default();
        self.now.loops -= 1;
        self.now.behind.pop();
        inner.leave(depth);
        if !course.is_empty() && self.acts(body).leaves {
            exits.leaves.join(&course);
        }
        let outside = |labels: &Labels, kept: Option<&Sym>| {
            labels.map(&|it| {
                let mut label = it.clone();
                label.forget(&|sym| matches!(sym, Sym::Local(_)) && Some(sym) != kept);
                label
            })
        };
        let mut next = Labels::default();
        match &stmt.kind {
            StmtKind::Turns(turns) => {
                exits.turn = Labels::default();
                let me = Sym::Local(turns.me);
                // What nobody was asked about since goes on from turn to turn.
                let mut goes_on = Labels::default();
                for (labels, still) in [(&carried, &turn.brought), (&exits.leaves, &turn.met)] {
                    for label in still.iter() {
                        let is_it = |it: &Label| it.what == label.what || label.what == What::Many;
                        if labels.iter().any(is_it) {
                            goes_on.add(label.clone());
                        }
                    }
                }
                let goes_on = outside(&goes_on, Some(&me));
                next.join(&self.after_turn(&goes_on, turns));
                let mut repeats = false;
                each_statement(body, &mut |it| {
                    repeats |= matches!(it.kind, StmtKind::Again)
                });
                if repeats {
                    next.join(&goes_on);
                }
                // Whether this seat or another one plays on all see when that one is asked.
                let is_asked = self.acts(body).asks == Asked::Seat(me.clone());
                if turns.once || turns.guard.is_some() || !is_asked {
                    next.join(&outside(&exits.again, Some(&me)));
                }
                exits.again = Labels::default();
                exits.leaves = outside(&exits.leaves, None);
            }
            _ => {
                exits.leaves = outside(&exits.leaves, None);
                next.join(&exits.leaves);
            }
        }
        if !next.is_empty() {
            let known = self.now.again.entry(place).or_default();
            self.now.is_new |= known.join(&next);
        }
        state.join(&inner);
        ended(state, &inner);
        exits
    }

    /// What is known of the seat of one turn, told as what is known of the seat of the next: without a
    /// condition that is the one beside it.
    fn after_turn(&self, labels: &Labels, turns: &Turns) -> Labels {
        let n_seats = self.game.domains.get(self.game.seat.index());
        let n_seats = n_seats.map_or(0, |it| i64::try_from(it.size).unwrap_or(0));
        labels.map(&|it| {
            it.with(&|local| {
                if local == turns.me && turns.guard.is_none() && n_seats > 0 {
                    Sym::Local(local).beside(-1, n_seats)
                } else {
                    Sym::Other
                }
            })
        })
    }

    /// Keeps what turns, each as a whole, still follow from where one is over.
    pub(super) fn turn_ends(&mut self, state: &State) {
        for ended in &mut self.now.ended {
            for (depth, label) in state.course.iter().filter(|(at, _)| *at >= ended.depth) {
                let labels = match *depth == ended.depth {
                    true => &mut ended.brought,
                    false => &mut ended.met,
                };
                labels.add(label.clone());
            }
        }
    }

    pub(super) fn for_each(
        &mut self,
        binders: &'g [Binder],
        body: &'g [Stmt],
        stmt: &'g Stmt,
        state: &mut State,
    ) -> Exits {
        self.enter(stmt, state);
        let mut course = Labels::default();
        let mut span = stmt.span;
        let mut bound: Vec<(LocalId, Labels)> = Vec::new();
        for binder in binders {
            let mut labels = Labels::default();
            let at = self.game.locals.get(binder.local.index()).map(|it| it.span);
            self.over(&binder.over, at.unwrap_or(stmt.span), state, &mut labels);
            self.pay(&labels, stmt.span);
            self.note(&labels);
            self.now.bound_in.insert(binder.local, self.now.loops + 1);
            self.note_apart(binder.local, &binder.over, binder.guard.as_ref());
            let this = self
                .is_seat(binder.local)
                .then_some(Sym::Local(binder.local));
            let of_this = labels.map(&|it| {
                let mut label = it.clone();
                if let Some(this) = &this {
                    label.known_to(this);
                }
                label
            });
            // Who is meant is told when that one is asked, but not whether anybody is.
            course.join(&labels);
            bound.push((binder.local, of_this.clone()));
            state.bind(binder.local, of_this);
            if let Some(set) = self.set_of(binder) {
                state.shown_of(binder.local, &Sym::member(set));
            }
            let is_open = labels.iter().all(Label::is_handed_on);
            *self.ranges.entry(binder.local).or_insert(true) &= is_open;
            if let Some(guard) = &binder.guard {
                let guards = self.eval(guard, state);
                let guards = self.about(&guards, binder.local, guard);
                let is_open = guards.iter().all(Label::is_handed_on);
                course.join(&guards);
                span = guard.span;
                // With which values there is a round the condition says as well.
                for (local, labels) in &mut bound {
                    labels.join(&guards);
                    state.bind(*local, labels.clone());
                    *self.ranges.entry(*local).or_insert(true) &= is_open;
                }
            }
        }
        let changes = self.changes_in(body);
        let everywhere = match binders {
            [one] if one.guard.is_none() => match &one.over {
                Over::Set(set) if matches!(set.kind, ExprKind::All(_)) => Some((one.local, None)),
                _ => self
                    .set_of(one)
                    .filter(|set| !self.is_changed(set, &changes))
                    .map(|set| (one.local, Some(Sym::member(set)))),
            },
            _ => None,
        };
        self.round(&course, body, stmt, span, state, &mut |state, inner| {
            if let Some((local, set)) = &everywhere {
                state.shown_for_each(inner, *local, set.as_ref(), &changes.zones);
            }
        })
    }

    /// A condition that says which seat is meant, `s == traitor`, is told to that seat by being asked.
    fn about(&self, labels: &Labels, local: LocalId, guard: &Expr) -> Labels {
        let is_it = |it: &Expr| matches!(it.kind, ExprKind::Local(it) if it == local);
        let names_it = match &guard.kind {
            ExprKind::Binary(BinaryOp::Eq, one, other) if is_it(one) => !mentions(other, local),
            ExprKind::Binary(BinaryOp::Eq, one, other) if is_it(other) => !mentions(one, local),
            _ => false,
        };
        if !names_it || !self.is_seat(local) {
            return labels.clone();
        }
        labels.map(&|it| {
            let mut label = it.clone();
            label.known_to(&Sym::Local(local));
            label
        })
    }

    pub(super) fn turns(&mut self, turns: &'g Turns, stmt: &'g Stmt, state: &mut State) -> Exits {
        self.enter(stmt, state);
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
        let mut all = turns.once && turns.guard.is_none();
        each_statement(&turns.body, &mut |it| {
            all &= !matches!(it.kind, StmtKind::Next | StmtKind::Again);
        });
        let changes = self.changes_in(&turns.body);
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
                    state.shown_for_each(inner, me, None, &changes.zones);
                }
                // Who was asked first everybody saw.
                if let Some(first) = first.filter(|_| inner.knows(me)) {
                    state.tell(first, None, None);
                }
            },
        )
    }
}

fn mentions(expr: &Expr, local: LocalId) -> bool {
    let is_it = |it: &Expr| matches!(it.kind, ExprKind::Local(it) if it == local);
    let mut found = is_it(expr);
    each_in_expr(expr, &mut |node| {
        if let Node::Expr(part) = node {
            found |= is_it(part);
        }
    });
    found
}
