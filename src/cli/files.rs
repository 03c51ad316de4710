//! Writing files: whatever is made or replaced on the disk besides a growing journal.

use std::fs::{self, Metadata};
use std::io::{self, BufWriter, ErrorKind, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::{CliError, Ui};
use crate::diagnostic::codes;

/// Writes rules over what they were in one step, so that the file holds either what it held or all of the text; links to it, its
/// mode and its owner stay.
pub fn rewrite(path: &Path, rules: &str) -> Result<(), CliError> {
    replace(path, rules).map_err(|error| unwritable(path, &error))
}

/// Writes a file as [`rewrite`] does, but never what is no rulebook over one.
pub fn write(path: &Path, text: &str) -> Result<(), CliError> {
    spare_rules(path)?;
    rewrite(path, text)
}

fn spare_rules(path: &Path) -> Result<(), CliError> {
    if path.extension().is_some_and(|it| it == "rules") && path.is_file() {
        let message = format!("`{}` is a rulebook and is left as it is", path.display());
        let help = "name another file";
        return Err(CliError::new(codes::UNWRITABLE_FILE, message, help));
    }
    Ok(())
}

/// Writes a file that is not there yet, in one step.
pub fn write_new(path: &Path, text: &str) -> Result<(), CliError> {
    create(path, text).map_err(|error| unwritable(path, &error))
}

/// What stands for the standard output in the place of a file.
pub const OUTPUT: &str = "-";

/// Writes a file, or the standard output where that is asked for.
pub fn put(path: &Path, text: &str, ui: &mut Ui<'_>) -> Result<(), CliError> {
    match path == Path::new(OUTPUT) {
        true => ui.output(text),
        false => write(path, text),
    }
}

/// Leaves the standard output to what is asked for there: what a person reads goes where notes go.
pub fn leave_output(asked: &[(&str, Option<&Path>)], ui: &mut Ui<'_>) -> Result<(), CliError> {
    let there = asked.iter().filter(|it| it.1 == Some(Path::new(OUTPUT)));
    let mut all: Vec<&str> = there.map(|it| it.0).collect();
    if all.is_empty() {
        return Ok(());
    }
    if ui.json {
        all.push("--json");
    }
    if let [one, other, ..] = all.as_slice() {
        let message =
            format!("`{one}` and `{other}` cannot both be written to the standard output");
        return Err(CliError::new(
            codes::UNWRITABLE_FILE,
            message,
            "name a file for one of them",
        ));
    }
    ui.beside = true;
    Ok(())
}

/// A file that is written bit by bit and is there when all of it is; or the standard output.
pub struct Growing {
    path: PathBuf,
    /// None where it is the standard output.
    made: Option<BufWriter<NamedTempFile>>,
}

impl Growing {
    /// Begins a file.
    pub fn begin(path: &Path) -> Result<Growing, CliError> {
        if path == Path::new(OUTPUT) {
            return Ok(Growing {
                path: path.to_owned(),
                made: None,
            });
        }
        spare_rules(path)?;
        // A link may lead to another disk.
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let made = match is_device(path) {
            true => empty_beside(&std::env::temp_dir().join("device")),
            false => empty_beside(&real),
        };
        let made = made.map_err(|error| unwritable(path, &error))?;
        Ok(Growing {
            path: path.to_owned(),
            made: Some(BufWriter::new(made)),
        })
    }

    /// Writes on.
    pub fn part(&mut self, text: &str, ui: &mut Ui<'_>) -> Result<(), CliError> {
        let Some(made) = &mut self.made else {
            return ui.output(text);
        };
        let written = made.write_all(text.as_bytes());
        written.map_err(|error| unwritable(&self.path, &error))
    }

    /// Puts it where it belongs.
    pub fn finish(self) -> Result<(), CliError> {
        let Growing {
            path,
            made: Some(made),
        } = self
        else {
            return Ok(());
        };
        let put = || -> io::Result<()> {
            let made = made.into_inner().map_err(io::IntoInnerError::into_error)?;
            made.as_file().sync_all()?;
            match fs::canonicalize(&path) {
                Ok(path) => put_over(made, &path),
                Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => {
                    made.persist_noclobber(&path)?;
                    Ok(())
                }
                // A link to what is not there yet.
                Err(_) => copy(made, &path).map_err(|(error, _)| error),
            }
        };
        put().map_err(|error| unwritable(&path, &error))
    }
}

/// Returns whether something is there that keeps nothing of what is written to it.
pub fn is_device(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        fs::metadata(path).is_ok_and(|it| it.file_type().is_char_device())
    }
    #[cfg(not(unix))]
    path.as_os_str().eq_ignore_ascii_case("nul")
}

