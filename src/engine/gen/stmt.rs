//! Statements.

use super::Gen;
use super::aggregate::levels_of;
use super::graph::Callee;
use super::nest::Sink;
use crate::engine::layout::span_of;
use crate::engine::op::{FaultKind, Op, Reg, ending_word, stream16, word, zone16};
use crate::engine::setup::BEFORE_MAIN;
use crate::model::{
    AssignOp, Base, Expr, Holder, Holding, LocalId, Move, NONE, Place, ProcId, Stmt, StmtKind,
    TrackId, Turns, Type, What, ZoneKind,
};

impl Gen<'_, '_> {
    /// A block.
    pub fn block(&mut self, block: &[Stmt]) {
        let mark = self.mark();
        for stmt in block {
            self.stmt(stmt);
        }
        self.release(mark);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.at(stmt.span);
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
                self.cond(cond, false, no);
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
            StmtKind::ForEach(binders, body) => {
                let (levels, conds) = levels_of(binders);
                let mut each = |r#gen: &mut Gen<'_, '_>, _: Option<Reg>| r#gen.block(body);
                self.nest_in_order(&levels, &conds, &mut Sink::Each(&mut each));
            }
            StmtKind::While(cond, body) => {
                let (top, done) = (self.label(), self.label());
                self.bind(top);
                let inner = self.mark();
                self.cond(cond, false, done);
                self.release(inner);
                self.block(body);
                self.loop_to(top);
                self.bind(done);
            }
            StmtKind::Times(n, body) => {
                let (top, done) = (self.label(), self.label());
                let (left, zero) = (self.keep(1), self.constant(0));
                self.value_to(n, left);
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
                    self.cond(until, true, done);
                    self.release(inner);
                }
                self.loop_to(top);
                self.bind(done);
            }
            StmtKind::Step(clause, body) => {
                let clause = u16::try_from(clause.0).unwrap_or(u16::MAX);
                self.op(Op::Mark { clause });
                // A step groups statements; what it binds is seen behind it.
                for stmt in body {
                    self.stmt(stmt);
                }
                return;
            }
            StmtKind::Choose(choose) => self.choose(choose),
            StmtKind::Window(window) => self.window(window),
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
            StmtKind::Call(proc, args) => {
                self.args(args);
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

    fn let_local(&mut self, local: LocalId, value: &Expr) {
        let n = self.local_words(local);
        let reg = self.keep(n);
        let mark = self.mark();
        self.value_to(value, reg);
        let ty = self.shared.local_type(local);
        self.check_bounds(reg, value.ty, ty);
        self.release(mark);
        self.set_local(local, reg);
    }

    fn call_into(&mut self, local: LocalId, proc: ProcId, args: &[Expr]) {
        let n = self.local_words(local);
        let reg = if self.is_bound(local) {
            self.local(local)
        } else {
            self.keep(n)
        };
        let mark = self.mark();
        self.args(args);
        self.clear_dead();
        self.call(Callee::Proc(proc));
        self.release(mark);
        self.mov_n(reg, word::ARGS, n);
        self.set_local(local, reg);
    }

    /// A new value for a register.
    fn assign(&mut self, d: Reg, op: AssignOp, value: &Expr, ty: Type) {
        let n = self.words(ty);
        let a = self.value(value);
        self.combine_assign(d, d, op, a, value.ty, ty, n);
    }

    #[expect(clippy::too_many_arguments, reason = "one assignment, spelled out")]
    fn combine_assign(
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

    fn set_track(&mut self, track: TrackId, index: &[Expr], op: AssignOp, value: &Expr) {
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

    fn set_field(&mut self, place: &Place, field: usize, op: AssignOp, value: &Expr) {
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

    fn place_field_type(&self, place: &Place, field: usize) -> Option<Type> {
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

    fn match_stmt(
        &mut self,
        subject: &Expr,
        arms: &[(Vec<i64>, Vec<Stmt>)],
        other: Option<&[Stmt]>,
    ) {
        let done = self.label();
        let value = self.temp();
        self.value_to(subject, value);
        for (values, arm) in arms {
            let (take, next) = (self.label(), self.label());
            for v in values {
                let b = self.constant(*v);
                let to = self.to(take);
                self.op(Op::JumpEq { a: value, b, to });
            }
            self.jump(next);
            self.bind(take);
            self.block(arm);
            self.jump(done);
            self.bind(next);
        }
        if let Some(other) = other {
            self.block(other);
        }
        self.bind(done);
    }

    fn turns(&mut self, turns: &Turns) {
        let size = i64::from(self.shared.game.n_seats);
        let n = u16::try_from(size).unwrap_or(1);
        let (me, left) = (self.keep(1), self.keep(1));
        let (all, zero) = (self.constant(size), self.constant(0));
        let (look, play, next, pass, done) = (
            self.label(),
            self.label(),
            self.label(),
            self.label(),
            self.label(),
        );
        self.value_to(&turns.from, me);
        self.mov(left, all);
        self.set_local(turns.me, me);
        self.bind(look);
        let to = self.to(done);
        self.op(Op::JumpLe {
            a: left,
            b: zero,
            to,
        });
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
        if !turns.once {
            // Everybody is looked at again, this seat last.
            let more = self.constant(size + 1);
            self.mov(left, more);
        }
        self.bind(pass);
        self.op(Op::AddK {
            d: left,
            a: left,
            k: -1,
        });
        self.op(Op::AddK { d: me, a: me, k: 1 });
        self.op(Op::Wrap { d: me, a: me, n });
        self.loop_to(look);
        self.bind(done);
    }

    fn return_stmt(&mut self, value: Option<&Expr>) {
        if let Some(value) = value {
            let ty = match self.key.source {
                super::Source::Proc(id) => self.shared.game.procs.get(id.index()).map(|p| p.ty),
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
            Some(exit) => self.jump(exit),
            None => self.fail(FaultKind::Bounds),
        }
    }

    fn end(&mut self, ending: ProcId, args: &[Expr]) {
        self.args(args);
        self.call(Callee::Proc(ending));
        let mark = self.constant(ending_word(ending));
        self.mov(word::ENDING, mark);
        self.op(Op::End);
    }

    fn ranking(&mut self, it: LocalId, keys: &[Expr]) {
        let (seats, n_keys) = (self.shared.game.n_seats, self.shared.layout.keys);
        let outcome = self.shared.layout.outcome;
        let seat = self.temp();
        self.set_local(it, seat);
        for s in 0..seats {
            let value = self.constant(i64::from(s));
            self.mov(seat, value);
            for (at, key) in keys.iter().enumerate() {
                let mark = self.mark();
                let word = u16::try_from(s).unwrap_or(0) * n_keys + u16::try_from(at).unwrap_or(0);
                self.value_to(key, outcome + word);
                self.release(mark);
            }
        }
    }

    fn winner(&mut self, who: &Expr) {
        let (seats, n_keys) = (self.shared.game.n_seats, self.shared.layout.keys);
        let outcome = self.shared.layout.outcome;
        let who = self.value(who);
        for s in 0..seats {
            let seat = self.constant(i64::from(s));
            let word = u16::try_from(s).unwrap_or(0) * n_keys;
            self.op(Op::Eq {
                d: outcome + word,
                a: who,
                b: seat,
            });
        }
    }

    // ---- components

    fn move_stmt(&mut self, moved: &Move) {
        match &moved.what {
            What::At(from) => {
                let (zone, at, kind) = (zone16(from.zone), self.place_reg(from), self.temp());
                self.op(Op::Peek {
                    d: kind,
                    zone,
                    place: at,
                });
                self.op(Op::NeedSome { a: kind });
                let carried = self.carried_fields(from, at, moved);
                self.op(Op::Take {
                    zone,
                    place: at,
                    kind,
                });
                self.put(moved, kind, &carried);
            }
            What::All(from) => {
                let (place, target) = (self.place_reg(from), self.place_reg(&moved.to));
                let (from, to) = (zone16(from.zone), zone16(moved.to.zone));
                self.op(Op::MoveAll {
                    from,
                    place,
                    to,
                    target,
                });
            }
            What::Top(from, stream) => {
                let (zone, at, kind) = (zone16(from.zone), self.place_reg(from), self.temp());
                let drawn = self.label();
                self.op(Op::Top {
                    d: kind,
                    zone,
                    place: at,
                });
                let (none, to) = (self.constant(NONE), self.to(drawn));
                self.op(Op::JumpNe {
                    a: kind,
                    b: none,
                    to,
                });
                self.op(Op::Draw {
                    d: kind,
                    zone,
                    place: at,
                    stream: stream16(*stream),
                });
                self.bind(drawn);
                self.taken(kind);
                self.op(Op::Take {
                    zone,
                    place: at,
                    kind,
                });
                self.put(moved, kind, &[]);
            }
            What::Copies(count, value, holding) => {
                self.move_copies(moved, count.as_ref(), value, holding)
            }
            What::Draw(count, from, stream) => {
                let (zone, stream) = (zone16(from.zone), stream16(*stream));
                self.times(count.as_ref(), &mut |r#gen| {
                    let (at, kind) = (r#gen.place_reg(from), r#gen.temp());
                    r#gen.op(Op::Draw {
                        d: kind,
                        zone,
                        place: at,
                        stream,
                    });
                    r#gen.taken(kind);
                    r#gen.op(Op::Take {
                        zone,
                        place: at,
                        kind,
                    });
                    r#gen.put(moved, kind, &[]);
                });
            }
        }
    }

    /// A fault where there was nothing to take.
    fn taken(&mut self, kind: Reg) {
        let zero = self.constant(0);
        let most = self.constant(i64::MAX);
        self.op(Op::Check {
            a: kind,
            lo: zero,
            hi: most,
            fault: FaultKind::Missing,
        });
    }

    fn times(&mut self, count: Option<&Expr>, body: &mut dyn FnMut(&mut Self)) {
        let Some(count) = count else {
            return body(self);
        };
        let (left, zero) = (self.temp(), self.constant(0));
        let (top, done) = (self.label(), self.label());
        self.value_to(count, left);
        let most = self.constant(i64::MAX);
        self.op(Op::Check {
            a: left,
            lo: zero,
            hi: most,
            fault: FaultKind::Bounds,
        });
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
        let mark = self.mark();
        body(self);
        self.release(mark);
        self.loop_to(top);
        self.bind(done);
    }

    fn move_copies(&mut self, moved: &Move, count: Option<&Expr>, value: &Expr, holding: &Holding) {
        let kind = self.temp();
        self.value_to(value, kind);
        if value.ty.optional {
            self.op(Op::NeedSome { a: kind });
        }
        self.times(count, &mut |r#gen| match holding {
            Holding::Place(from) => {
                let (zone, at) = (zone16(from.zone), r#gen.place_reg(from));
                let carried = r#gen.carried_fields(from, at, moved);
                r#gen.op(Op::Take {
                    zone,
                    place: at,
                    kind,
                });
                r#gen.put(moved, kind, &carried);
            }
            Holding::Anywhere(from) => {
                let (zone, at) = (zone16(*from), r#gen.temp());
                r#gen.op(Op::Find { d: at, zone, kind });
                r#gen.taken(at);
                r#gen.op(Op::Take {
                    zone,
                    place: at,
                    kind,
                });
                r#gen.put(moved, kind, &[]);
            }
        });
    }

    /// Fields of the old place that the new one has too and the move does not set.
    fn carried_fields(&mut self, from: &Place, at: Reg, moved: &Move) -> Vec<(usize, Reg)> {
        let game = self.shared.game;
        let (Some(old), Some(new)) = (
            game.zones.get(from.zone.index()),
            game.zones.get(moved.to.zone.index()),
        ) else {
            return Vec::new();
        };
        if old.kind != ZoneKind::One {
            return Vec::new();
        }
        let mut carried = Vec::new();
        for (goal, field) in new.fields.iter().enumerate() {
            let given = moved.with.iter().any(|(f, _)| *f == goal);
            let source = old
                .fields
                .iter()
                .position(|f| f.name == field.name && f.ty == field.ty);
            if let Some(source) = source.filter(|_| !given) {
                let d = self.temp();
                let source = u16::try_from(source).unwrap_or(u16::MAX);
                self.op(Op::GetField {
                    d,
                    zone: zone16(from.zone),
                    place: at,
                    field: source,
                });
                carried.push((goal, d));
            }
        }
        carried
    }

    /// Puts a component down, with the fields of its place.
    fn put(&mut self, moved: &Move, kind: Reg, carried: &[(usize, Reg)]) {
        let to = &moved.to;
        let zone = zone16(to.zone);
        let fields = self
            .shared
            .game
            .zones
            .get(to.zone.index())
            .map(|z| z.fields.clone());
        let mut values = Vec::new();
        for (at, field) in fields.unwrap_or_default().iter().enumerate() {
            let given = moved
                .with
                .iter()
                .find(|(f, _)| *f == at)
                .map(|(_, value)| value);
            let carried = carried.iter().find(|(f, _)| *f == at).map(|(_, reg)| *reg);
            let reg = match (given, carried, &field.default) {
                (Some(value), _, _) => {
                    let reg = self.value(value);
                    self.check_bounds(reg, value.ty, field.ty);
                    reg
                }
                (None, Some(reg), _) => reg,
                (None, None, Some(default)) => self.value(default),
                (None, None, None) => self.least_of(field.ty),
            };
            values.push((u16::try_from(at).unwrap_or(u16::MAX), reg));
        }
        let place = self.place_reg(to);
        self.op(Op::Put { zone, place, kind });
        for (field, a) in values {
            self.op(Op::PutField {
                zone,
                place,
                field,
                a,
            });
        }
    }

    fn least_of(&mut self, ty: Type) -> Reg {
        let lo = span_of(self.shared.game, ty).map_or(0, |(lo, _)| lo);
        self.constant(if ty.optional { NONE } else { lo })
    }

    fn exchange(&mut self, one: &Holder, other: &Holder) {
        let (a, b) = (self.held(one), self.held(other));
        for (zone, place, kind) in [a, b] {
            self.op(Op::Take { zone, place, kind });
        }
        self.op(Op::Put {
            zone: a.0,
            place: a.1,
            kind: b.2,
        });
        self.op(Op::Put {
            zone: b.0,
            place: b.1,
            kind: a.2,
        });
        for (holder, (zone, place, _)) in [(one, a), (other, b)] {
            if let Holder::At(at) = holder {
                self.default_fields(at, zone, place);
            }
        }
    }

    fn default_fields(&mut self, at: &Place, zone: u16, place: Reg) {
        let fields = self
            .shared
            .game
            .zones
            .get(at.zone.index())
            .map(|z| z.fields.clone());
        for (index, field) in fields.unwrap_or_default().iter().enumerate() {
            let a = match &field.default {
                Some(default) => self.value(default),
                None => self.least_of(field.ty),
            };
            let field = u16::try_from(index).unwrap_or(u16::MAX);
            self.op(Op::PutField {
                zone,
                place,
                field,
                a,
            });
        }
    }

    fn held(&mut self, holder: &Holder) -> (u16, Reg, Reg) {
        match holder {
            Holder::At(place) => {
                let (zone, at, kind) = (zone16(place.zone), self.place_reg(place), self.temp());
                self.op(Op::Peek {
                    d: kind,
                    zone,
                    place: at,
                });
                self.op(Op::NeedSome { a: kind });
                (zone, at, kind)
            }
            Holder::Copy(value, place) => {
                let kind = self.temp();
                self.value_to(value, kind);
                (zone16(place.zone), self.place_reg(place), kind)
            }
        }
    }

    // ---- start

    /// Tracks, supplies, `main`.
    pub fn start(&mut self) {
        let game = self.shared.game;
        for (at, track) in game.tracks.iter().enumerate() {
            let Some(slot) = self.shared.layout.tracks.get(at).copied() else {
                continue;
            };
            let mark = self.mark();
            self.at(track.init.span);
            let mut init = track.init.clone();
            self.shared.expand(&mut init);
            let value = self.value(&init);
            self.check_bounds(value, init.ty, track.ty);
            let (i, one) = (self.temp(), self.constant(1));
            let (zero, len) = (self.constant(0), self.constant(i64::from(slot.len)));
            let top = self.label();
            self.mov(i, zero);
            self.bind(top);
            if slot.set_words > 0 {
                self.op(Op::StoreWide {
                    base: slot.array.base,
                    i,
                    a: value,
                    n: slot.set_words,
                });
            } else {
                self.store(slot.array, super::place::Index::Inside(i), value);
            }
            self.op(Op::Add { d: i, a: i, b: one });
            let to = self.to(top);
            self.op(Op::JumpLt { a: i, b: len, to });
            self.release(mark);
        }
        for supply in &game.supplies {
            self.supply(supply);
        }
        self.op(Op::Mark {
            clause: BEFORE_MAIN,
        });
        self.call(Callee::Proc(game.main));
        self.fail(FaultKind::NoEnd);
    }

    fn supply(&mut self, supply: &crate::model::Supply) {
        let mark = self.mark();
        let kinds = self.domain_size(supply.component);
        let (kind, zero) = (self.temp(), self.constant(0));
        let all = self.constant(i64::try_from(kinds).unwrap_or(i64::MAX));
        let (top, next) = (self.label(), self.label());
        self.set_local(supply.it, kind);
        self.mov(kind, zero);
        self.bind(top);
        if let Some(guard) = &supply.guard {
            let mut guard = guard.clone();
            self.shared.expand(&mut guard);
            self.cond(&guard, false, next);
        }
        let mut count = supply.count.clone();
        self.shared.expand(&mut count);
        let mut place = Place {
            zone: supply.zone,
            index: supply.index.clone(),
        };
        place
            .index
            .iter_mut()
            .for_each(|index| self.shared.expand(index));
        self.times(Some(&count), &mut |r#gen| {
            let at = r#gen.place_reg(&place);
            r#gen.op(Op::Put {
                zone: zone16(place.zone),
                place: at,
                kind,
            });
        });
        // Nobody has seen in which order things were put there.
        let at = self.place_reg(&place);
        self.op(Op::Shuffle {
            zone: zone16(place.zone),
            place: at,
        });
        self.bind(next);
        self.op(Op::AddK {
            d: kind,
            a: kind,
            k: 1,
        });
        let to = self.to(top);
        self.op(Op::JumpLt {
            a: kind,
            b: all,
            to,
        });
        self.release(mark);
    }
}
