//! Tracks whose block cannot be entered once more before it ends: nothing has to be kept for them.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::check::Checker;
use crate::model::{
    Expr, ExprKind, LocalId, NodeMut, ProcId, Stmt, StmtKind, TrackId,
    change::{parts_of_expr, parts_of_stmt},
};

impl Checker<'_> {
    /// Gives tracks whose block is entered but once at a time their first value behind it, which is what they were
    /// before, in place of what was kept.
    pub(in crate::check) fn keep_no_first_values(&mut self) {
        // A guard on an event tries actions out wherever somebody asks for them.
        if self.lives.homes.is_empty() || !self.composed.guards.is_empty() {
            return;
        }
        let again = self.entered_again();
        let mut firsts: HashMap<LocalId, Expr> = HashMap::default();
        for (track, _, kept) in &self.lives.homes {
            let Some(first) = self.game.tracks.get(track.index()).map(|it| &it.init) else {
                continue;
            };
            if !again.contains(track) {
                firsts.extend(kept.iter().map(|it| (*it, first.clone())));
            }
        }
        for proc in &mut self.game.procs {
            for stmt in &mut proc.body {
                put_in(stmt, &firsts);
            }
        }
    }

    /// The tracks whose block may be entered while it is not left yet, or where something is tried out.
    fn entered_again(&self) -> HashSet<TrackId> {
        let mut next: HashMap<ProcId, Vec<ProcId>> = HashMap::default();
        for (caller, callee, ..) in &self.lives.calls {
            next.entry(*caller).or_default().push(*callee);
        }
        let reached = |begin: &mut dyn Iterator<Item = ProcId>| {
            let mut open: Vec<ProcId> = begin.collect();
            let mut met: HashSet<ProcId> = HashSet::default();
            while let Some(at) = open.pop() {
                if met.insert(at) {
                    open.extend(next.get(&at).into_iter().flatten());
                }
            }
            met
        };
        let tried = reached(&mut self.lives.tried.iter().copied());
        let mut again = HashSet::default();
        for (track, ..) in &self.lives.homes {
            let calls = self.lives.calls.iter();
            let mut inside = calls
                .filter(|(.., living)| living.contains(track))
                .map(|(_, callee, ..)| *callee);
            let inside = reached(&mut inside);
            let homes = self.lives.homes.iter().filter(|(it, ..)| it == track);
            let is_again = |home: &Option<ProcId>| {
                home.is_none_or(|it| inside.contains(&it) || tried.contains(&it))
            };
            if homes.map(|(_, home, _)| home).any(is_again) {
                again.insert(*track);
            }
        }
        again
    }
}

fn put_in(stmt: &mut Stmt, firsts: &HashMap<LocalId, Expr>) {
    if let StmtKind::Let(local, _) = &stmt.kind
        && firsts.contains_key(local)
    {
        let never = Expr::truth(ExprKind::Value(0), stmt.span);
        stmt.kind = StmtKind::If(never, Vec::new(), Vec::new());
        return;
    }
    parts_of_stmt(stmt, &mut |node| put_below(node, firsts));
}

fn put_below(node: NodeMut<'_>, firsts: &HashMap<LocalId, Expr>) {
    match node {
        NodeMut::Stmt(stmt) => put_in(stmt, firsts),
        NodeMut::Expr(expr) => {
            if let ExprKind::Local(local) = &expr.kind
                && let Some(first) = firsts.get(local)
            {
                expr.kind = first.kind.clone();
                return;
            }
            parts_of_expr(expr, &mut |node| put_below(node, firsts));
        }
        NodeMut::Binds(_) => {}
    }
}
