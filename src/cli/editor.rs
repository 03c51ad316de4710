//! What surrounds the server of an editor: the disk, the settings in it, and the texts that come with the program.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

use lsp_server::{Connection, ProtocolError};

use super::commands::rulings::{self, RulingsArgs};
use super::commands::study::{self, StudyArgs};
use super::linted::Config;
use super::load::Asked;
use super::shelf::{Headers, MOST_BESIDE, Shelf};
use super::strangers::{self, Around};
use super::{CliError, Host, Looks, Ui, files, rulebooks};
use crate::diagnostic::{Diagnostic, codes};
use crate::library;
use crate::lsp::{self, Gathered, Question, World};
use crate::pipeline::{Compiled, Request};
use crate::source::{FileId, Sources};

/// Answers an editor until it ends; returns whether it has said before that it would.
///
/// Texts that come with the program are laid into a folder, if there is one, when the editor asks for one of them.
///
/// # Errors
/// What was sent is not the protocol.
pub fn serve(connection: &Connection, folder: Option<PathBuf>) -> Result<bool, ProtocolError> {
    let surroundings = Surroundings {
        folder,
        laid: OnceLock::new(),
        headers: Headers::default(),
    };
    lsp::serve(connection, Arc::new(surroundings))
}

struct Surroundings {
    folder: Option<PathBuf>,
    /// Whether the shipped texts are in the folder; not known before somebody asks.
    laid: OnceLock<bool>,
    /// What the rulebooks on the disk are called.
    headers: Headers,
}

impl Surroundings {
    fn shelf(&self, open: &[(String, Arc<str>)]) -> Shelf {
        let mut shelf = Shelf::knowing(&self.headers);
        for (path, text) in open {
            shelf.put(path, Arc::clone(text));
        }
        shelf
    }

    /// What is asked for by a path, in the texts that are open before the disk.
    fn asked(&self, path: &str, open: &[(String, Arc<str>)]) -> Asked {
        Asked {
            game: path.to_owned(),
            shelf: Arc::new(self.shelf(open)),
            ..Asked::default()
        }
    }
}

impl World for Surroundings {
    fn gather(&self, path: &str, open: &[(String, Arc<str>)]) -> Result<Gathered, Vec<Diagnostic>> {
        let found = rulebooks::gather(&self.asked(path, open)).map_err(findings)?;
        Ok(Gathered {
            request: Request {
                base: found.base,
                amendments: found.amendments,
                ..Request::default()
            },
            sources: found.sources,
            own: found.own,
        })
    }

    fn strangers(
        &self,
        (sources, compiled): (&Sources, &Compiled),
        own: &[FileId],
        open: &[(String, Arc<str>)],
    ) -> Vec<Diagnostic> {
        strangers::strangers(Around {
            sources,
            compiled,
            own,
            shelf: &self.shelf(open),
        })
    }

    fn weigh(&self, path: &str, sources: &Sources, found: &mut Vec<Diagnostic>) {
        let folder = Path::new(path).parent().unwrap_or(Path::new(""));
        match Config::find(None, folder) {
            Ok(config) => config.apply(sources, found),
            // Its places are in a text that is none of these.
            Err(error) => found.extend(findings(error).into_iter().map(|mut it| {
                it.labels.clear();
                it
            })),
        }
    }

    fn beside(&self, path: &str) -> Vec<String> {
        let folder = Path::new(path).parent();
        let all = folder.and_then(|it| fs::read_dir(it).ok());
        let all = all.into_iter().flatten().flatten().map(|it| it.path());
        let rulebooks = all.filter(|it| it.extension().is_some_and(|it| it == "rules"));
        let named = rulebooks.filter_map(|it| it.to_str().map(str::to_owned));
        let mut named: Vec<String> = named.take(MOST_BESIDE).collect();
        named.sort_unstable();
        named
    }

    fn laid_out(&self, name: &str) -> Option<String> {
        let folder = self.folder.as_ref()?;
        let laid = self.laid.get_or_init(|| lay_out(folder).is_ok());
        let path = folder.join(name);
        (*laid && path.is_file()).then(|| path.to_str().map(str::to_owned))?
    }

    fn tell(
        &self,
        question: Question,
        path: &str,
        id: &str,
        open: &[(String, Arc<str>)],
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<String, Vec<Diagnostic>> {
        let mut said = Vec::new();
        let host = Host {
            out: Box::new(&mut said),
            err: Box::new(io::sink()),
            input: Box::new(io::empty()),
            edit: None,
            out_is_terminal: false,
            err_is_terminal: false,
            in_is_terminal: false,
            env: Box::new(|_| None),
            now: Box::new(SystemTime::now),
            processor_time: Box::new(|| Duration::ZERO),
            is_stopped: Box::new(is_stopped),
            forget_stop: Box::new(|| {}),
        };
        let mut ui = Ui::new(host, &Looks::default());
        let asked = self.asked(path, open);
        let ended = match question {
            Question::Study => study::run_for(&StudyArgs::about(path, id), asked, &mut ui),
            Question::Ruling | Question::Why | Question::Flips => {
                let args = RulingsArgs::about(path, id, question);
                rulings::run_for(&args, asked, &mut ui)
            }
        };
        drop(ui);
        ended.map_err(findings)?;
        Ok(String::from_utf8_lossy(&said).trim_end().to_owned())
    }
}

fn findings(error: CliError) -> Vec<Diagnostic> {
    match error {
        CliError::Found(found) => found.diagnostics,
        CliError::Output(error) | CliError::Input(error) => {
            vec![Diagnostic::new(codes::UNREADABLE_FILE, error.to_string())]
        }
    }
}

/// Writes the texts that come with the program, so that they can be read and not be changed.
fn lay_out(folder: &Path) -> Result<(), CliError> {
    for file in library::FILES.iter().chain(library::PARTS) {
        let path = folder.join(file.path);
        if fs::read_to_string(&path).is_ok_and(|there| there == file.text) {
            continue;
        }
        let failed = |error| files::unwritable(&path, &error);
        if let Some(around) = path.parent() {
            fs::create_dir_all(around).map_err(failed)?;
        }
        files::rewrite(&path, file.text)?;
        let mut rights = fs::metadata(&path).map_err(failed)?.permissions();
        rights.set_readonly(true);
        fs::set_permissions(&path, rights).map_err(failed)?;
    }
    Ok(())
}
