use clap::Args;

use crate::cli::load::{self, Asked, RulesArgs};
use crate::cli::rulebooks;
use crate::cli::tried::{self, HowArgs};
use crate::cli::{CliError, Exit, Ui};
use crate::diagnostic::codes;

/// Say what a house rule changes: clauses, rulings, and many games.
///
/// The rules without it are A, with it B. Both are played by random players in step: with the same chance, drawn by the names of
/// what is drawn from, and the same choices as long as both offer them; behind the first different choice each goes on
/// alone. Told are the games and the choices that differ, and the shortest line to a difference; `--save` keeps it for
/// `adit replay`. Where none differs, half as many games are
/// led towards the guards and conditions that only one of the two has; where nothing differs there either, that is said of so many games, and not
/// that the rules are equal. The answer is
/// no where a fault stops a game, a game of B does not end while those of A do, nobody chooses anything in B, or a ruling fails
/// under B.
#[derive(Args, Debug)]
pub struct TryArgs {
    /// The house rule: a path, or the name of a shipped amendment
    rule: String,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    pub how: HowArgs,
}

impl TryArgs {
    /// Returns those of `adit try` for so many games, with nothing else said.
    pub fn of(rule: String, rules: RulesArgs, games: u64) -> TryArgs {
        let how = HowArgs::of(games);
        TryArgs { rule, rules, how }
    }

    /// Returns the rules without it and with it.
    pub fn asked(&self) -> Result<[Asked; 2], CliError> {
        let RulesArgs { with, set, players } = self.rules.clone();
        let alone = Asked {
            game: self.rule.clone(),
            seats: players,
            ..Asked::default()
        };
        let whole = rulebooks::gather(&alone)?.asked;
        let Some(rule) = whole.amendments.last().cloned() else {
            // What cannot be read has no base either.
            load::load(alone)?;
            let message = format!("`{}` changes no game", self.rule);
            let help = "name an amendment, or two rule sets: `adit diff A B`";
            return Err(CliError::new(codes::UNKNOWN_AMENDMENT, message, help));
        };
        let mut second = Asked { set, ..whole };
        second.amendments.extend(with);
        let second = rulebooks::gather(&second)?.asked;
        let mut first = second.clone();
        first.amendments.retain(|it| *it != rule);
        // What the rule asks itself nobody is asked without it.
        let first = first.with_own_settings()?;
        Ok([first, second])
    }
}

/// Tells what an amendment changes.
pub fn run(args: &TryArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    tried::run(args.asked()?, &args.how, ui)
}
