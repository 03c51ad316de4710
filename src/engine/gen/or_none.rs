//! What is asked of a value that has several cases, in one of which it is none or decided.

use super::Shared;
use super::inline::size_of;
use super::mask::terms;
use super::related::with;
use super::structure::same;
use super::tables::is_scalar;
use super::unroll::{joined, not};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Expr, ExprKind, NONE, Type, UnaryOp, arith,
};

/// Most nodes that are written out for the cases of a value.
const MOST_WRITTEN: usize = 200;

impl Shared<'_> {
    /// `some (if P then e else none)` is `P and some e`, `(if P then e else none) == v` is `P and e == v`, and so with `in`,
    /// `default` and `filled`.
    pub(super) fn asked_in_cases(&mut self, expr: &mut Expr) {
        let said = match &expr.kind {
            ExprKind::Unary(UnaryOp::IsSome, of) => self.some_in_cases(of),
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right) => {
                self.equal_in_cases(*op, left, right)
            }
            ExprKind::Binary(op, left, right) if op.needs_both() && expr.ty == Type::BOOL => {
                self.sum_in_cases(*op, left, right)
            }
            ExprKind::Binary(BinaryOp::In, one, set) => self.member_in_cases(one, set),
            ExprKind::If(_, then, other)
                if expr.ty == Type::BOOL && (is_truth(then) || is_truth(other)) =>
            {
                Some(in_cases(expr, &Expr::clone, Type::BOOL))
            }
            ExprKind::OrElse(of, other) if self.has_none(of) => or_else_in_cases(of, other, expr),
            ExprKind::Aggregate(aggregate) => {
                only_what_is_there(aggregate).map(|it| expr.with_kind(it))
            }
            _ => None,
        };
        if let Some(mut said) = said.filter(|it| !same(it, expr)) {
            said.span = expr.span;
            self.expand(&mut said);
            *expr = said;
        }
    }

    fn some_in_cases(&mut self, of: &Expr) -> Option<Expr> {
        if !self.has_none(of) {
            return None;
        }
        let is_sure = self.surely(of);
        let asked = |it: &Expr| match it.as_value() {
            _ if is_none(it) => truth(false, it),
            Some(_) => truth(true, it),
            None if !it.ty.optional && is_sure => truth(true, it),
            None => it.clone().is_there(),
        };
        let said = in_cases(of, &asked, Type::BOOL);
        Some(said)
    }

    fn equal_in_cases(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Expr> {
        if ![left, right].iter().all(|it| is_scalar(it.ty)) {
            return None;
        }
        if is_none(right) {
            let some = self.some_in_cases(left)?;
            return Some(if op == BinaryOp::Eq { not(some) } else { some });
        }
        self.equal_to(op, left, right)
            .or_else(|| self.equal_to(op, right, left))
    }

    /// The same where the first has cases.
    fn equal_to(&mut self, op: BinaryOp, of: &Expr, to: &Expr) -> Option<Expr> {
        let is_decided = |it: &Expr| {
            is_none(it) || same(it, to) || it.as_value().is_some() && to.as_value().is_some()
        };
        if !(may_be_decided(of, &is_decided) && self.is_told(of))
            || cases(of, &|it| !is_none(it)) * size_of(to) > MOST_WRITTEN
            || !self.surely(to)
        {
            return None;
        }
        let is_equal = op == BinaryOp::Eq;
        let asked = |it: &Expr| match (it.as_value(), to.as_value()) {
            (Some(one), Some(other)) => {
                let equal = one == other;
                truth(equal == is_equal, it)
            }
            _ if is_none(it) && !to.ty.optional => truth(!is_equal, it),
            _ if is_none(it) => match is_equal {
                true => not(to.clone().is_there()),
                false => to.clone().is_there(),
            },
            _ if same(it, to) => truth(is_equal, it),
            _ => joined(op, it.clone(), to.clone()),
        };
        Some(in_cases(of, &asked, Type::BOOL))
    }

    /// `(if P then a else 0) + (if P then b else 0) > n` is `P and a + b > n`.
    fn sum_in_cases(&mut self, op: BinaryOp, sum: &Expr, number: &Expr) -> Option<Expr> {
        let (number, parts) = (number.as_value()?, terms(sum));
        let cases = |it: &&Expr| match &it.kind {
            ExprKind::If(cond, ..) => Some((**cond).clone()),
            _ => None,
        };
        let cond = parts.iter().find_map(cases)?;
        let arm = |holds: bool| -> Option<(i64, Vec<Expr>)> {
            let (mut known, mut others) = (0_i64, Vec::new());
            for term in &parts {
                let arm = match &term.kind {
                    ExprKind::If(which, then, other) if same(which, &cond) => {
                        if holds {
                            then
                        } else {
                            other
                        }
                    }
                    _ => *term,
                };
                for part in terms(arm) {
                    match part.as_value() {
                        Some(value) => known = known.checked_add(value)?,
                        None => others.push(part.clone()),
                    }
                }
            }
            Some((known, others))
        };
        let span = sum.span;
        let asked = |(known, others): (i64, Vec<Expr>)| -> Option<Expr> {
            let sum = others.into_iter().try_fold(None, |sum: Option<Expr>, it| {
                let (Base::Int(lo, hi), Some(before)) = (it.ty.base, sum) else {
                    return Some(Some(it));
                };
                let Base::Int(least, most) = before.ty.base else {
                    return None;
                };
                let ty = Type::of(Base::Int(lo.checked_add(least)?, hi.checked_add(most)?));
                let kind = ExprKind::binary(BinaryOp::Add, before, it);
                Some(Some(Expr::new(kind, ty, span)))
            })?;
            let rest = number.checked_sub(known)?;
            Some(match sum {
                Some(sum) => joined(op, sum, Expr::number(rest, span)),
                None => {
                    let holds = arith::compare(op, 0, rest)?;
                    Expr::truth(ExprKind::Value(i64::from(holds)), span)
                }
            })
        };
        let (then, other) = (asked(arm(true)?)?, asked(arm(false)?)?);
        let is_decided = is_truth(&then) || is_truth(&other);
        let fits = is_decided && self.is_told(sum) && self.surely(sum);
        fits.then(|| either(cond, then, other, Type::BOOL))
    }

    fn member_in_cases(&mut self, one: &Expr, set: &Expr) -> Option<Expr> {
        if !self.has_none(one)
            || cases(one, &|it| !is_none(it)) * size_of(set) > MOST_WRITTEN
            || !self.surely(set)
        {
            return None;
        }
        let asked = |it: &Expr| match is_none(it) {
            true => truth(false, it),
            false => joined(BinaryOp::In, it.clone(), set.clone()),
        };
        Some(in_cases(one, &asked, Type::BOOL))
    }

    /// Whether a value has cases that the position tells, and one of them is none.
    fn has_none(&self, of: &Expr) -> bool {
        may_be_decided(of, &is_none) && self.is_told(of)
    }

    /// Whether the position tells the cases of a value. What a spot of a plane sees of a neighbour is kept as it is.
    fn is_told(&self, of: &Expr) -> bool {
        self.reads_state(of) && !self.has_planes
    }
}

