//! What is asked of each connected whole, asked of each of its members.

use std::collections::HashMap;

use super::Shared;
use super::inline::{mentions, rename_in, size_of, substitute};
use super::mask::{conjuncts, is_local};
use super::related::some;
use super::structure::{alike, same};
use super::unroll::{joined, not};
use super::valued::{is_value, put_value};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DomainKind, Expr, ExprKind, LocalId, NONE,
    Near, NodeMut, Over, Shape, Type, UnaryOp, change,
};

/// Most values of which each leads on by itself.
const MOST_VALUES: u64 = 8;
/// Most that is asked of an element and of those to which it leads.
const MOST_COMPARED: usize = 4;
/// Largest element that is written in place of those that it leads to, in nodes.
const LARGEST_START: usize = 3;

impl Shared<'_> {
    /// `{ p for g in groups S via T, p in reach { g } via T where Q(g) }` is `{ p in S where Q(p) }`, where all that hangs
    /// together is in S, and Q asks of `g` only what is reached from there: that is the same for all of one whole.
    pub(super) fn groups_as_members(&mut self, expr: &Expr) -> Option<Expr> {
        Some(expr.with_kind(self.members_of_groups(expr.as_aggregate()?)?))
    }

    /// `some { g in groups S via T where Q(g) }` is `some { p in S where Q(p) }`, where all that hangs together is in S, and Q asks
    /// of `g` only what is reached from there.
    pub(super) fn groups_asked(&mut self, expr: &Expr) -> Option<Expr> {
        let aggregate = expr.as_aggregate()?;
        let asked = self.members_asked(aggregate);
        asked.or_else(|| self.reaches_all(aggregate))
    }

    fn members_asked(&mut self, aggregate: &Aggregate) -> Option<Expr> {
        let ([groups, rest @ ..], AggregateOp::Some | AggregateOp::No, None) =
            (aggregate.binders.as_slice(), aggregate.op, &aggregate.value)
        else {
            return None;
        };
        let over = groups.over.as_set()?;
        let (set, own) = groups_of(over)?;
        let g = groups.local;
        let inner = (!rest.is_empty()).then(|| some(rest.to_vec()));
        let asked = groups.guard.iter().cloned().chain(inner);
        let mut asked = asked.reduce(Expr::and)?;
        let mut others = asked.clone();
        self.leave_wholes(&mut others, g, &own);
        if mentions(&others, &[g]) || !self.is_closed(set, &own) {
            return None;
        }
        let p = self.fresh_local(g);
        let named = self.local(p, over.span);
        substitute(&mut asked, &HashMap::from([(g, named)]));
        let member = Binder::over(p, set.clone()).guarded(asked);
        let of_members = Aggregate::over(aggregate.op, vec![member]);
        Some(Expr::truth(of_members, over.span))
    }

    /// `some { p in S where no { q in S where q not in reach { p } via T } }` is `count groups S via T == 1`, where steps lead
    /// back as well.
    fn reaches_all(&mut self, aggregate: &Aggregate) -> Option<Expr> {
        let (op, binder) = (aggregate.op, aggregate.only_binder()?);
        if !matches!(op, AggregateOp::Some | AggregateOp::No) || aggregate.value.is_some() {
            return None;
        }
        let set = binder.over.as_set()?;
        let inner = binder.guard.as_ref()?.as_aggregate()?;
        let other = inner.only_binder_of(AggregateOp::No)?;
        let missed = match &other.guard.as_ref()?.kind {
            ExprKind::Unary(UnaryOp::Not, it) if inner.value.is_none() => it,
            _ => return None,
        };
        let (one, reached) = missed.operands_of(BinaryOp::In)?;
        let whole = self.whole_of(reached, binder.local)?;
        let is_all = is_local(one, other.local) && alike(set, other.over.as_set()?);
        if !is_all || !self.is_closed(set, &whole) {
            return None;
        }
        let groups = reached.with_kind(ExprKind::Groups {
            over: Box::new(set.clone()),
            var: whole.var,
            step: Box::new(whole.step.clone()),
        });
        let each = Binder::over(self.fresh_local(binder.local), groups);
        let count = Aggregate::over(AggregateOp::Count, vec![each]);
        let one = Expr::number(1, reached.span);
        let count = Expr::new(count, Type::of(Base::Int(0, i64::from(u16::MAX))), one.span);
        let holds = self.hangs_together(BinaryOp::Eq, &count, &one)?;
        Some(match op {
            AggregateOp::Some => holds,
            _ => not(holds),
        })
    }

    /// `count groups S via T <= 1` is `every { p in reach { first(S) } via T for p in S }`.
    pub(super) fn hangs_together(
        &mut self,
        op: BinaryOp,
        count: &Expr,
        number: &Expr,
    ) -> Option<Expr> {
        let (of, number) = (count.as_aggregate()?, number.as_value()?);
        let binder = of.only_binder_of(AggregateOp::Count)?;
        let (Over::Set(groups), None) = (&binder.over, &binder.guard) else {
            return None;
        };
        let ExprKind::Groups { over, var, step } = &groups.kind else {
            return None;
        };
        let (is_one, may_be_none) = match (op, number) {
            (BinaryOp::Eq, 1) => (true, false),
            (BinaryOp::Ne, 1) => (false, false),
            (BinaryOp::Le, 1) | (BinaryOp::Lt, 2) => (true, true),
            (BinaryOp::Gt, 1) | (BinaryOp::Ge, 2) => (false, true),
            _ => return None,
        };
        let asked = |op, local, guard| {
            let binder = Binder::over(local, (**over).clone()).guarded(guard);
            Aggregate::over(op, vec![binder])
        };
        let ty = self.element_of(over)?;
        let [p, q, r] = [(); 3].map(|()| self.new_local(ty));
        let first = Expr::new(asked(AggregateOp::First, p, None), ty.or_none(), count.span);
        let start = over.with_kind(ExprKind::SetOf(vec![first]));
        let whole = groups.with_kind(ExprKind::Reach {
            start: Box::new(start),
            var: *var,
            step: step.clone(),
        });
        let one = Expr::local(q, ty, count.span);
        let apart = not(joined(BinaryOp::In, one, whole));
        let together = Expr::truth(asked(AggregateOp::No, q, Some(apart)), count.span);
        let mut holds = match may_be_none {
            true => together,
            false => {
                let any = Expr::truth(asked(AggregateOp::Some, r, None), count.span);
                any.and(together)
            }
        };
        self.rename(&mut holds);
        Some(if is_one { holds } else { not(holds) })
    }

    /// `reach { q } via p -> { t in T(p) where e(t) == e(p) }` compares with `q`: what is reached is as that from which the steps
    /// lead. Of several to begin with, those with each value lead on by themselves.
    pub(super) fn reach_alike(&mut self, expr: &mut Expr) {
        let ExprKind::Reach { start, var, step } = &mut expr.kind else {
            return;
        };
        if let ExprKind::SetOf(items) = &start.kind
            && let [item] = items.as_slice()
            && size_of(item) <= LARGEST_START
        {
            for _ in 0..MOST_COMPARED {
                let Some(of) = compared(step, *var) else {
                    break;
                };
                let mut first = of.clone();
                substitute(&mut first, &HashMap::from([(*var, item.clone())]));
                put_value(step, &of, &first);
            }
            return;
        }
        let (start, var, step) = (start.clone(), *var, step.clone());
        let Some(of) = compared(&step, var) else {
            return;
        };
        let few = self.values(of.ty).filter(|(_, n)| *n <= MOST_VALUES);
        let (Some((lo, n)), true) = (few, self.surely(expr)) else {
            return;
        };
        let there = n - u64::from(of.ty.optional);
        let values = (lo..)
            .take(there as usize)
            .chain(of.ty.optional.then_some(NONE));
        let parts = values.map(|value| {
            let value = Expr {
                kind: ExprKind::Value(value),
                ty: Type {
                    optional: value == NONE,
                    ..of.ty
                },
                span: of.span,
            };
            let mut step = step.clone();
            put_value(&mut step, &of, &value);
            let mut part = expr.with_kind(ExprKind::Reach {
                start: Box::new(start.filtered(var, is_value(&of, &value))),
                var,
                step,
            });
            self.rename(&mut part);
            part
        });
        let parts: Vec<Expr> = parts.collect();
        let all = parts.into_iter().reduce(Expr::union);
        if let Some(all) = all.filter(|it| self.surely(it)) {
            *expr = all;
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
                let over = binder.over.as_set()?;
                let mut guard = binder.guard.clone()?;
                let named = value.with_kind(ExprKind::Local(g));
                substitute(&mut guard, &HashMap::from([(binder.local, named)]));
                (over, Some(guard))
            }
            _ => (over, None),
        };
        let (set, own) = groups_of(over)?;
        let whole = self.whole_of(reached, g)?;
        let is_same = self.same_steps(&own, &whole);
        if !is_local(value, last.local) || !is_same || !self.is_closed(set, &own) {
            return None;
        }
        let guards = [&chosen, &groups.guard, &last.guard];
        let guards = guards.into_iter().flatten().cloned();
        let mut asked = guards.reduce(Expr::and)?;
        let mut rest = asked.clone();
        self.leave_wholes(&mut rest, g, &own);
        if mentions(&rest, &[g]) {
            return None;
        }
        let p = self.fresh_local(last.local);
        let named = value.with_kind(ExprKind::Local(p));
        let by = HashMap::from([(g, named.clone()), (last.local, named)]);
        substitute(&mut asked, &by);
        let member = Binder::over(p, set.clone()).ordered(last.order.clone());
        let members = vec![member.guarded(asked)];
        Some(Aggregate::over(AggregateOp::Collect, members))
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
        let named = self.local(one.var, step.span);
        substitute(&mut step, &HashMap::from([(other.var, named)]));
        alike(one.step, &step)
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

    /// Whether roads say what is next to what, which may lead one way only.
    fn is_graph(&self, of: Base) -> bool {
        let of = of.element_of().and_then(|it| self.domain(it));
        !matches!(of.map(|it| &it.kind), Some(DomainKind::Space { shape, .. }) if !matches!(shape, Shape::Graph(_)))
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
            ExprKind::Near(near, of) => {
                let is_mutual = *near != Near::Neighbours || !self.is_graph(of.ty.base);
                is_mutual && is_local(of, steps.var)
            }
            _ => false,
        };
        if is_near(over) {
            let Base::Set(space) = over.ty.base else {
                return false;
            };
            let all = Expr::all(space, over.span);
            let within = of.with_binders(vec![binder.with_over(all)]);
            let within = set.with_kind(within);
            let is_in = match &guard.kind {
                ExprKind::Binary(BinaryOp::In, one, of) => {
                    is_local(one, binder.local) && alike(of, set)
                }
                _ => false,
            };
            return !mentions(guard, &[steps.var]) && (is_in || alike(&within, set));
        }
        let is_near = match &guard.kind {
            ExprKind::Binary(BinaryOp::In, one, of) => is_local(one, binder.local) && is_near(of),
            _ => false,
        };
        is_near && alike(over, set)
    }
}

