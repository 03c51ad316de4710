//! What somebody may want to write at a place.

use std::collections::{BTreeMap, BTreeSet};

use super::declared::{Thing, type_of_item};
use super::hover::{Known, type_of_local};
use super::names::Target;
use super::wanted::tokens;
use crate::compose::{Composed, Entry};
use crate::library;
use crate::model::{Base, Game};
use crate::play::setting_value;
use crate::source::FileId;
use crate::syntax::ast;
use crate::syntax::{Expected, expected, is_verb, parse_header};

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
pub(super) const BEST: u8 = 0;
/// What is known here alone.
pub(super) const LOCAL: u8 = 1;
/// What is known everywhere.
const NAME: u8 = 2;
/// A word of the language.
const WORD: u8 = 3;
/// What has a name and is hardly ever meant where a value stands.
const LAST: u8 = 4;

/// No more values of an option are listed.
const MOST_VALUES: i64 = 64;

/// What a file begins with.
const HEADERS: &[&str] = &["game", "variant", "expansion", "edition", "part"];

/// Edits that may have words of their own for the parameters of what they change.
const WITH_FORMALS: &[&str] = &["forbid", "permit", "except", "extend"];

/// Returns what may be written at a place of a file, and where the text begins whose place it takes.
pub fn complete(known: &Known<'_>, file: FileId, at: usize) -> Option<(usize, Vec<Offer>)> {
    let text = known.sources.get(file)?.text.as_str();
    let before = text.get(..at)?;
    let word = before.trim_end_matches(is_of_word).len();
    let address = before.trim_end_matches(|c| is_of_word(c) || c == '.').len();
    let dashed = before.trim_end_matches(|c| is_of_word(c) || c == '-').len();
    let Some(mut whole) = expected(text, address) else {
        return unread(known, file, before, dashed).map(|it| (dashed, it));
    };
    let has_header = |it: &ast::File| {
        let own = it.file == file && it.header.is_some();
        own || it.parts.iter().any(|part| part.file == file)
    };
    if !known.files.iter().any(has_header) && whole.words.contains("game") {
        whole.words.retain(|it| HEADERS.contains(it));
    }
    let item = without_comments(before.get(whole.start..)?);
    let place = Place {
        known,
        file,
        start: whole.start,
        text: item.trim_start(),
        length: item.len(),
    };
    if address < word && !whole.address {
        return Some((word, place.fields()));
    }
    if let Some(mut found) = place.only(&whole) {
        let ends = whole.words.iter().filter(|_| whole.head || whole.key);
        found.extend(ends.map(|it| word_offer(it, WORD)));
        return Some((word, found));
    }
    if whole.address {
        return Some((address, place.addresses()));
    }
    if place.is_base() {
        let shipped = library::FILES.iter().filter_map(|it| {
            let header = parse_header(it.text)?;
            Some(Offer {
                text: header.name.text,
                kind: "game",
                about: header.title.text,
                rank: BEST,
            })
        });
        return Some((word, shipped.collect()));
    }
    if let Some(values) = place.set_to() {
        return Some((word, values));
    }
    let mut all = BTreeMap::new();
    for it in place.fitting(&whole) {
        all.entry(it.text.clone()).or_insert(it);
    }
    place.names(&whole, &mut all);
    // Where something is done, the verbs are meant rather than all names that an assignment may begin with.
    let is_done = whole.words.contains("move");
    for it in &whole.words {
        let rank = if is_done && is_verb(it) { LOCAL } else { WORD };
        all.entry((*it).to_owned())
            .or_insert_with(|| word_offer(it, rank));
    }
    let mut all: Vec<Offer> = all.into_values().collect();
    all.sort_by(|a, b| (a.rank, &a.text).cmp(&(b.rank, &b.text)));
    Some((word, all))
}

pub(super) fn word_offer(word: &str, rank: u8) -> Offer {
    Offer {
        text: word.to_owned(),
        kind: "word",
        about: String::new(),
        rank,
    }
}

/// What may stand where the words before cannot be read to the end: the rest of the id of a sentence, and what is offered
/// in a slot whose brace is missing.
fn unread(known: &Known<'_>, file: FileId, before: &str, dashed: usize) -> Option<Vec<Offer>> {
    let start = before.rfind('\n').map_or(0, |it| it + 1);
    let line = before.get(start..dashed)?;
    if line.trim_start().starts_with("//") {
        return None;
    }
    let place = Place {
        known,
        file,
        start,
        text: line,
        length: line.len(),
    };
    let whole = Expected {
        action: tokens(line)
            .iter()
            .rev()
            .nth(2)
            .is_some_and(|it| ["once", "many"].contains(it)),
        ..Expected::default()
    };
    let is_id = before.get(dashed..)?.contains('-') && line.contains("cite ");
    place.only(&whole).filter(|_| whole.action || is_id)
}

