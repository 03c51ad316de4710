//! Rows of places on ways that are known, and places said by coordinates as steps.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::Shared;
use super::inline::size_of;
use super::mask::{conjuncts, is_local};
use super::question::Question;
use super::steps;
use super::structure::{alike, same};
use super::through::put;
use super::unroll::cases_of;
use crate::model::{
    AggregateOp, Base, BinaryOp, Binder, DomainId, DomainKind, Expr, ExprKind, LocalId, Near, Node,
    NodeMut, Over, Shape, Type, WAYS, change, each_in_expr,
};

/// Largest question that is looked at for each number, in nodes.
const MOST_NODES: usize = 4_000;

impl Shared<'_> {
    /// `Cell(q.column + 2, q.row - 2)` is `step(q, se, 2)`.
    pub(super) fn as_step(&self, expr: &Expr) -> Option<Expr> {
        let ExprKind::Make(space, args) = &expr.kind else {
            return None;
        };
        let [(one, across), (other, up)] = [moved(args, 0)?, moved(args, 1)?];
        let far = across.abs().max(up.abs());
        let is_place = args.len() == 2 && same(one, other) && one.ty.base == Base::Elem(*space);
        if far == 0 && is_place && !one.ty.optional {
            return Some(one.clone());
        }
        let is_straight = [across, up].iter().all(|it| *it == 0 || it.abs() == far);
        if !self.is_grid(*space) || !is_place || !is_straight || one.ty.optional {
            return None;
        }
        let toward = (across.signum(), up.signum());
        let way = WAYS.iter().position(|it| *it == toward)?;
        let way = Expr {
            kind: ExprKind::Value(i64::try_from(way).ok()?),
            ty: Type::of(Base::Elem(self.directions()?)),
            span: expr.span,
        };
        Some(steps::step(one, &way, far, expr.span))
    }

    fn directions(&self) -> Option<DomainId> {
        let mut names = self.game.domains.iter().map(|it| &it.name);
        let at = names.position(|it| it == "Direction")?;
        Some(DomainId(u32::try_from(at).ok()?))
    }

    /// `t in orthogonal(q)` as `d in straight`, `t` being `step(q, d)`; and so of the others that lie around a cell.
    pub(super) fn by_way(&mut self, binder: &Binder) -> Option<(Binder, Expr)> {
        let set = binder.over.as_set()?;
        let (ExprKind::Near(near, cell), Base::Set(space)) = (&set.kind, set.ty.base) else {
            return None;
        };
        if cell.ty.optional || !self.is_grid(space) {
            return None;
        }
        let directions = self.directions()?;
        let ty = Type::of(Base::Elem(directions));
        let way = |kind| Expr::new(kind, ty, set.span);
        let is_meant = |at: &i64| match near {
            Near::Orthogonal | Near::Neighbours => at % 2 == 0,
            Near::Diagonal => at % 2 == 1,
            Near::Around => true,
        };
        let ways = (0..8).filter(is_meant).map(|it| way(ExprKind::Value(it)));
        let local = self.new_local(ty);
        let step = steps::step(cell, &way(ExprKind::Local(local)), 1, set.span);
        let ways = Expr::set(ExprKind::SetOf(ways.collect()), directions, set.span);
        let binder = Binder::over(local, ways);
        Some((binder, step))
    }

    fn is_grid(&self, space: DomainId) -> bool {
        let grid = |it: &DomainKind| {
            matches!(
                it,
                DomainKind::Space {
                    shape: Shape::Grid,
                    ..
                }
            )
        };
        self.domain(space).is_some_and(|it| grid(&it.kind))
    }

    /// `some { k in 0..3 where every { P(Cell(q.column + i - k, q.row)) for i in 0..3 } or … }` is a row through `q` on this way
    /// or another.
    pub(super) fn rows_around(&mut self, question: &Question) -> Option<Expr> {
        let ([binder], [cond]) = (question.binders.as_slice(), question.conds.as_slice()) else {
            return None;
        };
        let numbers = self.few_of(binder)?;
        let nodes = size_of(cond).saturating_mul(numbers.len());
        if !self.has_coordinates(cond) || nodes > MOST_NODES || nodes > self.room {
            return None;
        }
        self.room -= nodes;
        let mut by_way: BTreeMap<i64, (Question, Vec<Expr>)> = BTreeMap::new();
        for number in numbers {
            let part = self.with_number(cond, binder.local, number);
            let part = self.without_names(part);
            let mut cases = Vec::new();
            cases_of(&part, &mut cases);
            for case in cases {
                let mut case = case.clone();
                self.with_places(&mut case);
                let way = known_way(&case)?;
                let at = way.as_value()?;
                let first = at.rem_euclid(WAYS.len() as i64 / 2);
                let fresh = self.new_local(way.ty);
                let of_first = way.with_kind(ExprKind::Value(first));
                let (of_way, cases) = match by_way.entry(first) {
                    Entry::Occupied(there) => there.into_mut(),
                    Entry::Vacant(free) => free.insert((on_way(of_first, fresh)?, Vec::new())),
                };
                let local = of_way.binders.first()?.local;
                toward(&mut case, first, local);
                cases.push(case);
            }
        }
        let rows = by_way.into_values().map(|(mut question, cases)| {
            let cases = cases.into_iter();
            let any = cases.reduce(Expr::or)?;
            question.conds.push(any);
            self.row_of_many(&question)
        });
        let rows = rows.collect::<Option<Vec<Expr>>>()?;
        self.one_or_other(rows)
    }

    fn has_coordinates(&self, cond: &Expr) -> bool {
        let mut has = false;
        each_in_expr(cond, &mut |node| {
            if let Node::Expr(Expr { kind, .. }) = node {
                has |= matches!(kind, ExprKind::Make(_, args) if args.len() == 2);
            }
        });
        has
    }

    fn one_or_other(&self, rows: Vec<Expr>) -> Option<Expr> {
        rows.into_iter().reduce(|one, other| {
            let both = self.on_both_ways(&one, &other);
            both.unwrap_or_else(|| one.or(other))
        })
    }

    /// A row that begins so many steps back, with what all cases ask said of each: `A and (B or C)`.
    pub(super) fn row_of_cases(&mut self, question: &Question) -> Option<Expr> {
        let is_or = |it: &Expr| matches!(it.kind, ExprKind::Binary(BinaryOp::Or, ..));
        let at = question.conds.iter().position(is_or);
        let (Some(at), [_, _, ..]) = (at, &*question.conds) else {
            return self.row_of_many(question);
        };
        let (mut conds, mut cases) = (question.conds.clone(), Vec::new());
        let either = conds.remove(at);
        cases_of(&either, &mut cases);
        let others = conds.into_iter();
        let others = others.reduce(Expr::and)?;
        let cases = cases.into_iter().map(|case| {
            let mut others = others.clone();
            self.rename(&mut others);
            others.and(case.clone())
        });
        let any = cases.reduce(Expr::or)?;
        self.row_of_many(&Question {
            binders: question.binders.clone(),
            conds: vec![any],
        })
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
        let rows = rows.collect::<Option<Vec<Expr>>>()?;
        self.one_or_other(rows)
    }

    /// `some { d in { n } where P } or some { d in { e } where P }` is `some { d in { n, e } where P }`.
    pub(super) fn on_both_ways(&self, one: &Expr, other: &Expr) -> Option<Expr> {
        let mut both = one.clone();
        let mut less = [one.clone(), other.clone()];
        let [ways, more] = less.each_mut().map(ways_in);
        let (ways, more) = (std::mem::take(ways?), std::mem::take(more?));
        let [one, other] = &less;
        if !alike(one, other) {
            return None;
        }
        *ways_in(&mut both)? = ways.into_iter().chain(more).collect();
        Some(both)
    }

    fn row_on_known_way(&mut self, question: &Question) -> Option<Expr> {
        let first = question.only_binder()?;
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
        let mut question = on_way(way, local)?;
        question.binders.insert(0, first.clone());
        question.conds = conds;
        self.row_of_one(&question)
    }
}

