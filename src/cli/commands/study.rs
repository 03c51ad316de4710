use std::path::Path;

use crate::model::text::Form;
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};

use super::check::counted;
use crate::cli::load::{self, Asked, Budget, GameArgs, Loaded};
use crate::cli::ui::Tone;
use crate::cli::{CliError, Exit, Ui, files, position};
use crate::diagnostic::{Diagnostic, closest, codes};
use crate::engine::Program;
use crate::engine::text::print_value;
use crate::model::{Silence, Study, Unheard};
use crate::play::transcript::Record;
use crate::play::{Problem, Session};
use crate::study::{Answer, Bounds, Extent, Line, MOST_OUTCOMES, MOST_VALUES, Trouble, search};

/// Search all lines of play for what a study of the rulebook asks.
///
/// The answer is a shortest line of play, or that there is none within the bounds. All moves of all seats and all outcomes of chance are followed.
#[derive(Args, Debug)]
pub struct StudyArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Search only for these studies
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Search so many choices deep, whatever the study says
    #[arg(long, value_name = "N")]
    plies: Option<u32>,
    /// Look at no more positions than this, those of continuations included; each takes the memory of one state and about 100 bytes
    #[arg(long, value_name = "N", default_value_t = POSITIONS)]
    positions: usize,
    /// Keep the line of play as a transcript, for `adit replay FILE` and `adit show --at FILE`
    #[arg(long, value_name = "FILE")]
    save: Option<String>,
}

/// So many positions are looked at, if nobody says how many.
const POSITIONS: usize = 2_000_000;

impl StudyArgs {
    /// Returns those that an editor asks about one study.
    pub fn about(game: &str, id: &str) -> StudyArgs {
        StudyArgs {
            game: GameArgs {
                game: game.to_owned(),
                ..GameArgs::default()
            },
            ids: vec![id.to_owned()],
            plies: None,
            positions: POSITIONS,
            save: None,
        }
    }
}

/// What a study came to, for programs and people.
#[derive(Serialize)]
struct Told {
    id: String,
    title: String,
    found: bool,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    line: Option<ToldLine>,
    /// How much was searched: `everything`, all within `plies`, as many `positions` or `values` as are allowed, or what there was
    /// time for before it was `stopped`.
    #[serde(skip_serializing_if = "Option::is_none")]
    searched: Option<&'static str>,
    /// Why it was not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    unheard: Option<String>,
    most_plies: u32,
    positions: usize,
    followed: usize,
    #[serde(skip)]
    transcript: Option<String>,
}

#[derive(Serialize)]
struct ToldLine {
    plies: usize,
    turns: usize,
    names: Map<String, Value>,
    line: Vec<Record>,
}

/// Searches; the answer is no where nothing is found.
pub fn run(args: &StudyArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    run_for(args, args.game.asked(), ui)
}

/// The same, with the game looked for where it is said.
pub fn run_for(args: &StudyArgs, asked: Asked, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let loaded = load::load(asked.clone())?;
    let mut tables = vec![loaded];
    let mut budget = Budget::default();
    if asked.seats.is_none()
        && let Some(first) = tables.first()
    {
        for count in first.program.game.other_tables.clone() {
            let seats = Some(count);
            let other = Asked {
                seats,
                ..asked.clone()
            };
            tables.push(budget.load(&other)?);
        }
    }
    let studies: Vec<(&Loaded, &Study)> = (0..)
        .zip(&tables)
        .flat_map(|(at, loaded)| {
            let all = loaded.program.game.studies.iter();
            let here = all.filter(move |it| at == 0 || it.players.is_some());
            here.map(move |study| (loaded, study))
        })
        .collect();
    let has_unheard = |it: &Loaded| it.program.game.unheard.iter().any(|it| it.is_study);
    if studies.is_empty() && !tables.iter().any(has_unheard) {
        let title = tables
            .first()
            .map_or("this rulebook", |it| it.program.game.title.as_str());
        let message = format!("{title} has no study");
        return Err(Problem::new(codes::UNKNOWN_STUDY, message)
            .help("write one: `study ID \"Question?\" { given { … } find CONDITION within 6 plies }`; docs/language.md tells how")
            .into());
    }
    let unheard = unheard(&tables, asked.seats.is_some(), &args.ids);
    let wanted = wanted(&studies, &unheard, &args.ids)?;
    if args.save.is_some() && wanted.len() != 1 {
        let message = format!(
            "{} cannot be kept in one file",
            counted(wanted.len(), "line")
        );
        return Err(Problem::new(codes::SEVERAL_LINES, message)
            .help("name the one study: `adit study GAME ID --save FILE`")
            .into());
    }
    let mut all = Vec::new();
    for (loaded, study) in wanted {
        let told = answer(args, loaded, study, ui)?;
        if !ui.json {
            show(&told, ui)?;
        }
        if let (Some(path), Some(transcript)) = (&args.save, &told.transcript) {
            files::write(Path::new(path), transcript)?;
            if !ui.json {
                ui.line(format!("     kept in {path}"))?;
            }
        }
        let is_stopped = told.searched == Some("stopped");
        all.push(told);
        if is_stopped {
            break;
        }
    }
    for it in unheard {
        let told = Told::unheard(it);
        if !ui.json {
            show(&told, ui)?;
        }
        all.push(told);
    }
    if ui.json {
        ui.json_value(&all)?;
    }
    if all.iter().any(|it| it.searched == Some("stopped")) {
        return Ok(Exit::Failure);
    }
    let whole = !all.is_empty() && all.iter().all(|it| it.found);
    Ok(if whole { Exit::Yes } else { Exit::No })
}

