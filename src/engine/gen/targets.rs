//! Sets of targets in other words: as a larger set of which members are asked, and by the values of a variable.

use std::collections::HashMap;

use super::decided::decide;
use super::inline::{mentions, size_of, substitute};
use super::mask::conjuncts;
use super::structure::{alike, same};
use super::unroll::{joined, not};
use super::{Gen, Shared};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, Expr, ExprKind, LocalId, NodeMut, Over,
    UnaryOp, change,
};

impl Gen<'_, '_> {
    /// A set of which the members are asked one by one, as a larger one and what is asked of its members, called
    /// `one`.
    pub(super) fn opened(&mut self, set: &Expr, one: &Expr) -> Option<(Expr, Vec<Expr>)> {
        match &set.kind {
            ExprKind::Binary(BinaryOp::Minus, left, right) => {
                let outside = not(joined(BinaryOp::In, one.clone(), (**right).clone()));
                Some(((**left).clone(), vec![outside]))
            }
            // What is asked alike of the members of both.
            ExprKind::Binary(BinaryOp::Union, left, right) => {
                let (left, asked) = self.opened(left, one)?;
                let (right, others) = self.opened(right, one)?;
                let is_both = |it: &Expr| others.iter().any(|other| alike(it, other));
                let both = set.with_kind(joined(BinaryOp::Union, left, right).kind);
                (asked.len() == others.len() && asked.iter().all(is_both)).then_some((both, asked))
            }
            ExprKind::Aggregate(aggregate) if aggregate.op == AggregateOp::Collect => {
                self.shared.filtered(aggregate, set, one)
            }
            _ => None,
        }
    }
}

impl Shared<'_> {
    /// A comprehension as one that asks less, and what is asked of its members.
    fn filtered(
        &mut self,
        aggregate: &Aggregate,
        set: &Expr,
        one: &Expr,
    ) -> Option<(Expr, Vec<Expr>)> {
        let (last, others) = aggregate.binders.split_last()?;
        let member = match &aggregate.value {
            Some(value) => value.clone(),
            None => self.local(last.local, set.span),
        };
        let locals: Vec<LocalId> = aggregate.binders.iter().map(|it| it.local).collect();
        let mut conds = Vec::new();
        last.guard.iter().for_each(|it| conjuncts(it, &mut conds));
        let (mut asked, mut kept) = (Vec::new(), Vec::new());
        for cond in conds {
            let mut of_one = cond.clone();
            put(&mut of_one, &member, one);
            let is_there =
                matches!(&of_one.kind, ExprKind::Unary(UnaryOp::IsSome, it) if same(it, one));
            match mentions(&of_one, &locals) || !mentions(&of_one, &locals_of(one)) {
                _ if is_there => {}
                true => kept.push(cond.clone()),
                false => asked.push(of_one),
            }
        }
        if member.ty.optional {
            let there = ExprKind::unary(UnaryOp::IsSome, member.clone());
            let there = Expr::truth(there, member.span);
            kept.insert(0, there);
        }
        let guard = kept.into_iter().reduce(Expr::and);
        let base = match (&last.over, &guard, &aggregate.value) {
            (Over::Set(over), None, None) if others.is_empty() => over.clone(),
            _ => {
                let mut binders = others.to_vec();
                binders.push(last.unguarded().guarded(guard));
                set.with_kind(aggregate.with_binders(binders))
            }
        };
        (!asked.is_empty()).then_some((base, asked))
    }

    /// `{ e(d) for d in D where P }` by the values of the first variable, if these are few: what is asked of each, and
    /// where it leads.
    pub(super) fn for_each_way(
        &mut self,
        aggregate: &Aggregate,
        set: &Expr,
    ) -> Option<Vec<(Expr, Expr)>> {
        let [first, rest @ ..] = aggregate.binders.as_slice() else {
            return None;
        };
        if aggregate.op != AggregateOp::Collect {
            return None;
        }
        let (over, values) = self.few_elements(first)?;
        let nodes = size_of(set).saturating_mul(values.len());
        self.led = self.led.checked_sub(nodes)?;
        let ty = self.local_type(first.local);
        let ways = values.into_iter().map(|value| {
            let value = Expr::new(ExprKind::Value(value), ty, set.span);
            let targets = match (rest, &aggregate.value) {
                ([], Some(of)) => ExprKind::SetOf(vec![of.clone()]),
                ([], None) => ExprKind::SetOf(vec![value.clone()]),
                _ => ExprKind::Aggregate(Box::new(aggregate.with_binders(rest.to_vec()))),
            };
            let mut targets = set.with_kind(targets);
            let mut cond = joined(BinaryOp::In, value.clone(), over.clone());
            if let Some(guard) = &first.guard {
                let mut guard = guard.clone();
                self.rename(&mut guard);
                cond = cond.and(guard);
            }
            // What leads nowhere is left out.
            if let ([], Some(of)) = (rest, &aggregate.value)
                && of.ty.optional
            {
                let there = ExprKind::unary(UnaryOp::IsSome, of.clone());
                let there = Expr::truth(there, of.span);
                cond = cond.and(there);
            }
            self.rename(&mut targets);
            let by = HashMap::from([(first.local, value)]);
            substitute(&mut targets, &by);
            substitute(&mut cond, &by);
            self.choose(&mut cond);
            decide(&mut cond);
            decide(&mut targets);
            (cond, targets)
        });
        Some(ways.collect())
    }

    /// The set of a variable and all elements that it may have, ascending, if these are few.
    pub(super) fn few_elements(&self, binder: &Binder) -> Option<(Expr, Vec<i64>)> {
        let set = binder.over.as_set()?;
        let (Base::Set(id), Base::Elem(_) | Base::Int(..)) =
            (set.ty.base, self.local_type(binder.local).base)
        else {
            return None;
        };
        let domain = self.game.domains.get(id.index())?;
        let few = usize::try_from(domain.size).ok()?;
        let few = (few <= super::unroll::MOST_NUMBERS && !self.is_parts(id)).then_some(few)?;
        Some((set.clone(), (domain.lo..).take(few).collect()))
    }
}

/// Writes `one` for each `member`.
pub(super) fn put(expr: &mut Expr, member: &Expr, one: &Expr) {
    if same(expr, member) {
        let span = expr.span;
        *expr = one.clone();
        expr.span = span;
        return;
    }
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            put(part, member, one);
        }
    });
}

fn locals_of(one: &Expr) -> Vec<LocalId> {
    match one.kind {
        ExprKind::Local(local) => vec![local],
        _ => Vec::new(),
    }
}
