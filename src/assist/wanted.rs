//! What alone is meant at a place, as the words before it tell.

use std::collections::BTreeSet;

use super::complete::{BEST, LOCAL, Offer, Place, domain_name, is_of_word, offer, word_offer};
use super::declared::{named_type, type_of_item};
use super::names::Target;
use crate::check::BUILT_IN_TYPES;
use crate::library;
use crate::model::DomainKind;
use crate::syntax::ast::{
    Add, Authority, Edit, HeaderKind, Item, ItemKind, Param, ParamDomain, Type,
};
use crate::syntax::{Expected, parse_header};

/// What something that is named twice is called in the protocol's eyes: words of declarations.
const QUESTIONS: &[&str] = &["question"];
const SETTINGS: &[&str] = &["question", "option"];

/// Cuts a text into words, texts in quotes and signs.
pub(super) fn tokens(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if is_of_word(first) {
            rest.find(|c| !is_of_word(c)).unwrap_or(rest.len())
        } else if first == '"' {
            let behind = rest.get(1..).unwrap_or("");
            behind.find(['"', '\n']).map_or(rest.len(), |it| it + 2)
        } else if rest.starts_with("=>") {
            2
        } else {
            first.len_utf8()
        };
        let (token, behind) = rest.split_at(length.min(rest.len()));
        all.push(token);
        rest = behind.trim_start();
    }
    all
}

/// Returns where the bracket stands that is still open at the end.
fn opened(tokens: &[&str]) -> Option<usize> {
    let mut deep = 0_usize;
    for (at, token) in tokens.iter().enumerate().rev() {
        match *token {
            ")" | "]" | "}" => deep += 1,
            "(" | "[" | "{" if deep == 0 => return Some(at),
            "(" | "[" | "{" => deep -= 1,
            _ => {}
        }
    }
    None
}

/// Returns whether the colon at the end stands before the type of what is declared, of a parameter or of a field.
fn is_typed(tokens: &[&str]) -> bool {
    let begins = tokens.iter().any(|it| ["{", "="].contains(it));
    match tokens.first() {
        Some(&("component" | "record")) => true,
        Some(
            &("define" | "track" | "table" | "measure" | "action" | "event" | "flow" | "ending"),
        ) => !begins,
        _ => false,
    }
}

/// Returns the words that stand right before a sign, in no bracket of their own.
fn said_before<'t>(tokens: &[&'t str], sign: &str) -> BTreeSet<&'t str> {
    let mut deep = 0_i32;
    let mut waiting = Vec::new();
    let mut said = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "(" | "[" | "{" => deep += 1,
            ")" | "]" | "}" => deep -= 1,
            "," => {}
            it if it == sign => said.extend(waiting.drain(..)),
            it if deep == 0 => {
                // `a, b => …`: several before one sign.
                if at == 0 || tokens.get(at - 1) != Some(&",") {
                    waiting.clear();
                }
                waiting.push(it);
            }
            _ => {}
        }
    }
    said
}

