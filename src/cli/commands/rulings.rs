use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use clap::Args;
use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use super::check::counted;
use crate::cli::load::{self, Asked, Budget, GameArgs, Loaded};
use crate::cli::ui::Tone;
use crate::cli::{CliError, Exit, Ui, files, position};
use crate::diagnostic::codes;
use crate::engine::Program;
use crate::model::{Game, SettingId, Silence};
use crate::play::{Problem, setting_value};
use crate::ruling::{self, Faulted, Purse, Ran};
use crate::source::Sources;

/// Run the rulings of a game: the disputed cases that it decides.
#[derive(Args, Debug, Default)]
pub struct RulingsArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Run them under every single reading and every shipped amendment as well
    #[arg(long)]
    matrix: bool,
    /// Run only this ruling
    #[arg(value_name = "ID", conflicts_with = "matrix")]
    id: Option<String>,
    /// Keep the line that leads to the first fault as a transcript, for `adit replay FILE`
    #[arg(long, value_name = "FILE", conflicts_with = "matrix")]
    save: Option<String>,
}

impl RulingsArgs {
    /// Returns those of `adit rulings` with nothing else said.
    pub fn of(game: GameArgs) -> RulingsArgs {
        RulingsArgs {
            game,
            ..RulingsArgs::default()
        }
    }
}

#[derive(Serialize)]
struct RulingJson {
    id: String,
    title: String,
    verdict: &'static str,
    holds: bool,
    /// The readings chosen here for which it was not written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_written_for: Vec<String>,
    /// The readings under which it says something by name that was looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    under: Vec<String>,
    /// Otherwise than written, under rules that it was not written for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    differs: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    wrong: Vec<WrongJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<FaultJson>,
    /// What was not looked at, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unheard: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct WrongJson {
    /// Where it is expected.
    pub place: String,
    /// What is.
    pub text: String,
    /// What was there instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saw: Option<String>,
}

/// Where the rules stopped with a fault, and how to come there.
#[derive(Clone, Serialize)]
struct FaultJson {
    code: &'static str,
    message: String,
    place: String,
    seed: u64,
    transcript: String,
}

/// What all rulings came to, by id.
type All = IndexMap<String, Heard>;

/// A ruling with what it came to under all rules where it was heard.
struct Heard {
    id: String,
    title: String,
    ran: Option<Ran>,
    not_written_for: Vec<String>,
    under: IndexSet<String>,
    wrong: Vec<WrongJson>,
    fault: Option<FaultJson>,
    unheard: Vec<String>,
}

/// Runs the rulings; the answer is no where one fails, or where none says anything.
pub fn run(args: &RulingsArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let asked = args.game.asked();
    let loaded = load::load(asked.clone())?;
    if args.matrix {
        let mut shown = None;
        let matrix = super::matrix::matrix(&asked, &loaded.program.game, &mut |sets| {
            ui.watched(&mut shown, || counted(sets, "rule set"))
        })?;
        ui.progress("");
        if ui.json {
            ui.json_value(&matrix)?;
        } else {
            ui.part(matrix.text(ui.plain))?;
        }
        if matrix.stopped {
            return Ok(Exit::Failure);
        }
        // What was not looked at is no yes.
        let is_yes = !matrix.failed() && matrix.is_finished();
        return Ok(if is_yes { Exit::Yes } else { Exit::No });
    }
    let mut all = hear(&asked, loaded, args.id.as_deref())?;
    if let Some(id) = &args.id {
        let known: Vec<String> = all.keys().cloned().collect();
        all.retain(|it, _| it == id);
        if all.is_empty() {
            return Err(super::unknown_ruling(id, &known));
        }
    }
    if let Some(path) = &args.save {
        let fault = all.values().find_map(|it| it.fault.as_ref());
        let Some(fault) = fault else {
            return Err(
                Problem::new(codes::NOTHING_TO_KEEP, "no ruling stops with a fault")
                    .help("leave `--save` out")
                    .into(),
            );
        };
        files::write(Path::new(path), &fault.transcript)?;
    }
    let all: Vec<RulingJson> = all.into_values().map(describe).collect();
    let of = |verdict: &str| all.iter().filter(|it| it.verdict == verdict).count();
    let (failed, silent, unfinished) = (of("failed"), of("silent"), of("unfinished"));
    if ui.json {
        ui.json_value(&all)?;
    } else {
        for ruling in &all {
            show(ruling, args, ui)?;
        }
        let rulings = counted(all.len(), "ruling");
        let hold = of("holds");
        let differ = match of("differs") {
            0 => String::new(),
            n => format!(", {n} turn out otherwise under these rules"),
        };
        let open = match unfinished {
            0 => String::new(),
            n => format!(", {n} not finished"),
        };
        let unheard = match silent {
            0 => String::new(),
            n => format!(", {n} not looked at"),
        };
        let in_part = all
            .iter()
            .filter(|it| it.verdict != "silent" && !it.unheard.is_empty());
        let in_part = match in_part.count() {
            0 => String::new(),
            n => format!(", {n} only in part"),
        };
        ui.line(format!(
            "{rulings}: {hold} hold, {failed} fail{open}{differ}{unheard}{in_part}"
        ))?;
    }
    let is_known = failed == 0 && unfinished == 0;
    Ok(if is_known && (silent < all.len() || all.is_empty()) {
        Exit::Yes
    } else {
        Exit::No
    })
}

