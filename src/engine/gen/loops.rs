//! The loops of a nest, one per variable.

use super::Gen;
use super::func::Label;
use crate::engine::layout::{Contents, Store};
use crate::engine::op::{Op, Reg, zone16};
use crate::model::{Expr, Order, Over, Place};

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
            && self.whole(ready, sink, packed, k)
        {
            return;
        }
        let _ = exit;
        let (bit, x) = (self.loop_words(nest, 1), self.loop_words(nest, 1));
        let x = if ready.lo == 0 { bit } else { x };
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
                let size = self.domain_size(ready.domain);
                let left = self.loop_words(nest, 1);
                let at = self.loop_words(nest, 1);
                let mark = self.mark();
                self.value_to(seat, at);
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
                self.element(k, bit, x, ready, counted, nest, sink, packed, next);
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

    pub(super) fn pack(
        &mut self,
        k: usize,
        bit: Reg,
        sink: &Sink<'_>,
        packed: Option<Reg>,
    ) -> Option<Reg> {
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
    pub(super) fn pair(&mut self, first: Reg, second: Reg, place: Option<&Place>, next: Label) {
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
    pub(super) fn whole(
        &mut self,
        ready: Ready,
        sink: &mut Sink<'_>,
        packed: Option<Reg>,
        k: usize,
    ) -> bool {
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
    pub(super) fn counted(&self, place: &Place) -> bool {
        self.shared
            .layout
            .zone(place.zone)
            .is_some_and(|slot| match &slot.store {
                Store::One { .. } | Store::List(_) => false,
                Store::Bag(contents) | Store::Pile { contents, .. } => {
                    matches!(contents, Contents::Counts(_))
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
