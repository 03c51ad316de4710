//! The rules looked through for what somebody does not know: which locals hold it, and where it decides what happens.

use std::collections::{BTreeMap, BTreeSet};

use super::sites::{Chosen, Site};
use crate::engine::r#gen::{DECLINE, DONE};
use crate::engine::machine::Machine;
use crate::engine::sight::{Known, Sight};
use crate::engine::view::Viewer;
use crate::model::{
    Action, Alt, AltKind, Binder, Expr, Game, LocalId, Over, Pick, Picker, Proc, ProcId, Stmt,
    StmtKind, Visibility, locals_of,
};

/// Most calls that are looked through with what is known of their arguments.
const MOST_BOUND: usize = 1_024;

/// A call: of what, which arguments are hidden, what is known of the others, and whether something hidden leads there.
pub(super) type Called = (ProcId, Vec<bool>, Vec<Option<i64>>, bool);

/// What a call was looked through with.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Passed {
    /// In which look through everything.
    pub(super) round: usize,
    /// Behind which choices it is reached, and is left.
    pub(super) live: [BTreeSet<Site>; 2],
}

pub(super) struct Look<'m, 'p> {
    pub machine: &'m Machine<'p>,
    /// Who looks; nobody's eyes see what everybody does.
    viewer: Viewer,
    /// Locals, and those whose values are not known to who looks.
    pub known: Known,
    /// Whether what a seat picks counts as hidden from those who are not told it.
    pub(super) picks: bool,
    pub(super) called: BTreeMap<Called, Passed>,
    pub(super) round: usize,
    /// What was chosen last where the look is.
    pub(super) live: BTreeSet<Site>,
    /// The same at each `return`, `next` and `again`.
    pub(super) leaving: BTreeSet<Site>,
    /// Behind what something hidden may decide before anybody chooses again.
    pub(super) decided: BTreeSet<Site>,
    found: BTreeMap<ProcId, bool>,
    /// Whether something hidden decides where the procedure is left, or what it gives.
    gives_hidden: bool,
}

impl<'m, 'p> Look<'m, 'p> {
    pub fn new(machine: &'m Machine<'p>) -> Self {
        Self {
            machine,
            viewer: Viewer::NOBODY,
            known: Known::default(),
            picks: false,
            called: BTreeMap::new(),
            round: 1,
            live: BTreeSet::new(),
            leaving: BTreeSet::new(),
            decided: BTreeSet::new(),
            found: BTreeMap::new(),
            gives_hidden: false,
        }
    }

    /// What seats pick counts as hidden from those who are not told it.
    pub fn by(machine: &'m Machine<'p>, viewer: Viewer) -> Self {
        Self {
            viewer,
            picks: true,
            ..Self::new(machine)
        }
    }

