//! What a question says of a position in which something was lifted, if it is asked where that lies elsewhere now.

use std::collections::HashMap;

use super::Gen;
use super::facts::Facts;
use super::inline::{mentions, rename_in, substitute};
use super::mask::conjuncts;
use super::structure::same;
use super::unroll::{joined, not};
use crate::model::{
    Aggregate, AggregateOp, BinaryOp, Binder, Expr, ExprKind, LocalId, Node, NodeMut, Order, Over,
    Place, UnaryOp, ZoneId, change, each_in_expr,
};
use crate::source::Span;

/// What is said of a position in which something was lifted, so that it holds there if the same holds where it lies elsewhere now.
pub(super) struct Raised<'r, 's, 'g> {
    r#gen: &'r Gen<'s, 'g>,
    zone: ZoneId,
    gone: Option<ZoneId>,
    from: &'r Expr,
    /// Variables that name neither of the two places.
    still: Vec<LocalId>,
    bound: Vec<LocalId>,
    /// What must not be so of what goes.
    pub kinds: Vec<Expr>,
    /// Whether what hangs on what was lifted is left out.
    loose: bool,
    pub dropped: bool,
    /// Whether something is asked all the same of what lies where, besides what lies there.
    pub leads_on: bool,
}

impl<'r, 's, 'g> Raised<'r, 's, 'g> {
    /// For what goes from a place of one zone, where what lay at its goal may have gone to another.
    pub fn of(
        r#gen: &'r Gen<'s, 'g>,
        (zone, gone): (ZoneId, Option<ZoneId>),
        from: &'r Expr,
        loose: bool,
    ) -> Self {
        Self {
            r#gen,
            zone,
            gone,
            from,
            still: Vec::new(),
            bound: Vec::new(),
            kinds: Vec::new(),
            loose,
            dropped: false,
            leads_on: false,
        }
    }

    /// What holds where the thing was lifted, if `expr` holds where it has gone (a set: its members are members there); if not
    /// `up`, the other way round. None where that cannot be said.
    pub fn raise(&mut self, expr: &Expr, up: bool) -> Option<Expr> {
        if self.is_exact(expr) {
            return Some(expr.clone());
        }
        let mark = self.still.len();
        let raised = self.raise_kind(expr, up).map(|kind| expr.with_kind(kind));
        self.still.truncate(mark);
        raised
    }

    fn boxed(&mut self, expr: &Expr, up: bool) -> Option<Box<Expr>> {
        self.raise(expr, up).map(Box::new)
    }

    fn raise_kind(&mut self, expr: &Expr, up: bool) -> Option<ExprKind> {
        match &expr.kind {
            // Where the thing was, nothing lies; where it has gone, something does.
            ExprKind::Filled(place) if !up && place.zone == self.zone => {
                let [index] = place.index.as_slice() else {
                    return None;
                };
                let apart = joined(BinaryOp::Ne, index.clone(), self.from.clone());
                let is_exact = self.is_exact(index);
                is_exact.then(|| apart.and(expr.clone()).kind)
            }
            ExprKind::Unary(UnaryOp::Not, part) => Some(not(self.raise(part, !up)?).kind),
            ExprKind::Binary(BinaryOp::And, ..) => {
                Some(self.raise_all(expr, up)?.unwrap_or_else(holds).kind)
            }
            ExprKind::Binary(op @ (BinaryOp::Or | BinaryOp::Union), left, right) => {
                let (left, right) = (self.boxed(left, up)?, self.boxed(right, up)?);
                Some(ExprKind::Binary(*op, left, right))
            }
            ExprKind::Binary(BinaryOp::Minus, left, right) => {
                let (left, right) = (self.boxed(left, up)?, self.boxed(right, !up)?);
                Some(ExprKind::Binary(BinaryOp::Minus, left, right))
            }
            ExprKind::Binary(BinaryOp::In, one, set) if self.is_exact(one) => {
                let set = self.boxed(set, up)?;
                Some(ExprKind::Binary(BinaryOp::In, one.clone(), set))
            }
            ExprKind::If(cond, then, other) if self.is_exact(cond) => {
                let (then, other) = (self.boxed(then, up)?, self.boxed(other, up)?);
                Some(ExprKind::If(cond.clone(), then, other))
            }
            ExprKind::Match(subject, arms, other) if self.is_exact(subject) => {
                let arms = arms.iter();
                let arms = arms.map(|(values, arm)| Some((values.clone(), self.raise(arm, up)?)));
                let arms = arms.collect::<Option<_>>()?;
                let other = match other {
                    Some(other) => Some(self.boxed(other, up)?),
                    None => None,
                };
                Some(ExprKind::Match(subject.clone(), arms, other))
            }
            ExprKind::Let(local, value, body) if self.is_exact(value) => {
                self.bound.push(*local);
                let body = self.boxed(body, up)?;
                Some(ExprKind::Let(*local, value.clone(), body))
            }
            ExprKind::Walk {
                way,
                from,
                var,
                cond,
            } if self.is_exact(way) && self.is_exact(from) => {
                self.bound.push(*var);
                Some(ExprKind::Walk {
                    way: way.clone(),
                    from: from.clone(),
                    var: *var,
                    cond: self.boxed(cond, up)?,
                })
            }
            ExprKind::Aggregate(aggregate) => {
                let aggregate = self.raise_aggregate(aggregate, up)?;
                Some(aggregate.into())
            }
            _ => None,
        }
    }

