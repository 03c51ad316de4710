//! What is known where an expression is asked: behind `filled board[p]` the component at `p` is there.
//!
//! Facts are expressions that have a value, places where something lies, and parts of what is laid.

use super::Gen;
use super::inline::substitute;
use super::mask::is_local;
use super::structure::Structure;
use super::tables::is_scalar;
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DomainId, DomainKind, Expr, ExprKind, LocalId,
    Look, NONE, Near, Over, Place, Shape, Type, UnaryOp, ZoneId,
};

/// Most steps of which it is known that fewer lead to cells too.
const MOST_STEPS: i64 = 8;

/// What is known where an expression is asked.
#[derive(Clone, Debug, Default, Hash)]
pub(in crate::engine) struct Facts(pub(super) Vec<Structure>);

impl Facts {
    pub fn mark(&self) -> usize {
        self.0.len()
    }

    /// Forgets what was learned since.
    pub fn release(&mut self, mark: usize) {
        self.0.truncate(mark);
    }

    pub fn has(&self, fact: &Structure) -> bool {
        self.0.contains(fact)
    }
}

/// That an expression has a value, whatever the names in it.
pub(super) fn there(expr: &Expr) -> Structure {
    Structure::nameless(expr, std::iter::empty())
}

/// That the component is laid that a part belongs to.
pub(super) fn laid(part: &Expr) -> Structure {
    Structure::laid(part)
}

/// That something lies at a place.
pub(super) fn filled(place: &Place) -> Structure {
    there(&Expr {
        kind: ExprKind::Component(place.clone()),
        ty: Type::UNIT,
        span: crate::source::Span::default(),
    })
}

/// That a pile has a top.
fn topped(place: &Place) -> Structure {
    there(&Expr {
        kind: ExprKind::Top(place.clone()),
        ty: Type::UNIT,
        span: crate::source::Span::default(),
    })
}

pub(super) fn element(local: LocalId, domain: DomainId) -> Expr {
    let span = crate::source::Span::default();
    Expr::local(local, Type::of(Base::Elem(domain)), span)
}

/// Fewer steps than `far`.
fn step(cell: &Expr, way: &Expr, steps: i64, far: &Expr) -> Expr {
    let count = Expr::number(steps, far.span);
    far.with_kind(ExprKind::step(cell.clone(), way.clone(), count))
}

/// Whether a step cannot be worked out for a part of what is not laid.
fn needs_laid(step: &Expr, var: LocalId) -> bool {
    match &step.kind {
        ExprKind::Binary(BinaryOp::Union, left, right) => {
            needs_laid(left, var) || needs_laid(right, var)
        }
        ExprKind::Touching(part) => is_local(part, var),
        _ => false,
    }
}

