//! `some { a in S, b in S where a != b and P(a) and P(b) }`: so many members of which the same is asked.

use std::collections::HashMap;

use super::Shared;
use super::inline::{mentions, rename_in};
use super::mask::{conjuncts, is_local};
use super::unroll::joined;
use crate::engine::layout::{Contents, Store};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, Expr, ExprKind, LocalId, Over, Place, Type,
};

/// Whether each variable is less than the next, or each is greater.
fn same_way(aggregate: &Aggregate) -> bool {
    let mut parts = Vec::new();
    let guards = aggregate.binders.iter().filter_map(|it| it.guard.as_ref());
    guards.for_each(|it| conjuncts(it, &mut parts));
    let locals: Vec<LocalId> = aggregate.binders.iter().map(|it| it.local).collect();
    let at = |it: &Expr| locals.iter().position(|local| is_local(it, *local));
    let rises = parts.iter().filter_map(|it| match &it.kind {
        ExprKind::Binary(op @ (BinaryOp::Lt | BinaryOp::Gt), left, right) => {
            Some((*op == BinaryOp::Lt) == (at(left)? < at(right)?))
        }
        _ => None,
    });
    let rises: Vec<bool> = rises.collect();
    rises.iter().all(|it| *it) || rises.iter().all(|it| !*it)
}

/// `some { a in S where P and some { b in T where Q } }` as `some { a in S, b in T where P and Q }`; `no` as well.
fn nested(aggregate: &Aggregate) -> Option<Aggregate> {
    let (last, before) = aggregate.binders.split_last()?;
    let mut parts = Vec::new();
    conjuncts(last.guard.as_ref()?, &mut parts);
    let (inner, others) = parts.split_last()?;
    let ExprKind::Aggregate(inner) = &inner.kind else {
        return None;
    };
    if inner.op != AggregateOp::Some {
        return None;
    }
    let inner = nested(inner).unwrap_or_else(|| (**inner).clone());
    let others = others.iter().map(|it| (*it).clone());
    let outer = Binder {
        guard: others.reduce(|one, other| joined(BinaryOp::And, one, other)),
        ..last.clone()
    };
    let binders = before.iter().cloned().chain([outer]).chain(inner.binders);
    Some(Aggregate {
        binders: binders.collect(),
        ..aggregate.clone()
    })
}

