use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use crate::cli::files::{self, Growing};
use crate::cli::load::{self, GameArgs, Loaded};
use crate::cli::simulated::words::{grouped, time};
use crate::cli::simulated::{Played, csv, facts, json, players, plot};
use crate::cli::{CliError, Exit, Ui, position, render, thinking};
use crate::diagnostic::codes;
use crate::engine::{Names, Streams};
use crate::lab::{
    self, End, Gambler, Left, MOST_CHOICES, Plan, Seated, Share, Shares, Totals, Until,
};
use crate::mind::Mind;
use crate::play::Player;
use crate::play::transcript::Luck;
use crate::threads;

/// Games that are played where nobody says how many.
const GAMES: u64 = 1_000;
/// Most games where they end when enough is known.
const MOST_GAMES: u64 = 1_000_000;
/// Most games where they end when it is decided who has the better of it: what is not decided by then is a difference of less than
/// one game in a hundred.
const MOST_DECIDING: u64 = 100_000;
/// Most threads.
const MOST_JOBS: usize = 256;

/// Play many random games and tell what they come to.
///
/// Who wins, how the games end, how long they are, what the rulebook measures, and what was never used. Each legal move is equally likely. The game of
/// a seed follows from the seed and the rules alone; chance is drawn by the names of what is drawn from, so the games are others
/// than those of `adit play` and `adit bench`. Intervals hold in 95 % of all runs. Ctrl-C ends it and tells what is known by then.
/// A fault of the rules is told with its seed, and the answer is no; so it is where nobody ever chooses anything.
#[derive(Args, Debug)]
pub struct SimulateArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    many: ManyArgs,
    /// Stop before all games are played: `1%` when all shares of the wins are known to within so much, `decided` when those who
    /// choose first, second … are known not to win alike
    #[arg(long, value_name = "WHEN", value_parser = until)]
    until: Option<Until>,
    /// Tell also which clauses forbid what all others allow: looked at in so many of the first games, at one choice in 16,
    /// and slow. What a choice offers only with certain arguments or under a condition is left out
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    refusals: u64,
    /// Who plays, one for each seat, in place of random players: `easy`, `medium`, `hard`, `greedy`, `exact`, `mcts:1000`, `flat:1000` …
    #[arg(long, value_name = "WHO,…", value_delimiter = ',')]
    seats: Vec<String>,
    /// Let each player take the next seat after each game
    #[arg(long, requires = "seats")]
    rotate: bool,
    /// Answer no where the first player named has a smaller share of the wins, in percent; shared wins count in parts
    #[arg(long, value_name = "PERCENT", requires = "seats", conflicts_with = "within", value_parser = percents)]
    bar: Option<f64>,
    /// Answer no where its share lies outside, as in `--within 45,55`
    #[arg(long, value_name = "LEAST,MOST", requires = "seats", value_delimiter = ',', num_args = 1, value_parser = percents)]
    within: Vec<f64>,
    /// Write a line for each game into this file; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw the wins, the lengths and the figures into this file; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Keep a game as a transcript, for `adit replay FILE`: the first one that a fault has stopped, or else the first one
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// Which games are played.
#[derive(Args, Debug, Clone)]
pub struct ManyArgs {
    /// How many games; 1000 unless they end when enough is known: after 1000000 at the latest, after 100000 for `decided`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub games: Option<u64>,
    /// The seed of the first game; the others follow one by one
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Threads; by default one for each processor. What is told does not depend on it
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub jobs: Option<NonZeroUsize>,
    /// Leave a game off that has not ended after so many choices
    #[arg(long, value_name = "N", default_value_t = MOST_CHOICES, value_parser = clap::value_parser!(u64).range(1..))]
    pub most_choices: u64,
}

/// Reads when enough is known.
pub fn until(text: &str) -> Result<Until, String> {
    if text == "decided" {
        return Ok(Until::Decided);
    }
    let number = text.strip_suffix('%').map(str::trim_end);
    let share = number.and_then(|it| it.parse::<f64>().ok());
    match share.filter(|it| (0.01..=50.0).contains(it)) {
        Some(percent) => Ok(Until::Within(percent / 100.0)),
        None => Err(String::from(
            "write `decided`, or a share from 0.01% to 50%",
        )),
    }
}

/// Reads a share of the wins.
fn percents(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|it| (0.0..=100.0).contains(it));
    number.ok_or_else(|| String::from("a number of percent from 0 to 100"))
}

/// Reads a number of threads.
pub fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().and_then(NonZeroUsize::new);
    let number = number.filter(|it| it.get() <= MOST_JOBS);
    number.ok_or_else(|| format!("a number from 1 to {MOST_JOBS}"))
}

impl ManyArgs {
    /// What is to be played.
    pub fn plan(&self, until: Until) -> Plan {
        let usual = match until {
            Until::Played => GAMES,
            Until::Within(_) => MOST_GAMES,
            Until::Decided => MOST_DECIDING,
        };
        Plan {
            first: self.seed,
            games: self.games.unwrap_or(usual),
            until,
            jobs: self.jobs.unwrap_or_else(threads::here),
            most_choices: self.most_choices,
            each: false,
            looks: 0,
        }
    }
}

