//! From the names on a command line to checked rules.

mod budget;

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read as Reader};
use std::path::{self, Path};
use std::sync::Arc;

use clap::Args;

pub use budget::Budget;

use super::shelf::Shelf;
use super::strangers::{self, Around};
use super::{CliError, Ui, locked, rulebooks, ui};
use crate::diagnostic::{Diagnostic, codes};
use crate::engine::{self, COMMAND_WORK, Program, Tier};
use crate::pipeline::{self, Compiled, Memory, Readings, Request};
use crate::play::setting_value;
use crate::play::transcript::Header;
use crate::source::{FileId, Sources};
use crate::syntax;
use crate::syntax::ast::{HeaderKind, ItemKind, Name, Reading, SettingValues};

/// Largest file that is read. The largest text a rulebook may have is far below.
const MAX_FILE: u64 = 64 << 20;

/// Which rules are meant.
#[derive(Args, Debug, Clone, Default)]
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

pub fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(String::from("write it as NAME=VALUE")),
    }
}

/// Which rules were asked for, in the words that were used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// A shipped rulebook or a path.
    pub game: String,
    /// Shipped amendments or paths.
    pub amendments: Vec<String>,
    /// Settings other than the default.
    pub set: Vec<(String, String)>,
    /// Number of seats.
    pub seats: Option<u32>,
    /// The texts that are meant, if they were brought along and are not to be looked for.
    pub texts: Option<Arc<Texts>>,
    /// Where files are looked for.
    pub shelf: Arc<Shelf>,
    /// What is made of the rules.
    pub tier: Tier,
}

impl Asked {
    /// The same for few moves: the rules are ready sooner.
    pub fn for_few_moves(self) -> Asked {
        let tier = Tier::Baseline;
        Asked { tier, ..self }
    }

    /// The same for many moves.
    pub fn for_many_moves(self) -> Asked {
        let tier = Tier::Optimized;
        Asked { tier, ..self }
    }

    /// Reads the input where `-` stands for the game; it is called so, or by the path of which it may be the text.
    pub fn with_input(mut self, name: Option<&str>, ui: &mut Ui<'_>) -> Result<Asked, CliError> {
        if self.game == INPUT {
            let text = read_text_or_input(ui, INPUT)?;
            self.game = name.unwrap_or(INPUT).to_owned();
            Arc::make_mut(&mut self.shelf).put(&self.game, text.into());
        }
        Ok(self)
    }
}

/// What stands for the input in place of a path.
const INPUT: &str = "-";

/// The texts of a rulebook, then those of its amendments and parts, each with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts(pub Vec<(String, String)>);

impl GameArgs {
    /// Returns what was asked for.
    pub fn asked(&self) -> Asked {
        self.rules.asked(self.game.clone())
    }
}

impl RulesArgs {
    /// Returns a game with these changes.
    pub fn asked(&self, game: String) -> Asked {
        let RulesArgs { with, set, players } = self.clone();
        Asked {
            game,
            amendments: with,
            set,
            seats: players,
            ..Asked::default()
        }
    }
}

impl Asked {
    /// Returns the rules that a transcript was played under; where another game is given, that one.
    ///
    /// Somebody else may have written the transcript, so it opens rulebooks and nothing else.
    pub fn by(header: &Header, transcript: &str, game: Option<&str>) -> Result<Asked, CliError> {
        let folder = Path::new(transcript).parent().unwrap_or(Path::new(""));
        let found = |word: &String| rulebooks::wanted(&ui::foreign(word.clone()), folder);
        Ok(Asked {
            game: match game {
                Some(game) => game.to_owned(),
                None => found(&header.game)?,
            },
            amendments: header
                .amendments
                .iter()
                .map(found)
                .collect::<Result<_, CliError>>()?,
            set: header.settings_as_text(),
            seats: u32::try_from(header.seats.len()).ok(),
            ..Asked::default()
        })
    }

    /// Returns the same without settings that these rules do not have: they were made for others.
    pub fn with_own_settings(mut self) -> Result<Asked, CliError> {
        if self.set.is_empty() {
            return Ok(self);
        }
        let plain = Asked {
            set: Vec::new(),
            ..self.clone()
        };
        let game = compile(&plain)?.compiled.game;
        let settings = game.iter().flat_map(|it| &it.settings);
        let names: Vec<&str> = settings.map(|it| it.name.as_str()).collect();
        self.set.retain(|(name, _)| names.contains(&name.as_str()));
        Ok(self)
    }

