use std::path::{Path, PathBuf};

use crate::model::text::Form;
use clap::Args;
use serde::Serialize;

use super::games;
use crate::cli::assumed;
use crate::cli::files;
use crate::cli::journal::{self, Journal, Safe};
use crate::cli::load::{self, Asked, Loaded, RulesArgs};
use crate::cli::table::{LOOKED_BACK, Left, Scored, Table};
use crate::cli::ui::Tone;
use crate::cli::{CliError, Exit, Ui, position, show, thinking};
use crate::diagnostic::{closest, codes};
use crate::engine::{PlayError, Status};
use crate::library;
use crate::mind::{Mind, Thinker};
use crate::model::Game;
use crate::play::entries::wrapped;
use crate::play::sheets::{self, Sheet};
use crate::play::transcript::{Ending, Record, Transcript};
use crate::play::{Compare, Player, Problem, Session, of_play, replay, seat_name};
use crate::source::Sources;

/// How often programs choose in a row before a game counts as one that does not end.
pub(super) const MOST_CHOICES: usize = 20_000;

/// How a game goes on.
#[derive(Args, Debug)]
pub struct Going {
    /// Stop where programs have chosen so often in a row and nobody else was asked; 0 for never
    #[arg(long, value_name = "N", default_value_t = MOST_CHOICES)]
    most_choices: usize,
    /// Ask also where one move is all there is, in place of making it
    #[arg(long)]
    ask_forced: bool,
}

/// Play a game in the terminal.
#[derive(Args, Debug)]
pub struct PlayArgs {
    /// Name of a shipped rulebook or amendment (see `adit games`), or a path; an amendment stands for its game as well;
    /// where none is named, the games are listed, and one is chosen
    game: Option<String>,
    #[command(flatten)]
    rules: RulesArgs,
    /// Who sits on each seat: `human`, `easy`, `medium`, `hard`, `random`, `first`, `greedy`, `exact`, `mcts:1000`, `mcts:2s` or `flat:1000`;
    /// by default you on the first and `medium` on the others
    #[arg(long, value_name = "WHO,…", value_delimiter = ',')]
    seats: Vec<String>,
    /// Seed of chance; by default from the clock
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Keep the game in this new file; by default in the folder where programs keep their state
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    #[command(flatten)]
    going: Going,
}

#[derive(Serialize)]
struct Played<'a> {
    journal: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    assumed: Vec<&'a str>,
    choices: usize,
    finished: bool,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    result: Option<&'a Ending>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sheets: Vec<Sheet>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scored: Vec<Scored>,
}

/// Plays until the game ends or the person leaves.
pub fn run(args: &PlayArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    match &args.game {
        Some(game) => start(args, game, ui),
        None => choose(args, ui),
    }
}

/// Lists the games with their numbers, and begins the one that a person chooses.
fn choose(args: &PlayArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let games = games::shipped();
    if ui.json || !ui.interactive() {
        let message = "which game? none is named";
        let names: Vec<&str> = games.iter().map(|(name, _)| *name).collect();
        let help = format!(
            "`adit play {}` plays one of {}",
            names.first().unwrap_or(&"GAME"),
            names.join(", ")
        );
        return Err(Problem::new(codes::UNKNOWN_GAME, message).help(help).into());
    }
    for (number, (plain, title)) in (1..).zip(&games) {
        let name = ui.paint(Tone::Bold, plain);
        let with = games::amendments_of(plain).join(", ");
        let with = if with.is_empty() {
            with
        } else {
            format!("  --with {with}")
        };
        let words: Vec<String> = format!("{name}  {title}{with}")
            .split(' ')
            .map(str::to_owned)
            .collect();
        let text = wrapped(&format!("{number:>2}  "), &words, " ", show::text_width(ui));
        ui.line(text.trim_end())?;
    }
    ui.line("    `adit resume` goes on with a kept game")?;
    loop {
        let line = asked("which one? ", ui)?;
        if line.is_empty() {
            return Ok(Exit::Yes);
        }
        let nth = line.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
        let nth = nth.and_then(|it| games.get(it)).map(|(name, _)| *name);
        let wanted = line.to_lowercase();
        let called = |it: &&(&str, String)| it.0 == wanted || it.1.to_lowercase() == wanted;
        let begins = |it: &&(&str, String)| {
            it.0.starts_with(&wanted) || it.1.to_lowercase().starts_with(&wanted)
        };
        let begun: Vec<&str> = games.iter().filter(begins).map(|it| it.0).collect();
        let is_other = line.contains(['/', '.']) || library::find(&line).is_some();
        match (
            nth.or(games.iter().find(called).map(|it| it.0)),
            begun.as_slice(),
        ) {
            (Some(name), _) => return start(args, name, ui),
            (None, [only]) => return start(args, only, ui),
            _ if is_other => return start(args, &line, ui),
            (None, []) => {
                let near = closest(&wanted, games.iter().map(|it| it.0));
                let near = near.map_or_else(String::new, |it| format!("; did you mean `{it}`?"));
                ui.line(format!("no game is called `{line}`{near}"))?;
            }
            (None, several) => ui.line(format!("several begin so: {}", several.join(", ")))?,
        }
    }
}