/// Plays; the answer is no where a fault stops a game, no game is judged, or not enough is known in the end.
pub fn run(args: &SimulateArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let loaded = load::load(args.game.asked())?;
    let program = &loaded.program;
    // How many games are played was asked for.
    program.unbound_work();
    let until = args.until.unwrap_or(Until::Played);
    let seated = args.seated(&loaded)?;
    if let Some(seated) = &seated {
        let minds = seated.minds().iter().copied();
        thinking::prepare(seated.thinker(), minds, &loaded, ui)?;
    }
    let mut shares = seated.as_ref().map(|it| Shares::of(it.minds().len()));
    let plan = Plan {
        each: args.csv.is_some() || seated.is_some(),
        looks: args.refusals,
        ..args.many.plan(until)
    };
    let asked = [
        ("--csv", args.csv.as_deref()),
        ("--svg", args.svg.as_deref()),
    ];
    files::leave_output(&asked, ui)?;
    let mut table = args.csv.as_deref().map(Growing::begin).transpose()?;
    if let Some(table) = &mut table {
        table.part(&csv::header(program), ui)?;
    }
    let mut clock = Clock::new(ui);
    let mut failed = None;
    let (totals, left) = lab::simulate(program, plan, seated.as_ref(), &mut |progress| {
        if let (Some(shares), Some(seated)) = (&mut shares, &seated) {
            let games = progress.courses.iter();
            games.for_each(|it| shares.add(seated, it, plan.first, &progress.totals.together));
        }
        if let Some(table) = &mut table
            && let Err(error) = csv::write(table, program, progress.courses, ui)
        {
            failed = Some(error);
            return false;
        }
        clock.tick(progress.totals.games, progress.games, ui);
        !ui.is_stopped()
    });
    ui.progress("");
    if let Some(error) = failed {
        return Err(error);
    }
    if let Some(table) = table {
        table.finish()?;
    }
    let (svg, save) = (args.svg.as_deref(), args.save.as_deref());
    let players = seated.as_ref().zip(shares.as_ref());
    let exit = tell(&loaded, (plan, totals, left), players, svg, save, ui)?;
    let first = shares.as_ref().and_then(|it| it.0.first());
    match first.is_none_or(|it| args.is_reached(it)) {
        false if exit == Exit::Yes => Ok(Exit::No),
        _ => Ok(exit),
    }
}

impl SimulateArgs {
    /// Who sits at the table, where not all play at random.
    fn seated<'l>(&self, loaded: &'l Loaded) -> Result<Option<Seated<'l>>, CliError> {
        if self.seats.is_empty() {
            return Ok(None);
        }
        let mut minds = Vec::new();
        for word in &self.seats {
            minds.push(match Player::find(word.trim()) {
                Some(Player::Mind(mind)) => mind,
                Some(Player::Human) => {
                    let help = "`adit play` asks a person";
                    let message = "no person can play so many games";
                    return Err(CliError::new(codes::BAD_SEATS, message, help));
                }
                None => return Err(thinking::unknown(word)),
            });
        }
        let game = &loaded.program.game;
        if minds.len() != game.n_seats as usize {
            return Err(super::play::wrong_number(game, minds.len()));
        }
        if let [_, ..] = *self.within
            && self.within.len() != 2
        {
            let message = "`--within` takes the least and the greatest share";
            return Err(CliError::new(
                codes::BAD_SEATS,
                message,
                "write `--within 45,55`",
            ));
        }
        let all_random = minds.iter().all(|it| *it == Mind::Random);
        let asks = self.rotate || self.bar.is_some() || !self.within.is_empty();
        if all_random && !asks {
            return Ok(None);
        }
        let began = Instant::now();
        let clock = move || began.elapsed();
        Ok(Some(Seated::new(
            &loaded.program,
            minds,
            self.rotate,
            clock,
        )))
    }

    /// Whether the first player has the share of the wins that was asked for.
    fn is_reached(&self, first: &Share) -> bool {
        let share = 100.0 * first.part();
        let within = match *self.within {
            [least, most] => (least..=most).contains(&share),
            _ => true,
        };
        within && self.bar.is_none_or(|bar| share >= bar)
    }

    /// What is to be played on several machines.
    pub fn planned(&self) -> Result<(Loaded, Plan), CliError> {
        only_told(&[
            ("--csv", self.csv.is_some()),
            ("--seats", !self.seats.is_empty()),
            ("--svg", self.svg.is_some()),
            ("--save", self.save.is_some()),
        ])?;
        let plan = Plan {
            looks: self.refusals,
            ..self.many.plan(self.until.unwrap_or(Until::Played))
        };
        Ok((load::load(self.game.asked())?, plan))
    }
}

/// Refuses what belongs to one run on one machine.
pub fn only_told(given: &[(&str, bool)]) -> Result<(), CliError> {
    let Some((name, _)) = given.iter().find(|it| it.1) else {
        return Ok(());
    };
    let message = format!("`{name}` cannot be planned: it belongs to one run on one machine");
    let help = "leave it out; `adit shard merge` takes `--svg` and `--save`";
    Err(CliError::new(codes::BAD_PLAN, message, help))
}