/// Returns the finding that a file cannot be written.
pub fn unwritable(path: &Path, error: &io::Error) -> CliError {
    let why = match error.kind() {
        ErrorKind::AlreadyExists => String::from("it exists already"),
        _ => error.to_string().to_lowercase(),
    };
    let message = format!("`{}` cannot be written: {why}", path.display());
    CliError::new(codes::UNWRITABLE_FILE, message, "name another file")
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    let path = match fs::canonicalize(path) {
        Ok(path) => path,
        Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => {
            return create(path, text);
        }
        // A link to what is not there yet.
        Err(_) => return fs::write(path, text),
    };
    if !fs::metadata(&path)?.is_file() {
        return fs::write(path, text);
    }
    put_over(made_beside(&path, text)?, &path)
}

/// Puts what was made in the place of what is there.
fn put_over(beside: NamedTempFile, path: &Path) -> io::Result<()> {
    let there = fs::metadata(path)?;
    if !there.is_file() {
        return copy(beside, path).map_err(|(error, _)| error);
    }
    if there.permissions().readonly() {
        return Err(io::Error::new(
            ErrorKind::PermissionDenied,
            "it is read-only",
        ));
    }
    if n_names(&there) == 1 {
        keep_owner(&there, beside.path());
        fs::set_permissions(beside.path(), there.permissions())?;
        beside.persist(path)?;
        return Ok(());
    }
    // Its other names stay only if it is written where it is; should that fail, the copy is kept.
    copy(beside, path).map_err(|(error, beside)| match beside.keep() {
        Ok((_, copy)) => {
            let message = format!("{error}; all of it is in {}", copy.display());
            io::Error::new(error.kind(), message)
        }
        Err(_) => error,
    })
}

fn copy(mut from: NamedTempFile, to: &Path) -> Result<(), (io::Error, NamedTempFile)> {
    let mut copied = || {
        from.rewind()?;
        io::copy(&mut from, &mut fs::File::create(to)?)
    };
    match copied() {
        Ok(_) => Ok(()),
        Err(error) => Err((error, from)),
    }
}

fn create(path: &Path, text: &str) -> io::Result<()> {
    made_beside(path, text)?.persist_noclobber(path)?;
    Ok(())
}

/// Makes a file in the same folder that is gone again unless it gets a name, and waits until it is safe.
fn made_beside(path: &Path, text: &str) -> io::Result<NamedTempFile> {
    let mut made = empty_beside(path)?;
    made.write_all(text.as_bytes())?;
    made.as_file().sync_all()?;
    Ok(made)
}

fn empty_beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".adit-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What the person's mask takes away of it is what every new file lacks.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let made = builder.tempfile_in(folder.unwrap_or(Path::new(".")));
    // Nobody has asked for the name that it has until it is put where it belongs.
    made.map_err(|error| {
        let said = error.to_string();
        let why = said.split(" at path ").next().unwrap_or(&said);
        io::Error::new(error.kind(), why)
    })
}

/// Gives a file the owner of another one, where that is allowed.
fn keep_owner(there: &Metadata, made: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, chown};
        let _ = chown(made, Some(there.uid()), Some(there.gid()));
    }
    #[cfg(not(unix))]
    let _ = (there, made);
}

/// Returns how many names a file has.
fn n_names(there: &Metadata) -> u64 {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        there.nlink()
    }
    #[cfg(not(unix))]
    {
        let _ = there;
        1
    }
}