/// Asks a person for a line; nothing where nobody answers.
pub(super) fn asked(question: &str, ui: &mut Ui<'_>) -> Result<String, CliError> {
    ui.part(question)?;
    let line = ui.read_line()?;
    Ok(line.unwrap_or_default().trim().to_owned())
}

fn start(args: &PlayArgs, game: &str, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let mut seats = None;
    if !args.seats.is_empty() {
        let words = args.seats.iter().map(|word| player(word.trim()));
        seats = Some(words.collect::<Result<Vec<Player>, CliError>>()?);
    }
    let named = seats
        .as_ref()
        .and_then(|seats| u32::try_from(seats.len()).ok());
    let asked = args.rules.asked(game.to_owned());
    let asked = Asked {
        seats: asked.seats.or(named),
        ..asked
    };
    let loaded = load_for(asked, named)?;
    let rules = &loaded.program.game;
    let seats = who_sits(rules, seats)?;
    let thinker = Thinker::new(&loaded.program);
    thinking::prepare(&thinker, thinking::minds(&seats), &loaded, ui)?;
    let words = seats.iter().map(|player| player.word()).collect();
    let (seconds, nanos) = ui.now();
    let seed = args
        .seed
        .unwrap_or(seconds.wrapping_mul(1_000_003) ^ u64::from(nanos));
    let place = match &args.journal {
        Some(path) => Ok(Some(path.clone()).filter(|it| !files::is_device(it))),
        None => journal::default_path(game, ui).map(Some),
    };
    let folder = place.as_ref().ok().and_then(|it| it.as_deref()?.parent());
    let kept_by = loaded.asked.seen_from(folder);
    let header = position::header(rules, &kept_by, words, seed);
    let session = Session::start(&loaded.program, header);
    let session = session.map_err(|fault| position::fault(&loaded.sources, &fault))?;
    let journal = match place {
        Ok(Some(path)) => Journal::create(&path, &session).map(Some),
        Ok(None) => Ok(None),
        Err(error) => Err(error),
    };
    let (journal, why) = match journal {
        Ok(journal) => (journal, String::new()),
        // Nobody asked for a file, so the game can be played without.
        Err(CliError::Found(found)) if args.journal.is_none() => {
            let why = found.diagnostics.first();
            (
                None,
                why.map_or(String::new(), |it| format!(": {}", it.message)),
            )
        }
        Err(error) => return Err(error),
    };
    let kept = match &journal {
        Some(journal) => format!("kept in {}", journal.path().display()),
        None => format!("not kept{why}; `--journal FILE` keeps a game"),
    };
    talk_beside(&seats, ui);
    if ui.json && journal.is_none() {
        ui.note(format!("note: {kept}"));
    }
    if !ui.json {
        let sitting = sitting(rules, &seats, ui.form());
        ui.line(format!("{}, seed {seed}, {sitting}", loaded.title()))?;
        ui.line(kept)?;
        say_assumed(rules, game, ui)?;
    }
    let table = Table::new(&loaded, session, journal, seats, thinker);
    play(&args.going, table, ui).map_err(|it| it.within(&loaded.sources))
}

