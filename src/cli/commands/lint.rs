use std::path::Path;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::check::{counted, stopped};
use crate::cli::linted::{Baseline, Config, Look, Seen, Told, look};
use crate::cli::load::{GameArgs, RulesArgs};
use crate::cli::several::{self, asked_by, each_of};
use crate::cli::{CliError, Exit, Ui, diff, files, render, rulebooks};
use crate::diagnostic::{Severity, codes};
use crate::play::Problem;
use crate::report::{self, DiagnosticJson, Found, github, junit, sarif};
use crate::threads::Left;

/// Look for what is probably not meant, though it can be played.
#[derive(Args, Debug, Default)]
pub struct LintArgs {
    /// Rulebooks and amendments: names of shipped ones, paths, folders, `-` for the standard input. Of an amendment only its own files are looked at
    #[arg(required = true, value_name = "GAME")]
    games_meant: Vec<String>,
    #[command(flatten)]
    rules: RulesArgs,
    /// Where the text of `-`, the standard input, belongs: what it amends is looked for there
    #[arg(long = "as", value_name = "PATH")]
    name: Option<String>,
    /// Look at what an amendment stands on as well
    #[arg(long)]
    all: bool,
    /// Mend what can be mended without changing the meaning, in the files given as paths
    #[arg(long)]
    fix: bool,
    /// Mend also what may change the meaning: read the changes afterwards
    #[arg(long, requires = "fix")]
    r#unsafe: bool,
    /// Change nothing; show what would be mended
    #[arg(long, requires = "fix")]
    diff: bool,
    /// Play so many random games as well, for what only games show
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// How the findings are written
    #[arg(long, value_enum, value_name = "FORM")]
    format: Option<Form>,
    /// What is looked for, and how much it matters; by default the nearest `adit.toml` in the folder of the first file or above it
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
    /// Leave alone what this file lists, and tell what of it is gone
    #[arg(long, value_name = "FILE")]
    baseline: Option<String>,
    /// List what is found in this file, to leave it alone from now on
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    write_baseline: Option<String>,
    /// Keep the first game that stops with a fault as a transcript, for `adit replay FILE`
    #[arg(long, value_name = "FILE", requires = "games")]
    save: Option<String>,
}

impl LintArgs {
    /// Returns those of `adit lint` with nothing else said.
    pub fn of(game: GameArgs) -> LintArgs {
        LintArgs {
            games_meant: vec![game.game],
            rules: game.rules,
            ..LintArgs::default()
        }
    }
}

/// Forms that other programs take in, and those that all commands have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// With the lines that they are about
    Human,
    /// One line each, as with `--plain`
    Plain,
    /// As with `--json`
    Json,
    /// SARIF 2.1.0, for servers that keep findings
    Sarif,
    /// Lines that GitHub Actions shows beside the code
    Github,
    /// JUnit's XML, for servers that run tests
    Junit,
}

#[derive(Serialize)]
struct Linted<'a> {
    findings: Vec<DiagnosticJson<'a>>,
    fixed: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<Told>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gone: Vec<&'a str>,
}

/// Shows what the lints find; the answer is no where they find more than a remark.
pub fn run(args: &LintArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    match args.format {
        Some(Form::Plain) => ui.plain = true,
        Some(Form::Json) => ui.json = true,
        _ => {}
    }
    let first = args.games_meant.first().map_or("", String::as_str);
    let folder = match (Path::new(first), &args.name) {
        // What is read from standard input may not be there yet.
        (_, Some(name)) => Path::new(name).parent().unwrap_or(Path::new("")),
        (path, _) if path.is_dir() => path,
        (path, _) if path.is_file() => path.parent().unwrap_or(Path::new("")),
        _ => Path::new(""),
    };
    let config = Config::find(args.config.as_deref(), folder)?;
    let how = Look {
        games: args.games.or(config.games).unwrap_or(0),
        all: args.all,
        fix: args.fix,
        risky: args.r#unsafe,
    };
    let asked = asked_by(&args.games_meant, &args.rules, args.name.as_deref(), ui)?;
    let (all, left) = each_of(&asked, ui, |it, memory, goes_on| {
        look(it, how, &config, memory, goes_on)
    });
    let mut seen = several::seen(all, Seen::unread)?;
    if left == Left::Stopped {
        // What was not looked at is neither mended nor noted.
        stopped(asked.len(), seen.len(), ui);
    }
    // Errors in the only rulebook are the failure to look at it.
    if let [only] = seen.as_mut_slice()
        && args.format.is_none()
        && only.broken
    {
        let errors = std::mem::take(&mut only.findings);
        return Err(CliError::found(std::mem::take(&mut only.sources), errors));
    }
    let told = seen.iter_mut().filter_map(|it| it.told.take());
    let told = told.reduce(|mut sum, it| {
        sum.add(it);
        sum
    });
    keep(args, told.as_ref())?;
    let whole = left == Left::Played && !seen.iter().any(|it| it.is_unread);
    if !args.diff && whole {
        seen.iter().try_for_each(Seen::write)?;
    }
    let findings = seen.iter().flat_map(|it| {
        let all = it.findings.iter();
        all.map(|finding| {
            let item = finding.span().map_or("", |span| it.item(span));
            (&it.sources, finding, item)
        })
    });
    // A baseline calls files as they are seen from it, wherever the command is given.
    let kept = args.baseline.as_ref().or(args.write_baseline.as_ref());
    let folder = kept.map(|it| Path::new(it).parent().unwrap_or(Path::new("")));
    let named = |file: &str| match folder {
        Some(folder) => rulebooks::seen_from(file, folder),
        None => file.to_owned(),
    };
    let mut found = report::found(findings, &named);
    if let Some(path) = args.write_baseline.as_ref().filter(|_| whole) {
        let kept = Baseline::of(&found, &named);
        let text = serde_json::to_string_pretty(&kept).unwrap_or_default();
        files::write(path.as_ref(), &format!("{text}\n"))?;
    }
    let baseline = args.baseline.as_deref().map(Baseline::read).transpose()?;
    let looked_at = seen.iter().flat_map(|it| &it.files);
    let looked_at: Vec<String> = looked_at.map(|it| named(it)).collect();
    let gone = baseline
        .as_ref()
        .map_or(Vec::new(), |it| it.gone(&found, &looked_at));
    found.retain(|it| baseline.as_ref().is_none_or(|known| !known.knows(it)));
    let worst = found.iter().map(|it| it.finding.severity).max();
    let broken = seen.iter().any(|it| it.broken);
    show(args, &seen, &found, told, gone, ui)?;
    Ok(match worst {
        _ if broken || !whole => Exit::Failure,
        Some(Severity::Warning | Severity::Error) if args.write_baseline.is_none() => Exit::No,
        _ => Exit::Yes,
    })
}