/// The studies that were asked for; all, if none was named.
fn wanted<'l>(
    studies: &[(&'l Loaded, &'l Study)],
    unheard: &[&Unheard],
    ids: &[String],
) -> Result<Vec<(&'l Loaded, &'l Study)>, CliError> {
    let known = studies.iter().map(|(_, it)| it.id.as_str());
    let known: Vec<&str> = known
        .chain(unheard.iter().map(|it| it.id.as_str()))
        .collect();
    if let Some(id) = ids.iter().find(|id| !known.contains(&id.as_str())) {
        let message = format!("there is no study `{id}`");
        let near = closest(id, known.iter().copied());
        let help = match (near, known.as_slice()) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, []) => String::from("this rulebook has none"),
            (None, known) => format!("the studies are {}", known.join(", ")),
        };
        return Err(Problem::new(codes::UNKNOWN_STUDY, message)
            .help(help)
            .into());
    }
    let asked = |it: &&(&Loaded, &Study)| ids.is_empty() || ids.contains(&it.1.id);
    Ok(studies.iter().filter(asked).copied().collect())
}

/// The studies that were asked for and that these rules make nothing of.
fn unheard<'l>(tables: &'l [Loaded], one_table: bool, ids: &[String]) -> Vec<&'l Unheard> {
    let mut found: Vec<&Unheard> = Vec::new();
    for it in tables.iter().flat_map(|it| &it.program.game.unheard) {
        let elsewhere = matches!(it.why, Silence::Seats(_)) && !one_table;
        let asked = ids.is_empty() || ids.contains(&it.id);
        if it.is_study && asked && !elsewhere && !found.iter().any(|other| other.id == it.id) {
            found.push(it);
        }
    }
    found
}

impl Told {
    fn unheard(it: &Unheard) -> Told {
        Told {
            id: it.id.clone(),
            title: it.title.clone(),
            found: false,
            line: None,
            searched: None,
            unheard: Some(super::why_unheard(it.why)),
            most_plies: 0,
            positions: 0,
            followed: 0,
            transcript: None,
        }
    }
}

fn answer(
    args: &StudyArgs,
    loaded: &Loaded,
    study: &Study,
    ui: &mut Ui<'_>,
) -> Result<Told, CliError> {
    let program = &loaded.program;
    let bounds = Bounds {
        plies: args.plies.unwrap_or(study.plies),
        positions: args.positions,
    };
    let mut shown = None;
    let answer = search(program, study, bounds, &mut |done| {
        ui.watched(&mut shown, || counted(done, "position"))
    });
    ui.progress("");
    let answer = answer.map_err(|it| trouble(loaded, Some(study), &it))?;
    let mut told = told(study, bounds, &answer);
    if let Some(line) = &answer.found {
        let session = play(loaded, study, line).map_err(|it| it.within(&loaded.sources))?;
        told.transcript = Some(session.transcript());
        told.line = Some(ToldLine {
            plies: line.plies.len(),
            turns: turns(session.records()),
            names: names(program, study, &line.values),
            line: session.records().to_vec(),
        });
    }
    Ok(told)
}

fn told(study: &Study, bounds: Bounds, answer: &Answer) -> Told {
    let searched = match answer.extent {
        Extent::Everything => "everything",
        Extent::Plies => "plies",
        Extent::Positions => "positions",
        Extent::Values => "values",
        Extent::Stopped => "stopped",
    };
    Told {
        id: study.id.clone(),
        title: study.title.clone(),
        found: answer.found.is_some(),
        line: None,
        searched: answer.found.is_none().then_some(searched),
        unheard: None,
        most_plies: bounds.plies,
        positions: answer.positions,
        followed: answer.followed,
        transcript: None,
    }
}