/// Runs all rulings that say something about these rules: also those that name another number of
/// players, if none was asked for, and what they say of other readings than those asked for.
fn hear(asked: &Asked, first: Loaded, id: Option<&str>) -> Result<All, CliError> {
    let mut tables = vec![first];
    let mut budget = Budget::default();
    if asked.seats.is_none()
        && let Some(first) = tables.first()
    {
        for count in first.program.game.other_tables.clone() {
            let mut other = asked.clone();
            other.seats = Some(count);
            tables.push(budget.load(other)?);
        }
    }
    let is_meant = |it: &str| id.is_none_or(|id| it == id);
    let mut all = All::new();
    let mut purse = Purse::default();
    for (at, table) in tables.iter().enumerate() {
        let rans = purse.pay(&table.program, |program| match at {
            0 => ruling::run_some(program, |it| is_meant(&it.id)),
            _ => ruling::run_some(program, |it| it.players.is_some() && is_meant(&it.id)),
        });
        for ran in rans {
            let id = ran.id.clone();
            note(&mut all, table, ran);
            if let Some(heard) = all.get_mut(&id) {
                suppose(heard, &table.program.game);
            }
        }
    }
    for (at, table) in tables.iter().enumerate() {
        let rulings = &table.program.game.rulings;
        // Who names no number of players is heard at the first table only.
        let named = rulings.iter().filter(|it| it.players.is_some());
        let named: HashSet<&str> = named.map(|it| it.id.as_str()).collect();
        let is_here = |id: &str| at == 0 || named.contains(id);
        for (set, ids) in readings_of(&table.program) {
            let ids: IndexSet<&String> = ids
                .iter()
                .filter(|it| is_meant(it) && is_here(it))
                .collect();
            if ids.is_empty() {
                continue;
            }
            let names = set.iter().map(|(it, value)| format!("{it} = {value}"));
            let names = names.collect::<Vec<_>>().join(", ");
            let other = |(name, value): &(String, String)| {
                asked.set.iter().any(|(it, own)| it == name && own != value)
            };
            if set.iter().any(other) || budget.is_empty() {
                for id in ids {
                    silence(
                        &mut all,
                        &table.program,
                        id,
                        format!("what it says under {names}"),
                    );
                }
                continue;
            }
            let mut with = asked.clone();
            with.seats = Some(table.program.game.n_seats);
            with.set
                .retain(|(name, _)| set.iter().all(|(it, _)| it != name));
            with.set.extend(set);
            let there = budget.load(with)?;
            let heard = purse.pay(&there.program, |program| {
                ruling::run_some(program, |ruling| ids.contains(&&ruling.id))
            });
            let known: HashSet<&str> = heard.iter().map(|ran| ran.id.as_str()).collect();
            for id in &ids {
                if !known.contains(id.as_str()) {
                    silence(
                        &mut all,
                        &table.program,
                        id,
                        format!("what it says under {names}"),
                    );
                }
            }
            for mut ran in heard {
                ran.judged.retain(|judged| judged.named);
                if let Some((_, why)) = &mut ran.failed {
                    *why = format!("under {names}: {why}");
                }
                let id = ran.id.clone();
                note(&mut all, &there, ran);
                if let Some(heard) = all.get_mut(&id) {
                    heard.under.insert(names.clone());
                }
            }
        }
    }
    for (at, table) in tables.iter().enumerate() {
        let game = &table.program.game;
        for it in game.unheard.iter().filter(|it| !it.is_study) {
            let elsewhere = matches!(it.why, Silence::Seats(_)) && (at > 0 || tables.len() > 1);
            if !elsewhere {
                let silent = || Heard::silent(&it.id, &it.title, super::why_unheard(it.why));
                all.entry(it.id.clone()).or_insert_with(silent);
            }
        }
        for it in game
            .rulings
            .iter()
            .filter(|it| at == 0 || it.players.is_some())
        {
            let silent = || {
                let why = String::from("it says nothing of these readings");
                Heard::silent(&it.id, &it.title, why)
            };
            all.entry(it.id.clone()).or_insert_with(silent);
        }
    }
    Ok(all)
}

