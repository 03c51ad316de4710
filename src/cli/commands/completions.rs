use clap::Args;
use clap_complete::Shell;
use clap_complete::env::Shells;

use crate::cli::{CliError, Exit, Ui};

/// Print the completions for a shell.
///
/// The shell asks this program for games, amendments, settings, rulings, seats and codes.
/// Put a line into the file that the shell reads when it starts: for bash `source <(adit completions bash)`, for zsh the same
/// with `zsh`, for fish `adit completions fish | source`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Prints a script that the shell reads.
pub fn run(args: &CompletionsArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    let name = args.shell.to_string();
    if let Some(shell) = Shells::builtins().completer(&name) {
        let written = shell.write_registration("COMPLETE", "adit", "adit", "adit", &mut script);
        written.map_err(CliError::Output)?;
    }
    ui.part(String::from_utf8_lossy(&script))?;
    Ok(Exit::Yes)
}
