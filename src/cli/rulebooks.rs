//! Which rulebooks the words on a command line mean.
//!
//! An amendment stands for what it amends as well, so nobody has to remember what stands on what.

use std::collections::BTreeSet;
use std::path::{self, Path};

use super::CliError;
use super::load::{Asked, Texts, read_text};
use super::shelf::Shelf;
use crate::diagnostic::{closest, codes};
use crate::library::{self, Shipped};
use crate::play::transcript::Transcript;
use crate::source::{FileId, Sources};
use crate::syntax;
use crate::syntax::ast::{HeaderKind, ItemKind};

/// The rulebooks that belong to what was asked for, with their texts.
pub struct Rulebooks {
    /// What was asked for as it is written in full: the game, then each amendment.
    pub asked: Asked,
    /// Their texts.
    pub sources: Sources,
    /// The game.
    pub base: FileId,
    /// The amendments, and the parts of all of them.
    pub amendments: Vec<FileId>,
    /// The files of what was named, with their parts: without what that stands on.
    pub own: Vec<FileId>,
    /// Those of them that were named by their path.
    pub on_disk: Vec<FileId>,
}

/// A rulebook as it is asked for.
#[derive(Clone)]
struct Rulebook {
    /// The name of a shipped one, or a path.
    word: String,
    /// How it is shown in messages.
    shown: String,
    text: String,
    /// The name in its header; none where that cannot be read.
    name: Option<String>,
    /// What it amends, or is a part of.
    base: Option<String>,
    is_part: bool,
    /// Whether its text came by the input, whatever lies where its name says.
    is_typed: bool,
}

/// Finds the rulebooks; an amendment brings those that it stands on, unless they are named too.
pub fn gather(asked: &Asked) -> Result<Rulebooks, CliError> {
    if let Some(texts) = &asked.texts {
        return Ok(brought(asked, texts));
    }
    let shelf = &asked.shelf;
    let game = find_game(&asked.game, shelf)?;
    let mut chain = chain(&game, &[], shelf);
    chain.reverse();
    let known: Vec<String> = chain.iter().filter_map(|it| it.name.clone()).collect();
    let with = asked.amendments.iter();
    let with: Vec<Rulebook> = with
        .map(|word| find_amendment(word, &known, shelf))
        .collect::<Result<_, CliError>>()?;
    for it in &with {
        let there: Vec<&Rulebook> = chain.iter().chain(&with).collect();
        let mut more = self::chain(it, &there, shelf);
        let top = more.last().and_then(|it| it.base.as_deref());
        let stands = top.is_some_and(|base| there.iter().any(|it| it.is_named(base)));
        // What stands on another game is refused later, and alone.
        more.truncate(if stands { more.len() } else { 1 });
        for it in more.into_iter().rev() {
            if !chain.iter().any(|other| other.word == it.word) {
                chain.push(it);
            }
        }
    }
    let mut sources = Sources::new();
    let mut parts = Vec::new();
    for it in &chain {
        parts.push(it.parts(shelf)?);
    }
    // A part that was asked for by its name comes with its rulebook.
    let comes_along = |it: &Rulebook| {
        let mut parts = parts.iter().flatten();
        it.is_part && parts.any(|part| part.lies_where(it))
    };
    let whole: Vec<bool> = chain.iter().map(|it| !comes_along(it)).collect();
    // What stands on the same game numbers its files alike, so they need not be read again.
    let mut files = Vec::new();
    for ((it, parts), whole) in chain.iter().zip(&parts).zip(&whole) {
        let own = whole.then_some(it).into_iter();
        files.extend(
            own.chain(parts)
                .map(|it| (sources.add(&it.shown, &it.text), it)),
        );
    }
    let base = files.first().map(|it| it.0).unwrap_or_default();
    let amendments = files.iter().skip(1).map(|it| it.0).collect();
    let named = || std::iter::once(&game).chain(&with);
    let own = |it: &Rulebook| own_among(&files, &it.shown);
    let (own, on_disk) = (
        named().flat_map(own).collect(),
        named()
            .filter(|it| it.word == it.shown && !it.is_typed)
            .flat_map(own)
            .collect(),
    );
    let mut whole = whole.into_iter();
    chain.retain(|_| whole.next().unwrap_or(true));
    let mut words = chain.into_iter().map(|it| it.word);
    let asked = Asked {
        game: words.next().unwrap_or_default(),
        amendments: words.collect(),
        ..asked.clone()
    };
    Ok(Rulebooks {
        asked,
        sources,
        base,
        amendments,
        own,
        on_disk,
    })
}

