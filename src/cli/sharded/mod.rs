//! Many games on several machines: a plan says what is played, each part of it is played somewhere, and what the parts
//! have come to is put together again.

mod part;
mod plan;
mod sets;

pub use part::Part;
pub use plan::{MOST_PARTS, Plan, Work};

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use xxhash_rust::xxh3::xxh3_128;

use super::commands::simulate::Clock;
use super::load::{self, Loaded, read_text};
use super::{CliError, Ui};
use crate::diagnostic::codes;
use crate::engine::{Names, Program, Streams};
use crate::lab::{
    self, Again, Carried, Gambler, Left, Numbers, PairTotals, Totals, Tried, tried_again,
};
use crate::ruling::Matrix;

/// Returns what stands for a text.
fn digest(text: &str) -> String {
    format!("{:032x}", xxh3_128(text.as_bytes()))
}

/// Plays one part; nothing if somebody has asked to stop.
pub fn play(
    plan: &Plan,
    number: u64,
    jobs: NonZeroUsize,
    ui: &mut Ui<'_>,
) -> Result<Option<Part>, CliError> {
    let sides = plan.load()?;
    if let (Work::Matrix, [it]) = (plan.work, sides.as_slice()) {
        return sets::play(plan, number, &it.program.game, ui);
    }
    let of = lab::Plan {
        jobs,
        ..plan.of_part(number)
    };
    let mut clock = Clock::new(ui);
    let (numbers, left) = match (plan.work, sides.as_slice()) {
        (Work::Simulate, [it]) => {
            let (totals, left) = lab::simulate(&it.program, of, None, &mut |it| {
                clock.tick(it.totals.games, of.games, ui);
                !ui.is_stopped()
            });
            (lab::numbers(&totals), left)
        }
        (Work::Compare, [one, other]) => {
            let (totals, left) = lab::compare([&one.program, &other.program], of, &mut |it, _| {
                clock.tick(it.games(), of.games, ui);
                !ui.is_stopped()
            });
            (lab::numbers(&totals), left)
        }
        (Work::Try, [one, other]) => {
            let (totals, left) = lab::try_out([&one.program, &other.program], of, &mut |it| {
                clock.tick(it.games, of.games, ui);
                !ui.is_stopped()
            });
            (lab::numbers(&totals), left)
        }
        _ => return Err(plan.unusable("it does not name as many rule sets as it takes")),
    };
    ui.progress("");
    if left == Left::Vain {
        return Err(CliError::new(
            codes::BAD_PLAN,
            "the games of this plan run out of work, one after the other",
            "play some without `shard`: that tells where the rules go on without an end",
        ));
    }
    Ok((left == Left::Played).then(|| Part::new(plan, number, numbers)))
}

/// What all parts have come to.
pub enum Merged {
    /// Games of one rule set.
    Games(Box<Loaded>, Box<Totals>, Left),
    /// Pairs of games.
    Pairs(Box<[Loaded; 2]>, Box<PairTotals>, Left),
    /// Games that were played under two rule sets in step.
    Tried(Box<[Loaded; 2]>, Box<Tried>),
    /// Rulings under many rule sets.
    Sets(Box<Matrix>),
}

/// Puts parts together, in any order.
pub fn merge(plan: &Plan, paths: &[String]) -> Result<Merged, CliError> {
    let sides = plan.load()?;
    let parts = Parts { plan, paths };
    let most_choices = plan.most_choices;
    match (plan.work, <[Loaded; 2]>::try_from(sides)) {
        (Work::Matrix, Err(_)) => {
            plan.on_shelf()?;
            let mut matrix = Matrix::default();
            parts.each(&mut |path, part| {
                sets::put_back(plan, path, part, &mut matrix)?;
                Ok(false)
            })?;
            Ok(Merged::Sets(Box::new(matrix)))
        }
        (Work::Simulate, Err(sides)) => {
            let Some(loaded) = sides.into_iter().next() else {
                return Err(plan.unusable("it names no rules"));
            };
            let program = &loaded.program;
            let (names, streams) = (Names::of(program), Streams::of(&program.game));
            let mut gambler = Gambler::new(program, &names, &streams, most_choices);
            let mut again = |_: usize, seed: u64| gambler.moves(seed).1;
            let (totals, left) = parts.sum(Totals::of(program), &mut again)?;
            Ok(Merged::Games(Box::new(loaded), Box::new(totals), left))
        }
        (Work::Compare, Ok(sides)) => {
            let (totals, left) = {
                let programs = sides.each_ref().map(|it| &it.program);
                let names = programs.map(Names::of);
                let streams = programs.map(|it| Streams::of(&it.game));
                let mut gamblers = [0, 1].map(|side| {
                    Gambler::new(programs[side], &names[side], &streams[side], most_choices)
                });
                let mut again = |side: usize, seed: u64| gamblers.get_mut(side)?.moves(seed).1;
                parts.sum(PairTotals::of(programs), &mut again)?
            };
            Ok(Merged::Pairs(Box::new(sides), Box::new(totals), left))
        }
        (Work::Try, Ok(sides)) => {
            let (totals, _) = {
                let programs: [&Program; 2] = sides.each_ref().map(|it| &it.program);
                let mut again = |side: usize, seed: u64| {
                    let both = tried_again(programs, most_choices, seed)?;
                    both.into_iter().nth(side)
                };
                parts.sum(Tried::of(programs), &mut again)?
            };
            Ok(Merged::Tried(Box::new(sides), Box::new(totals)))
        }
        _ => Err(plan.unusable("it does not name as many rule sets as it takes")),
    }
}

