//! `after { move c from hand to row } sum { c.rank for c in row } <= 21`: what a thing adds to where it comes to lie, and
//! takes from where it lay, said of the position before.

use std::collections::HashMap;

use super::Shared;
use super::inline::substitute;
use super::nest::Level;
use super::structure::same;
use super::tried::Board;
use super::unroll::joined;
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Expr, ExprKind, NodeMut, Over, Place, Type, change,
};

/// A thing that is taken from one bag to another.
pub(super) struct Moved {
    pub kind: Expr,
    pub from: Place,
    pub to: Place,
}

impl Moved {
    fn boards(&self) -> [Board; 2] {
        [self.to.zone, self.from.zone].map(Board::Zone)
    }

    /// Whether the thing surely lies where it is taken from: it is one of those that a variable takes.
    pub fn lies(&self, levels: &[Level<'_>]) -> bool {
        levels.iter().any(|level| {
            let is_it = matches!(self.kind.kind, ExprKind::Local(it) if it == level.local);
            is_it && level.member.is_none() && is_of(level.over, &self.from)
        })
    }
}

/// Whether all that a variable takes lies at a place.
fn is_of(over: &Over, place: &Place) -> bool {
    match over {
        Over::Zone(of) => is_place(of, place),
        Over::Set(set) => match &set.kind {
            ExprKind::Kinds(of) => is_place(of, place),
            ExprKind::Aggregate(aggregate) => {
                let is_some_of = aggregate.op == AggregateOp::Collect && aggregate.value.is_none();
                matches!(&*aggregate.binders, [binder] if is_some_of && is_of(&binder.over, place))
            }
            _ => false,
        },
        Over::Span(..) => false,
    }
}

fn is_place(one: &Place, other: &Place) -> bool {
    let mut index = one.index.iter().zip(&other.index);
    one.zone == other.zone && index.all(|(one, other)| same(one, other))
}

impl Shared<'_> {
    /// What is asked behind that, said of the position before; whether it can be.
    pub(super) fn before_move(&mut self, asked: &mut Expr, moved: &Moved) -> bool {
        if !self.reads_boards(asked, moved.boards()) {
            return true;
        }
        if let Some(number) = self.number_before(asked, moved) {
            *asked = number;
            return true;
        }
        if self.node_reads(asked, moved.boards()) {
            return false;
        }
        let mut is_said = true;
        change::parts_of_expr(asked, &mut |node| match node {
            NodeMut::Expr(part) => is_said = is_said && self.before_move(part, moved),
            NodeMut::Binds(_) => {}
            NodeMut::Stmt(_) => is_said = false,
        });
        is_said
    }

    /// How many lie somewhere then, or what they are worth.
    fn number_before(&mut self, number: &Expr, moved: &Moved) -> Option<Expr> {
        let (place, cond, each) = match &number.kind {
            ExprKind::Count(place) => (place, None, None),
            ExprKind::CountOf(place, kind) => {
                let is_it = joined(BinaryOp::Eq, (**kind).clone(), moved.kind.clone());
                (place, Some(is_it), None)
            }
            ExprKind::Aggregate(aggregate) => {
                let Aggregate { op, binders, .. } = &**aggregate;
                let ([binder], AggregateOp::Count | AggregateOp::Sum) = (&**binders, *op) else {
                    return None;
                };
                let Over::Zone(place) = &binder.over else {
                    return None;
                };
                let by = HashMap::from([(binder.local, moved.kind.clone())]);
                let [guard, value] = [&binder.guard, &aggregate.value].map(|it| {
                    let mut of_it = it.clone()?;
                    substitute(&mut of_it, &by);
                    Some(of_it)
                });
                (place, guard, value)
            }
            _ => return None,
        };
        let mut parts = place.index.iter().chain(&cond).chain(&each);
        let is_optional = each.as_ref().is_some_and(|it| it.ty.optional);
        if is_optional || parts.any(|it| self.reads_boards(it, moved.boards())) {
            return None;
        }
        let of_number = |value: i64| Expr::number(value, number.span);
        let mut then = number.clone();
        for (at, sign) in [(&moved.to, BinaryOp::Add), (&moved.from, BinaryOp::Sub)] {
            if at.zone != place.zone {
                continue;
            }
            let index = place.index.iter().zip(&at.index);
            let other = index.filter(|(one, other)| !same(one, other));
            let is_there = other.map(|(one, at)| joined(BinaryOp::Eq, one.clone(), at.clone()));
            let cond = is_there.chain(cond.clone());
            let cond = cond.reduce(Expr::and);
            let each = each.clone().unwrap_or_else(|| of_number(1));
            let more = match (cond, each.ty.base) {
                (Some(cond), Base::Int(lo, hi)) => Expr {
                    ty: Type::of(Base::Int(lo.min(0), hi.max(0))),
                    span: number.span,
                    kind: ExprKind::choice(cond, each, of_number(0)),
                },
                _ => each,
            };
            then = number.with_kind(ExprKind::binary(sign, then, more));
        }
        self.rename(&mut then);
        Some(then)
    }
}
