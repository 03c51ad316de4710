//! What is laid on a pile that is shuffled before anybody looks: in which order is left to nobody.

use crate::check::Checker;
use crate::model::{
    Expr, ExprKind, Lie, Move, Node, Place, Stmt, StmtKind, What, ZoneKind, each_in_block, poured,
};

/// Lets all that is laid on a pile just before a shuffle lie in any order.
pub(in crate::check) fn mix(before: &mut [Stmt], pile: &Place) {
    for stmt in before.iter_mut().rev() {
        if !is_blind(stmt, pile) {
            return;
        }
        mix_in(stmt, pile);
    }
}

/// Whether a statement does nothing but move things, whatever the order of a pile is.
fn is_blind(stmt: &Stmt, pile: &Place) -> bool {
    let mut is_blind = true;
    each_in_block(std::slice::from_ref(stmt), &mut |node| {
        is_blind &= match node {
            Node::Stmt(stmt) => match &stmt.kind {
                StmtKind::Move(moved) => match &moved.what {
                    What::All(from, _) => from.zone != pile.zone,
                    What::At(_) | What::Copies(..) => true,
                    What::Top(..) | What::Nth(..) | What::Draw(..) => false,
                },
                StmtKind::Let(..)
                | StmtKind::SetTrack(..)
                | StmtKind::Shuffle(_)
                | StmtKind::If(..)
                | StmtKind::ForEach(..) => true,
                _ => false,
            },
            Node::Expr(expr) => !matches!(
                expr.kind,
                ExprKind::Top(_) | ExprKind::Nth(..) | ExprKind::Repeated | ExprKind::Call(..)
            ),
            Node::Binds(_) => true,
        };
    });
    is_blind
}

fn mix_in(stmt: &mut Stmt, pile: &Place) {
    match &mut stmt.kind {
        StmtKind::Move(Move {
            what: What::All(_, lie),
            to,
            ..
        }) if is_same(to, pile) => *lie = Lie::Mixed,
        StmtKind::ForEach(_, body) => body.iter_mut().for_each(|it| mix_in(it, pile)),
        StmtKind::If(_, then, other) => {
            let both = then.iter_mut().chain(other);
            both.for_each(|it| mix_in(it, pile));
        }
        _ => {}
    }
}

/// Whether two places are surely the same.
fn is_same(one: &Place, other: &Place) -> bool {
    let same = |(one, other): (&Expr, &Expr)| match (&one.kind, &other.kind) {
        (ExprKind::Value(one), ExprKind::Value(other)) => one == other,
        (ExprKind::Local(one), ExprKind::Local(other)) => one == other,
        _ => false,
    };
    one.zone == other.zone && one.index.iter().zip(&other.index).all(same)
}

impl Checker<'_> {
    /// Names streams of chance for the piles on which something may come to lie in no order.
    pub(in crate::check) fn name_streams_of_piles(&mut self) {
        let zones = &self.game.zones;
        let kind_of = |place: &Place| zones.get(place.zone.index()).map(|it| it.kind);
        let mut piles: Vec<String> = Vec::new();
        for proc in &self.game.procs {
            each_in_block(&proc.body, &mut |node| {
                let Node::Stmt(stmt) = node else { return };
                let (from, to) = match &stmt.kind {
                    StmtKind::Move(Move {
                        what: What::All(from, Lie::Ordered),
                        to,
                        ..
                    }) => (from, to),
                    StmtKind::ForEach(binders, body) => match poured(binders, body) {
                        Some(it) => (it.from, it.to),
                        None => return,
                    },
                    _ => return,
                };
                let goes = kind_of(from) != Some(ZoneKind::One);
                if goes && kind_of(to) == Some(ZoneKind::Pile) {
                    piles.extend(zones.get(to.zone.index()).map(|it| it.name.clone()));
                }
            });
        }
        for pile in piles {
            self.stream(&pile);
        }
    }
}