/// The parts that are there.
struct Parts<'a> {
    plan: &'a Plan,
    paths: &'a [String],
}

impl Parts<'_> {
    /// Adds them up until enough is known.
    fn sum<T: Carried>(&self, nothing: T, again: &mut Again<'_>) -> Result<(T, Left), CliError> {
        let until = self.plan.whole().until;
        let mut sum = nothing.clone();
        let left = self.each(&mut |path, part| {
            sum.merge(&self.totals(&nothing, path, part, again)?);
            Ok(sum.is_enough(until))
        })?;
        Ok((sum, left))
    }

    /// Takes them in their order until it is enough; each part up to there must be there, and may be there several times.
    fn each(
        &self,
        take: &mut dyn FnMut(&str, Part) -> Result<bool, CliError>,
    ) -> Result<Left, CliError> {
        let plan = self.plan;
        let mut seen: BTreeMap<u64, (&String, String)> = BTreeMap::new();
        for path in self.paths {
            let text = read_text(path)?;
            let number = Part::read(plan, path, &text)?.number();
            let own = digest(&text);
            let (other, known) = seen.entry(number).or_insert((path, own.clone()));
            if *known != own {
                let message = format!("`{other}` and `{path}` are both part {number}, and differ");
                let help = format!("play it once more: `adit shard run PLAN {number}`");
                return Err(CliError::new(codes::TWO_PARTS, message, help));
            }
        }
        for (at, (number, (path, _))) in (0..).zip(&seen) {
            if *number != at {
                break;
            }
            if take(path, Part::read(plan, path, &read_text(path)?)?)? {
                return Ok(Left::Enough);
            }
        }
        let missing = (0..plan.parts).filter(|it| !seen.contains_key(it));
        let missing: Vec<u64> = missing.collect();
        if missing.is_empty() {
            return Ok(Left::Played);
        }
        let first: Vec<String> = missing.iter().take(10).map(u64::to_string).collect();
        let more = match missing.len() - first.len() {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        let message = format!(
            "of {} parts {} {} missing: {}{more}",
            plan.parts,
            missing.len(),
            if missing.len() == 1 { "is" } else { "are" },
            first.join(", ")
        );
        let help = format!("play it: `adit shard run PLAN {}`", missing[0]);
        Err(CliError::new(codes::MISSING_PARTS, message, help))
    }

    fn totals<T: Carried>(
        &self,
        nothing: &T,
        path: &str,
        part: Part,
        again: &mut Again<'_>,
    ) -> Result<T, CliError> {
        let games = self.plan.of_part(part.number()).games;
        let number = part.number();
        let numbers: Numbers = part.into_numbers();
        let mut again = |side: usize, seed: u64| again(side, seed);
        let totals = lab::totals(nothing, numbers, self.plan.parts, &mut again)
            .map_err(|name| part::damaged(path, number, &format!("`{name}` cannot be so")))?;
        if totals.games() != games {
            let why = format!("it has {} games in place of {games}", totals.games());
            return Err(part::damaged(path, number, &why));
        }
        Ok(totals)
    }
}

/// Reads a plan from a file.
pub fn read_plan(path: &str) -> Result<Plan, CliError> {
    Plan::read(path, &load::read_text(path)?)
}
