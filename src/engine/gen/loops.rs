//! The loops of a nest, one per variable.

use super::Gen;
use super::func::Label;
use crate::engine::layout::{Contents, Store, span_of};
use crate::engine::op::{Op, Reg, zone16};
use crate::model::{Expr, Member, NONE, Order, Over, Place};

use super::nest::{Nest, Ready, Sink};

impl Gen<'_, '_> {
    pub(super) fn loop_level(
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
            && level.member.is_none()
            && nest.residual.get(k + 1).is_none_or(Vec::is_empty)
            && !nest
                .masks
                .iter()
                .any(|(of, at, _)| self.mask_time(*of, *at, nest) > k)
            && matches!(level.order, Order::Ascending);
        if plain_last
            && !(counted && matches!(sink, Sink::Count { .. } | Sink::Each(_)))
            && nest.copies.is_none()
            && self.whole(ready, sink, packed, k)
        {
            return;
        }
        let _ = exit;
        let (bit, x) = (self.loop_words(nest, 1), self.loop_words(nest, 1));
        let apart = level.member.is_some_and(|it| it.optional);
        let x = if ready.lo == 0 && !apart { bit } else { x };
        self.set_local(level.local, x);
        let cur = if ready.own && !(nest.keeps && self.is_kept()) {
            ready.set
        } else {
            let cur = self.loop_words(nest, ready.n);
            self.mov_n(cur, ready.set, ready.n);
            cur
        };
        let (top, next, done) = (self.label(), self.label(), self.label());
        let mark = self.mark();
        match level.order {
            Order::Ascending => {
                let (first, each) = (self.label(), self.label());
                let missing = level.member.filter(|it| it.optional);
                if missing.is_some() {
                    self.without(k, bit, x, nest, first, each);
                }
                self.bind(first);
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
                self.element(k, bit, x, ready, counted, nest, sink, packed, next, each);
                self.release(mark);
                self.bind(next);
                let to = self.to(top);
                if missing.is_some() && ready.n > 1 {
                    // What stands for a missing member lies behind all words: it does not say where to go on.
                    self.loop_to(first);
                } else if ready.n == 1 {
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
                let each = self.label();
                self.bind(next);
                let to = self.to(done);
                self.op(Op::WidePrev {
                    cur,
                    n: ready.n,
                    d: bit,
                    to,
                });
                self.element(k, bit, x, ready, counted, nest, sink, packed, next, each);
                self.release(mark);
                self.loop_to(next);
            }
            Order::From(seat) => {
                let each = self.label();
                let size = self.domain_size(ready.domain);
                let left = self.loop_words(nest, 1);
                let at = self.loop_words(nest, 1);
                let mark = self.mark();
                self.value_there_to(seat, at);
                let (all, zero) = (self.constant(size as i64 + 1), self.constant(0));
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
                self.wrap(at, size);
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
                self.element(k, bit, x, ready, counted, nest, sink, packed, next, each);
                self.release(mark);
                self.loop_to(next);
            }
        }
        self.bind(done);
    }

    pub(super) fn loop_words(&mut self, nest: &Nest<'_, '_>, n: u16) -> Reg {
        if nest.keeps {
            self.keep(n)
        } else {
            self.temps(n)
        }
    }

    /// One element is bound: what follows from it.
    #[expect(clippy::too_many_arguments, reason = "the state of one loop")]
    pub(super) fn element(
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
        each: Label,
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
        if let Some(member) = level.member {
            let place = place.as_ref().filter(|_| counted);
            self.behind(k, member, x, place, nest, next);
        }
        self.bind(each);
        let outer = nest.copies;
        // Members that are taken together are one way to take them, whichever copies they are.
        if let Some(place) = place.filter(|_| counted && level.member.is_none()) {
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

    pub(super) fn pack(
        &mut self,
        k: usize,
        bit: Reg,
        sink: &Sink<'_>,
        packed: Option<Reg>,
    ) -> Option<Reg> {
        match (sink, packed) {
            (Sink::Emit { slots, .. }, Some(a)) => {
                let slot = slots.get(k)?;
                let e = self.part_of(bit, slot.part);
                let (d, shift) = (self.temp(), slot.shift);
                self.op(Op::Pack { d, a, e, shift });
                Some(d)
            }
            _ => packed,
        }
    }

    /// The coordinate of a place, where a move holds only that.
    fn part_of(&mut self, bit: Reg, part: Option<[u64; 2]>) -> Reg {
        let Some([stride, size]) = part else {
            return bit;
        };
        let mut e = bit;
        if stride > 1 {
            let (d, b) = (self.temp(), self.constant(stride as i64));
            self.op(Op::Div { d, a: e, b });
            e = d;
        }
        let (d, b) = (self.temp(), self.constant(size as i64));
        self.op(Op::Mod { d, a: e, b });
        d
    }

    /// Begins a level without a member where those before it are missing too; else goes to `first`. `bit` is
    /// then what stands for it in a move.
    fn without(
        &mut self,
        k: usize,
        bit: Reg,
        x: Reg,
        nest: &Nest<'_, '_>,
        first: Label,
        each: Label,
    ) {
        let none = self.constant(NONE);
        let before = nest.levels.get(k).and_then(|it| it.member);
        if before.is_some_and(|it| it.before > 0)
            && let Some(before) = k.checked_sub(1).and_then(|at| nest.levels.get(at))
        {
            let b = self.local(before.local);
            let to = self.to(first);
            self.op(Op::JumpNe { a: none, b, to });
        }
        self.mov(x, none);
        let ty = nest
            .levels
            .get(k)
            .map(|it| self.shared.local_type(it.local));
        let size = ty.and_then(|ty| span_of(self.shared.game, ty));
        let behind = self.constant(size.map_or(0, |(_, n)| n as i64));
        self.mov(bit, behind);
        self.jump(each);
    }

    /// A member lies behind the one before it, or is another copy of it.
    fn behind(
        &mut self,
        k: usize,
        member: Member,
        x: Reg,
        place: Option<&Place>,
        nest: &Nest<'_, '_>,
        next: Label,
    ) {
        let before = (1..=member.before)
            .filter_map(|back| nest.levels.get(k.checked_sub(back)?))
            .map(|level| self.local(level.local));
        let before: Vec<Reg> = before.collect();
        let Some(last) = before.first().copied() else {
            return;
        };
        let to = self.to(next);
        self.op(Op::JumpLt { a: x, b: last, to });
        let ok = self.label();
        let Some(place) = place else {
            let to = self.to(next);
            self.op(Op::JumpEq { a: x, b: last, to });
            return;
        };
        let copies = self.temp();
        let mut counted = false;
        for (taken, b) in (1..).zip(before) {
            let to = self.to(ok);
            self.op(Op::JumpNe { a: x, b, to });
            if !counted {
                let at = self.place_reg(place);
                self.op(Op::Copies {
                    d: copies,
                    zone: zone16(place.zone),
                    place: at,
                    kind: x,
                });
                counted = true;
            }
            let least = self.constant(taken + 1);
            let to = self.to(next);
            self.op(Op::JumpLt {
                a: copies,
                b: least,
                to,
            });
        }
        self.bind(ok);
    }

    /// The innermost loop in one operation, where the sink has one.
    pub(super) fn whole(
        &mut self,
        ready: Ready,
        sink: &mut Sink<'_>,
        packed: Option<Reg>,
        k: usize,
    ) -> bool {
        match sink {
            Sink::Emit { slots, .. } => {
                let slot = slots.get(k).filter(|it| it.part.is_none());
                let (Some(a), Some(slot)) = (packed, slot) else {
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
    pub(super) fn counted(&self, place: &Place) -> bool {
        self.shared
            .layout
            .zone(place.zone)
            .is_some_and(|slot| match &slot.store {
                Store::One { .. } | Store::List(_) => false,
                Store::Bag(contents) | Store::Pile { contents, .. } => {
                    matches!(contents, Contents::Counts { .. })
                }
            })
    }

    /// Numbers without a set.
    pub(super) fn loop_span(
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
        self.value_there_to(first, x);
        self.value_there_to(end, last);
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