/// The values for which the position is one that was looked for.
fn names(program: &Program, study: &Study, values: &[i64]) -> Map<String, Value> {
    let game = &*program.game;
    let named = study.binders().iter().zip(values);
    named
        .filter_map(|(binder, value)| {
            let local = game.locals.get(binder.local.index())?;
            let printed = print_value(game, local.ty, *value, Form::Plain);
            Some((local.name.clone(), Value::String(printed)))
        })
        .collect()
}

/// Plays the line that was found.
fn play<'l>(loaded: &'l Loaded, study: &Study, line: &Line) -> Result<Session<'l>, CliError> {
    let upon = line.plies.iter().flat_map(|ply| &ply.chance);
    let chance = line.opening.iter().chain(upon).copied();
    let moves = line.plies.iter().map(|ply| ply.played);
    let from = (study.id.as_str(), study.start.seed);
    position::searched(loaded, &loaded.asked, Some(from), chance, moves)
}

/// How many stretches of choices by one seat there are.
fn turns(records: &[Record]) -> usize {
    let mut last = None;
    let mut n_turns = 0;
    for record in records {
        if let Record::Choice(choice) = record
            && last != Some(&choice.seat)
        {
            n_turns += 1;
            last = Some(&choice.seat);
        }
    }
    n_turns
}

/// Says why not all lines of play could be followed, from a study or from the start of the game.
pub(super) fn trouble(loaded: &Loaded, study: Option<&Study>, trouble: &Trouble) -> CliError {
    match trouble {
        Trouble::Fault(fault) => position::fault(&loaded.sources, fault),
        Trouble::Chance(plies) => {
            let clause = study.and_then(|it| loaded.program.game.clauses.get(it.clause.index()));
            let place = match plies {
                0 => String::from("before the first choice"),
                plies => format!("after {}", counted(*plies as usize, "choice")),
            };
            let message = format!("chance decides in more than {MOST_OUTCOMES} ways {place}");
            let Some(clause) = clause else {
                return Problem::new(codes::TOO_MANY_OUTCOMES, message)
                    .help("start behind it, with `--seed 1` or `--ruling ID`, or count fewer steps")
                    .into();
            };
            let found = Diagnostic::at(codes::TOO_MANY_OUTCOMES, clause.span, message).help(
                "let the study start behind it, `from seed 1 at STEP`, or take pieces out of play in `given`",
            );
            CliError::found(loaded.sources.clone(), vec![found])
        }
    }
}

fn show(told: &Told, ui: &mut Ui<'_>) -> Result<(), CliError> {
    if let Some(why) = &told.unheard {
        let mark = ui.paint(Tone::Yellow, "-    ");
        ui.line(format!("{mark} {}  {}", told.id, told.title))?;
        return ui.line(format!("      not looked at: {why}"));
    }
    let stopped = matches!(told.searched, Some("positions" | "values" | "stopped"));
    let mark = match told.found {
        true => ui.paint(Tone::Green, "found"),
        false if stopped => ui.paint(Tone::Yellow, "open "),
        false => ui.paint(Tone::Cyan, "none "),
    };
    ui.line(format!("{mark} {}  {}", told.id, told.title))?;
    let looked = format!(
        "{} looked at, {} that follow from them",
        counted(told.positions, "position"),
        told.followed
    );
    let Some(line) = &told.line else {
        let plies = counted(told.most_plies as usize, "ply").replace("plys", "plies");
        let extent = match told.searched {
            Some("everything") => String::from("in the whole game from there"),
            Some("plies") => format!("within {plies}"),
            Some("values") => format!(
                "found within {plies} before a position fitted for more than {MOST_VALUES} choices of values"
            ),
            Some("stopped") => format!("found within {plies} before it was stopped"),
            _ => format!("found within {plies} before the bound on positions was reached"),
        };
        let further = if told.searched == Some("positions") {
            "; `--positions N` looks further"
        } else {
            ""
        };
        return ui.line(format!("      none {extent}: {looked}{further}"));
    };
    let named = line.names.iter().filter_map(|(name, value)| {
        let value = value.as_str()?;
        Some(format!("; {name} = {value}"))
    });
    ui.line(format!(
        "      {}, {}{}: {looked}",
        counted(line.plies, "ply").replace("plys", "plies"),
        counted(line.turns, "turn"),
        named.collect::<String>(),
    ))?;
    for record in &line.line {
        match record {
            Record::Choice(it) => {
                let played = it.played.as_deref().unwrap_or("");
                ui.line(format!("      {}: {played}", it.seat))?;
            }
            Record::Chance(it) => {
                let value = it.value.as_deref().unwrap_or("");
                let text = format!("      {}: {value}", it.chance);
                let text = ui.paint(Tone::Dim, text);
                ui.line(text)?;
            }
            Record::End(it) => ui.line(format!("      end: {}", it.end))?,
            Record::Undo(_) | Record::Hint(_) => {}
        }
    }
    Ok(())
}
