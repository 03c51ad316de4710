use clap::Args;

use crate::cli::load::GameArgs;
use crate::cli::position::{Place, PositionArgs};
use crate::cli::{CliError, Exit, Ui, show};
use crate::diagnostic::codes;
use crate::engine::Tier;
use crate::play::explain::{self, Kind};
use crate::play::{Problem, Session};

/// Say why a move is legal: which clauses were asked, what they saw.
#[derive(Args, Debug)]
pub struct WhyArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The move, as it is printed
    #[arg(value_name = "MOVE")]
    typed: String,
    #[command(flatten)]
    at: PositionArgs,
}

/// Says why a move is legal; the answer is no if it is not.
pub fn run(args: &WhyArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    say(&args.game, &args.at, &args.typed, ui)
}

/// Answers `why` and `why-not`: the clauses are the same.
pub fn say(
    game: &GameArgs,
    at: &PositionArgs,
    typed: &str,
    ui: &mut Ui<'_>,
) -> Result<Exit, CliError> {
    let place = at.place(&game.game, &game.rules, Tier::Baseline)?;
    place.ask(ui.form(), |session| answer(&place, session, typed, ui))
}

fn answer(
    place: &Place,
    session: &mut Session<'_>,
    typed: &str,
    ui: &mut Ui<'_>,
) -> Result<Exit, CliError> {
    let Some(answer) = explain::answer(session, typed, ui.form()) else {
        let message = "the game is over in this position, and nobody has to choose";
        let problem = Problem::new(codes::NO_CHOICE, message);
        return Err(problem.help("ask about an earlier position").into());
    };
    if ui.json {
        ui.json_value(&answer)?;
    } else {
        show::answer(&answer, &place.loaded.sources, session.game(), ui)?;
    }
    Ok(if answer.verdict == Kind::Legal {
        Exit::Yes
    } else {
        Exit::No
    })
}