/// Returns a text of the same length with blanks in place of comments.
fn without_comments(text: &str) -> String {
    let mut clear = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut is_quoted = false;
        let letters = line.char_indices();
        let mut starts = letters.filter(|(at, letter)| {
            is_quoted ^= *letter == '"';
            !is_quoted && line.get(*at..).is_some_and(|it| it.starts_with("//"))
        });
        let end = starts.next().map_or(line.len(), |(at, _)| at);
        let (code, comment) = line.split_at(end);
        clear.push_str(code);
        clear.extend(
            comment
                .bytes()
                .map(|it| if it == b'\n' { '\n' } else { ' ' }),
        );
    }
    clear
}

pub(super) fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

pub(super) struct Place<'k> {
    pub(super) known: &'k Known<'k>,
    file: FileId,
    /// Where the item begins that is being written.
    start: usize,
    /// It, as far as it is written.
    pub(super) text: &'k str,
    /// How long that is with what is said before it.
    length: usize,
}

pub(super) fn offer(text: &str, thing: &Thing, rank: u8) -> Offer {
    Offer {
        text: text.to_owned(),
        kind: thing.word,
        about: thing.docs.lines().next().unwrap_or("").to_owned(),
        rank,
    }
}

impl<'k> Place<'k> {
    /// Whether the name of a rulebook is wanted that is amended.
    fn is_base(&self) -> bool {
        let mut words = self.text.split_whitespace();
        let is_header = words.next().is_some_and(|it| HEADERS.contains(&it));
        let before = self.text.trim_end_matches(is_of_word).trim_end();
        is_header && !self.text.contains('{') && before.ends_with(" for")
    }

    /// What an option or a question can be set to in the edit that is written.
    fn set_to(&self) -> Option<Vec<Offer>> {
        let rest = self.text.strip_prefix("set ")?;
        let (name, written) = rest.split_once('=')?;
        let name = name.trim();
        self.values_of_setting(name)
            .filter(|_| !written.trim().contains(' '))
    }

    /// The values of an option or a question; none where there is none of that name, or too much to list.
    pub(super) fn values_of_setting(&self, name: &str) -> Option<Vec<Offer>> {
        let game = self.known.game?;
        let setting = game.settings.iter().find(|it| it.name == name)?;
        let values = match setting.ty.base {
            Base::Bool => 0..2,
            Base::Int(least, most) => least..most.checked_add(1)?,
            Base::Elem(id) => 0..i64::try_from(game.domains.get(id.index())?.size).ok()?,
            Base::Set(_) | Base::Unit => return None,
        };
        let count = values.end.checked_sub(values.start)?;
        let values = values.map(|value| {
            let text = setting_value(game, setting, value);
            let is_in_force = value == setting.value;
            Offer {
                text,
                kind: if setting.question { "reading" } else { "value" },
                about: String::from(if is_in_force { "in force" } else { "" }),
                rank: BEST,
            }
        });
        (count <= MOST_VALUES).then(|| values.collect())
    }

    /// What an edit can name: what takes this edit, if that is known.
    fn addresses(&self) -> Vec<Offer> {
        let before = self.text.trim_end_matches(|c| is_of_word(c) || c == '.');
        let mut words = before.split_whitespace().rev();
        let (last, second, third) = (words.next(), words.next(), words.next());
        let (verb, asked) = match (last.unwrap_or(""), second, third) {
            ("before" | "after", Some("insert"), _) => ("insert", String::from("insert")),
            ("to", Some(what), Some("add")) => ("add", format!("add {what}")),
            ("except", ..) => ("except", String::from("permit")),
            (verb, ..) => (verb, verb.to_owned()),
        };
        let takes = |it: &Entry| it.edits.contains(&asked.as_str());
        let outline = self.known.composed.map(Composed::outline);
        let fitting = outline.into_iter().flatten().filter(takes);
        let fitting = fitting.map(|it| Offer {
            text: match WITH_FORMALS.contains(&verb) {
                true => it.address.clone() + &self.formals(&it.address),
                false => it.address.clone(),
            },
            kind: it.kind,
            about: it.docs.lines().next().unwrap_or("").to_owned(),
            rank: NAME,
        });
        match fitting.collect::<Vec<_>>() {
            none if none.is_empty() && !asked.starts_with("add ") => self.all_addresses(),
            some => some,
        }
    }

