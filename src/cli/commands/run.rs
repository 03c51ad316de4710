use crate::model::text::Form;
use clap::Args;
use serde_json::Value;

use crate::cli::drawing::{self, Drawing};
use crate::cli::load::{self, GameArgs};
use crate::cli::{CliError, Exit, Ui, position, show};
use crate::diagnostic::codes;
use crate::engine::Status;
use crate::play::{Problem, Session, of_play, seat_name, typed};

/// Play the moves of a script and print what happened.
#[derive(Args, Debug)]
pub struct RunArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The script: a move on each line, as text or as `{"move":"…"}`; `-` is the input
    #[arg(value_name = "SCRIPT")]
    script: String,
    /// Seed of chance
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Print the transcript instead
    #[arg(long)]
    emit: bool,
}

/// Runs a script; the answer is no where a move is not legal.
pub fn run(args: &RunArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let path = args.script.as_str();
    let text = load::read_text_or_input(ui, path)?;
    let loaded = load::load(args.game.asked())?;
    let game = &loaded.program.game;
    let seats = vec![String::from("human"); game.n_seats as usize];
    let header = position::header(game, &loaded.asked, seats, args.seed);
    let mut session = Session::start(&loaded.program, header)
        .map_err(|fault| position::fault(&loaded.sources, &fault))?;
    let quiet = args.emit || ui.json;
    for (number, line) in (1..).zip(text.lines()) {
        let played = play_line(&mut session, line, ui.form()).map_err(|problem| {
            CliError::no(&loaded.sources, &problem.on_line(number), path, &text)
        })?;
        if let (Some((seat, printed)), false) = (played, quiet) {
            let seat = seat_name(game, seat, ui.form());
            ui.line(format!(
                "{seat}: {}",
                if ui.plain { printed.1 } else { printed.0 }
            ))?;
        }
    }
    if quiet {
        ui.part(session.transcript())?;
        return Ok(Exit::Yes);
    }
    drawing::board(&mut session, &Drawing::default(), ui)
        .map_err(|it| it.within(&loaded.sources))?;
    match session.status() {
        Status::Choice { .. } => show::chooser(&mut session, ui)?,
        Status::Ended => show::result(&mut session, ui)?,
    }
    Ok(Exit::Yes)
}

/// Who played, and the move as it is printed, with symbols and plain.
type Played = (u32, (String, String));

fn play_line(session: &mut Session<'_>, line: &str, form: Form) -> Result<Option<Played>, Problem> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let Some(text) = move_of(line)? else {
        return Ok(None);
    };
    let Status::Choice { seat } = session.status() else {
        return Err(
            Problem::new(codes::BEYOND_THE_END, "the game has ended before this line")
                .help("remove this line and what follows"),
        );
    };
    let chosen = typed::read_in_file(session, &text, form)?;
    let machine = session.machine();
    let printed = (
        machine.print(chosen, Form::Signs),
        machine.print(chosen, Form::Plain),
    );
    session.play(chosen).map_err(|error| of_play(&error))?;
    Ok(Some((seat, printed)))
}

/// Returns the move on a line; none where the line is a record of something else.
fn move_of(line: &str) -> Result<Option<String>, Problem> {
    if !line.starts_with('{') {
        return Ok(Some(line.to_owned()));
    }
    let value: Value = serde_json::from_str(line).map_err(|_| {
        Problem::new(
            codes::BAD_RECORD,
            "this line is neither a move nor a record",
        )
        .help("write the move as it is printed, or as `{\"move\":\"…\"}`")
    })?;
    Ok(value.get("move").and_then(Value::as_str).map(str::to_owned))
}
