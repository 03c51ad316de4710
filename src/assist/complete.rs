//! What somebody may want to write at a place.

use std::collections::{BTreeMap, BTreeSet};

use super::declared::{Thing, type_of_item};
use super::hover::{Known, type_of_local};
use super::names::Target;
use crate::model::{Base, DomainKind, Game};
use crate::source::FileId;
use crate::syntax::ast::Item;
use crate::syntax::{Expected, expected};

/// Something that may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The text.
    pub text: String,
    /// What it is, in a word of the language; `word` if it is one itself.
    pub kind: &'static str,
    /// Its comment or its type, in short.
    pub about: String,
    /// How well it fits, the best first.
    pub rank: u8,
}

/// The best fit: a value of the type that is wanted.
const BEST: u8 = 0;
/// What is known here alone.
const LOCAL: u8 = 1;
/// What is known everywhere.
const NAME: u8 = 2;
/// A word of the language.
const WORD: u8 = 3;

/// Returns what may be written at a place of a file, and where the text begins whose place it takes.
pub fn complete(known: &Known<'_>, file: FileId, at: usize) -> Option<(usize, Vec<Offer>)> {
    let text = known.sources.get(file)?.text.as_str();
    let before = text.get(..at)?;
    let word = before.trim_end_matches(is_of_word).len();
    let address = before.trim_end_matches(|c| is_of_word(c) || c == '.').len();
    let whole = expected(text, address)?;
    let place = Place {
        known,
        file,
        start: whole.start,
        text: before.get(whole.start..)?,
    };
    if whole.address {
        return Some((address, place.addresses()));
    }
    if address < word {
        return Some((word, place.fields()));
    }
    let mut all = BTreeMap::new();
    place.names(&whole, &mut all);
    for it in &whole.words {
        all.entry((*it).to_owned()).or_insert(Offer {
            text: (*it).to_owned(),
            kind: "word",
            about: String::new(),
            rank: WORD,
        });
    }
    let mut all: Vec<Offer> = all.into_values().collect();
    all.sort_by(|a, b| (a.rank, &a.text).cmp(&(b.rank, &b.text)));
    Some((word, all))
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

struct Place<'k> {
    known: &'k Known<'k>,
    file: FileId,
    /// Where the item begins that is being written.
    start: usize,
    /// It, as far as it is written.
    text: &'k str,
}

fn offer(text: &str, thing: &Thing, rank: u8) -> Offer {
    Offer {
        text: text.to_owned(),
        kind: thing.word,
        about: thing.docs.lines().next().unwrap_or("").to_owned(),
        rank,
    }
}

impl<'k> Place<'k> {
    /// All that an edit can name.
    fn addresses(&self) -> Vec<Offer> {
        let declared = self.known.names.declared();
        let all = declared.filter_map(|(target, thing)| match target {
            Target::Item(address) | Target::Inside(address) => Some(offer(address, thing, NAME)),
            _ => None,
        });
        let mut all: Vec<Offer> = all.collect();
        all.dedup_by(|a, b| a.text == b.text);
        all
    }

    /// The fields of what stands before the dot; all fields, if it is not known what that is.
    fn fields(&self) -> Vec<Offer> {
        let ty = self.text.trim_end_matches(is_of_word).strip_suffix('.');
        let ty = ty.and_then(|it| self.type_of(it));
        let all = |of: Option<&str>| {
            let inside = self.inside(&["field"], of);
            let mut all: Vec<Offer> = inside.map(|(name, it)| offer(name, it, NAME)).collect();
            all.sort_by(|a, b| a.text.cmp(&b.text));
            all.dedup_by(|a, b| a.text == b.text);
            all
        };
        match all(ty.as_deref()) {
            own if own.is_empty() => all(None),
            own => own,
        }
    }