/// The rulebooks whose texts were brought along; none of them lies on the disk.
fn brought(asked: &Asked, texts: &Texts) -> Rulebooks {
    let mut sources = Sources::new();
    let texts = texts.0.iter();
    let own: Vec<FileId> = texts.map(|(name, it)| sources.add(name, it)).collect();
    Rulebooks {
        asked: asked.clone(),
        sources,
        base: own.first().copied().unwrap_or_default(),
        amendments: own.iter().skip(1).copied().collect(),
        own,
        on_disk: Vec::new(),
    }
}

/// Returns the rulebook, then what it amends, then what that amends, as far as it is not there and can be found.
fn chain(rulebook: &Rulebook, there: &[&Rulebook], shelf: &Shelf) -> Vec<Rulebook> {
    let mut chain = vec![rulebook.clone()];
    while let Some(base) = chain.last().and_then(|it| it.find_base(shelf)) {
        let is_there = |it: &Rulebook| it.name == base.name;
        if chain.iter().any(is_there) || there.iter().copied().any(is_there) {
            break;
        }
        chain.push(base);
    }
    chain
}

impl Rulebook {
    fn new(word: &str, shown: &str, text: String) -> Rulebook {
        let header = syntax::parse_header(&text);
        let is_part = header
            .as_ref()
            .is_some_and(|it| it.kind == HeaderKind::Part);
        let (name, base) = match header.map(|it| (it.name.text, it.kind)) {
            Some((name, HeaderKind::Game)) => (Some(name), None),
            Some((name, HeaderKind::Amendment { base, .. })) => (Some(name), Some(base.text)),
            Some((of, HeaderKind::Part)) => (None, Some(of)),
            None => (None, None),
        };
        Rulebook {
            is_part,
            is_typed: false,
            word: word.to_owned(),
            shown: shown.to_owned(),
            text,
            name,
            base,
        }
    }

    fn shipped(file: Shipped) -> Rulebook {
        Rulebook::new(file.name, file.path, file.text.to_owned())
    }

    fn at_path(path: &str, shelf: &Shelf) -> Result<Rulebook, CliError> {
        let text = shelf.read(path)?;
        if Transcript::is_begun_by(&text) {
            let message = format!("`{path}` is a kept game, no rulebook");
            let help = format!(
                "`adit resume {path}` goes on with it, `adit replay {path}` plays it again; `--at {path}` asks about the position where it stops"
            );
            return Err(CliError::new(codes::UNKNOWN_GAME, message, help));
        }
        Ok(Rulebook {
            is_typed: shelf.brought(Path::new(path)).is_some(),
            ..Rulebook::new(path, path, text)
        })
    }

    /// The name in its header: of a part, that of its rulebook.
    fn header_name(&self) -> Option<&str> {
        let of = self.base.as_ref().filter(|_| self.is_part);
        self.name.as_ref().or(of).map(String::as_str)
    }

    fn is_named(&self, name: &str) -> bool {
        self.name.as_deref() == Some(name)
    }

    /// Returns its parts: of what comes with the program those that do too, of a file `NAME.rules` those beside it
    /// that are called `NAME.*.rules`. What cannot be read there is taken for a part, so that it is told.
    fn parts(&self, shelf: &Shelf) -> Result<Vec<Rulebook>, CliError> {
        if self.is_part {
            return Ok(Vec::new());
        }
        if self.word != self.shown {
            let shipped = library::find(&self.word).into_iter();
            let parts = shipped.flat_map(|it| it.parts().copied().collect::<Vec<_>>());
            return Ok(parts.map(Rulebook::shipped).collect());
        }
        let path = Path::new(&self.word);
        let stem = path
            .file_name()
            .and_then(|it| it.to_str()?.strip_suffix(ENDING));
        let (Some(stem), Some(folder)) = (stem, path.parent()) else {
            return Ok(Vec::new());
        };
        let names = shelf.names_in(folder).into_iter();
        let is_own = |it: &String| {
            let rest = it.strip_prefix(stem).and_then(|it| it.strip_prefix('.'));
            rest.is_some_and(|it| it.len() > ENDING.len() && it.ends_with(ENDING))
        };
        let names: BTreeSet<String> = names.filter(is_own).collect();
        let mut parts = Vec::new();
        for name in names {
            let beside = folder.join(name);
            if let Some(beside) = beside.to_str().filter(|it| shelf.has(Path::new(it))) {
                let found = Rulebook::at_path(beside, shelf)?;
                parts.extend((found.is_part || found.name.is_none()).then_some(found));
            }
        }
        Ok(parts)
    }

    /// Returns whether both are the same file.
    fn lies_where(&self, other: &Rulebook) -> bool {
        let path = |it: &Rulebook| path::absolute(&it.shown).ok();
        self.shown == other.shown || path(self).is_some_and(|it| Some(it) == path(other))
    }

