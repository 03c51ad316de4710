//! What numbers come to at least and at most, whatever the position.

use std::sync::Arc;

use super::Shared;
use super::inline::mentions;
use super::lines::opposite;
use super::mask::{conjuncts, is_local, terms};
use super::steps::{Walk, counted_set};
use super::structure::{alike, same};
use crate::engine::layout::words_for;
use crate::model::arith::{self, Bounds, MOST};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, Expr, ExprKind, LocalId, NodeMut, Over, Place,
    Type, UnaryOp, ZoneId, ZoneKind, change,
};

/// How many members a set has at least and at most.
pub(super) struct Members {
    pub least: u64,
    pub most: u64,
}

/// Bounds of what names stand for, the last first.
type Known = Vec<(LocalId, Bounds)>;

impl Shared<'_> {
    /// Gives a number that is worked out the bounds that it has.
    pub(super) fn narrow(&mut self, expr: &mut Expr) {
        let is_worked_out = matches!(
            expr.kind,
            ExprKind::Binary(..)
                | ExprKind::Unary(..)
                | ExprKind::If(..)
                | ExprKind::Match(..)
                | ExprKind::Let(..)
                | ExprKind::OrElse(..)
                | ExprKind::Aggregate(_)
                | ExprKind::Count(_)
                | ExprKind::CountOf(..)
        );
        if is_worked_out
            && !expr.ty.optional
            && let Some((least, most)) = self.bounds_of(expr)
        {
            expr.ty.base = Base::Int(least, most);
        }
    }

    /// The least and the most that a number comes to where it is one.
    pub(super) fn bounds_of(&mut self, number: &Expr) -> Option<Bounds> {
        self.bounds_with(number, &mut Known::new())
    }

    fn bounds_with(&mut self, number: &Expr, known: &mut Known) -> Option<Bounds> {
        let Base::Int(lo, hi) = number.ty.base else {
            return None;
        };
        let (least, most) = self.worked_out(number, known).unwrap_or((lo, hi));
        let (least, most) = (least.max(lo), most.min(hi));
        Some(if least <= most {
            (least, most)
        } else {
            (lo, hi)
        })
    }

    fn worked_out(&mut self, number: &Expr, known: &mut Known) -> Option<Bounds> {
        match &number.kind {
            ExprKind::Value(value) => Some((*value, *value)),
            ExprKind::Local(local) => {
                let found = known.iter().rev().find(|(it, _)| it == local);
                found.map(|(_, bounds)| *bounds)
            }
            ExprKind::CountOf(place, _) => {
                let slot = self.layout.zone(place.zone)?;
                Some((0, i64::from(slot.copies.min(slot.capacity))))
            }
            ExprKind::Count(place) => {
                let slot = self.layout.zone(place.zone)?;
                let most = slot.total.min(u64::from(slot.capacity));
                Some((0, i64::try_from(most).ok()?))
            }
            ExprKind::Unary(UnaryOp::Neg, part) => {
                let (least, most) = self.bounds_with(part, known)?;
                Some((most.checked_neg()?, least.checked_neg()?))
            }
            ExprKind::Binary(op, left, right) => {
                // Asked at each term of a long sum, so only where the last one is such a walk.
                if *op == BinaryOp::Add
                    && walked(right).is_some()
                    && let Some(bounds) = self.there_and_back(number, known)
                {
                    return Some(bounds);
                }
                let left = self.bounds_with(left, known)?;
                let right = self.bounds_with(right, known)?;
                let (least, most) = arith::bounds(*op, left, right);
                Some((i64::try_from(least).ok()?, i64::try_from(most).ok()?))
            }
            ExprKind::OrElse(one, other) => {
                let one = self.bounds_with(one, known)?;
                Some(both(one, self.bounds_with(other, known)?))
            }
            ExprKind::If(cond, one, other) => {
                let one = told_by(cond, true, one, self.bounds_with(one, known)?);
                let other = told_by(cond, false, other, self.bounds_with(other, known)?);
                Some(both(one, other))
            }
            ExprKind::Match(_, arms, other) => {
                let arms = arms.iter().map(|it| &it.1).chain(other.as_deref());
                let arms = arms.map(|it| self.bounds_with(it, known));
                let arms = arms.collect::<Option<Vec<_>>>()?;
                arms.into_iter().reduce(both)
            }
            ExprKind::Let(local, value, body) => {
                let depth = known.len();
                let value = self.bounds_with(value, known);
                known.extend(value.map(|it| (*local, it)));
                let body = self.bounds_with(body, known);
                known.truncate(depth);
                body
            }
            ExprKind::Aggregate(aggregate) => match aggregate.op {
                AggregateOp::Count => {
                    Some((0, i64::try_from(self.most_taken(&aggregate.binders)?).ok()?))
                }
                AggregateOp::Sum => self.summed(aggregate, known),
                AggregateOp::Max | AggregateOp::Min => {
                    let value = self.bounds_with(aggregate.value.as_ref()?, known)?;
                    let default = aggregate.default.as_ref();
                    let default = default.map(|it| self.bounds_with(it, known));
                    Some(both(value, default.unwrap_or(Some(value))?))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What is added up, where walks lead both ways from one cell: all cells of these lie on one line.
    fn there_and_back(&mut self, sum: &Expr, known: &mut Known) -> Option<Bounds> {
        let mut rest = terms(sum);
        let (mut all, mut lines) = ((0, 0), 0);
        while let Some(one) = rest.pop() {
            let longest = walked(one).and_then(|it| self.longest_line(it.space));
            let back = rest.iter().position(|it| self.are_turned_walks(one, it));
            let bounds = match (longest, back) {
                (Some(longest), Some(at)) => {
                    rest.remove(at);
                    lines += 1;
                    (0, longest)
                }
                _ => self.bounds_with(one, known)?,
            };
            let (least, most) = arith::bounds(BinaryOp::Add, all, bounds);
            all = (i64::try_from(least).ok()?, i64::try_from(most).ok()?);
        }
        (lines > 0).then_some(all)
    }

    /// Whether the cells of two walks are counted that lead from one cell in opposite directions.
    fn are_turned_walks(&self, one: &Expr, other: &Expr) -> bool {
        let (Some(one), Some(other)) = (walked(one), walked(other)) else {
            return false;
        };
        let turned = |one: &Expr, other: &Expr| matches!(&one.kind, ExprKind::Unary(UnaryOp::Opposite, it) if same(it, other));
        let are_turned = match (one.way.as_value(), other.way.as_value()) {
            (Some(way), Some(back)) => self
                .domain(one.ways)
                .and_then(|it| i64::try_from(it.size).ok())
                .is_some_and(|n| opposite(way, n) == back),
            _ => turned(one.way, other.way) || turned(other.way, one.way),
        };
        are_turned && one.space == other.space && same(one.from, other.from)
    }

    /// What a sum comes to: so many of the least, so many of the greatest; of what lies somewhere, all that there is.
    fn summed(&mut self, aggregate: &Aggregate, known: &mut Known) -> Option<Bounds> {
        let value = aggregate.value.as_ref()?;
        let (least, most) = self.bounds_with(value, known)?;
        let times = i128::from(self.most_taken(&aggregate.binders)?);
        let mut bounds = [least.min(0), most.max(0)].map(|it| i128::from(it).checked_mul(times));
        if let [binder] = aggregate.binders.as_slice()
            && let Over::Zone(place) = &binder.over
            && let Some((less, more)) = self.all_together(value, binder.local)
        {
            let copies = i128::from(self.layout.zone(place.zone)?.copies);
            let [least, most] = &mut bounds;
            *least = (*least).max(less.checked_mul(copies));
            *most = (*most).min(more.checked_mul(copies));
        }
        let [least, most] = bounds.map(|it| i64::try_from(it?).ok());
        let fits = |it: &i64| (-MOST..=MOST).contains(it);
        Some((least.filter(fits)?, most.filter(fits)?))
    }

    /// What values that no position changes come to, of all that are below 0 and of all above.
    fn all_together(&mut self, value: &Expr, x: LocalId) -> Option<(i128, i128)> {
        let table = self.tabled(value, &[x]).filter(|it| !it.faults)?;
        let of = table.inputs.last()?;
        let is_last = matches!(of.expr.kind, ExprKind::Local(it) if it == x);
        let each = usize::try_from(of.n).ok().filter(|it| *it > 0 && is_last)?;
        let cells = self.cells(&table)?;
        let sum = |row: &[i64], sign: i64| -> i128 {
            let values = row.iter().filter(|it| it.signum() == sign);
            values.map(|it| i128::from(*it)).sum()
        };
        let least = cells.chunks(each).map(|it| sum(it, -1)).min()?;
        Some((least, cells.chunks(each).map(|it| sum(it, 1)).max()?))
    }

    /// How many combinations of values variables take at most.
    fn most_taken(&mut self, binders: &[Binder]) -> Option<u64> {
        binders.iter().try_fold(1_u64, |all, binder| {
            let most = match &binder.over {
                Over::Set(set) => {
                    let most = self.most_members(binder, set.clone())?;
                    most.min(self.most_laid(binder).unwrap_or(most))
                }
                Over::Zone(place) => {
                    let slot = self.layout.zone(place.zone)?;
                    let (copies, total) = (u64::from(slot.copies), slot.total);
                    let most = total.min(u64::from(slot.capacity));
                    let component = self.game.zones.get(place.zone.index())?.component;
                    let kinds = Expr::all(component, crate::source::Span::default());
                    most.min(self.most_members(binder, kinds)?.saturating_mul(copies))
                }
                Over::Span(from, to) => {
                    let (first, last) = (self.bounds_of(from)?.0, self.bounds_of(to)?.1);
                    u64::try_from(i128::from(last) - i128::from(first) + 1).unwrap_or(0)
                }
            };
            all.checked_mul(most)
        })
    }

    /// Most places where something may lie that is asked for: as many as there are of these kinds.
    fn most_laid(&mut self, binder: &Binder) -> Option<u64> {
        let (mut of, mut conds) = (binder, Vec::new());
        loop {
            let mut parts = Vec::new();
            of.guard.iter().for_each(|it| conjuncts(it, &mut parts));
            conds.extend(parts.into_iter().map(|it| (it, of.local)));
            match inner_of(of) {
                Some(inner) => of = inner,
                None => break,
            }
        }
        let domain = of.over.as_set()?.ty.base.set_over()?;
        let zone = conds.iter().find_map(|(it, x)| laid_in(it, *x))?;
        let of = self.game.zones.get(zone.index())?;
        if of.kind != ZoneKind::One || of.index != [domain] {
            return None;
        }
        let (component, span) = (of.component, crate::source::Span::default());
        let ty = Type::of(Base::Elem(component));
        let kind = Expr::local(self.new_local(ty), ty, span);
        let asked = conds.into_iter().filter_map(|(it, x)| {
            let mut of_kind = it.clone();
            put_kind(&mut of_kind, zone, x, &kind);
            (!mentions(&of_kind, &[x])).then_some(of_kind)
        });
        let kinds = Binder::over(kind.as_local()?, Expr::all(component, span));
        let kinds = kinds.guarded(asked.reduce(Expr::and));
        let kinds = Aggregate::over(AggregateOp::Collect, vec![kinds]);
        let mut kinds = Expr::set(kinds, component, span);
        self.rename(&mut kinds);
        let slot = self.layout.zone(zone)?;
        let (words, of_kind) = (usize::from(slot.kind_words), Arc::clone(&slot.of_kind));
        let table = self.tabled(&kinds, &[]).filter(|it| !it.faults)?;
        let cells = self.cells(&table)?;
        let is_in =
            |row: &[i64], at: usize| row.get(at / 64).is_some_and(|it| it >> (at % 64) & 1 == 1);
        let laid = |row: &[i64]| -> u64 {
            let kinds = of_kind.iter().enumerate().filter(|(at, _)| is_in(row, *at));
            kinds.map(|(_, copies)| u64::from(*copies)).sum()
        };
        cells.chunks(words).map(laid).max()
    }

    /// Most members of a set for which what hangs on no position may hold.
    fn most_members(&mut self, binder: &Binder, set: Expr) -> Option<u64> {
        let domain = set.ty.base.set_over()?;
        let size = self.domain(domain)?.size;
        if let ExprKind::Walk { .. } = set.kind
            && let Some(longest) = self.longest_line(domain)
        {
            return Some(u64::try_from(longest).unwrap_or(0));
        }
        let mut conds = Vec::new();
        binder.guard.iter().for_each(|it| conjuncts(it, &mut conds));
        conds.retain(|it| !self.reads_state(it));
        if matches!(set.kind, ExprKind::All(_)) && conds.is_empty() {
            return Some(size);
        }
        let many = self.members_known(binder, &conds, &set);
        Some(many.map_or(size, |it| it.most))
    }

    /// How many members a set has for which what hangs on no position holds.
    pub(super) fn members_of(&mut self, binder: &Binder) -> Option<Members> {
        let mut conds = Vec::new();
        binder.guard.iter().for_each(|it| conjuncts(it, &mut conds));
        conds.retain(|it| !self.reads_state(it));
        self.members_known(binder, &conds, binder.over.as_set()?)
    }

    fn members_known(&mut self, binder: &Binder, known: &[&Expr], set: &Expr) -> Option<Members> {
        let size = self.domain(set.ty.base.set_over()?)?.size;
        let known = known.iter().map(|it| (*it).clone());
        let member = binder.with_over(set.clone());
        let member = member.guarded(known.reduce(Expr::and));
        let members = Aggregate::over(AggregateOp::Collect, vec![member]);
        let mut set = set.with_kind(members);
        self.rename(&mut set);
        let words = usize::from(words_for(size));
        let table = self.tabled(&set, &[]).filter(|it| !it.faults)?;
        let cells = self.cells(&table)?;
        let members = |row: &[i64]| row.iter().map(|it| u64::from(it.count_ones())).sum();
        let rows = || cells.chunks(words).map(members);
        Some(Members {
            least: rows().min()?,
            most: rows().max()?,
        })
    }
}

/// The variable of the set that a variable runs over.
pub(super) fn inner_of(binder: &Binder) -> Option<&Binder> {
    let of = binder.over.as_set()?.as_aggregate()?;
    let inner = of.only_binder_of(AggregateOp::Collect)?;
    of.value.is_none().then_some(inner)
}

/// Whether something is `z[x]`.
fn is_at(place: &Place, x: LocalId) -> bool {
    matches!(place.index.as_slice(), [it] if is_local(it, x))
}

/// The zone in which something lies at a variable where a condition holds.
fn laid_in(cond: &Expr, x: LocalId) -> Option<ZoneId> {
    match &cond.kind {
        ExprKind::Filled(place) if is_at(place, x) => Some(place.zone),
        ExprKind::Unary(UnaryOp::IsSome, one) => component_at(one, x),
        ExprKind::Binary(BinaryOp::Eq, left, right) => {
            let of = |one: &Expr, other: &Expr| match &one.kind {
                ExprKind::Field(base, _) => component_at(base, x),
                _ => component_at(one, x).filter(|_| !other.ty.optional),
            };
            of(left, right).or_else(|| of(right, left))
        }
        _ => None,
    }
}

fn component_at(one: &Expr, x: LocalId) -> Option<ZoneId> {
    match &one.kind {
        ExprKind::Component(place) if is_at(place, x) => Some(place.zone),
        _ => None,
    }
}

/// Puts a kind in place of what lies at a variable.
fn put_kind(expr: &mut Expr, zone: ZoneId, x: LocalId, kind: &Expr) {
    if component_at(expr, x) == Some(zone) {
        *expr = kind.clone();
        return;
    }
    if let ExprKind::Filled(place) = &expr.kind
        && place.zone == zone
        && is_at(place, x)
    {
        expr.kind = ExprKind::Value(1);
        return;
    }
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            put_kind(part, zone, x, kind);
        }
    });
}

