use clap::Args;
use serde::Serialize;

use crate::cli::load::{self, Asked};
use crate::cli::{CliError, Exit, Ui, show};
use crate::play::transcript::{Ending, Record, Transcript};
use crate::play::{Compare, Session, check_whole, replay, seen_by};

/// Play a transcript again and compare it, line by line, with what happens.
#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// The transcript
    file: String,
    /// Take this rulebook instead of the one that the transcript names
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Print the transcript as the program writes it
    #[arg(long)]
    emit: bool,
    /// Print the information state of this seat: all that it saw and did, no seed, nothing hidden
    #[arg(long = "as", value_name = "SEAT", conflicts_with = "emit")]
    seat: Option<String>,
}

#[derive(Serialize)]
struct Replayed<'a> {
    lines: usize,
    choices: usize,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    result: Option<&'a Ending>,
}

/// Replays a file; the answer is no where it differs.
pub fn run(args: &ReplayArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let path = args.file.as_str();
    let text = load::read_text_or_input(ui, path)?;
    let no = |problem| CliError::no(&problem, path, &text);
    let transcript = Transcript::read(&text).map_err(no)?;
    let mut asked = Asked::by(&transcript.header);
    if let Some(game) = &args.game {
        game.clone_into(&mut asked.game);
    }
    let loaded = load::load(asked)?;
    let exact = !args.emit && args.seat.is_none();
    let compare = if exact {
        Compare::Bytes
    } else {
        Compare::Meaning
    };
    let mut session = replay(&loaded.program, &transcript, compare).map_err(no)?;
    if let Some(seat) = &args.seat {
        let seat = super::seat_of(session.game(), seat)?;
        ui.part(seen_by(&loaded.program, &session, seat)?)?;
        return Ok(Exit::Yes);
    }
    if args.emit {
        ui.part(session.transcript())?;
        return Ok(Exit::Yes);
    }
    check_whole(&transcript, &session).map_err(no)?;
    say(&mut session, transcript.lines.len() + 1, ui)?;
    Ok(Exit::Yes)
}

fn say(session: &mut Session<'_>, lines: usize, ui: &mut Ui<'_>) -> Result<(), CliError> {
    if ui.json {
        let result = match session.records().last() {
            Some(Record::End(ending)) => Some(ending),
            _ => None,
        };
        return ui.json_value(&Replayed {
            lines,
            choices: session.n_choices(),
            result,
        });
    }
    ui.line(format!(
        "{lines} lines agree, {} choices",
        session.n_choices()
    ))?;
    show::result(session, ui)
}
