//! Asking for the value of expressions in the present position.

use super::chance::{Chance, Dice};
use super::fault::Fault;
use super::r#gen::{self, Gen, Tier};
use super::layout::words_of;
use super::machine::Machine;
use super::op::{Code, FaultKind, Op, word};
use super::program::Program;
use super::sight::{Known, Sight};
use super::view::Viewer;
use super::vm::{Bench, Exit, load_consts, run};
use crate::model::{Define, DefineId, Expr, ExprKind, LocalId, ProcId, Type, ZoneId};
use crate::source::Span;

/// A value of any type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A truth value, number or element as `model` defines it.
    Scalar(i64),
    /// A set: one bit for each element of its domain.
    Set(Vec<u64>),
}

impl Value {
    /// The number; of a set its first word.
    #[must_use]
    pub fn scalar(&self) -> i64 {
        match self {
            Self::Scalar(value) => *value,
            Self::Set(words) => words.first().map_or(0, |word| *word as i64),
        }
    }
}

/// Expressions compiled once, to be evaluated in many positions.
#[derive(Debug)]
pub struct Query {
    code: Code,
    /// For each expression, whether it is a set.
    sets: Vec<bool>,
}

/// Runs all sections.
pub(super) const ALL: i64 = -1;

impl Query {
    /// Compiles expressions over the position, such as the conditions of invariants.
    ///
    /// # Errors
    /// Where they need more room than the engine has.
    pub fn new<'e>(
        program: &Program,
        exprs: impl IntoIterator<Item = &'e Expr>,
    ) -> Result<Self, Fault> {
        let exprs: Vec<&Expr> = exprs.into_iter().collect();
        Self::with_inputs(program, &[], &exprs, program.tier)
    }

    /// The same without lowering: evaluated as they are written.
    ///
    /// # Errors
    /// As [`Query::new`].
    pub fn plain<'e>(
        program: &Program,
        exprs: impl IntoIterator<Item = &'e Expr>,
    ) -> Result<Self, Fault> {
        let exprs: Vec<&Expr> = exprs.into_iter().collect();
        Self::with_inputs(program, &[], &exprs, Tier::AsWritten)
    }

    /// Compiles expressions that also read `inputs`, which are given anew each time.
    pub(super) fn with_inputs(
        program: &Program,
        inputs: &[LocalId],
        exprs: &[&Expr],
        tier: Tier,
    ) -> Result<Self, Fault> {
        let game = &*program.game;
        let too_large = || Fault::at(FaultKind::Room, exprs.first().map(|expr| expr.span));
        // Sections are numbered in two bytes.
        if exprs.len() >= usize::from(u16::MAX) {
            return Err(too_large());
        }
        let code = r#gen::fragment(game, &program.layout, &program.graph, tier, &mut |r#gen| {
            sections(r#gen, inputs, exprs);
        })
        .map_err(|_| too_large())?;
        let sets = exprs
            .iter()
            .map(|expr| matches!(expr.ty.base, crate::model::Base::Set(_)))
            .collect();
        Ok(Self { code, sets })
    }

    fn value(&self, id: u16, words: Vec<u64>) -> Value {
        if self.sets.get(usize::from(id)).copied().unwrap_or(false) {
            return Value::Set(words);
        }
        Value::Scalar(words.first().map_or(0, |word| *word as i64))
    }
}

/// One section per expression. The first argument word says which one is wanted.
fn sections(r#gen: &mut Gen<'_, '_>, inputs: &[LocalId], exprs: &[&Expr]) {
    // Calls overwrite the argument words.
    let wanted = r#gen.temp();
    r#gen.mov(wanted, word::ARGS);
    let mut at = word::ARGS + 1;
    let mut given = Vec::new();
    for input in inputs {
        let n = r#gen.local_words(*input);
        let reg = r#gen.temps(n);
        r#gen.mov_n(reg, at, n);
        given.push((*input, reg));
        at = at.saturating_add(n);
    }
    let entries: Vec<_> = exprs.iter().map(|_| r#gen.label()).collect();
    for (id, entry) in (0..).zip(&entries) {
        let (id, to) = (r#gen.constant(id), r#gen.to(*entry));
        r#gen.op(Op::JumpEq {
            a: wanted,
            b: id,
            to,
        });
    }
    let end = r#gen.label();
    for (id, (expr, entry)) in (0_u16..).zip(exprs.iter().zip(entries)) {
        r#gen.bind(entry);
        // An expression may bind the local that another one is given.
        for (input, reg) in &given {
            r#gen.set_local(*input, *reg);
        }
        let mark = r#gen.mark();
        let mut expr = (*expr).clone();
        r#gen.shared.expand(&mut expr);
        r#gen.at(expr.span);
        let n = words_of(r#gen.shared.game, expr.ty);
        let a = r#gen.value(&expr);
        r#gen.op(Op::Note { id, a, n });
        let (only, to) = (r#gen.constant(i64::from(id)), r#gen.to(end));
        r#gen.op(Op::JumpEq {
            a: wanted,
            b: only,
            to,
        });
        r#gen.release(mark);
    }
    r#gen.bind(end);
}