    /// Finds what it amends or is a part of: of what comes with the program by its name, of a file among those that
    /// fit. The rulebook of a part `NAME.*.rules` is `NAME.rules`, whatever it calls itself.
    fn find_base(&self, shelf: &Shelf) -> Option<Rulebook> {
        let base = self.base.as_deref()?;
        let stem = Path::new(&self.word).file_stem();
        let stem = stem.and_then(|it| it.to_str()?.rsplit_once('.'));
        let whole = stem.filter(|_| self.is_part).map(|it| it.0);
        let fitting = match self.word == self.shown {
            true => shelf.fitting(&self.word, whole, base),
            false => Vec::new(),
        };
        let mut found = fitting
            .iter()
            .filter_map(|it| Rulebook::at_path(it, shelf).ok());
        found
            .next()
            .or_else(|| library::find(base).map(Rulebook::shipped))
    }
}

/// Returns the names of the amendments that some files settle something with.
pub fn named(sources: &Sources, files: &[FileId]) -> BTreeSet<String> {
    let texts = files.iter().filter_map(|it| Some((*it, sources.get(*it)?)));
    let trees = texts.map(|(file, it)| syntax::parse(file, &it.text).0);
    let items = trees.flat_map(|it| it.items);
    let units = items.filter_map(|it| match &it.kind {
        ItemKind::Resolve(it) => Some(it.units.clone()),
        _ => None,
    });
    let units = units.flatten().filter(|it| it.reading.is_none());
    units.map(|it| it.name.text).collect()
}

/// Returns the texts of the rulebook of a name with its parts, if it lies beside a file or comes with the program.
pub fn beside(path: &str, name: &str) -> Option<Sources> {
    let shelf = &Shelf::default();
    let fitting = shelf.fitting(path, None, name);
    let found = fitting.first();
    let found = found.and_then(|it| Rulebook::at_path(it, shelf).ok());
    let found = found.or_else(|| library::find(name).map(Rulebook::shipped))?;
    let mut sources = Sources::new();
    sources.add(&found.shown, &found.text);
    for part in found.parts(shelf).ok()? {
        sources.add(&part.shown, &part.text);
    }
    Some(sources)
}

/// Returns the files of the rulebook that is shown so: its own, and its parts.
pub fn own_files(sources: &Sources, shown: &str) -> Vec<FileId> {
    let all = sources.iter();
    let all = all.map(|(_, it)| Rulebook::new(&it.name, &it.name, it.text.clone()));
    let all: Vec<Rulebook> = all.collect();
    let files = sources.iter().map(|(file, _)| file);
    own_among(&files.zip(&all).collect::<Vec<_>>(), shown)
}

/// Returns those of some files that belong to the rulebook that is shown so.
fn own_among(files: &[(FileId, &Rulebook)], shown: &str) -> Vec<FileId> {
    let whole = files.iter().find(|(_, it)| it.shown == shown);
    let name = whole.and_then(|(_, it)| it.header_name());
    let is_own = |it: &Rulebook| it.shown == shown || (name.is_some() && it.header_name() == name);
    let own = files.iter().filter(|(_, it)| is_own(it));
    own.map(|(file, _)| *file).collect()
}

fn find_game(word: &str, shelf: &Shelf) -> Result<Rulebook, CliError> {
    if let Some(found) = find(word, shelf)? {
        return Ok(found);
    }
    let message = format!("there is no rulebook `{word}`");
    let titled: Vec<String> = titled(word).map(|it| format!("`{it}`")).collect();
    let help = match closest(word, shipped_names()) {
        None if !titled.is_empty() => {
            let titled = titled.join(" or ");
            format!("did you mean {titled}? `adit games` lists all")
        }
        _ => near(word, "", shipped_names()),
    };
    Err(CliError::new(codes::UNKNOWN_GAME, message, help))
}

/// The shipped games whose title has this word.
fn titled(word: &str) -> impl Iterator<Item = &'static str> {
    let word = word.to_lowercase();
    let games = library::FILES.iter().filter(move |file| {
        let header = syntax::parse_header(file.text);
        header.is_some_and(|it| {
            let title = it.title.text.to_lowercase();
            matches!(it.kind, HeaderKind::Game) && title.split(' ').any(|it| it == word)
        })
    });
    games.map(|it| it.name)
}