impl Gen<'_, '_> {
    /// Takes note of what follows from a condition.
    pub(super) fn learn(&self, cond: &Expr, holds: bool, facts: &mut Facts) {
        match &cond.kind {
            ExprKind::Unary(UnaryOp::Not, part) => self.learn(part, !holds, facts),
            ExprKind::Binary(BinaryOp::And, left, right) if holds => {
                self.learn(left, true, facts);
                self.learn(right, true, facts);
            }
            ExprKind::Binary(BinaryOp::Or, left, right) if !holds => {
                self.learn(left, false, facts);
                self.learn(right, false, facts);
            }
            ExprKind::Filled(place) if holds => self.learn_filled(place, facts),
            ExprKind::Unary(UnaryOp::IsSome, part) if holds => self.learn_there(part, facts),
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right)
                if is_scalar(left.ty) =>
            {
                let none = |expr: &Expr| matches!(expr.kind, ExprKind::Value(NONE));
                if (*op == BinaryOp::Eq) == holds {
                    if !right.ty.optional {
                        self.learn_there(left, facts);
                    }
                    if !left.ty.optional {
                        self.learn_there(right, facts);
                    }
                } else if none(right) {
                    self.learn_there(left, facts);
                } else if none(left) {
                    self.learn_there(right, facts);
                }
            }
            ExprKind::Binary(BinaryOp::In, one, set) if holds => {
                self.learn_there(one, facts);
                self.learn_member(one, set, facts);
            }
            ExprKind::Let(_, _, body) => self.learn(body, holds, facts),
            _ => {}
        }
    }

    fn learn_there(&self, expr: &Expr, facts: &mut Facts) {
        match &expr.kind {
            ExprKind::Component(place) => self.learn_filled(place, facts),
            ExprKind::Step { cell, way, count } => {
                facts.0.push(there(expr));
                // The way there leads over cells.
                if let ExprKind::Value(steps @ 2..=MOST_STEPS) = count.kind {
                    let nearer = (1..steps).map(|at| step(cell, way, at, expr));
                    facts.0.extend(nearer.map(|it| there(&it)));
                }
            }
            _ => facts.0.push(there(expr)),
        }
        if self.names_laid(expr, facts) {
            facts.0.push(laid(expr));
        }
    }

    /// Something lies at a place: nothing lies nowhere.
    fn learn_filled(&self, place: &Place, facts: &mut Facts) {
        facts.0.push(filled(place));
        if self.shared.layout.has_top(place.zone) {
            facts.0.push(topped(place));
        }
        for index in place.index.iter().filter(|it| it.ty.optional) {
            self.learn_there(index, facts);
        }
    }

    /// Takes note of what follows from being in a set.
    pub(super) fn learn_member(&self, one: &Expr, set: &Expr, facts: &mut Facts) {
        let Base::Set(domain) = set.ty.base else {
            return;
        };
        if self.is_parts(domain) && self.all_laid(set, facts) {
            facts.0.push(laid(one));
        }
        match &set.kind {
            ExprKind::Laid(zone) => facts.0.push(filled(&Place {
                zone: *zone,
                index: vec![one.clone()],
            })),
            ExprKind::Binary(BinaryOp::Minus, left, _) => self.learn_member(one, left, facts),
            ExprKind::Walk { var, cond, .. } => self.learn_of(cond, *var, one, facts),
            ExprKind::Let(_, _, body) => self.learn_member(one, body, facts),
            ExprKind::Groups { over, .. } => self.learn_member(one, over, facts),
            ExprKind::Near(Near::Orthogonal | Near::Neighbours, other) => {
                self.learn_joined(one, other, domain, facts);
            }
            ExprKind::Reach { start, var, step } => {
                self.learn_reached(one, start, *var, step, facts)
            }
            ExprKind::Aggregate(aggregate) => {
                let (AggregateOp::Collect | AggregateOp::Most | AggregateOp::Least) = aggregate.op
                else {
                    return;
                };
                let own = aggregate.op != AggregateOp::Collect || aggregate.value.is_none();
                let named = match (&aggregate.value, aggregate.binders.first()) {
                    (_, Some(first)) if own => first.local,
                    (Some(value), _) => match value.kind {
                        ExprKind::Local(local) => local,
                        _ => return,
                    },
                    _ => return,
                };
                for binder in &aggregate.binders {
                    if binder.local != named {
                        continue;
                    }
                    if let Over::Set(set) = &binder.over {
                        self.learn_member(one, set, facts);
                    }
                    if let Some(guard) = &binder.guard {
                        self.learn_of(guard, named, one, facts);
                    }
                }
            }
            _ => {}
        }
    }

    /// There is an edge between a place and each of its neighbours.
    fn learn_joined(&self, one: &Expr, other: &Expr, space: DomainId, facts: &mut Facts) {
        for (edges, of) in (0..).zip(&self.shared.game.domains) {
            let DomainKind::Space {
                shape: Shape::Cells(cells),
                ..
            } = &of.kind
            else {
                continue;
            };
            let (Look::Edges(ends), Some(place)) = (&cells.look, cells.place) else {
                continue;
            };
            if *ends != space {
                continue;
            }
            for ends in [[one, other], [other, one]] {
                facts.0.push(there(&Expr {
                    kind: ExprKind::Table(place, ends.map(Clone::clone).to_vec()),
                    ty: Type::of(Base::Elem(DomainId(edges))).or_none(),
                    span: one.span,
                }));
            }
        }
    }

    /// What is reached has what is asked on each step, if that from which the steps lead has it too.
    fn learn_reached(
        &self,
        one: &Expr,
        start: &Expr,
        var: LocalId,
        step: &Expr,
        facts: &mut Facts,
    ) {
        let is_name = |it: &Expr| matches!(it.kind, ExprKind::Local(_) | ExprKind::Value(_));
        let learned = |of: &Expr, step: &Expr| {
            let mut learned = Facts::default();
            self.learn_member(of, step, &mut learned);
            learned.0
        };
        let mut known = facts.clone();
        // Facts of names are learned in the same order, whatever is named.
        let begins = match &start.kind {
            ExprKind::SetOf(items) => items.as_slice(),
            _ => {
                self.learn_member(one, start, &mut known);
                std::slice::from_ref(one)
            }
        };
        if !begins.iter().chain([one]).all(is_name) {
            return;
        }
        // What is said of the element from which a step leads is not said of what is reached.
        let from = |id: u32| {
            let mut step = step.clone();
            let local = one.with_kind(ExprKind::Local(LocalId(id)));
            substitute(&mut step, &std::collections::HashMap::from([(var, local)]));
            step
        };
        let (step, of_other) = (from(u32::MAX), from(u32::MAX - 1));
        let begins: Vec<_> = begins.iter().map(|it| learned(it, &step)).collect();
        let of_other = learned(one, &of_other).into_iter();
        for (at, (fact, other)) in learned(one, &step).into_iter().zip(of_other).enumerate() {
            let holds = |of: &Vec<Structure>| of.get(at).is_some_and(|it| known.has(it));
            if fact == other && begins.iter().all(holds) {
                facts.0.push(fact);
            }
        }
    }

    /// What follows from a condition on `x` that holds for `one`.
    fn learn_of(&self, cond: &Expr, x: LocalId, one: &Expr, facts: &mut Facts) {
        let mut cond = cond.clone();
        let by = std::collections::HashMap::from([(x, one.clone())]);
        substitute(&mut cond, &by);
        self.learn(&cond, true, facts);
    }

    /// What follows for a variable.
    pub(super) fn learn_binder(&self, local: LocalId, over: &Over, facts: &mut Facts) {
        if let Over::Set(set) = over {
            self.learn_in(local, set, facts);
        }
    }

    /// What is known of a member of a set.
    pub(super) fn learn_in(&self, local: LocalId, set: &Expr, facts: &mut Facts) {
        if let Base::Set(_) = set.ty.base {
            let one = self.shared.local(local, set.span);
            self.learn_member(&one, set, facts);
        }
    }

    // ---- parts

    /// Whether the component is laid that a part belongs to, if the part is there.
    pub(super) fn names_laid(&self, part: &Expr, facts: &Facts) -> bool {
        match part.ty.base {
            Base::Elem(domain) if self.is_parts(domain) => {}
            _ => return false,
        }
        match &part.kind {
            ExprKind::PartAtPort(..) | ExprKind::Make(..) => true,
            ExprKind::If(_, then, other) | ExprKind::OrElse(then, other) => {
                self.names_laid(then, facts) && self.names_laid(other, facts)
            }
            ExprKind::Aggregate(aggregate) => {
                aggregate.default.is_none() && self.variable_laid(aggregate, facts)
            }
            _ => facts.has(&laid(part)),
        }
    }

    /// Whether the first variable ranges over parts of what is laid.
    fn variable_laid(&self, aggregate: &Aggregate, facts: &Facts) -> bool {
        let over = aggregate.binders.first().map(|binder| &binder.over);
        matches!(over, Some(Over::Set(set)) if self.all_laid(set, facts))
    }

    /// Whether a set has only parts of what is laid.
    pub(super) fn all_laid(&self, set: &Expr, facts: &Facts) -> bool {
        match &set.kind {
            ExprKind::All(_) | ExprKind::PartsAt(..) | ExprKind::Touching(_) => true,
            ExprKind::SetOf(items) => items
                .iter()
                .all(|item| !item.ty.optional && self.names_laid(item, facts)),
            ExprKind::Binary(BinaryOp::Union, left, right) => {
                self.all_laid(left, facts) && self.all_laid(right, facts)
            }
            ExprKind::Binary(BinaryOp::Minus, left, _) => self.all_laid(left, facts),
            ExprKind::If(_, then, other) => {
                self.all_laid(then, facts) && self.all_laid(other, facts)
            }
            ExprKind::Groups { over, .. } => self.all_laid(over, facts),
            // Whatever was found has been asked for its step.
            ExprKind::Reach { var, step, .. } if needs_laid(step, *var) => true,
            ExprKind::Reach { start, var, step } => {
                self.all_laid(start, facts) && {
                    let mut facts = facts.clone();
                    self.learn_laid(*var, set.ty, &mut facts);
                    self.all_laid(step, &facts)
                }
            }
            ExprKind::Aggregate(aggregate) => match &aggregate.value {
                Some(value) if aggregate.op == AggregateOp::Collect => {
                    let mut facts = facts.clone();
                    for binder in &aggregate.binders {
                        self.learn_binder(binder.local, &binder.over, &mut facts);
                    }
                    !value.ty.optional && self.names_laid(value, &facts)
                }
                _ => self.variable_laid(aggregate, facts),
            },
            _ => false,
        }
    }

    pub(super) fn learn_laid(&self, var: LocalId, set: Type, facts: &mut Facts) {
        if let Base::Set(domain) = set.base {
            facts.0.push(laid(&element(var, domain)));
        }
    }

    /// Whether something surely lies at a place.
    pub(super) fn is_filled(&self, place: &Place, facts: &Facts) -> bool {
        if facts.has(&filled(place)) {
            return true;
        }
        match place.index.as_slice() {
            [
                Expr {
                    kind: ExprKind::Field(part, 0),
                    ..
                },
            ] => self.lies_in(part, place.zone) && self.names_laid(part, facts),
            _ => false,
        }
    }

    /// Whether an expression is a part of what lies in a zone.
    fn lies_in(&self, part: &Expr, of: ZoneId) -> bool {
        let Base::Elem(domain) = part.ty.base else {
            return false;
        };
        let domain = self.shared.game.domains.get(domain.index());
        matches!(domain.map(|it| &it.kind), Some(DomainKind::Space {
            shape: Shape::Parts { zone, .. }, ..
        }) if *zone == of)
    }

    /// Behind a statement that ends only where a place exists, the locals that name it have a value: they
    /// do as long as nothing is written to them.
    pub(super) fn learn_named(&mut self, place: &Place) {
        for index in &place.index {
            if let ExprKind::Local(local) = index.kind
                && index.ty.optional
                && !self.shared.graph.written.contains(&local)
            {
                self.facts.0.push(there(index));
            }
        }
    }

    /// Whether an expression has a value, once it is worked out.
    pub(super) fn is_there(&self, expr: &Expr, facts: &Facts) -> bool {
        if !expr.ty.optional {
            return true;
        }
        match &expr.kind {
            ExprKind::Value(value) => *value != NONE,
            ExprKind::Component(place) => self.is_filled(place, facts),
            ExprKind::OrElse(_, other) if self.is_there(other, facts) => true,
            ExprKind::Aggregate(it) if self.is_of_some(it, facts) => true,
            ExprKind::If(cond, then, other)
                if self.is_there(then, facts) && self.holds(cond, true, facts)
                    || self.is_there(other, facts) && self.holds(cond, false, facts) =>
            {
                true
            }
            _ => facts.has(&there(expr)),
        }
    }

    /// Whether a condition is known to hold, or not to.
    fn holds(&self, cond: &Expr, holds: bool, facts: &Facts) -> bool {
        match &cond.kind {
            ExprKind::Unary(UnaryOp::Not, part) => self.holds(part, !holds, facts),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right)
                if (*op == BinaryOp::And) == holds =>
            {
                self.holds(left, holds, facts) && self.holds(right, holds, facts)
            }
            ExprKind::Filled(place) => holds && self.is_filled(place, facts),
            ExprKind::Unary(UnaryOp::IsSome, part) => holds && self.is_there(part, facts),
            _ => false,
        }
    }

    /// Whether there is one of which the greatest or the least is meant.
    pub(super) fn is_of_some(&self, aggregate: &Aggregate, facts: &Facts) -> bool {
        let of_one = matches!(
            aggregate.op,
            AggregateOp::Max | AggregateOp::Min | AggregateOp::First | AggregateOp::Last
        );
        let is_value = |it: &Expr| self.is_there(it, facts);
        let has_some = |it: &Binder| {
            let set = it.over.as_set().filter(|_| it.guard.is_none());
            set.is_some_and(|it| self.has_members(it, facts))
        };
        of_one
            && aggregate.value.as_ref().is_none_or(is_value)
            && aggregate.only_binder().is_some_and(has_some)
    }

    /// Whether a set surely has members: `reach { a } via …` has `a`.
    fn has_members(&self, set: &Expr, facts: &Facts) -> bool {
        match &set.kind {
            ExprKind::SetOf(items) => items.iter().any(|it| self.is_there(it, facts)),
            ExprKind::Reach { start, .. } => self.has_members(start, facts),
            ExprKind::Binary(BinaryOp::Union, left, right) => {
                self.has_members(left, facts) || self.has_members(right, facts)
            }
            _ => false,
        }
    }
}
