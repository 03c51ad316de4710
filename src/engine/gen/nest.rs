//! Nested loops over variables, with every condition as early as its variables allow.
//!
//! This one place serves comprehensions, quantifiers and the listing of legal moves.

use super::Gen;
use super::facts::Facts;
use super::func::Label;
use super::inline::mentions;
use super::mask::Plan;
use super::pairs::{with_asked, with_one_more, with_set};
use crate::engine::layout::words_for;
use crate::engine::op::{CONSTS, Op, Reg, SlotBits};
use crate::model::{Base, DomainId, Expr, LocalId, Member, Order, Over};

/// A variable of a nest.
#[derive(Clone, Copy)]
pub(super) struct Level<'e> {
    pub local: LocalId,
    pub over: &'e Over,
    pub order: &'e Order,
    /// One of several that are taken together; the levels before it are the others.
    pub member: Option<Member>,
}

/// A condition and the last variable that it may wait for.
#[derive(Clone, Copy)]
pub(super) struct Cond<'e> {
    pub expr: &'e Expr,
    /// How many variables are bound where it is tested as written; lowered code may test it earlier if
    /// no fault gets lost by that.
    pub written: usize,
}

/// What is done with each combination.
pub(super) enum Sink<'e> {
    /// A legal move: `moves[i]` is the packed move once level `i` is bound.
    Emit { base: Reg, slots: &'e [SlotBits] },
    /// Found: jump there.
    Exists(Label),
    /// Adds the number of combinations, copies counted.
    Count { d: Reg },
    /// Adds the last variable to a set.
    Gather { d: Reg, n: u16 },
    /// Anything else; gets the register of the number of copies where it is not one.
    Each(&'e mut dyn FnMut(&mut Gen<'_, '_>, Option<Reg>)),
}

/// Where a level's elements come from, when that is known.
#[derive(Clone, Copy)]
pub(super) struct Ready {
    pub set: Reg,
    /// Whether the loop may take the elements out, because it is worked out anew for each loop.
    pub own: bool,
    pub n: u16,
    pub lo: i64,
    pub domain: DomainId,
}

pub(super) struct Nest<'e, 'c> {
    pub levels: &'c [Level<'e>],
    /// Conditions tested element by element, by level + 1.
    pub residual: Vec<Vec<&'c Expr>>,
    /// Conditions as sets: level that they restrict, level + 1 where they can be worked out.
    pub masks: Vec<(usize, usize, Plan)>,
    /// Level + 1 at which the elements of a level are known.
    pub ready_at: Vec<usize>,
    pub ready: Vec<Option<Ready>>,
    pub copies: Option<Reg>,
    /// By number of variables bound: what is known before what is tested there.
    pub before: Vec<Facts>,
    /// And behind it.
    pub known: Vec<Facts>,
    /// Conditions that may fault.
    pub unsure: Vec<&'c Expr>,
    /// Whether somebody may choose inside, so that the loops must be part of the state.
    pub keeps: bool,
}

impl<'e, 'c> Nest<'e, 'c> {
    pub fn new(levels: &'c [Level<'e>], keeps: bool) -> Self {
        Self {
            levels,
            residual: (0..=levels.len()).map(|_| Vec::new()).collect(),
            masks: Vec::new(),
            ready_at: Vec::new(),
            ready: levels.iter().map(|_| None).collect(),
            copies: None,
            before: Vec::new(),
            known: Vec::new(),
            unsure: Vec::new(),
            keeps,
        }
    }

    /// What is known once so many variables are bound, before and behind the tests.
    pub fn from(&mut self, at: usize) -> impl Iterator<Item = &mut Facts> {
        self.before
            .iter_mut()
            .skip(at)
            .chain(self.known.iter_mut().skip(at))
    }
}

