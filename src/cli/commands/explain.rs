use std::path::Path;

use clap::Args;
use serde::Serialize;

use crate::cli::load::{self, GameArgs, RulesArgs};
use crate::cli::ui::Tone;
use crate::cli::{CliError, Exit, Ui, pages, show};
use crate::diagnostic::{Code, closest, codes};
use crate::library;
use crate::model::{Citation, ClauseId, Game};
use crate::play::{self, Problem, Sentence};
use crate::source::Sources;

/// Explain a code, or a clause, ruling or printed sentence of a game.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// Code or name of the finding, such as `E0301`, or a game; without it, all findings are listed
    #[arg(value_name = "CODE|GAME")]
    code: Option<String>,
    /// What of the game: the address of a clause, a ruling, or a sentence such as `T-15`
    address: Option<String>,
    #[command(flatten)]
    rules: RulesArgs,
}

#[derive(Serialize)]
struct Explained {
    code: &'static str,
    name: &'static str,
    severity: String,
    meaning: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<&'static str>,
}

/// What is said of a clause.
#[derive(Serialize)]
struct OfClause {
    clause: String,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    disputed: Vec<String>,
    place: String,
    cites: String,
    sentences: Vec<Sentence>,
}

/// Prints the page of a code.
pub fn run(args: &ExplainArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let Some(word) = &args.code else {
        return list(ui);
    };
    if let Some(address) = &args.address {
        let game = GameArgs {
            game: word.clone(),
            rules: args.rules.clone(),
        };
        return of_game(&game, address, ui);
    }
    let code = Code::find(word).ok_or_else(|| unknown(word))?;
    if ui.json {
        ui.json_value(&explained(code, true))?;
    } else if let Some(page) = pages::page(code.id()) {
        ui.line(page.trim_end())?;
    } else {
        ui.line(format!(
            "# {} {}\n\n{}",
            code.id(),
            code.name(),
            code.meaning()
        ))?;
    }
    Ok(Exit::Yes)
}

/// Explains the clauses of an address, or those that say a sentence.
fn of_game(args: &GameArgs, address: &str, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let loaded = load::load(args.asked())?;
    let game = &loaded.program.game;
    let clauses = || (0..).map(ClauseId).zip(&game.clauses);
    let cites = |cite: &Citation| matches!(cite, Citation::Sentence(_, id) if id == address);
    let mut found: Vec<ClauseId> = game.clauses_at(address).collect();
    if found.is_empty() {
        let say_it = clauses().filter(|(_, clause)| clause.cites.iter().any(cites));
        found = say_it.map(|(id, _)| id).collect();
    }
    if found.is_empty() {
        // An edit names what lifts a clause beside that clause, and not in it.
        let is_named = |path: &str| {
            let ends = path.split_once('.').zip(path.rsplit_once('.'));
            ends.is_some_and(|((head, _), (_, last))| address.split_once('.') == Some((head, last)))
        };
        let lifts = clauses().filter(|(_, clause)| is_named(&clause.path));
        found = lifts.map(|(id, _)| id).collect();
    }
    if found.is_empty() {
        let known = game.clauses.iter().map(|clause| clause.path.as_str());
        let near = closest(address, known);
        let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
        let message = format!("`{}` has no clause or sentence `{address}`", game.name);
        let problem = Problem::new(codes::UNKNOWN_ADDRESS, message);
        let help = format!(
            "{near}`adit sources {}` lists sentences and clauses",
            game.name
        );
        return Err(problem.help(help).into());
    }
    let all = found
        .iter()
        .filter_map(|id| of_clause(game, &loaded.sources, *id));
    let all: Vec<OfClause> = all.collect();
    if ui.json {
        ui.json_value(&all)?;
        return Ok(Exit::Yes);
    }
    for clause in &all {
        let name = ui.paint(Tone::Bold, &clause.clause);
        let from = play::explain::provenance(game, clause.origin.as_deref(), &clause.disputed);
        let status = clause.status.as_ref();
        let status = status.map_or_else(String::new, |it| format!("  {it}"));
        let aside = format!("{}{status}  {}", clause.cites, clause.place);
        ui.line(format!(
            "{name}{from}  {}",
            ui.paint(Tone::Dim, aside.trim())
        ))?;
        if !clause.text.is_empty() {
            ui.line(format!("  {}", show::paragraph(&clause.text, ui)))?;
        }
        show::sentences(&clause.sentences, ui)?;
    }
    Ok(Exit::Yes)
}

fn of_clause(game: &Game, sources: &Sources, id: ClauseId) -> Option<OfClause> {
    let clause = game.clauses.get(id.index())?;
    Some(OfClause {
        clause: clause.path.clone(),
        text: clause.text.clone(),
        status: clause.status.clone(),
        origin: clause.origin.clone(),
        disputed: play::explain::disputed(game, id),
        place: sources.place(clause.span),
        cites: play::cites_of(game, id),
        sentences: play::sentences_of(game, [id]),
    })
}

fn list(ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    if ui.json {
        let all: Vec<Explained> = codes::ALL
            .iter()
            .map(|code| explained(*code, false))
            .collect();
        ui.json_value(&all)?;
        return Ok(Exit::Yes);
    }
    for code in codes::ALL {
        ui.line(format!(
            "{} {:<28} {}",
            code.id(),
            code.name(),
            code.meaning()
        ))?;
    }
    Ok(Exit::Yes)
}

fn explained(code: Code, with_page: bool) -> Explained {
    Explained {
        code: code.id(),
        name: code.name(),
        severity: format!("{:?}", code.severity()).to_lowercase(),
        meaning: code.meaning(),
        page: if with_page {
            pages::page(code.id())
        } else {
            None
        },
    }
}

fn unknown(word: &str) -> CliError {
    if library::find(word).is_some() || Path::new(word).is_file() {
        let message = format!("nothing is said of what is to be explained of `{word}`");
        let help = format!(
            "name a clause, a ruling or a sentence: `adit explain {word} ADDRESS`; `adit outline {word}` lists addresses, and `adit sources {word}` sentences"
        );
        return CliError::new(codes::UNKNOWN_ADDRESS, message, help);
    }
    let names = codes::ALL.iter().flat_map(|code| [code.id(), code.name()]);
    let help = match closest(word, names) {
        Some(near) => format!("did you mean `{near}`? `adit explain` lists all codes"),
        None => String::from("`adit explain` lists all codes"),
    };
    CliError::new(
        codes::UNKNOWN_CODE,
        format!("no finding has the code `{word}`"),
        help,
    )
}