/// Adds what a ruling came to.
fn note(all: &mut All, loaded: &Loaded, ran: Ran) {
    let wrong = wrong_of(&ran, &loaded.sources);
    let fault = ran.fault.as_ref().map(|it| fault_of(loaded, &ran.id, it));
    let silent = || Heard::silent(&ran.id, &ran.title, String::new());
    let heard = all.entry(ran.id.clone()).or_insert_with(silent);
    heard.unheard.retain(|it| !it.is_empty());
    heard.wrong.extend(wrong);
    heard.fault = heard.fault.take().or(fault);
    match &mut heard.ran {
        Some(known) => known.add(ran),
        none => *none = Some(ran),
    }
}

/// Notes which readings of this table a ruling names, and for which it was not written.
fn suppose(heard: &mut Heard, game: &Game) {
    for ruling in game.rulings.iter().filter(|it| it.id == heard.id) {
        let expects = ruling.expects.iter().filter(|it| !it.under.is_empty());
        let under = expects.map(|it| named(game, &it.under));
        heard.under.extend(under);
        let foreign = ruling.foreign.iter().filter_map(|it| {
            let value = game.settings.get(it.index())?.value;
            Some(named(game, &[(*it, value)]))
        });
        for it in foreign {
            if !heard.not_written_for.contains(&it) {
                heard.not_written_for.push(it);
            }
        }
    }
}

/// Readings as they are written.
fn named(game: &Game, under: &[(SettingId, i64)]) -> String {
    let names = under.iter().filter_map(|(it, value)| {
        let setting = game.settings.get(it.index())?;
        Some(format!(
            "{} = {}",
            setting.name,
            setting_value(game, setting, *value)
        ))
    });
    names.collect::<Vec<_>>().join(", ")
}

/// Notes what a ruling says that was not looked at.
fn silence(all: &mut All, program: &Program, id: &str, what: String) {
    if let Some(heard) = all.get_mut(id) {
        heard.unheard.push(what);
        return;
    }
    let title = program.game.rulings.iter().find(|it| it.id == id);
    let title = title.map_or("", |it| it.title.as_str());
    all.insert(id.to_owned(), Heard::silent(id, title, what));
}

impl Heard {
    fn silent(id: &str, title: &str, why: String) -> Heard {
        Heard {
            id: id.to_owned(),
            title: title.to_owned(),
            ran: None,
            not_written_for: Vec::new(),
            under: IndexSet::new(),
            wrong: Vec::new(),
            fault: None,
            unheard: vec![why],
        }
    }
}

