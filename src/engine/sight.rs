//! Which expressions somebody may see the value of.

mod places;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::machine::Machine;
use super::view::Viewer;
use crate::model::{
    ActionId, Alt, AltKind, AssignOp, DefineId, Expr, ExprKind, Holder, Holding, LocalId, Node,
    Over, ProcId, Stmt, StmtKind, TrackId, What, ZoneId, parts_of_expr, parts_of_stmt,
};

/// Most calls that are looked through with what is known of their arguments.
const MOST_BOUND: usize = 1_024;

/// Locals, while an expression is looked through.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Known {
    values: BTreeMap<LocalId, i64>,
    /// Those whose value the viewer is not told.
    pub untold: BTreeSet<LocalId>,
}

impl Known {
    pub fn put(&mut self, local: LocalId, value: Option<i64>) {
        match value {
            Some(value) => self.values.insert(local, value),
            None => self.values.remove(&local),
        };
    }

    fn get(&self, local: LocalId) -> Option<i64> {
        self.values.get(&local).copied()
    }

    /// What is known of locals, in their order.
    pub fn values_of(&self, locals: &[LocalId]) -> Vec<Option<i64>> {
        locals.iter().map(|it| self.get(*it)).collect()
    }
}

/// What is looked through besides an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Called {
    Define(DefineId),
    Proc(ProcId),
    Action(ActionId),
}

/// Looks through expressions for what a viewer may not see.
pub(super) struct Sight<'m, 'p> {
    machine: &'m Machine<'p>,
    viewer: Viewer,
    /// Whether values may be read from the position.
    reads: bool,
    depth: u32,
    /// What is still to be looked through, and all that was.
    waiting: Vec<(Called, Known)>,
    called: HashSet<(Called, Known)>,
    constants: HashMap<(DefineId, Known), Option<i64>>,
    /// Where it is taken down: places whose components the viewer would have to see.
    lacks: Option<BTreeSet<(ZoneId, usize)>>,
}

impl<'m, 'p> Sight<'m, 'p> {
    pub fn new(machine: &'m Machine<'p>, viewer: Viewer) -> Self {
        Self {
            machine,
            viewer,
            reads: true,
            depth: 0,
            waiting: Vec::new(),
            called: HashSet::new(),
            constants: HashMap::new(),
            lacks: None,
        }
    }

    /// Looks by the rules alone, whatever the position is.
    pub fn by_rule(machine: &'m Machine<'p>, viewer: Viewer) -> Self {
        Self {
            reads: false,
            ..Self::new(machine, viewer)
        }
    }

    /// Whether the value of an expression follows from what the viewer sees.
    pub fn sees(&mut self, expr: &Expr, known: &Known) -> bool {
        self.viewer == Viewer::Referee || self.looks(expr, known) && self.sees_called()
    }

    /// The places that the viewer does not see, but for whose components it would see the value of an expression.
    pub fn lacks(mut self, expr: &Expr, known: &Known) -> Option<BTreeSet<(ZoneId, usize)>> {
        self.lacks = Some(BTreeSet::new());
        match self.sees(expr, known) {
            true => self.lacks,
            false => None,
        }
    }

    /// Whether the members of what a variable ranges over follow from what the viewer sees.
    pub fn sees_range(&mut self, over: &Over, known: &Known) -> bool {
        self.viewer == Viewer::Referee || self.looks_over(over, known) && self.sees_called()
    }

    /// Each body is looked through once for what is known of its arguments: one that comes back to itself
    /// reads nothing new.
    fn sees_called(&mut self) -> bool {
        let game = &*self.machine.program.game;
        while let Some((called, known)) = self.waiting.pop() {
            let sees = match called {
                Called::Define(id) => {
                    let define = game.defines.get(id.index());
                    define.is_some_and(|it| self.looks(&it.body, &known))
                }
                Called::Proc(id) => {
                    let proc = game.procs.get(id.index());
                    proc.is_some_and(|it| it.body.iter().all(|stmt| self.sees_stmt(stmt, &known)))
                }
                Called::Action(id) => game.actions.get(id.index()).is_some_and(|action| {
                    let mut params = action.params.iter();
                    let mut requires = action.requires.iter();
                    params.all(|it| self.looks_over(&it.over, &known))
                        && requires.all(|it| self.looks(&it.cond, &known))
                }),
            };
            if !sees {
                return false;
            }
        }
        true
    }