    fn raise_aggregate(&mut self, aggregate: &Aggregate, up: bool) -> Option<Aggregate> {
        let binds_as = match aggregate.op {
            AggregateOp::Some | AggregateOp::Collect => up,
            AggregateOp::No | AggregateOp::Every => !up,
            _ => return None,
        };
        let binders = aggregate.binders.iter();
        let binders = binders.map(|it| self.raise_binder(it, binds_as));
        let binders = binders.collect::<Option<_>>()?;
        let value = match (&aggregate.value, aggregate.op) {
            (Some(value), AggregateOp::Every) => Some(self.raise(value, up)?),
            (value, _) => {
                let is_exact = value.as_ref().is_none_or(|it| self.is_exact(it));
                is_exact.then(|| value.clone())?
            }
        };
        Some(Aggregate {
            binders,
            value,
            ..aggregate.clone()
        })
    }

    fn raise_binder(&mut self, binder: &Binder, up: bool) -> Option<Binder> {
        if let Some(binder) = of_whole(binder) {
            return self.raise_binder(&binder, up);
        }
        let over = match &binder.over {
            Over::Set(set) => Over::Set(self.raise(set, up)?),
            other => self.is_over(other).then(|| other.clone())?,
        };
        self.bound.push(binder.local);
        let guard = match &binder.guard {
            Some(guard) => self.raise_all(guard, up)?,
            None => None,
        };
        matches!(binder.order, Order::Ascending | Order::Descending)
            .then(|| binder.with_over(over).guarded(guard))
    }

    /// Conditions that all hold; none where all of them were left out.
    fn raise_all(&mut self, cond: &Expr, up: bool) -> Option<Option<Expr>> {
        let mut parts = Vec::new();
        conjuncts(cond, &mut parts);
        let kinds = match up {
            true => self.settled(&parts),
            false => vec![false; parts.len()],
        };
        let mut all: Option<Expr> = None;
        for (part, is_kind) in parts.into_iter().zip(kinds) {
            let raised = match is_kind {
                true => Some(part.clone()),
                false => self.raise(part, up),
            };
            let raised = match raised {
                Some(it) if !self.loose || !mentions_local(&it, self.from) => it,
                _ if self.loose && up => {
                    self.dropped = true;
                    continue;
                }
                raised => raised?,
            };
            let is_led = !is_kind && self.is_exact(&raised) && mentions(&raised, &self.bound);
            self.leads_on = self.leads_on || is_led;
            all = Some(match all {
                Some(all) => all.and(raised),
                None => raised,
            });
        }
        Some(all)
    }

