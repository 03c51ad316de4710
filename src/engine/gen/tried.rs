//! What is tried out for each move, a thing laid onto an empty place, asked of the position before instead.

use super::Gen;
use super::grown::Laid;
use super::inline::{mentions, substitute};
use super::mask::{conjuncts, is_local};
use super::moved::Moved;
use super::nest::{Cond, Level, Sink};
use super::placed::MOST_PLACED;
use super::structure::same;
use super::unroll::{joined, not};
use crate::engine::layout::Store;
use crate::model::{
    Aggregate, AggregateOp, AssignOp, Base, BinaryOp, Expr, ExprKind, Holding, LocalId, Move, NONE,
    Over, Place, Stmt, StmtKind, TrackId, Type, UnaryOp, What, ZoneId,
};
use std::collections::HashMap;

/// How many calls lead to what is done.
const MOST_CALLS: usize = 4;

/// What holds things, or values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Board {
    Zone(ZoneId),
    Track(TrackId),
}

impl Board {
    /// The one place of a board that is read by an expression itself, and which board that is.
    pub fn read_by(expr: &Expr) -> Option<(Board, &Expr)> {
        let (board, index) = match &expr.kind {
            ExprKind::Component(place) | ExprKind::Filled(place) => {
                (Board::Zone(place.zone), &place.index)
            }
            ExprKind::Track(track, index) => (Board::Track(*track), index),
            _ => return None,
        };
        match index.as_slice() {
            [at] => Some((board, at)),
            _ => None,
        }
    }
}

impl Gen<'_, '_> {
    /// Runs a nest in which something is laid onto an empty place to ask what holds then: where there is something to lay
    /// down, what holds then is asked before. Else as written.
    pub(super) fn nest_tried(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
        sink: &mut Sink<'_>,
    ) -> bool {
        if self.shared.is_plain() || self.literal > 0 || self.trying {
            return false;
        }
        let (mut asked, mut needed, mut found) = (Vec::new(), Vec::new(), false);
        for (at, cond) in conds.iter().enumerate() {
            let before = conds.iter().enumerate().filter(|(other, it)| {
                it.written < cond.written || it.written == cond.written && *other < at
            });
            let mut empty = Vec::new();
            before.for_each(|(_, it)| emptied(it.expr, &mut empty));
            let bound = levels.iter().take(cond.written);
            bound.for_each(|level| emptied_of(level, &mut empty));
            let mut parts = Vec::new();
            conjuncts(cond.expr, &mut parts);
            let mut whole: Option<Expr> = None;
            for part in parts {
                let said = self.said_before(part, levels, &empty, &mut needed);
                found |= said.is_some();
                let part = said.unwrap_or_else(|| part.clone());
                emptied(&part, &mut empty);
                whole = Some(match whole {
                    Some(before) => before.and(part),
                    None => part,
                });
            }
            asked.extend(whole);
        }
        if !found || asked.len() != conds.len() {
            return false;
        }
        let better: Vec<Cond<'_>> = conds
            .iter()
            .zip(&asked)
            .map(|(cond, expr)| Cond { expr, ..*cond })
            .collect();
        let (fast, exit) = (self.label(), self.label());
        if !needed.is_empty() {
            self.jump_if_filled(&needed, fast);
            self.trying = true;
            self.nest(levels, conds, sink);
            self.trying = false;
            self.jump(exit);
        }
        self.bind(fast);
        self.nest(levels, &better, sink);
        self.bind(exit);
        true
    }

