//! What the seats are ranked by when a game is over.

use crate::model::{Expr, ExprKind, Game, ProcKind, ShownWhat, StmtKind, UnaryOp};

/// What the figures of an ending are called, most important first: by their names on the table, or else
/// in the rules; none for one that is calculated on the spot. None at all where it ranks nobody.
pub fn figures_of(game: &Game, ending: &str) -> Option<Vec<Figure>> {
    let mut procs = game.procs.iter();
    let ending = procs.find(|it| it.kind == ProcKind::Ending && it.name == ending)?;
    let keys = ending.body.iter().find_map(|it| match &it.kind {
        StmtKind::Ranking(_, keys) => Some(keys),
        _ => None,
    })?;
    let name = |key: &Expr| -> Option<String> {
        let (what, name) = match &key.kind {
            ExprKind::Call(id, _) => (ShownWhat::Define(*id), &game.defines.get(id.index())?.name),
            ExprKind::Track(id, _) => (ShownWhat::Track(*id), &game.tracks.get(id.index())?.name),
            _ => return None,
        };
        let shown = game.shown.iter().find(|it| it.what == what);
        let label = shown.map(|it| it.label.clone()).filter(|it| !it.is_empty());
        Some(label.unwrap_or_else(|| name.replace('_', " ")))
    };
    let figure = |key: &Expr| {
        let (key, least) = match &key.kind {
            ExprKind::Unary(UnaryOp::Neg, inner) => (&**inner, true),
            _ => (key, false),
        };
        Figure {
            name: name(key),
            least,
            is_truth: matches!(key.kind, ExprKind::If(..)),
        }
    };
    Some(keys.iter().map(figure).collect())
}

/// A figure that an ending ranks by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// What it is called, if it is not calculated on the spot.
    pub name: Option<String>,
    /// Whether less is better; it is kept with its sign turned round.
    pub least: bool,
    /// Whether it only says yes or no.
    pub is_truth: bool,
}
