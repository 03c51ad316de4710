//! What the rules do with a value.

mod carried;

use std::collections::BTreeSet;

use super::leaving::may_leave;
use crate::engine::machine::Machine;
use crate::engine::sight::{Known, Sight};
use crate::engine::view::Viewer;
use crate::model::{
    Alt, AltKind, Base, Choose, Expr, ExprKind, Game, LocalId, Node, Over, Pick, Picker, Place,
    ProcId, Stmt, StmtKind, UnaryOp, Window, ZoneId, each_in_expr,
};

/// Most calls that are followed with what is known of their arguments.
const MOST_BOUND: usize = 1_024;

/// What the rules do with something.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    /// Something that the viewer sees depends on it.
    pub shown: bool,
    /// It goes where the viewer does not look.
    pub hidden: bool,
    /// The very thing goes, under all circumstances, where the viewer looks.
    pub laid_open: bool,
}

impl Done {
    /// Whether it makes no difference that the viewer sees.
    pub fn is_quiet(self) -> bool {
        !self.shown && !self.laid_open
    }

    /// What two let be seen in common, and what either hides.
    pub fn and(self, other: Self) -> Self {
        Self {
            shown: self.shown && other.shown,
            hidden: self.hidden || other.hidden,
            laid_open: self.laid_open && other.laid_open,
        }
    }
}

/// How a statement comes to be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Way {
    /// Whether that depends on what is followed.
    pub depends: bool,
    /// Whether it is executed under all circumstances.
    pub is_sure: bool,
}

impl Way {
    /// As the first statement is.
    pub const SURE: Self = Self {
        depends: false,
        is_sure: true,
    };

    pub fn perhaps(self, depends: bool) -> Self {
        Self {
            depends: self.depends || depends,
            is_sure: false,
        }
    }
}

/// A call: of what, what is known and what is tainted of its arguments, and on which way.
type Called = (ProcId, Vec<Option<i64>>, Vec<bool>, Way);

/// Follows a value through statements.
pub(super) struct Trail<'m, 'p> {
    machine: &'m Machine<'p>,
    viewer: Viewer,
    pub known: Known,
    /// The value itself, under all its names.
    same: BTreeSet<LocalId>,
    /// What depends on it.
    pub tainted: BTreeSet<LocalId>,
    /// Whether it is a component that comes from where the viewer does not look.
    is_secret: bool,
    /// Where it is known to lie.
    lies: Option<(ZoneId, usize)>,
    /// The calls that have been followed.
    called: BTreeSet<Called>,
    pub done: Done,
}

impl<'m, 'p> Trail<'m, 'p> {
    pub fn new(machine: &'m Machine<'p>, viewer: Viewer, known: Known) -> Self {
        Self {
            machine,
            viewer,
            known,
            same: BTreeSet::new(),
            tainted: BTreeSet::new(),
            is_secret: false,
            lies: None,
            called: BTreeSet::new(),
            done: Done::default(),
        }
    }

