//! Where in a nest each condition is tested: as early as its variables allow, but never so that a fault
//! gets lost or comes up.

use super::Gen;
use super::inline::mentions;
use super::mask::{Plan, conjuncts};
use super::nest::{Cond, Level, Nest, Sink, depth_of};
use super::structure::same;
use crate::model::{Expr, LocalId};

/// Nothing goes before what may fault.
#[derive(Default)]
struct Floor {
    /// Number of variables bound where something may be tested.
    test: usize,
    /// Level that may be restricted.
    mask: usize,
}

impl Gen<'_, '_> {
    /// The nest with more conditions as sets if components lie at some places, and these.
    pub(super) fn if_there<'e, 'c>(
        &mut self,
        nest: &Nest<'e, 'c>,
        conds: &[Cond<'c>],
        locals: &[LocalId],
    ) -> Option<(Nest<'e, 'c>, Vec<Expr>)> {
        if nest.unsure.is_empty() || self.literal > 0 {
            return None;
        }
        let needed = self.needed(&nest.unsure, locals);
        if needed.is_empty() {
            return None;
        }
        let mut facts = std::mem::take(&mut self.facts);
        let mark = facts.mark();
        for place in &needed {
            self.learn(place, true, &mut facts);
        }
        self.facts = facts;
        let mut better = Nest::new(nest.levels, nest.keeps);
        self.place_all(conds, locals, &mut better);
        self.facts.release(mark);
        let worth = better.masks.len() > nest.masks.len();
        worth.then_some((better, needed))
    }

    /// Runs a nest that reads what is the same for all rounds and may not be there: as written, or where it is there as what the
    /// conditions say then.
    pub(super) fn nest_knowing(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
        sink: &mut Sink<'_>,
    ) -> bool {
        if self.knowing || self.goes_as_written(levels) {
            return false;
        }
        let (mut facts, mut unsure) = (self.facts.clone(), Vec::new());
        for stage in 0..=levels.len() {
            for cond in conds.iter().filter(|it| it.written == stage) {
                if !self.sure(cond.expr, &mut facts) {
                    unsure.push(cond.expr);
                }
                self.learn(cond.expr, true, &mut facts);
            }
            if let Some(level) = levels.get(stage) {
                self.learn_binder(level.local, level.over, &mut facts);
            }
        }
        let locals: Vec<LocalId> = levels.iter().map(|it| it.local).collect();
        let needed = match unsure.is_empty() {
            true => Vec::new(),
            false => self.needed(&unsure, &locals),
        };
        if needed.is_empty() {
            return false;
        }
        let mut facts = self.facts.clone();
        for place in &needed {
            self.learn(place, true, &mut facts);
        }
        let mut before = facts.clone();
        let mut known: Vec<Expr> = conds.iter().map(|it| it.expr.clone()).collect();
        for stage in 0..=levels.len() {
            let own = conds.iter().zip(&mut known);
            for (cond, known) in own.filter(|it| it.0.written == stage) {
                *known = self.shared.expanded_knowing(cond.expr, &before);
                self.learn(cond.expr, true, &mut before);
            }
            if let Some(level) = levels.get(stage) {
                self.learn_binder(level.local, level.over, &mut before);
            }
        }
        let mut both = conds.iter().zip(&known);
        if both.all(|(cond, known)| same(cond.expr, known)) {
            return false;
        }
        let known: Vec<Cond<'_>> = conds
            .iter()
            .zip(&known)
            .map(|(cond, expr)| Cond { expr, ..*cond })
            .collect();
        let (fast, exit) = (self.label(), self.label());
        self.jump_if_filled(&needed, fast);
        self.literal += 1;
        self.nest_with(levels, conds, sink, true, false);
        self.literal -= 1;
        self.jump(exit);
        self.bind(fast);
        let before = std::mem::replace(&mut self.facts, facts);
        self.knowing = true;
        self.nest(levels, &known, sink);
        self.knowing = false;
        self.facts = before;
        self.bind(exit);
        true
    }

    /// Finds the place of each condition and of the elements of each level, in the order in which they
    /// are asked as written.
    pub(super) fn place_all<'c>(
        &mut self,
        conds: &[Cond<'c>],
        locals: &[LocalId],
        nest: &mut Nest<'_, 'c>,
    ) {
        nest.before = vec![self.facts.clone(); nest.levels.len() + 1];
        nest.known.clone_from(&nest.before);
        let mut floor = Floor::default();
        for stage in 0..=nest.levels.len() {
            for cond in conds.iter().filter(|cond| cond.written == stage) {
                let mut parts = Vec::new();
                conjuncts(cond.expr, &mut parts);
                for part in parts {
                    self.place_cond(part, stage, &mut floor, locals, nest);
                }
            }
            let Some(level) = nest.levels.get(stage) else {
                continue;
            };
            let over = level.over;
            let depth = self.over_depth(over, locals).max(floor.test);
            let sure_at = |it: &mut Self, nest: &mut Nest<'_, 'c>, at: usize| {
                nest.known
                    .get_mut(at)
                    .is_some_and(|facts| it.over_sure(over, facts))
            };
            if sure_at(self, nest, depth) {
                nest.ready_at.push(depth);
            } else {
                nest.ready_at.push(stage);
                if !sure_at(self, nest, stage) {
                    floor = Floor {
                        test: stage + 1,
                        mask: stage,
                    };
                }
            }
            for facts in nest.from(stage + 1) {
                self.learn_binder(level.local, over, facts);
            }
        }
        self.merge_masks(nest);
    }

    fn place_cond<'c>(
        &mut self,
        part: &'c Expr,
        stage: usize,
        floor: &mut Floor,
        locals: &[LocalId],
        nest: &mut Nest<'_, 'c>,
    ) {
        let depth = depth_of(part, locals);
        if let Some(level) = depth.checked_sub(1).filter(|level| *level >= floor.mask)
            && let Some(at) = self.place_mask(part, level, stage, locals, nest)
        {
            nest.masks.push(at);
            for facts in nest.from(depth) {
                self.learn(part, true, facts);
            }
            return;
        }
        let mut at = depth.max(floor.test);
        let mut sure_at = |it: &mut Self, at: usize| {
            nest.known
                .get_mut(at)
                .is_some_and(|facts| it.sure(part, facts))
        };
        if !sure_at(self, at) {
            at = stage;
            if !sure_at(self, at) {
                *floor = Floor {
                    test: stage,
                    mask: stage,
                };
                nest.unsure.push(part);
            }
        }
        if let Some(list) = nest.residual.get_mut(at) {
            list.push(part);
        }
        for facts in nest.known.iter_mut().skip(at) {
            self.learn(part, true, facts);
        }
        for facts in nest.before.iter_mut().skip(at + 1) {
            self.learn(part, true, facts);
        }
    }

