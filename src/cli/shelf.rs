//! Where rulebooks are looked for: on the disk, and before that among texts that do not lie there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{self, Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use super::CliError;
use super::load::read_text;
use super::rulebooks::ENDING;
use crate::syntax::ast::HeaderKind;
use crate::syntax::parse_header;

/// So many rulebooks of a folder are looked through.
pub const MOST_BESIDE: usize = 200;

/// The disk, with texts in front of it that came by the input or were not saved yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shelf {
    brought: BTreeMap<PathBuf, Arc<str>>,
    headers: Headers,
}

/// The names in the headers of files on the disk, with what tells whether a file is still the same.
#[derive(Clone, Debug, Default)]
pub struct Headers(Arc<Mutex<BTreeMap<PathBuf, Header>>>);

type Stamp = (Option<SystemTime>, u64);
type Header = (Stamp, Option<String>);

impl PartialEq for Headers {
    // What is remembered changes no answer.
    fn eq(&self, _: &Headers) -> bool {
        true
    }
}

impl Eq for Headers {}

impl Shelf {
    /// An empty one that shares with others what the headers of files say.
    pub fn knowing(headers: &Headers) -> Shelf {
        Shelf {
            headers: headers.clone(),
            ..Shelf::default()
        }
    }

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

    /// Returns the paths of the rulebooks of a name that a file can stand on, the nearest first: those beside it, of which
    /// one whose file is called so comes before others, such a file in the folder above, then what was brought from
    /// elsewhere.
    pub fn fitting(&self, path: &str, stem: Option<&str>, name: &str) -> Vec<String> {
        let folder = Path::new(path).parent().unwrap_or(Path::new(""));
        let above = match folder.components().next_back() {
            Some(Component::Normal(_)) => folder.parent().map(Path::to_owned),
            _ => Some(folder.join("..")),
        };
        let called = stem.into_iter().chain([name]);
        let called: Vec<String> = called.map(|it| format!("{it}{ENDING}")).collect();
        let named =
            |folder: &Path| -> Vec<PathBuf> { called.iter().map(|it| folder.join(it)).collect() };
        let mut found = named(folder);
        let beside = self.names_in(folder).into_iter();
        let beside = beside.filter(|it| it.ends_with(ENDING));
        found.extend(beside.take(MOST_BESIDE).map(|it| folder.join(it)));
        found.extend(above.iter().flat_map(|it| named(it)));
        found.extend(self.brought.keys().cloned());
        let mut met = BTreeSet::from([key(Path::new(path))]);
        found.retain(|it| met.insert(key(it)) && self.name_of(it).as_deref() == Some(name));
        let paths = found.into_iter();
        paths
            .filter_map(|it| it.into_os_string().into_string().ok())
            .collect()
    }

    /// Returns how a rulebook is called in its header.
    fn name_of(&self, path: &Path) -> Option<String> {
        let named = |text: &str| {
            let header = parse_header(text)?;
            (header.kind != HeaderKind::Part).then_some(header.name.text)
        };
        if let Some(text) = self.brought(path) {
            return named(text);
        }
        let there = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        let stamp = (there.modified().ok(), there.len());
        let place = key(path);
        let known = || {
            self.headers
                .0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if let Some((at, name)) = known().get(&place)
            && *at == stamp
        {
            return name.clone();
        }
        let name = read_text(path.to_str()?).ok().and_then(|it| named(&it));
        known().insert(place, (stamp, name.clone()));
        name
    }
}

fn key(path: &Path) -> PathBuf {
    let whole = path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // `absolute` keeps a dot that is all of a path.
    whole.components().collect()
}