impl Gen<'_, '_> {
    /// Whether laws leave a nest alone.
    pub(super) fn goes_as_written(&self, levels: &[Level<'_>]) -> bool {
        let is_member = levels.iter().any(|it| it.member.is_some());
        self.shared.is_plain() || self.literal > 0 || is_member
    }

    /// Runs a nest with its sets and conditions in other words.
    pub(super) fn nest_said(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
        sink: &mut Sink<'_>,
        say: impl Fn(&mut Self, &Expr) -> Expr,
    ) {
        let mut overs = Vec::new();
        for level in levels {
            overs.push(match level.over {
                Over::Set(set) => Over::Set(say(self, set)),
                over => over.clone(),
            });
        }
        let said: Vec<Expr> = conds.iter().map(|it| say(self, it.expr)).collect();
        let levels: Vec<Level<'_>> = levels
            .iter()
            .zip(&overs)
            .map(|(level, over)| Level { over, ..*level })
            .collect();
        let conds: Vec<Cond<'_>> = conds
            .iter()
            .zip(&said)
            .filter(|(_, it)| it.as_value() != Some(1))
            .map(|(cond, expr)| Cond { expr, ..*cond })
            .collect();
        self.nest(&levels, &conds, sink);
    }

    /// Runs the nest; control comes out behind it unless the sink jumps.
    pub(super) fn nest(&mut self, levels: &[Level<'_>], conds: &[Cond<'_>], sink: &mut Sink<'_>) {
        if self.nest_of_places(levels, conds, sink)
            || self.nest_of_part(levels, conds, sink)
            || self.nest_each_value(levels, conds, sink)
            || self.nest_by_case(levels, conds, sink)
            || self.nest_tried(levels, conds, sink)
            || self.nest_filled(levels, conds, sink)
            || self.nest_held(levels, conds, sink)
            || self.nest_knowing(levels, conds, sink)
        {
            return;
        }
        self.in_one_position(|it| match it.first_asked(levels, conds) {
            Some((asked, bound)) => {
                let conds = with_asked(conds, std::slice::from_ref(&asked), bound);
                it.nest_of(levels, &conds, sink);
            }
            None => it.nest_of(levels, conds, sink),
        });
    }

    /// What else may be asked, that leaves fewer to be looked at.
    fn first_asked(&mut self, levels: &[Level<'_>], conds: &[Cond<'_>]) -> Option<(Expr, usize)> {
        let literal = self.shared.is_plain() || levels.iter().any(|it| it.member.is_some());
        (!literal).then(|| self.may_lead(levels, conds))?
    }

    fn nest_of(&mut self, levels: &[Level<'_>], conds: &[Cond<'_>], sink: &mut Sink<'_>) {
        // A member that may be missing is in no set that its level runs over.
        let literal = self.shared.is_plain()
            || levels
                .iter()
                .any(|level| level.member.is_some_and(|it| it.optional));
        if !literal && let Some(over) = self.led_on(levels, conds, sink) {
            return self.nest_of(&with_set(levels, 1, &over), conds, sink);
        }
        if !literal && let Some((over, asked)) = self.looser(levels, conds, sink) {
            let conds = with_asked(conds, &asked, levels.len());
            let levels = with_set(levels, 0, &over);
            return self.nest_with(&levels, &conds, sink, literal, false);
        }
        if !literal && let Some((over, conds)) = self.said_by_few(levels, conds, sink) {
            return self.nest_of(&with_set(levels, 0, &over), &conds, sink);
        }
        if !literal && let Some((over, asked)) = self.asked_of_members(levels, conds, sink) {
            let conds = with_asked(conds, &asked, levels.len());
            return self.nest_of(&with_set(levels, 0, &over), &conds, sink);
        }
        if !literal && let Some((binder, conds)) = self.asked_last(levels, conds, sink) {
            let levels = with_one_more(levels, binder);
            return match self.looser(&levels, &conds, sink) {
                Some((over, asked)) => {
                    let conds = with_asked(&conds, &asked, levels.len());
                    let levels = with_set(&levels, 0, &over);
                    self.nest_with(&levels, &conds, sink, literal, false);
                }
                None => self.nest_with(&levels, &conds, sink, literal, false),
            };
        }
        if !literal && let Some((over, conds)) = self.by_way(levels, conds, sink) {
            return self.nest_with(&with_set(levels, 0, &over), &conds, sink, literal, false);
        }
        self.nest_with(levels, conds, sink, literal, false);
    }

    /// The same for statements: each set and condition is evaluated where it is written, because what
    /// is done in between changes the state, and the loops survive a choice.
    pub(super) fn nest_in_order(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
        sink: &mut Sink<'_>,
    ) {
        self.nest_with(levels, conds, sink, true, true);
    }

    pub(super) fn nest_with(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
        sink: &mut Sink<'_>,
        plain: bool,
        keeps: bool,
    ) {
        let locals: Vec<LocalId> = levels.iter().map(|l| l.local).collect();
        let mut nest = Nest::new(levels, keeps);
        let facts = self.facts.clone();
        let exit = self.label();
        if plain {
            nest.ready_at = (0..levels.len()).collect();
            for cond in conds {
                if let Some(list) = nest.residual.get_mut(cond.written) {
                    list.push(cond.expr);
                }
            }
        } else {
            self.place_all(conds, &locals, &mut nest);
            if let Some((better, needed)) = self.if_there(&nest, conds, &locals) {
                // As written, but where all is there that this needs.
                let fast = self.label();
                self.jump_if_filled(&needed, fast);
                self.literal += 1;
                self.nest_with(levels, conds, sink, true, keeps);
                self.literal -= 1;
                self.jump(exit);
                self.bind(fast);
                nest = better;
            }
        }
        let mark = self.mark();
        self.open(0, &mut nest, sink, exit, None);
        self.facts = facts;
        self.release(mark);
        self.bind(exit);
    }

    /// The set of a level, where one that is kept up says which of all elements are meant.
    fn kept_level(&mut self, level: usize, set: &Expr, nest: &mut Nest<'_, '_>) -> Option<Reg> {
        let domain = self.level_domain(nest.levels, level)?;
        let at = nest
            .masks
            .iter()
            .position(|(of, _, plan)| *of == level && matches!(plan, Plan::Kept(_)))?;
        let mut plans = vec![nest.masks.get(at)?.2.clone()];
        let kept = self.instead_of_all(set, &mut plans)?;
        nest.masks.remove(at);
        Some(self.mask(&kept, domain, None))
    }

    /// The domain of a level that ranges over a set (not over numbers without a set).
    pub(super) fn level_domain(&self, levels: &[Level<'_>], level: usize) -> Option<DomainId> {
        match levels.get(level)?.over {
            Over::Set(set) => match set.ty.base {
                Base::Set(domain) => Some(domain),
                Base::Bool | Base::Int(..) | Base::Elem(_) | Base::Unit => None,
            },
            Over::Zone(place) => self
                .shared
                .game
                .zones
                .get(place.zone.index())
                .map(|z| z.component),
            Over::Span(..) => None,
        }
    }

    pub(super) fn over_depth(&self, over: &Over, locals: &[LocalId]) -> usize {
        match over {
            Over::Set(set) => depth_of(set, locals),
            Over::Zone(place) => place
                .index
                .iter()
                .map(|i| depth_of(i, locals))
                .max()
                .unwrap_or(0),
            Over::Span(from, to) => depth_of(from, locals).max(depth_of(to, locals)),
        }
    }

    /// Everything that can be done once `k` variables are bound, then the next loop.
    pub(super) fn open(
        &mut self,
        k: usize,
        nest: &mut Nest<'_, '_>,
        sink: &mut Sink<'_>,
        next: Label,
        packed: Option<Reg>,
    ) {
        if let Some(before) = nest.before.get(k) {
            self.facts.clone_from(before);
        }
        for cond in nest.residual.get(k).cloned().unwrap_or_default() {
            let mark = self.mark();
            self.cond(cond, false, next);
            self.release(mark);
            if !nest.before.is_empty() {
                let mut facts = std::mem::take(&mut self.facts);
                self.learn(cond, true, &mut facts);
                self.facts = facts;
            }
        }
        let pairs = self.pairs_of(k, nest, sink);
        let pairs_of_all = pairs.as_ref().filter(|pairs| pairs.is_plain());
        let free = pairs_of_all.and_then(|_| self.free_spots(k, nest));
        for level in k..nest.levels.len() {
            // Free spots that are not restricted are walked where they are kept.
            if nest.ready_at.get(level) == Some(&k) && !(level == k && free.is_some()) {
                self.make_ready(level, k, nest);
            }
            let masks: Vec<Plan> = nest
                .masks
                .iter()
                .filter(|(of, at, _)| *of == level && self.mask_time(*of, *at, nest) == k)
                .map(|(_, _, plan)| plan.clone())
                .collect();
            for plan in masks {
                self.restrict(level, k, &plan, nest);
            }
        }
        let base = match sink {
            Sink::Emit { base, .. } => packed.or(Some(*base)),
            _ => None,
        };
        if k == nest.levels.len() {
            return self.deliver(nest, sink, base, next);
        }
        if k == 0 {
            self.ask_lifted(nest, next);
        }
        if let Some(pairs) = pairs {
            return self.loop_rows(k, &pairs, free, nest, sink, base);
        }
        self.loop_level(k, nest, sink, base, next);
    }

    /// A mask can be applied when both it and the elements are known.
    pub(super) fn mask_time(&self, level: usize, at: usize, nest: &Nest<'_, '_>) -> usize {
        nest.ready_at.get(level).copied().unwrap_or(0).max(at)
    }

    fn make_ready(&mut self, level: usize, k: usize, nest: &mut Nest<'_, '_>) {
        let Some(shape) = nest.levels.get(level) else {
            return;
        };
        let Some(domain) = self.level_domain(nest.levels, level) else {
            return;
        };
        let n = words_for(self.domain_size(domain));
        let free = self.next_temp();
        let set = match shape.over {
            Over::Set(set) => match self.kept_level(level, set, nest) {
                Some(kept) => kept,
                None => self.value(set),
            },
            Over::Zone(place) => {
                if let Some((reg, _)) = self.kinds_register(place) {
                    reg
                } else {
                    let d = self.temps(n);
                    self.kinds_to(place, d);
                    d
                }
            }
            Over::Span(..) => return,
        };
        let lo = self.domain_lo(domain);
        let own = level == k && (free..CONSTS).contains(&set);
        if let Some(slot) = nest.ready.get_mut(level) {
            *slot = Some(Ready {
                set,
                own,
                n,
                lo,
                domain,
            });
        }
    }

    fn restrict(&mut self, level: usize, k: usize, plan: &Plan, nest: &mut Nest<'_, '_>) {
        let Some(Some(ready)) = nest.ready.get(level).copied() else {
            return;
        };
        let free = self.next_temp();
        let d = self.restricted(ready.set, plan, ready.domain, ready.n);
        if let Some(Some(slot)) = nest.ready.get_mut(level) {
            slot.set = d;
            slot.own = level == k && (free..CONSTS).contains(&d);
        }
    }

    /// The members of a set for which a plan holds: do not write to the register.
    pub(super) fn restricted(&mut self, set: Reg, plan: &Plan, domain: DomainId, n: u16) -> Reg {
        let whole = !self.is_parts(domain) && set == self.all_of(domain);
        if whole && !matches!(plan, Plan::Not(_)) {
            return self.mask(plan, domain, None);
        }
        if self.stays_within(plan) || self.is_all_or_none(plan, domain) {
            return self.mask(plan, domain, Some(set));
        }
        if let Plan::And(one, other) = plan {
            let left = self.restricted(set, one, domain, n);
            return self.restricted(left, other, domain, n);
        }
        let d = self.temps(n);
        match plan {
            Plan::Not(part) => {
                let mask = self.mask(part, domain, Some(set));
                self.and_not(d, set, mask, n);
            }
            _ => {
                let mask = self.mask(plan, domain, Some(set));
                self.and(d, set, mask, n);
            }
        }
        d
    }

    pub(super) fn deliver(
        &mut self,
        nest: &Nest<'_, '_>,
        sink: &mut Sink<'_>,
        packed: Option<Reg>,
        next: Label,
    ) {
        let _ = next;
        match sink {
            Sink::Emit { .. } => {
                if let Some(a) = packed {
                    self.op(Op::Emit { a });
                }
            }
            Sink::Exists(found) => {
                let found = *found;
                self.jump(found);
            }
            Sink::Count { d } => {
                let d = *d;
                match nest.copies {
                    Some(copies) => self.op(Op::Add { d, a: d, b: copies }),
                    None => self.op(Op::AddK { d, a: d, k: 1 }),
                }
            }
            Sink::Gather { d, n } => {
                let (d, n) = (*d, *n);
                if let (Some(level), Some(Some(ready))) = (nest.levels.last(), nest.ready.last()) {
                    let x = self.local(level.local);
                    let e = self.bit_of(x, ready.lo);
                    self.add_element(d, e, n);
                }
            }
            Sink::Each(each) => each(self, nest.copies),
        }
    }
}

/// One more than the last of the locals that an expression mentions, 0 for none.
pub(super) fn depth_of(expr: &Expr, locals: &[LocalId]) -> usize {
    locals
        .iter()
        .rposition(|local| mentions(expr, &[*local]))
        .map_or(0, |at| at + 1)
}
