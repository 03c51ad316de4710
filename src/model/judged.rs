//! What the figures of an ending come to where they are the same for all.

use super::{BinaryOp, Expr, ExprKind, Game, Node, ProcId, Stmt, StmtKind, each_in_block};

/// How a game can end alike for all who played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alike {
    /// The rules say that they win, all of them.
    AllWin,
    /// The rules say who wins, and it is nobody.
    NobodyWins,
    /// Nobody is better than the others.
    Draw,
}

/// How a game has ended if all are equal in the figures of its ending.
#[must_use]
pub fn alike(game: &Game, ending: ProcId, figures: &[Vec<i64>]) -> Option<Alike> {
    let [first, others @ ..] = figures else {
        return None;
    };
    if others.iter().any(|it| it != first) {
        return None;
    }
    match (first.first(), judges_by(game, ending)) {
        (
            Some(0),
            Judges {
                names: true,
                ranks: false,
                alone: false,
            },
        ) => Some(Alike::NobodyWins),
        (
            Some(_),
            Judges {
                names: true,
                ranks: false,
                alone: false,
            },
        ) => Some(Alike::AllWin),
        // Who plays alone has nobody to be equal to.
        (
            Some(0),
            Judges {
                ranks: false,
                alone: true,
                ..
            },
        ) if others.is_empty() => Some(Alike::NobodyWins),
        _ if others.is_empty() => None,
        _ => Some(Alike::Draw),
    }
}

/// In which ways an ending can say who has won.
#[derive(Default)]
struct Judges {
    /// A set of those who win.
    names: bool,
    /// The one who wins, or none.
    alone: bool,
    /// Figures.
    ranks: bool,
}

fn judges_by(game: &Game, ending: ProcId) -> Judges {
    let mut judges = Judges::default();
    if let Some(ending) = game.procs.get(ending.index()) {
        each_in_block(&ending.body, &mut |node| {
            let Node::Stmt(stmt) = node else { return };
            match &stmt.kind {
                StmtKind::Winner(_) => judges.alone = true,
                StmtKind::Ranking(_, keys) if names_winners(keys) => judges.names = true,
                StmtKind::Ranking(..) => judges.ranks = true,
                _ => {}
            }
        });
    }
    judges
}

/// Whether figures say no more than who is in a set.
#[must_use]
pub fn names_winners(keys: &[Expr]) -> bool {
    let [
        Expr {
            kind: ExprKind::If(whether, ..),
            ..
        },
    ] = keys
    else {
        return false;
    };
    matches!(whether.kind, ExprKind::Binary(BinaryOp::In, ..))
}

/// Whether statements say who has won whichever way they are gone through.
#[must_use]
pub fn always_judge(statements: &[Stmt]) -> bool {
    statements.iter().any(|it| match &it.kind {
        StmtKind::Winner(_) | StmtKind::Ranking(..) => true,
        StmtKind::If(_, yes, no) => always_judge(yes) && always_judge(no),
        StmtKind::Match(_, cases, Some(others)) => {
            cases.iter().all(|(_, it)| always_judge(it)) && always_judge(others)
        }
        StmtKind::Step(_, block) => always_judge(block),
        _ => false,
    }) && !returns(statements)
}

/// Whether statements may be left before their end.
fn returns(statements: &[Stmt]) -> bool {
    let mut found = false;
    each_in_block(statements, &mut |node| {
        found |= matches!(node, Node::Stmt(stmt) if matches!(stmt.kind, StmtKind::Return(_)));
    });
    found
}
