//! Counts of which a comparison says that they are of all there are.

use super::Shared;
use super::folds::more_than;
use super::inline::{mentions, rename_in};
use super::mask::{conjuncts, is_local};
use super::unroll::{joined, not};
use crate::model::{Aggregate, AggregateOp, BinaryOp, Expr, ExprKind, Over};

impl Shared<'_> {
    /// `count { x in S where P and Q } == count { x in S where P }` is `every { Q for x in S where P }`.
    pub(super) fn all_counted(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Expr> {
        let (part, whole, all) = match op {
            BinaryOp::Eq | BinaryOp::Ge => (left, right, true),
            BinaryOp::Ne | BinaryOp::Lt => (left, right, false),
            BinaryOp::Le => (right, left, true),
            BinaryOp::Gt => (right, left, false),
            _ => return None,
        };
        let asked = match self.more_asked(part, whole) {
            None if matches!(op, BinaryOp::Eq | BinaryOp::Ne) => self.more_asked(whole, part)?,
            asked => asked?,
        };
        let asked = Expr::truth(asked, left.span);
        Some(if all { asked } else { not(asked) })
    }

    /// `count { i in 0..1, j in 0..1 where P } == 4` is `P` for all four.
    pub(super) fn all_of_few(&mut self, op: BinaryOp, count: &Expr, number: &Expr) -> Option<Expr> {
        let (of, ExprKind::Value(number)) = (counted(count)?, &number.kind) else {
            return None;
        };
        let all = match op {
            BinaryOp::Eq | BinaryOp::Ge => true,
            BinaryOp::Ne | BinaryOp::Lt => false,
            _ => return None,
        };
        let few = of.binders.iter().map(|it| Some(self.few_of(it)?.len()));
        let many: usize = few.product::<Option<usize>>()?;
        let guards = of.binders.iter().filter_map(|it| it.guard.clone());
        let cond = guards.reduce(Expr::and)?;
        if i64::try_from(many) != Ok(*number) {
            return None;
        }
        let asked = of.binders.iter().rev().fold(cond, |cond, binder| {
            let every = Aggregate::over(AggregateOp::Every, vec![binder.unguarded()]).of(cond);
            let mut every = Expr::truth(every, count.span);
            self.write_out(&mut every);
            every
        });
        Some(if all { asked } else { not(asked) })
    }

    /// That what is asked of the part beyond what is asked of the whole holds for all of the whole.
    pub(super) fn more_asked(&self, part: &Expr, whole: &Expr) -> Option<Aggregate> {
        let (part, mut whole) = (counted(part)?.clone(), counted(whole)?.clone());
        if part.binders.len() != whole.binders.len() {
            return None;
        }
        let own = part.binders.iter().map(|it| it.local);
        let names = whole.binders.iter().map(|it| it.local).zip(own).collect();
        let mut more: Vec<Expr> = Vec::new();
        for (one, other) in part.binders.iter().zip(&mut whole.binders) {
            let (Over::Set(set), Over::Set(of_whole)) = (&one.over, &mut other.over) else {
                return None;
            };
            rename_in(of_whole, &names);
            other.local = one.local;
            other.guard.iter_mut().for_each(|it| rename_in(it, &names));
            let (mut asked, mut known) = (Vec::new(), Vec::new());
            one.guard.iter().for_each(|it| conjuncts(it, &mut asked));
            other.guard.iter().for_each(|it| conjuncts(it, &mut known));
            let is_among = |one: &Expr, all: &[&Expr]| all.iter().any(|it| self.alike(one, it));
            if !self.alike(set, of_whole) || !known.iter().all(|it| is_among(it, &asked)) {
                return None;
            }
            asked.retain(|it| !is_among(it, &known));
            more.extend(asked.into_iter().cloned());
        }
        Some(Aggregate {
            op: AggregateOp::Every,
            value: Some(more.into_iter().reduce(Expr::and)?),
            ..whole
        })
    }
}

/// `count { k in S where k in a..a + 2 } == 3` is `a in S and a + 1 in S and a + 2 in S`.
pub(super) fn all_of_span(op: BinaryOp, count: &Expr, number: &Expr) -> Option<Expr> {
    let (binder, many) = (counted(count)?.only_binder()?, number.as_value()?);
    let all = match op {
        BinaryOp::Eq | BinaryOp::Ge => true,
        BinaryOp::Ne | BinaryOp::Lt => false,
        _ => return None,
    };
    let (mut parts, mut from, mut to) = (Vec::new(), None, None);
    conjuncts(binder.guard.as_ref()?, &mut parts);
    for part in &parts {
        match &part.kind {
            ExprKind::Binary(BinaryOp::Le, low, k) if is_local(k, binder.local) => from = Some(low),
            ExprKind::Binary(BinaryOp::Le, k, high) if is_local(k, binder.local) => to = Some(high),
            _ => return None,
        }
    }
    let (set, from, to) = (binder.over.as_set()?, from?, to?);
    let more = more_than(from, to)?;
    let is_own = mentions(from, &[binder.local]);
    if is_own || parts.len() != 2 || more.checked_add(1) != Some(many) {
        return None;
    }
    let members = (0..=more).map(|more| {
        let by = Expr::number(more, from.span);
        let one = match more {
            0 => (**from).clone(),
            _ => to.with_kind(ExprKind::Binary(BinaryOp::Add, from.clone(), Box::new(by))),
        };
        joined(BinaryOp::In, one, set.clone())
    });
    let asked = members.reduce(Expr::and)?;
    Some(if all { asked } else { not(asked) })
}

fn counted(expr: &Expr) -> Option<&Aggregate> {
    match &expr.kind {
        ExprKind::Aggregate(it) if it.op == AggregateOp::Count => Some(it),
        _ => None,
    }
}
