//! Who is best: questions about one seat, or one of anything, compare it with the others.

use std::collections::HashMap;

use super::Shared;
use super::how_many::inner_of;
use super::inline::{mentions, rename_in, substitute};
use super::mask::{chained, conjuncts};
use super::related::{some, with};
use super::structure::same;
use super::unroll::{joined, not};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, Expr, ExprKind, LocalId, NONE, Node, Order,
    Over, Type, UnaryOp, each_in_expr,
};

/// Most elements of which each is compared with each when it is looked whether a number rises.
const MOST_IN_ORDER: u64 = 128;

/// The best of some by a number that each has.
struct Best<'e> {
    is_most: bool,
    binder: &'e Binder,
    over: Expr,
    key: &'e Expr,
}

impl<'e> Best<'e> {
    fn of(set: &'e Expr) -> Option<Self> {
        let best = set.as_aggregate()?;
        let is_most = match best.op {
            AggregateOp::Most => true,
            AggregateOp::Least => false,
            _ => return None,
        };
        let (binder, key) = (best.only_binder()?, best.value.as_ref()?);
        let over = match &binder.over {
            Over::Set(over) => over.clone(),
            Over::Zone(place) => set.with_kind(ExprKind::Kinds(place.clone())),
            Over::Span(..) => return None,
        };
        let is_number = matches!(key.ty.base, Base::Int(..));
        (is_number && !key.ty.optional).then_some(Self {
            is_most,
            binder,
            over,
            key,
        })
    }

    /// What is said of the variable, said of one.
    fn said_of(&self, part: &Expr, one: &Expr) -> Expr {
        let mut part = part.clone();
        substitute(
            &mut part,
            &HashMap::from([(self.binder.local, one.clone())]),
        );
        part
    }

    /// Whether one is among those that are compared, and something more holds.
    fn is_among(&self, one: &Expr, more: Expr) -> Expr {
        let mut all = joined(BinaryOp::In, one.clone(), self.over.clone());
        if let Some(guard) = &self.binder.guard {
            all = all.and(self.said_of(guard, one));
        }
        all.and(more)
    }
}

fn is_local(one: &Expr) -> bool {
    matches!(one.kind, ExprKind::Local(_)) && !one.ty.optional
}