impl<'k> Place<'k> {
    /// What fits here and nothing else does; none where much may stand.
    pub(super) fn only(&self, whole: &Expected) -> Option<Vec<Offer>> {
        let before = self.text.trim_end_matches(is_of_word);
        let all = tokens(before);
        let back = |n: usize| all.len().checked_sub(n).and_then(|at| all.get(at).copied());
        let last = back(1)?;
        let verb = |words: &[&str]| {
            let near = all.iter().rev().take_while(|it| !["{", "}"].contains(*it));
            let mut near = near.filter(|it| words.contains(*it) || VERBS.contains(*it));
            near.next().is_some_and(|it| words.contains(it))
        };
        let found = match last {
            "from" | "to" if verb(&["move", "draw", "exchange"]) => self.items(&["zone"]),
            "shuffle" | "lay" | "pack" if !whole.address => self.items(&["zone"]),
            "answers" => self.items(QUESTIONS),
            "given" => self.items(&["position"]),
            "end" => self.items(&["ending"]),
            "by" if back(2) == Some("ended") => self.items(&["ending"]),
            "by" if verb(&["illegal"]) => self.clauses(&all)?,
            "under" => self.items(SETTINGS),
            "=" if matches!(back(3), Some("under" | "set")) => self.values_of_setting(back(2)?)?,
            "cite" => self.sources(),
            "excludes" | "needs" => self.units(),
            "before" | "after" if back(2) == Some("order") => self.units(),
            "resolve" | "+" if all.first() == Some(&"resolve") => self.units(),
            "," if all.contains(&"answers") && !all.contains(&"{") => self.items(QUESTIONS),
            "at" if back(3) == Some("seed") => self.steps(),
            it if matches!(back(2), Some("cite" | ",")) => self.sentences(it),
            "status" => Authority::ALL
                .map(|it| word_offer(it.word(), BEST))
                .to_vec(),
            ":" if is_typed(&all) => {
                let words = whole.words.iter().chain(&BUILT_IN_TYPES);
                let words = words.map(|it| word_offer(it, BEST));
                let named = self.items(&["enum", "space", "component", "record"]);
                named.into_iter().chain(words).collect()
            }
            ":" | "|" | "then" | "," if whole.action => self.items(&["action"]),
            _ => Vec::new(),
        };
        if !found.is_empty() {
            return Some(found);
        }
        let open = opened(&all)?;
        let (outer, inner) = (all.get(..open)?, all.get(open + 1..)?);
        let ty = match all.get(open) {
            Some(&"{") if whole.head => {
                let by = outer.iter().rposition(|it| *it == "by")?;
                self.type_of(&outer.get(by + 1..)?.concat())
            }
            Some(&"{") if whole.key && last != "," => self.key_of(outer),
            _ => None,
        };
        let sign = if whole.head { "=>" } else { ":" };
        let said = said_before(inner, sign);
        let mut values = self.values(&ty?, BEST);
        values.retain(|it| !said.contains(it.text.as_str()));
        (!values.is_empty()).then_some(values)
    }

    /// What fits best beside all that may stand here.
    pub(super) fn fitting(&self, whole: &Expected) -> Vec<Offer> {
        let before = self.text.trim_end_matches(is_of_word);
        let all = tokens(before);
        let Some(open) = opened(&all) else {
            return Vec::new();
        };
        let (outer, inner) = (all.get(..open), all.get(open + 1..).unwrap_or_default());
        let outer = outer.unwrap_or_default();
        let last = all.last().copied().unwrap_or("");
        let called = outer.last().copied().unwrap_or("");
        let starts = matches!(last, "(" | "[" | "{" | ",");
        let n_before = inner.iter().filter(|it| **it == ",").count();
        match all.get(open) {
            Some(&"(") => {
                let all = self.parameters(called);
                if last == ":" {
                    let name = inner.get(inner.len().saturating_sub(2)).copied();
                    let named = all.iter().find(|(it, _)| Some(*it) == name);
                    let ty = named.and_then(|it| it.1);
                    return ty.map_or_else(Vec::new, |it| self.values(it, BEST));
                }
                if !starts || !whole.argument {
                    return Vec::new();
                }
                let said = said_before(inner, ":");
                let open = all.iter().filter(|(name, _)| !said.contains(name));
                let names = open.map(|(name, ty)| Offer {
                    text: format!("{name}: "),
                    kind: "parameter",
                    about: ty.unwrap_or("").to_owned(),
                    rank: BEST,
                });
                let mut found: Vec<Offer> = names.collect();
                if said.is_empty() {
                    found.drain(..n_before.min(found.len()));
                    let ty = all.get(n_before).and_then(|it| it.1);
                    found.extend(ty.into_iter().flat_map(|it| self.values(it, LOCAL)));
                }
                found
            }
            Some(&"[") if starts => {
                let ty = self
                    .index_of(called)
                    .and_then(|it| named_type(it.get(n_before)?));
                ty.map_or_else(Vec::new, |it| self.values(it, BEST))
            }
            Some(&"{") if starts && called == "in" => {
                let subject = outer.split_last().map(|(_, it)| it.concat());
                let ty = subject.and_then(|it| self.type_of(&it));
                let mut found = ty.map_or_else(Vec::new, |it| self.values(&it, BEST));
                found.retain(|it| !inner.contains(&it.text.as_str()));
                found
            }
            _ => Vec::new(),
        }
    }

