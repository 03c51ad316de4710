//! Conditions on the values of a track as sets: all elements whose value is one of a row.

use super::Gen;
use super::mask::{MOST_FILTERED, Plan, is_local};
use crate::engine::layout::{Lane, TrackSlot, words_for};
use crate::engine::op::{Op, Reg};
use crate::model::{Base, BinaryOp, DomainId, Expr, ExprKind, LocalId, NONE, TrackId, UnaryOp};

/// Stored values that a row can tell apart.
const MOST_STORED: i64 = 64;

/// Which values are meant.
#[derive(Clone, Debug)]
pub(super) enum Values {
    /// Those of these bits, by stored form.
    These(u64),
    /// This one.
    Is(Expr),
}

impl Gen<'_, '_> {
    /// `t[x]` compared with something, as the set of those `x`.
    pub(super) fn lane_plan(&self, cond: &Expr, x: LocalId, domain: DomainId) -> Option<Plan> {
        let (track, values) = match &cond.kind {
            ExprKind::Track(..) if cond.ty.base == Base::Bool => {
                let track = self.lane_of(cond, x, domain)?;
                (track, self.these(track, |value| value == 1)?)
            }
            ExprKind::Unary(UnaryOp::IsSome, part) => {
                let track = self.lane_of(part, x, domain)?;
                (track, self.these(track, |value| value != NONE)?)
            }
            ExprKind::Binary(op, left, right) => {
                if let Some(track) = self.lane_of(left, x, domain) {
                    (track, self.compared(track, *op, right, false)?)
                } else {
                    let track = self.lane_of(right, x, domain)?;
                    (track, self.compared(track, *op, left, true)?)
                }
            }
            _ => return None,
        };
        if let Values::Is(value) = &values
            && super::inline::mentions(value, &[x])
        {
            return None;
        }
        let plan = Plan::Lane(track, values);
        Some(match &cond.kind {
            ExprKind::Binary(BinaryOp::Ne, ..) => Plan::Not(Box::new(plan)),
            _ => plan,
        })
    }

    /// The track of which an expression is the value at `x`, if its values can be looked through as a whole.
    fn lane_of(&self, expr: &Expr, x: LocalId, domain: DomainId) -> Option<TrackId> {
        let ExprKind::Track(track, index) = &expr.kind else {
            return None;
        };
        let declared = self.shared.game.tracks.get(track.index())?;
        let is_by_x = matches!(index.as_slice(), [index] if is_local(index, x));
        let slot = self.lane(*track)?;
        let size = match declared.ty.base {
            Base::Bool => 2,
            Base::Int(lo, hi) => hi.checked_sub(lo)?.checked_add(1)?,
            Base::Elem(domain) => i64::try_from(self.domain_size(domain)).ok()?,
            Base::Set(_) | Base::Unit => return None,
        };
        let stored = size.checked_add(i64::from(slot.array.optional))?;
        let fits = self.joined_index(1, declared.index.clone()) == [domain]
            && words_for(self.domain_size(domain)) <= MOST_FILTERED
            && slot.array.lane == Lane::Byte
            && stored <= MOST_STORED;
        (is_by_x && fits).then_some(*track)
    }

    fn lane(&self, track: TrackId) -> Option<TrackSlot> {
        self.shared.layout.tracks.get(track.index()).copied()
    }

    /// The values of a track for which something holds.
    fn these(&self, track: TrackId, holds: impl Fn(i64) -> bool) -> Option<Values> {
        let array = self.lane(track)?.array;
        let row = (0..MOST_STORED).filter(|stored| holds(array.value_of(*stored)));
        Some(Values::These(row.fold(0, |row, stored| row | 1 << stored)))
    }

    fn compared(
        &self,
        track: TrackId,
        op: BinaryOp,
        with: &Expr,
        mirrored: bool,
    ) -> Option<Values> {
        let number = match &with.kind {
            ExprKind::Value(value) => Some(*value),
            ExprKind::Setting(folded) => Some(folded.value),
            _ => None,
        };
        let optional = self.lane(track)?.array.optional;
        match (op, number) {
            (BinaryOp::Eq | BinaryOp::Ne, Some(number)) => self.these(track, |it| it == number),
            (BinaryOp::Eq | BinaryOp::Ne, None) if !with.ty.optional => {
                Some(Values::Is(with.clone()))
            }
            (_, Some(number)) if !optional && number != NONE => {
                let holds: fn(i64, i64) -> bool = match (op, mirrored) {
                    (BinaryOp::Lt, false) | (BinaryOp::Gt, true) => |a, b| a < b,
                    (BinaryOp::Le, false) | (BinaryOp::Ge, true) => |a, b| a <= b,
                    (BinaryOp::Gt, false) | (BinaryOp::Lt, true) => |a, b| a > b,
                    (BinaryOp::Ge, false) | (BinaryOp::Le, true) => |a, b| a >= b,
                    _ => return None,
                };
                self.these(track, |it| holds(it, number))
            }
            _ => None,
        }
    }

    pub(super) fn lane_mask(
        &mut self,
        track: TrackId,
        values: &Values,
        domain: DomainId,
        within: Option<Reg>,
    ) -> Reg {
        let Some(array) = self.lane(track).map(|it| it.array) else {
            return self.all_of(domain);
        };
        let (row, less) = match values {
            Values::These(row) => (self.constant_words(&[*row]), 0),
            Values::Is(value) => {
                let e = self.bit(value, array.lo);
                let row = self.temp();
                self.op(Op::Bit { d: row, e });
                // Stored form of what may be absent is one more than the value: 0 is absent.
                (row, u8::from(array.optional))
            }
        };
        let set = within.unwrap_or_else(|| self.all_of(domain));
        let n = words_for(self.domain_size(domain));
        self.filter_lanes(array, row, less, Some(set), n)
    }
}
