use std::path::Path;
use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use super::check::counted;
use crate::cli::load::{self, Asked, GameArgs};
use crate::cli::{CliError, Exit, Ui, files, render};
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine;
use crate::lint::{self, Book, Played};
use crate::pipeline::Compiled;
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
}

#[derive(Serialize)]
struct Linted<'a> {
    findings: Vec<DiagnosticJson<'a>>,
    fixed: usize,
}

/// Shows what the lints find; the answer is no where they find more than a remark.
pub fn run(args: &LintArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let asked = args.game.asked();
    let load::Read {
        sources, compiled, ..
    } = load::compile(&asked)?;
    if compiled.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(CliError::found(sources, compiled.diagnostics));
    }
    let mut findings = look(&sources, &compiled, args.games);
    let mut fixed = 0;
    let mut sources = sources;
    for _ in 0..if args.fix { lint::MOST_ROUNDS } else { 0 } {
        let n_fixes = mend(&asked, &sources, &findings)?;
        if n_fixes == 0 {
            break;
        }
        fixed += n_fixes;
        let again = load::compile(&asked)?;
        findings = look(&again.sources, &again.compiled, args.games);
        sources = again.sources;
    }
    let worst = findings.iter().map(|it| it.severity).max();
    if ui.json {
        let each = findings.iter().map(|it| DiagnosticJson::new(&sources, it));
        ui.json_value(&Linted {
            findings: each.collect(),
            fixed,
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
        ui.line(format!("{}{mended}", counted(findings.len(), "finding")))?;
    }
    Ok(if worst >= Some(Severity::Warning) {
        Exit::No
    } else {
        Exit::Yes
    })
}

fn look(sources: &Sources, compiled: &Compiled, games: u64) -> Vec<Diagnostic> {
    let game = compiled.game.as_ref().filter(|_| games > 0);
    let program = game.and_then(|game| engine::compile(Arc::clone(game)).ok());
    let files: Vec<_> = compiled.files.iter().collect();
    let book = Book {
        sources,
        files: &files,
        composed: compiled.composed.as_ref(),
        game: compiled.game.as_deref(),
        played: program.as_ref().map(|program| Played { program, games }),
    };
    lint::lint(&book)
}

/// Makes the safe fixes in the files that were named by their path, and returns how many there were.
fn mend(asked: &Asked, sources: &Sources, findings: &[Diagnostic]) -> Result<usize, CliError> {
    let named = |name: &str| asked.game == name || asked.amendments.iter().any(|it| it == name);
    let mut n_fixes = 0;
    for (id, source) in sources.iter().filter(|(_, source)| named(&source.name)) {
        let fixed = lint::apply_fixes(&source.text, id, findings);
        if fixed.n_fixes > 0 {
            files::rewrite(Path::new(&source.name), &fixed.text)?;
            n_fixes += fixed.n_fixes;
        }
    }
    Ok(n_fixes)
}
