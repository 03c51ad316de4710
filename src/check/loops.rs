//! Loops that can never end, as far as that can be told.

use rustc_hash::FxHashSet as HashSet;

use crate::diagnostic::codes;
use crate::model::{
    Action, ActionId, AltKind, DefineId, Expr, ExprKind, LocalId, Node, Over, Place, ProcId, Stmt,
    StmtKind, TrackId, ZoneId, each_statement, parts_of_expr, parts_of_stmt,
};
use crate::source::Span;

use super::Checker;
use super::effect::{chosen_actions, zones_of};

/// Something that can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Cell {
    Track(TrackId),
    Zone(ZoneId),
    Local(LocalId),
    /// The whole position.
    All,
}

/// What a piece reads or writes; everything is followed once.
#[derive(Default)]
struct Touched {
    cells: HashSet<Cell>,
    defines: HashSet<DefineId>,
    procs: HashSet<ProcId>,
    actions: HashSet<ActionId>,
    open_defines: Vec<DefineId>,
    open_procs: Vec<ProcId>,
    open_actions: Vec<ActionId>,
}

impl Touched {
    fn meet_define(&mut self, id: DefineId) {
        if self.defines.insert(id) {
            self.open_defines.push(id);
        }
    }

    fn meet(&mut self, id: ProcId) {
        if self.procs.insert(id) {
            self.open_procs.push(id);
        }
    }
}