    fn game(&self) -> &'p Game {
        &self.machine.program.game
    }

    /// What follows from the position is left out: the statements change it.
    fn sight(&self) -> Sight<'m, 'p> {
        Sight::by_rule(self.machine, self.viewer)
    }

    /// Notes where a value is taken from.
    pub fn come_from(&mut self, over: &Over) {
        if Sight::new(self.machine, self.viewer).sees_range(over, &self.known) {
            return;
        }
        let place = match over {
            Over::Zone(place) => Some(place),
            Over::Set(set) => match &set.kind {
                ExprKind::Aggregate(it) => it.binders.iter().find_map(|it| match &it.over {
                    Over::Zone(place) => Some(place),
                    _ => None,
                }),
                _ => None,
            },
            Over::Span(..) => None,
        };
        let is_component = match over {
            Over::Zone(_) => true,
            Over::Set(set) => is_component(self.game(), set),
            Over::Span(..) => false,
        };
        self.is_secret = is_component;
        self.lies = place.filter(|_| is_component).and_then(|it| {
            let at = self.sight().place_number(it, &self.known)?;
            Some((it.zone, at))
        });
    }

    /// Notes where what is followed lies, if that is what a place holds.
    pub fn lies_at(&mut self, value: &Expr) {
        if let ExprKind::Component(place) = &value.kind {
            let at = self.sight().place_number(place, &self.known);
            self.lies = at.map(|at| (place.zone, at));
        }
    }

    pub fn follow(&mut self, local: LocalId, block: &[Stmt]) {
        self.same.insert(local);
        self.tainted.insert(local);
        self.block(block, Way::SURE);
    }

    pub fn tells(&self) -> bool {
        match self.is_secret {
            true => self.done.laid_open,
            false => self.done.shown || self.done.laid_open || !self.done.hidden,
        }
    }

    /// Whether the very thing that is followed goes, in any case, where the viewer looks.
    pub fn lies_open(&self) -> bool {
        self.done.laid_open
    }

    // ---- statements

    pub fn block(&mut self, block: &[Stmt], way: Way) {
        let mut way = way;
        for stmt in block {
            self.stmt(stmt, way);
            way.is_sure &= !may_leave(
                self.game(),
                std::slice::from_ref(stmt),
                &mut BTreeSet::new(),
            );
        }
    }

    /// A block that may be executed again, with what it left behind.
    fn again(&mut self, block: &[Stmt], way: Way) {
        loop {
            let before = self.tainted.len();
            self.block(block, way);
            if self.tainted.len() == before {
                return;
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt, way: Way) {
        match &stmt.kind {
            StmtKind::Let(local, value) | StmtKind::SetLocal(local, _, value) => {
                if way.depends || self.is_tainted(value) {
                    self.tainted.insert(*local);
                }
                if self.is_same(value) && matches!(stmt.kind, StmtKind::Let(..)) {
                    self.same.insert(*local);
                } else {
                    self.same.remove(local);
                }
            }
            StmtKind::SetTrack(track, index, _, value) => {
                let dependent = index.iter().any(|it| self.is_tainted(it));
                if !(way.depends || dependent || self.is_tainted(value)) {
                    return;
                }
                let declared = self.game().tracks.get(track.index());
                let is_seen = declared
                    .is_some_and(|it| self.sight().sees_index(it.visibility, index, &self.known));
                self.note(is_seen);
            }
            StmtKind::SetField(place, _, _, value) => {
                if way.depends || self.is_tainted(value) || self.is_tainted_place(place) {
                    let is_seen = self.sees(place);
                    self.note(is_seen);
                }
            }
            StmtKind::If(cond, then, other) => {
                // What was not declined is there.
                if let ExprKind::Unary(UnaryOp::IsSome, value) = &cond.kind
                    && self.is_same(value)
                {
                    return self.block(then, way);
                }
                let way = way.perhaps(self.is_tainted(cond));
                self.block(then, way);
                self.block(other, way);
            }
            StmtKind::Match(subject, arms, other) => {
                let way = way.perhaps(self.is_tainted(subject));
                for (_, arm) in arms {
                    self.block(arm, way);
                }
                self.block(other.as_deref().unwrap_or_default(), way);
            }
            StmtKind::Together(it) => {
                let is_guarded = it.seats.guard.as_ref();
                let depends = self.is_tainted_over(&it.seats.over)
                    || is_guarded.is_some_and(|guard| self.is_tainted(guard));
                self.again(&it.choice, way.perhaps(depends));
            }
            StmtKind::ForEach(binders, body) => {
                let mut depends = false;
                for binder in binders {
                    if self.is_tainted_over(&binder.over)
                        || binder.guard.as_ref().is_some_and(|it| self.is_tainted(it))
                    {
                        depends = true;
                    }
                    if depends {
                        self.tainted.insert(binder.local);
                    }
                }
                self.again(body, way.perhaps(depends));
            }
            StmtKind::While(cond, body) => {
                let depends = self.is_tainted(cond);
                self.again(body, way.perhaps(depends));
                // Its body may have made it depend.
                if !depends && self.is_tainted(cond) {
                    self.again(body, way.perhaps(true));
                }
            }
            StmtKind::Times(count, body) => {
                let depends = self.is_tainted(count);
                self.again(body, way.perhaps(depends));
            }
            StmtKind::Repeat(body, until) => {
                self.again(body, way.perhaps(false));
                if until.as_ref().is_some_and(|it| self.is_tainted(it)) {
                    self.again(body, way.perhaps(true));
                }
            }
            StmtKind::Step(_, body) => self.block(body, way),
            StmtKind::Turns(turns) => {
                let guard = turns.guard.as_ref();
                let depends =
                    self.is_tainted(&turns.from) || guard.is_some_and(|it| self.is_tainted(it));
                self.again(&turns.body, way.perhaps(depends));
            }
            StmtKind::Choose(choose) => self.choose(choose, way),
            StmtKind::Pick(pick) => self.pick(pick, way),
            StmtKind::Window(window) => self.window(window, way),
            StmtKind::Move(moved) => self.moved(moved, way),
            StmtKind::Exchange(one, other) => self.exchanged([one, other], way),
            StmtKind::Show(place, who) => self.showed(place, who.as_ref(), way),
            StmtKind::Shuffle(_) => {}
            StmtKind::Tell(id, _) => {
                let told = self.game().tellings.get(id.index());
                let to = told.and_then(|it| it.to.as_ref());
                self.done.shown |= way.depends || to.is_some_and(|it| self.is_tainted(it));
            }
            StmtKind::Call(proc, args) => self.call(*proc, args, way),
            StmtKind::CallInto(local, proc, args) => {
                if way.depends || args.iter().any(|it| self.is_tainted(it)) {
                    self.tainted.insert(*local);
                }
                self.call(*proc, args, way);
            }
            StmtKind::End(_, args) => {
                self.done.shown |= way.depends || args.iter().any(|it| self.is_tainted(it));
            }
            StmtKind::Return(_) | StmtKind::Next | StmtKind::Again => {
                self.done.shown |= way.depends;
            }
            StmtKind::Ranking(..) | StmtKind::Winner(_) => {}
        }
    }

    fn note(&mut self, is_seen: bool) {
        if is_seen {
            self.done.shown = true;
        } else {
            self.done.hidden = true;
        }
    }

    fn choose(&mut self, choose: &Choose, way: Way) {
        self.done.shown |= way.depends || self.is_tainted(&choose.who);
        self.alts(&choose.alts, way);
        let otherwise = choose.otherwise.as_deref().unwrap_or_default();
        self.block(otherwise, way.perhaps(false));
    }

    fn window(&mut self, window: &Window, way: Way) {
        self.done.shown |= way.depends || self.is_tainted(&window.who);
        for slot in &window.slots {
            self.alts(&slot.alts, way);
        }
    }

    fn alts(&mut self, alts: &[Alt], way: Way) {
        for alt in alts {
            let offered = alt.offered.iter().map(|it| &it.cond);
            self.done.shown |= offered.chain(&alt.among).any(|it| self.is_tainted(it));
            if let AltKind::Action(_, args) = &alt.kind {
                self.done.shown |= args.iter().flatten().any(|it| self.is_tainted(it));
            }
            self.block(&alt.then, way.perhaps(false));
        }
    }

    fn pick(&mut self, pick: &Pick, way: Way) {
        let depends = self.is_tainted_over(&pick.over);
        match &pick.who {
            Picker::Seat(who) => {
                // Another seat sees what it may choose.
                let who = self.sight().constant(who, &self.known);
                let is_own = who.is_some_and(|who| !self.is_viewer(who));
                self.done.shown |= way.depends || depends && !is_own;
            }
            Picker::Chance(..) => self.done.shown |= way.depends,
        }
        if depends {
            self.tainted.insert(pick.local);
        }
        let otherwise = pick.otherwise.as_deref().unwrap_or_default();
        self.block(otherwise, way.perhaps(depends));
    }

    fn is_viewer(&self, seat: i64) -> bool {
        match self.viewer {
            Viewer::Seat(own) => i64::from(own) == seat,
            Viewer::Referee => true,
        }
    }

    fn call(&mut self, id: ProcId, args: &[Expr], way: Way) {
        let Some(proc) = self.game().procs.get(id.index()) else {
            return;
        };
        let binds = self.called.len() < MOST_BOUND;
        let (mut values, mut taints) = (Vec::new(), Vec::new());
        for (param, arg) in proc.params.iter().zip(args) {
            let is_tainted = self.is_tainted(arg);
            let value = self.sight().constant(arg, &self.known);
            let value = value.filter(|_| binds && !is_tainted);
            taints.push(is_tainted);
            values.push(value);
            if is_tainted {
                self.tainted.insert(*param);
            }
            if self.is_same(arg) {
                self.same.insert(*param);
            } else {
                self.same.remove(param);
            }
        }
        for (param, value) in proc.params.iter().zip(&values) {
            self.known.put(*param, *value);
        }
        if self.called.insert((id, values, taints, way)) {
            self.block(&proc.body, way);
        }
    }

    // ---- expressions

    fn is_same(&self, expr: &Expr) -> bool {
        matches!(expr.kind, ExprKind::Local(local) if self.same.contains(&local))
    }

    fn is_tainted(&self, expr: &Expr) -> bool {
        let mut found = false;
        let mut note = |node: Node<'_>| {
            if let Node::Expr(Expr {
                kind: ExprKind::Local(local),
                ..
            }) = node
            {
                found |= self.tainted.contains(local);
            }
        };
        note(Node::Expr(expr));
        each_in_expr(expr, &mut note);
        found
    }

    fn is_tainted_place(&self, place: &Place) -> bool {
        place.index.iter().any(|it| self.is_tainted(it))
    }

    fn is_tainted_over(&self, over: &Over) -> bool {
        match over {
            Over::Set(set) => self.is_tainted(set),
            Over::Zone(place) => self.is_tainted_place(place),
            Over::Span(from, to) => self.is_tainted(from) || self.is_tainted(to),
        }
    }

    /// Whether the viewer looks at a place, by rule and for certain.
    fn sees(&self, place: &Place) -> bool {
        let zone = self.game().zones.get(place.zone.index());
        zone.is_some_and(|zone| {
            self.sight()
                .sees_index(zone.visibility, &place.index, &self.known)
        })
    }
}

fn is_component(game: &Game, set: &Expr) -> bool {
    matches!(set.ty.base, Base::Set(of) if game.is_component(Base::Elem(of)))
}
