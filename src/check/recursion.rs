//! Definitions, actions and procedures that come back to themselves.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::codes;
use crate::model::{
    ActionId, AltKind, ClauseId, DefineId, ExprKind, Node, Over, ProcId, ProcKind, StmtKind,
    each_in_block, each_in_expr,
};

use super::Checker;
use super::effect::chosen_actions;

/// What can be on the way from something to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Station {
    Define(DefineId),
    Proc(ProcId),
    /// Whether an action is legal.
    Legality(ActionId),
}

type Graph = HashMap<Station, Vec<Station>>;

impl Checker<'_> {
    /// Reports each way in a circle on which nothing bounds the number of rounds.
    pub(super) fn check_recursion(&mut self) {
        let graph = self.stations();
        for mut knot in knots(&graph) {
            knot.sort();
            let inside: HashSet<Station> = knot.iter().copied().collect();
            if let Some(circle) = knot.first().and_then(|it| circle(*it, &graph, &inside)) {
                self.tell_circle(&circle);
            }
        }
    }

    /// Lists the definitions, each behind those that it calls.
    pub(super) fn defines_by_need(&self) -> Vec<DefineId> {
        let mut graph = Graph::new();
        for (index, define) in self.game.defines.iter().enumerate() {
            let mut next = Vec::new();
            follow(Node::Expr(&define.body), &mut next);
            each_in_expr(&define.body, &mut |node| follow(node, &mut next));
            graph.insert(Station::Define(DefineId(number(index))), next);
        }
        let mut stations: Vec<Station> = graph.keys().copied().collect();
        stations.sort();
        let (mut met, mut finished) = (HashSet::new(), Vec::new());
        for start in stations {
            walk(start, &graph, &mut met, &mut finished);
        }
        let defines = finished.into_iter().filter_map(|it| match it {
            Station::Define(id) => Some(id),
            Station::Proc(_) | Station::Legality(_) => None,
        });
        defines.collect()
    }

    fn tell_circle(&mut self, circle: &[Station]) {
        let mut names: Vec<String> = circle.iter().map(|it| self.station(*it).0).collect();
        names.extend(names.first().cloned());
        let way: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
        let (name, clause) = circle
            .first()
            .map(|it| self.station(*it))
            .unwrap_or_default();
        let span = self
            .game
            .clauses
            .get(clause.map_or(0, ClauseId::index))
            .map(|it| it.span);
        let span = span.unwrap_or(self.composed.header.span);
        let (message, help) = if circle.len() == 1 {
            (
                format!("`{name}` comes back to itself, and nothing says how often"),
                format!("write `depth 10` in the head of `{name}`: so deep it may go at most"),
            )
        } else {
            (
                format!("`{name}` comes back to itself: {}", way.join(" → ")),
                "write `depth 10` in the head of a definition or flow on this way: so deep it may go at most"
                    .to_owned(),
            )
        };
        self.complain(codes::UNBOUNDED_RECURSION, span, message, help);
    }

    fn station(&self, station: Station) -> (String, Option<ClauseId>) {
        let found = match station {
            Station::Define(id) => self.define(id).map(|it| (it.name.clone(), it.clause)),
            Station::Proc(id) => self.proc(id).map(|it| (it.name.clone(), it.clause)),
            Station::Legality(id) => self
                .game
                .actions
                .get(id.index())
                .map(|it| (it.name.clone(), it.clause)),
        };
        match found {
            Some((name, clause)) => (name, Some(clause)),
            None => (String::new(), None),
        }
    }

    fn stations(&self) -> Graph {
        let mut graph = Graph::new();
        for (index, define) in self.game.defines.iter().enumerate() {
            let mut next = Vec::new();
            if define.depth == 0 {
                follow(Node::Expr(&define.body), &mut next);
                each_in_expr(&define.body, &mut |node| follow(node, &mut next));
            }
            graph.insert(Station::Define(DefineId(number(index))), next);
        }
        for (index, proc) in self.game.procs.iter().enumerate() {
            let mut next = Vec::new();
            if proc.depth == 0 {
                each_in_block(&proc.body, &mut |node| follow(node, &mut next));
                // What is chosen is done while the chooser waits.
                let bodies: Vec<Station> = next
                    .iter()
                    .filter_map(|it| match it {
                        Station::Legality(id) => self.game.actions.get(id.index()),
                        _ => None,
                    })
                    .map(|it| Station::Proc(it.body))
                    .collect();
                if proc.kind != ProcKind::Event && self.offers(proc) {
                    next.extend(bodies);
                }
            }
            graph.insert(Station::Proc(ProcId(number(index))), next);
        }
        for (index, action) in self.game.actions.iter().enumerate() {
            let mut next = Vec::new();
            for require in &action.requires {
                follow(Node::Expr(&require.cond), &mut next);
                each_in_expr(&require.cond, &mut |node| follow(node, &mut next));
            }
            for param in &action.params {
                if let Over::Set(set) = &param.over {
                    follow(Node::Expr(set), &mut next);
                    each_in_expr(set, &mut |node| follow(node, &mut next));
                }
            }
            graph.insert(Station::Legality(ActionId(number(index))), next);
        }
        graph
    }

    fn offers(&self, proc: &crate::model::Proc) -> bool {
        let mut offers = false;
        super::effect::each_statement(&proc.body, &mut |stmt| {
            offers |= !chosen_actions(stmt).is_empty();
        });
        offers
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Notes where an expression or statement leads.
fn follow(node: Node<'_>, next: &mut Vec<Station>) {
    match node {
        Node::Expr(expr) => match &expr.kind {
            ExprKind::Call(id, _) => next.push(Station::Define(*id)),
            ExprKind::Can(_, alts) => next.extend(alts.iter().filter_map(|alt| match &alt.kind {
                AltKind::Action(id, _) => Some(Station::Legality(*id)),
                AltKind::Inline { .. } => None,
            })),
            _ => {}
        },
        Node::Stmt(stmt) => {
            if let StmtKind::Call(id, _) | StmtKind::CallInto(_, id, _) = &stmt.kind {
                next.push(Station::Proc(*id));
            }
            next.extend(chosen_actions(stmt).into_iter().map(Station::Legality));
        }
        Node::Binds(_) => {}
    }
}

/// Finds the sets of stations that lead to each other, those that lead to nothing again left out.
fn knots(graph: &Graph) -> Vec<Vec<Station>> {
    let mut stations: Vec<Station> = graph.keys().copied().collect();
    stations.sort();
    let mut before: Graph = Graph::new();
    for (from, next) in graph {
        for to in next {
            before.entry(*to).or_default().push(*from);
        }
    }
    let mut met = HashSet::new();
    let mut finished = Vec::new();
    for start in &stations {
        walk(*start, graph, &mut met, &mut finished);
    }
    let mut met = HashSet::new();
    let mut found = Vec::new();
    for start in finished.iter().rev() {
        let mut knot = Vec::new();
        walk(*start, &before, &mut met, &mut knot);
        let to_itself = |it: &Station| graph.get(it).is_some_and(|next| next.contains(it));
        if knot.len() > 1 || knot.iter().any(to_itself) {
            found.push(knot);
        }
    }
    found.sort();
    found
}

/// Lists what can be reached and was not met, each station behind those that it leads to.
fn walk(start: Station, graph: &Graph, met: &mut HashSet<Station>, finished: &mut Vec<Station>) {
    if !met.insert(start) {
        return;
    }
    let mut open = vec![(start, 0)];
    while let Some((at, step)) = open.pop() {
        match graph.get(&at).and_then(|it| it.get(step)) {
            Some(next) => {
                open.push((at, step + 1));
                if met.insert(*next) {
                    open.push((*next, 0));
                }
            }
            None => finished.push(at),
        }
    }
}

/// Finds a shortest way from a station back to it.
fn circle(start: Station, graph: &Graph, inside: &HashSet<Station>) -> Option<Vec<Station>> {
    let mut came_from: HashMap<Station, Station> = HashMap::new();
    let mut open = std::collections::VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        for next in graph.get(&at).into_iter().flatten() {
            if *next == start {
                let mut way = vec![at];
                let mut here = at;
                while here != start {
                    here = *came_from.get(&here)?;
                    way.push(here);
                }
                way.reverse();
                return Some(way);
            }
            if inside.contains(next) && !came_from.contains_key(next) {
                came_from.insert(*next, at);
                open.push_back(*next);
            }
        }
    }
    None
}
