use std::collections::HashSet;

use clap::Args;
use serde::Serialize;

use crate::cli::error::Findings;
use crate::cli::load::{self, Asked, GameArgs, RulesArgs};
use crate::cli::several::{asked_by, each_of, seen};
use crate::cli::{CliError, Exit, Ui, render};
use crate::diagnostic::{Diagnostic, Severity};
use crate::pipeline::{Memory, Readings};
use crate::play::rules_hash;
use crate::report::DiagnosticJson;
use crate::source::Sources;
use crate::threads::Left;

/// Read and check a rulebook and its amendments.
///
/// They are checked also under each other reading that changes the rules, each two of them, the first and last value of each option, and with each other number of players.
/// Several are checked each by itself, and what is found in a file is told once.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Rulebooks and amendments: names of shipped ones, paths, folders, `-` for the standard input; an amendment stands for its game as well
    #[arg(required = true, value_name = "GAME")]
    games_meant: Vec<String>,
    #[command(flatten)]
    rules: RulesArgs,
    /// Where the text of `-`, the standard input, belongs: what it amends is looked for there
    #[arg(long = "as", value_name = "PATH")]
    name: Option<String>,
}

impl CheckArgs {
    /// Returns those of `adit check` with nothing else said.
    pub fn of(game: GameArgs) -> CheckArgs {
        CheckArgs {
            games_meant: vec![game.game],
            rules: game.rules,
            name: None,
        }
    }
}

#[derive(Serialize)]
struct Checked<'a> {
    game: &'a str,
    playable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    findings: Vec<DiagnosticJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    readings: Option<OtherReadings>,
}

/// The readings under which the rules were checked besides those chosen.
#[derive(Serialize)]
struct OtherReadings {
    checked: usize,
    values: usize,
    left_out: usize,
    pairs_left_out: bool,
    #[serde(skip_serializing_if = "is_zero")]
    tables_left_out: usize,
}

/// What is left out where nothing is.
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Rules that were checked.
struct Seen {
    /// How they were asked for.
    game: String,
    sources: Sources,
    diagnostics: Vec<Diagnostic>,
    playable: Option<Playable>,
    readings: Readings,
    /// Whether it could not be read at all.
    is_unread: bool,
}

/// What is told of rules that can be played.
struct Playable {
    hash: String,
    n_clauses: usize,
    n_seats: usize,
}

impl Seen {
    fn of(asked: &Asked, memory: &Memory) -> Result<Seen, CliError> {
        let read = load::compile_with(&asked.clone().for_few_moves(), memory)?;
        let mut readings = load::check_readings(&read);
        let mut read = load::finished(read);
        read.diagnostics.append(&mut readings.findings);
        let playable = read.program.map(|program| Playable {
            hash: rules_hash(&program.game),
            n_clauses: program.game.clauses.len(),
            n_seats: program.game.n_seats as usize,
        });
        Ok(Seen {
            game: asked.game.clone(),
            sources: read.sources,
            diagnostics: read.diagnostics,
            playable,
            readings,
            is_unread: false,
        })
    }

    fn unread(it: Findings) -> Seen {
        let name = it.sources.iter().next().map(|(_, it)| it.name.clone());
        Seen {
            game: name.unwrap_or_default(),
            sources: it.sources,
            diagnostics: it.diagnostics,
            playable: None,
            readings: Readings::default(),
            is_unread: true,
        }
    }

    fn is_sound(&self) -> bool {
        self.playable.is_some() && !self.diagnostics.iter().any(Diagnostic::is_error)
    }

    fn json(&self) -> Checked<'_> {
        let each = self.diagnostics.iter();
        let readings = &self.readings;
        let left_out = readings.left_out + readings.tables_left_out;
        Checked {
            game: &self.game,
            playable: self.playable.is_some(),
            rules: self.playable.as_ref().map(|it| it.hash.clone()),
            findings: each
                .map(|it| DiagnosticJson::new(&self.sources, it))
                .collect(),
            readings: (left_out + readings.looked_at + readings.values > 0).then_some(
                OtherReadings {
                    checked: readings.looked_at,
                    values: readings.values,
                    left_out: readings.left_out,
                    pairs_left_out: readings.pairs_left_out,
                    tables_left_out: readings.tables_left_out,
                },
            ),
        }
    }
}

