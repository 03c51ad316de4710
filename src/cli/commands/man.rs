use std::fs;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man;

use crate::cli::{CliError, Exit, Ui, files, help};
use crate::diagnostic::closest;

/// Print a page for `man`, or write all of them into a folder.
///
/// `adit man --into ~/.local/share/man/man1` is all that it takes for `man adit` and `man adit-play`.
#[derive(Args, Debug)]
pub struct ManArgs {
    /// The command whose page is printed; without it that of the program
    #[arg(conflicts_with = "into", value_parser = known)]
    command: Option<String>,
    /// Write a page for each command into this folder
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

/// Prints or writes pages.
pub fn run(args: &ManArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let pages = pages();
    if let Some(folder) = &args.into {
        fs::create_dir_all(folder).map_err(|error| files::unwritable(folder, &error))?;
        for (name, page) in &pages {
            files::write(&folder.join(format!("{name}.1")), page)?;
        }
        ui.line(format!("{} pages are in {}", pages.len(), folder.display()))?;
        return Ok(Exit::Yes);
    }
    let wanted = match &args.command {
        Some(command) => format!("adit-{command}"),
        None => String::from("adit"),
    };
    if let Some((_, page)) = pages.iter().find(|(name, _)| *name == wanted) {
        ui.part(page)?;
    }
    Ok(Exit::Yes)
}

fn known(text: &str) -> Result<String, String> {
    match help::listed().any(|it| it == text) {
        true => Ok(text.to_owned()),
        false => {
            let near = closest(text, help::listed());
            Err(near.map_or(String::from("there is no such command"), |it| {
                format!("did you mean `{it}`?")
            }))
        }
    }
}

/// The page of the program and those of its commands, by name.
fn pages() -> Vec<(String, String)> {
    let mut root = help::command().disable_help_subcommand(true);
    root.build();
    let mut pages = vec![page("adit", root.clone())];
    for command in root.get_subcommands() {
        let name = format!("adit-{}", command.get_name());
        pages.push(page(&name, command.clone()));
    }
    pages
}

fn page(name: &str, command: Command) -> (String, String) {
    let man = Man::new(command).title(name.to_uppercase());
    let mut text = Vec::new();
    // Writing into memory cannot fail.
    let _ = man.render(&mut text);
    (name.to_owned(), String::from_utf8_lossy(&text).into_owned())
}