/// The condition with a value in each of its cases: `asked` says what becomes of a value that has none.
fn in_cases(of: &Expr, asked: &dyn Fn(&Expr) -> Expr, ty: Type) -> Expr {
    let part = |it: &Expr| in_cases(it, asked, ty);
    let kind = match &of.kind {
        ExprKind::If(cond, then, other) => {
            let (then, other) = (part(then), part(other));
            return either((**cond).clone(), then, other, ty);
        }
        ExprKind::Match(subject, arms, other) => {
            let arms = arms.iter().map(|(values, arm)| (values.clone(), part(arm)));
            let other = other.as_ref().map(|it| Box::new(part(it)));
            ExprKind::Match(subject.clone(), arms.collect(), other)
        }
        ExprKind::Let(local, value, body) => {
            ExprKind::Let(*local, value.clone(), Box::new(part(body)))
        }
        _ => return asked(of),
    };
    Expr::new(kind, ty, of.span)
}

/// `if P then Q else false` is `P and Q`, and so on.
fn either(cond: Expr, then: Expr, other: Expr, ty: Type) -> Expr {
    let span = cond.span;
    // Where a condition is none, that is a fault.
    let are_truths = ty == Type::BOOL && cond.ty == Type::BOOL;
    let known = |it: &Expr| it.as_value().filter(|_| are_truths);
    match (known(&then), known(&other)) {
        _ if !are_truths => Expr::new(ExprKind::choice(cond, then, other), ty, span),
        (Some(1), Some(0)) => cond,
        (Some(0), Some(1)) => not(cond),
        (None, Some(0)) => cond.and(then),
        (Some(0), None) => not(cond).and(other),
        (Some(1), None) => cond.or(other),
        (None, Some(1)) => not(cond).or(then),
        _ => Expr::new(ExprKind::choice(cond, then, other), ty, span),
    }
}

