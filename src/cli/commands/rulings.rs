use std::collections::BTreeMap;

use clap::Args;
use serde::Serialize;

use super::check::counted;
use crate::cli::load::{self, Asked, Checked, GameArgs};
use crate::cli::ui::Tone;
use crate::cli::{CliError, Exit, Ui};
use crate::diagnostic::Diagnostic;
use crate::engine::Program;
use crate::model::{Base, Game};
use crate::play::setting_value;
use crate::ruling::{self, Matrix, Ran, Verdict};
use crate::source::Sources;

/// Run the rulings of a game: the disputed cases that its rulebook decides.
#[derive(Args, Debug)]
pub struct RulingsArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Run them under every single reading and every shipped amendment as well
    #[arg(long)]
    matrix: bool,
    /// Run only this ruling
    #[arg(value_name = "ID", conflicts_with = "matrix")]
    id: Option<String>,
}

#[derive(Serialize)]
struct RulingJson {
    id: String,
    title: String,
    holds: bool,
    #[serde(skip)]
    verdict: Verdict,
    /// Otherwise than written, under rules that it was not written for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    differs: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    wrong: Vec<WrongJson>,
}

#[derive(Serialize)]
struct WrongJson {
    place: String,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    saw: Option<String>,
}

/// Runs the rulings; the answer is no where one fails.
pub fn run(args: &RulingsArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let asked = args.game.asked();
    let loaded = load::load(asked.clone())?;
    if args.matrix {
        let matrix = matrix(&asked, &loaded.program.game)?;
        if ui.json {
            ui.json_value(&matrix)?;
        } else {
            ui.part(matrix.text(ui.plain))?;
        }
        return Ok(if matrix.failed() { Exit::No } else { Exit::Yes });
    }
    let mut all = run_all(&asked, &loaded.program)?;
    let is_asked = |id: &str| args.id.as_deref().is_none_or(|it| it == id);
    run_other_readings(&asked, &loaded.program, &mut all, is_asked)?;
    if let Some(id) = &args.id {
        let known: Vec<String> = all.iter().map(|ran| ran.id.clone()).collect();
        all.retain(|ran| ran.id == *id);
        if all.is_empty() {
            return Err(super::unknown_ruling(id, &known));
        }
    }
    let all: Vec<RulingJson> = all
        .iter()
        .map(|ran| describe(ran, &loaded.sources))
        .collect();
    let of = |verdict: Verdict| all.iter().filter(|it| it.verdict == verdict).count();
    let failed = of(Verdict::Failed);
    if ui.json {
        ui.json_value(&all)?;
    } else {
        for ruling in &all {
            show(ruling, ui)?;
        }
        let rulings = counted(all.len(), "ruling");
        let hold = of(Verdict::Holds);
        let differ = match of(Verdict::Differs) {
            0 => String::new(),
            n => format!(", {n} turn out otherwise under these rules"),
        };
        ui.line(format!("{rulings}: {hold} hold, {failed} fail{differ}"))?;
    }
    Ok(if failed == 0 { Exit::Yes } else { Exit::No })
}

/// Runs all rulings, and if no number of players was asked for, those too that name another one.
fn run_all(asked: &Asked, program: &Program) -> Result<Vec<Ran>, CliError> {
    let mut all = ruling::run_all(program);
    if asked.seats.is_none() {
        for count in &program.game.other_tables {
            let mut other = asked.clone();
            other.seats = Some(*count);
            all.extend(ruling::run_for_table(&load::load(other)?.program));
        }
    }
    Ok(all)
}

/// Runs rulings under the other readings of which they speak, and adds what they say of those by name.
fn run_other_readings(
    asked: &Asked,
    program: &Program,
    all: &mut Vec<Ran>,
    is_asked: impl Fn(&str) -> bool,
) -> Result<(), CliError> {
    let mut tables = vec![(asked.clone(), readings_of(program))];
    if asked.seats.is_none() {
        for count in &program.game.other_tables {
            let mut other = asked.clone();
            other.seats = Some(*count);
            let readings = readings_of(&load::load(other.clone())?.program);
            tables.push((other, readings));
        }
    }
    for (table, readings) in tables {
        for (set, ids) in readings {
            let ids: Vec<&String> = ids.iter().filter(|id| is_asked(id)).collect();
            if ids.is_empty() {
                continue;
            }
            let names: Vec<String> = set
                .iter()
                .map(|(it, value)| format!("{it} = {value}"))
                .collect();
            let mut with = table.clone();
            with.set
                .retain(|(name, _)| set.iter().all(|(it, _)| it != name));
            with.set.extend(set);
            let there = load::load(with)?.program;
            for mut ran in ruling::run_some(&there, |ruling| ids.contains(&&ruling.id)) {
                ran.judged.retain(|judged| judged.named);
                if let Some((_, why)) = &mut ran.failed {
                    *why = format!("under {}: {why}", names.join(", "));
                }
                match all.iter_mut().find(|it| it.id == ran.id) {
                    Some(known) => known.add(ran),
                    None => all.push(ran),
                }
            }
        }
    }
    Ok(())
}

