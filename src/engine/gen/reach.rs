//! What may be a member whatever lies on the table: asked first, it leaves few that have to be looked at.

use super::inline::{mentions, size_of};
use super::mask::{Plan, conjuncts, is_local};
use super::nest::{Cond, Level};
use super::related::some;
use super::structure::alike;
use super::tables::Tabled;
use super::unroll::joined;
use super::{Gen, Shared};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, Expr, ExprKind, LocalId, NodeMut, Order, Over,
    UnaryOp, change,
};

/// Largest set that is worked out beforehand, in nodes.
const MOST_NODES: usize = 400;

/// The place of which it is known what lies there, if one is.
type Known = Option<LocalId>;

impl Shared<'_> {
    /// `some { p in S where q in walk d from p while x: C(x) }` asks only those from which `q` lies in that
    /// direction: the others are no members in any position, and nothing in them may fault. Where the way hangs on what
    /// lies at `p`, only those that may go so.
    pub(super) fn only_in_reach(&mut self, expr: &Expr) -> Option<Expr> {
        let aggregate = expr.as_aggregate()?;
        let asks = matches!(
            aggregate.op,
            AggregateOp::Some | AggregateOp::No | AggregateOp::Count | AggregateOp::Collect
        );
        let binder = aggregate.binders.last()?;
        // Few values are asked for one by one, as sets.
        let few = self.few_of(binder).is_some();
        if few || !asks || aggregate.value.is_some() || !matches!(binder.over, Over::Set(_)) {
            return None;
        }
        let guard = binder.guard.as_ref()?;
        let mut parts = Vec::new();
        conjuncts(guard, &mut parts);
        let local = binder.local;
        let with = |guard: Option<Expr>| {
            let mut asked = aggregate.clone();
            if let Some(binder) = asked.binders.last_mut() {
                binder.guard = guard;
            }
            expr.with_kind(asked)
        };
        for by_what_is_there in [true, false] {
            let known = by_what_is_there.then_some(local);
            let reached: Vec<(usize, Expr)> = (0..)
                .zip(&parts)
                .filter_map(|(at, it)| Some((at, self.in_reach(it, local, known)?)))
                .collect();
            let Some(last) = reached.last().map(|it| it.0) else {
                continue;
            };
            let reached = reached.into_iter().map(|it| it.1).reduce(Expr::and);
            // What stands behind is asked of no other members than before.
            let before = parts
                .iter()
                .take(last + 1)
                .map(|it| (*it).clone())
                .reduce(Expr::and);
            let first = reached
                .iter()
                .cloned()
                .chain(before.clone())
                .reduce(Expr::and);
            // What is left out of a condition may be why the rest of it cannot fault.
            if self.surely(&with(before)) && self.surely(&with(first)) {
                let guards = reached.into_iter().chain([guard.clone()]);
                return Some(with(guards.reduce(Expr::and)));
            }
        }
        None
    }

    /// Leaves out conditions on a variable that only say what may be in reach.
    pub(super) fn without_reach(&mut self, conds: &mut Vec<Expr>, local: LocalId) {
        let mut around = Vec::new();
        for cond in conds.iter() {
            for known in [Some(local), None] {
                around.extend(self.in_reach(cond, local, known));
            }
        }
        conds.retain(|cond| !around.iter().any(|it| alike(it, cond)));
    }

    /// A condition on a variable, and on what lies there where that is known, that holds wherever a question about a set does.
    fn in_reach(&mut self, cond: &Expr, local: LocalId, known: Known) -> Option<Expr> {
        let (one, set) = cond.operands_of(BinaryOp::In)?;
        if mentions(one, &[local]) || !self.reads_state(set) {
            return None;
        }
        if one.ty.optional {
            // What is not there is in no set.
            return mentions(set, &[local])
                .then(|| cond.with_kind(ExprKind::unary(UnaryOp::IsSome, one.clone())));
        }
        if !matches!(one.kind, ExprKind::Local(_)) {
            return None;
        }
        let around = self.around(set, known)?;
        let asks = mentions(&around, &[local]) && !self.reads_more(&around, known);
        let fits = size_of(&around) <= MOST_NODES;
        (asks && fits).then(|| joined(BinaryOp::In, one.clone(), around))
    }

    /// Whether something hangs on more of what lies on the table than what lies at a place that is known.
    fn reads_more(&self, expr: &Expr, known: Known) -> bool {
        let reads = self.reads_state(expr);
        let Some(place) = known.filter(|_| reads) else {
            return reads;
        };
        let mut rest = expr.clone();
        leave_out(&mut rest, place);
        self.reads_state(&rest)
    }

    /// A set that holds all members of another, whatever lies on the table; none if nothing smaller is known.
    fn around(&self, set: &Expr, known: Known) -> Option<Expr> {
        if !self.reads_more(set, known) {
            return Some(set.clone());
        }
        let union =
            |one: Expr, other: Expr| set.with_kind(ExprKind::binary(BinaryOp::Union, one, other));
        match &set.kind {
            ExprKind::Walk {
                way,
                from,
                var,
                cond,
            } => {
                let anything = Expr::truth(ExprKind::Value(1), cond.span);
                Some(set.with_kind(ExprKind::Walk {
                    way: way.clone(),
                    from: from.clone(),
                    var: *var,
                    cond: Box::new(anything),
                }))
            }
            ExprKind::Binary(BinaryOp::Minus, left, _) => self.around(left, known),
            ExprKind::Binary(BinaryOp::Union, left, right) => {
                Some(union(self.around(left, known)?, self.around(right, known)?))
            }
            ExprKind::Match(subject, arms, other) if !self.reads_more(subject, known) => {
                let within = |arm: &Expr| self.around(arm, known);
                let arms = arms
                    .iter()
                    .map(|(values, arm)| Some((values.clone(), within(arm)?)));
                let arms = arms.collect::<Option<_>>()?;
                let other = match other {
                    Some(other) => Some(Box::new(within(other)?)),
                    None => None,
                };
                Some(set.with_kind(ExprKind::Match(subject.clone(), arms, other)))
            }
            ExprKind::If(cond, then, other) if !self.reads_more(cond, known) => {
                let [then, other] = [then, other].map(|arm| self.around(arm, known).map(Box::new));
                Some(set.with_kind(ExprKind::If(cond.clone(), then?, other?)))
            }
            ExprKind::If(_, then, other) => {
                Some(union(self.around(then, known)?, self.around(other, known)?))
            }
            ExprKind::Match(_, arms, other) => {
                let arms = arms.iter().map(|(_, arm)| arm);
                let all: Option<Vec<Expr>> = arms
                    .chain(other.as_deref())
                    .map(|it| self.around(it, known))
                    .collect();
                all?.into_iter().reduce(union)
            }
            ExprKind::Let(local, value, body) => {
                let around = self.around(body, known)?;
                if !mentions(&around, &[*local]) {
                    return Some(around);
                }
                let value = (!self.reads_more(value, known)).then(|| value.clone())?;
                Some(set.with_kind(ExprKind::Let(*local, value, Box::new(around))))
            }
            ExprKind::Aggregate(aggregate) if aggregate.op == AggregateOp::Collect => {
                let mut whole = (**aggregate).clone();
                for binder in &mut whole.binders {
                    self.widen(binder, known)?;
                }
                if whole
                    .value
                    .as_ref()
                    .is_some_and(|it| self.reads_more(it, known))
                {
                    return None;
                }
                Some(set.with_kind(Aggregate { ..whole }))
            }
            _ => None,
        }
    }

    /// Lets a variable take every value that it may take whatever lies on the table.
    fn widen(&self, binder: &mut Binder, known: Known) -> Option<()> {
        let set = binder.over.as_set()?;
        let around = self.around(set, known).or_else(|| match set.ty.base {
            Base::Set(domain) => Some(set.with_kind(ExprKind::All(domain))),
            _ => None,
        })?;
        binder.over = Over::Set(around);
        binder.order = Order::Ascending;
        let guard = binder.guard.take();
        let mut parts = Vec::new();
        guard.iter().for_each(|it| conjuncts(it, &mut parts));
        let stay = parts
            .into_iter()
            .filter(|it| !self.reads_more(it, known))
            .cloned();
        binder.guard = stay.reduce(Expr::and);
        Some(())
    }
}

