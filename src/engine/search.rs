//! What searches over positions ask: whether a position is one of those looked for, and for which
//! values.

use super::fault::Fault;
use super::machine::Machine;
use super::program::Program;
use super::query::{Query, Value};
use super::text::members;
use super::vm::Bench;
use crate::model::{Aggregate, AggregateOp, Base, Binder, DomainId, Expr, LocalId, Over, Study};
use crate::source::Span;

/// Most combinations of values for which one position is looked at.
pub const MOST_VALUES: usize = 10_000;

/// What a study asks, compiled once and asked of many positions.
#[derive(Debug)]
pub struct Sought {
    find: Asking,
    /// What the names range over with their conditions, and what must never be reached.
    named: Asking,
    names: Vec<Name>,
    never: Option<usize>,
}

/// Where the values of a name come from, as sections of the query.
#[derive(Debug)]
enum Name {
    /// The members of a set, whose condition they meet; the value of the first one there could be.
    Members(usize, i64),
    /// The numbers from one to another one.
    Span {
        from: usize,
        to: usize,
        guard: Option<usize>,
    },
}

/// The combinations of values for which a position is one of those looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Each with one value for each name.
    pub values: Vec<Vec<i64>>,
    /// Whether there are more than [`MOST_VALUES`] of them.
    pub more: bool,
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

impl Sought {
    /// Compiles what a study of this program asks.
    ///
    /// # Errors
    /// Where it needs more room than the engine has.
    pub fn new(program: &Program, study: &Study) -> Result<Self, Fault> {
        let game = &*program.game;
        let binders = study.binders();
        let mut exprs: Vec<Expr> = Vec::new();
        let mut section = |expr: Expr| {
            exprs.push(expr);
            exprs.len() - 1
        };
        let mut names = Vec::new();
        for binder in binders {
            let domain = match &binder.over {
                Over::Set(set) => match set.ty.base {
                    Base::Set(domain) => Some(domain),
                    _ => None,
                },
                Over::Zone(place) => game.zones.get(place.zone.index()).map(|it| it.component),
                Over::Span(..) => None,
            };
            names.push(match (&binder.over, domain) {
                (Over::Span(from, to), _) => Name::Span {
                    from: section(from.clone()),
                    to: section(to.clone()),
                    guard: binder.guard.clone().map(&mut section),
                },
                (_, domain) => {
                    let domain = domain.unwrap_or(game.seat);
                    let lo = game.domains.get(domain.index()).map_or(0, |it| it.lo);
                    Name::Members(section(members_of(binder, domain, study.find.span)), lo)
                }
            });
        }
        let never = study.never.clone().map(&mut section);
        let inputs: Vec<LocalId> = binders.iter().map(|it| it.local).collect();
        let sections: Vec<&Expr> = exprs.iter().collect();
        Ok(Self {
            find: Asking {
                query: Query::new(program, [&study.find])?,
                bench: Bench::default(),
            },
            named: Asking {
                query: Query::with_inputs(program, &inputs, &sections, program.tier)?,
                bench: Bench::default(),
            },
            names,
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
    pub fn values(&mut self, machine: &mut Machine<'_>) -> Result<Found, Fault> {
        let mut found = Found::default();
        let mut given = vec![0; self.names.len()];
        self.collect(machine, 0, &mut given, &mut found)?;
        Ok(found)
    }

    fn collect(
        &mut self,
        machine: &mut Machine<'_>,
        at: usize,
        given: &mut [i64],
        found: &mut Found,
    ) -> Result<(), Fault> {
        let (members, span, guard) = match self.names.get(at) {
            None if found.values.len() < MOST_VALUES => {
                found.values.push(given.to_vec());
                return Ok(());
            }
            None => {
                found.more = true;
                return Ok(());
            }
            Some(Name::Members(section, lo)) => {
                let (section, lo) = (*section, *lo);
                let Value::Set(words) = self.named.ask(machine, section, given)? else {
                    return Ok(());
                };
                let member = |it: usize| lo.saturating_add(i64::try_from(it).unwrap_or(0));
                let values: Vec<i64> = members(&words).map(member).collect();
                (values, None, None)
            }
            Some(Name::Span { from, to, guard }) => {
                let (from, to, guard) = (*from, *to, *guard);
                let from = self.named.ask(machine, from, given)?.scalar();
                let to = self.named.ask(machine, to, given)?.scalar();
                (Vec::new(), Some(from..=to), guard)
            }
        };
        for value in members.into_iter().chain(span.into_iter().flatten()) {
            if let Some(slot) = given.get_mut(at) {
                *slot = value;
            }
            let fits = match guard {
                Some(guard) => self.named.holds(machine, guard, given)?,
                None => true,
            };
            if fits {
                self.collect(machine, at + 1, given, found)?;
            }
            if found.more {
                break;
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

/// The members that a name ranges over, with its condition, as a set.
fn members_of(binder: &Binder, domain: DomainId, span: Span) -> Expr {
    Expr::set(
        Aggregate::over(AggregateOp::Collect, vec![binder.clone()]),
        domain,
        span,
    )
}
