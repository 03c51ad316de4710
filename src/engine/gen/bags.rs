//! What lies in bags and piles, asked by its fields or kind by kind.

use std::collections::HashMap;

use super::Shared;
use super::folds::lies_there;
use super::inline::{mentions, substitute};
use super::kinds_made::solved;
use super::mask::{conjuncts, is_local};
use super::related::{some, with};
use super::structure::same;
use super::unroll::joined;
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DomainId, Expr, ExprKind, LocalId, NodeMut,
    Order, Over, Place, Type, change,
};

/// Most kinds that are rather asked one by one than looked for among what lies there.
const FEW_KINDS: u64 = 2;

/// The kinds of component of which a sum asks how many lie somewhere.
struct Asked {
    /// What asks it.
    factor: Expr,
    place: Place,
    component: DomainId,
    /// What each field is, where all are given.
    fields: Vec<Expr>,
    /// What else is asked of each, by the name that it has there.
    others: Vec<(LocalId, Expr)>,
    /// The variables that fields say, with these.
    free: Vec<(LocalId, usize)>,
}

impl Shared<'_> {
    pub(super) fn by_kinds(&mut self, expr: &Expr) -> Option<Expr> {
        if let Some((value, set)) = expr.operands_of(BinaryOp::In) {
            let some = self.some_with(value, set)?;
            return self.by_kinds(&some);
        }
        let aggregate = expr.as_aggregate()?;
        let mut found = match aggregate.op {
            AggregateOp::Count => self.one_kind(expr),
            AggregateOp::Some | AggregateOp::No => {
                self.one_kind(expr).or_else(|| self.some_lies(aggregate))
            }
            AggregateOp::Sum => self.one_kind(expr).or_else(|| {
                let lies = self.what_lies(aggregate, expr)?;
                self.surely(expr).then_some(lies)
            }),
            _ => None,
        }?;
        // What is asked first says no more that what follows cannot fault.
        self.surely(&found).then(|| {
            lies_there(&mut found);
            found
        })
    }

    /// `e in { c.f for c in z where P }` is `some { c in z where c.f == e and P }`.
    fn some_with(&self, value: &Expr, set: &Expr) -> Option<Expr> {
        let of = set.as_aggregate()?;
        let binder = of.only_binder_of(AggregateOp::Collect)?;
        let field = of.value.as_ref()?;
        let is_field =
            matches!(&field.kind, ExprKind::Field(one, _) if is_local(one, binder.local));
        let is_there = !value.ty.optional && !field.ty.optional;
        if !is_field || !is_there || !matches!(binder.over, Over::Zone(_)) {
            return None;
        }
        let is = joined(BinaryOp::Eq, field.clone(), value.clone());
        let asked = is.and(binder.guard.clone()?);
        Some(some(vec![binder.unguarded().guarded(asked)]))
    }

    /// `count { c in z where c.f == v }` is `count_of(K(v), z)`, where all fields are given, and
    /// `some { c in z where c.f == v }` is `count_of(K(v), z) > 0`.
    fn one_kind(&mut self, expr: &Expr) -> Option<Expr> {
        let aggregate = expr.as_aggregate()?;
        let binder = aggregate.only_binder()?;
        let (Over::Zone(place), Some(guard)) = (&binder.over, &binder.guard) else {
            return None;
        };
        let mut parts = Vec::new();
        conjuncts(guard, &mut parts);
        let (kind, used) = self.given_local(binder.local, &parts)?;
        if !self.surely(expr) {
            return None;
        }
        let others = parts.iter().enumerate();
        let others = others.filter(|(at, _)| !used.contains(at));
        let by = HashMap::from([(binder.local, kind.clone())]);
        let of_kind = |part: &Expr| {
            let mut part = part.clone();
            substitute(&mut part, &by);
            part
        };
        let others: Vec<Expr> = others.map(|(_, part)| of_kind(part)).collect();
        let others = others.into_iter();
        let others = others.reduce(Expr::and);
        let is_asked = matches!(aggregate.op, AggregateOp::Some | AggregateOp::No);
        let zone = self.game.zones.get(place.zone.index())?;
        let copies = Expr {
            kind: ExprKind::CountOf(place.clone(), Box::new(kind)),
            ty: match (is_asked, zone.capacity) {
                (true, Some(most)) => Type::of(Base::Int(0, i64::from(most))),
                (true, None) => Type::of(Base::Int(0, i64::from(u16::MAX))),
                (false, _) => expr.ty,
            },
            span: expr.span,
        };
        let number = |value: i64| Expr::number(value, expr.span);
        Some(match (aggregate.op, &aggregate.value, others) {
            (AggregateOp::Some, None, others) => {
                let held = joined(BinaryOp::Gt, copies, number(0));
                match others {
                    Some(others) => held.and(others),
                    None => held,
                }
            }
            (AggregateOp::No, None, None) => joined(BinaryOp::Eq, copies, number(0)),
            (AggregateOp::Count, None, None) => copies,
            (AggregateOp::Sum, Some(value), None) => {
                expr.with_kind(ExprKind::binary(BinaryOp::Mul, copies, of_kind(value)))
            }
            _ => return None,
        })
    }

    /// `sum { count_of(K(i, j), z) * f(i) for i in D }` is `sum { f(c.i) for c in z where c.j == j and c.i in D }`.
    pub(super) fn what_lies(&mut self, aggregate: &Aggregate, expr: &Expr) -> Option<Expr> {
        let value = aggregate.value.as_ref()?;
        let asked = self.asked_for(value, &aggregate.binders)?;
        let is_free = |local: LocalId| asked.free.iter().any(|(it, _)| *it == local);
        let (gone, kept): (Vec<&Binder>, Vec<&Binder>) =
            aggregate.binders.iter().partition(|it| is_free(it.local));
        let free: Vec<LocalId> = gone.iter().map(|it| it.local).collect();
        let all = aggregate.binders.iter();
        let kinds = gone.iter().map(|it| self.most_of(&it.over));
        let kinds = kinds.fold(1_u64, u64::saturating_mul);
        let is_alone = |it: &&&Binder| !over_mentions(&it.over, &free);
        if kinds <= FEW_KINDS
            || asked.place.index.iter().any(|it| mentions(it, &free))
            || all.clone().any(|it| over_mentions(&it.over, &free))
            || all.clone().any(|it| matches!(it.order, Order::From(_)))
            || kept.iter().filter(is_alone).count() < kept.len()
            || kept.iter().any(|it| guard_mentions(it, &free))
        {
            return None;
        }
        let component = Type::of(Base::Elem(asked.component));
        let local = self.new_local(component);
        let one = Expr::local(local, component, expr.span);
        let types: Vec<Type> = self
            .fields_of(asked.component)?
            .iter()
            .map(|it| it.ty)
            .collect();
        let field = |at: usize| {
            Some(Expr {
                kind: ExprKind::Field(Box::new(one.clone()), at),
                ty: *types.get(at)?,
                span: expr.span,
            })
        };
        let mut binder = Binder::over(local, Over::Zone(asked.place.clone()));
        let mut by: HashMap<LocalId, Expr> = HashMap::new();
        by.extend(asked.others.first().map(|(of, _)| (*of, one.clone())));
        for (local, at) in &asked.free {
            let given = asked.fields.get(*at);
            by.insert(*local, solved(field(*at)?, given, *local)?);
        }
        let whole = Expr {
            kind: ExprKind::Make(asked.component, asked.fields.clone()),
            ty: component,
            span: expr.span,
        };
        let put = |part: &Expr| {
            let mut part = part.clone();
            replace(&mut part, &whole, &one);
            substitute(&mut part, &by);
            part
        };
        for free in &gone {
            let of = by.get(&free.local)?.clone();
            match &free.over {
                Over::Set(set) if self.is_whole(set, of.ty) => {}
                Over::Set(set) => {
                    binder = with(binder, joined(BinaryOp::In, of, set.clone()));
                }
                Over::Span(from, to) => {
                    binder = with(binder, joined(BinaryOp::Ge, of.clone(), from.clone()));
                    binder = with(binder, joined(BinaryOp::Le, of, to.clone()));
                }
                Over::Zone(_) => return None,
            }
            if let Some(guard) = &free.guard {
                binder = with(binder, put(guard));
            }
        }
        for (at, given) in asked.fields.iter().enumerate() {
            if !asked.free.iter().any(|(_, of)| *of == at) {
                binder = with(binder, joined(BinaryOp::Eq, field(at)?, given.clone()));
            }
        }
        for (_, cond) in &asked.others {
            binder = with(binder, put(cond));
        }
        let rest = without(value, &asked.factor).map(|it| put(&it));
        let mut binders: Vec<Binder> = kept.into_iter().cloned().collect();
        binders.push(binder);
        let op = match rest {
            Some(_) => AggregateOp::Sum,
            None => AggregateOp::Count,
        };
        Some(expr.with_kind(Aggregate::over(op, binders).of(rest)))
    }

    /// The first factor that asks how many of a kind lie somewhere, or of some kinds that have variables as
    /// fields.
    fn asked_for(&self, value: &Expr, binders: &[Binder]) -> Option<Asked> {
        match &value.kind {
            ExprKind::Binary(BinaryOp::Mul, left, right) => self
                .asked_for(left, binders)
                .or_else(|| self.asked_for(right, binders)),
            ExprKind::CountOf(place, kind) => {
                let ExprKind::Make(component, fields) = &kind.kind else {
                    return None;
                };
                let mut free: Vec<(LocalId, usize)> = Vec::new();
                for (at, field) in fields.iter().enumerate() {
                    let said = binders.iter().map(|it| it.local).find(|it| {
                        let of = Some(field);
                        let is_said = || solved(field.clone(), of, *it).is_some();
                        mentions(field, &[*it]) && is_said()
                    });
                    if let Some(local) = said.filter(|it| !free.iter().any(|(of, _)| of == it)) {
                        free.push((local, at));
                    }
                }
                let locals: Vec<LocalId> = free.iter().map(|(local, _)| *local).collect();
                let is_plain = fields.iter().enumerate().all(|(at, field)| {
                    let own = free.iter().find(|(_, of)| *of == at).map(|it| it.0);
                    let mut others = locals.iter().filter(|it| Some(**it) != own);
                    !others.any(|it| mentions(field, &[*it]))
                });
                // Of a kind that there is not nothing lies anywhere.
                let are_there = fields.iter().all(|it| !it.ty.optional);
                let fits = are_there && !free.is_empty() && is_plain;
                fits.then(|| Asked {
                    factor: value.clone(),
                    others: Vec::new(),
                    place: place.clone(),
                    component: *component,
                    fields: fields.clone(),
                    free,
                })
            }
            ExprKind::Aggregate(count) if count.op == AggregateOp::Count => {
                let binder = count.only_binder()?;
                let (Over::Zone(place), Some(guard)) = (&binder.over, &binder.guard) else {
                    return None;
                };
                let mut parts = Vec::new();
                conjuncts(guard, &mut parts);
                let mut free: Vec<(LocalId, usize)> = Vec::new();
                let mut others = Vec::new();
                for part in parts {
                    match field_of(part, binder.local) {
                        Some((local, at))
                            if binders.iter().any(|it| it.local == local)
                                && !free.iter().any(|(it, _)| *it == local) =>
                        {
                            free.push((local, at));
                        }
                        _ => others.push((binder.local, part.clone())),
                    }
                }
                let component = self.game.zones.get(place.zone.index())?.component;
                (!free.is_empty()).then(|| Asked {
                    factor: value.clone(),
                    place: place.clone(),
                    component,
                    fields: Vec::new(),
                    others,
                    free,
                })
            }
            _ => None,
        }
    }

    /// Most values that a variable takes.
    fn most_of(&self, over: &Over) -> u64 {
        match over {
            Over::Set(set) => match (&set.kind, set.ty.base) {
                (ExprKind::SetOf(items), _) => items.len() as u64,
                (_, Base::Set(domain)) => {
                    let domain = self.game.domains.get(domain.index());
                    domain.map_or(u64::MAX, |it| it.size)
                }
                _ => u64::MAX,
            },
            Over::Zone(_) | Over::Span(..) => u64::MAX,
        }
    }

    /// Whether a set has all values of a type.
    fn is_whole(&self, set: &Expr, of: Type) -> bool {
        let ExprKind::All(domain) = set.kind else {
            return false;
        };
        let domain_of = self.game.domains.get(domain.index());
        match (of.base, domain_of) {
            (Base::Int(from, to), Some(range)) => {
                let last = i128::from(range.lo) + i128::from(range.size) - 1;
                range.lo <= from && i128::from(to) <= last && !of.optional
            }
            (Base::Elem(id), _) => id == domain && !of.optional,
            _ => false,
        }
    }
}

