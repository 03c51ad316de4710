//! Who calls whom, who calls itself, and which locals are written to after they are bound.

use std::collections::HashSet;

use super::counted::counted;
use crate::model::{
    Action, ActionId, AltKind, DefineId, Expr, ExprKind, Game, LocalId, Node, Over, ProcId,
    StmtKind, TemplatePart, TrackId, each_in_block, each_in_expr,
};

/// A node of the call graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::engine) enum Callee {
    Define(DefineId),
    Proc(ProcId),
    Action(ActionId),
}

/// For each node, the circle of calls that it lies on, if it does.
#[derive(Debug, Default)]
pub(in crate::engine) struct Graph {
    circles: Vec<Option<usize>>,
    defines: usize,
    procs: usize,
    /// Locals whose value changes while they are bound.
    pub written: HashSet<LocalId>,
    /// Tracks that are only counted on.
    pub counted: HashSet<TrackId>,
}

impl Graph {
    pub fn of(game: &Game) -> Self {
        let (defines, procs) = (game.defines.len(), game.procs.len());
        let mut graph = Self {
            circles: Vec::new(),
            defines,
            procs,
            written: HashSet::new(),
            counted: counted(game),
        };
        let mut direct: Vec<HashSet<usize>> = Vec::new();
        for define in &game.defines {
            let mut out = HashSet::new();
            graph.of_expr(&define.body, &mut out);
            direct.push(out);
        }
        for proc in &game.procs {
            let mut out = HashSet::new();
            let mut written = HashSet::new();
            each_in_block(&proc.body, &mut |node| {
                graph.of_node(node, &mut out);
                if let Node::Stmt(stmt) = node
                    && let StmtKind::SetLocal(local, ..) = stmt.kind
                {
                    written.insert(local);
                }
            });
            graph.written.extend(written);
            direct.push(out);
        }
        for action in &game.actions {
            direct.push(graph.of_action(action));
        }
        graph.circles = circles(&direct);
        graph
    }

    /// Whether a definition, procedure or action may call itself.
    pub fn recursive(&self, node: Callee) -> bool {
        self.in_circle(node, node)
    }

    /// Whether two that call each other, or the first the second, may come back to the first.
    pub fn in_circle(&self, caller: Callee, callee: Callee) -> bool {
        let circle = |node| self.circles.get(self.index(node)).copied().flatten();
        circle(caller).is_some_and(|it| circle(callee) == Some(it))
    }

    fn index(&self, node: Callee) -> usize {
        match node {
            Callee::Define(id) => id.index(),
            Callee::Proc(id) => self.defines + id.index(),
            Callee::Action(id) => self.defines + self.procs + id.index(),
        }
    }

    fn of_expr(&self, expr: &Expr, out: &mut HashSet<usize>) {
        self.of_node(Node::Expr(expr), out);
        each_in_expr(expr, &mut |node| self.of_node(node, out));
    }

    fn of_node(&self, node: Node<'_>, out: &mut HashSet<usize>) {
        match node {
            Node::Expr(expr) => match &expr.kind {
                ExprKind::Call(define, _) => {
                    out.insert(self.index(Callee::Define(*define)));
                }
                ExprKind::Can(_, alts) => self.of_alts(alts, out),
                _ => {}
            },
            Node::Stmt(stmt) => match &stmt.kind {
                StmtKind::Call(proc, _)
                | StmtKind::CallInto(_, proc, _)
                | StmtKind::End(proc, _) => {
                    out.insert(self.index(Callee::Proc(*proc)));
                }
                StmtKind::Choose(choose) => self.of_alts(&choose.alts, out),
                StmtKind::Window(window) => {
                    for slot in &window.slots {
                        self.of_alts(&slot.alts, out);
                    }
                }
                _ => {}
            },
            Node::Binds(_) => {}
        }
    }

    fn of_alts(&self, alts: &[crate::model::Alt], out: &mut HashSet<usize>) {
        for alt in alts {
            if let AltKind::Action(action, _) = &alt.kind {
                out.insert(self.index(Callee::Action(*action)));
            }
        }
    }

    fn of_action(&self, action: &Action) -> HashSet<usize> {
        let mut out = HashSet::new();
        out.insert(self.index(Callee::Proc(action.body)));
        for param in &action.params {
            match &param.over {
                Over::Set(set) => self.of_expr(set, &mut out),
                Over::Zone(place) => place.index.iter().for_each(|i| self.of_expr(i, &mut out)),
                Over::Span(from, to) => {
                    self.of_expr(from, &mut out);
                    self.of_expr(to, &mut out);
                }
            }
        }
        for require in &action.requires {
            self.of_expr(&require.cond, &mut out);
        }
        for part in &action.text.parts {
            if let TemplatePart::Hole(expr) = part {
                self.of_expr(expr, &mut out);
            }
        }
        out
    }
}

/// Numbers the circles: nodes that lead to each other lie on one.
fn circles(direct: &[HashSet<usize>]) -> Vec<Option<usize>> {
    let mut back: Vec<Vec<usize>> = vec![Vec::new(); direct.len()];
    for (from, next) in direct.iter().enumerate() {
        for to in next {
            if let Some(back) = back.get_mut(*to) {
                back.push(from);
            }
        }
    }
    let next: Vec<Vec<usize>> = direct
        .iter()
        .map(|it| it.iter().copied().collect())
        .collect();
    let mut met = vec![false; direct.len()];
    let mut finished = Vec::new();
    for start in 0..direct.len() {
        walk(start, &next, &mut met, &mut finished);
    }
    let mut met = vec![false; direct.len()];
    let mut circles = vec![None; direct.len()];
    for (number, start) in finished.into_iter().rev().enumerate() {
        let mut knot = Vec::new();
        walk(start, &back, &mut met, &mut knot);
        let to_itself = |it: &usize| direct.get(*it).is_some_and(|next| next.contains(it));
        if knot.len() > 1 || knot.iter().any(to_itself) {
            for node in knot {
                if let Some(circle) = circles.get_mut(node) {
                    *circle = Some(number);
                }
            }
        }
    }
    circles
}

/// Lists what can be reached and was not met, each node behind those that it leads to.
fn walk(start: usize, next: &[Vec<usize>], met: &mut [bool], finished: &mut Vec<usize>) {
    let mut enter = |node: usize| match met.get_mut(node) {
        Some(met) => !std::mem::replace(met, true),
        None => false,
    };
    let mut open: Vec<(usize, usize)> = Vec::new();
    if enter(start) {
        open.push((start, 0));
    }
    while let Some((at, step)) = open.pop() {
        match next.get(at).and_then(|it| it.get(step)) {
            Some(to) => {
                open.push((at, step + 1));
                if enter(*to) {
                    open.push((*to, 0));
                }
            }
            None => finished.push(at),
        }
    }
}
