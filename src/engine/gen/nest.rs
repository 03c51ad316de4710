//! Nested loops over variables, with every condition as early as its variables allow.
//!
//! This one place serves comprehensions, quantifiers and the listing of legal moves.

use super::Gen;
use super::func::Label;
use super::inline::mentions;
use super::mask::{Plan, conjuncts};
use crate::engine::layout::{Contents, Store, words_for};
use crate::engine::op::{Op, Reg, SlotBits, zone16};
use crate::model::{
    Base, DomainId, Expr, ExprKind, LocalId, Node, Order, Over, Place, each_in_expr,
};

/// A variable of a nest.
pub(super) struct Level<'e> {
    pub local: LocalId,
    pub over: &'e Over,
    pub order: &'e Order,
    /// Greater than the variable before it, or another copy of the same kind.
    pub paired: bool,
}

/// A condition and the last variable that it may wait for.
pub(super) struct Cond<'e> {
    pub expr: &'e Expr,
    /// In plain code it is tested right after this level.
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
struct Ready {
    set: Reg,
    n: u16,
    lo: i64,
    domain: DomainId,
}

struct Nest<'e, 'c> {
    levels: &'c [Level<'e>],
    /// Conditions tested element by element, by level + 1.
    residual: Vec<Vec<&'c Expr>>,
    /// Conditions as sets: level that they restrict, level + 1 where they can be worked out.
    masks: Vec<(usize, usize, Plan)>,
    /// Level + 1 at which the elements of a level are known.
    ready_at: Vec<usize>,
    ready: Vec<Option<Ready>>,
    copies: Option<Reg>,
    /// Whether somebody may choose inside, so that the loops must be part of the state.
    keeps: bool,
}

impl Gen<'_, '_> {
    /// Runs the nest; control comes out behind it unless the sink jumps.
    pub(super) fn nest(&mut self, levels: &[Level<'_>], conds: &[Cond<'_>], sink: &mut Sink<'_>) {
        let literal = self.shared.plain;
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

    fn nest_with(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
        sink: &mut Sink<'_>,
        plain: bool,
        keeps: bool,
    ) {
        let locals: Vec<LocalId> = levels.iter().map(|l| l.local).collect();
        let mut nest = Nest {
            levels,
            residual: (0..=levels.len()).map(|_| Vec::new()).collect(),
            masks: Vec::new(),
            ready_at: Vec::new(),
            ready: levels.iter().map(|_| None).collect(),
            copies: None,
            keeps,
        };
        for (at, level) in levels.iter().enumerate() {
            let needs = if plain {
                at
            } else {
                self.over_depth(level.over, &locals)
            };
            nest.ready_at.push(needs);
        }
        for cond in conds {
            if plain {
                if let Some(list) = nest.residual.get_mut(cond.written + 1) {
                    list.push(cond.expr);
                }
                continue;
            }
            let mut parts = Vec::new();
            conjuncts(cond.expr, &mut parts);
            for part in parts {
                self.place_cond(part, &locals, &mut nest);
            }
        }
        let exit = self.label();
        let mark = self.mark();
        let mut hoisted = Vec::new();
        if !plain {
            for cond in nest.residual.iter().skip(1).flatten() {
                self.hoist_walks(cond, &locals, &mut hoisted);
            }
        }
        self.open(0, &mut nest, sink, exit, None);
        // Behind the loops another tree may lie at these addresses.
        for address in hoisted {
            self.masks.remove(&address);
        }
        self.release(mark);
        self.bind(exit);
    }

    /// Works the masks of walks out before the loops, where they do not depend on these.
    fn hoist_walks(&mut self, cond: &Expr, locals: &[LocalId], hoisted: &mut Vec<usize>) {
        let mut walks = Vec::new();
        let mut bound = locals.to_vec();
        each_in_expr(cond, &mut |node| match node {
            Node::Binds(local) => bound.push(local),
            Node::Expr(Expr {
                kind: ExprKind::Walk { var, cond, .. },
                ty,
                ..
            }) => {
                walks.push((*var, &**cond, *ty));
            }
            Node::Expr(_) | Node::Stmt(_) => {}
        });
        for (var, cond, ty) in walks {
            let others: Vec<LocalId> = bound.iter().copied().filter(|l| *l != var).collect();
            if let Base::Set(domain) = ty.base
                && !mentions(cond, &others)
                && let Some(mask) = self.mask_of(cond, var, domain)
            {
                let address = std::ptr::from_ref(cond) as usize;
                self.masks.insert(address, mask);
                hoisted.push(address);
            }
        }
    }

    fn place_cond<'c>(&mut self, part: &'c Expr, locals: &[LocalId], nest: &mut Nest<'_, 'c>) {
        let depth = depth_of(part, locals);
        if let Some(level) = depth.checked_sub(1)
            && let Some(domain) = self.level_domain(nest.levels, level)
            && let Some(local) = locals.get(level)
            && let Some(plan) = self.plan(part, *local, domain)
        {
            let others: Vec<LocalId> = locals.iter().copied().filter(|l| l != local).collect();
            let at = others
                .iter()
                .filter(|l| mentions(part, &[**l]))
                .filter_map(|l| locals.iter().position(|known| known == l))
                .map(|at| at + 1)
                .max()
                .unwrap_or(0);
            nest.masks.push((level, at, plan));
            return;
        }
        if let Some(list) = nest.residual.get_mut(depth) {
            list.push(part);
        }
    }