impl Shared<'_> {
    /// `some { a in S, b in S where a != b and P(a) and P(b) }` is `count { a in S where P(a) } >= 2`, and so with more of them,
    /// and where they are told apart by their order.
    pub(super) fn several_of(&mut self, expr: &mut Expr) {
        let ExprKind::Aggregate(aggregate) = &expr.kind else {
            return;
        };
        let op = match aggregate.op {
            AggregateOp::Some => BinaryOp::Ge,
            AggregateOp::No => BinaryOp::Lt,
            _ => return,
        };
        let within = nested(aggregate);
        let aggregate = within.as_ref().unwrap_or(aggregate);
        let Some(one) = self.one_of_several(aggregate) else {
            return;
        };
        let many = aggregate.binders.len() as i64;
        let number = |kind, most| Expr {
            kind,
            ty: Type::of(Base::Int(0, most)),
            span: expr.span,
        };
        let counted = Aggregate {
            op: AggregateOp::Count,
            binders: vec![one],
            ..aggregate.clone()
        };
        let counted = ExprKind::Aggregate(Box::new(counted));
        let counted = number(counted, i64::from(u16::MAX));
        let several = joined(op, counted, number(ExprKind::Value(many), many));
        if self.surely(expr) && self.surely(&several) {
            *expr = several;
        }
    }

    /// Any of several variables that stand for different members of one set, of which the same is asked.
    fn one_of_several(&self, aggregate: &Aggregate) -> Option<Binder> {
        let (first, others) = aggregate.binders.split_first()?;
        let locals: Vec<LocalId> = aggregate.binders.iter().map(|it| it.local).collect();
        let of_one = |it: &Binder| match (&first.over, &it.over) {
            (Over::Set(one), Over::Set(other)) => self.alike(one, other),
            (Over::Zone(one), Over::Zone(other)) => {
                let same = one
                    .index
                    .iter()
                    .zip(&other.index)
                    .all(|(one, other)| self.alike(one, other));
                same && one.zone == other.zone && self.lies_once(one)
            }
            _ => false,
        };
        if others.is_empty() || !others.iter().all(of_one) {
            return None;
        }
        let mut parts = Vec::new();
        let guards = aggregate.binders.iter().filter_map(|it| it.guard.as_ref());
        guards.for_each(|it| conjuncts(it, &mut parts));
        let mut apart = Vec::new();
        let mut asked: Vec<Option<Expr>> = vec![None; locals.len()];
        for part in &parts {
            let part = *part;
            let of: Vec<usize> = (0..locals.len())
                .filter(|at| locals.get(*at).is_some_and(|it| mentions(part, &[*it])))
                .collect();
            match (of.as_slice(), &part.kind) {
                ([at], _) => {
                    let mut of_first = part.clone();
                    let by = HashMap::from([(*locals.get(*at)?, first.local)]);
                    rename_in(&mut of_first, &by);
                    let asked = asked.get_mut(*at)?;
                    *asked = Some(match asked.take() {
                        Some(before) => joined(BinaryOp::And, before, of_first),
                        None => of_first,
                    });
                }
                (
                    [one, other],
                    ExprKind::Binary(
                        op @ (BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Gt),
                        left,
                        right,
                    ),
                ) => {
                    let of = [*locals.get(*one)?, *locals.get(*other)?];
                    let are_members = [left, right]
                        .iter()
                        .all(|it| of.iter().any(|local| is_local(it, *local)));
                    // Of two which is the greater makes no difference.
                    let by_field = (*op == BinaryOp::Ne || locals.len() == 2)
                        && self.differ_in(left, right, of, &parts);
                    if !are_members && !by_field {
                        return None;
                    }
                    apart.push((*one, *other, *op == BinaryOp::Ne || by_field));
                }
                _ => return None,
            }
        }
        let n = locals.len();
        let is_apart =
            |one: usize, other: usize| apart.iter().any(|it| (it.0, it.1) == (one, other));
        let all = (0..n).all(|one| (one + 1..n).all(|other| is_apart(one, other)));
        // One after the other, so each is told from each.
        let in_order = apart.len() == n - 1
            && apart.iter().all(|it| !it.2)
            && (1..n).all(|at| is_apart(at - 1, at));
        let told = all && apart.iter().all(|it| it.2) || in_order && same_way(aggregate);
        let (mut asked, mut one) = (asked.into_iter(), first.clone());
        let whole = asked.next()?;
        let same = asked.all(|it| match (&it, &whole) {
            (Some(it), Some(whole)) => self.alike(it, whole),
            (None, None) => true,
            _ => false,
        });
        one.guard = whole;
        (told && same).then_some(one)
    }

    /// Whether these are the same field of two components that are alike in all others.
    fn differ_in(&self, left: &Expr, right: &Expr, of: [LocalId; 2], parts: &[&Expr]) -> bool {
        let (ExprKind::Field(one, at), ExprKind::Field(other, also)) = (&left.kind, &right.kind)
        else {
            return false;
        };
        let Base::Elem(component) = one.ty.base else {
            return false;
        };
        let are_two = of
            .iter()
            .all(|it| is_local(one, *it) != is_local(other, *it));
        let given = |local: LocalId, field: usize| {
            parts.iter().find_map(|part| {
                let ExprKind::Binary(BinaryOp::Eq, left, right) = &part.kind else {
                    return None;
                };
                let is_it = |it: &Expr| match &it.kind {
                    ExprKind::Field(base, at) => *at == field && is_local(base, local),
                    _ => false,
                };
                let value = match (is_it(left), is_it(right)) {
                    (true, false) => right,
                    (false, true) => left,
                    _ => return None,
                };
                (!mentions(value, &of)).then_some(value)
            })
        };
        let are_alike = |field: usize| match of.map(|it| given(it, field)) {
            [Some(one), Some(other)] => self.alike(one, other),
            _ => false,
        };
        let fields = self.fields_of(component).map_or(0, <[_]>::len);
        are_two && at == also && (0..fields).all(|it| it == *at || are_alike(it))
    }

    /// Whether each kind lies there once at most.
    pub(super) fn lies_once(&self, place: &Place) -> bool {
        let slot = self.layout.zone(place.zone);
        slot.is_some_and(|it| matches!(it.store, Store::Bag(Contents::Bits(_))))
    }
}