pub(super) fn over_mentions(over: &Over, locals: &[LocalId]) -> bool {
    match over {
        Over::Set(set) => mentions(set, locals),
        Over::Zone(place) => place.index.iter().any(|it| mentions(it, locals)),
        Over::Span(from, to) => mentions(from, locals) || mentions(to, locals),
    }
}

fn guard_mentions(binder: &Binder, locals: &[LocalId]) -> bool {
    let guard = binder.guard.as_ref();
    guard.is_some_and(|it| mentions(it, locals))
}

/// The other variable that a field of a variable is said to equal.
fn field_of(cond: &Expr, of: LocalId) -> Option<(LocalId, usize)> {
    let (left, right) = cond.operands_of(BinaryOp::Eq)?;
    let (field, ExprKind::Local(local)) = (match (&left.kind, &right.kind) {
        (field @ ExprKind::Field(..), other) | (other, field) => (field, other),
    }) else {
        return None;
    };
    match field {
        ExprKind::Field(base, at) if is_local(base, of) && *local != of => Some((*local, *at)),
        _ => None,
    }
}

/// A product without one of its factors; nothing if that was all.
fn without(value: &Expr, factor: &Expr) -> Option<Expr> {
    let (left, right) = value.operands_of(BinaryOp::Mul)?;
    if same(left, factor) {
        return Some(right.clone());
    }
    if same(right, factor) {
        return Some(left.clone());
    }
    let (left, right) = match without(left, factor) {
        Some(rest) => (rest, right.clone()),
        None => (left.clone(), without(right, factor)?),
    };
    Some(value.with_kind(ExprKind::binary(BinaryOp::Mul, left, right)))
}

/// Writes what is known to be the same instead of an expression.
fn replace(expr: &mut Expr, it: &Expr, by: &Expr) {
    if same(expr, it) {
        *expr = by.clone();
        return;
    }
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            replace(part, it, by);
        }
    });
}
