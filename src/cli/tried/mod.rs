//! What one rule set changes of another: its clauses, its rulings, and many games choice by choice.

mod json;
mod line;
mod proof;
mod reached;
mod said;
mod sighted;
mod words;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;

use super::commands::simulate::{Clock, jobs, only_told};
use super::load::{self, Asked, Loaded, Read};
use super::{CliError, Exit, Ui, files};
use crate::compose::{Change, Dead, How};
use crate::diagnostic::{Diagnostic, codes};
use crate::engine::Program;
use crate::lab::{self, Dealt, Kind, Led, Left, Plan, Reach, Tried, Until};
use crate::pipeline::Memory;
use line::Shown;
use proof::Proven;
use reached::Reached;
use said::{Rulings, changed, dead, other_settings, rulings, warned, wrong_otherwise};

/// How much is played.
#[derive(Args, Debug, Clone)]
pub struct HowArgs {
    /// How many games of each
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// The seed of the first game; the others follow one by one
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Threads; by default one for each processor. What is told does not depend on it
    #[arg(long, value_name = "N", value_parser = jobs)]
    jobs: Option<NonZeroUsize>,
    /// Leave a game off that has not ended after so many choices
    #[arg(long, value_name = "N", default_value_t = MOST_CHOICES, value_parser = clap::value_parser!(u64).range(1..))]
    most_choices: u64,
    /// In place of random games follow all lines of at most so many choices, every move and every outcome of chance
    #[arg(long, value_name = "N", conflicts_with_all = ["games", "seed", "jobs", "most_choices"])]
    prove: Option<u32>,
    /// Begin in the position of this ruling, which both rule sets have, before its moves, in place of the start of the game
    #[arg(long, value_name = "RULING", requires = "prove", conflicts_with_all = ["games", "seed", "jobs", "most_choices"])]
    from: Option<String>,
    /// Look at no more pairs of positions; each takes the memory of two states and about 100 bytes
    #[arg(
        long,
        value_name = "N",
        requires = "prove",
        default_value_t = MOST_PAIRS
    )]
    pairs: usize,
    /// Keep the shortest line to a difference, or to the first fault, as a transcript, for `adit replay FILE`
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

impl HowArgs {
    /// Returns those for so many games, with nothing else said.
    pub fn of(games: u64) -> HowArgs {
        HowArgs {
            games,
            seed: 0,
            jobs: None,
            most_choices: MOST_CHOICES,
            prove: None,
            from: None,
            pairs: MOST_PAIRS,
            save: None,
        }
    }
}

const MOST_CHOICES: u64 = 5_000;
const MOST_PAIRS: usize = 1_000_000;

/// Most games that are led towards what differs.
const MOST_LED: u64 = 1_000;

/// Two rule sets and what is different about them.
struct Outcome {
    sides: [Loaded; 2],
    changes: Vec<(Change, String)>,
    /// What nothing leads to in the second one, though both have it and the first one leads to it.
    dead: Vec<(Dead, String)>,
    /// What is told of the second one when it is checked, and not of the first one.
    warnings: Vec<Diagnostic>,
    /// Settings that both have, with other values: name, before, now.
    set: Vec<(String, [String; 2])>,
    rulings: Rulings,
    /// What was played; nothing where both are the same rules, or for no common number of players.
    played: Option<(Plan, Tried, Left)>,
    /// Games that were led to the clauses that differ, where random ones have not found a difference.
    led: Option<Led>,
    same: bool,
    /// What all lines of play come to, where that was asked for.
    proof: Option<Proven>,
    /// The shortest line to a difference that was found.
    shown: Option<Shown>,
    /// Games of the second one alone, where both are not for one number of players.
    alone: Option<(Plan, Tried, Left)>,
    /// What chance gives otherwise before anybody has chosen, where a difference was found.
    dealt: Option<Dealt>,
}

impl Outcome {
    /// What the games of either have come to, if some were played.
    fn reached(&self) -> Option<Reached> {
        let (_, tried, _) = self.played.as_ref()?;
        Some(Reached::of(&self.sides, tried))
    }

    fn is_fine(&self) -> bool {
        // What is told of answers that the second one asks for is an error under them.
        let wrong = self.warnings.iter().any(Diagnostic::is_error);
        if wrong || self.rulings.failed().next().is_some() {
            return false;
        }
        let is_known = self.proof.as_ref().is_none_or(Proven::is_known);
        if let Some((_, tried, _)) = &self.alone {
            let own = &tried.sides[1];
            return own.faults.is_empty() && own.overlong.is_none();
        }
        let Some((_, tried, _)) = &self.played else {
            return is_known && (self.same || self.proof.is_some());
        };
        let met = self.shown.as_ref().map(|it| it.found.kind);
        let faults = tried.sides.iter().any(|it| !it.faults.is_empty());
        let faults = faults || met == Some(Kind::Fault);
        let stuck = self.reached().is_some_and(|it| it.nobody || it.endless);
        is_known && !faults && !stuck
    }
}

