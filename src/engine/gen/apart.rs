//! `some { a in S, b in S where a != b and P(a) and P(b) }`: so many members of which the same is asked.

use std::collections::HashMap;

use super::Shared;
use super::flood::asked_of;
use super::inline::{mentions, rename_in};
use super::mask::{conjuncts, is_local};
use super::structure::alike;
use super::unroll::{joined, not};
use crate::engine::layout::{Contents, Store};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, Expr, ExprKind, LocalId, Over, Place, Type,
};

/// Whether each variable is less than the next; or, if not, whether each is greater.
fn same_way(aggregate: &Aggregate) -> Option<bool> {
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
    let first = *rises.first()?;
    rises.iter().all(|it| *it == first).then_some(first)
}

/// Whether a condition says of a variable what it is more than; or less than.
fn is_bound(cond: &Expr, one: LocalId, below: bool) -> bool {
    let (less, more) = match &cond.kind {
        // It is not the first of all.
        ExprKind::Binary(BinaryOp::Ne, of, first) => {
            let number = match of.ty.base {
                Base::Int(first, _) => first,
                _ => 0,
            };
            let is_first = matches!(first.kind, ExprKind::Value(it) if it == number);
            return below && is_first && !of.ty.optional && is_local(of, one);
        }
        ExprKind::Binary(BinaryOp::Lt | BinaryOp::Le, less, more)
        | ExprKind::Binary(BinaryOp::Gt | BinaryOp::Ge, more, less) => (less, more),
        _ => return false,
    };
    let (of, bound) = if below { (more, less) } else { (less, more) };
    is_local(of, one) && !mentions(bound, &[one])
}

/// `some { a in S where P and some { b in T where Q } }` as `some { a in S, b in T where P and Q }`; `no` as well.
fn nested(aggregate: &Aggregate) -> Option<Aggregate> {
    let (last, before) = aggregate.binders.split_last()?;
    let mut parts = Vec::new();
    conjuncts(last.guard.as_ref()?, &mut parts);
    let (inner, others) = parts.split_last()?;
    let inner = inner.as_aggregate()?;
    if inner.op != AggregateOp::Some {
        return None;
    }
    let inner = nested(inner).unwrap_or_else(|| inner.clone());
    let others = others.iter().map(|it| (*it).clone());
    let outer = last.unguarded().guarded(others.reduce(Expr::and));
    let binders = before.iter().cloned().chain([outer]).chain(inner.binders);
    Some(aggregate.with_binders(binders.collect()))
}

/// What is asked of the last variable, and so of all.
fn guarded(mut aggregate: Aggregate, asked: Expr) -> Aggregate {
    let last = aggregate.binders.last_mut();
    last.into_iter()
        .for_each(|it| it.guard = Some(asked.clone()));
    aggregate
}