    /// Which conditions only ask what lies somewhere, and so that something does: the thing keeps that wherever it goes. Where
    /// all of them are not so of the thing, the variables for which they hold name neither of the two places.
    fn settled(&mut self, parts: &[&Expr]) -> Vec<bool> {
        let asked: Vec<Option<(LocalId, Place)>> =
            parts.iter().map(|it| self.kind_of(it)).collect();
        let mut settled = vec![false; parts.len()];
        for at in 0..parts.len() {
            let Some((local, place)) = asked.get(at).and_then(Option::as_ref) else {
                continue;
            };
            if self.still.contains(local) {
                continue;
            }
            let is_own =
                |it: &Option<(LocalId, Place)>| it.as_ref().is_some_and(|it| it.0 == *local);
            let own = parts.iter().zip(&asked).filter(|it| is_own(it.1));
            let all = own.map(|it| (*it.0).clone()).reduce(Expr::and);
            let Some(mut all) = all else { continue };
            let mut facts = Facts::default();
            self.r#gen.learn(&all, true, &mut facts);
            if !self.r#gen.is_filled(place, &facts) {
                continue;
            }
            substitute(&mut all, &HashMap::from([(*local, self.from.clone())]));
            if !self.kinds.iter().any(|it| same(it, &all)) {
                self.kinds.push(all);
            }
            self.still.push(*local);
            for (is_settled, it) in settled.iter_mut().zip(&asked) {
                *is_settled |= is_own(it);
            }
        }
        settled
    }

    /// The variable of a condition that asks what lies there and nothing else of the position, and the place.
    fn kind_of(&self, cond: &Expr) -> Option<(LocalId, Place)> {
        let mut place = None;
        let mut rest = cond.clone();
        leave_out(&mut rest, self.zone, &mut place);
        let place = place?;
        let local = named(&place)?;
        let is_known = self.bound.contains(&local) && !self.still.contains(&local);
        let is_kind = !mentions(&rest, &self.bound) && !self.r#gen.shared.reads_state(&rest);
        (is_known && is_kind).then_some((local, place))
    }

    fn is_over(&self, over: &Over) -> bool {
        match over {
            Over::Set(set) => self.is_exact(set),
            Over::Zone(place) => {
                place.zone != self.zone
                    && Some(place.zone) != self.gone
                    && place.index.iter().all(|it| self.is_exact(it))
            }
            Over::Span(from, to) => self.is_exact(from) && self.is_exact(to),
        }
    }

    /// Whether an expression has the same value where the thing lies, where it is lifted and where it has gone.
    fn is_exact(&self, expr: &Expr) -> bool {
        let mut is_exact = self.is_exact_node(expr);
        each_in_expr(expr, &mut |node| match node {
            Node::Expr(part) => is_exact = is_exact && self.is_exact_node(part),
            Node::Stmt(_) => is_exact = false,
            Node::Binds(_) => {}
        });
        is_exact
    }

    fn is_exact_node(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Track(..) => true,
            ExprKind::Component(place) | ExprKind::Filled(place) if place.zone == self.zone => {
                named(place).is_some_and(|it| self.still.contains(&it))
            }
            ExprKind::Component(place) | ExprKind::Filled(place) => Some(place.zone) != self.gone,
            ExprKind::Aggregate(aggregate) => aggregate.binders.iter().all(|it| match &it.over {
                Over::Zone(place) => place.zone != self.zone && Some(place.zone) != self.gone,
                Over::Set(_) | Over::Span(..) => true,
            }),
            _ => !self.r#gen.shared.node_reads_state(expr),
        }
    }
}

/// `x in S where P(x) and Q(x)` in place of `x in { y in S where P(y) } where Q(x)`.
fn of_whole(binder: &Binder) -> Option<Binder> {
    let set = binder.over.as_set()?;
    let inner = set.as_aggregate()?;
    let ([of], None, AggregateOp::Collect) = (inner.binders.as_slice(), &inner.value, inner.op)
    else {
        return None;
    };
    if !matches!(of.over, Over::Set(_)) {
        return None;
    }
    let named = HashMap::from([(of.local, binder.local)]);
    let mut first = of.guard.clone();
    first.iter_mut().for_each(|it| rename_in(it, &named));
    let guards = [first, binder.guard.clone()];
    Some(
        binder
            .with_over(of.over.clone())
            .guarded(guards.into_iter().flatten().reduce(Expr::and)),
    )
}

/// Leaves out what lies at the place that is asked about, if it is one.
fn leave_out(expr: &mut Expr, zone: ZoneId, found: &mut Option<Place>) {
    if let ExprKind::Component(place) | ExprKind::Filled(place) = &expr.kind
        && place.zone == zone
        && named(place).is_some()
        && found
            .as_ref()
            .is_none_or(|it: &Place| named(it) == named(place))
    {
        *found = Some(place.clone());
        expr.kind = ExprKind::Value(0);
        return;
    }
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            leave_out(part, zone, found);
        }
    });
}

/// The variable that names a place.
pub(super) fn named(place: &Place) -> Option<LocalId> {
    match place.index.as_slice() {
        [
            Expr {
                kind: ExprKind::Local(local),
                ..
            },
        ] => Some(*local),
        _ => None,
    }
}

fn mentions_local(expr: &Expr, local: &Expr) -> bool {
    matches!(local.kind, ExprKind::Local(local) if mentions(expr, &[local]))
}

pub(super) fn truth(kind: ExprKind) -> Expr {
    Expr::truth(kind, Span::default())
}

pub(super) fn holds() -> Expr {
    truth(ExprKind::Value(1))
}
