use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::compare::{self, CompareArgs};
use super::diff::DiffArgs;
use super::rulings::{self, RulingsArgs};
use super::simulate::{self, SimulateArgs, jobs};
use super::trying::TryArgs;
use crate::cli::sharded::{self, MOST_PARTS, Merged, Plan, Work};
use crate::cli::tried;
use crate::cli::{CliError, Exit, Ui, files};
use crate::diagnostic::codes;
use crate::lab::Left;
use crate::threads::here;

/// Play many games on several machines, and add up what they come to.
///
/// `plan` cuts games into parts and writes down all that it takes to play them, the rules included. `run` plays one part, on any
/// machine and as often as anybody likes: it writes the same bytes each time. `merge` takes the parts in any order, and says to the
/// byte what one long run would have said. Parts that are missing, damaged or of other rules are named by their numbers.
/// The folder `contrib` has recipes for several ways to run the parts.
#[derive(Args, Debug)]
pub struct ShardArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    Plan(Box<PlanArgs>),
    Run(RunArgs),
    Merge(MergeArgs),
}

/// Cut games into parts, and write down what is to be played.
#[derive(Args, Debug)]
struct PlanArgs {
    /// How many parts; they are counted from 0
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_PARTS))]
    of: u64,
    /// Write the plan into this file; by default it is the answer
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(subcommand)]
    games: Planned,
}

/// What is played.
#[derive(Subcommand, Debug)]
enum Planned {
    Simulate(SimulateArgs),
    Compare(CompareArgs),
    Try(TryArgs),
    Diff(DiffArgs),
    Rulings(RulingsArgs),
}

/// Play one part of a plan.
#[derive(Args, Debug)]
struct RunArgs {
    /// The file with the plan
    plan: String,
    /// Which part, counted from 0
    part: u64,
    /// Write what it comes to into this file; by default `NAME.PART.part` beside the plan `NAME.json`
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Threads; by default one for each processor. What is written does not depend on it
    #[arg(long, value_name = "N", value_parser = jobs)]
    jobs: Option<NonZeroUsize>,
}

/// Put the parts of a plan together, and tell what all games come to.
#[derive(Args, Debug)]
struct MergeArgs {
    /// The file with the plan
    plan: String,
    /// The files with the parts, in any order
    #[arg(required = true, value_name = "PART")]
    parts: Vec<String>,
    /// Of simulated games: draw the wins, the lengths and the figures into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Keep a game as a transcript, as the command does that was planned
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// Plans, plays a part, or puts the parts together.
pub fn run(args: &ShardArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    match &args.what {
        What::Plan(args) => plan(args, ui),
        What::Run(args) => part(args, ui),
        What::Merge(args) => merge(args, ui),
    }
}

fn plan(args: &PlanArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let plan = match &args.games {
        Planned::Simulate(it) => {
            let (loaded, plan) = it.planned()?;
            Plan::new(Work::Simulate, args.of, &plan, &[&loaded])
        }
        Planned::Compare(it) => {
            let ([one, other], plan) = it.planned()?;
            Plan::new(Work::Compare, args.of, &plan, &[&one, &other])
        }
        Planned::Rulings(it) => {
            let (loaded, sets) = it.planned()?;
            Plan::of_sets(args.of, sets, &loaded)
        }
        Planned::Try(it) => tried_plan(args.of, tried::planned(it.asked()?, &it.how)?),
        Planned::Diff(it) => tried_plan(args.of, tried::planned(it.sides.asked(), &it.how)?),
    };
    let text = plan?.text();
    match &args.out {
        Some(path) => files::write(path, &text)?,
        None => ui.json_text(&text)?,
    }
    Ok(Exit::Yes)
}

fn tried_plan(
    of: u64,
    ([one, other], plan): ([crate::cli::load::Loaded; 2], crate::lab::Plan),
) -> Result<Plan, CliError> {
    Plan::new(Work::Try, of, &plan, &[&one, &other])
}

fn part(args: &RunArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let plan = sharded::read_plan(&args.plan)?;
    let number = args.part;
    if number >= plan.parts {
        let message = format!("there is no part {number}: the plan has {}", plan.parts);
        let help = format!("the parts are 0 to {}", plan.parts - 1);
        return Err(CliError::new(codes::BAD_PLAN, message, help));
    }
    let jobs = args.jobs.unwrap_or_else(here);
    let Some(part) = sharded::play(&plan, number, jobs, ui)? else {
        ui.note(format!("stopped: nothing is written of part {number}"));
        return Ok(Exit::Failure);
    };
    let beside = || Path::new(&args.plan).with_extension(format!("{number}.part"));
    let path = args.out.clone().unwrap_or_else(beside);
    files::write(&path, &part.text())?;
    Ok(Exit::Yes)
}

fn merge(args: &MergeArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let plan = sharded::read_plan(&args.plan)?;
    let merged = sharded::merge(&plan, &args.parts)?;
    let (whole, save) = (plan.whole(), args.save.as_deref());
    let is_drawn = matches!(merged, Merged::Games(..) | Merged::Pairs(..));
    if args.svg.is_some() && !is_drawn {
        return Err(plan.unusable("this is not drawn; leave `--svg` out"));
    }
    files::leave_output(&[("--svg", args.svg.as_deref())], ui)?;
    match merged {
        Merged::Sets(..) if save.is_some() => {
            Err(plan.unusable("rulings are not kept; leave `--save` out"))
        }
        Merged::Sets(matrix) => rulings::tell_matrix(&matrix, ui),
        Merged::Games(loaded, totals, left) => {
            let came = (whole, *totals, left);
            simulate::tell(&loaded, came, None, args.svg.as_deref(), save, ui)
        }
        Merged::Pairs(..) if save.is_some() => {
            Err(plan.unusable("pairs of games are not kept; leave `--save` out"))
        }
        Merged::Pairs(sides, totals, left) => {
            compare::tell(&sides, (whole, *totals, left), args.svg.as_deref(), ui)
        }
        Merged::Tried(sides, tried) => {
            let asked = sides.map(|it| it.asked);
            tried::tell(asked, (whole, *tried, Left::Played), save, ui)
        }
    }
}