/// Says where the rules stopped, with the line of play that leads there.
fn fault_of(loaded: &Loaded, id: &str, faulted: &Faulted) -> FaultJson {
    let game = &loaded.program.game;
    let seats = vec![String::from("human"); game.n_seats as usize];
    let mut header = position::header(game, &loaded.asked, seats, faulted.seed);
    header.from = Some(id.to_owned());
    let (played, last) = (&faulted.played, faulted.last);
    let transcript = position::line_to_fault(&loaded.program, header, played, last);
    let found = faulted.fault.diagnostic();
    FaultJson {
        code: found.code.id(),
        message: found.message,
        place: loaded.sources.place(faulted.fault.span),
        seed: faulted.seed,
        transcript,
    }
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

/// What did not come out as expected.
pub fn wrong_of(ran: &Ran, sources: &Sources) -> Vec<WrongJson> {
    let wrong = |span, saw: Option<String>| WrongJson {
        place: sources.place(span),
        text: one_line(sources.slice(span)),
        saw,
    };
    let judged = ran.judged.iter().filter(|judged| !judged.holds);
    let judged = judged.map(|it| wrong(it.span, it.saw.clone()));
    let failed = ran.failed.iter();
    let failed = failed.map(|(span, message)| wrong(*span, Some(message.clone())));
    judged.chain(failed).collect()
}

fn describe(heard: Heard) -> RulingJson {
    let verdict = heard.ran.as_ref();
    let verdict = verdict.map_or("silent", |it| it.verdict().word());
    RulingJson {
        id: heard.id,
        title: heard.title,
        verdict,
        holds: verdict == "holds",
        not_written_for: heard.not_written_for,
        under: heard.under.into_iter().collect(),
        differs: verdict == "differs",
        wrong: heard.wrong,
        fault: heard.fault,
        unheard: heard.unheard,
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn show(ruling: &RulingJson, args: &RulingsArgs, ui: &mut Ui<'_>) -> Result<(), CliError> {
    let differs = if ui.plain { "~   " } else { "±   " };
    let mark = match ruling.verdict {
        "holds" => ui.paint(Tone::Green, "ok  "),
        "differs" => ui.paint(Tone::Cyan, differs),
        "failed" => ui.paint(Tone::Red, "FAIL"),
        "unfinished" => ui.paint(Tone::Yellow, "?   "),
        _ => ui.paint(Tone::Yellow, "-   "),
    };
    ui.line(format!("{mark} {:<24} {}", ruling.id, ruling.title))?;
    let under: Vec<&str> = ruling.under.iter().map(String::as_str).collect();
    let said = match (ruling.not_written_for.as_slice(), under.as_slice()) {
        ([], []) => None,
        ([], under) => Some(format!("also under {}", under.join("; "))),
        (foreign, []) => Some(format!("not written for {}", foreign.join(", "))),
        (foreign, under) => Some(format!(
            "not written for {}; looked at: what it says under {}",
            foreign.join(", "),
            under.join("; ")
        )),
    };
    if let Some(said) = said {
        ui.line(ui.paint(Tone::Dim, format!("     {said}")))?;
    }
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
    if ruling.verdict == "unfinished" {
        ui.line(match &args.id {
            Some(_) => String::from("     not finished: it takes more work than one command may"),
            None => format!(
                "     not finished: there was not enough work left; `adit rulings {} {}` runs it by itself",
                args.game.game, ruling.id
            ),
        })?;
    }
    if let Some(fault) = &ruling.fault {
        ui.line(format!(
            "     the rules stop with {} at {}, seed {}: {}",
            fault.code, fault.place, fault.seed, fault.message
        ))?;
        match &args.save {
            Some(path) => ui.line(format!("     adit replay {path} shows it"))?,
            None => ui.line(format!(
                "     `adit rulings {} {} --save FILE` keeps the line that leads there",
                args.game.game, ruling.id
            ))?,
        }
    }
    for what in &ruling.unheard {
        ui.line(ui.paint(Tone::Dim, format!("     not looked at: {what}")))?;
    }
    Ok(())
}
