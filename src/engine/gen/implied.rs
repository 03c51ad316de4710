//! Places of which another condition says that they are there.

use std::collections::HashMap;

use super::Shared;
use super::decided::decided;
use super::inline::{mentions, substitute};
use super::mask::conjuncts;
use super::structure::same;
use super::through::put;
use super::unroll::{joined, not};
use crate::model::{
    Aggregate, Base, BinaryOp, Expr, ExprKind, LocalId, NONE, Node, NodeMut, Over, Type, UnaryOp,
    change, each_in_expr, locals_of, parts_of_expr,
};

impl Shared<'_> {
    /// `q.row < 8 and P(step(q, n))` is `q.row < 8 and some step(q, n) and P(step(q, n))`: so it is known where `P` is asked.
    pub(super) fn say_there(&mut self, expr: &mut Expr) {
        let is_asked = match expr.kind {
            ExprKind::Binary(BinaryOp::And, ..) => true,
            ExprKind::Binary(BinaryOp::Or, ..) => makes_any(expr),
            _ => false,
        };
        let is_and = matches!(expr.kind, ExprKind::Binary(BinaryOp::And, ..));
        let has_default = is_and && expr.ty == Type::BOOL && !defaults(expr).is_empty();
        if !is_asked || expr.ty != Type::BOOL || !has_default && self.surely(expr) {
            return;
        }
        match &expr.kind {
            ExprKind::Binary(BinaryOp::Or, ..) => {
                let before = not(expr.clone());
                let mut denied = before.clone();
                self.say_there_of_all(&mut denied, Vec::new());
                if !same(&denied, &before) {
                    *expr = not(denied);
                }
            }
            _ => self.say_there_of_all(expr, Vec::new()),
        }
    }

    /// The same of what is asked of variables: `some { d in straight where some step(q, d) and P(Road(q, step(q, d))) }`.
    pub(super) fn say_there_in(&mut self, aggregate: &mut Aggregate) {
        let mut known = Vec::new();
        for binder in &mut aggregate.binders {
            if let Over::Set(set) = &binder.over
                && !matches!(set.kind, ExprKind::All(_))
                && !self.reads_state(set)
            {
                let one = self.local(binder.local, set.span);
                known.push(joined(BinaryOp::In, one, set.clone()));
            }
            if let (Some(guard), false) = (&mut binder.guard, known.is_empty())
                && matches!(guard.kind, ExprKind::Binary(BinaryOp::And, ..))
                && !self.surely(guard)
            {
                self.say_there_of_all(guard, known.clone());
            }
        }
    }

    /// The same of all parts of a condition, where some are known.
    fn say_there_of_all(&mut self, expr: &mut Expr, mut known: Vec<Expr>) {
        let mut parts = Vec::new();
        conjuncts(expr, &mut parts);
        let mut said: Vec<Expr> = Vec::new();
        for part in parts {
            let mut part = part.clone();
            let mut places = Vec::new();
            if self.reads_state(&part) {
                self.leave_defaults(&mut part, &known);
                places.extend(self.made_where_known(&mut part, &known));
                self.places_made(&part, &mut Vec::new(), &mut places);
            } else {
                known.push(part.clone());
            }
            for there in places.into_iter().map(Expr::is_there) {
                if !known.iter().any(|it| same(it, &there)) && self.is_said(&there, &known) {
                    said.push(there.clone());
                    known.push(there);
                }
            }
            said.push(part);
        }
        let said = said.into_iter();
        let all = said.reduce(Expr::and);
        if let Some(mut all) = all.filter(|it| self.surely(it)) {
            all.span = expr.span;
            *expr = all;
        }
    }

    /// Does not ask again whether something is there where what stands before says so.
    pub(super) fn leave_known(&self, expr: &mut Expr) {
        let is_asked = matches!(
            expr.kind,
            ExprKind::Filled(_) | ExprKind::Unary(UnaryOp::IsSome, _)
        );
        if is_asked && self.there.iter().any(|it| same(it, expr)) {
            expr.kind = ExprKind::Value(1);
            return;
        }
        if matches!(expr.kind, ExprKind::After(..)) {
            return;
        }
        change::parts_of_expr(expr, &mut |node| {
            if let NodeMut::Expr(part) = node {
                self.leave_known(part);
            }
        });
        let is_known = |it: &Expr| matches!(it.kind, ExprKind::Value(_));
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, part) if is_known(part) => {
                expr.kind = ExprKind::Value(i64::from(matches!(part.kind, ExprKind::Value(0))));
            }
            ExprKind::If(..) | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => {
                let whole = std::mem::replace(&mut expr.kind, ExprKind::Value(0));
                *expr = decided(expr.with_kind(whole));
            }
            _ => {}
        }
    }

    /// Whether a condition holds wherever others do.
    fn is_said(&mut self, cond: &Expr, known: &[Expr]) -> bool {
        let unless = known.iter().map(|it| not(it.clone()));
        let follows = unless.fold(cond.clone(), |all, one| one.or(all));
        self.always(&follows)
    }

    /// `q.row < 8 and P(step(q, n) default q)` is `q.row < 8 and P(step(q, n))`.
    fn leave_defaults(&mut self, part: &mut Expr, known: &[Expr]) {
        for (place, of) in defaults(part) {
            if !self.reads_state(&place) && self.is_said(&place.clone().is_there(), known) {
                let local = self.new_local(of.ty);
                put(part, &of, local, of.ty);
                substitute(part, &HashMap::from([(local, place)]));
            }
        }
    }

    /// Makes what has a value only where something is known none where it is not: `c.rank < 9 and P(Card(c.rank + 1))` asks
    /// `P(if c.rank < 9 then Card(c.rank + 1) else none)`.
    fn made_where_known(&mut self, part: &mut Expr, known: &[Expr]) -> Vec<Expr> {
        let all = known.iter().cloned();
        let Some(known) = all.reduce(Expr::and) else {
            return Vec::new();
        };
        let (mut makes, mut places) = (Vec::new(), Vec::new());
        self.unsure_makes(part, &mut Vec::new(), &mut makes);
        for made in makes {
            let none = made.with_kind(ExprKind::Value(NONE));
            let (cond, then) = (Box::new(known.clone()), Box::new(made.clone()));
            let mut place = made.with_kind(ExprKind::If(cond, then, Box::new(none)));
            place.ty.optional = true;
            if self.tabled(&place, &[]).is_some_and(|it| !it.faults) {
                let local = self.new_local(made.ty);
                put(part, &made, local, made.ty);
                substitute(part, &HashMap::from([(local, place.clone())]));
                places.push(place);
            }
        }
        places
    }

    /// What is made of names alone and may not be there to be made.
    fn unsure_makes(&mut self, expr: &Expr, bound: &mut Vec<LocalId>, makes: &mut Vec<Expr>) {
        let is_made = matches!(expr.kind, ExprKind::Make(..)) && !expr.ty.optional;
        if is_made && !mentions(expr, bound) && !self.reads_state(expr) {
            // Of one thing alone a table says it; of several it is asked again and again.
            let names = locals_of(expr);
            if names
                .first()
                .is_some_and(|one| names.iter().all(|it| it == one))
                && !makes.iter().any(|it| same(it, expr))
                && !self.surely(expr)
            {
                makes.push(expr.clone());
            }
            return;
        }
        parts_of_expr(expr, &mut |node| match node {
            Node::Binds(local) => bound.push(local),
            Node::Expr(part) => self.unsure_makes(part, bound, makes),
            Node::Stmt(_) => {}
        });
    }

    /// The largest parts that may be none and hang on names alone.
    fn places_made(&self, expr: &Expr, bound: &mut Vec<LocalId>, places: &mut Vec<Expr>) {
        let is_made = matches!(
            expr.kind,
            ExprKind::Step { .. }
                | ExprKind::Make(..)
                | ExprKind::Table(..)
                | ExprKind::Let(..)
                | ExprKind::If(..)
                | ExprKind::Match(..)
        );
        let is_place = is_made && expr.ty.optional && matches!(expr.ty.base, Base::Elem(_));
        if is_place && !mentions(expr, bound) && !self.reads_state(expr) {
            if !places.iter().any(|it| same(it, expr)) {
                places.push(expr.clone());
            }
            return;
        }
        parts_of_expr(expr, &mut |node| match node {
            Node::Binds(local) => bound.push(local),
            Node::Expr(part) => self.places_made(part, bound, places),
            Node::Stmt(_) => {}
        });
    }
}

