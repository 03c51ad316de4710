use std::collections::BTreeMap;

use clap::Args;
use serde::Serialize;

use super::bench::{Games, stopped};
use super::dump::line_of;
use crate::cli::load::{self, GameArgs, Loaded};
use crate::cli::ui::Tone;
use crate::cli::{CliError, Exit, Ui};

/// Operations that begin another round of a loop.
const ROUNDS: [&str; 6] = ["Loop", "Next", "Again", "WideNext", "WideAgain", "WidePrev"];

/// Tell which lines of the rules cost how much in random play.
///
/// The games are those of the seeds from 0 on, so the figures are the same everywhere. A line pays for what it
/// says itself; what a definition says, its own lines pay for. `rounds` are those of loops that take one thing
/// after the other: a line without any is carried out on whole sets or looked up in tables. Where many rounds could be
/// saved by another wording, that is told.
#[derive(Args, Debug)]
pub struct ProfileArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Play whole games until there were so many choices, or so many games where they have none
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    choices: u64,
    /// How many lines are told, the dearest first
    #[arg(long, value_name = "N", default_value_t = 20)]
    lines: usize,
}

/// From so many rounds for each choice on it is told how to save them.
const MANY_ROUNDS: f64 = 32.0;

/// What a line costs.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    line: usize,
    text: &'a str,
    /// Operations for each choice.
    ops: f64,
    /// Rounds of loops for each choice.
    rounds: f64,
    /// The part of all operations.
    share: f64,
    /// How its rounds may be saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

#[derive(Serialize)]
struct Profile<'a> {
    choices: u64,
    games: u64,
    /// Operations for each choice, set-up included.
    ops: f64,
    lines: Vec<Line<'a>>,
}

/// Plays, counts and tells.
pub fn run(args: &ProfileArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let loaded = load::load(args.game.asked())?;
    let mut games = Games::new(&loaded.program);
    games.machine.profile();
    // What was played by then tells as much of each choice.
    while games.moves.max(games.games) < args.choices && !ui.is_stopped() {
        let played = games.play::<true>(|| true);
        played.map_err(|fault| stopped(&loaded, &games, &fault))?;
    }
    let costs = games.machine.costs();
    let all: u64 = costs.iter().map(|it| it.ops).sum();
    let per_choice = |ops: u64| ops as f64 / games.moves.max(1) as f64;
    let mut lines: BTreeMap<(&str, usize, &str), (u64, u64)> = BTreeMap::new();
    for cost in &costs {
        let place = cost.span.and_then(|it| line_of(it, &loaded.sources));
        let (ops, rounds) = lines.entry(place.unwrap_or_default()).or_default();
        *ops += cost.ops;
        *rounds += if ROUNDS.contains(&cost.name) {
            cost.ops
        } else {
            0
        };
    }
    let line = |((file, line, text), (ops, rounds)): (_, (u64, u64))| Line {
        file,
        line,
        text,
        ops: per_choice(ops),
        rounds: per_choice(rounds),
        share: ops as f64 / all.max(1) as f64,
        hint: (per_choice(rounds) >= MANY_ROUNDS)
            .then(|| hint(&loaded, (file, line)))
            .flatten(),
    };
    let mut lines: Vec<Line<'_>> = lines.into_iter().map(line).collect();
    lines.sort_by(|one, other| other.ops.total_cmp(&one.ops));
    lines.truncate(args.lines);
    let profile = Profile {
        choices: games.moves,
        games: games.games,
        ops: per_choice(all),
        lines,
    };
    let exit = match profile.choices.max(profile.games) < args.choices {
        true => Exit::Failure,
        false => Exit::Yes,
    };
    if ui.json {
        ui.json_value(&profile)?;
        return Ok(exit);
    }
    ui.line(format!(
        "{:.1} operations a choice over {} choices in {} games",
        profile.ops, profile.choices, profile.games
    ))?;
    ui.line(ui.paint(Tone::Dim, " share       ops    rounds  line"))?;
    for it in &profile.lines {
        let figures = format!("{:5.1}% {:9.1} {:9.1}", it.share * 100.0, it.ops, it.rounds);
        let place = ui.paint(Tone::Dim, format!("{}:{}", it.file, it.line));
        ui.line(format!("{figures}  {place} {}", it.text).trim_end())?;
        if let Some(hint) = &it.hint {
            ui.line(format!("                           {hint}"))?;
        }
    }
    Ok(exit)
}

/// What keeps a condition on a line from being asked of all at once.
fn hint(loaded: &Loaded, (file, line): (&str, usize)) -> Option<String> {
    let is_here =
        |span| line_of(span, &loaded.sources).is_some_and(|(its, at, _)| (its, at) == (file, line));
    let mut unguarded = loaded.program.unguarded().iter();
    let (_, read) = unguarded.find(|(cond, read)| is_here(*cond) || is_here(*read))?;
    let read = loaded.sources.slice(*read);
    let (place, _) = read
        .rsplit_once('.')
        .filter(|(place, _)| place.ends_with(']'))?;
    Some(format!(
        "asked of one after the other, because `{read}` stops the game where nothing lies; with `filled {place} and` before it, of all at once"
    ))
}
