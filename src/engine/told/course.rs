//! Whether what nobody may know decides what happens.

use std::collections::{BTreeMap, BTreeSet};

use super::heard::locals_of;
use crate::engine::machine::{Machine, Move, Status};
use crate::engine::op::ChoiceKind;
use crate::engine::say::CandidateKind;
use crate::engine::sight::{Known, Sight};
use crate::engine::view::Viewer;
use crate::model::{
    Action, Alt, AltKind, Binder, Expr, Game, LocalId, Over, Pick, Picker, Proc, ProcId, ProcKind,
    Stmt, StmtKind, Visibility,
};

/// Most calls that are looked through with what is known of their arguments.
const MOST_BOUND: usize = 1_024;

/// Whose course depends on what not everybody sees.
#[derive(Clone, Debug, Default)]
pub(in crate::engine) struct Courses {
    /// Whether what happens between choices does.
    between: bool,
    /// By action: whether what it does itself does.
    actions: Vec<bool>,
    /// Whether there is one of them that lets somebody choose on its way.
    on_the_way: bool,
    /// Locals whose values not everybody knows.
    closed: BTreeSet<LocalId>,
    /// Whether there is anything that not everybody sees.
    is_closed: bool,
}

impl<'p> Machine<'p> {
    fn find_courses(&self) -> Courses {
        let game = &*self.program.game;
        let zones = game.zones.iter().map(|it| it.visibility);
        let mut seen = zones.chain(game.tracks.iter().map(|it| it.visibility));
        if seen.all(|it| it == Visibility::Open) {
            return Courses::default();
        }
        let mut courses = Courses {
            is_closed: true,
            ..Courses::default()
        };
        for action in &game.actions {
            let body = game.procs.get(action.body.index());
            let depends = body.is_some_and(|it| Look::new(self).block(&it.body, false));
            courses.on_the_way |= depends && body.is_some_and(|it| it.chooses);
            courses.actions.push(depends);
        }
        let mut look = Look::new(self);
        for flow in game.procs.iter().filter(|it| it.kind == ProcKind::Flow) {
            courses.between |= look.block(&flow.body, false);
        }
        courses.closed = self.closed_to_some();
        courses
    }

    /// Locals whose values not everybody knows.
    pub(in crate::engine) fn closed_locals(&self) -> &'p BTreeSet<LocalId> {
        let courses = &self.program.courses;
        &courses.get_or_init(|| self.find_courses()).closed
    }

    /// Whether something hidden may decide what happens after a move of the pending choice.
    #[must_use]
    pub fn is_decided_in_secret(&self, mv: Move) -> bool {
        let courses = self.program.courses.get_or_init(|| self.find_courses());
        let own = match self.choice(mv).map(|it| &it.kind) {
            Some(ChoiceKind::Action(id)) => {
                courses.actions.get(id.index()).copied().unwrap_or(false)
            }
            _ => false,
        };
        own || courses.between || courses.on_the_way || self.is_alike_in_secret(mv, courses)
    }

    /// Who of these, other than who chooses, is told a move and does not see all that its being legal hangs on: it learns that
    /// this holds.
    #[must_use]
    pub fn hears_that_it_holds(&self, mv: Move, people: &[u32]) -> Option<u32> {
        let game = &*self.program.game;
        let candidate = self.candidate(mv)?;
        let point = self.point()?;
        let at = usize::try_from(mv.0 & 0xff).ok()?;
        let offered = self.alternatives(point.clause).get(at).copied();
        let offered = offered.and_then(|it| it.offered.as_ref());
        let action = match &candidate.kind {
            CandidateKind::Action(id, args) => game.actions.get(id.index()).zip(Some(args)),
            _ => None,
        };
        let mut others = people.iter().copied().filter(|it| *it != candidate.seat);
        others.find(|person| {
            let viewer = Viewer::Seat(*person);
            let sees = |expr: &Expr, known: &Known| Sight::new(self, viewer).sees(expr, known);
            if self.is_silent(viewer, mv, candidate.seat) {
                return false;
            }
            let asks = action.is_some_and(|(action, args)| {
                let inputs = std::iter::once(Some(i64::from(candidate.seat)));
                let inputs: Vec<Option<i64>> = inputs.chain(args.iter().copied()).collect();
                let mut known = self.known_to(&[viewer], action, &inputs);
                // What is chosen in secret may be chosen again.
                known.untold.clear();
                let mut requires = action.requires.iter();
                requires.any(|it| !sees(&it.cond, &known))
            });
            asks || offered.is_some_and(|it| !sees(&it.cond, &Known::default()))
        })
    }

    /// Whether a choice is told in the same words as one that something hidden decides: what can be taken back
    /// must not tell which it was.
    fn is_alike_in_secret(&self, mv: Move, courses: &Courses) -> bool {
        let (Status::Choice { seat }, Some(point)) = (self.status(), self.point()) else {
            return false;
        };
        if !courses.is_closed || point.alts.len() < 2 {
            return false;
        }
        let others = (0..self.program.game.n_seats).filter(|it| *it != seat);
        let alike: Vec<_> = others
            .flat_map(|it| self.alike(Viewer::Seat(it), seat))
            .collect();
        let depends = |at: usize| match point.alts.get(at).map(|it| &it.kind) {
            Some(ChoiceKind::Action(id)) => courses.actions.get(id.index()) == Some(&true),
            _ => false,
        };
        usize::try_from(mv.0 & 0xff).is_ok_and(|own| alike.iter().any(|(at, _)| *at == own))
            && alike.iter().any(|(at, _)| depends(*at))
    }
}

