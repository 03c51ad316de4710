//! Whether the rules go on behind statements.

use std::collections::BTreeSet;

use crate::model::{Game, Node, Picker, ProcId, Stmt, StmtKind, each_in_block};

/// Whether what stands behind statements may be left out, or waits for another choice.
pub(super) fn may_leave(game: &Game, block: &[Stmt], seen: &mut BTreeSet<ProcId>) -> bool {
    let (mut leaves, mut called) = (false, Vec::new());
    let mut note = |node: Node<'_>| {
        let Node::Stmt(stmt) = node else { return };
        match &stmt.kind {
            StmtKind::Return(_) | StmtKind::Next | StmtKind::Again | StmtKind::End(..) => {
                leaves = true;
            }
            StmtKind::Choose(_) | StmtKind::Window(_) | StmtKind::Together(_) => leaves = true,
            StmtKind::Pick(pick) => leaves |= matches!(pick.who, Picker::Seat(_)),
            StmtKind::Call(id, _) | StmtKind::CallInto(_, id, _) => called.push(*id),
            _ => {}
        }
    };
    each_in_block(block, &mut note);
    leaves
        || called.into_iter().any(|id| {
            let proc = game.procs.get(id.index());
            seen.insert(id) && proc.is_some_and(|it| it.chooses || ends(game, &it.body, seen))
        })
}

/// Whether statements may end the game.
fn ends(game: &Game, block: &[Stmt], seen: &mut BTreeSet<ProcId>) -> bool {
    let (mut found, mut called) = (false, Vec::new());
    each_in_block(block, &mut |node| {
        let Node::Stmt(stmt) = node else { return };
        match &stmt.kind {
            StmtKind::End(..) => found = true,
            StmtKind::Call(id, _) | StmtKind::CallInto(_, id, _) => called.push(*id),
            _ => {}
        }
    });
    found
        || called.into_iter().any(|id| {
            let proc = game.procs.get(id.index());
            seen.insert(id) && proc.is_some_and(|it| ends(game, &it.body, seen))
        })
}
