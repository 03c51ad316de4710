//! One walk over the game for all lints that ask what it does and not how it is written.

use crate::model::{ExprKind, Game, Node, StmtKind, each_in_block, each_in_expr};

/// Returns the calls, the cases and the choices at the same time in the definitions and procedures of a game.
pub(super) fn nodes(game: &Game) -> Vec<Node<'_>> {
    let mut all = Vec::new();
    let mut note = |node| {
        let is_asked_for = match node {
            Node::Expr(expr) => matches!(expr.kind, ExprKind::Call(..) | ExprKind::Match(..)),
            Node::Stmt(stmt) => matches!(
                stmt.kind,
                StmtKind::Call(..)
                    | StmtKind::CallInto(..)
                    | StmtKind::Match(..)
                    | StmtKind::Together(_)
            ),
            Node::Binds(_) => false,
        };
        if is_asked_for {
            all.push(node);
        }
    };
    for define in &game.defines {
        note(Node::Expr(&define.body));
        each_in_expr(&define.body, &mut note);
    }
    for proc in &game.procs {
        each_in_block(&proc.body, &mut note);
    }
    all
}
