use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde::Serialize;

use crate::cli::written::{self, GameAsked, RulingAsked, VariantAsked};
use crate::cli::{CliError, Exit, Ui, files};

/// Begin a game, a house rule or a ruling.
///
/// What is written can be checked and played at once.
#[derive(Args, Debug)]
pub struct NewArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    Game(GameArgs),
    Variant(VariantArgs),
    Ruling(RulingArgs),
}

/// Begin a rulebook: a small game that can be played, with a ruling.
#[derive(Args, Debug)]
struct GameArgs {
    /// Its name: small letters, digits and underscores
    name: String,
    /// Its title; by default the name in words
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// How many play
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(2..=16))]
    players: u32,
    /// Write it into this new file; by default `NAME.rules`
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Begin a house rule: its header, and an edit over what the game has there.
#[derive(Args, Debug)]
struct VariantArgs {
    /// Its name: small letters, digits and underscores
    name: String,
    /// The game, or an amendment of it that this stands on: a shipped one or a path
    #[arg(long = "for", value_name = "GAME")]
    game: String,
    /// What is to change: an address that `adit outline GAME` lists
    #[arg(long, value_name = "ADDRESS")]
    edit: Option<String>,
    /// Its title; by default the name in words
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Write it into this new file; by default `NAME.rules`
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Write a line of play that was kept down as a ruling, with what these rules say of its last move.
///
/// The line is one that `adit try --save`, `adit simulate --save` or a game has kept. The ruling is printed; put it into the
/// file of the rule: `adit new ruling R-middle --from line.jsonl --for no_middle.rules >> no_middle.rules`. It begins with a seed, so a
/// line on which chance gave what no seed of the first 2000 gives cannot be written down so.
#[derive(Args, Debug)]
struct RulingArgs {
    /// Its id
    id: String,
    /// The line: a transcript
    #[arg(long, value_name = "TRANSCRIPT")]
    from: String,
    /// The rules that judge the last move: a game or a house rule; by default those that the transcript names
    #[arg(long = "for", value_name = "RULES")]
    rules: Option<String>,
    /// What it says; by default what became of the last move
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
}

/// What was written, for programs.
#[derive(Serialize)]
struct Written<'a> {
    /// The new file; none where it is only printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    text: &'a str,
}

/// Writes what was asked for.
pub fn run(args: &NewArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let (name, out, text) = match &args.what {
        What::Game(it) => {
            let text = written::game(&GameAsked {
                name: &it.name,
                title: it.title.as_deref(),
                players: it.players,
            })?;
            (&it.name, &it.out, text)
        }
        What::Variant(it) => {
            let text = written::variant(&VariantAsked {
                name: &it.name,
                game: &it.game,
                edit: it.edit.as_deref(),
                title: it.title.as_deref(),
            })?;
            (&it.name, &it.out, text)
        }
        What::Ruling(it) => {
            let text = written::ruling(&RulingAsked {
                id: &it.id,
                from: &it.from,
                rules: it.rules.as_deref(),
                title: it.title.as_deref(),
            })?;
            match ui.json {
                true => ui.json_value(&Written {
                    file: None,
                    text: &text,
                })?,
                false => ui.part(text)?,
            }
            return Ok(Exit::Yes);
        }
    };
    let path = out
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("{name}.rules")));
    files::write_new(&path, &text)?;
    let shown = path.display();
    if ui.json {
        let file = Some(shown.to_string());
        ui.json_value(&Written { file, text: &text })?;
        return Ok(Exit::Yes);
    }
    ui.line(format!(
        "{shown} is there; `adit check {shown}` checks it, `adit play {shown}` plays it"
    ))?;
    Ok(Exit::Yes)
}