impl Shared<'_> {
    /// `some { a in S, b in S where a != b and P(a) and P(b) }` is `count { a in S where P(a) } >= 2`, and so with more of them,
    /// and where they are told apart by their order.
    pub(super) fn several_of(&mut self, expr: &Expr) -> Option<Expr> {
        let aggregate = expr.as_aggregate()?;
        let op = match aggregate.op {
            AggregateOp::Some => BinaryOp::Ge,
            AggregateOp::No | AggregateOp::Every => BinaryOp::Lt,
            _ => return None,
        };
        let bare = Aggregate {
            value: None,
            ..aggregate.clone()
        };
        let question = guarded(bare, asked_of(aggregate)?);
        let forms = [nested(&question), self.of_values(&question)];
        let forms = std::iter::once(question).chain(forms.into_iter().flatten());
        let mut found = forms.filter_map(|it| {
            let one = self.one_of_several(&it)?;
            Some((one, it.binders.len() as i64))
        });
        let (one, many) = found.next()?;
        let number = |kind, most| Expr::new(kind, Type::of(Base::Int(0, most)), expr.span);
        let counted = Aggregate::over(AggregateOp::Count, vec![one]);
        let counted = ExprKind::Aggregate(Box::new(counted));
        let counted = number(counted, i64::from(u16::MAX));
        Some(joined(op, counted, number(ExprKind::Value(many), many)))
    }

    /// Any of several variables that stand for different members of one set, of which the same is asked.
    fn one_of_several(&self, aggregate: &Aggregate) -> Option<Binder> {
        let (first, others) = aggregate.binders.split_first()?;
        let locals: Vec<LocalId> = aggregate.binders.iter().map(|it| it.local).collect();
        let of_one = |it: &Binder| self.same_members(&first.over, &it.over);
        if others.is_empty() || !others.iter().all(of_one) {
            return None;
        }
        let mut parts = Vec::new();
        let guards = aggregate.binders.iter().filter_map(|it| it.guard.as_ref());
        guards.for_each(|it| conjuncts(it, &mut parts));
        let mut apart = Vec::new();
        let mut asked: Vec<Vec<Expr>> = vec![Vec::new(); locals.len()];
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
                    asked.get_mut(*at)?.push(of_first);
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
                    let is_only = locals.len() == 2 && apart.is_empty();
                    let by_field =
                        (*op == BinaryOp::Ne || is_only) && self.differ_in(left, right, of, &parts);
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
        let rises = same_way(aggregate).filter(|_| in_order);
        let told = all && apart.iter().all(|it| it.2) || rises.is_some();
        let bounds = rises.map(|rises| self.shared_bounds(&mut asked, first.local, rises));
        let (whole, others) = asked.split_first()?;
        let same = others.iter().all(|it| {
            let mut both = it.iter().zip(whole);
            it.len() == whole.len() && both.all(|(one, other)| alike(one, other))
        });
        let whole = bounds.into_iter().flatten().chain(whole.iter().cloned());
        let one = first.unguarded().guarded(whole.reduce(Expr::and));
        (told && same).then_some(one)
    }

    /// Takes out of what is asked of several in their order what says that the least is more, or the greatest less, than
    /// something: it holds for the others too.
    fn shared_bounds(&self, asked: &mut [Vec<Expr>], one: LocalId, rises: bool) -> Vec<Expr> {
        let mut all = Vec::new();
        for below in [true, false] {
            let ends = if below == rises {
                asked.first()
            } else {
                asked.last()
            };
            let of_end = ends.into_iter().flatten();
            let bounds: Vec<Expr> = of_end
                .filter(|it| is_bound(it, one, below))
                .cloned()
                .collect();
            for conds in asked.iter_mut() {
                conds.retain(|it| !bounds.iter().any(|bound| alike(it, bound)));
            }
            all.extend(bounds);
        }
        all
    }

    /// `some { p in S where every { q == p or R(q) for q in S } }` is `some S and count { q in S where not R(q) } <= 1`.
    pub(super) fn all_but_one(&mut self, expr: &Expr) -> Option<Expr> {
        let aggregate = expr.as_aggregate()?;
        let ([binder], AggregateOp::Some | AggregateOp::No) =
            (aggregate.binders.as_slice(), aggregate.op)
        else {
            return None;
        };
        let inner = binder.guard.as_ref()?.as_aggregate()?;
        let ([other], AggregateOp::No | AggregateOp::Every, asked) =
            (inner.binders.as_slice(), inner.op, asked_of(inner)?)
        else {
            return None;
        };
        let mut parts = Vec::new();
        conjuncts(&asked, &mut parts);
        let (is_other, rest): (Vec<&Expr>, Vec<&Expr>) = parts
            .into_iter()
            .partition(|it| mentions(it, &[binder.local]));
        let tells = |it: &Expr| match &it.kind {
            ExprKind::Binary(BinaryOp::Ne, left, right) => {
                let of = [binder.local, other.local];
                let are =
                    |[one, other]: [LocalId; 2]| is_local(left, one) && is_local(right, other);
                are(of) || are([other.local, binder.local])
            }
            _ => false,
        };
        let rest = rest.into_iter().cloned().reduce(Expr::and)?;
        let [is_other] = is_other.as_slice() else {
            return None;
        };
        if !tells(is_other) || !self.same_members(&binder.over, &other.over) {
            return None;
        }
        let of = |op, binder: Binder| Aggregate {
            op,
            binders: vec![binder],
            ..aggregate.clone()
        };
        let bare = |it: &Binder, guard| it.unguarded().guarded(guard);
        let any = Expr::truth(of(AggregateOp::Some, bare(binder, None)), expr.span);
        let number = |kind, most| Expr::new(kind, Type::of(Base::Int(0, most)), expr.span);
        let many = of(AggregateOp::Count, bare(other, Some(rest)));
        let many = number(ExprKind::Aggregate(Box::new(many)), i64::from(u16::MAX));
        let few = joined(BinaryOp::Le, many, number(ExprKind::Value(1), 1));
        let said = any.and(few);
        Some(match aggregate.op {
            AggregateOp::Some => said,
            _ => not(said),
        })
    }

    /// Whether two variables go through the same, each once.
    fn same_members(&self, one: &Over, other: &Over) -> bool {
        match (one, other) {
            (Over::Set(one), Over::Set(other)) => alike(one, other),
            (Over::Zone(one), Over::Zone(other)) => {
                let mut index = one.index.iter().zip(&other.index);
                let same = index.all(|(one, other)| alike(one, other));
                same && one.zone == other.zone && self.lies_once(one)
            }
            (Over::Span(from, to), Over::Span(also, end)) => alike(from, also) && alike(to, end),
            _ => false,
        }
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
            [Some(one), Some(other)] => alike(one, other),
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
