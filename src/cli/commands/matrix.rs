//! Rulings under each other reading and with each set of shipped amendments.

use std::ops::Range;

use super::games::amendments_of;
use crate::cli::CliError;
use crate::cli::load::{self, Asked, Budget, Checked};
use crate::diagnostic::Diagnostic;
use crate::engine::Program;
use crate::model::{Base, Game, Ruling};
use crate::play::setting_value;
use crate::ruling::{self, Came, Column, Matrix, Purse, Ran, Told};

/// What came of some rule sets of a matrix.
#[derive(Default)]
pub struct Columns {
    /// Those that were asked for, in their order.
    pub all: Vec<Column>,
    /// How many rule sets there are.
    pub n_sets: u64,
    /// How many of those that were asked for were not looked at, for want of work.
    pub left_out: usize,
    /// Whether somebody stopped it before these were looked at.
    pub stopped: bool,
}

/// A matrix in the making.
struct Maker<'w> {
    columns: Columns,
    /// Which of the rule sets are looked at.
    wanted: Range<u64>,
    /// Is told how many rule sets were looked at, and says whether to go on.
    watch: &'w mut dyn FnMut(usize) -> bool,
    purse: Purse,
    text: Budget,
}

/// Runs all rulings, and if no number of players was asked for, those too that name another one.
pub fn run_all(asked: &Asked, program: &Program, purse: &mut Purse) -> Result<Vec<Ran>, CliError> {
    run_some(asked, program, purse, &|_| true)
}

/// The same, of those rulings for which this holds.
pub fn run_some(
    asked: &Asked,
    program: &Program,
    purse: &mut Purse,
    wanted: &dyn Fn(&Ruling) -> bool,
) -> Result<Vec<Ran>, CliError> {
    let mut all = purse.pay(program, |it| ruling::run_some(it, wanted));
    if asked.seats.is_none() {
        for count in &program.game.other_tables {
            let mut other = asked.clone();
            other.seats = Some(*count);
            let other = load::load(other)?.program;
            all.extend(purse.pay(&other, |it| {
                ruling::run_some(it, |ruling| ruling.players.is_some() && wanted(ruling))
            }));
        }
    }
    Ok(all)
}

/// Runs the rulings under the rule set asked for, under each other reading, and with each set of
/// shipped amendments, until `watch`, which hears how many there were so far, says no.
pub(super) fn matrix(
    asked: &Asked,
    game: &Game,
    watch: &mut dyn FnMut(usize) -> bool,
) -> Result<Matrix, CliError> {
    let columns = columns(asked, game, 0..u64::MAX, watch)?;
    let mut matrix = Matrix {
        left_out: columns.left_out,
        stopped: columns.stopped,
        ..Matrix::default()
    };
    columns.all.into_iter().for_each(|it| matrix.add(it));
    Ok(matrix)
}

/// The same, of those rule sets alone that are wanted, by their number.
pub fn columns(
    asked: &Asked,
    game: &Game,
    wanted: Range<u64>,
    watch: &mut dyn FnMut(usize) -> bool,
) -> Result<Columns, CliError> {
    let mut maker = Maker {
        columns: Columns::default(),
        wanted,
        watch,
        purse: Purse::default(),
        text: Budget::default(),
    };
    maker.add("default", asked)?;
    maker.add_readings("", asked, game, &[])?;
    let bases = std::iter::once(&game.name).chain(&game.amendments);
    let amendments: Vec<&str> = bases
        .flat_map(|base| amendments_of(base))
        .filter(|name| !game.amendments.iter().any(|with| with == name))
        .collect();
    for (at, name) in amendments.iter().enumerate() {
        let with = amended(asked, &[name]);
        if let Some(program) = maker.add_first(&format!("+ {name}"), &with)? {
            let known: Vec<&str> = game.settings.iter().map(|it| it.name.as_str()).collect();
            maker.add_readings(&format!("+ {name}, "), &with, &program.game, &known)?;
        }
        for other in amendments.iter().skip(at + 1) {
            let with = amended(asked, &[name, other]);
            maker.add(&format!("+ {name} + {other}"), &with)?;
        }
    }
    Ok(maker.columns)
}

/// Returns each reading, other than the chosen one, of each question that is not known, with the rules under it.
pub(super) fn readings(asked: &Asked, game: &Game, known: &[&str]) -> Vec<(String, Asked)> {
    let mut all = Vec::new();
    let questions = game.settings.iter().filter(|it| it.question && it.asked);
    for setting in questions.filter(|it| !known.contains(&it.name.as_str())) {
        let Base::Elem(domain) = setting.ty.base else {
            continue;
        };
        let size = game.domains.get(domain.index()).map_or(0, |it| it.size);
        for value in (0..i64::try_from(size).unwrap_or(0)).filter(|it| *it != setting.value) {
            let reading = setting_value(game, setting, value);
            let mut with = asked.clone();
            with.set.retain(|(name, _)| *name != setting.name);
            with.set.push((setting.name.clone(), reading.clone()));
            all.push((format!("{} = {reading}", setting.name), with));
        }
    }
    all
}

fn amended(asked: &Asked, names: &[&str]) -> Asked {
    let mut with = asked.clone();
    with.amendments
        .extend(names.iter().map(|name| (*name).to_owned()));
    with
}

impl Maker<'_> {
    /// Adds a rule set for each reading, other than the chosen one, of each question that is not known.
    fn add_readings(
        &mut self,
        before: &str,
        asked: &Asked,
        game: &Game,
        known: &[&str],
    ) -> Result<(), CliError> {
        for (reading, with) in readings(asked, game, known) {
            self.add(&format!("{before}{reading}"), &with)?;
        }
        Ok(())
    }

    /// Adds a rule set, if it is wanted.
    fn add(&mut self, name: &str, asked: &Asked) -> Result<(), CliError> {
        if self.wanted.contains(&self.columns.n_sets) {
            self.look(name, asked)?;
        }
        self.columns.n_sets += 1;
        Ok(())
    }

    /// The same of one whose readings are rule sets too; returns its rules, if they can be played.
    fn add_first(&mut self, name: &str, asked: &Asked) -> Result<Option<Program>, CliError> {
        let is_wanted = self.wanted.contains(&self.columns.n_sets);
        self.columns.n_sets += 1;
        match is_wanted {
            true => self.look(name, asked),
            false => Ok(load::read_with(asked, self.text.memory())?.program),
        }
    }

    /// Runs the rulings under a rule set, if there is time for it; returns its rules, if they can be played.
    fn look(&mut self, name: &str, asked: &Asked) -> Result<Option<Program>, CliError> {
        let columns = &mut self.columns;
        columns.stopped = columns.stopped || !(self.watch)(columns.all.len());
        if columns.stopped || self.text.is_empty() || self.purse.is_empty() {
            columns.left_out += 1;
            return Ok(None);
        }
        let Checked {
            program,
            diagnostics,
            ..
        } = self.text.read(asked)?;
        let came = match &program {
            Some(program) => {
                let ran = run_all(asked, program, &mut self.purse)?;
                Came::Ran(ran.into_iter().map(Told::of).collect())
            }
            None => {
                let mut errors = diagnostics.iter().filter(|it| it.is_error());
                let code = errors.next().map(|it: &Diagnostic| it.code.id());
                Came::Conflict(code.unwrap_or("?").to_owned())
            }
        };
        let set = name.to_owned();
        self.columns.all.push(Column { set, came });
        Ok(program)
    }
}
