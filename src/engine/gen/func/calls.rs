//! Calls: arguments, the first and last ops of what is called, levels of recursion.

use super::super::graph::Callee;
use super::super::{FRAME_REL, Key, Source, UNKNOWN};
use super::Gen;
use crate::engine::op::{FaultKind, Op, Point, Reg, word};
use crate::model::{Base, DefineId, Expr, LocalId, ProcId, ProcKind, always_judge};

impl Gen<'_, '_> {
    /// Calls an instance: the arguments lie in `ARGS`, the result too.
    pub fn call(&mut self, callee: Callee) {
        let Some(level) = self.level_of(callee) else {
            self.fail(FaultKind::Depth);
            return;
        };
        let source = match callee {
            Callee::Define(id) => Source::Define(id),
            Callee::Proc(id) => match self.asked {
                Some(asked) if self.shared.is_shorter(id, asked) => Source::Tried(id, asked),
                _ => Source::Proc(id),
            },
            Callee::Action(_) => return,
        };
        let index = self.shared.instance(Key { source, level });
        self.calls.push((self.ops.len(), index));
        if let Callee::Proc(id) = callee
            && self.calls_chooser(id)
        {
            self.pausing.push(self.ops.len());
        }
        self.op(Op::Call {
            to: UNKNOWN,
            work: 0,
        });
        if self.keeps && self.hypothetical == 0 {
            self.frames.push((self.ops.len(), self.kept()));
        }
    }

    /// Whether somebody may choose in a procedure.
    pub fn calls_chooser(&self, id: ProcId) -> bool {
        let proc = self.shared.game.procs.get(id.index());
        proc.is_none_or(|it| it.chooses)
    }

    /// Level of recursion of a callee; `None` where it would be too deep.
    fn level_of(&self, callee: Callee) -> Option<u32> {
        let caller = match self.key.source {
            Source::Define(id) => Callee::Define(id),
            Source::Proc(id) | Source::Tried(id, _) => Callee::Proc(id),
            Source::Start | Source::Fragment(_) => return Some(0),
        };
        let (graph, game) = (&self.shared.graph, self.shared.game);
        if !graph.in_circle(caller, callee) {
            return Some(0);
        }
        let depth = match callee {
            Callee::Define(id) => game.defines.get(id.index()).map_or(0, |d| d.depth),
            Callee::Proc(id) => game.procs.get(id.index()).map_or(0, |p| p.depth),
            Callee::Action(_) => 0,
        };
        if depth == 0 {
            return Some(self.key.level);
        }
        (self.key.level < depth).then_some(self.key.level + 1)
    }

    /// Puts values into the argument words: evaluated first, so that calls within them do no harm. One
    /// that its parameter cannot have is a fault.
    pub fn args(&mut self, args: &[Expr], callee: Callee) {
        let game = self.shared.game;
        let params = match callee {
            Callee::Define(id) => game.defines.get(id.index()).map(|it| &it.params),
            Callee::Proc(id) => game.procs.get(id.index()).map(|it| &it.params),
            Callee::Action(_) => None,
        };
        let mut ready = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let n = self.words(arg.ty);
            let reg = self.temps(n);
            self.value_to(arg, reg);
            if let Some(param) = params.and_then(|it| it.get(at)) {
                self.check_bounds(reg, arg.ty, self.shared.local_type(*param));
            }
            ready.push((reg, n));
        }
        self.args_from(&ready);
    }

    pub fn args_from(&mut self, ready: &[(Reg, u16)]) {
        let mut at = word::ARGS;
        for (reg, n) in ready {
            self.mov_n(at, *reg, *n);
            at = at.saturating_add(*n);
        }
        if at > word::FREE_TEMP {
            self.overflow("the arguments of a call");
        }
    }

    /// The first ops of an instance: takes the arguments and remembers where to return.
    pub fn enter(&mut self, params: &[LocalId]) -> Reg {
        let back = self.keep(1);
        self.kept.back = self.keeps.then_some(back);
        self.mov(back, word::RETURN);
        let mut at = word::ARGS;
        for param in params {
            let n = self.local_words(*param);
            let reg = self.keep(n);
            self.mov_n(reg, at, n);
            self.set_local(*param, reg);
            at += n;
        }
        back
    }

    /// The last ops of an instance.
    pub fn leave(&mut self, back: Reg) {
        self.mov(word::RETURN, back);
        let n = self.frame_size();
        if self.keeps && n > 0 {
            self.op(Op::Clear { d: FRAME_REL, n });
        }
        self.op(Op::Return { a: word::RETURN });
    }

    pub(super) fn define(&mut self, id: DefineId) {
        let Some(define) = self.shared.game.defines.get(id.index()) else {
            return;
        };
        let back = self.enter(&define.params);
        let body = self.shared.expanded_body(id);
        self.at(define.body.span);
        // Calls within the body use the argument words.
        let value = self.value(&body);
        self.check_bounds(value, body.ty, define.ty);
        let n = self.words(define.ty);
        self.mov_n(word::ARGS, value, n);
        self.leave(back);
    }

    pub(super) fn proc(&mut self, id: ProcId) {
        let Some(proc) = self.shared.game.procs.get(id.index()) else {
            return;
        };
        self.keeps = proc.chooses;
        self.pauses = self.keeps;
        let back = self.enter(&proc.params);
        let exit = self.label();
        self.exit = Some(exit);
        let body = self.shared.expanded_block(&proc.body);
        if proc.kind == ProcKind::Ending && !always_judge(&proc.body) {
            let judged = self.temp();
            let no = self.constant(0);
            self.mov(judged, no);
            self.judged = Some(judged);
        }
        self.block(&body);
        if proc.ty.base != Base::Unit {
            self.fail(FaultKind::NoValue);
        } else if proc.kind == ProcKind::Flow && id == self.shared.game.main {
            self.fail(FaultKind::NoEnd);
        }
        self.bind(exit);
        if let Some(a) = self.judged {
            let told = self.label();
            let to = self.to(told);
            self.op(Op::JumpIf { a, to });
            if let Some(clause) = self.shared.game.clauses.get(proc.clause.index()) {
                self.at(clause.span);
            }
            self.fail(FaultKind::NoResult);
            self.bind(told);
        }
        self.leave(back);
    }

    /// A choice point whose labels belong to this instance.
    pub fn add_point(&mut self, point: Point) -> u16 {
        let at = self.shared.code.points.len();
        self.shared.code.points.push(point);
        self.points.push(at);
        u16::try_from(at).unwrap_or(u16::MAX)
    }

    pub fn point_mut(&mut self, point: u16) -> Option<&mut Point> {
        self.shared.code.points.get_mut(usize::from(point))
    }

    /// Whether this is the flow of the whole game, and only the start calls it.
    pub fn is_only_main(&self) -> bool {
        let main = self.shared.game.main;
        self.key.source == Source::Proc(main) && !self.shared.graph.recursive(Callee::Proc(main))
    }
}
