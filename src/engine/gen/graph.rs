//! Who calls whom, and who calls itself.

use std::collections::HashSet;

use crate::model::{
    Action, ActionId, AltKind, DefineId, Expr, ExprKind, Game, Node, Over, ProcId, StmtKind,
    TemplatePart, each_in_block, each_in_expr,
};

/// A node of the call graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::engine) enum Callee {
    Define(DefineId),
    Proc(ProcId),
    Action(ActionId),
}

/// For each node, everything that it may reach by calls.
#[derive(Debug, Default)]
pub(in crate::engine) struct Graph {
    reach: Vec<HashSet<usize>>,
    defines: usize,
    procs: usize,
}

impl Graph {
    pub fn of(game: &Game) -> Self {
        let (defines, procs) = (game.defines.len(), game.procs.len());
        let mut graph = Self {
            reach: Vec::new(),
            defines,
            procs,
        };
        let mut direct: Vec<HashSet<usize>> = Vec::new();
        for define in &game.defines {
            let mut out = HashSet::new();
            graph.of_expr(&define.body, &mut out);
            direct.push(out);
        }
        for proc in &game.procs {
            let mut out = HashSet::new();
            each_in_block(&proc.body, &mut |node| graph.of_node(node, &mut out));
            direct.push(out);
        }
        for action in &game.actions {
            direct.push(graph.of_action(action));
        }
        for start in 0..direct.len() {
            let mut found = HashSet::new();
            let mut edge: Vec<usize> = direct[start].iter().copied().collect();
            while let Some(node) = edge.pop() {
                if found.insert(node) {
                    edge.extend(direct[node].iter().copied());
                }
            }
            graph.reach.push(found);
        }
        graph
    }

    /// Whether a definition, procedure or action may call itself.
    pub fn recursive(&self, node: Callee) -> bool {
        self.reaches(node, node)
    }

    /// Whether `from` may call `to`.
    pub fn reaches(&self, from: Callee, to: Callee) -> bool {
        self.reach
            .get(self.index(from))
            .is_some_and(|set| set.contains(&self.index(to)))
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