/// Steps from a variable.
struct Structural<'e> {
    var: LocalId,
    step: &'e Expr,
}

/// `{ t in T where e(t) == e(p) }`, or `{ t in T where e(t) and e(p) }`: what is asked of `p`.
fn compared(step: &Expr, p: LocalId) -> Option<Expr> {
    let of = step.as_aggregate()?;
    let binder = of.only_binder_of(AggregateOp::Collect)?;
    let t = binder.local;
    let itself = of.value.as_ref().is_none_or(|it| is_local(it, t));
    let mut parts = Vec::new();
    conjuncts(binder.guard.as_ref().filter(|_| itself)?, &mut parts);
    let of_p = |it: &Expr| mentions(it, &[p]) && !mentions(it, &[t]);
    let of_t = |it: &Expr| {
        let mut named = it.clone();
        rename_in(&mut named, &HashMap::from([(p, t)]));
        named
    };
    parts.iter().find_map(|part| {
        if of_p(part) {
            let named = of_t(part);
            let known = parts.iter().any(|it| same(it, &named));
            return known.then(|| (*part).clone());
        }
        let (left, right) = part.operands_of(BinaryOp::Eq)?;
        let (asked, of) = match mentions(left, &[t]) {
            true => (left, right),
            false => (right, left),
        };
        let named = of_t(of);
        let fits = of_p(of) && (same(&named, asked) || is_made_of(&named, asked));
        fits.then(|| of.clone())
    })
}

/// Whether something is made of all fields of a thing.
fn is_made_of(made: &Expr, thing: &Expr) -> bool {
    let ExprKind::Make(_, args) = &made.kind else {
        return false;
    };
    let is_field = |(at, arg): (usize, &Expr)| matches!(&arg.kind, ExprKind::Field(base, field) if *field == at && same(base, thing));
    made.ty.base == thing.ty.base && args.iter().enumerate().all(is_field)
}

/// The set of which there are groups, and the steps that join them.
fn groups_of(groups: &Expr) -> Option<(&Expr, Structural<'_>)> {
    let ExprKind::Groups { over, var, step } = &groups.kind else {
        return None;
    };
    Some((over, Structural { var: *var, step }))
}
