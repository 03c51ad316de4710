//! Invariants about what never changes: judged once, when a rulebook is compiled.

use crate::model::text::Form;
use std::collections::HashMap;

use super::fault::Fault;
use super::r#gen::{Shared, Tier};
use super::machine::Machine;
use super::program::Program;
use super::query::{Query, Value};
use super::text::{members, print, print_value};
use super::work::COMMAND_WORK;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{
    AggregateOp, Base, Binder, DefineId, Expr, ExprKind, Game, Invariant, LocalId, Node, Over,
    TableId, TemplatePart, each_in_expr,
};
use crate::source::Span;

/// Most values of one invariant that are told.
const MOST_TOLD: usize = 10;
/// Most combinations of values that are looked at one by one.
const MOST_JUDGED: usize = 1_000_000;

/// Says where invariants that read no state do not hold.
pub(super) fn broken(program: &Program) -> Vec<Diagnostic> {
    let game = &*program.game;
    if game.invariants.is_empty() {
        return Vec::new();
    }
    let shared = Shared::new(game, &program.layout, &program.graph, Tier::AsWritten);
    let fixed = game.invariants.iter().filter(|it| is_fixed(&shared, it));
    program.bound_work(COMMAND_WORK);
    let judged = fixed.map_while(|it| {
        // Those that come after the one that took the last of it are not blamed.
        (program.work_left() != Some(0)).then(|| judged(Machine::new(program), it))
    });
    let found = judged.flatten().collect();
    program.unbound_work();
    found
}

/// Whether an invariant says the same in every position.
pub(super) fn is_fixed(shared: &Shared<'_>, it: &Invariant) -> bool {
    let said = it.message.iter().flat_map(|message| &message.parts);
    let mut holes = said.filter_map(hole);
    !shared.reads_state(&it.cond) && !holes.any(|hole| shared.reads_state(hole))
}

fn hole(part: &TemplatePart) -> Option<&Expr> {
    match part {
        TemplatePart::Hole(hole) => Some(hole),
        TemplatePart::Text(_) => None,
    }
}

/// Says where an invariant does not hold in the position of a machine.
pub(super) fn judged(mut machine: Machine<'_>, invariant: &Invariant) -> Vec<Diagnostic> {
    let program = machine.program();
    let whole = Query::plain(program, [&invariant.cond]);
    let whole = whole.and_then(|query| machine.ask(&query));
    let stopped = match whole {
        Ok(values) if values.first().is_some_and(|it| it.scalar() != 0) => return Vec::new(),
        Ok(_) => None,
        Err(fault) => Some(fault),
    };
    let (binders, holds) = match &invariant.cond.kind {
        ExprKind::Aggregate(it) if it.op == AggregateOp::Every => match &it.value {
            Some(holds) => (it.binders.as_slice(), holds),
            None => (&[][..], &invariant.cond),
        },
        _ => (&[][..], &invariant.cond),
    };
    let mut sections = Vec::new();
    let mut section = |expr| {
        sections.push(expr);
        sections.len() - 1
    };
    let ranges = binders.iter().map(|binder| {
        let (from, to) = match &binder.over {
            Over::Set(set) => (Some(set), None),
            Over::Span(from, to) => (Some(from), Some(to)),
            Over::Zone(_) => (None, None),
        };
        Range {
            binder,
            from: from.map(&mut section),
            to: to.map(&mut section),
            guard: binder.guard.as_ref().map(&mut section),
        }
    });
    let ranges: Vec<Range<'_>> = ranges.collect();
    let holds = section(holds);
    let said = invariant.message.iter().flat_map(|it| &it.parts);
    let holes: Vec<usize> = said.filter_map(hole).map(&mut section).collect();
    let inputs: Vec<LocalId> = binders.iter().map(|it| it.local).collect();
    let judge =
        Query::with_inputs(program, &inputs, &sections, Tier::AsWritten).map(|query| Judge {
            machine,
            query,
            invariant,
            values: vec![0; inputs.len()],
            ranges,
            holds,
            holes,
            stopped,
            n_judged: 0,
            n_broken: 0,
            told: Vec::new(),
        });
    match judge {
        Ok(judge) => judge.verdict(),
        Err(fault) => vec![fault.diagnostic()],
    }
}

