//! Walks and steps: what they are made of, and their code.

use std::borrow::Cow;
use std::collections::HashMap;

use super::inline::{mentions, substitute};
use super::mask::is_local;
use super::structure::same;
use super::through::put;
use super::unroll::joined;
use super::walks::is_plain;
use super::{Gen, Shared};
use crate::engine::layout::words_for;
use crate::engine::op::{FaultKind, Op, Reg};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DomainId, Expr, ExprKind, LocalId, NONE, Over,
    Type, UnaryOp,
};
use crate::source::Span;

/// What a walk is made of.
#[derive(Clone, Copy)]
pub(super) struct Walk<'e> {
    pub way: &'e Expr,
    pub from: &'e Expr,
    pub var: LocalId,
    pub cond: &'e Expr,
    pub space: DomainId,
    pub ways: DomainId,
}

impl<'e> Walk<'e> {
    pub fn of(walk: &'e Expr) -> Option<Self> {
        let ExprKind::Walk {
            way,
            from,
            var,
            cond,
        } = &walk.kind
        else {
            return None;
        };
        let (space, ways) = (walk.ty.base.set_over()?, way.ty.base.element_of()?);
        Some(Self {
            way,
            from,
            var: *var,
            cond,
            space,
            ways,
        })
    }
}

/// The set whose members are counted, all of them.
pub(super) fn counted_set(aggregate: &Aggregate) -> Option<&Expr> {
    let binder = aggregate.only_binder_of(AggregateOp::Count)?;
    match (&binder.over, &binder.guard) {
        (Over::Set(set), None) => Some(set),
        _ => None,
    }
}

/// `walk way from cell while var: cond`.
pub(super) fn walk(
    way: &Expr,
    cell: &Expr,
    (var, cond): (LocalId, Expr),
    space: DomainId,
    span: Span,
) -> Expr {
    Expr::set(
        ExprKind::Walk {
            way: Box::new(way.clone()),
            from: Box::new(cell.clone()),
            var,
            cond: Box::new(cond),
        },
        space,
        span,
    )
}

/// `step(cell, way, count)`.
pub(super) fn step(cell: &Expr, way: &Expr, count: i64, span: Span) -> Expr {
    let number = Expr::number(count, span);
    Expr {
        kind: ExprKind::step(cell.clone(), way.clone(), number),
        ty: cell.ty.or_none(),
        span,
    }
}

/// `step(x, opposite(way)) == from or C(step(x, opposite(way)))`: what a walk asks of the cell before.
pub(super) fn beyond(from: &Expr, way: &Expr, (var, cond): (LocalId, &Expr), x: &Expr) -> Expr {
    let back = way.with_kind(ExprKind::unary(UnaryOp::Opposite, way.clone()));
    let before = step(x, &back, 1, from.span);
    let mut goes_on = cond.clone();
    substitute(&mut goes_on, &HashMap::from([(var, before.clone())]));
    let is_first = joined(BinaryOp::Eq, before, from.clone());
    is_first.or(goes_on)
}

/// Through which cells a walk goes on.
pub(super) struct Along<'e> {
    pub var: LocalId,
    pub cond: Cow<'e, Expr>,
    /// Whether the cell at which it stops is one of its cells.
    pub beyond: bool,
}

/// The ways and the walk of `d in D, t in walk d from q while x: C(x)`, where all `t` are meant.
pub(super) fn rays_of<'e>(
    ways: &'e Binder,
    last: &'e Binder,
    value: Option<&Expr>,
) -> Option<(&'e Expr, Walk<'e>)> {
    let (over, set) = (ways.over.as_set()?, last.over.as_set()?);
    let walk = Walk::of(set)?;
    let is_whole = ways.guard.is_none() && last.guard.is_none();
    let is_last = value.is_some_and(|it| is_local(it, last.local));
    let is_way = is_local(walk.way, ways.local) && over.ty.base == Base::Set(walk.ways);
    let is_free = !mentions(walk.from, &[ways.local]);
    (is_whole && is_last && is_way && is_free).then_some((over, walk))
}

impl Gen<'_, '_> {
    /// The length of a walk: false where it must be walked cell by cell.
    pub(super) fn walk_length_to(&mut self, walk: &Expr, d: Reg) -> bool {
        Walk::of(walk).is_some_and(|walk| self.walk_at_once(walk, true, d))
    }

    /// A walk, or its length, within the cells of which the condition holds, where these are a set.
    fn walk_at_once(&mut self, walk: Walk<'_>, count: bool, d: Reg) -> bool {
        let Some((mask, shape)) = self.walk_within(walk, count) else {
            return false;
        };
        let (from, way) = (self.value(walk.from), self.value_there(walk.way));
        self.op(Op::Walk {
            d,
            from,
            way,
            mask,
            shape,
        });
        true
    }

    /// The cells in which a walk goes on, and the shape of it.
    pub(super) fn walk_within(&mut self, walk: Walk<'_>, count: bool) -> Option<(Reg, u16)> {
        let base = self.shared.steps(walk.space, walk.ways)?;
        let along = self.along(walk);
        let mask = self.mask_of(&along.cond, along.var, walk.space)?;
        let (cells, ways) = (self.domain_size(walk.space), self.domain_size(walk.ways));
        let shape = self.shared.walk(base, cells, ways, [count, along.beyond]);
        Some((mask, shape))
    }