fn or_else_in_cases(of: &Expr, other: &Expr, whole: &Expr) -> Option<Expr> {
    if cases(of, &is_none) * size_of(other) > MOST_WRITTEN {
        return None;
    }
    let asked = |it: &Expr| match is_none(it) {
        true => other.clone(),
        false if !it.ty.optional => it.clone(),
        false => whole.with_kind(ExprKind::OrElse(
            Box::new(it.clone()),
            Box::new(other.clone()),
        )),
    };
    Some(in_cases(of, &asked, whole.ty))
}

/// `{ (if P then e else none) for x in S }` is `{ e for x in S where P }`.
fn only_what_is_there(aggregate: &Aggregate) -> Option<Aggregate> {
    if !matches!(
        aggregate.op,
        AggregateOp::Collect | AggregateOp::Max | AggregateOp::Min
    ) {
        return None;
    }
    let ExprKind::If(cond, then, other) = &aggregate.value.as_ref()?.kind else {
        return None;
    };
    let (cond, value) = match (is_none(then), is_none(other)) {
        (false, true) => ((**cond).clone(), then),
        (true, false) => (not((**cond).clone()), other),
        _ => return None,
    };
    let mut less = aggregate.clone();
    let last = less.binders.pop()?;
    less.binders.push(with(last, cond));
    less.value = Some((**value).clone());
    Some(less)
}

/// Whether a value has cases, and one of them is decided.
fn may_be_decided(of: &Expr, is_decided: &dyn Fn(&Expr) -> bool) -> bool {
    let any = |it: &Expr| is_decided(it) || may_be_decided(it, is_decided);
    match &of.kind {
        ExprKind::If(_, then, other) => any(then) || any(other),
        ExprKind::Match(_, arms, other) => {
            arms.iter().any(|(_, arm)| is_none(arm)) || other.as_ref().is_some_and(|it| is_none(it))
        }
        ExprKind::Let(_, _, body) => may_be_decided(body, is_decided),
        _ => false,
    }
}

/// How many of the cases of a value are told by `counts`.
fn cases(of: &Expr, counts: &dyn Fn(&Expr) -> bool) -> usize {
    match &of.kind {
        ExprKind::If(_, then, other) => cases(then, counts) + cases(other, counts),
        ExprKind::Match(_, arms, other) => {
            let all = arms.iter().map(|(_, arm)| arm);
            let all = all.chain(other.as_deref());
            all.map(|it| cases(it, counts)).sum()
        }
        ExprKind::Let(_, _, body) => cases(body, counts),
        _ => usize::from(counts(of)),
    }
}

fn is_none(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Value(NONE))
}

fn is_truth(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Value(0 | 1))
}

fn truth(holds: bool, at: &Expr) -> Expr {
    Expr::truth(ExprKind::Value(i64::from(holds)), at.span)
}
