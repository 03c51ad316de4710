use clap::Args;

use super::compare::SidesArgs;
use crate::cli::tried::{self, HowArgs};
use crate::cli::{CliError, Exit, Ui};

/// Say how two rule sets differ: clauses, rulings, and many games.
///
/// A is the first game; B is the second one, or the same as `--but-with` and `--but-set` change it; `--with`, `--set` and
/// `--players` hold for both. For what is told, see `adit try`. The answer is no where a fault stops a game, a game of B
/// does not end while those of A do, nobody chooses anything in B, or a ruling fails under B.
#[derive(Args, Debug)]
pub struct DiffArgs {
    #[command(flatten)]
    pub sides: SidesArgs,
    #[command(flatten)]
    pub how: HowArgs,
}

/// Tells how two rule sets differ.
pub fn run(args: &DiffArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    tried::run(args.sides.asked(), &args.how, ui)
}
