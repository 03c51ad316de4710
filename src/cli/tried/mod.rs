//! What one rule set changes of another: its clauses, its rulings, and many games choice by choice.

mod json;
mod line;
mod proof;
mod words;

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;

use super::commands::matrix;
use super::commands::rulings::{WrongJson, wrong_of};
use super::commands::simulate::{Clock, jobs, only_told};
use super::load::{self, Asked, Loaded, Read};
use super::{CliError, Exit, Ui, files};
use crate::compose::{self, Change, Composed, Dead};
use crate::diagnostic::{Diagnostic, codes};
use crate::lab::{self, Kind, Led, Left, Plan, Reach, Tried, Until};
use crate::model::Game;
use crate::pipeline::Memory;
use crate::play::setting_value;
use crate::ruling::{Purse, Ran, Verdict};
use line::Shown;
use proof::Proven;

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
    /// Begin in the position of this ruling, before its moves, in place of the start of the game
    #[arg(long, value_name = "RULING", requires = "prove")]
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
}

/// What the rulings of both come to.
#[derive(Default)]
struct Rulings {
    /// Those that come to the same.
    alike: usize,
    /// Those that only the second one has.
    new: usize,
    /// Those that say nothing of the second one.
    silent: usize,
    flips: Vec<Flip>,
}

/// A ruling that comes to something else.
struct Flip {
    id: String,
    title: String,
    /// None where there is no such ruling.
    was: Option<Verdict>,
    now: Option<Verdict>,
    wrong: Vec<WrongJson>,
}

impl Rulings {
    /// Those that fail under the second rule set alone.
    fn failed(&self) -> impl Iterator<Item = &Flip> {
        let failed = Some(Verdict::Failed);
        let flips = self.flips.iter();
        flips.filter(move |it| it.now == failed && it.was != failed)
    }
}

impl Outcome {
    fn is_fine(&self) -> bool {
        if let Some(proof) = &self.proof {
            return proof.is_known() && self.rulings.failed().next().is_none();
        }
        let Some((_, tried, _)) = &self.played else {
            return self.same && self.rulings.failed().next().is_none();
        };
        let [first, second] = &tried.sides;
        let endless = second.overlong.is_some() && first.overlong.is_none();
        let met = self.shown.as_ref().map(|it| it.found.kind);
        let faults = tried.sides.iter().any(|it| !it.faults.is_empty());
        let faults = faults || met == Some(Kind::Fault);
        !faults && !endless && self.rulings.failed().next().is_none()
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
            refusals: 0,
        }
    }
}

/// What is to be played on several machines.
pub fn planned(asked: [Asked; 2], how: &HowArgs) -> Result<([Loaded; 2], Plan), CliError> {
    only_told(&[
        ("--prove", how.prove.is_some()),
        ("--save", how.save.is_some()),
    ])?;
    let [first, second] = common(asked)?;
    let seats = [seats_of(&first), seats_of(&second)];
    let sides = [ready(first)?, ready(second)?];
    if seats[0] != seats[1] || sides[0].program.game.hash == sides[1].program.game.hash {
        let message = "there are no games to be played: both are the same rules, or for other numbers of players";
        let help = "`adit try` and `adit diff` tell what is different about them";
        return Err(CliError::new(codes::BAD_PLAN, message, help));
    }
    Ok((sides, how.plan()))
}

/// Tells how two rule sets differ; the answer is no where the second one cannot be played to the end.
pub fn run(asked: [Asked; 2], how: &HowArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let (mut outcome, at_one_table) = outcome(asked)?;
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
        } else {
            let mut clock = Clock::new(ui);
            let (tried, left) = lab::try_out(programs, plan, &mut |tried| {
                clock.tick(tried.games, plan.games, ui);
                !ui.is_stopped()
            });
            ui.progress("");
            outcome.played = Some((plan, tried, left));
        }
    }
    outcome.tell(how.save.as_deref(), ui)
}