/// A call: of what, which arguments are hidden, what is known of the others, and whether something hidden leads there.
type Called = (ProcId, Vec<bool>, Vec<Option<i64>>, bool);

pub(super) struct Look<'m, 'p> {
    pub machine: &'m Machine<'p>,
    /// Who looks; nobody's eyes see what everybody does.
    viewer: Viewer,
    /// Locals, and those whose values are not known to who looks.
    pub known: Known,
    /// Whether what a seat picks counts as hidden from those who are not told it.
    picks: bool,
    called: BTreeSet<Called>,
    found: BTreeMap<ProcId, bool>,
    /// Whether something hidden decides where the procedure is left, or what it gives.
    gives_hidden: bool,
}

impl<'m, 'p> Look<'m, 'p> {
    fn new(machine: &'m Machine<'p>) -> Self {
        Self {
            machine,
            viewer: Viewer::NOBODY,
            known: Known::default(),
            picks: false,
            called: BTreeSet::new(),
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

    fn game(&self) -> &'p Game {
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
    fn is_open(&self, expr: &Expr) -> bool {
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

    fn are_open(&self, exprs: &[Expr]) -> bool {
        exprs.iter().all(|it| self.is_open(it))
    }

    /// Whether something hidden decides what the statements do. `hidden`: whether it decides that they are
    /// reached.
    fn block(&mut self, block: &[Stmt], hidden: bool) -> bool {
        let mut found = false;
        // What a loop leaves behind may decide its next round.
        loop {
            let before = self.known.untold.len();
            for stmt in block {
                found |= self.stmt(stmt, hidden);
            }
            if self.known.untold.len() == before {
                return found;
            }
            self.found.clear();
        }
    }

    fn stmt(&mut self, stmt: &Stmt, hidden: bool) -> bool {
        match &stmt.kind {
            StmtKind::Let(local, value) | StmtKind::SetLocal(local, _, value) => {
                if hidden || !self.is_open(value) {
                    self.known.untold.insert(*local);
                }
                false
            }
            StmtKind::SetTrack(track, index, _, value) => {
                let declared = self.game().tracks.get(track.index());
                let is_hidden = declared.is_some_and(|it| it.visibility == Visibility::Hidden);
                hidden || !self.are_open(index) || !is_hidden && !self.is_open(value)
            }
            StmtKind::SetField(_, _, _, value) => hidden || !self.is_open(value),
            StmtKind::If(cond, then, other) => {
                let hidden = hidden || !self.is_open(cond);
                self.block(then, hidden) | self.block(other, hidden)
            }
            StmtKind::Match(subject, arms, other) => {
                let hidden = hidden || !self.is_open(subject);
                let other = self.block(other.as_deref().unwrap_or_default(), hidden);
                arms.iter()
                    .fold(other, |found, (_, arm)| found | self.block(arm, hidden))
            }
            StmtKind::Together(it) => {
                let guard = it.seats.guard.as_ref();
                let is_open = self.is_open_range(&it.seats.over)
                    && guard.is_none_or(|guard| self.is_open(guard));
                self.block(&it.choice, hidden || !is_open)
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
                self.block(body, hidden)
            }
            StmtKind::While(cond, body) | StmtKind::Times(cond, body) => {
                let open = self.is_open(cond);
                self.block(body, hidden || !open)
                    | (open && !self.is_open(cond) && self.block(body, true))
            }
            StmtKind::Repeat(body, until) => {
                self.block(body, hidden)
                    | (until.as_ref().is_some_and(|it| !self.is_open(it)) && self.block(body, true))
            }
            StmtKind::Step(_, body) => self.block(body, hidden),
            StmtKind::Turns(turns) => {
                let guard = turns.guard.as_ref();
                let open = self.is_open(&turns.from) && guard.is_none_or(|it| self.is_open(it));
                self.block(&turns.body, hidden || !open)
            }
            StmtKind::Choose(choose) => {
                let otherwise = choose.otherwise.as_deref().unwrap_or_default();
                // That somebody was not asked is seen by all; what it was not asked for is not taken back.
                let is_skipped =
                    !self.picks && choose.otherwise.is_some() && self.hangs_on_hidden(&choose.alts);
                self.alts(&choose.alts)
                    | self.block(otherwise, hidden || is_skipped)
                    | (hidden || is_skipped || !self.is_open(&choose.who))
            }
            StmtKind::Window(window) => {
                let asked = hidden || !self.is_open(&window.who);
                window.slots.iter().fold(asked, |found, it| {
                    found | self.alts(&it.alts) | self.hangs_on_hidden(&it.alts)
                })
            }
            StmtKind::Pick(pick) => {
                let is_open = match pick.who {
                    Picker::Chance(..) => self.is_open_range(&pick.over),
                    Picker::Seat(_) => !self.picks || self.is_told(pick),
                };
                if !is_open {
                    self.known.untold.insert(pick.local);
                }
                self.block(pick.otherwise.as_deref().unwrap_or_default(), hidden) | hidden
            }
            StmtKind::Show(_, who) => hidden || who.as_ref().is_some_and(|it| !self.is_open(it)),
            StmtKind::Call(id, args) => self.call(*id, args, hidden),
            StmtKind::CallInto(local, id, args) => {
                if hidden || !self.are_open(args) || !self.returns_open(*id) {
                    self.known.untold.insert(*local);
                }
                self.call(*id, args, hidden)
            }
            StmtKind::End(_, args) => hidden || !self.are_open(args),
            StmtKind::Return(value) => {
                self.gives_hidden |= hidden || value.as_ref().is_some_and(|it| !self.is_open(it));
                hidden
            }
            StmtKind::Next | StmtKind::Again => {
                self.gives_hidden |= hidden;
                hidden
            }
            StmtKind::Move(_)
            | StmtKind::Exchange(..)
            | StmtKind::Shuffle(_)
            | StmtKind::Tell(..) => hidden,
            StmtKind::Ranking(..) | StmtKind::Winner(_) => false,
        }
    }

    fn alts(&mut self, alts: &[Alt]) -> bool {
        alts.iter().fold(false, |found, alt| {
            let offered = alt.offered.as_ref();
            let is_open = offered.is_none_or(|it| self.is_open(&it.cond));
            found | !is_open | !self.are_open(&alt.among) | self.block(&alt.then, false)
        })
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

    fn call(&mut self, id: ProcId, args: &[Expr], hidden: bool) -> bool {
        let Some(proc) = self.game().procs.get(id.index()) else {
            return false;
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
        let outside = (self.gives_hidden, self.known.values_of(&proc.params));
        let bound = proc.params.iter().zip(&values);
        bound.for_each(|(param, value)| self.known.put(*param, *value));
        let found =
            self.called.insert((id, closed, values, hidden)) && self.block(&proc.body, hidden);
        self.gives_hidden = outside.0;
        let before = proc.params.iter().zip(outside.1);
        before.for_each(|(param, value)| self.known.put(*param, value));
        found
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
        if let Some(proc) = self.game().procs.get(id.index()) {
            // It holds whatever it is given.
            let before = self.known.values_of(&proc.params);
            let none = proc.params.iter();
            none.for_each(|param| self.known.put(*param, None));
            self.block(&proc.body, false);
            let before = proc.params.iter().zip(before);
            before.for_each(|(param, value)| self.known.put(*param, value));
        }
        let open = !std::mem::replace(&mut self.gives_hidden, outside);
        self.found.insert(id, open);
        open
    }
}
