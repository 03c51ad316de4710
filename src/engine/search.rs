//! What searches over positions ask: whether a position is one of those looked for, and for which
//! values.

use super::machine::Machine;
use super::program::{Fault, Program};
use super::query::{Query, Value};
use super::text::members;
use super::vm::Bench;
use crate::model::{Base, Binder, Expr, LocalId, Over, Study};

/// Most combinations of values that one position is found for.
const MOST_FOUND: usize = 10_000;

/// What a study asks, compiled once and asked of many positions.
#[derive(Debug)]
pub struct Sought<'s> {
    find: Asking,
    /// The sets that the names range over, their conditions, and last what must never be reached.
    named: Asking,
    binders: &'s [Binder],
    never: Option<usize>,
}

/// A query with what it keeps from one answer to the next.
#[derive(Debug)]
struct Asking {
    query: Query,
    bench: Bench,
}

impl Asking {
    fn ask(
        &mut self,
        machine: &mut Machine<'_>,
        section: usize,
        inputs: &[i64],
    ) -> Result<Value, Fault> {
        machine.probe_on(&self.query, section, inputs, &mut self.bench)
    }

    fn holds(
        &mut self,
        machine: &mut Machine<'_>,
        section: usize,
        inputs: &[i64],
    ) -> Result<bool, Fault> {
        let value = self.ask(machine, section, inputs)?;
        Ok(value.scalar() != 0)
    }
}

impl<'s> Sought<'s> {
    /// Compiles what a study of this program asks.
    ///
    /// # Errors
    /// Where it needs more room than the engine has.
    pub fn new(program: &Program, study: &'s Study) -> Result<Self, Fault> {
        let binders = study.binders();
        let mut sections: Vec<&Expr> = Vec::new();
        for binder in binders {
            match &binder.over {
                Over::Set(set) => sections.extend([set, set]),
                Over::Span(from, to) => sections.extend([from, to]),
                // What lies in a zone is no value that a name keeps.
                Over::Zone(_) => sections.extend([&study.find, &study.find]),
            }
            sections.push(binder.guard.as_ref().unwrap_or(&study.find));
        }
        let never = study.never.as_ref().map(|never| {
            sections.push(never);
            sections.len() - 1
        });
        let inputs: Vec<LocalId> = binders.iter().map(|it| it.local).collect();
        Ok(Self {
            find: Asking {
                query: Query::new(program, [&study.find])?,
                bench: Bench::default(),
            },
            named: Asking {
                query: Query::with_inputs(program, &inputs, &sections, false)?,
                bench: Bench::default(),
            },
            binders,
            never,
        })
    }

    /// Whether the position of the machine is one of those looked for.
    ///
    /// # Errors
    /// A fault of the condition.
    pub fn is_here(&mut self, machine: &mut Machine<'_>) -> Result<bool, Fault> {
        self.find.holds(machine, 0, &[])
    }

    /// For which values of the names it is one; where nothing is named, once for no values.
    ///
    /// # Errors
    /// A fault of the condition.
    pub fn values(&mut self, machine: &mut Machine<'_>) -> Result<Vec<Vec<i64>>, Fault> {
        let mut found = Vec::new();
        let mut given = vec![0; self.binders.len()];
        self.collect(machine, 0, &mut given, &mut found)?;
        Ok(found)
    }

    fn collect(
        &mut self,
        machine: &mut Machine<'_>,
        at: usize,
        given: &mut [i64],
        found: &mut Vec<Vec<i64>>,
    ) -> Result<(), Fault> {
        let Some(binder) = self.binders.get(at) else {
            found.push(given.to_vec());
            return Ok(());
        };
        let from = self.named.ask(machine, 3 * at, given)?;
        let values: Vec<i64> = match from {
            Value::Set(words) => {
                let lo = least(machine, &binder.over);
                let member = |it: usize| lo + i64::try_from(it).unwrap_or(0);
                members(&words).map(member).collect()
            }
            Value::Scalar(from) => {
                let to = self.named.ask(machine, 3 * at + 1, given)?;
                (from..=to.scalar()).collect()
            }
        };
        for value in values {
            if found.len() >= MOST_FOUND {
                return Ok(());
            }
            if let Some(slot) = given.get_mut(at) {
                *slot = value;
            }
            let fits = binder.guard.is_none() || self.named.holds(machine, 3 * at + 2, given)?;
            if fits {
                self.collect(machine, at + 1, given, found)?;
            }
        }
        Ok(())
    }

    /// Whether the study says what must never be reached.
    #[must_use]
    pub fn forbids(&self) -> bool {
        self.never.is_some()
    }

    /// Whether the position of the machine is one that must never be reached for these values.
    ///
    /// # Errors
    /// A fault of the condition.
    pub fn is_forbidden(
        &mut self,
        machine: &mut Machine<'_>,
        values: &[i64],
    ) -> Result<bool, Fault> {
        match self.never {
            Some(section) => self.named.holds(machine, section, values),
            None => Ok(false),
        }
    }
}

/// The value of the first member of the set that a name ranges over.
fn least(machine: &Machine<'_>, over: &Over) -> i64 {
    let Over::Set(set) = over else {
        return 0;
    };
    let Base::Set(domain) = set.ty.base else {
        return 0;
    };
    let domains = &machine.program().game.domains;
    domains.get(domain.index()).map_or(0, |it| it.lo)
}
