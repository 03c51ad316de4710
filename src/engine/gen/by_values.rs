//! What is compared with a value that a position gives, asked for each of the few values that it may have.

use super::Shared;
use super::against::found;
use super::decided::{decide, decided};
use super::inline::{mentions, size_of};
use super::mask::{conjuncts, is_local};
use super::related::{some, with};
use super::structure::{alike, same};
use super::sure::within;
use super::targets::put;
use super::unroll::{MOST_NUMBERS, joined, not};
use crate::engine::layout::span_of;
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DomainKind, Expr, ExprKind, LocalId, Node,
    Over, Type, UnaryOp, each_in_expr,
};

/// Largest comparison that is asked for each value, in nodes.
const MOST_NODES: usize = 120;

impl Shared<'_> {
    /// Asks for each value.
    pub(super) fn by_values(&mut self, expr: &Expr) -> Option<Expr> {
        let aggregate = expr.as_aggregate()?;
        let asked = match aggregate.op {
            AggregateOp::Some | AggregateOp::No | AggregateOp::Every => self.values_told(aggregate),
            AggregateOp::Count => self.each_value(aggregate, expr),
            _ => None,
        };
        Some(expr.with_kind(asked?))
    }

    /// `by n { 1 => count S >= 1  2 => count S >= 2  … }` is `count S >= n`, also as a chain of `if`.
    pub(super) fn as_many(&mut self, expr: &Expr) -> Option<Expr> {
        let mut cases = Vec::new();
        let (subject, rest) = cases_by_value(expr, None, &mut cases)?;
        let (first, n) = span_of(self.game, subject.ty)?;
        let few = usize::try_from(n).ok().filter(|it| *it <= MOST_NUMBERS)?;
        if !matches!(subject.ty.base, Base::Int(..)) || subject.ty.optional {
            return None;
        }
        let mut found: Option<(Expr, i64)> = None;
        for number in (first..).take(few) {
            let own = cases.iter().find(|(it, _)| *it == number);
            let (counted, least) = self.at_least(own.map(|it| it.1).or(rest)?)?;
            let more = least - number;
            match &found {
                Some((before, by)) if *by != more || !alike(before, &counted) => return None,
                Some(_) => {}
                None => found = Some((counted, more)),
            }
        }
        let (counted, more) = found?;
        let Base::Int(lo, hi) = subject.ty.base else {
            return None;
        };
        let number = |kind, lo, hi| Expr::new(kind, Type::of(Base::Int(lo, hi)), subject.span);
        let by = Box::new(number(ExprKind::Value(more), more, more));
        let sum = ExprKind::Binary(BinaryOp::Add, Box::new(subject.clone()), by);
        let least = match more {
            0 => subject.clone(),
            _ => number(sum, lo + more, hi + more),
        };
        Some(joined(BinaryOp::Ge, counted, least))
    }

    /// What is counted, and how many there have to be at least.
    fn at_least(&mut self, cond: &Expr) -> Option<(Expr, i64)> {
        match &cond.kind {
            ExprKind::Aggregate(it) if it.op == AggregateOp::Some => {
                let counted = Aggregate {
                    op: AggregateOp::Count,
                    ..(**it).clone()
                };
                let counted = Expr::new(
                    counted,
                    Type::of(Base::Int(0, i64::from(u16::MAX))),
                    cond.span,
                );
                Some((counted, 1))
            }
            ExprKind::Binary(op, counted, number) => {
                let number = number.as_value()?;
                let mut counted = (**counted).clone();
                if !matches!(&counted.kind, ExprKind::Aggregate(it) if it.op == AggregateOp::Count)
                {
                    return None;
                }
                let least = match op {
                    BinaryOp::Ge => number,
                    BinaryOp::Gt => number + 1,
                    BinaryOp::Eq if self.bounds_of(&counted)?.1 == number => number,
                    _ => return None,
                };
                counted.ty = Type::of(Base::Int(0, i64::from(u16::MAX)));
                Some((counted, least))
            }
            _ => None,
        }
    }

    /// `some { d in S where hits[d] == e(c, d) }` is `some { d in S where hits[d] == 0 and 0 == e(c, d) or hits[d] == 1 and … }`, where
    /// no position changes `e`: so each of them is a table.
    fn values_told(&mut self, aggregate: &Aggregate) -> Option<Aggregate> {
        let binder = aggregate.only_binder()?;
        let mut asked = Vec::new();
        let denied = aggregate.value.clone().map(not);
        let conds = binder.guard.iter().chain(&denied);
        conds.for_each(|it| conjuncts(it, &mut asked));
        let at = asked
            .iter()
            .position(|it| self.told(it, binder.local).is_some())?;
        let told = self.told(asked.get(at)?, binder.local)?;
        let all = asked
            .iter()
            .enumerate()
            .map(|(other, it)| match other == at {
                true => told.clone(),
                false => (*it).clone(),
            });
        let all = all.reduce(Expr::and)?;
        let bare = aggregate.with_binders(vec![binder.unguarded()]);
        let op = match aggregate.op {
            AggregateOp::Every => AggregateOp::No,
            op => op,
        };
        found(bare, op, all)
    }

    /// What is asked of a member and of others for each value that a position gives the member.
    fn told(&mut self, cond: &Expr, member: LocalId) -> Option<Expr> {
        let (mut value, mut is_said) = (None, true);
        let mut note = |it: &Expr| {
            // What is compared with one value after the other says so already.
            is_said &= match &it.kind {
                ExprKind::If(..) | ExprKind::Match(..) => false,
                ExprKind::Binary(_, left, right) => {
                    let known = |it: &Expr| matches!(it.kind, ExprKind::Value(_));
                    !is_told(left, member) && !is_told(right, member) || known(left) || known(right)
                }
                _ => true,
            };
            if is_told(it, member) {
                value.get_or_insert_with(|| it.clone());
            }
        };
        note(cond);
        each_in_expr(cond, &mut |node| {
            if let Node::Expr(it) = node {
                note(it);
            }
        });
        if is_said {
            return None;
        }
        let value = value.filter(|it| !it.ty.optional && size_of(cond) <= MOST_NODES)?;
        let (first, n) = span_of(self.game, value.ty)?;
        let few = usize::try_from(n).ok().filter(|it| *it <= MOST_NUMBERS)?;
        let (mut cases, mut is_of_both) = (Vec::new(), false);
        for number in (first..).take(few) {
            let ty = match value.ty.base {
                Base::Int(..) => Type::of(Base::Int(number, number)),
                _ => value.ty,
            };
            let one = Expr::new(ExprKind::Value(number), ty, value.span);
            let mut then = cond.clone();
            self.rename(&mut then);
            put(&mut then, &value, &one);
            decide(&mut then);
            // Else no table says it for two elements.
            if self.reads_state(&then) {
                return None;
            }
            is_of_both |= mentions(&then, &[member]) && hangs_on_more(&then, &[member]);
            let is = joined(BinaryOp::Eq, value.clone(), one);
            cases.push(decided(is.and(then)));
        }
        let cases = cases.into_iter();
        let all = cases.reduce(|one, other| decided(one.or(other)))?;
        is_of_both.then_some(all)
    }

    /// `some { p in S, q in T where R(hue[p], hue[q]) }` is `some { y in Hue, z in Hue where some { p in S where hue[p] == y } and
    /// some { q in T where hue[q] == z } and R(y, z) }`.
    pub(super) fn of_values(&mut self, aggregate: &Aggregate) -> Option<Aggregate> {
        let mut conds = Vec::new();
        let guards = aggregate.binders.iter().filter_map(|it| it.guard.as_ref());
        guards.for_each(|it| conjuncts(it, &mut conds));
        let mut conds: Vec<Expr> = conds.into_iter().cloned().collect();
        let locals: Vec<LocalId> = aggregate.binders.iter().map(|it| it.local).collect();
        let mut binders = Vec::new();
        for binder in &aggregate.binders {
            let hangs = match &binder.over {
                Over::Set(set) => mentions(set, &locals),
                Over::Span(from, to) => mentions(from, &locals) || mentions(to, &locals),
                Over::Zone(_) => true,
            };
            let value = conds
                .iter()
                .find_map(|it| self.value_of(it, binder.local))?;
            // Of what may be none only those are asked that are there.
            let is_there = |it: &Expr| matches!(&it.kind, ExprKind::Unary(UnaryOp::IsSome, of) if same(of, &value));
            let asked = conds.len();
            conds.retain(|it| !value.ty.optional || !is_there(it));
            let is_given = !value.ty.optional || conds.len() < asked;
            let ty = Type::of(value.ty.base);
            let (first, n) = span_of(self.game, ty)?;
            let few = usize::try_from(n).is_ok_and(|it| it <= MOST_NUMBERS);
            if !few || !is_given || hangs {
                return None;
            }
            let (y, span) = (self.new_local(ty), value.span);
            let expr = |kind, ty| Expr { kind, ty, span };
            let one = expr(ExprKind::Local(y), ty);
            let number = |at| expr(ExprKind::Value(at), Type::of(Base::Int(at, at)));
            let over = match value.ty.base {
                Base::Elem(of) => Over::Set(expr(ExprKind::All(of), Type::of(Base::Set(of)))),
                _ => Over::Span(number(first), number(first + n as i64 - 1)),
            };
            conds.iter_mut().for_each(|it| put(it, &value, &one));
            let is = joined(BinaryOp::Eq, value, one);
            let (of_it, rest): (Vec<Expr>, Vec<Expr>) = conds
                .into_iter()
                .partition(|it| mentions(it, &[binder.local]));
            conds = rest;
            let mut others = locals.clone();
            others.retain(|it| *it != binder.local);
            if of_it.iter().any(|it| mentions(it, &others)) {
                return None;
            }
            let of_it = of_it.into_iter();
            let guard = of_it.fold(is, Expr::and);
            let mut some = some(vec![binder.unguarded().guarded(guard)]);
            self.asked_of_places(&mut some);
            binders.push(Binder::over(y, over).guarded(some));
        }
        let conds = conds.into_iter();
        let all = conds.reduce(Expr::and)?;
        let last = binders.pop()?;
        binders.push(with(last, all));
        Some(aggregate.with_binders(binders))
    }

    /// What a track says of a member, or of a place that it leads to, in a condition.
    fn value_of(&self, cond: &Expr, member: LocalId) -> Option<Expr> {
        let mut bound = Vec::new();
        each_in_expr(cond, &mut |node| {
            if let Node::Binds(local) = node {
                bound.push(local);
            }
        });
        let is_it = |it: &Expr| match &it.kind {
            ExprKind::Track(_, index) => matches!(index.as_slice(), [one]
                if mentions(one, &[member]) && !self.reads_state(one) && !mentions(one, &bound)),
            _ => false,
        };
        let mut found = None;
        each_in_expr(cond, &mut |node| {
            if let Node::Expr(it) = node
                && is_it(it)
            {
                found.get_or_insert_with(|| it.clone());
            }
        });
        found
    }

    /// `count { e(q) for q in S }` is `count { y in E where some { q in S where e(q) == y } }`, E having few values.
    fn each_value(&mut self, aggregate: &Aggregate, of: &Expr) -> Option<Aggregate> {
        let binder = aggregate.only_binder()?;
        let set = binder.over.as_set()?;
        let (values, id) = (set.as_aggregate()?, set.ty.base.set_over()?);
        let domain = self.game.domains.get(id.index())?;
        let is_few = usize::try_from(domain.size).is_ok_and(|it| it <= MOST_NUMBERS)
            && matches!(domain.kind, DomainKind::Enum { .. } | DomainKind::Range);
        let value = values.value.clone()?;
        let is_collected = values.op == AggregateOp::Collect && self.reads_state(&value);
        let mut bound = Vec::new();
        each_in_expr(set, &mut |node| {
            if let Node::Binds(local) = node {
                bound.push(local);
            }
        });
        let is_of_more = is_few && hangs_on_more(set, &bound);
        let fits = within(value.ty, self.element_of(set)?);
        if !is_of_more || !is_collected || !fits || aggregate.value.is_some() {
            return None;
        }
        let one = self.local(binder.local, of.span);
        let is_it = joined(BinaryOp::Eq, value, one);
        let some = found(values.clone(), AggregateOp::Some, is_it)?;
        let over = Binder::over(binder.local, set.with_kind(ExprKind::All(id)));
        let over = over.guarded(binder.guard.clone());
        let mut some = Expr::truth(some, of.span);
        self.asked_of_places(&mut some);
        let over = with(over, some);
        Some(aggregate.with_binders(vec![over]))
    }
}

