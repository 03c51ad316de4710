//! Conditions on the values of a track as sets: all elements whose value is one of a row.

use super::Gen;
use super::balance::Balance;
use super::folds::mirrored;
use super::inline::mentions;
use super::mask::{MOST_FILTERED, Plan, is_local};
use super::operator::stays_within;
use crate::engine::layout::{Array, Lane, TrackSlot, words_for};
use crate::engine::op::{Op, Reg};
use crate::model::{
    Base, BinaryOp, DomainId, Expr, ExprKind, LocalId, NONE, TrackId, Type, UnaryOp, arith,
};

/// Stored values that a row can tell apart.
const MOST_STORED: i64 = 64;

/// Which values are meant.
#[derive(Clone, Debug)]
pub(super) enum Values {
    /// Those of these bits, by stored form.
    These(u64),
    /// This one.
    Is(Expr),
    /// From the first to the second.
    Between(Box<[Bound; 2]>),
    /// Sets that share so many members with this one.
    Shared(Box<(Expr, [Bound; 2])>),
}

/// An end of a range of values.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    Number(i64),
    /// What is worked out, and so much more.
    Of(Expr, i16),
}

impl Bound {
    fn expr(&self) -> Option<&Expr> {
        match self {
            Self::Of(value, _) => Some(value),
            Self::Number(_) => None,
        }
    }
}

impl Values {
    fn between(lo: Bound, hi: Bound) -> Self {
        Self::Between(Box::new([lo, hi]))
    }

    /// What they are worked out from.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Self::These(_) => Vec::new(),
            Self::Is(value) => vec![value],
            Self::Between(bounds) => bounds.iter().filter_map(Bound::expr).collect(),
            Self::Shared(shared) => {
                let (members, bounds) = &**shared;
                let bounds = bounds.iter().filter_map(Bound::expr);
                std::iter::once(members).chain(bounds).collect()
            }
        }
    }
}

/// A track whose values are looked through as a whole.
#[derive(Clone, Copy)]
struct Lanes {
    track: TrackId,
    array: Array,
    /// Whether a row of one word tells all its values apart.
    is_narrow: bool,
}

impl Lanes {
    /// What is to be added to a stored value.
    fn bias(&self) -> i64 {
        match self.array.lane {
            Lane::Word => 0,
            Lane::Byte | Lane::Half => self.array.lo - i64::from(self.array.optional),
        }
    }

    /// What stands, with its bias, for what is absent.
    fn absent(&self) -> i64 {
        match self.array.lane {
            Lane::Word => NONE,
            Lane::Byte | Lane::Half => self.bias(),
        }
    }

    /// Those values for which something holds.
    fn these(&self, holds: impl Fn(i64) -> bool) -> Values {
        let row = (0..MOST_STORED).filter(|stored| holds(self.array.value_of(*stored)));
        Values::These(row.fold(0, |row, stored| row | 1 << stored))
    }

    fn is(&self, number: i64) -> Option<Values> {
        if self.is_narrow {
            return Some(self.these(|it| it == number));
        }
        let is_absent = number == NONE;
        // Another number may not be taken for what is absent.
        let stored = if is_absent { self.absent() } else { number };
        let is_clear = is_absent || !self.array.optional || number > self.absent();
        is_clear.then(|| Values::between(Bound::Number(stored), Bound::Number(stored)))
    }

    fn is_some(&self) -> Values {
        match self.is_narrow {
            true => self.these(|value| value != NONE),
            false => Values::between(Bound::Number(self.absent() + 1), Bound::Number(i64::MAX)),
        }
    }
}

impl Gen<'_, '_> {
    /// `t[x]` compared with something, as the set of those `x`.
    pub(super) fn lane_plan(&self, cond: &Expr, x: LocalId, domain: DomainId) -> Option<Plan> {
        let (track, values) = match &cond.kind {
            ExprKind::Track(..) if cond.ty == Type::BOOL => {
                let lanes = self.lanes_of(cond, x, domain)?;
                (lanes.track, lanes.is(1)?)
            }
            ExprKind::Unary(UnaryOp::IsSome, part) => {
                let lanes = self.lanes_of(part, x, domain)?;
                (lanes.track, lanes.is_some())
            }
            ExprKind::Binary(op, left, right) => {
                if let Some(lanes) = self.lanes_of(left, x, domain) {
                    (lanes.track, compared(lanes, *op, right)?)
                } else if let Some(lanes) = self.lanes_of(right, x, domain) {
                    (lanes.track, compared(lanes, mirrored(*op), left)?)
                } else {
                    self.alone(*op, left, right, x, domain)?
                }
            }
            _ => return None,
        };
        if values.exprs().iter().any(|it| mentions(it, &[x])) {
            return None;
        }
        let plan = Plan::Lane(track, values);
        Some(match &cond.kind {
            ExprKind::Binary(BinaryOp::Ne, ..) => Plan::Not(Box::new(plan)),
            _ => plan,
        })
    }

