//! Sums and products of what members of a set, or things that lie somewhere, are worth.

use super::Gen;
use super::aggregate::levels_of;
use super::nest::Sink;
use super::operator::stays_within;
use crate::engine::layout::words_for;
use crate::engine::op::{Op, Reg, zone16};
use crate::model::{Aggregate, AggregateOp, Base, Expr, ExprKind, Over, Type};

impl Gen<'_, '_> {
    pub(super) fn sum_to(&mut self, aggregate: &Aggregate, ty: Type, d: Reg) {
        if self.total_to(aggregate, ty, d) {
            return;
        }
        self.all_together_to(aggregate, 0, d, |r#gen, sum, mut a, copies| {
            if let Some(copies) = copies {
                let d = r#gen.temp();
                r#gen.calculated(Op::Mul { d, a, b: copies }, d, ty);
                a = d;
            }
            let added = Op::Add {
                d: sum,
                a: sum,
                b: a,
            };
            r#gen.calculated(added, sum, ty);
        });
    }

    pub(super) fn product_to(&mut self, aggregate: &Aggregate, ty: Type, d: Reg) {
        self.all_together_to(aggregate, 1, d, |r#gen, product, a, copies| {
            let times = Op::Mul {
                d: product,
                a: product,
                b: a,
            };
            let Some(copies) = copies else {
                return r#gen.calculated(times, product, ty);
            };
            let (left, zero) = (r#gen.temp(), r#gen.constant(0));
            let (top, done) = (r#gen.label(), r#gen.label());
            r#gen.mov(left, copies);
            r#gen.bind(top);
            let to = r#gen.to(done);
            r#gen.op(Op::JumpLe {
                a: left,
                b: zero,
                to,
            });
            r#gen.calculated(times, product, ty);
            r#gen.op(Op::AddK {
                d: left,
                a: left,
                k: -1,
            });
            r#gen.loop_to(top);
            r#gen.bind(done);
        });
    }

    /// What all values come to, beginning with a number: `add` is told what they come to so far, one more of them, and how
    /// often it is to be taken.
    fn all_together_to(
        &mut self,
        aggregate: &Aggregate,
        first: i64,
        d: Reg,
        add: impl Fn(&mut Gen<'_, '_>, Reg, Reg, Option<Reg>),
    ) {
        let (all, first) = (self.temp(), self.constant(first));
        self.mov(all, first);
        let (levels, conds) = levels_of(&aggregate.binders);
        let Some(value) = &aggregate.value else {
            return self.mov(d, first);
        };
        let mut each = |r#gen: &mut Gen<'_, '_>, copies: Option<Reg>| {
            let a = r#gen.value_there(value);
            add(r#gen, all, a, copies);
        };
        self.nest(&levels, &conds, &mut Sink::Each(&mut each));
        self.mov(d, all);
    }

    /// `count { c in z where P(c) }` of what may lie there more than once is `sum { if P(c) then 1 else 0 for c in z }`.
    pub(super) fn copies_to(&mut self, aggregate: &Aggregate, ty: Type, d: Reg) -> bool {
        let Some(binder) = aggregate.only_binder() else {
            return false;
        };
        let (Over::Zone(place), Some(guard)) = (&binder.over, &binder.guard) else {
            return false;
        };
        if self.shared.is_plain()
            || !self.counted(place)
            || !self.shared.may_be_rows(guard, binder.local)
        {
            return false;
        }
        let [one, none] = [1, 0].map(|it| Expr::number(it, guard.span));
        let kind = ExprKind::choice(guard.clone(), one, none);
        let value = Expr::new(kind, Type::of(Base::Int(0, 1)), guard.span);
        let sum = Aggregate::over(AggregateOp::Sum, vec![binder.unguarded()]).of(value);
        self.total_to(&sum, ty, d)
    }

    /// A sum of what no position changes, over a set, in one operation.
    fn total_to(&mut self, aggregate: &Aggregate, ty: Type, d: Reg) -> bool {
        let (false, [binder], Some(value)) = (
            self.shared.is_plain(),
            &*aggregate.binders,
            &aggregate.value,
        ) else {
            return false;
        };
        let (set, place) = match &binder.over {
            Over::Set(set) => (set.clone(), None),
            Over::Zone(place) => {
                let Some(zone) = self.shared.game.zones.get(place.zone.index()) else {
                    return false;
                };
                let kinds = Expr::set(ExprKind::Kinds(place.clone()), zone.component, value.span);
                let copies = self.counted(place).then_some(place);
                (kinds, copies)
            }
            Over::Span(..) => return false,
        };
        let Base::Set(domain) = set.ty.base else {
            return false;
        };
        let m = words_for(self.domain_size(domain));
        let Ok(few) = u8::try_from(m) else {
            return false;
        };
        if value.ty.optional || !stays_within(ty) {
            return false;
        }
        let Some(table) = self.by_last(value, binder.local, domain) else {
            return false;
        };
        let others = table.inputs.iter().rev().skip(1);
        if table.faults || !others.map(|it| &it.expr).all(|it| self.sure_here(it)) {
            return false;
        }
        // None lie there of those that need not be asked for.
        let set = match (&binder.guard, place) {
            (None, Some(_)) => set.with_kind(ExprKind::All(domain)),
            _ => set,
        };
        let members = Aggregate::over(AggregateOp::Count, vec![binder.with_over(set)]);
        let Some((set, _)) = self.whole_set(&members) else {
            return false;
        };
        let (off, base) = (self.row_offset(&table, 1), table.base);
        let at = place.map(|it| (zone16(it.zone), self.place_reg(it)));
        self.op(match at {
            None => Op::Total {
                d,
                set,
                m: few,
                off,
                base,
            },
            Some((zone, place)) => Op::TotalIn {
                m: few,
                d,
                zone,
                place,
                set,
                off,
                base,
            },
        });
        true
    }
}
