//! What is known of one open rulebook with all that it stands on.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use super::World;
use crate::assist::{self, Known, Names};
use crate::check::Meant;
use crate::diagnostic::{Diagnostic, codes, sort_by_place};
use crate::engine;
use crate::lint::{self, Book};
use crate::model::Game;
use crate::pipeline::{self, Compiled, Memory, Request, StandIn};
use crate::source::{FileId, Source, Sources, Span};

/// The rulebooks that belong to one that was asked for.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    /// Their texts, each under its path.
    pub sources: Sources,
    /// What is to be compiled.
    pub request: Request,
    /// The files of what was asked for, without what that stands on.
    pub own: Vec<FileId>,
}

/// What came of it.
pub(super) struct Analysis {
    pub(super) sources: Sources,
    pub(super) request: Request,
    pub(super) compiled: Compiled,
    /// The game as far as it could be made: it knows names and types.
    pub(super) known: Option<Arc<Game>>,
    meant: Vec<Meant>,
    stand_ins: Vec<StandIn>,
    /// The files that cannot be read as a whole.
    broken: Vec<FileId>,
    /// The file that was asked for.
    pub(super) file: FileId,
    /// What was found that concerns it, by place.
    pub(super) findings: Vec<Diagnostic>,
    /// Made when somebody asks for it.
    names: OnceLock<Names>,
}

/// Does some work of which a panic is no more than a sentence about it.
pub(super) fn guarded<T>(what: &str, work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let said = panic.downcast_ref::<&str>().map(|it| (*it).to_owned());
        let said = said.or_else(|| panic.downcast_ref::<String>().cloned());
        format!(
            "the program failed while it {what}: {}",
            said.unwrap_or_default()
        )
    })
}

fn failed(message: String) -> Vec<Diagnostic> {
    let help = "this is no fault of the rulebook: report it, with the text that led to it";
    vec![Diagnostic::new(codes::PROGRAM_FAILED, message).help(help)]
}

/// Reads, composes, checks and lints a rulebook with what it stands on.
///
/// Of what cannot be read any more, the earlier texts tell what it was.
pub(super) fn analyse(
    world: &dyn World,
    path: &str,
    texts: &[(String, Arc<str>)],
    memory: &Memory,
) -> Analysis {
    let made = guarded("read this file", || {
        analyse_here(world, path, texts, memory)
    });
    made.unwrap_or_else(|message| alone(path, texts, failed(message)))
}

fn analyse_here(
    world: &dyn World,
    path: &str,
    texts: &[(String, Arc<str>)],
    memory: &Memory,
) -> Analysis {
    let gathered = match world.gather(path, texts) {
        Ok(gathered) => gathered,
        Err(found) => return alone(path, texts, found),
    };
    let Gathered {
        mut sources,
        request,
        own,
    } = gathered;
    let pipeline::Analysis {
        compiled,
        known,
        meant,
        stand_ins,
        broken,
    } = pipeline::analyse(&mut sources, &request, memory);
    let mut findings = compiled.diagnostics.clone();
    findings.extend(world.strangers((&sources, &compiled), &own, texts));
    if !findings.iter().any(Diagnostic::is_error) {
        let files: Vec<_> = compiled.files.iter().collect();
        findings.extend(lint::lint(&Book {
            sources: &sources,
            files: &files,
            composed: compiled.composed.as_ref(),
            game: compiled.game.as_deref(),
            played: None,
        }));
    }
    let is_own = |it: &Diagnostic| {
        let mut files = it.labels.iter().map(|label| label.span.file);
        it.is_error() || it.labels.is_empty() || files.any(|it| own.contains(&it))
    };
    findings.retain(is_own);
    world.weigh(path, &sources, &mut findings);
    sort_by_place(&mut findings);
    let file = sources.iter().find(|(_, it)| it.name == path);
    let file = file.map_or(request.base, |(file, _)| file);
    Analysis {
        file,
        request,
        compiled,
        known,
        meant,
        stand_ins,
        broken,
        findings,
        sources,
        names: OnceLock::new(),
    }
}

/// What is known of a text that could not be put together with others.
fn alone(path: &str, texts: &[(String, Arc<str>)], findings: Vec<Diagnostic>) -> Analysis {
    let text = texts.iter().find(|(it, _)| it == path);
    let mut sources = Sources::new();
    let file = sources.add(path, text.map_or("", |(_, it)| it));
    Analysis {
        sources,
        request: Request::default(),
        compiled: Compiled {
            files: Vec::new(),
            composed: None,
            game: None,
            diagnostics: Vec::new(),
        },
        known: None,
        meant: Vec::new(),
        stand_ins: Vec::new(),
        broken: vec![file],
        file,
        // They are about texts that are not here.
        findings: findings.into_iter().map(without_places).collect(),
        names: OnceLock::new(),
    }
}

fn without_places(mut finding: Diagnostic) -> Diagnostic {
    finding.labels.clear();
    finding.fix = None;
    finding
}

