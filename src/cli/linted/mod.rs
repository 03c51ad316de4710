//! From the words of `adit lint` to findings: which rulebooks are meant, what is found in them, and what mends it.

mod baseline;
mod config;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;

use super::error::Findings;
use super::load::{self, Asked, Read};
use super::{CliError, files, position};
use crate::diagnostic::{Diagnostic, codes, sort_by_place};
use crate::engine::{self, Program};
use crate::lint::{self, Book, Games};
use crate::pipeline::{self, Compiled, Memory, Request};
use crate::ruling::{self, Purse, Verdict};
use crate::source::{FileId, Sources, Span};
use crate::syntax::ast::{ItemKind, Name};

pub use baseline::Baseline;
pub use config::Config;

/// How to look, and what to do about what is found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    /// How many random games are played.
    pub games: u64,
    /// Whether what an amendment stands on is looked at too.
    pub all: bool,
    /// Whether what can be mended is mended.
    pub fix: bool,
    /// Whether that may change the meaning.
    pub risky: bool,
}

/// How rulebooks are looked at, and for how long.
#[derive(Clone, Copy)]
struct By<'l> {
    how: Look,
    config: &'l Config,
    goes_on: &'l dyn Fn() -> bool,
}

/// A rulebook with what was found in it.
pub struct Seen {
    /// Its texts, mended if that was asked for.
    pub sources: Sources,
    /// What was found, by place.
    pub findings: Vec<Diagnostic>,
    /// Whether it cannot be played.
    pub broken: bool,
    /// The names of the files that were looked at.
    pub files: Vec<String>,
    /// The items of its files: where they lie, and what they are called.
    items: Vec<(Span, String)>,
    /// How often something was mended.
    pub n_fixes: usize,
    /// The files that were mended: name, text before and behind.
    pub mended: Vec<Mended>,
    /// What its random games came to.
    pub told: Option<Told>,
    /// Whether it could not be read at all.
    pub is_unread: bool,
}

/// A file that was mended.
pub struct Mended {
    /// Its path.
    pub path: String,
    /// Its text as it was read.
    pub before: String,
    /// Its text now.
    pub after: String,
}

/// What random games came to.
#[derive(Serialize, Default)]
pub struct Told {
    /// How many were played.
    pub games: u64,
    /// How many choices were made.
    pub choices: u64,
    /// How many stopped with a fault.
    pub stopped: u64,
    /// How many were left off before the end.
    pub cut: u64,
    /// Actions that nobody could play.
    pub unreached: Vec<String>,
    /// The first game that stopped with a fault.
    #[serde(skip)]
    pub transcript: Option<String>,
}

impl Told {
    /// Adds what the games of another rulebook came to.
    pub fn add(&mut self, other: Told) {
        self.games += other.games;
        self.choices += other.choices;
        self.stopped += other.stopped;
        self.cut += other.cut;
        self.unreached.extend(other.unreached);
        self.transcript = self.transcript.take().or(other.transcript);
    }
}

/// Looks at one rulebook, and mends it if that is asked for; nothing is written.
pub fn look(
    asked: &Asked,
    how: Look,
    config: &Config,
    memory: &Memory,
    goes_on: &dyn Fn() -> bool,
) -> Result<Seen, CliError> {
    let Read {
        asked,
        sources,
        request,
        compiled,
        own,
        on_disk,
    } = load::compile_with(asked, memory)?;
    let mut seen = Seen {
        findings: Vec::new(),
        broken: false,
        files: own
            .iter()
            .filter_map(|it| Some(sources.get(*it)?.name.clone()))
            .collect(),
        items: Vec::new(),
        n_fixes: 0,
        mended: Vec::new(),
        told: None,
        is_unread: false,
        sources,
    };
    let by = By {
        how,
        config,
        goes_on,
    };
    seen.read(&asked, &compiled, &own, by);
    let of_others = [codes::CALLED_OTHERWISE, codes::CHANGED_SINCE];
    let renamed = compiled.diagnostics.iter();
    let renamed = renamed.filter(|it| of_others.contains(&it.code));
    let renamed: Vec<Diagnostic> = renamed.cloned().collect();
    let mut now = compiled;
    let before = seen.sources.clone();
    for _ in 0..if how.fix { lint::MOST_ROUNDS } else { 0 } {
        let n_fixes = seen.mend(&on_disk, how.risky);
        if n_fixes == 0 {
            break;
        }
        seen.n_fixes += n_fixes;
        let mut again = pipeline::compile(&seen.sources, &request);
        again.diagnostics.extend(renamed.iter().cloned());
        seen.read(&asked, &again, &own, by);
        now = again;
    }
    if !seen.broken {
        seen.read_otherwise(&request, &now, &own, goes_on);
    }
    let texts = before.iter().zip(seen.sources.iter());
    let changed = texts.filter(|((_, a), (_, b))| a.text != b.text);
    seen.mended = changed
        .map(|((_, before), (_, after))| Mended {
            path: before.name.clone(),
            before: before.text.clone(),
            after: after.text.clone(),
        })
        .collect();
    Ok(seen)
}

/// The ids of the rulings that fail.
fn failing(program: &Program) -> BTreeSet<String> {
    let ran = Purse::default().pay(program, ruling::run_all);
    let failed = ran.into_iter().filter(|it| it.verdict() == Verdict::Failed);
    failed.map(|it| it.id).collect()
}