    /// The domain of a level that ranges over a set (not over numbers without a set).
    fn level_domain(&self, levels: &[Level<'_>], level: usize) -> Option<DomainId> {
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

    fn over_depth(&self, over: &Over, locals: &[LocalId]) -> usize {
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
    fn open(
        &mut self,
        k: usize,
        nest: &mut Nest<'_, '_>,
        sink: &mut Sink<'_>,
        next: Label,
        packed: Option<Reg>,
    ) {
        for cond in nest.residual.get(k).cloned().unwrap_or_default() {
            let mark = self.mark();
            self.cond(cond, false, next);
            self.release(mark);
        }
        for level in k..nest.levels.len() {
            if nest.ready_at.get(level) == Some(&k) {
                self.make_ready(level, nest, next);
            }
            let masks: Vec<Plan> = nest
                .masks
                .iter()
                .filter(|(of, at, _)| *of == level && self.mask_time(*of, *at, nest) == k)
                .map(|(_, _, plan)| plan.clone())
                .collect();
            for plan in masks {
                self.restrict(level, &plan, nest);
            }
        }
        let base = match sink {
            Sink::Emit { base, .. } => packed.or(Some(*base)),
            _ => None,
        };
        if k == nest.levels.len() {
            return self.deliver(nest, sink, base, next);
        }
        self.loop_level(k, nest, sink, base, next);
    }

    /// A mask can be applied when both it and the elements are known.
    fn mask_time(&self, level: usize, at: usize, nest: &Nest<'_, '_>) -> usize {
        nest.ready_at.get(level).copied().unwrap_or(0).max(at)
    }

    fn make_ready(&mut self, level: usize, nest: &mut Nest<'_, '_>, next: Label) {
        let Some(shape) = nest.levels.get(level) else {
            return;
        };
        let Some(domain) = self.level_domain(nest.levels, level) else {
            return;
        };
        let n = words_for(self.domain_size(domain));
        let set = match shape.over {
            Over::Set(set) => self.value(set),
            Over::Zone(place) => {
                if let Some(reg) = self.kinds_register(place) {
                    reg
                } else {
                    let d = self.temps(n);
                    self.kinds_to(place, d);
                    d
                }
            }
            Over::Span(..) => return,
        };
        let _ = next;
        let lo = self.domain_lo(domain);
        if let Some(slot) = nest.ready.get_mut(level) {
            *slot = Some(Ready { set, n, lo, domain });
        }
    }

    fn restrict(&mut self, level: usize, plan: &Plan, nest: &mut Nest<'_, '_>) {
        let Some(Some(ready)) = nest.ready.get(level).copied() else {
            return;
        };
        let d = self.restricted(ready.set, plan, ready.domain, ready.n);
        if let Some(Some(slot)) = nest.ready.get_mut(level) {
            slot.set = d;
        }
    }

    /// The members of a set for which a plan holds.
    pub(super) fn restricted(&mut self, set: Reg, plan: &Plan, domain: DomainId, n: u16) -> Reg {
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

    fn deliver(
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

    fn loop_level(
        &mut self,
        k: usize,
        nest: &mut Nest<'_, '_>,
        sink: &mut Sink<'_>,
        packed: Option<Reg>,
        exit: Label,
    ) {
        let Some(level) = nest.levels.get(k) else {
            return;
        };
        if let Over::Span(from, to) = level.over {
            let (from, to) = (from.clone(), to.clone());
            return self.loop_span(k, &from, &to, nest, sink, packed);
        }
        let Some(Some(ready)) = nest.ready.get(k).copied() else {
            return;
        };
        let counted = match level.over {
            Over::Zone(place) => self.counted(place),
            Over::Set(_) | Over::Span(..) => false,
        };
        let last = k + 1 == nest.levels.len();
        let plain_last = last
            && !level.paired
            && nest.residual.get(k + 1).is_none_or(Vec::is_empty)
            && !nest
                .masks
                .iter()
                .any(|(of, at, _)| self.mask_time(*of, *at, nest) > k)
            && matches!(level.order, Order::Ascending);
        if plain_last
            && !(counted && matches!(sink, Sink::Count { .. } | Sink::Each(_)))
            && nest.copies.is_none()
        {
            if self.whole(ready, sink, packed, k) {
                return;
            }
        }
        let _ = exit;
        let (bit, x) = (self.loop_words(nest, 1), self.loop_words(nest, 1));
        let x = if ready.lo == 0 { bit } else { x };
        self.set_local(level.local, x);
        let cur = self.loop_words(nest, ready.n);
        self.mov_n(cur, ready.set, ready.n);
        let (top, next, done) = (self.label(), self.label(), self.label());
        let mark = self.mark();
        match level.order {
            Order::Ascending => {
                let to = self.to(done);
                if ready.n == 1 {
                    self.op(Op::Next { cur, d: bit, to });
                } else {
                    self.op(Op::WideNext {
                        cur,
                        n: ready.n,
                        d: bit,
                        to,
                    });
                }
                self.bind(top);
                self.element(k, bit, x, ready, counted, nest, sink, packed, next);
                self.release(mark);
                self.bind(next);
                let to = self.to(top);
                if ready.n == 1 {
                    self.op(Op::Again { cur, d: bit, to });
                } else {
                    self.op(Op::WideAgain {
                        cur,
                        n: ready.n,
                        d: bit,
                        to,
                    });
                }
            }
            Order::Descending => {
                self.bind(next);
                let to = self.to(done);
                self.op(Op::WidePrev {
                    cur,
                    n: ready.n,
                    d: bit,
                    to,
                });
                self.element(k, bit, x, ready, counted, nest, sink, packed, next);
                self.release(mark);
                self.loop_to(next);
            }
            Order::From(seat) => {
                let size = u16::try_from(self.domain_size(ready.domain)).unwrap_or(1);
                let left = self.loop_words(nest, 1);
                let at = self.loop_words(nest, 1);
                let mark = self.mark();
                self.value_to(seat, at);
                let (all, zero) = (self.constant(i64::from(size) + 1), self.constant(0));
                self.mov(left, all);
                self.op(Op::AddK {
                    d: at,
                    a: at,
                    k: -1,
                });
                self.bind(next);
                self.op(Op::AddK {
                    d: left,
                    a: left,
                    k: -1,
                });
                let to = self.to(done);
                self.op(Op::JumpEq {
                    a: left,
                    b: zero,
                    to,
                });
                self.op(Op::AddK { d: at, a: at, k: 1 });
                self.op(Op::Wrap {
                    d: at,
                    a: at,
                    n: size,
                });
                let has = self.temp();
                self.op(Op::WideHas {
                    d: has,
                    set: cur,
                    e: at,
                    n: ready.n,
                });
                let to = self.to(next);
                self.op(Op::JumpNot { a: has, to });
                self.mov(bit, at);
                self.element(k, bit, x, ready, counted, nest, sink, packed, next);
                self.release(mark);
                self.loop_to(next);
            }
        }
        self.bind(done);
    }

    fn loop_words(&mut self, nest: &Nest<'_, '_>, n: u16) -> Reg {
        if nest.keeps {
            self.keep(n)
        } else {
            self.temps(n)
        }
    }

    /// One element is bound: what follows from it.
    #[expect(clippy::too_many_arguments, reason = "the state of one loop")]
    fn element(
        &mut self,
        k: usize,
        bit: Reg,
        x: Reg,
        ready: Ready,
        counted: bool,
        nest: &mut Nest<'_, '_>,
        sink: &mut Sink<'_>,
        packed: Option<Reg>,
        next: Label,
    ) {
        if x != bit {
            self.mov(x, bit);
            self.unbit(x, ready.lo);
        }
        let Some(level) = nest.levels.get(k) else {
            return;
        };
        let place = match level.over {
            Over::Zone(place) => Some(place.clone()),
            Over::Set(_) | Over::Span(..) => None,
        };
        if level.paired
            && let Some(before) = k.checked_sub(1).and_then(|at| nest.levels.get(at))
        {
            let a = self.local(before.local);
            self.pair(a, x, place.as_ref().filter(|_| counted), next);
        }
        let outer = nest.copies;
        if let Some(place) = place.filter(|_| counted) {
            let copies = self.temp();
            let at = self.place_reg(&place);
            self.op(Op::Copies {
                d: copies,
                zone: zone16(place.zone),
                place: at,
                kind: bit,
            });
            if let Some(outer) = outer {
                self.op(Op::Mul {
                    d: copies,
                    a: copies,
                    b: outer,
                });
            }
            nest.copies = Some(copies);
        }
        let packed = self.pack(k, bit, sink, packed);
        self.open(k + 1, nest, sink, next, packed);
        nest.copies = outer;
    }

    fn pack(&mut self, k: usize, bit: Reg, sink: &Sink<'_>, packed: Option<Reg>) -> Option<Reg> {
        match (sink, packed) {
            (Sink::Emit { slots, .. }, Some(a)) => {
                let shift = slots.get(k)?.shift;
                let d = self.temp();
                self.op(Op::Pack {
                    d,
                    a,
                    e: bit,
                    shift,
                });
                Some(d)
            }
            _ => packed,
        }
    }

    /// `x & y`: the second lies behind the first, or is another copy of it.
    fn pair(&mut self, first: Reg, second: Reg, place: Option<&Place>, next: Label) {
        let to = self.to(next);
        self.op(Op::JumpLt {
            a: second,
            b: first,
            to,
        });
        let ok = self.label();
        let other = self.to(ok);
        self.op(Op::JumpNe {
            a: second,
            b: first,
            to: other,
        });
        match place {
            Some(place) => {
                let (copies, two) = (self.temp(), self.constant(2));
                let at = self.place_reg(place);
                self.op(Op::Copies {
                    d: copies,
                    zone: zone16(place.zone),
                    place: at,
                    kind: second,
                });
                let to = self.to(next);
                self.op(Op::JumpLt {
                    a: copies,
                    b: two,
                    to,
                });
            }
            None => self.jump(next),
        }
        self.bind(ok);
    }

    /// The innermost loop in one operation, where the sink has one.
    fn whole(&mut self, ready: Ready, sink: &mut Sink<'_>, packed: Option<Reg>, k: usize) -> bool {
        match sink {
            Sink::Emit { slots, .. } => {
                let (Some(a), Some(slot)) = (packed, slots.get(k)) else {
                    return false;
                };
                self.op(Op::EmitAll {
                    a,
                    set: ready.set,
                    n: ready.n,
                    shift: slot.shift,
                });
                true
            }
            Sink::Exists(found) => {
                let to = self.to(*found);
                self.op(Op::JumpAny {
                    set: ready.set,
                    n: ready.n,
                    to,
                });
                true
            }
            Sink::Count { d } => {
                let (d, count) = (*d, self.temp());
                self.count_to(ready.set, ready.n, count);
                self.op(Op::Add { d, a: d, b: count });
                true
            }
            Sink::Gather { d, n } => {
                let (d, n) = (*d, *n);
                self.or(d, d, ready.set, n);
                true
            }
            Sink::Each(_) => false,
        }
    }

    /// Whether a place may hold several copies of a kind.
    fn counted(&self, place: &Place) -> bool {
        self.shared
            .layout
            .zone(place.zone)
            .is_some_and(|slot| match &slot.store {
                Store::One { .. } => false,
                Store::Bag(contents) | Store::Pile { contents, .. } => {
                    matches!(contents, Contents::Counts(_))
                }
            })
    }

    /// Numbers without a set.
    fn loop_span(
        &mut self,
        k: usize,
        from: &Expr,
        to: &Expr,
        nest: &mut Nest<'_, '_>,
        sink: &mut Sink<'_>,
        packed: Option<Reg>,
    ) {
        let Some(level) = nest.levels.get(k) else {
            return;
        };
        let (local, down) = (level.local, matches!(level.order, Order::Descending));
        let (x, last) = (self.loop_words(nest, 1), self.loop_words(nest, 1));
        let (first, end) = if down { (to, from) } else { (from, to) };
        self.value_to(first, x);
        self.value_to(end, last);
        self.set_local(local, x);
        let (top, next, done) = (self.label(), self.label(), self.label());
        let mark = self.mark();
        self.bind(top);
        let exit = self.to(done);
        if down {
            self.op(Op::JumpLt {
                a: x,
                b: last,
                to: exit,
            });
        } else {
            self.op(Op::JumpLt {
                a: last,
                b: x,
                to: exit,
            });
        }
        let lo = match sink {
            Sink::Emit { slots, .. } => slots.get(k).map_or(0, |s| s.lo),
            _ => 0,
        };
        let bit = self.bit_of(x, lo);
        let packed = self.pack(k, bit, sink, packed);
        self.open(k + 1, nest, sink, next, packed);
        self.release(mark);
        self.bind(next);
        self.op(Op::AddK {
            d: x,
            a: x,
            k: if down { -1 } else { 1 },
        });
        self.loop_to(top);
        self.bind(done);
    }
}

/// One more than the last of the locals that an expression mentions, 0 for none.
fn depth_of(expr: &Expr, locals: &[LocalId]) -> usize {
    locals
        .iter()
        .rposition(|local| mentions(expr, &[*local]))
        .map_or(0, |at| at + 1)
}