    /// Returns the same in words that a transcript in this folder can use, wherever it is read: what lies in
    /// the folder by its path from there, any other file by its whole path.
    pub fn seen_from(&self, folder: Option<&Path>) -> Asked {
        let folder = folder.and_then(|it| path::absolute(it).ok());
        let word = |word: &String| {
            let whole = path::absolute(word).ok();
            let Some(whole) = whole.filter(|_| rulebooks::is_path(word)) else {
                return word.clone();
            };
            let inside = folder.as_ref().and_then(|it| whole.strip_prefix(it).ok());
            let seen = inside.unwrap_or(&whole).to_str();
            seen.map_or_else(|| word.clone(), str::to_owned)
        };
        Asked {
            game: word(&self.game),
            amendments: self.amendments.iter().map(word).collect(),
            ..self.clone()
        }
    }
}

/// Rules that were read, with what every stage has made of them.
pub struct Read {
    /// What was asked for, written in full.
    pub asked: Asked,
    /// All texts.
    pub sources: Sources,
    /// What was asked of the pipeline.
    pub request: Request,
    /// What came of them.
    pub compiled: Compiled,
    /// The files of what was named, without what that stands on.
    pub own: Vec<FileId>,
    /// Those of them that were named by their path.
    pub on_disk: Vec<FileId>,
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

impl Loaded {
    /// Returns the title with the settings that are not as usual.
    pub fn described(&self) -> String {
        let game = &self.program.game;
        let unusual = game.settings.iter();
        let unusual = unusual.filter(|it| it.asked && it.value != it.default);
        let unusual =
            unusual.map(|it| format!(", {} = {}", it.name, setting_value(game, it, it.value)));
        self.title() + &unusual.collect::<String>()
    }
}

/// Returns the title of a rulebook with those of its amendments.
pub fn title(sources: &Sources) -> String {
    let texts = sources.iter().map(|(_, source)| &source.text);
    let headers = texts.filter_map(|text| syntax::parse_header(text));
    let mut titles = headers
        .filter(|it| it.kind != HeaderKind::Part)
        .map(|it| it.title.text);
    let game = titles.next().unwrap_or_default();
    match titles.collect::<Vec<String>>().join("; ") {
        with if with.is_empty() => game,
        with => format!("{game} with {with}"),
    }
}

/// Reads and checks rules, and keeps what every stage has made of them.
pub fn compile(asked: &Asked) -> Result<Read, CliError> {
    compile_by(asked, &pipeline::compile)
}

/// Does the same, and reads no text again that is in the memory.
pub fn compile_with(asked: &Asked, memory: &Memory) -> Result<Read, CliError> {
    compile_by(asked, &|sources, request| {
        pipeline::compile_with(sources, request, memory)
    })
}

fn compile_by(
    asked: &Asked,
    compile: &dyn Fn(&Sources, &Request) -> Compiled,
) -> Result<Read, CliError> {
    let mut known = HashMap::new();
    for (name, other) in &asked.set {
        let value = *known.entry(name).or_insert(other);
        if value != other {
            let message = format!("`{name}` is set to both `{value}` and `{other}`");
            return Err(CliError::new(
                codes::TWO_VALUES,
                message,
                "leave one of them out",
            ));
        }
    }
    let rulebooks = rulebooks::gather(asked)?;
    let (set, renamed) = called_now(&rulebooks.sources, &asked.set);
    let request = Request {
        base: rulebooks.base,
        amendments: rulebooks.amendments,
        set: set.clone(),
        seats: asked.seats,
    };
    let mut compiled = compile(&rulebooks.sources, &request);
    compiled.diagnostics.extend(renamed);
    let mut read = Read {
        asked: Asked {
            set,
            ..rulebooks.asked
        },
        sources: rulebooks.sources,
        request,
        compiled,
        own: rulebooks.own,
        on_disk: rulebooks.on_disk,
    };
    let changed = locked::changed(&read)?;
    let strangers = strangers::strangers(Around {
        sources: &read.sources,
        compiled: &read.compiled,
        own: &read.on_disk,
        shelf: &read.asked.shelf,
    });
    read.compiled
        .diagnostics
        .extend(changed.into_iter().chain(strangers));
    Ok(read)
}

type Settings = Vec<(String, String)>;

/// Returns settings by the names that questions and readings have now, and what was called otherwise before.
fn called_now(sources: &Sources, set: &Settings) -> (Settings, Vec<Diagnostic>) {
    let (mut now, mut found) = (set.clone(), Vec::new());
    let texts = sources.iter().filter(|_| !set.is_empty());
    for (file, source) in texts.filter(|(_, it)| it.text.contains("formerly")) {
        for item in syntax::parse(file, &source.text).0.items {
            let ItemKind::Setting(setting) = &item.kind else {
                continue;
            };
            for (name, value) in &mut now {
                let mut renamed = |to: &Name, old: &mut String| {
                    let message = format!("`{old}` is called `{to}` now");
                    found.push(Diagnostic::at(codes::CALLED_OTHERWISE, to.span, message));
                    old.clone_from(&to.text);
                };
                if setting.formerly.iter().any(|it| it.text == *name) {
                    renamed(&setting.name, name);
                }
                let SettingValues::Readings(readings) = &setting.values else {
                    continue;
                };
                let was = |it: &&Reading| it.formerly.iter().any(|it| it.text == *value);
                if setting.name.text == *name
                    && !readings.iter().any(|it| it.name.text == *value)
                    && let Some(reading) = readings.iter().find(was)
                {
                    renamed(&reading.name, value);
                }
            }
        }
    }
    (now, found)
}

/// Checks the rules under each other reading that changes them, and each two of those.
pub fn check_readings(read: &Read) -> Readings {
    pipeline::check_readings(&read.sources, &read.request, &read.compiled)
}

/// Reads and checks rules; findings about them are for the caller to judge.
pub fn read(asked: &Asked) -> Result<Checked, CliError> {
    compile(asked).map(finished)
}

/// Does the same, and reads no text again that is in the memory.
pub fn read_with(asked: &Asked, memory: &Memory) -> Result<Checked, CliError> {
    compile_with(asked, memory).map(finished)
}

/// Makes the program of rules that were read.
pub fn finished(read: Read) -> Checked {
    let Read {
        asked,
        sources,
        compiled,
        ..
    } = read;
    let mut diagnostics = compiled.diagnostics;
    let mut program = None;
    if let Some(game) = compiled.game {
        match engine::compile_as(game, asked.tier) {
            Ok(ready) => program = Some(ready),
            Err(findings) => diagnostics.extend(findings),
        }
    }
    Checked {
        asked,
        sources,
        diagnostics,
        program,
    }
}

/// Reads rules that must be ready to play; all that a command does with them may take so much work.
pub fn load(asked: Asked) -> Result<Loaded, CliError> {
    ready(read(&asked)?)
}

fn ready(checked: Checked) -> Result<Loaded, CliError> {
    let Checked {
        asked,
        sources,
        diagnostics,
        program,
    } = checked;
    match program {
        Some(program) => {
            program.bound_work(COMMAND_WORK);
            Ok(Loaded {
                sources,
                program,
                asked,
            })
        }
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
    if path == INPUT {
        whole_text("the input", ui.input())
    } else {
        read_text(path)
    }
}

/// Reads a text file.
pub fn read_text(path: &str) -> Result<String, CliError> {
    let name = format!("`{path}`");
    let io =
        |error: io::Error| unreadable(&name, &error.to_string().to_lowercase(), "check the path");
    let there = fs::metadata(path).map_err(io)?;
    if !there.is_file() && !there.is_dir() {
        // Reading it could wait for ever.
        return Err(unreadable(&name, "it is no regular file", "save it as one"));
    }
    whole_text(&name, fs::File::open(path).map_err(io)?)
}

fn whole_text(name: &str, from: impl Reader) -> Result<String, CliError> {
    let mut bytes = Vec::new();
    let taken = from.take(MAX_FILE + 1).read_to_end(&mut bytes);
    let taken = taken
        .map_err(|error| unreadable(name, &error.to_string().to_lowercase(), "check the path"))?;
    if taken as u64 > MAX_FILE {
        return Err(unreadable(
            name,
            "it is larger than 64 MiB",
            "check the path",
        ));
    }
    String::from_utf8(bytes)
        .map_err(|_| unreadable(name, "it is not text in UTF-8", "save it as UTF-8"))
}

fn unreadable(name: &str, why: &str, help: &str) -> CliError {
    let message = format!("{name} cannot be read: {why}");
    CliError::new(codes::UNREADABLE_FILE, message, help)
}