/// Finds an amendment; behind the name of what it amends the rest of its name will do.
fn find_amendment(word: &str, amended: &[String], shelf: &Shelf) -> Result<Rulebook, CliError> {
    if let Some(found) = find(word, shelf)? {
        return Ok(found);
    }
    let meant: Vec<&Shipped> = library::FILES
        .iter()
        .filter(|file| {
            let bases = bases(file);
            let rest_of = |name: &str, base: &String| {
                let rest = name.strip_prefix(base.as_str());
                rest.and_then(|it| it.strip_prefix('_')) == Some(word)
            };
            let is_meant = |base: &String| rest_of(file.name, base) || rest_of(file.stem(), base);
            bases.iter().any(|it| amended.contains(it)) && bases.iter().any(is_meant)
        })
        .collect();
    match meant.as_slice() {
        [file] => return Ok(Rulebook::shipped(**file)),
        [] => {}
        several => {
            let names: Vec<String> = several.iter().map(|it| format!("`{}`", it.name)).collect();
            let message = format!("`{word}` can mean {}", names.join(" and "));
            let help = "name it in full";
            return Err(CliError::new(codes::UNKNOWN_AMENDMENT, message, help));
        }
    }
    let message = format!("there is no amendment `{word}`");
    Err(CliError::new(
        codes::UNKNOWN_AMENDMENT,
        message,
        near(word, "--with ", shipped_names()),
    ))
}

fn find(word: &str, shelf: &Shelf) -> Result<Option<Rulebook>, CliError> {
    if shelf.brought(Path::new(word)).is_some() {
        return Rulebook::at_path(word, shelf).map(Some);
    }
    if let Some(shipped) = library::find(word) {
        return Ok(Some(Rulebook::shipped(shipped)));
    }
    if is_path(word) {
        return Rulebook::at_path(word, shelf).map(Some);
    }
    Ok(None)
}

/// Returns whether a word is no shipped rulebook but stands for a file.
pub fn is_path(word: &str) -> bool {
    let is_path = word.contains(['/', '\\']) || word.ends_with(ENDING);
    library::find(word).is_none() && (is_path || Path::new(word).is_file())
}

/// Returns the path of a file as it is seen from a folder; a name that is no path stays as it is.
pub fn seen_from(file: &str, folder: &Path) -> String {
    let here = Path::new(".");
    let both = [Path::new(file), &here.join(folder)].map(|it| path::absolute(it).ok());
    let [Some(whole), Some(folder)] = both else {
        return file.to_owned();
    };
    if !is_path(file) {
        return file.to_owned();
    }
    let mut parts = [whole.components(), folder.components()].map(Iterator::peekable);
    let [to, from] = &mut parts;
    while to.peek().is_some() && to.peek() == from.peek() {
        to.next();
        from.next();
    }
    let up = from.map(|_| path::Component::ParentDir);
    let path: path::PathBuf = up.chain(to).collect();
    path.to_string_lossy().replace('\\', "/")
}

/// How the names of rulebooks end.
pub(super) const ENDING: &str = ".rules";

/// Finds the rulebook that a transcript in this folder names: beside it, where the program runs, or, where
/// both have been moved, by its name beside the transcript. No other file is opened or quoted.
pub fn wanted(word: &str, folder: &Path) -> Result<String, CliError> {
    if !is_path(word) {
        return Ok(word.to_owned());
    }
    let refused = |why: &str| {
        let message = format!("the transcript was played with `{word}`, {why}");
        let help =
            "give the rulebook: `adit replay FILE --game GAME`, `adit resume FILE --game GAME`";
        CliError::new(codes::RULEBOOK_NOT_THERE, message, help)
    };
    if !word.ends_with(ENDING) {
        return Err(refused("which is the name of no rulebook"));
    }
    let name = Path::new(word).file_name().unwrap_or_default();
    let places = [folder.join(word), word.into(), folder.join(name)];
    let mut found = places.iter().filter_map(|it| it.to_str());
    let Some(path) = found.find(|it| Path::new(it).is_file()) else {
        return Err(refused("and there is no such file here"));
    };
    match syntax::parse_header(&read_text(path)?) {
        Some(_) => Ok(path.to_owned()),
        None => Err(refused("and that file is no rulebook")),
    }
}

/// Returns what a shipped amendment amends, and what that amends.
fn bases(file: &Shipped) -> Vec<String> {
    let chain = chain(&Rulebook::shipped(*file), &[], &Shelf::default());
    chain.into_iter().filter_map(|it| it.base).collect()
}

fn shipped_names() -> impl Iterator<Item = &'static str> {
    library::FILES.iter().map(|file| file.name)
}

fn near(word: &str, before: &str, names: impl Iterator<Item = &'static str>) -> String {
    match closest(word, names) {
        Some(near) => format!("did you mean `{before}{near}`? `adit games` lists all"),
        None => String::from(
            "`adit games` lists what comes with the program; a path ends with `.rules`",
        ),
    }
}