    /// The parameters of what an address begins with, as an edit names them.
    fn formals(&self, address: &str) -> String {
        let head = address.split('.').next().unwrap_or(address);
        let params = self.item(head).and_then(|it| it.kind.params());
        let names = params.into_iter().flatten().flat_map(|it| &it.names);
        let names: Vec<&str> = names.map(ast::Name::as_str).collect();
        match names.as_slice() {
            [] => String::new(),
            names => format!("({})", names.join(", ")),
        }
    }

    fn all_addresses(&self) -> Vec<Offer> {
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
        if let Some(own) = ty.as_deref().and_then(|it| self.fields_of(it)) {
            return own;
        }
        let inside = self.inside(&["field"], None);
        let mut all: Vec<Offer> = inside.map(|(name, it)| offer(name, it, NAME)).collect();
        all.sort_by(|a, b| a.text.cmp(&b.text));
        all.dedup_by(|a, b| a.text == b.text);
        all
    }

    pub(super) fn inside<'w>(
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
                let is_value = !matches!(thing.word, "position" | "invariant");
                add(offer(name, thing, if is_value { NAME } else { LAST }));
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
    pub(super) fn type_of(&self, text: &str) -> Option<String> {
        // What stands in brackets behind a name says which of them.
        let text = match text.strip_suffix([']', ')']) {
            Some(inner) => inner.get(..inner.rfind(['[', '('])?)?,
            None => text,
        };
        let rest = text.trim_end_matches(is_of_word);
        let name = text.get(rest.len()..)?;
        if let Some(around) = rest.strip_suffix('.') {
            let fields = self.fields_of(&self.type_of(around)?)?;
            let field = fields.into_iter().find(|it| it.text == name)?;
            return Some(field.about).filter(|it| !it.is_empty());
        }
        let types = self.locals().find(|(it, _)| *it == name);
        if let Some((_, ty)) = types {
            // `a Square`, `a set of Square`: the name stands in quotes.
            let ty = quoted(&ty?)?;
            let of_item = self.item(&ty).and_then(type_of_item).map(str::to_owned);
            return Some(of_item.unwrap_or(ty));
        }
        if let Some(ty) = self.type_of_formal(name) {
            return Some(ty);
        }
        type_of_item(self.item(name)?).map(str::to_owned)
    }

    /// The type of a parameter that the edit which is being written names.
    fn type_of_formal(&self, name: &str) -> Option<String> {
        let (verb, rest) = self.text.split_once(' ')?;
        let (address, rest) = rest.split_once('(')?;
        let (formals, _) = rest.split_once(')')?;
        let at = formals.split(',').position(|it| it.trim() == name)?;
        let head = address.trim().split('.').next()?;
        let params = self.item(head)?.kind.params().unwrap_or_default();
        let names = params
            .iter()
            .flat_map(|it| it.names.iter().map(move |name| (it, name)));
        let (param, name) = { names }.nth(at).filter(|_| WITH_FORMALS.contains(&verb))?;
        if let Some(ty) = self.type_of_param(param) {
            return Some(ty.to_owned());
        }
        quoted(&type_of_local(self.known.game, name.span)?)
    }

    /// Returns the locals of the item that is being written, with their types: those that the present text binds, and
    /// those that its last readable form did.
    fn locals(&self) -> impl Iterator<Item = (&'k str, Option<String>)> {
        let known = self.known;
        let (file, start, end) = (self.file, self.start, self.start + self.length);
        let here = move |at: FileId, from: u32| {
            let earlier = known.stand_ins.iter().any(|it| it.file == at);
            if known
                .until
                .is_some_and(|(file, until)| at == file && from >= until)
            {
                return false;
            }
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

/// What stands in quotes: the name in `a set of Square`.
fn quoted(ty: &str) -> Option<String> {
    ty.split('`').nth(1).map(str::to_owned)
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
        let set = behind.strip_prefix(" in ").map(|it| first_word(it).0);
        let binds = is_let || behind.starts_with(": ") || set.is_some();
        let is_name = word.starts_with(char::is_alphabetic);
        let ty = ty.map(|it| format!("a `{it}`"));
        let ty = ty.or_else(|| set.map(|it| format!("in `{it}`")));
        (is_name && binds).then_some((word, ty))
    })
}

fn first_word(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !is_of_word(c)).unwrap_or(text.len());
    text.split_at(end)
}

pub(super) fn domain_name(game: &Game, base: Base) -> Option<String> {
    let (Base::Elem(id) | Base::Set(id)) = base else {
        return None;
    };
    game.domains.get(id.index()).map(|it| it.name.clone())
}
