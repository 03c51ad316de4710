//! Conditions on the sets that a track has as sets: all elements whose set has so many of some members.

use super::Gen;
use super::inline::mentions;
use super::lanes::{Bound, Values};
use super::mask::{MOST_FILTERED, Plan, is_local};
use super::unroll::not;
use crate::engine::layout::words_for;
use crate::engine::op::{Op, Reg};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, DomainId, Expr, ExprKind, LocalId, TrackId,
};

/// More members than a set of one word has.
const ALL: i64 = 64;

impl Gen<'_, '_> {
    /// `v in t[x]`, `no t[x]`, `count { v in t[x] where P(v) } <= n` of a track of sets.
    pub(super) fn set_lane_plan(
        &mut self,
        cond: &Expr,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        let [some, none] = [[1, ALL], [0, 0]].map(|it| it.map(Bound::Number));
        let (track, members, bounds) = match &cond.kind {
            ExprKind::Binary(BinaryOp::In, value, set) => {
                let track = self.sets_of(set, x, domain)?;
                let is_one =
                    !value.ty.optional && self.is_within(value.ty, set.ty.base.set_over()?);
                let alone = is_one.then(|| set.with_kind(ExprKind::SetOf(vec![(**value).clone()])));
                (track, alone?, some)
            }
            ExprKind::Aggregate(asked) => {
                let bounds = match asked.op {
                    AggregateOp::Some => some,
                    AggregateOp::No | AggregateOp::Every => none,
                    _ => return None,
                };
                let (track, members) = self.asked_in_sets(asked, x, domain)?;
                (track, members, bounds)
            }
            ExprKind::Binary(op, left, right) => {
                let counted = left.as_aggregate()?;
                let bounds = bounds(*op, right)?;
                if counted.op != AggregateOp::Count || mentions(right, &[x]) {
                    return None;
                }
                let (track, members) = self.asked_in_sets(counted, x, domain)?;
                (track, members, bounds)
            }
            _ => return None,
        };
        if mentions(&members, &[x]) {
            return None;
        }
        let plan = Plan::Lane(track, Values::Shared(Box::new((members, bounds))));
        Some(match &cond.kind {
            ExprKind::Binary(BinaryOp::Ne, ..) => Plan::Not(Box::new(plan)),
            _ => plan,
        })
    }

    /// The track whose set at `x` is asked for some members, and for which.
    fn asked_in_sets(
        &mut self,
        asked: &Aggregate,
        x: LocalId,
        domain: DomainId,
    ) -> Option<(TrackId, Expr)> {
        let binder = asked.only_binder()?;
        let set = binder.over.as_set()?;
        let track = self.sets_of(set, x, domain)?;
        let of = set.ty.base.set_over()?;
        let counter = match (asked.op, &asked.value) {
            (AggregateOp::Every, Some(value)) => Some(not(value.clone())),
            (AggregateOp::Every, None) | (_, Some(_)) => return None,
            (_, None) => None,
        };
        let cond = binder.guard.clone().into_iter().chain(counter);
        let members = match cond.reduce(Expr::and) {
            Some(cond) => self.collect(&cond, binder.local, of, binder.local),
            None => set.with_kind(ExprKind::All(of)),
        };
        Some((track, members))
    }

    /// The track of which an expression is the set at `x`, if that is one word.
    fn sets_of(&self, expr: &Expr, x: LocalId, domain: DomainId) -> Option<TrackId> {
        let ExprKind::Track(track, index) = &expr.kind else {
            return None;
        };
        let is_by_x = matches!(index.as_slice(), [index] if is_local(index, x));
        let slot = self.shared.layout.tracks.get(track.index())?;
        let declared = self.shared.game.tracks.get(track.index())?;
        let fits = is_by_x
            && slot.set_words == 1
            && self.joined_index(1, declared.index.clone()) == [domain]
            && words_for(self.domain_size(domain)) <= MOST_FILTERED;
        fits.then_some(*track)
    }

    /// The members of a set whose sets share so many with these.
    pub(super) fn sharing(
        &mut self,
        sets: Reg,
        (members, bounds): &(Expr, [Bound; 2]),
        set: Reg,
        n: u16,
    ) -> Reg {
        let row = self.value(members);
        let [lo, hi] = bounds.each_ref().map(|it| self.bound(it));
        let d = self.temps(n);
        for word in 0..n {
            self.op(Op::FilterSets {
                d: d.saturating_add(word),
                set: set.saturating_add(word),
                sets: sets.saturating_add(64 * word),
                row,
                lo,
                hi,
            });
        }
        d
    }
}

/// Between which numbers something is that compares so with a number.
fn bounds(op: BinaryOp, with: &Expr) -> Option<[Bound; 2]> {
    if with.ty.optional || !matches!(with.ty.base, Base::Int(..)) {
        return None;
    }
    let bound = |more: i16| match with.as_value() {
        Some(number) => Bound::Number(number.saturating_add(i64::from(more))),
        None => Bound::Of(with.clone(), more),
    };
    let (least, most) = (Bound::Number(0), Bound::Number(ALL));
    Some(match op {
        BinaryOp::Eq | BinaryOp::Ne => [bound(0), bound(0)],
        BinaryOp::Lt => [least, bound(-1)],
        BinaryOp::Le => [least, bound(0)],
        BinaryOp::Gt => [bound(1), most],
        BinaryOp::Ge => [bound(0), most],
        _ => return None,
    })
}