/// Tells how two rule sets differ that have been played already.
pub fn tell(
    asked: [Asked; 2],
    played: (Plan, Tried, Left),
    save: Option<&Path>,
    ui: &mut Ui<'_>,
) -> Result<Exit, CliError> {
    let (mut outcome, _) = outcome(asked)?;
    outcome.played = Some(played);
    outcome.tell(save, ui)
}

/// Returns what is different before any game is played, and whether both are for one number of players.
fn outcome(asked: [Asked; 2]) -> Result<(Outcome, bool), CliError> {
    let read = common(asked)?;
    let seats = read.each_ref().map(seats_of);
    let (changes, set) = match read.each_ref().map(|it| it.compiled.composed.as_ref()) {
        [Some(one), Some(other)] => (
            changed(one, other, &read),
            other_settings(read.each_ref().map(|it| it.compiled.game.as_deref())),
        ),
        _ => (Vec::new(), Vec::new()),
    };
    let dead = dead(&read);
    let [first, second] = read;
    let warnings = warned(&first, &second);
    let otherwise = wrong_otherwise([&first, &second]);
    let sides = [ready(first)?, ready(second)?];
    let rulings = rulings(&sides)?;
    let games = sides.each_ref().map(|it| &it.program.game);
    let same = games[0].hash == games[1].hash && set.is_empty();
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
    };
    Ok((outcome, seats[0] == seats[1]))
}

