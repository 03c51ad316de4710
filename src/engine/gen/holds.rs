//! What lies in the places of a zone of many things, as sets of places.

use super::Gen;
use super::inline::mentions;
use super::mask::{Plan, is_local};
use crate::engine::layout::{Store, words_for};
use crate::engine::op::{Op, Reg, zone16};
use crate::model::{Base, BinaryOp, DomainId, Expr, ExprKind, LocalId, ZoneId};

/// Most copies that are asked for; a place counts in bytes.
const MOST_COPIES: i64 = 255;

/// Most counts that are looked at for one set: beyond that to ask place by place costs less.
const MOST_WORK: u64 = 64;

/// At least so many things lie there: of a kind, or any.
#[derive(Clone, Debug)]
pub(super) struct Holds {
    zone: ZoneId,
    pub kind: Option<Expr>,
    least: i64,
}

impl Gen<'_, '_> {
    /// `k in z[f(x)]`, `count_of(k, z[f(x)]) >= 2`, `count z[f(x)] > 3`, `filled z[f(x)]`.
    pub(super) fn holds_plan(&mut self, cond: &Expr, x: LocalId, domain: DomainId) -> Option<Plan> {
        let (place, kind, op, number) = match &cond.kind {
            ExprKind::Filled(place) => (place, None, BinaryOp::Ge, 1),
            ExprKind::Binary(BinaryOp::In, kind, set) => match &set.kind {
                ExprKind::Kinds(place) => (place, Some(&**kind), BinaryOp::Ge, 1),
                _ => return None,
            },
            ExprKind::Binary(op, left, right) => {
                let ExprKind::Value(number) = right.kind else {
                    return None;
                };
                match &left.kind {
                    ExprKind::Count(place) => (place, None, *op, number),
                    ExprKind::CountOf(place, kind) => (place, Some(&**kind), *op, number),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let (least, negated) = match (op, number) {
            (BinaryOp::Ge, least) => (least, false),
            (BinaryOp::Gt, less) => (less.checked_add(1)?, false),
            (BinaryOp::Lt, least) => (least, true),
            (BinaryOp::Le, less) => (less.checked_add(1)?, true),
            (BinaryOp::Ne, 0) => (1, false),
            (BinaryOp::Eq, 0) => (1, true),
            _ => return None,
        };
        let slot = self.shared.layout.zone(place.zone)?;
        let is_many = matches!(slot.store, Store::Bag(_) | Store::Pile { .. });
        // What lies there is known at once.
        if is_many
            && let Some(kind) = kind
            && least == 1
            && is_local(kind, x)
            && !place.index.iter().any(|it| mentions(it, &[x]))
            && self.shared.local_type(x).base == Base::Elem(domain)
        {
            let kinds = Plan::Member(Expr::set(ExprKind::Kinds(place.clone()), domain, cond.span));
            return Some(match negated {
                true => Plan::Not(Box::new(kinds)),
                false => kinds,
            });
        }
        let each = kind.map_or(slot.work, |_| 1);
        if u64::from(slot.places) * each > MOST_WORK {
            return None;
        }
        let alone = kind.is_none_or(|it| !mentions(it, &[x]));
        if !is_many || !alone || !(1..=MOST_COPIES).contains(&least) {
            return None;
        }
        let holds = Plan::Holds(Holds {
            zone: place.zone,
            kind: kind.cloned(),
            least,
        });
        let is_at_x = matches!(place.index.as_slice(), [index] if is_local(index, x));
        let plan = if is_at_x && self.place_index(place) == [domain] {
            holds
        } else {
            let (over, table) = self.mapped(place, x, domain)?;
            Plan::Preimage(Box::new(holds), over, table)
        };
        Some(if negated {
            Plan::Not(Box::new(plan))
        } else {
            plan
        })
    }

    pub(super) fn holds_mask(&mut self, holds: &Holds, domain: DomainId) -> Reg {
        let n = words_for(self.domain_size(domain));
        let kinds = self.shared.layout.zone(holds.zone).map_or(0, |it| it.kinds);
        let kind = match &holds.kind {
            Some(kind) => self.value(kind),
            None => self.constant(i64::from(kinds)),
        };
        let least = self.constant(holds.least);
        let d = self.temps(n);
        self.op(Op::Holders {
            d,
            zone: zone16(holds.zone),
            kind,
            least,
            n,
        });
        d
    }
}
