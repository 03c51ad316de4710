//! `action put(x in 1..6, y in 1..6)` that asks of `Cell(x, y)`: listed as the places of each `x`.

use std::collections::HashMap;

use super::Gen;
use super::coordinates::to_place;
use super::inline::{mentions, substitute};
use super::mask::conjuncts;
use super::nest::{Cond, Level, Sink};
use super::related::with;
use super::sure::within;
use super::unroll::joined;
use crate::engine::op::SlotBits;
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DomainId, DomainKind, Expr, ExprKind, LocalId,
    Node, Order, Over, Type, each_in_expr,
};

/// The two coordinates of a place that are listed, and the place.
struct Places {
    space: DomainId,
    /// Both variables, by axis.
    locals: Vec<LocalId>,
    /// The axis of the last variable.
    last: usize,
    /// What the last variable may be besides all that is on its axis.
    among: Option<Expr>,
    /// What the set of the last variable asks.
    asked: Option<Expr>,
}

/// Conditions, and how many variables are bound where each is tested as written.
type Asked = Vec<(Expr, usize)>;

impl Gen<'_, '_> {
    /// Runs a nest whose last two variables `x` and `y` are asked as `Cell(x, y)`: over `x` and `{ q in Cell where q.column == x }`.
    pub(super) fn nest_of_places(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
        sink: &mut Sink<'_>,
    ) -> bool {
        if self.goes_as_written(levels) {
            return false;
        }
        let mut own: Vec<SlotBits> = match sink {
            Sink::Emit { slots, .. } => slots.to_vec(),
            Sink::Exists(_) => Vec::new(),
            Sink::Count { .. } | Sink::Gather { .. } | Sink::Each(_) => return false,
        };
        let Some(places) = self.places_listed(levels, conds) else {
            return false;
        };
        let Some((stride, size, axis)) = self.field_shape(places.space, places.last) else {
            return false;
        };
        if let Some(slot) = own.last_mut() {
            if size > 64 || slot.part.is_some() || slot.lo != super::expr::type_lo(axis) {
                return false;
            }
            slot.part = Some([stride, size]);
        }
        let Some((over, local, asked)) = self.over_lines(levels, conds, &places) else {
            return false;
        };
        let mut levels = levels.to_vec();
        if let Some(last) = levels.last_mut() {
            (last.over, last.local) = (&over, local);
        }
        let conds: Vec<Cond<'_>> = asked
            .iter()
            .map(|(expr, written)| Cond {
                expr,
                written: *written,
            })
            .collect();
        match sink {
            Sink::Emit { base, .. } => {
                let (base, slots) = (*base, own.as_slice());
                self.nest(&levels, &conds, &mut Sink::Emit { base, slots });
            }
            other => self.nest(&levels, &conds, other),
        }
        true
    }

    fn places_listed(&mut self, levels: &[Level<'_>], conds: &[Cond<'_>]) -> Option<Places> {
        let [before @ .., one, other] = levels else {
            return None;
        };
        let both = [one.local, other.local];
        let mut parts: Vec<&Expr> = conds.iter().map(|it| it.expr).collect();
        parts.extend(other.over.as_set());
        let (space, locals) = parts.iter().find_map(|it| made_of(it, both))?;
        let kind = &self.shared.game.domains.get(space.index())?.kind;
        let DomainKind::Space { axes, .. } = kind else {
            return None;
        };
        let axes: Vec<Type> = axes.iter().map(|it| it.ty).collect();
        let sizes = (0..axes.len()).map(|at| Some(self.field_shape(space, at)?.1));
        let all = sizes.product::<Option<u64>>()?;
        let is_full = self.domain_size(space) == all && !self.is_parts(space);
        let last = locals.iter().position(|it| *it == other.local)?;
        let mut fits = locals.iter().zip(&axes).map(|(local, axis)| {
            let ty = self.shared.local_type(*local);
            !ty.optional && within(ty, *axis)
        });
        let axis = *axes.get(last)?;
        let is_same = self.shared.local_type(other.local).base == axis.base;
        if axes.len() != 2 || !is_full || !fits.all(|it| it) || !is_same {
            return None;
        }
        let set = other.over.as_set()?;
        let hangs = |it: &Self, set: &Expr| {
            let outer = before.iter().chain([one]);
            let mut outer = outer.map(|it| it.local);
            it.shared.reads_state(set) || outer.any(|local| mentions(set, &[local]))
        };
        let mut places = Places {
            space,
            locals,
            last,
            among: None,
            asked: None,
        };
        let mut from = set;
        if let Some(aggregate) = set.as_aggregate() {
            let binder = aggregate.only_binder_of(AggregateOp::Collect)?;
            let is_plain = aggregate.value.is_none() && matches!(binder.order, Order::Ascending);
            let mut facts = self.facts_within(levels, conds);
            if !is_plain || !self.over_sure(other.over, &mut facts) {
                return None;
            }
            let mut guard = binder.guard.clone()?;
            let named = Expr::local(other.local, self.shared.local_type(other.local), set.span);
            substitute(&mut guard, &HashMap::from([(binder.local, named)]));
            places.asked = Some(guard);
            from = binder.over.as_set()?;
        }
        if hangs(self, from) {
            return None;
        }
        places.among = (!matches!(from.kind, ExprKind::All(_))).then(|| from.clone());
        Some(places)
    }