/// Shows every finding of the checker; the answer is no where something cannot be played.
pub fn run(args: &CheckArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let asked = asked_by(&args.games_meant, &args.rules, args.name.as_deref(), ui)?;
    let (all, left) = each_of(&asked, ui, |it, memory, _| Seen::of(it, memory));
    let all = seen(all, Seen::unread)?;
    if ui.json {
        match (args.games_meant.as_slice(), all.as_slice()) {
            ([_], [only]) => ui.json_value(&only.json())?,
            _ => ui.json_value(&all.iter().map(Seen::json).collect::<Vec<_>>())?,
        }
    } else {
        let mut told = HashSet::new();
        for it in &all {
            show(it, &mut told, ui)?;
        }
    }
    if left == Left::Stopped {
        stopped(asked.len(), all.len(), ui);
        return Ok(Exit::Failure);
    }
    if all.iter().any(|it| it.is_unread) {
        return Ok(Exit::Failure);
    }
    let is_yes = all.iter().all(Seen::is_sound);
    Ok(if is_yes { Exit::Yes } else { Exit::No })
}

/// Says that somebody stopped it.
pub fn stopped(asked: usize, seen: usize, ui: &mut Ui<'_>) {
    let all = counted(asked, "rulebook");
    ui.note(format!(
        "stopped: {seen} of {all} looked at, and of what was begun last perhaps not everything"
    ));
}

/// Shows what was found in a rulebook, but what was told before.
fn show(
    read: &Seen,
    told: &mut HashSet<(String, (u32, u32), &'static str, String)>,
    ui: &mut Ui<'_>,
) -> Result<(), CliError> {
    let is_new = |it: &&Diagnostic| {
        let span = it.span().unwrap_or_default();
        let file = read.sources.get(span.file);
        let file = file.map_or(&read.game, |file| &file.name).clone();
        told.insert((
            file,
            (span.start, span.end),
            it.code.id(),
            it.message.clone(),
        ))
    };
    let diagnostics = read.diagnostics.iter().filter(is_new).cloned();
    let diagnostics: Vec<Diagnostic> = diagnostics.collect();
    if !diagnostics.is_empty() {
        ui.line(render::findings(&read.sources, &diagnostics, ui))?;
        ui.line("")?;
    }
    let count = |severity| {
        let all = read.diagnostics.iter();
        all.filter(|it| it.severity == severity).count()
    };
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let found = format!(
        "{}, {}",
        counted(errors, "error"),
        counted(warnings, "warning")
    );
    let readings = &read.readings;
    match &read.playable {
        Some(it) => {
            let clauses = counted(it.n_clauses, "clause");
            let seats = counted(it.n_seats, "seat");
            ui.line(format!(
                "{}: {found}; {clauses}, {seats}, rules {}",
                load::title(&read.sources),
                it.hash
            ))?;
            let looked_at = counted(readings.looked_at, "other reading");
            if readings.left_out > 0 {
                ui.line(format!(
                    "  {looked_at} checked, each alone; {} more and what goes together not looked at: all would take too long",
                    readings.left_out
                ))?;
            } else if readings.pairs_left_out {
                ui.line(format!(
                    "  {looked_at} checked, each alone and some with each other: all pairs would take too long"
                ))?;
            } else if readings.looked_at > 0 {
                ui.line(format!(
                    "  {looked_at} checked, each alone and with each other"
                ))?;
            }
            if readings.tables_left_out > 0 {
                let count = readings.tables_left_out;
                ui.line(format!(
                    "  {count} numbers of players not looked at: all would take too long"
                ))?;
            }
            if readings.values > 0 {
                let values = counted(readings.values, "other value");
                ui.line(format!("  {values} of options checked, each alone"))?;
            }
        }
        // Its name is in the finding.
        None if read.is_unread => {}
        None => ui.line(format!("{}: {found}", read.game))?,
    }
    Ok(())
}

/// Returns a number with its noun: `1 error`, `2 errors`.
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}