/// The steps that something else stands for where they lead nowhere, with what does.
fn defaults(cond: &Expr) -> Vec<(Expr, Expr)> {
    let mut found = Vec::new();
    each_in_expr(cond, &mut |node| {
        if let Node::Expr(of) = node
            && let ExprKind::OrElse(place, _) = &of.kind
            && matches!(place.kind, ExprKind::Step { .. })
            && place.ty.optional
        {
            found.push(((**place).clone(), of.clone()));
        }
    });
    found
}

/// Whether something is made that may not be there to be made.
fn makes_any(expr: &Expr) -> bool {
    let mut found = false;
    each_in_expr(expr, &mut |node| {
        if let Node::Expr(part) = node {
            found |= matches!(part.kind, ExprKind::Make(..)) && !part.ty.optional;
        }
    });
    found
}

/// Notes where something lies and what is not none if a condition holds, or if it does not.
pub(super) fn note_there(cond: &Expr, holds: bool, there: &mut Vec<Expr>) {
    match &cond.kind {
        ExprKind::Filled(_) | ExprKind::Unary(UnaryOp::IsSome, _) if holds => {
            there.push(cond.clone());
        }
        ExprKind::Unary(UnaryOp::Not, part) => note_there(part, !holds, there),
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right)
            if (*op == BinaryOp::And) == holds =>
        {
            note_there(left, holds, there);
            note_there(right, holds, there);
        }
        _ => {}
    }
}