    /// Through which cells a walk goes on: `step(x, opposite(d)) == q or C(step(x, opposite(d)))` asks C of the cell
    /// before, but not of the first.
    pub(super) fn along<'e>(&mut self, walk: Walk<'e>) -> Along<'e> {
        self.shared.beyond(walk).unwrap_or(Along {
            var: walk.var,
            cond: Cow::Borrowed(walk.cond),
            beyond: false,
        })
    }

    /// `{ t for d in D, t in walk d from q while x: C(x) }` in one operation; false where that cannot be had.
    pub(super) fn rays_to(&mut self, aggregate: &Aggregate, d: Reg) -> bool {
        let [ways, last] = aggregate.binders.as_slice() else {
            return false;
        };
        let Some((over, walk)) = rays_of(ways, last, aggregate.value.as_ref()) else {
            return false;
        };
        if words_for(self.domain_size(walk.ways)) > 1 || !self.sure_here(walk.from) {
            return false;
        }
        let along = self.along(walk);
        if mentions(&along.cond, &[ways.local]) {
            return false;
        }
        drop(along);
        let Some((mask, shape)) = self.walk_within(walk, false) else {
            return false;
        };
        let (from, ways) = (self.value(walk.from), self.value(over));
        let n = words_for(self.domain_size(walk.space));
        let own = self.temps(n);
        self.op(Op::Rays {
            d: own,
            from,
            ways,
            mask,
            shape,
        });
        self.mov_n(d, own, n);
        true
    }

    pub(super) fn walk_to(&mut self, walk: &Expr, d: Reg) {
        let Some(walk) = Walk::of(walk) else {
            return self.fail(FaultKind::Absent);
        };
        let Some(base) = self.shared.steps(walk.space, walk.ways) else {
            return self.fail(FaultKind::Absent);
        };
        if self.walk_at_once(walk, false, d) {
            return;
        }
        let n = words_for(self.domain_size(walk.space));
        let (run, x, line) = (self.temps(n), self.temp(), self.temp());
        self.op(Op::Clear { d: run, n });
        let start = self.temp();
        self.value_to(walk.from, start);
        self.mov(x, start);
        let way = self.value_there(walk.way);
        let size = self.constant(self.domain_size(walk.space) as i64);
        self.op(Op::Mul {
            d: line,
            a: way,
            b: size,
        });
        let (top, done) = (self.label(), self.label());
        let (none, zero) = (self.constant(NONE), self.constant(0));
        let to = self.to(done);
        self.op(Op::JumpEq { a: x, b: none, to });
        self.set_local(walk.var, x);
        self.bind(top);
        let i = self.temp();
        self.op(Op::Add {
            d: i,
            a: line,
            b: x,
        });
        self.op(Op::Look { d: x, i, base });
        let to = self.to(done);
        self.op(Op::JumpLt { a: x, b: zero, to });
        self.op(Op::JumpEq { a: x, b: start, to });
        let mark = self.mark();
        self.cond(walk.cond, false, done);
        self.release(mark);
        self.add_element(run, x, n);
        self.loop_to(top);
        self.bind(done);
        self.mov_n(d, run, n);
    }
}

impl Shared<'_> {
    /// The same of a walk that goes on to the place at which it stops.
    pub(super) fn beyond<'e>(&mut self, walk: Walk<'e>) -> Option<Along<'e>> {
        let (first, rest) = walk.cond.operands_of(BinaryOp::Or)?;
        let (one, other) = first.operands_of(BinaryOp::Eq)?;
        let back = if same(one, walk.from) { other } else { one };
        let from = if same(one, walk.from) { one } else { other };
        let (cell, way, count) = back.as_step()?;
        let ExprKind::Unary(UnaryOp::Opposite, there) = &way.kind else {
            return None;
        };
        let is_back = is_local(cell, walk.var)
            && matches!(count.kind, ExprKind::Value(1))
            && same(there, walk.way)
            && same(from, walk.from);
        let is_known = is_plain(walk.from) || is_own_track(walk.from);
        if !is_back || !is_plain(walk.way) || !is_known {
            return None;
        }
        if !self.leads_back(walk.space, walk.ways)? {
            return None;
        }
        let ty = Type::of(Base::Elem(walk.space));
        let var = self.new_local(ty);
        let mut cond = rest.clone();
        // Where it is asked the cell before is there, and a variable that stands for it is of such a type.
        put(&mut cond, back, var, ty);
        put(&mut cond, &back.clone().with_type(ty), var, ty);
        (!mentions(&cond, &[walk.var])).then_some(Along {
            var,
            cond: Cow::Owned(cond),
            beyond: true,
        })
    }
}

/// Whether a place stands in a track of its own.
fn is_own_track(it: &Expr) -> bool {
    matches!(&it.kind, ExprKind::Track(_, index) if index.is_empty() && !it.ty.optional)
}
