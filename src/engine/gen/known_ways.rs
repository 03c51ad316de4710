//! Rows of places on ways that are known, and places said by coordinates as steps.

use super::Shared;
use super::mask::{conjuncts, is_local};
use super::question::Question;
use super::steps;
use super::structure::same;
use super::through::put;
use super::unroll::{cases_of, joined};
use crate::model::{
    AggregateOp, Base, BinaryOp, Binder, DomainId, DomainKind, Expr, ExprKind, Node, Order, Over,
    Shape, Type, WAYS, each_in_expr,
};

impl Shared<'_> {
    /// `Cell(q.column + 2, q.row - 2)` is `step(q, se, 2)`.
    pub(super) fn as_step(&self, expr: &Expr) -> Option<Expr> {
        let ExprKind::Make(space, args) = &expr.kind else {
            return None;
        };
        let is_grid = matches!(
            self.domain(*space)?.kind,
            DomainKind::Space {
                shape: Shape::Grid,
                ..
            }
        );
        let [(one, across), (other, up)] = [moved(args, 0)?, moved(args, 1)?];
        let far = across.abs().max(up.abs());
        let is_place = args.len() == 2 && same(one, other) && one.ty.base == Base::Elem(*space);
        if far == 0 && is_place && !one.ty.optional {
            return Some(one.clone());
        }
        let is_straight = [across, up].iter().all(|it| *it == 0 || it.abs() == far);
        if !is_grid || !is_place || !is_straight || one.ty.optional {
            return None;
        }
        let toward = (across.signum(), up.signum());
        let way = WAYS.iter().position(|it| *it == toward)?;
        let ways = self
            .game
            .domains
            .iter()
            .position(|it| it.name == "Direction")?;
        let way = Expr {
            kind: ExprKind::Value(i64::try_from(way).ok()?),
            ty: Type::of(Base::Elem(DomainId(u32::try_from(ways).ok()?))),
            span: expr.span,
        };
        Some(steps::step(one, &way, far, expr.span))
    }

    /// Rows on ways that are known, one or the other.
    pub(super) fn rows_on_known_ways(&mut self, question: &Question) -> Option<Expr> {
        let is_or = |it: &&Expr| matches!(it.kind, ExprKind::Binary(BinaryOp::Or, ..));
        let Some(or) = question.conds.iter().find(is_or) else {
            return self.row_on_known_way(question);
        };
        let mut cases = Vec::new();
        cases_of(or, &mut cases);
        let rows = cases.into_iter().map(|case| {
            let (mut parts, mut conds) = (Vec::new(), Vec::new());
            conjuncts(case, &mut parts);
            let others = question.conds.iter().filter(|it| !std::ptr::eq(*it, or));
            conds.extend(others.chain(parts).cloned());
            let of_case = Question {
                binders: question.binders.clone(),
                conds,
            };
            let mut row = self.row_on_known_way(&of_case)?;
            self.rename(&mut row);
            Some(row)
        });
        let rows = rows.collect::<Option<Vec<Expr>>>()?.into_iter();
        rows.reduce(|one, other| {
            let both = self.on_both_ways(&one, &other);
            both.unwrap_or_else(|| joined(BinaryOp::Or, one, other))
        })
    }

    /// `some { d in { n } where P } or some { d in { e } where P }` is `some { d in { n, e } where P }`.
    pub(super) fn on_both_ways(&self, one: &Expr, other: &Expr) -> Option<Expr> {
        let mut both = one.clone();
        let mut less = [one.clone(), other.clone()];
        let [ways, more] = less.each_mut().map(ways_in);
        let (ways, more) = (std::mem::take(ways?), std::mem::take(more?));
        let [one, other] = &less;
        if !self.alike(one, other) {
            return None;
        }
        *ways_in(&mut both)? = ways.into_iter().chain(more).collect();
        Some(both)
    }

    fn row_on_known_way(&mut self, question: &Question) -> Option<Expr> {
        let [first] = question.binders.as_slice() else {
            return None;
        };
        let mut known = None;
        for cond in &question.conds {
            each_in_expr(cond, &mut |node| {
                if let Node::Expr(Expr { kind, .. }) = node
                    && let ExprKind::Step { cell, way, .. } = kind
                    && is_local(cell, first.local)
                    && matches!(way.kind, ExprKind::Value(_))
                    && known.is_none()
                {
                    known = Some((**way).clone());
                }
            });
        }
        let way = known?;
        let local = self.new_local(way.ty);
        let mut conds = question.conds.clone();
        conds.iter_mut().for_each(|it| put(it, &way, local, way.ty));
        let Base::Elem(ways) = way.ty.base else {
            return None;
        };
        let over = Expr {
            kind: ExprKind::SetOf(vec![way.clone()]),
            ty: Type::of(Base::Set(ways)),
            span: way.span,
        };
        let ways = Binder {
            local,
            over: Over::Set(over),
            order: Order::Ascending,
            guard: None,
        };
        self.row_of_one(&Question {
            binders: vec![first.clone(), ways],
            conds,
        })
    }
}

/// The known ways on which one question asks for something.
fn ways_in(expr: &mut Expr) -> Option<&mut Vec<Expr>> {
    let aggregate = match &mut expr.kind {
        ExprKind::Binary(BinaryOp::And, _, last) => return ways_in(last),
        ExprKind::Aggregate(it) if it.op == AggregateOp::Some && it.value.is_none() => it,
        _ => return None,
    };
    let [binder] = aggregate.binders.as_mut_slice() else {
        return None;
    };
    match &mut binder.over {
        Over::Set(set) => match &mut set.kind {
            ExprKind::SetOf(ways) => {
                let is_known = |it: &Expr| matches!(it.kind, ExprKind::Value(_));
                ways.iter().all(is_known).then_some(ways)
            }
            _ => ways_in(binder.guard.as_mut()?),
        },
        _ => None,
    }
}

/// A coordinate of a place and what is added to it.
fn moved(args: &[Expr], at: usize) -> Option<(&Expr, i64)> {
    let (of, by) = match &args.get(at)?.kind {
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), of, by) => match by.kind {
            ExprKind::Value(by) if *op == BinaryOp::Add => (&**of, by),
            ExprKind::Value(by) => (&**of, by.checked_neg()?),
            _ => return None,
        },
        _ => (args.get(at)?, 0),
    };
    match &of.kind {
        ExprKind::Field(place, field) if *field == at => Some((place, by)),
        _ => None,
    }
}
