//! Statements.

use adit::engine::FaultKind;
use adit::model::{AssignOp, Stmt, StmtKind, Turns, Type};

use super::aggregates::Then;
use super::{Ended, Found, Interpreter, Value};

/// How it goes on behind a statement.
pub(super) enum Flow {
    On,
    Return(Value),
    Next,
    Again,
    End(Ended),
}

/// Leaves the surrounding function unless it simply goes on.
macro_rules! on {
    ($flow:expr) => {
        match $flow {
            Flow::On => {}
            other => return Ok(other),
        }
    };
}

impl Interpreter<'_> {
    pub(super) fn block(&mut self, block: &[Stmt]) -> Found<Flow> {
        for stmt in block {
            on!(self.stmt(stmt)?);
        }
        Ok(Flow::On)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Found<Flow> {
        self.step()?;
        self.trail.push(stmt.span);
        let flow = self.stmt_inside(stmt)?;
        self.trail.pop();
        Ok(flow)
    }

    #[expect(clippy::too_many_lines, reason = "one arm per kind of statement")]
    fn stmt_inside(&mut self, stmt: &Stmt) -> Found<Flow> {
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let value = self.value(value)?;
                let value = self.fitting(value, self.game.locals[local.index()].ty)?;
                self.bind(*local, value);
            }
            StmtKind::SetLocal(local, op, value) => {
                let (value, old) = (self.value(value)?, self.local(*local));
                let ty = self.game.locals[local.index()].ty;
                let value = self.assigned(old, *op, value, ty)?;
                self.bind(*local, value);
            }
            StmtKind::SetTrack(track, index, op, value) => {
                let value = self.value(value)?;
                let declared = &self.game.tracks[track.index()];
                let Some(at) = self.position(&declared.index, index)? else {
                    return self.fault(FaultKind::Outside);
                };
                let old = self.table.tracks[track.index()][at].clone();
                let value = self.assigned(old, *op, value, declared.ty)?;
                self.table.tracks[track.index()][at] = value;
            }
            StmtKind::SetField(place, field, op, value) => {
                let (value, at) = (self.value(value)?, self.place(place)?);
                let ty = self.game.zones[place.zone.index()].fields[*field].ty;
                let old = at.and_then(|at| self.heap(place.zone, at).field(*field));
                let value = match (old, op) {
                    (Some(old), _) => self.assigned(old, *op, value, ty)?,
                    (None, AssignOp::Set) => self.fitting(value, ty)?,
                    (None, _) => return self.fault(FaultKind::Absent),
                };
                self.set_field(place, *field, value)?;
            }
            StmtKind::If(cond, then, other) => {
                let branch = if self.truth(cond)? { then } else { other };
                return self.block(branch);
            }
            StmtKind::Match(subject, arms, other) => {
                let subject = self.value(subject)?;
                let is = |it: &i64| Value::Number(i128::from(*it)) == subject;
                let arm = arms.iter().find(|(heads, _)| heads.iter().any(is));
                match (arm, other) {
                    (Some((_, arm)), _) => return self.block(arm),
                    (None, Some(other)) => return self.block(other),
                    (None, None) => return self.fault(FaultKind::Absent),
                }
            }
            StmtKind::ForEach(binders, body) => {
                if let Some(it) = self.pours(binders, body) {
                    self.move_those(&it)?;
                    return Ok(Flow::On);
                }
                let mut left = Flow::On;
                self.combinations(binders, 1, &mut |this, _| {
                    left = this.block(body)?;
                    Ok(match left {
                        Flow::On => Then::Next,
                        _ => Then::Enough,
                    })
                })?;
                return Ok(left);
            }
            StmtKind::While(cond, body) => {
                while self.truth(cond)? {
                    self.step()?;
                    on!(self.block(body)?);
                }
            }
            StmtKind::Times(n, body) => {
                for _ in 0..self.number(n)? {
                    self.step()?;
                    on!(self.block(body)?);
                }
            }
            StmtKind::Repeat(body, until) => loop {
                self.step()?;
                on!(self.block(body)?);
                if let Some(until) = until
                    && self.truth(until)?
                {
                    break;
                }
            },
            StmtKind::Step(_, body) => return self.block(body),
            StmtKind::Choose(choose) => return self.choose(choose),
            StmtKind::Pick(pick) => return self.pick(pick),
            StmtKind::Window(window) => return self.window(window),
            StmtKind::Together(it) => return self.together(it),
            StmtKind::Turns(turns) => return self.turns(turns),
            StmtKind::Move(it) => self.move_things(it)?,
            StmtKind::Exchange(one, other) => self.exchange(one, other)?,
            StmtKind::Shuffle(place) => self.shuffle(place)?,
            StmtKind::Tell(id, _) => self.tell(&self.game.tellings[id.index()])?,
            StmtKind::Show(place, who) => {
                let at = self.place(place)?;
                if let Some(who) = who {
                    self.number(who)?;
                }
                if at.is_none() {
                    return self.fault(FaultKind::Absent);
                }
            }
            StmtKind::Call(proc, args) => {
                if let Err(ended) = self.proc(*proc, args)? {
                    return Ok(Flow::End(ended));
                }
            }
            StmtKind::CallInto(local, proc, args) => match self.proc(*proc, args)? {
                Ok(value) => self.bind(*local, value),
                Err(ended) => return Ok(Flow::End(ended)),
            },
            StmtKind::Return(value) => {
                let Some(value) = value else {
                    return Ok(Flow::Return(Value::None));
                };
                let value = self.value(value)?;
                let value = match self.frame.callee {
                    Some(super::calls::Callee::Proc(id)) => {
                        self.fitting(value, self.game.procs[id.index()].ty)?
                    }
                    _ => value,
                };
                return Ok(Flow::Return(value));
            }
            StmtKind::Next => return Ok(Flow::Next),
            StmtKind::Again => return Ok(Flow::Again),
            StmtKind::End(ending, args) => {
                return Ok(Flow::End(self.end(*ending, args)?));
            }
            StmtKind::Ranking(it, keys) => {
                for seat in 0..self.game.n_seats {
                    self.bind(*it, Value::Number(i128::from(seat)));
                    let keys = keys.iter().map(|key| self.number(key));
                    let keys = keys.collect::<Found<Vec<i128>>>()?;
                    self.figures.push(keys);
                }
            }
            StmtKind::Winner(who) => {
                let who = self.value(who)?;
                let seats = 0..i128::from(self.game.n_seats);
                let wins = seats.map(|seat| vec![i128::from(who == Value::Number(seat))]);
                self.figures = wins.collect();
            }
        }
        Ok(Flow::On)
    }

    /// The new value of what is assigned to.
    fn assigned(&mut self, old: Value, op: AssignOp, value: Value, ty: Type) -> Found {
        let sum = match (op, old, value) {
            (AssignOp::Set, _, value) => value,
            (AssignOp::Add, Value::Set(old), Value::Set(value)) => Value::Set(&old | &value),
            (AssignOp::Sub, Value::Set(old), Value::Set(value)) => Value::Set(&old - &value),
            (AssignOp::Add, Value::Number(old), Value::Number(value)) => Value::Number(old + value),
            (AssignOp::Sub, Value::Number(old), Value::Number(value)) => Value::Number(old - value),
            _ => return self.fault(FaultKind::Absent),
        };
        self.fitting(sum, ty)
    }

    fn turns(&mut self, turns: &Turns) -> Found<Flow> {
        let seats = i128::from(self.game.n_seats);
        let mut me = self.number(&turns.from)?;
        // Seats in a row that did not play; once round, nobody will.
        let mut looked_at = 0;
        while looked_at < seats {
            self.step()?;
            self.bind(turns.me, Value::Number(me));
            let plays = match &turns.guard {
                Some(guard) => self.truth(guard)?,
                None => true,
            };
            if plays {
                loop {
                    self.step()?;
                    self.bind(turns.me, Value::Number(me));
                    match self.block(&turns.body)? {
                        Flow::On | Flow::Next => break,
                        Flow::Again => {}
                        other => return Ok(other),
                    }
                }
            }
            looked_at = if plays && !turns.once {
                0
            } else {
                looked_at + 1
            };
            me = (me + 1) % seats;
        }
        Ok(Flow::On)
    }
}
