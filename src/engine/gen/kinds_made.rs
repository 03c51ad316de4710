//! Kinds that are made of variables and asked whether they lie somewhere.

use super::Shared;
use super::folds::asks_for;
use super::mask::{conjuncts, is_local};
use super::unroll::{joined, not};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Expr, ExprKind, LocalId, NONE, Type, UnaryOp,
};

impl Shared<'_> {
    /// `some { i in D, k in -2..2 where K(i, e + k) in z and P(i, k) }` is `some { c in z where c.i in D and c.j - e in -2..2 and
    /// P(c.i, c.j - e) }`.
    pub(super) fn some_lies(&mut self, aggregate: &Aggregate) -> Option<Expr> {
        let mut parts = Vec::new();
        let guards = aggregate.binders.iter().filter_map(|it| it.guard.as_ref());
        guards.for_each(|it| conjuncts(it, &mut parts));
        let (mut copies, mut others) = (None, Vec::new());
        for part in parts {
            // What is made only where something holds.
            let (cond, part) = made_where(part);
            others.extend(cond);
            match part.map(|it| (lying(&it), it)) {
                Some((Some(of_it), _)) if copies.is_none() => copies = Some(of_it),
                part => others.extend(part.map(|it| it.1)),
            }
        }
        let copies = copies?;
        let ExprKind::CountOf(place, kind) = &copies.kind else {
            return None;
        };
        let all = |conds: &[Expr]| {
            let conds = conds.iter().cloned();
            conds.reduce(Expr::and)
        };
        let mut binders = aggregate.binders.clone();
        binders.iter_mut().for_each(|it| it.guard = None);
        binders.last_mut()?.guard = all(&others);
        let known: Vec<Expr> = others
            .into_iter()
            .filter(|it| !self.reads_state(it))
            .collect();
        let is_made = joined(BinaryOp::Eq, (**kind).clone(), (**kind).clone());
        let is_made = match all(&known) {
            Some(known) => not(known).or(is_made),
            None => is_made,
        };
        let mut asked = Aggregate::over(AggregateOp::Some, binders);
        let is_sure = self.surely(&Expr::truth(asked.clone(), copies.span))
            && place.index.iter().all(|it| self.surely(it))
            && self.always(&is_made);
        asked.op = AggregateOp::Sum;
        asked.value = Some(copies.clone());
        let mut found = self.what_lies(&asked, &copies).filter(|_| is_sure)?;
        found.ty = Type::BOOL;
        if let ExprKind::Aggregate(it) = &mut found.kind {
            it.op = aggregate.op;
        }
        Some(found)
    }
}

/// A condition that asks for what is made where something holds: that, and the condition where it does.
fn made_where(cond: &Expr) -> (Option<Expr>, Option<Expr>) {
    let of_made = |it: &Expr| match &it.kind {
        ExprKind::If(cond, made, none) if matches!(none.kind, ExprKind::Value(NONE)) => {
            Some(((**cond).clone(), made.clone()))
        }
        _ => None,
    };
    match &cond.kind {
        ExprKind::Unary(UnaryOp::IsSome, part) if let Some((where_, _)) = of_made(part) => {
            (Some(where_), None)
        }
        ExprKind::Binary(BinaryOp::In, kind, set) if let Some((where_, made)) = of_made(kind) => {
            let kind = ExprKind::Binary(BinaryOp::In, made, set.clone());
            (Some(where_), Some(cond.with_kind(kind)))
        }
        _ => (None, Some(cond.clone())),
    }
}

/// How many of a kind a condition asks for, if it asks whether it lies somewhere.
fn lying(cond: &Expr) -> Option<Expr> {
    match &cond.kind {
        ExprKind::Binary(BinaryOp::In, kind, set) => match &set.kind {
            ExprKind::Kinds(place) => Some(Expr {
                kind: ExprKind::CountOf(place.clone(), kind.clone()),
                ty: Type::of(Base::Int(0, i64::from(u16::MAX))),
                span: cond.span,
            }),
            _ => None,
        },
        ExprKind::Binary(op, copies, number) => {
            let is_any = match number.kind {
                ExprKind::Value(number) => asks_for(*op, number) == Some(AggregateOp::Some),
                _ => false,
            };
            let is_it = is_any && matches!(copies.kind, ExprKind::CountOf(..));
            is_it.then(|| (**copies).clone())
        }
        _ => None,
    }
}

/// What a variable is where a field that is worked out of it, as `e + k`, has a value.
pub(super) fn solved(value: Expr, given: Option<&Expr>, of: LocalId) -> Option<Expr> {
    let Some(given) = given.filter(|it| !is_local(it, of)) else {
        return Some(value);
    };
    let (op, left, right) = given.as_binary()?;
    let of_both = |op, one: &Expr, other: &Expr| {
        let (Base::Int(a, b), Base::Int(c, d)) = (one.ty.base, other.ty.base) else {
            return None;
        };
        let (lo, hi) = match op {
            BinaryOp::Add => (a.checked_add(c)?, b.checked_add(d)?),
            _ => (a.checked_sub(d)?, b.checked_sub(c)?),
        };
        Some(Expr {
            kind: ExprKind::binary(op, one.clone(), other.clone()),
            ty: Type::of(Base::Int(lo, hi)),
            span: one.span,
        })
    };
    match (op, is_local(left, of), is_local(right, of)) {
        (BinaryOp::Add, true, false) => of_both(BinaryOp::Sub, &value, right),
        (BinaryOp::Add, false, true) => of_both(BinaryOp::Sub, &value, left),
        (BinaryOp::Sub, true, false) => of_both(BinaryOp::Add, &value, right),
        (BinaryOp::Sub, false, true) => of_both(BinaryOp::Sub, left, &value),
        _ => None,
    }
}