impl HowArgs {
    fn plan(&self) -> Plan {
        Plan {
            first: self.seed,
            games: self.games,
            until: Until::Played,
            jobs: self.jobs.unwrap_or_else(crate::threads::here),
            most_choices: self.most_choices,
            each: false,
            looks: lab::LOOKED_GAMES,
        }
    }
}

/// What is to be played on several machines.
pub fn planned(asked: [Asked; 2], how: &HowArgs) -> Result<([Loaded; 2], Plan), CliError> {
    only_told(&[
        ("--prove", how.prove.is_some()),
        ("--save", how.save.is_some()),
    ])?;
    let read = common(asked)?;
    let seats = read.each_ref().map(seats_of);
    let (changes, set) = said_otherwise(&read);
    let [first, second] = read;
    let sides = [ready(first)?, ready(second)?];
    if seats[0] != seats[1] || is_same(&sides, &changes, &set) {
        let message = "there are no games to be played: both are the same rules, or for other numbers of players";
        let help = "`adit try` and `adit diff` tell what is different about them";
        return Err(CliError::new(codes::BAD_PLAN, message, help));
    }
    Ok((sides, how.plan()))
}

/// Tells how two rule sets differ; the answer is no where the second one cannot be played to the end.
pub fn run(asked: [Asked; 2], how: &HowArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let (mut outcome, at_one_table) = outcome(asked, &|| !ui.is_stopped())?;
    let programs = outcome.sides.each_ref().map(|it| &it.program);
    // How many games are played was asked for.
    programs.iter().for_each(|it| it.unbound_work());
    let plan = how.plan();
    if at_one_table && !outcome.same {
        if let Some(choices) = how.prove {
            let reach = Reach {
                choices,
                pairs: how.pairs,
            };
            let from = how.from.as_deref();
            outcome.proof = Some(proof::search(&outcome.sides, from, reach, ui)?);
        }
        // Behind a difference no line is followed, and the rules may stop there.
        if outcome.proof.as_ref().is_none_or(Proven::goes_on) {
            let programs = outcome.sides.each_ref().map(|it| &it.program);
            outcome.played = Some(played(programs, plan, ui));
        }
    } else if !at_one_table {
        let program = &outcome.sides[1].program;
        outcome.alone = Some(played([program, program], plan, ui));
    }
    outcome.tell(how.save.as_deref(), ui)
}

/// Plays the games of a plan under both.
fn played(programs: [&Program; 2], plan: Plan, ui: &mut Ui<'_>) -> (Plan, Tried, Left) {
    programs.iter().for_each(|it| it.unbound_work());
    let mut clock = Clock::new(ui);
    let (tried, left) = lab::try_out(programs, plan, &mut |tried| {
        clock.tick(tried.games, plan.games, ui);
        !ui.is_stopped()
    });
    ui.progress("");
    (plan, tried, left)
}

/// Tells how two rule sets differ that have been played already.
pub fn tell(
    asked: [Asked; 2],
    played: (Plan, Tried, Left),
    save: Option<&Path>,
    ui: &mut Ui<'_>,
) -> Result<Exit, CliError> {
    let (mut outcome, _) = outcome(asked, &|| !ui.is_stopped())?;
    outcome.played = Some(played);
    outcome.tell(save, ui)
}

/// What is said otherwise, clause by clause, and the settings that have other values.
type Otherwise = (Vec<(Change, String)>, Vec<(String, [String; 2])>);

fn said_otherwise(read: &[Read; 2]) -> Otherwise {
    match read.each_ref().map(|it| it.compiled.composed.as_ref()) {
        [Some(one), Some(other)] => (
            changed(one, other, read),
            other_settings(read.each_ref().map(|it| it.compiled.game.as_deref())),
        ),
        _ => (Vec::new(), Vec::new()),
    }
}

/// Whether both are played alike and must keep the same.
fn is_same(
    sides: &[Loaded; 2],
    changes: &[(Change, String)],
    set: &[(String, [String; 2])],
) -> bool {
    let hashes = sides.each_ref().map(|it| it.program.game.hash);
    let must = |(it, _): &(Change, String)| it.kind == "invariant" && it.how != How::Worded;
    hashes[0] == hashes[1] && set.is_empty() && !changes.iter().any(must)
}

/// Returns what is different before any game is played, and whether both are for one number of players.
fn outcome(asked: [Asked; 2], goes_on: &dyn Fn() -> bool) -> Result<(Outcome, bool), CliError> {
    let read = common(asked)?;
    let seats = read.each_ref().map(seats_of);
    let (changes, set) = said_otherwise(&read);
    let dead = dead(&read);
    let [first, second] = read;
    let warnings = warned(&first, &second);
    let otherwise = wrong_otherwise([&first, &second]);
    let sides = [ready(first)?, ready(second)?];
    let rulings = rulings(&sides, goes_on)?;
    let same = is_same(&sides, &changes, &set);
    let outcome = Outcome {
        sides,
        changes,
        dead,
        warnings: warnings.into_iter().chain(otherwise).collect(),
        set,
        rulings,
        played: None,
        led: None,
        same,
        proof: None,
        shown: None,
        alone: None,
        dealt: None,
    };
    Ok((outcome, seats[0] == seats[1]))
}

