use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::booklet::{booklet, otherwise, without_amendments};
use crate::cli::load::{self, GameArgs};
use crate::cli::{CliError, Exit, Ui, files};
use crate::diagnostic::Diagnostic;

/// Write the rules as a booklet, in Markdown or HTML.
///
/// It says what there is, how a turn goes, what may be done, how it ends, and what is disputed.
/// It tells what holds at this table: the readings and options that are chosen, and house rules with what they change. What it says are
/// the comments of the rulebook, the printed sentences in other words and what a refused move is told, in the order in which the
/// game goes on. Anchors are the addresses that `adit outline` lists.
#[derive(Args, Debug)]
pub struct DocArgs {
    #[command(flatten)]
    game: GameArgs,
    /// How it is written
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Form::Md)]
    format: Form,
    /// Write it into this file; by default it is the answer
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// How a booklet is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Markdown
    Md,
    /// One page of HTML that needs nothing else
    Html,
}

/// Writes the booklet.
pub fn run(args: &DocArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let program = load::load(args.game.asked().for_few_moves())?.program;
    let read = load::compile(&args.game.asked().for_few_moves())?;
    let base = without_amendments(&read.asked)?;
    let Some(told) = booklet(&read, base.as_ref(), otherwise(&program)) else {
        let found = read.compiled.diagnostics.into_iter();
        let errors = found.filter(Diagnostic::is_error).collect();
        return Err(CliError::found(read.sources, errors));
    };
    if ui.json {
        ui.json_value(&told)?;
        return Ok(Exit::Yes);
    }
    let text = match args.format {
        Form::Md => told.markdown(),
        Form::Html => told.html(),
    };
    match &args.out {
        Some(path) if path.as_os_str() != "-" => files::write(path, &text)?,
        _ => ui.part(text)?,
    }
    Ok(Exit::Yes)
}