    fn items(&self, words: &[&str]) -> Vec<Offer> {
        let declared = self.known.names.declared();
        let all = declared.filter_map(|(target, thing)| match target {
            Target::Item(name) if words.contains(&thing.word) => Some(offer(name, thing, BEST)),
            _ => None,
        });
        distinct(all.collect())
    }

    /// The values of a type.
    fn values(&self, ty: &str, rank: u8) -> Vec<Offer> {
        let declared = self.inside(&["value"], Some(ty));
        let mut found: Vec<Offer> = declared.map(|(name, it)| offer(name, it, rank)).collect();
        if found.is_empty() {
            let seats = self.inside(&["value"], Some("seat"));
            let seats = seats.filter(|_| ty == "seat");
            found.extend(seats.map(|(name, it)| offer(name, it, rank)));
        }
        distinct(found)
    }

    /// What can forbid the action that is played before the place.
    fn clauses(&self, tokens: &[&str]) -> Option<Vec<Offer>> {
        let played = tokens.iter().rposition(|it| *it == "illegal")?;
        let colon = tokens.iter().skip(played).position(|it| *it == ":")?;
        let action = tokens.get(played + colon + 1)?;
        let all = self.inside(&["clause", "forbid"], Some(action));
        Some(distinct(
            all.map(|(name, it)| offer(name, it, BEST)).collect(),
        ))
    }

    fn steps(&self) -> Vec<Offer> {
        let declared = self.known.names.declared();
        let all = declared.filter_map(|(target, thing)| match target {
            Target::Inside(address) if thing.word == "step" => Some(offer(address, thing, BEST)),
            _ => None,
        });
        distinct(all.collect())
    }

    fn sources(&self) -> Vec<Offer> {
        let declared = self.known.names.declared();
        let all = declared.filter_map(|(target, thing)| match target {
            Target::Source(name) => Some(offer(name, thing, BEST)),
            _ => None,
        });
        distinct(all.collect())
    }

    fn sentences(&self, source: &str) -> Vec<Offer> {
        let declared = self.known.names.declared();
        let all = declared.filter_map(|(target, thing)| match target {
            Target::Sentence(of, id) if of == source => Some(offer(id, thing, BEST)),
            _ => None,
        });
        distinct(all.collect())
    }

    /// What an amendment can be settled with: questions, and amendments of the same rulebooks.
    fn units(&self) -> Vec<Offer> {
        let headers = || self.known.files.iter().filter_map(|it| it.header.as_ref());
        let own = headers().next_back().map(|it| it.name.as_str());
        let is_known = |name: &str| headers().any(|it| it.name.text == name);
        let written = headers().filter(|it| it.kind != HeaderKind::Game);
        let shipped = library::FILES.iter().filter_map(|it| parse_header(it.text));
        let shipped = shipped.filter(|it| match &it.kind {
            HeaderKind::Amendment { base, .. } => is_known(base.as_str()),
            _ => false,
        });
        let books = written.cloned().chain(shipped).map(|it| Offer {
            kind: "variant",
            about: it.title.text,
            rank: BEST,
            text: it.name.text,
        });
        let mut found: Vec<Offer> = books.filter(|it| Some(it.text.as_str()) != own).collect();
        found.extend(self.items(QUESTIONS));
        distinct(found)
    }

