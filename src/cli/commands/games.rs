use clap::Args;
use serde::Serialize;

use crate::cli::ui::Tone;
use crate::cli::{CliError, Exit, Ui};
use crate::library;
use crate::model::text::first_sentence;
use crate::syntax;
use crate::syntax::ast::{Doc, HeaderKind};

/// List the games that come with the program, and their amendments.
#[derive(Args, Debug)]
pub struct GamesArgs {}

#[derive(Serialize)]
struct GameJson {
    name: &'static str,
    title: String,
    /// What its file says of itself.
    about: String,
    amendments: Vec<AmendmentJson>,
}

#[derive(Serialize)]
struct AmendmentJson {
    name: &'static str,
    title: String,
    about: String,
    /// Those that amend this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    amendments: Vec<AmendmentJson>,
}

/// What the header of a shipped file says.
struct Headed {
    name: &'static str,
    title: String,
    about: String,
    /// The rulebook that it amends.
    base: Option<String>,
}

/// Lists what is shipped.
pub fn run(_args: &GamesArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let all = headers();
    let games: Vec<GameJson> = all
        .iter()
        .filter(|it| it.base.is_none())
        .map(|it| GameJson {
            name: it.name,
            title: it.title.clone(),
            about: it.about.clone(),
            amendments: amendments(&all, it.name, &mut vec![it.name]),
        })
        .collect();
    if ui.json {
        ui.json_value(&games)?;
        return Ok(Exit::Yes);
    }
    for game in &games {
        ui.line(format!(
            "{}  {}",
            ui.paint(Tone::Bold, game.name),
            game.title
        ))?;
        ui.line(format!(
            "  {}",
            ui.paint(Tone::Dim, first_sentence(&game.about))
        ))?;
        show(&game.amendments, 1, ui)?;
    }
    Ok(Exit::Yes)
}

fn show(amendments: &[AmendmentJson], depth: usize, ui: &mut Ui<'_>) -> Result<(), CliError> {
    for it in amendments {
        let name = ui.paint(Tone::Cyan, format!("--with {}", it.name));
        let (before, about) = ("  ".repeat(depth), first_sentence(&it.about));
        ui.line(format!("{before}{name}  {}", it.title))?;
        ui.line(format!("{before}  {}", ui.paint(Tone::Dim, about)))?;
        show(&it.amendments, depth + 1, ui)?;
    }
    Ok(())
}

/// Collects what amends this, and what amends that in turn. `above` ends the walk if files name each other.
fn amendments(all: &[Headed], base: &str, above: &mut Vec<&'static str>) -> Vec<AmendmentJson> {
    let mut found = Vec::new();
    for it in all.iter().filter(|it| it.base.as_deref() == Some(base)) {
        if above.contains(&it.name) {
            continue;
        }
        above.push(it.name);
        found.push(AmendmentJson {
            name: it.name,
            title: it.title.clone(),
            about: it.about.clone(),
            amendments: amendments(all, it.name, above),
        });
        above.pop();
    }
    found
}

/// Returns the names and titles of the shipped games.
pub fn shipped() -> Vec<(&'static str, String)> {
    let games = headers().into_iter().filter(|it| it.base.is_none());
    games.map(|it| (it.name, it.title)).collect()
}

/// Returns the names of the shipped amendments of a game.
pub fn amendments_of(game: &str) -> Vec<&'static str> {
    let all = headers().into_iter();
    all.filter(|it| it.base.as_deref() == Some(game))
        .map(|it| it.name)
        .collect()
}

/// Returns what a comment says, on one line.
pub fn about(docs: &[Doc]) -> String {
    let lines: Vec<&str> = docs.iter().map(|it| it.text.trim()).collect();
    lines.join(" ")
}

fn headers() -> Vec<Headed> {
    let read = |shipped: &library::Shipped| {
        let header = syntax::parse_header(shipped.text)?;
        let base = match header.kind {
            HeaderKind::Game | HeaderKind::Part => None,
            HeaderKind::Amendment { base, .. } => Some(base.text),
        };
        Some(Headed {
            name: shipped.name,
            title: header.title.text,
            about: about(&header.docs),
            base,
        })
    };
    library::FILES.iter().filter_map(read).collect()
}
