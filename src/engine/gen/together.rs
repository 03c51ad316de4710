//! Choices that seats make at the same time: each is kept until all are made, then one is done after the other.

use super::Gen;
use super::aggregate::levels_of;
use super::choice::DECLINE;
use super::nest::Sink;
use crate::engine::op::{FaultKind, Op, Pending, Reg, word};
use crate::limits::MOST_SEATS;
use crate::model::{Choose, Together};

impl Gen<'_, '_> {
    /// `together s in S { choose s: … }`.
    pub(super) fn together(&mut self, together: &Together) {
        let Some(choose) = together.choose() else {
            return;
        };
        let n_seats = self.shared.game.n_seats;
        // A set of them is one word.
        if i64::from(n_seats) > i64::from(MOST_SEATS) {
            return self.overflow("a choice of more than 64 seats at the same time");
        }
        let zero = self.constant(0);
        let mut fresh = || {
            let reg = self.keep(1);
            self.mov(reg, zero);
            reg
        };
        let mut pending = Pending {
            seat: fresh(),
            all: fresh(),
            left: fresh(),
            idle: fresh(),
            moves: Vec::new(),
        };
        pending.moves.extend((0..n_seats).map(|_| fresh()));
        self.all_who_choose(together, pending.all);
        self.set_local(together.seats.local, pending.seat);
        self.mov(pending.left, pending.all);
        self.ask_all(choose, &pending);
        self.do_all(choose, &pending);
    }

    fn all_who_choose(&mut self, together: &Together, all: Reg) {
        let local = together.seats.local;
        let (levels, conds) = levels_of(std::slice::from_ref(&together.seats));
        let mut each = |r#gen: &mut Gen<'_, '_>, _: Option<Reg>| {
            let seat = r#gen.local(local);
            r#gen.op(Op::SetBit { d: all, e: seat });
        };
        self.nest_in_order(&levels, &conds, &mut Sink::Each(&mut each));
    }

    /// Asks one after the other; nothing changes but what is kept of it.
    fn ask_all(&mut self, choose: &Choose, pending: &Pending) {
        let (next, list, empty) = (self.label(), self.label(), self.label());
        let (chosen, done) = (self.label(), self.label());
        self.bind(next);
        let to = self.to(done);
        self.op(Op::JumpEmpty {
            set: pending.left,
            n: 1,
            to,
        });
        self.op(Op::First {
            d: pending.seat,
            a: pending.left,
            n: 1,
        });
        let point = self.open_point(list, choose.clause, choose.who.span);
        if let Some(point) = self.point_mut(point) {
            point.pending = Some(pending.clone());
        }
        self.bind(list);
        self.ask(&choose.who);
        let mut entries = Vec::new();
        self.in_one_position(|it| {
            let offers = choose.alts.iter().map(|alt| it.offer(point, alt));
            entries.extend(offers);
        });
        entries.extend(choose.may.then(|| self.offer_text(point, DECLINE)));
        let to = self.to(empty);
        self.op(Op::Stop { point, empty: to });
        // Whatever it is, it is kept.
        for entry in entries {
            self.bind(entry);
        }
        self.by_seat(pending, |it, kept| it.mov(kept, word::MOVE));
        self.jump(chosen);
        self.bind(empty);
        match choose.otherwise {
            Some(_) => self.op(Op::SetBit {
                d: pending.idle,
                e: pending.seat,
            }),
            None => self.fail(FaultKind::NoChoice),
        }
        self.bind(chosen);
        let own = self.temp();
        self.op(Op::Bit {
            d: own,
            e: pending.seat,
        });
        self.op(Op::AndNot {
            d: pending.left,
            a: pending.left,
            b: own,
        });
        self.loop_to(next);
        self.bind(done);
    }

    /// Does something with the word in which the move of the seat in question is kept.
    fn by_seat(&mut self, pending: &Pending, mut each: impl FnMut(&mut Self, Reg)) {
        for (seat, kept) in (0..).zip(&pending.moves) {
            let (other, of) = (self.label(), self.constant(seat));
            let to = self.to(other);
            self.op(Op::JumpNe {
                a: pending.seat,
                b: of,
                to,
            });
            each(self, *kept);
            self.bind(other);
        }
    }

    /// Does what they chose, in the order of the seats.
    fn do_all(&mut self, choose: &Choose, pending: &Pending) {
        let (next, idle, done) = (self.label(), self.label(), self.label());
        self.mov(pending.left, pending.all);
        self.bind(next);
        let to = self.to(done);
        self.op(Op::Next {
            cur: pending.left,
            d: pending.seat,
            to,
        });
        let to = self.to(idle);
        self.op(Op::JumpIn {
            set: pending.idle,
            e: pending.seat,
            to,
        });
        self.mov(word::WHO, pending.seat);
        self.by_seat(pending, |it, kept| it.mov(word::MOVE, kept));
        let which = self.temp();
        self.op(Op::Unpack {
            d: which,
            shift: 0,
            bits: 8,
        });
        for (at, alt) in (0..).zip(&choose.alts) {
            let (other, of) = (self.label(), self.constant(at));
            let to = self.to(other);
            self.op(Op::JumpNe {
                a: which,
                b: of,
                to,
            });
            self.enter_alt(alt);
            self.loop_to(next);
            self.bind(other);
        }
        // To decline does nothing.
        self.loop_to(next);
        self.bind(idle);
        self.otherwise(choose.otherwise.as_deref());
        self.loop_to(next);
        self.bind(done);
    }
}