    /// `after { … } Q` said of the position before; and what has to be there for it to be done.
    fn said_before(
        &mut self,
        part: &Expr,
        levels: &[Level<'_>],
        empty: &[(Board, Expr)],
        needed: &mut Vec<Expr>,
    ) -> Option<Expr> {
        let (tried, holds) = match &part.kind {
            ExprKind::Unary(UnaryOp::Not, tried) => (&**tried, false),
            _ => (part, true),
        };
        let (body, asked) = self.compared_after(tried)?;
        let asked = &asked;
        if let Some(said) = self.said_before_move(body, asked, levels) {
            return Some(if holds { said } else { not(said) });
        }
        let laid = self.laid_by(body, asked)?;
        let locals: Vec<LocalId> = levels.iter().map(|it| it.local).collect();
        let is_empty = |it: &&(Board, Expr)| it.0 == laid.board && same(&it.1, &laid.at);
        empty.iter().find(is_empty)?;
        let need = match &laid.from {
            Some(from) => {
                let lies = Expr {
                    kind: ExprKind::CountOf(from.clone(), Box::new(laid.kind.clone())),
                    ty: Type::of(Base::Int(0, i64::from(u32::MAX))),
                    span: part.span,
                };
                let none = Expr::number(0, part.span);
                Some(joined(BinaryOp::Gt, lies, none))
            }
            None => None,
        };
        if need
            .as_ref()
            .is_some_and(|it| mentions(it, &locals) || !self.sure_here(it))
        {
            return None;
        }
        let mut said = self.shared.before(asked, &laid)?;
        self.shared.rename(&mut said);
        self.shared.expand(&mut said);
        if !self.shared.surely(asked) || !self.shared.surely(&said) {
            return None;
        }
        let new = need.filter(|need| !needed.iter().any(|it| same(it, need)));
        needed.extend(new);
        Some(if holds { said } else { not(said) })
    }

    /// `after { … } n > 3`, where the number alone is that of the position then: whether it is more is asked there too.
    fn compared_after<'e>(&self, tried: &'e Expr) -> Option<(&'e [Stmt], Expr)> {
        if let ExprKind::After(body, asked) = &tried.kind {
            return Some((body, (**asked).clone()));
        }
        let (op, left, right) = tried.as_binary()?;
        let (body, asked) = match (&left.kind, &right.kind) {
            (ExprKind::After(body, number), _) if !self.shared.reads_state(right) => {
                (body, joined(op, (**number).clone(), right.clone()))
            }
            (_, ExprKind::After(body, number)) if !self.shared.reads_state(left) => {
                (body, joined(op, left.clone(), (**number).clone()))
            }
            _ => return None,
        };
        (tried.ty == Type::BOOL).then_some((body, asked))
    }

