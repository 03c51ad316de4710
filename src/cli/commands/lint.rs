use std::path::Path;
use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use super::check::counted;
use crate::cli::load::{self, Asked, GameArgs};
use crate::cli::{CliError, Exit, Ui, files, position, render};
use crate::diagnostic::{Diagnostic, Severity, codes, sort_by_place};
use crate::engine;
use crate::lint::{self, Book, Games};
use crate::pipeline::Compiled;
use crate::play::Problem;
use crate::report::DiagnosticJson;
use crate::source::Sources;

/// Look for what is probably not meant, though it can be played.
#[derive(Args, Debug)]
pub struct LintArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Mend what can be mended without changing the meaning, in the files given as paths
    #[arg(long)]
    fix: bool,
    /// Play so many random games as well, for what only games show
    #[arg(long, value_name = "N", default_value_t = 0)]
    games: u64,
    /// Keep the first game that stops with a fault as a transcript, for `adit replay FILE`
    #[arg(long, value_name = "FILE", requires = "games")]
    save: Option<String>,
}

#[derive(Serialize)]
struct Linted<'a> {
    findings: Vec<DiagnosticJson<'a>>,
    fixed: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<Told>,
}

/// What random games came to.
#[derive(Serialize)]
struct Told {
    games: u64,
    choices: u64,
    stopped: u64,
    cut: u64,
    /// Actions that nobody could play.
    unreached: Vec<String>,
    #[serde(skip)]
    transcript: Option<String>,
}

/// Shows what the lints find; the answer is no where they find more than a remark.
pub fn run(args: &LintArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let typed = args.game.asked();
    let load::Read {
        asked,
        sources,
        compiled,
        ..
    } = load::compile(&typed)?;
    if compiled.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(CliError::found(sources, compiled.diagnostics));
    }
    let (mut findings, mut told) = look(&asked, &sources, &compiled, args.games);
    let mut fixed = 0;
    let mut sources = sources;
    for _ in 0..if args.fix { lint::MOST_ROUNDS } else { 0 } {
        let n_fixes = mend(&typed, &sources, &findings)?;
        if n_fixes == 0 {
            break;
        }
        fixed += n_fixes;
        let again = load::compile(&typed)?;
        (findings, told) = look(&asked, &again.sources, &again.compiled, args.games);
        sources = again.sources;
    }
    if let Some(path) = &args.save {
        let Some(kept) = told.as_ref().and_then(|it| it.transcript.as_ref()) else {
            return Err(
                Problem::new(codes::NOTHING_TO_KEEP, "no game stopped with a fault")
                    .help("leave `--save` out, or play more `--games`")
                    .into(),
            );
        };
        files::write(Path::new(path), kept)?;
    }
    let worst = findings.iter().map(|it| it.severity).max();
    if ui.json {
        let each = findings.iter().map(|it| DiagnosticJson::new(&sources, it));
        ui.json_value(&Linted {
            findings: each.collect(),
            fixed,
            games: told,
        })?;
    } else {
        if !findings.is_empty() {
            ui.line(render::findings(&sources, &findings, ui))?;
            ui.line("")?;
        }
        let mended = if args.fix {
            format!(", {fixed} mended")
        } else {
            String::new()
        };
        if let Some(told) = &told {
            played(told, ui)?;
        }
        ui.line(format!("{}{mended}", counted(findings.len(), "finding")))?;
    }
    Ok(if worst >= Some(Severity::Warning) {
        Exit::No
    } else {
        Exit::Yes
    })
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

fn look(
    asked: &Asked,
    sources: &Sources,
    compiled: &Compiled,
    n_games: u64,
) -> (Vec<Diagnostic>, Option<Told>) {
    let game = compiled.game.as_ref().filter(|_| n_games > 0);
    let program = game.and_then(|game| engine::compile(Arc::clone(game)).ok());
    let games = program
        .as_ref()
        .map(|program| Games::play(program, n_games));
    let files: Vec<_> = compiled.files.iter().collect();
    let book = Book {
        sources,
        files: &files,
        composed: compiled.composed.as_ref(),
        game: compiled.game.as_deref(),
        played: games.as_ref(),
    };
    let mut findings = compiled.diagnostics.clone();
    findings.extend(lint::lint(&book));
    sort_by_place(&mut findings);
    (findings, games.map(|games| told(asked, &games)))
}

fn told(asked: &Asked, games: &Games<'_>) -> Told {
    let game = &*games.program.game;
    let names = games.unreached().into_iter();
    let names = names.filter_map(|id| game.actions.get(id.index()).map(|it| it.name.clone()));
    let transcript = games.stopped.first().map(|it| {
        let seats = vec![String::from("random"); game.n_seats as usize];
        let header = position::header(game, asked, seats, it.seed);
        position::line_to_fault(games.program, header, &it.played, it.last)
    });
    Told {
        games: games.games,
        choices: games.choices,
        stopped: games.stopped.iter().map(|it| it.games).sum(),
        cut: games.cut,
        unreached: names.collect(),
        transcript,
    }
}

/// Makes the safe fixes in the files that were named by their path and in their parts, and returns how many there were.
fn mend(asked: &Asked, sources: &Sources, findings: &[Diagnostic]) -> Result<usize, CliError> {
    let is_of = |word: &String, name: &str| {
        let stem = word.strip_suffix(".rules");
        let rest = stem.and_then(|stem| name.strip_prefix(stem));
        word == name || rest.is_some_and(|rest| rest.starts_with('.'))
    };
    let words = || std::iter::once(&asked.game).chain(&asked.amendments);
    let named = |name: &str| words().any(|word| is_of(word, name));
    let mut n_fixes = 0;
    for (id, source) in sources.iter().filter(|(_, source)| named(&source.name)) {
        let fixed = lint::apply_fixes(&source.text, id, findings);
        if fixed.n_fixes > 0 {
            files::write(Path::new(&source.name), &fixed.text)?;
            n_fixes += fixed.n_fixes;
        }
    }
    Ok(n_fixes)
}
