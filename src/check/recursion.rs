//! Definitions, actions and procedures that come back to themselves.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::diagnostic::codes;
use crate::model::{
    Action, ActionId, AltKind, ClauseId, DefineId, Expr, ExprKind, Node, ProcId, ProcKind,
    StmtKind, each_in_block, each_in_expr, parts_of_expr, parts_of_stmt,
};

use super::Checker;
use super::effect::chosen_actions;

/// How many levels an expression may have with all that it calls put in place: whoever follows calls
/// gets no deeper.
const MOST_LEVELS: usize = 2_000;

/// What can be on the way from something to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Station {
    Define(DefineId),
    Proc(ProcId),
    /// Whether an action is legal.
    Legality(ActionId),
}

pub(super) type Graph = HashMap<Station, Vec<Station>>;

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

    /// Reports the first way through definitions and legal moves that is too long to be followed.
    pub(super) fn check_levels(&mut self) {
        let mut graph = Graph::default();
        for (index, define) in self.game.defines.iter().enumerate() {
            let next = leads(std::iter::once(&define.body));
            graph.insert(Station::Define(DefineId(number(index))), next);
        }
        for (index, action) in self.game.actions.iter().enumerate() {
            graph.insert(
                Station::Legality(ActionId(number(index))),
                leads(asked(action)),
            );
        }
        let mut levels: Levels = HashMap::default();
        for station in in_order(&graph) {
            let n = match station {
                Station::Define(id) => self
                    .define(id)
                    .map(|it| levels_of(Node::Expr(&it.body), &levels)),
                Station::Legality(id) => {
                    let exprs = self.game.actions.get(id.index()).map(asked);
                    let each = exprs.into_iter().flatten();
                    each.map(|it| levels_of(Node::Expr(it), &levels)).max()
                }
                Station::Proc(_) => None,
            };
            let n = n.unwrap_or(0);
            if n > MOST_LEVELS {
                let (name, clause) = self.station(station);
                let span = clause.and_then(|it| self.game.clauses.get(it.index()));
                let span = span.map_or(self.composed.header.span, |it| it.span);
                let message = format!(
                    "`{name}` leads through more than {MOST_LEVELS} levels of definitions that call each other"
                );
                let help =
                    "keep what is worked out on the way in a track, or go through it with a loop";
                self.complain(codes::NESTED_TOO_DEEP, span, message, help);
                return;
            }
            levels.insert(station, n);
        }
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
                "write `depth 10` in the head of a definition, an event or a flow on this way: so deep it may go at most"
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
        let mut graph = Graph::default();
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
            graph.insert(
                Station::Legality(ActionId(number(index))),
                leads(asked(action)),
            );
        }
        graph
    }

    fn offers(&self, proc: &crate::model::Proc) -> bool {
        let mut offers = false;
        crate::model::each_statement(&proc.body, &mut |stmt| {
            offers |= !chosen_actions(stmt).is_empty();
        });
        offers
    }
}

/// What is asked to find out whether an action is legal.
fn asked(action: &Action) -> impl Iterator<Item = &Expr> {
    let requires = action.requires.iter().map(|it| &it.cond);
    let sets = action.params.iter().flat_map(|it| it.over.exprs());
    requires.chain(sets)
}

/// Lists where expressions lead.
fn leads<'e>(exprs: impl Iterator<Item = &'e Expr>) -> Vec<Station> {
    let mut next = Vec::new();
    for expr in exprs {
        follow(Node::Expr(expr), &mut next);
        each_in_expr(expr, &mut |node| follow(node, &mut next));
    }
    next
}

/// How many levels there are below what can be called.
type Levels = HashMap<Station, usize>;

/// Counts the levels of a tree with all that it calls put in place.
fn levels_of(node: Node<'_>, known: &Levels) -> usize {
    let mut called = Vec::new();
    follow(node, &mut called);
    let called = called.iter().filter_map(|it| known.get(it)).max();
    let mut below = 0;
    let mut each = |part: Node<'_>| below = below.max(levels_of(part, known));
    match node {
        Node::Expr(expr) => parts_of_expr(expr, &mut each),
        Node::Stmt(stmt) => parts_of_stmt(stmt, &mut each),
        Node::Binds(_) => {}
    }
    1 + below + called.copied().unwrap_or(0)
}

pub(super) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Notes where an expression or statement leads.
pub(super) fn follow(node: Node<'_>, next: &mut Vec<Station>) {
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
    let to_itself = |it: &Station| graph.get(it).is_some_and(|next| next.contains(it));
    let mut found = components(graph);
    found.retain(|knot| knot.len() > 1 || knot.iter().any(to_itself));
    found.sort();
    found
}

/// Parts the stations into sets that lead to each other, each behind all that it leads to.
pub(super) fn components(graph: &Graph) -> Vec<Vec<Station>> {
    let mut before: Graph = Graph::default();
    for (from, next) in graph {
        for to in next {
            before.entry(*to).or_default().push(*from);
        }
    }
    let finished = in_order(graph);
    let mut met = HashSet::default();
    let mut found = Vec::new();
    for start in finished.iter().rev() {
        let mut knot = Vec::new();
        walk(*start, &before, &mut met, &mut knot);
        if !knot.is_empty() {
            found.push(knot);
        }
    }
    found.reverse();
    found
}

/// Lists all stations, each behind those that it leads to.
fn in_order(graph: &Graph) -> Vec<Station> {
    let mut stations: Vec<Station> = graph.keys().copied().collect();
    stations.sort();
    let (mut met, mut finished) = (HashSet::default(), Vec::new());
    for start in stations {
        walk(start, graph, &mut met, &mut finished);
    }
    finished
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
    let mut came_from: HashMap<Station, Station> = HashMap::default();
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
