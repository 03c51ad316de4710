//! Comparisons of counts: how many are so against how many there are, or against how many are otherwise.

use super::Shared;
use super::against::found;
use super::folds::mirrored;
use super::how_many::Members;
use super::inline::binds_nothing;
use super::mask::conjuncts;
use super::structure::alike;
use super::unroll::{joined, not};
use crate::model::{Aggregate, AggregateOp, Base, BinaryOp, Expr, ExprKind, Type, UnaryOp};
use crate::source::Span;

/// What is added on one side of a comparison and taken away on the other, and the number that is left.
#[derive(Default)]
pub(super) struct Balance<'e> {
    pub more: Vec<&'e Expr>,
    pub less: Vec<&'e Expr>,
    pub number: i64,
}

impl<'e> Balance<'e> {
    pub fn of(left: &'e Expr, right: &'e Expr) -> Option<Self> {
        let mut balance = Self::default();
        balance.add(left, true)?;
        balance.add(right, false)?;
        Some(balance)
    }

    fn add(&mut self, number: &'e Expr, is_more: bool) -> Option<()> {
        if number.ty.optional {
            return None;
        }
        match &number.kind {
            ExprKind::Binary(BinaryOp::Add, one, other) => {
                self.add(one, is_more)?;
                self.add(other, is_more)
            }
            ExprKind::Binary(BinaryOp::Sub, one, other) => {
                self.add(one, is_more)?;
                self.add(other, !is_more)
            }
            ExprKind::Value(it) => {
                let it = if is_more { *it } else { it.checked_neg()? };
                self.number = self.number.checked_add(it)?;
                Some(())
            }
            _ => {
                let side = if is_more {
                    &mut self.more
                } else {
                    &mut self.less
                };
                side.push(number);
                Some(())
            }
        }
    }
}

