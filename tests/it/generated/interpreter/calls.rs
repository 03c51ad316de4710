//! Definitions and procedures that call each other.

use adit::engine::FaultKind;
use adit::model::{Base, DefineId, Expr, LocalId, ProcId, ProcKind, Stmt};

use super::statements::Flow;
use super::{Ended, Found, Frame, Interpreter, Stop, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Callee {
    Define(DefineId),
    Proc(ProcId),
}

impl Interpreter<'_> {
    /// Enters a call; what comes back to itself directly goes one level deeper.
    fn enter(&mut self, callee: Callee, depth: u32) -> Found<Frame> {
        let level = match self.frame.callee {
            Some(caller) if caller == callee => self.frame.level + 1,
            _ => 0,
        };
        if level > depth {
            return self.fault(FaultKind::Depth);
        }
        let frame = Frame {
            callee: Some(callee),
            level,
            ..Frame::default()
        };
        Ok(std::mem::replace(&mut self.frame, frame))
    }

    pub(super) fn define(&mut self, id: DefineId, args: &[Expr]) -> Found {
        let define = &self.game.defines[id.index()];
        let args = self.arguments(&define.params, args)?;
        let outer = self.enter(Callee::Define(id), define.depth)?;
        for (param, arg) in define.params.iter().zip(args) {
            self.bind(*param, arg);
        }
        let value = self.value(&define.body)?;
        self.trail.push(define.body.span);
        let value = self.fitting(value, define.ty)?;
        self.trail.pop();
        self.frame = outer;
        Ok(value)
    }

    /// From the left to the right: one that does not fit is a fault before the next is looked at.
    fn arguments(&mut self, params: &[LocalId], args: &[Expr]) -> Found<Vec<Value>> {
        let params = params.iter().zip(args);
        params
            .map(|(param, arg)| {
                let arg = self.value(arg)?;
                self.fitting(arg, self.game.locals[param.index()].ty)
            })
            .collect()
    }

    /// Calls an event, flow or ending; what it returns.
    pub(super) fn proc(&mut self, id: ProcId, args: &[Expr]) -> Found<Result<Value, Ended>> {
        let args = self.arguments(&self.game.procs[id.index()].params, args)?;
        self.proc_with(id, args)
    }

    pub(super) fn proc_with(
        &mut self,
        id: ProcId,
        args: Vec<Value>,
    ) -> Found<Result<Value, Ended>> {
        let proc = &self.game.procs[id.index()];
        let outer = self.enter(Callee::Proc(id), proc.depth)?;
        for (param, arg) in proc.params.iter().zip(args) {
            self.bind(*param, arg);
        }
        let flow = self.block(&proc.body)?;
        self.frame = outer;
        match flow {
            Flow::Return(value) => Ok(Ok(value)),
            Flow::End(ended) => Ok(Err(ended)),
            Flow::On if proc.ty.base != Base::Unit => self.fault(FaultKind::NoValue),
            Flow::On if proc.kind == ProcKind::Flow && id == self.game.main => {
                self.fault(FaultKind::NoEnd)
            }
            Flow::On => Ok(Ok(Value::None)),
            Flow::Next | Flow::Again => panic!("`next` outside of turns"),
        }
    }

    /// Plays a whole game.
    pub fn play(&mut self) -> Found<Ended> {
        for (at, track) in self.game.tracks.iter().enumerate() {
            let value = self.value(&track.init)?;
            let value = self.fitting(value, track.ty)?;
            self.table.tracks[at].fill(value);
        }
        self.supply()?;
        match self.proc(self.game.main, &[])? {
            Err(ended) => Ok(ended),
            Ok(_) => self.fault(FaultKind::NoEnd),
        }
    }

    /// The value of an expression at a table that stands as it does.
    pub fn ask(&mut self, expr: &Expr) -> Found {
        self.steps = 0;
        self.trail.clear();
        self.frame = Frame::default();
        self.value(expr)
    }

    /// Sets the tracks as they are when a game begins.
    pub fn lay_out(&mut self) -> Found<()> {
        for (at, track) in self.game.tracks.iter().enumerate() {
            let value = self.ask(&track.init)?;
            let value = self.fitting(value, track.ty)?;
            self.table.tracks[at].fill(value);
        }
        self.supply()
    }

    pub(super) fn after(&mut self, body: &[Stmt], value: &Expr) -> Found {
        let (table, stopped) = (self.table.clone(), self.stopped);
        let locals = self.frame.locals.clone();
        self.stopped = false;
        self.inside += 1;
        if let Flow::End(_) = self.block(body)? {
            self.stopped = true;
        }
        let value = self.value(value)?;
        self.inside -= 1;
        self.stopped = stopped;
        self.table = table;
        self.frame.locals = locals;
        Ok(value)
    }

    /// Goes to an ending.
    pub(super) fn end(&mut self, ending: ProcId, args: &[Expr]) -> Found<Ended> {
        let figures = std::mem::take(&mut self.figures);
        match self.proc(ending, args)? {
            Ok(_) => {}
            Err(_) => return Err(Stop::Disagreed("an ending ended".into())),
        }
        let found = std::mem::replace(&mut self.figures, figures);
        Ok((ending, found))
    }
}
