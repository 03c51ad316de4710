//! Changing files that a person has written.

use std::fs;
use std::path::Path;

use super::CliError;
use crate::diagnostic::codes;
use crate::play::Problem;

/// Replaces a file in one step, so that its text is never lost.
pub fn rewrite(path: &Path, text: &str) -> Result<(), CliError> {
    let beside = path.with_extension("rules.tmp");
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
    written.map_err(|error| {
        let why = error.to_string().to_lowercase();
        let message = format!("`{}` cannot be written: {why}", path.display());
        Problem::new(codes::UNWRITABLE_FILE, message)
            .help("check the folder")
            .into()
    })
}