impl Shared<'_> {
    /// Says a comparison of counts by the fewer ones.
    pub(super) fn by_fewer(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Expr> {
        if !matches!(left.ty.base, Base::Int(..)) || !matches!(right.ty.base, Base::Int(..)) {
            return None;
        }
        let balance = Balance::of(left, right)?;
        match (&*balance.more, &*balance.less) {
            ([one], [other]) => self
                .of_the_others(op, one, other, balance.number)
                .or_else(|| {
                    let number = balance.number.checked_neg()?;
                    self.of_the_others(mirrored(op), other, one, number)
                }),
            ([one], []) => self
                .for_and_against(op, one, balance.number)
                .or_else(|| self.of_so_many(op, one, balance.number)),
            ([], [one]) => {
                let number = balance.number.checked_neg()?;
                self.for_and_against(mirrored(op), one, number)
            }
            _ => None,
        }
    }

    /// `count { x in S where P } >= count S - 1` is `count { x in S where not P } <= 1`.
    fn of_the_others(
        &mut self,
        op: BinaryOp,
        part: &Expr,
        whole: &Expr,
        number: i64,
    ) -> Option<Expr> {
        let mut others = self.more_asked(part, whole)?;
        let denied = not(others.value.take()?);
        let others = self.counting(found(others, AggregateOp::Count, denied)?, part.span);
        let number = Expr::number(number, part.span);
        Some(self.compared_anew(mirrored(op), others, number))
    }

    /// `count { x in S where A and P } < 6` is `some { x in S where A and not P }`, where A always holds of six, or S always has so many.
    fn of_so_many(&mut self, op: BinaryOp, part: &Expr, number: i64) -> Option<Expr> {
        let of = part.as_aggregate()?;
        let binder = of.only_binder_of(AggregateOp::Count)?;
        let number = number.checked_neg()?;
        let Members { least, most } = self.members_of(binder)?;
        let all = i64::try_from(most).ok().filter(|_| least == most)?;
        let less = all
            .checked_sub(number)
            .filter(|it| (0..number).contains(it))?;
        let mut conds = Vec::new();
        conjuncts(binder.guard.as_ref()?, &mut conds);
        let (asked, known): (Vec<&Expr>, Vec<&Expr>) =
            conds.into_iter().partition(|it| self.reads_state(it));
        let is_whole = matches!(&binder.over.as_set()?.kind, ExprKind::All(_));
        if known.is_empty() && (is_whole || less > 0) {
            return None;
        }
        let denied = not(asked.into_iter().cloned().reduce(Expr::and)?);
        let guard = known.into_iter().cloned().chain([denied]).reduce(Expr::and);
        let binder = binder.unguarded().guarded(guard);
        let others = Aggregate::over(AggregateOp::Count, vec![binder]);
        let others = self.counting(others, part.span);
        let less = Expr::number(less, part.span);
        Some(self.compared_anew(mirrored(op), others, less))
    }

    /// `sum { if A then 1 else if B then -1 else 0 for x in S } > 0` is `count { x in S where A } > count { x in S where not A and B }`.
    fn for_and_against(&mut self, op: BinaryOp, sum: &Expr, number: i64) -> Option<Expr> {
        let of = sum.as_aggregate()?;
        let binder = of.only_binder_of(AggregateOp::Sum)?;
        binder.over.as_set()?;
        let (mut more, mut less) = (None, None);
        sides_of(of.value.as_ref()?, None, &mut more, &mut less)?;
        let bare = Aggregate {
            value: None,
            ..of.clone()
        };
        let [more, less] = [more?, less?].map(|it| {
            let side = found(bare.clone(), AggregateOp::Count, it)?;
            Some(self.counting(side, sum.span))
        });
        let (mut more, mut less) = (more?, less?);
        self.rename(&mut less);
        let by = number.checked_abs()?;
        let side = if number > 0 { &mut more } else { &mut less };
        if by > 0 {
            let by = Expr::number(by, sum.span);
            let kind = ExprKind::binary(BinaryOp::Add, side.clone(), by);
            *side = Expr::new(kind, Type::of(Base::Int(0, i64::from(u32::MAX))), sum.span);
            self.narrow(side);
        }
        Some(joined(op, more, less))
    }

    /// `first(S) == last(S)` is `count S <= 1`.
    pub(super) fn at_most_one(&mut self, op: BinaryOp, one: &Expr, other: &Expr) -> Option<Expr> {
        let [first, last] = [one, other].map(Expr::as_aggregate);
        let (first, last) = (first?, last?);
        let (AggregateOp::First, AggregateOp::Last) = (first.op, last.op) else {
            return None;
        };
        let is_bare = |it: &Aggregate| it.value.is_none() && it.default.is_none();
        let [one_count, other_count] = [first, last].map(|of| {
            let count = Aggregate::over(AggregateOp::Count, of.binders.clone());
            one.with_kind(count)
        });
        let is_set = first.only_binder()?.over.as_set().is_some();
        if !is_set || !is_bare(first) || !is_bare(last) || !alike(&one_count, &other_count) {
            return None;
        }
        let op = match op {
            BinaryOp::Eq => BinaryOp::Le,
            BinaryOp::Ne => BinaryOp::Gt,
            _ => return None,
        };
        let count = Aggregate::over(AggregateOp::Count, first.binders.clone());
        let count = self.counting(count, one.span);
        Some(self.compared_anew(op, count, Expr::number(1, one.span)))
    }

    fn counting(&mut self, of: Aggregate, span: Span) -> Expr {
        let ty = Type::of(Base::Int(0, i64::from(u16::MAX)));
        let mut counted = Expr::new(of, ty, span);
        self.narrow(&mut counted);
        self.fold_less(&mut counted);
        self.asked_of_places(&mut counted);
        counted
    }

    fn compared_anew(&mut self, op: BinaryOp, counted: Expr, number: Expr) -> Expr {
        let mut asked = joined(op, counted, number);
        self.fold_less(&mut asked);
        asked
    }
}

/// Where a number is 1, and where it is -1, if it is one of these or 0.
fn sides_of(
    value: &Expr,
    path: Option<&Expr>,
    more: &mut Option<Expr>,
    less: &mut Option<Expr>,
) -> Option<()> {
    let number = match &value.kind {
        ExprKind::If(cond, then, other) => {
            binds_nothing(cond).then_some(())?;
            let behind = |it: Expr| match path {
                Some(path) => path.clone().and(it),
                None => it,
            };
            sides_of(then, Some(&behind((**cond).clone())), more, less)?;
            return sides_of(other, Some(&behind(not((**cond).clone()))), more, less);
        }
        ExprKind::Value(number) => *number,
        ExprKind::Unary(UnaryOp::Neg, part) => part.as_value()?.checked_neg()?,
        _ => return None,
    };
    let side = match number {
        0 => return Some(()),
        1 => more,
        -1 => less,
        _ => return None,
    };
    let path = path?.clone();
    *side = Some(match side.take() {
        Some(before) => before.or(path),
        None => path,
    });
    Some(())
}
