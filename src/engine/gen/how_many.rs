//! How many there may be of what is counted.

use super::Shared;
use super::mask::conjuncts;
use super::unroll::joined;
use crate::engine::layout::words_for;
use crate::model::{Aggregate, AggregateOp, Base, BinaryOp, Binder, Expr, ExprKind, Over, Type};

impl Shared<'_> {
    /// Whether there are never so many of what is counted that a number leaves its bounds.
    pub(super) fn counts_within(&mut self, number: &Expr, ty: Type) -> bool {
        let Base::Int(..=0, most) = ty.base else {
            return false;
        };
        self.most_counted(number).is_some_and(|it| it <= most)
    }

    /// Most that a number comes to which is counted, if it never is below 0.
    pub(super) fn most_counted(&mut self, number: &Expr) -> Option<i64> {
        let most = match &number.kind {
            ExprKind::CountOf(place, _) => {
                let slot = self.layout.zone(place.zone)?;
                u64::from(slot.copies.min(slot.capacity))
            }
            ExprKind::Count(place) => {
                let slot = self.layout.zone(place.zone)?;
                slot.total.min(u64::from(slot.capacity))
            }
            ExprKind::Aggregate(it) if it.op == AggregateOp::Count => {
                let [binder] = it.binders.as_slice() else {
                    return None;
                };
                match &binder.over {
                    Over::Set(set) => self.most_members(binder, set.clone())?,
                    Over::Zone(place) => {
                        let slot = self.layout.zone(place.zone)?;
                        let (copies, total) = (u64::from(slot.copies), slot.total);
                        let most = total.min(u64::from(slot.capacity));
                        let component = self.game.zones.get(place.zone.index())?.component;
                        let kinds = Expr {
                            kind: ExprKind::All(component),
                            ty: Type::of(Base::Set(component)),
                            span: number.span,
                        };
                        most.min(self.most_members(binder, kinds)?.saturating_mul(copies))
                    }
                    Over::Span(..) => return None,
                }
            }
            ExprKind::Binary(BinaryOp::Add, left, right) => {
                let left = self.most_counted(left)?;
                return left.checked_add(self.most_counted(right)?);
            }
            ExprKind::If(_, then, or) => {
                let then = self.most_counted(then)?;
                return Some(then.max(self.most_counted(or)?));
            }
            _ => {
                return match number.ty.base {
                    Base::Int(0.., most) if !number.ty.optional => Some(most),
                    _ => None,
                };
            }
        };
        i64::try_from(most).ok()
    }

    /// Most members of a set for which what hangs on no position may hold.
    fn most_members(&mut self, binder: &Binder, set: Expr) -> Option<u64> {
        let Base::Set(domain) = set.ty.base else {
            return None;
        };
        let mut conds = Vec::new();
        binder.guard.iter().for_each(|it| conjuncts(it, &mut conds));
        let known = conds
            .into_iter()
            .filter(|it| !self.reads_state(it))
            .cloned();
        let members = Aggregate {
            op: AggregateOp::Collect,
            binders: vec![Binder {
                over: Over::Set(set.clone()),
                guard: known.reduce(|one, other| joined(BinaryOp::And, one, other)),
                ..binder.clone()
            }],
            value: None,
            default: None,
        };
        let mut set = Expr {
            kind: ExprKind::Aggregate(Box::new(members)),
            ..set
        };
        self.rename(&mut set);
        let size = self.domain(domain)?.size;
        let words = usize::from(words_for(size));
        let table = self.tabled(&set, &[]).filter(|it| !it.faults);
        let Some(cells) = table.and_then(|it| self.cells(&it)) else {
            return Some(size);
        };
        let members = |row: &[i64]| row.iter().map(|it| u64::from(it.count_ones())).sum();
        cells.chunks(words).map(members).max()
    }
}