    fn look_later(&mut self, called: Called, known: Known) {
        let known = if self.called.len() < MOST_BOUND {
            known
        } else {
            Known::default()
        };
        if self.called.insert((called, known.clone())) {
            self.waiting.push((called, known));
        }
    }

    fn looks(&mut self, expr: &Expr, known: &Known) -> bool {
        self.sees_itself(expr, known) && self.sees_parts(expr, known)
    }

    fn looks_over(&mut self, over: &Over, known: &Known) -> bool {
        match over {
            Over::Set(set) => self.looks(set, known),
            Over::Zone(place) => self.sees_place(place, known),
            Over::Span(from, to) => self.looks(from, known) && self.looks(to, known),
        }
    }

    fn sees_parts(&mut self, expr: &Expr, known: &Known) -> bool {
        match &expr.kind {
            ExprKind::Let(local, value, body) => {
                let mut inner = known.clone();
                if let Some(value) = self.constant(value, known) {
                    inner.put(*local, Some(value));
                }
                return self.looks(value, known) && self.looks(body, &inner);
            }
            ExprKind::Match(subject, arms, other) => {
                // Only the arm that is taken is looked at.
                if let Some(value) = self.constant(subject, known) {
                    let taken = arms.iter().find(|(values, _)| values.contains(&value));
                    let taken = taken.map(|(_, arm)| arm).or(other.as_deref());
                    return taken.is_none_or(|arm| self.looks(arm, known));
                }
            }
            _ => {}
        }
        let mut all = true;
        parts_of_expr(expr, &mut |node| {
            all = all
                && match node {
                    Node::Expr(part) => self.looks(part, known),
                    Node::Stmt(stmt) => self.sees_stmt(stmt, known),
                    Node::Binds(_) => true,
                };
        });
        all
    }

