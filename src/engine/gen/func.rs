//! One instance: emitting ops and labels.

mod calls;
mod registers;

use std::collections::HashMap;
use std::ops::Range;

use super::facts::Facts;
use super::lifted::Asked;
use super::memo::Memos;
use super::tidy::{place, tidy};
use super::{FRAME_REL, Instance, Key, Overflow, Shared, Source, Tier, UNKNOWN};
use crate::engine::op::{FaultKind, Frame, Op, Pc, Reg};
use crate::model::{Expr, LocalId};
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
    /// Whether somebody may choose in the statement being written.
    pub pauses: bool,
    /// Whether somebody may choose behind it in its block.
    pub pauses_behind: bool,
    /// Where `return` goes, and the word that holds the place to return to.
    pub exit: Option<Label>,
    /// In an ending that may come to its end without saying who wins: whether it has said so.
    pub judged: Option<Reg>,
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
    /// How many questions are answered around the list being written.
    pub cases: u32,
    /// Whether code is written for a board that is full, or for one that is not.
    pub filling: bool,
    /// Whether code is written for where all is there that it reads.
    pub knowing: bool,
    /// Whether code is written for where what is tried out may fault.
    pub trying: bool,
    /// What is known where the code being written is reached.
    pub facts: Facts,
    /// While a set is worked out from others: what has been worked out on the way.
    pub reached: Option<Vec<(Expr, Reg)>>,
    /// What may be kept over the rounds of the loops around the code being written.
    pub memos: Memos,
    /// What is asked once for all that a thing may do.
    pub(super) lifted: Vec<Asked>,
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
            pauses: false,
            pauses_behind: false,
            exit: None,
            judged: None,
            turn: Vec::new(),
            hypothetical: 0,
            asked: None,
            nested_can: 0,
            literal: 0,
            cases: 0,
            filling: false,
            knowing: false,
            trying: false,
            facts: Facts::default(),
            reached: None,
            memos: Memos::default(),
            lifted: Vec::new(),
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
        // What stands before a loop is where that is prepared.
        super::link::thread_jumps(&mut self.ops, |_| false);
        let mut entries = vec![0];
        self.each_entry(&mut |label| {
            if let Some(Some(at)) = labels.get(usize::from(*label)) {
                *label = Pc::try_from(*at).unwrap_or(UNKNOWN);
                entries.push(*at);
            }
        });
        if self.is_looked_through() {
            let pauses = |index: &usize| self.pausing.contains(index);
            let pausing: Vec<usize> = self.calls.iter().map(|it| it.0).filter(pauses).collect();
            let begun = self.spans.iter().chain(&self.origins);
            let statements: Vec<usize> = begun.map(|it| it.0).collect();
            let places = tidy(
                &mut self.ops,
                [&entries, &pausing, &statements],
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

    /// Whether what is worked out twice is looked for. What calls the same twice, or in a loop, may otherwise take as
    /// many times longer as such calls are nested; all else takes some times longer at most.
    fn is_looked_through(&self) -> bool {
        let mut callees: Vec<usize> = self.calls.iter().map(|it| it.1).collect();
        callees.sort_unstable();
        let is_asked_twice = || callees.windows(2).any(|it| it[0] == it[1]);
        let is_in_loop = || {
            let calls_between = |from: usize, to: usize| {
                let mut calls = self.calls.iter();
                calls.any(|(at, _)| (from..=to).contains(at))
            };
            self.ops.iter().enumerate().any(|(at, op)| {
                let (mut op, mut leads_back) = (*op, false);
                op.each_jump(&mut |to| {
                    let to = usize::from(*to);
                    leads_back |= to <= at && calls_between(to, at);
                });
                leads_back
            })
        };
        match self.shared.tier {
            Tier::AsWritten => false,
            Tier::Baseline => is_asked_twice() || is_in_loop(),
            Tier::Optimized => true,
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
        self.overflow_at(what, None);
    }

    /// The same of what stands at one place.
    pub fn overflow_at(&mut self, what: &str, at: Option<Span>) {
        let what = what.to_owned();
        self.shared.overflow.get_or_insert(Overflow { what, at });
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
}