impl Outcome {
    /// Leads half as many games as were played towards what differs, where none of those has differed.
    fn lead(&self, ui: &mut Ui<'_>) -> Option<(Led, Left)> {
        let (plan, tried, left) = self.played.as_ref()?;
        if tried.differ > 0 || *left != Left::Played || self.proof.is_some() {
            return None;
        }
        let programs = self.sides.each_ref().map(|it| &it.program);
        programs.iter().for_each(|it| it.unbound_work());
        let half = Plan {
            games: plan.games.div_ceil(2).min(MOST_LED),
            ..*plan
        };
        let mut clock = Clock::new(ui);
        let found = lab::lead(programs, half, &mut |games| {
            clock.tick(games, half.games, ui);
            !ui.is_stopped()
        });
        ui.progress("");
        found
    }

    /// Tells all of it, and keeps the line to a difference.
    fn tell(mut self, save: Option<&Path>, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
        ui.spell(&self.sides[1].program.game);
        let led = self.lead(ui);
        let led_left = led.as_ref().map(|it| it.1);
        self.led = led.map(|it| it.0);
        let programs = self.sides.each_ref().map(|it| &it.program);
        if let Some((plan, tried, _)) = &self.played
            && tried.differ > 0
        {
            programs.iter().for_each(|it| it.unbound_work());
            self.dealt = lab::dealt(programs, plan);
        }
        let met = self.played.as_ref().and_then(|(_, tried, _)| tried.first);
        // What is proven is shown by the line that was searched.
        let met = met.filter(|_| self.proof.is_none());
        let found = match (met, &self.led) {
            (Some(met), _) => lab::witness(programs, met),
            (None, Some(led)) => lab::witness_of(programs, led),
            (None, None) => None,
        };
        self.shown = found.map(|it| line::shown(&self.sides, it, ui.form()));
        let mut kept = save;
        let mut failed = None;
        if let Some(path) = save {
            let sides = &self.sides;
            let searched = self.proof.as_ref();
            let searched = searched.map(|it| it.transcript(sides, path.parent()));
            let line = |it: &Shown| line::transcript(sides, it, path);
            let searched = searched.transpose()?.flatten();
            let text = searched.or_else(|| self.shown.as_ref().map(line));
            // What is known is told also where the line cannot be kept.
            failed = text.as_ref().and_then(|it| files::write(path, it).err());
            kept = save.filter(|_| text.is_some() && failed.is_none());
        }
        if ui.json {
            ui.json_value(&json::told(&self))?;
        } else {
            words::show(&self, kept, ui)?;
            if let Some(path) = save.filter(|_| kept.is_none() && failed.is_none()) {
                let path = path.display();
                ui.line(format!(
                    "{path} is not written: no different move or end was found"
                ))?;
            }
        }
        if let Some(error) = failed {
            return Err(error);
        }
        let games = self.played.as_ref().or(self.alone.as_ref());
        let lefts = [games.map(|it| it.2), led_left];
        let is_stopped = self.rulings.stopped
            || lefts.contains(&Some(Left::Stopped))
            || self.proof.as_ref().is_some_and(Proven::is_stopped);
        let left = if is_stopped {
            Left::Stopped
        } else {
            Left::Played
        };
        Ok(Exit::of(self.is_fine(), left))
    }
}

fn seats_of(read: &Read) -> Option<u32> {
    read.compiled.game.as_ref().map(|it| it.n_seats)
}

/// Reads both for the same number of players, if there is one.
fn common(asked: [Asked; 2]) -> Result<[Read; 2], CliError> {
    let [first, second] = &asked;
    // Both stand on the same game.
    let memory = Memory::default();
    let compile = |asked: &Asked| load::compile_with(asked, &memory);
    let read = [compile(first)?, compile(second)?];
    let [Some(a), Some(b)] = read.each_ref().map(seats_of) else {
        return Ok(read);
    };
    if a == b {
        return Ok(read);
    }
    let seated = |asked: &Asked, seats: u32| {
        let seats = Some(seats);
        compile(&Asked {
            seats,
            ..asked.clone()
        })
    };
    let [first_read, second_read] = read;
    let other = seated(second, a)?;
    if seats_of(&other) == Some(a) {
        return Ok([first_read, other]);
    }
    let other = seated(first, b)?;
    if seats_of(&other) == Some(b) {
        return Ok([other, second_read]);
    }
    Ok([first_read, second_read])
}

/// Makes the program of rules that were read, or says why it cannot be made.
fn ready(read: Read) -> Result<Loaded, CliError> {
    let checked = load::finished(read);
    match checked.program {
        Some(program) => Ok(Loaded {
            sources: checked.sources,
            program,
            asked: checked.asked,
        }),
        None => {
            let found = checked.diagnostics.into_iter();
            let errors = found.filter(Diagnostic::is_error).collect();
            Err(CliError::found(checked.sources, errors))
        }
    }
}
