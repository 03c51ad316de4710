//! What the rulebook says is to be measured of many games.

use super::carried::Carrier;
use super::spread::Spread;
use crate::engine::{Machine, Program, Query};
use crate::model::{Expr, Moment};

/// The measures of a program, ready to be taken in many positions.
#[derive(Debug, Default)]
pub struct Measures(Vec<Ready>);

#[derive(Debug)]
struct Ready {
    value: Option<Box<Query>>,
    when: When,
}

#[derive(Debug)]
enum When {
    Turn,
    End,
    Holds(Option<Box<Query>>),
}

/// What one game gave of a measure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// In order.
    pub values: Vec<i64>,
    /// How often it could not be worked out.
    pub failed: u64,
}

/// What many games gave of a measure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// All values.
    pub values: Spread,
    /// How often it could not be worked out.
    pub failed: u64,
    /// The least seed of a game in which that happened.
    pub seed: Option<u64>,
}

impl Measures {
    /// The measures of a program.
    #[must_use]
    pub fn of(program: &Program) -> Measures {
        // What the engine has no room for can nowhere be worked out.
        let ready = |expr: &Expr| Query::new(program, [expr]).ok().map(Box::new);
        let measures = program.game.measures.iter().map(|it| Ready {
            value: ready(&it.value),
            when: match &it.moment {
                Moment::Turn => When::Turn,
                Moment::End => When::End,
                Moment::When(condition) => When::Holds(ready(condition)),
            },
        });
        Measures(measures.collect())
    }

    /// Whether nothing is to be measured.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn nothing(&self) -> Vec<Taken> {
        vec![Taken::default(); self.0.len()]
    }

    /// Takes what is due where a seat is to choose; the first choice of a turn is new.
    pub(super) fn at_choice(&self, machine: &mut Machine<'_>, is_new: bool, taken: &mut [Taken]) {
        for (ready, taken) in self.0.iter().zip(taken) {
            let due = match &ready.when {
                When::Turn => Ok(is_new),
                When::End => Ok(false),
                When::Holds(condition) => value(condition.as_deref(), machine).map(|it| it != 0),
            };
            taken.note(due, ready.value.as_deref(), machine);
        }
    }

    /// Takes what is due where the game is over.
    pub(super) fn at_end(&self, machine: &mut Machine<'_>, taken: &mut [Taken]) {
        for (ready, taken) in self.0.iter().zip(taken) {
            taken.note(
                Ok(matches!(ready.when, When::End)),
                ready.value.as_deref(),
                machine,
            );
        }
    }
}

/// It could not be worked out.
struct Failed;

fn value(query: Option<&Query>, machine: &mut Machine<'_>) -> Result<i64, Failed> {
    let values = query.and_then(|it| machine.ask(it).ok()).ok_or(Failed)?;
    values.first().map(|it| it.scalar()).ok_or(Failed)
}

impl Taken {
    fn note(&mut self, due: Result<bool, Failed>, of: Option<&Query>, machine: &mut Machine<'_>) {
        let taken = match due {
            Ok(false) => return,
            Ok(true) => value(of, machine),
            Err(failed) => Err(failed),
        };
        match taken {
            Ok(value) => self.values.push(value),
            Err(Failed) => self.failed += 1,
        }
    }

    /// Their mean in thousandths; none where there are none.
    pub(super) fn mean(&self) -> Option<i64> {
        let count = i128::try_from(self.values.len())
            .ok()
            .filter(|it| *it > 0)?;
        let sum: i128 = self.values.iter().map(|it| i128::from(*it)).sum();
        i64::try_from((sum * 1_000).div_euclid(count)).ok()
    }
}

impl Measured {
    pub(super) fn add(&mut self, taken: &Taken, seed: u64) {
        taken.values.iter().for_each(|it| self.values.add(*it));
        if taken.failed > 0 {
            self.failed += taken.failed;
            self.seed = Some(self.seed.map_or(seed, |it| it.min(seed)));
        }
    }

    pub(super) fn carry(&mut self, by: &mut Carrier<'_>) {
        by.inside("values", |by| self.values.carry(by));
        by.number("failed", &mut self.failed);
        let mut seed = self.seed.unwrap_or(0);
        by.value("seed", &mut seed);
        if by.puts_back() {
            self.seed = (self.failed > 0).then_some(seed);
        }
    }

    pub(super) fn merge(&mut self, other: &Measured) {
        self.values.merge(&other.values);
        self.failed += other.failed;
        self.seed = self.seed.into_iter().chain(other.seed).min();
    }
}
