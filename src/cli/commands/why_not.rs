use clap::Args;

use crate::cli::load::GameArgs;
use crate::cli::position::PositionArgs;
use crate::cli::{CliError, Exit, Ui};

/// Say why a move is not legal.
///
/// Either no rule offers it, or a clause forbids it, or it names nothing.
#[derive(Args, Debug)]
pub struct WhyNotArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The move, as it would be printed
    #[arg(value_name = "MOVE")]
    typed: String,
    #[command(flatten)]
    at: PositionArgs,
}

/// Says why a move is not legal; as everywhere, the exit code is 0 for a legal move and 1 for another.
pub fn run(args: &WhyNotArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    super::why::say(&args.game, &args.at, &args.typed, ui)
}