/// What is asked for each value of a variable, and for all others.
fn cases_by_value<'e>(
    expr: &'e Expr,
    of: Option<&'e Expr>,
    cases: &mut Vec<(i64, &'e Expr)>,
) -> Option<(&'e Expr, Option<&'e Expr>)> {
    match &expr.kind {
        ExprKind::If(is, then, or) => {
            if let ExprKind::Binary(BinaryOp::Eq, subject, value) = &is.kind
                && let (ExprKind::Local(_), ExprKind::Value(value)) = (&subject.kind, &value.kind)
                && of.is_none_or(|it| same(it, subject))
            {
                cases.push((*value, then));
                return cases_by_value(or, Some(subject), cases);
            }
            None
        }
        ExprKind::Match(subject, arms, other) if matches!(subject.kind, ExprKind::Local(_)) => {
            for (values, arm) in arms {
                cases.extend(values.iter().map(|it| (*it, arm)));
            }
            of.is_none().then_some((&**subject, other.as_deref()))
        }
        _ => of.map(|it| (it, Some(expr))),
    }
}

/// Whether it is what a track says of a member.
fn is_told(it: &Expr, member: LocalId) -> bool {
    matches!(&it.kind, ExprKind::Track(_, index) if matches!(index.as_slice(), [one] if is_local(one, member)))
}

/// Whether an expression hangs on another variable too.
pub(super) fn hangs_on_more(expr: &Expr, known: &[LocalId]) -> bool {
    let mut found = false;
    each_in_expr(expr, &mut |node| {
        if let Node::Expr(Expr {
            kind: ExprKind::Local(local),
            ..
        }) = node
        {
            found |= !known.contains(local);
        }
    });
    found
}