impl Machine<'_> {
    /// The value of an expression that reads nothing but the position.
    ///
    /// # Errors
    /// A fault of the expression; the position is unchanged.
    pub fn evaluate(&mut self, expr: &Expr) -> Result<Value, Fault> {
        let query = Query::new(self.program, [expr])?;
        let fault = match self.probe(&query, 0, &[]) {
            Err(fault) if !matches!(fault.kind, FaultKind::Fuel | FaultKind::Work) => fault,
            answer => return answer,
        };
        // What stands in place of a definition has lost where that is written.
        let written = Query::with_inputs(self.program, &[], &[expr], Tier::AsWritten)?;
        match self.probe(&written, 0, &[]) {
            Err(found) if found.kind == fault.kind => Err(found),
            _ => Err(fault),
        }
    }

    /// The value of an expression that is not a set.
    ///
    /// # Errors
    /// As [`Machine::evaluate`].
    pub fn eval(&mut self, expr: &Expr) -> Result<i64, Fault> {
        self.evaluate(expr).map(|value| value.scalar())
    }

    /// The value of an expression, if it follows from what the viewer sees, and from what it knows for certain to lie where
    /// it does not look.
    ///
    /// # Errors
    /// As [`Machine::evaluate`].
    pub fn evaluate_for(&mut self, viewer: Viewer, expr: &Expr) -> Result<Option<Value>, Fault> {
        match self.may_tell(viewer, expr) {
            true => self.evaluate(expr).map(Some),
            false => Ok(None),
        }
    }

    /// What a definition gives for arguments, if it follows from what the viewer sees and knows for certain. It is compiled once,
    /// however often it is asked for.
    ///
    /// # Errors
    /// As [`Machine::evaluate`].
    pub fn defined_for(
        &mut self,
        viewer: Viewer,
        id: DefineId,
        args: &[i64],
    ) -> Result<Option<Value>, Fault> {
        let program = self.program;
        let at = id.index();
        let (Some(define), Some(slot)) = (program.game.defines.get(at), program.defined.get(at))
        else {
            return Ok(None);
        };
        let call = self.call_of(id, define, args.iter().map(|it| ExprKind::Value(*it)));
        if !self.may_tell(viewer, &call) {
            return Ok(None);
        }
        let query = slot.get_or_init(|| {
            let inputs = define.params.iter().map(|it| ExprKind::Local(*it));
            let call = self.call_of(id, define, inputs);
            Query::with_inputs(program, &define.params, &[&call], program.tier).ok()
        });
        match query.as_ref().map(|it| self.probe(it, 0, args)) {
            Some(Ok(value)) => Ok(Some(value)),
            // Where it lies is found by the arguments.
            Some(Err(_)) | None => self.evaluate(&call).map(Some),
        }
    }

    /// A call of a definition.
    fn call_of(&self, id: DefineId, define: &Define, args: impl Iterator<Item = ExprKind>) -> Expr {
        let locals = &self.program.game.locals;
        let args = define.params.iter().zip(args).map(|(local, kind)| Expr {
            kind,
            ty: locals.get(local.index()).map_or(Type::UNIT, |it| it.ty),
            span: Span::default(),
        });
        Expr {
            kind: ExprKind::Call(id, args.collect()),
            ty: define.ty,
            span: Span::default(),
        }
    }

    /// Whether the value of an expression follows from what the viewer sees, and from what it knows for certain.
    fn may_tell(&mut self, viewer: Viewer, expr: &Expr) -> bool {
        let lacks = Sight::new(self, viewer).lacks(expr, &Known::default());
        let knows = |(zone, place): &(ZoneId, usize)| {
            let size = self
                .program
                .layout
                .zone(*zone)
                .map(|it| it.size(&self.mem, *place));
            let certain = self
                .knowledge
                .at(viewer, *zone, *place)
                .into_iter()
                .flatten();
            size == Some(certain.map(|(_, n)| n).sum())
        };
        lacks.is_some_and(|it| it.iter().all(knows))
    }

    /// The values of all expressions of a query, in order.
    ///
    /// # Errors
    /// The first fault; the position is unchanged.
    pub fn ask(&mut self, query: &Query) -> Result<Vec<Value>, Fault> {
        self.notes(query, ALL, &[], &mut Bench::default())
    }

    /// The values of all expressions of a query with inputs.
    pub(super) fn ask_of(&mut self, query: &Query, inputs: &[i64]) -> Result<Vec<Value>, Fault> {
        self.notes(query, ALL, inputs, &mut Bench::default())
    }

    /// The value of one expression of a query.
    pub(super) fn probe(
        &mut self,
        query: &Query,
        section: usize,
        inputs: &[i64],
    ) -> Result<Value, Fault> {
        self.probe_on(query, section, inputs, &mut Bench::default())
    }

    /// As [`Machine::probe`], on a bench that is kept for this query alone.
    pub(super) fn probe_on(
        &mut self,
        query: &Query,
        section: usize,
        inputs: &[i64],
        bench: &mut Bench,
    ) -> Result<Value, Fault> {
        let wanted = i64::try_from(section).unwrap_or(i64::MAX);
        let notes = self.notes(query, wanted, inputs, bench)?;
        Ok(notes.into_iter().next().unwrap_or(Value::Scalar(0)))
    }

    /// The values of one expression of a query or of all, on a bench that is kept for this query alone.
    pub(super) fn notes(
        &mut self,
        query: &Query,
        wanted: i64,
        inputs: &[i64],
        bench: &mut Bench,
    ) -> Result<Vec<Value>, Fault> {
        let args = usize::from(word::ARGS);
        self.mem[args] = wanted as u64;
        for (slot, input) in self.mem[args + 1..].iter_mut().zip(inputs) {
            *slot = *input as u64;
        }
        // Pure but for `after`, which a fault may leave half done.
        let words = self.words;
        self.before.clear();
        self.before.extend_from_slice(&self.mem[..words]);
        bench.notes.clear();
        let ran = self.run_other(&query.code, bench, &mut Dice::new(0));
        match ran {
            Ok(_) => Ok(bench
                .notes
                .drain(..)
                .map(|(id, words)| query.value(id, words))
                .collect()),
            Err(fault) => {
                self.mem[..words].copy_from_slice(&self.before);
                Err(fault)
            }
        }
    }

    /// Lets an event happen that no choice asked for. The moves listed are those of before.
    pub(super) fn happen<C: Chance>(
        &mut self,
        proc: ProcId,
        chance: &mut C,
    ) -> Result<Exit, Fault> {
        let game = &*self.program.game;
        let Program { layout, graph, .. } = self.program;
        let code = r#gen::procedure(game, layout, graph, Tier::Baseline, proc)
            .map_err(|_| Fault::at(FaultKind::Room, None))?;
        let before = self.save();
        let mut bench = Bench::default();
        let ran = self.run_other(&code, &mut bench, chance);
        ran.inspect_err(|_| self.restore(&before))
    }

    /// Runs code that is not the program's, over the same state.
    fn run_other(
        &mut self,
        code: &Code,
        bench: &mut Bench,
        chance: &mut dyn Chance,
    ) -> Result<Exit, Fault> {
        load_consts(&mut self.mem, code);
        let before = bench.spent;
        bench.most = self.program.work.most();
        let ran = run::<false>(
            &mut self.mem,
            code,
            &self.program.layout,
            self.words,
            code.start,
            bench,
            chance,
        );
        self.program.work.pay(bench.spent - before);
        // What it was about may be a constant of its own.
        let ran = ran.map_err(|trap| self.fault_in(code, trap));
        load_consts(&mut self.mem, self.code);
        ran
    }
}