    /// What is known where the last set is worked out.
    fn facts_within(&mut self, levels: &[Level<'_>], conds: &[Cond<'_>]) -> super::facts::Facts {
        let mut facts = self.facts.clone();
        let before = levels.len().saturating_sub(1);
        for (at, level) in levels.iter().enumerate().take(before + 1) {
            for cond in conds.iter().filter(|it| it.written == at) {
                self.learn(cond.expr, true, &mut facts);
            }
            if at < before {
                self.learn_binder(level.local, level.over, &mut facts);
            }
        }
        facts
    }

    /// The places of a line in place of the last variable, and what is asked of them.
    fn over_lines(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
        places: &Places,
    ) -> Option<(Over, LocalId, Asked)> {
        let other = levels.last()?;
        let span = other.over.as_set()?.span;
        let ty = Type::of(Base::Elem(places.space));
        let local = self.shared.new_local(ty);
        let within = self.shared.new_local(ty);
        let kind = &self.shared.game.domains.get(places.space.index())?.kind;
        let DomainKind::Space { axes, .. } = kind else {
            return None;
        };
        let axes: Vec<Type> = axes.iter().map(|it| it.ty).collect();
        let field = |of: LocalId, at: usize| {
            let base = Box::new(Expr::local(of, ty, span));
            let axis = axes.get(at).copied()?;
            Some(Expr::new(ExprKind::Field(base, at), axis, span))
        };
        let first = 1 - places.last.min(1);
        let one = *places.locals.get(first)?;
        let named = Expr::local(one, self.shared.local_type(one), span);
        let all = Expr::all(places.space, span);
        let mut binder = Binder::over(within, all);
        binder = with(binder, joined(BinaryOp::Eq, field(within, first)?, named));
        if let Some(among) = &places.among {
            let is_among = joined(BinaryOp::In, field(within, places.last)?, among.clone());
            binder = with(binder, is_among);
        }
        let line = Aggregate::over(AggregateOp::Collect, vec![binder]);
        let over = Over::Set(Expr::new(line, Type::of(Base::Set(places.space)), span));
        let here = Expr::local(local, ty, span);
        let by = HashMap::from([
            (*places.locals.first()?, field(local, 0)?),
            (*places.locals.get(1)?, field(local, 1)?),
        ]);
        let mut asked = Vec::new();
        let own = places.asked.iter().map(|it| (it, levels.len()));
        for (expr, written) in own.chain(conds.iter().map(|it| (it.expr, it.written))) {
            let mut parts = Vec::new();
            conjuncts(expr, &mut parts);
            let parts = parts.into_iter().map(|part| {
                let mut part = part.clone();
                if mentions(&part, &[other.local]) {
                    to_place(&mut part, places.space, &places.locals, &here);
                    substitute(&mut part, &by);
                    self.shared.said_as_steps(&mut part, places.space);
                    self.shared.expand(&mut part);
                }
                part
            });
            asked.push((parts.reduce(Expr::and)?, written));
        }
        Some((over, local, asked))
    }
}

/// The space of which a place is made of both variables, and these by axis.
fn made_of(expr: &Expr, both: [LocalId; 2]) -> Option<(DomainId, Vec<LocalId>)> {
    let mut found = None;
    let mut note = |it: &Expr| {
        if let ExprKind::Make(space, args) = &it.kind {
            let locals: Option<Vec<LocalId>> = args.iter().map(Expr::as_local).collect();
            let is_both =
                |it: &Vec<LocalId>| it.len() == 2 && both.iter().all(|one| it.contains(one));
            if let Some(locals) = locals.filter(is_both) {
                found = found.take().or(Some((*space, locals)));
            }
        }
    };
    note(expr);
    each_in_expr(expr, &mut |node| {
        if let Node::Expr(part) = node {
            note(part);
        }
    });
    found
}
