//! What elements have, added up and compared: what lies there, and what tracks and tables say of them.

use std::collections::HashMap;

use super::Gen;
use super::balance::Balance;
use super::decided::decide;
use super::facts::Facts;
use super::inline::{mentions, substitute};
use super::lanes::{summed, within_bounds};
use super::mask::{Plan, is_local};
use super::operator::stays_within;
use super::related::{Related, with};
use super::those::Column;
use super::unroll::joined;
use crate::engine::layout::{Lane, Store};
use crate::engine::op::{Op, Reg, zone16};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DomainId, Expr, ExprKind, LocalId, Type, ZoneId,
};

/// Fewer elements are rather asked one by one, and more are no set of one word.
const FEWEST: u64 = 3;
const MOST: u64 = 64;
/// Most numbers that are added up.
const MOST_TERMS: usize = 8;
/// Bounds are constants, of which there is no room for more than twice as many.
const MOST_CONSTANTS: usize = 4_000;
/// Most values of what is added up, but one.
const MOST_WORTH: i64 = 4;

/// The elements whose numbers, so often each, come to a bound or more.
#[derive(Clone, Debug)]
pub(super) struct Weighed {
    terms: Vec<(Number, i16)>,
    bounds: Vec<u64>,
}

/// A number that each element has.
#[derive(Clone, Debug)]
enum Number {
    /// How many of a kind lie there, or of any.
    Lying(ZoneId, Option<Expr>),
    /// What a track says.
    Said(Column),
    /// How many members of a set are related to it.
    Near(Box<Related>),
}

/// What is to be compared, as far as it has been looked at.
struct Scales {
    x: LocalId,
    domain: DomainId,
    terms: Vec<(Number, i16)>,
    /// What no position changes.
    known: Expr,
}

impl Gen<'_, '_> {
    /// `count_of(k, z[x]) > count_of(l, z[x])`, `2 * t[s, x] >= count z[x]`, `sum { t[x, s] for s in seat } < n[x]`.
    pub(super) fn weighed_plan(
        &mut self,
        cond: &Expr,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        let (op, left, right) = cond.as_binary()?;
        if let BinaryOp::Eq | BinaryOp::Ne = op {
            self.weighed(left, right, 0, x, domain)?;
            let [least, most] =
                [BinaryOp::Ge, BinaryOp::Le].map(|op| joined(op, left.clone(), right.clone()));
            let both = least.and(most);
            let plan = self.plan(&both, x, domain)?;
            let plan = Plan::Any(vec![(both, plan)]);
            return Some(match op {
                BinaryOp::Eq => plan,
                _ => Plan::Not(Box::new(plan)),
            });
        }
        let (more, holds) = match op {
            BinaryOp::Ge => (0, true),
            BinaryOp::Gt => (1, true),
            BinaryOp::Lt => (0, false),
            BinaryOp::Le => (1, false),
            _ => return None,
        };
        let weighed = self.weighed(left, right, more, x, domain)?;
        let plan = Plan::Weighed(Box::new(weighed));
        Some(match holds {
            true => plan,
            false => Plan::Not(Box::new(plan)),
        })
    }

