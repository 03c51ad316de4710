//! What is asked beforehand of a thing that may go to many places, in place of once for each of them.
//!
//! `action go(p in S, q in T(p))` with `require not after { … move z[p] to z[q] } A`: if A does not even hold where `p` is
//! empty and all else lies as it does, it holds for no `q`, where what comes to lie there can only be in the way (`raised.rs`). So
//! it is asked beforehand for which `p` that is so, and only what goes from elsewhere is tried out. What A asks of nothing that `p`
//! leaves open is asked first, once for all of them: where not even that holds, nothing need be lifted.

use super::facts::Facts;
use super::func::Label;
use super::inline::mentions;
use super::mask::conjuncts;
use super::nest::{Level, Nest};
use super::placed::MOST_PLACED;
use super::raised::{Raised, holds, named, truth};
use super::structure::same;
use super::unroll::{joined, not};
use super::{Gen, Shared};
use crate::engine::op::Op;
use crate::model::{
    Aggregate, AggregateOp, BinaryOp, Binder, Expr, ExprKind, LocalId, Move, Over, Param, Place,
    Stmt, StmtKind, UnaryOp, What, ZoneId, ZoneKind,
};
use crate::source::Span;

/// A clause that is asked less often.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Lifted {
    /// What is asked before anything goes.
    pub asked: Asked,
    /// The clause, that asks first whether that is known.
    pub cond: Expr,
}

/// Of which things a clause surely holds wherever they go.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Asked {
    /// The parameter that names what goes.
    from: LocalId,
    /// Stands for the set.
    known: LocalId,
    set: Expr,
}

/// What is tried out: something goes from a place to another, and what lies there goes away before.
struct Carried {
    zone: ZoneId,
    from: LocalId,
    to: LocalId,
    gone: Option<ZoneId>,
}

impl Gen<'_, '_> {
    /// A clause of an action, if it tries out where one thing goes.
    pub(super) fn lifted(&mut self, cond: &Expr, params: &[Param]) -> Option<Lifted> {
        let ExprKind::Unary(UnaryOp::Not, tried) = &cond.kind else {
            return None;
        };
        let ExprKind::After(body, value) = &tried.kind else {
            return None;
        };
        if self.shared.is_plain() {
            return None;
        }
        let carried = self.carried(body, value)?;
        let at = |local| params.iter().position(|it| it.local == local);
        let one = at(carried.from).filter(|one| at(carried.to).is_some_and(|to| *one < to))?;
        let from = place_name(self.shared, carried.from)?;
        let to = place_name(self.shared, carried.to)?;
        let named: Vec<LocalId> = params.iter().map(|it| it.local).collect();
        if mentions(value, &named) || !self.sure(value, &mut Facts::default()) {
            return None;
        }
        let over = &params.get(one)?.over;
        let is_first = matches!(over, Over::Set(set) if !mentions(set, &named));
        let set = self.free_to_go(value, &carried, Some(over).filter(|_| is_first))?;
        let known = self.shared.new_local(set.ty);
        let set_known = set.with_kind(ExprKind::Local(known));
        let apart = match carried.gone {
            Some(_) => joined(BinaryOp::Ne, from.clone(), to),
            None => not(truth(ExprKind::Filled(lying(&carried, &to)))),
        };
        let is_known = joined(BinaryOp::In, from, set_known).and(apart);
        let asked = Asked {
            from: carried.from,
            known,
            set,
        };
        let cond = is_known.or(cond.clone());
        Some(Lifted { asked, cond })
    }

    /// The places from which something may go without `value` holding then, wherever it goes.
    fn free_to_go(&mut self, value: &Expr, carried: &Carried, over: Option<&Over>) -> Option<Expr> {
        let local = self.shared.fresh_local(carried.from);
        let from = place_name(self.shared, local)?;
        let domain = from.ty.base.element_of()?;
        let mut exact = Raised::of(self, (carried.zone, carried.gone), &from, false);
        let holds = exact.raise(value, true)?;
        let mut kinds = exact.kinds;
        let mut loose = Raised::of(self, (carried.zone, carried.gone), &from, true);
        let may_hold = loose.raise(value, true);
        let may_hold = match mentions(&holds, &[local]) {
            // What goes leaves nothing open.
            false => Some(holds.clone()),
            true => may_hold.filter(|it| loose.dropped && !mentions(it, &[local])),
        };
        if loose.dropped && !loose.leads_on {
            return None;
        }
        for kind in loose.kinds {
            if !kinds.iter().any(|it| same(it, &kind)) {
                kinds.push(kind);
            }
        }
        let there = truth(ExprKind::Filled(lying(carried, &from)));
        // Where something may be of a kind that is all there is, nothing is known of it.
        if kinds.iter().any(|it| same(it, &there)) {
            return None;
        }
        let others = kinds.iter().map(|it| kept_out(it, &there));
        let guard = others.fold(there.clone(), Expr::and);
        let over = match over {
            Some(Over::Set(set)) if self.shared.surely(set) => set.clone(),
            _ => Expr::all(domain, Span::default()),
        };
        let mut picked = |guard: Expr| {
            let binder = Binder::over(local, over.clone()).guarded(guard);
            let mut set = over.with_kind(Aggregate::over(AggregateOp::Collect, vec![binder]));
            self.shared.rename(&mut set);
            set
        };
        let some = match mentions(&holds, &[local]) {
            false => over.with_kind(ExprKind::SetOf(Vec::new())),
            true => picked(guard.clone().and(not(holds))),
        };
        let set = match may_hold {
            None => some,
            Some(may_hold) => {
                let all = picked(guard);
                let kind = ExprKind::choice(may_hold, some, all);
                over.with_kind(kind)
            }
        };
        self.sure(&set, &mut Facts::default()).then_some(set)
    }

