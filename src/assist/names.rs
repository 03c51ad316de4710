//! The index of names.

use std::collections::BTreeMap;

use super::declared::{Declared, Thing};
use super::walk::{self, Unknown, Walked, place as at};
use crate::check::Meant;
use crate::model::Game;
use crate::source::{FileId, Span};
use crate::syntax::ast;

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// An item of the rules.
    Item(String),
    /// What has a name inside an item, by its address: `round.play`, `Suit.hearts`, `exposure.five`.
    Inside(String),
    /// A ruling or a study; their ids are no names of the rules.
    Case(String),
    /// A parameter or another local: the file, and where its name is given.
    Local(FileId, u32),
    /// A game or an amendment.
    Book(String),
    /// A printed text that is cited.
    Source(String),
    /// One of its sentences.
    Sentence(String, String),
}

impl Target {
    /// Returns the address or the name.
    pub fn address(&self) -> Option<&str> {
        match self {
            Target::Item(name) | Target::Inside(name) | Target::Case(name) => Some(name),
            _ => None,
        }
    }
}

/// What is done with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// It is given.
    Declares,
    /// What it stands for is asked for, or it is only named.
    Reads,
    /// What it stands for gets a value.
    Writes,
    /// What it stands for is changed by an edit.
    Amends,
    /// It is cited.
    Cites,
}

/// A name where it stands.
#[derive(Clone, Debug)]
pub struct Use {
    /// The name.
    pub span: Span,
    /// What it stands for.
    pub target: Target,
    /// What is done with it.
    pub doing: Doing,
}

/// All names of a rulebook with its parts and amendments.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// By place.
    uses: Vec<Use>,
    /// The names of which it is not known what they stand for.
    unknown: Vec<Unknown>,
    things: BTreeMap<Target, Vec<Thing>>,
    lets: Vec<Span>,
}

impl Names {
    /// Makes the index of files; the game, if there is one, knows types, and its check what it took names for.
    pub fn new(files: &[ast::File], game: Option<&Game>, meant: &[Meant]) -> Names {
        let declared = Declared::new(files);
        let Walked {
            mut uses,
            mut unknown,
            formals,
            lets,
        } = walk::walk(files, &declared, game, meant);
        let place = |it: &Use| (at(it.span), it.span.end);
        // The first that was said of a place holds.
        uses.sort_by_key(place);
        uses.dedup_by_key(|it| place(it));
        let is_known = |it: &Span| {
            uses.binary_search_by_key(&at(*it), |it| at(it.span))
                .is_ok()
        };
        unknown.retain(|it| !is_known(&it.span));
        let mut things = declared.things;
        for it in &uses {
            if let (Target::Local(..), Doing::Declares) = (&it.target, it.doing) {
                things.entry(it.target.clone()).or_default().push(Thing {
                    param: formals.get(&at(it.span)).copied(),
                    ..Thing::local(it.span)
                });
            }
        }
        Names {
            uses,
            unknown,
            things,
            lets,
        }
    }

    /// Returns the name that stands at a place, or ends there.
    pub fn at(&self, file: FileId, offset: u32) -> Option<&Use> {
        let behind = self
            .uses
            .partition_point(|it| (it.span.file, it.span.start) <= (file, offset));
        let it = self.uses.get(behind.checked_sub(1)?)?;
        (it.span.file == file && offset <= it.span.end).then_some(it)
    }

    /// Returns where something is used, where it is declared too.
    pub fn uses_of<'a>(&'a self, target: &'a Target) -> impl Iterator<Item = &'a Use> {
        self.uses.iter().filter(move |it| it.target == *target)
    }

    /// Returns where a name stands that could be this and of which it is not known: in rules that are not chosen, where it
    /// could be several things.
    pub fn maybe<'a>(&'a self, target: &'a Target) -> impl Iterator<Item = Span> {
        let home = self.home(target);
        let things = self.things(target);
        let is_it = move |it: &&Unknown| match (target, &it.amends) {
            (Target::Local(..), Some(amends)) => home.is_none_or(|home| home == amends),
            _ => things.iter().any(|thing| it.words.contains(&thing.word)),
        };
        self.unknown.iter().filter(is_it).map(|it| it.span)
    }

    /// Returns the name of the item in which a local is bound.
    fn home(&self, target: &Target) -> Option<&str> {
        let Target::Local(file, start) = target else {
            return None;
        };
        let place = Span::new(*file, *start as usize, *start as usize);
        let mut items = self.things.iter();
        items.find_map(|(target, things)| match target {
            Target::Item(name) if things.iter().any(|it| it.whole.holds(place)) => {
                Some(name.as_str())
            }
            _ => None,
        })
    }

    /// Returns all names by place.
    pub fn all(&self) -> &[Use] {
        &self.uses
    }

    /// Returns the names that are bound by `let`.
    pub fn lets(&self) -> &[Span] {
        &self.lets
    }

    /// Returns where something is declared; what takes the place of another stands behind that.
    pub fn things(&self, target: &Target) -> &[Thing] {
        self.things.get(target).map_or(&[], Vec::as_slice)
    }

    /// Returns all locals, each with its file and where its name is given.
    pub fn locals(&self) -> impl Iterator<Item = (FileId, u32, &Thing)> {
        self.things
            .iter()
            .filter_map(|(target, things)| match target {
                Target::Local(file, start) => Some((*file, *start, things.first()?)),
                _ => None,
            })
    }

    /// Returns everything that is declared, locals left aside.
    pub fn declared(&self) -> impl Iterator<Item = (&Target, &Thing)> {
        let all = self.things.iter();
        let all = all.filter(|(target, _)| !matches!(target, Target::Local(..)));
        all.flat_map(|(target, things)| things.iter().map(move |it| (target, it)))
    }
}