/// Keeps the first game that stopped with a fault, if that is asked for.
fn keep(args: &LintArgs, told: Option<&Told>) -> Result<(), CliError> {
    let Some(path) = &args.save else {
        return Ok(());
    };
    match told.and_then(|it| it.transcript.as_ref()) {
        Some(kept) => files::write(path.as_ref(), kept),
        None => Err(
            Problem::new(codes::NOTHING_TO_KEEP, "no game stopped with a fault")
                .help("leave `--save` out, or play more `--games`")
                .into(),
        ),
    }
}

fn show(
    args: &LintArgs,
    seen: &[Seen],
    found: &[Found<'_>],
    told: Option<Told>,
    gone: Vec<&str>,
    ui: &mut Ui<'_>,
) -> Result<(), CliError> {
    let files = || seen.iter().flat_map(|it| it.sources.iter());
    match args.format {
        Some(Form::Sarif) => return ui.json_value(&sarif::log(found)),
        Some(Form::Github) => return ui.part(github::lines(found)),
        Some(Form::Junit) => {
            let files: Vec<&str> = files().map(|(_, it)| it.name.as_str()).collect();
            return ui.part(junit::report(found, &files));
        }
        _ => {}
    }
    let mended = seen.iter().flat_map(|it| &it.mended);
    let changes: String = mended
        .map(|it| diff::unified(&it.path, &it.before, &it.after))
        .collect();
    let n_fixes = seen.iter().map(|it| it.n_fixes).sum();
    if ui.json {
        let each = found.iter();
        return ui.json_value(&Linted {
            findings: each
                .map(|it| DiagnosticJson::new(it.sources, it.finding))
                .collect(),
            fixed: n_fixes,
            games: told,
            diff: args.diff.then_some(changes),
            gone,
        });
    }
    if args.diff {
        ui.part(changes)?;
    }
    for it in found {
        ui.line(render::findings(
            it.sources,
            std::slice::from_ref(it.finding),
            ui,
        ))?;
        if !ui.plain {
            ui.line("")?;
        }
    }
    if ui.plain && !found.is_empty() {
        ui.line("")?;
    }
    for it in gone {
        ui.line(format!("gone: {it}"))?;
    }
    if let Some(told) = &told {
        played(told, ui)?;
    }
    let did = if args.diff { "to mend" } else { "mended" };
    let mended = if args.fix {
        format!(", {n_fixes} {did}")
    } else {
        String::new()
    };
    ui.line(format!("{}{mended}", counted(found.len(), "finding")))
}

/// Says what the games came to, and what they did not show.
fn played(told: &Told, ui: &mut Ui<'_>) -> Result<(), CliError> {
    let mut line = format!(
        "{}, {}",
        counted(
            usize::try_from(told.games).unwrap_or(usize::MAX),
            "random game"
        ),
        counted(
            usize::try_from(told.choices).unwrap_or(usize::MAX),
            "choice"
        ),
    );
    if told.stopped > 0 {
        line.push_str(&format!(", {} stopped with a fault", told.stopped));
    }
    if told.cut > 0 {
        line.push_str(&format!(", {} left off before the end", told.cut));
    }
    if !told.unreached.is_empty() {
        line.push_str(&format!("; nobody could {}", told.unreached.join(", ")));
        if told.stopped > 0 {
            line.push_str(" before that, and what is behind it was not looked at");
        }
    }
    ui.line(line)
}
