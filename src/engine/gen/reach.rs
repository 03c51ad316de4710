//! What may be a member whatever lies on the table: asked first, it leaves few that have to be looked at.

use super::Shared;
use super::inline::{mentions, size_of};
use super::mask::conjuncts;
use super::unroll::joined;
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, Expr, ExprKind, LocalId, Order, Over, Type,
};

/// Largest set that is worked out beforehand, in nodes.
const MOST_NODES: usize = 400;

impl Shared<'_> {
    /// `some { p in S where q in walk d from p while x: C(x) }` asks only those from which `q` lies in that
    /// direction: the others are no members in any position, and nothing in them may fault.
    pub(super) fn only_in_reach(&mut self, expr: &mut Expr) {
        let ExprKind::Aggregate(aggregate) = &expr.kind else {
            return;
        };
        let asks = matches!(
            aggregate.op,
            AggregateOp::Some | AggregateOp::No | AggregateOp::Count | AggregateOp::Collect
        );
        let [binder] = aggregate.binders.as_slice() else {
            return;
        };
        // Few values are asked for one by one, as sets.
        let few = self.has_few_values(aggregate);
        if few || !asks || aggregate.value.is_some() || !matches!(binder.over, Over::Set(_)) {
            return;
        }
        let Some(guard) = &binder.guard else { return };
        let mut parts = Vec::new();
        conjuncts(guard, &mut parts);
        let local = binder.local;
        let reached = parts.iter().filter_map(|it| self.in_reach(it, local));
        let Some(reached) = reached.reduce(|one, other| joined(BinaryOp::And, one, other)) else {
            return;
        };
        if !self.surely(expr) {
            return;
        }
        if let ExprKind::Aggregate(aggregate) = &mut expr.kind
            && let Some(binder) = aggregate.binders.first_mut()
            && let Some(guard) = binder.guard.take()
        {
            binder.guard = Some(joined(BinaryOp::And, reached, guard));
        }
    }

    /// A condition on a variable alone that holds wherever a question about a set does.
    fn in_reach(&mut self, cond: &Expr, local: LocalId) -> Option<Expr> {
        let ExprKind::Binary(BinaryOp::In, one, set) = &cond.kind else {
            return None;
        };
        let is_plain = matches!(one.kind, ExprKind::Local(_)) && !one.ty.optional;
        if !is_plain || mentions(one, &[local]) || !self.reads_state(set) {
            return None;
        }
        let around = self.around(set)?;
        let asks = mentions(&around, &[local]) && !self.reads_state(&around);
        let fits = size_of(&around) <= MOST_NODES;
        // What is left out of a condition may be why the rest of it cannot fault.
        (asks && fits && self.surely(&around))
            .then(|| joined(BinaryOp::In, (**one).clone(), around))
    }

    /// A set that holds all members of another, whatever lies on the table; none if nothing smaller is known.
    fn around(&self, set: &Expr) -> Option<Expr> {
        if !self.reads_state(set) {
            return Some(set.clone());
        }
        let union = |one: Expr, other: Expr| Expr {
            kind: ExprKind::Binary(BinaryOp::Union, Box::new(one), Box::new(other)),
            ty: set.ty,
            span: set.span,
        };
        match &set.kind {
            ExprKind::Walk {
                way,
                from,
                var,
                cond,
            } => {
                let anything = Expr {
                    kind: ExprKind::Value(1),
                    ty: Type::BOOL,
                    span: cond.span,
                };
                Some(Expr {
                    kind: ExprKind::Walk {
                        way: way.clone(),
                        from: from.clone(),
                        var: *var,
                        cond: Box::new(anything),
                    },
                    ..set.clone()
                })
            }
            ExprKind::Binary(BinaryOp::Minus, left, _) => self.around(left),
            ExprKind::Binary(BinaryOp::Union, left, right) => {
                Some(union(self.around(left)?, self.around(right)?))
            }
            ExprKind::If(_, then, other) => Some(union(self.around(then)?, self.around(other)?)),
            ExprKind::Match(_, arms, other) => {
                let arms = arms.iter().map(|(_, arm)| arm);
                let all: Option<Vec<Expr>> = arms
                    .chain(other.as_deref())
                    .map(|it| self.around(it))
                    .collect();
                all?.into_iter().reduce(union)
            }
            ExprKind::Let(local, value, body) => {
                let around = self.around(body)?;
                if !mentions(&around, &[*local]) {
                    return Some(around);
                }
                let value = (!self.reads_state(value)).then(|| value.clone())?;
                Some(Expr {
                    kind: ExprKind::Let(*local, value, Box::new(around)),
                    ..set.clone()
                })
            }
            ExprKind::Aggregate(aggregate) if aggregate.op == AggregateOp::Collect => {
                let mut whole = (**aggregate).clone();
                for binder in &mut whole.binders {
                    self.widen(binder)?;
                }
                if whole.value.as_ref().is_some_and(|it| self.reads_state(it)) {
                    return None;
                }
                Some(Expr {
                    kind: ExprKind::Aggregate(Box::new(Aggregate { ..whole })),
                    ..set.clone()
                })
            }
            _ => None,
        }
    }

    /// Lets a variable take every value that it may take whatever lies on the table.
    fn widen(&self, binder: &mut Binder) -> Option<()> {
        let Over::Set(set) = &binder.over else {
            return None;
        };
        let around = self.around(set).or_else(|| match set.ty.base {
            Base::Set(domain) => Some(Expr {
                kind: ExprKind::All(domain),
                ..set.clone()
            }),
            _ => None,
        })?;
        binder.over = Over::Set(around);
        binder.order = Order::Ascending;
        let guard = binder.guard.take();
        let mut parts = Vec::new();
        guard.iter().for_each(|it| conjuncts(it, &mut parts));
        let stay = parts
            .into_iter()
            .filter(|it| !self.reads_state(it))
            .cloned();
        binder.guard = stay.reduce(|one, other| joined(BinaryOp::And, one, other));
        Some(())
    }
}