    /// A condition as a set that restricts a level, if that keeps its faults.
    fn place_mask(
        &mut self,
        part: &Expr,
        level: usize,
        stage: usize,
        locals: &[LocalId],
        nest: &Nest<'_, '_>,
    ) -> Option<(usize, usize, Plan)> {
        let domain = self.level_domain(nest.levels, level)?;
        let local = locals.get(level)?;
        let at = locals
            .iter()
            .enumerate()
            .filter(|(_, other)| *other != local && mentions(part, &[**other]))
            .map(|(at, _)| at + 1)
            .max()
            .unwrap_or(0);
        let mut early = nest.known.get(self.mask_time(level, at, nest))?.clone();
        let mut facts = nest.known.get(stage)?.clone();
        let plan = self.sound_plan(part, *local, domain, &mut early, &mut facts)?;
        Some((level, at, plan))
    }

    /// Makes one of the sets that are kept up for a level.
    fn merge_masks(&mut self, nest: &mut Nest<'_, '_>) {
        for level in 0..nest.levels.len() {
            let mut plans = Vec::new();
            nest.masks.retain(|(of, _, plan)| {
                let kept = *of == level && matches!(plan, Plan::Kept(_));
                if kept {
                    plans.push(plan.clone());
                }
                !kept
            });
            self.merge_plans(&mut plans);
            nest.masks
                .splice(..0, plans.into_iter().map(|plan| (level, 0, plan)));
        }
    }
}