impl Shared<'_> {
    /// `s in most { r in S by k(r) }` is `s in S and k(s) == max { k(r) for r in S }`, and `no { r in S where k(r) > k(s) }` where
    /// no position changes these, or they are all looked through at once.
    pub(super) fn among_best(&mut self, one: &Expr, set: &Expr) -> Option<Expr> {
        let best = Best::of(set).filter(|_| is_local(one))?;
        let are_two = self.domain(set.ty.base.set_over()?)?.size <= 2;
        let is_kept = !best.key.ty.optional
            && matches!(&best.key.kind, ExprKind::Track(_, index)
                if matches!(&**index, [it] if it.as_local() == Some(best.binder.local)));
        if are_two || is_kept || !self.reads_state(best.key) {
            let better = match best.is_most {
                true => BinaryOp::Gt,
                false => BinaryOp::Lt,
            };
            let mut is_better = joined(better, best.key.clone(), best.said_of(best.key, one));
            if are_two {
                let another = self.local(best.binder.local, set.span);
                is_better = joined(BinaryOp::Ne, another, one.clone()).and(is_better);
            }
            let none = Aggregate::over(AggregateOp::No, vec![with(best.binder.clone(), is_better)]);
            let mut none = Expr::truth(none, set.span);
            self.rename(&mut none);
            return Some(best.is_among(one, none));
        }
        let op = match best.is_most {
            true => AggregateOp::Max,
            false => AggregateOp::Min,
        };
        let greatest = Expr::new(
            Aggregate::over(op, vec![best.binder.clone()]).of(best.key.clone()),
            best.key.ty.or_none(),
            set.span,
        );
        let mut is_greatest = joined(BinaryOp::Eq, best.said_of(best.key, one), greatest);
        self.rename(&mut is_greatest);
        Some(best.is_among(one, is_greatest))
    }

    /// `(most { r in S by k(r) }) == { s }` is `s in S and every { k(r) < k(s) for r in S where r != s }`.
    pub(super) fn best_is(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Expr> {
        let (set, one) = match (&left.kind, &right.kind) {
            (_, ExprKind::SetOf(items)) => (left, items.as_slice()),
            (ExprKind::SetOf(items), _) => (right, items.as_slice()),
            _ => return None,
        };
        let [one] = one else {
            return None;
        };
        let best = Best::of(set).filter(|_| is_local(one))?;
        let less = match best.is_most {
            true => BinaryOp::Lt,
            false => BinaryOp::Gt,
        };
        let other = self.local(best.binder.local, one.span);
        let others = Aggregate::over(
            AggregateOp::Every,
            vec![with(
                best.binder.clone(),
                joined(BinaryOp::Ne, other, one.clone()),
            )],
        )
        .of(joined(less, best.key.clone(), best.said_of(best.key, one)));
        let mut others = Expr::truth(others, set.span);
        self.rename(&mut others);
        let all = best.is_among(one, others);
        match op {
            BinaryOp::Eq => Some(all),
            BinaryOp::Ne => Some(not(all)),
            _ => None,
        }
    }

    /// What is asked of the first or the last of the best.
    pub(super) fn of_best(&mut self, expr: &mut Expr) {
        self.say(expr, Self::key_of_best);
        self.say_surely(expr, Self::end_of_best);
    }

    /// `first(least { x in S where P by k(x) })` is `first({ x in S where P })`, where `k` never falls from one of S to the next, no
    /// position changing it, and so with the last of the most; `first(most { … })` is the last of them where it always rises.
    fn end_of_best(&mut self, expr: &Expr) -> Option<Expr> {
        let of = expr.as_aggregate()?;
        let is_last = match of.op {
            AggregateOp::First => false,
            AggregateOp::Last => true,
            _ => return None,
        };
        let members = of.only_binder().filter(|it| it.guard.is_none())?;
        let set = members.over.as_set().filter(|_| of.value.is_none())?;
        let best = Best::of(set)?;
        if self.reads_state(best.key) || !matches!(best.binder.order, Order::Ascending) {
            return None;
        }
        // Where the best of each two is always the one behind, the best is the last.
        let better = [(BinaryOp::Lt, BinaryOp::Le), (BinaryOp::Gt, BinaryOp::Ge)];
        let found = [false, true].into_iter().find(|comes_last| {
            let (alone, alike) = if *comes_last == best.is_most {
                better[0]
            } else {
                better[1]
            };
            let rises = if *comes_last == is_last { alike } else { alone };
            let claim = |a: &Expr, b: &Expr| {
                joined(rises, best.said_of(best.key, a), best.said_of(best.key, b))
            };
            self.of_each_two(best.binder, claim)
        })?;
        let all = Aggregate::over(AggregateOp::Collect, vec![best.binder.clone()]);
        let members = members.with_over(set.with_kind(all));
        let of = Aggregate {
            op: if found {
                AggregateOp::Last
            } else {
                AggregateOp::First
            },
            binders: vec![members],
            ..of.clone()
        };
        Some(expr.with_kind(of))
    }

    /// Whether something holds of each two that a variable may be in one position, the one in front of the other.
    fn of_each_two(&mut self, binder: &Binder, claim: impl Fn(&Expr, &Expr) -> Expr) -> bool {
        let ty = self.local_type(binder.local);
        let domain = match (&binder.over, ty.base) {
            (Over::Set(set), _) => set.ty.base.set_over(),
            (_, Base::Elem(domain)) => Some(domain),
            _ => None,
        };
        let size = domain.and_then(|it| Some((it, self.domain(it)?.size)));
        let Some((domain, size)) = size.filter(|it| it.1 <= MOST_IN_ORDER) else {
            return false;
        };
        let span = binder.guard.as_ref().map(|it| it.span).unwrap_or_default();
        let over = match &binder.over {
            Over::Set(set) if !self.reads_state(set) => set.clone(),
            _ => Expr::all(domain, span),
        };
        let [a, b] = [0, 1].map(|_| self.new_local(ty));
        let mut parts = Vec::new();
        binder.guard.iter().for_each(|it| conjuncts(it, &mut parts));
        parts.retain(|it| !self.reads_state(it));
        let place = |one: LocalId| {
            let ty_of = Type::of(Base::Int(0, i64::try_from(size).unwrap_or(i64::MAX)));
            let one = Expr::local(one, ty, span);
            Expr::new(ExprKind::unary(UnaryOp::Ord, one), ty_of, span)
        };
        let before = joined(BinaryOp::Lt, place(a), place(b));
        let known = [a, b].into_iter().flat_map(|one| {
            let by = HashMap::from([(binder.local, Expr::local(one, ty, span))]);
            parts.iter().map(move |it| {
                let mut of_one = (*it).clone();
                substitute(&mut of_one, &by);
                of_one
            })
        });
        let guard = known.fold(before, |all, it| it.and(all));
        let [first, second] = [a, b].map(|it| Expr::local(it, ty, span));
        let binders = vec![
            Binder::over(a, over.clone()),
            Binder::over(b, over).guarded(Some(guard)),
        ];
        let every = Aggregate::over(AggregateOp::Every, binders).of(claim(&first, &second));
        let mut every = Expr::truth(every, span);
        self.rename(&mut every);
        self.always(&every)
    }

    /// `last(S) == none or P(last(S))` is `no { x in S where not P(x) }`, where P holds of all before one of which it holds, and
    /// `some last(S) and P(last(S))` is `some { x in S where P(x) }`, where of all behind one; with the first the other way round.
    pub(super) fn asked_of_end(&mut self, expr: &Expr) -> Option<Expr> {
        let Some((op @ (BinaryOp::And | BinaryOp::Or), _, last)) = expr.as_binary() else {
            return None;
        };
        let end = end_in(last)?;
        let of = end.as_aggregate()?;
        let binder = opened(of.only_binder()?)?;
        let ty = self.local_type(binder.local);
        let e = self.new_local(ty.or_none());
        let mut parts = Vec::new();
        chained(op, expr, &mut parts);
        let (mut asked, mut others) = (Vec::new(), Vec::new());
        for part in parts {
            let mut part = part.clone();
            self.put_alike(&mut part, &end, e, ty.or_none());
            match mentions(&part, &[e]) {
                true => asked.push(part),
                false => others.push(part),
            }
        }
        let join = |one: Expr, other: Expr| joined(op, one, other);
        let asked = asked.into_iter().reduce(join)?;
        if moves_on(&asked, &end) {
            return None;
        }
        let of_one = |one: &Expr| {
            let mut of_one = asked.clone();
            substitute(&mut of_one, &HashMap::from([(e, one.clone())]));
            of_one
        };
        let none = Expr::new(ExprKind::Value(NONE), ty.or_none(), end.span);
        let of_none = of_one(&none);
        let of_none = match op {
            BinaryOp::Or => self.always(&of_none).then_some(true),
            _ => self.always(&not(of_none)).then_some(false),
        }?;
        // What holds of the one behind, or of the one in front, holds of the other.
        let from_last = of_none == (of.op == AggregateOp::Last);
        let claim = |a: &Expr, b: &Expr| match from_last {
            true => not(of_one(b)).or(of_one(a)),
            false => not(of_one(a)).or(of_one(b)),
        };
        if !self.of_each_two(&binder, claim) {
            return None;
        }
        let member = self.local(binder.local, end.span);
        let (op_of, holds) = match of_none {
            true => (AggregateOp::No, not(of_one(&member))),
            false => (AggregateOp::Some, of_one(&member)),
        };
        let mut said = Expr::truth(Aggregate::over(op_of, vec![with(binder, holds)]), expr.span);
        self.rename(&mut said);
        Some(
            others
                .into_iter()
                .chain([said])
                .reduce(join)
                .unwrap_or(none),
        )
    }

    /// `k(first(most { r in S by k(r) }))` is `max { k(r) for r in S }`, where S surely has members.
    fn key_of_best(&mut self, expr: &Expr) -> Option<Expr> {
        let is_looked_up = matches!(
            expr.kind,
            ExprKind::Track(..) | ExprKind::Table(..) | ExprKind::Count(_) | ExprKind::CountOf(..)
        );
        let mut greatest = None;
        each_in_expr(expr, &mut |node| {
            if let Node::Expr(end) = node
                && is_looked_up
                && greatest.is_none()
            {
                greatest = greatest_by(end, expr);
            }
        });
        let (op, binder, key) = greatest?;
        let is_sure = self.always(&some(vec![binder.clone()])) && self.surely(&key);
        let mut all = expr.with_kind(Aggregate::over(op, vec![binder]).of(key));
        self.rename(&mut all);
        is_sure.then_some(all)
    }
}