impl Checker<'_> {
    pub(super) fn check_loops(&mut self) {
        let mut endless: Vec<(Span, String)> = Vec::new();
        for proc in &self.game.procs {
            each_statement(&proc.body, &mut |stmt| {
                if let Some(why) = self.endless(stmt) {
                    endless.push((stmt.span, why));
                }
            });
        }
        for (span, why) in endless {
            self.complain(
                codes::ENDLESS_LOOP,
                head(span),
                why,
                "let something inside change its condition, or leave it by `return` or `end`",
            );
        }
    }

    /// Says why a loop never ends.
    fn endless(&self, stmt: &Stmt) -> Option<String> {
        let (body, condition, goes_on) = match &stmt.kind {
            StmtKind::While(condition, body) => (body, Some(condition), true),
            StmtKind::Repeat(body, until) => (body, until.as_ref(), false),
            StmtKind::Turns(turns) if !turns.once => (&turns.body, turns.guard.as_ref(), true),
            _ => return None,
        };
        let turns = matches!(stmt.kind, StmtKind::Turns(_));
        if leaves(body, turns, true) || self.may_end(body) {
            return None;
        }
        let Some(condition) = condition else {
            return Some("this goes on for ever: nothing inside leaves it".to_owned());
        };
        if self.decided(condition) == Some(goes_on) {
            return Some("this goes on for ever: its condition never changes".to_owned());
        }
        if self.decided(condition).is_some() {
            return None;
        }
        let mut read = Touched::default();
        self.reads(condition, &mut read);
        self.follow_reads(&mut read);
        let mut written = Touched::default();
        self.writes(body, &mut written);
        while let Some(proc) = written.open_procs.pop().and_then(|it| self.proc(it)) {
            self.writes(&proc.body, &mut written);
        }
        if let StmtKind::Turns(turns) = &stmt.kind {
            written.cells.insert(Cell::Local(turns.me));
        }
        let all = read.cells.contains(&Cell::All) || written.cells.contains(&Cell::All);
        if all || !read.cells.is_disjoint(&written.cells) {
            return None;
        }
        Some("this goes on for ever once it has begun: nothing inside changes what its condition reads".to_owned())
    }

    fn reads(&self, expr: &Expr, out: &mut Touched) {
        let mut zone = |place: &Place| out.cells.insert(Cell::Zone(place.zone));
        if let Some(place) = expr.kind.place() {
            zone(place);
        }
        match &expr.kind {
            ExprKind::Track(id, _) => {
                out.cells.insert(Cell::Track(*id));
            }
            ExprKind::Local(id) => {
                out.cells.insert(Cell::Local(*id));
            }
            ExprKind::Frontier(id) | ExprKind::Laid(id) => {
                out.cells.insert(Cell::Zone(*id));
            }
            ExprKind::Repeated
            | ExprKind::PartsAt(..)
            | ExprKind::Touching(_)
            | ExprKind::Loose(_)
            | ExprKind::PartAtPort(..) => {
                out.cells.insert(Cell::All);
            }
            ExprKind::Aggregate(it) => {
                for binder in &it.binders {
                    if let Over::Zone(place) = &binder.over {
                        zone(place);
                    }
                }
            }
            ExprKind::Call(id, _) => out.meet_define(*id),
            ExprKind::Can(_, alts) => {
                for alt in alts {
                    if let AltKind::Action(id, _) = &alt.kind
                        && out.actions.insert(*id)
                    {
                        out.open_actions.push(*id);
                    }
                }
            }
            // What happens in a hypothesis may read anything.
            ExprKind::After(..) => {
                out.cells.insert(Cell::All);
            }
            _ => {}
        }
        parts_of_expr(expr, &mut |node| {
            if let Node::Expr(inner) = node {
                self.reads(inner, out);
            }
        });
    }

    /// Names something of the position that a definition reads, itself or through another.
    pub(super) fn state_read_by(&self, id: DefineId) -> Option<String> {
        let mut read = Touched::default();
        read.meet_define(id);
        self.state_in(read)
    }

    /// Names something of the position that an expression reads, itself or through a definition.
    pub(super) fn state_read_in(&self, expr: &Expr) -> Option<String> {
        let mut read = Touched::default();
        self.reads(expr, &mut read);
        self.state_in(read)
    }

    fn state_in(&self, mut read: Touched) -> Option<String> {
        self.follow_reads(&mut read);
        let named = read.cells.iter().filter_map(|cell| match cell {
            Cell::Track(id) => self
                .game
                .tracks
                .get(id.index())
                .map(|it| format!("`{}`", it.name)),
            Cell::Zone(id) => self
                .game
                .zones
                .get(id.index())
                .map(|it| format!("`{}`", it.name)),
            Cell::All => Some("the position".to_owned()),
            Cell::Local(_) => None,
        });
        named.min()
    }

    /// Notes what the definitions and actions read that were met; each is looked at once.
    fn follow_reads(&self, out: &mut Touched) {
        loop {
            if let Some(define) = out.open_defines.pop() {
                if let Some(define) = self.define(define) {
                    self.reads(&define.body, out);
                }
            } else if let Some(action) = out.open_actions.pop() {
                if let Some(action) = self.game.actions.get(action.index()) {
                    self.reads_of_action_rules(action, out);
                }
            } else {
                return;
            }
        }
    }

    fn reads_of_action_rules(&self, action: &Action, out: &mut Touched) {
        for require in &action.requires {
            self.reads(&require.cond, out);
        }
        for param in &action.params {
            match &param.over {
                Over::Set(set) => self.reads(set, out),
                Over::Zone(place) => {
                    out.cells.insert(Cell::Zone(place.zone));
                }
                Over::Span(from, to) => {
                    self.reads(from, out);
                    self.reads(to, out);
                }
            }
        }
    }

    fn writes(&self, block: &[Stmt], out: &mut Touched) {
        each_statement(block, &mut |stmt| {
            self.writes_of(stmt, out);
            for id in chosen_actions(stmt) {
                if let Some(action) = self.game.actions.get(id.index()) {
                    out.meet(action.body);
                }
            }
        });
    }

    fn writes_of(&self, stmt: &Stmt, out: &mut Touched) {
        let zone = |out: &mut Touched, id: ZoneId| {
            out.cells.insert(Cell::Zone(id));
        };
        zones_of(stmt, &mut |id| zone(out, id));
        match &stmt.kind {
            StmtKind::SetTrack(id, ..) => {
                out.cells.insert(Cell::Track(*id));
            }
            StmtKind::Show(place, _) => zone(out, place.zone),
            StmtKind::SetLocal(id, ..) => {
                out.cells.insert(Cell::Local(*id));
            }
            StmtKind::Pick(pick) => {
                out.cells.insert(Cell::Local(pick.local));
            }
            StmtKind::Call(id, _) => out.meet(*id),
            StmtKind::CallInto(local, id, _) => {
                out.cells.insert(Cell::Local(*local));
                out.meet(*id);
            }
            _ => {}
        }
        bound_inside(stmt, out);
    }
}

/// Locals that a loop inside binds anew in each round.
fn bound_inside(stmt: &Stmt, out: &mut Touched) {
    parts_of_stmt(stmt, &mut |node| {
        if let Node::Binds(local) = node {
            out.cells.insert(Cell::Local(local));
        }
    });
}

/// Whether something in a block leaves the loop around it. `next` and `again` leave a loop inside a
/// turn, but not the turns themselves.
fn leaves(block: &[Stmt], turns: bool, here: bool) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        StmtKind::Return(_) | StmtKind::End(..) => true,
        StmtKind::Next | StmtKind::Again => !turns && here,
        StmtKind::Turns(inner) => leaves(&inner.body, turns, false),
        _ => {
            let mut found = false;
            parts_of_stmt(stmt, &mut |node| {
                if let Node::Stmt(inner) = node {
                    found |= leaves(std::slice::from_ref(inner), turns, here);
                }
            });
            found
        }
    })
}

/// The place of a loop's head.
fn head(span: Span) -> Span {
    Span {
        end: span.end.min(span.start + 6),
        ..span
    }
}
