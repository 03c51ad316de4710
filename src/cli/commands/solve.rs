use crate::model::text::Form;
use clap::Args;
use serde::Serialize;

use super::study::trouble;
use crate::cli::load::GameArgs;
use crate::cli::position::PositionArgs;
use crate::cli::simulated::words::grouped;
use crate::cli::{CliError, Exit, Ui};
use crate::engine::{Machine, Tier};
use crate::model::Game;
use crate::play::seat_name;
use crate::study::{self, MOST_OUTCOMES, MOST_POSITIONS, Measure, Open};

/// Work out what a small game is worth if all play perfectly.
///
/// Each position is looked at once, and chance counts by how likely its outcomes are; for one seat or two. Without a seed or a position the game is looked at from before the first outcome of chance. Where something is hidden, `--cfr N` lets both seats learn from so many rounds against each other. Ctrl-C ends it.
#[derive(Args, Debug)]
pub struct SolveArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Look at no more positions than this, with --cfr no more lines; each takes about 200 bytes
    #[arg(long, value_name = "N", default_value_t = MOST_POSITIONS)]
    positions: usize,
    /// Let two seats that do not see all learn for so many rounds (counterfactual regret), and say how good that is
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000), conflicts_with_all = ["at", "seed", "ruling", "moves"])]
    cfr: Option<u32>,
    #[command(flatten)]
    at: PositionArgs,
}

/// What a game is worth.
#[derive(Serialize)]
struct Told {
    /// `drawn`, `won`, `even` or `ahead`; of one seat `best`; `open` where it is not known.
    verdict: &'static str,
    /// Who wins or is ahead.
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<String>,
    /// `figures` of the ranking, or `wins`, of which a shared game is half a one.
    #[serde(skip_serializing_if = "Option::is_none")]
    measure: Option<&'static str>,
    /// By seat.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    worth: Vec<Worth>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<First>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ends: Option<usize>,
    /// What is won on average, of both, by who knows how the other plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    exploitability: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rounds: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<usize>,
    /// What a seat can know when it chooses: so many different things.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<usize>,
    /// Why it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// What it is worth to a seat.
#[derive(Serialize)]
struct Worth {
    seat: String,
    worth: f64,
}

/// What it is worth to who chooses first and plays this.
#[derive(Serialize)]
struct First {
    #[serde(rename = "move")]
    name: String,
    worth: f64,
}

/// Works it out; the answer is no where it stays open.
pub fn run(args: &SolveArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let place = args
        .at
        .place(&args.game.game, &args.game.rules, Tier::Optimized)?;
    let program = &place.loaded.program;
    let trouble = |it| trouble(&place.loaded, None, &it);
    let mut shown = None;
    let form = ui.data_form();
    let told = match args.cfr {
        Some(rounds) => {
            let learnt = study::equilibrium(program, rounds, args.positions, &mut |done| {
                ui.watched(&mut shown, || grouped(done as u64))
            });
            learnt
                .map_err(trouble)?
                .map(|it| learnt_told(&program.game, &it, form))
        }
        None => {
            let from = match args.at.is_given() {
                true => Some(place.ask(ui.form(), |session| Ok(session.machine().save()))?),
                false => None,
            };
            let worth = study::solve(program, from.as_ref(), args.positions, &mut |done| {
                ui.watched(&mut shown, || grouped(done as u64))
            });
            worth.map_err(trouble)?.map(|it| {
                let mut machine = Machine::new(program);
                match &from {
                    Some(state) => machine.load(state),
                    // A single beginning asks chance for nothing that makes a difference.
                    None => drop(machine.start(&mut crate::engine::Ways::default())),
                }
                let names = it
                    .moves
                    .iter()
                    .map(|(played, _)| machine.print(*played, form));
                let names = names.collect();
                worth_told(&program.game, &it, names, form)
            })
        }
    };
    ui.progress("");
    let is_stopped = matches!(told, Err(Open::Stopped));
    let told = told.unwrap_or_else(|open| Told::open(&program.game, open, args, form));
    let exit = match told.why {
        _ if is_stopped => Exit::Failure,
        None => Exit::Yes,
        Some(_) => Exit::No,
    };
    if ui.json {
        ui.json_value(&told)?;
    } else {
        show(&told, ui)?;
    }
    Ok(exit)
}

/// Why something stays open of which so many positions may be looked at.
pub fn why(game: &Game, open: Open, positions: usize, form: Form) -> String {
    match open {
        Open::Positions => format!(
            "there are more than {} positions",
            grouped(positions as u64)
        ),
        Open::Hidden(seat) => format!(
            "{} does not see all that may differ when it chooses",
            seat_name(game, seat, form)
        ),
        Open::Chance => format!(
            "chance decides in more than {} ways at once",
            grouped(MOST_OUTCOMES)
        ),
        Open::Seats => {
            String::from("with three seats or more no play is the best against all others")
        }
        Open::Together => {
            String::from("all seats can win or lose together, so they are no opponents")
        }
        Open::Returns => String::from("a position can come back, so a game may go on for ever"),
        Open::Stopped => String::from("it was stopped"),
    }
}

fn word_of(measure: Measure) -> &'static str {
    match measure {
        Measure::Figures => "figures",
        Measure::Wins => "wins",
    }
}

