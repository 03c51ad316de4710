use std::thread;
use std::time::Duration;

use clap::Args;

use super::{check, lint, rulings, trying};
use crate::cli::load::{Asked, GameArgs, RulesArgs, read_text};
use crate::cli::ui::Tone;
use crate::cli::{CliError, Exit, Ui, rulebooks};

/// How often the files are looked at. They are read, not waited for: so nothing is missed where an editor puts
/// a new file in the place of the old one, or where a folder lies on another machine.
const PAUSE: Duration = Duration::from_millis(250);

/// Look at a rulebook again whenever one of its files is saved.
///
/// Each time it is checked, linted, its rulings are run, and each amendment that was named is tried (see `adit check`,
/// `adit lint`, `adit rulings`, `adit try`). What has errors is not linted or played. Ctrl-C ends it.
#[derive(Args, Debug)]
pub struct WatchArgs {
    #[command(flatten)]
    game: GameArgs,
    /// How many games each amendment is tried in; 0 tries none
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    games: u64,
    /// Look once, with the answer no where anything is wrong
    #[arg(long)]
    once: bool,
}

/// What can change: the texts that belong to the rulebook, and those of the files that were named.
type Texts = (Vec<String>, Vec<Option<String>>);

/// Looks, and again at each change.
pub fn run(args: &WatchArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let _ = ui.is_stopped();
    ui.in_lines = true;
    loop {
        let seen = texts(&args.game);
        if ui.on_terminal() && !args.once && !ui.plain && !ui.json {
            ui.clear_screen()?;
        }
        let exit = look(args, ui)?;
        if args.once {
            return Ok(exit);
        }
        ui.note(format!("watching {}; Ctrl-C ends", args.game.game));
        while texts(&args.game) == seen {
            if ui.is_stopped() {
                return Ok(Exit::Yes);
            }
            thread::sleep(PAUSE);
        }
    }
}

fn texts(game: &GameArgs) -> Texts {
    let read = rulebooks::gather(&game.asked());
    let belong = read.map_or(Vec::new(), |it| {
        let texts = it.sources.iter().map(|(_, it)| it.text.clone());
        texts.collect()
    });
    let named = game.rules.with.iter().chain([&game.game]);
    let named = named.map(|it| read_text(it).ok());
    (belong, named.collect())
}

/// Returns the worst of the answers.
fn look(args: &WatchArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let checked = part("check", ui, |ui| {
        check::run(&check::CheckArgs::of(args.game.clone()), ui)
    })?;
    if checked != Exit::Yes {
        return Ok(checked);
    }
    let linted = part("lint", ui, |ui| {
        lint::run(&lint::LintArgs::of(args.game.clone()), ui)
    })?;
    let ruled = part("rulings", ui, |ui| {
        rulings::run(&rulings::RulingsArgs::of(args.game.clone()), ui)
    })?;
    let mut answers = vec![linted, ruled];
    if args.games > 0 {
        for (rule, rules) in to_try(&args.game) {
            let title = format!("try {rule}");
            let tried = trying::TryArgs::of(rule, rules, args.games);
            answers.push(part(&title, ui, |ui| trying::run(&tried, ui))?);
        }
    }
    let is_worse = |it: &Exit| matches!(it, Exit::Failure);
    Ok(match answers.iter().find(|it| is_worse(it)) {
        Some(worst) => *worst,
        None if answers.contains(&Exit::No) => Exit::No,
        None => Exit::Yes,
    })
}

/// Shows one part under its title; what goes wrong in it is told there, and the others go on.
fn part(
    title: &str,
    ui: &mut Ui<'_>,
    run: impl FnOnce(&mut Ui<'_>) -> Result<Exit, CliError>,
) -> Result<Exit, CliError> {
    if !ui.json {
        ui.line(ui.paint(Tone::Bold, title))?;
    }
    let exit = match run(ui) {
        Err(error @ CliError::Output(_)) => return Err(error),
        Err(error) => error.show(ui),
        Ok(exit) => exit,
    };
    if !ui.json {
        ui.line("")?;
    }
    Ok(exit)
}

/// The amendments that were named, each with the others beside it.
fn to_try(game: &GameArgs) -> Vec<(String, RulesArgs)> {
    let alone = Asked {
        game: game.game.clone(),
        ..Asked::default()
    };
    let is_amendment = rulebooks::gather(&alone).is_ok_and(|it| !it.asked.amendments.is_empty());
    let mut named: Vec<&String> = game.rules.with.iter().collect();
    if is_amendment {
        named.push(&game.game);
    }
    let each = named.iter().map(|rule| {
        let others = named.iter().filter(|it| it != &rule);
        let rules = RulesArgs {
            with: others.map(|it| (*it).clone()).collect(),
            ..game.rules.clone()
        };
        ((*rule).clone(), rules)
    });
    each.collect()
}