pub(super) fn resume(
    going: &Going,
    path: &Path,
    game: Option<&str>,
    ui: &mut Ui<'_>,
) -> Result<Exit, CliError> {
    let name = path.to_string_lossy();
    let text = load::read_text(&name)?;
    let about = |rules: &Sources, problem| CliError::about(rules, &problem, &name, &text);
    let transcript = Transcript::read(&text).map_err(|it| about(&Sources::new(), it))?;
    let loaded = load::load(Asked::by(&transcript.header, &name, game)?)?;
    let session = replay(&loaded.program, &transcript, Compare::Bytes)
        .map_err(|it| about(&loaded.sources, it))?;
    let words = transcript.header.seats.iter();
    let seats = words
        .map(|word| player(word))
        .collect::<Result<Vec<Player>, CliError>>()?;
    let seats = who_sits(&loaded.program.game, Some(seats))?;
    if transcript.header.from.is_some() && thinking::minds(&seats).any(|it| it == Mind::Exact) {
        let message = "`exact` plays games from their beginning, and this one begins elsewhere";
        let problem = Problem::new(codes::BAD_SEATS, message);
        return Err(problem
            .help("write `medium` in the first line of the transcript")
            .into());
    }
    let thinker = Thinker::new(&loaded.program);
    thinking::prepare(&thinker, thinking::minds(&seats), &loaded, ui)?;
    let mut journal = Journal::resume(path, transcript.whole, transcript.lines.len())?;
    if let Some(line) = transcript.torn {
        ui.note(format!("note: line {line} was torn and is dropped"));
    }
    journal.keep(&session, Safe::Now)?;
    talk_beside(&seats, ui);
    if !ui.json {
        let choices = session.n_choices();
        ui.line(format!(
            "{}, resumed after {choices} choices, {}",
            loaded.title(),
            sitting(&loaded.program.game, &seats, ui.form())
        ))?;
        ui.line(format!("kept in {name}"))?;
        say_assumed(&loaded.program.game, &transcript.header.game, ui)?;
    }
    let mut table = Table::new(&loaded, session, Some(journal), seats, thinker);
    table.remember(ui)?;
    play(going, table, ui).map_err(|it| it.within(&loaded.sources))
}

/// With `--json` the output is for a program, and a person at the table is spoken to beside it.
fn talk_beside(seats: &[Player], ui: &mut Ui<'_>) {
    ui.beside = ui.json && seats.contains(&Player::Human);
}

/// Says that the game is played with data that its printed rules do not give.
fn say_assumed(rules: &Game, asked: &str, ui: &mut Ui<'_>) -> Result<(), CliError> {
    let data = assumed::data(rules);
    if data.is_empty() {
        return Ok(());
    }
    // Their names are those of the rulebook, which nobody knows who plays.
    let text = match data.len() {
        1 => String::from("one thing that the printed rules do not say is assumed"),
        n => format!("{n} things that the printed rules do not say are assumed"),
    };
    let text = format!("{text} (see `adit sources {asked}`)");
    ui.line(show::paragraph(&text, ui))
}