    /// Asks what is to be asked before anything goes, if something may.
    pub(super) fn ask_lifted(&mut self, nest: &Nest<'_, '_>, nothing: Label) {
        let goes = |it: &&Asked| nest.levels.iter().any(|level| level.local == it.from);
        let asked: Vec<Asked> = self.lifted.iter().filter(goes).cloned().collect();
        for asked in asked {
            // Several that are chosen together may be none.
            let is_first = |it: &Level<'_>| it.local == asked.from && it.member.is_none();
            if nest.levels.first().is_some_and(is_first)
                && let Some(Some(ready)) = nest.ready.first()
            {
                let some = self.label();
                let to = self.to(some);
                let (set, n) = (ready.set, ready.n);
                self.op(Op::JumpAny { set, n, to });
                self.jump(nothing);
                self.bind(some);
            }
            let reg = self.temps(self.words(asked.set.ty));
            let mark = self.mark();
            self.value_to(&asked.set, reg);
            self.release(mark);
            self.set_local(asked.known, reg);
        }
    }

    /// What statements do of which `value` is asked then, if that is to move one thing to where another lay, if one did, and
    /// nothing in it can fault where something lies at the first place and the other is another one.
    fn carried(&mut self, body: &[Stmt], value: &Expr) -> Option<Carried> {
        let [first] = body else { return None };
        let StmtKind::Call(proc, args) = &first.kind else {
            return None;
        };
        let asked = self.asked_after(body, value);
        let around = std::mem::replace(&mut self.asked, asked);
        let placed = self.shared.placed(*proc, args, MOST_PLACED);
        let left: Option<Vec<Stmt>> = placed.map(|block| {
            let stays = block.into_iter().filter(|it| !self.is_unasked(it));
            stays.collect()
        });
        self.asked = around;
        match left?.as_slice() {
            [last] => self.moves(last, None),
            [first, last] => self.moves(last, Some(first)),
            _ => None,
        }
    }

    /// `if filled z[q] { move z[q] to bag }`, `move z[p] to z[q]`.
    fn moves(&mut self, last: &Stmt, first: Option<&Stmt>) -> Option<Carried> {
        let (source, goal) = one_moved(last)?;
        let zone = self.shared.game.zones.get(source.zone.index())?;
        let is_plain = zone.kind == ZoneKind::One && zone.fields.is_empty();
        if goal.zone != source.zone || !is_plain || self.is_plane(source.zone) {
            return None;
        }
        let (from, to) = (named(source)?, named(goal)?);
        let mut carried = Carried {
            zone: source.zone,
            from,
            to,
            gone: None,
        };
        let Some(first) = first else {
            return Some(carried);
        };
        let StmtKind::If(cond, then, other) = &first.kind else {
            return None;
        };
        let ([then], [], ExprKind::Filled(asked)) = (then.as_slice(), other.as_slice(), &cond.kind)
        else {
            return None;
        };
        let (taken, away) = one_moved(then)?;
        let is_goal = |it: &Place| it.zone == carried.zone && named(it) == Some(to);
        let bag = self.shared.game.zones.get(away.zone.index())?;
        // Nothing is too much for it.
        let takes_all = bag.kind == ZoneKind::Bag && bag.capacity.is_none();
        let of = bag.index.clone();
        let is_one = !away.index.iter().any(|it| self.shared.reads_state(it))
            && self.index_sure(&away.index, &of, &mut Facts::default());
        if !is_goal(asked) || !is_goal(taken) || !takes_all || !is_one {
            return None;
        }
        carried.gone = Some(away.zone);
        Some(carried)
    }
}

/// What goes from where to where, one thing as it lies.
fn one_moved(stmt: &Stmt) -> Option<(&Place, &Place)> {
    match &stmt.kind {
        StmtKind::Move(Move {
            what: What::At(from),
            to,
            with,
            ..
        }) if with.is_empty() => Some((from, to)),
        _ => None,
    }
}

/// A parameter that names a place; none where it may name none.
fn place_name(shared: &Shared<'_>, local: LocalId) -> Option<Expr> {
    let ty = shared.local_type(local);
    (!ty.optional).then(|| Expr::local(local, ty, Span::default()))
}

fn lying(carried: &Carried, index: &Expr) -> Place {
    Place {
        zone: carried.zone,
        index: vec![index.clone()],
    }
}

/// Whether a thing that is there is not what `kind` says.
fn kept_out(kind: &Expr, there: &Expr) -> Expr {
    let mut parts = Vec::new();
    conjuncts(kind, &mut parts);
    let asked = parts.into_iter().filter(|it| !same(it, there)).cloned();
    not(asked.reduce(Expr::and).unwrap_or_else(holds))
}
