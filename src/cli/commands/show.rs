use std::path::Path;

use clap::Args;

use crate::cli::drawing::{self, Drawing};
use crate::cli::load::GameArgs;
use crate::cli::position::{Place, PositionArgs};
use crate::cli::{CliError, Exit, Ui, commands, files, show};
use crate::engine::{Status, Tier, Viewer};
use crate::play::Session;

/// Draw a position, in the terminal or as an SVG picture.
#[derive(Args, Debug)]
pub struct ShowArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    at: PositionArgs,
    /// Show the observation of this seat, by its name or number: what it sees now; by default of the one that has to choose
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,
    /// Write an SVG picture into this file; `-` is the output
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,
}

/// Draws the position.
pub fn run(args: &ShowArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let place = args
        .at
        .place(&args.game.game, &args.game.rules, Tier::Baseline)?;
    place.ask(ui.form(), |session| answer(args, &place, session, ui))
}

fn answer(
    args: &ShowArgs,
    place: &Place,
    session: &mut Session<'_>,
    ui: &mut Ui<'_>,
) -> Result<Exit, CliError> {
    let seat = match (&args.seat, session.status()) {
        (Some(word), _) => Some(commands::seat_of(session.game(), word)?),
        (None, Status::Choice { seat }) => Some(seat),
        (None, Status::Ended) => None,
    };
    if let Some(path) = &args.svg {
        let picture = drawing::picture(session, seat, &place.loaded.title())?;
        if path == "-" {
            ui.part(picture)?;
            return Ok(Exit::Yes);
        }
        files::write(Path::new(path), &picture)?;
        if !ui.json {
            ui.line(format!("drawn in {path}"))?;
        }
        return Ok(Exit::Yes);
    }
    if ui.json {
        let viewer = seat.map_or(Viewer::Referee, Viewer::Seat);
        let view = session.machine().view(viewer);
        ui.json_value(&view)?;
        return Ok(Exit::Yes);
    }
    let drawing = Drawing {
        seat,
        ..Drawing::default()
    };
    drawing::board(session, &drawing, ui)?;
    match session.status() {
        Status::Choice { .. } => show::chooser(session, ui)?,
        Status::Ended => show::result(session, ui)?,
    }
    Ok(Exit::Yes)
}