impl Outcome {
    /// Leads half as many games as were played towards what differs, where none of those has differed.
    fn lead(&self, ui: &mut Ui<'_>) -> Option<(Led, Left)> {
        let (plan, tried, left) = self.played.as_ref()?;
        if tried.differ > 0 || *left != Left::Played {
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
        let led = self.lead(ui);
        let led_left = led.as_ref().map(|it| it.1);
        self.led = led.map(|it| it.0);
        let programs = self.sides.each_ref().map(|it| &it.program);
        let met = self.played.as_ref().and_then(|(_, tried, _)| tried.first);
        let found = match (met, &self.led) {
            (Some(met), _) => lab::witness(programs, met),
            (None, Some(led)) => lab::witness_of(programs, led),
            (None, None) => None,
        };
        self.shown = found.map(|it| line::shown(&self.sides, it, ui.form()));
        let mut kept = save;
        if let Some(path) = save {
            let sides = &self.sides;
            let searched = self.proof.as_ref();
            let searched = searched.map(|it| it.transcript(sides, path.parent()));
            let line = |it: &Shown| line::transcript(sides, it, path);
            let searched = searched.transpose()?.flatten();
            let text = searched.or_else(|| self.shown.as_ref().map(line));
            match text {
                Some(text) => files::write(path, &text)?,
                None => kept = None,
            }
        }
        if ui.json {
            ui.json_value(&json::told(&self))?;
        } else {
            words::show(&self, kept, ui)?;
            if let Some(path) = save.filter(|_| kept.is_none()) {
                let path = path.display();
                ui.line(format!("{path} is not written: no difference was found"))?;
            }
        }
        let lefts = [self.played.as_ref().map(|it| it.2), led_left];
        let is_stopped = lefts.contains(&Some(Left::Stopped))
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

/// Lists what is different, each with its place.
fn changed(one: &Composed, other: &Composed, read: &[Read; 2]) -> Vec<(Change, String)> {
    let changes = compose::changes(one, other).into_iter();
    let placed = changes.map(|it| {
        let side = match it.how {
            compose::How::Removed => &read[0],
            compose::How::Added | compose::How::Changed => &read[1],
        };
        let place = side.sources.place(it.span);
        (it, place)
    });
    placed.collect()
}

/// Lists what has died, each with its place.
fn dead(read: &[Read; 2]) -> Vec<(Dead, String)> {
    let [Some(one), Some(other)] = read.each_ref().map(|it| it.compiled.composed.as_ref()) else {
        return Vec::new();
    };
    let names: HashSet<String> = one
        .items
        .iter()
        .filter_map(|it| Some(it.item.kind.name()?.text.clone()))
        .collect();
    let before: HashSet<String> = one.dead().into_iter().map(|it| it.name).collect();
    let now = other.dead().into_iter();
    let new = now.filter(|it| names.contains(&it.name) && !before.contains(&it.name));
    new.map(|it| {
        let place = read[1].sources.place(it.span);
        (it, place)
    })
    .collect()
}

/// What is told of the second rule set and not of the first one; errors are told by who cannot go on.
fn warned(one: &Read, other: &Read) -> Vec<Diagnostic> {
    let known = |it: &Diagnostic| {
        let mut before = one.compiled.diagnostics.iter();
        before.any(|old| old.code == it.code && old.message == it.message)
    };
    let now = other.compiled.diagnostics.iter();
    now.filter(|it| !it.is_error() && !known(it))
        .cloned()
        .collect()
}

/// What cannot be played under other readings or values, where the second one brings any of its own.
fn wrong_otherwise(read: [&Read; 2]) -> Vec<Diagnostic> {
    let [before, now] = read.map(|it| {
        let settings = it.compiled.game.iter().flat_map(|it| &it.settings);
        settings.map(|it| it.name.as_str()).collect::<Vec<_>>()
    });
    if now.iter().all(|it| before.contains(it)) {
        return Vec::new();
    }
    let found = load::check_readings(read[1]).findings.into_iter();
    found.filter(Diagnostic::is_error).collect()
}

fn other_settings(games: [Option<&Game>; 2]) -> Vec<(String, [String; 2])> {
    let [Some(one), Some(other)] = games else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for setting in &one.settings {
        let mut same = other.settings.iter().filter(|it| it.name == setting.name);
        let Some(now) = same.next() else { continue };
        let values = [
            setting_value(one, setting, setting.value),
            setting_value(other, now, now.value),
        ];
        if values[0] != values[1] {
            found.push((setting.name.clone(), values));
        }
    }
    found
}

/// Runs the rulings of both.
fn rulings(sides: &[Loaded; 2]) -> Result<Rulings, CliError> {
    let mut purse = Purse::default();
    let [before, after] = sides
        .each_ref()
        .map(|it| matrix::run_all(&it.asked, &it.program, &mut purse));
    let (before, after) = (before?, after?);
    let mut found = Rulings::default();
    for ran in &after {
        let old = before.iter().find(|it| it.id == ran.id);
        let (was, now) = (old.map(Ran::verdict), ran.verdict());
        if was == Some(now) {
            found.alike += 1;
            continue;
        }
        if was.is_none() && now != Verdict::Failed {
            found.new += 1;
            continue;
        }
        // What it comes to now is wrong, or what it came to before was.
        let wrong = match (now, old) {
            (Verdict::Holds, Some(old)) => wrong_of(old, &sides[0].sources),
            _ => wrong_of(ran, &sides[1].sources),
        };
        found.flips.push(Flip {
            id: ran.id.clone(),
            title: ran.title.clone(),
            was,
            now: Some(now),
            wrong,
        });
    }
    let game = &sides[1].program.game;
    let unheard = game.unheard.iter().filter(|it| !it.is_study);
    let written = game.rulings.iter().map(|it| it.id.as_str());
    let written: HashSet<&str> = written.chain(unheard.map(|it| it.id.as_str())).collect();
    // What is no ruling any more is told one by one.
    let heard = before.iter().chain(&after);
    let heard: HashSet<&str> = heard.map(|it| it.id.as_str()).collect();
    found.silent = written.difference(&heard).count();
    let gone = before
        .iter()
        .filter(|it| after.iter().all(|ran| ran.id != it.id));
    found.flips.extend(gone.map(|it| Flip {
        id: it.id.clone(),
        title: it.title.clone(),
        was: Some(it.verdict()),
        now: None,
        wrong: Vec::new(),
    }));
    Ok(found)
}
