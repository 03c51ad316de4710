//! Statements.

use super::Gen;
use super::aggregate::levels_of;
use super::func::Label;
use super::graph::Callee;
use super::nest::Sink;
use super::placed::{MOST_PLACED, SMALL};
use crate::engine::op::{FaultKind, Op, Reg, ending_word, word, zone16};
use crate::model::{
    AssignOp, Base, Expr, LocalId, NONE, Place, ProcId, Stmt, StmtKind, TellingId, TrackId, Turns,
    Type,
};

/// Words that are handed out with what is told: fewer than there are for arguments.
const MOST_READ: usize = 250;

impl Gen<'_, '_> {
    /// A block.
    pub fn block(&mut self, block: &[Stmt]) {
        let (mark, known) = (self.mark(), self.facts.mark());
        self.stmts(block, false);
        self.facts.release(known);
        self.release(mark);
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        if self.is_unasked(stmt) {
            return;
        }
        let around = self.here();
        self.at(stmt.span);
        self.stmt_here(stmt);
        // What lies around goes on behind it.
        self.at(around);
    }

    /// A condition; a fault in it shows it, not all that hangs on it.
    pub(super) fn cond_at(&mut self, cond: &Expr, sense: bool, to: Label) {
        let around = self.here();
        self.at(cond.span);
        self.cond(cond, sense, to);
        self.at(around);
    }

