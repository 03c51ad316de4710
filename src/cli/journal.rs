//! The file that keeps a game while it is played.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::files::unwritable;
use super::{CliError, Ui};
use crate::diagnostic::codes;
use crate::play::Session;
use crate::play::transcript::line_of;

/// An append-only file that holds every choice as soon as it is made.
pub struct Journal {
    file: File,
    path: PathBuf,
    n_records: usize,
    /// The length in bytes of what was written whole.
    whole: u64,
}

/// When what is kept has to be safe, whatever happens to the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Safe {
    /// Before anything else happens.
    Now,
    /// With what a person does next, or with the end.
    Later,
}

impl Journal {
    /// Makes a new file; an existing one is never written over.
    pub fn create(path: &Path, session: &Session<'_>) -> Result<Journal, CliError> {
        let file = OpenOptions::new().append(true).create_new(true).open(path);
        let file = file.map_err(|error| unwritable(path, &error))?;
        let mut journal = Journal {
            file,
            path: path.to_owned(),
            n_records: 0,
            whole: 0,
        };
        journal.lock()?;
        if let Err(error) = journal.append(&line_of(session.header()), session, Safe::Now) {
            // Nothing of a game is in it.
            let _ = fs::remove_file(path);
            return Err(error);
        }
        // The name of the file has to survive too. Where folders cannot be synced nothing is lost.
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
            let _ = folder.sync_all();
        }
        Ok(journal)
    }

    /// Opens a file whose game goes on; what stands behind its whole lines is cut off.
    pub fn resume(path: &Path, whole: usize, n_records: usize) -> Result<Journal, CliError> {
        let file = OpenOptions::new().append(true).open(path);
        let file = file.map_err(|error| unwritable(path, &error))?;
        let journal = Journal {
            file,
            path: path.to_owned(),
            n_records,
            whole: whole as u64,
        };
        journal.lock()?;
        let cut = journal
            .file
            .set_len(journal.whole)
            .and_then(|()| journal.file.sync_data());
        cut.map_err(|error| unwritable(path, &error))?;
        Ok(journal)
    }

    /// Writes what has happened since. A file that somebody has deleted is made again.
    pub fn keep(&mut self, session: &Session<'_>, safe: Safe) -> Result<(), CliError> {
        if safe == Safe::Now && !self.is_there() {
            *self = Journal::create(&self.path, session)?;
        }
        self.append("", session, safe)
    }

    /// Returns where the game is kept.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn append(&mut self, first: &str, session: &Session<'_>, safe: Safe) -> Result<(), CliError> {
        let mut text = first.to_owned();
        for record in session.records().iter().skip(self.n_records) {
            text.push_str(&line_of(record));
        }
        let written = self.file.write_all(text.as_bytes());
        if written.is_err() {
            // So that what is written the next time does not stand behind half a line.
            let _ = self.file.set_len(self.whole);
        }
        let kept = written.and_then(|()| match safe {
            Safe::Now => self.file.sync_data(),
            Safe::Later => Ok(()),
        });
        kept.map_err(|error| unwritable(&self.path, &error))?;
        self.whole += text.len() as u64;
        self.n_records = session.records().len();
        Ok(())
    }

    /// Whether the file still has its name.
    fn is_there(&self) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let place = |it: &fs::Metadata| (it.dev(), it.ino());
            let named = fs::metadata(&self.path).ok();
            let own = self.file.metadata().ok();
            named.as_ref().map(place) == own.as_ref().map(place)
        }
        #[cfg(not(unix))]
        self.path.exists()
    }

    /// Keeps a second program from writing into the same game.
    fn lock(&self) -> Result<(), CliError> {
        match self.file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                let message = format!(
                    "`{}` is being played by another program",
                    self.path.display()
                );
                let help = "end the other game first, or resume a copy of the file";
                Err(CliError::new(codes::UNWRITABLE_FILE, message, help))
            }
            // Some file systems know no locks; the game can be played all the same.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
        }
    }
}

/// Returns a new place for a journal in the folder where programs keep their state.
pub fn default_path(game: &str, ui: &Ui<'_>) -> Result<PathBuf, CliError> {
    let Some(folder) = state_folder(ui) else {
        let message = "no folder is known where programs keep their state";
        let help = "set HOME or XDG_STATE_HOME, or name a file";
        return Err(CliError::new(codes::UNWRITABLE_FILE, message, help));
    };
    fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, &error))?;
    let stem = Path::new(game)
        .file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or("game");
    let (seconds, _) = ui.now();
    let name = format!("{stem}-{}", timestamp(seconds));
    let nth = |n: u32| match n {
        1 => folder.join(format!("{name}.jsonl")),
        n => folder.join(format!("{name}-{n}.jsonl")),
    };
    let free = (1..1000).map(nth).find(|path| !path.exists());
    Ok(free.unwrap_or_else(|| nth(1000)))
}

/// What a journal in that folder is called.
pub fn called(path: &Path, ui: &Ui<'_>) -> Option<String> {
    let is_there = state_folder(ui).as_deref() == path.parent();
    let stem = path.file_stem().filter(|_| is_there)?;
    Some(stem.to_str()?.to_owned())
}

/// The journals in that folder, the newest first.
pub fn kept(ui: &Ui<'_>) -> Vec<PathBuf> {
    let files = state_folder(ui).and_then(|it| fs::read_dir(it).ok());
    let files = files.into_iter().flatten().flatten().map(|it| it.path());
    let files = files.filter(|it| it.extension().is_some_and(|it| it == "jsonl"));
    let changed = |path: PathBuf| {
        let at = fs::metadata(&path).and_then(|it| it.modified()).ok();
        (at, path)
    };
    let mut files: Vec<_> = files.map(changed).collect();
    files.sort_by(|one, other| other.cmp(one));
    files.into_iter().map(|(_, path)| path).collect()
}

/// When a file was changed last, as `20260131-235959`, in universal time.
pub fn changed(path: &Path) -> Option<String> {
    let at = fs::metadata(path).and_then(|it| it.modified()).ok()?;
    let since = at.duration_since(std::time::SystemTime::UNIX_EPOCH).ok()?;
    Some(timestamp(since.as_secs()))
}

fn state_folder(ui: &Ui<'_>) -> Option<PathBuf> {
    ui.folder("XDG_STATE_HOME", &[".local", "state"])
}

/// Returns a moment as `20260131-235959`, in universal time.
fn timestamp(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Days are counted from 1 March of year 0, so that a leap day is the last of its year.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}{month:02}{day:02}-{hour:02}{minute:02}{second:02}")
}
