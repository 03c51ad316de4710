//! What is asked of each connected whole, asked of each of its members.

use std::collections::HashMap;

use super::Shared;
use super::inline::{mentions, substitute};
use super::mask::is_local;
use super::unroll::joined;
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, Expr, ExprKind, LocalId, Near, NodeMut, Over,
    Type, change,
};

impl Shared<'_> {
    /// `{ p for g in groups S via T, p in reach { g } via T where Q(g) }` is `{ p in S where Q(p) }`, where all that hangs
    /// together is in S, and Q asks of `g` only what is reached from there: that is the same for all of one whole.
    pub(super) fn groups_as_members(&mut self, expr: &mut Expr) {
        let ExprKind::Aggregate(aggregate) = &expr.kind else {
            return;
        };
        if let Some(members) = self.members_of_groups(aggregate) {
            let members = Expr {
                kind: ExprKind::Aggregate(Box::new(members)),
                ..expr.clone()
            };
            if self.surely(expr) && self.surely(&members) {
                *expr = members;
            }
        }
    }

    fn members_of_groups(&mut self, aggregate: &Aggregate) -> Option<Aggregate> {
        let ([groups, last], Some(value), AggregateOp::Collect) =
            (aggregate.binders.as_slice(), &aggregate.value, aggregate.op)
        else {
            return None;
        };
        let (Over::Set(over), Over::Set(reached), g) = (&groups.over, &last.over, groups.local)
        else {
            return None;
        };
        // The groups may have been chosen among.
        let (over, chosen) = match &over.kind {
            ExprKind::Aggregate(of) if of.op == AggregateOp::Collect && of.value.is_none() => {
                let [binder] = of.binders.as_slice() else {
                    return None;
                };
                let Over::Set(over) = &binder.over else {
                    return None;
                };
                let mut guard = binder.guard.clone()?;
                let named = self.named(g, value);
                substitute(&mut guard, &HashMap::from([(binder.local, named)]));
                (over, Some(guard))
            }
            _ => (over, None),
        };
        let ExprKind::Groups {
            over: set,
            var,
            step,
        } = &over.kind
        else {
            return None;
        };
        let whole = self.whole_of(reached, g)?;
        let own = Structural { var: *var, step };
        let is_same = self.same_steps(&own, &whole);
        if !is_local(value, last.local) || !is_same || !self.is_closed(set, &own) {
            return None;
        }
        let guards = [&chosen, &groups.guard, &last.guard];
        let guards = guards.into_iter().flatten().cloned();
        let mut asked = guards.reduce(|one, other| joined(BinaryOp::And, one, other))?;
        let mut rest = asked.clone();
        self.leave_wholes(&mut rest, g, &own);
        if mentions(&rest, &[g]) {
            return None;
        }
        let p = self.fresh_local(last.local);
        let named = self.named(p, value);
        let by = HashMap::from([(g, named.clone()), (last.local, named)]);
        substitute(&mut asked, &by);
        Some(Aggregate {
            op: AggregateOp::Collect,
            binders: vec![Binder {
                local: p,
                over: Over::Set((**set).clone()),
                order: last.order.clone(),
                guard: Some(asked),
            }],
            value: None,
            default: None,
        })
    }

    fn named(&self, local: LocalId, like: &Expr) -> Expr {
        Expr {
            kind: ExprKind::Local(local),
            ..like.clone()
        }
    }

    /// The steps of `reach { g } via …`.
    fn whole_of<'e>(&self, reached: &'e Expr, g: LocalId) -> Option<Structural<'e>> {
        let ExprKind::Reach { start, var, step } = &reached.kind else {
            return None;
        };
        let ExprKind::SetOf(items) = &start.kind else {
            return None;
        };
        let is_own = matches!(items.as_slice(), [one] if is_local(one, g));
        (is_own && !mentions(step, &[g])).then_some(Structural { var: *var, step })
    }

    fn same_steps(&self, one: &Structural<'_>, other: &Structural<'_>) -> bool {
        let mut step = other.step.clone();
        let named = Expr {
            kind: ExprKind::Local(one.var),
            ty: self.local_type(one.var),
            span: step.span,
        };
        substitute(&mut step, &HashMap::from([(other.var, named)]));
        self.alike(one.step, &step)
    }

    /// Writes nothing for what is reached from `g`.
    fn leave_wholes(&self, expr: &mut Expr, g: LocalId, own: &Structural<'_>) {
        if let Some(whole) = self.whole_of(expr, g)
            && self.same_steps(own, &whole)
        {
            expr.kind = ExprKind::SetOf(Vec::new());
            return;
        }
        change::parts_of_expr(expr, &mut |node| {
            if let NodeMut::Expr(part) = node {
                self.leave_wholes(part, g, own);
            }
        });
    }

    /// Whether steps lead from members of a set to neighbours that are members, and to all of those.
    fn is_closed(&mut self, set: &Expr, steps: &Structural<'_>) -> bool {
        let ExprKind::Aggregate(of) = &steps.step.kind else {
            return false;
        };
        let ([binder], None, AggregateOp::Collect) = (of.binders.as_slice(), &of.value, of.op)
        else {
            return false;
        };
        let (Over::Set(over), Some(guard)) = (&binder.over, &binder.guard) else {
            return false;
        };
        let is_near = |it: &Expr| match &it.kind {
            ExprKind::Near(Near::Orthogonal | Near::Diagonal | Near::Around, of) => {
                is_local(of, steps.var)
            }
            _ => false,
        };
        if is_near(over) {
            let Base::Set(space) = over.ty.base else {
                return false;
            };
            let all = Expr {
                kind: ExprKind::All(space),
                ty: Type::of(Base::Set(space)),
                span: over.span,
            };
            let within = Aggregate {
                binders: vec![Binder {
                    over: Over::Set(all),
                    ..binder.clone()
                }],
                ..(**of).clone()
            };
            let within = Expr {
                kind: ExprKind::Aggregate(Box::new(within)),
                ..set.clone()
            };
            let is_in = match &guard.kind {
                ExprKind::Binary(BinaryOp::In, one, of) => {
                    is_local(one, binder.local) && self.alike(of, set)
                }
                _ => false,
            };
            return !mentions(guard, &[steps.var]) && (is_in || self.alike(&within, set));
        }
        let is_near = match &guard.kind {
            ExprKind::Binary(BinaryOp::In, one, of) => is_local(one, binder.local) && is_near(of),
            _ => false,
        };
        is_near && self.alike(over, set)
    }
}

/// Steps from a variable.
struct Structural<'e> {
    var: LocalId,
    step: &'e Expr,
}
