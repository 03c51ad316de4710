//! One instance: emitting ops, registers, labels, constants.

use std::collections::HashMap;
use std::ops::Range;

use super::facts::Facts;
use super::graph::Callee;
use super::memo::Memos;
use super::tidy::{place, tidy};
use super::{FRAME_REL, Instance, Key, Shared, Source, UNKNOWN};
use crate::engine::layout::words_of;
use crate::engine::op::{CONSTS, FaultKind, Frame, Op, Pc, Reg, TEMPS, word};
use crate::model::{DomainId, Expr, LocalId, ProcId, ProcKind, Type};
use crate::source::Span;

/// A place in the code that jumps refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Label(usize);

/// Most temporaries of one instance.
const MOST_TEMPS: u16 = 16_000;

/// Temporaries that values have of their own before they are packed.
const MOST_APART: u16 = 4_096;

/// Compiles one instance.
pub(in crate::engine) struct Gen<'s, 'g> {
    pub shared: &'s mut Shared<'g>,
    pub key: Key,
    ops: Vec<Op>,
    spans: Vec<(usize, Span)>,
    /// The expressions that ops work out, by the first op.
    origins: Vec<(usize, Span)>,
    labels: Vec<Option<usize>>,
    env: HashMap<LocalId, Reg>,
    temp: u16,
    most_temps: u16,
    frame: u16,
    most_frame: u16,
    calls: Vec<(usize, usize)>,
    /// Ops that call what may let somebody choose.
    pausing: Vec<usize>,
    points: Vec<usize>,
    frames: Vec<(usize, Frame)>,
    /// What is kept where the code being written is reached.
    kept: Frame,
    /// Ops that clear the rest of the frame, and the word that they begin at.
    dead: Vec<(usize, u16)>,
    /// Whether locals must survive a choice.
    pub keeps: bool,
    /// Where `return` goes, and the word that holds the place to return to.
    pub exit: Option<Label>,
    /// Innermost `turns`: `next` and `again`.
    pub turn: Vec<(Label, Label)>,
    /// Depth of `after` around the code being written.
    pub hypothetical: u32,
    /// What is asked of the statements being written, if not all: an index into `Shared::asked_after`.
    pub asked: Option<u32>,
    /// Depth of `can` within conditions of `can`.
    pub nested_can: u32,
    /// Whether code is written for what is rarely come to: as the rules are, and not twice.
    pub literal: u32,
    /// What is known where the code being written is reached.
    pub facts: Facts,
    /// Masks worked out before a loop, by the address of their condition in the tree.
    pub masks: HashMap<usize, Reg>,
    /// While a set is worked out from others: what has been worked out on the way.
    pub reached: Option<Vec<(Expr, Reg)>>,
    /// What may be kept over the rounds of the loops around the code being written.
    pub memos: Memos,
}

/// What is worked out around an expression, and what is at hand there.
pub(in crate::engine) type Around = (Span, Option<Vec<(Expr, Reg)>>);

/// Registers to give back.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Mark {
    temp: u16,
    frame: u16,
}

impl<'s, 'g> Gen<'s, 'g> {
    pub(super) fn new(shared: &'s mut Shared<'g>, key: Key) -> Self {
        Self {
            shared,
            key,
            ops: Vec::new(),
            spans: Vec::new(),
            origins: Vec::new(),
            labels: Vec::new(),
            env: HashMap::new(),
            temp: 0,
            most_temps: 0,
            frame: 0,
            most_frame: 0,
            calls: Vec::new(),
            pausing: Vec::new(),
            points: Vec::new(),
            frames: Vec::new(),
            kept: Frame::default(),
            dead: Vec::new(),
            keeps: false,
            exit: None,
            turn: Vec::new(),
            hypothetical: 0,
            asked: None,
            nested_can: 0,
            literal: 0,
            facts: Facts::default(),
            masks: HashMap::new(),
            reached: None,
            memos: Memos::default(),
        }
    }

    pub fn instance(shared: &'s mut Shared<'g>, key: Key) -> Instance {
        let mut r#gen = Gen::new(shared, key);
        match key.source {
            Source::Start => r#gen.start(),
            Source::Proc(proc) => r#gen.proc(proc),
            Source::Tried(proc, asked) => {
                r#gen.asked = Some(asked);
                r#gen.proc(proc);
            }
            Source::Define(define) => r#gen.define(define),
            Source::Fragment(_) => {}
        }
        r#gen.done()
    }

