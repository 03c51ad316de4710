use std::num::NonZeroUsize;

use clap::Args;

use super::simulate::jobs;
use crate::cli::hinted::{AT_THE_PROMPT, Hint};
use crate::cli::load::RulesArgs;
use crate::cli::position::PositionArgs;
use crate::cli::thinking::Watch;
use crate::cli::{CliError, Exit, Ui};
use crate::diagnostic::codes;
use crate::engine::{Status, Tier};
use crate::mind::{Budget, Thinker};
use crate::play::{Problem, Session};

/// Advise who has to choose: three moves, and how often they won.
///
/// They won in games played on from there, and what mostly followed is told too. The games are dealt from what the seat has seen: it is told nothing that it could not know. They are played on by
/// luck, the more where it promises most, so the shares say which move is better rather than how a game between good
/// players ends.
#[derive(Args, Debug)]
pub struct HintArgs {
    /// Name of a shipped rulebook or amendment (see `adit games`), or a path; with `--at` the transcript says it
    #[arg(required_unless_present = "at")]
    game: Option<String>,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    at: PositionArgs,
    /// Play so many games on, in place of thinking for a second: the same question then has the same answer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    iterations: Option<u32>,
    /// Threads; by default all processors but one. With `--iterations` the answer does not depend on it
    #[arg(long, value_name = "N", value_parser = jobs)]
    threads: Option<NonZeroUsize>,
}

/// Advises; the answer is no where nothing can be advised.
pub fn run(args: &HintArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let place = args
        .at
        .place_of(args.game.as_deref(), &args.rules, Tier::Optimized)?;
    place.ask(ui.form(), |session| answer(args, session, ui))
}

fn answer(args: &HintArgs, session: &mut Session<'_>, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let Status::Choice { seat } = session.status() else {
        let message = "the game is over in this position, and nobody has to choose";
        let problem = Problem::new(codes::NO_CHOICE, message);
        return Err(problem.help("ask about an earlier position").into());
    };
    let watch = match args.threads {
        Some(threads) => Watch::with(threads.get()),
        None => Watch::begin(),
    };
    let budget = args.iterations.map_or(AT_THE_PROMPT, Budget::Games);
    let seed = session.n_choices() as u64;
    let machine = session.machine();
    let thinker = Thinker::new(machine.program());
    let form = ui.form();
    let hint = watch.until_stopped(ui, || {
        Hint::of(&thinker, machine, seat, (budget, seed), &watch, form)
    });
    let hint = match hint {
        Ok(hint) => hint,
        Err(why) => {
            match ui.json {
                true => ui.json_value(&serde_json::json!({ "moves": [], "why": why }))?,
                false => ui.line(format!("no hint: {why}"))?,
            }
            return Ok(match watch.has_stopped() {
                true => Exit::Failure,
                false => Exit::No,
            });
        }
    };
    if ui.json {
        ui.json_value(&hint)?;
    } else {
        hint.show(ui)?;
    }
    if watch.has_stopped() {
        ui.note("stopped: this is what is known");
        return Ok(Exit::Failure);
    }
    Ok(Exit::Yes)
}
