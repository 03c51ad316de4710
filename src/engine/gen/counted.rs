//! Numbers that are counted on: each write sets them to a small number or changes them by a few, so that it
//! takes hundreds of millions of writes before one of them leaves what a number may be.

use std::collections::HashSet;

use crate::model::{
    AssignOp, Base, BinaryOp, Expr, ExprKind, Game, INT, Node, StmtKind, TrackId, Type,
    each_in_block,
};

/// The greatest magnitude that a counted number is set to.
const MOST_SET: i64 = 1_000_000;
/// The most by which one write changes it.
const MOST_STEP: i64 = 10;
/// What every counted number may be.
const WIDE: Type = Type::of(Base::Int(INT.0, INT.1));

/// The tracks of a game that are only counted on. Positions that a ruling gives count among the writes.
pub(super) fn counted(game: &Game) -> HashSet<TrackId> {
    let all = (0u32..).zip(&game.tracks);
    let mut left: HashSet<TrackId> = all
        .filter(|(_, it)| it.ty == WIDE)
        .map(|(at, _)| TrackId(at))
        .collect();
    for (at, track) in (0u32..).zip(&game.tracks) {
        if !goes_on(TrackId(at), &track.init) {
            left.remove(&TrackId(at));
        }
    }
    for proc in &game.procs {
        each_in_block(&proc.body, &mut |node| {
            if let Node::Stmt(stmt) = node
                && let StmtKind::SetTrack(track, _, op, value) = &stmt.kind
            {
                let stays = match op {
                    AssignOp::Set => goes_on(*track, value),
                    AssignOp::Add | AssignOp::Sub => at_most(value, MOST_STEP),
                };
                if !stays {
                    left.remove(track);
                }
            }
        });
    }
    left
}

/// Whether a value of a counted track, or one that it gets, is a small number or the old one changed by one.
fn goes_on(track: TrackId, value: &Expr) -> bool {
    let is_old = |it: &Expr| matches!(it.kind, ExprKind::Track(of, _) if of == track);
    match &value.kind {
        ExprKind::If(_, then, other) => goes_on(track, then) && goes_on(track, other),
        ExprKind::Match(_, arms, other) => {
            let mut all = arms.iter().map(|it| &it.1).chain(other.as_deref());
            all.all(|it| goes_on(track, it))
        }
        ExprKind::Binary(BinaryOp::Add, one, other) if is_old(other) => at_most(one, MOST_STEP),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, one, by) if is_old(one) => {
            at_most(by, MOST_STEP)
        }
        _ => is_old(value) || at_most(value, MOST_SET),
    }
}

fn at_most(value: &Expr, most: i64) -> bool {
    matches!(value.ty.base, Base::Int(lo, hi) if -most <= lo && hi <= most)
}