    /// The track of which an expression is the value at `x`, if its values can be looked through as a whole.
    fn lanes_of(&self, expr: &Expr, x: LocalId, domain: DomainId) -> Option<Lanes> {
        let ExprKind::Track(track, index) = &expr.kind else {
            return None;
        };
        let declared = self.shared.game.tracks.get(track.index())?;
        let is_by_x = matches!(index.as_slice(), [index] if is_local(index, x));
        let array = self.lane(*track)?.array;
        let size = match declared.ty.base {
            Base::Bool => Some(2),
            Base::Int(lo, hi) => hi.checked_sub(lo).and_then(|it| it.checked_add(1)),
            Base::Elem(domain) => i64::try_from(self.domain_size(domain)).ok(),
            Base::Set(_) | Base::Unit => return None,
        };
        let stored = size.and_then(|it| it.checked_add(i64::from(array.optional)));
        let fits = self.joined_index(1, declared.index.clone()) == [domain]
            && words_for(self.domain_size(domain)) <= MOST_FILTERED;
        (is_by_x && fits).then_some(Lanes {
            track: *track,
            array,
            is_narrow: array.lane == Lane::Byte && stored.is_some_and(|it| it <= MOST_STORED),
        })
    }

    /// `t[x] - a < b` as `t[x] < a + b`, where no sum gets too great.
    fn alone(
        &self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        x: LocalId,
        domain: DomainId,
    ) -> Option<(TrackId, Values)> {
        if !within_bounds(left) || !within_bounds(right) {
            return None;
        }
        let balance = Balance::of(left, right)?;
        let at_x = |parts: &[&Expr]| {
            let mut lanes = (0..).zip(parts);
            lanes.find_map(|(at, it)| Some((at, self.lanes_of(it, x, domain)?)))
        };
        let (mut more, mut less, mut number) = (balance.more, balance.less, balance.number);
        let mut op = op;
        let (at, lanes) = match at_x(&more) {
            Some(found) => found,
            None => {
                std::mem::swap(&mut more, &mut less);
                number = number.checked_neg()?;
                op = mirrored(op);
                at_x(&more)?
            }
        };
        more.remove(at);
        let span = left.span;
        let mut with = Expr::number(number.checked_neg()?, span);
        for (sign, parts) in [(BinaryOp::Add, less), (BinaryOp::Sub, more)] {
            for part in parts {
                with = summed(sign, with, part)?;
            }
        }
        Some((lanes.track, compared(lanes, op, &with)?))
    }

    fn lane(&self, track: TrackId) -> Option<TrackSlot> {
        self.shared.layout.tracks.get(track.index()).copied()
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
        let set = within.unwrap_or_else(|| self.all_of(domain));
        let n = words_for(self.domain_size(domain));
        let (row, less) = match values {
            Values::These(row) => (self.constant_words(&[*row]), 0),
            Values::Is(value) => {
                let e = self.bit(value, array.lo);
                let row = self.temp();
                self.op(Op::Bit { d: row, e });
                // Stored form of what may be absent is one more than the value: 0 is absent.
                (row, u8::from(array.optional))
            }
            Values::Between(bounds) => {
                let lanes = Lanes {
                    track,
                    array,
                    is_narrow: false,
                };
                return self.filter_span(lanes, bounds, set, n);
            }
            Values::Shared(shared) => return self.sharing(array.base, shared, set, n),
        };
        self.filter_lanes(array, row, less, Some(set), n)
    }