/// What is the greatest or least of which numbers, if a number is the one of the first or last of the best by it.
fn greatest_by(end: &Expr, number: &Expr) -> Option<(AggregateOp, Binder, Expr)> {
    let of = end.as_aggregate().filter(|it| it.default.is_none())?;
    let members = of.only_binder().filter(|it| it.guard.is_none())?;
    let is_end = matches!(of.op, AggregateOp::First | AggregateOp::Last) && of.value.is_none();
    let best = Best::of(members.over.as_set().filter(|_| is_end)?)?;
    if !same(&best.said_of(best.key, end), number) || number.ty.optional {
        return None;
    }
    let op = match best.is_most {
        true => AggregateOp::Max,
        false => AggregateOp::Min,
    };
    Some((op, best.binder.clone(), best.key.clone()))
}

/// The first or the last of some, which may be none, of which something is asked.
fn end_in(cond: &Expr) -> Option<Expr> {
    let mut found = None;
    let mut find = |it: &Expr| {
        if found.is_none()
            && let Some(of) = it.as_aggregate()
            && matches!(of.op, AggregateOp::First | AggregateOp::Last)
            && matches!(it.ty.base, Base::Elem(_))
            && of.default.is_none()
            && of.value.is_none()
            && it.ty.optional
        {
            found = Some(it.clone());
        }
    };
    find(cond);
    each_in_expr(cond, &mut |node| {
        if let Node::Expr(it) = node {
            find(it);
        }
    });
    found
}

/// Whether a condition is asked in another position, or a part of it binds what something mentions.
fn moves_on(cond: &Expr, one: &Expr) -> bool {
    let (mut moves, mut bound) = (matches!(cond.kind, ExprKind::After(..)), Vec::new());
    each_in_expr(cond, &mut |node| match node {
        Node::Expr(it) => moves |= matches!(it.kind, ExprKind::After(..) | ExprKind::Can(..)),
        Node::Binds(local) => bound.push(local),
        Node::Stmt(_) => {}
    });
    moves || mentions(one, &bound)
}

/// A variable over what it runs over, and with what is asked there.
fn opened(binder: &Binder) -> Option<Binder> {
    let mut binder = binder.clone();
    while let Some(inner) = inner_of(&binder) {
        let mut guard = inner.guard.clone();
        let names = HashMap::from([(inner.local, binder.local)]);
        guard.iter_mut().for_each(|it| rename_in(it, &names));
        let guard = guard.into_iter().chain(binder.guard.clone());
        binder = Binder {
            over: inner.over.clone(),
            guard: guard.reduce(Expr::and),
            ..binder
        };
    }
    matches!(binder.order, Order::Ascending).then_some(binder)
}