impl Seen {
    /// Returns what keeps a rulebook from being looked at, as what was found.
    pub fn unread(it: Findings) -> Seen {
        Seen {
            findings: it.diagnostics,
            broken: true,
            files: Vec::new(),
            items: Vec::new(),
            n_fixes: 0,
            mended: Vec::new(),
            told: None,
            is_unread: true,
            sources: it.sources,
        }
    }

    /// Looks for errors under readings and values that are not chosen and that the own files of an amendment bring; those
    /// of rulebooks `adit check` tells, which takes longer than all else.
    fn read_otherwise(
        &mut self,
        request: &Request,
        compiled: &Compiled,
        own: &[FileId],
        goes_on: &dyn Fn() -> bool,
    ) {
        let items = compiled.files.iter().skip(1).flat_map(|it| &it.items);
        let own = items.filter(|it| own.contains(&it.span.file));
        let own: BTreeSet<&str> = own
            .filter_map(|it| match &it.kind {
                ItemKind::Setting(it) => Some(it.name.as_str()),
                _ => None,
            })
            .collect();
        if own.is_empty() {
            return;
        }
        let found = pipeline::check_readings_of(
            &self.sources,
            request,
            compiled,
            &|question| own.contains(question),
            goes_on,
        );
        let found = found.findings.into_iter();
        let errors: Vec<Diagnostic> = found.filter(Diagnostic::is_error).collect();
        // Games that stop are errors too, of rules that can be read.
        self.broken = !errors.is_empty();
        self.findings.extend(errors);
        sort_by_place(&mut self.findings);
    }

    /// Looks at what the texts say now.
    fn read(&mut self, asked: &Asked, compiled: &Compiled, own: &[FileId], by: By<'_>) {
        let how = by.how;
        self.findings = compiled.diagnostics.clone();
        self.told = None;
        let items = compiled.files.iter().flat_map(|it| &it.items);
        let named = items.map(|it| {
            let edited = match &it.kind {
                ItemKind::Edit(edit) => edit.target(),
                kind => kind.name().map(Name::to_string),
            };
            (it.span, edited.unwrap_or_default())
        });
        self.items = named.collect();
        self.broken = compiled.diagnostics.iter().any(Diagnostic::is_error);
        if !self.broken {
            let game = compiled.game.as_ref().filter(|_| how.games > 0);
            let program = game.and_then(|game| engine::compile(Arc::clone(game)).ok());
            let games = program.as_ref().map(|program| {
                let mut games = Games::play(program, how.games, by.goes_on);
                if !games.unreached().is_empty() {
                    games.failing = failing(program);
                }
                games
            });
            let files: Vec<_> = compiled.files.iter().collect();
            self.findings.extend(lint::lint(&Book {
                sources: &self.sources,
                files: &files,
                composed: compiled.composed.as_ref(),
                game: compiled.game.as_deref(),
                played: games.as_ref(),
            }));
            self.told = games.map(|games| told(asked, &games));
        }
        // What concerns the own files and others alike is told as well.
        let is_own = |it: &Diagnostic| {
            let mut files = it.labels.iter().map(|label| label.span.file);
            it.is_error() || it.labels.is_empty() || files.any(|it| own.contains(&it))
        };
        self.findings.retain(|it| how.all || is_own(it));
        by.config.apply(&self.sources, &mut self.findings);
        sort_by_place(&mut self.findings);
    }

    /// Mends the files that were asked for by their path, and returns how often.
    fn mend(&mut self, on_disk: &[FileId], risky: bool) -> usize {
        let mut n_fixes = 0;
        let mut texts = Sources::new();
        for (id, source) in self.sources.iter() {
            let findings = match on_disk.contains(&id) {
                true => self.findings.as_slice(),
                false => &[],
            };
            let fixed = lint::apply_fixes(&source.text, id, findings, risky);
            n_fixes += fixed.n_fixes;
            texts.add(&source.name, fixed.text);
        }
        self.sources = texts;
        n_fixes
    }

    /// Returns the name of the item that a place lies in.
    pub fn item(&self, span: Span) -> &str {
        let around = self.items.iter().find(|(whole, _)| whole.holds(span));
        around.map_or("", |(_, name)| name)
    }

    /// Writes what was mended.
    pub fn write(&self) -> Result<(), CliError> {
        for it in &self.mended {
            files::rewrite(Path::new(&it.path), &it.after)?;
        }
        Ok(())
    }
}

fn told(asked: &Asked, games: &Games<'_>) -> Told {
    let game = &*games.program.game;
    let names = games.unreached().into_iter();
    let names = names.filter_map(|id| game.actions.get(id.index()).map(|it| it.name.clone()));
    let transcript = games.stopped.first().map(|it| {
        let seats = vec![String::from("random"); game.n_seats as usize];
        let header = position::header(game, asked, seats, it.seed);
        position::line_to_fault(games.program, header, &it.played, it.last)
    });
    Told {
        games: games.games,
        choices: games.choices,
        stopped: games.stopped.iter().map(|it| it.games).sum(),
        cut: games.cut,
        unreached: names.collect(),
        transcript,
    }
}