    fn stmt_here(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            // What these bind must outlive the statement.
            StmtKind::Let(local, value) => return self.let_local(*local, value),
            StmtKind::CallInto(local, proc, args) => return self.call_into(*local, *proc, args),
            StmtKind::Pick(pick) => return self.pick(pick),
            _ => {}
        }
        let mark = self.mark();
        match &stmt.kind {
            StmtKind::Let(..) | StmtKind::CallInto(..) | StmtKind::Pick(_) => {}
            StmtKind::SetLocal(local, op, value) => {
                let (d, ty) = (self.local(*local), self.shared.local_type(*local));
                self.assign(d, *op, value, ty);
            }
            StmtKind::SetTrack(track, index, op, value) => {
                self.set_track(*track, index, *op, value)
            }
            StmtKind::SetField(place, field, op, value) => {
                self.set_field(place, *field, *op, value)
            }
            StmtKind::If(cond, then, other) => {
                let (no, done) = (self.label(), self.label());
                self.cond_at(cond, false, no);
                self.block(then);
                if !other.is_empty() {
                    self.jump(done);
                }
                self.bind(no);
                self.block(other);
                self.bind(done);
            }
            StmtKind::Match(subject, arms, other) => {
                self.match_stmt(subject, arms, other.as_deref());
            }
            StmtKind::ForEach(binders, body) if self.pour_those(binders, body) => {}
            StmtKind::ForEach(binders, body) => {
                let mut body = self.shared.opened(body);
                let guard = binders.last().and_then(|it| it.guard.as_ref());
                if let Some(stmt) = self.shared.asked_of_equal(guard, &body) {
                    body = vec![stmt].into();
                }
                let once = self.in_one(binders, &body);
                if let Some(stmt) = once.or_else(|| self.asked_once(binders, &body)) {
                    self.stmt(&stmt);
                    self.release(mark);
                    return;
                }
                let settled = self.settled(binders, &body);
                let (binders, body) = settled
                    .as_ref()
                    .map_or((binders.as_slice(), &*body), |(one, other)| (one, other));
                if self.change_those(binders, body) {
                    self.release(mark);
                    return;
                }
                let (levels, conds) = levels_of(binders);
                let mut each = |r#gen: &mut Gen<'_, '_>, _: Option<Reg>| r#gen.block(body);
                self.nest_in_order(&levels, &conds, &mut Sink::Each(&mut each));
            }
            StmtKind::While(cond, body) => {
                let (top, done) = (self.label(), self.label());
                self.bind(top);
                let inner = self.mark();
                self.cond_at(cond, false, done);
                self.release(inner);
                self.block(body);
                self.loop_to(top);
                self.bind(done);
            }
            StmtKind::Times(n, body) => {
                let (top, done) = (self.label(), self.label());
                let (left, zero) = (self.keep(1), self.constant(0));
                self.value_there_to(n, left);
                self.bind(top);
                let to = self.to(done);
                self.op(Op::JumpLe {
                    a: left,
                    b: zero,
                    to,
                });
                self.op(Op::AddK {
                    d: left,
                    a: left,
                    k: -1,
                });
                self.block(body);
                self.loop_to(top);
                self.bind(done);
            }
            StmtKind::Repeat(body, until) => {
                let (top, done) = (self.label(), self.label());
                self.bind(top);
                self.block(body);
                if let Some(until) = until {
                    let inner = self.mark();
                    self.cond_at(until, true, done);
                    self.release(inner);
                }
                self.loop_to(top);
                self.bind(done);
            }
            StmtKind::Step(clause, body) => {
                let clause = u16::try_from(clause.0).unwrap_or(u16::MAX);
                self.op(Op::Mark { clause });
                // A step groups statements; what it binds is seen behind it.
                self.stmts(body, self.pauses_behind);
                return;
            }
            StmtKind::Choose(choose) => self.choose(choose),
            StmtKind::Window(window) => self.window(window),
            StmtKind::Together(together) => self.together(together),
            StmtKind::Turns(turns) => self.turns(turns),
            StmtKind::Move(moved) => self.move_stmt(moved),
            StmtKind::Exchange(one, other) => self.exchange(one, other),
            StmtKind::Shuffle(place) => {
                let at = self.place_reg(place);
                self.op(Op::Shuffle {
                    zone: zone16(place.zone),
                    place: at,
                });
            }
            StmtKind::Show(place, who) => {
                let at = self.place_reg(place);
                let who = match who {
                    Some(who) => self.value(who),
                    None => self.constant(NONE),
                };
                self.op(Op::Show {
                    zone: zone16(place.zone),
                    place: at,
                    who,
                });
            }
            StmtKind::Tell(id, args) => self.tell(*id, args),
            StmtKind::Call(proc, args) => {
                let most = match self.hypothetical {
                    0 => SMALL,
                    _ => MOST_PLACED,
                };
                if let Some(body) = self.shared.placed(*proc, args, most) {
                    self.block(&body);
                    self.release(mark);
                    return;
                }
                self.args(args, Callee::Proc(*proc));
                self.clear_dead();
                self.call(Callee::Proc(*proc));
            }
            StmtKind::Return(value) => self.return_stmt(value.as_ref()),
            StmtKind::Next => match self.turn.last().copied() {
                Some((next, _)) => self.loop_to(next),
                None => self.fail(FaultKind::Bounds),
            },
            StmtKind::Again => match self.turn.last().copied() {
                Some((_, again)) => self.loop_to(again),
                None => self.fail(FaultKind::Bounds),
            },
            StmtKind::End(proc, args) => self.end(*proc, args),
            StmtKind::Ranking(it, keys) => self.ranking(*it, keys),
            StmtKind::Winner(who) => self.winner(who),
        }
        self.release(mark);
    }

    /// What is told is worked out only where somebody listens.
    fn tell(&mut self, id: TellingId, read: &[Expr]) {
        let words = read.iter().map(|it| self.words(it.ty));
        let words: Vec<u16> = words.collect();
        let n = words.iter().sum();
        if usize::from(n) >= MOST_READ {
            self.overflow("what is told at once");
        }
        let over = self.label();
        if n > 0 {
            let to = self.to(over);
            self.op(Op::Deaf { to });
        }
        let a = self.temps(n);
        let mut at = a;
        for (expr, n) in read.iter().zip(words) {
            self.value_to(expr, at);
            at += n;
        }
        let telling = u16::try_from(id.0).unwrap_or(u16::MAX);
        self.op(Op::Tell { telling, a, n });
        self.bind(over);
    }

    pub(super) fn let_local(&mut self, local: LocalId, value: &Expr) {
        let n = self.local_words(local);
        let reg = self.keep(n);
        let mark = self.mark();
        self.value_to(value, reg);
        let ty = self.shared.local_type(local);
        self.check_bounds(reg, value.ty, ty);
        self.release(mark);
        self.set_local(local, reg);
    }

    pub(super) fn call_into(&mut self, local: LocalId, proc: ProcId, args: &[Expr]) {
        let n = self.local_words(local);
        let reg = if self.is_bound(local) {
            self.local(local)
        } else {
            self.keep(n)
        };
        let mark = self.mark();
        self.args(args, Callee::Proc(proc));
        self.clear_dead();
        self.call(Callee::Proc(proc));
        self.release(mark);
        self.mov_n(reg, word::ARGS, n);
        self.set_local(local, reg);
    }

    /// A new value for a register.
    pub(super) fn assign(&mut self, d: Reg, op: AssignOp, value: &Expr, ty: Type) {
        let n = self.words(ty);
        let a = self.value(value);
        self.combine_assign(d, d, op, a, value.ty, ty, n);
    }

    #[expect(clippy::too_many_arguments, reason = "one assignment, spelled out")]
    pub(super) fn combine_assign(
        &mut self,
        d: Reg,
        old: Reg,
        op: AssignOp,
        a: Reg,
        from: Type,
        ty: Type,
        n: u16,
    ) {
        if matches!(ty.base, Base::Set(_)) {
            match op {
                AssignOp::Set => self.mov_n(d, a, n),
                AssignOp::Add => self.or(d, old, a, n),
                AssignOp::Sub => self.and_not(d, old, a, n),
            }
            return;
        }
        match op {
            AssignOp::Set => {
                self.check_bounds(a, from, ty);
                self.mov(d, a);
            }
            AssignOp::Add | AssignOp::Sub => {
                for (operand, of) in [(old, ty), (a, from)] {
                    if of.optional {
                        self.op(Op::NeedSome { a: operand });
                    }
                }
                let sum = self.temp();
                self.op(if op == AssignOp::Add {
                    Op::Add {
                        d: sum,
                        a: old,
                        b: a,
                    }
                } else {
                    Op::Sub {
                        d: sum,
                        a: old,
                        b: a,
                    }
                });
                let wide = Type::of(Base::Int(i64::MIN / 4, i64::MAX / 4));
                self.check_bounds(sum, wide, ty);
                self.mov(d, sum);
            }
        }
    }

    pub(super) fn set_track(&mut self, track: TrackId, index: &[Expr], op: AssignOp, value: &Expr) {
        let Some(ty) = self.shared.game.tracks.get(track.index()).map(|t| t.ty) else {
            return;
        };
        if let Some(reg) = self.track_register(track, index) {
            return self.assign(reg, op, value, ty);
        }
        let Some(slot) = self.shared.layout.tracks.get(track.index()).copied() else {
            return;
        };
        let n = self.words(ty);
        let a = self.value(value);
        let at = self.track_index(track, index, slot.len);
        let d = self.temps(n);
        if op != AssignOp::Set {
            self.load_track(slot, at, d);
        }
        self.combine_assign(d, d, op, a, value.ty, ty, n);
        if slot.set_words > 0 {
            let i = self.index_reg(at);
            self.op(Op::StoreWide {
                base: slot.array.base,
                i,
                a: d,
                n,
            });
        } else {
            self.store(slot.array, at, d);
        }
    }

    pub(super) fn set_field(&mut self, place: &Place, field: usize, op: AssignOp, value: &Expr) {
        let Some(ty) = self.place_field_type(place, field) else {
            return;
        };
        let a = self.value(value);
        let at = self.place_reg(place);
        let (zone, field) = (zone16(place.zone), u16::try_from(field).unwrap_or(u16::MAX));
        let d = self.temp();
        if op != AssignOp::Set {
            self.op(Op::GetField {
                d,
                zone,
                place: at,
                field,
            });
        }
        self.combine_assign(d, d, op, a, value.ty, ty, 1);
        self.op(Op::PutField {
            zone,
            place: at,
            field,
            a: d,
        });
    }

    pub(super) fn place_field_type(&self, place: &Place, field: usize) -> Option<Type> {
        Some(
            self.shared
                .game
                .zones
                .get(place.zone.index())?
                .fields
                .get(field)?
                .ty,
        )
    }

    pub(super) fn match_stmt(
        &mut self,
        subject: &Expr,
        arms: &[(Vec<i64>, Vec<Stmt>)],
        other: Option<&[Stmt]>,
    ) {
        self.arm_of(
            subject,
            arms,
            |it, arm| it.block(arm),
            |it| match other {
                Some(other) => it.block(other),
                // Only what is missing is none of all the values.
                None if subject.ty.optional => it.fail(FaultKind::Absent),
                None => {}
            },
        );
    }

    pub(super) fn turns(&mut self, turns: &Turns) {
        let size = i64::from(self.shared.game.n_seats);
        let me = self.keep(1);
        // Some are only ended by an end.
        let counted = turns.guard.is_some() || turns.once;
        let left = counted.then(|| (self.keep(1), self.constant(size), self.constant(0)));
        let [look, play, next, pass, done] = [(); 5].map(|()| self.label());
        self.value_there_to(&turns.from, me);
        if let Some((left, all, _)) = left {
            self.mov(left, all);
        }
        self.set_local(turns.me, me);
        self.bind(look);
        if let Some((a, _, b)) = left {
            let to = self.to(done);
            self.op(Op::JumpLe { a, b, to });
        }
        if let Some(guard) = &turns.guard {
            let mark = self.mark();
            self.cond(guard, false, pass);
            self.release(mark);
        }
        self.bind(play);
        self.turn.push((next, play));
        self.block(&turns.body);
        self.turn.pop();
        self.bind(next);
        if let Some((left, ..)) = left.filter(|_| !turns.once) {
            // Everybody is looked at again, this seat last.
            let more = self.constant(size + 1);
            self.mov(left, more);
        }
        self.bind(pass);
        if let Some((d, ..)) = left {
            self.op(Op::AddK { d, a: d, k: -1 });
        }
        self.op(Op::AddK { d: me, a: me, k: 1 });
        self.wrap(me, u64::from(self.shared.game.n_seats));
        self.loop_to(look);
        self.bind(done);
    }

    pub(super) fn return_stmt(&mut self, value: Option<&Expr>) {
        if let Some(value) = value {
            let ty = match self.key.source {
                super::Source::Proc(id) | super::Source::Tried(id, _) => {
                    self.shared.game.procs.get(id.index()).map(|p| p.ty)
                }
                _ => None,
            };
            let n = self.words(value.ty);
            let reg = self.value(value);
            if let Some(ty) = ty {
                self.check_bounds(reg, value.ty, ty);
            }
            self.mov_n(word::ARGS, reg, n);
        }
        match self.exit {
            // Nothing is left to go on with.
            Some(_) if self.is_only_main() => self.fail(FaultKind::NoEnd),
            Some(exit) => self.jump(exit),
            None => self.fail(FaultKind::Bounds),
        }
    }

    pub(super) fn end(&mut self, ending: ProcId, args: &[Expr]) {
        self.args(args, Callee::Proc(ending));
        self.call(Callee::Proc(ending));
        let mark = self.constant(ending_word(ending));
        self.mov(word::ENDING, mark);
        self.op(Op::End);
    }
}
