use crate::model::text::Form;
use clap::Args;
use serde::Serialize;

use crate::cli::drawing::{self, Drawing};
use crate::cli::load::GameArgs;
use crate::cli::position::PositionArgs;
use crate::cli::{CliError, Exit, Ui, show};
use crate::engine::{Status, Tier};
use crate::play::{Session, cites_of, seat_name};

/// List the legal moves of a position.
#[derive(Args, Debug)]
pub struct LegalArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    at: PositionArgs,
}

#[derive(Serialize)]
struct Legal {
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cites: Option<String>,
    moves: Vec<String>,
}

/// Lists the moves as they are typed and printed.
pub fn run(args: &LegalArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let place = args
        .at
        .place(&args.game.game, &args.game.rules, Tier::Baseline)?;
    place.ask(ui.form(), |session| answer(session, ui))
}

fn answer(session: &mut Session<'_>, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    if ui.json {
        let game = session.game();
        let clause = session.machine().clause();
        let seat = match session.status() {
            Status::Choice { seat } => Some(seat_name(game, seat, Form::Plain)),
            Status::Ended => None,
        };
        ui.json_value(&Legal {
            seat,
            clause: clause.and_then(|id| Some(game.clauses.get(id.index())?.path.clone())),
            cites: clause.map(|id| cites_of(game, id)),
            moves: session.machine().names(Form::Plain),
        })?;
        return Ok(Exit::Yes);
    }
    match session.status() {
        Status::Choice { seat } => {
            let numbers = drawing::numbers(session);
            let drawing = Drawing {
                seat: Some(seat),
                numbers: &numbers,
                ..Drawing::default()
            };
            drawing::board(session, &drawing, ui)?;
            show::chooser(session, ui)?;
            show::moves(session, ui.form(), ui)?;
        }
        Status::Ended => show::result(session, ui)?,
    }
    Ok(Exit::Yes)
}