/// A question on one way.
fn on_way(way: Expr, local: LocalId) -> Option<Question> {
    let ways = way.ty.base.element_of()?;
    let span = way.span;
    let over = Expr::set(ExprKind::SetOf(vec![way]), ways, span);
    let binder = Binder::over(local, over);
    Some(Question::of(vec![binder]))
}

/// The way of the first step on one that is known.
fn known_way(cond: &Expr) -> Option<Expr> {
    let mut known = None;
    each_in_expr(cond, &mut |node| {
        if let Node::Expr(Expr {
            kind: ExprKind::Step { way, .. },
            ..
        }) = node
            && matches!(way.kind, ExprKind::Value(_))
            && known.is_none()
        {
            known = Some((**way).clone());
        }
    });
    known
}

/// Writes a variable for a way; steps on the opposite one are steps back.
fn toward(cond: &mut Expr, first: i64, local: LocalId) {
    change::parts_of_expr(cond, &mut |node| {
        if let NodeMut::Expr(part) = node {
            toward(part, first, local);
        }
    });
    if let ExprKind::Step { way, count, .. } = &mut cond.kind
        && let (ExprKind::Value(at), ExprKind::Value(by)) = (&way.kind, &mut count.kind)
        && at.rem_euclid(WAYS.len() as i64 / 2) == first
    {
        if *at != first {
            *by = -*by;
            count.ty = Type::of(Base::Int(*by, *by));
        }
        way.kind = ExprKind::Local(local);
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
    let (mut of, mut by) = (args.get(at)?, 0_i64);
    while let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), one, other) = &of.kind {
        let (rest, number, sign) = match (op, &one.kind, &other.kind) {
            (BinaryOp::Add, _, ExprKind::Value(number)) => (one, number, 1),
            (BinaryOp::Add, ExprKind::Value(number), _) => (other, number, 1),
            (_, _, ExprKind::Value(number)) => (one, number, -1),
            _ => return None,
        };
        by = by.checked_add(number.checked_mul(sign)?)?;
        of = rest;
    }
    match &of.kind {
        ExprKind::Field(place, field) if *field == at => Some((place, by)),
        _ => None,
    }
}
