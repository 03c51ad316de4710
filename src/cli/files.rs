//! Writing files.

use std::fs;
use std::path::Path;

use super::CliError;
use crate::diagnostic::codes;
use crate::play::Problem;

/// Replaces a file in one step, so that its text is never lost.
pub fn rewrite(path: &Path, text: &str) -> Result<(), CliError> {
    let beside = path.with_extension("rules.tmp");
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
    written.map_err(|error| unwritable(path, &error))
}

/// Writes what the program has made; what was there before is gone.
pub fn write(path: &Path, text: &str) -> Result<(), CliError> {
    fs::write(path, text).map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &std::io::Error) -> CliError {
    let why = error.to_string().to_lowercase();
    let message = format!("`{}` cannot be written: {why}", path.display());
    Problem::new(codes::UNWRITABLE_FILE, message)
        .help("check the folder")
        .into()
}