    pub fn fragment(
        shared: &'s mut Shared<'g>,
        key: Key,
        emit: &mut dyn FnMut(&mut Gen<'_, '_>),
    ) -> Instance {
        let mut r#gen = Gen::new(shared, key);
        emit(&mut r#gen);
        r#gen.op(Op::Halt);
        r#gen.done()
    }

    fn done(mut self) -> Instance {
        let labels = std::mem::take(&mut self.labels);
        for (index, from) in std::mem::take(&mut self.dead) {
            if let Some(op) = self.ops.get_mut(index) {
                *op = Op::Clear {
                    d: FRAME_REL + from,
                    n: self.most_frame - from,
                };
            }
        }
        for op in &mut self.ops {
            op.each_target(&mut |target| {
                if let Some(Some(at)) = labels.get(usize::from(*target)) {
                    *target = Pc::try_from(*at).unwrap_or(UNKNOWN);
                }
            });
        }
        super::link::thread_jumps(&mut self.ops);
        let mut entries = vec![0];
        self.each_entry(&mut |label| {
            if let Some(Some(at)) = labels.get(usize::from(*label)) {
                *label = Pc::try_from(*at).unwrap_or(UNKNOWN);
                entries.push(*at);
            }
        });
        if !self.shared.plain {
            let pauses = |index: &usize| self.pausing.contains(index);
            let pausing: Vec<usize> = self.calls.iter().map(|it| it.0).filter(pauses).collect();
            let places = tidy(
                &mut self.ops,
                &entries,
                &pausing,
                &mut self.most_temps,
                &self.shared.code,
                self.shared.layout,
            );
            let new = |old: usize| places.get(old).copied().unwrap_or(old);
            self.each_entry(&mut |entry| *entry = place(&places, *entry));
            self.calls.iter_mut().for_each(|(at, _)| *at = new(*at));
            self.spans.iter_mut().for_each(|(at, _)| *at = new(*at));
            self.origins.iter_mut().for_each(|(at, _)| *at = new(*at));
            self.frames.iter_mut().for_each(|(at, _)| *at = new(*at));
        }
        if self.most_temps > MOST_TEMPS || self.ops.len() >= usize::from(UNKNOWN) {
            self.overflow("a procedure");
        }
        Instance {
            key: self.key,
            ops: self.ops,
            spans: self.spans,
            origins: self.origins,
            frame: self.most_frame,
            temps: self.most_temps,
            calls: self.calls,
            points: self.points,
            frames: self.frames,
        }
    }

    /// Calls `f` with each place where a choice goes on.
    fn each_entry(&mut self, f: &mut dyn FnMut(&mut Pc)) {
        for point in &self.points {
            if let Some(point) = self.shared.code.points.get_mut(*point) {
                f(&mut point.list);
                point.alts.iter_mut().for_each(|alt| f(&mut alt.entry));
            }
        }
    }

    /// Notes that something does not fit; the code is then thrown away.
    pub fn overflow(&mut self, what: &str) {
        self.shared.overflow.get_or_insert_with(|| what.to_owned());
    }

    // ---- code

    pub fn op(&mut self, op: Op) {
        self.ops.push(op);
    }

    /// The place of the next operation.
    pub fn next_op(&self) -> usize {
        self.ops.len()
    }

    pub fn op_at(&self, at: usize) -> Option<Op> {
        self.ops.get(at).copied()
    }

    pub fn replace_op(&mut self, at: usize, op: Op) {
        if let Some(old) = self.ops.get_mut(at) {
            *old = op;
        }
    }

    /// The jumps backwards among operations: where each leads, and where it stands.
    pub fn ways_back(&self, ops: Range<usize>) -> Vec<(usize, usize)> {
        let mut ways = Vec::new();
        for at in ops {
            let Some(mut op) = self.op_at(at) else {
                break;
            };
            op.each_target(&mut |to| {
                let label = self.labels.get(usize::from(*to)).copied().flatten();
                ways.extend(label.filter(|to| *to <= at).map(|to| (to, at)));
            });
        }
        ways
    }

    /// Whether one of these operations may jump behind the last of them, but no further than to `last`.
    pub fn ways_past(&self, ops: Range<usize>, last: usize) -> bool {
        let mut found = false;
        for mut op in ops.clone().filter_map(|at| self.op_at(at)) {
            op.each_target(&mut |to| {
                let label = self.labels.get(usize::from(*to)).copied().flatten();
                found |= label.is_some_and(|to| ops.end < to && to <= last);
            });
        }
        found
    }

    /// Lets jumps to one label lead to another.
    pub fn lead(&mut self, ops: Range<usize>, from: Pc, to: Pc) {
        for op in self.ops.get_mut(ops).unwrap_or_default() {
            if !matches!(op, Op::Call { .. }) {
                op.each_target(&mut |target| {
                    if *target == from {
                        *target = to;
                    }
                });
            }
        }
    }

    /// What follows comes from this place of the rulebook.
    pub fn at(&mut self, span: Span) {
        self.spans.push((self.ops.len(), span));
        self.within(span);
    }

    /// What follows works an expression out that stands here; returns what the ops before worked out.
    pub fn within(&mut self, span: Span) -> Span {
        let here = self.ops.len();
        let before = self.origins.last().copied();
        match self.origins.last_mut() {
            Some((first, last)) if *first == here => *last = span,
            _ => self.origins.push((here, span)),
        }
        before.map_or(span, |(_, it)| it)
    }

    /// What follows works an expression out, perhaps on one way of several.
    pub fn begin(&mut self, span: Span) -> Around {
        (self.within(span), self.reached.take())
    }

    /// What follows works out again what the expression is a part of.
    pub fn finish(&mut self, around: Around) {
        self.within(around.0);
        self.reached = around.1;
    }

    /// The place from which what follows comes.
    pub fn here(&self) -> Span {
        self.spans.last().map_or_else(Span::default, |(_, it)| *it)
    }

    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    pub fn bind(&mut self, label: Label) {
        let here = self.ops.len();
        if let Some(slot) = self.labels.get_mut(label.0) {
            *slot = Some(here);
        }
    }

    /// The label as it stands in an op until the instance is done.
    pub fn to(&mut self, label: Label) -> Pc {
        if label.0 >= usize::from(UNKNOWN) {
            self.overflow("a procedure");
        }
        Pc::try_from(label.0).unwrap_or(UNKNOWN)
    }

    pub fn jump(&mut self, label: Label) {
        let to = self.to(label);
        self.op(Op::Jump { to });
    }

    pub fn loop_to(&mut self, label: Label) {
        let to = self.to(label);
        self.op(Op::Loop { to });
    }

    pub fn fail(&mut self, fault: FaultKind) {
        self.op(Op::Fail { fault });
    }

    // ---- registers

    pub fn mark(&self) -> Mark {
        Mark {
            temp: self.temp,
            frame: self.frame,
        }
    }

    pub fn release(&mut self, mark: Mark) {
        // What is known already is looked for where it was put: each value has its own place, and in the end
        // they share as few as they need.
        if self.shared.plain || self.temp > MOST_APART {
            self.temp = mark.temp.max(self.memos.held);
        }
        self.frame = mark.frame;
        let end = FRAME_REL + mark.frame;
        self.kept.locals.retain(|(_, reg)| *reg < end);
    }

    /// The first register that is free.
    pub fn next_temp(&self) -> Reg {
        word::FREE_TEMP + self.temp
    }

    /// How many registers are in use.
    pub fn temps_in_use(&self) -> u16 {
        self.temp
    }

    /// Whether values no longer have registers of their own.
    pub fn is_crowded(&self) -> bool {
        self.temp > MOST_APART
    }

    /// Registers to build a value in that is to end up in `d`: `d` itself, unless it may hold something
    /// that the value is made of.
    pub fn own(&mut self, d: Reg, n: u16) -> Reg {
        if (word::FREE_TEMP..CONSTS).contains(&d) {
            d
        } else {
            self.temps(n)
        }
    }

    /// Registers until the next `release`.
    pub fn temps(&mut self, n: u16) -> Reg {
        let at = self.temp;
        self.temp = self.temp.saturating_add(n);
        self.most_temps = self.most_temps.max(self.temp);
        if self.temp > MOST_TEMPS {
            self.overflow("a procedure");
            return word::FREE_TEMP;
        }
        word::FREE_TEMP + at
    }

    pub fn temp(&mut self) -> Reg {
        self.temps(1)
    }

    /// Registers that keep their value while somebody chooses, if this code may choose.
    pub fn keep(&mut self, n: u16) -> Reg {
        if !self.keeps || self.hypothetical > 0 {
            return self.temps(n);
        }
        let at = self.frame;
        self.frame = self.frame.saturating_add(n);
        self.most_frame = self.most_frame.max(self.frame);
        if FRAME_REL.saturating_add(self.frame) >= TEMPS {
            self.overflow("the locals of a flow");
            return FRAME_REL;
        }
        FRAME_REL + at
    }

    /// Zeroes the words of the frame that are not in use, so that equal positions are equal blocks.
    pub fn clear_dead(&mut self) {
        if self.keeps && self.hypothetical == 0 {
            self.dead.push((self.ops.len(), self.frame));
            self.op(Op::Clear { d: FRAME_REL, n: 0 });
        }
    }

    /// Size of the frame so far.
    pub fn frame_size(&self) -> u16 {
        self.most_frame
    }

    pub fn constant(&mut self, value: i64) -> Reg {
        self.word(value as u64)
    }

    pub fn word(&mut self, value: u64) -> Reg {
        if let Some(reg) = self.shared.consts.get(&value) {
            return *reg;
        }
        let at = self.shared.code.consts.len();
        if at >= usize::from(u16::MAX - CONSTS) {
            self.overflow("the constants");
            return CONSTS;
        }
        self.shared.code.consts.push(value);
        let reg = CONSTS + u16::try_from(at).unwrap_or(0);
        self.shared.consts.insert(value, reg);
        reg
    }

    /// A set as constants in a row.
    pub fn constant_words(&mut self, words: &[u64]) -> Reg {
        if let [value] = words {
            return self.word(*value);
        }
        let consts = &mut self.shared.code.consts;
        let found = consts.windows(words.len().max(1)).position(|w| w == words);
        let at = found.unwrap_or_else(|| {
            consts.extend_from_slice(words);
            consts.len() - words.len()
        });
        if at + words.len() >= usize::from(u16::MAX - CONSTS) {
            self.overflow("the constants");
            return CONSTS;
        }
        CONSTS + u16::try_from(at).unwrap_or(0)
    }

    // ---- locals

    /// Where a local lives.
    pub fn local(&mut self, local: LocalId) -> Reg {
        match self.env.get(&local) {
            Some(reg) => *reg,
            None => {
                self.overflow("a local that is not bound");
                word::FREE_TEMP
            }
        }
    }

    pub fn is_bound(&self, local: LocalId) -> bool {
        self.env.contains_key(&local)
    }

    /// From here on the local is this register.
    pub fn set_local(&mut self, local: LocalId, reg: Reg) {
        self.env.insert(local, reg);
        self.note_since(local, reg);
        if self.keeps && (FRAME_REL..TEMPS).contains(&reg) {
            self.kept.locals.retain(|(other, _)| *other != local);
            self.kept.locals.push((local, reg));
        }
    }

    /// What is kept of this procedure here.
    pub fn kept(&self) -> Frame {
        self.kept.clone()
    }

    /// Words of a local's value.
    pub fn local_words(&self, local: LocalId) -> u16 {
        self.words(self.shared.local_type(local))
    }

    pub fn words(&self, ty: Type) -> u16 {
        words_of(self.shared.game, ty)
    }

    pub fn domain_size(&self, domain: DomainId) -> u64 {
        self.shared
            .game
            .domains
            .get(domain.index())
            .map_or(1, |d| d.size)
    }

    pub fn domain_lo(&self, domain: DomainId) -> i64 {
        self.shared
            .game
            .domains
            .get(domain.index())
            .map_or(0, |d| d.lo)
    }

    // ---- moving words

    pub fn mov(&mut self, d: Reg, a: Reg) {
        if d != a {
            self.op(Op::Mov { d, a });
        }
    }

    pub fn mov_n(&mut self, d: Reg, a: Reg, n: u16) {
        if d == a {
            return;
        }
        if n == 1 {
            self.op(Op::Mov { d, a });
        } else {
            self.op(Op::WideMov { d, a, n });
        }
    }

    // ---- calls

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
        let of_proc = |id: ProcId| self.shared.game.procs.get(id.index());
        if let Callee::Proc(id) = callee
            && of_proc(id).is_none_or(|it| it.chooses)
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

    fn define(&mut self, id: crate::model::DefineId) {
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

    fn proc(&mut self, id: crate::model::ProcId) {
        let Some(proc) = self.shared.game.procs.get(id.index()) else {
            return;
        };
        self.keeps = proc.chooses;
        let back = self.enter(&proc.params);
        let exit = self.label();
        self.exit = Some(exit);
        let body = self.shared.expanded_block(&proc.body);
        self.block(&body);
        if proc.ty.base != crate::model::Base::Unit {
            self.fail(FaultKind::NoValue);
        } else if proc.kind == ProcKind::Flow && id == self.shared.game.main {
            self.fail(FaultKind::NoEnd);
        }
        self.bind(exit);
        self.leave(back);
    }

    /// A choice point whose labels belong to this instance.
    pub fn add_point(&mut self, point: crate::engine::op::Point) -> u16 {
        let at = self.shared.code.points.len();
        self.shared.code.points.push(point);
        self.points.push(at);
        u16::try_from(at).unwrap_or(u16::MAX)
    }

    pub fn point_mut(&mut self, point: u16) -> Option<&mut crate::engine::op::Point> {
        self.shared.code.points.get_mut(usize::from(point))
    }
}
