//! From the names on a command line to checked rules.

use std::fs;
use std::io::Read as _;

use clap::Args;

use super::{CliError, Ui, rulebooks};
use crate::diagnostic::{Diagnostic, codes};
use crate::engine::{self, Program};
use crate::pipeline::{self, Compiled, Request};
use crate::play::Problem;
use crate::play::transcript::Header;
use crate::source::Sources;
use crate::syntax;

/// Largest file that is read. The largest text a rulebook may have is far below.
const MAX_FILE: u64 = 64 << 20;

/// Which rules are meant.
#[derive(Args, Debug, Clone)]
pub struct GameArgs {
    /// Name of a shipped rulebook or amendment (see `adit games`), or a path; an amendment stands for its game as well
    pub game: String,
    #[command(flatten)]
    pub rules: RulesArgs,
}

/// What is changed of a rulebook.
#[derive(Args, Debug, Clone, Default)]
pub struct RulesArgs {
    /// Amend the rulebook: a shipped amendment or a path; may be given several times
    #[arg(long = "with", value_name = "AMENDMENT")]
    pub with: Vec<String>,
    /// Choose a reading or the value of an option (see `adit settings`); may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = name_and_value)]
    pub set: Vec<(String, String)>,
    /// Number of seats, where the rulebook leaves it open
    #[arg(long, value_name = "N")]
    pub players: Option<u32>,
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(String::from("write it as NAME=VALUE")),
    }
}

/// Which rules were asked for, in the words that were used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// A shipped rulebook or a path.
    pub game: String,
    /// Shipped amendments or paths.
    pub amendments: Vec<String>,
    /// Settings other than the default.
    pub set: Vec<(String, String)>,
    /// Number of seats.
    pub seats: Option<u32>,
}

impl GameArgs {
    /// Returns what was asked for.
    pub fn asked(&self) -> Asked {
        let RulesArgs { with, set, players } = self.rules.clone();
        Asked {
            game: self.game.clone(),
            amendments: with,
            set,
            seats: players,
        }
    }
}

impl Asked {
    /// Returns the rules that a transcript was played under.
    pub fn by(header: &Header) -> Asked {
        Asked {
            game: header.game.clone(),
            amendments: header.amendments.clone(),
            set: header.settings_as_text(),
            seats: u32::try_from(header.seats.len()).ok(),
        }
    }
}

/// Rules that were read, with what every stage has made of them.
pub struct Read {
    /// What was asked for, written in full.
    pub asked: Asked,
    /// All texts.
    pub sources: Sources,
    /// What came of them.
    pub compiled: Compiled,
}

/// Rules that were read, with their findings.
pub struct Checked {
    /// What was asked for, written in full.
    pub asked: Asked,
    /// All texts.
    pub sources: Sources,
    /// Findings, the worst of which may have left no program.
    pub diagnostics: Vec<Diagnostic>,
    /// The rules, ready to play.
    pub program: Option<Program>,
}

/// Rules that are ready to play.
pub struct Loaded {
    /// All texts.
    pub sources: Sources,
    /// The rules.
    pub program: Program,
    /// What was asked for, written in full.
    pub asked: Asked,
}

impl Loaded {
    /// Returns the title of the game with those of its amendments.
    pub fn title(&self) -> String {
        title(&self.sources)
    }
}

/// Returns the title of a rulebook with those of its amendments.
pub fn title(sources: &Sources) -> String {
    let texts = sources.iter().map(|(_, source)| &source.text);
    let mut titles = texts.filter_map(|text| Some(syntax::parse_header(text)?.title.text));
    let game = titles.next().unwrap_or_default();
    match titles.collect::<Vec<String>>().join("; ") {
        with if with.is_empty() => game,
        with => format!("{game} with {with}"),
    }
}

/// Reads and checks rules, and keeps what every stage has made of them.
pub fn compile(asked: &Asked) -> Result<Read, CliError> {
    for (at, (name, value)) in asked.set.iter().enumerate() {
        let later = asked.set.iter().skip(at + 1);
        if let Some((_, other)) = later
            .into_iter()
            .find(|(again, it)| again == name && it != value)
        {
            let message = format!("`{name}` is set to both `{value}` and `{other}`");
            return Err(CliError::new(
                codes::TWO_VALUES,
                message,
                "leave one of them out",
            ));
        }
    }
    let rulebooks = rulebooks::gather(asked)?;
    let request = Request {
        base: rulebooks.base,
        amendments: rulebooks.amendments,
        set: asked.set.clone(),
        seats: asked.seats,
    };
    let compiled = pipeline::compile(&rulebooks.sources, &request);
    Ok(Read {
        asked: rulebooks.asked,
        sources: rulebooks.sources,
        compiled,
    })
}

/// Reads and checks rules; findings about them are for the caller to judge.
pub fn read(asked: &Asked) -> Result<Checked, CliError> {
    let Read {
        asked,
        sources,
        compiled,
    } = compile(asked)?;
    let mut diagnostics = compiled.diagnostics;
    let mut program = None;
    if let Some(game) = compiled.game {
        match engine::compile(game) {
            Ok(ready) => program = Some(ready),
            Err(findings) => diagnostics.extend(findings),
        }
    }
    Ok(Checked {
        asked,
        sources,
        diagnostics,
        program,
    })
}

/// Reads rules that must be ready to play.
pub fn load(asked: Asked) -> Result<Loaded, CliError> {
    let Checked {
        asked,
        sources,
        diagnostics,
        program,
    } = read(&asked)?;
    match program {
        Some(program) => Ok(Loaded {
            sources,
            program,
            asked,
        }),
        None => {
            let errors = diagnostics
                .into_iter()
                .filter(Diagnostic::is_error)
                .collect();
            Err(CliError::found(sources, errors))
        }
    }
}

/// Reads a text file; `-` is the input.
pub fn read_text_or_input(ui: &mut Ui<'_>, path: &str) -> Result<String, CliError> {
    if path == "-" {
        ui.read_all()
    } else {
        read_text(path)
    }
}

/// Reads a text file.
pub fn read_text(path: &str) -> Result<String, CliError> {
    let unreadable = |why: String, help: &str| {
        let message = format!("`{path}` cannot be read: {why}");
        CliError::from(Problem::new(codes::UNREADABLE_FILE, message).help(help))
    };
    let io = |error: std::io::Error| unreadable(error.to_string().to_lowercase(), "check the path");
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(io)?;
    let taken = file
        .take(MAX_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(io)?;
    if taken as u64 > MAX_FILE {
        return Err(unreadable(
            String::from("it is larger than 64 MiB"),
            "check the path",
        ));
    }
    String::from_utf8(bytes)
        .map_err(|_| unreadable(String::from("it is not text in UTF-8"), "save it as UTF-8"))
}