    pub(super) fn bound(&mut self, bound: &Bound) -> Reg {
        match bound {
            Bound::Number(number) => self.constant(*number),
            Bound::Of(value, 0) => self.value(value),
            Bound::Of(value, more) => {
                let (a, d) = (self.value(value), self.temp());
                self.op(Op::AddK { d, a, k: *more });
                d
            }
        }
    }

    fn filter_span(&mut self, lanes: Lanes, bounds: &[Bound; 2], set: Reg, n: u16) -> Reg {
        let [lo, hi] = bounds.each_ref().map(|it| self.bound(it));
        let (d, bias) = (self.temps(n), self.constant(lanes.bias()));
        let bytes = lanes.array.bytes();
        for word in 0..n {
            self.op(Op::FilterSpan {
                d: d.saturating_add(word),
                set: set.saturating_add(word),
                lanes: lanes.array.base.saturating_add(8 * u16::from(bytes) * word),
                bytes,
                bias,
                lo,
                hi,
            });
        }
        d
    }
}

/// The values that compare so with something.
fn compared(lanes: Lanes, op: BinaryOp, with: &Expr) -> Option<Values> {
    let (number, optional) = (number_of(with), lanes.array.optional);
    if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
        return match number {
            Some(number) => lanes.is(number),
            None if with.ty.optional => None,
            None if lanes.is_narrow => Some(Values::Is(with.clone())),
            None if optional && lanes.array.lane != Lane::Word => None,
            None => Some(Values::between(
                Bound::Of(with.clone(), 0),
                Bound::Of(with.clone(), 0),
            )),
        };
    }
    if optional || with.ty.optional || number == Some(NONE) {
        return None;
    }
    if let (Some(number), true) = (number, lanes.is_narrow) {
        let holds: fn(i64, i64) -> bool = match op {
            BinaryOp::Lt => |a, b| a < b,
            BinaryOp::Le => |a, b| a <= b,
            BinaryOp::Gt => |a, b| a > b,
            BinaryOp::Ge => |a, b| a >= b,
            _ => return None,
        };
        return Some(lanes.these(|it| holds(it, number)));
    }
    let bound = |more: i16| match number {
        Some(number) => Bound::Number(number.saturating_add(i64::from(more))),
        None => Bound::Of(with.clone(), more),
    };
    let (least, most) = (Bound::Number(i64::MIN), Bound::Number(i64::MAX));
    Some(match op {
        BinaryOp::Lt => Values::between(least, bound(-1)),
        BinaryOp::Le => Values::between(least, bound(0)),
        BinaryOp::Gt => Values::between(bound(1), most),
        BinaryOp::Ge => Values::between(bound(0), most),
        _ => return None,
    })
}

/// Whether no part of a sum gets too great.
pub(super) fn within_bounds(sum: &Expr) -> bool {
    match &sum.kind {
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) => {
            stays_within(sum.ty) && within_bounds(left) && within_bounds(right)
        }
        _ => true,
    }
}

/// A number and another one, or less that one, where that does not get too great.
pub(super) fn summed(sign: BinaryOp, one: Expr, other: &Expr) -> Option<Expr> {
    let bounds = |it: &Expr| match it.ty.base {
        Base::Int(lo, hi) => Some((lo, hi)),
        _ => None,
    };
    let (lo, hi) = arith::bounds(sign, bounds(&one)?, bounds(other)?);
    let ty = Type::of(Base::Int(i64::try_from(lo).ok()?, i64::try_from(hi).ok()?));
    if matches!(one.kind, ExprKind::Value(0)) && sign == BinaryOp::Add {
        return Some(other.clone());
    }
    let span = one.span;
    let sum = Expr::new(ExprKind::binary(sign, one, other.clone()), ty, span);
    stays_within(ty).then_some(sum)
}

/// The number that no position changes.
fn number_of(number: &Expr) -> Option<i64> {
    match &number.kind {
        ExprKind::Value(value) => Some(*value),
        ExprKind::Setting(folded) => Some(folded.value),
        ExprKind::Binary(sign @ (BinaryOp::Add | BinaryOp::Sub), one, other) => {
            let there = |it: &Expr| number_of(it).filter(|it| *it != NONE);
            let (one, other) = (there(one)?, there(other)?);
            match sign {
                BinaryOp::Add => one.checked_add(other),
                _ => one.checked_sub(other),
            }
        }
        _ => None,
    }
}