impl Told {
    fn of(game: &Game, measure: Measure, seats: &[f64], is_sure: bool, form: Form) -> Told {
        let name = |seat: u32| seat_name(game, seat, form);
        let (verdict, seat) = match seats {
            [first, second] => {
                let (equal, better) = match is_sure {
                    true => ("drawn", "won"),
                    false => ("even", "ahead"),
                };
                match first.total_cmp(second) {
                    _ if (first - second).abs() < 1e-9 => (equal, None),
                    std::cmp::Ordering::Greater => (better, Some(name(0))),
                    _ => (better, Some(name(1))),
                }
            }
            _ => ("best", Some(name(0))),
        };
        let worth = (0..).zip(seats).map(|(seat, worth)| Worth {
            seat: name(seat),
            worth: *worth,
        });
        Told {
            verdict,
            seat,
            measure: Some(word_of(measure)),
            worth: worth.collect(),
            ..Told::nothing()
        }
    }

    fn nothing() -> Told {
        Told {
            verdict: "open",
            seat: None,
            measure: None,
            worth: Vec::new(),
            moves: Vec::new(),
            positions: None,
            ends: None,
            exploitability: None,
            rounds: None,
            lines: None,
            states: None,
            why: None,
        }
    }

    fn open(game: &Game, open: Open, args: &SolveArgs, form: Form) -> Told {
        let why = why(game, open, args.positions, form);
        let why = match open {
            Open::Positions => why + "; `--positions N` looks further",
            Open::Hidden(_) => why + "; `--cfr 1000` lets both seats learn",
            Open::Seats if args.cfr.is_some() => {
                String::from("two seats learn, no more and no fewer")
            }
            Open::Returns => why + "; a rule that ends it then would settle it",
            _ => why,
        };
        Told {
            why: Some(why),
            ..Told::nothing()
        }
    }
}

fn worth_told(game: &Game, worth: &study::Worth, names: Vec<String>, form: Form) -> Told {
    let firsts = names.into_iter().zip(&worth.moves);
    let firsts = firsts.map(|(name, (_, worth))| First {
        name,
        worth: *worth,
    });
    Told {
        moves: firsts.collect(),
        positions: Some(worth.positions),
        ends: Some(worth.ends),
        ..Told::of(game, worth.measure, &worth.seats, !worth.has_chance, form)
    }
}

fn learnt_told(game: &Game, learnt: &study::Equilibrium, form: Form) -> Told {
    Told {
        exploitability: Some(learnt.exploitability),
        rounds: Some(learnt.rounds),
        lines: Some(learnt.lines),
        states: Some(learnt.states),
        ..Told::of(game, learnt.measure, &learnt.seats, false, form)
    }
}

fn show(told: &Told, ui: &mut Ui<'_>) -> Result<(), CliError> {
    if let Some(why) = &told.why {
        return ui.line(format!("open: {why}"));
    }
    let seat = told.seat.as_deref().unwrap_or_default();
    ui.line(match told.verdict {
        "drawn" => String::from("drawn, if both play as well as one can"),
        "won" => format!("{seat} wins, if both play as well as one can"),
        "even" => String::from("even, if both play as well as one can"),
        "ahead" => format!("{seat} is ahead, if both play as well as one can"),
        _ => String::from("if it is played as well as one can"),
    })?;
    let of = match told.measure {
        Some("wins") => "of a game won",
        _ => "by the ranking",
    };
    for Worth { seat, worth } in &told.worth {
        ui.line(format!("  {seat}: {} {of}", figure(*worth)))?;
    }
    if let (Some(positions), Some(ends)) = (told.positions, told.ends) {
        let (positions, ends) = (grouped(positions as u64), grouped(ends as u64));
        ui.line(format!(
            "  {positions} positions with a choice, {ends} ends"
        ))?;
    }
    if let (Some(rounds), Some(exploitability)) = (told.rounds, told.exploitability) {
        let [lines, states] = [told.lines, told.states].map(|it| grouped(it.unwrap_or(0) as u64));
        ui.line(format!(
            "  who knew how the other plays would win {exploitability:.4} by it, after {} rounds",
            grouped(rounds)
        ))?;
        ui.line(format!(
            "  {lines} lines with a choice, at which a seat knows one of {states} different things"
        ))?;
    }
    for First { name, worth } in &told.moves {
        ui.line(format!("{name}: {}", figure(*worth)))?;
    }
    Ok(())
}

/// A number with as many decimals as it takes, four at most.
fn figure(worth: f64) -> String {
    let text = format!("{worth:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" => String::from("0"),
        text => text.to_owned(),
    }
}
