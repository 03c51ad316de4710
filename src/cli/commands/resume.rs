use std::path::{Path, PathBuf};

use crate::model::text::Form;
use clap::Args;
use serde::Serialize;

use super::play::{self, Going};
use crate::cli::load::{self, Asked};
use crate::cli::ui::Tone;
use crate::cli::{CliError, Exit, Ui, journal};
use crate::diagnostic::codes;
use crate::engine::{Status, Viewer};
use crate::play::figures::main_figure;
use crate::play::transcript::Transcript;
use crate::play::{Compare, Problem, replay, seat_name};

/// Games of which more is told than their names.
const MOST_TOLD: usize = 12;

/// Go on with a kept game, or list them and choose one.
#[derive(Args, Debug)]
pub struct ResumeArgs {
    /// Its number in the list, of which the newest is 1, its file, or how it begins to be called, of which the newest is meant; without
    /// one they are listed
    kept: Option<PathBuf>,
    /// Use this rulebook in place of the one the file names
    #[arg(long, value_name = "GAME", requires = "kept")]
    game: Option<String>,
    #[command(flatten)]
    going: Going,
}

/// A game that is kept.
#[derive(Serialize)]
struct Kept {
    file: PathBuf,
    game: String,
    seats: Vec<String>,
    /// The same in words, with the names of the seats.
    #[serde(skip)]
    sitting: String,
    /// When it was played last, as `20260131-235959`, in universal time.
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<String>,
    choices: usize,
    finished: bool,
    /// The figure that it is won by, as the first person sees it.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<String>,
    /// Why it cannot be gone on with.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// Lists the kept games, or goes on with one.
pub fn run(args: &ResumeArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let files = journal::kept(ui);
    if let Some(kept) = &args.kept {
        let word = kept.to_string_lossy();
        let file = match word.parse() {
            Ok(number) => nth(&files, number)?,
            Err(_) if kept.exists() => kept,
            Err(_) => called(&files, &word).unwrap_or(kept),
        };
        return play::resume(&args.going, file, args.game.as_deref(), ui);
    }
    let told = files.iter().take(MOST_TOLD).map(|it| tell(it, ui.form()));
    let told: Vec<Kept> = told.collect();
    if ui.json {
        ui.json_value(&told)?;
        return Ok(Exit::Yes);
    }
    if told.is_empty() {
        ui.line("no game is kept; `adit play` begins one")?;
        return Ok(Exit::Yes);
    }
    for (number, kept) in (1..).zip(&told) {
        let game = ui.paint(Tone::Bold, &kept.game);
        let seats = match kept.sitting.as_str() {
            "" => kept.seats.join(", "),
            sitting => sitting.to_owned(),
        };
        let played = kept
            .played
            .as_deref()
            .map_or_else(String::new, day_and_time);
        ui.line(format!("{number:>2}  {game}  {seats}  {played}"))?;
        let over = if kept.finished { ", over" } else { "" };
        let what = match (&kept.problem, &kept.score) {
            (Some(problem), _) => problem.clone(),
            (None, Some(score)) => format!("{} choices{over}; {score}", kept.choices),
            (None, None) => format!("{} choices{over}", kept.choices),
        };
        ui.line(format!("      {}", ui.paint(Tone::Dim, what)))?;
    }
    if files.len() > told.len() {
        let left = files.len() - told.len();
        let folder = files.first().and_then(|it| it.parent());
        let folder = folder.map_or(String::new(), |it| it.display().to_string());
        ui.line(format!("    {left} more in {folder}"))?;
    }
    if !ui.interactive() {
        return Ok(Exit::Yes);
    }
    loop {
        let word = play::asked("which one? ", ui)?;
        let file = match word.parse::<usize>() {
            Ok(number) => number.checked_sub(1).and_then(|at| files.get(at)),
            Err(_) if word.is_empty() => return Ok(Exit::Yes),
            Err(_) => called(&files, &word),
        };
        match file {
            Some(file) => return play::resume(&args.going, file, None, ui),
            None => ui.line(format!(
                "no kept game is called `{word}`; the list goes to {}",
                files.len()
            ))?,
        }
    }
}

/// `20260131-235959` as people write it.
fn day_and_time(stamp: &str) -> String {
    let part = |from: usize, to: usize| stamp.get(from..to).unwrap_or("");
    let [year, month, day, hour, minute] =
        [(0, 4), (4, 6), (6, 8), (9, 11), (11, 13)].map(|(from, to)| part(from, to));
    format!("{year}-{month}-{day} {hour}:{minute}")
}

/// The newest game whose name begins so.
fn called<'f>(files: &'f [PathBuf], word: &str) -> Option<&'f PathBuf> {
    let word = word.to_lowercase();
    let stem = |it: &&PathBuf| it.file_stem().map(|it| it.to_string_lossy().to_lowercase());
    files
        .iter()
        .find(|it| stem(it).is_some_and(|it| it.starts_with(&word)))
}

fn nth(files: &[PathBuf], number: usize) -> Result<&PathBuf, Problem> {
    let file = number.checked_sub(1).and_then(|at| files.get(at));
    file.ok_or_else(|| {
        let message = format!("there is no kept game {number}");
        let help = format!(
            "`adit resume` lists {} of them; a file of that name is given with its folder",
            files.len()
        );
        Problem::new(codes::UNREADABLE_FILE, message).help(help)
    })
}

/// What a kept game is, and how far it has come.
fn tell(file: &Path, form: Form) -> Kept {
    let mut kept = Kept {
        file: file.to_owned(),
        game: file
            .file_stem()
            .map_or(String::new(), |it| it.display().to_string()),
        seats: Vec::new(),
        sitting: String::new(),
        played: journal::changed(file),
        choices: 0,
        finished: false,
        score: None,
        problem: None,
    };
    if let Err(error) = look_into(file, form, &mut kept) {
        kept.problem = Some(match error {
            CliError::Found(found) => {
                let first = found.diagnostics.first();
                first.map_or(String::new(), |it| it.message.clone())
            }
            _ => String::from("it cannot be read"),
        });
    }
    kept
}

fn look_into(file: &Path, form: Form, kept: &mut Kept) -> Result<(), CliError> {
    let name = file.to_string_lossy();
    let transcript = Transcript::read(&load::read_text(&name)?)?;
    kept.seats.clone_from(&transcript.header.seats);
    kept.game.clone_from(&transcript.header.game);
    let loaded = load::load(Asked::by(&transcript.header, &name, None)?)?;
    let mut session = replay(&loaded.program, &transcript, Compare::Bytes)?;
    let game = session.game();
    kept.game = loaded.title();
    let players = kept.seats.iter().map(|word| play::player(word));
    if let Ok(players) = players.collect::<Result<Vec<_>, _>>() {
        kept.sitting = play::sitting(game, &players, form);
    }
    kept.choices = session.n_choices();
    kept.finished = session.status() == Status::Ended;
    let person = (0..).zip(&kept.seats).find(|(_, word)| *word == "human");
    let seat = person.map_or(0, |(seat, _)| seat);
    let view = session.machine().view(Viewer::Seat(seat));
    let figure = main_figure(session.machine(), &view).map_err(crate::cli::drawing::fault)?;
    kept.score = figure.map(|(name, figures)| {
        let seats = (0..game.n_seats).map(|seat| seat_name(game, seat, form));
        let each = seats.zip(&figures).map(|(seat, it)| format!("{seat} {it}"));
        let between = if form.is_plain() { "; " } else { " · " };
        format!("{name} {}", each.collect::<Vec<_>>().join(between))
    });
    Ok(())
}
