use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::{Cli, CliError, Exit, Ui};

/// Print the completions for a shell.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Prints a script that the shell reads.
pub fn run(args: &CompletionsArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "adit", &mut script);
    ui.part(String::from_utf8_lossy(&script))?;
    Ok(Exit::Yes)
}
