use crate::model::text::Form;
use clap::Args;
use serde::Serialize;

use super::study::trouble;
use crate::cli::load::GameArgs;
use crate::cli::position::PositionArgs;
use crate::cli::{CliError, Exit, Ui};
use crate::engine::{Machine, Move, State, Tier};
use crate::study::{self, Step};

/// Count the lines of play, to compare with published numbers.
///
/// Each outcome of chance makes a line of its own; a finished game goes on no further. Without a seed or a position the count begins before the first outcome of chance. Ctrl-C ends it and tells what was counted by then.
#[derive(Args, Debug)]
pub struct PerftArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Count lines of one choice, of two, and so on to this many
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000))]
    depth: u32,
    /// Say for each first move how many of the longest lines begin with it
    #[arg(long)]
    divide: bool,
    /// Count by changes of seat: all choices of one seat in a row are one step
    #[arg(long)]
    turns: bool,
    #[command(flatten)]
    at: PositionArgs,
}

/// What was counted.
#[derive(Serialize)]
struct Counted {
    unit: &'static str,
    /// The number of lines of one step, of two, and so on.
    counts: Vec<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<First>>,
}

/// A first move and the lines that begin with it.
#[derive(Serialize)]
struct First {
    #[serde(rename = "move")]
    name: String,
    count: u64,
}

/// Counts step by step, so that what is known is told while the rest is counted.
pub fn run(args: &PerftArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let place = args
        .at
        .place(&args.game.game, &args.game.rules, Tier::Optimized)?;
    let trouble = |it| trouble(&place.loaded, None, &it);
    let (step, unit) = match args.turns {
        true => (Step::Turn, "turn"),
        false => (Step::Ply, "ply"),
    };
    let mut machine = Machine::new(&place.loaded.program);
    let starts = match args.at.is_given() {
        true => vec![place.ask(ui.form(), |session| Ok(session.machine().save()))?],
        false => study::starts(&mut machine).map_err(trouble)?,
    };
    // How far is counted was asked for.
    place.loaded.program.unbound_work();
    let mut counts = Vec::new();
    let mut firsts = Vec::new();
    let mut exit = Exit::Yes;
    'depths: for depth in 1..=args.depth {
        let mut sum = 0;
        for start in &starts {
            let counted = study::divide(&mut machine, start, depth, step, &|| !ui.is_stopped());
            let Some(counted) = counted.map_err(trouble)? else {
                exit = Exit::Failure;
                break 'depths;
            };
            sum += counted.iter().map(|(_, count)| count).sum::<u64>();
            if args.divide && depth == args.depth {
                add(&mut firsts, &mut machine, start, &counted, ui.data_form());
            }
        }
        if !ui.json {
            ui.line(format!("d{depth} {sum}"))?;
        }
        counts.push(sum);
    }
    if ui.json {
        ui.json_value(&Counted {
            unit,
            counts,
            divide: (args.divide && exit == Exit::Yes).then_some(firsts),
        })?;
        return Ok(exit);
    }
    if exit != Exit::Yes {
        let depth = counts.len() + 1;
        ui.line(format!("stopped: d{depth} is not counted"))?;
        return Ok(exit);
    }
    for First { name, count } in firsts {
        ui.line(format!("{name}: {count}"))?;
    }
    Ok(exit)
}

/// Adds up what begins with moves of one name.
fn add(
    firsts: &mut Vec<First>,
    machine: &mut Machine<'_>,
    start: &State,
    counted: &[(Move, u64)],
    form: Form,
) {
    machine.load(start);
    for (name, (_, count)) in machine.names(form).into_iter().zip(counted) {
        match firsts.iter_mut().find(|it| it.name == name) {
            Some(known) => known.count += count,
            None => firsts.push(First {
                name,
                count: *count,
            }),
        }
    }
}