/// The walk whose cells are counted.
fn walked(counted: &Expr) -> Option<Walk<'_>> {
    Walk::of(counted_set(counted.as_aggregate()?)?)
}

/// The bounds of `a - b` in an arm to which a comparison of `a` with `b` leads.
fn told_by(cond: &Expr, holds: bool, arm: &Expr, (least, most): Bounds) -> Bounds {
    let Some((a, b)) = arm.operands_of(BinaryOp::Sub) else {
        return (least, most);
    };
    let mut conds = Vec::new();
    match holds {
        true => conjuncts(cond, &mut conds),
        false => conds.push(cond),
    }
    let signs = conds.into_iter().filter_map(|it| match &it.kind {
        ExprKind::Binary(op, left, right) if alike(left, a) && alike(right, b) => {
            Some(sign(*op, holds)?)
        }
        ExprKind::Binary(op, left, right) if alike(left, b) && alike(right, a) => {
            let (from, to) = sign(*op, holds)?;
            Some((-to, -from))
        }
        _ => None,
    });
    let told = signs.fold((least, most), |(least, most), (from, to)| {
        (least.max(from), most.min(to))
    });
    if told.0 <= told.1 {
        told
    } else {
        (least, most)
    }
}

/// Bounds of the difference of two numbers of which a comparison holds, or does not.
fn sign(op: BinaryOp, holds: bool) -> Option<Bounds> {
    match (op, holds) {
        (BinaryOp::Gt, true) | (BinaryOp::Le, false) => Some((1, MOST)),
        (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => Some((0, MOST)),
        (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => Some((-MOST, -1)),
        (BinaryOp::Le, true) | (BinaryOp::Gt, false) => Some((-MOST, 0)),
        (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => Some((0, 0)),
        _ => None,
    }
}

fn both(one: Bounds, other: Bounds) -> Bounds {
    (one.0.min(other.0), one.1.max(other.1))
}
