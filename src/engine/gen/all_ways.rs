//! What is said of one step after the other, as one question.

use std::collections::HashMap;

use super::Shared;
use super::inline::rename_in;
use super::mask::chained;
use super::structure::Structure;
use super::unroll::{joined, not};
use crate::model::{
    Aggregate, AggregateOp, BinaryOp, Binder, Expr, ExprKind, LocalId, Node, NodeMut, change,
    each_in_expr,
};

/// Fewer steps are asked one by one: three may be the other corners of a square.
const LEAST_WAYS: usize = 4;

/// Stands for the direction while conditions are compared.
const WAY: LocalId = LocalId(u32::MAX);

/// Conditions that are alike but for the direction of a step.
struct Alike {
    /// Which of them.
    at: Vec<usize>,
    ways: Vec<Expr>,
    /// The first of them, with a variable for the direction.
    asked: Expr,
}

impl Shared<'_> {
    /// `P(step(q, n)) or P(step(q, e)) or …` is `some { d in { n, e, … } where P(step(q, d)) }`, and what is joined by
    /// `and` is `no { … }`.
    fn join_ways(&mut self, expr: &mut Expr) {
        if let ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) = expr.kind {
            let mut parts = Vec::new();
            chained(op, expr, &mut parts);
            let mut parts: Vec<Expr> = parts.into_iter().cloned().collect();
            if self.ways_of_parts(op, &mut parts, expr) {
                let all = parts.into_iter().reduce(|one, more| joined(op, one, more));
                if let Some(all) = all {
                    expr.kind = all.kind;
                }
            }
        }
    }

    /// The same of what an action requires, clause by clause too: where several are one, the others always hold. What is asked
    /// within other questions is left to the laws on these.
    pub(super) fn join_ways_of(&mut self, conds: &mut [Expr]) {
        if self.is_plain() {
            return;
        }
        conds.iter_mut().for_each(|it| self.join_ways(it));
        let Some(whole) = conds.iter().cloned().reduce(Expr::and) else {
            return;
        };
        let mut parts = conds.to_vec();
        if conds.len() < LEAST_WAYS || !self.surely(&whole) {
            return;
        }
        while let Some((joined, question)) = self.alike_by_way(BinaryOp::And, &parts) {
            for (at, place) in joined.iter().enumerate() {
                let span = whole.span;
                if let Some(part) = parts.get_mut(*place) {
                    *part = match at {
                        0 => question.clone(),
                        _ => Expr::truth(ExprKind::Value(1), span),
                    };
                }
            }
        }
        conds.clone_from_slice(&parts);
    }

    fn ways_of_parts(&mut self, op: BinaryOp, parts: &mut Vec<Expr>, whole: &Expr) -> bool {
        let mut is_joined = false;
        while let Some((of, question)) = self.alike_by_way(op, parts) {
            if !is_joined && !self.surely(whole) {
                return false;
            }
            is_joined = true;
            let first = of.first().copied().unwrap_or_default();
            let others = parts.drain(..).enumerate();
            *parts = others
                .filter(|(at, _)| *at == first || !of.contains(at))
                .map(|(at, part)| if at == first { question.clone() } else { part })
                .collect();
        }
        is_joined
    }

    /// Some of these conditions as one question.
    fn alike_by_way(&mut self, op: BinaryOp, parts: &[Expr]) -> Option<(Vec<usize>, Expr)> {
        let mut found: Vec<(Structure, Alike)> = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let Some(way) = only_way(part).filter(|_| self.reads_state(part)) else {
                continue;
            };
            let mut asked = part.clone();
            put_way(&mut asked);
            let form = Structure::of(&asked);
            match found.iter_mut().find(|it| it.0 == form) {
                Some((_, of)) if of.ways.iter().all(|it| it.as_value() != way.as_value()) => {
                    of.at.push(at);
                    of.ways.push(way);
                }
                Some(_) => {}
                None => {
                    let alike = Alike {
                        at: vec![at],
                        ways: vec![way],
                        asked,
                    };
                    found.push((form, alike));
                }
            }
        }
        let (_, mut alike) = found.into_iter().find(|it| it.1.ways.len() >= LEAST_WAYS)?;
        let first = alike.ways.first()?.clone();
        let domain = first.ty.base.element_of()?;
        let local = self.new_local(first.ty);
        rename_in(&mut alike.asked, &HashMap::from([(WAY, local)]));
        self.rename(&mut alike.asked);
        let ways = Expr::set(ExprKind::SetOf(alike.ways.clone()), domain, first.span);
        let (of, guard) = match op {
            BinaryOp::And => (AggregateOp::No, not(alike.asked.clone())),
            _ => (AggregateOp::Some, alike.asked.clone()),
        };
        let span = alike.asked.span;
        let binders = vec![Binder::over(local, ways).guarded(guard)];
        let mut question = Expr::truth(Aggregate::over(of, binders), span);
        self.expand(&mut question);
        Some((alike.at, question))
    }
}

/// The one known direction of all steps from a name.
fn only_way(cond: &Expr) -> Option<Expr> {
    let (mut found, mut is_one): (Option<Expr>, bool) = (None, true);
    each_in_expr(cond, &mut |node| {
        let Node::Expr(expr) = node else { return };
        let Some((cell, way, count)) = expr.as_step() else {
            // A set of walks or a way back is said in other words.
            is_one &= !matches!(expr.kind, ExprKind::Walk { .. } | ExprKind::After(..));
            return;
        };
        let is_plain = cell.as_local().is_some()
            && count.as_value().is_some()
            && way.as_value().is_some()
            && !way.ty.optional;
        let is_same = |it: &Expr| it.as_value() == way.as_value();
        is_one &= is_plain && found.as_ref().is_none_or(is_same);
        found.get_or_insert_with(|| way.clone());
    });
    found.filter(|_| is_one)
}

/// Writes a variable for the direction of steps.
fn put_way(expr: &mut Expr) {
    if let ExprKind::Step { way, .. } = &mut expr.kind {
        **way = Expr::local(WAY, way.ty, way.span);
    }
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            put_way(part);
        }
    });
}
