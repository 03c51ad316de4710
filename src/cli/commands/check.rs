use clap::Args;
use serde::Serialize;

use crate::cli::load::{self, GameArgs};
use crate::cli::{CliError, Exit, Ui, render};
use crate::diagnostic::{Diagnostic, Severity};
use crate::play::rules_hash;
use crate::report::DiagnosticJson;

/// Read and check a rulebook and its amendments.
///
/// They are checked also under each other reading that changes the rules, and each two of them.
#[derive(Args, Debug)]
pub struct CheckArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Where the text of `-`, the standard input, belongs: what it amends is looked for there
    #[arg(long = "as", value_name = "PATH")]
    name: Option<String>,
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
    left_out: usize,
    pairs_left_out: bool,
}

/// Shows every finding of the checker.
pub fn run(args: &CheckArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let asked = args.game.asked().with_input(args.name.as_deref(), ui)?;
    let read = load::compile(&asked)?;
    let readings = load::check_readings(&read);
    let mut read = load::finished(read);
    read.diagnostics.extend(readings.findings);
    let hash = read
        .program
        .as_ref()
        .map(|program| rules_hash(&program.game));
    let sound = !read.diagnostics.iter().any(Diagnostic::is_error);
    let exit = if hash.is_some() && sound {
        Exit::Yes
    } else {
        Exit::No
    };
    if ui.json {
        let each = read.diagnostics.iter();
        ui.json_value(&Checked {
            game: &asked.game,
            playable: hash.is_some(),
            rules: hash,
            findings: each
                .map(|it| DiagnosticJson::new(&read.sources, it))
                .collect(),
            readings: (readings.looked_at + readings.left_out > 0).then_some(OtherReadings {
                checked: readings.looked_at,
                left_out: readings.left_out,
                pairs_left_out: readings.pairs_left_out,
            }),
        })?;
        return Ok(exit);
    }
    if !read.diagnostics.is_empty() {
        ui.line(render::findings(&read.sources, &read.diagnostics, ui))?;
        ui.line("")?;
    }
    let count = |severity| {
        read.diagnostics
            .iter()
            .filter(|it| it.severity == severity)
            .count()
    };
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let found = format!(
        "{}, {}",
        counted(errors, "error"),
        counted(warnings, "warning")
    );
    match (&read.program, hash) {
        (Some(program), Some(hash)) => {
            let game = &program.game;
            let clauses = counted(game.clauses.len(), "clause");
            let seats = counted(game.n_seats as usize, "seat");
            ui.line(format!(
                "{}: {found}; {clauses}, {seats}, rules {hash}",
                load::title(&read.sources)
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
        }
        _ => ui.line(format!("{}: {found}", asked.game))?,
    }
    Ok(exit)
}

/// Returns a number with its noun: `1 error`, `2 errors`.
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}