    /// What holds where a thing has come from one bag into another, said of the position before.
    fn said_before_move(
        &mut self,
        body: &[Stmt],
        asked: &Expr,
        levels: &[Level<'_>],
    ) -> Option<Expr> {
        let StmtKind::Move(Move { what, to, with, .. }) = self.only_done(body, asked)?.kind else {
            return None;
        };
        let (kind, from) = one_copy(&what)?;
        let store = |zone| Some(&self.shared.layout.zone(zone)?.store);
        let are_bags = [from, &to].into_iter().all(|it| {
            let takes_all = self.shared.game.zones.get(it.zone.index());
            let takes_all = takes_all.is_some_and(|it| it.capacity.is_none());
            takes_all && matches!(store(it.zone), Some(Store::Bag(_)))
        });
        let moved = Moved {
            kind: kind.clone(),
            from: from.clone(),
            to: to.clone(),
        };
        let mut said = asked.clone();
        if !are_bags
            || !with.is_empty()
            || !moved.lies(levels)
            || !self.is_inside(&Board::Zone(to.zone), &to.index)
            || !self.shared.before_move(&mut said, &moved)
        {
            return None;
        }
        self.shared.expand(&mut said);
        (self.shared.surely(asked) && self.shared.surely(&said)).then_some(said)
    }

    /// What is laid onto a place, if nothing else is done that is asked for.
    fn laid_by(&mut self, body: &[Stmt], asked: &Expr) -> Option<Laid> {
        let laid = match &self.only_done(body, asked)?.kind {
            StmtKind::SetTrack(track, index, AssignOp::Set, value) => {
                let [at] = index.as_slice() else { return None };
                let ty = self.shared.game.tracks.get(track.index())?.ty;
                let fits = super::inline::may_stand_for(value, ty) && !value.ty.optional;
                let laid = Laid {
                    board: Board::Track(*track),
                    at: at.clone(),
                    kind: value.clone(),
                    from: None,
                };
                fits.then_some(laid)?
            }
            StmtKind::Move(Move { what, to, with, .. }) => {
                let (kind, from) = one_copy(what)?;
                let store = |zone| Some(&self.shared.layout.zone(zone)?.store);
                let from_bag = matches!(store(from.zone)?, Store::Bag(_));
                let to_one = matches!(store(to.zone)?, Store::One { .. } | Store::List(_));
                let [at] = to.index.as_slice() else {
                    return None;
                };
                let laid = Laid {
                    board: Board::Zone(to.zone),
                    at: at.clone(),
                    kind: kind.clone(),
                    from: Some(from.clone()),
                };
                (from_bag && to_one && with.is_empty()).then_some(laid)?
            }
            _ => return None,
        };
        self.is_laid(&laid).then_some(laid)
    }

    /// The one thing that is done, if nothing else is done that is asked for.
    fn only_done(&mut self, body: &[Stmt], asked: &Expr) -> Option<Stmt> {
        let asked = self.asked_after(body, asked);
        let mut body = body.to_vec();
        for _ in 0..MOST_CALLS {
            body = self.all_asked(body, asked);
            let [only] = body.as_slice() else { return None };
            match &only.kind {
                StmtKind::Call(proc, args) => {
                    body = self.shared.placed(*proc, args, MOST_PLACED)?
                }
                _ => return Some(only.clone()),
            }
        }
        None
    }

    /// Whether it is known what is laid where.
    fn is_laid(&mut self, laid: &Laid) -> bool {
        let is_place = matches!(laid.at.kind, ExprKind::Local(_)) && !laid.at.ty.optional;
        is_place
            && !laid.kind.ty.optional
            && self.sure_here(&laid.kind)
            && self.is_inside(&laid.board, std::slice::from_ref(&laid.at))
    }

    /// Whether there surely is a place with this index.
    fn is_inside(&mut self, board: &Board, index: &[Expr]) -> bool {
        let game = self.shared.game;
        let domains = match board {
            Board::Zone(id) => game.zones.get(id.index()).map(|it| &it.index),
            Board::Track(id) => game.tracks.get(id.index()).map(|it| &it.index),
        };
        let mut facts = self.facts.clone();
        domains.is_some_and(|it| self.index_sure(index, it, &mut facts))
    }
}

/// The one thing that is taken from somewhere, and from where.
fn one_copy(what: &What) -> Option<(&Expr, &Place)> {
    let What::Copies(amount, kind, Holding::Place(from)) = what else {
        return None;
    };
    let is_one = |it: &Expr| matches!(it.kind, ExprKind::Value(1));
    let is_one = amount.as_ref().is_none_or(is_one);
    is_one.then_some((kind, from))
}

/// The places that are empty for each member of a level.
fn emptied_of(level: &Level<'_>, out: &mut Vec<(Board, Expr)>) {
    let Over::Set(Expr {
        kind: ExprKind::Aggregate(aggregate),
        ..
    }) = level.over
    else {
        return;
    };
    let Aggregate {
        op: AggregateOp::Collect,
        binders,
        value: None,
        ..
    } = &**aggregate
    else {
        return;
    };
    let [binder] = binders.as_slice() else {
        return;
    };
    let mut found = Vec::new();
    binder.guard.iter().for_each(|it| emptied(it, &mut found));
    for (board, mut at) in found {
        if is_local(&at, binder.local) {
            let named = at.with_kind(ExprKind::Local(level.local));
            substitute(&mut at, &HashMap::from([(binder.local, named)]));
            out.push((board, at));
        }
    }
}

/// The places that are empty where a condition holds.
pub(super) fn emptied(cond: &Expr, out: &mut Vec<(Board, Expr)>) {
    let mut parts = Vec::new();
    conjuncts(cond, &mut parts);
    for part in parts {
        let read = match &part.kind {
            ExprKind::Unary(UnaryOp::Not, read) if matches!(read.kind, ExprKind::Filled(_)) => read,
            ExprKind::Binary(BinaryOp::Eq, read, none) if is_none(none) => read,
            ExprKind::Binary(BinaryOp::Eq, none, read) if is_none(none) => read,
            _ => continue,
        };
        if let Some((board, at)) = Board::read_by(read) {
            out.push((board, at.clone()));
        }
    }
}

fn is_none(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Value(NONE))
}

/// `after { … } n == 1`, where the number alone is that of the position then: whether it is so is asked there.
pub(super) fn compare_there(expr: &mut Expr) {
    let ExprKind::Binary(op, left, right) = &mut expr.kind else {
        return;
    };
    let (true, ExprKind::After(body, number), ExprKind::Value(_)) =
        (expr.ty == Type::BOOL, &mut left.kind, &right.kind)
    else {
        return;
    };
    let asked = joined(*op, (**number).clone(), (**right).clone());
    expr.kind = ExprKind::After(std::mem::take(body), Box::new(asked));
}