/// The readings of which the rulings of a game speak, as they are set, each with these rulings.
fn readings_of(program: &Program) -> BTreeMap<Vec<(String, String)>, Vec<String>> {
    let game = &program.game;
    let mut readings: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for (id, under) in &game.other_readings {
        let named = under.iter().filter_map(|(setting, value)| {
            let setting = game.settings.get(setting.index())?;
            Some((setting.name.clone(), setting_value(game, setting, *value)))
        });
        readings
            .entry(named.collect())
            .or_default()
            .push(id.clone());
    }
    readings
}

fn describe(ran: &Ran, sources: &Sources) -> RulingJson {
    let mut wrong: Vec<WrongJson> = ran
        .judged
        .iter()
        .filter(|judged| !judged.holds)
        .map(|judged| WrongJson {
            place: sources.place(judged.span),
            text: one_line(sources.slice(judged.span)),
            saw: judged.saw.clone(),
        })
        .collect();
    if let Some((span, message)) = &ran.failed {
        wrong.push(WrongJson {
            place: sources.place(*span),
            text: one_line(sources.slice(*span)),
            saw: Some(message.clone()),
        });
    }
    let verdict = ran.verdict();
    RulingJson {
        id: ran.id.clone(),
        title: ran.title.clone(),
        holds: verdict == Verdict::Holds,
        differs: verdict == Verdict::Differs,
        verdict,
        wrong,
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn show(ruling: &RulingJson, ui: &mut Ui<'_>) -> Result<(), CliError> {
    let differs = if ui.plain { "~   " } else { "±   " };
    let mark = match ruling.verdict {
        Verdict::Holds => ui.paint(Tone::Green, "ok  "),
        Verdict::Differs => ui.paint(Tone::Cyan, differs),
        Verdict::Failed => ui.paint(Tone::Red, "FAIL"),
    };
    ui.line(format!("{mark} {:<24} {}", ruling.id, ruling.title))?;
    for wrong in &ruling.wrong {
        ui.line(format!(
            "     {}  {}",
            ui.paint(Tone::Dim, &wrong.place),
            wrong.text
        ))?;
        if let Some(saw) = &wrong.saw {
            ui.line(format!("     {saw}"))?;
        }
    }
    Ok(())
}

/// Runs the rulings under the rule set asked for, under each other reading, and with each set of
/// shipped amendments.
fn matrix(asked: &Asked, game: &Game) -> Result<Matrix, CliError> {
    let mut matrix = Matrix::default();
    add(&mut matrix, "default", asked)?;
    add_readings(&mut matrix, "", asked, game, &[])?;
    let bases = std::iter::once(&game.name).chain(&game.amendments);
    let amendments: Vec<&str> = bases
        .flat_map(|base| super::games::amendments_of(base))
        .filter(|name| !game.amendments.iter().any(|with| with == name))
        .collect();
    for (at, name) in amendments.iter().enumerate() {
        let with = amended(asked, &[name]);
        add(&mut matrix, &format!("+ {name}"), &with)?;
        if let Some(program) = load::read(&with)?.program {
            let known: Vec<&str> = game.settings.iter().map(|it| it.name.as_str()).collect();
            add_readings(
                &mut matrix,
                &format!("+ {name}, "),
                &with,
                &program.game,
                &known,
            )?;
        }
        for other in amendments.iter().skip(at + 1) {
            let with = amended(asked, &[name, other]);
            add(&mut matrix, &format!("+ {name} + {other}"), &with)?;
        }
    }
    Ok(matrix)
}

fn amended(asked: &Asked, names: &[&str]) -> Asked {
    let mut with = asked.clone();
    with.amendments
        .extend(names.iter().map(|name| (*name).to_owned()));
    with
}

/// Adds a rule set for each reading, other than the chosen one, of each question that is not known.
fn add_readings(
    matrix: &mut Matrix,
    before: &str,
    asked: &Asked,
    game: &Game,
    known: &[&str],
) -> Result<(), CliError> {
    let questions = game.settings.iter().filter(|it| it.question);
    for setting in questions.filter(|it| !known.contains(&it.name.as_str())) {
        let Base::Elem(domain) = setting.ty.base else {
            continue;
        };
        let size = game
            .domains
            .get(domain.index())
            .map_or(0, |domain| domain.size);
        for value in (0..i64::try_from(size).unwrap_or(0)).filter(|it| *it != setting.value) {
            let reading = setting_value(game, setting, value);
            let mut with = asked.clone();
            with.set.retain(|(name, _)| *name != setting.name);
            with.set.push((setting.name.clone(), reading.clone()));
            add(
                matrix,
                &format!("{before}{} = {reading}", setting.name),
                &with,
            )?;
        }
    }
    Ok(())
}

fn add(matrix: &mut Matrix, name: &str, asked: &Asked) -> Result<(), CliError> {
    let Checked {
        program,
        diagnostics,
        ..
    } = load::read(asked)?;
    match program {
        Some(program) => matrix.add(name, run_all(asked, &program)?),
        None => {
            let code = diagnostics
                .iter()
                .find(|it| it.is_error())
                .map(|it: &Diagnostic| it.code.id());
            matrix.add_conflict(name, code.unwrap_or("?"));
        }
    }
    Ok(())
}