    fn inside<'w>(
        &self,
        words: &'w [&str],
        of: Option<&'w str>,
    ) -> impl Iterator<Item = (&'k str, &'k Thing)> + use<'k, 'w> {
        let declared = self.known.names.declared();
        declared.filter_map(move |(target, thing)| {
            let Target::Inside(address) = target else {
                return None;
            };
            let (around, name) = address.rsplit_once('.')?;
            let fits = words.contains(&thing.word) && of.is_none_or(|it| it == around);
            fits.then_some((name, thing))
        })
    }

    fn names(&self, whole: &Expected, all: &mut BTreeMap<String, Offer>) {
        let mut add = |it: Offer| {
            all.entry(it.text.clone()).or_insert(it);
        };
        let wanted = self.wanted();
        let answers = ["value", "reading"];
        if let Some(ty) = &wanted {
            let values = self.inside(&answers, Some(ty));
            values.for_each(|(name, it)| add(offer(name, it, BEST)));
        }
        if !whole.name {
            return;
        }
        for (name, ty) in self.locals() {
            add(Offer {
                text: name.to_owned(),
                kind: "local",
                about: ty.unwrap_or_default(),
                rank: LOCAL,
            });
        }
        let declared = self.known.names.declared();
        for (target, thing) in declared {
            if let Target::Item(name) = target {
                add(offer(name, thing, NAME));
            }
        }
        let values = self.inside(&["value"], None);
        values.for_each(|(name, it)| add(offer(name, it, NAME)));
    }

    /// Returns the type whose values are wanted: that of what stands before a comparison or a `=`.
    fn wanted(&self) -> Option<String> {
        let before = self.text.trim_end_matches(is_of_word).trim_end();
        let operators = ["==", "!=", "="];
        let subject = operators.iter().find_map(|it| before.strip_suffix(it))?;
        self.type_of(subject.trim_end())
    }

    /// Returns the name of the type of the name at the end of a text.
    fn type_of(&self, text: &str) -> Option<String> {
        // What stands in brackets behind a name says which of them.
        let text = match text.strip_suffix([']', ')']) {
            Some(inner) => inner.get(..inner.rfind(['[', '('])?)?,
            None => text,
        };
        let rest = text.trim_end_matches(is_of_word);
        let name = text.get(rest.len()..)?;
        if rest.ends_with('.') {
            let game = self.known.game?;
            let mut fields = game.domains.iter().flat_map(|it| match &it.kind {
                DomainKind::Record { fields, .. } => fields.as_slice(),
                _ => &[],
            });
            let field = fields.find(|it| it.name == name)?;
            return domain_name(game, field.ty.base);
        }
        let types = self.locals().find(|(it, _)| *it == name);
        if let Some((_, ty)) = types {
            // `a Square`, `a set of Square`: the name stands in quotes.
            return ty?.split('`').nth(1).map(str::to_owned);
        }
        let items = self.known.files.iter().flat_map(|it| &it.items);
        let named = |it: &&Item| it.kind.name().is_some_and(|it| it.text == name);
        type_of_item(items.clone().find(named)?).map(str::to_owned)
    }

    /// Returns the locals of the item that is being written, with their types: those that the present text binds, and
    /// those that its last readable form did.
    fn locals(&self) -> impl Iterator<Item = (&'k str, Option<String>)> {
        let known = self.known;
        let (file, start, end) = (self.file, self.start, self.start + self.text.len());
        let here = move |at: FileId, from: u32| {
            let earlier = known.stand_ins.iter().any(|it| it.file == at);
            earlier || at == file && (start..end).contains(&(from as usize))
        };
        let bound = known.names.locals();
        let bound = bound.filter(move |(at, from, _)| here(*at, *from));
        let bound = bound.map(|(.., thing)| {
            let place = thing.param.unwrap_or(thing.name);
            (
                known.sources.slice(thing.name),
                type_of_local(known.game, place),
            )
        });
        let typed = written(self.text);
        let mut met = BTreeSet::new();
        bound
            .chain(typed)
            .filter(move |(name, _)| met.insert(*name))
    }
}

/// Returns the words of a text that look as if they were bound there, with their types where these are a name.
fn written(text: &str) -> impl Iterator<Item = (&str, Option<String>)> {
    let ends = text.match_indices(|c: char| !is_of_word(c));
    let starts = ends.map(|(at, it)| at + it.len());
    starts.filter_map(|at| {
        let (word, behind) = first_word(text.get(at..)?);
        let ty = behind.strip_prefix(": ").map(|it| first_word(it).0);
        let ty = ty.filter(|it| it.starts_with(char::is_alphabetic));
        let is_let = text.get(..at)?.trim_end().ends_with("let");
        let binds = is_let || behind.starts_with(": ") || behind.starts_with(" in ");
        let is_name = word.starts_with(char::is_alphabetic);
        (is_name && binds).then(|| (word, ty.map(|it| format!("a `{it}`"))))
    })
}

fn first_word(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !is_of_word(c)).unwrap_or(text.len());
    text.split_at(end)
}

fn domain_name(game: &Game, base: Base) -> Option<String> {
    let (Base::Elem(id) | Base::Set(id)) = base else {
        return None;
    };
    game.domains.get(id.index()).map(|it| it.name.clone())
}