    /// The expression without its parts.
    fn sees_itself(&mut self, expr: &Expr, known: &Known) -> bool {
        match &expr.kind {
            ExprKind::Component(place) | ExprKind::CountOf(place, _) | ExprKind::Kinds(place) => {
                self.sees_place(place, known) || self.lacks_place(place, known)
            }
            ExprKind::PlaceField(place, _) | ExprKind::Top(place) | ExprKind::Nth(place, _) => {
                self.sees_place(place, known)
            }
            ExprKind::PartsAt(domain, _) => self.sees_parts_of(*domain),
            ExprKind::Touching(part) | ExprKind::Loose(part) => self.sees_parts_in(part),
            ExprKind::PartAtPort(..) => self.sees_parts_in(expr),
            ExprKind::Track(track, index) => self.sees_track(*track, index, known),
            ExprKind::Aggregate(aggregate) => {
                aggregate.binders.iter().all(|binder| match &binder.over {
                    Over::Zone(place) => {
                        self.sees_place(place, known) || self.lacks_place(place, known)
                    }
                    Over::Set(_) | Over::Span(..) => true,
                })
            }
            ExprKind::Call(id, args) => {
                let Some(define) = self.machine.program.game.defines.get(id.index()) else {
                    return false;
                };
                let inner = self.bind(&define.params, args, known);
                self.look_later(Called::Define(*id), inner);
                true
            }
            ExprKind::Can(who, alts) => {
                let who = self.constant(who, known);
                alts.iter().all(|alt| self.sees_alt(alt, who, known))
            }
            ExprKind::Local(local) => !known.untold.contains(local),
            ExprKind::Repeated => self.sees_position(),
            ExprKind::Value(_)
            | ExprKind::Setting(_)
            | ExprKind::SetOf(_)
            | ExprKind::All(_)
            | ExprKind::Table(..)
            | ExprKind::Count(_)
            | ExprKind::Filled(_)
            | ExprKind::Field(..)
            | ExprKind::Make(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::If(..)
            | ExprKind::Match(..)
            | ExprKind::OrElse(..)
            | ExprKind::Reach { .. }
            | ExprKind::Groups { .. }
            | ExprKind::Walk { .. }
            | ExprKind::Let(..)
            | ExprKind::After(..)
            | ExprKind::Near(..)
            | ExprKind::Step { .. }
            | ExprKind::Frontier(_)
            | ExprKind::Laid(_) => true,
        }
    }

    fn sees_stmt(&mut self, stmt: &Stmt, known: &Known) -> bool {
        let itself = match &stmt.kind {
            StmtKind::Move(moved) => match &moved.what {
                What::At(from)
                | What::All(from)
                | What::Top(from, _)
                | What::Nth(from, ..)
                | What::Draw(_, from, _) => self.sees_place(from, known),
                What::Copies(_, _, Holding::Place(from)) => self.sees_place(from, known),
                What::Copies(_, _, Holding::Anywhere(zone)) => self.sees_zone(*zone),
            },
            StmtKind::Exchange(one, other) => [one, other].into_iter().all(|holder| match holder {
                Holder::At(place) | Holder::All(place) | Holder::Copy(_, place) => {
                    self.sees_place(place, known)
                }
            }),
            StmtKind::Show(place, _) => self.sees_place(place, known),
            StmtKind::Call(proc, args)
            | StmtKind::CallInto(_, proc, args)
            | StmtKind::End(proc, args) => self.sees_proc(*proc, args, known),
            StmtKind::ForEach(binders, _) => binders
                .iter()
                .all(|binder| self.sees_range(&binder.over, known)),
            StmtKind::Choose(_)
            | StmtKind::Pick(_)
            | StmtKind::Window(_)
            | StmtKind::Together(_) => false,
            // Whether there is room for more, or for less, is read from what was there.
            StmtKind::SetTrack(track, index, AssignOp::Add | AssignOp::Sub, _) => {
                self.sees_track(*track, index, known)
            }
            // A place that is empty has no field to set.
            StmtKind::SetField(place, ..) => self.sees_place(place, known),
            StmtKind::Let(..)
            | StmtKind::SetLocal(..)
            | StmtKind::SetTrack(..)
            | StmtKind::If(..)
            | StmtKind::Match(..)
            | StmtKind::While(..)
            | StmtKind::Times(..)
            | StmtKind::Repeat(..)
            | StmtKind::Step(..)
            | StmtKind::Turns(_)
            | StmtKind::Shuffle(_)
            | StmtKind::Tell(..)
            | StmtKind::Return(_)
            | StmtKind::Next
            | StmtKind::Again
            | StmtKind::Ranking(..)
            | StmtKind::Winner(_) => true,
        };
        let mut all = itself;
        parts_of_stmt(stmt, &mut |node| {
            all = all
                && match node {
                    Node::Expr(part) => self.looks(part, known),
                    Node::Stmt(stmt) => self.sees_stmt(stmt, known),
                    Node::Binds(_) => true,
                };
        });
        all
    }

    fn sees_track(&mut self, track: TrackId, index: &[Expr], known: &Known) -> bool {
        let declared = self.machine.program.game.tracks.get(track.index());
        declared.is_some_and(|it| self.sees_index(it.visibility, index, known))
    }

    fn sees_proc(&mut self, id: ProcId, args: &[Expr], known: &Known) -> bool {
        let Some(proc) = self.machine.program.game.procs.get(id.index()) else {
            return false;
        };
        let inner = self.bind(&proc.params, args, known);
        self.look_later(Called::Proc(id), inner);
        true
    }

    fn sees_alt(&mut self, alt: &Alt, who: Option<i64>, known: &Known) -> bool {
        let AltKind::Action(id, args) = &alt.kind else {
            return true;
        };
        let offered = alt.offered.iter().map(|it| &it.cond);
        if !offered.chain(&alt.among).all(|it| self.sees(it, known)) {
            return false;
        }
        let Some(action) = self.machine.program.game.actions.get(id.index()) else {
            return false;
        };
        let mut inner = Known::default();
        inner.put(action.me, who);
        for (param, arg) in action.params.iter().zip(args) {
            let value = arg.as_ref().and_then(|arg| self.constant(arg, known));
            inner.put(param.local, value);
        }
        self.look_later(Called::Action(*id), inner);
        true
    }

    fn bind(&mut self, params: &[LocalId], args: &[Expr], known: &Known) -> Known {
        let mut inner = Known::default();
        for (param, arg) in params.iter().zip(args) {
            inner.put(*param, self.constant(arg, known));
        }
        inner
    }
}