    /// The parameters of what is called, or the fields of what is made, with their types.
    fn parameters(&self, called: &str) -> Vec<(&'k str, Option<&'k str>)> {
        let Some(item) = self.item(called) else {
            return Vec::new();
        };
        let of_param = |it: &'k Param| {
            let ty = self.type_of_param(it);
            it.names.iter().map(move |name| (name.as_str(), ty))
        };
        let fields = match &item.kind {
            ItemKind::Record(it) => it.fields.as_slice(),
            ItemKind::Component(it) => it.fields.as_slice(),
            kind => {
                let params = kind.params().unwrap_or_default();
                return params.iter().flat_map(of_param).collect();
            }
        };
        let fields = fields.iter();
        fields
            .map(|it| (it.name.as_str(), named_type(&it.ty)))
            .collect()
    }

    pub(super) fn type_of_param(&self, param: &'k Param) -> Option<&'k str> {
        match &param.domain {
            ParamDomain::Type(ty) => named_type(ty),
            ParamDomain::Set(set) | ParamDomain::Several { set, .. } => {
                let text = self.known.sources.slice(set.span);
                let end = text.find(|c| !is_of_word(c)).unwrap_or(text.len());
                type_of_item(self.item(text.get(..end)?)?)
            }
        }
    }

    /// The types by which something is indexed.
    fn index_of(&self, name: &str) -> Option<&'k [Type]> {
        match &self.item(name)?.kind {
            ItemKind::Zone(it) => Some(&it.index),
            ItemKind::Track(it) => Some(&it.index),
            ItemKind::Table(it) => Some(&it.index),
            _ => None,
        }
    }

    /// The type of the first key in the rows of a table that begins before the place.
    fn key_of(&self, outer: &[&str]) -> Option<String> {
        if let Some(at) = outer.iter().rposition(|it| *it == "table") {
            let ty = outer
                .get(at + 3)
                .filter(|_| outer.get(at + 2) == Some(&"["));
            return ty.map(|it| (*it).to_owned());
        }
        let rows = outer.iter().rposition(|it| *it == "rows")?;
        let index = self.index_of(outer.get(rows + 2)?)?;
        named_type(index.first()?).map(str::to_owned)
    }

    /// The fields of the values of a type, and the coordinates of the places of a space.
    pub(super) fn fields_of(&self, ty: &str) -> Option<Vec<Offer>> {
        let game = self.known.game?;
        let domain = game.domains.iter().find(|it| it.name == ty)?;
        let fields = match &domain.kind {
            DomainKind::Record { fields, .. } => fields.as_slice(),
            DomainKind::Space { axes, .. } => axes.as_slice(),
            _ => &[],
        };
        let all = fields.iter().map(|it| Offer {
            text: it.name.clone(),
            kind: "field",
            about: domain_name(game, it.ty.base).unwrap_or_default(),
            rank: BEST,
        });
        let mut all: Vec<Offer> = all.collect();
        all.extend(self.brought_fields(ty));
        Some(distinct(all))
    }

    /// The fields that an edit adds which is not worked in yet.
    fn brought_fields(&self, ty: &str) -> Vec<Offer> {
        let items = self.known.files.iter().flat_map(|it| &it.items);
        let added = items.filter_map(|it| match &it.kind {
            ItemKind::Edit(Edit::Add(Add::Fields { to, fields, .. })) => Some((to, fields)),
            _ => None,
        });
        let own = added.filter(|(to, _)| to.segments.last().is_some_and(|it| it.text == ty));
        let fields = own.flat_map(|(_, fields)| fields);
        let all = fields.map(|it| Offer {
            text: it.name.text.clone(),
            kind: "field",
            about: String::new(),
            rank: BEST,
        });
        all.collect()
    }

    pub(super) fn item(&self, name: &str) -> Option<&'k Item> {
        let items = self.known.files.iter().flat_map(|it| &it.items);
        let mut named = items.filter(|it| it.kind.name().is_some_and(|it| it.text == name));
        named.next().map(|it| &**it)
    }
}

/// Verbs of statements; what stands behind one belongs to it.
const VERBS: &[&str] = &[
    "move", "draw", "exchange", "turns", "show", "walk", "seed", "expect", "when", "illegal",
];

fn distinct(mut all: Vec<Offer>) -> Vec<Offer> {
    let mut met = BTreeSet::new();
    all.retain(|it| met.insert(it.text.clone()));
    all
}
