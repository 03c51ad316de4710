//! What is asked of nothing but one number that is counted, as the numbers that it may be.

use super::Shared;
use super::inline::{mentions, size_of};
use super::mask::is_local;
use super::structure::alike;
use super::unroll::{joined, not};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Expr, ExprKind, Node, NodeMut, Type, change,
    each_in_expr,
};

/// Largest condition that is looked at, in nodes.
const MOST_NODES: usize = 300;
/// Most numbers that are told apart.
const MOST_NUMBERS: i64 = 64;

impl Shared<'_> {
    /// `count S in { 1, 2, 3 }`, `abs(count S - 2) <= 1`, `count S == 1 or count S > 1 and count S < 4`, `fits[count S]` are
    /// `count S >= 1 and count S <= 3`, where all numbers stand in a row for which they hold, or do not hold.
    pub(super) fn in_a_row(&mut self, expr: &Expr) -> Option<Expr> {
        if expr.ty != Type::BOOL || is_plain(expr) {
            return None;
        }
        let counted = counted_in(expr).filter(|_| size_of(expr) <= MOST_NODES)?;
        let (least, most) = self.bounds_of(&counted)?;
        let ty = Type::of(Base::Int(least, most));
        let (n, mut asked) = (self.new_local(ty), expr.clone());
        put_number(
            &mut asked,
            &counted,
            &expr.with_kind(ExprKind::Local(n)).with_type(ty),
        );
        let mut bound = Vec::new();
        each_in_expr(&asked, &mut |node| {
            if let Node::Binds(local) = node {
                bound.push(local);
            }
        });
        let is_other = mentions(&counted, &bound);
        if most - least >= MOST_NUMBERS || is_other || self.reads_state(&asked) {
            return None;
        }
        let table = self.tabled(&asked, &[]).filter(|it| !it.faults)?;
        let is_alone = matches!(&*table.inputs, [one] if is_local(&one.expr, n));
        let cells = self.cells(&table).filter(|_| is_alone)?;
        let which = |holds: i64| {
            let numbers = (least..).zip(cells).filter(|(_, it)| **it == holds);
            let numbers: Vec<i64> = numbers.map(|it| it.0).collect();
            let (from, to) = (*numbers.first()?, *numbers.last()?);
            let is_row = usize::try_from(to - from + 1) == Ok(numbers.len());
            (is_row && (from, to) != (least, most)).then_some((from, to))
        };
        let (from, to, holds) = match (which(1), which(0)) {
            (Some((from, to)), _) => (from, to, true),
            (None, Some((from, to))) => (from, to, false),
            _ => return None,
        };
        let low = (from > least).then_some((BinaryOp::Ge, from));
        let high = (to < most).then_some((BinaryOp::Le, to));
        let parts = low.into_iter().chain(high).map(|(op, number)| {
            let mut counted = counted.clone();
            self.rename(&mut counted);
            let mut part = joined(op, counted, Expr::number(number, expr.span));
            self.fold_less(&mut part);
            part
        });
        let row = parts.reduce(Expr::and)?;
        Some(if holds { row } else { not(row) })
    }
}

/// Writes a number for each of the same that is counted, and what is asked of it for whether there are any.
fn put_number(expr: &mut Expr, counted: &Expr, n: &Expr) {
    if let ExprKind::Aggregate(of) = &expr.kind
        && matches!(
            of.op,
            AggregateOp::Count | AggregateOp::Some | AggregateOp::No
        )
        && alike(
            &counted.with_kind(Aggregate::over(AggregateOp::Count, of.binders.clone())),
            counted,
        )
    {
        let zero = Expr::number(0, expr.span);
        *expr = match of.op {
            AggregateOp::Count => n.clone(),
            AggregateOp::Some => joined(BinaryOp::Gt, n.clone(), zero),
            _ => joined(BinaryOp::Eq, n.clone(), zero),
        };
        return;
    }
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            put_number(part, counted, n);
        }
    });
}

/// Whether a condition is said so already.
fn is_plain(cond: &Expr) -> bool {
    let Some((op, left, right)) = cond.as_binary() else {
        return !matches!(
            cond.kind,
            ExprKind::If(..) | ExprKind::Match(..) | ExprKind::Let(..) | ExprKind::Table(..)
        );
    };
    let is_number = |it: &Expr| is_count(it) || it.as_value().is_some();
    match op {
        BinaryOp::And => is_plain(left) && is_plain(right),
        BinaryOp::Or => false,
        _ => is_number(left) && is_number(right),
    }
}

fn is_count(expr: &Expr) -> bool {
    expr.as_aggregate()
        .is_some_and(|it| it.op == AggregateOp::Count)
}

/// The first number that is counted in a condition.
fn counted_in(cond: &Expr) -> Option<Expr> {
    let mut found = None;
    each_in_expr(cond, &mut |node| {
        if let Node::Expr(it) = node
            && found.is_none()
            && is_count(it)
        {
            found = Some(it.clone());
        }
    });
    found
}