fn play(args: &Going, table: Table<'_>, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let most = Some(args.most_choices).filter(|most| *most > 0);
    let mut table = table.asking_forced(args.ask_forced);
    let left = table.play(most, ui)?;
    let exit = match left {
        Left::Standstill(_) => Exit::No,
        Left::Ended | Left::Quit => Exit::Yes,
    };
    if let Some(journal) = &mut table.journal {
        journal.keep(&table.session, Safe::Now)?;
    }
    let path = table.journal.as_ref();
    let path = path.map(|it| it.path().display().to_string());
    if ui.json {
        let over = matches!(table.session.status(), Status::Ended);
        let sheets = over.then(|| sheets::sheets(table.session.machine()));
        let sheets = sheets.transpose();
        let sheets = sheets.map_err(|fault| of_play(&PlayError::Fault(fault)))?;
        let session = &table.session;
        let result = match session.records().last() {
            Some(Record::End(ending)) => Some(ending),
            _ => None,
        };
        ui.json_value(&Played {
            journal: path,
            assumed: assumed::data(session.game()),
            choices: session.n_choices(),
            finished: matches!(session.status(), Status::Ended),
            result,
            sheets: sheets.unwrap_or_default(),
            scored: table.scored()?,
        })?;
        return Ok(exit);
    }
    match left {
        Left::Ended => {
            if let Some(witness) = table.witness() {
                ui.line("")?;
                table.draw(witness, ui)?;
                table.tell_last(witness, ui)?;
            }
            show::result(&mut table.session, ui)?;
            if let Some(path) = path {
                ui.line(format!("transcript: {path}"))?;
            }
            table.look_back(ui)?;
        }
        Left::Quit => {
            // What is to be copied is not broken.
            ui.part(match path {
                Some(path) => {
                    let name = journal::called(Path::new(&path), ui).unwrap_or(path);
                    format!("the game is kept; go on with: adit resume {name}\n")
                }
                None => String::from("the game is not kept\n"),
            })?;
        }
        Left::Standstill(n_different) => {
            let n = args.most_choices;
            let back = LOOKED_BACK.min(n);
            ui.line(format!(
                "no end after {n} choices of programs in a row; among the last {back} positions {n_different} are different"
            ))?;
            ui.line(match path {
                Some(path) => format!(
                    "the game is kept; go on with: adit resume {path}, for longer with --most-choices N"
                ),
                None => String::from("the game is not kept; --most-choices N lets it go on for longer"),
            })?;
        }
    }
    Ok(exit)
}

/// Loads the rules; where the words for the seats chose a number that does not fit, that is the error.
fn load_for(asked: Asked, named: Option<u32>) -> Result<Loaded, CliError> {
    let Some(named) = named else {
        return load::load(asked);
    };
    let plain = Asked {
        seats: None,
        ..asked.clone()
    };
    let loaded = load::load(plain)?;
    let (least, most) = loaded.program.game.seat_range;
    let wanted = asked.seats.unwrap_or(named);
    if wanted != named || named < least || named > most {
        let game = &loaded.program.game;
        return Err(wrong_number(game, named as usize));
    }
    if named == loaded.program.game.n_seats {
        return Ok(loaded);
    }
    load::load(asked)
}

fn who_sits(game: &Game, seats: Option<Vec<Player>>) -> Result<Vec<Player>, CliError> {
    let wanted = game.n_seats as usize;
    let seats = seats.unwrap_or_else(|| {
        let rest = std::iter::repeat_n(Player::USUAL, wanted.saturating_sub(1));
        std::iter::once(Player::Human).chain(rest).collect()
    });
    if seats.len() == wanted {
        Ok(seats)
    } else {
        Err(wrong_number(game, seats.len()))
    }
}

/// Who sits where, in a line.
pub(super) fn sitting(game: &Game, seats: &[Player], form: Form) -> String {
    let n_people = seats.iter().filter(|it| **it == Player::Human).count();
    let each = (0..).zip(seats).map(|(seat, player)| {
        let who = match player {
            Player::Human if n_people == 1 => String::from("you"),
            Player::Human => String::from("a person"),
            Player::Mind(mind) => mind.word(),
        };
        format!("{}: {who}", seat_name(game, seat, form))
    });
    each.collect::<Vec<String>>().join(", ")
}

/// Says that so many seats are filled, and not as many as there are.
pub fn wrong_number(game: &Game, given: usize) -> CliError {
    let (least, most) = game.seat_range;
    let wanted = if least == most {
        least.to_string()
    } else {
        format!("{least} to {most}")
    };
    let verb = if given == 1 { "is" } else { "are" };
    let given = super::check::counted(given, "seat");
    let message = format!(
        "{} is played by {wanted}, and {given} {verb} filled",
        game.title
    );
    let help = "give one word for each seat: `--seats human,medium`";
    Problem::new(codes::BAD_SEATS, message).help(help).into()
}

pub(super) fn player(word: &str) -> Result<Player, CliError> {
    Player::find(word).ok_or_else(|| thinking::unknown(word))
}