    pub(super) fn game(&self) -> &'p Game {
        &self.machine.program.game
    }

    fn sight(&self) -> Sight<'m, 'p> {
        Sight::by_rule(self.machine, self.viewer)
    }

    /// Looks through procedures until no more is hidden; returns the locals whose values are not known.
    pub fn closed_in<'g>(mut self, procs: &[&'g Proc]) -> BTreeSet<LocalId>
    where
        'p: 'g,
    {
        // What one procedure leaves behind may be an argument of another.
        loop {
            let before = self.known.untold.len();
            self.called.clear();
            self.found.clear();
            for proc in procs {
                self.block(&proc.body, false);
            }
            if self.known.untold.len() == before {
                return self.known.untold;
            }
        }
    }

    /// Whether a value is one that who looks knows.
    pub(super) fn is_open(&self, expr: &Expr) -> bool {
        self.sight().sees(expr, &self.known)
    }

    pub fn is_open_range(&self, over: &Over) -> bool {
        self.sight().sees_range(over, &self.known)
    }

    /// Whether everybody sees what a variable of a loop ranges over, by then.
    fn is_shown(&self, binder: &Binder) -> bool {
        let is_told = |expr: &Expr| {
            locals_of(expr)
                .iter()
                .all(|it| !self.known.untold.contains(it))
        };
        self.picks
            && self.game().shown_ranges.contains(&binder.local)
            && binder.guard.as_ref().is_none_or(is_told)
            && match &binder.over {
                Over::Set(set) => is_told(set),
                Over::Zone(place) => place.index.iter().all(is_told),
                Over::Span(from, to) => is_told(from) && is_told(to),
            }
    }

    pub(super) fn are_open(&self, exprs: &[Expr]) -> bool {
        exprs.iter().all(|it| self.is_open(it))
    }

    /// Looks through statements. `hidden`: whether something hidden decides that they are reached.
    pub(super) fn block(&mut self, block: &[Stmt], hidden: bool) {
        let live = self.live.clone();
        // What a loop leaves behind may decide its next round.
        loop {
            let before = self.known.untold.len();
            self.live.clone_from(&live);
            block.iter().for_each(|it| self.stmt(it, hidden));
            if self.known.untold.len() == before {
                return;
            }
            self.found.clear();
        }
    }

    fn stmt(&mut self, stmt: &Stmt, hidden: bool) {
        match &stmt.kind {
            StmtKind::Let(local, value) | StmtKind::SetLocal(local, _, value) => {
                if hidden || !self.is_open(value) {
                    self.known.untold.insert(*local);
                }
            }
            StmtKind::SetTrack(track, index, _, value) => {
                let declared = self.game().tracks.get(track.index());
                let is_hidden = declared.is_some_and(|it| it.visibility == Visibility::Hidden);
                self.decides(hidden || !self.are_open(index) || !is_hidden && !self.is_open(value));
            }
            StmtKind::SetField(_, _, _, value) => self.decides(hidden || !self.is_open(value)),
            StmtKind::If(cond, then, other) => {
                let hidden = hidden || !self.is_open(cond);
                self.ways([then.as_slice(), other], hidden);
            }
            StmtKind::Match(subject, arms, other) => {
                let hidden = hidden || !self.is_open(subject);
                let arms = arms.iter().map(|(_, arm)| arm.as_slice());
                self.ways(arms.chain([other.as_deref().unwrap_or_default()]), hidden);
            }
            StmtKind::Together(it) => {
                let guard = it.seats.guard.as_ref();
                let is_open = self.is_open_range(&it.seats.over)
                    && guard.is_none_or(|guard| self.is_open(guard));
                self.ways([it.choice.as_slice(), &[]], hidden || !is_open);
            }
            StmtKind::ForEach(binders, body) => {
                let mut hidden = hidden;
                for (at, binder) in binders.iter().enumerate() {
                    let guard = binder.guard.as_ref();
                    let is_open =
                        self.is_open_range(&binder.over) && guard.is_none_or(|it| self.is_open(it));
                    hidden |= !is_open && !self.is_shown(binder);
                    // A condition says as well with which values before it there is a round.
                    if hidden {
                        let so_far = binders.iter().take(at + 1).map(|it| it.local);
                        self.known.untold.extend(so_far);
                    }
                }
                self.rounds(|look| look.block(body, hidden));
            }
            StmtKind::While(cond, body) | StmtKind::Times(cond, body) => self.rounds(|look| {
                let hidden = hidden || !look.is_open(cond);
                look.block(body, hidden);
            }),
            StmtKind::Repeat(body, until) => self.rounds(|look| {
                look.block(body, hidden);
                if until.as_ref().is_some_and(|it| !look.is_open(it)) {
                    look.block(body, true);
                }
            }),
            StmtKind::Step(_, body) => self.block(body, hidden),
            StmtKind::Turns(turns) => self.rounds(|look| {
                let guard = turns.guard.as_ref();
                let open = look.is_open(&turns.from) && guard.is_none_or(|it| look.is_open(it));
                look.block(&turns.body, hidden || !open);
            }),
            StmtKind::Choose(choose) => {
                let otherwise = choose.otherwise.as_deref();
                // That somebody was not asked is seen by all; what it was not asked for is not taken back.
                let is_skipped =
                    !self.picks && otherwise.is_some() && self.hangs_on_hidden(&choose.alts);
                self.decides(hidden || is_skipped || !self.is_open(&choose.who));
                let skipped = self.live.clone();
                self.alts(
                    choose.alts.iter(),
                    choose.clause,
                    choose.may.then_some(DECLINE),
                );
                let chosen = std::mem::take(&mut self.live);
                if let Some(otherwise) = otherwise {
                    self.live = skipped;
                    self.block(otherwise, hidden || is_skipped);
                }
                self.live.extend(chosen);
            }
            StmtKind::Window(window) => {
                let is_open = self.is_open(&window.who);
                let alts = || window.slots.iter().flat_map(|it| &it.alts);
                let hangs = window.slots.iter().any(|it| self.hangs_on_hidden(&it.alts));
                self.rounds(|look| {
                    look.decides(hidden || !is_open || hangs);
                    look.alts(alts(), window.clause, Some(DONE));
                });
            }
            StmtKind::Pick(pick) => {
                let is_open = match &pick.who {
                    Picker::Chance(..) => self.is_open_range(&pick.over),
                    Picker::Seat(_) => !self.picks || self.is_told(pick),
                };
                if !is_open {
                    self.known.untold.insert(pick.local);
                }
                let otherwise = pick.otherwise.as_deref();
                let is_skipped =
                    !self.picks && otherwise.is_some() && !self.is_open_range(&pick.over);
                self.decides(hidden || is_skipped);
                let mut chosen = self.live.clone();
                if let Picker::Seat(who) = &pick.who {
                    self.decides(!self.is_open(who));
                    let declined = pick.may.then(|| Chosen::Named(DECLINE.to_owned()));
                    let may = [Chosen::Value].into_iter().chain(declined);
                    chosen = self.sites(pick.clause, may);
                }
                match otherwise {
                    Some(otherwise) => self.block(otherwise, hidden || is_skipped),
                    None => self.live.clear(),
                }
                self.live.extend(chosen);
            }
            StmtKind::Show(_, who) => {
                self.decides(hidden || who.as_ref().is_some_and(|it| !self.is_open(it)));
            }
            StmtKind::Call(id, args) => self.call(*id, args, hidden),
            StmtKind::CallInto(local, id, args) => {
                if hidden || !self.are_open(args) || !self.returns_open(*id) {
                    self.known.untold.insert(*local);
                }
                self.call(*id, args, hidden);
            }
            StmtKind::End(_, args) => {
                self.decides(hidden || !self.are_open(args));
                self.live.clear();
            }
            StmtKind::Return(value) => {
                self.gives_hidden |= hidden || value.as_ref().is_some_and(|it| !self.is_open(it));
                self.leave(hidden);
            }
            StmtKind::Next | StmtKind::Again => {
                self.gives_hidden |= hidden;
                self.leave(hidden);
            }
            StmtKind::Move(_)
            | StmtKind::Exchange(..)
            | StmtKind::Shuffle(_)
            | StmtKind::Tell(..) => self.decides(hidden),
            StmtKind::Ranking(..) | StmtKind::Winner(_) => {}
        }
    }

    /// Whether something hidden may decide that there is nothing to choose.
    fn hangs_on_hidden(&self, alts: &[Alt]) -> bool {
        let action = |alt: &Alt| match &alt.kind {
            AltKind::Inline { .. } => None,
            AltKind::Action(id, _) => self.game().actions.get(id.index()),
        };
        let is_certain = |alt: &Alt| {
            let asks = |it: &Action| !it.params.is_empty() || !it.requires.is_empty();
            alt.offered.is_none() && alt.among.is_empty() && !action(alt).is_some_and(asks)
        };
        let is_open = |it: &Action| {
            let mut ranges = it.params.iter().map(|it| &it.over);
            let mut conditions = it.requires.iter().map(|it| &it.cond);
            ranges.all(|it| self.is_open_range(it)) && conditions.all(|it| self.is_open(it))
        };
        !alts.iter().any(is_certain) && !alts.iter().filter_map(action).all(is_open)
    }

    pub(super) fn call(&mut self, id: ProcId, args: &[Expr], hidden: bool) {
        let Some(proc) = self.game().procs.get(id.index()) else {
            return;
        };
        let (mut closed, mut values) = (Vec::new(), Vec::new());
        let binds = self.called.len() < MOST_BOUND;
        for (param, arg) in proc.params.iter().zip(args) {
            let is_open = self.is_open(arg);
            closed.push(!is_open);
            values.push(self.value(arg).filter(|_| binds && is_open));
            if !is_open {
                self.known.untold.insert(*param);
            }
        }
        let called = (id, closed, values.clone(), hidden);
        let passed = self.called.entry(called.clone()).or_default();
        if passed.round == self.round && passed.live[0].is_superset(&self.live) {
            self.live.clone_from(&passed.live[1]);
            return;
        }
        passed.round = self.round;
        passed.live[0].append(&mut self.live);
        self.live.clone_from(&passed.live[0]);
        let outside = (self.gives_hidden, self.known.values_of(&proc.params));
        let leaving = std::mem::take(&mut self.leaving);
        let bound = proc.params.iter().zip(&values);
        bound.for_each(|(param, value)| self.known.put(*param, *value));
        self.block(&proc.body, hidden);
        self.live.append(&mut self.leaving);
        self.leaving = leaving;
        if let Some(passed) = self.called.get_mut(&called) {
            passed.live[1].extend(self.live.iter().cloned());
            self.live.clone_from(&passed.live[1]);
        }
        self.gives_hidden = outside.0;
        let before = proc.params.iter().zip(outside.1);
        before.for_each(|(param, value)| self.known.put(*param, value));
    }

    /// The value of an expression where that hangs on nothing else than what is known of locals; who looks at all
    /// games alike knows none.
    fn value(&self, expr: &Expr) -> Option<i64> {
        match self.viewer {
            Viewer::NOBODY => None,
            _ => self.sight().constant(expr, &self.known),
        }
    }

    /// Whether who looks is told which value is picked, whoever does.
    fn is_told(&self, pick: &Pick) -> bool {
        let Picker::Seat(who) = &pick.who else {
            return false;
        };
        let seats = 0..self.game().n_seats;
        let to: Vec<u32> = match self.viewer {
            Viewer::Seat(own) if self.viewer != Viewer::NOBODY => vec![own],
            _ => seats.clone().collect(),
        };
        let who = self.value(who).and_then(|it| u32::try_from(it).ok());
        let who: Vec<u32> = who.map_or_else(|| seats.collect(), |it| vec![it]);
        let tells = |to: u32, who: u32| self.machine.tells_value(Viewer::Seat(to), pick.local, who);
        let is_own = matches!((to.as_slice(), who.as_slice()), ([to], [who]) if to == who);
        is_own
            || self.is_open_range(&pick.over)
                && to.iter().all(|to| who.iter().all(|who| tells(*to, *who)))
    }

    /// Whether everybody knows what a call gives, if the arguments are known.
    fn returns_open(&mut self, id: ProcId) -> bool {
        if let Some(found) = self.found.get(&id) {
            return *found;
        }
        self.found.insert(id, true);
        let outside = std::mem::take(&mut self.gives_hidden);
        let (live, leaving) = (self.live.clone(), self.leaving.clone());
        if let Some(proc) = self.game().procs.get(id.index()) {
            // It holds whatever it is given.
            let before = self.known.values_of(&proc.params);
            let none = proc.params.iter();
            none.for_each(|param| self.known.put(*param, None));
            self.block(&proc.body, false);
            let before = proc.params.iter().zip(before);
            before.for_each(|(param, value)| self.known.put(*param, value));
        }
        (self.live, self.leaving) = (live, leaving);
        let open = !std::mem::replace(&mut self.gives_hidden, outside);
        self.found.insert(id, open);
        open
    }
}
