//! Where rulebooks are looked for: on the disk, and before that among texts that do not lie there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{self, Path, PathBuf};
use std::sync::Arc;

use super::CliError;
use super::load::read_text;

/// The disk, with texts in front of it that came by the input or were not saved yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shelf {
    brought: BTreeMap<PathBuf, Arc<str>>,
}

impl Shelf {
    /// Lays a text where a path says, whatever lies there on the disk.
    pub fn put(&mut self, path: &str, text: Arc<str>) {
        self.brought.insert(key(Path::new(path)), text);
    }

    /// Returns the text that was laid there.
    pub fn brought(&self, path: &Path) -> Option<&str> {
        if self.brought.is_empty() {
            return None;
        }
        self.brought.get(&key(path)).map(|it| &**it)
    }

    /// Returns the text that lies there.
    pub fn read(&self, path: &str) -> Result<String, CliError> {
        match self.brought(Path::new(path)) {
            Some(text) => Ok(text.to_owned()),
            None => read_text(path),
        }
    }

    /// Returns whether a text lies there.
    pub fn has(&self, path: &Path) -> bool {
        self.brought(path).is_some() || path.is_file()
    }

    /// Returns the names of what lies in a folder.
    pub fn names_in(&self, folder: &Path) -> BTreeSet<String> {
        let folder = match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        };
        let listed = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut names: BTreeSet<String> = listed
            .filter_map(|it| it.file_name().into_string().ok())
            .collect();
        if !self.brought.is_empty() {
            let folder = key(folder);
            let here = self.brought.keys();
            let here = here.filter(|it| it.parent() == Some(&folder));
            names.extend(here.filter_map(|it| Some(it.file_name()?.to_str()?.to_owned())));
        }
        names
    }
}

fn key(path: &Path) -> PathBuf {
    let whole = path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // `absolute` keeps a dot that is all of a path.
    whole.components().collect()
}
