//! Whether two of what lies somewhere are alike.

use std::collections::HashMap;

use super::Shared;
use super::flood::asked_of;
use super::folds::mirrored;
use super::inline::{mentions, rename_in};
use super::mask::{conjuncts, is_local};
use super::structure::same;
use super::sure::within;
use super::unroll::joined;
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DomainId, DomainKind, Expr, ExprKind, Over,
    Type,
};

impl Shared<'_> {
    /// `some { v in V where count { c in z where c.f == v } >= 2 }` is `count { c.f for c in z } < count z`, and so with
    /// `some { b in z where count { c in z where c.f == b.f } >= 2 }`.
    pub(super) fn two_alike(&mut self, expr: &Expr) -> Option<Expr> {
        let aggregate = expr.as_aggregate()?;
        let (many, few) = self.fewer_values(aggregate, expr)?;
        let op = match aggregate.op {
            AggregateOp::Some => BinaryOp::Lt,
            _ => BinaryOp::Ge,
        };
        Some(joined(op, few, many))
    }

    /// How many there are, and how many values they have.
    fn fewer_values(&mut self, aggregate: &Aggregate, whole: &Expr) -> Option<(Expr, Expr)> {
        let outer = aggregate.only_binder()?;
        let asked = asked_of(aggregate)?;
        let (op, one, other) = asked.as_binary()?;
        let (op, counted, number) = match other.as_value() {
            Some(number) => (op, one, number),
            None => (mirrored(op), other, one.as_value()?),
        };
        if !matches!((op, number), (BinaryOp::Ge, 2) | (BinaryOp::Gt, 1)) {
            return None;
        }
        let inner = counted.as_aggregate()?.only_binder_of(AggregateOp::Count)?;
        let Over::Zone(place) = &inner.over else {
            return None;
        };
        // Where each lies once it is a set that others ask for too.
        if self.lies_once(place) {
            return None;
        }
        let v = outer.local;
        let mut conds = Vec::new();
        conjuncts(inner.guard.as_ref()?, &mut conds);
        let at = conds.iter().position(|it| mentions(it, &[v]))?;
        let (one, other) = conds.remove(at).operands_of(BinaryOp::Eq)?;
        let (of_inner, of_outer) = match mentions(one, &[v]) {
            true => (other, one),
            false => (one, other),
        };
        let is_apart = !mentions(of_inner, &[v])
            && !mentions(of_outer, &[inner.local])
            && mentions(of_inner, &[inner.local])
            && !conds.iter().any(|it| mentions(it, &[v]))
            && !place.index.iter().any(|it| mentions(it, &[v]));
        let is_told = of_inner.ty.optional || self.reads_state(of_inner);
        if !is_apart || is_told {
            return None;
        }
        let domain = match &outer.over {
            Over::Zone(also) => {
                let mut of_it = of_outer.clone();
                rename_in(&mut of_it, &HashMap::from([(v, inner.local)]));
                let mut index = also.index.iter().zip(&place.index);
                let is_same = also.zone == place.zone && index.all(|(one, other)| same(one, other));
                let is_same = is_same && conds.is_empty() && same(&of_it, of_inner);
                is_same.then(|| self.domain_of(of_inner.ty))??
            }
            Over::Set(set) => {
                let ExprKind::All(domain) = set.kind else {
                    return None;
                };
                let is_all = is_local(of_outer, v)
                    && within(of_inner.ty, self.local_type(v))
                    && of_inner.ty.base.element_of().is_none_or(|it| it == domain);
                is_all.then_some(domain)?
            }
            Over::Span(..) => return None,
        };
        let guard = conds.into_iter().cloned().reduce(Expr::and);
        let member = inner.unguarded().guarded(guard);
        let ty = Type::of(Base::Int(0, i64::from(u16::MAX)));
        let number = |of| Expr::new(of, ty, whole.span);
        let mut many = number(Aggregate::over(AggregateOp::Count, vec![member.clone()]));
        super::folds::lies_there(&mut many);
        let values = Aggregate::over(AggregateOp::Collect, vec![member]).of(of_inner.clone());
        let mut values = Expr::set(values, domain, whole.span);
        self.rename(&mut values);
        let one = match of_inner.ty.base {
            Base::Elem(domain) => Type::of(Base::Elem(domain)),
            _ => self.element_of(&values)?,
        };
        let of_values = Binder::over(self.new_local(one), values);
        let mut few = number(Aggregate::over(AggregateOp::Count, vec![of_values]));
        self.narrow(&mut many);
        self.narrow(&mut few);
        Some((many, few))
    }

    /// The domain of which a type has the values.
    fn domain_of(&self, ty: Type) -> Option<DomainId> {
        match ty.base {
            Base::Elem(domain) => Some(domain),
            Base::Int(lo, hi) => self.ranges(lo, hi).next(),
            _ => None,
        }
    }

    /// The domains of the numbers from one to another.
    pub(super) fn ranges(&self, lo: i64, hi: i64) -> impl Iterator<Item = DomainId> {
        let is_it = move |lo_: i64, size: u64| {
            lo_ == lo
                && lo_
                    .checked_add_unsigned(size)
                    .is_some_and(|it| it - 1 == hi)
        };
        let ids = self.game.domains.iter().zip(0..);
        ids.filter(move |(it, _)| matches!(it.kind, DomainKind::Range) && is_it(it.lo, it.size))
            .map(|(_, id)| DomainId(id))
    }
}
