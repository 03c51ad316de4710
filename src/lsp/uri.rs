//! `file:` addresses and paths.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What an address writes otherwise than a path.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// Returns the path that an address stands for; of another scheme the address itself, so that a text that lies nowhere
/// has a name.
pub(super) fn path(uri: &str) -> String {
    let Some(rest) = uri.strip_prefix("file://") else {
        return uri.to_owned();
    };
    // What stands before the path is the name of the machine, which is this one.
    let path = rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("");
    let path = percent_decode_str(path).decode_utf8_lossy();
    match path.strip_prefix('/') {
        Some(drive) if drive.as_bytes().get(1) == Some(&b':') => drive.to_owned(),
        _ => path.into_owned(),
    }
}

/// Returns the address of a path.
pub(super) fn of(path: &str) -> String {
    let path = path.replace('\\', "/");
    let root = if path.starts_with('/') { "" } else { "/" };
    format!("file://{root}{}", utf8_percent_encode(&path, ESCAPED))
}