impl Gen<'_, '_> {
    /// Whether anything that is asked of `t in T(x)` may hold, whatever lies on the table but at `x`: a condition on `x`, and
    /// up to how many variables are known where it is asked.
    pub(super) fn may_lead(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
    ) -> Option<(Expr, usize)> {
        (1..levels.len()).find_map(|at| self.may_lead_to(at, levels, conds))
    }

    fn may_lead_to(
        &mut self,
        at: usize,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
    ) -> Option<(Expr, usize)> {
        let level = levels.get(at).filter(|it| it.member.is_none())?;
        let Over::Set(set) = level.over else {
            return None;
        };
        let from = levels[..at]
            .iter()
            .position(|it| mentions(set, &[it.local]))?;
        let x = levels.get(from)?.local;
        let others: Vec<LocalId> = levels.iter().map(|it| it.local).collect();
        let others: Vec<LocalId> = others.into_iter().filter(|it| *it != level.local).collect();
        let around = self.shared.around(set, Some(x))?;
        let asks = |it: &&Cond<'_>| {
            mentions(it.expr, &[level.local])
                && !mentions(it.expr, &others)
                && !self.shared.reads_state(it.expr)
        };
        let first = conds.iter().position(|it| asks(&it))?;
        let asked = conds.get(first)?;
        let is_free = !mentions(&around, &[level.local])
            && !others
                .iter()
                .any(|it| *it != x && mentions(&around, &[*it]));
        if !self.shared.reads_state(set) || !is_free || size_of(&around) > MOST_NODES {
            return None;
        }
        // All that is not asked then must come to a value.
        let mut facts = self.facts.clone();
        for stage in 0..=asked.written {
            for (at, cond) in conds.iter().enumerate().filter(|it| it.1.written == stage) {
                let is_before = stage < asked.written || at <= first;
                if stage > from && is_before && !self.sure(cond.expr, &mut facts) {
                    return None;
                }
                self.learn(cond.expr, true, &mut facts);
            }
            let Some(level) = levels.get(stage) else {
                continue;
            };
            if stage > from && stage < asked.written && !self.over_sure(level.over, &mut facts) {
                return None;
            }
            self.learn_binder(level.local, level.over, &mut facts);
        }
        let mut question = some(vec![
            Binder::over(level.local, around).guarded(asked.expr.clone()),
        ]);
        self.shared.rename(&mut question);
        let domain = self.level_domain(levels, from)?;
        let (mut early, mut facts) = (self.facts.clone(), self.facts_in(&levels[..=from], &[]));
        match self.sound_plan(&question, x, domain, &mut early, &mut facts)? {
            Plan::Row(table) | Plan::KindIn(_, table) | Plan::KindAt(_, table)
                if self.differs(&table) =>
            {
                Some((question, from + 1))
            }
            _ => None,
        }
    }

    /// Whether not all rows of a table are alike.
    fn differs(&self, table: &Tabled) -> bool {
        let n: u64 = table.inputs.iter().map(|it| it.n).product();
        let words = usize::from(table.words);
        let from = table.base as usize;
        let rows = usize::try_from(n).ok().and_then(|n| {
            let data = self.shared.code.data.get(from..)?;
            data.get(..n.checked_mul(words)?)
        });
        rows.is_some_and(|rows| {
            let mut rows = rows.chunks(words.max(1));
            let first = rows.next();
            rows.any(|row| Some(row) != first)
        })
    }
}

/// Leaves out what lies at a place.
fn leave_out(expr: &mut Expr, place: LocalId) {
    if let ExprKind::Component(at) = &expr.kind
        && matches!(at.index.as_slice(), [index] if is_local(index, place))
    {
        expr.kind = ExprKind::Value(0);
        return;
    }
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            leave_out(part, place);
        }
    });
}
