//! Invariants about the position: asked at each choice of games that are played to try the rules.

use super::fault::{Fault, Lack};
use super::r#gen::{Shared, Tier};
use super::machine::{Machine, State};
use super::op::FaultKind;
use super::program::Program;
use super::query::Query;
use super::truths;
use crate::diagnostic::codes;
use crate::model::Invariant;

/// The invariants of a game that read the position; the others were judged when it was compiled.
#[derive(Debug)]
pub struct Invariants {
    query: Query,
    /// Which ones, in the order of the rulebook.
    which: Vec<usize>,
}

impl Invariants {
    /// Makes them ready; none where there are none. Takes as long as compiling so many definitions.
    ///
    /// # Errors
    /// Where they need more room than the engine has.
    pub fn of(program: &Program) -> Result<Option<Self>, Fault> {
        let all = &program.game.invariants;
        if all.is_empty() {
            return Ok(None);
        }
        let shared = Shared::new(
            &program.game,
            &program.layout,
            &program.graph,
            Tier::AsWritten,
        );
        let reads = |it: &&Invariant| !truths::is_fixed(&shared, it);
        let which: Vec<usize> = (0..)
            .zip(all)
            .filter(|it| reads(&it.1))
            .map(|it| it.0)
            .collect();
        if which.is_empty() {
            return Ok(None);
        }
        let conds = which
            .iter()
            .filter_map(|at| all.get(*at))
            .map(|it| &it.cond);
        Ok(Some(Self {
            query: Query::new(program, conds)?,
            which,
        }))
    }

    /// Asks whether all of them hold in the present position. Takes one run over their conditions.
    ///
    /// # Errors
    /// [`FaultKind::Untrue`] with what the first that does not hold says of this position, or the fault at which it
    /// stops.
    pub fn check(&self, machine: &mut Machine<'_>) -> Result<(), Fault> {
        let values = machine.ask(&self.query)?;
        let broken = self
            .which
            .iter()
            .zip(values)
            .find(|(_, it)| it.scalar() == 0);
        match broken {
            Some((at, _)) => Err(told(machine.program(), &machine.save(), *at)),
            None => Ok(()),
        }
    }
}

fn told(program: &Program, position: &State, at: usize) -> Fault {
    let Some(invariant) = program.game.invariants.get(at) else {
        return Fault::at(FaultKind::Untrue, None);
    };
    let mut machine = Machine::new(program);
    machine.load(position);
    let found = truths::judged(machine, invariant);
    // To say for what it does not hold may take more work than to find that it does not.
    let said = found.iter().find(|it| it.code == codes::BROKEN_INVARIANT);
    let text = said.map(|it| it.message.clone());
    let clause = program.game.clauses.get(invariant.clause.index());
    Fault {
        lack: text.map(|text| Lack { text, open: false }),
        ..Fault::at(FaultKind::Untrue, clause.map(|it| it.span))
    }
}
