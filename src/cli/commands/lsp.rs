use std::path::PathBuf;

use clap::Args;
use xxhash_rust::xxh3::xxh3_64;

use crate::cli::{CliError, Exit, Ui, editor, wire};
use crate::diagnostic::codes;
use crate::library;

/// Answer an editor that speaks the Language Server Protocol.
///
/// An editor starts it and talks to it by the input and the output; nobody types here. docs/lsp.md says what it answers.
#[derive(Args, Debug)]
pub struct LspArgs {
    /// Talk by the input and the output; so it does anyway, and some editors say it
    #[arg(long)]
    stdio: bool,
}

/// Serves until the editor ends it.
pub fn run(_args: &LspArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    if ui.interactive() {
        let message = "`adit lsp` talks to an editor, and here is a terminal";
        let help = "tell your editor to start `adit lsp` for files that end with `.rules`";
        return Err(CliError::new(codes::NO_EDITOR, message, help));
    }
    let (connection, threads) = wire::stdio().map_err(CliError::Output)?;
    let served = editor::serve(&connection, folder(ui));
    // The thread that writes ends when nobody can send to it any more.
    drop(connection);
    match served {
        Ok(true) => {
            threads.join().map_err(CliError::Output)?;
            Ok(Exit::Yes)
        }
        Ok(false) => Ok(Exit::No),
        Err(error) => {
            let message = format!("what the input brings is not the protocol: {error}");
            let help = "`adit lsp` is started by an editor: docs/lsp.md tells how";
            Err(CliError::new(codes::NO_EDITOR, message, help))
        }
    }
}

/// The folder for the texts of this very program.
fn folder(ui: &Ui<'_>) -> Option<PathBuf> {
    let texts = library::FILES.iter().chain(library::PARTS);
    let texts: Vec<u8> = texts.flat_map(|it| it.text.bytes()).collect();
    let cache = ui.folder("XDG_CACHE_HOME", &[".cache"])?;
    Some(cache.join(format!("{:016x}", xxh3_64(&texts))))
}