/// Where the values of a parameter come from, as sections of the query.
struct Range<'i> {
    binder: &'i Binder,
    from: Option<usize>,
    to: Option<usize>,
    guard: Option<usize>,
}

struct Judge<'p, 'i> {
    machine: Machine<'p>,
    query: Query,
    invariant: &'i Invariant,
    values: Vec<i64>,
    ranges: Vec<Range<'i>>,
    holds: usize,
    holes: Vec<usize>,
    /// The fault at which the whole question has stopped.
    stopped: Option<Fault>,
    n_judged: usize,
    n_broken: usize,
    told: Vec<Diagnostic>,
}

impl Judge<'_, '_> {
    fn verdict(mut self) -> Vec<Diagnostic> {
        if let Err(fault) = self.judge(0) {
            let span = self.span();
            let label = format!("asked for {}", self.for_which());
            return vec![fault.diagnostic().label(span, label)];
        }
        let span = self.span();
        let more = self.n_broken.saturating_sub(self.told.len());
        let name = &self.invariant.name;
        if let (true, Some(fault)) = (self.told.is_empty(), &self.stopped) {
            let found = fault.diagnostic();
            self.told.push(found.label(span, "asked here"));
        } else if self.told.is_empty() {
            let message = format!("`{name}` does not hold");
            self.told
                .push(Diagnostic::at(codes::BROKEN_INVARIANT, span, message));
        } else if more > 0 {
            let message = format!("`{name}` does not hold for {more} more");
            self.told
                .push(Diagnostic::at(codes::BROKEN_INVARIANT, span, message));
        }
        self.told
    }

    fn span(&self) -> Span {
        let clauses = &self.machine.program().game.clauses;
        let clause = clauses.get(self.invariant.clause.index());
        clause.map_or(self.invariant.cond.span, |it| it.span)
    }

    fn ask(&mut self, section: usize) -> Result<Value, Fault> {
        self.machine.probe(&self.query, section, &self.values)
    }

    fn holds(&mut self, section: usize) -> Result<bool, Fault> {
        self.ask(section).map(|it| it.scalar() != 0)
    }

    /// Tries every value of the parameters from this one on.
    fn judge(&mut self, at: usize) -> Result<(), Fault> {
        let Some(range) = self.ranges.get(at) else {
            self.n_judged += 1;
            if !self.holds(self.holds)? {
                self.n_broken += 1;
                if self.told.len() < MOST_TOLD {
                    let told = self.tell()?;
                    self.told.push(told);
                }
            }
            return Ok(());
        };
        let (guard, from, to) = (range.guard, range.from, range.to);
        let Some(from) = from else {
            return Ok(());
        };
        let values: Vec<i64> = match (self.ask(from)?, to) {
            (Value::Set(words), _) => {
                let lo = self.least(at);
                members(&words)
                    .map(|it| lo + i64::try_from(it).unwrap_or(0))
                    .collect()
            }
            (Value::Scalar(from), Some(to)) => (from..=self.ask(to)?.scalar()).collect(),
            (Value::Scalar(_), None) => Vec::new(),
        };
        for value in values {
            if self.n_judged >= MOST_JUDGED {
                return Ok(());
            }
            if let Some(slot) = self.values.get_mut(at) {
                *slot = value;
            }
            if match guard {
                Some(guard) => self.holds(guard)?,
                None => true,
            } {
                self.judge(at + 1)?;
            }
        }
        Ok(())
    }

    /// The value of the first member of a set that a parameter ranges over.
    fn least(&self, at: usize) -> i64 {
        let over = self.ranges.get(at).map(|it| &it.binder.over);
        let Some(Over::Set(set)) = over else {
            return 0;
        };
        let Base::Set(domain) = set.ty.base else {
            return 0;
        };
        let domains = &self.machine.program().game.domains;
        domains.get(domain.index()).map_or(0, |it| it.lo)
    }