impl Analysis {
    pub(super) fn names(&self) -> &Names {
        let make = || Names::new(&self.compiled.files, self.known.as_deref(), &self.meant);
        self.names.get_or_init(make)
    }

    /// Returns the path of a file, if it is one of these.
    pub(super) fn path(&self, file: FileId) -> &str {
        self.sources.get(file).map_or("", |it| &it.name)
    }

    /// Returns the name of the rulebook that was asked for.
    pub(super) fn name(&self) -> Option<&str> {
        let mut files = self.compiled.files.iter();
        let own = files.find(|it| it.holds(self.file))?;
        own.header.as_ref().map(|it| it.name.as_str())
    }

    /// Returns what is known of the rulebook.
    pub(super) fn known_names(&self) -> Known<'_> {
        Known {
            sources: &self.sources,
            files: &self.compiled.files,
            names: self.names(),
            composed: self.compiled.composed.as_ref(),
            game: self.known.as_deref(),
            stand_ins: &self.stand_ins,
            until: None,
        }
    }

    /// Returns the texts that can be read, by their paths.
    pub(super) fn readable(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.sources.iter();
        let all = all.filter(|(file, _)| !self.broken.contains(file));
        all.map(|(_, it)| (it.name.as_str(), it.text.as_str()))
    }

    /// Returns the place in the present text of something in an earlier one.
    pub(super) fn present(&self, span: Span) -> Span {
        let earlier = self.stand_ins.iter().find(|it| it.file == span.file);
        earlier.map_or(span, |it| it.place)
    }

    pub(super) fn source(&self, path: &str) -> Option<&Source> {
        self.sources.get(self.file_at(path)?)
    }

    pub(super) fn file_at(&self, path: &str) -> Option<FileId> {
        let mut all = self.sources.iter();
        all.find(|(_, it)| it.name == path).map(|(file, _)| file)
    }

    /// Returns whether a file is a part of one of these rulebooks.
    pub(super) fn has_part(&self, path: &str) -> bool {
        let parts = self.compiled.files.iter().flat_map(|it| &it.parts);
        let mut parts = parts.map(|it| self.path(it.file));
        parts.any(|it| it == path)
    }

    /// Returns where the finding about the whole of a file is shown: at the name in its header.
    pub(super) fn head(&self) -> Span {
        let mut files = self.compiled.files.iter().filter_map(|it| {
            let parts = it.parts.iter().map(|part| (part.file, &part.header));
            let own = it.header.iter().map(|header| (it.file, header));
            own.chain(parts).find(|(file, _)| *file == self.file)
        });
        let name = files.next().map(|(_, header)| header.name.span);
        name.unwrap_or(Span::new(self.file, 0, 0))
    }
}

/// What is known of a rulebook when one takes the time.
#[derive(Default)]
pub(super) struct Slow {
    pub(super) found: Vec<Diagnostic>,
    /// How many operations of the engine come from each clause, by where it begins.
    pub(super) costs: Vec<(Span, usize)>,
}

/// Looks at what takes its time: the other readings, and whether the engine can take the game and what it makes of it.
/// Nothing comes of it if somebody wants it no longer.
pub(super) fn analyse_slowly(seen: &Analysis, is_wanted: &dyn Fn() -> bool) -> Option<Slow> {
    let look = || {
        let mut slow = Slow::default();
        match seen.compiled.game.clone().map(engine::compile) {
            Some(Ok(program)) => slow.costs = assist::costs(&program),
            Some(Err(found)) => slow.found.extend(found),
            None => {}
        }
        let others = pipeline::check_readings_while(
            &seen.sources,
            &seen.request,
            &seen.compiled,
            // The other processors are for what is typed.
            NonZeroUsize::MIN,
            is_wanted,
        )?;
        slow.found.extend(others.findings);
        Some(slow)
    };
    guarded("looked at other readings", look).unwrap_or_else(|message| {
        Some(Slow {
            found: failed(message),
            costs: Vec::new(),
        })
    })
}

/// The analyses that hold, by the path of what was asked for.
#[derive(Default)]
pub(super) struct Analyses(BTreeMap<String, Arc<Analysis>>);

impl Analyses {
    pub(super) fn get(&self, path: &str) -> Option<&Arc<Analysis>> {
        self.0.get(path)
    }

    pub(super) fn put(&mut self, path: &str, made: Arc<Analysis>) {
        self.0.insert(path.to_owned(), made);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Arc<Analysis>)> {
        self.0.iter().map(|(path, it)| (path.as_str(), it))
    }

    /// Forgets what a text is part of, and returns what was asked for there.
    pub(super) fn forget(&mut self, path: &str) -> Vec<String> {
        let touched = self.0.iter();
        let touched = touched.filter(|(own, it)| *own == path || it.file_at(path).is_some());
        let touched: Vec<String> = touched.map(|(own, _)| own.clone()).collect();
        for own in &touched {
            self.0.remove(own);
        }
        touched
    }

    pub(super) fn forget_all(&mut self) {
        self.0.clear();
    }
}
