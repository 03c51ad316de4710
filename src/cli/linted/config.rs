//! `adit.toml`: what is looked for, and how much it matters.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use glob::{MatchOptions, Pattern};
use serde::Deserialize;

use crate::cli::CliError;
use crate::cli::load::read_text;
use crate::diagnostic::{Code, Diagnostic, Severity, codes};
use crate::source::{FileId, Sources, Span};

/// How the file is called.
const NAME: &str = "adit.toml";

/// What the file says.
#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    lint: Lint,
}

#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Lint {
    select: Option<Vec<String>>,
    #[serde(default)]
    ignore: Vec<String>,
    games: Option<u64>,
    #[serde(default)]
    severity: BTreeMap<String, Weight>,
    #[serde(default)]
    per_file: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize, Debug, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Weight {
    Info,
    Warning,
}

/// What is looked for in which files.
#[derive(Debug, Default)]
pub struct Config {
    select: Option<Vec<Code>>,
    ignore: Vec<Code>,
    severity: Vec<(Code, Severity)>,
    per_file: Vec<(Pattern, Vec<Code>)>,
    /// The folder that the patterns of files start from.
    folder: PathBuf,
    /// How many random games are played, if nobody says otherwise.
    pub games: Option<u64>,
}

impl Config {
    /// Reads the file of that path; without one, the nearest `adit.toml` in the folder or above it.
    pub fn find(path: Option<&str>, folder: &Path) -> Result<Config, CliError> {
        if let Some(path) = path {
            return Config::read(Path::new(path));
        }
        let folder = std::path::absolute(here(folder)).unwrap_or_default();
        let mut paths = folder.ancestors().map(|it| it.join(NAME));
        match paths.find(|it| it.is_file()) {
            Some(path) => Config::read(&path),
            None => Ok(Config::default()),
        }
    }

    fn read(path: &Path) -> Result<Config, CliError> {
        let shown = path.to_string_lossy();
        let text = read_text(&shown)?;
        let mut sources = Sources::new();
        let file = sources.add(shown.as_ref(), text.as_str());
        Config::parse(file, &text, path).map_err(|it| CliError::found(sources, vec![*it]))
    }

    fn parse(file: FileId, text: &str, path: &Path) -> Result<Config, Box<Diagnostic>> {
        let Written { lint } = toml::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            let span = Span::new(file, span.start, span.end);
            wrong(
                span,
                error.message().trim(),
                "`adit explain J0960` lists what may stand here",
            )
        })?;
        let place = |word: &str| {
            let at = text.find(word).unwrap_or(0);
            Span::new(file, at, at + word.len().min(text.len() - at))
        };
        let code = |word: &String| {
            Code::find(word).filter(is_lint).ok_or_else(|| {
                let message = format!("no lint is called `{word}`");
                let help = "a lint is called by its code or its name: `L103`, `silent-refusal`";
                wrong(place(word), &message, help)
            })
        };
        let list = |words: &[String]| words.iter().map(code).collect::<Result<Vec<Code>, _>>();
        let mut per_file = Vec::new();
        for (pattern, words) in &lint.per_file {
            let pattern = Pattern::new(pattern).map_err(|error| {
                let message = format!("`{pattern}` is no pattern of files: {}", error.msg);
                let help = "an asterisk stands for any letters, two for any folders";
                wrong(place(pattern), &message, help)
            })?;
            per_file.push((pattern, list(words)?));
        }
        let mut severity = Vec::new();
        for (word, weight) in &lint.severity {
            let weight = match weight {
                Weight::Info => Severity::Info,
                Weight::Warning => Severity::Warning,
            };
            severity.push((code(word)?, weight));
        }
        Ok(Config {
            select: lint.select.as_deref().map(list).transpose()?,
            ignore: list(&lint.ignore)?,
            severity,
            per_file,
            folder: path.parent().unwrap_or(Path::new("")).to_owned(),
            games: lint.games,
        })
    }

    /// Keeps the findings that are asked for, with the weight they are given. Errors stay what they are.
    pub fn apply(&self, sources: &Sources, findings: &mut Vec<Diagnostic>) {
        findings.retain(|it| !is_lint(&it.code) || self.wants(sources, it));
        for it in findings.iter_mut().filter(|it| is_lint(&it.code)) {
            let given = self.severity.iter().find(|(code, _)| *code == it.code);
            if let Some((_, severity)) = given {
                it.severity = *severity;
            }
        }
    }

    fn wants(&self, sources: &Sources, it: &Diagnostic) -> bool {
        let selected = self
            .select
            .as_ref()
            .is_none_or(|all| all.contains(&it.code));
        if !selected || self.ignore.contains(&it.code) {
            return false;
        }
        let file = it.span().and_then(|span| sources.get(span.file));
        let Some(file) = file.and_then(|it| std::path::absolute(&it.name).ok()) else {
            return true;
        };
        let folder = std::path::absolute(here(&self.folder)).unwrap_or_default();
        let Ok(seen) = file.strip_prefix(folder) else {
            return true;
        };
        let options = MatchOptions {
            require_literal_separator: true,
            ..MatchOptions::new()
        };
        let fits = |pattern: &Pattern| pattern.matches_path_with(seen, options);
        let mut ignored = self.per_file.iter().filter(|(pattern, _)| fits(pattern));
        !ignored.any(|(_, codes)| codes.contains(&it.code))
    }
}

/// Returns a folder as it can be made absolute: the one that a bare name lies in has no name.
fn here(folder: &Path) -> &Path {
    match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    }
}

fn wrong(span: Span, message: &str, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::at(codes::WRONG_CONFIG, span, message).help(help))
}

fn is_lint(code: &Code) -> bool {
    code.id().starts_with('L')
}