    /// The finding for the present values.
    fn tell(&mut self) -> Result<Diagnostic, Fault> {
        let game = &self.machine.program().game;
        let name = &self.invariant.name;
        let which = self.for_which();
        let broken = match which.as_str() {
            "" => format!("`{name}` does not hold"),
            _ => format!("`{name}` does not hold for {which}"),
        };
        let message = match &self.invariant.message {
            Some(message) => {
                let mut holes = self.holes.clone().into_iter();
                let mut said = String::new();
                for part in &message.parts {
                    match part {
                        TemplatePart::Text(text) => said.push_str(text),
                        TemplatePart::Hole(hole) => {
                            let Some(section) = holes.next() else {
                                continue;
                            };
                            let value = self.machine.probe(&self.query, section, &self.values)?;
                            said.push_str(&print(&**game, hole.ty, &value, Form::Plain));
                        }
                    }
                }
                said
            }
            None => broken.clone(),
        };
        let label = if message == broken { "" } else { &broken };
        let mut told = Diagnostic::new(codes::BROKEN_INVARIANT, message).label(self.span(), label);
        let locals = self.ranges.iter().map(|it| it.binder.local);
        let known: HashMap<LocalId, i64> = locals.zip(self.values.iter().copied()).collect();
        if let Some(row) = row_of(game, &self.invariant.cond, &known) {
            told = told.label(row, "the first row that is read for it");
        }
        Ok(told)
    }

    /// The present values by name: `d = bend, h = n`.
    fn for_which(&self) -> String {
        let game = &self.machine.program().game;
        let values = self.ranges.iter().zip(&self.values).map(|(range, value)| {
            let local = game.locals.get(range.binder.local.index());
            local.map_or(String::new(), |local| {
                let value = print_value(&**game, local.ty, *value, Form::Plain);
                format!("{} = {value}", local.name)
            })
        });
        values.collect::<Vec<_>>().join(", ")
    }
}

/// Finds the row of a table that an expression reads by the most values that are known.
fn row_of(game: &Game, expr: &Expr, known: &HashMap<LocalId, i64>) -> Option<Span> {
    let mut found = Vec::new();
    rows_read(game, expr, known, &mut Vec::new(), &mut found);
    let most = found.iter().map(|(n, _)| *n).max()?;
    let best = found.into_iter().find(|(n, _)| *n == most);
    best.map(|(_, span)| span)
}

/// Collects the first rows that tables have for the values known, with how many of these they fit.
fn rows_read(
    game: &Game,
    expr: &Expr,
    known: &HashMap<LocalId, i64>,
    open: &mut Vec<DefineId>,
    found: &mut Vec<(usize, Span)>,
) {
    let value = |expr: &Expr| match &expr.kind {
        ExprKind::Local(local) => known.get(local).copied(),
        ExprKind::Value(value) => Some(*value),
        _ => None,
    };
    let mut look = |expr: &Expr| match &expr.kind {
        ExprKind::Table(table, index) => {
            let keys: Vec<Option<i64>> = index.iter().map(value).collect();
            let told =
                |key: &&Expr| matches!(key.kind, ExprKind::Local(it) if known.contains_key(&it));
            let n_told = index.iter().filter(told).count();
            if let Some(row) = first_row(game, *table, &keys).filter(|_| n_told > 0) {
                found.push((n_told, row));
            }
        }
        ExprKind::Call(id, args) if !open.contains(id) => {
            let Some(define) = game.defines.get(id.index()) else {
                return;
            };
            let params = define.params.iter().copied().zip(args.iter().map(value));
            let inner = params.filter_map(|(param, value)| Some((param, value?)));
            open.push(*id);
            rows_read(game, &define.body, &inner.collect(), open, found);
            open.pop();
        }
        _ => {}
    };
    look(expr);
    each_in_expr(expr, &mut |node| {
        if let Node::Expr(inner) = node {
            look(inner);
        }
    });
}

/// The first row whose keys are those that are known.
fn first_row(game: &Game, table: TableId, keys: &[Option<i64>]) -> Option<Span> {
    let table = game.tables.get(table.index())?;
    let fits = |cell: usize| {
        let mut rest = cell as u64;
        table.index.iter().zip(keys).rev().all(|(domain, key)| {
            let domain = game.domains.get(domain.index());
            let (lo, size) = domain.map_or((0, 1), |it| (it.lo, it.size.max(1)));
            let here = lo + i64::try_from(rest % size).unwrap_or(0);
            rest /= size;
            key.is_none_or(|key| key == here)
        })
    };
    let row = table.rows.iter().find(|(cell, _)| fits(*cell));
    row.map(|(_, span)| *span)
}
