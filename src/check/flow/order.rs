//! In which order definitions, procedures and actions are looked at: what is called comes first.

use super::super::recursion::{Graph, Station, components, follow, number};
use crate::model::{
    ActionId, AltKind, DefineId, Game, Node, Over, ProcId, TemplatePart, each_in_block,
    each_in_expr, parts_of_stmt,
};

/// Lists what leads to each other together, each such group behind all that it leads to; and says of each procedure whether
/// anything leads to it, be it in a trial.
pub(super) fn groups(game: &Game) -> (Vec<Vec<Station>>, Vec<bool>) {
    let graph = graph(game);
    let mut told = Vec::new();
    for telling in &game.tellings {
        telling.exprs(&mut |it| whole(it, &mut told));
    }
    let mut is_called = vec![false; game.procs.len()];
    for station in graph.values().flatten().chain(&told) {
        if let Station::Proc(id) = station
            && let Some(known) = is_called.get_mut(id.index())
        {
            *known = true;
        }
    }
    (components(&graph), is_called)
}

fn graph(game: &Game) -> Graph {
    let mut graph = Graph::default();
    for (index, define) in game.defines.iter().enumerate() {
        let mut next = Vec::new();
        whole(&define.body, &mut next);
        graph.insert(Station::Define(DefineId(number(index))), next);
    }
    for (index, proc) in game.procs.iter().enumerate() {
        let mut next = Vec::new();
        each_in_block(&proc.body, &mut |node| follow(node, &mut next));
        with_bodies(game, &mut next);
        graph.insert(Station::Proc(ProcId(number(index))), next);
    }
    for (index, action) in game.actions.iter().enumerate() {
        let mut next = Vec::new();
        for param in &action.params {
            match &param.over {
                Over::Set(set) => whole(set, &mut next),
                Over::Zone(place) => place.index.iter().for_each(|it| whole(it, &mut next)),
                Over::Span(from, to) => {
                    whole(from, &mut next);
                    whole(to, &mut next);
                }
            }
        }
        let messages = action.requires.iter().filter_map(|it| it.message.as_ref());
        for require in &action.requires {
            whole(&require.cond, &mut next);
        }
        for part in messages.chain([&action.text]).flat_map(|it| &it.parts) {
            if let TemplatePart::Hole(hole) = part {
                whole(hole, &mut next);
            }
        }
        graph.insert(Station::Legality(ActionId(number(index))), next);
    }
    graph
}

fn whole(expr: &crate::model::Expr, next: &mut Vec<Station>) {
    follow(Node::Expr(expr), next);
    each_in_expr(expr, &mut |node| follow(node, next));
}

/// What is chosen is done there.
fn with_bodies(game: &Game, next: &mut Vec<Station>) {
    let bodies: Vec<Station> = next
        .iter()
        .filter_map(|it| match it {
            Station::Legality(id) => game.actions.get(id.index()),
            _ => None,
        })
        .map(|it| Station::Proc(it.body))
        .collect();
    next.extend(bodies);
}

/// The procedures that a block calls, or that are done when somebody chooses in it.
pub(super) fn called(game: &Game, block: &[crate::model::Stmt], out: &mut Vec<ProcId>) {
    for stmt in block {
        if let crate::model::StmtKind::Call(id, _) | crate::model::StmtKind::CallInto(_, id, _) =
            &stmt.kind
        {
            out.push(*id);
        }
        let actions = super::super::effect::chosen_actions(stmt);
        let found = actions
            .iter()
            .filter_map(|it| game.actions.get(it.index()))
            .map(|it| it.body);
        out.extend(found);
        parts_of_stmt(stmt, &mut |node| {
            if let Node::Stmt(inner) = node {
                called(game, std::slice::from_ref(inner), out);
            }
        });
    }
}

/// The actions that somebody is offered somewhere.
pub(super) fn offered(game: &Game) -> Vec<bool> {
    let mut offered = vec![false; game.actions.len()];
    for proc in &game.procs {
        crate::model::each_statement(&proc.body, &mut |stmt| {
            let lists: Vec<&[crate::model::Alt]> = match &stmt.kind {
                crate::model::StmtKind::Choose(choose) => vec![&choose.alts],
                crate::model::StmtKind::Window(it) => {
                    it.slots.iter().map(|slot| slot.alts.as_slice()).collect()
                }
                _ => Vec::new(),
            };
            for alt in lists.into_iter().flatten() {
                if let AltKind::Action(id, _) = &alt.kind
                    && let Some(known) = offered.get_mut(id.index())
                {
                    *known = true;
                }
            }
        });
    }
    offered
}