    /// `left >= right + more`.
    fn weighed(
        &mut self,
        left: &Expr,
        right: &Expr,
        more: i64,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Weighed> {
        let are_numbers = [left, right]
            .iter()
            .all(|it| matches!(it.ty.base, Base::Int(..)) && within_bounds(it));
        let is_room = self.shared.code.consts.len() < MOST_CONSTANTS;
        if !is_room || !are_numbers || !(FEWEST..=MOST).contains(&self.domain_size(domain)) {
            return None;
        }
        let balance = Balance::of(left, right)?;
        let mut scales = Scales {
            x,
            domain,
            terms: Vec::new(),
            known: Expr::number(more.checked_sub(balance.number)?, left.span),
        };
        for (parts, by) in [(&balance.more, 1), (&balance.less, -1)] {
            for part in parts {
                self.weigh(part, by, &mut scales)?;
            }
        }
        decide(&mut scales.known);
        let bounds = match scales.known.as_value() {
            Some(bound) => vec![bound as u64; self.domain_size(domain) as usize],
            None => {
                let table = self.by_last(&scales.known, x, domain)?;
                let is_plain = table.inputs.len() == 1 && !table.faults;
                let cells = self.shared.cells(&table).filter(|_| is_plain)?;
                cells.iter().map(|it| *it as u64).collect()
            }
        };
        let terms = scales.terms;
        let fits = (1..=MOST_TERMS).contains(&terms.len());
        fits.then_some(Weighed { terms, bounds })
    }

    fn weigh(&mut self, part: &Expr, by: i64, scales: &mut Scales) -> Option<()> {
        let (x, times) = (scales.x, i16::try_from(by).ok()?);
        match &part.kind {
            _ if part.ty.optional => return None,
            // What gets too great is a fault.
            ExprKind::Binary(..) | ExprKind::Aggregate(_) if !stays_within(part.ty) => return None,
            ExprKind::Binary(BinaryOp::Mul, one, other) if self.shared.reads_state(part) => {
                let (number, other) = match (one.as_value(), other.as_value()) {
                    (Some(number), _) => (number, other),
                    (_, Some(number)) => (number, one),
                    _ => return None,
                };
                return self.weigh(other, by.checked_mul(number)?, scales);
            }
            ExprKind::Aggregate(of)
                if of.op == AggregateOp::Count && self.shared.reads_state(part) =>
            {
                let one = Expr::number(1, part.span);
                let related = self.related_counted(part, one, x, scales.domain)?;
                i8::try_from(by).ok()?;
                scales.terms.push((Number::Near(Box::new(related)), times));
            }
            ExprKind::Aggregate(sum) if self.shared.reads_state(part) => {
                let binder = sum.only_binder_of(AggregateOp::Sum)?;
                let value = sum.value.as_ref()?;
                let values = self.shared.few_of(binder);
                let Some(values) = values.filter(|_| binder.guard.is_none()) else {
                    return self.weigh_each_worth(binder, value, by, scales);
                };
                let ty = self.shared.local_type(binder.local);
                for one in values {
                    let one = Expr::new(ExprKind::Value(one), ty, value.span);
                    let mut value = value.clone();
                    self.shared.rename(&mut value);
                    substitute(&mut value, &HashMap::from([(binder.local, one)]));
                    self.weigh(&value, by, scales)?;
                }
                return Some(());
            }
            ExprKind::Count(place) | ExprKind::CountOf(place, _) => {
                let kind = match &part.kind {
                    ExprKind::CountOf(_, kind) => Some((**kind).clone()),
                    _ => None,
                };
                let slot = self.shared.layout.zone(place.zone)?;
                let is_many = matches!(slot.store, Store::Bag(_) | Store::Pile { .. });
                let is_at_x = matches!(&*place.index, [index] if is_local(index, x));
                let fits = is_many && is_at_x && self.place_index(place) == [scales.domain];
                if !fits || kind.as_ref().is_some_and(|it| mentions(it, &[x])) {
                    return None;
                }
                scales.terms.push((Number::Lying(place.zone, kind), times));
            }
            ExprKind::Track(track, index) => {
                let column = self.column(*track, index, x, scales.domain)?;
                let Base::Int(..) = part.ty.base else {
                    return None;
                };
                if column.array.lane != Lane::Word {
                    let less = Expr::number(column.array.lo.checked_mul(by)?, part.span);
                    scales.known = summed(BinaryOp::Sub, scales.known.clone(), &less)?;
                }
                scales.terms.push((Number::Said(column), times));
            }
            _ if !self.shared.reads_state(part) => {
                let sign = match by {
                    1 => BinaryOp::Sub,
                    -1 => BinaryOp::Add,
                    _ => return None,
                };
                scales.known = summed(sign, scales.known.clone(), part)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// `sum { v(t) for t in S where P }` is `count { t in S where P and v(t) == 1 } + 2 * count { t in S where P and v(t) == 2 } + …`.
    fn weigh_each_worth(
        &mut self,
        binder: &Binder,
        value: &Expr,
        by: i64,
        scales: &mut Scales,
    ) -> Option<()> {
        let Base::Int(lo, hi) = value.ty.base else {
            return None;
        };
        if value.ty.optional || !(0..=MOST_WORTH).contains(&hi.checked_sub(lo)?) {
            return None;
        }
        for worth in (lo..=hi).filter(|it| *it != 0) {
            let is = joined(BinaryOp::Eq, value.clone(), Expr::number(worth, value.span));
            let count = Aggregate::over(AggregateOp::Count, vec![with(binder.clone(), is)]);
            let mut count = Expr::new(
                count,
                Type::of(Base::Int(0, i64::from(u16::MAX))),
                value.span,
            );
            self.shared.rename(&mut count);
            self.weigh(&count, by.checked_mul(worth)?, scales)?;
        }
        Some(())
    }

    /// Whether all that numbers are worked out from has a value, even if no element asks for it.
    pub(super) fn weighed_early(&mut self, weighed: &Weighed, facts: &mut Facts) -> bool {
        weighed.terms.iter().all(|(number, _)| match number {
            Number::Lying(_, kind) => kind.as_ref().is_none_or(|it| self.sure(it, facts)),
            Number::Said(column) => self.column_sure(column, facts),
            Number::Near(related) => self.related_early(related, facts),
        })
    }

    /// Whether nothing that is counted may fault.
    pub(super) fn weighed_exact(&mut self, weighed: &Weighed, facts: &mut Facts) -> bool {
        weighed.terms.iter().all(|(number, _)| match number {
            Number::Near(related) => self.related_exact(related, facts),
            Number::Lying(..) | Number::Said(_) => true,
        })
    }

    pub(super) fn weighed_mask(&mut self, weighed: &Weighed) -> Reg {
        let n = u16::try_from(weighed.bounds.len()).unwrap_or(u16::MAX);
        let mut a = self.constant_words(&vec![0; weighed.bounds.len()]);
        for (number, by) in &weighed.terms {
            let by = *by;
            let d = match number {
                Number::Lying(zone, kind) => {
                    let kinds = self.shared.layout.zone(*zone).map_or(0, |it| it.kinds);
                    let kind = match kind {
                        Some(kind) => self.value(kind),
                        None => self.constant(i64::from(kinds)),
                    };
                    let (d, zone) = (self.temps(n), zone16(*zone));
                    self.op(Op::Tally {
                        d,
                        a,
                        zone,
                        kind,
                        by,
                        n,
                    });
                    d
                }
                Number::Near(related) => {
                    let d = self.temps(n);
                    self.related_tally(related, i8::try_from(by).unwrap_or(0), [d, a], n);
                    d
                }
                Number::Said(column) => {
                    let (off, d) = (self.column_start(column), self.temps(n));
                    let (array, stride) = (column.array, column.stride);
                    let (lanes, bytes) = (array.base, array.bytes());
                    self.op(Op::TallyLanes {
                        d,
                        a,
                        lanes,
                        off,
                        bytes,
                        stride,
                        by,
                        n,
                    });
                    d
                }
            };
            a = d;
        }
        let (d, b) = (self.temp(), self.constant_words(&weighed.bounds));
        self.op(Op::AtLeast { d, a, b, n });
        d
    }
}