/// Tells what was played; the answer is no as [`run`] says.
pub fn tell(
    loaded: &Loaded,
    (plan, totals, left): (Plan, Totals, Left),
    players: Option<(&Seated<'_>, &Shares)>,
    svg: Option<&Path>,
    kept: Option<&Path>,
    ui: &mut Ui<'_>,
) -> Result<Exit, CliError> {
    let played = Played {
        title: loaded.described(),
        program: &loaded.program,
        plan,
        totals,
        left,
        players: players.map(|(of, it)| players::of(of, it)),
    };
    if let Some(path) = svg {
        files::put(path, &plot::draw(&played), ui)?;
    }
    if let Some(path) = kept {
        save(loaded, &played, players.map(|it| it.0), path)?;
    }
    if ui.json {
        ui.json_value(&json::told(&played, &loaded.asked))?;
    } else {
        facts::show(&played, ui)?;
        let help = "`--save FILE` keeps the first such game, and `adit replay FILE` shows it";
        faults(loaded, &played.totals, "", help, ui)?;
    }
    let known = match played.plan.until {
        Until::Played => true,
        Until::Within(_) | Until::Decided => left == Left::Enough,
    };
    let totals = &played.totals;
    let fine = totals.faults.is_empty() && totals.judged > 0 && known && !played.plays_itself();
    Ok(Exit::of(fine, left))
}

/// Says what stops games, and where in the rules; `side` says under which.
pub fn faults(
    loaded: &Loaded,
    totals: &Totals,
    side: &str,
    help: &str,
    ui: &mut Ui<'_>,
) -> Result<(), CliError> {
    let faults = totals.faults.iter().map(|it| {
        let mut found = it.fault.diagnostic();
        let games = match it.games {
            1 => String::from("1 game stops here, with"),
            n => format!("{} games stop here, the first with", grouped(n)),
        };
        let seed = format!("seed {} at choice {}", it.seed, grouped(it.choices));
        found.message = format!("{side}{}: {games} {seed}", found.message);
        let advice = found.help.take().unwrap_or_default();
        found.help(format!("{advice}; {help}"))
    });
    let faults: Vec<_> = faults.collect();
    if faults.is_empty() {
        return Ok(());
    }
    ui.line("")?;
    ui.line(render::findings(&loaded.sources, &faults, ui))
}

/// Keeps the first game that a fault has stopped, or else the first one.
fn save(
    loaded: &Loaded,
    played: &Played<'_>,
    seated: Option<&Seated<'_>>,
    path: &Path,
) -> Result<(), CliError> {
    let program = &loaded.program;
    let fault = played.totals.faults.first();
    let seed = fault.map_or(played.plan.first, |it| it.seed);
    let (names, streams) = (Names::of(program), Streams::of(&program.game));
    let mut gambler = Gambler::new(program, &names, &streams, played.plan.most_choices);
    let game = seed.wrapping_sub(played.plan.first);
    gambler.seat(seated.map(|it| (it, game)));
    let (mut moves, course) = gambler.moves(seed);
    let last = match course.map(|it| it.end) {
        Some(End::Fault(_)) => moves.pop(),
        _ => None,
    };
    let seats = 0..program.game.n_seats;
    let word = |seat| match seated {
        Some(it) => it.mind(seat, game).word(),
        None => Player::RANDOM.word(),
    };
    let seats = seats.map(word).collect();
    let asked = loaded.asked.seen_from(path.parent());
    let mut header = position::header(&program.game, &asked, seats, seed);
    header.chance = Some(Luck::Named);
    let text = position::line_to_fault(program, header, &moves, last);
    files::write(path, &text)
}

/// Shows how far it is, and how long it will take.
pub struct Clock {
    began: f64,
    shown: Option<f64>,
}

impl Clock {
    /// Begins to count.
    pub fn new(ui: &Ui<'_>) -> Clock {
        Clock {
            began: now(ui),
            shown: None,
        }
    }

    /// Shows how far it is, at most a few times a second.
    pub fn tick(&mut self, done: u64, all: u64, ui: &mut Ui<'_>) {
        let time = now(ui);
        if self.shown.is_some_and(|it| time - it < 0.2) {
            return;
        }
        self.shown = Some(time);
        let text = self.text(done, all, time);
        ui.progress(&text);
    }

    fn text(&self, done: u64, all: u64, now: f64) -> String {
        let mut text = format!("{} of {} games", grouped(done), grouped(all));
        let spent = now - self.began;
        if done > 0 && spent >= 1.0 {
            let left = spent / done as f64 * (all - done) as f64;
            text += &format!(", {} left", time(left.ceil() as u64));
        }
        text + "; Ctrl-C tells what is known"
    }
}

fn now(ui: &Ui<'_>) -> f64 {
    let (seconds, nanos) = ui.now();
    seconds as f64 + f64::from(nanos) / 1e9
}
